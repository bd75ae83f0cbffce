"""Which kernels, or groups of features, a model needs: multiple kernel learning.

The norms of the groups' weights are regularized, not their squares (thesis 5.2.3),

    lambda * sum of |w_m| + mean loss,

so that whole groups have no weights. The online algorithm of Martins et al. makes a step
for each example and, now and then, the proximal step of the regularizer: it takes the same
amount off the norm of each group, and a group that has no more than that is left with
nothing. Here the amount follows from how many groups may be left, a budget that falls from
all of them to the one that is asked for.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from orange_structpred.svm.atomic.index_model import IndexModel
from orange_structpred.svm.atomic.joint_kernel import JointKernelProblem
from orange_structpred.svm.atomic.symbol_index import squared_norm
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import MIRA
from orange_structpred.svm.problem import Output, Problem

PROXIMAL_STEPS = 5          # in each pass
SELECTION_PASSES = 3


class WeightGroups(Protocol):
    """Groups of a model's weights."""

    @property
    def n(self) -> int: ...

    def see(self, i: int, y_hat: Output) -> None:
        """Take notice that example i changes weights of its true output and of y_hat."""

    def norms(self, model) -> np.ndarray:
        """|w_m| of each group."""

    def scale(self, model, factors: np.ndarray) -> None:
        """Multiply the weights of each group."""


def proximal_factors(norms: np.ndarray, budget: int) -> np.ndarray:
    """What the proximal step that leaves at most `budget` groups multiplies each with.

    >>> proximal_factors(np.array([4., 1., 2., 0.]), 2)
    array([0.75, 0.  , 0.5 , 0.  ])
    """
    amount = np.sort(norms)[::-1][budget] if budget < len(norms) else 0.
    return np.maximum(0., 1. - amount / np.where(norms > 0, norms, np.inf)) * (
        norms > amount)


class OnlineProximal(MIRA):
    """The online proximal algorithm, with the steps of MIRA.

    Parameters
    ----------
    groups : of the weights
    budget : how many groups may be left at the end

    The other parameters are those of `Solver`. After `solve`, `group_norms` are the norms
    of the groups that are left, as they were before the last proximal step; 0 for others.
    """

    mixes = distributes = False

    def __init__(self, *, groups: WeightGroups, budget: int, **options):
        super().__init__(**options)
        self.groups, self.budget = groups, budget
        self.group_norms = np.zeros(groups.n)
        self.visited = 0

    def run(self, problem, clock, start):
        self.visited = 0
        return super().run(problem, clock, start)

    def update(self, problem, model, i, step, n):
        hinge = super().update(problem, model, i, step, n)
        before = self.visited * PROXIMAL_STEPS // n
        self.visited += 1
        if self.visited * PROXIMAL_STEPS // n > before:
            self.shrink(model, self.visited / (n * self.passes))
        return hinge

    def before_change(self, i, y_hat):
        self.groups.see(i, y_hat)

    def shrink(self, model, part: float) -> None:
        """The proximal step, at some part of the training."""
        n = self.groups.n
        budget = max(self.budget, round(n * (self.budget / n)**part))
        norms = self.groups.norms(model)
        factors = proximal_factors(norms, self.budget if part >= 1 else budget)
        self.group_norms = np.where(factors > 0, norms, 0.)
        self.groups.scale(model, factors)

    def average(self, model, step):
        return model        # steps that the proximal ones have undone count no more


class LearnedGroups(NamedTuple):
    """Which groups are left, and how large their weights are.

    norms : |w_m| of each group, 0 for those that are not left
    """

    norms: np.ndarray

    @property
    def kept(self) -> np.ndarray:
        """The numbers of the groups that are left."""
        return np.flatnonzero(self.norms)

    @property
    def weights(self) -> np.ndarray:
        """Weights of the kernels that are left: their mean is 1. For weights w_m, those in
        proportion to |w_m| minimize the sum of |w_m|^2 / weight, given their sum."""
        left = self.norms[self.kept]
        return left / left.mean()


def most_left(budget: float, n: int) -> int:
    """How many of n groups a share may leave; at least one is left."""
    return min(n, max(1, int(np.ceil(budget * n))))


def learn_groups(problem: Problem, groups: WeightGroups, budget: float, *,
                 random_state: int = 0, callback: Callable | None = None) -> LearnedGroups:
    """Which groups a problem needs.

    budget : share of the groups that may be left
    """
    solver = OnlineProximal(groups=groups, budget=most_left(budget, groups.n),
                            passes=SELECTION_PASSES, random_state=random_state)
    solver.solve(problem, callback)
    norms = solver.group_norms
    # a model that has learned nothing says nothing of its groups
    return LearnedGroups(norms if norms.any() else np.ones(groups.n))


class OwnedWeights:
    """Groups of the weights of a `LinearModel`.

    With hashed features, groups may share a weight; it belongs to the one seen last.

    Parameters
    ----------
    n : how many groups there are
    dim : how many weights there are
    owners_of : indices of the weights of an output of example i, and their groups
    """

    def __init__(self, n: int, dim: int,
                 owners_of: Callable[[int, Output], tuple[np.ndarray, np.ndarray]]):
        self.n, self.owners_of = n, owners_of
        self.owners = np.zeros(dim, np.int16 if n < 1 << 15 else np.int32)

    def see(self, i, y_hat):
        indices, groups = self.owners_of(i, y_hat)
        self.owners[indices] = groups

    def norms(self, model: LinearModel) -> np.ndarray:
        used = np.flatnonzero(model.w)
        return np.sqrt(np.bincount(self.owners[used], np.square(
            model.w[used], dtype=np.float64), self.n))

    def scale(self, model: LinearModel, factors: np.ndarray) -> None:
        used = np.flatnonzero(model.w)
        model.w[used] *= factors[self.owners[used]].astype(model.w.dtype)


class InputKernels:
    """Groups of a kernel model's weights: one for each of the input kernels in a sum.

    The model's part of the k-th kernel is factor k times what the coefficients say; the
    problem's Gram matrix is kept up with the factors.
    """

    def __init__(self, problem: JointKernelProblem, grams: Sequence[np.ndarray]):
        self.problem, self.grams = problem, grams
        self.n, self.factors = len(grams), np.ones(len(grams))

    def see(self, i, y_hat):
        pass

    def norms(self, model: IndexModel) -> np.ndarray:
        return self.factors * np.sqrt([
            max(0., squared_norm(model.index, self.problem.hashed, gram))
            for gram in self.grams])

    def scale(self, model: IndexModel, factors: np.ndarray) -> None:
        self.factors *= factors
        self.problem.gram[:] = sum(
            factor * gram for factor, gram in zip(self.factors, self.grams))
        model.refresh()
