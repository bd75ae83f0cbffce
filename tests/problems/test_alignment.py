"""Smith-Waterman and the alignment problem against enumeration of all alignments."""
import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.problems import AlignmentSVM, read_alignment
from orange_structpred.problems.alignment.alignment_problem import (
    Aligned,
    AlignmentProblem,
    check_operations,
)
from orange_structpred.svm.linear import LinearModel
from tests.problems.toy import AllAlignments, alignments, local_alignments


class DenseAlignments(AllAlignments):
    def joint_features(self, x, y):
        phi = np.zeros(self.dim)
        for i, j in y.operations.tolist():
            if i >= 0 and j >= 0:
                phi[x.native[i] * self.n_letters + x.strings[y.candidate][j]] += 1
            else:
                phi[-1] += 1
        return phi


def test_against_enumeration():
    slow, fast = alignments(DenseAlignments), alignments(AlignmentProblem)
    rng = np.random.default_rng(1)
    for _ in range(5):
        w = rng.normal(size=slow.dim)
        for i, (x, y) in enumerate(zip(slow.X, slow.Y)):
            best = [max(w @ slow.joint_features(x, Aligned(t, steps))
                        for steps in local_alignments(len(x.native), len(string)))
                    for t, string in enumerate(x.strings)]
            np.testing.assert_allclose(fast.scores(x, w), best)
            found = fast.predict(x, w)
            assert w @ slow.joint_features(x, found) == pytest.approx(max(best))
            vector = fast.joint_features(x, found)
            assert vector.values @ w[vector.indices] == pytest.approx(max(best))
            outputs = list(slow.outputs(x))
            augmented = [w @ slow.joint_features(x, other) + slow.loss(y, other)
                         for other in outputs]
            found = fast.separate(x, y, w)
            assert w @ slow.joint_features(x, found) + fast.loss(y, found) \
                == pytest.approx(max(augmented))
            by_loss = {fast.loss(y, other): w @ slow.joint_features(x, other)
                       for other in fast.best_by_loss(i, LinearModel.of(w))}
            assert by_loss[0] == pytest.approx(w @ slow.joint_features(x, y))
            assert by_loss[1] == pytest.approx(
                max(best[t] for t in range(len(best)) if t != y.candidate))


@pytest.mark.parametrize("operations, message", [
    ([(0, 5)], "has the positions \\[5\\] in the candidate of 3 letters"),
    ([(0, 0), (2, 1)], "positions \\[0, 2\\] in the native string"),
    ([(None, None)], "without a position"),
    ([("a", 1)], "expected pairs of positions"),
    (7, "expected pairs of positions"),
])
def test_bad_alignments(operations, message):
    with pytest.raises(InputError, match=message):
        check_operations(operations, 4, 3, "example 0")


def test_good_alignments():
    assert check_operations([(1, 0), (2, None), (3, 1)], 4, 3, "").tolist() == [
        [1, 0], [2, -1], [3, 1]]
    assert check_operations([], 4, 3, "").shape == (0, 2)


X = [("GATTACA", ["CCGTCC", "GATACA"]), ("TTAGC", ["TAGGC", "CCCCA"])]
Y = [(1, read_alignment("GATTACA", "GAT-ACA")), (0, read_alignment("TTAG-C", "-TAGGC"))]


def test_estimator():
    svm = AlignmentSVM(C=10).fit(X, Y)
    assert svm.predict(X).tolist() == [1, 0]
    assert svm.score(X, Y) == svm.score(X, [1, 0]) == 1
    assert svm.letters_ == ["A", "C", "G", "T"]
    assert svm.substitution_.shape == (4, 4)
    scores = svm.decision_function(X)[0]
    found = svm.align("GATTACA", "GATACA")
    assert found.score == pytest.approx(scores[1])
    total = sum(svm.gap_ if None in pair else svm.substitution_[
        svm.letters_.index("GATTACA"[pair[0]]), svm.letters_.index("GATACA"[pair[1]])]
        for pair in found.operations)
    assert total == pytest.approx(found.score)
    lists = [(list(native), list(map(list, strings))) for native, strings in X]
    assert AlignmentSVM(C=10).fit(lists, Y).predict(lists).tolist() == [1, 0]


@pytest.mark.parametrize("action, message", [
    (lambda: AlignmentSVM().fit(X, Y[1:]), "2 inputs but 1 outputs"),
    (lambda: AlignmentSVM().fit(X, [1, 0]), "output 0 is '1'; expected a pair"),
    (lambda: AlignmentSVM().fit(X, [(5, []), Y[1]]), "names the candidate 5"),
    (lambda: AlignmentSVM().fit("AB", Y), "X is a str"),
    (lambda: AlignmentSVM().fit([("A", "BC")], Y[:1]), "input 0 is"),
    (lambda: AlignmentSVM().fit([("A", [])], Y[:1]), "input 0 has no candidates"),
    (lambda: AlignmentSVM().fit([("", ["A"])], Y[:1]), "native string of input 0 is empty"),
    (lambda: AlignmentSVM().fit(X, Y).align("ABBA", "A"), "has the letter 'B'"),
    (lambda: AlignmentSVM().fit(X, Y).score(X, [1]), "2 inputs but 1 outputs"),
    (lambda: read_alignment("A", "AB"), "1 and 2 columns"),
    (lambda: read_alignment("A-", "A-"), "gaps in the same column"),
])
def test_bad_input(action, message):
    with pytest.raises(InputError, match=message):
        action()
