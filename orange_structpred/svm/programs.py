"""Outputs as solutions of integer programs: sufficient weights and linear constraints.

The score of an output is the sum of the weights of the variables that are 1 in it (the
sufficient weights of the thesis, section 4.2.3). Constraints say which 0/1 vectors are
outputs, and more of them can be added at prediction.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

from orange_structpred.array_types import Integers
from orange_structpred.errors import InputError

WHOLE = 1e-6            # values of variables that are as close to 0 or 1 as this are


class InfeasibleError(InputError):
    """No output satisfies the constraints."""


class IntegerProgram(NamedTuple):
    """max of weights . z over 0/1 vectors z that satisfy the constraints.

    weights : the sufficient weight of each variable
    constraints : list of scipy.optimize.LinearConstraint
    names : what each variable stands for, such as (position, label); variables of which at
        most one can be 1 may share a name
    decode : makes a z an output as users see it
    branches : pairs of a bound and an array of variables, if each output has variables of
        one branch only, and a score of at most its bound: they are searched one after
        the other, as far as they are needed
    cuts : constraints that a z violates, where there are too many to be listed before;
        z may also have values between 0 and 1
    """

    weights: np.ndarray
    constraints: list[LinearConstraint]
    names: Sequence[Hashable]
    decode: Callable[[np.ndarray], Any] = lambda z: z
    branches: Sequence[tuple[float, np.ndarray]] = ()
    cuts: Callable[[np.ndarray], list[LinearConstraint]] = lambda z: []

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

    def solve(self, constraints: LinearConstraint | Iterable[LinearConstraint] | None = None
              ) -> np.ndarray:
        """The best z, with further constraints."""
        n = len(self.weights)
        constraints = [*self.constraints, *coerce_constraints(constraints, n)]
        best, highest = None, -np.inf
        for bound, variables in sorted(self.branches or [(np.inf, np.arange(n))],
                                       key=lambda branch: -branch[0]):
            if bound <= highest:
                break
            z = self._solve_branch(variables, constraints)
            if z is not None and self.weights @ z > highest:
                best, highest = z, self.weights @ z
        if best is None:
            raise InfeasibleError("no output satisfies the constraints")
        return best

    def _solve_branch(self, variables: np.ndarray, constraints: list[LinearConstraint]
                      ) -> np.ndarray | None:
        """The best z with variables of a branch only; None if there is none.

        If the relaxation, with values between 0 and 1, has a solution of 0 and 1 only, it
        is the best one. Most programs of outputs have such a one, and it is found much
        faster.
        """
        z, limited, relaxed = np.zeros(len(self.weights)), [], True
        while True:
            limited += [LinearConstraint(each.A[:, variables], each.lb, each.ub)
                        for each in constraints]
            solution = solve_program(self.weights[variables], limited, relaxed=relaxed)
            if solution is None:
                return None
            z[variables] = solution
            constraints = self.cuts(z)
            if constraints:
                relaxed = True
            elif abs(solution - np.round(solution)).max() < WHOLE:
                return np.round(z).astype(int)
            else:
                relaxed = False

    def best(self, constraints: LinearConstraint | Iterable[LinearConstraint] | None = None):
        """The best output, with further constraints."""
        return self.decode(self.solve(constraints))

    def best_for(self, x, constraints: Constraints):
        """The best output with the constraints that a function returns for input x."""
        if not callable(constraints):
            raise InputError(f"constraints is a {type(constraints).__name__}; expected a "
                             "function of an integer program and its input")
        return self.best(constraints(self, x))


#: Of a program and its input: what else the output must satisfy
Constraints = Callable[[IntegerProgram, Any],
                       LinearConstraint | Iterable[LinearConstraint] | None]


def coerce_constraints(constraints, n_variables: int) -> list[LinearConstraint]:
    """One constraint, some of them, or None, with matrices of as many columns."""
    if constraints is None or isinstance(constraints, LinearConstraint):
        constraints = [] if constraints is None else [constraints]
    if not isinstance(constraints, Iterable):
        raise InputError(f"the constraints are {constraints!r}; expected one or a list of "
                         "scipy.optimize.LinearConstraint")
    checked = []
    for each in constraints:
        if not isinstance(each, LinearConstraint):
            raise InputError(f"a constraint is {each!r}; expected a "
                             "scipy.optimize.LinearConstraint, as `limit` returns it")
        A = sparse.csr_array(np.atleast_2d(each.A) if not sparse.issparse(each.A) else each.A)
        if A.shape[1] != n_variables:
            raise InputError(f"a constraint has {A.shape[1]} columns; expected "
                             f"{n_variables}, one for each variable")
        checked.append(LinearConstraint(A, each.lb, each.ub))
    return checked


def solve_program(weights: np.ndarray, constraints: list[LinearConstraint], *,
                  relaxed: bool) -> np.ndarray | None:
    """The best z; None if there is none.

    relaxed : whether values may be between 0 and 1
    """
    result: OptimizeResult = milp(
        -np.asarray(weights, float), constraints=[
            LinearConstraint(short_indices(each.A), each.lb, each.ub)
            for each in constraints], bounds=Bounds(0, 1),
        integrality=np.full(len(weights), 0 if relaxed else 1), options={"mip_rel_gap": 0})
    if result.status == 2 or "infeasible" in result.message:    # all are bounded
        return None
    if result.x is None:
        raise InputError(f"the integer program was not solved: {result.message}")
    return result.x if relaxed else np.round(result.x)


def short_indices(A: sparse.sparray) -> sparse.csc_array:
    """The same matrix with 32-bit indices: SciPy below 1.12 knows no others here."""
    columns = sparse.csc_array(A)
    columns.indices = columns.indices.astype(np.int32)
    columns.indptr = columns.indptr.astype(np.int32)
    return columns


def one_of(groups: Sequence[Integers] | np.ndarray, n_variables: int) -> LinearConstraint:
    """Exactly one variable of each group is 1."""
    rows = np.repeat(np.arange(len(groups)), list(map(len, groups)))
    columns = np.concatenate([np.asarray(group) for group in groups])
    A = sparse.csr_array((np.ones(len(rows)), (rows, columns)),
                         shape=(len(groups), n_variables))
    return LinearConstraint(A, 1, 1)


def sums_of(wholes: np.ndarray, parts: np.ndarray, n_variables: int) -> LinearConstraint:
    """Each variable of `parts` is the sum of those in its row of `wholes`."""
    rows, width = wholes.shape
    A = sparse.csr_array(
        (np.repeat([1., -1.], [wholes.size, rows]),
         (np.append(np.repeat(np.arange(rows), width), np.arange(rows)),
          np.append(wholes.ravel(), parts))), shape=(rows, n_variables))
    return LinearConstraint(A, 0, 0)


def both(products: Sequence[tuple[int, int, int]], n_variables: int) -> LinearConstraint:
    """Variable p is 1 if and only if a and b are, for each (p, a, b)."""
    rows: list[int] = []
    columns: list[int] = []
    values: list[int] = []
    lower: list[float] = []
    upper: list[float] = []
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
