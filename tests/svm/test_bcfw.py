"""Blocks of dual variables and the alpha of their outputs."""
import cvxopt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm import BCFW
from orange_structpred.svm.alpha import best_alpha
from tests.svm.toy import chains, classes


def dual(gram, violations, change, scale):
    """How much a change of alpha raises the dual, divided by C / n."""
    return violations @ change - scale * change @ gram @ change / 2


def best_change(gram, violations, alpha, scale):
    """The same by a quadratic program over the simplex."""
    size = len(alpha)
    solution = cvxopt.solvers.qp(
        cvxopt.matrix(scale * gram),
        cvxopt.matrix(-(violations + scale * gram @ alpha)),
        cvxopt.matrix(-np.eye(size)), cvxopt.matrix(np.zeros(size)),
        cvxopt.matrix(np.ones((1, size))), cvxopt.matrix(np.ones(1)),
        options={"show_progress": False})
    return np.array(solution["x"]).ravel() - alpha


@pytest.mark.parametrize("scale", [1e-3, 0.1, 10.])
@pytest.mark.parametrize("seed", range(5))
def test_best_shares(scale, seed):
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(6, 8))
    vectors[0] = 0                              # the true output
    gram, violations = vectors @ vectors.T, random.normal(size=6)
    alpha = random.dirichlet(np.ones(6)) * (random.uniform(size=6) < 0.7)
    alpha /= alpha.sum()
    found = best_alpha(gram, violations, alpha, scale)
    assert found.min() >= 0
    assert_allclose(found.sum(), 1)
    best = dual(gram, violations, best_change(gram, violations, alpha, scale), scale)
    assert dual(gram, violations, found - alpha, scale) >= 0.98 * best


def test_alpha_at_the_optimum_stay():
    gram = np.diag([0., 1., 1.])
    alpha = np.array([0.2, 0.5, 0.3])
    assert_allclose(best_alpha(gram, np.zeros(3), alpha, 1.), alpha)


def test_one_step_of_two_outputs_is_a_line_search():
    """gamma = (violation of the new one) / (scale * |a|^2), at most 1."""
    gram = np.diag([0., 4.])
    for violation, gamma in ((0.2, 0.1), (8., 1.)):
        assert_allclose(
            best_alpha(gram, np.array([0., violation]), np.array([1., 0.]), 0.5),
            [1 - gamma, gamma])


@pytest.mark.parametrize("problem", [classes(), chains()], ids=["classes", "chains"])
def test_blocks_and_model_agree(problem):
    """w = C/n * sum of the combinations, and a block knows its outputs."""
    C = 5
    solution = BCFW(C=C, epsilon=1e-3, passes=100).solve(problem)
    w = np.zeros(problem.dim)
    for i, block in enumerate(solution.dual_state.blocks):
        assert_allclose(block.alpha.sum(), 1)
        assert block.alpha.min() >= 0 and block.losses[0] == 0
        assert np.all(block.alpha[1:] > 0)     # others are forgotten
        dense = np.zeros((len(block.outputs), problem.dim))
        for row, output in zip(dense, block.outputs):
            row[output.indices] = output.values
        assert_allclose(block.gram, dense @ dense.T, atol=1e-12)
        assert not dense[0].any()
        assert len(np.unique(np.column_stack([dense, block.losses]), axis=0)) \
            == len(dense)
        model = problem.new_model()
        model.add(i, *problem.new_blocks().combination(i, block, block.alpha, 1.))
        assert_allclose(model.w, block.alpha @ dense)
        w += C / len(problem) * model.w
    loss = np.mean([block.loss for block in solution.dual_state.blocks])
    assert_allclose(solution.reports[-1].dual, C * loss - w @ w / 2)


@pytest.mark.parametrize("problem", [classes(), chains()], ids=["classes", "chains"])
def test_packed_blocks(problem):
    blocks = BCFW(C=5, passes=5).solve(problem).dual_state.blocks
    again = problem.new_blocks().unpack(problem.new_blocks().pack(blocks))
    assert len(again) == len(blocks)
    for block, copy in zip(blocks, again):
        assert copy.losses.tolist() == block.losses.tolist()
        assert copy.alpha.tolist() == block.alpha.tolist()
        assert copy.gram.tolist() == block.gram.tolist()
        assert [[part.tolist() for part in output] for output in copy.outputs] \
            == [[part.tolist() for part in output] for output in block.outputs]
