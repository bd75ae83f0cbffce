"""Predicted tags as columns of a treebank, beside its own ones."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from Orange.data import Domain, Table

from orange_structpred.errors import InputError
from orange_structpred.treebank import tags
from orange_structpred.treebank.columns import (
    free_name,
    predicted_layer,
    strings,
    tags_variable,
    texts,
)
from orange_structpred.treebank.layers import check_layer, with_layers
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence

TaggedT = TypeVar("TaggedT", bound="TagColumns")


class TagColumns(Table):
    """The part of a Treebank that knows of predicted tags."""

    @property
    def sentences(self) -> list[Sentence]:
        raise NotImplementedError

    @property
    def tags(self) -> dict[str, dict[str, list[list[str]]]]:
        """Predicted tags by tagger and layer, a list of values for each sentence."""
        lengths = [len(sentence) for sentence in self.sentences]
        predicted: dict[str, dict[str, list[list[str]]]] = {}
        for var in self.domain.metas:
            named = predicted_layer(var, self, lengths)
            if named is not None:
                name, layer = named
                predicted.setdefault(name, {})[layer] = tags.decode_tags_column(
                    texts(self, var), lengths, var.name)
        return predicted

    def with_tags(self: TaggedT, name: str,
                  layers: Mapping[str, Sequence[Sequence[str]]]) -> TaggedT:
        """This treebank with predicted tags, one more column for each layer.

        Parameters
        ----------
        name : str
            Of the tagger; one that is taken gets " (2)" or a higher number.
        layers : values of each layer, for each sentence one for each token
        """
        sentences = self.sentences
        name = free_name(name, list(self.tags))
        treebank = self
        for layer, values in layers.items():
            check_layer(layer)
            if [len(tokens) for tokens in values] != [len(s) for s in sentences]:
                raise InputError(f"tags {name!r}: found values of {layer} for "
                                 f"{len(values)} sentences, expected one for each token "
                                 f"of {len(sentences)} sentences")
            treebank = treebank.add_column(
                tags_variable(tags.column_name(name, layer)),
                strings([tags.encode_tags(tokens) for tokens in values]),
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

    def use_tags(self: TaggedT, name: str | None = None) -> TaggedT:
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
