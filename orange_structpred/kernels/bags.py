"""The constant kernel and kernels on bags of words (thesis 6.3.2)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from orange_structpred.files.schema import Array
from orange_structpred.kernels.base import InputKernel, Values, inverse_roots
from orange_structpred.kernels.errors import KernelError
from orange_structpred.kernels.features import Features, scaled_rows
from orange_structpred.kernels.tokens import (
    LAYER_KIND,
    UNKNOWN_VALUE,
    LayerVocabulary,
    Tokens,
)
from orange_structpred.kinds import RealNumber, Switch, WholeNumber
from orange_structpred.treebank.encoding import string_ids


@dataclass(eq=False, repr=False, kw_only=True)
class Constant(InputKernel):
    """k(x, x') = value: no input kernel, only the output kernel counts.

    Parameters
    ----------
    value : float, default=1
    """

    name = "constant"
    options = {"value": RealNumber()}

    value: float = 1.0

    def reference(self, columns: Sequence) -> None:
        return None

    def values(self, reference: None, columns: Sequence,
               rows: Sequence | None) -> Values:
        return lambda start, stop, first: np.full(
            (stop - start, len(columns) - first), float(self.value))

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        return np.full(len(inputs), float(self.value))

    def fit_features(self, inputs: Sequence) -> dict[str, np.ndarray]:
        return {}

    def feature_schema(self) -> dict[str, Array]:
        return {}

    def features(self, prepared: object, inputs: Sequence) -> np.ndarray:
        return np.full((len(inputs), 1), np.sqrt(self.value), dtype=np.float32)


@dataclass(frozen=True)
class _Bags:
    """Bags of the columns: a row each, with the scalar product with itself.

    Vectors of numbers have no vocabulary; they are compared as they are.
    """

    vocabulary: LayerVocabulary | None
    counts: sparse.csr_array
    squares: np.ndarray


@dataclass(eq=False, repr=False, kw_only=True)
class _BagKernel(InputKernel):
    """A function of the scalar product of two bags."""

    options = {"layer": LAYER_KIND, "normalized": Switch()}

    layer: str = "form"
    normalized: bool = False

    def reference(self, columns: Sequence) -> _Bags:
        if are_vectors(columns):
            return _bags_of(None, _vectors(columns))
        vocabulary = LayerVocabulary(self.layer)
        tokens = vocabulary.add(columns)
        return _bags_of(vocabulary, _counts(tokens, vocabulary.size))

    def values(self, reference: _Bags, columns: Sequence,
               rows: Sequence | None) -> Values:
        if rows is None:
            counts, squares = reference.counts, reference.squares
        elif are_vectors(rows) != (reference.vocabulary is None) and len(rows):
            kinds = ["vectors" if reference.vocabulary is None else "tokens",
                     "vectors" if are_vectors(rows) else "tokens"]
            raise KernelError(f"kernel {self.name!r}: the columns are {kinds[0]}, but the "
                              f"rows are {kinds[1]}; expected inputs of one kind")
        elif reference.vocabulary is None:
            counts = _vectors(rows, reference.counts.shape[1])
            squares = _squares(counts)
        else:
            vocabulary = reference.vocabulary
            counts = _counts(vocabulary.look_up(rows), vocabulary.size)
            squares = self.reference(rows).squares  # with words no column has

        def values(start: int, stop: int, first: int) -> np.ndarray:
            product = counts[start:stop] @ reference.counts[first:].T
            return self._of_products(product.toarray(), squares[start:stop],
                                     reference.squares[first:])

        return values

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        squares = self.reference(inputs).squares[:, None]  # a 1 x 1 matrix each
        return self._of_products(squares[:, :, None], squares, squares).ravel()

    def _of_products(self, products: np.ndarray, rows: np.ndarray,
                     columns: np.ndarray) -> np.ndarray:
        """Kernel values of (..., rows, columns) products of bags; rows and columns:
        each bag's product with itself."""
        if self.normalized:
            products = (products * inverse_roots(rows)[..., None]
                        * inverse_roots(columns)[..., None, :])
        return products


class BagOfWords(_BagKernel):
    """k(x, x') = <bow(x), bow(x')>, where bow(x) counts the words of x.

    Parameters
    ----------
    layer : {"form", "lemma", "upos", "xpos"}, default="form"
        What a word is.
    normalized : bool, default=False
        Divide bow(x) by its length first.

    Examples
    --------
    >>> from orange_structpred.treebank import Sentence
    >>> row = "{}\\t{}\\t_\\t_\\t_\\t_\\t{}\\t_\\t_\\t_"
    >>> a, b = (Sentence("\\n".join(row.format(i, word, i - 1)
    ...                            for i, word in enumerate(text.split(), start=1)))
    ...         for text in ("to be or not to be", "not to worry"))
    >>> BagOfWords().gram([a, b])
    array([[10.,  3.],
           [ 3.,  3.]], dtype=float32)
    """

    name = "bow"

    def fit_features(self, inputs: Sequence) -> dict[str, np.ndarray] | None:
        if not all(hasattr(x, "forms") for x in inputs):
            return None         # words of sentences have ids that a file can keep
        words = LayerVocabulary(self.layer)
        words.add(inputs)
        return {"words": np.unique(string_ids(words.known()))}

    def feature_schema(self) -> dict[str, Array]:
        return {"words": Array("uint64", "words", rising=True)}

    def features(self, prepared: dict[str, np.ndarray], inputs: Sequence) -> Features:
        words, vocabulary = prepared["words"], LayerVocabulary(self.layer)
        tokens = vocabulary.add(inputs)
        ids = string_ids(vocabulary.known())
        # A word that no training input has would meet no weight: it is left out.
        columns = np.searchsorted(words, ids).astype(np.int32)
        columns[~np.isin(ids, words)] = UNKNOWN_VALUE
        columns = np.append(columns, UNKNOWN_VALUE)  # where tokens that are UNKNOWN look
        counts = _counts(Tokens(columns[tokens.ids], tokens.offsets), len(words))
        if self.normalized:
            counts = scaled_rows(counts, inverse_roots(self.reference(inputs).squares))
        return counts.astype(np.float32)


@dataclass(eq=False, repr=False, kw_only=True)
class PolynomialBagOfWords(_BagKernel):
    """k(x, x') = (<bow(x), bow(x')> + 1)^degree: sets of words that occur together.

    Parameters
    ----------
    degree : int, default=2
    layer, normalized
        As for BagOfWords; bow(x) is normalized.
    """

    name = "poly-bow"
    options = {"degree": WholeNumber(1, 100), **_BagKernel.options}

    degree: int = 2

    def _of_products(self, products, rows, columns):
        return (super()._of_products(products, rows, columns) + 1.0) ** self.degree


@dataclass(eq=False, repr=False, kw_only=True)
class Gaussian(_BagKernel):
    """k(x, x') = exp(-gamma |bow(x) - bow(x')|^2) (thesis 3.2.1).

    Parameters
    ----------
    gamma : float, default=0.05
        The larger, the closer two sentences must be to count as similar.
    layer, normalized
        As for BagOfWords; bow(x) is normalized.
    """

    name = "gaussian"
    options = {"gamma": RealNumber(), **_BagKernel.options}

    gamma: float = 0.05

    def _of_products(self, products, rows, columns):
        products = super()._of_products(products, rows, columns)
        if self.normalized:  # the bag without words has length 0, not 1
            rows, columns = (rows > 0).astype(float), (columns > 0).astype(float)
        distances = rows[..., None] + columns[..., None, :] - 2.0 * products
        return np.exp(-self.gamma * np.maximum(distances, 0.0))


def are_vectors(inputs: Sequence) -> bool:
    """Whether inputs are arrays of numbers, not of tokens."""
    return bool(len(inputs)) and isinstance(inputs[0], np.ndarray) \
        and inputs[0].dtype.kind in "biuf"


def _vectors(inputs: Sequence, size: int | None = None) -> sparse.csr_array:
    """Vectors of numbers as rows."""
    size = len(inputs[0]) if size is None else size
    for number, x in enumerate(inputs):
        if np.shape(x) != (size,) or np.asarray(x).dtype.kind not in "biuf":
            raise KernelError(f"input {number + 1} has the shape {np.shape(x)}, expected "
                              f"a vector of {size} numbers, like the first input")
    return sparse.csr_array(np.array(inputs, dtype=np.float64).reshape(-1, size))


def _bags_of(vocabulary: LayerVocabulary | None, counts: sparse.csr_array) -> _Bags:
    return _Bags(vocabulary, counts, _squares(counts))


def _counts(tokens: Tokens, size: int) -> sparse.csr_array:
    """How often each sequence has each token; UNKNOWN is not counted."""
    known = tokens.ids != UNKNOWN_VALUE
    bounds = np.concatenate([[0], np.cumsum(known)])[tokens.offsets]
    ids = tokens.ids[known]
    counts = sparse.csr_array((np.ones(len(ids)), ids, bounds),
                              shape=(len(tokens), size))
    counts.sum_duplicates()
    return counts


def _squares(counts: sparse.csr_array) -> np.ndarray:
    return counts.multiply(counts).sum(axis=1)
