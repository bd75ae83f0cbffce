import pytest

from orange_structpred import load_bundled
from orange_structpred.learner import ParserLearner
from orange_structpred.running.cancellation import Cancellation, Cancelled


class Impatient:
    """A callback that is asked all the time, and stops at the given call."""

    def __init__(self, stop_at=None):
        self.stop_at, self.reports = stop_at, []

    def __call__(self, report):
        self.reports.append(report)
        return len(self.reports) == self.stop_at


@pytest.fixture(autouse=True)
def look_always(monkeypatch):
    monkeypatch.setattr("orange_structpred.running.cancellation.CHECK_EVERY", -1.)


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
        return len(shares) < 5

    with pytest.raises(Cancelled):
        parser(treebank[:], progress)
    assert shares == [0.] * 5


def test_nobody_asks():
    assert list(Cancellation().cancellable("abc")) == ["a", "b", "c"]
