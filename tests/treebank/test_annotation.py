"""States of sentences, checked words, suggested values, edited tables, journals."""
import pytest

from orange_structpred import Sentence, load_bundled
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.editing import (
    EditedTreebank,
    Journal,
    SourceChangedError,
    ValueCounts,
    annotation_progress,
    annotation_state,
    apply_journal,
    checked_words,
    delete_word,
    done_sentences,
    edited_table,
    join_sentences,
    journal_path,
    set_annotation_state,
    set_checked,
    set_head,
    set_layer,
    split_sentence,
    split_word,
)
from orange_structpred.treebank.editing.sentence_edits import (
    comment_lines,
    with_comment_lines,
)
from orange_structpred.treebank.layers import UNIVERSAL_RELATIONS, UNIVERSAL_TAGS
from orange_structpred.treebank.marks import marks, with_marks
from tests.treebank.toy import block

DOGS = Sentence(block([2, 0, 4, 2], "Dogs bark at night", sent_id="s1"))


def test_states_are_comments():
    assert annotation_state(DOGS) == "to do"
    done = set_annotation_state(DOGS, "done")
    assert "# annotation = done" in done.block
    assert annotation_state(done) == "done"
    assert set_annotation_state(done, "to do") == DOGS
    assert annotation_progress([DOGS, done]) == (2, 1, 8, 4, 0)
    with pytest.raises(ValueError, match="valid states are to do, done, question"):
        set_annotation_state(DOGS, "finished")


def test_checked_words_stay_with_their_words():
    checked = set_checked(DOGS, [1, 4])
    assert checked_words(checked) == {1, 4}
    assert checked_words(split_word(checked, 2, "ba", "rk")) == {1, 5}
    assert checked_words(delete_word(checked, 1)) == {3}
    assert set_checked(checked, []) == DOGS
    assert checked_words(set_annotation_state(checked, "done")) == {1, 2, 3, 4}
    assert "Checked" not in set_annotation_state(checked, "done").block
    with pytest.raises(ValueError, match="1 to 4"):
        set_checked(DOGS, [5])


def test_comments():
    assert comment_lines(DOGS) == ["sent_id = s1"]
    changed = with_comment_lines(DOGS, ["sent_id = s2", "", " hard "])
    assert (changed.sent_id, comment_lines(changed)[1]) == ("s2", "hard")
    assert with_comment_lines(changed, comment_lines(DOGS)) == DOGS
    bundled = load_bundled("en").sentences[3]
    assert with_comment_lines(bundled, comment_lines(bundled)) is bundled
    changed = with_comment_lines(bundled, ["hard", "text = other"])
    assert comment_lines(changed) == ["hard", f"sent_id = {bundled.sent_id}"]
    assert changed.text == bundled.text


def test_values_of_words_that_are_alike_come_first():
    sentences = load_bundled("en").sentences
    counts = ValueCounts(sentences)
    sentence = sentences[3]
    assert sentence.upos[0] == "DET"
    first, second, *others = counts.suggest(sentence, 1, "deprel")
    same = [own.deprels[i] for own in sentences for i in range(len(own))
            if own.upos[i] == "DET" and own.heads[i] > 0
            and own.upos[own.heads[i] - 1] == sentence.upos[sentence.heads[0] - 1]]
    assert first == ("det", same.count("det") / len(same))
    assert second.value == "det:predet" and {"nsubj", "root"} <= {
        value for value, share in others if share == 0}
    assert counts.suggest(sentence, 1, "upos")[0].value == "DET"
    assert ValueCounts().suggest(sentence, 1, "xpos") == []


def test_universal_values_are_suggested_last():
    sentence = load_bundled("en").sentences[0]
    values = [own.value for own in ValueCounts().suggest(sentence, 1, "deprel")]
    assert values == list(UNIVERSAL_RELATIONS)
    tags = [own.value for own in ValueCounts([sentence]).suggest(sentence, 1, "upos")]
    assert tags[0] == sentence.upos[0] and sorted(tags) == sorted(UNIVERSAL_TAGS)
    other = set_layer(sentence, 1, "upos", "ART")       # of another scheme
    assert {own.value for own in ValueCounts([other]).suggest(other, 1, "upos")} == set(
        other.upos)


def test_counts_follow_changes():
    sentences = load_bundled("en").sentences[:20]
    counts = ValueCounts(sentences)
    changed = [set_layer(sentences[0], 1, "xpos", "NEW"), *sentences[1:], sentences[3]]
    counts.update(sentences, changed)
    assert counts._counts.keys() >= ValueCounts(changed)._counts.keys()
    assert {key: own for key, own in counts._counts.items() if own} == dict(
        ValueCounts(changed)._counts)
    counts.update(changed, sentences)
    assert {key: own for key, own in counts._counts.items() if own} == dict(
        ValueCounts(sentences)._counts)


def edited_toy():
    treebank = Treebank.from_sentences([DOGS] * 3, name="toy")
    treebank = with_marks(treebank.with_prediction("A", [[2, 0, 2, 2]] * 3), [[1]] * 3)
    return treebank, EditedTreebank(treebank.sentences)


def test_columns_of_an_edited_table():
    treebank, edited = edited_toy()
    assert edited_table(treebank, edited.sentences, edited.source_rows()) is treebank
    edited.replace(1, set_head(DOGS, 1, 4), "x")
    edited.replace(2, delete_word(DOGS, 1), "x")
    table = edited_table(treebank, edited.sentences, edited.source_rows())
    assert table.sentences == edited.sentences
    assert [own.tolist() for own in table.predictions["A"].heads] == [
        [2, 0, 2, 2], [2, 0, 2, 2], [-1, -1, -1]]
    assert marks(table) == [{1}, {1}, set()]
    assert treebank.sentences[2] == DOGS


def test_rows_of_split_and_joined_sentences():
    treebank, edited = edited_toy()
    edited.replace(0, split_sentence(DOGS, 3), "split")
    assert edited.source_rows() == [0, 0, 1, 2]
    edited.replace(2, join_sentences(DOGS, DOGS), "join", count=2)
    assert edited.source_rows() == [0, 0, 1]
    table = edited_table(treebank, edited.sentences, edited.source_rows())
    assert table.sentences == edited.sentences
    assert len(set(table.ids)) == 3
    edited.undo()
    edited.undo()
    assert edited.source_rows() == [0, 1, 2]


def test_a_journal_is_applied_in_a_script(tmp_path):
    treebank, edited = edited_toy()
    path = tmp_path / "x.journal"
    with pytest.raises(ValueError, match="does not exist"):
        apply_journal(treebank, path)
    edited = EditedTreebank(treebank.sentences, Journal(path, treebank.sentences))
    edited.replace(1, set_annotation_state(set_head(DOGS, 1, 4), "done"), "x")
    table = apply_journal(treebank, path)
    assert table.sentences == edited.sentences
    assert done_sentences(table).sentences == [edited.sentences[1]]
    with pytest.raises(SourceChangedError):
        apply_journal(treebank[:2], path)


def test_names_of_journals(tmp_path):
    one, two = [DOGS], [delete_word(DOGS, 1)]
    by_file = [journal_path(tmp_path, own, name="a/b", file="x.conllu")
               for own in (one, two)]
    assert by_file[0] == by_file[1] and by_file[0].parent == tmp_path
    assert journal_path(tmp_path, one, name="a") != journal_path(tmp_path, two, name="a")
    journal = Journal(by_file[0], one)
    EditedTreebank(one, journal).replace(0, two, "x")
    assert journal.set_aside().exists() and not by_file[0].exists()
    EditedTreebank(one, journal).replace(0, two, "x")
    assert journal.set_aside().name.endswith(".2.journal")
