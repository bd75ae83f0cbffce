"""Recognising a string by its alignment, among decoys (001, section 4.4)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.problems.alignment.alignment_program import alignment_program
from orange_structpred.problems.alignment.smith_waterman import (
    best_alignment,
    best_score,
)
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.programs import IntegerProgram
from orange_structpred.svm.vectors import SparseVector, sum_equal_indices


class Candidates(NamedTuple):
    """An input: a string and those that it may belong to, all as numbers of letters."""

    native: np.ndarray
    strings: Sequence[np.ndarray]


class Aligned(NamedTuple):
    """An output: which of the candidates, and how it is aligned.

    operations : int32 (k, 2); positions in the native string and in the candidate, -1
        for none
    """

    candidate: int
    operations: np.ndarray


class AlignmentProblem(Problem):
    """Strings, and which candidate each belongs to, by the best alignment.

    phi counts the operations of an alignment: each pair of letters that is put one above
    the other, and insertions and deletions together. The loss is 0 or 1. The true
    candidate has its known alignment, the others have all alignments:
    <w, phi(x, y_i, a_i)> is to exceed <w, phi(x, y_t, a)> for all t and a.

    Parameters
    ----------
    X : list of Candidates
    Y : list of Aligned
    n_letters : int
    """

    def __init__(self, X: Sequence[Candidates], Y: Sequence[Aligned], n_letters: int):
        super().__init__(X, Y, n_letters**2 + 1)
        self.n_letters = n_letters

    def split(self, w: np.ndarray) -> tuple[np.ndarray, float]:
        """The substitution matrix, and the score of an insertion or a deletion."""
        return w[:-1].reshape(self.n_letters, self.n_letters), float(w[-1])

    def scores(self, x: Candidates, w: np.ndarray) -> np.ndarray:
        """Scores of the best alignments of all candidates."""
        substitution, gap = self.split(w)
        return np.array([best_score(x.native, string, substitution, gap)
                         for string in x.strings])

    def align(self, x: Candidates, candidate: int, w: np.ndarray
              ) -> tuple[float, np.ndarray]:
        """Score and operations of a candidate's best alignment."""
        return best_alignment(x.native, x.strings[candidate], *self.split(w))

    # the four

    def joint_features(self, x, y):
        first, second = y.operations.T
        both = (first >= 0) & (second >= 0)
        pairs = x.native[first[both]].astype(np.int64) * self.n_letters \
            + x.strings[y.candidate][second[both]]
        return SparseVector(*sum_equal_indices(
            np.append(pairs, self.dim - 1),
            np.append(np.ones(len(pairs)), float(len(both) - len(pairs)))))

    def loss(self, y, y_hat):
        return float(y.candidate != y_hat.candidate)

    def predict(self, x, w):
        candidate = int(np.argmax(self.scores(x, w)))
        return Aligned(candidate, self.align(x, candidate, w)[1])

    def separate(self, x, y, w):
        scores = self.scores(x, w) + 1
        gold = self.joint_features(x, y)
        scores[y.candidate] = gold.values @ w[gold.indices]
        candidate = int(np.argmax(scores))
        if candidate == y.candidate:
            return y
        return Aligned(candidate, self.align(x, candidate, w)[1])

    def as_program(self, x: Candidates, w: np.ndarray) -> IntegerProgram:
        """See `alignment_program`."""
        return alignment_program(x.native, x.strings, *self.split(w), self.scores(x, w),
                                 Aligned)

    def best_by_loss(self, i, model):
        x, y, w = self.X[i], self.Y[i], model.weights()
        scores = self.scores(x, w)
        scores[y.candidate] = -np.inf
        if len(scores) == 1:
            return [y]
        other = int(np.argmax(scores))
        return [y, Aligned(other, self.align(x, other, w)[1])]


def check_operations(operations, native_length: int, other_length: int, where: str
                     ) -> np.ndarray:
    """Operations as an array, if they go forward in both strings.

    operations : pairs of positions; None or -1 for none
    """
    try:
        table = np.array([[-1 if position is None else int(position) for position in pair]
                          for pair in operations], np.int32).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the alignment of {where} is {operations!r}; expected pairs of "
                         "positions, with None for an insertion or a deletion") from None
    for column, length, name in ((0, native_length, "native string"),
                                 (1, other_length, "candidate")):
        places = table[table[:, column] >= 0, column]
        if len(places) and (places.max() >= length or (np.diff(places) != 1).any()):
            raise InputError(f"the alignment of {where} has the positions "
                             f"{places.tolist()} in the {name} of {length} letters; "
                             "expected positions one after the other within it")
    if (table < -1).any() or (len(table) and (table < 0).all(axis=1).any()):
        raise InputError(f"the alignment of {where} has an operation without a position; "
                         "expected one in at least one of the strings")
    return table
