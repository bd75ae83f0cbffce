"""Losses of heads against enumeration of all trees, and their gradients."""
from itertools import product

import numpy as np
import pytest

from orange_structpred.learner.parameters import NET_OBJECTIVES
from orange_structpred.neural.layers import square_bounds
from orange_structpred.neural.losses import log_softmax_rows
from orange_structpred.parsing.decoding.decoders import DECODERS, is_tree
from orange_structpred.parsing.neural.head_losses import (
    HEAD_LOSSES,
    CrossEntropy,
    StructuredHinge,
    row_bounds,
)

OFFSETS = np.array([0, 5, 6, 9])        # the second sentence has no words
HEADS = np.array([-1, 2, 0, 5 - 1, 2, -1, -1, 0, 1], np.int32)


def log_heads(seed, offsets=OFFSETS):
    logs = np.random.default_rng(seed).standard_normal(square_bounds(offsets)[-1])
    for start, n in zip(square_bounds(offsets), np.diff(offsets)):
        square = logs[start:start + n * n].reshape(n, n)
        square[0], square[0, 0] = -np.inf, 0
        square[np.arange(1, n), np.arange(1, n)] = -np.inf
    log_softmax_rows(logs, row_bounds(offsets))
    return logs


def projective(heads):
    arcs = [(min(d, h), max(d, h)) for d, h in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def all_trees(n, decoder, single_root):
    for heads in product(range(n), repeat=n - 1):
        if any(head == token for token, head in enumerate(heads, 1)):
            continue
        if decoder != "approximate" and (
                not is_tree(np.array([-1, *heads], np.int32))
                or single_root and heads.count(0) != 1
                or decoder == "projective" and not projective(heads)):
            continue
        yield np.array(heads)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("decoder", ["exact", "projective", "approximate"])
def test_hinge_is_the_best_of_all_trees(decoder, single_root):
    loss = StructuredHinge(DECODERS[decoder], single_root)
    for seed in range(5):
        logs, expected = log_heads(seed), 0.
        for start, stop, base in zip(OFFSETS, OFFSETS[1:], square_bounds(OFFSETS)):
            n, right = stop - start, HEADS[start + 1:stop]
            if n == 1:
                continue
            square, tokens = logs[base:base + n * n].reshape(n, n), np.arange(1, n)
            expected += max(0., max(
                np.sum(tree != right) + np.sum(square[tokens, tree])
                for tree in all_trees(n, decoder, single_root))
                - np.sum(square[tokens, right]))
        found = loss(logs, OFFSETS, HEADS, 1., np.empty_like(logs))
        assert found == pytest.approx(expected)


@pytest.mark.parametrize("loss", [CrossEntropy(), StructuredHinge()])
def test_gradients_are_those_of_the_scores(loss):
    scores, gradients = log_heads(3), np.empty(square_bounds(OFFSETS)[-1])

    def value(k, shift):
        moved = scores.copy()
        moved[k] += shift
        log_softmax_rows(moved, row_bounds(OFFSETS))
        return loss(moved, OFFSETS, HEADS, 1., np.empty_like(moved))

    loss(scores, OFFSETS, HEADS, 0.5, gradients)
    for k in np.flatnonzero(np.isfinite(scores)):
        assert 2 * gradients[k] == pytest.approx(
            (value(k, 1e-5) - value(k, -1e-5)) / 2e-5, abs=1e-6)
    assert not gradients[~np.isfinite(scores)].any()


def test_the_right_tree_with_its_margin_costs_nothing():
    logs = np.where(np.isfinite(log_heads(0)), -9., log_heads(0))
    for start, stop, base in zip(OFFSETS, OFFSETS[1:], square_bounds(OFFSETS)):
        for token in range(1, stop - start):
            logs[base + token * (stop - start) + HEADS[start + token]] = -1e-3
    gradients = np.ones_like(logs)
    assert StructuredHinge()(logs, OFFSETS, HEADS, 1., gradients) == 0
    assert not gradients.any()


def test_sentences_with_unknown_heads_do_not_count():
    logs, heads = log_heads(1), HEADS.copy()
    heads[3] = -1
    gradients = np.empty_like(logs)
    StructuredHinge()(logs, OFFSETS, heads, 1., gradients)
    assert not gradients[:25].any()


def test_objectives_of_the_learner_have_losses():
    assert list(NET_OBJECTIVES) == list(HEAD_LOSSES)
