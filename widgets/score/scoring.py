"""Predictions of several treebanks scored, and the scores as tables."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table
from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.evaluation import (
    BREAKDOWNS,
    MEASURES,
    Evaluation,
    Group,
)
from orange_structpred.evaluation.breakdown import GROUPINGS
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.phrases import sentence as as_sentence

EN_DASH = "\N{EN DASH}"

#: What is shown, as the reader calls it, and its measure with and without punctuation
SHOWN = {
    "UAS": ("uas", "uas_nopunct"),
    "LAS": ("las", "las_nopunct"),
    "Complete": ("complete", "complete_nopunct"),
    "Root": ("root", "root"),
}
TIPS = {
    "UAS": "Unlabelled attachment score: tokens with the right head",
    "LAS": "Labelled attachment score: tokens with the right head and relation",
    "Complete": "Sentences in which all heads are right",
    "Root": "Sentences with the right root",
}


@dataclass
class Scored:
    """A prediction with its scores.

    label : what it is called; no two predictions are called the same
    source : number of the input it came from
    rows : the row of each scored sentence in the treebank
    intervals : by measure
    codes : by breakdown, the number of each token's group, and the groups' labels
    groups : by breakdown and whether punctuation counts
    """

    label: str
    source: int
    treebank: Treebank
    evaluation: Evaluation
    rows: np.ndarray
    intervals: Mapping[str, tuple[float, float]]
    codes: Mapping[str, tuple[np.ndarray, list[str]]]
    groups: Mapping[tuple[str, bool], list[Group]]

    @cached_property
    def token_table(self) -> Table:
        return self.evaluation.token_table()


@dataclass
class Scores:
    """All that could be scored, and why the rest could not.

    no_treebank, no_sentences, no_predictions, no_gold : a line for each input with
        this fault
    left_out : a line for each prediction of which sentences could not be scored
    """

    scored: list[Scored] = field(default_factory=list)
    no_treebank: list[str] = field(default_factory=list)
    no_sentences: list[str] = field(default_factory=list)
    no_predictions: list[str] = field(default_factory=list)
    no_gold: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def measure_of(shown: str, punct: bool) -> str:
    """The library's name of what the reader calls UAS, LAS, Complete or Root."""
    return SHOWN[shown][0 if punct else 1]


def score_all(tables: Sequence[Table], state: TaskState) -> Scores:
    """Score all predictions of all tables; runs in a thread."""
    result = Scores()
    treebanks = []
    for source, table in enumerate(tables):
        _check_cancelled(state)
        try:
            treebank = as_treebank(table)
            predictions = treebank.predictions
        except ValueError as error:
            result.no_treebank.append(as_sentence(error))
            continue
        if not len(treebank):
            result.no_sentences.append(treebank.name)
        elif not any(sentence.has_heads for sentence in treebank.sentences):
            result.no_gold.append(treebank.name)
        elif not predictions:
            result.no_predictions.append(treebank.name)
        else:
            treebanks.append((source, treebank, predictions))
    todo = [(source, treebank, name) for source, treebank, predictions in treebanks
            for name in predictions]
    for number, (source, treebank, name) in enumerate(todo):
        state.set_status(f"Scoring {name}...")
        own = _score(source, treebank, name, result, state,
                     100 * number / len(todo), 100 / len(todo))
        if own is not None:
            result.scored.append(own)
    result.scored = with_labels(result.scored)
    return result


def _score(source: int, treebank: Treebank, name: str, result: Scores,
           state: TaskState, begin: float, share: float) -> Scored | None:
    sentences, prediction = treebank.sentences, treebank.predictions[name]
    known = np.array([sentence.has_heads and heads.min() >= 0
                      for sentence, heads in zip(sentences, prediction.heads)], bool)
    rows = np.flatnonzero(known)
    if len(rows) < len(sentences):
        missing = plural(len(sentences) - len(rows), "sentence", "sentences")
        result.left_out.append(f"{missing} of {treebank.name} for {name}")
    if not len(rows):
        return None
    evaluation = Evaluation(
        [sentences[row] for row in rows], [prediction.heads[row] for row in rows],
        prediction.deprels and [prediction.deprels[row] for row in rows], name)
    steps = len(MEASURES) + len(BREAKDOWNS)
    intervals, codes, groups = {}, {}, {}
    for step, measure in enumerate(MEASURES):
        _check_cancelled(state)
        state.set_progress_value(begin + share * step / steps)
        if evaluation.score(measure) is not None:
            intervals[measure] = evaluation.confidence_interval(measure)
    for step, by in enumerate(BREAKDOWNS, len(MEASURES)):
        _check_cancelled(state)
        state.set_progress_value(begin + share * step / steps)
        codes[by] = GROUPINGS[by](evaluation)
        for punct in (True, False):
            groups[by, punct] = evaluation.breakdown(by, punct)
    return Scored(name, source, treebank, evaluation, rows, intervals, codes, groups)


def _check_cancelled(state: TaskState) -> None:
    if state.is_interruption_requested():
        raise Cancelled


def with_labels(scored: Sequence[Scored]) -> list[Scored]:
    """Names that occur twice get the treebank's name, and a number if need be."""
    names = Counter(own.label for own in scored)
    labels = [f"{own.label}, {own.treebank.name}" if names[own.label] > 1
              else own.label for own in scored]
    result, seen = [], Counter()
    for own, label in zip(scored, labels):
        seen[label] += 1
        result.append(replace(
            own, label=f"{label} ({seen[label]})" if seen[label] > 1 else label))
    return result


def shown_measures(scored: Sequence[Scored]) -> list[str]:
    """LAS is shown if some prediction has relations."""
    labelled = any(own.evaluation.relations is not None for own in scored)
    return [shown for shown in SHOWN if shown != "LAS" or labelled]


# Tables

def scores_table(scored: Sequence[Scored], punct: bool) -> Table:
    """A row a parser; scores and the bounds of their intervals in percent."""
    shown = shown_measures(scored)
    features = [ContinuousVariable(name, number_of_decimals=0)
                for name in ("Sentences", "Tokens")]
    features += [ContinuousVariable(f"{name}{end}", number_of_decimals=2)
                 for name in shown for end in ("", " low", " high")]
    rows = []
    for own in scored:
        row = [own.evaluation.sentences, counted_tokens(own, punct)]
        for name in shown:
            measure = measure_of(name, punct)
            score = own.evaluation.score(measure)
            row += [np.nan] * 3 if score is None else [
                100 * share for share in (score, *own.intervals[measure])]
        rows.append(row)
    table = Table.from_numpy(
        Domain(features, None, [StringVariable("Parser"), StringVariable("Treebank")]),
        np.array(rows, dtype=float),
        metas=np.array([[own.label, own.treebank.name] for own in scored], object))
    table.name = "scores"
    return table


def counted_tokens(own: Scored, punct: bool) -> int:
    _, counted = own.evaluation.counts(measure_of("UAS", punct))
    return int(counted.sum())


def percent(share: float | None, decimals: int = 2) -> str:
    """A score as it is shown."""
    if share is None or np.isnan(share):
        return EN_DASH
    return f"{100 * share:.{decimals}f}"


def interval_text(own: Scored, measure: str) -> str:
    """The interval of a score as it is shown; nothing if there is none."""
    low, high = own.intervals.get(measure, (np.nan, np.nan))
    return "" if np.isnan(low) else f"{percent(low, 1)} {EN_DASH} {percent(high, 1)}"


def text_table(scored: Sequence[Scored], punct: bool) -> str:
    """The scores as plain text: names to the left, numbers to the right."""
    shown = shown_measures(scored)
    lines = [["Parser", "Sentences", "Tokens"]]
    for name in shown:
        lines[0] += [name, "95% interval"]
    for own in scored:
        line = [own.label, f"{own.evaluation.sentences:,}",
                f"{counted_tokens(own, punct):,}"]
        for name in shown:
            measure = measure_of(name, punct)
            line += [percent(own.evaluation.score(measure)).replace(EN_DASH, "-"),
                     interval_text(own, measure).replace(EN_DASH, "-")]
        lines.append(line)
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]),
                   *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))])
        for line in lines)


def same_sentences(a: Scored, b: Scored) -> bool:
    """Whether two predictions were scored on the same trees, in the same order."""
    return (np.array_equal(a.evaluation.offsets, b.evaluation.offsets)
            and np.array_equal(a.evaluation.gold_heads, b.evaluation.gold_heads)
            and all(x is y or x.forms == y.forms
                    for x, y in zip(a.evaluation.gold, b.evaluation.gold)))
