import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.sparse.csgraph import maximum_flow
from sklearn.exceptions import ConvergenceWarning

from orange_structpred.errors import InputError
from orange_structpred.problems.graphs import inference
from orange_structpred.problems.graphs.cuts import cut_labels, expand
from orange_structpred.problems.graphs.elimination import (
    eliminate_max,
    plan_elimination,
)
from orange_structpred.problems.graphs.inference import infer, infer_labels, split_open
from orange_structpred.problems.graphs.marginals import label_marginals
from orange_structpred.problems.graphs.maximum_flow import minimum_cut
from orange_structpred.problems.graphs.network import (
    MarkovNetwork,
    incidence,
    merge_edges,
    outgoing_arcs,
)
from orange_structpred.problems.graphs.reweighting import reweighted
from tests.problems.graphs.networks import (
    enumerated_marginals,
    grid_edges,
    highest_score,
    labellings,
    random_network,
    random_tree,
)

SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_best_labels_as_enumeration(seed):
    rng = np.random.default_rng(seed)
    network = random_network(rng)
    best = highest_score(network)
    for method in ("auto", "elimination", "milp"):
        found = infer(network, method)
        assert found.exact
        assert_allclose([found.score, network.score(found.labels)], best, atol=1e-9)
    relaxed = infer(network, "trw-s")
    assert relaxed.bound >= best - 1e-9 and relaxed.score <= best + 1e-9
    if relaxed.exact:
        assert_allclose(relaxed.score, best, atol=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_trees_by_max_product(seed):
    rng = np.random.default_rng(seed)
    network = random_tree(rng, rng.integers(1, 8), 3)
    found = infer(network)
    assert found.method == "max-product"
    assert_allclose([found.score, network.score(found.labels)], highest_score(network))


@pytest.mark.parametrize("seed", range(10))
def test_reductions_bound_what_a_label_can_score(seed):
    network = random_network(np.random.default_rng(seed), n_nodes=5, n_labels=3,
                             n_edges=8)
    network = network.merged(merge_edges(network.edges, 5))
    for max_iter in (1, 3, 50):
        relaxed = reweighted(network, max_iter)
        for y in labellings(network):
            reduction = relaxed.reductions[np.arange(5), y].max()
            assert network.score(y) <= relaxed.bound - reduction + 1e-9


def potts(seed, height=4, width=3, n_labels=2, strength=0.7):
    rng = np.random.default_rng(seed)
    return MarkovNetwork.of(rng.normal(size=(height * width, n_labels)),
                            grid_edges(height, width), strength * np.eye(n_labels))


@pytest.mark.parametrize("seed", range(10))
def test_cuts_are_the_best_labels(seed):
    network = potts(seed)
    found = infer(network)
    assert found.method == "cut"
    assert_allclose(found.score, highest_score(network))
    # tables that are submodular but not symmetric
    rng = np.random.default_rng(seed)
    tables = rng.normal(size=(len(network.edges), 2, 2))
    tables[:, 0, 0] += np.maximum(0, tables[:, 0, 1] + tables[:, 1, 0] - tables[:, 0, 0]
                                  - tables[:, 1, 1])
    network = MarkovNetwork.of(network.unary, network.edges, tables)
    assert_allclose(network.score(cut_labels(network)), highest_score(network))


@pytest.mark.parametrize("seed", range(10))
def test_minimum_cut_has_the_capacity_of_the_maximum_flow(seed):
    rng = np.random.default_rng(seed)
    n, m = 30, 90
    arcs = np.array([rng.choice(n, 2, replace=False) for _ in range(m)])
    capacities = rng.integers(0, 20, 2 * m)
    excess = rng.integers(-30, 30, n)
    matrix = np.zeros((n + 2, n + 2), np.int32)
    np.add.at(matrix, (arcs[:, 0], arcs[:, 1]), capacities[::2])
    np.add.at(matrix, (arcs[:, 1], arcs[:, 0]), capacities[1::2])
    matrix[n, :n], matrix[:n, n + 1] = np.maximum(excess, 0), np.maximum(-excess, 0)
    sink = minimum_cut(excess.astype(float), arcs, capacities.astype(float),
                       *outgoing_arcs(arcs, n))
    side = np.concatenate([sink, [False, True]])
    assert matrix[~side][:, side].sum() == maximum_flow(
        sparse.csr_array(matrix), n, n + 1).flow_value


def test_edges_and_arcs_of_nodes():
    edges = np.array([[0, 2], [2, 1], [0, 1]])
    starts, arc_ids = outgoing_arcs(edges, 4)
    arcs = edges[:, [0, 1, 1, 0]].reshape(-1, 2)
    assert [arcs[arc_ids[starts[s]:starts[s + 1]]].tolist() for s in range(4)] == [
        [[0, 2], [0, 1]], [[1, 2], [1, 0]], [[2, 0], [2, 1]], []]
    starts, edge_ids = incidence(edges, 4)
    assert [edge_ids[starts[s]:starts[s + 1]].tolist() for s in range(4)] == [
        [0, 2], [1, 2], [0, 1], []]


def test_expansion_of_potts_models():
    network = potts(0, 3, 3, 3)
    found = infer(network, "expansion")
    best = highest_score(network)
    assert found.score <= best + 1e-9 <= found.bound + 2e-9
    # no change to one label is better
    for alpha in range(3):
        for y in labellings(network):
            if ((y == found.labels) | (y == alpha)).all():
                assert network.score(y) <= found.score + 1e-9
    assert network.score(expand(network, np.zeros(9, int))) >= network.score(np.zeros(9, int))


def test_what_is_left_open_is_searched(monkeypatch):
    """TRW-S stops at a gap; elimination and the integer program agree about the rest."""
    rng = np.random.default_rng(5)
    signs = rng.choice([-1, 1], 40)
    network = MarkovNetwork.of(0.1 * rng.normal(size=(25, 2)), grid_edges(5, 5),
                               signs[:, None, None] * np.eye(2))
    best = infer(network, "elimination").score
    assert infer(network, "trw-s").bound > best + 1e-3
    found = infer(network)
    assert found.method == "trw-s + elimination" and found.exact
    assert_allclose(found.score, best)
    monkeypatch.setattr(inference, "REST_TABLE", 1)
    found = infer(network)
    assert found.method == "trw-s + milp" and found.exact
    assert_allclose(found.score, best)
    monkeypatch.setattr(inference, "REST_VARIABLES", 1)
    found = infer(network)
    assert not found.exact and found.score <= best < found.bound


@pytest.mark.parametrize("seed", range(20))
def test_open_nodes_are_searched_apart(seed):
    """The parts that are left open, given all other labels, against enumeration."""
    rng = np.random.default_rng(seed)
    network = random_network(rng, n_nodes=7, n_labels=2, n_edges=rng.integers(3, 9))
    network = network.merged(merge_edges(network.edges, 7))
    open_nodes, labels = rng.uniform(size=7) < 0.8, rng.integers(0, 2, 7)
    kept = rng.uniform(size=(7, 2)) < 0.7
    kept[np.arange(7), labels] = True
    kept[~open_nodes] = np.eye(2, dtype=bool)[labels[~open_nodes]]
    best = max(network.score(y) for y in labellings(network) if kept[np.arange(7), y].all())
    trees, others = split_open(network, open_nodes, labels)
    nodes = np.concatenate([part.nodes for part in (trees, *others) if part is not None])
    assert sorted(nodes) == np.flatnonzero(open_nodes).tolist()
    if trees is not None:
        labels[trees.nodes] = trees.solve_trees(network, kept)
    for part in others:
        assert len(part.edges) >= len(part.nodes)
        part.restrict(kept)
        plan = plan_elimination(part.edges, part.sizes, 1000)
        labels[part.nodes] = part.decode(eliminate_max(part.factors(network), plan.order))
    assert kept[np.arange(7), labels].all()
    assert_allclose(network.score(labels), best)


def test_trees_that_are_left_open_are_searched_at_once():
    """Thousands of small parts: by one max-product, not one after the other."""
    rng = np.random.default_rng(0)
    unary, edges = rng.normal(size=(10_000, 3)), grid_edges(100, 100)
    found = infer_labels(unary, edges, 0.3 * np.eye(3))
    assert found.exact and "max-product" in found.method


@pytest.mark.parametrize("seed", range(10))
def test_order_of_elimination(seed):
    """Next is the first node with the smallest table."""
    rng = np.random.default_rng(seed)
    n = 8
    edges = merge_edges(np.array([rng.choice(n, 2, replace=False) for _ in range(30)]),
                        n).edges
    sizes = rng.integers(1, 4, n).tolist()
    around = {node: {int(a if b == node else b) for a, b in edges if node in (a, b)}
              for node in range(n)}
    order, largest = [], 1
    while around:
        cost = {node: sizes[node] * np.prod([sizes[k] for k in near], dtype=int)
                for node, near in around.items()}
        node = min(cost, key=cost.__getitem__)
        near = around.pop(node)
        order.append(node)
        largest = max(largest, cost[node])
        for other in near:
            around[other] = (around[other] | near) - {node, other}
    assert plan_elimination(edges, sizes, largest) == (order, largest)
    assert plan_elimination(edges, sizes, largest - 1) is None


@pytest.mark.parametrize("seed", range(20))
def test_marginals_as_enumeration(seed):
    network = random_network(np.random.default_rng(seed))
    found = label_marginals(network.unary, network.edges, network.tables[network.kinds])
    for one, two in zip(found, enumerated_marginals(network)):
        assert_allclose(one, two, atol=1e-9)


def test_loopy_marginals():
    # exact without cycles, close to it with weak ones
    tree = random_tree(np.random.default_rng(0), 6, 3)
    tables = tree.tables[tree.kinds]
    for one, two in zip(label_marginals(tree.unary, tree.edges, tables, method="loopy"),
                        enumerated_marginals(tree)):
        assert_allclose(one, two)
    network = potts(0, 3, 3, 2, 0.1)
    loopy = label_marginals(network.unary, network.edges, network.tables[0], method="loopy")
    exact = enumerated_marginals(network)
    assert_allclose(loopy.log_partition, exact[0], atol=1e-4)
    assert_allclose(loopy.nodes, exact[1], atol=1e-3)
    assert_allclose(loopy.edges.sum(axis=2), loopy.nodes[network.edges[:, 0]], atol=1e-6)


def test_marginals_say_what_they_are():
    chain, triangle = [(0, 1), (1, 2)], [(0, 1), (1, 2), (2, 0)]
    for edges, asked, method, exact in (
            (chain, "exact", "sum-product", True), (chain, "loopy", "sum-product", True),
            (triangle, "exact", "elimination", True), (triangle, "loopy", "loopy", False)):
        marginals = label_marginals(np.zeros((3, 2)), edges, np.eye(2), method=asked)
        assert (marginals.method, marginals.exact, marginals.converged) == (method, exact, True)


def test_loopy_messages_that_oscillate():
    """Strong pairs that contradict each other."""
    rng = np.random.default_rng(4)
    everyone = np.array([(a, b) for a in range(6) for b in range(a)])
    tables = 50 * rng.normal(size=(len(everyone), 3, 3))
    with pytest.warns(ConvergenceWarning, match="not settled on this graph"):
        marginals = label_marginals(rng.normal(size=(6, 3)), everyone, tables, method="loopy")
    assert not marginals.converged and not marginals.exact


def test_a_million_nodes():
    n = 10**6
    chain = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    unary = np.zeros((n, 2))
    unary[0, 1] = 1
    found = infer_labels(unary, chain, 0.1 * np.eye(2))
    assert found.labels.all() and found.method == "max-product"
    assert_allclose(found.score, 1 + 0.1 * (n - 1))


@pytest.mark.parametrize("arguments, message", [
    (([[0, np.nan]], [], np.eye(2)), "unary has values that are not finite"),
    (([[0, 1]], [], [[0, np.inf], [0, 0]]), "pairwise has values that are not finite"),
    ((["a"], [], np.eye(2)), "unary is not an array of numbers"),
    ((np.zeros((0, 2)), [], np.eye(2)), "at least one of each"),
    ((np.zeros(3), [], np.eye(2)), r"unary has the shape \(3,\)"),
    ((np.zeros((2, 2)), [(1, 1)], np.eye(2)), "connects node 1 to itself"),
    ((np.zeros((2, 2)), [(0, 2)], np.eye(2)), "numbered from 0 to 1"),
    ((np.zeros((2, 2)), [(0.5, 1)], np.eye(2)), "pairs of numbers of nodes"),
    ((np.zeros((2, 2)), [0, 1], np.eye(2)), "pairs of numbers of nodes"),
    ((np.zeros((2, 2)), [(0, 1)], np.eye(3)), r"pairwise has the shape \(3, 3\)"),
])
def test_bad_networks(arguments, message):
    with pytest.raises(InputError, match=message):
        infer_labels(*arguments)


def test_methods_that_do_not_fit():
    triangle = [(0, 1), (1, 2), (2, 0)]
    for method, message in (("max-product", "without cycles"), ("cut", "two labels"),
                            ("expansion", "Potts"), ("guess", "inference method 'guess' is not known")):
        with pytest.raises(InputError, match=message):
            infer_labels(np.zeros((3, 3)), triangle, -np.eye(3), method=method)
    everyone = [(a, b) for a in range(30) for b in range(a)]
    with pytest.raises(InputError, match="too many cycles for elimination"):
        infer_labels(np.zeros((30, 2)), everyone, -np.eye(2), method="elimination")
    with pytest.raises(InputError, match="use marginals='loopy'"):
        label_marginals(np.zeros((30, 2)), everyone, -np.eye(2))
