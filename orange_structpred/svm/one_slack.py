"""One-slack cutting planes: Algorithm 2 of the thesis, and 3 with kernels."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial

import cvxopt
import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.svm.distributed import Oracle
from orange_structpred.svm.planes import LinearPlanes, Plane
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Clock, Solution, Solver

UNUSED = 50         # rounds without any alpha after which a plane is dropped
TINY_SHARE = 1e-8         # share of C that counts as no alpha at all
LARGE_PRODUCT = 1e6         # of a feature vector with itself, times C
TOO_LARGE = ("C times the squares of the features is too large to compute with; use a "
             "smaller C or scale the features down")


def solve_dual(H: np.ndarray, loss: np.ndarray, C: float) -> np.ndarray:
    """The dual program (4.7): argmax of alpha.loss - alpha.H.alpha / 2
    over alpha >= 0 with sum at most C.

    It is solved for alpha / C, whose numbers are at most 1 whatever C is.
    """
    size = len(loss)
    G = np.vstack([-np.eye(size), np.ones((1, size))])
    share = solve_quadratic(C * H + 1e-12 * np.eye(size), -loss, cvxopt.matrix(G),
                            np.append(np.zeros(size), 1.))
    return C * share / max(1., share.sum())


def solve_quadratic(P: np.ndarray, q: np.ndarray, G: cvxopt.matrix | cvxopt.spmatrix,
                    h: np.ndarray, *, limited: bool = True) -> np.ndarray:
    """argmin of x.P.x / 2 + q.x over all x with G x <= h; what is next to nothing is 0.

    Where C is large, or features of thousands of parts have products of millions, x may
    have tiny numbers only, which the program's tolerances would hide, as they are absolute.
    Then it is solved in smaller units, in which next to nothing is measured, too: where
    examples cannot be separated, other numbers are as large as the limits.

    limited : whether the constraints limit x
    """
    largest = float(P.diagonal().max())
    unit = 1 / largest if limited and largest > LARGE_PRODUCT else 1.
    options = {"show_progress": False, "abstol": 1e-10, "reltol": 1e-10,
               "feastol": 1e-10}
    try:
        solution = cvxopt.solvers.qp(
            cvxopt.matrix(unit * P), cvxopt.matrix(q), G, cvxopt.matrix(h / unit),
            options=options)
    except (ArithmeticError, ValueError) as error:
        if limited:
            raise InputError(TOO_LARGE) from error
        raise
    x = unit * np.array(solution["x"]).ravel()
    x[x < TINY_SHARE * (unit if limited else x.max())] = 0
    return x


@dataclass
class WorkingSet:
    """The dual of one-slack: cutting planes, and alpha of the program over them.

    `best` is the alpha of the model with the lowest primal objective so far.
    """

    planes: list[Plane] = field(default_factory=list)
    H: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    unused: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    alpha: np.ndarray = field(default_factory=lambda: np.zeros(0))
    best: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def losses(self) -> np.ndarray:
        return np.array([plane.loss for plane in self.planes])

    @property
    def squared_norm(self) -> float:
        """|w|^2 of the model."""
        return max(0., float(self.alpha @ self.H @ self.alpha))

    @property
    def dual(self) -> float:
        return float(self.alpha @ self.losses) - self.squared_norm / 2

    @property
    def slack(self) -> float:
        """What the planes require at the model: xi of (2.12)."""
        return float(np.max(self.losses - self.H @ self.alpha, initial=0.))

    def started(self, C: float) -> WorkingSet:
        """The same planes, for another training with this C."""
        alpha = solve_dual(self.H, self.losses, C) if self.planes else self.alpha
        return WorkingSet(list(self.planes), self.H, self.unused, alpha,
                          np.zeros(len(self.planes)))

    def add(self, plane: Plane, products: np.ndarray, C: float) -> None:
        """One more plane, and the alpha of all of them; those that have had no alpha
        for long are dropped.

        products : with all planes; the last one is its own
        """
        self.H = np.block([[self.H, products[:-1, None]], [products[None, :]]])
        self.planes = [*self.planes, plane]
        self.best = np.append(self.best, 0.)
        self.alpha = solve_dual(self.H, self.losses, C)
        self.unused = np.where(self.alpha > 0, 0, np.append(self.unused, 0) + 1)
        keep = np.flatnonzero((self.unused < UNUSED) | (self.best > 0))
        self.planes = [self.planes[k] for k in keep]
        self.H, self.unused = self.H[np.ix_(keep, keep)], self.unused[keep]
        self.alpha, self.best = self.alpha[keep], self.best[keep]

    def pack(self, arithmetic: LinearPlanes) -> dict[str, np.ndarray]:
        """As arrays, for a checkpoint."""
        return {"H": self.H, "unused": self.unused, "alpha": self.alpha,
                "best": self.best, **arithmetic.pack(self.planes)}

    @classmethod
    def unpack(cls, state: dict, arithmetic: LinearPlanes) -> WorkingSet:
        return cls(arithmetic.unpack(state), *(
            state[name] for name in ("H", "unused", "alpha", "best")))


class OneSlack(Solver):
    """Cutting planes with one slack variable (Joachims et al., 2009).

    In each round the dual program over the planes so far gives a model, and the
    oracle's outputs at this model make one more plane. Training ends, as Algorithm 2
    does, with the first model whose own objective is within epsilon of the dual.
    Earlier models can come within epsilon as the dual grows, for a small C even w = 0,
    but they have learned from fewer planes. `passes` limits the rounds. As the
    primal objective goes up and down with the rounds, the reports before the end are
    about the best model so far, other than w = 0, which is also the one that is returned
    if there is no end within the rounds. On a cluster the oracle runs on the workers;
    the result is the same.
    """

    distributes = True
    dual_type = WorkingSet

    def run(self, problem: Problem, clock: Clock, start: Solution | None) -> Solution:
        arithmetic = problem.new_planes()
        oracle = problem.oracle_of(self.cluster, self.n_jobs)
        dual = WorkingSet()
        lowest = {"primal": np.inf}     # figures of the best model
        first, converged = 0, False
        state = self.load_checkpoint(problem, clock)
        if state is not None:
            dual = WorkingSet.unpack(state, arithmetic)
            lowest = json.loads(str(state["lowest"]))
            first, converged = int(state["passes"]), bool(state["converged"])
        elif start is not None:
            dual = start.dual_state.started(self.C)
        for round_ in range(first, self.passes):
            if converged or clock.stopped:
                break
            model = arithmetic.combine(dual.alpha, dual.planes)
            try:
                plane, slack = self.cut(oracle, model, clock, round_, dual.slack)
            except StopEarly:
                break
            norm = dual.squared_norm
            primal = norm / 2 + self.C * slack
            converged = (primal - dual.dual) / self.C <= self.epsilon
            if converged or primal < lowest["primal"] or (
                    np.isfinite(primal) and not dual.best.any()):
                dual.best = dual.alpha
                lowest = {"primal": primal, "slack": slack, "norm": norm**0.5,
                          **self.losses(problem, model, clock, round_ + 1, oracle)}
            clock.report(
                round_ + 1, 1. if converged else (round_ + 1) / self.passes,
                end_of_pass=True, dual=dual.dual,
                gap=(lowest["primal"] - dual.dual) / self.C, certified=True, **lowest)
            if not converged:
                dual.add(plane, oracle.inner_products(plane, [*dual.planes, plane]), self.C)
            self.save_checkpoint(
                problem, clock, passes=round_ + 1, converged=converged,
                lowest=json.dumps(lowest), **dual.pack(arithmetic))
        return Solution(arithmetic.combine(dual.best, dual.planes), clock.reports,
                        converged, clock.stopped, dual)

    def cut(self, oracle: Oracle, model, clock: Clock, round_: int, slack: float
            ) -> tuple[Plane, float]:
        """A new plane, and the mean hinge loss (nan if unknown).

        slack : what the planes so far ask for at this model
        """
        separated = oracle.separate(
            model, partial(clock.check_stop, round_ + 1, round_ / self.passes))
        clock.oracle_calls += len(oracle.problem)
        return separated
