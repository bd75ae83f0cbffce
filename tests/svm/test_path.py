"""A path over C reaches what single trainings reach."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm import BCFW, solve_path
from tests.observers import stop_if
from tests.svm.toy import Chains, chains, classes, optimum

CS = [10, 0.1, 1, 0.3, 3]


@pytest.mark.parametrize("problem", [classes(), chains()], ids=["classes", "chains"])
def test_objectives(problem):
    epsilon = 1e-4
    solutions = list(solve_path(problem, CS, epsilon=epsilon, passes=5000))
    assert len(solutions) == len(CS)
    for C, solution in zip(sorted(CS), solutions):
        last = solution.reports[-1]
        assert solution.converged and last.gap <= epsilon
        best = optimum(problem, C)
        assert last.dual <= best + 1e-9 and best <= last.primal + 1e-9
        cold = BCFW(C=C, epsilon=epsilon, passes=5000).solve(problem)
        assert_allclose(last.primal, cold.reports[-1].primal, atol=epsilon * C)


def test_warm_starts_save_oracle_calls():
    problem = chains(20)
    Cs = np.geomspace(0.1, 10, 10)
    options = {"epsilon": 1e-3, "passes": 5000}
    warm = sum(solution.reports[-1].oracle_calls
               for solution in solve_path(problem, Cs, **options))
    cold = sum(BCFW(C=C, **options).solve(problem).reports[-1].oracle_calls
               for C in Cs)
    assert warm < 0.7 * cold


def test_a_model_that_is_good_enough_is_kept():
    """And what is said of it is true: of its primal, by asking the oracle anew."""
    X = chains(20).X
    problem = Chains(X, [tuple(sign % 2 for sign in x) for x in X], 4, 2)
    epsilon = 0.1
    solutions = list(solve_path(problem, [1, 50, 100], epsilon=epsilon, passes=500))
    assert solutions[2].model is solutions[1].model
    last = solutions[2].reports[-1]
    assert last.oracle_calls == 0 and last.certified and last.gap <= epsilon
    hinges = problem.oracle(0, 20, solutions[2].model).hinges
    primal = solutions[2].model.squared_norm() / 2 + 100 * np.mean(hinges)
    assert_allclose(last.primal, primal)
    assert last.dual <= optimum(problem, 100) + 1e-9


def test_a_model_that_has_learned_nothing_is_not_kept():
    """For a small C, that of a still smaller one is within epsilon as well."""
    problem = classes(60)
    first, second = solve_path(problem, [1e-6, 1e-3], epsilon=0.05, passes=500)
    assert second.model is not first.model and second.reports[-1].oracle_calls > 0


def test_stop_ends_the_path():
    solutions = list(solve_path(chains(), CS, stop_if(lambda report: report.end_of_pass)))
    assert len(solutions) == 1 and solutions[0].stopped


def test_solutions_come_as_they_are_ready():
    path = solve_path(chains(), CS, passes=1)
    assert next(path).reports
