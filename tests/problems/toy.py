"""Tiny problems of all kinds whose outputs can be listed."""
from itertools import permutations, product

import numpy as np
from scipy import sparse

from orange_structpred.problems import PhraseTree, ProgramInput, ProgramProblem
from orange_structpred.problems.alignment.alignment_problem import (
    Aligned,
    AlignmentProblem,
    Candidates,
)
from orange_structpred.problems.classes import ClassProblem
from orange_structpred.problems.grammar.grammar_problem import GrammarProblem
from orange_structpred.problems.grammar.rules import Grammar
from orange_structpred.problems.graphs.graph_inputs import GraphEncoder
from orange_structpred.problems.graphs.graph_problem import GraphFeatures, GraphProblem
from orange_structpred.problems.inputs import Positions
from orange_structpred.problems.matching import MatchingProblem, MatchingSVM, RankingSVM
from orange_structpred.problems.multilabel import LabelSetProblem
from orange_structpred.problems.sequences.sequence_problem import ChainProblem
from orange_structpred.problems.taxonomy import (
    all_ancestors,
    ancestor_heights,
    taxonomy_features,
)
from orange_structpred.svm.programs import one_of

RNG = np.random.default_rng


def table(n, seed=0, d=3):
    return sparse.csr_array(RNG(seed).normal(size=(n, d)))


def multiclass(n=12):
    cost = np.array([[0, 1, 3], [2, 0, 1], [1, 0.5, 0]])
    return ClassProblem(table(n), RNG(1).integers(0, 3, n), np.eye(3), cost)


def taxonomy(n=12):
    paths = all_ancestors(["a/x", "a/y", "b/z/u", "b"], None, "/")
    return ClassProblem(table(n), RNG(1).integers(0, 4, n), taxonomy_features(paths)[0],
                        ancestor_heights(paths))


def label_sets(n=8, n_labels=3, **options):
    pairs = [(a, b) for a in range(n_labels) for b in range(a)]
    pairs = [tuple(sorted(pair)) for pair in pairs]
    return LabelSetProblem(table(n), RNG(1).integers(0, 2, (n, n_labels)), n_labels,
                           options.pop("pairs", pairs), **options)


def sequences(n=6, n_labels=2, longest=4, **options):
    rng = RNG(2)
    lengths = rng.integers(1, longest + 1, n)
    X = rng.normal(size=(lengths.sum(), 3)) * (rng.uniform(size=(lengths.sum(), 3)) < 0.7)
    Y = [rng.integers(0, n_labels, length).astype(np.int32) for length in lengths]
    return ChainProblem(Positions.of(X, lengths), Y, n_labels, **options)


def graph_tuples(n=5, n_labels=2, *, edge_features=0, label_features=False, seed=5):
    """Graphs of one to four nodes; edges may be repeated, nodes may have none."""
    rng = RNG(seed)
    X, Y = [], []
    for number in range(n):
        n_nodes = number % 4 + 1
        n_edges = 0 if n_nodes == 1 else 5
        edges = [rng.choice(n_nodes, 2, replace=False) for _ in range(n_edges)]
        shape = (n_nodes, n_labels, 3) if label_features else (n_nodes, 3)
        parts = [rng.normal(size=shape), np.reshape(edges, (-1, 2)).astype(int)]
        if edge_features:
            parts.append(rng.normal(size=(n_edges, edge_features)))
        X.append(tuple(parts))
        Y.append(rng.integers(0, n_labels, n_nodes))
    return X, Y


def graphs(n_labels=2, *, directed=False, cost=None, **options):
    inference, mean = options.pop("inference", "auto"), options.pop("mean", True)
    X, Y = graph_tuples(n_labels=n_labels, **options)
    encoder = GraphEncoder()
    inputs = encoder.fit_transform(X)
    features = GraphFeatures(
        encoder.n_features_, encoder.n_edge_features_, n_labels, directed=directed,
        label_features=encoder.n_labels_ is not None)
    return GraphProblem(inputs, Y, features, 1 - np.eye(n_labels) if cost is None else cost,
                        mean=mean, inference=inference)


class Matchings(MatchingProblem):
    def outputs(self, x):
        return [np.array(y) for y in permutations(range(x.n_right), x.n_left)]


def matchings(n=6, **options):
    rng = RNG(3)
    X = [MatchingSVM()._pair_features(rng.normal(size=(2, 3, 3)), 0) for _ in range(n)]
    return Matchings(X, [rng.permutation(3)[:2] for _ in range(n)], **options)


def rankings(n=6):
    rng = RNG(3)
    X = [RankingSVM()._pair_features(rng.normal(size=(3, 4)), 0) for _ in range(n)]
    return Matchings(X, [rng.permutation(3) for _ in range(n)], loss="footrule")


class Menus(ProgramProblem):
    """One of two starters and at most one of two desserts, by an integer program."""

    def program_input(self, x):
        starters = one_of([[0, 1]], 4)
        desserts = one_of([[2, 3]], 4)
        desserts.lb, desserts.ub = [0], [1]
        return ProgramInput(sparse.csr_array(x), [starters, desserts])

    def outputs(self, x):
        return [np.array(z) for z in product((0, 1), repeat=4)
                if z[0] + z[1] == 1 and z[2] + z[3] <= 1]


def menus(n=3, **options):
    rng = RNG(4)
    problem = Menus([rng.normal(size=(4, 3)) for _ in range(n)], [None] * n, 3, **options)
    problem.Y = [problem.outputs(x)[rng.integers(6)] for x in problem.X]
    return problem


TREES = [PhraseTree.from_brackets(text) for text in (
    "(S (NP (d the) (n dog)) (VP (v sees) (NP (d a) (n cat))))",
    "(S (NP (n dogs)) (VP (v see) (NP (n cats) (PP (p with) (NP (n tails))))))",
    "(S (NP (d the) (n man)) (VP (v sees) (NP (n cats)) (PP (p with) (NP (n glass)))))",
    "(S (NP (n cats)) (VP (v sleep)))",
    "(S (VP (v sleep)))",
    "(B (B (t a) (t b)) (B (t c) (B (t d) (t e))))",
    "(C (t a) (C (B (t b) (t c)) (t d)))",
)]


class AllTrees(GrammarProblem):
    """A grammar problem that lists all trees of a string, in plain Python."""

    def outputs(self, x):
        rules = self.grammar.rules
        nodes = {}
        n, n_binary = len(x.terminals), len(rules.binary)
        for width in range(1, n + 1):
            for i in range(n - width + 1):
                j = i + width
                found = []
                if width == 1:
                    t = x.terminals[i]
                    for r in range(rules.terminal_starts[t], rules.terminal_starts[t + 1]):
                        found.append([(i, j, rules.parents[r], n_binary + r)])
                for m in range(i + 1, j):
                    for left, right in product(nodes[i, m], nodes[m, j]):
                        for r, (parent, *children) in enumerate(rules.binary.tolist()):
                            if children == [left[0][2], right[0][2]]:
                                found.append([(i, j, parent, r), *left, *right])
                nodes[i, j] = found
        return [np.array(tree, np.int32) for tree in nodes[0, n]
                if rules.root_rules[tree[0][2]] >= 0]


def trees(kind=AllTrees, **options):
    return kind([tree.tags for tree in TREES], TREES,
                Grammar(TREES, markov=options.pop("markov", 0)), **options)


def local_alignments(n, m):
    """All alignments of strings of n and m letters, in plain Python."""
    def onwards(i, j):
        yield []
        if i < n and j < m:
            yield from ([(i, j), *rest] for rest in onwards(i + 1, j + 1))
        if i < n:
            yield from ([(i, -1), *rest] for rest in onwards(i + 1, j))
        if j < m:
            yield from ([(-1, j), *rest] for rest in onwards(i, j + 1))

    found = {tuple(steps) for i in range(n + 1) for j in range(m + 1)
             for steps in onwards(i, j)}
    return [np.array(steps, np.int32).reshape(-1, 2) for steps in sorted(found)]


class AllAlignments(AlignmentProblem):
    """Lists its outputs: the true one, and all alignments of the decoys."""

    def outputs(self, x):
        y = next(y for other, y in zip(self.X, self.Y) if other is x)
        yield y
        for candidate, string in enumerate(x.strings):
            if candidate != y.candidate:
                for steps in local_alignments(len(x.native), len(string)):
                    yield Aligned(candidate, steps)


def alignments(kind=AllAlignments, n=3):
    rng = RNG(0)
    X, Y = [], []
    for _ in range(n):
        native = rng.integers(0, 3, 3).astype(np.int32)
        strings = [rng.integers(0, 3, rng.integers(1, 4)).astype(np.int32)
                   for _ in range(3)]
        strings[1] = np.append(native[1:], 2).astype(np.int32)
        X.append(Candidates(native, strings))
        Y.append(Aligned(1, np.array([[1, 0], [2, 1], [-1, 2]], np.int32)))
    return kind(X, Y, 3)


PROBLEMS = {
    "multiclass": multiclass, "taxonomy": taxonomy,
    "label sets, hamming": label_sets,
    "label sets, f1": lambda: label_sets(loss="f1"),
    "sequences": sequences,
    "sequences, errors": lambda: sequences(loss="errors"),
    "sequences, zero-one": lambda: sequences(loss="zero-one"),
    "sequences, costs": lambda: sequences(cost=np.array([[0, 2.], [1, 0]])),
    "sequences, second order": lambda: sequences(order=2),
    "sequences, second order, zero-one": lambda: sequences(order=2, loss="zero-one"),
    "trees, f1": trees, "trees, zero-one": lambda: trees(loss="zero-one"),
    "alignments": alignments,
    "graphs": graphs,
    "graphs, features of edges": lambda: graphs(edge_features=2, directed=True, mean=False),
    "graphs, features of labels": lambda: graphs(
        n_labels=3, label_features=True, cost=np.array([[0, 2, 1], [1, 0, 1], [3, 1, 0.]])),
    "matchings": matchings, "rankings": rankings, "menus": menus,
}
