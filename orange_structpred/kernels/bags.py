"""The constant kernel and kernels on bags of words (thesis 6.3.2)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from orange_structpred.files.schema import Array
from orange_structpred.kernels.base import InputKernel, inverse_roots
from orange_structpred.kernels.blocks import Values
from orange_structpred.kernels.errors import KernelError
from orange_structpred.kernels.features import Features, scaled_rows
from orange_structpred.kernels.tokens import (
    TOKEN_LAYERS,
    UNKNOWN_VALUE,
    LayerVocabulary,
    Tokens,
)
from orange_structpred.treebank.encoding import string_ids


class Constant(InputKernel):
    """k(x, x') = value: no input kernel, only the output kernel counts.

    Parameters
    ----------
    value : float, default=1
    """

    name = "constant"
    options = ("value",)

    def __init__(self, *, value: float = 1.0):
        self.value = value
        self._expect_above_zero("value")

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

    def n_features(self, arrays: dict[str, np.ndarray]) -> int:
        return 1

    def features(self, prepared: object, inputs: Sequence) -> np.ndarray:
        return np.full((len(inputs), 1), np.sqrt(self.value), dtype=np.float32)


HIGHEST_DEGREE = 100


@dataclass(frozen=True)
class _Bags:
    """Bags of the columns: a row each, with the scalar product with itself.

    Vectors of numbers have no vocabulary; they are compared as they are.
    """

    vocabulary: LayerVocabulary | None
    counts: sparse.csr_array
    squares: np.ndarray


class BagOfWords(InputKernel):
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
    options: tuple[str, ...] = ("layer", "normalized")

    def __init__(self, *, layer: str = "form", normalized: bool = False):
        self.layer = layer
        self.normalized = normalized
        self._expect(layer in TOKEN_LAYERS, "layer", f"one of {', '.join(TOKEN_LAYERS)}")
        self._expect_switch("normalized")

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

    def fit_features(self, inputs: Sequence) -> dict[str, np.ndarray] | None:
        if not all(hasattr(x, "forms") for x in inputs):
            return None         # words of sentences have ids that a file can keep
        words = LayerVocabulary(self.layer)
        words.add(inputs)
        return {"words": np.unique(string_ids(words.known()))}

    def feature_schema(self) -> dict[str, Array]:
        return {"words": Array("uint64", "words", rising=True)}

    def n_features(self, arrays: dict[str, np.ndarray]) -> int:
        return len(arrays["words"])

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


class PolynomialBagOfWords(BagOfWords):
    """k(x, x') = (<bow(x), bow(x')> + 1)^degree: sets of words that occur together.

    Parameters
    ----------
    degree : int, default=2
    layer, normalized
        As for BagOfWords; bow(x) is normalized.
    """

    name = "poly-bow"
    options = ("degree", "layer", "normalized")

    def __init__(self, *, degree: int = 2, layer: str = "form",
                 normalized: bool = False):
        super().__init__(layer=layer, normalized=normalized)
        self.degree = degree
        self._expect_whole("degree", 1, HIGHEST_DEGREE)

    def _of_products(self, products, rows, columns):
        return (super()._of_products(products, rows, columns) + 1.0) ** self.degree

    def fit_features(self, inputs: Sequence) -> None:
        return None

    def feature_schema(self) -> dict[str, Array]:
        return InputKernel.feature_schema(self)         # none


class Gaussian(BagOfWords):
    """k(x, x') = exp(-gamma |bow(x) - bow(x')|^2) (thesis 3.2.1).

    Parameters
    ----------
    gamma : float, default=0.05
        The larger, the closer two sentences must be to count as similar.
    layer, normalized
        As for BagOfWords; bow(x) is normalized.
    """

    name = "gaussian"
    options = ("gamma", "layer", "normalized")

    def __init__(self, *, gamma: float = 0.05, layer: str = "form",
                 normalized: bool = False):
        super().__init__(layer=layer, normalized=normalized)
        self.gamma = gamma
        self._expect_above_zero("gamma")

    def _of_products(self, products, rows, columns):
        products = super()._of_products(products, rows, columns)
        if self.normalized:  # the bag without words has length 0, not 1
            rows, columns = (rows > 0).astype(float), (columns > 0).astype(float)
        distances = rows[..., None] + columns[..., None, :] - 2.0 * products
        return np.exp(-self.gamma * np.maximum(distances, 0.0))

    def fit_features(self, inputs: Sequence) -> None:
        return None

    def feature_schema(self) -> dict[str, Array]:
        return InputKernel.feature_schema(self)         # none


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
    return sparse.csr_array(np.array(inputs, dtype=np.float64))


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
