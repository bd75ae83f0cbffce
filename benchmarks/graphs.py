"""How good and how fast graphs and latent variables are, as JSON lines.

    python benchmarks/graphs.py [name ...]

grid_ms : milliseconds for the best labels of a grid of 20 x 20 nodes with 5 labels and
    Potts scores (normal scores of labels, 0.5 for equal neighbours), proven to be the
    best; mean of 10 grids
grid_train_cpu_s, grid_acc : 25 grids of 9 x 9 nodes with 3 labels (blocks seen through
    noise), a table of pair weights for each direction, tol = 0.01: CPU seconds of `fit`
    with C = 100; share of right labels on 100 other grids, with the C that is best in
    5-fold cross-validation on the 25
grid_c100_acc, grid_choice_cpu_s : the same share with C = 100; CPU seconds of the
    cross-validation
cut_ms : milliseconds for the best labels of a noisy binary image of 256 x 256 pixels
latent_gain, latent_primal_gain : scikit-learn's digits, half for training: accuracy with
    three sub-types per class minus accuracy without, in points, mean of 5 splits; and by
    how many percent the objective after the procedure is below that of its first round
multilabel14_cpu_s : 600 examples with 14 labels and all pairs of them, C = 100,
    tol = 0.01: CPU seconds of `fit`
oneslack_digits_cpu_s : one-slack on scikit-learn's digits, C = 100, tol = 0.01
custom_us_dense, custom_us_sparse : a problem in plain Python, microseconds per call of
    `predict` or `separate`, without what its methods take themselves: 200 examples with
    dense features of 10,000 dimensions by bcfw; sparse ones, 20 of 10^6, by subgradient

All times are with the code compiled before. Each benchmark runs in a process of its own.
"""
from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import warnings

import numpy as np

PLAIN_PASSES = 10
GRID_C = (0.1, 1, 10, 100)


def tell(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(value, 4)}), flush=True)


def grid() -> None:
    from orange_structpred.problems import infer_labels
    from orange_structpred.problems.graphs.graph_inputs import grid_graph

    edges, _ = grid_graph(20, 20)
    networks = [(np.random.default_rng(seed).normal(size=(400, 5)), edges, 0.5 * np.eye(5))
                for seed in range(10)]
    for network in networks:
        infer_labels(*network)                                  # compiles
    began = time.perf_counter()
    found = [infer_labels(*network) for network in networks]
    tell("grid_ms", 1000 * (time.perf_counter() - began) / len(found))
    if not all(each.exact for each in found):
        print("grid: not all are exact", file=sys.stderr)


def train() -> None:
    from sklearn.model_selection import KFold

    from orange_structpred.problems import GridSVM
    from orange_structpred.problems.graphs.examples import make_blocks

    X, y = make_blocks(25, noise=0.4)
    X_test, y_test = make_blocks(100, noise=0.4, random_state=1)
    GridSVM(C=100, tol=0.1).fit(X[:4], y[:4])                   # compiles
    began = time.process_time()
    estimator = GridSVM(C=100).fit(X, y)
    tell("grid_train_cpu_s", time.process_time() - began)
    tell("grid_c100_acc", estimator.score(X_test, y_test))
    began = time.process_time()
    C = max(GRID_C, key=lambda C: np.mean(
        [GridSVM(C=C).fit([X[i] for i in rest], [y[i] for i in rest]).score(
            [X[i] for i in fold], [y[i] for i in fold])
         for rest, fold in KFold(5).split(X)]))
    tell("grid_choice_cpu_s", time.process_time() - began)
    tell("grid_acc", GridSVM(C=C).fit(X, y).score(X_test, y_test))
    print(f"train: C={C}", file=sys.stderr)
    if not estimator.converged_ or estimator.n_inexact_:
        print("train: not converged, or not exact", file=sys.stderr)


def cut() -> None:
    from orange_structpred.problems import infer_labels
    from orange_structpred.problems.graphs.graph_inputs import grid_graph

    rng = np.random.default_rng(0)
    rows = np.arange(256) // 32
    truth = (np.add.outer(rows, rows) % 2).ravel()
    unary = np.column_stack([0.5 - truth, truth - 0.5]) + rng.normal(size=(truth.size, 2))
    edges, _ = grid_graph(256, 256)
    infer_labels(unary, edges, np.eye(2))                       # compiles
    began = time.perf_counter()
    found = infer_labels(unary, edges, np.eye(2))
    tell("cut_ms", 1000 * (time.perf_counter() - began))
    if found.method != "cut":
        print("cut: another method was used", file=sys.stderr)


def latent() -> None:
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    from orange_structpred.problems import LatentClassSVM, MulticlassSVM

    X, y = load_digits(return_X_y=True)
    gains, falls = [], []
    for seed in range(5):
        X_train, X_test, y_train, y_test = train_test_split(
            X / 16, y, test_size=0.5, random_state=seed)
        latent = LatentClassSVM(C=1000, n_subtypes=3).fit(X_train, y_train)
        plain = MulticlassSVM(C=1000).fit(X_train, y_train)
        gains.append(latent.score(X_test, y_test) - plain.score(X_test, y_test))
        falls.append(1 - min(latent.objectives_) / latent.objectives_[0])
    tell("latent_gain", 100 * np.mean(gains))
    tell("latent_primal_gain", 100 * np.mean(falls))


def multilabel() -> None:
    from orange_structpred.problems import MultilabelSVM

    rng = np.random.default_rng(0)
    n, n_labels = 600, 14
    pairs = np.triu(rng.normal(size=(n_labels, n_labels)), 1)
    pairs += pairs.T
    X = rng.normal(size=(n, 20))
    scores = X @ rng.normal(size=(20, n_labels))
    Y = (scores > 0).astype(int)
    for _ in range(3):              # labels that depend on each other
        for label in range(n_labels):
            Y[:, label] = scores[:, label] + 2 * (Y @ pairs[:, label]) + rng.normal(
                size=n) > 0
    MultilabelSVM(tol=1).fit(X[:20], Y[:20])                    # compiles
    began = time.process_time()
    estimator = MultilabelSVM(C=100).fit(X, Y)
    tell("multilabel14_cpu_s", time.process_time() - began)
    if not estimator.converged_:
        print("multilabel: not converged", file=sys.stderr)


def one_slack() -> None:
    from sklearn.datasets import load_digits

    from orange_structpred.problems import MulticlassSVM

    X, y = load_digits(return_X_y=True)
    X /= 16
    MulticlassSVM(tol=1, solver="one-slack").fit(X[:50], y[:50])       # compiles
    began = time.process_time()
    estimator = MulticlassSVM(C=100, solver="one-slack", fit_intercept=False).fit(X, y)
    tell("oneslack_digits_cpu_s", time.process_time() - began)
    if not estimator.converged_:
        print("one_slack: not converged", file=sys.stderr)


class PlainProblem:
    """What a problem in plain Python does, as cheaply as possible: outputs are 0 and 1, and
    their features are known."""

    def __init__(self, n: int, dim: int, features: list):
        self.n, self.dim, self.features = n, dim, features
        self.calls = self.oracle_calls = 0

    def make(self, X, Y):
        from orange_structpred.svm import Problem

        plain = self

        class Two(Problem):
            def joint_features(self, x, y):
                plain.calls += 1
                return plain.features[x][y]

            def loss(self, y, y_hat):
                plain.calls += 1
                return float(y != y_hat)

            def predict(self, x, w):
                plain.oracle_calls += 1
                return 1

            def separate(self, x, y, w):
                plain.oracle_calls += 1
                return 1

        return Two(X, Y, plain.dim)

    def overhead(self, **options) -> float:
        """Microseconds per call of the oracle, without the four methods themselves."""
        from orange_structpred.problems import StructuredSVM

        for passes in (1, PLAIN_PASSES):        # the first time compiles
            estimator = StructuredSVM(self.make, max_iter=passes, tol=1e-12, **options)
            self.calls = self.oracle_calls = 0
            began = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")         # that it has not converged
                estimator.fit(range(self.n), [0] * self.n)
            seconds = time.process_time() - began
        problem = self.make(range(self.n), [0] * self.n)
        calls, began = self.calls + self.oracle_calls, time.process_time()
        for k in range(calls):
            problem.joint_features(k % self.n, 1)
        seconds -= time.process_time() - began
        return 1e6 * seconds / self.oracle_calls


def custom() -> None:
    from scipy import sparse

    rng = np.random.default_rng(0)
    n, dim = 200, 10_000
    dense = [(np.zeros(dim), rng.normal(size=dim)) for _ in range(n)]
    tell("custom_us_dense", PlainProblem(n, dim, dense).overhead(solver="bcfw"))
    dim = 10**6
    rows = [tuple(sparse.csr_array((rng.normal(size=20), (np.zeros(20, int), rng.choice(
        dim, 20, replace=False))), shape=(1, dim)) for _ in range(2)) for _ in range(n)]
    tell("custom_us_sparse", PlainProblem(n, dim, rows).overhead(solver="subgradient"))


BENCHMARKS = {"grid": grid, "train": train, "cut": cut, "latent": latent,
              "multilabel": multilabel, "one_slack": one_slack, "custom": custom}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name",
                        help=f"benchmarks to run: {', '.join(BENCHMARKS)}; default: all")
    names = parser.parse_args().names or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"unknown benchmark {name}")
    if len(names) > 1:
        for name in names:
            subprocess.run([sys.executable, __file__, name], check=True)
        return
    BENCHMARKS[names[0]]()


if __name__ == "__main__":
    main()
