"""Lists of candidates as a structured problem: an output is the number of a candidate."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.svm.problem import Problem


class CandidateList(NamedTuple):
    """The candidates of one input.

    features : a row for each of them
    losses : how wrong each of them is, less the loss of the best
    """

    features: np.ndarray
    losses: np.ndarray

    def choice(self, number: int) -> Choice:
        return Choice(number, float(self.losses[number]))


class Choice(NamedTuple):
    """The number of a candidate, and its loss."""

    number: int
    loss: float


class CandidateProblem(Problem):
    """X : CandidateList; Y : a Choice whose loss is 0"""

    def __init__(self, X: Sequence[CandidateList], Y: Sequence[Choice]):
        super().__init__(X, Y, X[0].features.shape[1])

    def joint_features(self, x: CandidateList, y: Choice) -> np.ndarray:
        return x.features[y.number]

    def loss(self, y: Choice, y_hat: Choice) -> float:
        return y_hat.loss

    def predict(self, x: CandidateList, w: np.ndarray) -> Choice:
        return x.choice(int(np.argmax(x.features @ w)))

    def separate(self, x: CandidateList, y: Choice, w: np.ndarray) -> Choice:
        return x.choice(int(np.argmax(x.features @ w + x.losses)))

    def outputs(self, x: CandidateList) -> list[Choice]:
        return list(map(x.choice, range(len(x.losses))))
