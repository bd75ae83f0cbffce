"""Scored tokens as an Orange table."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)

from orange_structpred.evaluation.scores import Evaluation
from orange_structpred.treebank.distinct import by_frequency
from orange_structpred.treebank.projectivity import flatten

if TYPE_CHECKING:
    from orange_structpred.treebank import Treebank

NO_YES = ("no", "yes")
WRONG_RIGHT = [[213, 94, 0], [0, 114, 178]]     # colours of the two
NO_LABEL = "_"
TEXTS = ("form", "lemma", "gold head form", "predicted head form", "sent_id")

# What cannot be said of a token without a gold head, of all tokens in a sentence
# with such tokens, and of a token without a predicted head.
NEEDS_GOLD = ("gold head", "arc length", "direction", "relation correct", "correct",
              "gold head form")
NEEDS_GOLD_TREE = ("distance to root", "projectivity")
NEEDS_PREDICTION = ("predicted head", "probability", "relation correct", "correct",
                    "predicted head form")


def token_table(evaluation: Evaluation) -> Table:
    """One row per token; whether its head is correct is the class.

    With the class set, Orange's own Rank, Tree or Box Plot show what the
    tokens with wrong heads have in common. There are two columns of relations, without
    subtypes, as for LAS, and with them, and one of probabilities, if they are known.
    """
    return _token_table(evaluation, {})


def prediction_table(treebank: Treebank, prediction: str) -> Table:
    """The table of `Evaluation.token_table`, also where gold heads are unknown.

    Values that depend on an unknown head are missing.

    prediction : name of the prediction's column
    """
    sentences, chosen = treebank.sentences, treebank.prediction(prediction)
    gold, offsets = flatten([sentence.heads for sentence in sentences])
    heads, _ = flatten(chosen.heads)
    in_part = np.repeat(
        np.array([not sentence.has_heads for sentence in sentences], bool),
        np.diff(offsets))
    missing: dict[str, np.ndarray] = {}
    for names, unknown in ((NEEDS_GOLD, gold < 0), (NEEDS_GOLD_TREE, in_part),
                           (NEEDS_PREDICTION, heads < 0)):
        for name in names:
            missing[name] = missing.get(name, False) | unknown
    # Tokens without a head are scored as roots, and what comes of it is left out.
    evaluation = Evaluation(
        [sentence if sentence.has_heads
         else sentence.with_heads(np.maximum(sentence.heads, 0))
         for sentence in sentences],
        [np.maximum(tree, 0) for tree in chosen.heads], chosen.deprels, prediction,
        chosen.probabilities)
    return _token_table(evaluation, missing)


def _token_table(evaluation: Evaluation, missing: Mapping[str, np.ndarray]) -> Table:
    """missing : by the name of a column, in which rows it has no value"""
    features, columns = [], []

    def number(name: str, values: np.ndarray, decimals: int = 0) -> None:
        features.append(ContinuousVariable(name, number_of_decimals=decimals))
        columns.append(np.where(missing.get(name, False), np.nan, values))

    def choice(name: str, codes: np.ndarray, labels) -> None:
        labels = list(labels)
        codes = np.where(missing.get(name, False), np.nan, codes)
        if NO_LABEL in labels:
            unlabelled = labels.index(NO_LABEL)
            labels.remove(NO_LABEL)
            codes = np.where(codes == unlabelled, np.nan, codes - (codes > unlabelled))
        features.append(DiscreteVariable(name, tuple(labels)))
        if labels == list(NO_YES):
            features[-1].colors = WRONG_RIGHT
        columns.append(codes)

    number("sentence", evaluation.sentence_of + 1)
    number("position", evaluation.positions)
    number("sentence length", np.diff(evaluation.offsets)[evaluation.sentence_of])
    number("gold head", evaluation.gold_heads)
    number("predicted head", evaluation.heads)
    if evaluation.probabilities is not None:
        number("probability", evaluation.probabilities, 3)
    number("arc length", evaluation.arc_lengths)
    number("distance to root", evaluation.depths)
    for name in ("direction", "PoS", "relation", "relation with subtypes",
                 "projectivity"):
        choice(name, *evaluation.grouping(name))
    if (evaluation.relations is not None and evaluation.deprels is not None
            and evaluation.relation_correct is not None):
        choice("predicted relation", *by_frequency(evaluation.relations))
        choice("predicted relation with subtypes", *by_frequency(evaluation.deprels))
        choice("relation correct", evaluation.relation_correct, NO_YES)
    choice("correct", evaluation.head_correct, NO_YES)

    texts = _texts(evaluation)
    for index, name in enumerate(TEXTS):
        if name in missing:
            texts[missing[name], index] = ""
    table = Table.from_numpy(
        Domain(features[:-1], features[-1], [StringVariable(name) for name in TEXTS]),
        np.column_stack(columns[:-1]).astype(float), columns[-1], texts)
    table.name = f"tokens of {evaluation.name}" if evaluation.name else "tokens"
    return table


def _texts(evaluation: Evaluation) -> np.ndarray:
    """Form, lemma, forms of both heads and sent_id of each token."""
    rows: list[tuple[str, ...]] = []
    for index, sentence in enumerate(evaluation.gold):
        start, end = evaluation.offsets[index:index + 2]
        # The artificial root has no form.
        forms = ["", *sentence.forms]
        rows += zip(sentence.forms, sentence.lemmas,
                    [forms[head] for head in evaluation.gold_heads[start:end]],
                    [forms[head] for head in evaluation.heads[start:end]],
                    [sentence.sent_id] * len(sentence))
    texts: np.ndarray = np.empty((len(rows), len(TEXTS)), dtype=object)
    if rows:
        texts[:] = rows
    return texts
