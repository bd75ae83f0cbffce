"""Small problems in plain Python, with all their outputs, and their true optimum.

Everything here is slow and obvious: outputs are enumerated, and the quadratic
program is solved with a constraint for each output of each example.
"""
from itertools import pairwise, product

import cvxopt
import numpy as np

from orange_structpred.svm import Problem


class Classes(Problem):
    """Classes of points: phi puts the point into the class's own rows."""

    def __init__(self, X, Y, n_classes):
        super().__init__(X, Y, X.shape[1] * n_classes)
        self.n_classes = n_classes

    def outputs(self, x):
        return range(self.n_classes)

    def joint_features(self, x, y):
        phi = np.zeros((self.n_classes, len(x)))
        phi[y] = x
        return phi.ravel()

    def loss(self, y, y_hat):
        return abs(y - y_hat) / (self.n_classes - 1)

    def predict(self, x, w):
        return max(self.outputs(x), key=lambda y: w @ self.joint_features(x, y))

    def separate(self, x, y, w):
        return max(self.outputs(x), key=lambda y_hat: (
            w @ self.joint_features(x, y_hat) + self.loss(y, y_hat)))


class Chains(Problem):
    """Labels of sequences: phi counts (sign, label) and (label, label) pairs."""

    def __init__(self, X, Y, n_signs, n_labels):
        super().__init__(X, Y, (n_signs + n_labels) * n_labels)
        self.n_signs, self.n_labels = n_signs, n_labels

    def outputs(self, x):
        return list(product(range(self.n_labels), repeat=len(x)))

    def joint_features(self, x, y):
        phi = np.zeros((self.n_signs + self.n_labels, self.n_labels))
        for sign, label in zip(x, y):
            phi[sign, label] += 1
        for label, following in pairwise(y):
            phi[self.n_signs + label, following] += 1
        return phi.ravel()

    def loss(self, y, y_hat):
        return float(np.mean(np.array(y) != np.array(y_hat)))

    def predict(self, x, w):
        return max(self.outputs(x), key=lambda y: w @ self.joint_features(x, y))

    def separate(self, x, y, w):
        return max(self.outputs(x), key=lambda y_hat: (
            w @ self.joint_features(x, y_hat) + self.loss(y, y_hat)))


class Reachable(Classes):
    """Classes whose oracle knows only some: truths may be outside of what it returns."""

    def outputs(self, x):
        return range(self.n_classes - 1)


def classes(n=15, seed=0) -> Classes:
    """Three classes that overlap, so that no w is free of loss."""
    random = np.random.default_rng(seed)
    Y = random.integers(0, 3, n)
    X = random.normal(size=(n, 4)) + 0.7 * np.eye(3, 4)[Y]
    return Classes(X, Y.tolist(), 3)


def chains(n=8, seed=0) -> Chains:
    random = np.random.default_rng(seed)
    X = [random.integers(0, 4, random.integers(2, 5)).tolist() for _ in range(n)]
    Y = [tuple((sign + random.integers(0, 2)) % 2 for sign in x) for x in X]
    return Chains(X, Y, 4, 2)


def constraints(problem):
    """(example, a, loss) for each output: <w, a> >= loss - xi of the example."""
    for i, (x, y) in enumerate(zip(problem.X, problem.Y)):
        for y_hat in [*problem.outputs(x), y]:      # the truth, whatever is listed
            yield (i, problem.joint_features(x, y) - problem.joint_features(x, y_hat),
                   problem.loss(y, y_hat))


def primal(problem, w, C) -> float:
    """1/2 |w|^2 + C * mean of the hinge losses, over all outputs."""
    hinges = np.zeros(len(problem))
    for i, a, loss in constraints(problem):
        hinges[i] = max(hinges[i], loss - w @ a)
    return w @ w / 2 + C * hinges.mean()


def optimum(problem, C) -> float:
    """The least primal value, by a program over w and a slack for each example."""
    rows = list(constraints(problem))
    n, dim = len(problem), problem.dim
    P = np.zeros((dim + n, dim + n))
    P[:dim, :dim] = np.eye(dim)
    q = np.append(np.zeros(dim), np.full(n, C / n))
    G = np.zeros((len(rows), dim + n))
    h = np.zeros(len(rows))
    for row, (i, a, loss) in enumerate(rows):
        G[row, :dim], G[row, dim + i], h[row] = -a, -1, -loss
    options = {"show_progress": False, "abstol": 1e-12, "reltol": 1e-12,
               "feastol": 1e-12}
    solution = cvxopt.solvers.qp(*map(cvxopt.matrix, (P, q, G, h)), options=options)
    w = np.array(solution["x"]).ravel()[:dim]
    # the slack is found anew, so that the value holds whatever the tolerance
    return primal(problem, w, C)
