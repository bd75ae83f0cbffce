"""Block-coordinate steps on all classes of an example at once, compiled."""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit
from orange_structpred.svm.alpha import ENOUGH
from orange_structpred.svm.blocks import Blocks


@njit(nogil=True, cache=True)
def improve_alpha(alpha, violations, products, gold, squared_norm, scale):
    """`best_alpha` where <a(y), a(y')> = |x|^2 times products of class features.

    products : <Lambda(y), Lambda(y')>
    """
    first = 0.
    for step in range(20 * alpha.size):
        most = np.argmax(violations)
        least = -1
        for y in range(alpha.size):
            if alpha[y] > 0 and (least < 0 or violations[y] < violations[least]):
                least = y
        difference = violations[most] - violations[least]
        if step == 0:
            first = difference
        if difference <= ENOUGH * first:
            break
        length = scale * squared_norm * (
            products[most, most] + products[least, least] - 2 * products[most, least])
        moved = alpha[least]
        if difference < length * moved:
            moved = difference / length
            alpha[least] -= moved
        else:
            alpha[least] = 0
        alpha[most] += moved
        # a(y) = phi(x, gold) - phi(x, y): what gold has in common with both cancels out
        for y in range(alpha.size):
            violations[y] -= scale * squared_norm * moved * (
                products[y, most] - products[y, least]
                - products[gold, most] + products[gold, least])


@njit(nogil=True, cache=True)
def visit_classes(indptr, indices, values, norms, gold, class_features, products, cost,
                  examples, alphas, w, late, scale, weights, step, ask, active):
    """Visit examples one after the other; the sum of their gaps.

    active : which examples had a gap at their last visit with `ask`; only these are
        visited without it
    w, late : (features, class features), as in `LinearModel`; late may be empty
    """
    n_classes, n_columns = class_features.shape
    scores, change = np.empty(n_columns), np.empty(n_columns)
    violations, before = np.empty(n_classes), np.empty(n_classes)
    gaps = 0.
    for i in examples:
        if not ask and not active[i]:
            continue
        step += ask
        scores[:] = 0
        for k in range(indptr[i], indptr[i + 1]):
            for column in range(n_columns):
                scores[column] += values[k] * w[indices[k], column]
        for y in range(n_classes):
            violations[y] = cost[gold[i], y]
            for column in range(n_columns):
                violations[y] += class_features[y, column] * scores[column]
        own = violations[gold[i]]
        gap = -np.inf
        for y in range(n_classes):
            violations[y] -= own
            before[y] = alphas[i, y]
            gap = max(gap, violations[y])
        for y in range(n_classes):
            gap -= violations[y] * before[y]
        if ask:
            active[i] = gap > 0
        if gap <= 0 or weights[i] == 0:
            continue
        gaps += weights[i] * gap
        own_scale = scale * weights[i]
        improve_alpha(alphas[i], violations, products, gold[i], norms[i], own_scale)
        change[:] = 0
        for y in range(n_classes):
            moved = alphas[i, y] - before[y]
            if moved != 0:
                for column in range(n_columns):
                    change[column] -= own_scale * moved * class_features[y, column]
        for k in range(indptr[i], indptr[i + 1]):
            for column in range(n_columns):
                w[indices[k], column] += values[k] * change[column]
        if late.size:
            earlier = step * (step - 1) / 2
            for k in range(indptr[i], indptr[i + 1]):
                for column in range(n_columns):
                    late[indices[k], column] += earlier * values[k] * change[column]
    return gaps


class ClassBlocks(Blocks):
    """The blocks of a `ClassProblem`: alpha of all classes, one row per example."""

    chunk_size = 256
    extra_visits = 10

    def __init__(self, problem, weights: np.ndarray):
        super().__init__(problem)
        self.weights = weights
        self.active = np.ones(len(problem), bool)
        matrix = problem.X.matrix
        self.norms = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
        self.products = problem.class_features @ problem.class_features.T

    def start_all(self):
        alphas = np.zeros((len(self.problem), len(self.problem.cost)))
        alphas[np.arange(len(alphas)), self.problem.Y] = 1
        return alphas

    def visit(self, blocks, indices, model, scale, step, *, ask=True):
        problem = self.problem
        matrix, width = problem.X.matrix, problem.class_features.shape[1]
        return visit_classes(
            matrix.indptr, matrix.indices, matrix.data, self.norms, problem.Y,
            problem.class_features, self.products, problem.cost, np.asarray(indices),
            blocks, model.w.reshape(-1, width), model.late.reshape(-1, width), scale,
            self.weights, step, ask, self.active)

    def mean_loss(self, blocks):
        losses = (self.problem.cost[self.problem.Y] * blocks).sum(axis=1)
        return float(self.weights @ losses) / len(self.problem)

    def add_all(self, blocks, model, scale):
        features = self.problem.class_features
        change = features[self.problem.Y] - blocks @ features
        model.w += (self.problem.X.matrix.T @ (
            scale * self.weights[:, None] * change)).ravel()

    def drawn_back(self, blocks, part):
        return part * blocks + (1 - part) * self.start_all()

    def pack(self, blocks):
        return {"alphas": blocks}

    def unpack(self, arrays):
        return arrays["alphas"]
