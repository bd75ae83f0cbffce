"""How true the probabilities of heads are, as JSON lines: reliability diagrams.

    python benchmarks/calibration.py --treebanks DIR > doc/calibration.jsonl
    python doc/make_reliability.py

Parsers with default settings, trained on one part of a treebank and measured on another;
`temperature` was fitted to sentences that were held out of the training part or, where it
is small, by cross-validation. `ece` is the expected calibration error.
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path

#: Title, training part, test part, how many sentences of it, parameters
RUNS = (
    ("EWT, second order", "en_ewt-ud-train", "en_ewt-ud-test", None, {}),
    ("German GSD, second order", "de_gsd-ud-test", "de_gsd-ud-dev", None, {}),
    ("EWT, 2,000 sentences, BCFW", "en_ewt-ud-train", "en_ewt-ud-test", 2000,
     {"solver": "bcfw"}),
    ("EWT, 2,000 sentences, kernel", "en_ewt-ud-train", "en_ewt-ud-test", 2000,
     {"features": "kernel"}),
    ("EWT, 200 sentences, BCFW", "en_ewt-ud-train", "en_ewt-ud-test", 200,
     {"solver": "bcfw"}),
)


def measure(folder: Path, title: str, train: str, test: str, sentences: int | None,
            parameters: dict) -> dict:
    from orange_structpred import ParserLearner, Treebank, calibration, evaluate

    data, unseen = (Treebank.from_file(folder / f"{name}.conllu")
                    for name in (train, test))
    parser = ParserLearner(relations=False, **parameters)(data[:sentences])
    parsed = parser(unseen, probabilities=True)
    found = calibration(parsed)
    return {
        "title": title, "train": train, "test": test, "uas": evaluate(parsed).uas,
        "temperature": parser.temperature, "ece": found.ece,
        "counts": found.counts.tolist(),
        **{name: [None if value != value else round(value, 4) for value in own.tolist()]
           for name, own in (("confidence", found.confidence),
                             ("accuracy", found.accuracy))}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,test}.conllu and de_gsd-ud-{dev,test}.conllu")
    args = parser.parse_args()
    for run in RUNS:
        print(json.dumps(measure(args.treebanks, *run)), flush=True)


if __name__ == "__main__":
    main()
