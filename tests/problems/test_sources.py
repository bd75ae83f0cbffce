"""What Tsochantaridis et al. (2005) have beside the formulations of their solvers: features
of classes, lattices, the hard margin, and hidden Markov models."""
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from orange_structpred.errors import InputError
from orange_structpred.problems import (
    HMM,
    MulticlassSVM,
    SequenceCRF,
    SequenceSVM,
    TaxonomySVM,
)
from orange_structpred.problems.taxonomy import (
    ROOT,
    all_ancestors,
    ancestor_heights,
    tree_distances,
)

X, Y = load_iris(return_X_y=True)
SEQUENCES = [["a", "b", "c"], ["b", "c"], ["a", "c"], ["c"]]
LABELS = [["X", "Y", "Z"], ["Y", "Z"], ["X", "Z"], ["Z"]]


# classes

def test_unit_vectors_are_classes_without_features():
    plain = MulticlassSVM(C=10, tol=1e-4).fit(X, Y)
    named = MulticlassSVM(C=10, tol=1e-4, class_features=np.eye(3)).fit(X, Y)
    assert_allclose(plain.coef_, named.coef_)


def test_a_class_without_examples():
    """Attributes that were learned from other classes."""
    colours = {"red": [1, -1, -1], "green": [-1, 1, -1], "blue": [-1, -1, 1],
               "yellow": [1, 1, -1], "white": [1, 1, 1], "purple": [1, -1, 1]}
    rng = np.random.default_rng(0)
    names = np.array(sorted({*colours} - {"purple"}))[rng.integers(0, 5, 100)]
    pixels = np.array([colours[name] for name in names]) + rng.normal(0, 0.2, (100, 3))
    estimator = MulticlassSVM(class_features=colours, C=1000).fit(pixels, names)
    assert estimator.classes_.tolist() == sorted(colours)
    assert estimator.predict([[1, -1, 1], [1, 1, 1]]).tolist() == ["purple", "white"]
    assert estimator.coef_.shape == (6, 3)


@pytest.mark.parametrize("features, message", [
    ({0: [1], 1: [2]}, "no vector of class 2"),
    (np.eye(4), r"shape \(4, 4\); expected \(3, features"),
    ([[1], [2], [np.nan]], "not finite"), ([[1], [2, 3], [4]], "of the same length")])
def test_bad_class_features(features, message):
    with pytest.raises(InputError, match=message):
        MulticlassSVM(class_features=features).fit(X, Y)


# lattices

LATTICE = {"cat": ["pet", "mammal"], "dog": {"pet", "mammal"}, "fish": ["pet"],
           "whale": "mammal", "mammal": "animal", "rose": None}


def test_a_lattice():
    classes = ["cat", "dog", "fish", "rose", "whale"]
    ancestors = all_ancestors(classes, LATTICE, "/")
    assert ancestors[0] == {"cat": (0, 0), "pet": (1, 1), "mammal": (1, 1),
                            "animal": (2, 2), ROOT: (2, 3)}
    heights = ancestor_heights(ancestors)
    assert heights[0].tolist() == [0, 1, 1, 3, 1]       # the root is three steps above a cat
    assert tree_distances(ancestors)[0].tolist() == [0, 2, 2, 3, 2]


def test_weights_of_nodes():
    """They are those of a kernel between classes."""
    taxonomy = {0: "short", 1: ["long", "broad"], 2: "long"}
    weights = {"long": 2., 0: 0.5}
    estimator = TaxonomySVM(taxonomy=taxonomy, node_weight=weights, C=10).fit(X, Y)
    features = estimator._class_features()
    for one, other in product(range(3), repeat=2):
        shared = [node for node in estimator.nodes_ if all(
            node == y or node in np.atleast_1d(taxonomy[y]) for y in (one, other))]
        assert features[one] @ features[other] == sum(
            weights.get(node, 1.)**2 for node in shared)
    paths = TaxonomySVM(node_weight={"a/x": 3.}).fit(X, np.array(["a/x", "a/y", "b"])[Y])
    assert paths._class_features()[0].tolist() == [1, 3, 0, 0]


@pytest.mark.parametrize("options, message", [
    ({"taxonomy": {0: ["a", "b"], 1: "b", 2: "b", "b": ["c"], "c": ["b"]}}, "above itself"),
    ({"taxonomy": {0: [["a"]], 1: "a", 2: "a"}}, "expected a node, or a list"),
    ({"node_weight": {"x": 1}}, "not a node above a class"),
    ({"node_weight": {0: -1}}, "negative"), ({"node_weight": [1]}, "expected a dict")])
def test_bad_lattices(options, message):
    with pytest.raises(InputError, match=message):
        TaxonomySVM(**options).fit(X, Y)


# the hard margin

def test_the_hard_margin_is_the_limit():
    two = Y < 2
    def fitted(C):
        return MulticlassSVM(C=C, solver="n-slack", tol=1e-6, max_iter=100,
                             fit_intercept=False).fit(X[two], Y[two])
    hard, soft = fitted(np.inf), fitted(1e4)
    assert hard.converged_ and hard.reports_[-1].gap <= 1e-6
    assert_allclose(hard.coef_, soft.coef_, atol=1e-4)
    scores = X[two] @ (hard.coef_[1] - hard.coef_[0]) * np.where(Y[two] == 1, 1, -1)
    assert scores.min() == pytest.approx(1, abs=1e-5)


def test_the_hard_margin_of_sequences():
    hard = SequenceSVM(C=np.inf, solver="n-slack", tol=1e-4, max_iter=100).fit(
        SEQUENCES, LABELS)
    assert hard.converged_ and hard.score(SEQUENCES, LABELS) == 1


def test_what_the_hard_margin_cannot_do():
    twice = np.vstack([X, X[:1]]), np.append(Y, 2)
    with pytest.raises(InputError, match="no weights satisfy all constraints"):
        MulticlassSVM(C=np.inf, solver="n-slack", max_iter=100).fit(*twice)
    with pytest.raises(InputError, match="needs the solver n-slack"):
        MulticlassSVM(C=np.inf).fit(X, Y)


# sequences

def test_probabilities_of_an_hmm():
    """Of all sequences of up to four positions the most probable one is predicted, and
    logarithms of probabilities are its score."""
    hmm = HMM(smoothing=0.5).fit(SEQUENCES, LABELS)
    assert_allclose(np.exp(hmm.start_weights_).sum(), 1)
    assert_allclose(np.exp(hmm.emission_weights_[:-2]).sum(axis=0), 1)
    assert_allclose(np.exp(hmm.transition_weights_).sum(axis=1)
                    + np.exp(hmm.stop_weights_), 1)
    # Z ends four times, and is never followed by another label
    assert np.exp(hmm.stop_weights_[2]) == pytest.approx((4 + 0.5) / (4 + 4 * 0.5))
    # a is emitted twice by X, and there are three tokens
    assert np.exp(hmm.emission_weights_[0, 0]) == pytest.approx((2 + 0.5) / (2 + 3 * 0.5))
    names = hmm.encoder_.feature_names_.tolist()
    for tokens in product("abc", repeat=3):
        def log_probability(labels, tokens=tokens):
            return (hmm.start_weights_[labels[0]] + hmm.stop_weights_[labels[-1]]
                    + sum(hmm.transition_weights_[pair]
                          for pair in zip(labels, labels[1:]))
                    + sum(hmm.emission_weights_[names.index(token), label]
                          for token, label in zip(tokens, labels)))
        best = max(map(log_probability, product(range(3), repeat=3)))
        (labels, score), = hmm.predict_k_best([list(tokens)], 1)[0]
        assert score == pytest.approx(best)
        assert log_probability(hmm.classes_.searchsorted(labels)) == pytest.approx(best)


@pytest.mark.parametrize("smoothing", [0, -1, np.inf, "x", None])
def test_bad_smoothing(smoothing):
    with pytest.raises(InputError, match="smoothing must be"):
        HMM(smoothing=smoothing).fit(SEQUENCES, LABELS)


def test_an_hmm_counts():
    with pytest.raises(InputError, match="negative value"):
        HMM().fit([np.array([[1., -1.]])], [["a"]])
    assert HMM(start_stop=False).fit(SEQUENCES, LABELS).score(SEQUENCES, LABELS) == 1


@pytest.mark.parametrize("estimator", [
    SequenceSVM(C=10, tol=1e-4), SequenceCRF(C=10, tol=1e-4),
    SequenceSVM(C=10, solver="mira", order=2)])
def test_start_and_stop_are_features_of_the_ends(estimator):
    def marked(x):
        return [[token, *["start"] * (k == 0), *["stop"] * (k == len(x) - 1)]
                for k, token in enumerate(x)]

    by_hand = estimator.fit(list(map(marked, SEQUENCES)), LABELS)
    expected, unknown = by_hand.predict([[["start"], ["stop"]]]), [["?", "?"]]
    names = by_hand.encoder_.feature_names_.tolist()
    rows = by_hand.emission_weights_[[names.index("start"), names.index("stop")]]
    rows = rows.toarray() if hasattr(rows, "toarray") else rows
    estimator = estimator.__class__(**{**estimator.get_params(), "start_stop": True}).fit(
        SEQUENCES, LABELS)
    assert_allclose([estimator.start_weights_, estimator.stop_weights_], rows, atol=0.02)
    assert estimator.predict(unknown)[0].tolist() == expected[0].tolist()
    with pytest.raises(AttributeError, match="start_stop=True"):
        by_hand.start_weights_  # noqa: B018
