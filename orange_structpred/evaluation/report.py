"""Scores of all predictions of some treebanks, as text, and their errors."""
from __future__ import annotations

import numpy as np
from Orange.data import Table

from orange_structpred.evaluation.scores import NO_PREDICTION, Evaluation, evaluate
from orange_structpred.treebank import as_treebank

MEASURES = {"UAS": "uas", "LAS": "las", "Complete": "complete", "Root": "root"}


def evaluate_all(*treebanks: Table) -> list[Evaluation]:
    """An evaluation for each prediction of each treebank, in their order."""
    result = []
    for table in treebanks:
        treebank = as_treebank(table)
        result += [evaluate(treebank, name) for name in treebank.predictions]
    return result


def score_table(*treebanks: Table, punct: bool = True) -> str:
    """One line per prediction: scores in percent, and a confidence interval for UAS."""
    evaluations = evaluate_all(*treebanks)
    if not evaluations:
        raise ValueError(NO_PREDICTION)
    shown = {title: name if punct or name == "root" else f"{name}_nopunct"
             for title, name in MEASURES.items()}
    shown = {title: name for title, name in shown.items()
             if any(getattr(own, name) is not None for own in evaluations)}
    width = max([len("Parser"), *(len(own.name) for own in evaluations)])
    lines = [f"{'Parser':<{width}}" + "".join(f"{title:>10}" for title in shown)
             + "   95% of UAS"]
    for own in evaluations:
        cells = [getattr(own, name) for name in shown.values()]
        low, high = own.confidence_interval(shown["UAS"])
        lines.append(f"{own.name:<{width}}" + "".join(
            f"{'-':>10}" if cell is None else f"{100 * cell:10.2f}" for cell in cells)
            + f"   {100 * low:.2f} to {100 * high:.2f}")
    return "\n".join(lines)


def wrong_tokens(data: Table, prediction: str | None = None, *, punct: bool = True
                 ) -> Table:
    """The tokens of `Evaluation.token_table` that have a wrong head."""
    evaluation = evaluate(data, prediction)
    wrong = ~evaluation.head_correct
    if not punct:
        wrong &= ~evaluation.punctuation
    return evaluation.token_table()[np.flatnonzero(wrong)]
