"""One-slack cutting planes: Algorithm 2 of the thesis, and 3 with kernels."""
from __future__ import annotations

import json
from functools import partial

import cvxopt
import numpy as np

from orange_structpred.svm.distributed import Oracle
from orange_structpred.svm.planes import Plane
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Clock, Solution, Solver

UNUSED = 50         # rounds without any alpha after which a plane is dropped
TINY_SHARE = 1e-8         # share of C that counts as no alpha at all


def solve_dual(H: np.ndarray, loss: np.ndarray, C: float) -> np.ndarray:
    """The dual program (4.7): argmax of alpha.loss - alpha.H.alpha / 2
    over alpha >= 0 with sum at most C.

    It is solved for alpha / C, whose numbers are near 1 whatever C is.
    """
    size = len(loss)
    G = np.vstack([-np.eye(size), np.ones((1, size))])
    h = np.append(np.zeros(size), 1.)
    options = {"show_progress": False, "abstol": 1e-10, "reltol": 1e-10,
               "feastol": 1e-10}
    solution = cvxopt.solvers.qp(
        cvxopt.matrix(C * H + 1e-12 * np.eye(size)), cvxopt.matrix(-loss),
        cvxopt.matrix(G), cvxopt.matrix(h), options=options)
    share = np.array(solution["x"]).ravel()
    share[share < TINY_SHARE] = 0
    return C * share / max(1., share.sum())


class OneSlack(Solver):
    """Cutting planes with one slack variable (Joachims et al., 2009).

    In each round the dual program over the planes so far gives a model, and the
    oracle's outputs at this model make one more plane. `passes` limits the
    rounds. The primal objective goes up and down with the rounds, so the reports
    are about the best model so far, which is also the one that is returned. On a cluster
    the oracle runs on the workers; the result is the same.
    """

    distributes = True

    def run(self, problem: Problem, clock: Clock, start) -> Solution:
        arithmetic = problem.new_planes()
        oracle = problem.oracle_of(self.cluster, self.n_jobs)
        planes: list[Plane] = []
        unused: list[int] = []
        H = np.zeros((0, 0))
        alpha = best = np.zeros(0)
        lowest = {"primal": np.inf}     # figures of the best model
        first, converged = 0, False
        state = self.load_checkpoint(problem, clock)
        if state is not None:
            planes = arithmetic.unpack(state)
            unused, H = state["unused"].tolist(), state["H"]
            alpha, best = state["alpha"], state["best"]
            lowest = json.loads(str(state["lowest"]))
            first, converged = int(state["passes"]), bool(state["converged"])
        elif start is not None and start.dual_state[0]:
            planes, unused, H = list(start.dual_state[0]), *start.dual_state[1:]
            alpha = solve_dual(H, np.array([plane.loss for plane in planes]), self.C)
            best = np.zeros(len(planes))
        for round_ in range(first, self.passes):
            if converged or clock.stopped:
                break
            model = arithmetic.combine(alpha, planes)
            loss = np.array([plane.loss for plane in planes])
            found = self.cut(oracle, model, clock, round_,
                             np.max(loss - H @ alpha, initial=0.))
            if found is None:
                break
            (plane, slack), norm = found, max(0., float(alpha @ H @ alpha))
            primal = norm / 2 + self.C * slack
            if primal < lowest["primal"]:
                best = alpha
                lowest = {"primal": primal, "slack": slack, "norm": norm**0.5,
                          **self.losses(problem, model, clock, round_ + 1, oracle)}
            dual = float(alpha @ loss) - norm / 2
            gap = (lowest["primal"] - dual) / self.C
            converged = gap <= self.epsilon
            clock.report(
                round_ + 1, 1. if converged else (round_ + 1) / self.passes,
                end_of_pass=True, dual=dual, gap=gap, certified=True, **lowest)
            if not converged:
                row = oracle.inner_products(plane, [*planes, plane])
                H = np.block([[H, row[:-1, None]], [row[None, :]]])
                planes.append(plane)
                best = np.append(best, 0.)
                alpha = solve_dual(H, np.append(loss, plane.loss), self.C)
                unused = [0 if weight > 0 else rounds + 1
                          for weight, rounds in zip(alpha, [*unused, 0])]
                keep = [k for k, rounds in enumerate(unused)
                        if rounds < UNUSED or best[k] > 0]
                planes = [planes[k] for k in keep]
                unused = [unused[k] for k in keep]
                H, alpha, best = H[np.ix_(keep, keep)], alpha[keep], best[keep]
            self.save_checkpoint(
                problem, clock, passes=round_ + 1, converged=converged, H=H,
                alpha=alpha, best=best, unused=np.array(unused),
                lowest=json.dumps(lowest), **arithmetic.pack(planes))
        return Solution(arithmetic.combine(best, planes), clock.reports, converged,
                        clock.stopped, (planes, unused, H))

    def cut(self, oracle: Oracle, model, clock: Clock, round_: int, slack: float
            ) -> tuple[Plane, float] | None:
        """A new plane, and the mean hinge loss (nan if unknown); None to stop.

        slack : what the planes so far ask for at this model
        """
        found = oracle.separate(
            model, partial(clock.stop_asked, round_ + 1, round_ / self.passes))
        if found is not None:
            clock.oracle_calls += len(oracle.problem)
        return found
