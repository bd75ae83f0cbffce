"""Sentences changed by hand: edits, undo and redo, and a journal that loses nothing."""
from orange_structpred.treebank.editing.annotation_states import (
    ANNOTATION_STATES,
    annotation_progress,
    annotation_state,
    checked_words,
    set_annotation_state,
    set_checked,
    with_checked_heads,
)
from orange_structpred.treebank.editing.applied_journal import (
    apply_journal,
    checked_sentences,
    done_sentences,
    edited_table,
)
from orange_structpred.treebank.editing.edited_treebank import EditedTreebank
from orange_structpred.treebank.editing.journal import (
    Journal,
    JournalError,
    SourceChangedError,
    journal_path,
)
from orange_structpred.treebank.editing.punctuation import fix_punctuation
from orange_structpred.treebank.editing.sentence_edits import (
    comment_value,
    join_sentences,
    set_comment,
    split_sentence,
)
from orange_structpred.treebank.editing.steps import SentenceChange
from orange_structpred.treebank.editing.suggestions import ValueCounts
from orange_structpred.treebank.editing.tree_edits import (
    set_feature,
    set_head,
    set_layer,
)
from orange_structpred.treebank.editing.word_edits import (
    delete_word,
    insert_word,
    join_words,
    make_multiword,
    remove_multiword,
    set_form,
    split_word,
)

__all__ = [
    "ANNOTATION_STATES", "EditedTreebank", "Journal", "JournalError", "SentenceChange",
    "SourceChangedError", "ValueCounts", "annotation_progress", "annotation_state",
    "apply_journal", "checked_sentences", "checked_words", "comment_value", "delete_word",
    "done_sentences", "edited_table", "fix_punctuation", "insert_word", "join_sentences",
    "join_words", "journal_path", "make_multiword", "remove_multiword",
    "set_annotation_state", "set_checked", "set_comment", "set_feature", "set_form",
    "set_head", "set_layer", "split_sentence", "split_word", "with_checked_heads"]
