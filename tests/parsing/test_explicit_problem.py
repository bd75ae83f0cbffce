"""The problem of trees with explicit features against all trees."""
import pickle
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.parsing.decoding.decoders import (
    APPROXIMATE,
    EXACT,
    PROJECTIVE,
    REARRANGED,
)
from orange_structpred.parsing.features.edge_scoring import hashed_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.svm.distributed import separate_all
from orange_structpred.svm.planes import chunk_plane
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import TOYS
from tests.parsing.reference import all_trees
from tests.svm.asking import dense, phi
from tests.treebank.toy import CHAIN, CROSSED, TWO_ROOTS, treebank

BITS = 10
GROUPS = ["head", "head-dependent", "in-between"]


def make(sentences=TOYS, decoder=PROJECTIVE, single_root=True, groups=GROUPS):
    return ExplicitProblem(encode(sentences), EdgeFeatures(groups), hashed_indices(BITS),
                           1 << BITS, decoder, single_root)


def model_of(problem, seed=0, scale=0.1):
    model = problem.new_model()
    model.w[:] = scale * np.random.default_rng(seed).normal(size=problem.dim)
    return model


def trees(problem, i):
    found = all_trees(problem.size(i), problem.decoder == PROJECTIVE,
                      problem.single_root)
    return found.astype(np.int32)


SPACES = pytest.mark.parametrize("decoder, single_root", [
    (EXACT, True), (EXACT, False), (PROJECTIVE, True), (PROJECTIVE, False)])


@SPACES
def test_the_four_questions(decoder, single_root):
    problem = make(decoder=decoder, single_root=single_root)
    model = model_of(problem)
    for i in range(len(problem)):
        x, gold = i, problem.gold(i)
        space = trees(problem, i)
        scores = np.array([model.w @ phi(problem, x, y) for y in space])
        losses = np.array([problem.loss(gold, y) for y in space])
        assert_allclose(losses, np.mean(space[:, 1:] != gold[1:], axis=1))
        for found in (problem.predict(x, model.w), problem.best(i, model)):
            assert_allclose(model.w @ phi(problem, x, found), scores.max(),
                            rtol=1e-5)
        for weight in (1., 5.):
            found = problem.most_violated(i, model, weight)
            assert_allclose(
                model.w @ phi(problem, x, found)
                + weight * problem.loss(gold, found),
                (scores + weight * losses).max(), rtol=1e-5)
        np.testing.assert_array_equal(problem.separate(x, gold, model.w),
                                      problem.most_violated(i, model))


def test_a_scaled_model():
    problem, plain = make(), make()
    model, scaled = model_of(problem), model_of(plain)
    scaled.w *= 4
    scaled.factor = 0.25
    for i in range(len(problem)):
        np.testing.assert_array_equal(problem.most_violated(i, model),
                                      problem.most_violated(i, scaled))


@SPACES
def test_hinge_losses(decoder, single_root):
    problem = make(decoder=decoder, single_root=single_root)
    model = model_of(problem)
    outputs, losses, hinges = problem.oracle(0, len(problem), model)
    for i, y_hat in enumerate(outputs):
        assert losses[i] == problem.example_loss(i, y_hat)
        x, gold = i, problem.gold(i)
        best = max(problem.loss(gold, y) + model.w @ phi(problem, x, y)
                   for y in trees(problem, i))
        assert_allclose(hinges[i], best - model.w @ phi(problem, x, gold),
                        atol=1e-5)
        assert_allclose(hinges[i], problem.example_loss(i, y_hat)
                        - model.dot(i, problem.difference(i, y_hat)), atol=1e-5)


def test_gold_trees_that_the_decoder_cannot_build():
    """They are outputs all the same: no hinge loss is below nothing."""
    sentences = treebank([CROSSED, TWO_ROOTS, CHAIN]).sentences
    problem = make(sentences)
    model = model_of(problem, scale=0.)
    for i in range(2):      # far better than all else, by their own features
        model.add(i, problem.joint_features(i, problem.gold(i)), 10.)
    hinges = problem.oracle(0, len(problem), model).hinges
    assert (hinges >= 0).all()
    for i in range(2):
        np.testing.assert_array_equal(problem.most_violated(i, model), problem.gold(i))
        assert not np.array_equal(problem.best(i, model), problem.gold(i))


@pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE, REARRANGED, APPROXIMATE])
def test_any_number_of_threads(decoder):
    problem = make(load_bundled("en").sentences[:200], decoder)
    model = model_of(problem)
    plane, slack = separate_all(problem, model)
    heads = problem.decode_all(model)
    parser = ExplicitModel(problem.features, problem.indices, model.weights())
    for n_jobs in (2, 3, 8):
        again, again_slack = separate_all(problem, model, n_jobs=n_jobs)
        assert again.loss == plane.loss and again_slack == slack
        for old, new in zip(plane.features, again.features):
            assert new.tobytes() == old.tobytes()
        again = parser.heads([None] * len(problem), problem.encoded, decoder, True,
                             n_jobs=n_jobs)
        assert all(map(np.array_equal, again, heads))
    outputs = problem.oracle(60, 80, model).outputs
    for i in (60, 70, 79):
        np.testing.assert_array_equal(outputs[i - 60], problem.most_violated(i, model))
        np.testing.assert_array_equal(heads[i], problem.best(i, model)[1:])


def test_stops_between_chunks():
    problem = make(load_bundled("en").sentences[:300])
    checked = iter([None, None])        # the third time, there is a StopIteration
    model = model_of(problem)
    parser = ExplicitModel(problem.features, problem.indices, model.weights())
    for work in (partial(parser.heads, [None] * len(problem), problem.encoded, PROJECTIVE, True),
                 partial(separate_all, problem, model)):
        with pytest.raises(StopIteration):
            work(check_cancelled=lambda: next(checked))
        assert next(checked, "ended") == "ended"


def test_the_oracle_can_be_pickled():
    """As a process or a worker of a cluster would run it."""
    problem = make(load_bundled("en").sentences[:20])
    model = model_of(problem)
    there = pickle.loads(pickle.dumps((problem, model)))
    here, copy = chunk_plane(problem, 5, 15, model), chunk_plane(there[0], 5, 15, there[1])
    assert here[:2] == copy[:2]
    for old, new in zip(here.features, copy.features):
        assert old.tobytes() == new.tobytes()


def test_differences_of_features():
    problem = make()
    for i in range(len(problem)):
        x, gold = i, problem.gold(i)
        for y in trees(problem, i)[:20]:
            assert_allclose(
                dense(problem, problem.difference(i, y)),
                phi(problem, x, gold) - phi(problem, x, y))


def test_joint_features_are_linear_in_edges():
    problem = make()
    x, gold = 0, problem.gold(0)
    total = sum(dense(problem, problem.part_vector(
        0, problem.parts(0, gold)[d:d + 1], np.ones(1, np.float32)))
        for d in range(len(gold) - 1))
    assert_allclose(phi(problem, x, gold), total)


def test_blocks():
    problem, model = make(), model_of(make())
    blocks = problem.new_blocks()
    random = np.random.default_rng(0)
    for i in range(len(problem)):
        block = blocks.start(i)
        chosen = random.permutation(trees(problem, i))[:5]
        for y in chosen:
            block = blocks.extend(i, block, y)
        assert blocks.extend(i, block, chosen[0].copy()) is block
        assert blocks.extend(i, block, problem.gold(i)) is block
        kept = [problem.gold(i)] + [y for y in chosen if (y != problem.gold(i)).any()]
        for parts, y in zip(block.outputs, kept, strict=True):
            np.testing.assert_array_equal(parts, problem.parts(i, y))
        a = np.array([dense(problem, problem.difference(i, y)) for y in kept])
        assert not a[0].any() and block.losses[0] == 0
        assert_allclose(block.losses, [problem.example_loss(i, y) for y in kept])
        assert_allclose(block.gram, a @ a.T)
        assert_allclose(blocks.violations(i, block, model), block.losses - a @ model.w,
                        atol=1e-5)
        alpha = random.dirichlet(np.ones(len(a)))
        vector, factor = blocks.combination(i, block, alpha, 2.)
        assert_allclose(factor * dense(problem, vector), 2 * alpha @ a, atol=1e-5)


def test_packed_blocks():
    problem = make()
    blocks, keeper = [], problem.new_blocks()
    for i in range(len(problem)):
        block = keeper.start(i)
        for y in trees(problem, i)[:i + 2]:
            block = keeper.extend(i, block, y)
        alpha = np.random.default_rng(i).dirichlet(np.ones(len(block.alpha)))
        blocks.append(block.with_alpha(alpha))
    again = keeper.unpack(keeper.pack(blocks))
    for block, copy in zip(blocks, again, strict=True):
        for old, new in zip(block.outputs, copy.outputs, strict=True):
            np.testing.assert_array_equal(old, new)
        for old, new in zip(block[1:], copy[1:]):
            assert old.tobytes() == new.tobytes()


def test_planes():
    """As the differences of the four methods make them."""
    problem = make()
    outputs = problem.oracle(0, len(problem), model_of(problem)).outputs
    plane, _ = separate_all(problem, model_of(problem))
    expected = sum(phi(problem, i, problem.gold(i))
                   - phi(problem, i, y) for i, y in enumerate(outputs))
    assert_allclose(dense(problem, plane.features), expected / len(problem), atol=1e-6)


def test_fingerprint():
    prints = {make().fingerprint(), make(TOYS[:3]).fingerprint(),
              make(decoder=EXACT).fingerprint(),
              make(single_root=False).fingerprint(),
              make(groups=["head"]).fingerprint(),
              make([TOYS[0].with_heads([0, 1, 2]), *TOYS[1:]]).fingerprint()}
    assert len(prints) == 6
    assert make().fingerprint() == make().fingerprint()
