"""The net of trees: its gradients, what it sees of tokens, and that it learns."""
import numpy as np
import pytest

from orange_structpred import load_bundled
from orange_structpred.neural.encoder import NetOptions, SymbolGroup
from orange_structpred.neural.weights import Weights
from orange_structpred.parsing.neural import tree_net
from orange_structpred.parsing.neural.head_losses import CrossEntropy, StructuredHinge
from orange_structpred.parsing.neural.tree_net import NetBatch, TreeNet, distance_class
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.token_symbols import (
    TREE_LAYERS,
    TokenSymbols,
    affixes_and_shape,
    layer_columns,
)
from tests.neural.numerical import assert_gradients

SYMBOL_COLUMNS = layer_columns(TREE_LAYERS)
N_SYMBOL_COLUMNS = SYMBOL_COLUMNS["piece"].stop


@pytest.fixture(scope="module")
def sentences():
    return load_bundled("en")[:12].sentences


def test_symbols_of_tokens(sentences):
    symbols = TokenSymbols.of(sentences)
    rows = symbols.of_sentences(sentences)
    assert rows.shape == (sum(len(own) + 1 for own in sentences), N_SYMBOL_COLUMNS)
    root = rows[0]
    assert root[:5].tolist() == [1] * 5 and (root[5:] == -1).all()
    for layer, columns in SYMBOL_COLUMNS.items():
        assert rows[:, columns].max() < symbols.size(layer)
    forms = [form.lower() for own in sentences for form in own.forms]
    column = np.concatenate([own[1:] for own in np.split(
        rows[:, 0], np.cumsum([len(own) + 1 for own in sentences])[:-1])])
    for form, symbol in zip(forms, column.tolist()):
        assert (symbol > 1) == (forms.count(form) > 1)
    assert {symbol for form, symbol in zip(forms, column.tolist()) if form == "the"} == {
        column[forms.index("the")]}


def test_symbols_of_unseen_and_odd_tokens(sentences):
    symbols = TokenSymbols.of(sentences)
    feats = "|".join(f"F{k}=1" for k in range(40))
    odd = Sentence(f"1\tQwzx\t_\tNEW\tNEW\t{feats}\t0\troot\t_\t_")
    rows = symbols.of_sentences([odd])
    assert rows[1, :5].tolist() == [0] * 5
    assert rows[1, SYMBOL_COLUMNS["feature"]].tolist() == [0] * TREE_LAYERS["feature"].width
    assert affixes_and_shape("a")[:4] != affixes_and_shape("b")[:4]
    assert len(affixes_and_shape("\udc80")) == 8
    assert TokenSymbols({name: np.zeros(0, np.uint64) for name in symbols.known}
                        ).of_sentences([odd])[1, 0] == 0
    assert symbols.of_sentences([]).shape == (0, N_SYMBOL_COLUMNS)


def small_net(monkeypatch, options, n_relations=3, **loss):
    for name, value in (("ARC_SIZE", 3), ("RELATION_SIZE", 2)):
        monkeypatch.setattr(tree_net, name, value)
    groups = [SymbolGroup(name, 4, 2, columns, 2 * (name in ("form", "lemma")))
              for name, columns in SYMBOL_COLUMNS.items()]
    net = TreeNet(groups, n_relations, options, **loss)
    weights = Weights(net.layers, dtype=np.float64)
    weights.values[:] = 0.5 * np.random.default_rng(1).standard_normal(weights.size)
    return net, weights


def small_batch():
    symbols = np.random.default_rng(2).integers(-1, 4, (7, N_SYMBOL_COLUMNS))
    symbols[:, :5] = np.maximum(symbols[:, :5], 0)
    return NetBatch(np.array([0, 4, 7]), symbols.astype(np.int32),
                    np.array([-1, 2, 0, -1, -1, 0, 1], np.int32),
                    np.array([-1, 1, 0, 2, -1, 2, -1], np.int32))


@pytest.mark.parametrize("options, n_relations", [
    (NetOptions(2, 0., 0., 0.), 3), (NetOptions(2, 0.4, 0.3, 0.5), 3),
    (NetOptions(2, 0., 0., 0.), 0)])
@pytest.mark.parametrize("head_loss", [CrossEntropy(), StructuredHinge()])
def test_gradients_of_the_whole_net(monkeypatch, options, n_relations, head_loss):
    net, weights = small_net(monkeypatch, options, n_relations, head_loss=head_loss)
    batch = small_batch()

    def loss():
        kept = weights.gradients.copy()
        value = net.learn(weights, batch, np.random.default_rng(5))
        weights.gradients[:] = kept
        return value

    assert_gradients(weights, loss,
                     lambda: [net.learn(weights, batch, np.random.default_rng(5))][:0])


def test_the_loss_is_that_of_what_the_net_says(monkeypatch):
    net, weights = small_net(monkeypatch, NetOptions(2, 0., 0., 0.))
    batch = small_batch()
    views = net.view(weights, net.encoder.sums(weights, batch.symbols), batch.offsets)
    first, second = views.heads[:16].reshape(4, 4), views.heads[16:].reshape(3, 3)
    for square in (first, second):
        np.testing.assert_allclose(np.exp(square[1:]).sum(axis=1), 1)
        assert not np.exp(np.diag(square))[1:].any()
    relations = net.log_relations(weights, views, np.array([1, 2, 5]),
                                  np.array([2, 0, 4]))
    np.testing.assert_allclose(np.exp(relations).sum(axis=1), 1)
    expected = -(first[1, 2] + first[2, 0] + second[1, 0] + second[2, 1]
                 + relations[0, 1] + relations[1, 0] + relations[2, 2]) / 4
    assert net.learn(weights, batch, np.random.default_rng(0)) == pytest.approx(expected)


def test_distances_have_a_side_and_a_size():
    bounds = tree_net.DISTANCE_BOUNDS
    assert distance_class(0, 7, bounds) == 0
    assert distance_class(3, 4, bounds) != distance_class(4, 3, bounds)
    assert distance_class(9, 2, bounds) != distance_class(3, 2, bounds)
    assert distance_class(900, 2, bounds) == distance_class(100, 2, bounds) \
        == tree_net.N_DISTANCES - 1
