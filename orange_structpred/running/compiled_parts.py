"""Functions that call each other are optimised once, together.

Numba compiles each function as if Python called it: with a way in from Python and one
from C, optimised, as machine code of its own; and then once more as a part of each
function that calls it. So a function five calls deep is optimised five times, and a
first run takes twice as long as it needs to. Here a function that another one calls
becomes a part of the caller and nothing else. So do numba's own functions that make
arrays, of which there is one for each type and shape. What Python calls is a part, too,
which gets a way in and is optimised as a whole.

Numbers that are written into a call (`push(stack, 0)`) do not make a version of their
own.

This replaces methods that numba keeps to itself; `compiler` only asks for it with
versions in which they are known.
"""
from __future__ import annotations

import functools
import gc
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NoPythonSupportedFeatureValidation
from numba.core.typing.templates import _OverloadFunctionTemplate

from orange_structpred.running.borrowed_arrays import BorrowArrays
from orange_structpred.running.stored_code import StoredCode

#: Functions of numba that may be parts, too: all that they raise is known beforehand
_ARRAY_MAKERS = {"ol_np_empty", "ol_np_zeros", "impl_np_full", "ol_array_zero_fill",
                 "_ol_array_allocate"}


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
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.add_pass_after(BorrowArrays, NoPythonSupportedFeatureValidation)
            pipeline.finalize()
        return pipelines


@contextmanager
def _arrays_in_parts() -> Iterator[None]:
    """While this lasts, numba's functions that make arrays are compiled as parts."""
    choose = _OverloadFunctionTemplate._get_jit_decorator

    def choose_part(template):
        overloaded = template._overload_func
        decorator = choose(template)
        if overloaded.__name__ in _ARRAY_MAKERS and (
                overloaded.__module__.startswith("numba.")):
            return functools.partial(
                decorator, pipeline_class=_PartCompiler, no_cfunc_wrapper=True)
        return decorator

    _OverloadFunctionTemplate._get_jit_decorator = choose_part
    try:
        yield
    finally:
        _OverloadFunctionTemplate._get_jit_decorator = choose


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """The compiler makes so many objects that to look for garbage among them takes a
    tenth of its time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _WayInCompiler(Compiler):
    """Gives a part a way in from Python, and makes machine code of both."""

    def __init__(self, part: CPUDispatcher, *arguments):
        super().__init__(*arguments)
        self.part = part

    def compile_extra(self, function) -> CompileResult:
        args, context = tuple(self.state.args), self.state.targetctx
        self.part.compile(args)
        part = self.part.overloads[args]
        library = context.codegen().create_library(part.fndesc.qualname)
        library.enable_object_caching()
        library.add_linking_library(part.library)
        with context.push_code_library(library):
            context.create_cpython_wrapper(
                library, part.fndesc, part.environment, part.call_helper,
                release_gil=self.state.flags.release_gil)
        environment = part.environment
        knowing = functools.partial(
            _add_constants, environment.env_name, list(environment.consts))
        return part._replace(
            library=library, metadata={}, reload_init=[*part.reload_init, knowing],
            entry_point=context.get_executable(library, part.fndesc, environment))


def _add_constants(name: str, constants: list) -> None:
    """Complete the constants of a part when its way in is loaded. The way in has added
    some; stored callers of the part, which may have been loaded before, lack them."""
    known = lookup_environment(name).consts
    known.extend(constants[len(known):])


class _Function(CPUDispatcher):
    """What Python calls; compiled callers get `part`."""

    def __init__(self, py_func, locals=None, targetoptions=None,
                 pipeline_class=Compiler):
        locals, options = locals or {}, targetoptions or {}
        self.part = CPUDispatcher(
            py_func, locals, {**options, "no_cpython_wrapper": True,
                              "no_cfunc_wrapper": True}, _PartCompiler)
        super().__init__(
            py_func, locals, options, functools.partial(_WayInCompiler, self.part))

    def compile(self, sig):
        with global_compiler_lock, _arrays_in_parts(), _no_garbage_collection():
            return super().compile(sig)

    def get_call_template(self, args, kws):
        return self.part.get_call_template(
            tuple(map(types.unliteral, args)),
            {name: types.unliteral(kind) for name, kind in kws.items()})

    def get_overload(self, sig):
        return self.part.get_overload(sig)


def compiled(function: Callable, *, cache: bool, inline: str, **options) -> CPUDispatcher:
    """What takes the place of a function; see `compiler.njit`. A generator stays as it
    is: what Python gets of it needs more than a way in."""
    if inline == "never" and not inspect.isgeneratorfunction(function):
        dispatcher = _Function(
            function, targetoptions={"nopython": True, "boundscheck": None, **options})
    else:
        dispatcher = numba.njit(inline=inline, **options)(function)
    if cache:
        dispatcher._cache = StoredCode(function)
    return dispatcher
