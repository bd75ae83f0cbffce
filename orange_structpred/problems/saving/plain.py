"""Plain values as JSON and back: numbers, texts, collections, arrays, sentences, trees.

What users have as labels, inputs and parameters goes into files as such values, and
nothing else comes out of them. Numbers, texts, None and lists stand for themselves; all
else is a dictionary of one entry that says what it is.

>>> decode_plain(encode_plain(("N", [1, 2.5], {"a": None})))
('N', [1, 2.5], {'a': None})
"""
from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.values import shortened
from orange_structpred.kernels.base import InputKernel
from orange_structpred.kernels.input_texts import INPUT_TEXTS
from orange_structpred.kernels.make import KERNEL_NAMES, make_kernel
from orange_structpred.kernels.trees import SubsetTree
from orange_structpred.problems.grammar.trees import PhraseTree

#: Largest whole number: what 64 bits hold
MOST = 1 << 63
#: Kernels that consist of their parameters
_KERNELS = (*KERNEL_NAMES, SubsetTree.name)


class NotPlainError(InputError):
    """A value that files do not hold, such as a function."""


def encode_plain(value: object) -> Any:
    """A value, ready for JSON; a NotPlainError for what cannot be."""
    if isinstance(value, np.generic):
        return encode_plain(value.item())
    if isinstance(value, str):
        if not is_encodable(value):
            raise NotPlainError(f"{value[:40]!r} is not Unicode text")
        return str(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < MOST:
        return int(value)
    if isinstance(value, float):
        return float(value) if np.isfinite(value) else {"float": repr(float(value))}
    if type(value) is list:
        return [encode_plain(item) for item in value]
    for name, kind in _COLLECTIONS.items():
        if type(value) is kind:
            items = sorted(value, key=repr) if kind in (set, frozenset) else value
            return {name: [encode_plain(item) for item in items]}
    if type(value) is dict:
        return {"dict": [[encode_plain(key), encode_plain(item)] for key, item in value.items()]}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufUO":
        dtype = "O" if value.dtype.kind == "O" else value.dtype.str.lstrip("<>=|")
        return {"array": [dtype, list(value.shape), [encode_plain(x) for x in value.ravel().tolist()]]}
    for name, (own, text, _) in _TEXTS.items():
        if type(value) is own:
            return {name: text(value)}
    if isinstance(value, InputKernel) and consists_of_parameters(value):
        return {"kernel": value.params()}
    what = f"an array of {value.dtype}" if isinstance(value, np.ndarray) \
        else f"a {type(value).__name__}"
    raise NotPlainError(f"{what} cannot be saved without code")


def is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def consists_of_parameters(kernel: InputKernel) -> bool:
    """Whether its parameters are all there is to a kernel: no function, no matrix."""
    if getattr(kernel, "features_", None) is not None:      # landmarks were chosen
        return False
    try:
        return make_kernel(json.loads(json.dumps(kernel.params()))) == kernel
    except (InputError, TypeError, ValueError):
        return False


def decode_plain(value: object) -> Any:
    """The value that was encoded; an InputError for what `encode_plain` never made."""
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        if abs(value) >= MOST:
            raise InputError(f"found {shortened(value)}, expected a number of 64 bits")
        return value
    if isinstance(value, str):
        value.encode()          # a UnicodeEncodeError, which is a ValueError, of surrogates
        return value
    if isinstance(value, list):
        return [decode_plain(item) for item in value]
    if not isinstance(value, dict) or len(value) != 1:
        raise InputError(f"found {shortened(value)}, expected a plain value")
    (name, content), = value.items()
    if name not in _DECODERS:
        raise InputError(f"found {shortened(name)}, expected one of {', '.join(_DECODERS)}")
    return _DECODERS[name](content)


def _list(content: object) -> list:
    if not isinstance(content, list):
        raise InputError(f"found {shortened(content)}, expected a list")
    return content


def _text(content: object) -> str:
    if not isinstance(content, str):
        raise InputError(f"found {shortened(content)}, expected a text")
    content.encode()
    return content


def _collection(kind: Callable) -> Callable[[object], Any]:
    def make(content: object) -> Any:
        items = [decode_plain(item) for item in _list(content)]
        made = kind(items)
        if len(made) < len(items):
            raise InputError("found a value of a set twice")
        return made

    return make


def _dict(content: object) -> dict:
    pairs = [_list(pair) for pair in _list(content)]
    if any(len(pair) != 2 for pair in pairs):
        raise InputError("found a dictionary with items other than pairs")
    made = {decode_plain(key): decode_plain(item) for key, item in pairs}
    if len(made) < len(pairs):
        raise InputError("found a key of a dictionary twice")
    return made


def _array(content: object) -> np.ndarray:
    kind, shape, values = _list(content)
    shape = [int(size) for size in _list(shape)]
    if len(shape) > 4 or min(shape, default=0) < 0:
        raise InputError("found an array of an invalid shape")
    dtype = np.dtype(_text(kind))
    if dtype.kind not in "biufUO":
        raise InputError(f"found an array of {dtype}")
    values = [decode_plain(value) for value in _list(values)]
    if any(isinstance(value, (list, dict, np.ndarray)) for value in values):
        raise InputError("found an array of lists")
    flat = np.empty(len(values), dtype)
    for k, value in enumerate(values):
        fits = dtype.kind == "O" or isinstance(value, str) == (dtype.kind == "U")
        if not fits:
            raise InputError(f"found {shortened(value)} in an array of {dtype}")
        flat[k] = value
    return flat.reshape(shape)


def _float(content: object) -> float:
    if content not in ("nan", "inf", "-inf"):
        raise InputError(f"found {shortened(content)}, expected nan, inf or -inf")
    return float(_text(content))


def _kernel(content: object) -> InputKernel:
    """Only kernels that are made by their names, with parameters that they check."""
    if not isinstance(content, dict) or content.get("kernel") not in _KERNELS:
        raise InputError("found an unknown kernel")
    for part in (content.get("of"), *(content.get("kernels") or ())):
        if part is not None:
            _kernel(part)
    return make_kernel(content)


def _from_text(read: Callable[[str], Any]) -> Callable[[object], Any]:
    return lambda content: read(_text(content))


_COLLECTIONS = {"tuple": tuple, "set": set, "frozenset": frozenset}
_TEXTS: dict[str, tuple[type, Callable, Callable]] = {
    **INPUT_TEXTS, "phrases": (PhraseTree, str, PhraseTree.from_brackets)}
_DECODERS: dict[str, Callable[[object], Any]] = {
    **{name: _collection(kind) for name, kind in _COLLECTIONS.items()},
    "dict": _dict, "array": _array, "float": _float, "kernel": _kernel,
    **{name: _from_text(read) for name, (_, _, read) in _TEXTS.items()}}


# Many values, as the bytes of one array

def to_bytes(value: object) -> np.ndarray:
    """A plain value as an array of a file."""
    return np.frombuffer(json.dumps(encode_plain(value)).encode(), np.uint8)


def from_bytes(array: np.ndarray) -> Any:
    return decode_plain(json.loads(array.tobytes()))
