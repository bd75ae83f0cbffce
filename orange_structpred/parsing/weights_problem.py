"""Trees whose parts are scored by a vector of weights."""
from __future__ import annotations

from abc import abstractmethod

import numpy as np

from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.tree_problem import TreeProblem
from orange_structpred.svm.group_sparsity import OwnedWeights
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import OnlineSolver, OnlineState
from orange_structpred.svm.parts import signed_parts
from orange_structpred.svm.solver import Solution
from orange_structpred.svm.vectors import (
    SparseVector,
    multiply_features,
    score_features,
    sum_features,
)


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


class IndicatorProblem(WeightsProblem):
    """One whose features are there or not: parts are lists of indices of weights."""

    @abstractmethod
    def feature_indices(self, tokens: np.ndarray, parts: np.ndarray
                        ) -> tuple[np.ndarray, np.ndarray]:
        """Indices of the features of a sentence's parts, and where each part's end."""

    @abstractmethod
    def feature_templates(self, tokens: np.ndarray, parts: np.ndarray) -> np.ndarray:
        """The templates of these features, numbered; where features are hashed."""

    def weight_groups(self, group_of: np.ndarray, n: int) -> OwnedWeights:
        """Groups of weights.

        group_of : of each template
        n : how many groups there are
        """
        def owners_of(i: int, y_hat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            parts, _ = signed_parts(self.parts(i, self.gold(i)), self.parts(i, y_hat))
            tokens = self.tokens(i)
            return (self.feature_indices(tokens, parts)[0],
                    group_of[self.feature_templates(tokens, parts)])

        return OwnedWeights(n, self.dim, owners_of)

    def part_vector(self, i: int, parts: np.ndarray, values: np.ndarray) -> SparseVector:
        return SparseVector(*sum_features(
            *self.feature_indices(self.tokens(i), parts), values))

    def part_scores(self, i: int, parts: np.ndarray, model: LinearModel) -> np.ndarray:
        return model.factor * score_features(
            model.w, *self.feature_indices(self.tokens(i), parts))

    def part_products(self, i: int, parts: np.ndarray, vector: SparseVector) -> np.ndarray:
        return multiply_features(*self.feature_indices(self.tokens(i), parts), *vector)
