"""Learned weights of hash functions, input kernels and feature groups."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.errors import InputError
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.group_learning import single_functions
from orange_structpred.learner.influence import unused
from orange_structpred.learner.parameters import PARAMETERS
from orange_structpred.parser import Parser
from orange_structpred.parsing.features.edge_scoring import hashed_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.parsing.first_order.pruning import PrunedEdges
from orange_structpred.parsing.second_order.part_templates import GROUPS, PartFeatures
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.svm.group_sparsity import (
    LearnedGroups,
    OnlineProximal,
    OwnedWeights,
    proximal_factors,
)
from orange_structpred.svm.problem import Problem
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.encoding import encode

TREEBANK = load_bundled("en")
OPTIONS = {"solver": "mira", "passes": 2, "relations": False, "calibrate": False}


def test_proximal_step_is_the_minimum_it_stands_for():
    """argmin of 1/2 |w - v|^2 + amount * sum of |w_m|, found by going downhill."""
    rng = np.random.default_rng(0)
    v = rng.normal(size=(4, 3)) * np.array([[3], [1], [0.5], [2]])
    norms = np.linalg.norm(v, axis=1)
    factors = proximal_factors(norms, 2)
    amount = np.sort(norms)[1]
    w = v.copy()
    for _ in range(4000):
        lengths = np.maximum(np.linalg.norm(w, axis=1, keepdims=True), 1e-9)
        w -= 0.01 * (w - v + amount * w / lengths)
    assert_allclose(factors[:, None] * v, w, atol=0.02)
    assert np.count_nonzero(factors) == 2
    assert_allclose(proximal_factors(norms, 4), 1)
    assert_allclose(proximal_factors(np.zeros(3), 1), 0)


class TwoClasses(Problem):
    """Three groups of two features each, of which only the second tells the class."""

    def joint_features(self, x, y):
        return np.concatenate([own * y for own in x])

    def loss(self, y, y_hat):
        return float(y != y_hat)

    def predict(self, x, w):
        return 1 if self.joint_features(x, 1) @ w >= 0 else -1

    def separate(self, x, y, w):
        return max((1, -1), key=lambda y_hat: w @ self.joint_features(x, y_hat)
                   + self.loss(y, y_hat))


def test_the_group_that_matters_is_left():
    rng = np.random.default_rng(1)
    Y = rng.choice([-1, 1], 80)
    X = [[rng.normal(size=2), np.array([y, 0.5 * y]) + 0.1 * rng.normal(size=2),
          rng.normal(size=2)] for y in Y]
    problem = TwoClasses(X, Y.tolist(), 6)
    groups = OwnedWeights(3, 6, lambda i, y_hat: (np.arange(6), np.repeat([0, 1, 2], 2)))
    solver = OnlineProximal(groups=groups, budget=1, passes=3)
    solution = solver.solve(problem)
    assert list(np.flatnonzero(solver.group_norms)) == [1]
    assert not solution.model.w[[0, 1, 4, 5]].any() and solution.model.w[2] > 0
    assert_allclose(LearnedGroups(np.array([1., 0, 3])).weights, [0.5, 1.5])


def all_edges(encoded):
    heads = [np.delete(np.arange(n + 1), token) for n in encoded.lengths()
             for token in range(1, n + 1)]
    counts = [k for n in encoded.lengths() for k in [0, *[n] * n]]
    return PrunedEdges(np.concatenate([[0], np.cumsum(counts)]),
                       np.concatenate(heads).astype(np.int32))


@pytest.mark.parametrize("order", [1, 2])
def test_every_weight_has_the_group_of_its_template(order):
    """Features of one group alone have weights that belong to this group."""
    encoded = encode(TREEBANK.sentences[:3])
    wrong = [np.array([-1, 0, *range(1, n)], np.int32) for n in encoded.lengths()]
    groups = ["head", "in-between", "counts", *(["sibling tags"] if order == 2 else [])]
    for name in groups:
        if order == 1:
            features = EdgeFeatures([*groups])
            problem = ExplicitProblem(encoded, features, hashed_indices(24), 1 << 24, 1)
            names = features.names_of_groups
            templates = features.names
        else:
            features = PartFeatures([*groups])
            problem = SecondOrderProblem(encoded, all_edges(encoded), features, 24)
            names = sum(features.names_of_groups, [])
            templates = sum(features.names, [])
        assert all(text in GROUPS[group] for text, group in zip(templates, names))
        owned = problem.weight_groups(np.array([own == name for own in names], int), 2)
        for i, y_hat in enumerate(wrong):
            owned.see(i, y_hat)
            parts = problem.parts(i, y_hat)
            indices, _ = problem.feature_indices(problem.tokens(i), parts)
            of_features = problem.feature_templates(problem.tokens(i), parts)
            assert len(indices) == len(of_features)
        assert 0 < owned.owners.sum() < np.count_nonzero(
            problem.difference(0, wrong[0]).values) * len(wrong) * 4


@pytest.mark.parametrize("settings,most", [
    ({"features": "kernel", "hash": ["rich"], "budget": 0.1}, 8),
    ({"features": "kernel", "hash": ["surroundings2"], "budget": 0.2}, 60),
    ({"features": "kernel", "hash": ["posTags2::dir", "lemmas", "inside::dir"],
      "kernel": "constant+bow", "budget": 0.5}, 3),
    ({"groups": "learn", "order": 1, "budget": 0.25}, 3)])
def test_learned_parser_keeps_no_more_than_its_budget(settings, most, tmp_path):
    if "hash" in settings:
        settings = {**settings, "hash_weights": "learn"}
    parser = ParserLearner(**OPTIONS, **settings)(TREEBANK[:60])
    assert 0 < len(parser.group_norms) <= most
    assert all(norm > 0 for norm in parser.group_norms.values())
    parser.save(tmp_path / "parser")
    same = Parser.load(tmp_path / "parser")
    assert same.group_norms == parser.group_norms
    for one, two in zip(parser.predict_heads(TREEBANK[100:110]),
                        same.predict_heads(TREEBANK[100:110])):
        assert list(one) == list(two)


def test_what_is_learned_can_be_asked_for_in_words():
    assert PARAMETERS["hash_weights"].kind.parse("learn") == "learn"
    assert PARAMETERS["hash_weights"].kind.parse("1, 2") == [1, 2]
    assert PARAMETERS["groups"].kind.parse("learn") == "learn"
    assert unused("budget", {"features": "kernel"})
    assert not unused("budget", {"features": "kernel", "hash_weights": "learn"})
    assert single_functions(["posTags", "rich"])[:3] == [
        "posTags", "h.upos d.upos", "h.upos d.upos::dir"]
    with pytest.raises(InputError, match="min_count=0"):
        ParserLearner(groups="learn", min_count=2, order=1).check()
    with pytest.raises(InputError, match="hash_weights"):
        ParserLearner("kernel", hash_weights="other").check()
    with pytest.raises(InputError, match="budget"):
        ParserLearner("kernel", hash_weights="learn", budget=2.).check()
