"""Learned weights of hash functions, input kernels and feature groups (thesis 5.2.3).

What a parser needs is chosen before it is trained, from the same sentences; then the chosen
solver learns with what was chosen. Input kernels and feature groups are chosen by an online
proximal algorithm, hash functions by what is lost without them on sentences that they were
not learned from, which leaves better ones (doc/parameters.md).
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from orange_structpred.kernels import Constant, InputKernel
from orange_structpred.kernels.combine import Sum
from orange_structpred.kernels.errors import check_gram
from orange_structpred.learner.hashed_training import hashed_problem
from orange_structpred.learner.training import TrainingSet
from orange_structpred.parsing.kernel.function_weights import FunctionWeights
from orange_structpred.parsing.kernel.hash_functions import HashFunctions, templates_of
from orange_structpred.parsing.kernel.hashed_edges import check_memory
from orange_structpred.parsing.kernel.kernel_model import HashedModel
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.parsing.weights_problem import IndicatorProblem
from orange_structpred.svm.group_sparsity import (
    InputKernels,
    LearnedGroups,
    WeightGroups,
    learn_groups,
    most_left,
)
from orange_structpred.svm.online import MIRA
from orange_structpred.svm.problem import Problem
from orange_structpred.treebank.encoding import encode

MOST_COMPARED = 1000        # sentences whose Gram matrices kernels are chosen by
MOST_SCORES = 90_000_000    # of edges by hash functions, 4 bytes each
SHORT = 10      # sentences have at most one in so many of these
PASSES = 10     # of MIRA, for a model that scores others


def learn(problem: Problem, groups: WeightGroups, budget: float, given: TrainingSet
          ) -> LearnedGroups:
    return learn_groups(problem, groups, budget, random_state=given.seed,
                        callback=lambda report: given.cancellation.check_cancelled())


def learn_template_groups(problem: IndicatorProblem, names: Sequence[str], budget: float,
                          given: TrainingSet) -> dict[str, float]:
    """The norms of the groups that are left, by their names.

    names : of the group of each template
    """
    groups = list(dict.fromkeys(names))
    number = {name: k for k, name in enumerate(groups)}
    learned = learn(problem, problem.weight_groups(
        np.array([number[name] for name in names], np.int32), len(groups)), budget, given)
    return {groups[k]: float(learned.norms[k]) for k in learned.kept}


def single_functions(names: Sequence) -> list:
    """Hash functions with sums taken apart: what weights are learned of."""
    single: list = []
    for name in names:
        texts = [] if callable(name) else templates_of(name)
        single += [name] if len(texts) < 2 else [
            text + "::dir" * directed for text, directed in texts]
    return list(dict.fromkeys(single))


class KernelChoice:
    """Hash functions and input kernels that are chosen by learned weights.

    Parameters
    ----------
    names : of the hash functions, sums included
    kernel : with a sum, its kernels are chosen from as well
    buckets : of the hash functions
    budget : share that may be left
    given : the sentences; input kernels are chosen by the first `MOST_COMPARED`
    """

    def __init__(self, names: Sequence, kernel: InputKernel, buckets: int | None,
                 budget: float, given: TrainingSet, single_root: bool, clusters):
        self.names, self.kernel = single_functions(names), kernel
        self.buckets, self.budget, self.given = buckets, budget, given
        self.single_root, self.clusters = single_root, clusters
        self.norms: dict[str, float] = {}

    def learned(self) -> tuple[HashFunctions, InputKernel]:
        """What is left: hash functions that count equally, input kernels with weights."""
        sentences = list(self.given.sentences())
        few = sentences[:MOST_COMPARED]
        hashes = HashFunctions(self.names, None, self.buckets)
        if isinstance(self.kernel, Sum) and len(self.kernel.kernels) > 1:
            self.kernel = self.chosen_kernels(self.kernel, hashes, few)
        constant = isinstance(self.kernel, Constant)
        return self.chosen_functions(hashes, sentences if constant else few), self.kernel

    def chosen_kernels(self, summed: Sum, hashes: HashFunctions, sentences: Sequence
                       ) -> InputKernel:
        check_gram(len(sentences), len(sentences))
        kernels = summed.kernels
        grams = [kernel.gram(sentences) * np.float32(weight)
                 for kernel, weight in zip(kernels, summed.weights)]
        encoded = encode(sentences).with_clusters(sentences, self.clusters)
        problem, _ = hashed_problem(
            sentences, encoded, hashes, summed, self.given.decoder_code, self.single_root,
            gram=np.sum(grams, axis=0))
        assert isinstance(problem, KernelProblem)
        learned = learn(problem, InputKernels(problem, grams), self.budget, self.given)
        left = [kernels[k] for k in learned.kept]
        self.norms |= {f"kernel {kernels[k].name}": float(learned.norms[k])
                       for k in learned.kept}
        weights = [float(weight * summed.weights[k])
                   for weight, k in zip(learned.weights, learned.kept)]
        return left[0] if len(left) == 1 else Sum(left, weights)

    def chosen_functions(self, hashes: HashFunctions, sentences: Sequence) -> HashFunctions:
        """By the sentences of each half, scored by a model that has learned from the other;
        see `parsing.kernel.function_weights`."""
        if len(self.names) == 1 or len(sentences) < 2:
            return hashes
        order = np.random.default_rng(self.given.seed).permutation(len(sentences))
        halves = np.array_split(order, 2)
        edges = np.array([(len(sentence) + 1)**2 for sentence in sentences])
        room = MOST_SCORES // (2 * len(self.names))
        short = [half[edges[half] <= room / SHORT] for half in halves]
        scored = [half[np.cumsum(edges[half]) <= room] for half in short]
        if not sum(map(len, scored)):
            return hashes
        problem = FunctionWeights(
            self.given.encoded.select(np.concatenate(scored)), len(self.names),
            self.held_out_scores(hashes, sentences, halves[::-1], scored),
            self.given.decoder_code, self.single_root)
        weights = problem.choose(
            most_left(self.budget, len(self.names)), random_state=self.given.seed,
            check_cancelled=self.given.cancellation.check_cancelled)
        left = np.flatnonzero(weights)
        if not left.size:       # what has learned nothing says nothing of its functions
            return hashes
        names = [self.names[k] for k in left]
        self.norms |= {getattr(name, "__name__", str(name)): float(norm) for name, norm
                       in zip(names, problem.norms(weights)[left])}
        return HashFunctions(names, None, self.buckets)

    def held_out_scores(self, hashes: HashFunctions, sentences: Sequence,
                        learned_from: Sequence[np.ndarray], scored: Sequence[np.ndarray]
                        ) -> Iterator[np.ndarray]:
        """What each function gives edges, by models of other sentences."""
        for known, unknown in zip(learned_from, scored):
            model = self.trained(hashes, [sentences[i] for i in np.sort(known)])
            for i in self.given.cancellation.cancellable(unknown):
                yield model.function_scores(sentences[i])

    def trained(self, hashes: HashFunctions, sentences: Sequence) -> HashedModel:
        """A model of some of the sentences, to score others with."""
        encoded = encode(sentences).with_clusters(sentences, self.clusters)
        features = self.kernel.feature_map(sentences)
        check_memory(sentences, hashes, indexed=features is None)
        problem, model_of = hashed_problem(
            sentences, encoded, hashes, self.kernel, self.given.decoder_code,
            self.single_root, features=features, clusters=self.clusters,
            gram=self.kernel.gram(sentences) if features is None else None)
        solution = MIRA(random_state=self.given.seed, passes=PASSES).solve(
            problem, lambda report: self.given.cancellation.check_cancelled())
        return model_of(solution.model)
