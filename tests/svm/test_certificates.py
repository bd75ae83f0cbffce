"""Solvers with a certificate against the true optimum."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.errors import InputError
from orange_structpred.svm import BCFW, MIRA, NSlack, OneSlack, Perceptron, SampledCuts
from tests.svm.toy import Classes, Reachable, chains, classes, optimum, primal

SOLVERS = pytest.mark.parametrize("solver", [BCFW, OneSlack])
PROBLEMS = {"classes": classes(), "chains": chains()}


@SOLVERS
@pytest.mark.parametrize("C", [0.01, 0.1, 1, 10])
@pytest.mark.parametrize("name", PROBLEMS)
def test_optimum(solver, name, C):
    problem, epsilon = PROBLEMS[name], 1e-5
    best = optimum(problem, C)
    solution = solver(C=C, epsilon=epsilon, passes=10000).solve(problem)
    assert solution.converged and not solution.stopped
    last = solution.reports[-1]
    assert last.certified and last.gap <= epsilon
    assert_allclose(last.gap, (last.primal - last.dual) / C, atol=1e-12)
    # the model that is returned is the one of the certificate
    value = primal(problem, solution.model.weights(), C)
    assert_allclose(value, last.primal, rtol=1e-9)
    # and the certificate holds: dual <= optimum <= primal
    assert best <= value + 1e-9 * C and value - best <= epsilon * C
    for report in solution.reports:
        if report.certified:
            assert report.dual <= best + 1e-9 * C <= report.primal + 2e-9 * C
    assert_allclose(last.norm, np.linalg.norm(solution.model.weights()))
    assert_allclose(last.primal, last.norm**2 / 2 + C * last.slack)


@pytest.mark.parametrize("solver", [OneSlack, SampledCuts, NSlack])
@pytest.mark.parametrize("C", [1e-10, 1e-4, 1e6, 1e8, 1e10])
@pytest.mark.parametrize("name", PROBLEMS)
def test_any_C(solver, name, C):
    """Examples that cannot be separated, so that alpha is as large as C."""
    problem, epsilon = PROBLEMS[name], 0.01
    solution = solver(C=C, epsilon=epsilon, passes=200).solve(problem)
    assert solution.converged
    value = primal(problem, solution.model.weights(), C) / C
    assert_allclose(value, solution.reports[-1].primal / C, rtol=1e-6)
    nothing = primal(problem, np.zeros(problem.dim), C) / C
    assert value <= nothing + 1e-9
    assert value - solution.reports[-1].dual / C <= epsilon + 1e-6


def test_constraints_that_rounding_violates_are_not_added_again():
    random = np.random.default_rng(0)
    problem = Classes(1000 * random.normal(size=(40, 3)), random.integers(0, 3, 40), 3)
    solution = NSlack(C=1e10, passes=200).solve(problem)
    assert len(solution.dual_state.planes) <= 2 * len(problem)
    assert not solution.converged and len(solution.reports) < 200


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("solver", [OneSlack, NSlack])
def test_too_large_to_compute_with(solver):
    problem = Classes(1e150 * np.eye(3), [0, 1, 2], 3)
    with pytest.raises(InputError, match="use a smaller C"):
        solver(C=1e10, passes=5).solve(problem)


@SOLVERS
def test_dual_never_falls(solver):
    reports = solver(C=10, epsilon=1e-4, passes=100).solve(chains()).reports
    duals = [report.dual for report in reports]
    assert len(duals) > 3 and np.all(np.diff(duals) >= -1e-9)


@SOLVERS
def test_ends_after_its_passes_with_a_certificate(solver):
    problem = chains()
    solution = solver(C=10, epsilon=1e-9, passes=2).solve(problem)
    assert not solution.converged
    assert [report.pass_ for report in solution.reports] == [1, 2]
    last = solution.reports[-1]
    assert last.certified
    assert_allclose(primal(problem, solution.model.weights(), 10), last.primal)


@SOLVERS
def test_nothing_to_learn(solver):
    """A problem whose only output is the true one has w = 0 as its optimum."""
    problem = Classes(np.ones((3, 2)), [0, 0, 0], 2)
    problem.outputs = lambda x: [0]
    solution = solver(C=1).solve(problem)
    assert solution.converged and not solution.model.weights().any()
    assert solution.reports[-1].gap == solution.reports[-1].loss == 0


@SOLVERS
def test_contradicting_examples(solver):
    """The same point in two classes: nothing helps, w = 0 and all of the slack."""
    problem = Classes(np.ones((2, 1)), [0, 1], 2)
    solution = solver(C=100, epsilon=1e-6, passes=100).solve(problem)
    assert solution.converged
    assert_allclose(solution.model.weights(), 0, atol=1e-3)
    assert_allclose(solution.reports[-1].primal, 100, atol=1e-4)


@pytest.mark.parametrize("solver", [BCFW, OneSlack, SampledCuts, NSlack])
@pytest.mark.parametrize("C", [0.1, 10])
def test_true_outputs_that_the_oracle_never_returns(solver, C):
    """They are outputs, too: no hinge loss is below 0, and the certificate holds."""
    whole = classes(15)
    problem = Reachable(3 * whole.X, whole.Y, 3)
    best = optimum(problem, C)
    solution = solver(C=C, epsilon=1e-4, passes=10000).solve(problem)
    assert solution.converged
    value = primal(problem, solution.model.weights(), C)
    assert_allclose(solution.reports[-1].primal, value, rtol=1e-9)
    assert best <= value + 1e-9 * C and value - best <= 1.1e-4 * C
    for report in solution.reports:
        if report.certified:
            assert report.slack >= 0 and report.dual <= best + 1e-7 * C


@pytest.mark.parametrize("solver", [MIRA, Perceptron])
def test_slack_of_online_solvers_is_never_negative(solver):
    problem = Reachable(np.eye(3), [2, 2, 2], 3)
    assert all(report.slack >= 0 for report in solver(passes=5).solve(problem).reports)
