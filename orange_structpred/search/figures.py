"""Statistics of a treebank, each of which leads back to its sentences.

A figure is a pattern and one or two keys: its bars and cells are clusters of matches.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Progress
from orange_structpred.search.clusters import Clusters
from orange_structpred.search.find import find
from orange_structpred.search.index import TreeIndex, tree_index
from orange_structpred.search.matches import (
    CROSSING,
    SENTENCE_LENGTH,
    TREE_HEIGHT,
    YES,
)
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.shape import shapes


@dataclass(frozen=True)
class TreebankFigure:
    """numeric : whether the values of the first key are numbers, shown in their order"""

    name: str
    pattern: str
    key: str
    by: str | None = None
    numeric: bool = False
    explanation: str = ""


TREEBANK_FIGURES: dict[str, TreebankFigure] = {figure.name: figure for figure in (
    TreebankFigure("Parts of speech", "W []", "W.upos",
                   explanation="How often each tag occurs"),
    TreebankFigure("Forms", "W []", "W.form", explanation="The most frequent forms"),
    TreebankFigure("Lemmas", "W []", "W.lemma", explanation="The most frequent lemmas"),
    TreebankFigure("Relations", "W []", "W.deprel",
                   explanation="How often each relation occurs"),
    TreebankFigure("Relations by part of speech", "W []", "W.deprel.1", "W.upos",
                   explanation="Which words have which relations, without subtypes"),
    TreebankFigure("Heads of relations", "H -> D", "H->D.1", "H.upos",
                   explanation="Which words govern which relations"),
    TreebankFigure("Sentence length", "W [position=1]", SENTENCE_LENGTH, numeric=True,
                   explanation="Words in a sentence"),
    TreebankFigure("Height of trees", "W [position=1]", TREE_HEIGHT, numeric=True,
                   explanation="Arcs from the root to the deepest word"),
    TreebankFigure("Crossing arcs", "W [position=1]", CROSSING,
                   explanation="Whether a tree is non-projective"),
    TreebankFigure("Arc length", "H -> D", "distance(H, D)", numeric=True,
                   explanation="Words from a head to its dependent; below 0, the "
                               "dependent comes first"),
    TreebankFigure("Head and dependent", "H -> D", "H->D.1", "order(H, D)",
                   explanation="For each relation, whether the head (H) or the "
                               "dependent (D) comes first"),
    TreebankFigure("Subject and verb", "V [upos=VERB]; V -[1=nsubj]-> S",
                   "order(V, S)", "S.upos",
                   explanation="Order of subject (S) and verb (V)"),
    TreebankFigure("Subject, verb and object",
                   "V [upos=VERB]; V -[1=nsubj]-> S; V -[1=obj]-> O", "order(V, S, O)",
                   explanation="Order of subject (S), verb (V) and object (O)"),
    TreebankFigure("Adjective and noun", "N [upos=NOUN]; N -[1=amod]-> A",
                   "order(N, A)",
                   explanation="Order of a noun (N) and its adjective (A)"),
    TreebankFigure("Valency frames", "V [upos=VERB]", "V.frame",
                   explanation="Subjects, objects and clauses that verbs govern"),
    TreebankFigure("Frames of verbs", "V [upos=VERB]", "V.lemma", "V.frame",
                   explanation="The same for each verb"),
)}


#: The sentences behind a size: a figure, and the value that is counted ("" for all)
FIGURES_OF_SIZES = {
    "sentences": ("Sentence length", ""), "words": ("Parts of speech", ""),
    "forms": ("Forms", ""), "lemmas": ("Lemmas", ""),
    "words per sentence": ("Sentence length", ""),
    "non-projective (%)": ("Crossing arcs", YES),
    "height of trees": ("Height of trees", ""), "length of arcs": ("Arc length", "")}


class TreebankProfile:
    """Sizes and figures of a treebank's gold trees, or of a prediction.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> statistics = TreebankProfile(load_bundled("en"))
    >>> statistics.sizes["sentences"]
    400
    >>> order = statistics.figure("Head and dependent")
    >>> order.columns, len(order.select([("obj", "D H")]).sentences()) > 0
    (['D H', 'H D'], True)
    """

    def __init__(self, data: Table, *, prediction: str | None = None):
        self.treebank, self.prediction = as_treebank(data), prediction
        self._figures: dict[str, Clusters] = {}

    @cached_property
    def index(self) -> TreeIndex:
        return tree_index(self.treebank, self.prediction)

    @cached_property
    def sizes(self) -> dict[str, float]:
        """Numbers of sentences and words, and what trees look like on average; nan where
        heads are not known."""
        index = self.index
        shape = shapes(index.relative_heads, index.offsets)

        def mean(values: np.ndarray) -> float:
            known = values[~np.isnan(values)]
            return float(known.mean()) if len(known) else float("nan")

        return {
            "sentences": len(self.treebank), "words": len(index),
            "forms": len(index.column("form").values),
            "lemmas": len(index.column("lemma").values),
            "words per sentence": mean(shape.length),
            "non-projective (%)": 100 * (1 - mean(shape.projective)),
            "height of trees": mean(shape.height),
            "length of arcs": mean(shape.arc_length)}

    def figure(self, name: str, *, progress: Progress | None = None) -> Clusters:
        """The counts of a figure, one of `TREEBANK_FIGURES`."""
        if name not in TREEBANK_FIGURES:
            raise InputError(f"unknown figure {name!r}; valid ones are "
                             f"{', '.join(TREEBANK_FIGURES)}")
        if name not in self._figures:
            figure = TREEBANK_FIGURES[name]
            matches = find(self.treebank, figure.pattern, prediction=self.prediction,
                           limit=max(len(self.index) ** 2, 1), progress=progress)
            clusters = matches.cluster(figure.key, figure.by)
            self._figures[name] = clusters.in_numeric_order() if figure.numeric else clusters
        return self._figures[name]
