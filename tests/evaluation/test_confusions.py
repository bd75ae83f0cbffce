"""Matrices of wrong heads, relations and tags."""
from collections import Counter

import numpy as np
import pytest

from orange_structpred import ParserLearner, Treebank, evaluate, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.evaluation import tag_confusions
from orange_structpred.evaluation.confusions import (
    KINDS_OF_HEADS,
    confusions,
    kind_of_head,
)
from orange_structpred.treebank.marks import marks


@pytest.fixture(scope="module")
def parsed():
    treebank = load_bundled("en")
    return ParserLearner(order=1, passes=1)(treebank[:60])(treebank[300:])


#  3 is the root; 2 and 5 below it; 1 below 2; 4 and 6 below 5; 7 below 6
GOLD = [2, 3, 0, 5, 3, 5, 6]


@pytest.mark.parametrize("token, predicted, kind", [
    (1, 0, "root"), (3, 2, "not root"), (2, 1, "own descendant"),
    (5, 7, "own descendant"), (4, 3, "above head"), (7, 3, "above head"),
    (4, 6, "sibling"), (4, 7, "below sibling"), (2, 4, "below sibling"),
    (2, 5, "sibling"), (7, 1, "elsewhere"), (1, 6, "elsewhere")])
def test_kinds(token, predicted, kind):
    assert kind_of_head(GOLD, token, predicted) == kind


def test_gold_heads_in_a_cycle():
    heads = [2, 1, 0, 3]        # as a file that is read without checking trees may have
    assert kind_of_head(heads, 1, 4) == "elsewhere"
    assert kind_of_head(heads, 4, 1) == "elsewhere"


def test_counts_are_those_of_single_tokens(parsed):
    """The slow way: token by token."""
    found = confusions(parsed)
    (name, prediction), = parsed.predictions.items()
    expected, totals = Counter(), Counter()
    for sentence, heads in zip(parsed.sentences, prediction.heads):
        for i, head in enumerate(heads):
            relation = sentence.deprels[i].partition(":")[0]
            totals[relation] += 1
            if head != sentence.heads[i]:
                expected[relation, kind_of_head(
                    sentence.heads.tolist(), i + 1, int(head))] += 1
    assert found.name == name and found.columns == list(KINDS_OF_HEADS)
    assert {(row, column): count for row, own in zip(found.rows, found.counts)
            for column, count in zip(found.columns, own) if count} == expected
    assert dict(zip(found.rows, found.tokens)) == {
        row: totals[row] for row in found.rows}
    evaluation = evaluate(parsed)
    assert found.counts.sum() == (~evaluation.head_correct).sum()


def test_other_rows_and_columns(parsed):
    evaluation = evaluate(parsed)
    found = confusions(parsed, rows="PoS", columns="PoS of wrong head")
    assert found.counts.sum() == (~evaluation.head_correct).sum()
    wrong = np.flatnonzero(~evaluation.head_correct)[0]
    sentence = evaluation.gold[evaluation.sentence_of[wrong]]
    head = evaluation.heads[wrong]
    tag = sentence.upos[head - 1] if head else "root"
    row = sentence.upos[evaluation.positions[wrong] - 1]
    assert found.counts[found.rows.index(row), found.columns.index(tag)] > 0
    found = confusions(parsed, columns="wrong relation")
    differs = [a != b for a, b in zip(evaluation.gold_relations, evaluation.relations)]
    assert found.counts.sum() == sum(differs)
    assert all(found.counts[found.rows.index(both), found.columns.index(both)] == 0
               for both in set(found.rows) & set(found.columns))


def test_punctuation(parsed):
    found = confusions(parsed, rows="PoS", punct=False)
    assert "PUNCT" not in found.rows
    assert confusions(parsed, rows="PoS").counts.sum() > found.counts.sum()


def test_sentences_of_cells(parsed):
    found = confusions(parsed)
    row, column = np.unravel_index(found.counts.argmax(), found.counts.shape)
    own = found.sentences([(found.rows[row], found.columns[column])])
    marked = marks(own)
    assert sum(map(len, marked)) == found.counts[row, column]
    heads = own.predictions[found.name].heads
    for sentence, tokens, predicted in zip(own.sentences, marked, heads):
        for token in tokens:
            assert sentence.deprels[token - 1].partition(":")[0] == found.rows[row]
            assert kind_of_head(sentence.heads.tolist(), token,
                                int(predicted[token - 1])) == found.columns[column]
    assert sum(map(len, marks(found.sentences()))) == found.counts.sum()
    assert found.sentences([]) is None
    with pytest.raises(InputError, match="there is no 'x'; found: root"):
        found.sentences([(found.rows[0], "x")])


def test_tags():
    treebank = load_bundled("en")[:40]
    nouns = treebank.with_tags("nouns", {
        "upos": [["NOUN"] * len(own) for own in treebank.sentences]})
    found = confusions(nouns)
    assert (found.name, found.row_title, found.column_title) == (
        "nouns: upos", "gold upos", "predicted upos")
    assert found.columns == ["NOUN"] and "NOUN" not in found.rows
    table = tag_confusions(nouns, "nouns")
    assert dict(zip(found.rows, found.counts[:, 0])) == {
        str(row["gold"]): row["tokens"] for row in table}
    verbs = found.sentences([("VERB", "NOUN")])
    for sentence, tokens in zip(verbs.sentences, marks(verbs)):
        assert {sentence.upos[token - 1] for token in tokens} == {"VERB"}


def test_gaps_are_left_out(parsed):
    first = parsed.sentences[0]
    without = Treebank.from_sentences([
        first.with_heads([-1] * len(first), ["_"] * len(first)),
        *parsed.sentences[1:5]])
    (name, prediction), = parsed.predictions.items()
    gaps = without.with_prediction(name, prediction.heads[:5], prediction.deprels[:5])
    whole = confusions(parsed[1:5])
    assert confusions(gaps).counts.sum() == whole.counts.sum()
    sent = confusions(gaps).sentences()
    assert first.block not in [own.block for own in sent.sentences]


def test_table_and_text(parsed):
    found = confusions(parsed)
    table = found.to_table()
    assert [v.name for v in table.domain.attributes] == [
        "tokens", "wrong", *KINDS_OF_HEADS]
    np.testing.assert_array_equal(table.X[:, 2:], found.counts)
    np.testing.assert_array_equal(table.X[:, 1], found.counts.sum(axis=1))
    lines = str(found).splitlines()
    assert lines[0].split()[:3] == ["relation", "tokens", "wrong"]
    assert lines[1].split()[:2] == [found.rows[0], str(found.tokens[0])]


def test_nothing_wrong():
    treebank = load_bundled("en")[:3]
    perfect = treebank.with_prediction("all", [own.heads for own in treebank.sentences])
    found = confusions(perfect)
    assert found.rows == [] and found.counts.shape == (0, 7)
    assert len(found.to_table()) == 0 and found.sentences() is None
    assert confusions(perfect, columns="PoS of wrong head").columns == []


@pytest.mark.parametrize("options, message", [
    ({"rows": "x"}, "rows must be one of"), ({"columns": "x"}, "columns must be one of"),
    ({"name": "x"}, "no prediction 'x'; found: all"),
    ({"columns": "wrong relation"}, "has no relations")])
def test_bad_arguments(options, message):
    treebank = load_bundled("en")[:3]
    perfect = treebank.with_prediction("all", [own.heads for own in treebank.sentences])
    with pytest.raises(InputError, match=message):
        confusions(perfect, **options)


def test_no_prediction():
    with pytest.raises(InputError, match="no prediction"):
        confusions(load_bundled("en")[:3])
