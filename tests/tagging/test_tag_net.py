"""Taggers with a net: its gradients, what it adds to scores, and files."""
import pickle

import numpy as np
import pytest

from orange_structpred import (
    ParserLearner,
    Pipeline,
    PipelineLearner,
    Sentence,
    TaggerLearner,
    load_bundled,
)
from orange_structpred.errors import InputError
from orange_structpred.files.arrays import read_arrays, write_arrays
from orange_structpred.files.models import ModelFileError
from orange_structpred.neural.encoder import NetOptions, SymbolGroup
from orange_structpred.neural.weights import Weights
from orange_structpred.tagging.tag_net import TagBatch, TagNet
from orange_structpred.tagging.tagger import Tagger
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.layers import with_layers
from tests.neural.numerical import assert_gradients
from tests.observers import stop_if

BUNDLED = load_bundled("en")
TRAIN, OTHERS = BUNDLED[:60], BUNDLED[100:120].sentences
SMALL = {"neural": True, "hidden": 8, "epochs": 3, "passes": 2}


@pytest.fixture(scope="module")
def tagger():
    return TaggerLearner(**SMALL)(TRAIN)


def without_net(tagger):
    return Tagger(tagger.layers, tagger.labels, tagger.vocabulary, tagger.model,
                  name="plain")


@pytest.mark.parametrize("options", [NetOptions(2, 0., 0., 0.), NetOptions(2, .4, .3, .5)])
def test_gradients_of_the_whole_net(options):
    net = TagNet([SymbolGroup("form", 5, 2, slice(0, 1), 2),
                  SymbolGroup("piece", 4, 3, slice(1, 3))], [3, 2], options)
    weights = Weights(net.layers, dtype=np.float64)
    weights.values[:] = 0.5 * np.random.default_rng(1).standard_normal(weights.size)
    rng = np.random.default_rng(2)
    batch = TagBatch(np.array([0, 4, 7]), rng.integers(0, 4, (7, 3)).astype(np.int32),
                     np.array([[-1, -1], [0, 1], [2, 0], [1, 1], [-1, -1], [2, 1], [0, 0]],
                              np.int32))

    def loss():
        kept = weights.gradients.copy()
        value = net.learn(weights, batch, np.random.default_rng(5))
        weights.gradients[:] = kept
        return value

    assert_gradients(weights, loss,
                     lambda: [net.learn(weights, batch, np.random.default_rng(5))][:0])
    if not options.dropout:
        logs = net.log_values(weights, net.encoder.sums(weights, batch.symbols),
                              batch.offsets)
        right = [logs[row, values[0]] + logs[row, 3 + values[1]]
                 for row, values in enumerate(batch.values) if values[0] >= 0]
        assert loss() == pytest.approx(-np.sum(right) / 5)
        np.testing.assert_allclose(np.exp(logs[:, :3]).sum(axis=1), 1)


def test_the_net_comes_after_the_weights(tagger):
    assert [report.epoch for report in tagger.log] == [0, 0, 1, 2, 3]
    assert tagger.log[4].net_loss < tagger.log[2].net_loss
    plain = TaggerLearner(passes=2)(TRAIN)
    np.testing.assert_array_equal(plain.model.weights, tagger.model.weights)
    assert plain.predict(OTHERS) == without_net(tagger).predict(OTHERS)
    assert plain.predict(OTHERS) != tagger.predict(OTHERS)
    again = TaggerLearner(**SMALL)(TRAIN)
    np.testing.assert_array_equal(again.net.weights.values, tagger.net.weights.values)


def test_scores_of_the_net_are_those_of_the_values_of_layers(tagger):
    """With a large weight, each token has the label with the highest sum."""
    net, weight = tagger.net, tagger.net.weight
    assert weight == 0.1
    forms = [sentence.forms for sentence in OTHERS]
    scores = net.part_scores(forms)
    each = np.concatenate([net.part_scores([own]) for own in forms])
    np.testing.assert_allclose(scores, each, atol=1e-5)     # not of the batch
    chain = tagger.model.chain
    best = scores[:, chain.label_parts].sum(axis=2).argmax(axis=1)
    net.weight = 1000.
    try:
        found = [tag for tags in zip(*(tagger.predict(OTHERS)[layer]
                                       for layer in tagger.layers))
                 for tag in zip(*tags)]
    finally:
        net.weight = weight
    tokens, _ = tagger.vocabulary.encode(forms)
    free = tagger.vocabulary.allowed(tokens).which < 0
    expected = [tagger.labels[label] for label in best]
    assert free.sum() > 100
    assert all(own == other for own, other, is_free in zip(found, expected, free) if is_free)


def test_files(tagger, tmp_path):
    tagger.save(tmp_path / "tagger.npz")
    loaded = Tagger.load(tmp_path / "tagger.npz")
    assert loaded.predict(OTHERS) == tagger.predict(OTHERS)
    assert [own.epoch for own in loaded.log] == [0, 0, 1, 2, 3]
    without_net(tagger).save(tmp_path / "plain.npz")
    assert Tagger.load(tmp_path / "plain.npz").net is None
    arrays = read_arrays(tmp_path / "tagger.npz")
    write_arrays(tmp_path / "short.npz", **{
        **arrays, "net/weights": arrays["net/weights"][:-1]})
    with pytest.raises(ModelFileError, match="weights of a net"):
        Tagger.load(tmp_path / "short.npz")


def test_pickles(tagger):
    """Orange's Save Model and pools of processes use them."""
    parser_alone = ParserLearner("neural", hidden=4, epochs=1, calibrate=False)(TRAIN[:10])
    copied, parser = pickle.loads(pickle.dumps((tagger, parser_alone)))
    assert copied.predict(OTHERS) == tagger.predict(OTHERS)
    assert parser.parse(OTHERS) == parser_alone.parse(OTHERS)


def test_stopping(tagger, monkeypatch):
    monkeypatch.setattr("orange_structpred.neural.training.EPOCH_REPORT_EVERY", 0)
    stopped = TaggerLearner(**SMALL)(TRAIN, stop_if(lambda report: report.epoch == 1))
    assert stopped.net is None and len(stopped.log) == 2
    kept = TaggerLearner(**SMALL)(TRAIN, stop_if(lambda report: report.epoch == 2))
    assert kept.net is not None and [report.epoch for report in kept.log] == [0, 0, 1]
    fractions = []
    TaggerLearner(**{**SMALL, "epochs": 1})(
        TRAIN[:8], lambda report: fractions.append(report.fraction))
    assert fractions == sorted(fractions) and fractions[-1] == 1


def test_odd_treebanks():
    row = "1\t{}\t_\t{}\t_\t_\t0\troot\t_\t_"
    words = [Sentence(row.format(word, tag)) for word, tag in (
        ("go", "VERB"), ("dog", "NOUN"), ("\u3042", "X"))]
    with pytest.warns(UserWarning, match="no xpos and no feats"):
        tagger = TaggerLearner(**SMALL).learn(words)
    assert set(tagger.predict(words)) == {"upos"} and tagger.net is not None
    assert tagger.predict([]) == {"upos": []}


def test_a_pipeline_with_nets(tmp_path):
    seen = []
    learner = PipelineLearner(
        ["tagger", "parser"], tagger=TaggerLearner(**SMALL), parser=ParserLearner(
            neural=True, hidden=8, epochs=2, passes=1, calibrate=False))
    pipeline = learner(TRAIN, seen.append)
    fractions = [report.fraction for report in seen]
    assert fractions == sorted(fractions) and fractions[-1] == pytest.approx(1)
    assert not any(own.report.epoch for own in seen if own.step == "jackknife")
    assert pipeline.tagger.net is not None and pipeline.parser.net is not None
    pipeline.save(tmp_path / "both.npz")
    loaded = Pipeline.load(tmp_path / "both.npz")
    assert loaded.annotate("It barks.") == pipeline.annotate("It barks.")


def test_neural_is_for_tagger_and_parser():
    learner = PipelineLearner(neural=True)
    assert learner.learner("tagger").neural and learner.learner("parser").neural
    assert not learner.jackknife_learner("tagger").neural
    assert not PipelineLearner().learner("tagger").neural
    own = TaggerLearner()
    assert PipelineLearner(neural=True, tagger=own).learner("tagger") is own


def test_variants_of_sentences():
    """The net learns from one of two copies, the weights from both."""
    own = TRAIN[:20]
    bare = Treebank.from_sentences([with_layers(sentence, {
        layer: ["_"] * len(sentence) for layer in ("upos", "xpos", "feats", "lemma")})
        for sentence in own.sentences])
    options = {"hidden": 6, "epochs": 2, "calibrate": False, "relations": False}
    net = ParserLearner("neural", **options)
    alone, both = net(own), net(own, variants=bare)
    assert len(both.log) == len(alone.log) == 2
    assert both.net.symbols.size("upos") == alone.net.symbols.size("upos") + 1
    joined = Treebank.from_sentences([*own.sentences, *bare.sentences])
    explicit = ParserLearner(order=1, passes=1, calibrate=False, relations=False)
    np.testing.assert_array_equal(explicit(own, variants=bare).model.weights,
                                  explicit(joined).model.weights)
    with pytest.raises(InputError, match="variants must be the sentences"):
        net(own, variants=bare[:5])
    learned, held_out = ParserLearner().hold_out(4000, 0, copies=2)
    assert len(held_out) == 50 and (held_out >= 2000).all()
    assert not {*held_out % 2000} & {*learned % 2000} and len(learned) == 3900
