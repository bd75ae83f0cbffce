"""Several treebanks scored at once, without a canvas."""
import numpy as np
import pytest
from Orange.data import Table

from orange_structpred.evaluation import evaluate, score_table, score_treebanks
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.marks import MARKED, marks, with_marks
from tests.evaluation.toy import GOLD, PREDICTED
from tests.treebank.toy import UNPARSED
from tests.treebank.toy import treebank as treebank_of

HEADS = [sentence.heads for sentence in PREDICTED]
DEPRELS = [sentence.deprels for sentence in PREDICTED]


def toy(name: str = "toy") -> Treebank:
    return Treebank.from_sentences(GOLD, name=name).with_prediction(
        "worse", HEADS, DEPRELS)


def with_gaps() -> Treebank:
    """The toy with a sentence without heads among the others."""
    unparsed = treebank_of([UNPARSED]).sentences
    sentences = [*GOLD[:1], *unparsed, *GOLD[1:]]
    heads = [*HEADS[:1], np.zeros(len(unparsed[0]), int), *HEADS[1:]]
    deprels = [*DEPRELS[:1], ["_"] * len(unparsed[0]), *DEPRELS[1:]]
    return Treebank.from_sentences(sentences, name="gaps").with_prediction(
        "worse", heads, deprels)


def test_sentences_without_heads_are_skipped():
    scores = score_treebanks(with_gaps())
    assert scores.skipped == ["1 sentence of gaps for worse"]
    assert scores.table().X.tolist() == score_treebanks(toy()).table().X.tolist()
    *table, skipped = score_table(with_gaps()).splitlines()
    assert table == score_table(toy()).splitlines()
    assert skipped == ("without gold or predicted heads, so not scored: "
                       "1 sentence of gaps for worse")
    # Numbers of sentences are those in the treebank.
    rows = {0: 1, 1: 3, 2: 4, 3: 5}
    assert [rows[int(n) - 1] for n in score_treebanks(toy()).errors().get_column(
        "sentence")] == score_treebanks(with_gaps()).errors().get_column(
        "sentence").tolist()


def test_text_and_table_agree():
    scores = score_treebanks(toy(), toy("again"))
    table, lines = scores.table(punct=False), scores.text(punct=False).splitlines()
    assert [str(row["Parser"]) for row in table] == ["worse, toy", "worse, again"]
    for row, line in zip(table, lines[1:]):
        assert f"{float(row['UAS']):.2f}" in line.split()
        assert f"{float(row['LAS']):.2f}" in line.split()
    assert table[0, "UAS"] == 100 * evaluate(toy()).uas_nopunct


def test_what_cannot_be_scored():
    bare = Treebank.from_sentences(GOLD, name="bare")
    scores = score_treebanks(Table("iris"), bare, treebank_of([UNPARSED]), bare[:0])
    assert not scores.scored
    not_a_treebank, *others = scores.problems()
    assert "iris" in not_a_treebank
    assert others == ["no sentences in: bare", "no predictions in: bare",
                      f"no gold heads in: {treebank_of([UNPARSED]).name}"]
    assert scores.text() == "\n".join(scores.problems())
    with pytest.raises(ValueError, match="iris.*no sentences in: bare"):
        score_table(Table("iris"), bare[:0])


def test_selected_groups_are_marked():
    scores = score_treebanks(toy())
    label = scores.scored[0].groups["PoS", True][0].label
    chosen = scores.sentences([("worse", label)], "PoS")
    for sentence, own in zip(chosen.sentences, marks(chosen), strict=True):
        assert own == {i for i, tag in enumerate(sentence.upos, 1) if tag == label}
    errors = scores.errors([("worse", label)], "PoS")
    assert {str(row["PoS"]) for row in errors} <= {label}
    assert MARKED not in scores.sentences(["worse"]).domain
    with pytest.raises(ValueError, match="no prediction 'none' was scored"):
        scores.errors(["none"])


def test_marks_are_replaced_and_are_not_predictions():
    treebank = toy()
    every = with_marks(treebank, [range(1, len(own) + 1) for own in treebank.sentences])
    assert list(every.predictions) == ["worse"]
    assert [len(own) for own in marks(every)] == list(map(len, treebank.sentences))
    first = with_marks(every, [[1]] * len(treebank))
    assert isinstance(first, Treebank)
    assert marks(first) == [frozenset({1})] * len(treebank)
    assert marks(treebank) == [frozenset()] * len(treebank)


def test_intervals_of_groups():
    evaluation = evaluate(toy())
    for punct in (True, False):
        groups = evaluation.breakdown("relation", punct)
        intervals = evaluation.group_intervals("relation", punct)
        assert list(intervals) == [group.label for group in groups]
        for group in groups:
            low, high = intervals[group.label]
            assert low <= group.uas <= high


def test_scoring_can_be_cancelled():
    class Enough(Exception):
        pass

    shares = []

    def report(share, name=""):
        shares.append(share)
        if len(shares) > 5:
            raise Enough

    with pytest.raises(Enough):
        score_treebanks(toy(), progress=report)
    assert shares == sorted(shares)
