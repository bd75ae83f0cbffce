"""The synthetic alignment experiment of Tsochantaridis et al. (2005), section 5.3.

    python benchmarks/alignment.py [--repetitions 10] [--test 100]

Each native string has 50 letters, letter c of 1..20 with probability c / 210, and 10
decoys of the same kind. A homologous string is made of a random substring of the native
one by an alignment of 30 operations: match (0.2), substitute (0.4; letter c becomes
c mod 20 + 1), insert (0.2), delete (0.2); it is filled up with random letters. The task
is to find the homologous string among the decoys by the best local alignment.

svm : `AlignmentSVM`, n-slack with quadratic slack, epsilon 0.1
generative : substitution scores log p(x, z) / (p(x) p(z)) by Laplace estimates, gaps
    score -0.2

A JSON line for each number of training examples: mean errors in percent over the
repetitions, their standard deviations, and the number of constraints. Then the table of
the page.
"""
from __future__ import annotations

import argparse
import json

import numpy as np

from orange_structpred.problems import AlignmentSVM
from orange_structpred.problems.alignment.alignment_problem import AlignmentProblem

LETTERS, LENGTH, DECOYS, OPERATIONS = 20, 50, 10, 30
SHARES = (0.2, 0.4, 0.2, 0.2)       # match, substitute, insert, delete
SIZES = (1, 2, 4, 10, 20, 40, 80)
C, EPSILON, GAP = 100., 0.1, -0.2


def draw(rng: np.random.Generator, length: int) -> list[int]:
    weights = np.arange(1, LETTERS + 1)
    return (1 + rng.choice(LETTERS, length, p=weights / weights.sum())).tolist()


def example(rng: np.random.Generator):
    """((native, candidates), (true candidate, operations))."""
    native = draw(rng, LENGTH)
    kinds = rng.choice(4, OPERATIONS, p=SHARES)
    start = int(rng.integers(0, LENGTH - np.count_nonzero(kinds != 2) + 1))
    homologous: list[int] = []
    operations: list[tuple[int | None, int | None]] = []
    place = start
    for kind in kinds:
        if kind == 2:
            operations.append((None, len(homologous)))
            homologous += draw(rng, 1)
            continue
        if kind == 3:
            operations.append((place, None))
        else:
            operations.append((place, len(homologous)))
            letter = native[place]
            homologous.append(letter if kind == 0 else letter % LETTERS + 1)
        place += 1
    before = int(rng.integers(0, LENGTH - len(homologous) + 1))
    filled = [*draw(rng, before), *homologous,
              *draw(rng, LENGTH - before - len(homologous))]
    operations = [(i, None if j is None else j + before) for i, j in operations]
    candidates = [draw(rng, LENGTH) for _ in range(DECOYS + 1)]
    true = int(rng.integers(DECOYS + 1))
    candidates[true] = filled
    return (native, candidates), (true, operations)


def generative_weights(X, y) -> np.ndarray:
    """log p(x, z) / (p(x) p(z)) of aligned letters, Laplace estimates; then the gap."""
    pairs = np.ones((LETTERS, LETTERS))
    for (native, candidates), (true, operations) in zip(X, y):
        for i, j in operations:
            if i is not None and j is not None:
                pairs[native[i] - 1, candidates[true][j] - 1] += 1
    single = np.ones(LETTERS)
    for native, candidates in X:
        for string in (native, *candidates):
            np.add.at(single, np.array(string) - 1, 1)
    pairs, single = pairs / pairs.sum(), single / single.sum()
    return np.append(np.log(pairs / np.outer(single, single)).ravel(), GAP)


def error(estimator: AlignmentSVM, X, y, w: np.ndarray) -> float:
    """Percent of inputs for which a decoy is chosen."""
    problem = AlignmentProblem(estimator._encode(X, fitting=False), [None] * len(X),
                               LETTERS)
    found = [problem.predict(x, w).candidate for x in problem.X]
    return 100 * float(np.mean([one != true for one, (true, _) in zip(found, y)]))


def run(n: int, seed: int, n_test: int) -> dict[str, float]:
    rng = np.random.default_rng([n, seed])
    X, y = zip(*(example(rng) for _ in range(n)))
    X_test, y_test = zip(*(example(rng) for _ in range(n_test)))
    svm = AlignmentSVM(C=C, tol=EPSILON, solver="n-slack",
                       solver_options={"penalty": "quadratic"})
    # all letters are known, whether or not these strings have them
    svm._encode([(list(range(1, LETTERS + 1)), [[1]])], fitting=True)
    inputs = svm._encode(X, fitting=False)
    svm._fit(svm._problem(inputs, svm._encode_outputs(inputs, y, fitting=True)))
    generative = generative_weights(X, y)
    return {"svm_train": error(svm, X, y, svm.coef_),
            "svm_test": error(svm, X_test, y_test, svm.coef_),
            "generative_train": error(svm, X, y, generative),
            "generative_test": error(svm, X_test, y_test, generative),
            "constraints": len(svm._solution.dual_state.planes)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--test", type=int, default=100)
    args = parser.parse_args()
    print_table(args.repetitions, args.test)


def print_table(repetitions: int, n_test: int) -> None:
    rows = []
    for n in SIZES:
        found = [run(n, seed, n_test) for seed in range(repetitions)]
        line = {"n": n}
        for key in found[0]:
            values = [one[key] for one in found]
            line[key] = round(float(np.mean(values)), 1)
            line[f"{key}_sd"] = round(float(np.std(values)), 1)
        print(json.dumps(line), flush=True)
        rows.append("| " + " | ".join([str(n), *(
            f"{line[key]} \u00b1 {line[f'{key}_sd']}" for key in (
                "generative_train", "svm_train", "generative_test", "svm_test",
                "constraints"))]) + " |")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
