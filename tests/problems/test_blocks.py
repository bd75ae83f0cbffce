"""Compiled block-coordinate steps: alpha, weights and checkpoints agree."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.errors import InputError
from orange_structpred.problems.sequences.blocks import chain_products, dual_marginals
from orange_structpred.svm import BCFW, OneSlack
from orange_structpred.svm.blocks import Blocks
from orange_structpred.svm.vectors import sparse_product
from orange_structpred.svm.weighted import WeightedProblem
from tests.observers import stop_if
from tests.problems.toy import PROBLEMS, RNG, sequences

COMPILED = pytest.mark.parametrize("name", [
    "multiclass", "taxonomy", "sequences, errors", "sequences, second order"])


@COMPILED
def test_weights_are_those_of_alpha(name):
    problem = PROBLEMS[name]()
    problem = WeightedProblem(problem, RNG(0).uniform(size=len(problem)))
    keeper, model = problem.new_blocks(), problem.new_model(averaging=True)
    assert type(keeper) is not Blocks
    blocks, rng, step = keeper.start_all(), RNG(1), 0
    gaps = []
    for _ in range(20):
        gaps.append(keeper.visit(blocks, rng.permutation(len(problem)), model, 0.5, step))
        step += len(problem)
    assert gaps[-1] < 0.1 * gaps[0]
    again = problem.new_model()
    keeper.add_all(keeper.unpack(keeper.pack(blocks)), again, 0.5)
    assert_allclose(again.w, model.w, atol=1e-10)
    half = problem.new_model()
    keeper.add_all(keeper.drawn_back(blocks, 0.5), half, 0.5)
    assert_allclose(half.w, 0.5 * model.w, atol=1e-10)
    assert_allclose(keeper.mean_loss(keeper.drawn_back(blocks, 0.5)),
                    0.5 * keeper.mean_loss(blocks))


@COMPILED
def test_resumes(name, tmp_path):
    problem, options = PROBLEMS[name](), {"C": 10, "epsilon": 1e-4, "passes": 500}
    whole = BCFW(**options).solve(problem)
    BCFW(**options, checkpoint=tmp_path / "c.npz").solve(
        problem, stop_if(lambda report: report.end_of_pass and report.pass_ == 2))
    again = BCFW(**options, checkpoint=tmp_path / "c.npz").solve(problem)
    assert again.converged and again.reports[1].pass_ == 2
    assert_allclose(again.model.weights(), whole.model.weights(), atol=1e-2)


@pytest.mark.parametrize("order", [1, 2])
def test_products(order):
    problem = sequences(4, 3, 6, order=order)
    for i in range(len(problem)):
        x, y = problem.X[i], problem.Y[i]
        others = RNG(i).integers(0, 3, (5, len(y))).astype(np.int32)
        found = chain_products(problem.positions, problem.positions.starts[i], y, others[0],
                               others, 3, order, np.zeros(x.n_features))
        wanted = [sparse_product(*problem.difference(i, others[0]),
                                 *problem.difference(i, other)) for other in others]
        assert_allclose(found, wanted, atol=1e-12)


def test_dual_marginals():
    """They are those of a max-margin Markov network: of one distribution, with the dual
    objective and the weights of the solver."""
    problem, C = sequences(6, 3, 5), 5.
    solution = BCFW(C=C, epsilon=1e-4, passes=1000).solve(problem)
    w, losses = np.zeros(problem.dim), []
    emissions, pairs, _ = problem.split(w)
    for i, own in enumerate(dual_marginals(problem, solution)):
        assert (own.labels >= 0).all() and (own.pairs >= 0).all()
        assert_allclose(own.labels.sum(axis=1), 1)
        assert_allclose(own.pairs.sum(axis=2), own.labels[:-1], atol=1e-12)
        assert_allclose(own.pairs.sum(axis=1), own.labels[1:], atol=1e-12)
        true = np.eye(3)[problem.Y[i]]
        rows = problem.positions.matrix[slice(*problem.positions.starts[i:i + 2])]
        emissions += C / 6 * rows.T @ (true - own.labels)
        pairs += C / 6 * (true[:-1].T @ true[1:] - own.pairs.sum(axis=0))
        losses.append(1 - (true * own.labels).sum(axis=1).mean())
    assert_allclose(C * np.mean(losses) - w @ w / 2, solution.reports[-1].dual)
    assert_allclose(w, solution.model.weights(), atol=0.05)
    with pytest.raises(InputError, match="expected one of BCFW for sequences"):
        dual_marginals(problem, OneSlack(C=C).solve(problem))


def test_room_for_more_sequences():
    problem = sequences(3, 3, 6)
    keeper = problem.new_blocks()
    small, large = keeper.start_all(), keeper.start_all()
    for _ in range(3):
        large[0] = keeper._larger(large[0])
    for room in (small, large):
        model = problem.new_model()
        for step in range(40):
            keeper.visit(room, range(3), model, 10., step)
        assert len(room[0].labels) >= room[0].sizes.max()
    assert_allclose(*(keeper.mean_loss(room) for room in (small, large)))
