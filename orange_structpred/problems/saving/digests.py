"""Hash values of any kind as numbers of 64 bits, the same in each process."""
from __future__ import annotations

from collections.abc import Hashable, Iterable
from hashlib import blake2b
from numbers import Integral, Real

import numpy as np

from orange_structpred.errors import InputError


def value_digest(value: Hashable) -> int:
    """A number of 64 bits; equal values have equal ones (so 1, 1.0 and True do).

    >>> value_digest(("word", "dog")) == value_digest(("word", "dog"))
    True
    >>> value_digest(1) == value_digest(1.0), value_digest(1) == value_digest("1")
    (True, False)
    """
    return int.from_bytes(blake2b(_canonical(value), digest_size=8).digest(), "little")


def _canonical(value: Hashable) -> bytes:
    if isinstance(value, str):
        text = value.encode("utf-8", "surrogatepass")
        return b"s%d:%s" % (len(text), text)
    if value is None:
        return b"n"
    if isinstance(value, Integral) or isinstance(value, Real) and float(value).is_integer():
        return b"i%d;" % int(value)
    if isinstance(value, Real):
        return b"f%s;" % float(value).hex().encode()
    if isinstance(value, bytes):
        return b"b%d:%s" % (len(value), value)
    if isinstance(value, tuple):
        return b"(%s)" % b"".join(map(_canonical, value))
    if isinstance(value, frozenset):
        return b"{%s}" % b"".join(sorted(map(_canonical, value)))
    raise InputError(f"a hash value is a {type(value).__name__}; only models "
                     "whose hash values are texts, numbers, tuples or frozensets of "
                     "these can be saved")


class DigestedValues:
    """Numbers of hash values of which only digests are known, as a dictionary has them."""

    def __init__(self, digests: np.ndarray):
        self.digests = digests
        self._numbers = {int(digest): k for k, digest in enumerate(digests)}

    def get(self, value: Hashable, default: int = -1) -> int:
        return self._numbers.get(value_digest(value), default)

    def __len__(self) -> int:
        return len(self._numbers)


def digests_of(known: DigestedValues | dict[Hashable, int]) -> np.ndarray:
    """The digests of hash values, in the order of their numbers."""
    if isinstance(known, DigestedValues):
        return known.digests
    values: Iterable[Hashable] = sorted(known, key=known.__getitem__)
    digests = np.array([value_digest(value) for value in values], np.uint64)
    if len(np.unique(digests)) < len(digests):
        raise InputError("two hash values have the same digest")
    return digests
