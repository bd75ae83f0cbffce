"""Annotation that sentences lack, from the steps of a pipeline."""
from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from orange_structpred.running.cancellation import Progress
from orange_structpred.tagging.lemmatiser import Lemmatiser
from orange_structpred.tagging.tagger import Tagger
from orange_structpred.treebank.layers import EMPTY, layer_values, with_layers
from orange_structpred.treebank.prediction import (
    Prediction,
    join_predictions,
    with_head_probabilities,
)
from orange_structpred.treebank.sentence import Sentence

LEMMA = "lemma"
READ_LAYERS = ("lemma", "upos", "xpos", "feats")       # what a parser looks at beside the words
JACKKNIFE = "jackknife"         # layers of sentences, by models that have not seen them
JACKKNIFED = ("tagger", "lemmatiser")       # the steps whose predictions a parser reads
SPLITTING = 0.2         # the share of splitting in the time for a text, for progress
TAGGING = 0.25          # its share of the time that annotating takes, for progress


class Predicted(NamedTuple):
    """What a pipeline finds for sentences.

    layers : for each layer the values of each sentence's tokens
    trees : None if the pipeline has no parser
    """

    layers: dict[str, list[list[str]]]
    trees: Prediction | None


def join_predicted(parts: Sequence[Predicted]) -> Predicted:
    """What was predicted for several parts of a treebank, as one."""
    trees = [part.trees for part in parts if part.trees is not None]
    return Predicted(
        {layer: list(chain.from_iterable(part.layers[layer] for part in parts))
         for layer in parts[0].layers},
        join_predictions(trees, deprels=trees[0].deprels is not None,
                         probabilities=trees[0].probabilities is not None)
        if trees else None)


def fill_layers(sentences: Sequence[Sentence], tagger: Tagger | None,
                lemmatiser: Lemmatiser | None, *, keep: bool = True,
                progress: Progress | None = None) -> list[Sentence]:
    """The sentences with tags and lemmas.

    keep : a layer of a sentence in which any token has it stays as it is; else all are
        predicted anew, from the words alone, and those that nothing predicts are empty
    """
    new: list[dict[str, list[str]]] = [
        {} if keep or (tagger is None and lemmatiser is None)
        else dict.fromkeys(READ_LAYERS, [EMPTY] * len(sentence))
        for sentence in sentences]
    if tagger is not None:
        lacking = {k: layers for k, sentence in enumerate(sentences) if (
            layers := [layer for layer in tagger.layers
                       if not keep or is_empty(sentence, layer)])}
        predicted = tagger.predict([sentences[k] for k in lacking], progress=progress)
        for i, (k, layers) in enumerate(lacking.items()):
            new[k] |= {layer: predicted[layer][i] for layer in layers}
    if lemmatiser is not None:
        without = [k for k, sentence in enumerate(sentences)
                   if not keep or is_empty(sentence, LEMMA)]
        forms, upos, xpos = (list(chain.from_iterable(
            new[k].get(layer) or layer_values(sentences[k], layer) if layer
            else sentences[k].forms for k in without)) for layer in ("", "upos", "xpos"))
        lemmas = iter(lemmatiser.lemmas(forms, upos, xpos))
        for k in without:
            new[k][LEMMA] = [next(lemmas) for _ in range(len(sentences[k]))]
    return [with_layers(sentence, layers) if layers else sentence
            for sentence, layers in zip(sentences, new)]


def fold_layers(sentences: Sequence[Sentence], places: Sequence[int],
                steps: Sequence[str], train: Callable[[str, Sequence[Sentence]], Any]
                ) -> list[Sentence]:
    """The sentences of a fold with tags and lemmas by models of the others.

    train : learns a step from sentences
    """
    inside = set(places)
    others = [sentence for i, sentence in enumerate(sentences) if i not in inside]
    with warnings.catch_warnings():     # they were given for the whole
        warnings.simplefilter("ignore")
        models = {step: train(step, others) for step in steps}
    return fill_layers([sentences[i] for i in places], models.get("tagger"),
                       models.get("lemmatiser"), keep=False)


def is_empty(sentence: Sentence, layer: str) -> bool:
    """Whether no token of the sentence has the layer."""
    return all(value == EMPTY for value in layer_values(sentence, layer))


def fill_trees(sentences: Sequence[Sentence], trees: Prediction) -> list[Sentence]:
    """The sentences with these heads and, where there are some, relations and
    probabilities."""
    deprels = trees.deprels or [[EMPTY] * len(tree) for tree in trees.heads]
    return with_head_probabilities(
        list(map(Sentence.with_heads, sentences, trees.heads, deprels)),
        trees.probabilities)
