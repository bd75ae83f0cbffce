"""Probabilities of predicted heads, and the temperature that makes them true.

Scores say which tree is better, and not by how much: their scale comes from the learner.
Divided by a temperature they give probabilities that are calibrated: of the heads with a
probability of 0.8, four fifths are right. The temperature is the one with the highest
likelihood of what is right and wrong in sentences that the model has not seen. Scores of
some learners (kernel parsers by regression) have no such scale: one temperature makes
short sentences too doubtful and long ones too sure. Then there is none.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize_scalar

from orange_structpred.parsing.decoding.distribution import TreeDistribution

COLDEST, HOTTEST = 1e-3, 1e3
#: With fewer sentences nothing is said about how sure a parser is
FEWEST_TO_CALIBRATE = 20
TEMPERATURE_TOLERANCE = 0.01        # relative, of the temperature
NEVER = 1e-6            # what is thought impossible may happen so often


def head_probabilities(distributions: Sequence[TreeDistribution],
                       heads: Sequence[np.ndarray], temperature: float
                       ) -> list[np.ndarray]:
    """The probability of each head of each sentence."""
    return [as_probabilities(
        trees.marginals(temperature)[1][tree, np.arange(1, len(tree) + 1)])
        for trees, tree in zip(distributions, heads)]


def as_probabilities(marginals: np.ndarray) -> np.ndarray:
    """Marginals within 0 and 1, however large the scores are whose differences are
    rounded."""
    return np.clip(marginals, 0, 1)


def log_loss(probabilities: np.ndarray | float, correct: np.ndarray) -> float:
    """The mean negative log likelihood of what is correct and what is not."""
    sure = np.clip(np.where(correct, probabilities, 1 - probabilities), NEVER, 1)
    return -float(np.mean(np.log(sure)))


def fit_tree_temperature(distributions: Sequence[TreeDistribution],
                         heads: Sequence[np.ndarray], gold: Sequence[np.ndarray]
                         ) -> float | None:
    """The temperature at which the probabilities of heads fit best; None if even these fit
    less well than one probability for all heads, the share of them that is right.

    heads, gold : of each sentence, as predicted and as they are; -1 for unknown
    """
    known = np.concatenate(gold) >= 0
    correct = (np.concatenate(heads) == np.concatenate(gold))[known]

    def loss(logarithm: float) -> float:
        shares = head_probabilities(distributions, heads, np.exp(logarithm))
        return log_loss(np.concatenate(shares)[known], correct)

    best = minimize_scalar(loss, bounds=np.log([COLDEST, HOTTEST]), method="bounded",
                           options={"xatol": TEMPERATURE_TOLERANCE})
    share_right = (correct.sum() + 1) / (len(correct) + 2)      # as Laplace estimates it
    return None if best.fun > log_loss(share_right, correct) else float(np.exp(best.x))
