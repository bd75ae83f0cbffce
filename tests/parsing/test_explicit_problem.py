"""The problem of trees with explicit features against all trees."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.parsing.decoders import (
    APPROXIMATE,
    EXACT,
    PROJECTIVE,
    REARRANGED,
)
from orange_structpred.parsing.explicit_problem import ExplicitProblem
from orange_structpred.parsing.features import FeatureMap
from orange_structpred.parsing.scoring import hashed_indices
from orange_structpred.svm.problem import Problem
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import TOYS
from tests.parsing.reference import all_trees
from tests.treebank.toy import CHAIN, CROSSED, TWO_ROOTS, treebank

BITS = 10
GROUPS = ["head", "head-dependent", "in-between"]


def make(sentences=TOYS, decoder=PROJECTIVE, single_root=True, groups=GROUPS):
    return ExplicitProblem(encode(sentences), FeatureMap(groups), hashed_indices(BITS),
                           1 << BITS, decoder, single_root)


def model_of(problem, seed=0, scale=0.1):
    model = problem.new_model()
    model.w[:] = scale * np.random.default_rng(seed).normal(size=problem.dim)
    return model


def dense(problem, vector):
    result = np.zeros(problem.dim)
    result[vector.indices] = vector.values
    return result


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
        x, gold = problem.tokens(i), problem.gold(i)
        space = trees(problem, i)
        scores = np.array([model.w @ problem.joint_features(x, y) for y in space])
        losses = np.array([problem.loss(gold, y) for y in space])
        assert_allclose(losses, np.mean(space[:, 1:] != gold[1:], axis=1))
        for found in (problem.predict(x, model.w), problem.best(i, model)):
            assert_allclose(model.w @ problem.joint_features(x, found), scores.max(),
                            rtol=1e-5)
        for weight in (1., 5.):
            found = problem.most_violated(i, model, weight)
            assert_allclose(
                model.w @ problem.joint_features(x, found)
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
    outputs, hinges = problem.all_most_violated(model)
    for i, y_hat in enumerate(problem.each(outputs)):
        x, gold = problem.tokens(i), problem.gold(i)
        best = max(problem.loss(gold, y) + model.w @ problem.joint_features(x, y)
                   for y in trees(problem, i))
        assert_allclose(hinges[i], best - model.w @ problem.joint_features(x, gold),
                        atol=1e-5)
        assert_allclose(hinges[i], problem.example_loss(i, y_hat)
                        - model.dot(i, problem.difference(i, y_hat)), atol=1e-5)


def test_gold_trees_that_the_decoder_cannot_build():
    """They are outputs all the same: no hinge loss is below nothing."""
    sentences = treebank([CROSSED, TWO_ROOTS, CHAIN]).sentences
    problem = make(sentences)
    model = model_of(problem, scale=0.)
    for i in range(2):      # far better than all else, by their own features
        vector = problem.edge_vector(
            i, problem.gold(i)[1:], np.arange(1, problem.size(i) + 1),
            np.ones(problem.size(i), np.float32))
        model.add(i, vector, 10.)
    _, hinges = problem.all_most_violated(model)
    assert (hinges >= 0).all()
    for i in range(2):
        np.testing.assert_array_equal(problem.most_violated(i, model), problem.gold(i))
        assert not np.array_equal(problem.best(i, model), problem.gold(i))


@pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE, REARRANGED, APPROXIMATE])
def test_any_number_of_threads(decoder):
    problem = make(load_bundled("en").sentences[:200], decoder)
    model = model_of(problem)
    outputs, hinges = problem.all_most_violated(model)
    heads, _ = problem.decode_all(model)
    for n_jobs in (2, 3, 8):
        again, again_hinges = problem.all_most_violated(model, n_jobs=n_jobs)
        assert again.tobytes() == outputs.tobytes()
        assert again_hinges.tobytes() == hinges.tobytes()
        assert problem.decode_all(model, n_jobs=n_jobs)[0].tobytes() == heads.tobytes()
    for i in (0, 70, 199):
        np.testing.assert_array_equal(problem.each(outputs)[i],
                                      problem.most_violated(i, model))
        np.testing.assert_array_equal(problem.each(heads)[i], problem.best(i, model))


def test_stops_between_chunks():
    problem = make(load_bundled("en").sentences[:300])
    heads, _ = problem.decode_all(model_of(problem), stop=lambda: True)
    assert (problem.each(heads)[-1] == -1).all()        # was never reached


def test_differences_of_features():
    problem = make()
    for i in range(len(problem)):
        x, gold = problem.tokens(i), problem.gold(i)
        for y in trees(problem, i)[:20]:
            assert_allclose(
                dense(problem, problem.difference(i, y)),
                problem.joint_features(x, gold) - problem.joint_features(x, y))


def test_joint_features_are_linear_in_edges():
    problem = make()
    x, gold = problem.tokens(0), problem.gold(0)
    total = sum(dense(problem, problem.edge_vector(
        0, gold[d:d + 1], np.array([d]), np.ones(1, np.float32)))
        for d in range(1, len(gold)))
    assert_allclose(problem.joint_features(x, gold), total)


def test_blocks():
    problem, model = make(), model_of(make())
    random = np.random.default_rng(0)
    for i in range(len(problem)):
        block = problem.empty_block(i)
        chosen = random.permutation(trees(problem, i))[:5]
        for y in chosen:
            block = problem.extend(i, block, y)
        assert problem.extend(i, block, chosen[0].copy()) is block
        assert problem.extend(i, block, problem.gold(i)) is block
        a = np.array([dense(problem, problem.difference(i, y)) for y in block.outputs])
        assert not a[0].any() and block.losses[0] == 0
        assert_allclose(block.losses,
                        [problem.example_loss(i, y) for y in block.outputs])
        assert_allclose(block.gram, a @ a.T)
        assert_allclose(problem.violations(i, block, model), block.losses - a @ model.w,
                        atol=1e-5)
        alpha = random.dirichlet(np.ones(len(a)))
        assert_allclose(dense(problem, problem.mixture(i, block, alpha)), alpha @ a,
                        atol=1e-5)
        assert not problem.scratch.any()


def test_packed_blocks():
    problem = make()
    blocks = []
    for i in range(len(problem)):
        block = problem.empty_block(i)
        for y in trees(problem, i)[:i + 2]:
            block = problem.extend(i, block, y)
        alpha = np.random.default_rng(i).dirichlet(np.ones(len(block.alpha)))
        blocks.append(block.with_alpha(alpha))
    again = problem.unpack_blocks(problem.pack_blocks(blocks))
    for block, copy in zip(blocks, again, strict=True):
        for old, new in zip(block.outputs, copy.outputs, strict=True):
            np.testing.assert_array_equal(old, new)
        for old, new in zip(block[1:], copy[1:]):
            assert old.tobytes() == new.tobytes()


def test_planes():
    """As the problem's four methods make them."""
    problem = make()
    outputs, _ = problem.all_most_violated(model_of(problem))
    problem.X = [problem.tokens(i) for i in range(len(problem))]
    problem.Y = [problem.gold(i) for i in range(len(problem))]
    plane, plain = problem.plane(outputs), Problem.plane(problem, problem.each(outputs))
    assert_allclose(plane.loss, plain.loss)
    assert_allclose(dense(problem, plane.features), dense(problem, plain.features))


def test_fingerprint():
    prints = {make().fingerprint(), make(TOYS[:3]).fingerprint(),
              make(decoder=EXACT).fingerprint(),
              make(single_root=False).fingerprint(),
              make(groups=["head"]).fingerprint(),
              make([TOYS[0].with_heads([0, 1, 2]), *TOYS[1:]]).fingerprint()}
    assert len(prints) == 6
    assert make().fingerprint() == make().fingerprint()
