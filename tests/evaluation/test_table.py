import numpy as np
from Orange.data import Table

from orange_structpred.evaluation import Evaluation, evaluate_sentences
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
    assert column(table, "projectivity").count("non-projective") == 1
    # The artificial root has no form.
    assert str(table[1]["gold head form"]) in ("", "?")


def test_without_relations():
    table = Evaluation(GOLD, [gold.heads for gold in GOLD]).token_table()
    names = [variable.name for variable in table.domain.variables]
    assert "relation" in names and "predicted relation" not in names
    assert np.all(table.Y == 1)


def test_no_sentences():
    assert len(Evaluation([], []).token_table()) == 0
