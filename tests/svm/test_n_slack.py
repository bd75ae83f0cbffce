"""All formulations of the paper against programs over all outputs."""
import cvxopt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.errors import InputError
from orange_structpred.svm import ALL_SOLVERS, NSlack, OneSlack, SampledCuts
from orange_structpred.svm.weighted import WeightedProblem
from tests.observers import stop_if
from tests.svm.toy import chains, classes, constraints, optimum, primal

PROBLEMS = {"classes": classes(), "chains": chains()}
FORMULATIONS = pytest.mark.parametrize("rescaling, penalty", [
    (rescaling, penalty) for rescaling in ("margin", "slack")
    for penalty in ("linear", "quadratic")])


def objective(problem, w, C, rescaling, penalty, weights):
    """By the slacks of propositions 1 and 2, from all outputs."""
    slack = np.zeros(len(problem))
    for i, a, loss in constraints(problem):
        loss = loss**0.5 if penalty == "quadratic" else loss
        value = loss - w @ a if rescaling == "margin" else loss * (1 - w @ a)
        slack[i] = max(slack[i], value)
    powers = slack if penalty == "linear" else slack**2 / 2
    return w @ w / 2 + C * np.average(powers, weights=weights)


def least(problem, C, rescaling, penalty, weights):
    """The optimum by a program over w and slacks, a row for each output."""
    rows = list(constraints(problem))
    n, dim = len(problem), problem.dim
    P, q = np.zeros((dim + n, dim + n)), np.zeros(dim + n)
    P[:dim, :dim] = np.eye(dim)
    costs = C * weights / weights.sum()
    if penalty == "linear":
        q[dim:] = costs
    else:
        P[dim:, dim:] = np.diag(costs)
    G, h = np.zeros((len(rows) + n, dim + n)), np.zeros(len(rows) + n)
    G[len(rows):, dim:] = -np.eye(n)
    for row, (i, a, loss) in enumerate(rows):
        if loss > 0:
            loss = loss**0.5 if penalty == "quadratic" else loss
            margin, scale = (loss, 1) if rescaling == "margin" else (1, loss)
            G[row, :dim], G[row, dim + i], h[row] = -a, -1 / scale, -margin
    options = {"show_progress": False, "abstol": 1e-12, "reltol": 1e-12, "feastol": 1e-12}
    solution = cvxopt.solvers.qp(*map(cvxopt.matrix, (P, q, G, h)), options=options)
    w = np.array(solution["x"]).ravel()[:dim]
    return objective(problem, w, C, rescaling, penalty, weights)


@FORMULATIONS
@pytest.mark.parametrize("C", [0.1, 10])
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("weighted", [False, True])
def test_optimum(name, C, rescaling, penalty, weighted):
    problem = PROBLEMS[name]
    weights = np.ones(len(problem))
    if weighted:
        weights[:3] = 3, 0, 0.5
    solution = NSlack(C=C, epsilon=1e-6, passes=1000, rescaling=rescaling, penalty=penalty
                      ).solve(WeightedProblem(problem, weights) if weighted else problem)
    assert solution.converged
    best = least(problem, C, rescaling, penalty, weights)
    value = objective(problem, solution.model.weights(), C, rescaling, penalty, weights)
    assert_allclose(value, best, rtol=1e-5, atol=1e-5)
    last = solution.reports[-1]
    assert last.certified
    assert_allclose(last.primal, value, rtol=1e-6, atol=1e-6)
    assert last.dual <= best + 1e-6 * max(1, C)
    if not weighted and (rescaling, penalty) == ("margin", "linear"):
        assert_allclose(best, optimum(problem, C), rtol=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("sample", [0.01, 0.3, 1])
def test_sampled_cuts(name, sample, weighted):
    problem = PROBLEMS[name]
    weights = np.ones(len(problem))
    if weighted:
        weights[:3] = 3, 0, 0.5
        problem = WeightedProblem(problem, weights)
    solution = SampledCuts(C=10, epsilon=1e-5, passes=10000, sample=sample).solve(problem)
    assert solution.converged
    value = objective(PROBLEMS[name], solution.model.weights(), 10, "margin", "linear",
                      weights)
    assert_allclose(value, least(PROBLEMS[name], 10, "margin", "linear", weights),
                    atol=1e-4)


def test_samples_ask_the_oracle_less():
    problem = chains(80, 1)
    full = OneSlack(C=10, epsilon=0.001, passes=1000).solve(problem)
    sampled = SampledCuts(C=10, epsilon=0.001, passes=1000).solve(problem)
    assert sampled.converged
    assert sampled.reports[-1].oracle_calls < full.reports[-1].oracle_calls
    assert_allclose(primal(problem, sampled.model.weights(), 10),
                    primal(problem, full.model.weights(), 10), atol=0.02)


@pytest.mark.parametrize("name", ["bcfw", "one-slack", "n-slack", "sampled-cuts"])
def test_start(name):
    """A solution is where another C can begin."""
    problem = chains()
    options = {"epsilon": 1e-5, "passes": 10000}
    first = ALL_SOLVERS[name](C=5, **options).solve(problem)
    for C in (2, 5, 10):
        cold = ALL_SOLVERS[name](C=C, **options).solve(problem)
        warm = ALL_SOLVERS[name](C=C, **options).solve(problem, start=first)
        assert_allclose(warm.reports[-1].primal, cold.reports[-1].primal, atol=2e-5 * C)
    again = ALL_SOLVERS[name](C=5, **options).solve(problem, start=first)
    assert len(again.reports) == 1 < len(first.reports)


@pytest.mark.parametrize("name", ["n-slack", "sampled-cuts"])
def test_resumes(name, tmp_path):
    problem, options = chains(), {"C": 10, "epsilon": 1e-5}
    whole = ALL_SOLVERS[name](passes=1000, **options).solve(problem)
    ALL_SOLVERS[name](passes=1000, checkpoint=tmp_path / "c.npz", **options).solve(
        problem, stop_if(lambda report: report.end_of_pass and report.pass_ == 3))
    again = ALL_SOLVERS[name](passes=1000, checkpoint=tmp_path / "c.npz", **options).solve(
        problem)
    assert again.converged and again.reports[2].pass_ == 3
    assert_allclose(again.reports[-1].primal, whole.reports[-1].primal, atol=1e-4)


def test_certificate_at_the_end(monkeypatch):
    monkeypatch.setattr("orange_structpred.svm.n_slack.EXAMPLES_AT_ONCE", 4)
    problem = chains()
    solution = NSlack(C=10, epsilon=1e-9, passes=2).solve(problem)
    assert not solution.converged and solution.reports[-1].certified
    assert_allclose(solution.reports[-1].primal,
                    primal(problem, solution.model.weights(), 10))
    solution = NSlack(C=10, epsilon=1e-5, passes=300).solve(problem)
    assert solution.converged
    assert_allclose(solution.reports[-1].primal, optimum(problem, 10), atol=1e-4)


@pytest.mark.parametrize("solver, message", [
    (NSlack(rescaling="both"), "rescaling 'both' is not known; choose from margin, slack"),
    (NSlack(penalty="cubic"), "penalty 'cubic' is not known"),
    (SampledCuts(sample=0), "sample must be a number above 0, 1 at most")])
def test_bad_options(solver, message):
    with pytest.raises(InputError, match=message):
        solver.solve(classes())


def test_a_start_of_another_formulation():
    """Their margins and scales would be those of another program."""
    problem = classes()
    start = NSlack(C=10).solve(problem)
    assert NSlack(C=20).solve(problem, start=start).converged
    for options in ({"rescaling": "slack"}, {"penalty": "quadratic"}):
        with pytest.raises(InputError, match="start from one of the same solver with the same"):
            NSlack(**options).solve(problem, start=start)
