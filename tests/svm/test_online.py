"""Online solvers against dense loops that follow their definitions."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm import MIRA, Perceptron, Subgradient
from tests.svm.toy import Classes, chains, classes, optimum, primal

PASSES = 4


class Sized(Classes):
    """Outputs of three parts each, for MIRA's margin."""

    def size(self, i):
        return 3


def examples(solver, problem):
    """x and y in the order in which the solver sees them."""
    for pass_ in range(PASSES):
        for i in solver.order(pass_, len(problem)):
            yield problem.X[i], problem.Y[i]


def difference(problem, x, y, y_hat):
    return problem.joint_features(x, y) - problem.joint_features(x, y_hat)


def later_mean(iterates):
    """The average over the later half of the passes."""
    n = len(iterates) // PASSES
    return np.mean(iterates[PASSES // 2 * n:], axis=0)


@pytest.mark.parametrize("problem", [classes(), chains()], ids=["classes", "chains"])
def test_perceptron(problem):
    solver = Perceptron(passes=PASSES, random_state=3)
    w, iterates = np.zeros(problem.dim), []
    for x, y in examples(solver, problem):
        w = w + difference(problem, x, y, problem.predict(x, w))
        iterates.append(w)
    assert_allclose(solver.solve(problem).model.weights(), later_mean(iterates))


def test_first_step_of_mira_by_hand():
    """phi(x, 0) - phi(x, 2) = (1, 2, 0, 0, -1, -2), |.|^2 = 10; the loss is 1."""
    problem = Classes(np.array([[1., 2.]]), [0], 3)
    for C, tau in ((1., 0.1), (0.05, 0.05)):
        solution = MIRA(C=C, passes=1).solve(problem)
        assert_allclose(solution.model.weights(), tau * np.array([1, 2, 0, 0, -1, -2]))
        assert solution.reports[0].slack == 1


@pytest.mark.parametrize("C", [0.01, 1])
@pytest.mark.parametrize("size", [1, 3])
def test_mira(C, size):
    problem = classes()
    if size == 3:
        problem = Sized(problem.X, problem.Y, 3)
    solver = MIRA(C=C, passes=PASSES)
    w, iterates = np.zeros(problem.dim), []
    for x, y in examples(solver, problem):
        y_hat = max(problem.outputs(x), key=lambda y_hat, x=x, y=y, w=w: (
            w @ problem.joint_features(x, y_hat) + size * problem.loss(y, y_hat)))
        a = difference(problem, x, y, y_hat)
        hinge = size * problem.loss(y, y_hat) - w @ a
        if hinge > 0:
            w = w + min(C, hinge / (a @ a)) * a
        iterates.append(w)
    assert_allclose(solver.solve(problem).model.weights(), later_mean(iterates))


@pytest.mark.parametrize("C", [0.1, 10])
@pytest.mark.parametrize("problem", [classes(), chains()], ids=["classes", "chains"])
def test_subgradient(problem, C):
    """Pegasos with lambda = 1 / C: w <- (1 - 1/t) w + C/t * a, averaged by t."""
    solver = Subgradient(C=C, passes=PASSES)
    w = total = np.zeros(problem.dim)
    for t, (x, y) in enumerate(examples(solver, problem), 1):
        a = difference(problem, x, y, problem.separate(x, y, w))
        w = (1 - 1 / t) * w + C / t * a
        total = total + t * w
    steps = PASSES * len(problem)
    assert_allclose(solver.solve(problem).model.weights(),
                    total / (steps * (steps + 1) / 2), atol=1e-12)


def test_subgradient_nears_the_optimum():
    problem = classes()
    best = optimum(problem, 1)
    far, near = (primal(problem, Subgradient(C=1, passes=passes).solve(
        problem).model.weights(), 1) - best for passes in (3, 300))
    assert 0 <= near < far / 10


def test_slack_is_the_mean_hinge_loss_met():
    problem = classes()
    solver = MIRA(C=1e-10, passes=1)        # w stays at nothing
    hinges = [max(problem.loss(y, y_hat) for y_hat in problem.outputs(x))
              for x, y in zip(problem.X, problem.Y)]
    report, = solver.solve(problem).reports
    assert_allclose(report.slack, np.mean(hinges), rtol=1e-6)
