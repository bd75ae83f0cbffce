"""Problems that integer programs describe: variables, their features, constraints."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from orange_structpred.svm.problem import Problem
from orange_structpred.svm.programs import IntegerProgram
from orange_structpred.svm.vectors import SparseVector


class ProgramInput(NamedTuple):
    """What an input offers to choose from.

    features : sparse array of shape (variables, dim), phi of each variable
    constraints : list of scipy.optimize.LinearConstraint
    names : of the variables; None names them by their numbers
    """

    features: sparse.csr_array
    constraints: list[LinearConstraint]
    names: Sequence[Hashable] | None = None


class ProgramProblem(Problem):
    """Any output that an integer program can describe; define `program_input`.

    An output is a 0/1 array with an entry for each variable, its features are the sum of
    those of its variables, and its loss is the share of variables that are wrong; define
    `linear_loss` for another one.
    """

    @abstractmethod
    def program_input(self, x) -> ProgramInput:
        """The variables of x, their features and constraints."""

    def linear_loss(self, y: np.ndarray) -> tuple[float, np.ndarray]:
        """c and v such that the loss of any z is c + v . z where y is true."""
        y = np.asarray(y, float)
        return y.sum() / len(y), (1 - 2 * y) / len(y)

    def as_program(self, x, w: np.ndarray, *, losses: np.ndarray | float = 0.
                   ) -> IntegerProgram:
        """The program whose solution is the prediction for x."""
        features, constraints, names = self.program_input(x)
        return IntegerProgram(features @ w + losses, constraints,
                              range(features.shape[0]) if names is None else names)

    # the four

    def joint_features(self, x, y):
        features = sparse.csr_array(self.program_input(x).features)
        row = np.asarray(y, float) @ features
        indices = np.flatnonzero(row)
        return SparseVector(indices, row[indices])

    def loss(self, y, y_hat):
        constant, linear = self.linear_loss(y)
        return float(constant + linear @ np.asarray(y_hat, float))

    def predict(self, x, w):
        return self.as_program(x, w).solve()

    def separate(self, x, y, w):
        return self.as_program(x, w, losses=self.linear_loss(y)[1]).solve()
