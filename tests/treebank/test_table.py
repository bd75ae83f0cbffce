import copy
import doctest
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)

from orange_structpred.treebank import ConllError, Sentence, Treebank, read_conll
from orange_structpred.treebank import sentence as sentence_module
from orange_structpred.treebank import table as table_module
from orange_structpred.treebank.prediction import (
    PREDICTION_START,
    decode_prediction,
    encode_prediction,
    put_in,
    take_out,
)
from tests.data import treebank_file
from tests.treebank.test_conll import mutated_files
from tests.treebank.toy import (
    BLOCKS,
    CHAIN,
    CROSSED,
    ONE_WORD,
    RICH,
    UNPARSED,
    block,
    file_of,
    treebank,
)


@pytest.fixture(autouse=True)
def locking(monkeypatch):
    monkeypatch.setattr(Table, "LOCKING", True)


@pytest.fixture
def toy():
    return treebank()


def with_two_predictions(bank):
    zeros = [[0] * len(sentence) for sentence in bank.sentences]
    gold = [sentence.heads for sentence in bank.sentences]
    deprels = [sentence.deprels for sentence in bank.sentences]
    shares = [np.linspace(0, 1, len(own)).round(4) for own in gold]
    shares = [np.where(own == 0, np.nan, own) for own in shares]
    return bank.with_prediction("flat", zeros).with_prediction(
        "gold", gold, deprels, shares)


def assert_same(found, expected):
    """Sentences and predictions are the same."""
    assert [s.block for s in found.sentences] == [s.block for s in expected.sentences]
    theirs = expected.predictions
    assert set(found.predictions) == set(theirs)
    for name, ours in found.predictions.items():
        assert ours.deprels == theirs[name].deprels
        np.testing.assert_equal(ours.probabilities, theirs[name].probabilities)
        for own, other in zip(ours.heads, theirs[name].heads, strict=True):
            np.testing.assert_array_equal(own, other)


# Columns

def test_columns(toy):
    assert [var.name for var in toy.domain.attributes] == [
        "length", "projective", "roots", "height", "mean arc length"]
    assert [var.name for var in toy.domain.metas] == ["text", "sent_id", "conllu"]
    assert all(type(var) is StringVariable for var in toy.domain.metas)
    nan = np.nan
    np.testing.assert_allclose(toy.X, [
        [3, 1, 1, 3, 1], [4, 0, 1, 3, 5 / 3], [3, 1, 2, 2, 1], [7, 0, 1, 4, 2],
        [1, 1, 1, 1, nan], [2, nan, nan, nan, nan]])
    assert toy.metas[3].tolist() == ['"Vámonos", he \'s said', "rich-1", RICH]
    assert toy.name == "toy" and len(toy) == 6


def test_sentences(toy):
    assert [sentence.block for sentence in toy.sentences] == BLOCKS
    assert toy.sentences[0] is toy.sentences[0]
    assert not toy.has_heads and toy[:5].has_heads
    assert toy.skipped == []


def test_parts_share_the_sentences(toy):
    part = toy[[3, 1]]
    assert isinstance(part, Treebank)
    assert part.sentences[0] is toy.sentences[3]
    assert [sentence.block for sentence in toy[1:2].sentences] == [CROSSED]
    assert toy[:0].sentences == []


def test_sentences_follow_the_column():
    """What is parsed is only remembered; the column counts."""
    bank = treebank()
    assert bank.sentences[0].block == CHAIN
    with bank.unlocked(bank.metas):
        bank.metas[0, 2] = ONE_WORD
    assert bank.sentences[0].block == ONE_WORD
    with bank.unlocked(bank.metas):
        bank.metas[1, 2] = CROSSED.replace("\t3\t", "\t9\t")
    with pytest.raises(ConllError, match="toy, row 2, line 2: found head '9'"):
        bank.sentences  # noqa: B018


def test_what_is_no_sentence():
    with pytest.raises(TypeError, match="found 'a', expected sentences"):
        Treebank.from_sentences([Sentence(CHAIN), "a"])


def test_treebank_of_no_sentences():
    empty = Treebank.from_sentences([])
    assert len(empty) == 0 and empty.sentences == [] and empty.predictions == {}
    assert with_two_predictions(empty).sentences == []


def test_big_treebank():
    bank = Treebank.from_file(treebank_file("en_ewt-ud-dev.conllu"))
    assert len(bank) == 2001 and bank.name == "en_ewt-ud-dev"
    assert bank.has_heads
    assert not np.isnan(bank.X[:, :4]).any()
    assert bank.X[:, 0].sum() == sum(len(sentence) for sentence in bank.sentences)


# Predictions

def test_predictions(toy):
    bank = with_two_predictions(toy)
    assert isinstance(bank, Treebank) and toy.predictions == {}
    assert list(bank.predictions) == ["flat", "gold"]
    flat, gold = bank.predictions["flat"], bank.predictions["gold"]
    assert flat.deprels is None
    assert flat.heads[0].tolist() == [0, 0, 0] and flat.heads[0].dtype == np.int32
    assert gold.heads[3].tolist() == [4, 5, 2, 2, 0, 5, 5]
    assert gold.heads[5].tolist() == [-1, -1]
    assert gold.deprels[0] == ["root", "dep", "dep"]
    assert flat.probabilities is None
    np.testing.assert_array_equal(gold.probabilities[0], [np.nan, 0.5, 1])
    assert bank.metas[0, 3:].tolist() == ["0 0 0", "0:root 1@0.5000:dep 2@1.0000:dep"]
    np.testing.assert_array_equal(bank.ids, toy.ids)


def test_names_that_are_taken(toy):
    zeros = [[0] * len(sentence) for sentence in toy.sentences]
    bank = toy
    for name in ("MST", "MST", "MST", "length", "conllu", " a \n b ", ""):
        bank = bank.with_prediction(name, zeros)
    assert list(bank.predictions) == ["MST", "MST (2)", "MST (3)", "length (2)",
                                      "conllu (2)", "a b", "prediction"]


@pytest.mark.parametrize("heads, deprels", [
    ([[0]], None), ([[0, 0], [0]], None), ([[3], [0]], None), ([[-2], [0]], None),
    ([[0.0], [0]], None), ([0, 0], None), ([["x"], [0]], None),
    ([[0], [0]], [["a"]]), ([[0], [0]], [["a"], ["a", "b"]])])
def test_predictions_that_do_not_fit(heads, deprels):
    with pytest.raises(ValueError, match="prediction 'x'.*: found .*expected"):
        treebank([ONE_WORD, ONE_WORD]).with_prediction("x", heads, deprels)


def test_predicted_sentences(toy):
    bank = with_two_predictions(toy)
    assert bank.predicted_sentences("gold") == toy.sentences
    flat = bank.predicted_sentences("flat")[3]
    assert flat.heads.tolist() == [0] * 7 and flat.deprels == ["_"] * 7
    with pytest.raises(ValueError, match="no prediction 'x'; found: flat, gold"):
        bank.predicted_sentences("x")


def test_prediction_column_that_was_changed(toy):
    bank = with_two_predictions(toy)
    assert bank.predictions["flat"] is bank.predictions["flat"]
    with bank.unlocked(bank.metas):
        bank.metas[1, 3] = "0 0"
    with pytest.raises(ValueError, match="'flat', row 2: found '0 0', expected heads"):
        bank.predictions  # noqa: B018


@pytest.mark.parametrize("shares", [[[0.5]], [[0.5], [1.5]], [[-0.1], [0]],
                                    [[0.5, 0.5], [0.5]]])
def test_probabilities_that_do_not_fit(shares):
    with pytest.raises(ValueError, match="prediction 'x'.*: found .*expected"):
        treebank([ONE_WORD, ONE_WORD]).with_prediction("x", [[0], [0]], None, shares)


@pytest.mark.parametrize("cell", ["0@1.5", "0@-1", "0@nan", "0@", "0@1e-1", "0@.5",
                                  "@0.5", "0@0.5@0.5"])
def test_cells_with_other_than_probabilities(cell):
    with pytest.raises(ValueError, match=r"expected heads from 0 to 1 of 1 token"):
        decode_prediction(cell, 1)


relations = st.text(st.sampled_from("ab:@% \u00a025_é"), min_size=1, max_size=5)


@given(st.lists(st.tuples(st.integers(-1, 9), relations), min_size=9, max_size=9))
def test_cells_keep_heads_and_relations(pairs):
    heads, deprels = map(list, zip(*pairs))
    shares = [abs(head) / 10 for head in heads]
    for own, chances in ((deprels, None), (None, None), (deprels, shares),
                         (None, shares)):
        found, labels, probabilities = decode_prediction(encode_prediction(heads, own, chances), 9)
        assert found.tolist() == heads and labels == own
        assert (None if probabilities is None else probabilities.tolist()) == chances


@given(st.text().filter(lambda text: "\n" not in text).map(str.strip).filter(bool))
def test_comments_keep_predictions(name):
    cells = {name: "2:nsubj 0:root", "b = 0 0": "_ 0"}
    bare = block([2, 0], sent_id="s", text="a b")
    comments = {PREDICTION_START + title: cell for title, cell in cells.items()}
    assert take_out(put_in(bare, comments), 2) == (bare, cells)
    assert put_in(bare, {PREDICTION_START + "a": ""}) == bare


# From tables

def lost(variable):
    """The same column without its attributes, as from a file without types."""
    plain = variable.copy()
    plain.attributes = {}
    return plain


def test_from_table_of_a_treebank(toy):
    assert Treebank.from_table(toy) is toy


def test_from_plain_table(toy):
    bank = with_two_predictions(toy)
    plain = Table.from_table_rows(bank, ...)
    assert type(plain) is Table
    again = Treebank.from_table(plain)
    assert isinstance(again, Treebank) and again.domain is bank.domain
    np.testing.assert_array_equal(again.ids, bank.ids)
    assert_same(again, bank)


def test_predictions_are_told_by_what_is_in_them(toy):
    bank = with_two_predictions(toy)
    domain = Domain(bank.domain.attributes, [], [
        *map(lost, bank.domain.metas), StringVariable("remark")])
    remarks = ["0 0 0", "0 1 2 3", "", "x", "0", "1 0"]
    table = Table.from_numpy(domain, bank.X, metas=np.column_stack(
        [bank.metas, np.array(remarks, dtype=object)]))
    assert_same(Treebank.from_table(table), bank)


def as_categories(table, names):
    """Text columns as a reader guesses them: categories among the attributes."""
    attributes, columns = list(table.domain.attributes), [table.X]
    for name in names:
        cells = table.get_column(name)
        values = sorted({cell for cell in cells if cell})
        attributes.append(DiscreteVariable(name, values=values))
        columns.append(np.array(
            [values.index(cell) if cell else np.nan for cell in cells]))
    metas = [var for var in table.domain.metas if var.name not in names]
    keep = [i for i, var in enumerate(table.domain.metas) if var.name not in names]
    return Table.from_numpy(Domain(attributes, [], metas), np.column_stack(columns),
                            metas=table.metas[:, keep])


@pytest.mark.parametrize("names", [
    ["conllu"], ["text", "sent_id"], ["flat"], ["flat", "gold", "conllu", "text"]])
def test_text_that_was_taken_for_categories(toy, names):
    bank = with_two_predictions(toy)
    again = Treebank.from_table(as_categories(bank, names))
    assert_same(again, bank)
    assert again.domain.attributes == bank.domain.attributes
    assert {var.name for var in again.domain.metas} \
        == {var.name for var in bank.domain.metas}
    assert all(var.is_string for var in again.domain.metas)
    assert again.get_column("text").tolist() == bank.get_column("text").tolist()


def test_guessed_and_rounded_numbers_are_put_right(toy):
    guessed = DiscreteVariable("roots", values=("1", "2"))
    attributes = [guessed if var.name == "roots" else var
                  for var in toy.domain.attributes]
    X = np.round(toy.X, 2)
    X[:, 2] -= 1
    table = Table.from_numpy(Domain(attributes, [], toy.domain.metas), X,
                             metas=toy.metas)
    again = Treebank.from_table(table)
    assert again.domain == toy.domain
    np.testing.assert_array_equal(again.X, toy.X)


def test_other_columns_are_kept(toy):
    genre = DiscreteVariable("genre", values=("news", "blog"))
    remark = StringVariable("remark")
    year = ContinuousVariable("year")
    domain = Domain([year], [genre], [*toy.domain.metas, remark])
    table = toy.transform(domain)
    with table.unlocked():
        table.X[:, 0] = range(2000, 2006)
        table.Y[:] = [0, 1, 0, 1, 0, 1]
        table.metas[:, 3] = list("abcdef")
    table = as_categories(table, ["conllu"])
    table.attributes["source"] = "here"
    again = Treebank.from_table(table)
    assert again.sentences == toy.sentences
    assert again.get_column("year").tolist() == list(range(2000, 2006))
    assert again.get_column("remark").tolist() == list("abcdef")
    assert again.attributes == {"source": "here"}


def test_windows_line_ends(toy):
    table = Table.from_table_rows(toy, ...).copy()
    with table.unlocked(table.metas):
        table.metas[:, 2] = [cell.replace("\n", "\r\n") for cell in table.metas[:, 2]]
    assert Treebank.from_table(table).sentences == toy.sentences


def test_text_that_was_lost_is_restored(toy):
    table = Table.from_table_rows(toy, ...).copy()
    with table.unlocked(table.metas):
        table.metas[0, 0] = ""
    assert Treebank.from_table(table).get_column("text")[0] == "a b c"


def test_renamed_columns_of_two_treebanks():
    """What an outer join leaves: each row has its sentence in one of the columns."""
    first, second = treebank([CHAIN]), treebank([CROSSED])
    var = first.domain["conllu"]
    domain = Domain([], [], [var.renamed("conllu (1)"), var.renamed("conllu (2)")])
    table = Table.from_numpy(domain, np.empty((2, 0)), metas=np.array(
        [[CHAIN, ""], ["", CROSSED]], dtype=object))
    assert Treebank.from_table(table).sentences == first.sentences + second.sentences
    assert [var.name for var in Treebank.from_table(table).domain.metas] == ["conllu"]


def test_sentence_column_under_another_name(toy):
    var = toy.domain["conllu"].renamed("sentence")
    table = Table.from_numpy(Domain([], [], [var]), np.empty((6, 0)),
                             metas=toy.metas[:, 2:])
    assert Treebank.from_table(table).sentences == toy.sentences


def test_table_without_sentences(toy):
    for table in (Table("iris"), toy.transform(Domain(toy.domain.attributes))):
        with pytest.raises(ValueError, match="is not a treebank: found the columns .*, "
                                             "expected a text column 'conllu'"):
            Treebank.from_table(table)
    with pytest.raises(ValueError, match="is not a treebank"):
        toy.transform(Domain(toy.domain.attributes)).sentences  # noqa: B018


def test_rows_without_sentences(toy):
    table = Table.from_table_rows(with_two_predictions(toy), ...).copy()
    with table.unlocked(table.metas):
        table.metas[1, 2] = ""
        table.metas[4, 2] = "no sentence"
    with pytest.raises(ConllError, match="toy, row 2, line 1: found an empty cell"):
        Treebank.from_table(table)
    bank = Treebank.from_table(table, on_error="skip")
    assert [s.block for s in bank.sentences] == [CHAIN, *BLOCKS[2:4], UNPARSED]
    assert [error.file for error in bank.skipped] == ["toy, row 2", "toy, row 5"]
    assert len(bank.predictions["flat"].heads) == 4
    with pytest.raises(ValueError, match="on_error"):
        Treebank.from_table(table, on_error="ignore")


def test_weights_are_kept(toy):
    table = as_categories(toy, ["conllu"]).copy()
    with table.unlocked():
        table.set_weights(2)
    assert Treebank.from_table(table).W.tolist() == [2] * 6


# Orange's own ways

def test_conversions_of_orange(toy):
    bank = with_two_predictions(toy)
    narrow = Domain(bank.domain.attributes[:1], [], bank.domain.metas[2:])
    for found in (Treebank.from_table(narrow, bank), bank.transform(narrow),
                  Treebank.from_table(narrow, Table.from_table_rows(bank, ...)),
                  bank[:, narrow.attributes + narrow.metas]):
        assert isinstance(found, Treebank)
        assert_same(found, bank)
    assert Treebank.from_table(narrow, bank, [2, 0]).sentences == [
        bank.sentences[2], bank.sentences[0]]
    assert bank[::2].sentences == bank.sentences[::2]
    assert bank[bank.X[:, 0] > 3].sentences == [bank.sentences[1], bank.sentences[3]]


def test_conversion_inside_of_a_conversion(toy):
    """Orange's cache of conversions may answer with a table of another class."""
    inner = Domain(toy.domain.attributes, [], toy.domain.metas)
    seen = []

    def compute(table):
        Table.from_table(inner, table)
        seen.append(Treebank.from_table(inner, table))
        return np.zeros(len(table))

    outer = Domain([ContinuousVariable("x", compute_value=compute)])
    Table.from_table(outer, toy)
    assert isinstance(seen[0], Treebank)
    assert seen[0].sentences == toy.sentences


def test_concatenate(toy):
    both = Treebank.concatenate([toy, toy[:2]])
    assert isinstance(both, Treebank)
    assert [s.block for s in both.sentences] == BLOCKS + BLOCKS[:2]


def test_rows_without_a_prediction(toy):
    bank = with_two_predictions(toy)
    both = Treebank.concatenate([bank, toy.transform(bank.domain)])
    found = both.predictions
    assert found["flat"].heads[6].tolist() == [-1, -1, -1]
    assert found["gold"].deprels[6] == ["_", "_", "_"]
    assert found["gold"].deprels[0] == ["root", "dep", "dep"]


def test_copies_and_pickles(toy):
    bank = with_two_predictions(toy)
    bank.sentences  # noqa: B018  (so that there is something to forget)
    for again in (bank.copy(), copy.copy(bank), copy.deepcopy(bank),
                  pickle.loads(pickle.dumps(bank))):
        assert isinstance(again, Treebank) and again.name == "toy"
        assert_same(again, bank)
    assert len(pickle.dumps(bank)) < len(pickle.dumps(toy)) + 2000


# Files

def test_from_file(tmp_path):
    path = tmp_path / "some.name.conllu.gz"
    treebank().save(path)
    bank = Treebank.from_file(path)
    assert [s.block for s in bank.sentences] == BLOCKS
    assert bank.name == "some.name"
    other = tmp_path / "x.txt"
    other.write_bytes(file_of(BLOCKS))
    assert Treebank.from_file(str(other)).sentences == bank.sentences


def test_from_file_with_faults(tmp_path):
    path = tmp_path / "x.conll"
    path.write_bytes(file_of([CHAIN, "1\tx", CROSSED]))
    with pytest.raises(ConllError, match=r"x\.conll, line 7: found 2 columns"):
        Treebank.from_file(path)
    bank = Treebank.from_file(path, on_error="skip")
    assert len(bank) == 2 and len(bank.skipped) == 1
    assert len(pickle.loads(pickle.dumps(bank)).skipped) == 1
    assert bank[:1].skipped == []


def test_predictions_in_conll_files(tmp_path):
    bank = with_two_predictions(treebank())
    bank.save(tmp_path / "x.conllu")
    again = Treebank.from_file(tmp_path / "x.conllu")
    assert again.domain == bank.domain
    assert_same(again, bank)
    again.save(tmp_path / "y.conllu")
    assert (tmp_path / "x.conllu").read_bytes() == (tmp_path / "y.conllu").read_bytes()
    assert "# prediction flat = 0 0 0\n# prediction gold = 0:root 1@0.5000:dep 2@1.0000:dep\n1\ta" \
        in (tmp_path / "x.conllu").read_text()


def test_saving_one_prediction(tmp_path):
    bank = with_two_predictions(treebank())
    bank.save(tmp_path / "x.conllu", prediction="flat")
    again = Treebank.from_file(tmp_path / "x.conllu")
    assert again.sentences == bank.predicted_sentences("flat")
    assert again.predictions == {}
    with pytest.raises(ValueError, match="expected a CoNLL file"):
        bank.save(tmp_path / "x.tab", prediction="flat")


@pytest.mark.parametrize("code", ["FFFFFFFFFFFFFFFFFFFF", "110000", "D800", "9", "A", "41"])
def test_relations_of_predictions_with_strange_numbers(tmp_path, code):
    """They stay comments, whatever number stands for a character."""
    comment = f"# prediction p = 0:%{code}%"
    path = tmp_path / "x.conllu"
    path.write_text(f"{comment}\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    treebank = Treebank.from_file(path)
    assert not treebank.predictions and comment in treebank.sentences[0].block


def test_comments_that_only_look_like_predictions(tmp_path):
    """They stay in the sentence."""
    odd = f"# prediction x = 0 0\n# prediction of the weather\n{CHAIN}"
    bank = treebank([odd])
    assert bank.predictions == {} and bank.sentences == [Sentence(odd)]
    other = treebank([f"# prediction y = 0 0 0\n{odd}"])
    assert list(other.predictions) == ["y"] and other.sentences == bank.sentences
    bank.save(tmp_path / "x.conllu")
    assert (tmp_path / "x.conllu").read_bytes() == file_of([odd])


def test_prediction_for_some_sentences():
    bank = treebank([f"# prediction text = 0 1 0\n{CHAIN}", CROSSED])
    assert list(bank.predictions) == ["text (2)"]
    assert [own.tolist() for own in bank.predictions["text (2)"].heads] \
        == [[0, 1, 0], [-1] * 4]


@given(data=mutated_files())
@settings(max_examples=150)
def test_mutated_files_as_treebanks(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("mutated") / "x.conllu"
    path.write_bytes(data)
    bank = Treebank.from_file(path, on_error="skip")
    sentences = read_conll(path, on_error="skip")
    assert len(bank) == len(sentences)
    assert list(map(str, bank.skipped)) == list(map(str, sentences.skipped))
    bank.save(path)
    if len(bank):
        assert_same(Treebank.from_file(path), bank)


@pytest.mark.parametrize("module", [sentence_module, table_module])
def test_examples_in_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried and not failed


def test_missing_heads_are_filled_in(tmp_path):
    bank = treebank([CHAIN, UNPARSED])
    chain, unparsed = bank.sentences
    bank = bank.add_column(ContinuousVariable("year"), [1999., 2000.])
    parsed = bank.with_prediction("A", [[0, 1, 1], [2, 0]]).with_prediction(
        "B", [[0, 1, 1], [0, 1]])
    before = parsed.copy()
    for filled, heads in ((parsed.fill_heads("A"), [2, 0]), (parsed.fill_heads(), [0, 1])):
        assert filled.sentences == [chain, unparsed.with_heads(heads, ["_", "_"])]
        assert list(filled.predictions) == ["A", "B"]
        assert filled.name == bank.name and (filled.ids == bank.ids).all()
        np.testing.assert_array_equal(filled.get_column("year"), [1999, 2000])
        # as if they had been there from the beginning
        right = Treebank.from_sentences(filled.sentences)
        for name in ("length", "projective", "roots", "height", "mean arc length"):
            np.testing.assert_array_equal(
                filled.get_column(name), right.get_column(name))
        filled.save(tmp_path / "filled.conllu")
        again = Treebank.from_file(tmp_path / "filled.conllu")
        assert again.sentences[1].heads.tolist() == heads
    assert parsed.sentences == before.sentences
    with pytest.raises(ValueError, match="no prediction to fill in"):
        bank.fill_heads()
    with pytest.raises(ValueError, match="no prediction 'C'"):
        parsed.fill_heads("C")
