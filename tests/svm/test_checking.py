"""Methods of a problem that do not agree are found out."""
import numpy as np
import pytest
from scipy import sparse

from orange_structpred.errors import InputError
from orange_structpred.svm import BCFW, MIRA, NSlack, Problem, check_problem
from orange_structpred.svm.vectors import SparseVector, sparse_vector
from tests.svm.toy import Classes, chains, classes


class Unlisted(Classes):
    outputs = Problem.outputs

    def predict(self, x, w):
        return int(np.argmax(w.reshape(self.n_classes, -1) @ x))

    def separate(self, x, y, w):
        scores = w.reshape(self.n_classes, -1) @ x
        return int(np.argmax(scores + abs(np.arange(self.n_classes) - y) / 2))


def broken(base=Classes, **methods):
    good = classes()
    return type("Broken", (base,), methods)(good.X, good.Y, 3)


def test_what_holds_together():
    assert check_problem(classes()) == 10 * (3 + 1)
    assert check_problem(chains()) > 8
    assert check_problem(broken(Unlisted)) > 10


@pytest.mark.parametrize("base", [Classes, Unlisted])
@pytest.mark.parametrize("methods, message", [
    ({"loss": lambda self, y, y_hat: 1.}, "loss of the true output is 1.0; expected 0"),
    ({"loss": lambda self, y, y_hat: y - y_hat}, "is -1; expected a number that is not neg"),
    ({"predict": lambda self, x, w: 0}, "the prediction has a score of .*, but"),
    ({"separate": lambda self, x, y, w: y}, "the separation has a score with the loss of"),
    ({"separate": lambda self, x, y, w: self.predict(x, w)}, "the separation has"),
    ({"difference": lambda self, i, y: Problem.difference(self, i, 0)}, "difference of "),
    ({"best": lambda self, i, model: 1}, "best finds 1 with .*, predict "),
    ({"most_violated": lambda self, i, model: self.Y[i]}, "most_violated finds "),
    ({"example_loss": lambda self, i, y: 2.}, "example_loss of "),
], ids=lambda value: next(iter(value)) if isinstance(value, dict) else "")
def test_what_does_not(base, methods, message):
    with pytest.raises(InputError, match=message) as caught:
        check_problem(broken(base, **methods))
    assert caught.value.faults


def test_features_beyond_the_end():
    problem = classes()
    problem.dim -= 1
    with pytest.raises(InputError, match="has the length 12; expected dim=11"):
        check_problem(problem)
    problem.joint_features = lambda x, y: sparse_vector(Classes.joint_features(problem, x, y))
    problem.Y = [2] * len(problem)
    with pytest.raises(InputError, match="2: joint_features has the index 11 for example 0; exp"):
        check_problem(problem)


@pytest.mark.parametrize("features, message", [
    ({"length": 2.}, "joint_features is {'length': 2.0}; expected an array of numbers"),
    ("length", "joint_features is 'length'; expected"),
    (None, "not finite"),
    (SparseVector(np.array([0, 1]), np.ones(1)), r"shape \(2,\) and values of the shape \(1,\)"),
    (SparseVector(np.array([0, -1]), np.ones(2)), "has the index -1 for example"),
    (sparse.csr_array(np.ones((12, 1))), r"shape \(12, 1\); expected a single row"),
], ids=["dict", "text", "None", "lengths", "negative", "column"])
def test_what_are_no_features(features, message):
    problem = broken(Unlisted, joint_features=lambda self, x, y: features)
    with pytest.raises(InputError, match=message):
        BCFW().solve(problem)
    with pytest.raises(InputError, match=message if not sparse.issparse(features)
                       else "has the length 1; expected dim=12"):
        check_problem(problem)


@pytest.mark.parametrize("solver", [BCFW, MIRA, NSlack])
def test_solvers_refuse_features_that_are_none(solver):
    """Compiled code must not see them."""
    for features, message in ((lambda self, x, y: np.full(12, np.nan), "example .* not finite"),
                              (lambda self, x, y: np.ones(13), "index 12 for example .*11"),
                              (lambda self, x, y: SparseVector([-1], [1.]), "index -1")):
        with pytest.raises(InputError, match=message):
            solver().solve(broken(joint_features=features, predict=lambda self, x, w: 1,
                                  separate=lambda self, x, y, w: (y + 1) % 3))
        with pytest.raises(InputError, match="joint_features of .* has the length|" + message):
            check_problem(broken(joint_features=features, predict=lambda self, x, w: 1,
                                 separate=lambda self, x, y, w: (y + 1) % 3))


@pytest.mark.parametrize("solver", [BCFW, MIRA, NSlack])
def test_solvers_refuse_what_is_no_loss(solver):
    with pytest.raises(InputError, match="is nan; a loss must not be negative"):
        solver().solve(broken(loss=lambda self, y, y_hat: np.nan if y != y_hat else 0.))
    with pytest.raises(InputError, match="loss of the true output .* is 1.0; it must be z"):
        solver().solve(broken(loss=lambda self, y, y_hat: 1.))
    with pytest.raises(InputError, match="is -1.0; a loss must not be negative"):
        solver().solve(broken(loss=lambda self, y, y_hat: -float(y != y_hat)))


def test_slack_rescaling_needs_outputs():
    with pytest.raises(InputError, match="Broken has no method `outputs`"):
        NSlack(rescaling="slack").solve(broken(Unlisted))
