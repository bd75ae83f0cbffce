"""How good kernel parsers are: a line of JSON for each parser that is trained.

    python benchmarks/kernel_study.py --treebanks DIR [--part PART ...]

All parsers learn from the first 5,000 sentences of UD English EWT's training part and
are scored on its development part; gold tags, all tokens. Each line has the unlabeled
attachment score (uas), the training loss and the CPU seconds of training; all parts
together need about an hour of them. The parts, in the order in which they build on each
other:

hashes : each of ten hash functions, no input kernel, a few C
kernels : each input kernel with the best of these hash functions, a few C
sums : several hash functions, with and without the best of these kernels
rich : many hash functions, with and without an input kernel, by MIRA too
explicit : the parser with explicit features
german : rich and explicit, from the test part of UD German GSD, scored on its
    development part

What `kernels` and `sums` build on is read from the lines of a run before, with
--lines FILE; without it the parts before are run too.
"""
from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from orange_structpred import ParserLearner, Treebank, evaluate
from orange_structpred.kernels import (
    AnnotatedNgram,
    BagOfWords,
    Constant,
    Gaussian,
    Ngram,
    Normalized,
    PolynomialBagOfWords,
    Sum,
)
from orange_structpred.learner.parameters import DEFAULT_HASHES
from orange_structpred.parsing.kernel.hash_functions import HASHES

SENTENCES = 5000
TEN = list(HASHES)[:10]
# All normalised: k(x, x) = 1, so that C means the same for each of them.
KERNELS = {
    "constant": Constant(),
    "bow": BagOfWords(normalized=True),
    "poly-bow": Normalized(PolynomialBagOfWords(degree=2)),
    "gaussian": Gaussian(),
    "ngram": Ngram(n=6),
    "annotated-ngram": AnnotatedNgram(n=6),
}
# What a kernel of similar sentences adds to one in which all count the same.
ADDED = {
    f"constant + 0.3 {name}": Sum([Constant(), kernel], weights=[1, 0.3])
    for name, kernel in {**KERNELS, "ngram upos": Ngram(n=3, layer="upos")}.items()
    if name != "constant"}
CS = (1, 10, 100)
LARGE_CS = (10, 100, 1000)
SEVERAL = ["posTags::dir", "posTags2::dir", "lemmas", "headLemma::dir", "depLemma::dir",
           "inside::dir", "outside::dir", "between::dir", "commasBetween::dir",
           "verbsBetween::dir"]


class Study:
    """Trains, scores, tells, and remembers the best of each part."""

    def __init__(self, folder: Path, sentences: int, lines: list[dict]):
        self.folder, self.lines = folder, lines
        self.take("en_ewt-ud-train.conllu", "en_ewt-ud-dev.conllu", sentences)

    def take(self, train: str, dev: str, sentences: int | None = None) -> None:
        """Learn from the first sentences of a file, and score on another."""
        self.train = Treebank.from_file(self.folder / train)[:sentences]
        self.dev = Treebank.from_file(self.folder / dev)

    def tell(self, part: str, *, hash: list[str] | None = None,
             kernel: str = "constant", solver: str = "bcfw", **parameters) -> None:
        options = {} if hash is None else {
            "features": "kernel", "hash": hash, "kernel": {**KERNELS, **ADDED}[kernel]}
        began = time.process_time()
        parser = ParserLearner(solver=solver, n_jobs=1, **options, **parameters)(
            self.train)
        seconds = time.process_time() - began
        line = {
            "name": part, "uas": round(100 * evaluate(parser(self.dev)).uas, 2),
            **({} if hash is None else {"hash": hash, "kernel": kernel}),
            "solver": solver, **parameters, "loss": round(100 * parser.log[-1].loss, 2),
            "train_cpu_s": round(seconds, 1)}
        print(json.dumps(line), flush=True)
        self.lines.append(line)

    def best(self, part: str) -> dict:
        own = [line for line in self.lines if line["name"] == part]
        if not own:
            PARTS[part](self)
            return self.best(part)
        return max(own, key=lambda line: line["uas"])


def hashes(study: Study) -> None:
    for name in TEN:
        for C in CS:
            study.tell("hashes", hash=[name], C=C)


def kernels(study: Study) -> None:
    best = study.best("hashes")["hash"]
    for kernel in KERNELS:
        for C in LARGE_CS:
            study.tell("kernels", hash=best, kernel=kernel, C=C)


def sums(study: Study) -> None:
    [first], kernel = study.best("hashes")["hash"], study.best("kernels")
    for hash in (["posTags2::dir", "tokens"], [first, "tokens"], [first, "lemmas"],
                 TEN, list(DEFAULT_HASHES), SEVERAL):
        study.tell("sums", hash=hash, C=100)
        study.tell("sums", hash=hash, C=kernel["C"], kernel=kernel["kernel"])


def rich(study: Study) -> None:
    for hash in (SEVERAL, ["rich"]):
        study.tell("rich", hash=hash, C=100)
        study.tell("rich", hash=hash, solver="mira", C=1)
    for kernel in ADDED:
        study.tell("rich", hash=SEVERAL, kernel=kernel, solver="mira", C=1)
    added = max((line for line in study.lines if line.get("kernel") in ADDED),
                key=lambda line: line["uas"])
    study.tell("rich", hash=["rich"], kernel=added["kernel"], solver="mira", C=1)


def explicit(study: Study) -> None:
    study.tell("explicit", solver="bcfw", C=100)
    study.tell("explicit", solver="mira", C=1)


def german(study: Study) -> None:
    """The last part: it takes other treebanks."""
    study.take("de_gsd-ud-test.conllu", "de_gsd-ud-dev.conllu")
    study.tell("german", hash=["rich"], solver="mira", C=1)
    study.tell("german", solver="mira", C=1)


PARTS = {part.__name__: part
         for part in (hashes, kernels, sums, rich, explicit, german)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,dev}.conllu and, for the last "
                        "part, de_gsd-ud-{test,dev}.conllu")
    parser.add_argument("--part", choices=PARTS, nargs="+", default=list(PARTS))
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--lines", type=Path, help="lines of a run before")
    args = parser.parse_args()
    lines = ([json.loads(line) for line in args.lines.read_text().splitlines()]
             if args.lines else [])
    study = Study(args.treebanks, args.sentences, lines)
    for part in sorted(args.part, key=list(PARTS).index):
        PARTS[part](study)


if __name__ == "__main__":
    main()
