"""How long a treebank takes to read, against the package `conllu`.

    python benchmarks/reading.py --treebanks DIR

Prints JSON lines: `read_s`, seconds for the training part of UD English EWT as a
Treebank with all its columns; `conllu_s`, seconds in which `conllu` parses the same
file; `ratio` of the two. Each is the median of the runs, which take turns.
"""
import argparse
import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import conllu

from orange_structpred import Treebank

FILE = "en_ewt-ud-train.conllu"


def seconds(action: Callable[[Path], object], path: Path) -> float:
    # Neither pays for the garbage of the other, nor for what is imported.
    gc.collect()
    gc.freeze()
    start = time.perf_counter()
    action(path)
    return time.perf_counter() - start


def read(path: Path) -> int:
    return len(Treebank.from_file(path))


def parse_with_conllu(path: Path) -> int:
    return len(conllu.parse(path.read_text(encoding="utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help=f"folder that holds {FILE}")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    path = arguments.treebanks / FILE
    ours, theirs = [], []
    for _ in range(arguments.runs):
        ours.append(seconds(read, path))
        theirs.append(seconds(parse_with_conllu, path))
    results = {"read_s": median(ours), "conllu_s": median(theirs),
               "ratio": median(ours) / median(theirs)}
    for name, value in results.items():
        print(json.dumps({"name": name, "value": round(value, 4)}))


if __name__ == "__main__":
    main()
