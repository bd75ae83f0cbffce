"""All problems against lists of their outputs, with all solvers."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.problems.multilabel import LabelSetProblem
from orange_structpred.svm import ALL_SOLVERS, check_problem
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.vectors import sparse_vector
from tests.problems.toy import PROBLEMS, RNG, label_sets, sequences, table
from tests.svm.test_n_slack import least
from tests.svm.test_n_slack import objective as objective_of

EACH = pytest.mark.parametrize("name", PROBLEMS)
QUICK = pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "menus"])
C = 5.


class Listed:
    """A problem with dense features, as the references want it."""

    def __init__(self, problem):
        self.problem, self.dim = problem, problem.dim
        self.X, self.Y = list(map(problem.X.__getitem__, range(len(problem)))), problem.Y
        self.outputs, self.loss = problem.outputs, problem.loss

    def __len__(self):
        return len(self.X)

    def joint_features(self, x, y):
        dense = np.zeros(self.dim)
        indices, values = sparse_vector(self.problem.joint_features(x, y))
        np.add.at(dense, indices, values)
        return dense


@EACH
def test_holds_together(name):
    problem = PROBLEMS[name]()
    assert check_problem(problem) > len(problem)


@EACH
def test_best_by_loss(name):
    """For each loss, no output with this loss scores higher."""
    problem = PROBLEMS[name]()
    model = LinearModel.of(RNG(0).normal(size=problem.dim))
    for i in range(len(problem)):
        def scores(outputs, i=i):
            best = {}
            for y in outputs:
                loss = round(problem.example_loss(i, y), 9)
                score = -model.dot(i, problem.difference(i, y))
                best[loss] = max(best.get(loss, -np.inf), score)
            return best

        found = scores(problem.best_by_loss(i, model))
        wanted = scores(problem.outputs(problem.X[i]))
        assert found.keys() == wanted.keys()
        assert_allclose([found[loss] for loss in wanted], list(wanted.values()))


@pytest.fixture(scope="module")
def optima():
    kept = {}

    def get(name, rescaling="margin", penalty="linear"):
        if (name, rescaling, penalty) not in kept:
            problem = Listed(PROBLEMS[name]())
            kept[name, rescaling, penalty] = least(
                problem, C, rescaling, penalty, np.ones(len(problem)))
        return kept[name, rescaling, penalty]

    return get


def value(name, w, rescaling="margin", penalty="linear"):
    problem = Listed(PROBLEMS[name]())
    return objective_of(problem, w, C, rescaling, penalty, np.ones(len(problem)))


@EACH
@pytest.mark.parametrize("solver", [
    name for name, solver in ALL_SOLVERS.items() if solver.certificate])
def test_optimum(name, solver, optima):
    solution = ALL_SOLVERS[solver](C=C, epsilon=1e-5, passes=10000).solve(PROBLEMS[name]())
    assert solution.converged
    w = solution.model.weights()
    assert_allclose(value(name, w), optima(name), atol=1e-4)
    assert_allclose(value(name, w), solution.reports[-1].primal, atol=1e-6)


@EACH
@pytest.mark.parametrize("rescaling, penalty", [
    ("slack", "linear"), ("margin", "quadratic"), ("slack", "quadratic")])
def test_other_formulations(name, rescaling, penalty, optima):
    solution = ALL_SOLVERS["n-slack"](
        C=C, epsilon=1e-5, passes=1000, rescaling=rescaling, penalty=penalty
    ).solve(PROBLEMS[name]())
    assert solution.converged
    assert_allclose(value(name, solution.model.weights(), rescaling, penalty),
                    optima(name, rescaling, penalty), atol=1e-4)


@QUICK
def test_subgradient_comes_near(name, optima):
    """It has no certificate; its objective falls towards the optimum."""
    solution = ALL_SOLVERS["subgradient"](C=C, passes=100).solve(PROBLEMS[name]())
    assert optima(name) - 1e-6 <= value(name, solution.model.weights()) \
        <= optima(name) + 0.1 * C


@QUICK
@pytest.mark.parametrize("solver", ["mira", "perceptron"])
def test_online_solvers_learn(name, solver):
    problem = PROBLEMS[name]()
    solution = ALL_SOLVERS[solver](C=100, passes=20).solve(problem)
    zero = problem.new_model()
    assert solution.reports[-1].loss <= np.mean([
        problem.example_loss(i, problem.best(i, zero)) for i in range(len(problem))])


@EACH
def test_programs_find_the_prediction(name):
    problem = PROBLEMS[name]()
    for seed in range(3):
        w = RNG(seed).normal(size=problem.dim)
        for i in range(len(problem)):
            x = problem.X[i]
            found = problem.as_program(x, w).best()
            assert_allclose(found, problem.predict(x, w))


@pytest.mark.parametrize("loss", ["hamming", "f1"])
@pytest.mark.parametrize("pairs", [[], [(0, 1), (1, 2), (0, 3)]], ids=["alone", "pairs"])
def test_label_sets_by_programs(loss, pairs):
    """The same without enumeration."""
    listed = label_sets(4, 4, loss=loss, pairs=pairs, inference="enumeration")
    other = LabelSetProblem(table(4), listed.Y, 4, pairs, loss=loss, inference="milp")
    assert other.sets is None
    for seed in range(3):
        w = RNG(seed).normal(size=listed.dim)
        for i in range(4):
            x, y = listed.X[i], listed.Y[i]
            assert other.predict(x, w).tolist() == listed.predict(x, w).tolist()
            assert other.separate(x, y, w).tolist() == listed.separate(x, y, w).tolist()


def test_long_sequences_are_not_listed():
    problem = sequences(1, 26, 60)
    problem.X.positions.starts[-1] = 60
    with pytest.raises(ValueError, match="too many outputs to be listed"):
        problem.outputs(problem.X[0]._replace(starts=np.array([0, 60])))
