"""Trees whose edges are scored by a vector of weights: models and planes."""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.problem import TreeProblem
from orange_structpred.svm.linear import LinearModel, sparse_add
from orange_structpred.svm.problem import Plane, sparse_vector


class WeightsProblem(TreeProblem):
    """A tree problem with a weight for each feature."""

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        return LinearModel(self.dim, np.float32, averaging=averaging)

    def plane(self, outputs) -> Plane:
        total = np.zeros(self.dim)
        for i, y_hat in enumerate(self.each(outputs)):
            sparse_add(total, *self.difference(i, y_hat), 1 / len(self))
        return Plane(self.mean_loss(outputs), sparse_vector(total))
