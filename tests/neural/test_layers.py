"""Layers against slow and obvious code, and gradients against differences."""
import numpy as np
import pytest

from orange_structpred.neural.encoder import (
    NetOptions,
    SymbolGroup,
    TokenEncoder,
    TokenSums,
)
from orange_structpred.neural.layers import (
    Biaffine,
    Embedding,
    Linear,
    group_masks,
    leaky_relu,
    leaky_relu_backward,
    sentence_masks,
    square_bounds,
)
from orange_structpred.neural.losses import (
    cross_entropy_rows,
    even_rows,
    log_softmax_rows,
)
from orange_structpred.neural.lstm import BiLSTM, sigmoid, tanh, tanh_coefficients
from orange_structpred.neural.sequences import PackedSteps, batches_by_length
from orange_structpred.neural.weights import Weights
from tests.neural.numerical import assert_gradients

OFFSETS = np.array([0, 2, 5, 6, 10])       # sentences of 2, 3, 1 and 4 rows


def drawn(*layers):
    weights = Weights(layers, dtype=np.float64)
    weights.draw(np.random.default_rng(3))
    return weights


def values(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize("dtype, error", [(np.float32, 4e-7), (np.float64, 3e-7)])
def test_tanh_is_near_enough(dtype, error):
    x = np.concatenate([np.linspace(-20, 20, 2001), [0, 1e-30, -7.99, 8.01, 1e30]])
    coefficients = tanh_coefficients(dtype)
    found = [tanh(dtype(one), coefficients) for one in x]
    np.testing.assert_allclose(found, np.tanh(x), atol=error)
    found = [sigmoid(dtype(one), coefficients) for one in x[:-1]]
    np.testing.assert_allclose(found, (1 + np.tanh(x[:-1] / 2)) / 2, atol=error)


def plain_lstm(x, matrix, recurrent, bias):
    """One direction of one sentence, as a textbook has it."""
    size = len(recurrent)
    hidden, cell, result = np.zeros(size), np.zeros(size), []
    for row in x:
        sums = row @ matrix + hidden @ recurrent + bias
        enter, keep, leave = (1 / (1 + np.exp(-sums[k * size:(k + 1) * size]))
                              for k in range(3))
        cell = keep * cell + enter * np.tanh(sums[3 * size:])
        hidden = leave * np.tanh(cell)
        result.append(hidden)
    return np.array(result)


@pytest.mark.parametrize("traced", [False, True])
def test_lstm_is_that_of_the_textbook(traced):
    layer = BiLSTM("l", 3, 2)
    weights, x = drawn(layer), values(10, 3)
    weights["l.bias"][...] = values(16, seed=1)
    y, _ = layer.forward(weights, x, PackedSteps(OFFSETS), traced=traced)
    for start, stop in zip(OFFSETS, OFFSETS[1:]):
        own = x[start:stop]
        left = plain_lstm(own, weights["l.matrix"][:, :8], weights["l.recurrent"][0],
                          weights["l.bias"][:8])
        right = plain_lstm(own[::-1], weights["l.matrix"][:, 8:],
                           weights["l.recurrent"][1], weights["l.bias"][8:])[::-1]
        np.testing.assert_allclose(y[start:stop], np.hstack([left, right]), atol=1e-6)


def test_equal_tokens_are_computed_once():
    rng = np.random.default_rng(0)
    encoder = TokenEncoder([SymbolGroup("form", 4, 3, slice(0, 1)),
                            SymbolGroup("piece", 3, 2, slice(1, 3))], NetOptions(2))
    weights = Weights(encoder.layers, dtype=np.float64)
    weights.draw(rng)
    symbols = rng.integers(-1, 3, (10, 3)).astype(np.int32)
    symbols[[7, 9]] = symbols[[2, 4]]
    tokens = encoder.sums(weights, symbols)
    distinct = np.unique(symbols, axis=0)
    assert len(tokens.sums) == len(distinct) < 10
    each = TokenSums(np.concatenate([encoder.sums(weights, row[None]).sums
                                     for row in symbols]), np.arange(10))
    expected = encoder.forward(weights, each, OFFSETS)
    np.testing.assert_allclose(encoder.forward(weights, tokens, OFFSETS), expected)
    np.testing.assert_allclose(
        encoder.forward(weights, tokens.at(slice(3, 8)), np.array([0, 2, 3, 5])),
        encoder.forward(weights, TokenSums(each.sums[3:8], np.arange(5)),
                        np.array([0, 2, 3, 5])))


def test_gradients_of_the_lstm():
    layer, steps = BiLSTM("l", 3, 2), PackedSteps(OFFSETS)
    weights, x, dy = drawn(layer), values(10, 3), values(10, 4, seed=1)

    def gradients():
        _, traces = layer.forward(weights, x, steps, traced=True)
        return [layer.backward(weights, x, steps, traces, dy)]

    assert_gradients(weights, lambda: np.sum(dy * layer.forward(weights, x, steps)[0]),
                     gradients, [x])


def test_steps_of_no_and_of_equal_sentences():
    assert list(PackedSteps(np.array([0]))) == []
    steps = PackedSteps(np.array([0, 2, 4]))
    assert list(steps) == [(0, 2), (2, 4)]
    assert [rows.tolist() for rows in steps.rows] == [[0, 2, 1, 3], [1, 3, 0, 2]]
    assert steps.before.tolist() == [0, 1]


def test_gradients_of_linear_and_relu():
    layer = Linear("l", 3, 4)
    weights, x, dy = drawn(layer), values(5, 3), values(5, 4, seed=1)

    def gradients():
        y = leaky_relu(layer.forward(weights, x))
        return [layer.backward(weights, x, leaky_relu_backward(y, dy))]

    assert_gradients(weights, lambda: np.sum(dy * leaky_relu(layer.forward(weights, x))),
                     gradients, [x])


def test_biaffine_scores_and_gradients():
    layer = Biaffine("b", 3)
    weights, x, y = drawn(layer), values(10, 3), values(10, 3, seed=1)
    weights.values[:] = values(weights.size, seed=2)
    ds = values(square_bounds(OFFSETS)[-1], seed=4)
    scores = layer.forward(weights, x, y, OFFSETS)
    assert scores[4 + 3 * 1 + 2] == pytest.approx(      # row 1, column 2 of sentence 2
        x[3] @ weights["b.matrix"] @ y[4] + weights["b.bias"] @ y[4])
    assert_gradients(
        weights, lambda: np.sum(ds * layer.forward(weights, x, y, OFFSETS)),
        lambda: layer.backward(weights, x, y, OFFSETS, ds), [x, y])


def test_embeddings_add_up_and_have_gradients():
    layer = Embedding("e", 5, 3)
    weights, dy = drawn(layer), values(3, 3)
    symbols = np.array([[0, 4], [2, -1], [4, 4]], np.int32)
    y = np.full((3, 3), 7.)
    layer.forward(weights, symbols, y)
    table = weights["e"]
    np.testing.assert_array_equal(y, [table[0] + table[4], table[2], table[4] + table[4]])

    def loss():
        layer.forward(weights, symbols, y)
        return np.sum(dy * y)

    assert_gradients(weights, loss,
                     lambda: layer.backward(weights, symbols, dy) or [])


def test_gradients_of_cross_entropy():
    x, starts = values(9), np.array([0, 4, 4, 6, 9])
    right, gradients = np.array([2, -1, -1, 0]), np.empty(9)

    def log_probabilities():
        result = x.copy()
        log_softmax_rows(result, starts)
        return result

    total = cross_entropy_rows(log_probabilities(), starts, right, 1., gradients)
    sums = np.add.reduceat(np.exp(log_probabilities()), [0, 4, 6])
    np.testing.assert_allclose(sums, 1)
    assert total == pytest.approx(-log_probabilities()[[2, 6]].sum())
    assert not gradients[4:6].any()
    for k in range(9):
        x[k] += 1e-6
        above = -log_probabilities()[[2, 6]].sum()
        x[k] -= 1e-6
        assert gradients[k] == pytest.approx((above - total) / 1e-6, abs=1e-5)
    np.testing.assert_array_equal(even_rows(2, 3), [0, 3, 6])


def test_scores_of_minus_infinity_have_no_probability():
    scores = np.array([0., -np.inf, 0.])
    log_softmax_rows(scores, np.array([0, 3]))
    np.testing.assert_allclose(np.exp(scores), [0.5, 0, 0.5])


def test_masks():
    rng, dtype = np.random.default_rng(0), np.dtype(np.float32)
    masks = sentence_masks(rng, 0.25, np.array([0, 3, 403]), 200, dtype)
    assert masks.shape == (403, 200) and (masks[:3] == masks[0]).all()
    assert (masks[3:] == masks[3]).all() and (masks[0] != masks[3]).any()
    assert set(np.unique(masks)) == {0, np.float32(4 / 3)}
    groups = group_masks(rng, 0.5, 500, [2, 3], dtype)
    assert groups.shape == (500, 5)
    assert {tuple(row) for row in groups.tolist()} == {
        (1, 1, 1, 1, 1), (2, 2, 0, 0, 0), (0, 0, 2, 2, 2), (0, 0, 0, 0, 0)}


def test_batches_hold_each_sentence_once():
    lengths = np.array([3, 9, 1, 400, 4, 3, 3])
    parts = batches_by_length(lengths, 10, np.random.default_rng(0))
    assert sorted(np.concatenate(parts).tolist()) == list(range(7))
    assert all(len(part) == 1 or lengths[part].sum() <= 10 for part in parts)
    again = batches_by_length(lengths, 10, np.random.default_rng(0))
    assert all(map(np.array_equal, parts, again))
