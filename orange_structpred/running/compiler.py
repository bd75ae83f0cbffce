"""The compiler, told to optimise once what runs together.

Numba compiles each function as if Python called it: with a way in from Python and one
from C, optimised, as machine code of its own; and then once more as a part of each
function that calls it. So a function five calls deep is optimised five times, and a
first run takes twice as long as it needs to. Here a function that another one calls
becomes a part of the caller and nothing else; what Python calls is optimised as a whole.
So do numba's own functions that make arrays, of which there is one for each type and
shape.

Numbers that are written into a call (`push(stack, 0)`) do not make a version of their
own. A function that calls itself must be compiled by numba's own `njit`.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numba
from numba.core import config, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import _OverloadFunctionTemplate

import orange_structpred.running.compiler_cache  # noqa: F401  where code is kept

#: What is done differently here is no promise of numba's: a version that no longer has it
#: compiles as it always does
_KNOWN = all(hasattr(JITCodeLibrary, name) for name in (
    "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
    ) and hasattr(_OverloadFunctionTemplate, "_get_jit_decorator")

#: Functions of numba that may be parts, too: all that they raise is known beforehand
_ARRAY_MAKERS = {"ol_np_empty", "ol_np_zeros", "impl_np_full", "ol_array_zero_fill",
                 "_ol_array_allocate"}


_compiling = 0          # functions that are being compiled, one inside another


def is_compiling() -> bool:
    """Whether a function is being compiled, in whatever thread: it was not in the cache."""
    return _compiling > 0


def _counted(compile_function: Callable) -> Callable:
    """The function, so that it is known when it is at work. The compiler's lock is held."""
    @functools.wraps(compile_function)
    def counted(*args, **kwargs):
        global _compiling
        _compiling += 1
        try:
            return compile_function(*args, **kwargs)
        finally:
            _compiling -= 1

    return counted


class _NoEnvironments:
    """Takes the place of a code generator for code that is not loaded."""

    @staticmethod
    def set_env(name, environment) -> None:
        """Only functions that hold Python objects need one; ours do not."""


class _PartLibrary(JITCodeLibrary):
    """Code that goes into that of its callers, as it is."""

    codegen = _NoEnvironments()

    def _optimize_final_module(self) -> None:
        """Left to the caller."""

    def _finalize_final_module(self) -> None:
        """Do not make machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


class _PartCompiler(Compiler):
    def define_pipelines(self):
        state = self.state
        state.library = _PartLibrary(
            state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


@contextmanager
def _arrays_in_parts() -> Iterator[None]:
    """While this lasts, numba's functions that make arrays are compiled as parts."""
    choose = _OverloadFunctionTemplate._get_jit_decorator

    def choose_part(template):
        own = template._overload_func
        decorator = choose(template)
        if own.__name__ in _ARRAY_MAKERS and own.__module__.startswith("numba."):
            return functools.partial(
                decorator, pipeline_class=_PartCompiler, no_cfunc_wrapper=True)
        return decorator

    _OverloadFunctionTemplate._get_jit_decorator = choose_part
    try:
        yield
    finally:
        _OverloadFunctionTemplate._get_jit_decorator = choose


class _Function(CPUDispatcher):
    """What Python calls; compiled callers get `part`."""

    def __init__(self, py_func, locals=None, targetoptions=None,
                 pipeline_class=Compiler):
        options = {**(targetoptions or {}), "no_cfunc_wrapper": True}
        super().__init__(py_func, locals or {}, options, pipeline_class)
        self._compiler.compile = _counted(self._compiler.compile)
        self.part = CPUDispatcher(
            py_func, locals or {}, {**options, "no_cpython_wrapper": True}, _PartCompiler)

    def compile(self, sig):
        with global_compiler_lock, _arrays_in_parts():
            return super().compile(sig)

    def get_call_template(self, args, kws):
        return self.part.get_call_template(
            tuple(map(types.unliteral, args)),
            {name: types.unliteral(kind) for name, kind in kws.items()})

    def get_overload(self, sig):
        return self.part.get_overload(sig)


def njit(*, cache: bool, inline: str = "never", **options) -> Callable[[Callable], Callable]:
    """`numba.njit`, for functions that call each other."""
    if config.DISABLE_JIT or not _KNOWN or inline != "never":
        return numba.njit(cache=cache, inline=inline, **options)

    def decorate(function: Callable) -> CPUDispatcher:
        dispatcher = _Function(
            function, targetoptions={"nopython": True, "boundscheck": None, **options})
        if cache:
            dispatcher.enable_caching()
        return dispatcher

    return decorate
