"""The dual program of the cutting planes."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm import OneSlack, SampledCuts, one_slack
from orange_structpred.svm.one_slack import solve_dual
from tests.svm.toy import Classes, chains, classes, primal


@pytest.mark.parametrize("C", [1e-4, 1., 1e4, 1e10])
def test_dual_of_one_plane(C):
    """max alpha * loss - alpha^2 * h / 2 has alpha = loss / h, at most C."""
    alpha = solve_dual(np.array([[4.]]), np.array([0.8]), C)
    assert_allclose(alpha, [min(C, 0.2)], rtol=1e-6)


def test_dual_of_two_planes():
    """The better of two equal planes with different losses gets it all."""
    alpha = solve_dual(np.ones((2, 2)), np.array([0.5, 0.4]), 1.)
    assert_allclose(alpha, [0.5, 0], atol=1e-6)


@pytest.mark.parametrize("C", [1e-3, 1., 1e3])
def test_dual_is_feasible_and_optimal(C):
    random = np.random.default_rng(0)
    planes = random.normal(size=(8, 4))
    H, loss = planes @ planes.T, random.uniform(0, 1, 8)
    alpha = solve_dual(H, loss, C)
    assert alpha.min() >= 0 and alpha.sum() <= C * (1 + 1e-12)
    gradient = loss - H @ alpha
    # at the optimum no share can be moved with gain: to a plane, or to nothing
    assert max(gradient.max(), 0) * C <= alpha @ gradient + 1e-6 * C


@pytest.mark.parametrize("solver", [OneSlack, SampledCuts])
def test_large_C(solver):
    """Examples that can be separated: from some C on, the solution stays the same."""
    duals, Y = [], np.arange(15) % 3
    points = np.random.default_rng(0).normal(0, 0.2, (15, 3)) + np.eye(3)[Y]
    for C in (1e4, 1e10):
        solution = solver(C=C, epsilon=1e-3, passes=500).solve(Classes(points, Y, 3))
        assert solution.converged
        duals.append(solution.reports[-1].dual)
    assert_allclose(*duals, rtol=0.02)


def test_planes_out_of_use_are_dropped(monkeypatch):
    problem = chains()
    sizes = []
    monkeypatch.setattr(one_slack, "UNUSED", 2)
    monkeypatch.setattr(one_slack, "solve_dual", lambda H, loss, C: (
        sizes.append(len(loss)), solve_dual(H, loss, C))[1])
    solution = OneSlack(C=100, epsilon=1e-4, passes=500).solve(problem)
    monkeypatch.undo()
    assert solution.converged and max(sizes) < len(solution.reports) - 2
    whole = OneSlack(C=100, epsilon=1e-4, passes=500).solve(problem)
    assert_allclose(solution.reports[-1].primal, whole.reports[-1].primal, rtol=1e-4)


def test_primal_of_the_reports_never_rises():
    """From the second on: the first is about w = 0."""
    reports = OneSlack(C=10, epsilon=1e-5, passes=500).solve(chains()).reports
    assert len(reports) > 5
    assert np.all(np.diff([report.primal for report in reports[1:-1]]) <= 0)


@pytest.mark.parametrize("solver", [OneSlack, SampledCuts])
@pytest.mark.parametrize("C", [1e-3, 0.01, 0.1, 1])
def test_the_latest_model_within_epsilon_is_returned(solver, C):
    """w = 0 is within epsilon for a small C, but has learned nothing (Algorithm 2)."""
    problem, epsilon = classes(60), 0.05
    solution = solver(C=C, epsilon=epsilon, passes=200).solve(problem)
    w, last = solution.model.weights(), solution.reports[-1]
    assert solution.converged and last.gap <= epsilon and w.any()
    assert_allclose(last.primal, primal(problem, w, C))
    # it is the model of all planes
    assert_allclose(w, problem.new_planes().combine(
        solution.dual_state.alpha, solution.dual_state.planes).weights())
    correct = [problem.predict(x, w) == y for x, y in zip(problem.X, problem.Y)]
    assert np.mean(correct) > 0.5


def test_a_warm_start_returns_its_own_model():
    problem = classes(60)
    start = OneSlack(C=1e-4, epsilon=0.05).solve(problem)
    for C in (1e-3, 1e-4):
        solution = OneSlack(C=C, epsilon=0.05, passes=200).solve(problem, start=start)
        assert solution.converged and solution.model.weights().any()
        assert_allclose(primal(problem, solution.model.weights(), C),
                        solution.reports[-1].primal)
    assert len(start.dual_state.planes) == len(start.dual_state.alpha)


def test_the_start_is_not_the_best_of_the_rounds():
    """Two rounds with a large C: the objective of the second is higher than that of
    w = 0, which is not what anyone wants to have learned."""
    solution = OneSlack(C=10, epsilon=1e-6, passes=2).solve(chains(15))
    assert not solution.converged and solution.model.weights().any()
    assert solution.reports[1].primal > solution.reports[0].primal
