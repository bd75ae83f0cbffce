"""Strings that are recognised by their alignments: an estimator."""
from __future__ import annotations

from collections.abc import Collection, Sequence, Sized
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.problems.alignment.alignment_problem import (
    Aligned,
    AlignmentProblem,
    Candidates,
    check_operations,
)
from orange_structpred.problems.input_kernels import InputKernelMixin
from orange_structpred.problems.inputs import input_list
from orange_structpred.svm.problem import check_lengths


class Alignment(NamedTuple):
    """The best alignment of two strings.

    operations : pairs of positions in the first and the second string; None for an
        insertion or a deletion
    """

    score: float
    operations: list[tuple[int | None, int | None]]


def read_alignment(first: str, second: str, gap: str = "-"
                   ) -> list[tuple[int | None, int | None]]:
    """The operations of two strings that are written one above the other, with gaps.

    >>> read_alignment("AC-G", "-CTG")
    [(0, None), (1, 0), (None, 1), (2, 2)]
    """
    if len(first) != len(second):
        raise InputError(f"the strings {first!r} and {second!r} have {len(first)} and "
                         f"{len(second)} columns; expected as many in both")
    operations, i, j = [], 0, 0
    for one, two in zip(first, second):
        if one == gap and two == gap:
            raise InputError(f"the strings {first!r} and {second!r} have gaps in the same "
                             "column; expected a letter in one of them")
        operations.append((None if one == gap else i, None if two == gap else j))
        i, j = i + (one != gap), j + (two != gap)
    return operations


class AlignmentSVM(InputKernelMixin):
    """Learns a substitution matrix and the score of gaps from aligned strings.

    Each input is a pair of a native string and a list of candidates, one of which
    belongs to it; the others are decoys. Strings are str or lists of letters of any
    kind. The output is a pair: the number of the true candidate, and the operations of
    its alignment, pairs of positions as `read_alignment` returns them. The prediction is
    the candidate with the best local alignment (Smith-Waterman).

    Parameters
    ----------
    kernel : InputKernel, function of two strings or None, default=None
        How alike two native strings are. With a kernel, each string has scores of letters
        and gaps of its own, which strings that are alike share
    kernel_params : dict, default=None
        Parameters of a kernel that is given by its name
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    letters_ : list, the letters in sorted order
    substitution_ : array of shape (letters, letters), without a kernel; rows are those of
        native strings
    gap_ : float, the score of an insertion or a deletion, without a kernel

    Examples
    --------
    >>> from orange_structpred.problems import AlignmentSVM, read_alignment
    >>> X = [("GATTACA", ["CCGTCC", "GATACA"]), ("TTAGC", ["TAGGC", "CCCCA"])]
    >>> y = [(1, read_alignment("GATTACA", "GAT-ACA")),
    ...      (0, read_alignment("TTAG-C", "-TAGGC"))]
    >>> AlignmentSVM(C=10).fit(X, y).predict(X)
    array([1, 0])
    """

    _learned = ("letters_", "kernel_map_")

    def __init__(self, *, kernel=None, kernel_params=None, C=1., tol=0.01, solver="bcfw",
                 solver_options=None, max_iter=None, random_state=0, n_jobs=None,
                 warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _encode(self, X, *, fitting):
        X = input_list(X, "a list of pairs of a string and its candidates")
        for number, x in enumerate(X):
            if not is_native_with_candidates(x):
                raise InputError(f"input {number} is {str(x)[:80]!r}; expected a pair of a "
                                 "string and a list of candidates")
            if not len(x[1]):
                raise InputError(f"input {number} has no candidates; expected at least one")
        if fitting:
            self.letters_ = sorted({letter for native, strings in X
                                    for string in (native, *strings) for letter in string})
            self._numbers = {letter: k for k, letter in enumerate(self.letters_)}
        candidates = [
            Candidates(self._encode_string(native, f"the native string of input {number}"),
                       [self._encode_string(string, f"candidate {k} of input {number}")
                        for k, string in enumerate(strings)])
            for number, (native, strings) in enumerate(X)]
        return self._compared(candidates, [native for native, _ in X], fitting=fitting)

    def _encode_string(self, string: Sequence, where: str) -> np.ndarray:
        if not isinstance(string, Sized):
            raise InputError(f"{where} is {string!r}; expected a string, or a list of "
                             "letters")
        if not len(string):
            raise InputError(f"{where} is empty; expected at least one letter")
        try:
            return np.array([self._numbers[letter] for letter in string], np.int32)
        except KeyError as error:
            raise InputError(f"{where} has the letter {error.args[0]!r}, which is unseen; "
                             f"the letters in training were "
                             f"{', '.join(map(repr, self.letters_[:30]))}") from None

    def _encode_outputs(self, inputs, y, *, fitting):
        y = list(y)
        check_lengths(len(inputs), len(y))
        outputs = []
        for number, (x, output) in enumerate(zip(inputs, y)):
            if isinstance(output, str) or not isinstance(output, Sequence) \
                    or len(output) != 2:
                raise InputError(f"output {number} is {str(output)[:80]!r}; expected a pair "
                                 "of the true candidate's number and its alignment")
            candidate, operations = output
            check_candidate(candidate, x, number)
            outputs.append(Aligned(int(candidate), check_operations(
                operations, len(x.native), len(x.strings[candidate]),
                f"output {number}")))
        return outputs

    def _problem(self, inputs, outputs):
        return self._times_kernel(
            AlignmentProblem(inputs, outputs or [None] * len(inputs), len(self.letters_)),
            inputs)

    def _decode(self, outputs):
        return np.array([output.candidate for output in outputs])

    def decision_function(self, X) -> list[np.ndarray]:
        """Scores of the best alignments of all candidates, one array per input."""
        check_is_fitted(self, "model_")
        problem = self._problem(self._encode(X, fitting=False), None)
        return [explicit.scores(x, weights) for explicit, x, weights in (
            self._explicit(problem, i) for i in range(len(problem)))]

    def predict(self, X, *, constraints=None):
        """The number of the candidate with the best alignment, for each input.

        constraints : see `StructuredEstimator.predict`; variables are named (candidate,)
            for candidates, (candidate, i, j) for the operations of their alignments, as
            `read_alignment` returns them, and (candidate, "start", i, j) and (candidate,
            "end", i, j) for the positions where alignments start and end
        """
        return super().predict(X, constraints=constraints)

    def align(self, first, second, *, constraints=None) -> Alignment:
        """The best alignment of two strings.

        constraints : as in `predict`, of a program whose only candidate, number 0, is
            the second string
        """
        check_is_fitted(self, "model_")
        candidates = Candidates(self._encode_string(first, "the first string"),
                                [self._encode_string(second, "the second string")])
        problem = self._problem(self._compared([candidates], [first], fitting=False), None)
        explicit, x, weights = self._explicit(problem, 0)
        if constraints is None:
            score, operations = explicit.align(x, 0, weights)
        else:
            (aligned,) = self._best_within(problem, [(first, [second])], constraints)
            operations = aligned.operations
            phi = explicit.joint_features(x, aligned)
            score = float(phi.values @ weights[phi.indices])
        return Alignment(score, [
            (None if one < 0 else one, None if other < 0 else other)
            for one, other in operations.tolist()])

    def score(self, X, y) -> float:
        """The share of inputs whose candidate is found; y may be their numbers alone."""
        X, y = list(X), list(y)
        check_lengths(len(X), len(y))
        true = [output if isinstance(output, Integral) else output[0] for output in y]
        return float(np.mean(self.predict(X) == true))

    @property
    def substitution_(self) -> np.ndarray:
        self._check_no_kernel("the score of letters")
        return self.coef_[:-1].reshape(len(self.letters_), -1)

    @property
    def gap_(self) -> float:
        self._check_no_kernel("the score of gaps")
        return float(self.coef_[-1])


def is_native_with_candidates(x: object) -> bool:
    """Whether an input is a string of any kind and a list of such strings."""
    if not isinstance(x, Sized) or isinstance(x, str) or len(x) != 2:
        return False
    pair: Any = x
    native, strings = pair
    if not isinstance(strings, Collection) or isinstance(strings, str):
        return False
    return all(isinstance(string, Sized) for string in (native, *strings))


def check_candidate(candidate, x: Candidates, number: int) -> None:
    if not isinstance(candidate, Integral) or not 0 <= int(candidate) < len(x.strings):
        raise InputError(f"output {number} names the candidate {candidate!r}; expected a "
                         f"number from 0 to {len(x.strings) - 1}")
