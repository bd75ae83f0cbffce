"""Temperatures by cross-validation, for treebanks that cannot spare any sentences.

Small treebanks are used whole to learn trees. How sure the parser may be is found with
parsers that are trained the same way on a part of the sentences and asked about the
others.
"""
from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.parsing.calibration import (
    FEWEST_TO_CALIBRATE,
    fit_tree_temperature,
)
from orange_structpred.parsing.decoding.distribution import TreeDistribution
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.treebank import Sentence, Treebank

if TYPE_CHECKING:
    from Orange.data import Table

    from orange_structpred.learner.base import BaseParserLearner

#: From so many sentences on, a fifth of them is enough to fit one number
ENOUGH_FOR_ONE_FOLD = 300


def calibration_folds(n: int, seed: int) -> list[np.ndarray]:
    """Which of n sentences are left out of each further training: each third, or
    one fifth of a larger treebank."""
    if n < FEWEST_TO_CALIBRATE:
        return []
    order = np.random.default_rng([seed, n]).permutation(n)
    if n < ENOUGH_FOR_ONE_FOLD:
        return [np.sort(third) for third in np.array_split(order, 3)]
    return [np.sort(order[:n // 5])]


def cross_validated_parser_temperature(learner: BaseParserLearner, sentences: list[Sentence],
                                       seed: int, callback: Callable | None = None,
                                       unlabelled: Table | None = None) -> float | None:
    """The temperature that fits best to sentences that parsers of the same kind have
    not seen; None if none does, if there are too few sentences with complete trees, or if a
    training was stopped. Where an annotator sets only doubtful heads, those say little about others.

    learner : whose parameters the parsers have
    callback, unlabelled : as in `ParserLearner.__call__`
    """
    distributions: list[TreeDistribution] = []
    predicted: list[np.ndarray] = []
    gold: list[np.ndarray] = []
    for fold in calibration_folds(len(sentences), seed):
        left_out = np.zeros(len(sentences), bool)
        left_out[fold] = True
        learned = Treebank.from_sentences(
            [sentence for sentence, out in zip(sentences, left_out) if not out])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")     # they were said of the whole treebank
            try:
                parser = learner.without_calibration(seed)(
                    learned, callback, unlabelled=unlabelled)
            except StopEarly:       # before its first pass
                return None
            if parser.stopped:
                return None
            complete = [sentences[i] for i in fold if sentences[i].has_heads]
            if complete:
                data = parser.calibration_data(complete)
                distributions += data[0]
                predicted += data[1]
                gold += data[2]
    return fit_tree_temperature(distributions, predicted, gold) if distributions else None
