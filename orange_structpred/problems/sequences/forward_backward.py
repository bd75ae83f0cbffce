"""Sums over all label sequences of a chain, compiled (003, section 5.2).

The forward variables of a position are divided by their sum, as those of hidden Markov
models usually are, so that no logarithms are needed; log Z is the sum of the logarithms
of the divisors.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def exp_pairs(pairs, result):
    """exp(pairs - highest), and the highest."""
    highest = pairs.max()
    for a in range(pairs.shape[0]):
        for b in range(pairs.shape[1]):
            result[a, b] = np.exp(pairs[a, b] - highest)
    return highest


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def forward_backward(local, factors, highest, weight, node, pair_sums):
    """log Z of one sequence; the probability of each label at each position in `node`.

    local : (positions, labels), scores; overwritten
    factors, highest : exp of the scores of pairs, see `exp_pairs`
    weight : of the sequence, for the pairs
    node : (positions, labels); written
    pair_sums : (labels, labels); what has to be multiplied by `factors` to give the
        expected number of each pair is added to it

    Returns nan if the scores are too far apart for numbers without logarithms.
    """
    length, n_labels = local.shape
    divisors = np.empty(length)
    log_z = highest * (length - 1)
    for t in range(length):                 # forward; node has alpha
        top = local[t].max()
        log_z += top
        for b in range(n_labels):
            local[t, b] = np.exp(local[t, b] - top)
        alpha = node[t]
        if t == 0:
            for b in range(n_labels):
                alpha[b] = local[0, b]
        else:
            alpha[:] = 0.
            for a in range(n_labels):
                before = node[t - 1, a]
                for b in range(n_labels):
                    alpha[b] += before * factors[a, b]
            for b in range(n_labels):
                alpha[b] *= local[t, b]
        total = alpha.sum()
        if not total > 1e-280:
            return np.nan
        divisors[t] = 1 / total
        log_z += np.log(total)
        for b in range(n_labels):
            alpha[b] *= divisors[t]
    beta, later = np.ones(n_labels), np.empty(n_labels)
    for t in range(length - 1, 0, -1):      # backward; node becomes the marginals
        for b in range(n_labels):
            later[b] = beta[b] * local[t, b] * divisors[t]
        for b in range(n_labels):
            node[t, b] *= beta[b]
        for a in range(n_labels):
            before, total = weight * node[t - 1, a], 0.
            for b in range(n_labels):
                total += factors[a, b] * later[b]
                pair_sums[a, b] += before * later[b]
            beta[a] = total
    for b in range(n_labels):
        node[0, b] *= beta[b]
    return log_z


@njit(nogil=True, cache=True)
def log_sum(values):
    """log of the sum of exp(values)"""
    top = values.max()
    if top == -np.inf:
        return top
    total = 0.
    for value in values:
        total += np.exp(value - top)
    return top + np.log(total)


@njit(nogil=True, cache=True)
def log_forward_backward(local, pairs, weight, node, pair_counts):
    """As `forward_backward` with logarithms throughout, for scores of any size.

    pair_counts : the expected number of each pair is added to it
    """
    length, n_labels = local.shape
    alpha, beta = np.empty((length, n_labels)), np.zeros((length, n_labels))
    alpha[0] = local[0]
    for t in range(1, length):
        for b in range(n_labels):
            alpha[t, b] = local[t, b] + log_sum(alpha[t - 1] + pairs[:, b])
    for t in range(length - 2, -1, -1):
        for a in range(n_labels):
            beta[t, a] = log_sum(pairs[a] + local[t + 1] + beta[t + 1])
    log_z = log_sum(alpha[length - 1])
    for t in range(length):
        for b in range(n_labels):
            node[t, b] = np.exp(alpha[t, b] + beta[t, b] - log_z)
            if t > 0:
                for a in range(n_labels):
                    pair_counts[a, b] += weight * np.exp(
                        alpha[t - 1, a] + pairs[a, b] + local[t, b] + beta[t, b] - log_z)
    return log_z


@njit(nogil=True, cache=True)
def chain_marginals(local, pairs):
    """log Z, the probability of each label at each position, and the expected number
    of each pair of labels in a row."""
    n_labels = local.shape[1]
    node, factors = np.empty(local.shape), np.empty((n_labels, n_labels))
    pair_sums = np.zeros((n_labels, n_labels))
    highest = exp_pairs(pairs, factors)
    log_z = forward_backward(local.copy(), factors, highest, 1., node, pair_sums)
    if np.isnan(log_z):
        pair_sums[:] = 0
        log_z = log_forward_backward(local, pairs, 1., node, pair_sums)
        return log_z, node, pair_sums
    return log_z, node, pair_sums * factors


@njit(nogil=True, cache=True)
def add_scores(positions, first, length, layout_starts, layout_labels, w, local):
    """Scores of all labels at some positions, with the weights that the layout has."""
    n_labels = local.shape[1]
    local[:] = 0.
    for t in range(length):
        row = local[t]
        for k in range(positions.indptr[first + t], positions.indptr[first + t + 1]):
            feature, value = positions.indices[k], positions.values[k]
            start, end = layout_starts[feature], layout_starts[feature + 1]
            weights, labels = w[start:end], layout_labels[start:end]
            if weights.size == n_labels:        # frequent features: no need to look them up
                for label in range(n_labels):
                    row[label] += value * weights[label]
            else:
                for j in range(weights.size):
                    row[labels[j]] += value * weights[j]


@njit(nogil=True, cache=True)
def log_loss_of_chains(positions, first, last, labels, weights, layout_starts,
                       layout_labels, n_labels, w, gradient):
    """The sum of log Z - score over sequences first..last - 1, and its gradient, added.

    weights : of the sequences
    The weights are those of features with labels, as the layout has them, then those of
    pairs of labels.
    """
    n_states = layout_labels.size
    pairs = w[n_states:].reshape(n_labels, n_labels)
    factors = np.empty((n_labels, n_labels))
    highest = exp_pairs(pairs, factors)
    sums = np.zeros((n_labels, n_labels))       # to be multiplied by the factors
    counts = np.zeros((n_labels, n_labels))
    longest = 0
    for i in range(first, last):
        longest = max(longest, positions.starts[i + 1] - positions.starts[i])
    all_local, all_node = np.empty((longest, n_labels)), np.empty((longest, n_labels))
    total = 0.
    for i in range(first, last):
        start = positions.starts[i]
        length = positions.starts[i + 1] - start
        local, node = all_local[:length], all_node[:length]
        add_scores(positions, start, length, layout_starts, layout_labels, w, local)
        weight, score = weights[i], 0.
        for t in range(length):
            label = labels[start + t]
            score += local[t, label]
            if t > 0:
                score += pairs[labels[start + t - 1], label]
                counts[labels[start + t - 1], label] -= weight
        log_z = forward_backward(local, factors, highest, weight, node, sums)
        if np.isnan(log_z):
            add_scores(positions, start, length, layout_starts, layout_labels, w, local)
            log_z = log_forward_backward(local, pairs, weight, node, counts)
        total += weight * (log_z - score)
        for t in range(length):
            row = node[t]
            row[labels[start + t]] -= 1.
            for k in range(positions.indptr[start + t], positions.indptr[start + t + 1]):
                feature, value = positions.indices[k], weight * positions.values[k]
                begin, end = layout_starts[feature], layout_starts[feature + 1]
                gradients, its_labels = gradient[begin:end], layout_labels[begin:end]
                if gradients.size == n_labels:
                    for label in range(n_labels):
                        gradients[label] += value * row[label]
                else:
                    for j in range(gradients.size):
                        gradients[j] += value * row[its_labels[j]]
    for a in range(n_labels):
        for b in range(n_labels):
            gradient[n_states + a * n_labels + b] += (
                sums[a, b] * factors[a, b] + counts[a, b])
    return total
