import numpy as np
import pytest

from orange_structpred import load_bundled
from orange_structpred.learner import ParserLearner
from orange_structpred.running.cancellation import (
    Cancellation,
    Cancelled,
    StopEarly,
    part_of,
)


class Impatient:
    """A callback that is asked all the time, and stops at the given call."""

    def __init__(self, stop_at=None):
        self.stop_at, self.reports = stop_at, []

    def __call__(self, report):
        self.reports.append(report)
        if len(self.reports) == self.stop_at:
            raise StopEarly


@pytest.fixture(autouse=True)
def look_always(monkeypatch):
    monkeypatch.setattr("orange_structpred.running.cancellation.CHECK_EVERY", -1.)
    # how often solvers report must not depend on how long they take
    monkeypatch.setattr("orange_structpred.svm.solver.REPORT_EVERY", np.inf)


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:20]


SETTINGS = {
    "hashed features": {},
    "dictionary": {"min_count": 2},
    "hash functions": {"features": "kernel"},
    "kernel matrix": {"features": "kernel", "kernel": "ngram"},
    "word clusters": {"features": "kernel", "hash": ["wordVecs"], "kernel": "bow"},
    "Nystroem": {"features": "kernel", "kernel": "ngram", "nystroem": 5},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_it_stops_wherever_it_is_asked_to(settings, treebank):
    learner = ParserLearner(passes=1, **settings)
    callback = Impatient()
    expected = learner(treebank[:], callback)       # a copy, not encoded yet
    before = [report for report in callback.reports if report.pass_ == 0]
    fractions = [report.fraction for report in before]
    assert len(before) > 3 * len(treebank)          # all go through the sentences
    assert fractions == sorted(fractions)
    assert fractions[-1] == (settings.get("kernel") == "ngram"
                             and "nystroem" not in settings)
    assert callback.reports[:len(before)] == before
    for stop_at in {1, len(before) // 2, len(before)}:
        callback = Impatient(stop_at)
        with pytest.raises(Cancelled):
            learner(treebank[:], callback)
        assert len(callback.reports) == stop_at
    heads = learner(treebank).predict_heads(treebank.sentences)
    assert [own.tolist() for own in heads] == [
        own.tolist() for own in expected.predict_heads(treebank.sentences)]


def test_a_parser_stops_before_it_parses(treebank):
    parser = ParserLearner(passes=1)(treebank)
    shares = []

    def progress(share):
        shares.append(share)
        if len(shares) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        parser(treebank[:], progress)
    assert shares == [0.] * 5


@pytest.mark.parametrize("error, solver", [
    (Cancelled, "mira"), (Cancelled, "bcfw"), (Cancelled, "one-slack"),
    (KeyboardInterrupt, "mira")])
def test_cancelled_training_has_no_result(error, solver, treebank):
    """Unlike one that is to stop early."""
    def callback(report):
        if report.end_of_pass and report.pass_ == 2:
            raise error

    with pytest.raises(error):
        ParserLearner(passes=5, order=1, solver=solver, epsilon=1e-9)(treebank, callback)


def test_what_progress_functions_return_does_not_matter(treebank):
    parser = ParserLearner(passes=1, order=1)(treebank, lambda report: True)
    assert not parser.stopped
    assert len(parser.predict_heads(treebank, progress=lambda fraction: False)) == 20


def test_texts_and_parts():
    seen = []
    half = part_of(lambda *arguments: seen.append(arguments), 0.5, 1.)
    half(0.)
    half(0.5, "reading")
    Cancellation(half).report_progress(1., "done")
    assert seen == [(0.5,), (0.75, "reading"), (1., "done")]
    assert part_of(None, 0., 1.) is None


def test_nobody_asks():
    assert list(Cancellation().cancellable("abc")) == ["a", "b", "c"]
