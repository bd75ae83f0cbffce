"""Parsers that know how sure they are: temperatures, files, all kinds of models."""
from unittest.mock import patch

import numpy as np
import pytest

from orange_structpred import (
    Parser,
    ParserLearner,
    Treebank,
    calibration,
    load_bundled,
)
from orange_structpred.parser.probabilities import NotCalibratedError
from orange_structpred.parsing.calibration import fit_tree_temperature
from orange_structpred.parsing.decoding.pieces import LongSentenceWarning
from orange_structpred.running.cancellation import Cancelled, StopEarly
from tests.observers import cancel_unless

BUNDLED = load_bundled("en")
QUICK = {"order": 1, "passes": 2, "relations": False}


@pytest.fixture(scope="module")
def parser():
    with patch("orange_structpred.learner.base.FEWEST_SENTENCES", 400):
        return ParserLearner(**QUICK)(BUNDLED)


def test_a_temperature_is_fitted_to_held_out_sentences(parser):
    with patch("orange_structpred.learner.base.FEWEST_SENTENCES", 400):
        learned, held_out = ParserLearner().hold_out(400, 0)
    assert sorted([*learned, *held_out]) == list(range(400))
    assert parser.temperature is not None
    other = Parser(parser.model, decoder=parser.decoder, single_root=True,
                   tags=parser.tags, name="other")
    other.calibrate([BUNDLED.sentences[i] for i in held_out])
    assert other.temperature == parser.temperature


@pytest.mark.parametrize("options, n, expected", [
    ({}, 999, 0), ({}, 1000, 25), ({}, 20_000, 125),
    ({"calibrate": False}, 1000, 0), ({"solver": "bcfw"}, 1000, 25)])
def test_how_many_are_held_out(options, n, expected):
    assert len(ParserLearner(**options).hold_out(n, 0)[1]) == expected


def test_probabilities_are_calibrated():
    parser = ParserLearner(calibrate=False, **QUICK)(BUNDLED[:220])
    parser.calibrate(BUNDLED[220:310])
    assert calibration(parser(BUNDLED[310:], probabilities=True)).ece < 0.05
    parser.temperature = 5.
    assert calibration(parser(BUNDLED[310:], probabilities=True)).ece > 0.1


@pytest.mark.parametrize("options", [
    {"solver": "bcfw", "passes": 10}, {"features": "kernel", "passes": 10},
    {"solver": "one-slack", "passes": 30}, {"solver": "perceptron"},
    {"solver": "subgradient", "passes": 10}, {"order": 2, "solver": "bcfw"}])
def test_every_solver_is_calibrated(options):
    """Scores of solvers with a dual have a scale of their own."""
    parser = ParserLearner(**{**QUICK, **options})(BUNDLED[:80])
    unseen = BUNDLED[300:]
    parsed = parser(unseen, probabilities=True)
    assert calibration(parsed).ece < 0.15
    best = [parser.edge_probabilities(sentence)[:, 1:].argmax(axis=0)
            for sentence in unseen.sentences]
    heads = parsed.predictions[parser.name].heads
    assert np.mean(np.concatenate(best) == np.concatenate(heads)) > 0.9


def test_parsers_that_are_not_calibrated_say_nothing():
    parser = ParserLearner(**QUICK)(BUNDLED[:15])
    assert not parser.calibrated
    sentence = BUNDLED.sentences[20]
    for ask in (lambda: parser.edge_probabilities(sentence),
                lambda: parser.predict([sentence], probabilities=True),
                lambda: parser.parse([sentence], probabilities=True)):
        with pytest.raises(ValueError, match="is not calibrated.*call its method calibrate"):
            ask()
    trees = parser.k_best(sentence, 2)
    assert len(trees) == 2 and all(np.isnan(tree.probability) for tree in trees)
    np.testing.assert_array_equal(trees[0].heads, parser.predict_heads([sentence])[0])


@pytest.mark.parametrize("solver", ["ridge", "kernel-pca", "vector-ridge", "one-class"])
def test_scores_that_no_temperature_fits_say_nothing(solver):
    """One temperature makes short sentences too doubtful and long ones too sure."""
    parser = ParserLearner(features="kernel", kernel="bow", solver=solver,
                           relations=False)(BUNDLED[:40])
    assert not parser.calibrated
    with pytest.raises(NotCalibratedError,
                       match="no temperature.*few sentences.*'ridge', do not say"):
        parser.calibrate(BUNDLED[60:100])
    assert not parser.calibrated


def test_no_temperature_where_accuracy_says_more(parser):
    """Scores of right and wrong heads are the same, those of sentences differ."""
    distributions, heads, gold = parser.calibration_data(BUNDLED.sentences[:40])
    assert fit_tree_temperature(distributions, heads, gold) is not None
    rng = np.random.default_rng(0)
    noise = [np.where(rng.random(len(tree)) < 0.7, tree, (tree + 1) % (len(tree) + 1))
             for tree in heads]
    assert fit_tree_temperature(distributions, heads, noise) is None


def test_stopped_while_it_is_calibrated():
    """The parser is there, and nothing is said about how sure it is."""
    passes = []

    def callback(report):
        passes.append(report.end_of_pass)
        if len(passes) > 4:
            raise StopEarly

    parser = ParserLearner(**QUICK)(BUNDLED[:40], callback)
    assert sum(passes) == len(parser.log) == 2
    assert not parser.calibrated and not parser.stopped


def test_stopped_before_the_first_pass_of_a_calibration(monkeypatch):
    monkeypatch.setattr("orange_structpred.running.cancellation.CHECK_EVERY", -1.)
    ends = []

    def callback(report):
        if sum(ends) == 2:
            raise StopEarly
        ends.append(report.end_of_pass)

    parser = ParserLearner(**QUICK)(BUNDLED[:40], callback)
    assert len(parser.log) == 2 and not parser.calibrated and not parser.stopped


@pytest.mark.parametrize("options", [
    {"decoder": "exact"}, {"decoder": "rearranged"}, {"decoder": "approximate"},
    {"features": "kernel", "kernel": "bow"}, {"features": "kernel"}])
def test_every_kind_of_parser_has_them(options):
    parser = ParserLearner(**{**QUICK, **options})(BUNDLED[:160])
    parser.calibrate(BUNDLED[160:200])
    found = parser.predict(BUNDLED[200:210], probabilities=True)
    for sentence, heads, shares in zip(BUNDLED[200:210].sentences, found.heads,
                                       found.probabilities):
        table = parser.edge_probabilities(sentence)
        np.testing.assert_allclose(table[:, 1:].sum(0), 1)
        np.testing.assert_allclose(table[heads, np.arange(1, len(heads) + 1)], shares)
        assert len(parser.k_best(sentence, 3)) == 3


@pytest.mark.parametrize("options", [{}, {"decoder": "exact"}, {"order": 2}])
def test_within_0_and_1_whatever_the_scores(options):
    parser = ParserLearner(**{**QUICK, "calibrate": False, **options})(BUNDLED[:60])
    for temperature in (1e-3, 0.05, 0.3, 1.):
        parser.temperature = temperature
        for sentence in BUNDLED.sentences[100:130]:
            table = parser.edge_probabilities(sentence)
            assert table.min() >= 0 and table.max() <= 1
            np.testing.assert_allclose(table[:, 1:].sum(0), 1, atol=1e-6)


def test_files_keep_the_temperature(parser, tmp_path):
    parser.save(tmp_path / "parser.npz")
    again = Parser.load(tmp_path / "parser.npz")
    assert again.temperature == parser.temperature


def test_long_sentences_are_parsed_in_pieces(parser):
    sentence = max(BUNDLED.sentences, key=len)
    parser.longest = len(sentence) // 2
    try:
        with pytest.warns(LongSentenceWarning):
            found = parser.predict([sentence], probabilities=True)
        assert len(found.probabilities[0]) == len(sentence)
        # roots of later pieces get another head than the one that was scored
        assert 0 < np.isnan(found.probabilities[0]).sum() < 4
        with pytest.raises(ValueError, match="expected at most .*in pieces"):
            parser.edge_probabilities(sentence)
    finally:
        del parser.longest


def test_sentences_to_calibrate_on(parser):
    with pytest.raises(ValueError, match="have no heads; to calibrate"):
        parser.calibrate([])
    unknown = Treebank.from_sentences([BUNDLED.sentences[0].with_heads(
        [-1] * len(BUNDLED.sentences[0]))])
    with pytest.raises(ValueError, match="have no heads; to calibrate"):
        parser.calibrate(unknown)


def test_progress_and_cancellation(parser):
    seen = []
    parser.predict(BUNDLED[:200], probabilities=True,
                   progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1
    with pytest.raises(Cancelled):
        parser.predict(BUNDLED[:200], probabilities=True,
                       progress=cancel_unless(lambda share: share < 0.6))


def test_parsed_sentences_tell_them(parser):
    sentences = BUNDLED.sentences[:3]
    found = parser.predict(sentences, probabilities=True)
    again = [own.with_misc("HeadProb", ["0.5"] * len(own)).with_misc(
        "Gloss", ["x"] + [""] * (len(own) - 1)) for own in sentences]
    for own, shares in zip(parser.parse(again, probabilities=True), found.probabilities):
        misc = [line.split("\t")[9] for line in own.block.splitlines() if line[0] != "#"]
        assert misc[0].startswith("Gloss=x|HeadProb=")
        np.testing.assert_allclose(
            [float(cell.split("HeadProb=")[1]) for cell in misc], shares, rtol=1e-3)
    assert "HeadProb" not in parser.parse(sentences)[0].block
