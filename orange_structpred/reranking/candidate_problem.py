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

    def choice(self, number: int) -> ChosenCandidate:
        return ChosenCandidate(number, float(self.losses[number]))


class ChosenCandidate(NamedTuple):
    """The number of a candidate, and its loss."""

    number: int
    loss: float


class CandidateProblem(Problem):
    """X : CandidateList; Y : a ChosenCandidate whose loss is 0"""

    def __init__(self, X: Sequence[CandidateList], Y: Sequence[ChosenCandidate]):
        super().__init__(X, Y, X[0].features.shape[1])

    def joint_features(self, x: CandidateList, y: ChosenCandidate) -> np.ndarray:
        return x.features[y.number]

    def loss(self, y: ChosenCandidate, y_hat: ChosenCandidate) -> float:
        return y_hat.loss

    def predict(self, x: CandidateList, w: np.ndarray) -> ChosenCandidate:
        return x.choice(int(np.argmax(x.features @ w)))

    def separate(self, x: CandidateList, y: ChosenCandidate, w: np.ndarray) -> ChosenCandidate:
        return x.choice(int(np.argmax(x.features @ w + x.losses)))

    def outputs(self, x: CandidateList) -> list[ChosenCandidate]:
        return list(map(x.choice, range(len(x.losses))))
