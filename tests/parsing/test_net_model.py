"""Trained nets: what they add to parsers, in files, and with odd treebanks."""
import tracemalloc

import numpy as np
import pytest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFileError
from orange_structpred.neural.encoder import NetOptions
from orange_structpred.parser import Parser
from orange_structpred.parsing.decoding.decoders import DECODERS, is_tree
from orange_structpred.parsing.features.contributions import (
    FROM_PARTS,
    SOURCES,
    summands,
)
from orange_structpred.parsing.features.feature_names import NET_NAME, in_words
from orange_structpred.parsing.first_order.pruning import PrunedEdges, prune
from orange_structpred.parsing.neural.net_training import train_net
from orange_structpred.parsing.neural.neural_model import NeuralModel
from orange_structpred.parsing.second_order.bonuses import (
    LEAST_LOG,
    NET_HEADS,
    NET_NATS,
    NO_VOTES,
    VOTE,
    EdgeBonuses,
)
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.relations import number_relations
from orange_structpred.treebank.sentence import Sentence

BUNDLED = load_bundled("en")
SENTENCES = BUNDLED[:80].sentences
OTHERS = BUNDLED[100:112].sentences
SMALL = NetOptions(16)


def learned(sentences, options=SMALL, epochs=4, **arguments):
    return train_net(
        sentences, encode(sentences),
        number_relations([sentence.deprels for sentence in sentences]), options,
        epochs=epochs, **arguments)


@pytest.fixture(scope="module")
def net():
    return learned(SENTENCES).model


@pytest.fixture(scope="module")
def combined(net):
    parser = ParserLearner(passes=2)(BUNDLED[:80])
    model = parser.model
    return Parser(SecondOrderModel(model.pruner, model.features, model.weights,
                                   model.voter, net, 0.3),
                  decoder="projective", single_root=True, tags=parser.tags, name="both",
                  relations=parser.relations)


@pytest.fixture(scope="module")
def alone(net, combined):
    return Parser(NeuralModel(net), decoder="projective", single_root=True,
                  tags=combined.tags, name="net", relations=combined.relations,
                  temperature=1.)


def test_it_learns_and_the_same_seed_gives_the_same(net):
    reports = []
    again = learned(SENTENCES, callback=reports.append)
    np.testing.assert_array_equal(net.weights.values, again.model.weights.values)
    losses = [report.loss for report in again.reports]
    assert losses[-1] < 0.8 * losses[0]
    assert len(again.reports) == sum(report.end_of_epoch for report in reports) == 4
    other = learned(SENTENCES, random_state=1, epochs=1)
    assert other.reports[0].loss != again.reports[0].loss


def test_scores_do_not_depend_on_the_batch(net, monkeypatch):
    encoded = encode(OTHERS)
    whole = net.scores(OTHERS, encoded)
    monkeypatch.setattr(
        "orange_structpred.neural.sequences.TOKENS_AT_ONCE", 1)
    threads = net.scores(OTHERS, encoded, n_jobs=2)
    for i, sentence in enumerate(OTHERS):
        own = net.scores([sentence], encode([sentence])).log_heads(0)
        for other in (whole, threads, whole.between(i, i + 1)):
            row = 0 if len(other.offsets) == 2 else i
            np.testing.assert_allclose(other.log_heads(row)[:, 1:], own[:, 1:], atol=1e-4)
    with pytest.raises(StopIteration):
        net.scores(OTHERS, encoded, check_cancelled=lambda: next(iter(())))


def test_relations_of_heads(net):
    encoded = encode(OTHERS)
    found = net.scores(OTHERS, encoded).log_relations(encoded.heads)
    assert found.shape == (len(encoded.heads), len(net.relations))
    np.testing.assert_allclose(np.exp(found[encoded.is_token()]).sum(axis=1), 1, rtol=1e-4)
    assert not found[~encoded.is_token()].any()


def test_edges_of_pruner_and_net(net, combined):
    encoded = encode(OTHERS)
    scores, model = net.scores(OTHERS, encoded), combined.model
    pruned = prune(encoded, model.pruner, True)
    votes = model.votes(encoded)
    bonuses = EdgeBonuses(encoded, votes, scores, 0.3)
    widened = bonuses.widened(pruned)
    added = bonuses.of(widened)
    for i in range(len(OTHERS)):
        logs = scores.log_heads(i)
        for token in range(1, len(OTHERS[i]) + 1):
            place = encoded.offsets[i] + token
            old, new = (own.heads[own.starts[place]:own.starts[place + 1]].tolist()
                        for own in (pruned, widened))
            column = logs[:, token]
            best = [head for head in np.argsort(-column)[:NET_HEADS]
                    if column[head] >= column.max() - NET_NATS and head != token]
            assert new == sorted({*old, *best})
            expected = [0.3 * max(column[head], LEAST_LOG) + VOTE * (votes[place] == head)
                        for head in new]
            np.testing.assert_allclose(
                added[widened.starts[place]:widened.starts[place + 1]], expected,
                rtol=1e-5)
    without = EdgeBonuses(encoded, NO_VOTES, None)
    assert without.widened(pruned) is pruned and not without.of(pruned).any()


def test_best_heads_of_one_word():
    sentence = Sentence("1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_")
    net = learned([sentence]).model
    encoded = encode([sentence])
    bonuses = EdgeBonuses(encoded, NO_VOTES, net.scores([sentence], encoded))
    widened = bonuses.widened(PrunedEdges(np.array([0, 0, 0]), np.zeros(0, np.int32)))
    assert widened.heads.tolist() == [0] and bonuses.of(widened).tolist() == [0.]


@pytest.mark.parametrize("decoder", DECODERS)
def test_the_net_alone_decodes_its_probabilities(alone, net, decoder):
    alone.decoder = decoder
    found = alone.predict(OTHERS)
    assert len(found.heads) == len(found.deprels) == len(OTHERS)
    for sentence, heads in zip(OTHERS, found.heads):
        scores = alone.edge_scores(sentence)
        np.testing.assert_allclose(np.exp(scores[:, 1:]).sum(axis=0), 1, rtol=1e-4)
        if decoder == "approximate":
            np.testing.assert_array_equal(heads, scores[:, 1:].argmax(axis=0))
        else:
            assert is_tree(np.append(np.int32(-1), heads))
    np.testing.assert_array_equal(alone.predict_heads([OTHERS[0]])[0], found.heads[0])
    shares = alone.edge_probabilities(OTHERS[0])
    np.testing.assert_allclose(shares[:, 1:].sum(axis=0), 1, rtol=1e-4)
    alone.decoder = "projective"


def test_explanations_add_up_with_the_net(alone, combined):
    sentence = OTHERS[1]
    heads = combined.predict_heads([sentence])[0]
    found = combined.explain(sentence, int(heads[1]), 2)
    told = [own.value for own in found if own.name == NET_NAME]
    assert len(told) == 1 and in_words(NET_NAME) == "the net"
    log = alone.edge_scores(sentence)[heads[1], 2]
    assert told[0] == pytest.approx(0.3 * max(log, LEAST_LOG), rel=1e-4)
    edge = sum(own.value for own in combined.model.contributions(
        sentence, int(heads[1]), 2))
    assert edge == pytest.approx(combined.edge_scores(sentence)[heads[1], 2], rel=1e-4)
    only = alone.explain(sentence, int(heads[1]), 2)
    assert [own.name for own in only] == [NET_NAME]
    assert only[0].value == pytest.approx(log)


def test_the_score_is_a_sum_of_four(combined):
    sentence = OTHERS[1]
    heads, votes = combined.predict_heads([sentence])[0], combined.model.votes(
        encode([sentence]))
    dependent = next(token for token in range(1, len(sentence) + 1)
                     if votes[token] == heads[token - 1])
    found = combined.explain(sentence, int(heads[dependent - 1]), dependent, heads)
    sums = summands(found)
    assert tuple(own.name for own in sums) == SOURCES
    assert sum(own.value for own in sums) == pytest.approx(sum(own.value for own in found))
    by_source = {own.name: own.value for own in sums}
    edge = combined.edge_scores(sentence)[heads[dependent - 1], dependent]
    assert edge == pytest.approx(
        sum(by_source.values()) - by_source[FROM_PARTS], rel=1e-4)


def test_words_are_hidden_one_by_one(net, monkeypatch):
    """Whatever the number of copies of the sentence that are read at once."""
    sentence, encoded = OTHERS[1], encode([OTHERS[1]])
    found = net.influences(sentence, encoded, 2, 1)
    monkeypatch.setattr(
        "orange_structpred.parsing.neural.net_model.TOKENS_AT_ONCE", 2 * len(sentence) + 2)
    np.testing.assert_allclose(net.influences(sentence, encoded, 2, 1), found, atol=1e-4)
    calls = []
    net.influences(sentence, encoded, 2, 1, lambda: calls.append(1))
    assert len(calls) >= len(sentence) // 2


def test_words_that_the_net_needs(alone, combined, net):
    sentence = OTHERS[1]
    head, dependent = 2, 1
    found = combined.explain_net(sentence, head, dependent)
    assert [own.name for own in found] == list(sentence.forms)
    assert any(abs(own.value) > 1e-3 for own in found)
    with pytest.raises(InputError, match="no edge from 1 to 1"):
        combined.explain_net(sentence, 1, 1)
    with pytest.raises(InputError, match="has no net"):
        Parser(combined.model.pruner, decoder="projective", single_root=True,
               tags=combined.tags, name="old").explain_net(sentence, 0, 1)


def test_the_relation_is_explained_with_the_net(combined):
    sentence = OTHERS[1]
    found = combined.predict([sentence])
    for dependent in range(1, len(sentence) + 1):
        told = combined.explain_relation(sentence, dependent, heads=found.heads[0])
        assert told.relation == found.deprels[0][dependent - 1]
        assert NET_NAME in {own.name for own in told.contributions}


@pytest.mark.parametrize("name", ["combined", "alone"])
def test_files_keep_the_net(request, name, tmp_path):
    parser = request.getfixturevalue(name)
    parser.save(tmp_path / "parser.npz")
    again = Parser.load(tmp_path / "parser.npz")
    assert type(again.model) is type(parser.model)
    found, expected = again.predict(OTHERS), parser.predict(OTHERS)
    assert all(map(np.array_equal, found.heads, expected.heads))
    assert found.deprels == expected.deprels
    np.testing.assert_array_equal(again.net.weights.values, parser.net.weights.values)


def test_files_with_another_net_are_refused(alone, net, tmp_path, monkeypatch):
    monkeypatch.setattr(type(net), "header", lambda self: {
        "hidden": 17, "relations": list(self.relations)})
    alone.save(tmp_path / "wrong.npz")
    with pytest.raises(ModelFileError, match="weights of a net"):
        Parser.load(tmp_path / "wrong.npz")
    monkeypatch.setattr(type(net), "header", lambda self: {
        "hidden": 16, "relations": ["x"] * len(self.relations)})
    alone.save(tmp_path / "wrong.npz")
    with pytest.raises(ModelFileError, match="the relations of its net"):
        Parser.load(tmp_path / "wrong.npz")


def line(number, head, deprel="dep", lemma="_", feats="_"):
    return f"{number}\tw{number % 7}\t{lemma}\tNOUN\tNN\t{feats}\t{head}\t{deprel}\t_\t_"


@pytest.mark.parametrize("sentences", [
    SENTENCES[:10],
    [Sentence(line(1, 0, "root"))] * 5,                         # of one word
    [Sentence("\n".join([line(1, 0, "root"), line(2, 1, f"rare{k}")]))
     for k in range(5)],                                        # relations seen once
    [Sentence("\n".join([line(1, 0, "_"), line(2, 1, "_")]))],      # no relations
    [Sentence("\n".join([line(1, 0, "root"), *(line(k, 1) for k in range(2, 2001))]))],
], ids=["ten", "one-word", "rare relations", "no relations", "2,000 tokens"])
def test_odd_treebanks(sentences):
    net = learned(sentences, NetOptions(4), epochs=1).model
    assert np.isfinite(net.weights.values).all()
    encoded = encode(sentences[:1])
    scores = net.scores(sentences[:1], encoded)
    heads = NeuralModel(net).heads(sentences[:1], encoded, DECODERS["approximate"], True)
    assert len(heads[0]) == len(sentences[0])
    assert np.isfinite(scores.log_relations(encoded.heads)).all()


def test_memory_of_a_long_sentence():
    """It grows with the pairs of words of one sentence, of which there are 4 million."""
    long = [Sentence("\n".join([line(1, 0, "root"), *(line(k, 1) for k in range(2, 2001))]))]
    learned(long, NetOptions(4), epochs=1)      # compiles
    tracemalloc.start()
    try:
        net = learned(long * 3, NetOptions(4), epochs=1).model
        learning = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        net.scores(long * 3, encode(long * 3))
        reading = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert learning < 200e6 and reading < 200e6
