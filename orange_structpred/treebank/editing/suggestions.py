"""Values that a person is likely to want next, by what the treebank has."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from orange_structpred.treebank.layers import EMPTY, UNIVERSAL_VALUES, layer_values
from orange_structpred.treebank.sentence import Sentence

ROOT_TAG = "<root>"      # in the place of the tag of a head that is the root
SMALLEST_SHARE = 0.005   # that is worth a number; less would be 0%


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
        self._count(sentences, 1)

    def update(self, before: Sequence[Sentence], now: Sequence[Sentence]) -> None:
        """Count what a person has changed; most sentences are the same objects."""
        old, new = Counter(map(id, before)), Counter(map(id, now))
        objects = {id(sentence): sentence for sentence in (*before, *now)}
        self._count((objects[key] for key in (old - new).elements()), -1)
        self._count((objects[key] for key in (new - old).elements()), 1)

    def _count(self, sentences: Iterable[Sentence], times: int) -> None:
        """Count sentences so many times; -1 forgets those that were counted."""
        pairs: Counter[tuple[Hashable, str]] = Counter()
        for sentence in sentences:
            for layer in self.LAYERS:
                values = layer_values(sentence, layer)
                for keys in contexts(sentence, layer):
                    pairs.update(zip(keys, values))
        for (key, value), count in pairs.items():
            if value != EMPTY:
                counts = self._counts[key]
                counts[value] += times * count
                if not counts[value]:
                    del counts[value]

    def suggest(self, sentence: Sentence, word: int, layer: str, most: int = 200
                ) -> list[Suggestion]:
        """The values of a layer: first those of words like this one, the most frequent
        first, then all others."""
        suggestions: dict[str, Suggestion] = {}
        for keys in contexts(sentence, layer):
            counts = self._counts.get(keys[word - 1], Counter())
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


def contexts(sentence: Sentence, layer: str) -> list[list[tuple]]:
    """What each word has in common with words like it, the most precise first."""
    tags = sentence.upos
    same = [layer] * len(tags)
    columns: list[tuple[list[str], ...]]
    if layer == "deprel":
        tag_of = [ROOT_TAG, *tags, ""]      # the last is that of -1, an unknown head
        head_tags = [tag_of[head] for head in sentence.heads.tolist()]
        columns = [(same, tags, head_tags), (same, tags), (same,)]
    else:
        forms = [form.lower() for form in sentence.forms]
        if layer == "lemma":
            columns = [(same, forms)]
        elif layer == "upos":
            columns = [(same, forms), (same,)]
        else:
            columns = [(same, forms, tags), (same, tags)]
    return [list(zip(*parts)) for parts in columns]
