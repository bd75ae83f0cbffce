"""How long trainings are expected to take."""
import pytest

from orange_structpred.learner.effort import expected_seconds


@pytest.mark.parametrize("more", [
    {"passes": 20}, {"order": 2}, {"features": "kernel"},
    {"features": "kernel", "kernel": "bow"}])
def test_what_takes_longer(more):
    size = {"tokens": 25_000, "sentences": 2_001}
    assert expected_seconds({"order": 1, "passes": 10, **more}, **size) > \
        expected_seconds({"order": 1, "passes": 10}, **size)


def test_kernels_compare_all_pairs_of_sentences():
    settings = {"features": "kernel", "kernel": "ngram"}
    small, large = (expected_seconds(settings, tokens=0, sentences=n)
                    for n in (1000, 2000))
    assert large == pytest.approx(4 * small)


def test_two_hundred_passes_are_not_seconds():
    """A treebank of 2,001 sentences was once trained anew whenever it was opened."""
    assert expected_seconds({"passes": 200}, tokens=25_000, sentences=2_001) > 100
    assert expected_seconds({"passes": 10}, tokens=4_400, sentences=320) < 5
