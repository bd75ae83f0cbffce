"""A slack for each wrong output, against programs over all of them."""
import cvxopt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.errors import InputError
from orange_structpred.problems import MulticlassSVM
from orange_structpred.svm import WestonWatkins
from orange_structpred.svm.weighted import WeightedProblem
from tests.observers import stop_if
from tests.svm.test_n_slack import FORMULATIONS
from tests.svm.toy import chains, classes, constraints

PROBLEMS = {"classes": classes(8), "chains": chains(4)}


def least(problem, C, rescaling, penalty, weights):
    """The optimum by a program over w and a slack for each output."""
    rows = [(i, a, loss**0.5 if penalty == "quadratic" else loss)
            for i, a, loss in constraints(problem) if loss > 0]
    dim, size = problem.dim, len(rows)
    P, q = np.zeros((dim + size, dim + size)), np.zeros(dim + size)
    P[:dim, :dim] = np.eye(dim)
    costs = np.array([C * weights[i] / weights.sum() for i, *_ in rows])
    if penalty == "linear":
        q[dim:] = costs
    else:
        P[dim:, dim:] = np.diag(costs)
    G, h = np.zeros((2 * size, dim + size)), np.zeros(2 * size)
    G[size:, dim:] = -np.eye(size)
    for k, (_, a, loss) in enumerate(rows):
        margin, scale = (loss, 1) if rescaling == "margin" else (1, loss)
        G[k, :dim], G[k, dim + k], h[k] = -a, -1 / scale, -margin
    options = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11}
    solution = cvxopt.solvers.qp(*map(cvxopt.matrix, (P, q, G, h)), options=options)
    return solution["primal objective"]


@FORMULATIONS
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("weighted", [False, True])
def test_optimum(name, rescaling, penalty, weighted):
    problem, C = PROBLEMS[name], 3.
    weights = np.ones(len(problem))
    if weighted:
        weights[:3] = 3, 0, 0.5
    solution = WestonWatkins(
        C=C, epsilon=1e-7, passes=20000, rescaling=rescaling, penalty=penalty
    ).solve(WeightedProblem(problem, weights) if weighted else problem)
    assert solution.converged
    best = least(problem, C, rescaling, penalty, weights)
    last = solution.reports[-1]
    assert_allclose([last.primal, last.dual], best, rtol=1e-5)
    assert_allclose(last.norm, np.linalg.norm(solution.model.weights()))


def test_starts_and_resumes(tmp_path):
    problem, options = PROBLEMS["chains"], {"epsilon": 1e-5, "passes": 5000}
    whole = WestonWatkins(C=3, **options).solve(problem)
    other = WestonWatkins(C=1, **options).solve(problem)
    warm = WestonWatkins(C=3, **options).solve(problem, start=other)
    assert_allclose(warm.reports[-1].primal, whole.reports[-1].primal, atol=1e-4)
    assert len(WestonWatkins(C=3, **options).solve(problem, start=whole).reports) == 1
    with pytest.raises(InputError, match="only from a solution for the same examples"):
        WestonWatkins(C=3).solve(PROBLEMS["classes"], start=whole)
    solver = WestonWatkins(C=3, checkpoint=tmp_path / "c.npz", **options)
    solver.solve(problem, stop_if(lambda report: report.end_of_pass and report.pass_ == 3))
    assert_allclose(solver.solve(problem).model.weights(), whole.model.weights(), atol=1e-12)


def test_estimator(monkeypatch):
    """With two classes there is one wrong output, so that both formulations agree."""
    random = np.random.default_rng(0)
    X = random.normal(size=(30, 3))
    y = np.where(X @ [1, -1, 0.5] + 0.3 * random.normal(size=30) > 0, "b", "a")
    one, other = (MulticlassSVM(C=10, tol=1e-6, max_iter=5000, solver=solver).fit(X, y)
                  for solver in ("weston-watkins", "n-slack"))
    assert_allclose(one.coef_, other.coef_, atol=1e-3)
    monkeypatch.setattr("orange_structpred.svm.weston_watkins.MOST_CONSTRAINTS", 20)
    with pytest.raises(InputError, match="more than 20 wrong outputs"):
        MulticlassSVM(solver="weston-watkins").fit(X, y)
