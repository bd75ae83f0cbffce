"""Scores of predictions as text and as a table."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from Orange.data import ContinuousVariable, StringVariable, Table

from orange_structpred.evaluation.scored_prediction import ScoredPrediction
from orange_structpred.tables.making import aligned_text, table_of_rows

#: What is shown, as the reader calls it, and its measure with and without punctuation
SHOWN_MEASURES = {
    "UAS": ("uas", "uas_nopunct"),
    "LAS": ("las", "las_nopunct"),
    "Complete": ("complete", "complete_nopunct"),
    "Root": ("root", "root"),
    "Trees": ("trees", "trees"),
}
EN_DASH = "\N{EN DASH}"


def measure_of(shown: str, punct: bool) -> str:
    """The library's name of what the reader calls UAS, LAS, Complete, Root or Trees."""
    return SHOWN_MEASURES[shown][0 if punct else 1]


def shown_measures(scored: Sequence[ScoredPrediction]) -> list[str]:
    """LAS is shown if some prediction has relations, Trees if some heads are none."""
    labelled = any(row.evaluation.relations is not None for row in scored)
    cyclic = any(row.evaluation.trees < 1 for row in scored)
    told = {"LAS": labelled, "Trees": cyclic}
    return [shown for shown in SHOWN_MEASURES if told.get(shown, True)]


def scores_table(scored: Sequence[ScoredPrediction], punct: bool) -> Table:
    """One row per prediction; scores and the bounds of their intervals in percent."""
    shown = shown_measures(scored)
    features = [ContinuousVariable(name, number_of_decimals=0)
                for name in ("Sentences", "Tokens")]
    features += [ContinuousVariable(f"{name}{end}", number_of_decimals=2)
                 for name in shown for end in ("", " low", " high")]
    rows = []
    for prediction in scored:
        row = [prediction.label, prediction.treebank.name,
               prediction.evaluation.sentences, counted_tokens(prediction, punct)]
        for name in shown:
            measure = measure_of(name, punct)
            score = prediction.evaluation.score(measure)
            row += [np.nan] * 3 if score is None else [
                100 * share for share in (score, *prediction.intervals[measure])]
        rows.append(row)
    return table_of_rows(
        "scores", [StringVariable("Parser"), StringVariable("Treebank"), *features], rows)


def counted_tokens(row: ScoredPrediction, punct: bool) -> int:
    _, counted = row.evaluation.counts(measure_of("UAS", punct))
    return int(counted.sum())


def percent_text(share: float | None, decimals: int = 2) -> str:
    """A score as it is shown."""
    if share is None or np.isnan(share):
        return EN_DASH
    return f"{100 * share:.{decimals}f}"


def interval_text(interval: tuple[float, float] | None) -> str:
    """The interval of a score as it is shown; nothing if there is none."""
    low, high = interval or (np.nan, np.nan)
    return "" if np.isnan(low) \
        else f"{percent_text(low, 1)} {EN_DASH} {percent_text(high, 1)}"


def text_table(scored: Sequence[ScoredPrediction], punct: bool) -> str:
    """The scores as plain text: names to the left, numbers to the right."""
    shown = shown_measures(scored)
    lines = [["Parser", "Sentences", "Tokens"]]
    for name in shown:
        lines[0] += [name, "95% interval"]
    for row in scored:
        line = [row.label, f"{row.evaluation.sentences:,}",
                f"{counted_tokens(row, punct):,}"]
        for name in shown:
            measure = measure_of(name, punct)
            line += [percent_text(row.evaluation.score(measure)),
                     interval_text(row.intervals.get(measure))]
        lines.append([line[0], *(cell.replace(EN_DASH, "-") for cell in line[1:])])
    return aligned_text(lines)
