"""Values that a person is likely to want next, by what the treebank has."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence

ROOT_TAG = "<root>"      # in the place of the tag of a head that is the root


class Suggestion(NamedTuple):
    """A value, and how often words like this one have it, from 0 to 1."""

    value: str
    share: float


class ValueCounts:
    """Counts of the values in sentences, for words that are alike.

    What words have in common depends on the layer: a relation depends on the tags of
    the word and of its head, a tag and a lemma on the form, features on form and tag.
    Words for which nothing was counted get the values of all words.
    """

    LAYERS = ("lemma", "upos", "xpos", "feats", "deprel")

    def __init__(self, sentences: Iterable[Sentence] = ()):
        self._counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            self.add(sentence)

    def add(self, sentence: Sentence) -> None:
        columns = dict(zip(self.LAYERS, (sentence.lemmas, sentence.upos, sentence.xpos,
                                         sentence.feats, sentence.deprels)))
        for word in range(1, len(sentence) + 1):
            for layer, values in columns.items():
                value = values[word - 1]
                if value != EMPTY:
                    for key in contexts(sentence, word, layer):
                        self._counts[key][value] += 1

    def suggest(self, sentence: Sentence, word: int, layer: str, most: int = 200
                ) -> list[Suggestion]:
        """The values of a layer: first those of words like this one, the most frequent
        first, then all others."""
        suggestions: dict[str, Suggestion] = {}
        for key in contexts(sentence, word, layer):
            counts = self._counts.get(key, Counter())
            is_first = not suggestions
            for value, count in counts.most_common(most):
                share = count / counts.total() if is_first else 0.
                suggestions.setdefault(value, Suggestion(value, share))
        return list(suggestions.values())[:most]


def contexts(sentence: Sentence, word: int, layer: str) -> list[tuple]:
    """What words like this one have in common, the most precise first."""
    form, tag = sentence.forms[word - 1].lower(), sentence.upos[word - 1]
    if layer == "deprel":
        head = int(sentence.heads[word - 1])
        head_tag = ROOT_TAG if head == 0 else sentence.upos[head - 1] if head > 0 else ""
        return [(layer, tag, head_tag), (layer, tag), (layer,)]
    if layer == "lemma":
        return [(layer, form)]
    if layer == "upos":
        return [(layer, form), (layer,)]
    return [(layer, form, tag), (layer, tag)]
