"""Trees whose edges are scored by a vector of weights."""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.tree_problem import TreeProblem
from orange_structpred.svm.linear import LinearModel


class WeightsProblem(TreeProblem):
    """A tree problem with a weight for each feature."""

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        return LinearModel(self.dim, np.float32, averaging=averaging)
