"""Scored tokens as an Orange table."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)

from orange_structpred.evaluation.breakdown import GROUPINGS, by_frequency

if TYPE_CHECKING:
    from orange_structpred.evaluation.scores import Evaluation

NO_YES = ("no", "yes")


def token_table(evaluation: Evaluation) -> Table:
    """A row a token; whether its head is correct is the class.

    With the class set, Orange's own Rank, Tree or Box Plot tell what the
    tokens with wrong heads have in common.
    """
    features, columns = [], []

    def number(name: str, values: np.ndarray) -> None:
        features.append(ContinuousVariable(name, number_of_decimals=0))
        columns.append(values)

    def choice(name: str, codes: np.ndarray, labels) -> None:
        features.append(DiscreteVariable(name, tuple(labels)))
        columns.append(codes)

    number("sentence", evaluation.sentence_of + 1)
    number("position", evaluation.positions)
    number("sentence length", np.diff(evaluation.offsets)[evaluation.sentence_of])
    number("gold head", evaluation.gold_heads)
    number("predicted head", evaluation.heads)
    number("arc length", evaluation.arc_lengths)
    number("distance to root", evaluation.depths)
    for name in ("direction", "PoS", "relation", "projectivity"):
        choice(name, *GROUPINGS[name](evaluation))
    if evaluation.relations is not None:
        choice("predicted relation", *by_frequency(evaluation.relations))
        choice("relation correct", evaluation.relation_correct, NO_YES)

    correct = DiscreteVariable("correct", NO_YES)
    metas = [StringVariable(name) for name
             in ("form", "lemma", "gold head form", "predicted head form",
                 "sent_id")]
    table = Table.from_numpy(
        Domain(features, correct, metas),
        np.column_stack(columns).astype(float),
        evaluation.head_correct.astype(float),
        _strings(evaluation))
    table.name = f"tokens of {evaluation.name}" if evaluation.name else "tokens"
    return table


def _strings(evaluation: Evaluation) -> np.ndarray:
    """Form, lemma, forms of both heads and sent_id of each token."""
    rows = []
    for index, sentence in enumerate(evaluation.gold):
        start, end = evaluation.offsets[index:index + 2]
        # The artificial root has no form.
        forms = ["", *sentence.forms]
        rows += zip(sentence.forms, sentence.lemmas,
                    [forms[head] for head in evaluation.gold_heads[start:end]],
                    [forms[head] for head in evaluation.heads[start:end]],
                    [sentence.sent_id] * len(sentence))
    strings = np.empty((len(rows), 5), dtype=object)
    if rows:
        strings[:] = rows
    return strings
