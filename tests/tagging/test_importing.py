"""Treebanks of texts and of tables with texts."""
import numpy as np
import pytest
from Orange.data import ContinuousVariable, Domain, StringVariable, Table

from orange_structpred import TokeniserLearner, import_table, import_text, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.tagging.importing import documents_of, text_variables
from orange_structpred.treebank.text import raw_text
from tests.observers import cancel_unless


def table(**columns):
    """A table of texts."""
    domain = Domain([ContinuousVariable("size")], [], [
        StringVariable(name) for name in columns])
    n = len(next(iter(columns.values())))
    return Table.from_numpy(domain, np.zeros((n, 1)), metas=np.array(
        list(columns.values()), object).T)


def test_text():
    treebank = import_text("It rains. Stay!\n\nWhy?", name="weather")
    assert treebank.name == "weather"
    assert [own.forms for own in treebank.sentences] == [
        ["It", "rains", "."], ["Stay", "!"], ["Why", "?"]]
    assert [own.sent_id for own in treebank.sentences] == ["1", "2", "3"]
    assert raw_text(treebank.sentences) == "It rains. Stay!\n\nWhy?\n"


def test_documents():
    treebank = import_table(table(body=["One. Two.", "", "Three."]))
    assert [own.sent_id for own in treebank.sentences] == ["1-1", "1-2", "3-1"]
    assert [own.block.startswith("# newdoc id = ") for own in treebank.sentences] == [
        True, False, True]


def test_trained_tokeniser():
    tokeniser = TokeniserLearner(passes=1)(load_bundled("en")[:50])
    treebank = import_text("The dog sees it.", tokeniser)
    assert treebank.sentences[0].forms == tokeniser("The dog sees it.")[0].forms


def test_table():
    data = table(title=["A", "B"], body=["It rains today.", "It snows. Stay here."])
    assert [var.name for var in text_variables(data)] == ["body", "title"]
    assert documents_of(data) == ["It rains today.", "It snows. Stay here."]
    assert len(import_table(data)) == 3
    assert [own.text for own in import_table(data, "title").sentences] == ["A", "B"]


def test_texts_of_a_treebank():
    """Not its annotations, which are longer."""
    treebank = load_bundled("en")[:3]
    parsed = treebank.with_prediction("p", [own.heads for own in treebank.sentences])
    assert "p" not in [var.name for var in text_variables(parsed)]
    assert documents_of(parsed) == [own.text for own in treebank.sentences]


def test_column_that_a_corpus_has_chosen():
    data = table(title=["A"], body=["It rains today."])
    data.text_features = [data.domain["title"]]
    assert documents_of(data) == ["A"]


@pytest.mark.parametrize("data, column, message", [
    (Table("iris")[:2], None, "has no text: found the columns sepal length.*iris, "
     "expected a column of text$"),
    (table(body=["x"]), "text", "no text column 'text'; text columns are body"),
    (table(body=["x"]), "size", "no text column 'size'"),
    (table(body=["", " "]), None, "All documents are empty")])
def test_bad_tables(data, column, message):
    with pytest.raises(InputError, match=message):
        import_table(data, column)


def test_no_documents():
    with pytest.raises(InputError, match="There are no documents"):
        import_table(table(body=["It rains."])[:0])


def test_cancelled():
    data = table(body=["It rains."] * 3)
    with pytest.raises(Cancelled):
        import_table(data, progress=cancel_unless(lambda share: share < 0.5))
    shares = []
    import_table(data, progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1
