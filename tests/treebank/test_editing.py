"""Edits of sentences: always trees, nothing lost, undone without a trace."""
import errno
import io
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from orange_structpred import Sentence, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.treebank.editing import (
    EditedTreebank,
    Journal,
    JournalError,
    SentenceChange,
    SourceChangedError,
    comment_value,
    delete_word,
    insert_word,
    join_sentences,
    join_words,
    journal,
    make_multiword,
    remove_multiword,
    set_comment,
    set_feature,
    set_form,
    set_head,
    set_layer,
    split_sentence,
    split_word,
)
from orange_structpred.treebank.layers import layer_values
from orange_structpred.treebank.text import text_of, tokens_of

SENTENCES = load_bundled("de").sentences[:40]


def rows(*lines):
    return Sentence("\n".join(
        line if line.startswith("#") else "\t".join(line.split()) for line in lines))


#        goes
#   She   home   .
SHE = rows("# sent_id = s1", "# text = She goes home.",
           "1 She she PRON PRP Case=Nom 2 nsubj 2:nsubj _",
           "2 goes go VERB VBZ _ 0 root 0:root _",
           "3 home home ADV RB _ 2 advmod 2:advmod SpaceAfter=No",
           "4 . . PUNCT . _ 2 punct 2:punct _")
ZUM = rows("# text = Er geht zum Haus.", "1 Er er PRON _ _ 2 nsubj _ _",
           "2 geht gehen VERB _ _ 0 root _ _", "3-4 zum _ _ _ _ _ _ _ _",
           "3 zu zu ADP _ _ 5 case _ _", "4 dem der DET _ _ 5 det _ _",
           "5 Haus Haus NOUN _ _ 2 obl _ SpaceAfter=No", "6 . . PUNCT _ _ 2 punct _ _")


def heads(sentence):
    return sentence.heads.tolist()


def test_another_head():
    assert heads(set_head(SHE, 4, 3)) == [2, 0, 2, 3]
    sure = SHE.with_misc("HeadProb", ["0.9"] * 4)       # of heads that stay as they are
    assert layer_values(set_head(sure, 4, 3), "misc:HeadProb") == ["0.9"] * 3 + ["_"]
    found = set_head(SHE, 3, 1, "obj")
    assert heads(found) == [2, 0, 1, 2] and found.deprels[2] == "obj"


def test_a_head_below_the_word_takes_its_place():
    """An arc that would close a circle turns it round."""
    found = set_head(SHE, 2, 3)
    assert heads(found) == [2, 3, 0, 2]
    assert found.deprels == ["nsubj", "parataxis", "root", "punct"]


def test_another_root():
    found = set_head(SHE, 1, 0)
    assert heads(found) == [0, 1, 2, 2]
    assert found.deprels == ["root", "parataxis", "advmod", "punct"]


@pytest.mark.parametrize("word, head", [(1, 1), (0, 2), (5, 2), (1, 5), (1, -2)])
def test_arcs_that_there_are_not(word, head):
    with pytest.raises(ValueError, match="no arc|own head"):
        set_head(SHE, word, head)


def test_tags_and_features():
    assert set_layer(SHE, 2, "upos", "AUX").upos == ["PRON", "AUX", "ADV", "PUNCT"]
    assert set_layer(SHE, 2, "lemma", "").lemmas[1] == "_"
    assert set_layer(SHE, 2, "lemma", "go home").lemmas[1] == "go home"
    for layer, value in ("deprel", "obl arg"), ("feats", "Case=Nom Number=Sing"):
        with pytest.raises(ValueError, match=f"{value!r} as a value of {layer}, .*spaces"):
            set_layer(SHE, 2, layer, value)
    found = set_feature(set_feature(SHE, 1, "Number", "Sing"), 1, "Abbr", "Yes")
    assert found.feats[0] == "Abbr=Yes|Case=Nom|Number=Sing"
    assert set_feature(SHE, 1, "Case", "").feats[0] == "_"
    with pytest.raises(ValueError, match="Number=Sing"):
        set_feature(SHE, 1, "Ca se", "x")


def test_what_is_no_feature_stays():
    odd = set_layer(SHE, 1, "feats", "odd|Number=Sing")
    assert set_feature(odd, 1, "Case", "Nom").feats[0] == "Case=Nom|Number=Sing|odd"
    with pytest.raises(InputError, match="there is no word 99 in a sentence of"):
        set_feature(SHE, 99, "Case", "Nom")


def test_words_are_split_and_joined():
    found = split_word(SHE, 3, "ho", "me")
    assert found.forms == ["She", "goes", "ho", "me", "."]
    assert heads(found) == [2, 0, 2, 3, 2]
    assert found.text == "She goes home."
    again = join_words(found, 3, 4)
    assert again.block == SHE.block
    found = join_words(SHE, 2, 3)
    assert found.forms == ["She", "goes home", "."] and heads(found) == [2, 0, 2]
    assert found.text == SHE.text
    assert "2:punct" in found.block and "4:" not in found.block


def test_words_come_and_go():
    found = insert_word(SHE, 2, "back")
    assert found.text == "She goes back home." and heads(found) == [2, 0, 2, 2, 2]
    assert delete_word(found, 3).block == SHE.block
    found = delete_word(SHE, 2)
    assert heads(found) == [0, 1, 1] and found.deprels[0] == "root"
    assert found.text == "She home."
    assert "1:advmod" in found.block            # enhanced dependencies follow
    with pytest.raises(ValueError, match="only word"):
        delete_word(rows("1 a a X _ _ 0 root _ _"), 1)


def test_tokens_of_several_words():
    assert [token.form for token in tokens_of(ZUM)] == ["Er", "geht", "zum", "Haus", "."]
    found = remove_multiword(ZUM, 3)
    assert found.text == "Er geht zu dem Haus."
    assert make_multiword(found, 3, 4, "zum").block == ZUM.block
    assert delete_word(ZUM, 4).text == ZUM.text
    assert join_words(ZUM, 3, 4).forms[2] == "zum"
    assert split_word(ZUM, 3, "z", "u").text == ZUM.text
    with pytest.raises(ValueError, match="overlaps the words to be joined"):
        join_words(ZUM, 4, 5)
    with pytest.raises(ValueError, match="inside the token 'zum'"):
        insert_word(ZUM, 3, "x")
    assert insert_word(ZUM, 4, "x").text == "Er geht zum x Haus."


def test_another_form():
    assert set_form(SHE, 1, "He").text == "He goes home."
    for form in ("", " ", "a\tb", "a\nb", "\ud800"):
        with pytest.raises(ValueError, match="must have letters"):
            set_form(SHE, 1, form)


def test_sentences_are_split_and_joined():
    first, second = split_sentence(SHE, 3)
    assert (first.forms, second.forms) == (["She", "goes"], ["home", "."])
    assert (heads(first), heads(second)) == ([2, 0], [0, 1])
    assert (first.sent_id, second.sent_id) == ("s1-1", "s1-2")
    assert (first.text, second.text) == ("She goes", "home.")
    found = join_sentences(first, second)
    assert found.forms == SHE.forms and heads(found) == [2, 0, 2, 3]
    assert found.text == SHE.text
    with pytest.raises(ValueError, match="can be split before the words 2 to 4"):
        split_sentence(SHE, 1)


def test_comments():
    found = set_comment(SHE, "status", "done")
    assert comment_value(found, "status") == "done" and comment_value(SHE, "status") is None
    assert comment_value(set_comment(found, "status", "question"), "status") == "question"
    assert set_comment(found, "status", None).block == SHE.block
    for key, value in (("a=b", "x"), ("", "x"), ("a", "x\ny")):
        with pytest.raises(ValueError, match="comment"):
            set_comment(SHE, key, value)


EDITS = [
    lambda rng, sentence, word, other: set_head(sentence, word, other),
    lambda rng, sentence, word, other: set_layer(sentence, word, "upos", rng.choice(["X", "SYM"])),
    lambda rng, sentence, word, other: split_word(sentence, word, "a", "b"),
    lambda rng, sentence, word, other: join_words(sentence, word, word + 1),
    lambda rng, sentence, word, other: insert_word(sentence, other, "neu"),
    lambda rng, sentence, word, other: delete_word(sentence, word),
    lambda rng, sentence, word, other: make_multiword(sentence, word, word + 1, "ab"),
    lambda rng, sentence, word, other: remove_multiword(sentence, word),
    lambda rng, sentence, word, other: split_sentence(sentence, word),
    lambda rng, sentence, word, other: set_form(sentence, word, "wort"),
    lambda rng, sentence, word, other: set_comment(sentence, "status", "done")]


def random_edit(rng, treebank):
    """Any change of any sentence, as a person would make it."""
    index = rng.randrange(len(treebank.sentences))
    sentence = treebank.sentences[index]
    edit = rng.choice([*EDITS, None])
    try:
        if edit is not None:
            word, other = rng.randint(1, len(sentence)), rng.randint(0, len(sentence))
            treebank.replace(index, edit(rng, sentence, word, other), "edit")
        elif index + 1 < len(treebank.sentences):
            treebank.replace(index, join_sentences(
                *treebank.sentences[index:index + 2]), "join", count=2)
    except ValueError as error:      # there is nothing of the kind to be done here
        assert "sentence" in str(error) or "word" in str(error)


def change_anything(rng, treebank):
    """A change, or undo or redo."""
    chance = rng.randrange(8)
    if chance < 2:
        (treebank.undo, treebank.redo)[chance]()
    else:
        random_edit(rng, treebank)


@pytest.mark.parametrize("edits", [
    1500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_edits_are_undone_without_a_trace(edits):
    rng = random.Random(edits)
    treebank = EditedTreebank(SENTENCES)
    for _ in range(edits):
        change_anything(rng, treebank)
    for sentence in treebank.sentences:
        assert Sentence(sentence.block) == sentence         # a tree, numbered rightly
        assert sentence.text == text_of(tokens_of(sentence))
    changed = list(treebank.sentences)
    assert treebank.is_changed
    steps = 0
    while treebank.undo():
        steps += 1
    assert [sentence.block for sentence in treebank.sentences] == [
        sentence.block for sentence in SENTENCES]
    for _ in range(steps):
        treebank.redo()
    assert treebank.sentences == changed


def test_the_journal_makes_it_again(tmp_path):
    path, rng = tmp_path / "journal", random.Random(1)
    treebank = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
    assert not path.exists()
    for _ in range(60):
        random_edit(rng, treebank)
        if not rng.randrange(4):
            treebank.undo()
    again = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
    assert again.sentences == treebank.sentences
    assert (again.undo_text, again.redo_text) == (treebank.undo_text, treebank.redo_text)
    assert again.redo() == treebank.redo() and again.undo() == treebank.undo()


def test_a_line_that_was_cut_off(tmp_path):
    path = tmp_path / "journal"
    treebank = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
    treebank.replace(0, set_form(SENTENCES[0], 1, "eins"), "first")
    whole = path.read_bytes()
    treebank.replace(0, set_form(SENTENCES[0], 1, "zwei"), "second")
    longer = path.read_bytes()
    header = whole.index(b"\n") + 1
    for size in [*range(0, header + 1, 31), *range(len(whole), len(longer), 97)]:
        path.write_bytes(longer[:size])
        again = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
        if size > header:
            assert again.sentences[0].forms[0] == "eins"
            assert path.read_bytes() == whole
        else:
            assert not again.is_changed
        again.replace(0, set_form(SENTENCES[0], 1, "drei"), "third")
        assert EditedTreebank(SENTENCES, Journal(path, SENTENCES)
                              ).sentences[0].forms[0] == "drei"


@pytest.mark.parametrize("room", [0, 10, 200])
def test_a_full_disk(tmp_path, monkeypatch, room):
    """A step that cannot be written is not made, and does not spoil the journal."""
    class FullDisk(io.FileIO):
        left = room

        def write(self, data):
            if not self.left:
                raise OSError(errno.ENOSPC, "No space left on device")
            size = super().write(data[:self.left])
            self.left -= size
            return size

    path = tmp_path / "journal"
    treebank = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
    for form in "eins", "zwei":
        with monkeypatch.context() as patch:
            patch.setattr(journal, "open", lambda name, mode, **_: FullDisk(name, "ab"),
                          raising=False)
            with pytest.raises(OSError, match="No space"):
                treebank.replace(0, set_form(SENTENCES[0], 1, "voll"), "full")
        treebank.replace(0, set_form(SENTENCES[0], 1, form), "step")
        again = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
        assert again.sentences == treebank.sentences
        assert again.sentences[0].forms[0] == form


def test_a_step_that_no_journal_can_have(tmp_path, monkeypatch):
    """It is refused, and does not keep the journal from being opened again."""
    path = tmp_path / "journal"
    treebank = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
    treebank.replace(0, set_form(SENTENCES[0], 1, "eins"), "small")
    monkeypatch.setattr(journal, "LONGEST_LINE", path.stat().st_size)
    before = treebank.sentences
    with pytest.raises(InputError, match="too large for a journal.*several steps"):
        treebank.do("large", [SentenceChange(k, (own,), (set_form(own, 1, "x"),))
                              for k, own in enumerate(before[1:9], start=1)])
    assert treebank.sentences is before and treebank.n_steps == 1
    treebank.replace(1, set_form(SENTENCES[1], 1, "zwei"), "small")
    assert EditedTreebank(SENTENCES, Journal(path, SENTENCES)
                          ).sentences == treebank.sentences


def test_another_treebank_is_noticed(tmp_path):
    path = tmp_path / "journal"
    EditedTreebank(SENTENCES, Journal(path, SENTENCES)).replace(
        0, set_form(SENTENCES[0], 1, "eins"), "first")
    other = [SENTENCES[0], set_form(SENTENCES[1], 1, "x"), *SENTENCES[2:]]
    with pytest.raises(SourceChangedError, match="another version"):
        EditedTreebank(other, Journal(path, other))


@pytest.mark.parametrize("saved", [1, 7, 23, 40])
def test_a_treebank_saved_over_its_source(tmp_path, saved):
    """The changes that were saved are not made again; those after them are."""
    path, rng = tmp_path / "journal", random.Random(saved)
    treebank = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
    while not treebank.is_changed or saved > 0:
        change_anything(rng, treebank)
        saved -= 1
    source = list(treebank.sentences)
    for edits in 0, 12:
        for _ in range(edits):
            change_anything(rng, treebank)
        kept, lines = list(treebank.sentences), path.read_bytes()
        again = EditedTreebank(source, Journal(path, source))
        assert again.sentences == kept and again.source == tuple(source)
        assert path.read_bytes() == lines       # who only reads it changes nothing
    change_anything(rng, again)
    while not again.is_changed or again.sentences == kept:
        change_anything(rng, again)
    kept = list(again.sentences)
    assert (tmp_path / "journal.1.journal").read_bytes() == lines
    third = EditedTreebank(source, Journal(path, source))
    assert third.sentences == kept
    while third.undo():
        pass
    assert third.sentences == source
    with pytest.raises(SourceChangedError):
        EditedTreebank(SENTENCES[1:], Journal(path, SENTENCES[1:]))


@pytest.mark.parametrize("line", [
    "[]", "{", '"x"', "{}", '{"undo": 1}', '{"undo": true}', '{"redo": true}',
    '{"text": "x", "changes": 3}', '{"text": "x", "changes": [{}]}',
    '{"text": "x", "changes": [{"index": 9999, "old": ["x"], "new": []}]}',
    '{"text": "x", "changes": [{"index": "a", "old": [], "new": ["x"]}]}',
    '{"text": "x", "changes": [{"index": 0, "old": [], "new": ["1\\tx"]}]}'])
def test_journals_of_strangers(tmp_path, line):
    path = tmp_path / "journal"
    header = {"format": "orange-structpred journal", "version": 1,
              "source": Journal(path, SENTENCES).source}
    path.write_text(f"{json.dumps(header)}\n{line}\n")
    with pytest.raises(JournalError, match="expected a change|does not fit"):
        EditedTreebank(SENTENCES, Journal(path, SENTENCES))


KILLED = """
import os, random, signal, sys, time
from orange_structpred.treebank.editing import EditedTreebank, Journal
from tests.treebank.test_editing import SENTENCES, change_anything

rng = random.Random(0)
for moment in range(100):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        rng = random.Random(moment)
        treebank = EditedTreebank(
            SENTENCES, Journal(os.path.join(sys.argv[1], str(moment)), SENTENCES))
        while True:
            change_anything(rng, treebank)
            os.write(writing, b".")
    time.sleep(0.04 * rng.random() ** 2)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(writing)
    print(len(os.read(reading, 1 << 20)))
    os.close(reading)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_nothing_is_lost_when_the_process_is_killed(tmp_path):
    """kill -9 at 100 random moments: what was on the screen is in the journal."""
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path], text=True, check=True,
                          stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    seen = [int(line) for line in done.stdout.splitlines()]
    assert len(seen) == 100 and max(seen) > 3
    for moment, changes in enumerate(seen):
        rng, wanted = random.Random(moment), EditedTreebank(SENTENCES)
        for _ in range(changes):
            change_anything(rng, wanted)
        path = tmp_path / str(moment)
        again = EditedTreebank(SENTENCES, Journal(path, SENTENCES))
        if again.sentences != wanted.sentences:     # one more was written, but not seen
            change_anything(rng, wanted)
        assert again.sentences == wanted.sentences
        assert EditedTreebank(SENTENCES, Journal(path, SENTENCES)
                              ).sentences == wanted.sentences
        change_anything(rng, again)                 # and work goes on
        assert EditedTreebank(SENTENCES, Journal(path, SENTENCES)
                              ).sentences == again.sentences
