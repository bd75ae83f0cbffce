"""Hostile values and bytes, drawn from a seed."""
from __future__ import annotations

import numpy as np

TEXTS = (
    "", " ", "x²", "²", "HERE", "ｐｒｉｎｔ", '"""', "'''", "\\", "\n", "\r", "\0",
    "\u2028", "\u202e", "import os", "x\nimport os", "{x}", "%s", "../" * 30 + "etc/passwd",
    "/dev/full", "~", "file:///etc/passwd", "http://[::1", "__import__('os').system('id')",
    "if False else __import__('os').system('id')", "C=1, solver", "**x", "print", "class",
    "Path", "ﬁle", "名前", "a" * 5000, "nan", "-1", "1e300", "99999999999999999999",
    "explicit", "kernel", "mira", "bcfw", "ngram", "tree", "nystroem", "precomputed",
    "function", "sum", "constant", "projective", "h.kind", "h.form d.form", "b.upos b.upos",
    "h+9.upos", "posTags", "en", "bundled", "file", "url", "1", "0", "true")
NUMBERS = (0, 1, -1, 2, 7, 10, 100, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, 2**63,
           2**64, 10**30, 0.5, -0.5, 1e-300, 1e300, float("inf"), float("-inf"),
           float("nan"), True, False)


def pick(rng, values):
    return values[int(rng.integers(len(values)))]


def value(rng, depth: int = 3):
    """Anything that JSON can hold."""
    kind = rng.integers(8)
    if kind < 3:
        return pick(rng, TEXTS)
    if kind < 6:
        return pick(rng, NUMBERS)
    if kind == 6 or not depth:
        return None
    if rng.integers(2):
        return [value(rng, depth - 1) for _ in range(rng.integers(4))]
    return {pick(rng, TEXTS): value(rng, depth - 1) for _ in range(rng.integers(4))}


def changed(rng, tree, change):
    """A copy of nested lists and dictionaries with a few values changed."""
    if isinstance(tree, dict) and tree and rng.random() < 0.9:
        copy = dict(tree)
        for _ in range(rng.integers(1, 3)):
            key = pick(rng, list(tree))
            if rng.random() < 0.1:
                copy.pop(key, None)
            else:
                copy[key] = changed(rng, tree[key], change)
        if rng.random() < 0.1:
            copy[pick(rng, TEXTS)] = change(rng)
        return copy
    if isinstance(tree, list) and tree and rng.random() < 0.8:
        copy = list(tree)
        place = int(rng.integers(len(copy)))
        copy[place] = changed(rng, copy[place], change)
        return copy
    return change(rng)


def damaged(rng, data: bytes) -> bytes:
    """Bytes with some of them changed, moved, lost or doubled."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        if not data:
            break
        place = int(rng.integers(len(data)))
        size = int(min(len(data) - place, 2 ** rng.integers(0, 12)))
        kind = rng.integers(7)
        if kind == 0:
            data[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            data[place] = int(rng.integers(256))
        elif kind == 2:
            del data[place:place + size]
        elif kind == 3:
            data[place:place] = rng.integers(0, 256, size, dtype=np.uint8).tobytes()
        elif kind == 4:
            other = int(rng.integers(len(data)))
            data[place:place] = data[other:other + size]
        elif kind == 5:
            del data[place:]
        else:
            data[place:place + size] = bytes(size)
    return bytes(data)
