"""Functions that only look at arrays, or change them, do not count references to them.

Whoever calls a function holds the arrays that it gets, so that they cannot be freed
before it ends. Numba counts a reference to each array that is taken out of a named tuple
nonetheless, and takes it back at every way out of the function, in steps that no other
processor may interrupt. In a function that is called for each edge of a tree these take
longer than all else. Here they are left out of functions that make no arrays and return
none.

That the caller holds an array is only certain where nobody can take it out of what the
caller has: functions that get arrays in lists, dictionaries or objects count references
as ever.
"""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.extending import _Intrinsic
from numba.core.types.containers import BaseTuple, Pair
from numba.core.types.functions import BoundFunction
from numba.core.types.iterators import ArrayIterator
from numba.core.types.misc import SliceType

#: Expressions whose value is an array, or a part of one, that somebody else holds
_LOOKS = {"getattr", "static_getitem", "getitem", "exhaust_iter", "getiter", "iternext",
          "pair_first", "pair_second", "build_tuple", "cast", "phi"}
#: Functions of arrays that make none
_NUMBERS_OF_ARRAYS = {len, np.argmax, np.argmin}


@register_pass(mutates_CFG=False, analysis_only=False)
class BorrowArrays(FunctionPass):
    """Compile a function without counts of references, if it needs none."""

    _name = "borrow_arrays"

    def __init__(self):
        FunctionPass.__init__(self)

    def run_pass(self, state) -> bool:
        if state.targetctx.enable_nrt and only_borrows(state):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return True


def only_borrows(state) -> bool:
    """Whether a function, whose types are known, makes no arrays and returns none.

    If in doubt it does.
    """
    def holds_arrays(kind: types.Type) -> bool:
        return state.targetctx.data_model_manager[kind].contains_nrt_meminfo()

    def is_array(variable: ir.Var) -> bool:
        return holds_arrays(state.typemap[variable.name])

    if state.func_ir.is_generator or holds_arrays(state.return_type):
        return False
    return all(_is_look(statement, state.typemap, is_array)
               for block in state.func_ir.blocks.values() for statement in block.body)


def _is_look(statement: ir.Stmt, typemap, is_array) -> bool:
    """Whether a statement makes no array."""
    if isinstance(statement, (ir.SetItem, ir.StaticSetItem)):
        return not is_array(statement.value)      # two arrays may overlap: one is copied
    if not isinstance(statement, ir.Assign):
        return isinstance(statement, ir.Terminator) and (
            not isinstance(statement, ir.DynamicRaise))     # it takes memory for its values
    value, kind = statement.value, typemap[statement.target.name]
    if not isinstance(value, ir.Expr):
        # the text of a message is a constant that nobody frees
        return not is_array(statement.target) or isinstance(value, ir.Const) or (
            _is_plain(kind))
    if value.op == "call":
        function = typemap[value.func.name]
        return not is_array(statement.target) and (
            _makes_no_array(function) or not (
                isinstance(function, BoundFunction)       # a method, of an array
                or any(map(is_array, _arguments(value)))))
    if value.op not in _LOOKS:
        return not any(map(is_array, [statement.target, *value.list_vars()]))
    return not is_array(statement.target) or (
        _is_plain(kind) and _is_held(value, typemap))


def _is_held(value: ir.Expr, typemap) -> bool:
    """Whether the array that an expression has as its value is that, or a part of that,
    which it looks at: a generator yields arrays that nobody else holds."""
    if value.op in ("build_tuple", "cast", "phi"):
        return True
    source = typemap[value.value.name]
    if value.op == "getattr":
        return isinstance(source, BaseTuple) or value.attr == "T"
    if value.op == "getitem":
        index = typemap[value.index.name]
        return _is_plain_index(index) and (
            isinstance(source, types.Array) or not isinstance(index, types.Literal))
    if value.op == "iternext":
        return isinstance(source, ArrayIterator)
    return _is_plain(source)


def _arguments(call: ir.Expr) -> Iterator[ir.Var]:
    yield from call.args
    yield from (variable for _, variable in call.kws)
    if call.vararg is not None:
        yield call.vararg


def _makes_no_array(function: types.Type) -> bool:
    """Whether a function of arrays, whose result is a number, makes none on the way; one
    that is compiled by itself counts its references itself."""
    return isinstance(function, types.Dispatcher) or (
        isinstance(function, types.Function) and (
            function.typing_key in _NUMBERS_OF_ARRAYS
            or isinstance(function.typing_key, _Intrinsic)))


def _is_plain_index(kind: types.Type) -> bool:
    """Whether an index selects a part of an array, not a copy."""
    kinds = kind.types if isinstance(kind, BaseTuple) else (kind,)
    return all(isinstance(kind, (types.Integer, SliceType)) for kind in kinds)


def _is_plain(kind: types.Type) -> bool:
    """Whether a value is an array, a tuple, or goes through an array: nobody can take
    anything out of it."""
    return isinstance(kind, (types.Array, BaseTuple, ArrayIterator, Pair))
