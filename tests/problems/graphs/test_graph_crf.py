import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import check_grad
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning

from orange_structpred.errors import InputError
from orange_structpred.problems import GraphCRF, SequenceCRF
from orange_structpred.problems.graphs.graph_crf import GraphLikelihood
from tests.problems.graphs.networks import grid_edges
from tests.problems.toy import graph_tuples, graphs


@pytest.mark.parametrize("options", [{}, {"edge_features": 2, "directed": True},
                                     {"n_labels": 3, "label_features": True}])
def test_likelihood_as_enumeration(options):
    problem = graphs(**options)
    likelihood = GraphLikelihood(problem.X, problem.Y, problem.features, "exact")
    w = np.random.default_rng(0).normal(size=problem.dim)

    def log_loss(i):
        def score(y):
            vector = problem.features.vector(problem.X[i], np.asarray(y, np.int64))
            return w[vector.indices] @ vector.values

        return logsumexp(list(map(score, problem.outputs(problem.X[i])))) - score(problem.Y[i])

    n = len(problem)
    assert_allclose(likelihood.add_log_loss(0, n, w, np.zeros(problem.dim)),
                    sum(map(log_loss, range(n))))

    def gradient(w):
        found = np.zeros(problem.dim)
        likelihood.add_log_loss(0, n, w, found)
        return found

    assert check_grad(lambda w: likelihood.add_log_loss(0, n, w, np.zeros(problem.dim)),
                      gradient, w) < 1e-4


@pytest.fixture(scope="module")
def chains():
    rng = np.random.default_rng(0)
    X, y = [], []
    for n in rng.integers(2, 6, 10):
        labels = rng.integers(0, 2, n)
        X.append(np.column_stack([labels + rng.normal(size=n), np.ones(n)]))
        y.append(labels)
    return X, y


def test_chains_are_graphs(chains):
    """The same likelihood, probabilities and predictions as those of a chain."""
    X, y = chains
    graphs = [(x, np.column_stack([np.arange(len(x) - 1), np.arange(1, len(x))])) for x in X]
    one = SequenceCRF(C=10, tol=1e-9, all_possible_states=True).fit(X, y)
    two = GraphCRF(C=10, tol=1e-9, directed=True).fit(graphs, y)
    assert_allclose(two.mean_log_likelihood(graphs, y), one.mean_log_likelihood(X, y))
    for first, second in zip(one.predict_proba(X), two.predict_proba(graphs)):
        assert_allclose(first, second, atol=1e-5)
    for first, second in zip(one.predict(X), two.predict(graphs)):
        assert_array_equal(first, second)


def test_predictions_for_a_loss(chains):
    X, y = chains
    graphs = [(x, [(0, len(x) - 1), (0, 1)]) for x in X]
    crf = GraphCRF(loss="hamming").fit(graphs, y)
    for labels, probabilities in zip(crf.predict(graphs), crf.predict_proba(graphs)):
        assert_array_equal(labels, probabilities.argmax(axis=1))
    assert crf.mean_loss(graphs, y) == pytest.approx(
        np.mean([np.mean(a != b) for a, b in zip(crf.predict(graphs), y)]))
    everything = GraphCRF(loss=[[0, 100], [1, 0]]).fit(graphs, y).predict(graphs)
    assert np.concatenate(everything).mean() < np.concatenate(y).mean()
    forced = crf.predict(graphs[:1], constraints=lambda program, x: program.limit(
        [(0, 1)], at_least=1))[0]
    assert forced[0] == 1
    assert 0 <= GraphCRF().fit(graphs, y).mean_loss(graphs, y) <= 1


def test_weights_count(chains):
    X, y = chains
    graphs = [(x, [(0, len(x) - 1)]) for x in X]
    heavy = GraphCRF(tol=1e-8).fit(graphs, y, sample_weight=[2, *[1] * 9])
    twice = GraphCRF(tol=1e-8).fit([graphs[0], *graphs], [y[0], *y])
    assert_allclose(heavy.coef_, twice.coef_, atol=1e-4)


def test_loopy_is_asked_for():
    rng = np.random.default_rng(0)
    edges = grid_edges(12, 12)
    X = [(rng.normal(size=(144, 1)), edges)]
    y = [(X[0][0][:, 0] > 0).astype(int)]
    with pytest.raises(InputError, match="use marginals='loopy'"):
        GraphCRF().fit([(np.zeros((400, 1)), grid_edges(20, 20))], [np.arange(400) % 2])
    crf = GraphCRF(marginals="loopy", max_iter=20, tol=0.1).fit(X, y)
    assert crf.score(X, y) > 0.95
    with pytest.raises(InputError, match="choose from exact, loopy"):
        GraphCRF(marginals="rough").fit(X, y)


def test_label_features():
    X, y = graph_tuples(n_labels=3, label_features=True)
    crf = GraphCRF(C=10).fit(X, y)
    assert crf.node_weights_.shape == (3,)
    assert all(p.shape == (len(labels), 3) for p, labels in zip(crf.predict_proba(X), y))


def test_what_probabilities_are_is_said(chains, capsys):
    X, y = chains
    graphs = [(x, [(k, k + 1) for k in range(len(x) - 1)]) for x in X[:-1]]
    loop = (X[-1], [(k, (k + 1) % len(X[-1])) for k in range(len(X[-1]))])
    crf = GraphCRF(verbose=1).fit([*graphs, loop], y)
    assert crf.inference_ == {"sum-product": 9, "elimination": 1} and crf.n_unsettled_ == 0
    assert capsys.readouterr().out.endswith(
        "GraphCRF: probabilities by sum-product (9), elimination (1)\n")
    loopy = GraphCRF(marginals="loopy").fit([*graphs, loop], y)
    assert loopy.inference_ == {"sum-product": 9, "loopy": 1}


def test_messages_that_do_not_settle(monkeypatch):
    monkeypatch.setattr(GraphLikelihood, "marginals", unsettled(GraphLikelihood.marginals))
    X = [(np.eye(3), [(0, 1), (1, 2), (2, 0)])] * 2
    with pytest.warns(ConvergenceWarning, match="not settled on 2 of 2 graphs"):
        crf = GraphCRF(marginals="loopy", max_iter=50).fit(X, [[0, 1, 0], [0, 0, 1]])
    assert crf.n_unsettled_ == 2
    with pytest.warns(ConvergenceWarning, match="not settled on 1 of 1 graphs"):
        crf.predict_proba(X[:1])


def unsettled(marginals):
    """As if the messages of no graph settled."""
    def wrapped(problem, i, w):
        result = marginals(problem, i, w)
        problem.settled[i] = False
        return result

    return wrapped
