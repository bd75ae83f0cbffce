"""How reliable probabilities of heads are: reliability diagrams, calibration error."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.evaluation.scores import NO_PREDICTION
from orange_structpred.treebank import as_treebank

if TYPE_CHECKING:
    from Orange.data import Table

BINS = 15       # as Guo et al. (2017) have it


@dataclass(frozen=True)
class Calibration:
    """A reliability diagram: tokens in bins of equal width, by their probability.

    Attributes
    ----------
    counts : number of tokens in each bin
    confidence : their mean probability; nan in empty bins
    accuracy : share of them with the right head; nan in empty bins
    """

    counts: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray

    @property
    def ece(self) -> float:
        """The expected calibration error: the distance between accuracy and
        confidence, averaged over all tokens."""
        gaps = np.nan_to_num(np.abs(self.accuracy - self.confidence))
        return float(gaps @ self.counts / self.counts.sum())


def calibration(data: Table, prediction: str | None = None, *, bins: int = BINS
                ) -> Calibration:
    """Compare the probabilities of a prediction with how often its heads are right.

    Parameters
    ----------
    data : a treebank with gold heads and a prediction with probabilities
    prediction : name of the prediction; by default the last one
    bins : number of bins

    Tokens without a gold head or a probability are left out.
    """
    treebank = as_treebank(data)
    if prediction is None and not treebank.predictions:
        raise InputError(NO_PREDICTION)
    chosen = treebank.prediction(
        [*treebank.predictions][-1] if prediction is None else prediction)
    if chosen.probabilities is None:
        raise InputError("the prediction has no probabilities; parse with "
                         "probabilities=True")
    gold = np.concatenate([sentence.heads for sentence in treebank.sentences])
    shares = np.concatenate(chosen.probabilities)
    known = (gold >= 0) & ~np.isnan(shares)
    if not known.any():
        raise InputError("no token has both a gold head and a probability")
    return reliability(shares[known], (gold == np.concatenate(chosen.heads))[known], bins)


def reliability(probabilities: np.ndarray, correct: np.ndarray, bins: int = BINS
                ) -> Calibration:
    """The reliability diagram of events with probabilities, some of which are correct."""
    number = np.minimum((probabilities * bins).astype(int), bins - 1)
    counts = np.bincount(number, minlength=bins)
    with np.errstate(invalid="ignore"):
        return Calibration(
            counts, np.bincount(number, probabilities, bins) / counts,
            np.bincount(number, correct, bins) / counts)
