"""Values that a person is likely to want next, by what the treebank has."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.universal import UNIVERSAL_VALUES

ROOT_TAG = "<root>"      # in the place of the tag of a head that is the root


class Suggestion(NamedTuple):
    """A value, and how often words like this one have it, from 0 to 1."""

    value: str
    share: float


class ValueCounts:
    """Counts of the values in sentences, for words that are alike.

    What words have in common depends on the layer: a relation depends on the tags of
    the word and of its head, a tag and a lemma on the form, features on form and tag.
    Words for which nothing was counted get the values of all words. Tags and relations
    of Universal Dependencies come last, unless the treebank has others.
    """

    LAYERS = ("lemma", "upos", "xpos", "feats", "deprel")

    def __init__(self, sentences: Iterable[Sentence] = ()):
        self._counts: dict[Hashable, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            self.add(sentence)

    def add(self, sentence: Sentence) -> None:
        self._count(sentence, 1)

    def remove(self, sentence: Sentence) -> None:
        """Forget a sentence that was counted."""
        self._count(sentence, -1)

    def update(self, before: Sequence[Sentence], now: Sequence[Sentence]) -> None:
        """Count what a person has changed; most sentences are the same objects."""
        old, new = Counter(map(id, before)), Counter(map(id, now))
        objects = {id(sentence): sentence for sentence in (*before, *now)}
        for key in (old - new).elements():
            self.remove(objects[key])
        for key in (new - old).elements():
            self.add(objects[key])

    def _count(self, sentence: Sentence, times: int) -> None:
        columns = dict(zip(self.LAYERS, (sentence.lemmas, sentence.upos, sentence.xpos,
                                         sentence.feats, sentence.deprels)))
        for word in range(1, len(sentence) + 1):
            for layer, values in columns.items():
                value = values[word - 1]
                if value != EMPTY:
                    for key in contexts(sentence, word, layer):
                        counts = self._counts[key]
                        counts[value] += times
                        if not counts[value]:
                            del counts[value]

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
        for value in self._universal(layer):
            suggestions.setdefault(value, Suggestion(value, 0.))
        return list(suggestions.values())[:most]

    def _universal(self, layer: str) -> tuple[str, ...]:
        """Values that all languages share; none if the treebank has other ones."""
        values = UNIVERSAL_VALUES.get(layer, ())
        seen = {value.partition(":")[0] for value in self._counts.get((layer,), ())}
        return values if seen <= set(values) else ()


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
