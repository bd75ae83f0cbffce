"""Trees whose edges are scored by a vector of weights."""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.tree_problem import TreeProblem
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import OnlineSolver, OnlineState
from orange_structpred.svm.solver import Solution


class WeightsProblem(TreeProblem):
    """A tree problem with a weight for each feature."""

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        return LinearModel(self.dim, np.float32, averaging=averaging)

    def continued(self, weights: np.ndarray, solver: OnlineSolver) -> np.ndarray:
        """Weights that a solver finds from these on, averaged over its steps."""
        start = self.new_model(averaging=True)
        start.w[:] = weights
        solution = solver.solve(
            self, start=Solution(None, dual_state=OnlineState(start)))
        return thin_out(solution.model.weights())
