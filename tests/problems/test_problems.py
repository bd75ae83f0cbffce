"""All problems against lists of their outputs, with all solvers."""
import cvxopt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.errors import InputError
from orange_structpred.problems.multilabel import LabelSetProblem
from orange_structpred.svm import ALL_SOLVERS, MIRA, Perceptron, check_problem
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.steps import OnlineSteps
from orange_structpred.svm.vectors import sparse_vector
from tests.problems.toy import PROBLEMS, RNG, label_sets, menus, sequences, table
from tests.svm.test_n_slack import least
from tests.svm.test_n_slack import objective as objective_of

EACH = pytest.mark.parametrize("name", PROBLEMS)
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

    def get(name, rescaling="margin", penalty="linear", C=C):
        key = name, rescaling, penalty, C
        if key not in kept:
            problem = Listed(PROBLEMS[name]())
            kept[key] = least(problem, C, rescaling, penalty, np.ones(len(problem)))
        return kept[key]

    return get


def value(name, w, rescaling="margin", penalty="linear", C=C):
    problem = Listed(PROBLEMS[name]())
    return objective_of(problem, w, C, rescaling, penalty, np.ones(len(problem)))


@EACH
@pytest.mark.parametrize("solver", [
    name for name, solver in ALL_SOLVERS.items()
    if solver.certificate and name != "weston-watkins"])        # has another objective
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


# Online solvers have no certificate: what is true of them instead

@pytest.mark.parametrize("passes, near", [
    (50, 0.02), pytest.param(10000, 1e-3, marks=pytest.mark.slow)])
@EACH
def test_subgradient_converges(name, passes, near, optima):
    """Its objective falls to that of the others, if not in each step."""
    if name == "menus" and passes > 50:
        pytest.skip("30,000 integer programs take too long")
    C = 0.5
    w = ALL_SOLVERS["subgradient"](C=C, passes=passes).solve(
        PROBLEMS[name]()).model.weights()
    assert -1e-6 <= value(name, w, C=C) / optima(name, C=C) - 1 <= near


@EACH
@pytest.mark.parametrize("C", [0.1, 100])
def test_steps_of_mira_solve_their_program(name, C):
    """min |w' - w|^2 / 2 + C * slack with <w', a> >= loss - slack, for one output."""
    problem = PROBLEMS[name]()
    steps = OnlineSteps(problem, MIRA(C=C))
    limited = 0
    for i in RNG(0).integers(0, len(problem), 15):
        before = steps.model.weights().copy()
        made = steps.step(i)
        vector = problem.difference(i, made.output)
        a = np.zeros(problem.dim)
        np.add.at(a, vector.indices, vector.values)
        P = np.diag(np.append(np.ones(problem.dim), 0.))
        q = np.append(-before, C)
        G = np.array([np.append(-a, -1.), np.append(np.zeros(problem.dim), -1.)])
        h = np.array([-problem.size(i) * made.loss, 0.])
        best = cvxopt.solvers.qp(*map(cvxopt.matrix, (P, q, G, h)), options={
            "show_progress": False, "abstol": 1e-12, "reltol": 1e-12, "feastol": 1e-12})
        assert_allclose(steps.model.weights(), np.array(best["x"]).ravel()[:-1], atol=1e-4)
        # and the output is the most violated one, with the loss times the size
        x, y = problem.X[i], problem.gold(i)
        listed = Listed(problem)
        values = [before @ listed.joint_features(x, other)
                  + problem.size(i) * problem.loss(y, other)
                  for other in problem.outputs(x)]
        assert_allclose(before @ listed.joint_features(x, made.output)
                        + problem.size(i) * problem.loss(y, made.output), max(values))
        limited += np.isclose(made.length, C)
    assert limited or C > 1


@EACH
def test_the_perceptron_separates_what_can_be_separated(name):
    """With at most (R / gamma)^2 mistakes (Novikoff; Collins, 2002)."""
    problem = PROBLEMS[name]()
    teacher = RNG(5).normal(size=problem.dim)
    teacher /= np.linalg.norm(teacher)
    Y = [problem.predict(problem.X[i], teacher) for i in range(len(problem))]
    problem.Y = np.array(Y) if isinstance(problem.Y, np.ndarray) else Y
    gamma, R, separable = np.inf, 0., []
    for i in range(len(problem)):
        wrong = [problem.difference(i, y) for y in problem.outputs(problem.X[i])
                 if problem.example_loss(i, y) > 0]
        margins = [teacher[a.indices] @ a.values for a in wrong]
        if min(margins, default=0.) > 1e-9:     # else two outputs have the same features
            separable.append(i)
            gamma = min(gamma, *margins)
            R = max(R, *(np.linalg.norm(a.values) for a in wrong))
    assert separable
    steps = OnlineSteps(problem, Perceptron())
    mistakes, right = 0, 0
    while right < len(separable):               # a whole pass without a mistake
        for i in separable:
            wrong = steps.step(i).loss > 0
            mistakes, right = mistakes + wrong, 0 if wrong else right + 1
        assert mistakes <= (R / gamma)**2
    for i in separable:
        assert problem.example_loss(i, problem.best(i, steps.model)) == 0


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


def test_losses_of_integer_programs():
    """The thesis, 4.3: (|y| + |y'| - 2 |y and y'|) / (2 |y|), for all outputs."""
    normalized, hamming = menus(), menus(loss="hamming")
    for y in normalized.outputs(None):
        for y_hat in normalized.outputs(None):
            wrong = y.sum() + y_hat.sum() - 2 * np.sum(y & y_hat)
            assert normalized.loss(y, y_hat) == pytest.approx(wrong / (2 * y.sum()))
            assert hamming.loss(y, y_hat) == pytest.approx(wrong / 4)
    nothing = np.zeros(4, int)
    assert normalized.loss(nothing, nothing) == 0
    assert normalized.loss(nothing, nothing + 1) == 2
    with pytest.raises(InputError, match="loss 'f1' is not known; choose from normalized"):
        menus(loss="f1")


@pytest.mark.parametrize("y, message", [
    ([1, 1, 0, 0], "example 1 breaks a constraint of its own"),
    ([1, 0, 1, 1], "example 1 breaks a constraint of its own"),
    ([1, 0, 0], "expected 4 values, 0 or 1"), ([1, 0, 0, 0.5], "expected 4 values, 0 or 1")])
@pytest.mark.parametrize("solver", ["bcfw", "one-slack", "mira"])
def test_outputs_that_break_their_own_constraints(y, message, solver):
    problem = menus()
    problem.Y[1] = np.array(y)
    with pytest.raises(InputError, match=message):
        ALL_SOLVERS[solver]().solve(problem)
    with pytest.raises(InputError, match=f"{message}|do not agree"):
        check_problem(problem)
