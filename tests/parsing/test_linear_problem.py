"""Models with weights for each hash value and input feature, against the index."""
import numpy as np
import pytest

from orange_structpred.kernels import Nystroem, make_kernel
from orange_structpred.parsing.decoding.decoders import EXACT, PROJECTIVE
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.parsing.kernel.linear_problem import (
    MAX_LINEAR_BITS,
    LinearProblem,
    input_features,
    own_linear_scores,
    weight_bits,
)
from orange_structpred.svm import BCFW, CheckpointError, OneSlack
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import (
    HASH,
    TOYS,
    gold_minus,
    hinge,
    joint,
    make_problem,
    phi,
    scores,
    tree,
    tree_score,
)
from tests.parsing.reference import all_trees
from tests.svm.asking import dense

C = 3.
WEIGHTS = [1., 2.]


def make_linear(sentences=TOYS, kernel="bow", weights=WEIGHTS, decoder=PROJECTIVE,
                dim=None, **params):
    encoded = encode(sentences)
    hashed, known = hash_edges(sentences, encoded, HashFunctions(HASH, weights))
    features = (make_kernel(kernel, **params) if isinstance(kernel, str) else kernel
                ).feature_map(sentences)
    return LinearProblem(
        encoded, hashed, len(known), input_features(features(sentences)),
        features.n_features, decoder, dim=dim)


def flat_tree(x):
    """All tokens below the root."""
    return np.append(-1, np.zeros(len(x), int)).astype(np.int32)


def edge_scores(problem, i, w):
    """Scores of all edges, from those of the own values."""
    own = own_linear_scores(problem.hashed, i, w, problem.z, problem.n_features,
                            problem.crowded)
    n = problem.size(i) + 1
    found = np.zeros((n, n))
    for head in range(n):
        for dependent in range(1, n):
            edge = problem.hashed.symbols[i] + dependent * n + head
            first = problem.hashed.values[i]
            found[head, dependent] = own[problem.hashed.local[
                first + problem.hashed.starts[edge]:
                first + problem.hashed.starts[edge + 1]]].sum()
    return found


@pytest.mark.parametrize("kernel, params", [
    ("constant", {}), ("constant", {"value": 4.}), ("bow", {}),
    ("bow", {"normalized": True}), ("constant+bow", {"normalized": True})])
def test_weights_score_as_the_kernel_does(kernel, params):
    problem = make_linear(kernel=kernel, **params)
    assert not problem.crowded
    gram = make_kernel(kernel, **params).gram(TOYS)
    random = np.random.default_rng(0)
    model = problem.new_model()
    parts = [phi(x, []) for x in TOYS]
    for i in random.integers(len(TOYS), size=20):
        trees = all_trees(len(TOYS[i]), False, True)
        heads = trees[random.integers(len(trees))].astype(np.int32)
        part = phi(TOYS[i], gold_minus(TOYS[i], heads), HASH, WEIGHTS)
        delta = problem.difference(i, heads)
        np.testing.assert_allclose(
            model.squared_norm_of(i, delta),
            gram[i, i] * sum(v * v for v in part.values()), rtol=1e-4)
        scale = random.normal()
        model.add(i, delta, scale)
        for name, value in part.items():
            parts[i][name] += scale * value
    np.testing.assert_allclose(model.squared_norm(), joint(gram, parts, parts),
                               rtol=1e-4)
    hinges = problem.oracle(0, len(problem), model).hinges
    for i, x in enumerate(TOYS):
        expected = scores(gram[i], parts, x, HASH, WEIGHTS)
        np.testing.assert_allclose(edge_scores(problem, i, model.w), expected,
                                   rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(hinges[i], hinge(expected, tree(x)), atol=1e-3)
        found = problem.best(i, model)
        np.testing.assert_allclose(tree_score(expected, found), max(
            tree_score(expected, heads) for heads in all_trees(len(x), True, True)),
            atol=1e-3)


@pytest.mark.parametrize("kernel", ["constant", "bow"])
def test_linear_and_index_form_are_the_same_model(kernel):
    linear = make_linear(kernel=kernel)
    index, _ = make_problem(weights=WEIGHTS, kernel=kernel)
    for solver, digits in ((OneSlack(C=C, epsilon=1e-5, passes=200), 1e-4),
                           (BCFW(C=C, epsilon=1e-9, passes=100), 1e-4)):
        a, b = solver.solve(linear), solver.solve(index)
        np.testing.assert_allclose(
            [(r.primal, r.dual) for r in a.reports[-1:]],
            [(r.primal, r.dual) for r in b.reports[-1:]], rtol=digits)
        for i in range(len(TOYS)):
            heads = flat_tree(TOYS[i])
            np.testing.assert_allclose(
                a.model.dot(i, linear.difference(i, heads)),
                b.model.dot(i, index.difference(i, heads)), atol=1e-3)


def test_landmarks_for_all_sentences_are_the_kernel_itself():
    linear = make_linear(kernel=Nystroem(make_kernel("ngram"), landmarks=len(TOYS)))
    index, _ = make_problem(weights=WEIGHTS, kernel="ngram")
    a, b = (OneSlack(C=C, epsilon=1e-5, passes=200).solve(problem)
            for problem in (linear, index))
    np.testing.assert_allclose(a.reports[-1].primal, b.reports[-1].primal, atol=1e-4)


def test_joint_features_are_a_product():
    problem = make_linear()
    gram = make_kernel("bow").gram(TOYS)
    vectors = [dense(problem, problem.joint_features(i, tree(x))) for i, x in enumerate(TOYS)]
    parts = [phi(x, [((h, d), 1.) for d, h in enumerate(tree(x)) if d], HASH, WEIGHTS)
             for x in TOYS]
    for i in range(len(TOYS)):
        for j in range(len(TOYS)):
            np.testing.assert_allclose(vectors[i] @ vectors[j], gram[i, j] * sum(
                value * parts[j][name] for name, value in parts[i].items()), rtol=1e-4)


def test_weights_share_places_where_there_are_too_many():
    assert weight_bits(3, 4) == 10
    assert weight_bits(1000, 1000) == 20
    assert weight_bits(10**6, 10**4) == MAX_LINEAR_BITS
    problem = make_linear(dim=256)
    assert problem.crowded
    solution = BCFW(C=C, epsilon=1e-9, passes=60).solve(problem)
    assert solution.reports[-1].loss < solution.reports[0].loss + 1e-9 < 0.6
    assert solution.model.w.size == 256
    assert np.count_nonzero(solution.model.w) > 100
    # certificates hold for what is really computed
    assert solution.reports[-1].dual <= solution.reports[-1].primal
    for i, x in enumerate(TOYS):
        found = edge_scores(problem, i, solution.model.w)
        heads = flat_tree(x)
        np.testing.assert_allclose(
            solution.model.dot(i, problem.difference(i, heads)),
            tree_score(found, tree(x)) - tree_score(found, heads), atol=1e-4)


def test_threads_change_nothing():
    many = TOYS * 20
    found = [BCFW(C=C, passes=3, n_jobs=n_jobs).solve(make_linear(many))
             for n_jobs in (1, 1, 2)]
    for other in found[1:]:
        np.testing.assert_array_equal(other.model.w, found[0].model.w)
        assert other.reports[-1].primal == found[0].reports[-1].primal


def test_a_checkpoint_of_another_kernel_is_refused(tmp_path):
    options = {"C": C, "epsilon": 1e-9, "checkpoint": tmp_path / "state"}
    BCFW(passes=2, **options).solve(make_linear())
    rest = BCFW(passes=4, **options).solve(make_linear())
    whole = BCFW(passes=4, C=C, epsilon=1e-9).solve(make_linear())
    np.testing.assert_array_equal(rest.model.w, whole.model.w)
    for other in ({"normalized": True}, {"weights": None}, {"decoder": EXACT}):
        with pytest.raises(CheckpointError, match="belongs to another training"):
            BCFW(passes=4, **options).solve(make_linear(**other))
