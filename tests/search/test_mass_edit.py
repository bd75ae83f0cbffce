"""Many sentences are changed at once, and nothing else is."""
import pytest

from orange_structpred import Sentence, Treebank, find, load_bundled
from orange_structpred.__main__ import main
from orange_structpred.errors import InputError
from orange_structpred.search import PatternError, parse_pattern
from orange_structpred.search.edit_commands import parse_commands
from orange_structpred.search.mass_edit import WordChange, mass_edit
from orange_structpred.treebank import read_conll
from orange_structpred.treebank.editing import EditedTreebank
from tests.search.test_matches import BLOCKS


@pytest.fixture(scope="module")
def treebank():
    return Treebank.from_sentences(map(Sentence, BLOCKS), name="toy")


def first(treebank, pattern, commands):
    """The first sentence's rows after an edit, from the form on."""
    own = mass_edit(treebank, pattern, commands).apply().sentences[0]
    return [line.split("\t")[1:8] for line in own.block.split("\n")
            if not line.startswith("#")]


def test_tags_lemmas_features_and_relations(treebank):
    rows = first(treebank, "N [lemma=cat]; V -[obj]-> N", """
        N.upos = PROPN; N.lemma = "big cat"; N.Number = ""; N.Case = Acc;
        V -[obj]-> N becomes iobj; V.xpos = N.xpos""")
    assert rows[3] == ["cats", "big cat", "PROPN", "NNS", "Case=Acc", "2", "iobj"]
    assert rows[1] == ["chase", "chase", "VERB", "NNS", "Tense=Pres", "0", "root"]
    assert rows[0] == ["Dogs", "dog", "NOUN", "NNS", "Number=Plur", "2", "nsubj"]


def test_heads_forms_and_misc(treebank):
    rows = first(treebank, "A [upos=ADJ]; V [upos=VERB]", "A.head = V; A.rel = xcomp")
    assert rows[2][-2:] == ["2", "xcomp"]
    rows = first(treebank, "lemma=dog", "W.head = root")
    assert rows[0][-2:] == ["0", "root"] and rows[1][-2] == "1"
    own = mass_edit(treebank, "lemma=dog", 'W.form = Hounds; W.misc:Gloss = "x"').apply()
    assert own.sentences[0].forms[0] == "Hounds"
    assert "Gloss=x" in own.sentences[0].block


def test_nothing_else_changes(treebank):
    edit = mass_edit(treebank, "upos=VERB Tense=Past", "W.Tense = Pres")
    assert [own[:4] for own in edit.changes] == [(1, 3, "Tense", "Past")]
    edited = edit.apply()
    assert [own.block for own in edited.sentences[::2]] == [BLOCKS[0], BLOCKS[2]]
    assert edited.sentences[1].block == BLOCKS[1].replace("Tense=Past", "Tense=Pres")
    assert treebank.sentences[1].block == BLOCKS[1]
    back = mass_edit(edited, "upos=VERB lemma=sleep", "W.Tense = Past").apply()
    assert [own.block for own in back.sentences] == BLOCKS


def test_some_of_the_changes_and_one_step_of_undo():
    treebank = load_bundled("en")[:50]
    edit = mass_edit(treebank, "upos=NOUN", "W.upos = X; W.Number = ''"
                     .replace("''", '""'))
    assert len(edit) > 100
    some = edit.apply(chosen=[0, 5])
    assert len(find(some, "upos=X")) == sum(edit.changes[i].key == "upos" for i in (0, 5))
    edited = EditedTreebank(treebank.sentences)
    edited.do("mass edit", edit.sentence_changes())
    assert edited.sentences == edit.apply().sentences
    assert len(find(Treebank.from_sentences(edited.sentences), "upos=NOUN")) == 0
    edited.undo()
    assert edited.sentences == treebank.sentences


def test_only_edges_that_are_there(treebank):
    pattern = "V [upos=VERB]; V -> N"
    assert {own.before for own in mass_edit(
        treebank, pattern, "V -[1=nsubj]-> N becomes subj").changes} == {
            "nsubj", "nsubj:outer"}
    assert [own.before for own in mass_edit(
        treebank, pattern, "V -[2=outer]-> N becomes subj").changes] == ["nsubj:outer"]
    assert len(mass_edit(treebank, pattern, "N -> V becomes subj")) == 0
    named = mass_edit(treebank, "pattern { e: V -[obj]-> N }", "e becomes dobj")
    assert [own.after for own in named.changes] == ["dobj"]


def test_each_conflict_is_listed_once_and_found_fast(treebank, monkeypatch):
    compared = 0

    def equal(change, other):
        nonlocal compared
        compared += 1
        return tuple(change) == tuple(other)

    monkeypatch.setattr(WordChange, "__eq__", equal)
    monkeypatch.setattr(WordChange, "__hash__", tuple.__hash__)
    edit = mass_edit(load_bundled("en")[:20], "pattern { A << B }", "B.lemma = A.form")
    conflicts = list(map(tuple, edit.conflicts))
    assert len(set(conflicts)) == len(conflicts) > 500
    assert compared < 10 * len(conflicts)


def test_conflicts_are_left_out(treebank):
    edit = mass_edit(treebank, "V -> D", "V.xpos = D.form")
    assert [own.after for own in edit.changes if own.row == 0] == ["Dogs", "big"]
    assert [own.after for own in edit.conflicts] == ["cats"]


@pytest.mark.parametrize("text, reason, column", [
    ("", "there is no command", 1), ("X.upos = A", "no node 'X' in the pattern", 1),
    ("N.upos", "found the end, expected =", 7), ("N.upos = A*", "plain text", 10),
    ("V -> N", "expected becomes", 7), ("V ->> N becomes x", "has no label", 1),
    ("N.head = X", "no node 'X'", 10), ("N.head = N", "its own head", 10),
    ('N.form = ""', "form cannot be empty", 10), ("N.upos = A B", "expected ;", 12),
    ("N.upos = X.upos", "no node 'X'", 10), ("V -> X becomes obj", "no node 'X'", 1)])
def test_errors_point_at_the_column(text, reason, column):
    with pytest.raises(PatternError) as caught:
        parse_commands(text, parse_pattern("pattern { V -> N }"))
    assert reason in str(caught.value)
    assert str(caught.value).startswith(f"commands, column {column}:")


@pytest.mark.parametrize("commands", [
    'W.upos = "a\tb"', 'W.Number = "a|b"', 'W.form = "\n"', 'W.rel = " x"'])
def test_values_that_no_file_can_have(treebank, commands):
    """They are refused before anything is shown that could be applied."""
    with pytest.raises(InputError):
        mass_edit(treebank, "upos=VERB", commands)


@pytest.mark.parametrize("commands, notes", [
    ("W.upostag = X", ["no word has upostag; did you mean upos?"]),
    ("W.Foreign = Yes", ["no word has Foreign"]),
    ("W.Number = Sing; W.misc:Gloss = x; W.upos = X; W.Typo = ''", [])])
def test_features_that_no_word_has_had(treebank, commands, notes):
    assert mass_edit(treebank, "upos=VERB", commands.replace("''", '""')).notes == notes


def test_the_command_writes_only_on_request(tmp_path, capsys):
    path, out = tmp_path / "toy.conllu", tmp_path / "out.conllu"
    path.write_text("\n\n".join(BLOCKS) + "\n\n", encoding="utf-8")
    before = path.read_bytes()
    call = ["edit", "lemma=sleep", "W.upos = X", str(path)]
    assert main(call) == 0
    output = capsys.readouterr()
    assert output.out == "two\t3 slept\tupos: VERB -> X\n"
    assert output.err == "1 change in 1 sentence; nothing is written without -o\n"
    assert path.read_bytes() == before and not out.exists()
    assert main([*call, "-o", str(out)]) == 0
    assert [own.upos[-1] for own in read_conll(out)] == ["NOUN", "X", "INTJ"]
    assert capsys.readouterr().err == "1 change in 1 sentence\n"
    assert main(["edit", "lemma=sleep", "Q.upos = X", str(path)]) == 2
    assert "commands, column 1: there is no node 'Q'" in capsys.readouterr().err
