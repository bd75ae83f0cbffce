"""Which hash functions are left out: by what is lost without them, held-out."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.learner import ParserLearner
from orange_structpred.parsing.decoding.decoders import EXACT, PROJECTIVE
from orange_structpred.parsing.kernel.function_weights import FunctionWeights
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.svm.linear import LinearModel
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.reference import all_trees, tree_scores

TREEBANK = load_bundled("en")
SHORT = [sentence for sentence in TREEBANK.sentences if 2 <= len(sentence) <= 4][:6]
FUNCTIONS = 3


def problem_of(sentences, decoder=PROJECTIVE, seed=0, truth=()):
    """Random scores; the functions in `truth` know the tree."""
    rng = np.random.default_rng(seed)
    scores = []
    for sentence in sentences:
        n = len(sentence) + 1
        scores.append(rng.normal(size=(FUNCTIONS, n, n)).astype(np.float32))
        for function in truth:
            scores[-1][function, sentence.heads, np.arange(1, n)] += 3
    return FunctionWeights(encode(sentences), FUNCTIONS, scores, decoder), scores


@pytest.mark.parametrize("decoder", [PROJECTIVE, EXACT])
def test_the_best_trees_by_enumeration(decoder):
    problem, scores = problem_of(SHORT, decoder)
    w = np.array([0.5, -1., 2.], np.float32)
    for i, (sentence, of_edges) in enumerate(zip(SHORT, scores)):
        total = np.tensordot(w, of_edges, 1)
        trees = all_trees(len(sentence), decoder == PROJECTIVE, True)
        values = tree_scores(total, trees)
        assert list(problem.predict(i, w)) == list(trees[values.argmax()])
        violated = values + [problem.loss(problem.gold(i), tree) for tree in trees]
        assert list(problem.separate(i, problem.gold(i), w)) == list(trees[violated.argmax()])
        parts = problem.parts(i, trees[-1])
        vector = problem.joint_features(i, trees[-1])
        assert_allclose(vector.values @ w[vector.indices], values[-1], rtol=1e-4)
        assert_allclose(problem.part_scores(i, parts, LinearModel.of(w)).sum(), values[-1],
                        rtol=1e-4)
        assert_allclose(problem.part_products(i, parts, vector).sum(),
                        vector.values @ vector.values, rtol=1e-4)


@pytest.mark.parametrize("decoder", [PROJECTIVE, EXACT])
def test_hinges_without_a_function_by_enumeration(decoder):
    problem, scores = problem_of(SHORT, decoder)
    weights = np.array([0.5, 0., 2.])
    expected = np.zeros(FUNCTIONS)
    for function in range(FUNCTIONS):
        without = np.where(np.arange(FUNCTIONS) == function, 0, weights)
        for sentence, of_edges in zip(SHORT, scores):
            total = np.tensordot(without, of_edges, 1)
            trees = all_trees(len(sentence), decoder == PROJECTIVE, True)
            wrong = np.count_nonzero(trees[:, 1:] != sentence.heads, axis=1)
            expected[function] += max(tree_scores(total, trees) + wrong) - tree_scores(
                total, np.array([-1, *sentence.heads]))
    assert_allclose(problem.hinges_without(weights), expected, rtol=1e-4)


def test_functions_that_know_the_tree_are_left():
    problem, _ = problem_of(TREEBANK.sentences[:30], truth=[1, 2])
    weights = problem.choose(2)
    assert list(np.flatnonzero(weights)) == [1, 2]
    assert all(problem.norms(weights)[[1, 2]] > 0) and problem.norms(weights)[0] == 0
    assert list(np.flatnonzero(problem.choose(1))) in ([1], [2])


def test_the_choice_can_be_cancelled_while_it_looks_for_what_is_missed():
    """After some of the sentences."""
    problem, _ = problem_of(TREEBANK.sentences[:130])
    checks = iter(range(2))

    def check_cancelled():
        if next(checks, None) is None:
            raise Cancelled

    with pytest.raises(Cancelled):
        problem.hinges_without(np.ones(FUNCTIONS), check_cancelled)


def test_weights_of_what_is_left_out_do_not_matter():
    problem, _ = problem_of(SHORT)
    few, many = (problem_of(SHORT)[0] for _ in range(2))
    few.kept[0] = False
    without, any_ = (LinearModel.of(np.array([w, 1, 1], np.float32)) for w in (0, 7))
    for i in range(len(SHORT)):
        assert list(few.best(i, any_)) == list(many.best(i, without))
        assert 0 not in few.difference(i, few.best(i, any_)).indices


@pytest.mark.parametrize("settings", [
    {"hash": ["posTags2::dir", "inside::dir", "tokens"]},
    {"hash": ["lemmas", "posTags::dir"], "kernel": "bow", "hash_weights": [2., 0.5]},
    {"hash": ["posTags2", "tokens::dir"], "kernel": "gaussian"}])
def test_scores_of_functions_add_up_to_those_of_edges(settings):
    parser = ParserLearner("kernel", solver="mira", passes=1, relations=False,
                           calibrate=False, **settings)(TREEBANK[:20])
    for sentence in TREEBANK.sentences[30:33]:
        scores = parser.model.function_scores(sentence)
        assert len(scores) == len(settings["hash"]) and scores.any(axis=(1, 2)).all()
        edges = parser.model.edge_scores(sentence)
        assert_allclose(scores.sum(axis=0)[:, 1:], edges[:, 1:], rtol=1e-4, atol=1e-5)
