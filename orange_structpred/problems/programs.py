"""Outputs as solutions of integer programs: sufficient weights and linear constraints.

The score of an output is the sum of the weights of the variables that are 1 in it (the
sufficient weights of the thesis, section 4.2.3). Constraints say which 0/1 vectors are
outputs, and more of them can be added at prediction.
"""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from orange_structpred.errors import InputError
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.vectors import SparseVector


class InfeasibleError(InputError):
    """No output satisfies the constraints."""


class IntegerProgram(NamedTuple):
    """max of weights . z over 0/1 vectors z that satisfy the constraints.

    weights : the sufficient weight of each variable
    constraints : list of scipy.optimize.LinearConstraint
    names : what each variable stands for, such as (position, label)
    decode : makes a z an output as users see it
    """

    weights: np.ndarray
    constraints: list[LinearConstraint]
    names: Sequence[Hashable]
    decode: Callable[[np.ndarray], Any] = lambda z: z

    def limit(self, which: Iterable[Hashable] | Callable[[Hashable], bool], *,
              at_least: float = -np.inf, at_most: float = np.inf) -> LinearConstraint:
        """A constraint on how many of some variables are 1.

        which : names of variables, or a function that is true for theirs
        """
        if callable(which):
            row = np.array([float(bool(which(name))) for name in self.names])
        else:
            which = set(which)
            unknown = which.difference(self.names)
            if unknown:
                raise InputError(f"no variable is named {next(iter(unknown))!r}; the names "
                                 f"are {', '.join(map(repr, list(self.names)[:5]))}, ...")
            row = np.array([float(name in which) for name in self.names])
        return LinearConstraint(sparse.csr_array(row[None, :]), at_least, at_most)

    def solve(self, constraints: LinearConstraint | Iterable[LinearConstraint] = ()
              ) -> np.ndarray:
        """The best z, with further constraints."""
        if isinstance(constraints, LinearConstraint):
            constraints = [constraints]
        constraints = [*self.constraints, *(constraints or ())]
        for each in constraints:
            if np.shape(each.A)[-1] != len(self.weights):
                raise InputError(f"a constraint has {np.shape(each.A)[-1]} columns; expected "
                                 f"{len(self.weights)}, one for each variable")
        result = milp(-np.asarray(self.weights, float), constraints=constraints,
                      integrality=np.ones(len(self.weights)), bounds=Bounds(0, 1),
                      options={"mip_rel_gap": 0})
        if result.x is None:
            raise InfeasibleError("no output satisfies the constraints" if result.status == 2
                                  else f"the integer program was not solved: {result.message}")
        return np.round(result.x).astype(int)

    def best(self, constraints=()):
        """The best output, with further constraints."""
        return self.decode(self.solve(constraints))


class ProgramInput(NamedTuple):
    """What an input offers to choose from.

    features : sparse array of shape (variables, dim), phi of each variable
    constraints : list of scipy.optimize.LinearConstraint
    names : of the variables; their numbers where None
    """

    features: sparse.csr_array
    constraints: list[LinearConstraint]
    names: Sequence[Hashable] | None = None


class ProgramProblem(Problem):
    """Any output that an integer program describes; define `program_input`.

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


def one_of(groups: Sequence[Sequence[int]], n_variables: int) -> LinearConstraint:
    """Exactly one variable of each group is 1."""
    rows = np.repeat(np.arange(len(groups)), list(map(len, groups)))
    columns = np.concatenate([np.asarray(group) for group in groups])
    A = sparse.csr_array((np.ones(len(rows)), (rows, columns)),
                         shape=(len(groups), n_variables))
    return LinearConstraint(A, 1, 1)


def both(products: Sequence[tuple[int, int, int]], n_variables: int) -> LinearConstraint:
    """Variable p is 1 if and only if a and b are, for each (p, a, b)."""
    rows, columns, values, lower, upper = [], [], [], [], []
    for p, a, b in products:
        for terms, low, high in (
                (((p, 1), (a, -1)), -np.inf, 0), (((p, 1), (b, -1)), -np.inf, 0),
                (((p, 1), (a, -1), (b, -1)), -1, np.inf)):
            for column, value in terms:
                rows.append(len(lower))
                columns.append(column)
                values.append(value)
            lower.append(low)
            upper.append(high)
    A = sparse.csr_array((values, (rows, columns)), shape=(len(lower), n_variables))
    return LinearConstraint(A, lower, upper)
