"""Tiny problems of all kinds whose outputs can be listed."""
from itertools import permutations, product

import numpy as np
from scipy import sparse

from orange_structpred.problems import ProgramInput, ProgramProblem
from orange_structpred.problems.classes import ClassProblem
from orange_structpred.problems.inputs import Positions
from orange_structpred.problems.matching import MatchingProblem, MatchingSVM, RankingSVM
from orange_structpred.problems.multilabel import LabelSetProblem
from orange_structpred.problems.programs import one_of
from orange_structpred.problems.sequences.problem import ChainProblem
from orange_structpred.problems.taxonomy import (
    ancestor_heights,
    node_features,
    paths_of,
)

RNG = np.random.default_rng


def table(n, seed=0, d=3):
    return sparse.csr_array(RNG(seed).normal(size=(n, d)))


def multiclass(n=12):
    cost = np.array([[0, 1, 3], [2, 0, 1], [1, 0.5, 0]])
    return ClassProblem(table(n), RNG(1).integers(0, 3, n), np.eye(3), cost)


def taxonomy(n=12):
    paths = paths_of(["a/x", "a/y", "b/z/u", "b"], None, "/")
    return ClassProblem(table(n), RNG(1).integers(0, 4, n), node_features(paths)[0],
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


def menus(n=3):
    rng = RNG(4)
    problem = Menus([rng.normal(size=(4, 3)) for _ in range(n)], [None] * n, 3)
    problem.Y = [problem.outputs(x)[rng.integers(6)] for x in problem.X]
    return problem


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
    "matchings": matchings, "rankings": rankings, "menus": menus,
}
