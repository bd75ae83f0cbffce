"""Learned weights of hash functions, input kernels and feature groups (thesis 5.2.3).

What a parser needs is chosen before it is trained, by an online proximal algorithm on the
same sentences; then the chosen solver learns with what was chosen.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orange_structpred.kernels import Constant, InputKernel
from orange_structpred.kernels.combine import Sum
from orange_structpred.kernels.errors import check_gram
from orange_structpred.learner.training import TrainingSet
from orange_structpred.parsing.kernel.hash_functions import HashFunctions, templates_of
from orange_structpred.parsing.kernel.hashed_edges import hash_edges, value_functions
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.parsing.kernel.linear_problem import (
    LinearProblem,
    input_features,
)
from orange_structpred.parsing.weights_problem import IndicatorProblem
from orange_structpred.svm.group_sparsity import (
    InputKernels,
    LearnedGroups,
    OwnedValues,
    OwnedWeights,
    WeightGroups,
    learn_groups,
)
from orange_structpred.svm.problem import Problem

MOST_COMPARED = 1000        # sentences whose Gram matrices input kernels are chosen by


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
    """Hash functions and input kernels with learned weights.

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
        """What is left, with weights."""
        sentences = list(self.given.sentences())
        few = sentences[:MOST_COMPARED]
        hashes = HashFunctions(self.names, None, self.buckets)
        if isinstance(self.kernel, Sum) and len(self.kernel.kernels) > 1:
            self.kernel = self.chosen_kernels(self.kernel, hashes, few)
        constant = isinstance(self.kernel, Constant)
        return self.chosen_functions(hashes, sentences if constant else few), self.kernel

    def problem(self, hashes: HashFunctions, sentences: Sequence,
                gram: np.ndarray | None):
        """A problem of these sentences, and the function of each hash value."""
        encoded = self.given.encoded
        if len(sentences) < len(encoded):
            encoded = encoded.select(np.arange(len(sentences)))
        encoded = encoded.with_clusters(sentences, self.clusters)
        hashed, known = hash_edges(sentences, encoded, hashes)
        functions = value_functions(sentences, encoded, hashes, known)
        decoder = self.given.decoder_code
        if gram is not None:
            return KernelProblem(encoded, hashed, len(known), gram, decoder,
                                 self.single_root), functions
        z = input_features(np.ones((len(sentences), 1), np.float32))
        return LinearProblem(encoded, hashed, len(known), z, 1, decoder,
                             self.single_root), functions

    def chosen_kernels(self, summed: Sum, hashes: HashFunctions, sentences: Sequence
                       ) -> InputKernel:
        check_gram(len(sentences), len(sentences))
        kernels = summed.kernels
        grams = [kernel.gram(sentences) * np.float32(weight)
                 for kernel, weight in zip(kernels, summed.weights)]
        problem, _ = self.problem(hashes, sentences, np.sum(grams, axis=0))
        learned = learn(problem, InputKernels(problem, grams), self.budget, self.given)
        left = [kernels[k] for k in learned.kept]
        self.norms |= {f"kernel {kernels[k].name}": float(learned.norms[k])
                       for k in learned.kept}
        weights = [float(weight * summed.weights[k])
                   for weight, k in zip(learned.weights, learned.kept)]
        return left[0] if len(left) == 1 else Sum(left, weights)

    def chosen_functions(self, hashes: HashFunctions, sentences: Sequence) -> HashFunctions:
        if len(self.names) == 1:
            return hashes
        constant = isinstance(self.kernel, Constant)
        problem, functions = self.problem(
            hashes, sentences, None if constant else self.kernel.gram(sentences))
        # values have the numbers of their functions in the order of the arrays
        order = hashes.order
        group_of = np.array(order, np.int32)[functions]
        n = len(self.names)
        groups: WeightGroups = OwnedValues(problem, group_of, n)
        if constant:
            owned = OwnedWeights(n, problem.dim, lambda i, y: (np.zeros(0, int),) * 2)
            owned.owners[:len(group_of)] = group_of
            groups = owned
        learned = learn(problem, groups, self.budget, self.given)
        left = [self.names[k] for k in learned.kept]
        self.norms |= {getattr(name, "__name__", str(name)): float(norm) for name, norm
                       in zip(left, learned.norms[learned.kept])}
        return HashFunctions(left, learned.weights.tolist(), self.buckets)
