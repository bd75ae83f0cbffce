"""Sentences changed by hand: edits, undo and redo, and a journal that loses nothing."""
from orange_structpred.treebank.editing.edited_treebank import (
    EditedTreebank,
    SentenceChange,
)
from orange_structpred.treebank.editing.journal import (
    Journal,
    JournalError,
    SourceChangedError,
)
from orange_structpred.treebank.editing.sentence_edits import (
    comment_value,
    join_sentences,
    set_comment,
    split_sentence,
)
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
    "SentenceChange", "EditedTreebank", "Journal", "JournalError", "SourceChangedError",
    "comment_value", "delete_word", "insert_word", "join_sentences", "join_words",
    "make_multiword", "remove_multiword", "set_comment", "set_feature", "set_form",
    "set_head", "set_layer", "split_sentence", "split_word"]
