"""How far two annotators agree, where they do not, and a third treebank from both.

Agreement by chance is taken off by Cohen's kappa and by Krippendorff's alpha. For both, an
arc is the distance from a word to its head, with its sign, and the relation: what
annotators choose among, whatever the sentence. Words that one of them has left open do
not count.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, StringVariable, Table

from orange_structpred.errors import InputError
from orange_structpred.tables.making import table_of_rows
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.editing.taken_apart import with_tree
from orange_structpred.treebank.layers import EMPTY, layer_values, with_layers
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

ARC = "arc"         # head and relation, which are chosen together
#: What annotators may differ in
COMPARED_LAYERS = (ARC, "upos", "xpos", "lemma", "feats")
#: What is measured, and its title
AGREEMENT_MEASURES = {
    "head": "Heads (UAS)", ARC: "Heads and relations (LAS)", "deprel": "Relations",
    "upos": "UPOS", "xpos": "XPOS", "lemma": "Lemmas", "feats": "Features"}


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Agreement of two annotators on the same items beyond chance, where each has chances
    of her own; nan for no items, and where both have only ever chosen the same value.

    >>> cohen_kappa("aabb", "aabc")
    0.6
    """
    n = len(first)
    if not n:
        return np.nan
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    counts, others = Counter(first), Counter(second)
    expected = sum(count * others[value] for value, count in counts.items()) / n**2
    return float((observed - expected) / (1 - expected)) if expected < 1 else np.nan


def krippendorff_alpha(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Krippendorff's alpha of two annotators for nominal values: chances are those of
    all values of both; nan for no items, and where there is only one value.

    >>> round(krippendorff_alpha("aabb", "aabc"), 3)
    0.632
    """
    n = len(first)
    if not n:
        return np.nan
    observed = sum(a != b for a, b in zip(first, second, strict=True)) / n
    counts = np.array(list(Counter([*first, *second]).values()), float)
    total = counts.sum()
    expected = (total**2 - (counts**2).sum()) / (total * (total - 1))
    return float(1 - observed / expected) if expected else np.nan


def coefficient(value: float) -> str:
    """Kappa or alpha as it is shown: a dash where there is none."""
    return "-" if np.isnan(value) else f"{value:.3f}"


class AgreementRow(NamedTuple):
    """Agreement on one thing.

    agreed : the share of words on which both agree
    words : that both have annotated
    """

    measure: str
    agreed: float
    kappa: float
    alpha: float
    words: int


class Difference(NamedTuple):
    """Something on which two annotators differ.

    row : of the sentence in the first treebank
    word : its position, from 1 on
    layer : one of `COMPARED_LAYERS`
    first, second : the values; of an arc, ``3:nsubj``
    """

    row: int
    word: int
    layer: str
    first: str
    second: str


@dataclass
class TreebankComparison:
    """Two annotations of the same sentences.

    Attributes
    ----------
    treebank : the first one
    pairs : row in the first treebank -> the sentence of the second
    unmatched : rows of the first treebank that have no counterpart with the same words
    """

    treebank: Treebank
    pairs: dict[int, Sentence] = field(default_factory=dict)
    unmatched: list[int] = field(default_factory=list)

    def agreement(self) -> list[AgreementRow]:
        """What both agree on; layers that nobody has annotated are left out."""
        rows, sentences = [], self.treebank.sentences
        for measure in AGREEMENT_MEASURES:
            values = [pair for row, other in self.pairs.items()
                      for pair in zip(values_of(sentences[row], measure),
                                      values_of(other, measure)) if None not in pair]
            if values:
                first, second = zip(*values)
                agreed = sum(a == b for a, b in values) / len(values)
                rows.append(AgreementRow(measure, agreed, cohen_kappa(first, second),
                                         krippendorff_alpha(first, second), len(values)))
        return rows

    @cached_property
    def differences(self) -> list[Difference]:
        """In the order of the sentences and words."""
        differences, sentences = [], self.treebank.sentences
        for row, other in self.pairs.items():
            sentence = sentences[row]
            columns = [(layer, shown_values(sentence, layer), shown_values(other, layer))
                       for layer in COMPARED_LAYERS]
            for word in range(len(sentence)):
                differences += [Difference(row, word + 1, layer, first[word], second[word])
                                for layer, first, second in columns
                                if first[word] != second[word]]
        return differences

    def merged(self, second: Iterable[tuple[int, int, str]] = ()) -> Treebank:
        """The first treebank with some of the second's annotation.

        second : row, word and layer of the differences in which the second is right
        """
        chosen: dict[int, set[tuple[int, str]]] = {}
        for row, word, layer in second:
            if row not in self.pairs or layer not in COMPARED_LAYERS or not (
                    1 <= word <= len(self.pairs[row])):
                raise InputError(f"there is nothing to choose: {layer} of word {word} in "
                                 f"sentence {row + 1}")
            chosen.setdefault(row, set()).add((word, layer))
        sentences = list(self.treebank.sentences)
        for row, words in chosen.items():
            sentences[row] = merged_sentence(sentences[row], self.pairs[row], words, row)
        return with_sentences(self.treebank, sentences)

    def agreement_table(self) -> Table:
        """One row for each thing that is measured."""
        numbers = ("Agreement", "Cohen's kappa", "Krippendorff's alpha", "Words")
        return table_of_rows("agreement", [
            StringVariable("Annotation"), *map(ContinuousVariable, numbers)],
            [(AGREEMENT_MEASURES[row.measure], *row[1:]) for row in self.agreement()])

    def differences_table(self, second: Collection[tuple[int, int, str]] = ()) -> Table:
        """One row for each difference.

        second : as in `merged`
        """
        sentences = self.treebank.sentences
        return table_of_rows("differences", [
            *(ContinuousVariable(name, number_of_decimals=0)
              for name in ("Sentence number", "Position")),
            *map(StringVariable, (
                "Sentence", "Word", "Layer", "First", "Second", "Chosen"))],
            [(row + 1, word, sentences[row].sent_id or str(row + 1),
              sentences[row].forms[word - 1], layer, mine, other,
              other if (row, word, layer) in second else mine)
             for row, word, layer, mine, other in self.differences])


def compare_treebanks(first: Table, second: Table) -> TreebankComparison:
    """Put two annotations of the same sentences side by side.

    Sentences belong together by their ids, if each has one of its own, else by their
    order; they must have the same words.
    """
    treebank = as_treebank(first)
    ours, theirs = treebank.sentences, as_treebank(second).sentences
    by_id, others = sentence_keys(ours), sentence_keys(theirs)
    if by_id is None or others is None:
        by_id = {str(row): row for row in range(len(ours))}
        others = {str(row): row for row in range(len(theirs))}
    comparison = TreebankComparison(treebank)
    for key, row in by_id.items():
        other = theirs[others[key]] if key in others else None
        if other is None or other.forms != ours[row].forms:
            comparison.unmatched.append(row)
        else:
            comparison.pairs[row] = other
    return comparison


def sentence_keys(sentences: Sequence[Sentence]) -> dict[str, int] | None:
    """Rows by ids; None where some have none, or the same."""
    keys = {sentence.sent_id: row for row, sentence in enumerate(sentences) if sentence.sent_id}
    return keys if len(keys) == len(sentences) else None


def values_of(sentence: Sentence, measure: str) -> list[Hashable | None]:
    """What an annotator has chosen for each word; None for nothing."""
    if measure not in ("head", ARC):
        return [None if value == EMPTY and measure != "feats" else value
                for value in layer_values(sentence, measure)]
    distances = [None if head < 0 else 0 if head == 0 else head - word
                 for word, head in enumerate(sentence.heads.tolist(), start=1)]
    if measure == "head":
        return distances
    return [None if distance is None else (distance, relation)
            for distance, relation in zip(distances, sentence.deprels)]


def shown_values(sentence: Sentence, layer: str) -> list[str]:
    """The values of a layer as text."""
    if layer != ARC:
        return layer_values(sentence, layer)
    return [EMPTY if head < 0 else f"{head}:{relation}"
            for head, relation in zip(sentence.heads.tolist(), sentence.deprels)]


def merged_sentence(first: Sentence, second: Sentence, chosen: set[tuple[int, str]],
                    row: int) -> Sentence:
    """The first sentence with the second's values of some words and layers."""
    heads, relations = first.heads.copy(), list(first.deprels)
    layers: dict[str, list[str]] = {}
    for word, layer in chosen:
        if layer == ARC:
            heads[word - 1] = second.heads[word - 1]
            relations[word - 1] = second.deprels[word - 1]
        else:
            values = layers.setdefault(layer, list(layer_values(first, layer)))
            values[word - 1] = layer_values(second, layer)[word - 1]
    try:
        merged = with_tree(first, heads, relations)
    except InputError:
        raise InputError(f"sentence {row + 1}: the chosen arcs do not form a tree; choose "
                         "more of them from the same treebank") from None
    return with_layers(merged, layers) if layers else merged
