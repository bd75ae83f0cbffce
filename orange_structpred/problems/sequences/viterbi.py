"""The best label sequences of chains of first and second order, compiled.

A chain scores each label with the features of its position, each pair of neighbouring
labels, and in second order each three labels in a row.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit


class ChainLoss(NamedTuple):
    """The loss of labels, as compiled code reads it, and the order of the chain.

    cost : (labels, labels), what a label costs where another one is true
    mean : whether costs are divided by the number of positions
    zero_one : whether the loss is 1 if any label is wrong, whatever its cost
    order : 1 or 2
    weight : of the loss where the most violated labels are looked for
    """

    cost: np.ndarray
    mean: bool
    zero_one: bool
    order: int
    weight: float


@njit(nogil=True, cache=True)
def emission_scores(positions, first, last, emissions):
    """<emissions of a label, features> for positions first..last - 1 and all labels."""
    n_labels = emissions.shape[1]
    scores = np.zeros((last - first, n_labels))
    for t in range(last - first):
        for k in range(positions.indptr[first + t], positions.indptr[first + t + 1]):
            value, row = positions.values[k], positions.indices[k]
            for label in range(n_labels):
                scores[t, label] += value * emissions[row, label]
    return scores


@njit(nogil=True, cache=True)
def viterbi(local, pairs):
    """The labels with the highest sum of local and pair scores.

    local : (positions, labels); pairs : (label before, label)
    """
    length, n_labels = local.shape
    back = np.empty((length, n_labels), np.int32)
    best, new = local[0].copy(), np.empty(n_labels)
    for t in range(1, length):
        for b in range(n_labels):
            new[b], back[t, b] = best[0] + pairs[0, b], 0
        for a in range(1, n_labels):
            for b in range(n_labels):
                score = best[a] + pairs[a, b]
                if score > new[b]:
                    new[b], back[t, b] = score, a
        for b in range(n_labels):
            best[b] = new[b] + local[t, b]
    labels = np.empty(length, np.int32)
    label = np.argmax(best)
    for t in range(length - 1, -1, -1):
        labels[t] = label
        label = back[t, label]
    return labels


@njit(nogil=True, cache=True)
def levels_before(level, wrong, n_levels, saturated):
    """From which numbers of errors one more label leads to `level` of them."""
    if not wrong:
        return level, level
    if saturated and level == n_levels - 1:
        return max(0, level - 1), level
    return level - 1, level - 1


@njit(nogil=True, cache=True)
def viterbi_by_errors(local, pairs, gold, n_levels, saturated):
    """The best labels with 0, 1, ... n_levels - 1 errors; first order.

    saturated : the last is for all numbers of errors from there on

    Returns scores and labels, a row for each number of errors; a score of -inf where
    there are no such labels.
    """
    length, n_labels = local.shape
    best = np.full((length, n_levels, n_labels), -np.inf)
    back = np.zeros((length, n_levels, n_labels), np.int64)
    for b in range(n_labels):
        level = int(b != gold[0]) if n_levels > 1 else 0
        if level == 0 or n_levels > 1:
            best[0, level, b] = local[0, b]
    for t in range(1, length):
        for level in range(n_levels):
            for b in range(n_labels):
                low, high = levels_before(level, b != gold[t], n_levels, saturated)
                for before in range(max(0, low), high + 1):
                    for a in range(n_labels):
                        score = best[t - 1, before, a] + pairs[a, b]
                        if score > best[t, level, b]:
                            best[t, level, b] = score
                            back[t, level, b] = before * n_labels + a
                best[t, level, b] += local[t, b]
    scores, labels = np.empty(n_levels), np.zeros((n_levels, length), np.int32)
    for end in range(n_levels):
        level, label = end, np.argmax(best[length - 1, end])
        scores[end] = best[length - 1, end, label]
        for t in range(length - 1, -1, -1):
            labels[end, t] = label
            level, label = divmod(back[t, level, label], n_labels)
    return scores, labels


@njit(nogil=True, cache=True)
def viterbi_second_order(local, pairs, triples, gold, n_levels, saturated):
    """The same in second order.

    triples : (label before the last, label before, label)
    """
    length, n_labels = local.shape
    best = np.full((length, n_levels, n_labels, n_labels), -np.inf)
    back = np.zeros((length, n_levels, n_labels, n_labels), np.int64)
    for b in range(n_labels):       # the label before the first is always 0
        best[0, int(b != gold[0]) if n_levels > 1 else 0, 0, b] = local[0, b]
    for t in range(1, length):
        for level in range(n_levels):
            for b in range(n_labels):
                low, high = levels_before(level, b != gold[t], n_levels, saturated)
                for before in range(max(0, low), high + 1):
                    for a in range(n_labels):
                        for c in range(n_labels if t > 1 else 1):
                            score = best[t - 1, before, c, a]
                            if t > 1:
                                score += triples[c, a, b]
                            score += pairs[a, b]
                            if score > best[t, level, a, b]:
                                best[t, level, a, b] = score
                                back[t, level, a, b] = before * n_labels + c
                for a in range(n_labels):
                    best[t, level, a, b] += local[t, b]
    scores, labels = np.empty(n_levels), np.zeros((n_levels, length), np.int32)
    for end in range(n_levels):
        a, b = divmod(np.argmax(best[length - 1, end].ravel()), n_labels)
        level = end
        scores[end] = best[length - 1, end, a, b]
        for t in range(length - 1, -1, -1):
            labels[end, t] = b
            before, c = divmod(back[t, level, a, b], n_labels)
            level, a, b = before, c, a
    return scores, labels


@njit(nogil=True, cache=True)
def chain_loss(gold, labels, chain):
    total = 0.
    for t in range(gold.size):
        if chain.zero_one:
            total = 1. if gold[t] != labels[t] else total
        else:
            total += chain.cost[gold[t], labels[t]]
    return total / gold.size if chain.mean else total


@njit(nogil=True, cache=True)
def best_labels_of(local, pairs, triples, order):
    """The best labels of a chain of either order."""
    if order == 1:
        return viterbi(local, pairs)
    return viterbi_second_order(
        local, pairs, triples, np.zeros(local.shape[0], np.int32), 1, True)[1][0]


@njit(nogil=True, cache=True)
def worst_labels(local, pairs, triples, gold, chain):
    """The most violated labels and their loss."""
    if chain.zero_one:
        if chain.order == 1:
            scores, labels = viterbi_by_errors(local, pairs, gold, 2, True)
        else:
            scores, labels = viterbi_second_order(local, pairs, triples, gold, 2, True)
        worst = labels[1] if scores[1] + chain.weight > scores[0] else labels[0]
    else:
        augmented = local.copy()
        for t in range(gold.size):
            for label in range(local.shape[1]):
                augmented[t, label] += chain.weight * chain.cost[gold[t], label] / (
                    gold.size if chain.mean else 1)
        worst = best_labels_of(augmented, pairs, triples, chain.order)
    return worst, chain_loss(gold, worst, chain)


@njit(nogil=True, cache=True)
def chain_vector(positions, first, labels, order, n_labels, sign, indices, values, n_entries,
                 skip):
    """Write sign * phi of labels into indices and values; how many there are then.

    skip : labels whose positions and pairs are left out where they are the same
    """
    after_emissions = positions.n_features * n_labels
    after_pairs = after_emissions + n_labels * n_labels
    for t in range(labels.size):
        if labels[t] != skip[t]:
            for k in range(positions.indptr[first + t], positions.indptr[first + t + 1]):
                indices[n_entries] = np.int64(positions.indices[k]) * n_labels + labels[t]
                values[n_entries] = sign * positions.values[k]
                n_entries += 1
        if t > 0 and (labels[t] != skip[t] or labels[t - 1] != skip[t - 1]):
            indices[n_entries] = after_emissions + labels[t - 1] * n_labels + labels[t]
            values[n_entries] = sign
            n_entries += 1
        if order == 2 and t > 1 and (labels[t] != skip[t] or labels[t - 1] != skip[t - 1]
                                     or labels[t - 2] != skip[t - 2]):
            indices[n_entries] = after_pairs + (
                labels[t - 2] * n_labels + labels[t - 1]) * n_labels + labels[t]
            values[n_entries] = sign
            n_entries += 1
    return n_entries


@njit(nogil=True, cache=True)
def unmerged_difference(positions, first, labels, other, order, n_labels):
    """phi(labels) - phi(other) as indices and values; an index may come twice."""
    size = 2 * (positions.indptr[first + labels.size] - positions.indptr[first]
                + 2 * labels.size)
    indices, values = np.empty(size, np.int64), np.empty(size)
    n_entries = chain_vector(positions, first, labels, order, n_labels, 1., indices, values,
                             0, other)
    n_entries = chain_vector(positions, first, other, order, n_labels, -1., indices, values,
                             n_entries, labels)
    return indices[:n_entries], values[:n_entries]


@njit(nogil=True, cache=True)
def split_weights(w, n_features, n_labels, order):
    """Weights of emissions, pairs and three labels in a row, as views."""
    first = n_features * n_labels
    second = first + n_labels * n_labels
    triples = w[second:] if order == 2 else w[:0]
    return (w[:first].reshape(-1, n_labels), w[first:second].reshape(n_labels, n_labels),
            triples.reshape(-1, n_labels, n_labels))


@njit(nogil=True, cache=True)
def decode_chains(positions, gold, chain, w, examples, worst):
    """The best or the most violated labels of some sequences, one after the other.

    gold : labels of all positions

    Returns labels, losses, and scores minus those of the true labels.
    """
    n_labels = chain.cost.shape[0]
    emissions, pairs, triples = split_weights(w, positions.n_features, n_labels,
                                              chain.order)
    total = 0
    for i in examples:
        total += positions.starts[i + 1] - positions.starts[i]
    labels, done = np.empty(total, np.int32), 0
    losses, margins = np.empty(examples.size), np.empty(examples.size)
    for number, i in enumerate(examples):
        start, end = positions.starts[i], positions.starts[i + 1]
        true = gold[start:end]
        local = emission_scores(positions, start, end, emissions)
        if worst:
            decoded, losses[number] = worst_labels(local, pairs, triples, true, chain)
        else:
            decoded = best_labels_of(local, pairs, triples, chain.order)
            losses[number] = chain_loss(true, decoded, chain)
        copy_into(labels[done:], decoded)
        done += end - start
        margins[number] = labels_score(local, pairs, triples, chain.order, decoded) \
            - labels_score(local, pairs, triples, chain.order, true)
    return labels, losses, margins


@njit(nogil=True, cache=True)
def labels_score(local, pairs, triples, order, labels):
    """The score of labels."""
    total = 0.
    for t in range(labels.size):
        total += local[t, labels[t]]
        if t > 0:
            total += pairs[labels[t - 1], labels[t]]
        if order == 2 and t > 1:
            total += triples[labels[t - 2], labels[t - 1], labels[t]]
    return total
