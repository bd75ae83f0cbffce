"""Settings that were pickled, read as plain data: nothing is imported or called.

Orange pickles the settings of widgets that keep objects in them. Their opcodes
are interpreted here one by one; an object becomes an `Inert` record of its class's
name, its arguments and its state. So a workflow from a stranger cannot run code.
"""
from __future__ import annotations

import pickletools
from dataclasses import dataclass, field

from orange_structpred.errors import InputError


@dataclass
class Inert:
    """An object that was never made."""

    kind: str                           # module and name of the class
    arguments: tuple = ()
    state: object = None
    items: list = field(default_factory=list)

    def get(self, name: str, default=None):
        """An attribute out of the state."""
        return self.state.get(name, default) if isinstance(self.state, dict) else default


class UnknownPickle(InputError):
    """Pickled data that are damaged, or hold what settings never hold."""


NEWTRUE_FALSE = {"NEWTRUE": True, "NEWFALSE": False, "NONE": None}
EMPTY_OBJECTS = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_SET": set,
         "EMPTY_TUPLE": tuple}
VALUES = {
    "INT", "LONG", "LONG1", "LONG4", "BININT", "BININT1", "BININT2", "FLOAT",
    "BINFLOAT", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8",
    "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "STRING", "BINSTRING",
    "SHORT_BINSTRING"}
TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
#: What takes all values since the last mark
OF_MARKED = {"TUPLE", "LIST", "DICT", "FROZENSET", "POP_MARK", "APPENDS", "ADDITEMS",
             "SETITEMS"}
IGNORED = {"PROTO", "FRAME"}


def read_pickle(data: bytes) -> object:
    """The pickled value as dictionaries, lists, strings, numbers and Inerts."""
    try:
        return _Reader().read(data)
    except UnknownPickle:
        raise
    except Exception as error:      # whatever damaged opcodes lead to
        raise UnknownPickle(f"pickled settings are damaged ({error})") from error


class _Reader:
    def __init__(self) -> None:
        self.stack: list = []
        self.below: list[list] = []         # stacks under the marks
        self.memo: dict[int, object] = {}

    def read(self, data: bytes) -> object:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name == "STOP":
                if len(self.stack) != 1 or self.below:
                    raise UnknownPickle("pickled settings hold no single value")
                return self.stack[0]
            self.step(opcode.name, argument)
        raise UnknownPickle("pickled settings end too early")

    def step(self, name: str, argument) -> None:
        stack = self.stack
        if name in IGNORED:
            return
        if name in VALUES:
            stack.append(argument)
        elif name in NEWTRUE_FALSE:
            stack.append(NEWTRUE_FALSE[name])
        elif name in EMPTY_OBJECTS:
            stack.append(EMPTY_OBJECTS[name]())
        elif name == "MARK":
            self.below.append(stack)
            self.stack = []
        elif name in TUPLES:
            count = TUPLES[name]
            stack[-count:] = [tuple(stack[-count:])]
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            self.memo[argument] = stack[-1]
        elif name == "MEMOIZE":
            self.memo[len(self.memo)] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(self.memo[argument])
        elif name == "POP":
            stack.pop()
        else:
            self.build(name, argument)

    def build(self, name: str, argument) -> None:
        values = self.since_mark() if name in OF_MARKED else []
        stack = self.stack
        if name == "TUPLE":
            stack.append(tuple(values))
        elif name == "LIST":
            stack.append(values)
        elif name == "DICT":
            stack.append(pairs_as_dict(values))
        elif name == "FROZENSET":
            stack.append(frozenset(map(plain_key, values)))
        elif name == "POP_MARK":
            pass
        elif name == "APPEND":
            value = stack.pop()
            extend(stack[-1], [value])
        elif name == "APPENDS":
            extend(stack[-1], values)
        elif name == "ADDITEMS":
            stack[-1].update(map(plain_key, values))
        elif name == "SETITEM":
            value, key = stack.pop(), stack.pop()
            update(stack[-1], {plain_key(key): value})
        elif name == "SETITEMS":
            update(stack[-1], pairs_as_dict(values))
        elif name == "GLOBAL":
            stack.append(Inert(argument.replace(" ", ".")))
        elif name == "STACK_GLOBAL":
            attribute, module = stack.pop(), stack.pop()
            stack.append(Inert(f"{module}.{attribute}"))
        elif name in ("REDUCE", "NEWOBJ"):
            arguments, kind = stack.pop(), stack.pop()
            stack.append(Inert(kind.kind, tuple(arguments)))
        elif name == "NEWOBJ_EX":
            options, arguments, kind = stack.pop(), stack.pop(), stack.pop()
            stack.append(Inert(kind.kind, (*arguments, options)))
        elif name == "BUILD":
            state = stack.pop()
            stack[-1].state = state
        else:
            raise UnknownPickle(f"pickled settings have the opcode {name}, "
                                "which settings never have")

    def since_mark(self) -> list:
        values, self.stack = self.stack, self.below.pop()
        return values


def pairs_as_dict(values: list) -> dict:
    return {plain_key(key): value for key, value in zip(values[::2], values[1::2])}


def plain_key(key):
    """A value that can be a key. Of records it is what they are of; a tuple is one
    only of plain values, because Python hashes what is deep in it without end."""
    if isinstance(key, Inert):
        return key.kind
    if isinstance(key, tuple) and any(isinstance(part, (tuple, frozenset))
                                      for part in key):
        raise UnknownPickle("pickled settings have tuples of tuples as keys")
    return key


def extend(target, values: list) -> None:
    (target.items if isinstance(target, Inert) else target).extend(values)


def update(target, values: dict) -> None:
    if isinstance(target, Inert):
        target.items.extend(values.items())
    else:
        target.update(values)
