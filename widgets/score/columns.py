"""The columns of the table of scores: what they hold, and how a report shows them."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.evaluation import ScoredPrediction
from orange_structpred.evaluation.report import (
    counted_tokens,
    interval_text,
    measure_of,
    percent_text,
    shown_measures,
)
from orange_structpred.evaluation.scored_prediction import same_sentences

PARSER, TREEBANK, SENTENCES, TOKENS = "Parser", "Treebank", "Sentences", "Tokens"
NAME_COLUMNS = PARSER, TREEBANK
MEASURE_TIPS = {
    "UAS": "Unlabelled attachment score: tokens with the right head",
    "LAS": "Labelled attachment score: tokens with the right head and relation",
    "Complete": "Sentences in which all heads are right",
    "Root": "Sentences with the right root",
    "Trees": "Sentences whose heads form a tree, which the approximate decoder does not guarantee",
}


class ScoreColumn(NamedTuple):
    """A column: its values to sort by and their texts.

    intervals : of scores
    best : of scores that can be compared, the highest
    """

    title: str
    tip: str
    values: Sequence
    texts: Sequence[str]
    intervals: Sequence[str] | None = None
    best: float = np.inf


def make_columns(scored: Sequence[ScoredPrediction], punct: bool, intervals: bool
                 ) -> list[ScoreColumn]:
    def column(title: str, tip: str, value: Callable, text: Callable) -> ScoreColumn:
        return ScoreColumn(title, tip, [value(result) for result in scored],
                      [text(result) for result in scored])

    columns = [column(PARSER, "Column of the predicted heads",
                      lambda result: result.label, lambda result: result.label)]
    if len({result.source for result in scored}) > 1:
        columns.append(column(TREEBANK, "The treebank that was parsed",
                              lambda result: result.treebank.name,
                              lambda result: result.treebank.name))
    columns.append(column(
        SENTENCES, "Sentences that are scored",
        lambda result: result.evaluation.sentences,
        lambda result: f"{result.evaluation.sentences:,}"))
    columns.append(column(
        TOKENS, "Tokens that count" + ("" if punct else ", without punctuation"),
        lambda result: counted_tokens(result, punct),
        lambda result: f"{counted_tokens(result, punct):,}"))
    comparable = len(scored) > 1 and all(
        same_sentences(scored[0], result) for result in scored[1:])
    for name in shown_measures(scored):
        measure = measure_of(name, punct)
        scores = [result.evaluation.score(measure) for result in scored]
        values = [np.nan if score is None else score for score in scores]
        columns.append(ScoreColumn(
            name, f"{MEASURE_TIPS[name]}, in percent", values,
            [percent_text(value) for value in values],
            [interval_text(result.intervals.get(measure)) if intervals else "" for result in scored],
            np.nanmax(values) if comparable and np.isfinite(values).sum() > 1
            else np.inf))
    return columns


def score_rows(scored: Sequence[ScoredPrediction], punct: bool, intervals: bool
               ) -> list[list[str]]:
    """Titles and texts of the table for a report."""
    def text(column: ScoreColumn, number: int) -> str:
        interval = column.intervals[number] if column.intervals else ""
        return column.texts[number] + (f" ({interval})" if interval else "")

    columns = make_columns(scored, punct, intervals)
    return [[column.title for column in columns],
            *([text(column, number) for column in columns]
              for number in range(len(scored)))]
