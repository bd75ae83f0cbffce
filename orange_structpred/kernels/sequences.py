"""The n-gram kernels: common subsequences, with gaps (thesis 3.2.2 and 6.3.2)."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orange_structpred.kernels import subsequences
from orange_structpred.kernels.base import FragmentKernel, Values
from orange_structpred.kernels.subsequences import LANES
from orange_structpred.kernels.tokens import (
    LAYER_KIND,
    TOKEN_LAYERS,
    UNKNOWN_VALUE,
    LayerVocabulary,
    Tokens,
)
from orange_structpred.kinds import RealNumber, WholeNumber

#: Words in a subsequence, at most; the cost grows with them
LONGEST_NGRAM = 100
# Layers with so many different strings that two sentences share few
_LARGE_LAYERS = ("form", "lemma")
# What columns have where they end, and for tokens that match none
_MATCHES_NONE = UNKNOWN_VALUE - 1


@dataclass(eq=False, repr=False, kw_only=True)
class _Subsequences(FragmentKernel):
    """Gap-weighted subsequences of tokens that match to a degree between 0 and 1."""

    options = {"n": WholeNumber(1, LONGEST_NGRAM), **FragmentKernel.options}

    n: int = 6

    @abstractmethod
    def _weights(self) -> dict[str, float]:
        """What an equal string counts in each layer that counts."""

    def _method(self) -> _SparseTable | _WholeTable:
        weights = self._weights()
        if len(weights) == 1 and set(weights) <= set(_LARGE_LAYERS):
            return _SparseTable(int(self.n), float(self.decay), *weights)
        return _WholeTable(int(self.n), float(self.decay), weights)

    @property
    def by_length(self) -> bool:
        return isinstance(self._method(), _WholeTable)

    def reference(self, columns: Sequence) -> _Linked | _Batches:
        return self._method().reference(columns)

    def plain_values(self, reference: Any, columns: Sequence,
                     rows: Sequence | None) -> Values:
        """reference : `_Linked` or `_Batches`, as the method made it"""
        return self._method().values(reference, rows)


@dataclass(eq=False, repr=False, kw_only=True)
class Ngram(_Subsequences):
    """Gap-weighted subsequences of words (Lodhi et al., 2002).

    phi(x) has an entry for each sequence s of 1 to n words: the sum of decay^span over
    all occurrences of s in x, gaps allowed; the span includes the gaps.

    Parameters
    ----------
    n : int, default=6
        Words in the longest subsequence.
    decay : float, default=0.5
        lambda of the thesis, in (0, 1]: the smaller, the more gaps are penalized.
    normalized : bool, default=True
        k(x, x') / sqrt(k(x, x) k(x', x')), so that long sentences do not count more.
    layer : {"form", "lemma", "upos", "xpos"}, default="form"
        What a word is.

    Examples
    --------
    >>> from orange_structpred.treebank import Sentence
    >>> row = "{}\\t{}\\t_\\t_\\t_\\t_\\t{}\\t_\\t_\\t_"
    >>> car, cat = (Sentence("\\n".join(row.format(i, letter, i - 1)
    ...                                for i, letter in enumerate(word, start=1)))
    ...             for word in ("car", "cat"))
    >>> Ngram(n=2, decay=0.5, normalized=False)(car, cat)  # c, a: 1/4 each; ca: 1/16
    0.5625
    """

    name = "ngram"
    options = {**_Subsequences.options, "layer": LAYER_KIND}

    layer: str = "form"

    def _weights(self) -> dict[str, float]:
        return {self.layer: 1.0}


@dataclass(eq=False, repr=False, kw_only=True)
class AnnotatedNgram(_Subsequences):
    """Gap-weighted subsequences of annotated words, which match in part.

    Two words match to the degree m(a, b) = sum of the weights of the layers in which
    they are equal; subsequences match to the product of their words' degrees. As a
    convex sum of products of identities, m is a kernel, and so is the sum over
    subsequences. A missing annotation ("_") is equal to nothing.

    Parameters
    ----------
    n, decay, normalized
        As for Ngram.
    form, lemma, upos, xpos : float, default=1, 1, 1, 0
        How much each layer counts; the sum is scaled to 1.
    """

    name = "annotated-ngram"
    options = {**_Subsequences.options,
               **dict.fromkeys(TOKEN_LAYERS, RealNumber(with_zero=True))}
    pairs_in_block = 1 << 16

    form: float = 1.0
    lemma: float = 1.0
    upos: float = 1.0
    xpos: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._expect(any(getattr(self, layer) > 0 for layer in TOKEN_LAYERS), "form",
                     "a weight above 0 in one of the layers at least")

    def _weights(self) -> dict[str, float]:
        total = sum(getattr(self, layer) for layer in TOKEN_LAYERS)
        return {layer: float(getattr(self, layer) / total) for layer in TOKEN_LAYERS
                if getattr(self, layer) > 0}


@dataclass(frozen=True)
class _Linked:
    vocabulary: LayerVocabulary
    tokens: Tokens
    ids: np.ndarray  # of the tokens, as columns
    diagonal: np.ndarray


@dataclass(frozen=True)
class _SparseTable:
    """Visits only the positions at which two sentences have the same string."""

    n: int
    decay: float
    layer: str

    def reference(self, columns: Sequence) -> _Linked:
        vocabulary = LayerVocabulary(self.layer)
        tokens = vocabulary.add(columns)
        ids = _unknown_as(vocabulary.size, tokens.ids)
        diagonal = np.empty(len(tokens))
        subsequences.sparse_diagonal(tokens.ids, ids, tokens.offsets, vocabulary.size,
                                     self.n, self.decay, diagonal)
        return _Linked(vocabulary, tokens, ids, diagonal)

    def values(self, reference: _Linked, rows: Sequence | None) -> Values:
        size, columns = reference.vocabulary.size, reference.tokens
        tokens = columns if rows is None else reference.vocabulary.look_up(rows)

        def values(start: int, stop: int, first: int) -> np.ndarray:
            out = np.empty((stop - start, len(columns) - first))
            subsequences.sparse_block(
                tokens.ids, tokens.offsets, start, stop, reference.ids, columns.offsets,
                first, size, self.n, self.decay, out)
            return out

        return values


def _unknown_as(number: int, ids: np.ndarray) -> np.ndarray:
    """Another number for tokens that match none: rows have UNKNOWN, columns another."""
    return np.where(ids == UNKNOWN_VALUE, np.int32(number), ids)


@dataclass(frozen=True)
class _Batches:
    vocabularies: list[LayerVocabulary]
    ids: np.ndarray  # one row per layer
    bounds: np.ndarray
    batches: np.ndarray
    offsets: np.ndarray
    diagonal: np.ndarray


@dataclass(frozen=True)
class _WholeTable:
    """Visits all positions, of LANES columns at once, which should be of one length."""

    n: int
    decay: float
    weights: dict[str, float]

    def reference(self, columns: Sequence) -> _Batches:
        vocabularies = [LayerVocabulary(layer) for layer in self.weights]
        layers = [vocabulary.add(columns) for vocabulary in vocabularies]
        ids, bounds = np.array([tokens.ids for tokens in layers]), layers[0].offsets
        others = _unknown_as(_MATCHES_NONE, ids)
        diagonal = np.empty(len(columns))
        subsequences.soft_diagonal(ids, others, bounds, self._weight_array(), self.n,
                                   self.decay, diagonal)
        return _Batches(vocabularies, ids, bounds, *_batches(others, bounds), diagonal)

    def values(self, reference: _Batches, rows: Sequence | None) -> Values:
        if rows is None:
            ids, bounds = reference.ids, reference.bounds
        else:
            layers = [vocabulary.look_up(rows) for vocabulary in reference.vocabularies]
            ids, bounds = np.array([tokens.ids for tokens in layers]), layers[0].offsets
        columns = len(reference.bounds) - 1
        width = np.diff(reference.offsets).max(initial=0) + LANES

        def values(start: int, stop: int, first: int) -> np.ndarray:
            out = np.empty((stop - start, columns - first))
            subsequences.soft_block(
                ids, bounds, start, stop, reference.batches, reference.offsets,
                first, columns, self._weight_array(), self.n, self.decay,
                _aligned(width), _aligned(self.n + 1, width), _aligned(width),
                _aligned(width), out)
            return out

        return values

    def _weight_array(self) -> np.ndarray:
        return np.array(list(self.weights.values()))


def _batches(ids: np.ndarray, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sequences in batches: tokens and offsets as soft_block wants them."""
    lengths = np.diff(bounds)
    parts = [np.empty((len(ids), 0), dtype=np.int32)]
    for begin in range(0, len(lengths), LANES):
        lanes = range(begin, min(begin + LANES, len(lengths)))
        part = np.full((len(ids), lengths[lanes].max(), LANES), _MATCHES_NONE,
                       dtype=np.int32)
        for x in lanes:
            part[:, :lengths[x], x - begin] = ids[:, bounds[x]:bounds[x + 1]]
        parts.append(part.reshape(len(ids), -1))
    offsets = np.cumsum([part.shape[1] for part in parts])
    return np.concatenate(parts, axis=1), offsets


def _aligned(*shape: int) -> np.ndarray:
    """Workspace that begins on a cache line, for the sake of vector instructions."""
    size = int(np.prod(shape))
    raw = np.empty(size + 8)
    skip = (-raw.ctypes.data // 8) % 8
    return raw[skip:skip + size].reshape(shape)
