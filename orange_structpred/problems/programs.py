"""Problems that integer programs describe: variables, their features, constraints."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from orange_structpred.errors import InputError
from orange_structpred.kinds import one_of_names
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.programs import WHOLE, IntegerProgram
from orange_structpred.svm.vectors import SparseVector

#: How the loss of an output is measured
PROGRAM_LOSS = one_of_names(("normalized", "hamming"))


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

    An output is a 0/1 array with an entry for each variable, and its features are the
    sum of those of its variables.

    Parameters
    ----------
    X, Y, dim : see `Problem`
    loss : {"normalized", "hamming"}, default="normalized"
        How many variables are wrong: over twice the number of those that are 1 in the true
        output (the thesis, section 4.3), or over the number of all variables, most of
        which are often 0 in all outputs. Define `linear_loss` for another loss
    """

    X: Sequence
    Y: Sequence

    def __init__(self, X: Sequence, Y: Sequence, dim: int, *, loss: str = "normalized"):
        super().__init__(X, Y, dim)
        PROGRAM_LOSS.check("loss", loss)
        self.loss_name = loss

    @abstractmethod
    def program_input(self, x) -> ProgramInput:
        """The variables of x, their features and constraints."""

    def linear_loss(self, y: np.ndarray) -> tuple[float, np.ndarray]:
        """c and v such that the loss of any z is c + v . z where y is true."""
        y = np.asarray(y, float)
        whole = len(y) if self.loss_name == "hamming" else 2 * max(1., y.sum())
        return y.sum() / whole, (1 - 2 * y) / whole

    def check_outputs(self) -> None:
        for i, (x, y) in enumerate(zip(self.X, self.Y)):
            features, constraints, _ = self.program_input(x)
            y, n = np.asarray(y), features.shape[0]
            if y.shape != (n,) or not np.isin(y, (0, 1)).all():
                raise InputError(f"the true output of example {i} is {y}; expected {n} "
                                 "values, 0 or 1, one for each variable")
            for each in constraints:
                value = each.A @ y
                if np.any(value < np.subtract(each.lb, WHOLE)) or np.any(
                        value > np.add(each.ub, WHOLE)):
                    raise InputError(
                        f"the true output of example {i} breaks a constraint of its own "
                        f"integer program ({value} is not from {each.lb} to {each.ub}); "
                        "correct the output or the constraint")
        super().check_outputs()

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
