"""Trees whose edges are scored by a vector of weights: models and planes."""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.problem import TreeProblem
from orange_structpred.svm.linear import LinearModel, sparse_add, sparse_dot
from orange_structpred.svm.problem import Plane, SparseVector


class WeightsProblem(TreeProblem):
    """A tree problem with a weight for each feature.

    A plane keeps places and values of the sum over all sentences.
    """

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        return LinearModel(self.dim, np.float32, averaging=averaging)

    def plane(self, outputs) -> Plane:
        total = np.zeros(self.dim)
        for i, y_hat in enumerate(self.each(outputs)):
            sparse_add(total, *self.difference(i, y_hat), 1 / len(self))
        places = np.flatnonzero(total)
        return Plane(self.mean_loss(outputs), SparseVector(places, total[places]))

    def inner_products(self, plane, others):
        dense = np.zeros(self.dim)
        dense[plane.features.places] = plane.features.values
        return np.array([sparse_dot(dense, *other.features) for other in others])

    def combine(self, alpha, planes) -> LinearModel:
        total = np.zeros(self.dim)
        for weight, plane in zip(alpha, planes):
            sparse_add(total, *plane.features, weight)
        model = self.new_model()
        model.w = total.astype(np.float32)
        return model
