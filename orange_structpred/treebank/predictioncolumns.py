"""Predicted trees and tags as columns of a treebank, beside its own ones."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from Orange.data import Domain, Table

from orange_structpred.array_types import Integers, Reals
from orange_structpred.errors import InputError
from orange_structpred.treebank.columns import (
    PREDICTION_ROLE,
    SEEN,
    TAGS_ROLE,
    free_name,
    is_prediction,
    predicted_layer,
    single_spaced,
    strings,
    texts,
    variable_with_role,
)
from orange_structpred.treebank.layers import check_layer, with_layers
from orange_structpred.treebank.prediction import (
    Prediction,
    decode_column,
    decoded_cells,
    encode_prediction,
)
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.tags import column_name, decode_tags, encode_tags

PredictedT = TypeVar("PredictedT", bound="PredictionColumns")


class PredictionColumns(Table):
    """The part of a Treebank that knows of predicted trees and tags."""

    _decoded: dict[str, tuple[tuple[list[str], list[int]], Prediction]] | None = None

    @property
    def sentences(self) -> list[Sentence]:
        raise NotImplementedError

    # Trees

    @property
    def predictions(self) -> dict[str, Prediction]:
        """Predictions by the name of their column, in the order of the columns."""
        lengths = [len(sentence) for sentence in self.sentences]
        before = self._decoded or {}
        decoded: dict[str, tuple[tuple[list[str], list[int]], Prediction]] = {}
        for var in self.domain.metas:
            if is_prediction(var, self, lengths):
                source = texts(self, var), lengths
                kept = before.get(var.name)
                decoded[var.name] = (
                    kept if kept is not None and kept[0] == source
                    else (source, decode_column(*source, var.name)))
        self._decoded = decoded
        return {name: prediction for name, (_, prediction) in decoded.items()}

    def prediction(self, name: str) -> Prediction:
        """The prediction of this name; an InputError if there is none."""
        predictions = self.predictions
        if name not in predictions:
            raise InputError(f"the treebank has no prediction {name!r}; found: "
                             f"{', '.join(predictions) or 'none'}")
        return predictions[name]

    def with_prediction(self: PredictedT, name: str, heads: Sequence[Integers],
                        deprels: Sequence[Sequence[str] | None] | None = None,
                        probabilities: Sequence[Reals | None] | None = None,
                        *, seen: int = 0) -> PredictedT:
        """This treebank with one more column, the prediction of a parser.

        Parameters
        ----------
        name : str
            Name of the column; " (2)" or a higher number is added if it is in use.
        heads : sequence of sequences of int
            For each sentence, one head per token: 0 is the root, -1 unknown.
        deprels : sequence of sequences of str, optional
            For each sentence, its relations.
        probabilities : sequence of sequences of float, optional
            For each sentence, the probability of each head; nan where unknown.
        seen : int, default=0
            How many of the sentences the parser was trained on; the column remembers it.
        """
        sentences = self.sentences
        labels = [None] * len(sentences) if deprels is None else deprels
        shares = [None] * len(sentences) if probabilities is None else probabilities
        if not len(heads) == len(labels) == len(shares) == len(sentences):
            raise InputError(f"prediction {name!r}: found {len(heads)} sentences, "
                             f"expected {len(sentences)}")
        cells = []
        for row, (sentence, tree, rels, chances) in enumerate(
                zip(sentences, heads, labels, shares), 1):
            n, tree = len(sentence), np.asarray(tree)
            if (tree.shape != (n,) or tree.dtype.kind not in "iu" or tree.min() < -1
                    or tree.max() > n or (rels is not None and len(rels) != n)):
                raise InputError(f"prediction {name!r}, row {row}: found heads "
                                 f"{tree.tolist()}, expected {n} of them from -1 to "
                                 f"{n}, and as many relations, if any")
            if chances is not None:
                chances = np.asarray(chances, float)
                if chances.shape != (n,) or np.any((chances < 0) | (chances > 1)):
                    raise InputError(
                        f"prediction {name!r}, row {row}: found probabilities "
                        f"{chances.tolist()}, expected {n} of them from 0 to 1")
            cells.append(encode_prediction(tree.tolist(), rels, chances))
        taken = [var.name for var in (*self.domain.variables, *self.domain.metas)]
        variable = variable_with_role(
            free_name(single_spaced(name, "prediction"), taken), PREDICTION_ROLE)
        if seen:
            variable.attributes[SEEN] = f"{seen} of {len(self)}"
        return self.add_column(variable, strings(cells), to_metas=True)

    def fill_heads(self: PredictedT, name: str | None = None) -> PredictedT:
        """This treebank, with the heads of a prediction in sentences that have none.

        They are then written to CoNLL files as if they had been annotated.

        name : of the prediction; by default the last one
        """
        predictions = self.predictions
        if name is None and not predictions:
            raise InputError("there is no prediction to fill in")
        parsed = self.predicted_sentences(
            name if name is not None else [*predictions][-1])
        return with_sentences(self, [
            tree if sentence.heads.max() < 0 else sentence
            for sentence, tree in zip(self.sentences, parsed)])

    def predicted_sentences(self, name: str) -> list[Sentence]:
        """The sentences with the heads and relations of a prediction; a prediction
        without relations has none."""
        prediction = self.prediction(name)
        deprels = prediction.deprels
        return [sentence.with_heads(tree, deprels[i] if deprels else ["_"] * len(tree))
                for i, (sentence, tree) in enumerate(zip(self.sentences, prediction.heads))]

    # Tags

    @property
    def tags(self) -> dict[str, dict[str, list[list[str]]]]:
        """Predicted tags by tagger and layer, a list of values for each sentence."""
        lengths = [len(sentence) for sentence in self.sentences]
        predicted: dict[str, dict[str, list[list[str]]]] = {}
        for var in self.domain.metas:
            named = predicted_layer(var, self, lengths)
            if named is not None:
                name, layer = named
                predicted.setdefault(name, {})[layer] = decoded_cells(
                    f"tags {var.name!r}", decode_tags, texts(self, var), lengths)
        return predicted

    def with_tags(self: PredictedT, name: str,
                  layers: Mapping[str, Sequence[Sequence[str]]]) -> PredictedT:
        """This treebank with predicted tags, one more column for each layer.

        Parameters
        ----------
        name : str
            Of the tagger; one that is taken gets " (2)" or a higher number.
        layers : values of each layer, for each sentence one for each token
        """
        sentences = self.sentences
        name = free_name(single_spaced(name, "tagger"), self.tags)
        treebank = self
        for layer, values in layers.items():
            check_layer(layer)
            if [len(tokens) for tokens in values] != [len(s) for s in sentences]:
                raise InputError(f"tags {name!r}: found values of {layer} for "
                                 f"{len(values)} sentences, expected one for each token "
                                 f"of {len(sentences)} sentences")
            treebank = treebank.add_column(
                variable_with_role(column_name(name, layer), TAGS_ROLE),
                strings([encode_tags(tokens) for tokens in values]),
                to_metas=True)
        return treebank

    def tagged_sentences(self, name: str) -> list[Sentence]:
        """The sentences with the tags that a tagger predicted in place of their own."""
        predicted = self.tags
        if name not in predicted:
            raise InputError(f"the treebank has no tags predicted by {name!r}; found: "
                             f"{', '.join(predicted) or 'none'}")
        return [with_layers(sentence, {
                    layer: values[i] for layer, values in predicted[name].items()})
                for i, sentence in enumerate(self.sentences)]

    def use_tags(self: PredictedT, name: str | None = None) -> PredictedT:
        """This treebank with the tags of a tagger in place of its own.

        So a parser meets the tags that it would meet in new text. The columns of the
        tagger, which would be compared with themselves, are left out.

        name : of the tagger; by default the last one, if there is any
        """
        if name is None:
            taggers = list(self.tags)
            if not taggers:
                return self
            name = taggers[-1]
        lengths = [len(sentence) for sentence in self.sentences]
        sentences = self.tagged_sentences(name)
        domain = self.domain
        kept = Domain(domain.attributes, domain.class_vars, [
            var for var in domain.metas
            if (predicted_layer(var, self, lengths) or ("", ""))[0] != name])
        treebank = self.transform(kept)
        treebank.name = self.name
        return with_sentences(treebank, sentences)
