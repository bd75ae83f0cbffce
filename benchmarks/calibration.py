"""How true the probabilities of heads are, as JSON lines: reliability diagrams.

    python benchmarks/calibration.py --treebanks DIR > doc/calibration.jsonl
    python doc/make_reliability.py

Parsers with default settings, trained on one part of a treebank and measured on another;
`temperature` was fitted to sentences that were held out of the training part. `ece` is the
expected calibration error, `ece_typical` that of a parser without a fitted temperature.
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path

RUNS = (("EWT, second order", "en_ewt-ud-train", "en_ewt-ud-test"),)


def measure(folder: Path, title: str, train: str, test: str) -> dict:
    from orange_structpred import ParserLearner, Treebank, calibration, evaluate

    data, unseen = (Treebank.from_file(folder / f"{name}.conllu")
                    for name in (train, test))
    parser = ParserLearner(relations=False)(data)
    parsed = parser(unseen, probabilities=True)
    found, fitted = calibration(parsed), parser.temperature
    parser.temperature = None
    return {
        "title": title, "train": train, "test": test, "uas": evaluate(parsed).uas,
        "temperature": fitted, "ece": found.ece,
        "ece_typical": calibration(parser(unseen, probabilities=True)).ece,
        "counts": found.counts.tolist(),
        **{name: [None if value != value else round(value, 4) for value in own.tolist()]
           for name, own in (("confidence", found.confidence),
                             ("accuracy", found.accuracy))}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,test}.conllu")
    args = parser.parse_args()
    for run in RUNS:
        print(json.dumps(measure(args.treebanks, *run)), flush=True)


if __name__ == "__main__":
    main()
