import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from orange_structpred.errors import InputError
from orange_structpred.problems import GraphCRF, GraphSVM, GridSVM
from orange_structpred.problems.graphs.graph_inputs import grid_graph
from orange_structpred.svm import ALL_SOLVERS
from tests.problems.toy import graph_tuples, graphs


@pytest.fixture(scope="module")
def data():
    """Graphs whose labels follow the features and those of their neighbours."""
    rng = np.random.default_rng(0)
    X, y = [], []
    for _ in range(12):
        n = rng.integers(4, 9)
        labels = np.repeat(rng.integers(0, 2, 2), [n // 2, n - n // 2])
        edges = np.column_stack([np.arange(n - 1), np.arange(1, n)])
        edges = np.vstack([edges, [[0, n - 1]]])
        features = np.column_stack([2 * labels - 1 + rng.normal(size=n), np.ones(n)])
        X.append((features, edges))
        y.append(np.where(labels, "yes", "no"))
    return X, y


def test_edges_help(data):
    X, y = data
    alone = [(features, []) for features, _ in X]
    together = GraphSVM(C=100).fit(X, y)
    assert together.converged_ and together.n_inexact_ == 0
    assert together.score(X, y) > GraphSVM(C=100).fit(alone, y).score(alone, y)
    assert set(together.inference_) <= {"cut", "trw-s", "trw-s + elimination"}
    assert together.node_weights_.shape == (2, 2)
    weights = together.edge_weights_
    assert weights.shape == (1, 2, 2) and weights[0, 0, 1] == weights[0, 1, 0]
    found = together.infer(X)[0]
    assert_array_equal(together.classes_[found.labels], together.predict(X)[0])
    assert found.exact
    assert_allclose(clone(together).fit(X, y).coef_, together.coef_)


def test_kinds_of_input_agree(data):
    """Sparse features and constant features of edges make no difference."""
    X, y = data
    weights = GraphSVM().fit(X, y).coef_
    others = [(sparse.csr_array(features), edges, np.ones((len(edges), 1)))
              for features, edges in X]
    assert_allclose(GraphSVM().fit(others, y).coef_, weights)


def test_label_features_are_as_strong_as_weights_of_their_own(data):
    """Features of a node that stand at its label's place are those of a weight per label."""
    X, y = data
    codes = [(labels == "yes").astype(int) for labels in y]
    wide = [(np.stack([np.hstack([features, 0 * features]), np.hstack([0 * features, features])],
                      axis=1), edges) for features, edges in X]
    one, two = GraphSVM(tol=1e-6).fit(X, codes), GraphSVM(tol=1e-6).fit(wide, codes)
    assert two.node_weights_.shape == (4,)
    assert_allclose(one.reports_[-1].primal, two.reports_[-1].primal, rtol=1e-5)
    with pytest.raises(InputError, match="unseen label 2"):
        two.fit(wide, [labels + 1 for labels in codes])


def test_labels_that_do_not_occur():
    X, y = graph_tuples(n_labels=3, label_features=True)
    estimator = GraphSVM().fit(X, [np.minimum(labels, 1) for labels in y])
    assert estimator.classes_.tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="unseen label 7"):
        estimator.score(X, [labels + 7 for labels in y])
        estimator.mean_loss(X, [labels + 7 for labels in y])


def test_class_weight_trades_one_label_for_another(data):
    X, y = data
    noisy = [(0.2 * features, edges) for features, edges in X]

    def share(**options):
        found = GraphSVM(C=1, **options).fit(noisy, y).predict(noisy)
        return np.mean(np.concatenate(found) == "yes")

    assert share(class_weight={"yes": 10}) > share(class_weight={"no": 10})
    assert 0 < share(class_weight="balanced") < 1
    for wrong, message in (({"maybe": 1}, "unknown class 'maybe'"), (3, "expected a dict"),
                           ({"yes": -1}, "none of them negative")):
        with pytest.raises(InputError, match=message):
            GraphSVM(class_weight=wrong).fit(X, y)


def test_constraints(data):
    X, y = data
    estimator = GraphSVM(C=10).fit(X, y)
    found = estimator.predict(X[:1], constraints=lambda program, x: [
        program.limit([(0, "yes")], at_least=1), program.limit([(1, "no")], at_least=1)])[0]
    assert found[:2].tolist() == ["yes", "no"]


@pytest.mark.parametrize("solver", ["n-slack", "bcfw", "one-slack"])
def test_certificates_of_inexact_inference_are_honest(solver):
    """The primal objective that is reported is at least that of exact inference."""
    X, y = frustrated()
    exact = GraphSVM(C=20, directed=True, tol=1e-4).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        rough = GraphSVM(C=20, directed=True, tol=1e-4, inference="trw-s", max_iter=40,
                         solver=solver).fit(X, y)
    assert rough.n_inexact_ > 0
    last = rough.reports_[-1]
    assert last.dual <= exact.reports_[-1].primal + 1e-6
    inputs = exact._encode(X, fitting=False)
    problem = exact._problem(inputs, exact._encode_outputs(inputs, y, fitting=False))
    slack = problem.oracle(0, len(X), rough.model_).hinges.mean()
    assert last.slack >= slack - 1e-9


def frustrated():
    """Cliques whose neighbours differ, with more nodes than labels."""
    rng = np.random.default_rng(0)
    edges = [(a, b) for a in range(6) for b in range(a)]
    X = [(rng.normal(size=(6, 1)), edges) for _ in range(6)]
    return X, [rng.permutation([0, 0, 1, 1, 2, 2]) for _ in X]


def test_solvers_agree(data):
    X, y = data
    primals = [GraphSVM(tol=1e-3, solver=name).fit(X, y).reports_[-1].primal
               for name in ("n-slack", "bcfw", "one-slack")]
    assert_allclose(primals, primals[0], atol=2e-3)
    assert {"n-slack", "bcfw"} <= set(ALL_SOLVERS)


def test_weights_of_graphs_count():
    problem = graphs()
    X, y = graph_tuples()
    heavy = GraphSVM(tol=1e-5, solver="bcfw").fit(X, y, sample_weight=[2, 1, 1, 1, 1])
    twice = GraphSVM(tol=1e-5).fit([X[0], *X], [y[0], *y])
    assert_allclose(heavy.reports_[-1].primal, twice.reports_[-1].primal, atol=1e-4)
    assert problem.fingerprint() != graphs(seed=6).fingerprint()


@pytest.mark.parametrize("x, message", [
    ((np.zeros((2, 1)),), "not a tuple"),
    ((np.zeros(2), []), r"shape \(2,\)"),
    ((np.zeros((0, 1)), []), "at least one node"),
    (([["a"]], []), "not an array of numbers"),
    ((np.array([[np.nan]]), []), "not finite"),
    ((np.zeros((2, 3)), []), r"expected \(nodes, 1\)"),
    ((np.zeros((2, 1)), [(0, 0)]), "connects node 0 to itself"),
    ((np.zeros((2, 1)), [(0, 2)]), "numbered from 0 to 1"),
    ((np.zeros((2, 1)), [(0, 1)], np.ones((1, 2))), "expected 1"),
    ((np.zeros((2, 1)), [(0, 1)], np.ones((3, 1))), "one row for each of its 1 edges"),
    ((np.zeros((2, 1)), [(0, 1)], [[np.inf]]), "not finite"),
    ((np.zeros((2, 1)), [(0, 1)], ["a"]), "not an array of numbers"),
])
def test_bad_graphs(x, message):
    good = (np.zeros((2, 1)), [(0, 1)])
    with pytest.raises(InputError, match=message):
        GraphSVM().fit([good, x], [[0, 1], [0, 1]])


@pytest.mark.parametrize("X", [np.zeros((3, 2)), "graph", 3, []])
def test_what_is_no_list_of_graphs(X):
    with pytest.raises(InputError, match="expected a list of|no graphs"):
        GraphSVM().fit(X, [[0, 1]] * 3)


def test_bad_labels_of_graphs(data):
    X, y = data
    with pytest.raises(InputError, match="graph 0 has . nodes but 1 labels"):
        GraphSVM().fit(X, [labels[:1] for labels in y])
    with pytest.raises(InputError, match="12 inputs but 1 outputs"):
        GraphSVM().fit(X, y[:1])


def test_grid_graph():
    edges, directions = grid_graph(2, 3)
    assert edges.tolist() == [[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5]]
    assert directions.argmax(axis=1).tolist() == [0] * 4 + [1] * 3
    edges, directions = grid_graph(2, 2, 8)
    assert edges[4:].tolist() == [[0, 3], [1, 2]]
    assert grid_graph(1, 1)[0].shape == (0, 2)
    with pytest.raises(InputError, match="expected 4 or 8"):
        grid_graph(2, 2, 6)


def stripes(n, seed=0):
    """Rows 0 1 0 1 ..., columns constant: only directions can tell."""
    rng = np.random.default_rng(seed)
    labels = [np.add.outer(np.zeros(4, int), np.arange(w) + rng.integers(2)) % 2
              for w in rng.integers(3, 6, n)]
    return [label + 0.7 * rng.normal(size=label.shape) for label in labels], labels


def test_directions_of_grids():
    X, y = stripes(15)
    estimator = GridSVM(C=100).fit(X, y)
    assert [labels.shape for labels in estimator.predict(X)] == [x.shape for x in X]
    assert estimator.score(X, y) > 0.95
    right, down = estimator.edge_weights_
    assert right[0, 1] + right[1, 0] > right[0, 0] + right[1, 1]
    assert down[0, 0] + down[1, 1] > down[0, 1] + down[1, 0]


def test_bad_grids():
    X, y = stripes(2)
    for x, labels, message in ((np.zeros(3), y[1], "expected \\(height, width\\)"),
                               (X[1], y[1][:2], "but its labels have the shape"),
                               ([["a"]], y[1], "not an array of numbers"),
                               (np.full(X[1].shape, np.nan), y[1], "not finite")):
        with pytest.raises(InputError, match=message):
            GridSVM().fit([X[0], x], [y[0], labels])
    with pytest.raises(InputError, match="expected 4 or 8"):
        GridSVM(neighbourhood=5).fit(X, y)


def test_graphs_without_edges_among_others():
    """Their edges have no features, however wide those of the others are."""
    rng = np.random.default_rng(0)
    X = [(rng.normal(size=(3, 2)), [(0, 1), (1, 2)], rng.normal(size=(2, 4))) for _ in "ab"]
    y = [[0, 1, 1], [1, 0, 0], [0, 0, 1]]
    bare = rng.normal(size=(3, 2))
    weights = []
    for without in ((bare, []), (bare, [], []), (bare, [], np.zeros((0, 4)))):
        for examples in ([*X, without], [without, *X]):
            labels = y if examples[0] is X[0] else [y[2], *y[:2]]
            for kind in GraphSVM, GraphCRF:
                estimator = kind(tol=1e-6).fit(examples, labels)
                assert estimator.edge_weights_.shape == (4, 2, 2)
                assert [len(found) for found in estimator.predict(examples)] == [3, 3, 3]
            weights.append(GraphSVM(tol=1e-6).fit(examples, labels).coef_)
    assert_allclose(weights, [weights[0]] * len(weights), atol=1e-3)
    assert GraphSVM().fit([(bare, [])], y[:1]).edge_weights_.shape == (1, 2, 2)
    with pytest.raises(InputError, match="graph 1 have 3 features; expected 4"):
        GraphSVM().fit([X[0], (bare, [], np.zeros((0, 3)))], y[:2])


@pytest.mark.parametrize("labels", [[None, None], [0, None], ["a", None]])
def test_missing_labels(labels):
    with pytest.raises(InputError, match="kinds .*NoneType.*; expected strings or numbers"):
        GraphSVM().fit([(np.zeros((2, 1)), [(0, 1)])] * 2, [labels, labels])


def test_inference_is_reported(data, capsys):
    X, y = data
    estimator = GraphSVM(verbose=1).fit(X, y)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("GraphSVM: inference by ") and last.endswith(
        "; 0 not proven to be the best")
    assert all(f"{name} ({count})" in last for name, count in estimator.inference_.items())


def test_only_crfs_have_probabilities(data):
    with pytest.raises(AttributeError) as raised:
        GraphSVM().fit(*data).predict_proba(data[0])
    assert "GraphSVM has no probabilities; GraphCRF has" in str(raised.value)


def test_graphs_of_thousands_of_nodes():
    """Their features have products of billions, and dual variables are as small."""
    rng = np.random.default_rng(0)
    n = 20_000
    signs = rng.normal(size=n)
    X = [(np.column_stack([signs, np.zeros(n)]), np.column_stack([range(n - 1), range(1, n)]))]
    y = [(signs > 0).astype(int)]
    fitted = [GraphSVM(solver=solver, tol=0.05).fit(X, y) for solver in ("n-slack", "bcfw")]
    assert all(estimator.converged_ for estimator in fitted)
    primals = [estimator.reports_[-1].primal for estimator in fitted]
    assert abs(primals[0] - primals[1]) < 0.05
    assert all(estimator.score(X, y) > 0.9 for estimator in fitted)


def test_warning_says_how_many_passes_there_were(data):
    X, y = data
    with pytest.warns(ConvergenceWarning, match="after 2 passes, above tol"):
        GraphSVM(C=1000, max_iter=2).fit(X, y)
