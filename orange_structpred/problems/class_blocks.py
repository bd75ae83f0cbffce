"""Block-coordinate steps on all classes of an example at once, compiled."""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit
from orange_structpred.svm.alpha import improve_alpha
from orange_structpred.svm.blocks import Blocks


@njit(nogil=True, cache=True)
def visit_classes(indptr, indices, values, norms, gold, class_features, products, cost,
                  plain, examples, alphas, w, late, scale, weights, step, ask, active):
    """Visit examples one after the other; the sum of their gaps.

    plain : whether each class has one feature, its own
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
            value, row = values[k], w[indices[k]]
            for column in range(n_columns):
                scores[column] += value * row[column]
        costs = cost[gold[i]]
        for y in range(n_classes):
            if plain:
                violations[y] = costs[y] + scores[y]
                continue
            violations[y] = costs[y]
            for column in range(n_columns):
                violations[y] += class_features[y, column] * scores[column]
        alpha = alphas[i]
        highest, mean = -np.inf, 0.
        for y in range(n_classes):
            before[y] = alpha[y]
            mean += violations[y] * alpha[y]
            highest = max(highest, violations[y])
        gap = highest - mean
        if ask:
            active[i] = gap > 0
        if gap <= 0 or weights[i] == 0:
            continue
        gaps += weights[i] * gap
        own_scale = scale * weights[i]
        improve_alpha(products, violations, alpha, own_scale * norms[i])
        change[:] = 0
        for y in range(n_classes):
            moved = own_scale * (alpha[y] - before[y])
            if plain:
                change[y] = -moved
            elif moved != 0:
                for column in range(n_columns):
                    change[column] -= moved * class_features[y, column]
        earlier = step * (step - 1) / 2
        for k in range(indptr[i], indptr[i + 1]):
            value, row = values[k], w[indices[k]]
            for column in range(n_columns):
                row[column] += value * change[column]
            if late.size:
                value *= earlier
                row = late[indices[k]]
                for column in range(n_columns):
                    row[column] += value * change[column]
    return gaps


class ClassBlocks(Blocks):
    """The blocks of a `ClassProblem`: alpha of all classes, one row per example."""

    chunk_size = 256
    extra_visits = 40

    def __init__(self, problem, weights: np.ndarray):
        super().__init__(problem)
        self.weights = weights
        self.active = np.ones(len(problem), bool)
        matrix = problem.X.matrix
        self.norms = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
        self.class_products = problem.class_features @ problem.class_features.T
        self.plain = np.array_equal(problem.class_features, np.eye(len(problem.cost)))

    def start_all(self):
        alphas = np.zeros((len(self.problem), len(self.problem.cost)))
        alphas[np.arange(len(alphas)), self.problem.Y] = 1
        return alphas

    def visit(self, blocks, indices, model, scale, step, *, ask=True):
        problem = self.problem
        matrix, width = problem.X.matrix, problem.class_features.shape[1]
        # without the oracle the step stays the same, and with it the weight of changes
        at_once = not ask and model.late.size and model.w.size <= matrix.nnz
        late = model.late[:0] if at_once else model.late
        before = model.w.copy() if at_once else None
        gaps = visit_classes(
            matrix.indptr, matrix.indices, matrix.data, self.norms, problem.Y,
            problem.class_features, self.class_products, problem.cost, self.plain,
            np.asarray(indices), blocks, model.w.reshape(-1, width),
            late.reshape(-1, width), scale, self.weights, step, ask, self.active)
        if at_once:
            model.late += step * (step - 1) / 2 * (model.w - before)
        return gaps

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
