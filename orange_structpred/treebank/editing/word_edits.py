"""Edits of the words of a sentence: split, joined, inserted, deleted, written otherwise.

Each returns a new sentence that is a tree, with new numbers and a new text.
"""
from __future__ import annotations

from collections.abc import Iterator

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import (
    DEPREL_COLUMN,
    HEAD_COLUMN,
    N_COLUMNS,
    NO_TEXT,
)
from orange_structpred.treebank.editing.taken_apart import (
    ROOT_RELATION,
    BlockNode,
    Range,
    TakenApart,
    new_word,
)
from orange_structpred.treebank.editing.tree_edits import heads_above
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence

NEW_RELATION = "dep"        # of words that nobody has attached yet


def set_form(sentence: Sentence, word: int, form: str) -> Sentence:
    """Another spelling of a word."""
    apart = TakenApart.of(sentence)
    apart.word(word).form = checked_form(form)
    return apart.sentence()


def split_word(sentence: Sentence, word: int, first: str, second: str) -> Sentence:
    """Two words in the place of one. The first keeps the annotation and the dependents;
    the second depends on it."""
    apart = TakenApart.of(sentence)
    node = apart.word(word)
    added = new_word(checked_form(second), node, NEW_RELATION, upos=node.cells[3],
                     space_after=node.space_after)
    node.form = checked_form(first)
    node.space_after = False
    apart.nodes.insert(apart.nodes.index(node) + 1, added)
    if part := apart.range_of(node):
        part.words.insert(part.words.index(node) + 1, added)
        for line in (node, added):
            line.space_after = True         # the range tells it
    return apart.sentence()


def join_words(sentence: Sentence, first: int, last: int) -> Sentence:
    """One word in the place of several neighbours: it has the annotation of the one that
    the others depend on, and all of their dependents."""
    if not 1 <= first < last <= len(sentence):
        raise InputError(f"words {first} to {last} cannot be joined in a sentence of "
                         f"{len(sentence)} words")
    apart = TakenApart.of(sentence)
    nodes = apart.words[first - 1:last]
    cut = [part for part in apart.ranges
           if set(part.words) & set(nodes) and not set(nodes) <= set(part.words)
           and not set(part.words) <= set(nodes)]
    if cut:
        raise InputError(f"the token {cut[0].form!r} overlaps the words to "
                         "be joined; remove it first")
    heads = sentence.heads.tolist()
    kept = apart.word(min(range(first, last + 1),
                          key=lambda word: len(heads_above(heads, word))))
    written = list(surface(apart, nodes))
    apart.ranges = [part for part in apart.ranges if not set(part.words) <= set(nodes)]
    for node in apart.nodes:
        if node.head in nodes and node not in nodes:
            node.head = kept
    for node in nodes:
        if node is not kept:
            apart.replace_references(node, kept)
            if part := apart.range_of(node):
                part.words.remove(node)
    kept.form = "".join(
        form + " " * space for form, space in written).strip()
    # within a token of several words, the token tells it
    kept.space_after = written[-1][1] or apart.range_of(kept) is not None
    position = apart.nodes.index(nodes[0])
    apart.nodes = [node for node in apart.nodes if node not in nodes]
    apart.nodes.insert(position, kept)
    for part in [part for part in apart.ranges if len(part.words) == 1]:
        dissolve(apart, part)
    return apart.sentence()


def surface(apart: TakenApart, nodes: list[BlockNode]) -> Iterator[tuple[str, bool]]:
    """How words are written, and whether a space follows each piece."""
    for node in nodes:
        part = apart.range_of(node)
        if part is None:
            yield node.form, node.space_after
        elif not set(part.words) <= set(nodes):
            yield node.form, False
        elif node is part.words[0]:
            yield part.form, part.space_after


def insert_word(sentence: Sentence, after: int, form: str, *, space_after: bool = True
                ) -> Sentence:
    """A new word after a word, or before the first one (0). It depends on the root of
    the sentence until it gets another head."""
    apart = TakenApart.of(sentence)
    if not 0 <= after <= len(sentence):
        raise InputError(f"there is no word {after} in a sentence of {len(sentence)} words")
    root = next((node for node in apart.words if node.cells[HEAD_COLUMN] == "0"), None)
    added = new_word(checked_form(form), root, NEW_RELATION, space_after=space_after)
    if root is None:
        added.cells[HEAD_COLUMN] = EMPTY
    before = apart.word(after) if after else None
    if before and (part := apart.range_of(before)) and before is not part.words[-1]:
        raise InputError(f"word {after} is inside the token "
                         f"{part.form!r}; split one of its words instead")
    apart.nodes.insert(apart.nodes.index(before) + 1 if before else 0, added)
    return apart.sentence()


def delete_word(sentence: Sentence, word: int) -> Sentence:
    """The sentence without a word. What depends on it gets its head; if it is the root,
    the first of them becomes the root and the head of the others."""
    if len(sentence) == 1:
        raise InputError("the only word of a sentence cannot be deleted; delete the "
                         "sentence")
    apart = TakenApart.of(sentence)
    node = apart.word(word)
    children = [child for child in apart.words if child.head is node]
    heir = node.head
    if heir is None and children:
        heir = children[0]
        heir.head = None
        heir.cells[HEAD_COLUMN] = node.cells[HEAD_COLUMN]
        if node.cells[DEPREL_COLUMN] == ROOT_RELATION:
            heir.cells[DEPREL_COLUMN] = ROOT_RELATION
    for child in children:
        if child is not heir:
            child.head = heir
    apart.replace_references(node, heir)
    if part := apart.range_of(node):
        part.words.remove(node)
        if len(part.words) == 1:
            dissolve(apart, part)
    apart.nodes.remove(node)
    return apart.sentence()


def make_multiword(sentence: Sentence, first: int, last: int, form: str) -> Sentence:
    """A token of several words, written as one: *zum* for *zu dem*."""
    apart = TakenApart.of(sentence)
    if not 1 <= first < last <= len(sentence):
        raise InputError(f"words {first} to {last} cannot be one token in a sentence of "
                         f"{len(sentence)} words")
    words = apart.words[first - 1:last]
    if any(map(apart.range_of, words)):
        raise InputError("some of these words already belong to a token of several "
                         "words; remove it first")
    part = Range([str(first), checked_form(form), *[EMPTY] * (N_COLUMNS - 2)], words)
    part.space_after = words[-1].space_after
    for node in words:
        node.space_after = True
    apart.ranges.append(part)
    return apart.sentence()


def remove_multiword(sentence: Sentence, word: int) -> Sentence:
    """The words of such a token on their own, separated by spaces."""
    apart = TakenApart.of(sentence)
    part = apart.range_of(apart.word(word))
    if part is None:
        raise InputError(f"word {word} is not part of a token of several words")
    part.words[-1].space_after = part.space_after
    apart.ranges.remove(part)
    return apart.sentence()


def dissolve(apart: TakenApart, part: Range) -> None:
    """A token whose only word is left is that word, as the token was written."""
    word, = part.words
    word.form = part.form
    word.space_after = part.space_after
    apart.ranges.remove(part)


def checked_form(form: str) -> str:
    """A form, if it can be one."""
    form = form.strip(" ")
    if not form or NO_TEXT.search(form) or set(form) & set("\t\n"):
        raise InputError("a word must have letters, and no tabs or line breaks")
    return form
