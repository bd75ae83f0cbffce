"""Edits of a tree: heads, relations, tags, features. Each returns a new sentence."""
from __future__ import annotations

from collections.abc import Sequence

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import entries_with
from orange_structpred.treebank.editing.taken_apart import with_tree
from orange_structpred.treebank.layers import (
    EMPTY,
    LAYER_COLUMNS,
    layer_values,
    with_layers,
)
from orange_structpred.treebank.sentence import Sentence

ROOT = "root"
#: The relation of a word that was the root until another word became it
ATTACHED = "parataxis"


def set_head(sentence: Sentence, word: int, head: int, relation: str | None = None
             ) -> Sentence:
    """Another head for a word, and another relation if one is given.

    The result is always a tree. If the new head depends on the word, directly or not, it
    takes the word's place: it gets the word's former head and relation. If the word
    becomes the root, the former root depends on it.

    head : 0 for the root, -1 for unknown
    """
    n = len(sentence)
    if not (1 <= word <= n and -1 <= head <= n):
        raise InputError(f"there is no arc from {head} to {word} in a sentence of {n} "
                         "words")
    if head == word:
        raise InputError("a word cannot be its own head")
    heads, relations = sentence.heads.tolist(), list(sentence.deprels)
    former, former_relation = heads[word - 1], relations[word - 1]
    if head > 0 and word in heads_above(heads, head):
        heads[head - 1], relations[head - 1] = former, former_relation
        if former_relation == ROOT and relation is None:
            relation = ATTACHED
    if head == 0:
        for other in range(1, n + 1):
            if heads[other - 1] == 0 and other != word:
                heads[other - 1] = word
                if relations[other - 1] == ROOT:
                    relations[other - 1] = ATTACHED
        relation = relation or ROOT
    elif former == 0 and relation is None and former_relation == ROOT:
        relation = ATTACHED
    heads[word - 1] = head
    if relation is not None:
        relations[word - 1] = relation
    return with_tree(sentence, heads, relations)


def heads_above(heads: Sequence[int], word: int) -> list[int]:
    """The words above a word, from its head on; in a cycle, each of them once."""
    above: list[int] = []
    while (word := heads[word - 1]) > 0 and word not in above:
        above.append(word)
    return above


def check_word(sentence: Sentence, word: int) -> None:
    if not 1 <= word <= len(sentence):
        raise InputError(f"there is no word {word} in a sentence of {len(sentence)} words")


def set_layer(sentence: Sentence, word: int, layer: str, value: str) -> Sentence:
    """Another lemma, tag, relation or other value (`treebank.layers`) of a word; "" or
    "_" for none. Only lemmas may have spaces."""
    if layer in LAYER_COLUMNS and layer != "lemma" and " " in value:
        raise InputError(f"found {value!r} as a value of {layer}, expected text without "
                         "spaces")
    check_word(sentence, word)
    values = list(layer_values(sentence, layer))
    values[word - 1] = value or EMPTY
    if layer == "deprel":
        return with_tree(sentence, sentence.heads, values)
    return with_layers(sentence, {layer: values})


def set_feature(sentence: Sentence, word: int, name: str, value: str) -> Sentence:
    """Another value of a morphological feature of a word, such as Number; "" for none.

    Features stay sorted by name, as Universal Dependencies has them.
    """
    if not name or set(name) & set("=|\t\n ") or set(value) & set("=|\t\n "):
        raise InputError(f"{name}={value} is not a feature; write it as in Number=Sing")
    check_word(sentence, word)
    entries = entries_with(sentence.feats[word - 1], name, value)
    return set_layer(sentence, word, "feats", "|".join(
        sorted(entries, key=lambda entry: entry.partition("=")[0].lower())))
