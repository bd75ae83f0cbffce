"""Sentences to train on, and others to measure on."""
from __future__ import annotations

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.evaluation import Evaluation, evaluate
from orange_structpred.kinds import OrNone, RealNumber, WholeNumber, is_number
from orange_structpred.parser import Parser
from orange_structpred.running.cancellation import Progress
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.learnable import training_sentences, validation_treebank


class ShareBelowOne(RealNumber):
    text = "a number above 0 and below 1"

    def fits(self, value: object) -> bool:
        return is_number(value) and value < 1 and super().fits(value)


def training_splits(treebank: Treebank, validation: Table | None, share: float,
                    folds: int | None, random_state: int, *, heads: bool = True
                    ) -> list[tuple[Treebank, Treebank]]:
    """Pairs of treebanks to train on and to measure on.

    heads : whether all tokens must have them
    """
    if heads:
        training_sentences(treebank)        # complains of missing heads
    OrNone(WholeNumber(1)).check("folds", folds)
    if validation is not None:
        if folds is not None:
            raise InputError("give either a validation treebank or folds, not both")
        return [(treebank, validation_treebank(validation, heads=heads))]
    n = len(treebank)
    if n < 2:
        raise InputError("at least two sentences are needed to hold some out")
    if folds is not None and not 2 <= folds <= n:
        raise InputError(f"folds must be from 2 to {n}, the number of sentences, not "
                         f"{folds}")
    ShareBelowOne().check("share", share)
    order = np.random.default_rng(random_state).permutation(n)
    if folds is None:
        size = min(n - 1, max(1, round(share * n)))
        return [(treebank[np.sort(order[size:])], treebank[np.sort(order[:size])])]
    return [(treebank[np.sort(np.setdiff1d(order, part))], treebank[np.sort(part)])
            for part in np.array_split(order, folds)]


def evaluate_parser(parser: Parser, treebank: Treebank,
                    progress: Progress | None = None) -> Evaluation:
    """The scores of a parser, whatever the treebank has been parsed by before."""
    parsed = parser(treebank, progress)
    return evaluate(parsed, list(parsed.predictions)[-1])
