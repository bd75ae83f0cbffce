"""Compiled parts of the n-gram kernels: sums over common subsequences.

For two sequences x, x' let m(i, j) say how well tokens x_i and x'_j match. Of pairs of
subsequences of length p that end in positions i and j, weighted with decay to the power
of both spans, the sum is

    S_1(i, j) = m(i, j) decay^2
    S_p(i, j) = m(i, j) sum over i' < i, j' < j of decay^(i - i' + j - j') S_p-1(i', j')

and the kernel is the sum of S_p(i, j) over all positions and all p up to n. Lodhi et al.
compute it in O(n |x| |x'|). With T_p(i, j) = S_p(i, j) decay^-(i + j) the powers leave
the inner sum, and only pairs of positions that match have to be visited.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.kernels.occurrences import (
    link_occurrences,
    longest_item,
    unlink_occurrences,
)
from orange_structpred.running.compiler import njit

#: sequences that `soft_block` handles side by side
LANES = 16


@njit(nogil=True, cache=True)
def sparse_block(a, a_bounds, start, stop, b, b_bounds, first, size, n, decay, out):
    """Kernel values where tokens match if they are equal, and few are.

    Tokens are numbers below `size`. Those that match none are -1 in a and `size` in b,
    where they need no test of their own: each row's tokens are linked by number, and
    the tokens of a column find their matches there.
    """
    room = (longest_item(a_bounds, start, stop)
            + longest_item(b_bounds, first, len(b_bounds) - 1) + 2)
    heads, links, i, j, row, t, powers, d = _workspace(size, room, n, decay)
    for x in range(start, stop):
        link_occurrences(a, a_bounds[x], a_bounds[x + 1], heads, links)
        for y in range(first, len(b_bounds) - 1):
            out[x - start, y - first] = _sparse_pair(
                a, a_bounds[x], a_bounds[x + 1], b, b_bounds[y], b_bounds[y + 1],
                heads, links, i, j, row, t, powers, d, n, decay)
        unlink_occurrences(a, a_bounds[x], a_bounds[x + 1], heads)


@njit(nogil=True, cache=True)
def sparse_diagonal(a, b, bounds, size, n, decay, out):
    """Values of sequences with themselves, of which a and b are the same tokens."""
    room = 2 * longest_item(bounds, 0, len(bounds) - 1) + 2
    heads, links, i, j, row, t, powers, d = _workspace(size, room, n, decay)
    for x in range(len(bounds) - 1):
        link_occurrences(a, bounds[x], bounds[x + 1], heads, links)
        out[x] = _sparse_pair(a, bounds[x], bounds[x + 1], b, bounds[x], bounds[x + 1],
                              heads, links, i, j, row, t, powers, d, n, decay)
        unlink_occurrences(a, bounds[x], bounds[x + 1], heads)


@njit(nogil=True, cache=True)
def _workspace(size, room, n, decay):
    heads = np.full(size + 1, -1, np.int32)
    links = np.empty(room, np.int32)
    i = np.empty(room, np.int32)
    j = np.empty(room, np.int32)
    row = np.empty(room, np.int32)
    t = np.empty(room)
    powers = np.ones(room)
    for k in range(1, room):
        powers[k] = decay * powers[k - 1]
    d = np.empty((n + 1, room))
    return heads, links, i, j, row, t, powers, d


# 'reassoc' lets the inner sum, of terms that are never negative, use vector instructions.
@njit(nogil=True, cache=True, fastmath={"reassoc"})
def _sparse_pair(a, a_start, a_stop, b, b_start, b_stop, heads, links, i, j, row, t,
                 powers, d, n, decay):
    span = a_stop - a_start + b_stop - b_start
    matches = 0
    for position in range(b_stop - b_start):
        before = matches
        match = heads[b[b_start + position]]
        while match >= 0:
            # So many matches that the whole table of positions is less work
            if matches == span:
                return _dense_pair(a.reshape(1, -1), a_start, a_stop, b.reshape(1, -1),
                                   b_start, b_stop, np.ones(1), n, decay, d)
            i[matches] = match
            j[matches] = position
            row[matches] = before
            matches += 1
            match = links[match]
    total = float(matches)
    if matches > 1 and n > 1:
        if powers[span] < 1e-290:  # its inverse would leave the range of numbers
            return _dense_pair(a.reshape(1, -1), a_start, a_stop, b.reshape(1, -1),
                               b_start, b_stop, np.ones(1), n, decay, d)
        for k in range(matches):
            t[k] = 1.0 / powers[i[k] + j[k]]
        for _ in range(2, n + 1):
            longer = 0.0
            # From the last to the first: those before still have the T_p-1
            for k in range(matches - 1, -1, -1):
                here = i[k]
                s = 0.0
                for q in range(row[k]):
                    s += t[q] if i[q] < here else 0.0
                t[k] = s
                longer += s * powers[here + j[k]]
            if longer == 0.0:
                break
            total += longer
    return total * decay * decay


@njit(nogil=True, cache=True)
def _dense_pair(a, a_start, a_stop, b, b_start, b_stop, weights, n, decay, d):
    """The value of a pair by the table of all positions, a layer of tokens a row.

    d[p, j] holds the sum of S_p(i', j') decay^(i - 1 - i' + j - 1 - j') over all
    i' < i, j' < j, so that S_p+1(i, j) is m(i, j) decay^2 d[p, j].
    """
    columns = b_stop - b_start
    d[0, :columns + 1] = 1.0
    d[1:, :columns + 1] = 0.0
    total = 0.0
    for i in range(a_start, a_stop):
        # From long to short: d[p - 1] is still that of the row before
        for p in range(n, 0, -1):
            run = 0.0
            for j in range(columns):
                m = 0.0
                for layer in range(len(weights)):
                    if a[layer, i] == b[layer, b_start + j]:
                        m += weights[layer]
                s = m * decay * decay * d[p - 1, j]
                total += s
                run = s + decay * run
                d[p, j + 1] = decay * d[p, j + 1] + run
    return total


@njit(nogil=True, cache=True)
def soft_diagonal(a, b, bounds, weights, n, decay, out):
    """Values of annotated sequences with themselves, of which a and b are the same.

    Tokens that match nothing, not even themselves, are other numbers in b than in a.
    """
    d = np.empty((n + 1, longest_item(bounds, 0, len(bounds) - 1) + 1))
    for x in range(len(bounds) - 1):
        out[x] = _dense_pair(a, bounds[x], bounds[x + 1], b, bounds[x],
                             bounds[x + 1], weights, n, decay, d)


@njit(nogil=True, cache=True)
def soft_block(a, a_bounds, start, stop, batches, offsets, first, columns, weights, n,
               decay, m, d, run, total, out):
    """Kernel values where tokens match in part, by the table of all positions.

    `batches` has, for each layer, batches of LANES columns one after the other, each as
    a matrix of (positions, LANES) that begins at its offset. Of `columns` in all, those
    before `first` are left out. m, d, run, total are workspace.
    """
    for batch in range(first // LANES, len(offsets) - 1):
        begin = batch * LANES
        for x in range(start, stop):
            _soft_batch(a, a_bounds[x], a_bounds[x + 1], batches, offsets[batch],
                        offsets[batch + 1], weights, n, decay, m, d, run, total)
            for column in range(max(first, begin), min(columns, begin + LANES)):
                out[x - start, column - first] = total[column - begin]


@njit(nogil=True, cache=True)
def _soft_batch(a, a_start, a_stop, b, b_start, b_stop, weights, n, decay, m, d, run,
                total):
    width = b_stop - b_start
    d[0, :width] = 1.0
    d[1:, :width + LANES] = 0.0
    total[:max(width, LANES)] = 0.0
    run[:LANES] = 0.0
    for i in range(a_start, a_stop):
        m[:width] = 0.0
        for layer in range(len(weights)):
            _add_matches(b[layer, b_start:b_stop], a[layer, i],
                         weights[layer] * decay * decay, m)
        # No subsequence of p tokens ends before the p-th token of either side.
        for p in range(min(n, i - a_start + 1, width // LANES), 0, -1):
            skip = (p - 1) * LANES
            if p == n:
                _last_level(m[skip:width], d[p - 1, skip:width], total[skip:width])
            else:
                _level(m[skip:width], d[p - 1, skip:width], d[p, skip:width + LANES],
                       run, total[skip:width], decay)
    for lane in range(LANES, width):
        total[lane % LANES] += total[lane]


@njit(nogil=True, cache=True)
def _add_matches(tokens, token, weight, m):
    for k in range(len(tokens)):
        m[k] += weight if tokens[k] == token else 0.0


# 'contract' lets multiplication and addition become one instruction.
@njit(nogil=True, cache=True, fastmath={"contract"})
def _level(m, shorter, longer, run, total, decay):
    """A row of the table for one p (see _dense_pair), all lanes at once.

    What the next position of a lane needs is LANES places on: far enough for the
    compiler to use vector instructions over the whole row.
    """
    for k in range(len(m)):
        s = m[k] * shorter[k]
        here = s + decay * run[k]
        run[k + LANES] = here
        longer[k + LANES] = decay * longer[k + LANES] + here
        total[k] += s


@njit(nogil=True, cache=True, fastmath={"contract"})
def _last_level(m, shorter, total):
    """The row for p = n, from which nothing longer is made."""
    for k in range(len(m)):
        total[k] += m[k] * shorter[k]
