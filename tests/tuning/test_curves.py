"""Learning curves, against trainings made one by one."""
import numpy as np
import pytest

from orange_structpred import ParserLearner, TaggerLearner, Treebank, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.evaluation import evaluate
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.treebank.columns import free_names
from orange_structpred.treebank.layers import layer_values
from orange_structpred.treebank.learnable import MissingHeadsError
from orange_structpred.tuning.curves import (
    absolute_sizes,
    learning_curve,
    parse_sizes,
)
from tests.observers import stop_if

FAST = {"order": 1, "passes": 2, "relations": False}


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:80]


@pytest.fixture(scope="module")
def curve(treebank):
    return learning_curve(
        treebank[:60], ParserLearner(**FAST), TaggerLearner(["upos"], passes=2),
        validation=treebank[60:], sizes=[10, 0.5], seeds=2, random_state=3)


def test_what_is_trained(curve):
    assert curve.sizes == [10, 30] and curve.seeds == [3, 4]
    assert curve.learners == ["explicit mira C=1", "tagger"]
    assert curve.measures == {"explicit mira C=1": "UAS", "tagger": "upos"}
    assert [(own.size, own.seed, own.learner) for own in curve.results] == [
        (size, seed, name) for size in (10, 30) for seed in (3, 4)
        for name in curve.learners]
    assert not curve.stopped


def test_scores_are_those_of_single_trainings(curve, treebank):
    """The slow way, for the larger size and the second seed."""
    rows = np.sort(np.random.default_rng(4).permutation(60)[:30])
    part, held_out = treebank[:60][rows], treebank[60:]
    parser = ParserLearner(**FAST, random_state=4)(part)
    tagger = TaggerLearner(["upos"], passes=2, random_state=4)(part)
    found = {own.learner: own for own in curve.results
             if own.size == 30 and own.seed == 4}
    assert found["explicit mira C=1"].score == evaluate(parser(held_out)).uas
    assert found["explicit mira C=1"].train_score == evaluate(parser(part)).uas
    tags = tagger.predict(held_out.sentences)["upos"]
    right = [a == b for sentence, own in zip(held_out.sentences, tags)
             for a, b in zip(layer_values(sentence, "upos"), own)]
    assert found["tagger"].score == np.mean(right)


def test_smaller_parts_are_within_larger_ones(treebank):
    seen = {}

    class Watching(ParserLearner):
        def train(self, data, callback=None):
            seen[self.random_state, len(data)] = {
                own.block for own in data.sentences}
            return super().train(data, callback)

    learning_curve(treebank[:30], Watching(**FAST), sizes=[5, 10, 1.0], seeds=2)
    for seed in (0, 1):
        assert seen[seed, 5] < seen[seed, 10] < seen[seed, 24]
    assert seen[0, 5] != seen[1, 5]


def test_points_are_means(curve):
    for point in curve.points:
        scores = [own.score for own in curve.results
                  if (own.learner, own.size) == (point.learner, point.size)]
        assert point.seeds == len(scores) == 2
        assert point.score == pytest.approx(np.mean(scores))
        assert point.deviation == pytest.approx(np.std(scores, ddof=1))


def test_more_sentences_help(curve):
    small, large = (point.score for point in curve.points[:2])
    assert small < large


def test_tables_and_text(curve):
    table = curve.to_table()
    assert [variable.name for variable in table.domain.attributes] == [
        "learner", "measure", "sentences", "seeds", "score", "deviation",
        "training score", "training deviation", "seconds"]
    assert table[0, "score"] == pytest.approx(100 * curve.points[0].score)
    assert str(table[3, "measure"]) == "upos"
    assert len(curve.results_table()) == 8
    first, *others = str(curve).splitlines()
    assert first.split("  ")[-1] == "tagger (upos)"
    point = curve.points[0]
    assert others[0].split()[:4] == [
        "10", f"{100 * point.score:.2f}", "±", f"{100 * point.deviation:.2f}"]


def test_one_seed_has_no_deviation(treebank):
    curve = learning_curve(treebank[:20], ParserLearner(**FAST), sizes=[1.0], seeds=1)
    assert np.isnan(curve.points[0].deviation)
    assert "±" not in str(curve)
    assert np.isnan(curve.to_table()[0, "deviation"])


def test_progress_and_stopping(treebank):
    seen = []

    def callback(progress):
        seen.append(progress)
        if progress.result is not None and len(progress.curve.results) == 3:
            raise StopEarly

    curve = learning_curve(treebank[:30], ParserLearner(**FAST), sizes=[5, 10],
                           seeds=2, callback=callback)
    assert curve.stopped and len(curve.results) == 3
    assert [own.result for own in seen if own.result] == curve.results
    fractions = [own.fraction for own in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx((5 + 5 + 10) / 30)
    assert len(curve.points) == 2 and curve.points[1].seeds == 1


def test_stopping_within_a_training(treebank):
    curve = learning_curve(treebank[:30], ParserLearner(**FAST), sizes=[5],
                           callback=stop_if(lambda progress: progress.fraction > 0))
    assert curve.stopped and not curve.results


def test_a_checkpoint_is_not_shared(treebank, tmp_path):
    path = tmp_path / "checkpoint.npz"
    learner = ParserLearner(**FAST, checkpoint=path)
    learning_curve(treebank[:20], learner, sizes=[5, 10], seeds=1)
    assert not path.exists() and learner.checkpoint == path


def test_taggers_need_no_heads(treebank):
    without = Treebank.from_sentences([
        sentence.with_heads([-1] * len(sentence), ["_"] * len(sentence))
        for sentence in treebank.sentences[:20]])
    tagger = TaggerLearner(["upos"], passes=1)
    assert learning_curve(without, tagger, sizes=[10], seeds=1).points
    with pytest.raises(MissingHeadsError):
        learning_curve(without, tagger, ParserLearner(**FAST), sizes=[10], seeds=1)


@pytest.mark.parametrize("options, message", [
    ({"sizes": []}, "at least one size"), ({"sizes": [0]}, "sizes must be from 1 to 16, .*, not 0"),
    ({"sizes": [100]}, "sizes must be from 1 to 16, .*, not 100"),
    ({"sizes": [1.5]}, r"at most 1.0 \(100%\), not 1.5 \(150%\)"), ({"sizes": ["x"]}, "not 'x'"),
    ({"seeds": 0}, "seeds"), ({"measure": "f1"}, "measure must be"),
    ({"random_state": None}, "random_state"), ({"share": 1.}, "share"),
])
def test_bad_arguments(treebank, options, message):
    with pytest.raises(InputError, match=message):
        learning_curve(treebank[:20], ParserLearner(**FAST), **options)


def test_bad_learners(treebank):
    from Orange.classification import MajorityLearner

    with pytest.raises(InputError, match="at least one learner"):
        learning_curve(treebank)
    with pytest.raises(InputError, match="majority is not a learner of parsers"):
        learning_curve(treebank, MajorityLearner())
    with pytest.raises(InputError, match="C must be"):
        learning_curve(treebank, ParserLearner(C=-1))


def test_las_needs_relations(treebank):
    with pytest.raises(InputError, match="no relations"):
        learning_curve(treebank[:20], ParserLearner(**FAST), measure="las", sizes=[5],
                       seeds=1)


def test_helpers():
    assert free_names(["a", "b", "a", "a", "a (2)"]) == [
        "a", "b", "a (2)", "a (3)", "a (2) (2)"]
    assert absolute_sizes([1.0, 0.001, 3, 0.5], 6) == [1, 3, 6]


def test_sizes_that_are_typed_wrongly():
    with pytest.raises(ValueError, match="found 'many', expected a number of sentences, "
                                         "such as 100, or a share of them, such as 50%"):
        parse_sizes("100, many")


@pytest.mark.parametrize("text", ["12,5%, 25%", "100,12,5%"])
def test_percentages_need_a_point(text):
    with pytest.raises(ValueError, match="'12,5%' is ambiguous: write '12.5%' for one "
                                         "percentage, or '12, 5%' for two sizes"):
        parse_sizes(text)


def test_sizes_without_spaces():
    assert parse_sizes("6%,12.5%,25%") == [0.06, 0.125, 0.25]
    assert parse_sizes("12, 5%") == [12, 0.05]
    assert parse_sizes("100,50%") == [100, 0.5]
