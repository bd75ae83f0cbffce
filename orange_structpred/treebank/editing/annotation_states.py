"""How far a person is: sentences that are done, words that she has checked.

The state of a sentence is a comment, ``# annotation = done``. A word whose head and
relation were set or confirmed by a person has ``Checked=Yes`` in its last column, until
the whole sentence is done.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from orange_structpred.errors import InputError
from orange_structpred.treebank.editing.sentence_edits import comment_value, set_comment
from orange_structpred.treebank.layers import (
    EMPTY,
    MISC_START,
    layer_values,
    with_layers,
)
from orange_structpred.treebank.sentence import Sentence

STATE_KEY = "annotation"
TO_DO, DONE, QUESTION = "to do", "done", "question"
ANNOTATION_STATES = (TO_DO, DONE, QUESTION)
CHECKED_LAYER = MISC_START + "Checked"
CHECKED = "Yes"


def annotation_state(sentence: Sentence) -> str:
    """One of `ANNOTATION_STATES`: that of the sentence's comment, else "to do"."""
    state = comment_value(sentence, STATE_KEY)
    return state if state in ANNOTATION_STATES else TO_DO


def set_annotation_state(sentence: Sentence, state: str) -> Sentence:
    """The sentence in another state. In one that is done, no word is marked as checked:
    all of them are."""
    if state not in ANNOTATION_STATES:
        raise InputError(f"unknown state {state!r}; valid states are "
                         f"{', '.join(ANNOTATION_STATES)}")
    if state == DONE:
        sentence = set_checked(sentence, ())
    return set_comment(sentence, STATE_KEY, None if state == TO_DO else state)


def checked_words(sentence: Sentence) -> frozenset[int]:
    """The words, from 1 on, whose heads and relations a person has set or confirmed."""
    if annotation_state(sentence) == DONE:
        return frozenset(range(1, len(sentence) + 1))
    return frozenset(word for word, value in enumerate(
        layer_values(sentence, CHECKED_LAYER), start=1) if value == CHECKED)


def set_checked(sentence: Sentence, words: Iterable[int]) -> Sentence:
    """The sentence with these checked words, and no others."""
    chosen = set(words)
    if not chosen <= set(range(1, len(sentence) + 1)):
        raise InputError(f"the words of this sentence are 1 to {len(sentence)}")
    values = [CHECKED if word in chosen else EMPTY
              for word in range(1, len(sentence) + 1)]
    if values == list(layer_values(sentence, CHECKED_LAYER)):
        return sentence
    return with_layers(sentence, {CHECKED_LAYER: values})


def with_checked_heads(sentence: Sentence) -> Sentence:
    """The sentence with the heads and relations of checked words; all others are open."""
    checked = checked_words(sentence)
    if len(checked) == len(sentence):
        return sentence
    keep = [word in checked for word in range(1, len(sentence) + 1)]
    return sentence.with_heads(
        [head if kept else -1 for head, kept in zip(sentence.heads.tolist(), keep)],
        [name if kept else EMPTY for name, kept in zip(sentence.deprels, keep)])


class AnnotationProgress(NamedTuple):
    """How many sentences and words are done."""

    sentences: int
    done_sentences: int
    words: int
    done_words: int
    questions: int


def annotation_progress(sentences: Sequence[Sentence]) -> AnnotationProgress:
    states = [annotation_state(sentence) for sentence in sentences]
    done = [len(sentence) for sentence, state in zip(sentences, states) if state == DONE]
    return AnnotationProgress(len(sentences), len(done), sum(map(len, sentences)),
                              sum(done), states.count(QUESTION))
