"""Accuracy of predicted tags, features and lemmas, and which are taken for which."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from Orange.data import ContinuousVariable, DiscreteVariable, StringVariable, Table

from orange_structpred.errors import InputError
from orange_structpred.evaluation.raw import universal_features
from orange_structpred.tables.making import table_of_rows
from orange_structpred.treebank import Sentence, as_treebank
from orange_structpred.treebank.layers import EMPTY, layer_values

#: What layers are called where their scores are shown
LAYER_TITLES = {"upos": "UPOS", "xpos": "XPOS", "feats": "features", "lemma": "lemmas",
                "deprel": "relations"}


class TagScore(NamedTuple):
    """How many tokens have the right tag.

    tagger : name of the predictions
    layer : upos, xpos, feats, lemma, deprel, or misc:KEY
    """

    tagger: str
    layer: str
    correct: int
    tokens: int

    @property
    def accuracy(self) -> float:
        return self.correct / self.tokens if self.tokens else 0.


def is_right(layer: str, gold: str, predicted: str) -> bool:
    """Whether a prediction counts as right, by the rules of the CoNLL 2018 shared task:
    of features the universal ones count, and any lemma will do where gold has none."""
    if layer == "feats":
        return universal_features(gold) == universal_features(predicted)
    return gold == predicted or layer == "lemma" and gold == EMPTY


def score_tags(data: Table) -> list[TagScore]:
    """The scores of all predicted tags of a treebank, in the order of their columns.

    Layers of which the treebank itself has nothing cannot be scored.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> treebank = load_bundled("en")[:2]
    >>> tags = [["NOUN"] * len(sentence) for sentence in treebank.sentences]
    >>> [score] = score_tags(treebank.with_tags("all nouns", {"upos": tags}))
    >>> score.tagger, score.layer, score.correct, score.tokens
    ('all nouns', 'upos', 5, 22)
    """
    treebank = as_treebank(data)
    scores, sentences = [], treebank.sentences
    for tagger, layers in treebank.tags.items():
        for layer, values in layers.items():
            pairs = list(value_pairs(sentences, layer, values))
            if any(gold != EMPTY for gold, _ in pairs):
                scores.append(TagScore(
                    tagger, layer, sum(is_right(layer, *pair) for pair in pairs),
                    len(pairs)))
    return scores


def tag_scores_table(scores: Sequence[tuple[str, TagScore]]) -> Table:
    """Scores, with the names of their treebanks, as an Orange table."""
    return table_of_rows("accuracy of tags", [
        ContinuousVariable("Tokens", number_of_decimals=0),
        ContinuousVariable("Correct", number_of_decimals=0),
        ContinuousVariable("Accuracy", number_of_decimals=2),
        *map(StringVariable, ("Tagger", "Layer", "Treebank"))],
        [(score.tokens, score.correct, 100 * score.accuracy, score.tagger, score.layer,
          treebank) for treebank, score in scores])


def value_pairs(sentences: Sequence[Sentence], layer: str, values: Sequence[Sequence[str]]
              ) -> Iterator[tuple[str, str]]:
    """Gold and predicted value of each token.

    values : the predicted ones of each sentence
    """
    for sentence, predicted in zip(sentences, values):
        yield from zip(layer_values(sentence, layer), predicted)


def tag_confusions(data: Table, tagger: str | None = None, layer: str | None = None
                   ) -> Table:
    """Which tags are taken for which: one row per pair of different tags.

    The most frequent are the first. `tokens` is how often it happens, `share` of the
    tokens with the gold tag, in percent.

    tagger : by default the last one
    layer : by default the first one that it predicts
    """
    treebank = as_treebank(data)
    predicted = treebank.tags
    if tagger is None:
        if not predicted:
            raise InputError(f"{treebank.name!r} has no predicted tags to compare")
        tagger = list(predicted)[-1]
    layer = layer or next(iter(predicted.get(tagger, {"upos": []})))
    if layer not in predicted.get(tagger, {}):
        known = [f"{name} ({', '.join(layers)})" for name, layers in predicted.items()]
        raise InputError(f"no predictions of {layer} by {tagger!r}; found: "
                         f"{', '.join(known) or 'none'}")
    pairs = Counter(value_pairs(treebank.sentences, layer, predicted[tagger][layer]))
    gold: Counter[str] = Counter()
    for (tag, _), count in pairs.items():
        gold[tag] += count
    wrong = sorted(((count, *pair) for pair, count in pairs.items()
                    if not is_right(layer, *pair)),
                   key=lambda row: (-row[0], row[1:]))
    values = tuple(sorted({tag for _, *pair in wrong for tag in pair}))
    numbers = {value: number for number, value in enumerate(values)}
    return table_of_rows(f"{tagger}: {layer}", [
        DiscreteVariable("gold", values), DiscreteVariable("predicted", values),
        ContinuousVariable("tokens", number_of_decimals=0),
        ContinuousVariable("share", number_of_decimals=2)],
        [(numbers[tag], numbers[other], count, 100 * count / gold[tag])
         for count, tag, other in wrong])
