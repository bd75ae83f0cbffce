import numpy as np
from Orange.data import Table

from orange_structpred.evaluation import (
    Evaluation,
    evaluate,
    evaluate_sentences,
    prediction_table,
)
from orange_structpred.treebank import Treebank
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED


def column(table, name):
    return [str(row[name]) for row in table]


def test_a_row_a_token():
    table = evaluate_sentences(
        [*GOLD, CROSSED], [*PREDICTED, CROSSED], "toy").token_table()
    assert isinstance(table, Table) and table.name == "tokens of toy"
    assert len(table) == 18
    assert table.domain.class_var.name == "correct"
    wrong = table[table.Y == 0]
    assert column(wrong, "form") == ["old", "!"]
    assert column(wrong, "sentence") == ["1", "2"]
    assert column(wrong, "position") == ["3", "4"]
    assert column(wrong, "gold head") == ["4", "3"]
    assert column(wrong, "predicted head") == ["2", "2"]
    assert column(wrong, "gold head form") == ["books", "sold"]
    assert column(wrong, "predicted head form") == ["reads", "were"]
    assert column(wrong, "direction") == ["head to the right", "head to the left"]
    assert column(wrong, "PoS") == ["ADJ", "PUNCT"]
    assert column(wrong, "sent_id") == ["toy-1", "toy-2"]
    books = table[3]
    assert str(books["relation"]) == "obj"
    assert str(books["predicted relation"]) == "iobj"
    assert str(books["relation correct"]) == "no" and str(books["correct"]) == "yes"
    were = table[6]
    assert str(were["relation"]) == str(were["predicted relation"]) == "aux"
    assert str(were["relation with subtypes"]) == "aux:pass"
    assert str(were["predicted relation with subtypes"]) == "aux"
    assert str(were["relation correct"]) == "yes"
    assert column(table, "projectivity").count("non-projective") == 1
    # The artificial root has no form.
    assert str(table[1]["gold head form"]) in ("", "?")


def test_without_relations():
    table = Evaluation(GOLD, [gold.heads for gold in GOLD]).token_table()
    names = [variable.name for variable in table.domain.variables]
    assert "relation" in names and "predicted relation" not in names
    assert "relation with subtypes" in names
    assert "predicted relation with subtypes" not in names
    assert np.all(table.Y == 1)


def test_labels_that_are_not_there_are_missing():
    unlabelled = [gold.with_heads(gold.heads, ["_"] * len(gold)) for gold in GOLD]
    half = [unlabelled[0], *GOLD[1:]]
    table = Evaluation(half, [gold.heads for gold in GOLD]).token_table()
    assert "_" not in table.domain["relation"].values
    assert column(table, "relation") == (
        ["?"] * 5 + [rel.split(":")[0] for gold in GOLD[1:] for rel in gold.deprels])
    table = Evaluation(unlabelled, [gold.heads for gold in GOLD]).token_table()
    assert table.domain["relation"].values == ()


def test_no_sentences():
    assert len(Evaluation([], []).token_table()) == 0


def predicted(sentences, heads=None, deprels=None):
    heads = [own.heads for own in PREDICTED] if heads is None else heads
    return Treebank.from_sentences(sentences).with_prediction("toy", heads, deprels)


def rows(table):
    return [[str(value) for value in row] for row in table]


def test_prediction_with_all_gold_heads():
    for deprels in (None, [own.deprels for own in PREDICTED]):
        treebank = predicted(GOLD, deprels=deprels)
        table = prediction_table(treebank, "toy")
        scored = evaluate(treebank).token_table()
        assert rows(table) == rows(scored) and table.name == scored.name
        assert [var.name for var in table.domain.variables] \
            == [var.name for var in scored.domain.variables]


def test_prediction_without_gold_heads():
    bare = [gold.with_heads([-1] * len(gold)) for gold in GOLD]
    table = prediction_table(predicted(bare), "toy")
    scored = prediction_table(predicted(GOLD), "toy")
    assert [(var.name, type(var)) for var in (*table.domain.variables,
                                              *table.domain.metas)] \
        == [(var.name, type(var)) for var in (*scored.domain.variables,
                                              *scored.domain.metas)]
    for name in ("predicted head", "predicted head form", "form", "PoS", "relation",
                 "position", "sentence length", "sent_id"):
        assert column(table, name) == column(scored, name), name
    for name in ("gold head", "gold head form", "arc length", "direction", "correct",
                 "distance to root", "projectivity"):
        assert set(column(table, name)) <= {"?", ""}, name


def test_prediction_with_some_gold_heads():
    partly = GOLD[0].with_heads([2, -1, 4, -1, 2])
    table = prediction_table(predicted([partly, *GOLD[1:]]), "toy")
    first = table[:5]
    assert column(first, "gold head") == ["2", "?", "4", "?", "2"]
    assert column(first, "gold head form") == ["reads", "?", "books", "?", "reads"]
    assert column(first, "predicted head") == ["2", "0", "2", "2", "2"]
    assert column(first, "correct") == ["yes", "?", "no", "?", "yes"]
    assert column(first, "arc length") == ["1", "?", "1", "?", "3"]
    assert column(first, "direction") == ["head to the right", "?",
                                          "head to the right", "?", "head to the left"]
    assert column(first, "distance to root") == ["?"] * 5
    assert column(first, "projectivity") == ["?"] * 5
    assert rows(table[5:]) == rows(prediction_table(predicted(GOLD), "toy")[5:])


def test_sentences_without_prediction():
    heads = [[-1] * 5, *(own.heads for own in PREDICTED[1:])]
    table = prediction_table(predicted(GOLD, heads), "toy")
    assert column(table[:5], "predicted head") == ["?"] * 5
    assert column(table[:5], "correct") == ["?"] * 5
    assert column(table[:5], "gold head") == ["2", "0", "4", "2", "2"]
    assert "?" not in column(table[5:], "correct")


def test_prediction_of_no_sentences():
    assert len(prediction_table(predicted([], []), "toy")) == 0


def test_probabilities():
    shares = [np.linspace(0, 1, len(own)) for own in GOLD]
    bank = Treebank.from_sentences(GOLD).with_prediction(
        "toy", [own.heads for own in PREDICTED], None, shares)
    for table in (prediction_table(bank, "toy"), evaluate(bank).token_table()):
        np.testing.assert_allclose(
            table.get_column("probability"), np.concatenate(shares), atol=1e-4)
    plain = predicted(GOLD)
    assert "probability" not in prediction_table(plain, "toy").domain
