"""Examples that count more than others."""
from __future__ import annotations

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.svm.problem import Problem, Separated
from orange_structpred.svm.vectors import SparseVector


class WeightedProblem(Problem):
    """A problem whose examples have weights: its slack is their weighted mean.

    The hinge loss of example i is multiplied by its weight, and so are its loss and
    its feature differences. The weights are divided by their mean: an example of
    weight 2 counts like two examples.

    Parameters
    ----------
    problem : Problem
    weights : array of shape (n examples,), none negative and not all zero
    """

    def __init__(self, problem: Problem, weights: np.ndarray):
        super().__init__(problem.X, problem.Y, problem.dim)
        self.problem = problem
        self.weights = weights / weights.mean()
        self.chunk_size = problem.chunk_size

    def joint_features(self, x, y):
        return self.problem.joint_features(x, y)

    def loss(self, y, y_hat):
        return self.problem.loss(y, y_hat)

    def predict(self, x, w):
        return self.problem.predict(x, w)

    def separate(self, x, y, w):
        return self.problem.separate(x, y, w)

    def outputs(self, x):
        return self.problem.outputs(x)

    def check_outputs(self):
        self.problem.check_outputs()

    def gold(self, i):
        return self.problem.gold(i)

    def size(self, i):
        return self.problem.size(i)

    def best(self, i, model):
        return self.problem.best(i, model)

    def most_violated(self, i, model, weight=1.):
        return self.problem.most_violated(i, model, weight)

    def best_by_loss(self, i, model):
        return self.problem.best_by_loss(i, model)

    def oracle(self, first, last, model):
        outputs, losses, hinges = self.problem.oracle(first, last, model)
        weights = self.weights[first:last]
        return Separated(outputs, weights * losses, weights * hinges)

    def example_loss(self, i, y_hat):
        return self.weights[i] * self.problem.example_loss(i, y_hat)

    def best_of(self, examples, model):
        return self.problem.best_of(examples, model)

    def losses_of(self, examples, outputs):
        return self.weights[examples] * self.problem.losses_of(examples, outputs)

    def difference(self, i, y_hat):
        indices, values = self.problem.difference(i, y_hat)
        return SparseVector(indices, self.weights[i] * values)

    def sum_of_differences(self, first, outputs, factors):
        return self.problem.sum_of_differences(
            first, outputs, factors * self.weights[first:first + len(outputs)])

    def fingerprint(self):
        return f"{self.problem.fingerprint()} weights={fingerprint(self.weights)}"

    def new_model(self, *, averaging=False):
        return self.problem.new_model(averaging=averaging)

    def vector_products(self, i, vector, others):
        return self.problem.vector_products(i, vector, others)

    def new_planes(self, examples=None):
        return self.problem.new_planes(examples or self)

    def new_blocks(self, examples=None):
        return self.problem.new_blocks(examples or self)

    def as_program(self, x, w):
        return self.problem.as_program(x, w)

    def example_weights(self):
        return self.weights

    def unweighted(self):
        return self.problem
