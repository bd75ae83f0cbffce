"""Block-coordinate steps on sequences, compiled.

A block keeps some label sequences of its example, the true one first, with their
losses, their alpha and the products of their feature differences.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.problems.sequences.viterbi import (
    emission_scores,
    labels_score,
    split_weights,
    worst_labels,
)
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit
from orange_structpred.svm.alpha import best_alpha
from orange_structpred.svm.bcfw import BlockDual
from orange_structpred.svm.blocks import Blocks

if TYPE_CHECKING:
    from orange_structpred.problems.sequences.sequence_problem import ChainProblem

ROOM = 8            # sequences that a block has room for at first


class ChainStore(NamedTuple):
    """The blocks of all examples; the first axis is that of kept sequences.

    labels : int32 (kept, positions of all examples)
    losses, alphas : (kept, examples)
    grams : (examples, kept, kept)
    sizes : int64, how many sequences each example keeps
    """

    labels: np.ndarray
    losses: np.ndarray
    alphas: np.ndarray
    grams: np.ndarray
    sizes: np.ndarray


class Marginals(NamedTuple):
    """The share of each label at each position, and of each pair of labels in a row.

    labels : (positions, labels); pairs : (positions - 1, label, label after it)
    """

    labels: np.ndarray
    pairs: np.ndarray


def dual_marginals(problem, solution) -> list[Marginals]:
    """The dual variables of a `ChainProblem` that BCFW has solved, as a max-margin
    Markov network has them: one `Marginals` per sequence."""
    dual = solution.dual_state
    if not (isinstance(dual, BlockDual) and len(dual.blocks) == 1
            and isinstance(dual.blocks[0], ChainStore)):
        raise InputError("the solution has no label sequences with dual variables; "
                         "expected one of BCFW for sequences")
    return ChainBlocks(problem, np.ones(len(problem))).marginals(dual.blocks)


@njit(nogil=True, cache=True)
def chain_products(positions, first, gold, labels, others, n_labels, order, scratch):
    """<a(labels), a(other)> of some other labels of the same sequence.

    scratch : zeros, as many as there are features; they are zeros again afterwards
    """
    length, indptr = gold.size, positions.indptr
    indices, values = positions.indices, positions.values
    # what a(labels) gives to each label of each position, and its pairs of labels
    single = np.zeros((length, n_labels))
    pairs = np.zeros((n_labels, n_labels))
    for t in range(length):
        if labels[t] != gold[t]:
            for k in range(indptr[first + t], indptr[first + t + 1]):
                scratch[indices[k]] = values[k]
            for s in range(length):
                product = 0.
                for k in range(indptr[first + s], indptr[first + s + 1]):
                    product += values[k] * scratch[indices[k]]
                single[s, gold[t]] += product
                single[s, labels[t]] -= product
            for k in range(indptr[first + t], indptr[first + t + 1]):
                scratch[indices[k]] = 0
        if t > 0:
            pairs[gold[t - 1], gold[t]] += 1
            pairs[labels[t - 1], labels[t]] -= 1
    products = np.zeros(len(others))
    for k in range(len(others)):
        other = others[k]
        for t in range(length):
            products[k] += single[t, gold[t]] - single[t, other[t]]
            if t > 0:
                products[k] += pairs[gold[t - 1], gold[t]] - pairs[other[t - 1], other[t]]
        if order == 2:
            products[k] += triple_product(gold, labels, other)
    return products


@njit(nogil=True, cache=True)
def same_triple(one, t, other, s):
    return one[t] == other[s] and one[t - 1] == other[s - 1] and one[t - 2] == other[s - 2]


@njit(nogil=True, cache=True)
def triple_product(gold, labels, other):
    """<a(labels), a(other)> of three labels in a row."""
    total = 0.
    for t in range(2, gold.size):
        if same_triple(gold, t, labels, t):
            continue
        for s in range(2, gold.size):
            if not same_triple(gold, s, other, s):
                total += (int(same_triple(gold, t, gold, s))
                          - int(same_triple(gold, t, other, s))
                          - int(same_triple(labels, t, gold, s))
                          + int(same_triple(labels, t, other, s)))
    return total


@njit(nogil=True, cache=True)
def add_combination(positions, first, labels, amounts, n_labels, order, w, scale):
    """w -= scale * the sum of amount * phi(labels); the amounts sum up to zero."""
    after = positions.n_features * n_labels
    row = np.empty(n_labels)
    for t in range(labels.shape[1]):
        row[:] = 0
        for k in range(amounts.size):
            row[labels[k, t]] += amounts[k]
        for label in range(n_labels):
            if abs(row[label]) > 1e-14:     # else all sequences agree here
                for j in range(positions.indptr[first + t],
                               positions.indptr[first + t + 1]):
                    w[np.int64(positions.indices[j]) * n_labels + label] -= (
                        scale * row[label] * positions.values[j])
        for k in range(amounts.size):
            if t > 0:
                w[after + labels[k, t - 1] * n_labels + labels[k, t]] -= scale * amounts[k]
            if order == 2 and t > 1:
                w[after + n_labels * n_labels + (
                    labels[k, t - 2] * n_labels + labels[k, t - 1]) * n_labels
                  + labels[k, t]] -= scale * amounts[k]


@njit(nogil=True, cache=True)
def visit_chains(positions, chain, store, examples, w, late, scale, weights, step, ask):
    """Visit examples one after the other; the sum of their gaps, and how many were
    visited: it ends early where a block has no room left."""
    n_labels, order = chain.cost.shape[0], chain.order
    emissions, pairs, triples = split_weights(w, positions.n_features, n_labels, order)
    scratch = np.zeros(positions.n_features)
    gaps = 0.
    for visited, i in enumerate(examples):
        size = store.sizes[i]
        if size == store.losses.shape[0]:
            return gaps, visited
        first, last = positions.starts[i], positions.starts[i + 1]
        kept = store.labels[:, first:last]
        gold = kept[0]
        local = emission_scores(positions, first, last, emissions)
        if ask:
            step += 1
            labels, loss = worst_labels(local, pairs, triples, gold, chain)
            known = False
            for k in range(size):
                same = True
                for t in range(labels.size):
                    if kept[k, t] != labels[t]:
                        same = False
                        break
                known |= same
            if not known:
                copy_into(kept[size], labels)
                store.losses[size, i], store.alphas[size, i] = loss, 0.
                size += 1
                products = chain_products(positions, first, gold, labels, kept[:size],
                                          n_labels, order, scratch)
                for k in range(size):
                    store.grams[i, size - 1, k] = store.grams[i, k, size - 1] = products[k]
                store.sizes[i] = size
        right = labels_score(local, pairs, triples, order, gold)
        violations = np.empty(size)
        gap, mean = -np.inf, 0.
        for k in range(size):
            violations[k] = store.losses[k, i] - right + labels_score(
                local, pairs, triples, order, kept[k])
            gap = max(gap, violations[k])
            mean += store.alphas[k, i] * violations[k]
        gap -= mean
        if gap <= 0 or weights[i] == 0:
            continue
        gaps += weights[i] * gap
        own_scale = scale * weights[i]
        before = store.alphas[:size, i].copy()
        alpha = best_alpha(store.grams[i, :size, :size].copy(), violations, before,
                           own_scale)
        add_combination(positions, first, kept[:size], alpha - before, n_labels, order, w,
                        own_scale)
        if late.size:
            add_combination(positions, first, kept[:size], alpha - before, n_labels, order,
                            late, own_scale * (step * (step - 1) / 2))
        left = 1                # forget sequences without alpha, but for the true one
        store.alphas[0, i] = alpha[0]
        for k in range(1, size):
            if alpha[k] > 0:
                if left < k:
                    copy_into(kept[left], kept[k])
                    store.losses[left, i] = store.losses[k, i]
                    copy_into(store.grams[i, left, :size], store.grams[i, k, :size])
                    copy_into(store.grams[i, :size, left], store.grams[i, :size, k])
                store.alphas[left, i] = alpha[k]
                left += 1
        store.sizes[i] = left
    return gaps, examples.size


class ChainBlocks(Blocks):
    """The blocks of a `ChainProblem`."""

    chunk_size = 256
    extra_visits = 2

    problem: ChainProblem

    def __init__(self, problem: ChainProblem, weights: np.ndarray):
        super().__init__(problem)
        self.weights = weights

    def start_all(self):
        n = len(self.problem)
        store = self._room(ROOM)
        store.labels[0], store.alphas[0] = np.concatenate(self.problem.Y), 1
        store.sizes[:] = 1
        return [store] if n else []

    def _room(self, size: int) -> ChainStore:
        n, length = len(self.problem), int(self.problem.positions.starts[-1])
        return ChainStore(np.zeros((size, length), np.int32), np.zeros((size, n)),
                          np.zeros((size, n)), np.zeros((n, size, size)),
                          np.zeros(n, np.int64))

    def visit(self, blocks, indices, model, scale, step, *, ask=True):
        """blocks : a list of one store, which is replaced where it is too small"""
        gaps, indices = 0., np.asarray(indices, np.int64)
        while len(indices):
            chain_gaps, visited = visit_chains(
                self.problem.positions, self.problem.chain, blocks[0], indices, model.w,
                model.late, scale, self.weights, step, ask)
            gaps += chain_gaps
            step += ask * visited
            indices = indices[visited:]
            if len(indices):
                blocks[0] = self._larger(blocks[0])
        return gaps

    def _larger(self, store: ChainStore) -> ChainStore:
        size = len(store.labels)
        larger = self._room(size + ROOM)
        larger.labels[:size], larger.losses[:size] = store.labels, store.losses
        larger.alphas[:size], larger.sizes[:] = store.alphas, store.sizes
        larger.grams[:, :size, :size] = store.grams
        return larger

    def mean_loss(self, blocks):
        store = blocks[0]
        used = np.arange(len(store.labels))[:, None] < store.sizes
        losses = np.where(used, store.losses * store.alphas, 0.).sum(axis=0)
        return float(self.weights @ losses) / len(self.problem)

    def add_all(self, blocks, model, scale):
        problem = self.problem
        for i in range(len(problem)):
            size, span = blocks[0].sizes[i], slice(*problem.positions.starts[i:i + 2])
            amounts = blocks[0].alphas[:size, i].copy()
            amounts[0] -= 1
            add_combination(problem.positions, span.start, blocks[0].labels[:size, span],
                            amounts, problem.n_labels, problem.order, model.w,
                            scale * self.weights[i])

    def drawn_back(self, blocks, part):
        alphas = part * blocks[0].alphas
        alphas[0] += 1 - part
        return [ChainStore(*(array.copy() for array in blocks[0]._replace(alphas=alphas)))]

    def marginals(self, blocks) -> list[Marginals]:
        """What alpha says of the labels of each example: the dual variables of a
        max-margin Markov network."""
        store, marginals = blocks[0], []
        n_labels = self.problem.n_labels
        for i, size in enumerate(store.sizes):
            span = slice(*self.problem.positions.starts[i:i + 2])
            one_hot = np.eye(n_labels)[store.labels[:size, span]]
            alpha = store.alphas[:size, i]
            marginals.append(Marginals(
                np.einsum("k,kta->ta", alpha, one_hot),
                np.einsum("k,kta,ktb->tab", alpha, one_hot[:, :-1], one_hot[:, 1:])))
        return marginals

    def pack(self, blocks):
        return blocks[0]._asdict()

    def unpack(self, arrays):
        return [ChainStore(*(arrays[name] for name in ChainStore._fields))]
