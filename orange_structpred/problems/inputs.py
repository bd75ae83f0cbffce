"""What users pass as inputs and outputs, checked and made into arrays."""
from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from orange_structpred.errors import InputError
from orange_structpred.svm.problem import check_lengths


class Positions(NamedTuple):
    """The features of all positions of some sequences, as compiled code reads them.

    starts : int64; the positions of sequence i are starts[i] to starts[i + 1]
    indptr, indices, values : int64, int32, float64; a CSR matrix with a row for each
        position
    n_features : int
    """

    starts: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    n_features: int

    @property
    def n_sequences(self) -> int:
        return len(self.starts) - 1

    @property
    def matrix(self) -> sparse.csr_array:
        """All positions, one row each."""
        return sparse.csr_array((self.values, self.indices, self.indptr),
                                shape=(len(self.indptr) - 1, self.n_features))

    @classmethod
    def of(cls, matrix, lengths: Sequence[int]) -> Positions:
        """From a matrix of all positions and the lengths of the sequences."""
        matrix = sparse.csr_array(matrix, dtype=np.float64)
        matrix.sum_duplicates()
        return cls(np.cumsum([0, *lengths], dtype=np.int64),
                   matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32, copy=False),
                   matrix.data, matrix.shape[1])


    def with_ends(self) -> Positions:
        """With two more features: of the first and of the last position of a sequence."""
        rows, n = self.starts[-1], self.n_sequences
        ends = sparse.csr_array(
            (np.ones(2 * n), (np.append(self.starts[:-1], self.starts[1:] - 1),
                              np.repeat([0, 1], n))), shape=(rows, 2))
        return Positions.of(sparse.hstack([self.matrix, ends], format="csr"),
                            np.diff(self.starts).tolist())


class PositionEncoder:
    """Makes sequences of any accepted kind into `Positions`.

    A sequence is a matrix (an array or a scipy sparse matrix, one row per position), a
    list of what crfsuite calls items (a dict of features or a list of names of features
    for each position), or a list of tokens, each of which is its own only feature.
    Features that were not in the sequences of `fit_transform` are ignored later.
    """

    def fit_transform(self, X) -> Positions:
        self.vocabulary_: dict[str, int] | None = None
        self.n_features_: int | None = None
        return self.transform(X)

    def transform(self, X) -> Positions:
        if isinstance(X, Positions):
            return self._check_width(X)
        X = list_of_sequences(X)
        lengths = [sequence_length(x) for x in X]
        for number, length in enumerate(lengths):
            if length == 0:
                raise InputError(f"sequence {number} is empty; expected at least one "
                                 "position in each sequence")
        if all(is_matrix(x) for x in X):
            return self._check_width(stack(X, lengths))
        if self.vocabulary_ is None:
            if self.n_features_ is not None:
                raise InputError("the sequences are tokens or named features; expected "
                                 f"matrices with {self.n_features_} columns, as in fit")
            numbering = NumberedNames()
            rows = numbered_features(X, lambda names: map(numbering.__getitem__, names))
            self.vocabulary_, self.n_features_ = dict(numbering), len(numbering)
        else:
            number_of = self.vocabulary_.get
            rows = numbered_features(X, lambda names: map(number_of, names, repeat(-1)))
        result = Positions.of(sparse.csr_array(
            rows, shape=(sum(lengths), self.n_features_)), lengths)
        check_finite(result)
        return result

    @property
    def feature_names_(self) -> np.ndarray:
        """Names of the features, in the order of their weights."""
        return np.array(
            [f"x{k}" for k in range(self.n_features_ or 0)] if self.vocabulary_ is None
            else list(self.vocabulary_), dtype=object)

    def _check_width(self, positions: Positions) -> Positions:
        if self.vocabulary_ is not None:
            raise InputError("the sequences are matrices; expected tokens or named "
                             "features, as in fit")
        if self.n_features_ is None:
            self.n_features_ = positions.n_features
        if positions.n_features != self.n_features_:
            raise InputError(f"the sequences have {positions.n_features} columns; "
                             f"expected {self.n_features_}, as in fit")
        check_finite(positions)
        return positions


def input_list(X, expected: str, *, unlike: tuple[type, ...] = ()) -> list:
    """X as a list, if it has an input for each example.

    expected : what messages say it should be
    unlike : further types of which it cannot be
    """
    if isinstance(X, (str, bytes, Mapping, *unlike)) or sparse.issparse(X) \
            or not isinstance(X, Iterable):
        raise InputError(f"X is a {type(X).__name__}; expected {expected}")
    return list(X)


def list_of_sequences(X) -> list:
    """X as a list, if it has a sequence for each example."""
    X = [x.to_numpy() if hasattr(x, "to_numpy") else x          # pandas
         for x in input_list(X, "a list of sequences")]
    if not X:
        raise InputError("there are no sequences")
    for number, x in enumerate(X):
        if isinstance(x, (str, bytes, Mapping)) or not (
                hasattr(x, "__len__") or sparse.issparse(x)):
            raise InputError(f"sequence {number} is a {type(x).__name__}; expected a "
                             "matrix, or a list of tokens or of named features")
    return X


def sequence_length(x) -> int:
    return x.shape[0] if hasattr(x, "shape") and x.shape else len(x)


def is_matrix(x) -> bool:
    """Rows of numbers, rather than tokens or features with names."""
    if sparse.issparse(x):
        return True
    if isinstance(x, np.ndarray):
        return x.ndim == 2
    first = next((row for row in x if np.size(row)), "")
    return np.ndim(first) == 1 and not isinstance(first[0], str)


def stack(X: list, lengths: list[int]) -> Positions:
    """Matrices of sequences, one below the other."""
    try:
        X = [x if sparse.issparse(x) else np.asarray(x, dtype=float) for x in X]
    except (TypeError, ValueError) as error:
        raise InputError(f"a sequence is not a matrix of numbers: {error}") from error
    for number, x in enumerate(X):
        if x.ndim != 2 or x.shape[1] != X[0].shape[1]:
            raise InputError(f"sequence {number} has the shape {x.shape}; expected "
                             f"(positions, {X[0].shape[1]}), as the first one has")
    if any(map(sparse.issparse, X)):
        return Positions.of(sparse.vstack(X, format="csr"), lengths)
    return Positions.of(np.vstack(X), lengths)


def with_constant(rows):
    """Rows of numbers with a constant feature in addition."""
    ones = np.ones((rows.shape[0], 1))
    return sparse.hstack([rows, ones], format="csr") if sparse.issparse(rows) \
        else np.hstack([rows, ones])


class NumberedNames(dict[str, int]):
    """Numbers names in the order in which they are first asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def numbered_features(X: list, numbers_of: Callable[[Iterable[str]], Iterable[int]]
                      ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The features of all positions as values, indices and bounds of rows of a CSR matrix.

    numbers_of : the numbers of names; those below 0 are left out
    """
    indices, values, sizes = [], [], array("q", [0])
    for number, x in enumerate(X):
        names: list[str] = []
        if set(map(type, x)) == {list}:
            names = list(chain.from_iterable(x))
        if set(map(type, names)) == {str}:          # crfsuite's way, which has to be fast
            values.append(np.ones(len(names)))
            sizes.extend(map(len, x))
        else:
            features = [features_of(token, number, position)
                        for position, token in enumerate(x)]
            names = list(chain.from_iterable(features))
            values.append(np.array(list(chain.from_iterable(
                each.values() for each in features)), float))
            sizes.extend(map(len, features))
        indices.append(np.array(list(numbers_of(names)), np.int32))
    bounds, numbers, amounts = np.cumsum(sizes), np.concatenate(indices), np.concatenate(values)
    known = numbers >= 0
    if not known.all():
        bounds = np.append(0, np.cumsum(known))[bounds]
        numbers, amounts = numbers[known], amounts[known]
    return amounts, numbers, bounds


def features_of(token, number: int, position: int) -> Mapping[str, float]:
    """The features of one position: those of its dict or list, or the token itself."""
    if isinstance(token, str):
        return {token: 1.}
    if isinstance(token, (list, tuple, set, frozenset)) \
            and all(isinstance(name, str) for name in token):
        return Counter(token)
    if not isinstance(token, Mapping):
        raise InputError(f"position {position} of sequence {number} is a "
                         f"{type(token).__name__}; expected a token, a list of names of "
                         "features or a dict of features")
    features = dict(dict_features(token))
    for name, value in features.items():
        if not isinstance(value, (Number, np.bool_)) or isinstance(value, complex):
            raise InputError(f"position {position} of sequence {number} has the feature "
                             f"{name!r} with the value {value!r}; expected a number or a text")
    return features


def dict_features(features: Mapping) -> Iterator[tuple[str, Any]]:
    """Names and values as crfsuite has them: {"a": {"b": 1}, "c": "d", "e": ["f", "g"]} is
    {"a:b": 1, "c=d": 1, "e=f": 1, "e=g": 1}."""
    for name, value in features.items():
        if isinstance(value, str):
            yield f"{name}={value}", 1.
        elif isinstance(value, Mapping):
            for inner, its in dict_features(value):
                yield f"{name}:{inner}", its
        elif isinstance(value, (list, tuple, set, frozenset)):
            for each in value:
                yield f"{name}={each}", 1.
        else:
            yield name, value


def check_finite(positions: Positions) -> None:
    wrong = np.flatnonzero(~np.isfinite(positions.values))
    if wrong.size:
        row = int(np.searchsorted(positions.indptr, wrong[0], side="right")) - 1
        number = int(np.searchsorted(positions.starts, row, side="right")) - 1
        raise InputError(
            f"position {row - positions.starts[number]} of sequence {number} has the "
            f"value {positions.values[wrong[0]]} in its features; expected finite numbers")


def encode_labels(y, lengths: Sequence[int], classes: np.ndarray | None = None,
                  noun: str = "sequence", parts: str = "positions"
                  ) -> tuple[list[np.ndarray], np.ndarray]:
    """Labels of sequences as numbers, and the classes that they are numbers of.

    lengths : of the inputs, which the labels must have, too
    classes : sorted; those of y where there are none
    noun, parts : what messages call an input, and what has labels in it
    """
    y = list(y)
    check_lengths(len(lengths), len(y))
    for number, (labels, length) in enumerate(zip(y, lengths)):
        if isinstance(labels, str) or np.ndim(labels) != 1:
            raise InputError(f"the labels of {noun} {number} are {labels!r}; expected "
                             "a list of labels")
        if len(labels) != length:
            raise InputError(f"{noun} {number} has {length} {parts} but "
                             f"{len(labels)} labels")
    check_label_kinds(y)
    flat = np.concatenate([np.asarray(labels) for labels in y])
    if flat.dtype.kind == "f" and not np.isfinite(flat).all():
        raise InputError("a label is not a finite number")
    present = distinct_labels(flat)
    classes = present if classes is None else classes
    codes = label_codes(flat, present, classes)
    ends = np.cumsum(lengths)[:-1]
    return [np.ascontiguousarray(part, np.int32) for part in np.split(codes, ends)], classes


def label_accuracy(y, predicted: Sequence, sample_weight=None, noun: str = "sequence",
                   parts: str = "positions") -> float:
    """The share of labels that are right.

    sample_weight : of the inputs
    noun, parts : as in `encode_labels`
    """
    y, lengths = list(y), list(map(len, predicted))
    encode_labels(y, lengths, None, noun, parts)       # checks lengths
    weights = example_weights(sample_weight, len(y))
    if weights is None:
        weights = np.ones(len(y))
    right = [np.count_nonzero(np.asarray(labels) == best)
             for labels, best in zip(y, predicted)]
    return float(weights @ right / (weights @ lengths))


def distinct_labels(labels: np.ndarray) -> np.ndarray:
    """All labels that there are, in order."""
    try:
        return np.unique(labels)
    except TypeError:
        raise mixed_labels(set(map(type, labels.tolist()))) from None


def check_label_kinds(y: Iterable[Iterable]) -> None:
    """Raise an InputError if some labels are strings and others are not: numpy would make
    strings of all of them."""
    kinds: set[type] = set()
    for labels in y:
        array = np.asarray(labels) if hasattr(labels, "__array__") else None
        if array is None:
            kinds.update(map(type, labels))
        elif array.dtype == object:
            kinds.update(map(type, array.tolist()))
        else:
            kinds.add(array.dtype.type)
    if len({issubclass(kind, str) for kind in kinds}) > 1:
        raise mixed_labels(kinds)


def mixed_labels(kinds: set[type]) -> InputError:
    names = sorted({kind.__name__ for kind in kinds})
    return InputError(f"labels are of the kinds {', '.join(names)}; expected strings or "
                      "numbers, not both, and none of them missing")


def label_codes(labels: np.ndarray, present: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The numbers of labels among the classes, which must have all of those found."""
    unseen = np.setdiff1d(present, classes)
    if len(unseen):
        raise InputError(f"unseen label {unseen.tolist()[0]!r}; the labels in training were "
                         f"{', '.join(map(repr, classes[:10].tolist()))}"
                         f"{', ...' if len(classes) > 10 else ''}")
    return np.searchsorted(classes, labels)


def example_weights(sample_weight, n: int) -> np.ndarray | None:
    """Weights of examples, if any differ."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=float)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise InputError(f"sample_weight has the shape {weights.shape}; expected ({n},)")
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise InputError("sample_weight must have finite numbers, none of them negative "
                         "and not all of them zero")
    return None if (weights == weights[0]).all() else weights


def part_weights(sample_weight, outputs: Sequence[np.ndarray]) -> np.ndarray | None:
    """Weights of the parts of all outputs, each that of its example, if any differ."""
    weights = example_weights(sample_weight, len(outputs))
    return None if weights is None else np.repeat(weights, list(map(len, outputs)))
