"""All predictions of several treebanks scored at once, as UAS Score does it.

Sentences without gold or predicted heads are left out, and what could not be scored
is listed, so that a script and the canvas report the same about the same treebanks.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.evaluation.breakdown import BREAKDOWNS
from orange_structpred.evaluation.report import percent_text, scores_table, text_table
from orange_structpred.evaluation.scored_prediction import ScoredPrediction
from orange_structpred.evaluation.scores import (
    MEASURES,
    NO_PREDICTION,
    evaluate_known,
)
from orange_structpred.evaluation.selection import (
    Part,
    in_groups,
    selected_sentences,
    wrong_tokens,
)
from orange_structpred.evaluation.tags import (
    LAYER_TITLES,
    TagScore,
    score_tags,
    tag_scores_table,
)
from orange_structpred.running.cancellation import Cancellation, Progress, part_of
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.columns import (
    SeenSentences,
    free_names,
    seen_sentences,
)


@dataclass
class Comparison:
    """Everything that could be scored, and why the rest could not.

    no_treebank : a message for each table that is not a treebank
    no_sentences, no_predictions, no_gold : names of the treebanks with this fault
    skipped : for each prediction with sentences that could not be scored, how many
    tags : the scores of predicted tags, by the name of their treebank; those of a
        treebank without gold tags are left out
    """

    scored: list[ScoredPrediction] = field(default_factory=list)
    no_treebank: list[str] = field(default_factory=list)
    no_sentences: list[str] = field(default_factory=list)
    no_predictions: list[str] = field(default_factory=list)
    no_gold: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    tags: list[tuple[str, TagScore]] = field(default_factory=list)

    def problems(self) -> list[str]:
        """A line for each kind of thing that was not scored."""
        return [
            *self.no_treebank,
            *(f"{words}: {', '.join(names)}" for words, names in (
                ("no sentences in", self.no_sentences),
                ("no predictions in", self.no_predictions),
                ("no gold heads in", self.no_gold),
                ("without gold or predicted heads, so not scored", self.skipped))
              if names)]

    def text(self, punct: bool = True) -> str:
        """The scores in percent as plain text, with what was not scored below."""
        lines = [text_table(self.scored, punct)] if self.scored else []
        return "\n".join([*lines, *self.tag_lines(), *self.problems()])

    def tag_lines(self) -> list[str]:
        """For each tagger a line with the accuracy of its layers, in percent."""
        lines: dict[tuple[str, str], list[str]] = {}
        for treebank, score in self.tags:
            lines.setdefault((score.tagger, treebank), []).append(
                f"{LAYER_TITLES.get(score.layer, score.layer)} "
                f"{percent_text(score.accuracy)}")
        return [f"tags of {tagger}, {treebank}: {', '.join(scores)}"
                for (tagger, treebank), scores in lines.items()]

    def tag_table(self) -> Table:
        """The accuracy of predicted tags in percent, one row per tagger and layer."""
        return tag_scores_table(self.tags)

    def table(self, punct: bool = True) -> Table:
        """The scores in percent as an Orange table, one row per prediction."""
        return scores_table(self.scored, punct)

    def sentences(self, selected: Sequence[str] | Sequence[tuple[str, str]] | None = None,
                  by: str | None = None, *, punct: bool = True,
                  only_errors: bool = False) -> Treebank | None:
        """The sentences that belong to some scores, their tokens marked.

        Parameters
        ----------
        selected : names of predictions, or, with `by`, pairs of a prediction and the
            label of a group; by default all predictions
        by : the breakdown of the groups, one of `BREAKDOWNS`
        punct : whether punctuation counts
        only_errors : leave out sentences in which all selected tokens are right
        """
        return selected_sentences(self.parts(selected, by, punct), only_errors)

    def errors(self, selected: Sequence[str] | Sequence[tuple[str, str]] | None = None,
               by: str | None = None, *, punct: bool = True) -> Table | None:
        """One row per token with a wrong head; arguments as in `sentences`."""
        return wrong_tokens(self.parts(selected, by, punct))

    def parts(self, selected: Sequence[str] | Sequence[tuple[str, str]] | None = None,
              by: str | None = None, punct: bool = True) -> list[Part]:
        """The selected tokens of each prediction; arguments as in `sentences`."""
        labels = [prediction.label for prediction in self.scored]
        chosen = labels if selected is None else selected
        for item in chosen:
            name = item if isinstance(item, str) else item[0]
            if name not in labels:
                raise InputError(f"no prediction {name!r} was scored; "
                                 f"found: {', '.join(labels) or 'none'}")
        if by is None:
            return [Part(prediction, prediction.evaluation.counted(punct))
                    for prediction in self.scored if prediction.label in chosen]
        return [in_groups(prediction, by, groups, punct) for prediction in self.scored
                if (groups := [item[1] for item in chosen
                               if item[0] == prediction.label])]


def score_treebanks(*tables: Table, progress: Progress | None = None) -> Comparison:
    """Score all predictions of all treebanks.

    progress : gets the fraction that is done, and the name of the prediction that is
        scored next; raises Cancelled to end the work

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> treebank = load_bundled("en")[:3]
    >>> heads = [sentence.heads for sentence in treebank.sentences]
    >>> scores = score_treebanks(treebank.with_prediction("copy", heads))
    >>> float(scores.table()[0, "UAS"])
    100.0
    """
    result, todo = Comparison(), []
    for source, table in enumerate(tables):
        try:
            treebank = as_treebank(table)
            predictions = treebank.predictions
        except ValueError as error:
            result.no_treebank.append(str(error))
            continue
        result.tags += [(treebank.name, score) for score in score_tags(treebank)]
        if not len(treebank):
            result.no_sentences.append(treebank.name)
        elif not predictions and treebank.tags:
            pass        # a tagger's, which needs no heads
        elif not any(sentence.has_heads for sentence in treebank.sentences):
            result.no_gold.append(treebank.name)
        elif not predictions:
            result.no_predictions.append(treebank.name)
        else:
            todo += [(source, treebank, name) for name in predictions]
    for number, (source, treebank, name) in enumerate(todo):
        result_of_one, skipped = _score(source, treebank, name, Cancellation(
            part_of(progress, number / len(todo), (number + 1) / len(todo))))
        if result_of_one is not None:
            result.scored.append(result_of_one)
        if skipped:
            result.skipped.append(f"{skipped:,} sentence{'s' * (skipped > 1)} of "
                                  f"{treebank.name} for {name}")
    result.scored = with_labels(result.scored)
    return result


def score_table(*treebanks: Table, punct: bool = True) -> str:
    """The scores of all predictions in percent, one line per prediction.

    punct : whether punctuation counts
    """
    scores = score_treebanks(*treebanks)
    if not (scores.scored or scores.tags):
        only_no_predictions = scores.no_predictions and len(scores.problems()) == 1
        raise InputError(NO_PREDICTION if only_no_predictions or not treebanks
                         else "; ".join(scores.problems()))
    return scores.text(punct)


def _score(source: int, treebank: Treebank, name: str, cancellation: Cancellation
           ) -> tuple[ScoredPrediction | None, int]:
    """The scores of a prediction, and how many sentences had to be left out."""
    evaluation, rows = evaluate_known(treebank, name)
    skipped = len(treebank) - len(rows)
    if not len(rows):
        return None, skipped
    steps = len(MEASURES) + len(BREAKDOWNS)
    intervals, groups = {}, {}
    for number, measure in enumerate(MEASURES):
        cancellation.report_progress(number / steps, name)
        if evaluation.score(measure) is not None:
            intervals[measure] = evaluation.confidence_interval(measure)
    for number, by in enumerate(BREAKDOWNS, len(MEASURES)):
        cancellation.report_progress(number / steps, name)
        for punct in (True, False):
            groups[by, punct] = evaluation.breakdown(by, punct)
    return ScoredPrediction(
        name, source, treebank, evaluation, rows, intervals, groups,
        seen_sentences(treebank).get(name, SeenSentences())), skipped


def with_labels(scored: Sequence[ScoredPrediction]) -> list[ScoredPrediction]:
    """Names that occur twice get the treebank's name, and a number if need be."""
    names = Counter(prediction.label for prediction in scored)
    labels = free_names(f"{prediction.label}, {prediction.treebank.name}"
                        if names[prediction.label] > 1 else prediction.label
                        for prediction in scored)
    return [replace(prediction, label=label) for prediction, label in zip(scored, labels)]
