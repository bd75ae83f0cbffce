"""Annotating text: each sentence is written once, when all of its columns are known.

The result is what `Pipeline.annotate` gives for the sentences of the tokeniser.
"""
from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.parser import Parser
from orange_structpred.pipeline.filling import LEMMA, READ_LAYERS, TAGGING
from orange_structpred.running.cancellation import Progress, part_of
from orange_structpred.tagging.documents import Draft
from orange_structpred.treebank.layers import EMPTY, check_layer_values, with_layers
from orange_structpred.treebank.prediction import Prediction, with_head_probabilities
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.shape import no_trees
from orange_structpred.treebank.text import make_block, text_of

if TYPE_CHECKING:
    from orange_structpred.pipeline.trained_pipeline import Pipeline


class _Words(Sentence):
    """Words with tags and lemmas that no block has yet, for a parser."""

    __slots__ = ()

    def __init__(self, forms: list[str], layers: dict[str, list[str]]):
        empty = [EMPTY] * len(forms)
        self._set("", np.full(len(forms), -1, np.int32), "", "")
        object.__setattr__(self, "_columns", (
            forms, *(layers.get(layer, empty) for layer in READ_LAYERS), empty, empty))


def annotate_drafts(pipeline: Pipeline, drafts: Sequence[Draft],
                    progress: Progress | None = None, *, probabilities: bool = False
                    ) -> list[Sentence]:
    """The sentences that are made of these drafts, annotated.

    probabilities : as in `Pipeline.annotate`
    """
    if not drafts:
        return []
    forms = [[word for token in draft.tokens for word in token.words] for draft in drafts]
    layers = pipeline.tagger.predict_forms(
        forms, progress=part_of(progress, 0, TAGGING)) if pipeline.tagger else {}
    bounds = [0, *np.cumsum(list(map(len, forms))).tolist()]
    if pipeline.lemmatiser is not None:
        flat = list(chain.from_iterable(forms))
        empty = [EMPTY] * len(flat)
        lemmas = pipeline.lemmatiser.lemmas(flat, *(
            list(chain.from_iterable(layers[layer])) if layer in layers else empty
            for layer in ("upos", "xpos")))
        layers[LEMMA] = [lemmas[begin:end] for begin, end in pairwise(bounds)]
    words = [_Words(of_sentence, {layer: values[i] for layer, values in layers.items()})
             for i, of_sentence in enumerate(forms)]
    predicted = Prediction([sentence.heads for sentence in words], None)
    if pipeline.parser is not None:
        predicted = trees(pipeline.parser, words, part_of(progress, TAGGING, 1),
                          probabilities)
    heads, deprels = predicted.heads, predicted.deprels
    result = []
    for i, (draft, tagged) in enumerate(zip(drafts, words)):
        written = [EMPTY if head < 0 else str(head) for head in heads[i].tolist()]
        block = make_block(
            draft.tokens, [tagged.lemmas, tagged.upos, tagged.xpos, tagged.feats,
                           written, deprels[i] if deprels else tagged.deprels],
            sent_id=draft.sent_id, new_paragraph=draft.new_paragraph,
            document=draft.document)
        result.append(Sentence.checked(block, heads[i].astype(np.int32), draft.sent_id,
                                       text_of(draft.tokens)))
    others = [layer for layer in layers if layer not in READ_LAYERS]
    if others:
        result = [with_layers(sentence, {layer: layers[layer][i] for layer in others})
                  for i, sentence in enumerate(result)]
    return with_head_probabilities(result, predicted.probabilities)


def trees(parser: Parser, words: Sequence[Sentence], progress: Progress | None,
          probabilities: bool) -> Prediction:
    """Heads, which are trees, and relations, which can be written."""
    predicted = parser.predict(words, probabilities=probabilities, progress=progress)
    offsets = np.append(0, np.cumsum(list(map(len, predicted.heads))))
    for i in no_trees(np.concatenate(predicted.heads).astype(np.int32), offsets)[:1]:
        words[i].with_heads(predicted.heads[i])     # raises an error that says why
    if predicted.deprels:
        check_layer_values("deprel", set(chain.from_iterable(predicted.deprels)))
    return predicted
