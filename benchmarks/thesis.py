"""Chapter 6 of the thesis again, on free treebanks.

    python benchmarks/thesis.py --treebanks DIR --all [--quick]
    python benchmarks/thesis.py --treebanks DIR --table 6.2 --figure 6.4

Each model is trained as the thesis says and written as a line of JSON to --lines
(doc/study.jsonl); what is there already is not computed again, so that an interrupted run
goes on where it was. `python doc/make_study.py` makes the page and the figures of it.

Treebanks: English is the training part of UD English EWT, German the development and test
parts of UD German GSD together; --also NAME=FILE,FILE adds another (UD German HDT comes
closest to the thesis's newspaper; `orange-structpred fetch` gets it). Each is halved by
whole documents drawn at random, one half to learn from, one to test on. What the thesis
does with 5,000 sentences for each is done with the first 5,000 of the halves.

--quick takes every tenth of the sentences. --scheduler computes on a Dask cluster.
"""
from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from orange_structpred import Treebank
from orange_structpred.kernels import AnnotatedNgram
from orange_structpred.parsing.decoding.decoders import EXACT
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.svm import OneSlack
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.encoding import encode
from orange_structpred.tuning.search import tune

LINES = Path(__file__).resolve().parent.parent / "doc" / "study.jsonl"
FILES = {"English": ("en_ewt-ud-train.conllu",),
         "German": ("de_gsd-ud-dev.conllu", "de_gsd-ud-test.conllu")}
DEVELOPMENT = 5000      # sentences of the thesis's small experiments, each half
QUICK = 0.1
EPSILONS = (0.05, 0.01)
PASSES = 200            # more than any of these models needs
HASHES = ("tokens", "lemmas", "posTags", "posTags2", "wordVecs")
TAGS = "posTags2::dir"
NGRAMS = {"n": 6, "decay": 0.5}
KERNELS: dict[str, dict] = {
    "bow": {}, "poly-bow": {"degree": 2}, "ngram": NGRAMS, "annotated-ngram": NGRAMS}
DECADES = [0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000]


@dataclass(frozen=True)
class Setting:
    """Models for rising C, all else being equal.

    shown : what tells the setting from others of its part, as in the page
    stop_raising : whether C is raised until the training loss no longer improves
    """

    shown: dict[str, str]
    Cs: Sequence[float]
    parameters: dict[str, object]
    stop_raising: bool = False


@dataclass(frozen=True)
class Part:
    """What one table or figure of the thesis, or several, are made of."""

    makes: tuple[str, ...]
    whole: bool             # all sentences, or the small development set
    settings: list[Setting] = field(default_factory=list)
    epsilons: tuple[float, ...] = EPSILONS


def kernel_model(hashes: Sequence[str], kernel: str = "constant", **more) -> dict:
    return {"features": "kernel", "hash": list(hashes), "kernel": kernel,
            "kernel_params": KERNELS.get(kernel) or None, **more}


def hash_settings(names: Sequence[str], Cs: Sequence[float]) -> list[Setting]:
    return [Setting({"hash": name}, Cs, kernel_model([name])) for name in names]


PARTS: dict[str, Part] = {
    "explicit": Part(("table 6.1",), True, [Setting(
        {"features": "explicit"}, [0.1, 1, 10, 100, 200],
        {"features": "explicit", "order": 1, "min_count": 6})]),
    "hashes": Part(("table 6.2", "figure 6.3"), False, hash_settings(
        [name + end for name in HASHES for end in ("", "::dir")], [0.1, 1, 10])),
    "tags": Part(("table 6.3", "figure 6.3"), False, hash_settings(
        [name + end for name in ("posTags", "posTags2") for end in ("", "::dir")],
        [50, 100, 200])),
    "kernels": Part(("figure 6.4",), False, [
        Setting({"kernel": kernel}, DECADES, kernel_model([TAGS], kernel),
                stop_raising=True) for kernel in ("constant", *KERNELS)]),
    "full": Part(("table 6.4",), True, [
        Setting({"kernel": "ngram"}, [10, 100, 500, 1000], kernel_model([TAGS], "ngram")),
        Setting({"kernel": "poly-bow"}, [0.1, 1, 10], kernel_model([TAGS], "poly-bow"))]),
    "construction": Part(("table 6.5", "figure 6.5"), False, [
        Setting({"decoder": decoder}, [0.001, 0.01, 0.1, 1, 2, 10],
                kernel_model([TAGS], "poly-bow", decoder=decoder))
        for decoder in ("exact", "approximate")]),
    "best": Part(("table 6.6",), True, [Setting(
        {"hash": f"{TAGS} + tokens", "kernel": "annotated-ngram"},
        [10, 50, 75, 100, 200, 500, 1000],
        kernel_model([TAGS, "tokens"], "annotated-ngram"))]),
}


class Halves:
    """A treebank's sentences, half to learn from and half to test on."""

    def __init__(self, paths: Sequence[Path], share: float, seed: int = 0):
        sentences = [s for path in paths for s in Treebank.from_file(path).sentences]
        if share < 1:
            sentences = sentences[::round(1 / share)]
        documents = split_documents(sentences)
        order = np.random.default_rng(seed).permutation(len(documents))
        drawn = [s for k in order for s in documents[k]]
        bounds = np.cumsum([len(documents[k]) for k in order])
        middle = int(bounds[np.argmin(np.abs(bounds - len(drawn) / 2))])
        self.train, self.test = drawn[:middle], drawn[middle:]

    def treebanks(self, size: int | None) -> tuple[Treebank, Treebank]:
        return (Treebank.from_sentences(self.train[:size], name="train"),
                Treebank.from_sentences(self.test[:size], name="test"))


def split_documents(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """Sentences by document; each for itself in a treebank without documents."""
    marked = ["# newdoc" in sentence.block for sentence in sentences]
    if not any(marked):
        return [[sentence] for sentence in sentences]
    documents: list[list[Sentence]] = []
    for sentence, first in zip(sentences, marked):
        if first or not documents:
            documents.append([])
        documents[-1].append(sentence)
    return documents


class Study:
    """Computes what is not in the lines yet, and adds it there."""

    def __init__(self, lines: Path, files: dict[str, Sequence[Path]], share: float,
                 scheduler: str | None):
        self.path, self.files, self.share = lines, files, share
        self.scheduler = scheduler
        self.lines = [json.loads(line) for line in lines.read_text("utf-8").splitlines()
                      ] if lines.exists() else []
        self.halves: dict[str, Halves] = {}

    def run(self, name: str) -> None:
        part = PARTS[name]
        for language, paths in self.files.items():
            if not all(path.exists() for path in paths):
                missing = ", ".join(str(path) for path in paths if not path.exists())
                print(f"{language} is left out: there is no {missing}")
                continue
            for epsilon in part.epsilons:
                for setting in part.settings:
                    key = {"part": name, "language": language, "share": self.share,
                           "epsilon": epsilon, "setting": setting.shown}
                    if not self.is_done(key):
                        self.add(key, self.measured(
                            *self.treebanks(language, part.whole), setting, epsilon))

    def is_done(self, key: dict) -> bool:
        return any(key.items() <= line.items() for line in self.lines)

    def add(self, key: dict, found: dict) -> None:
        line = {**key, **found}
        self.lines.append(line)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)

    def treebanks(self, language: str, whole: bool) -> tuple[Treebank, Treebank]:
        if language not in self.halves:
            self.halves[language] = Halves(self.files[language], self.share)
        size = None if whole else round(self.share * DEVELOPMENT)
        return self.halves[language].treebanks(size)

    def measured(self, train: Treebank, test: Treebank, setting: Setting,
                 epsilon: float) -> dict:
        """What a model for each C does on both treebanks."""
        began = time.process_time()
        tuning = tune(
            train, {"C": list(setting.Cs)}, validation=test, keep="all",
            stop_raising=setting.stop_raising, client=self.scheduler,
            **{"solver": "bcfw", "epsilon": epsilon, "passes": PASSES, "decoder": "exact",
               "relations": False, "calibrate": False, **setting.parameters})
        seconds = time.process_time() - began
        points = []
        for point in tuning.points:
            parser = tuning.kept_parser(point)
            points.append({
                "C": point.C, "train": percent(point.train_loss),
                "test": percent(point.validation_loss),
                "valid_trees": percent(point.valid_trees),
                "squared_norm": float(f"{point.squared_norm:.5g}"),
                "passes": parser.log[-1].pass_, "converged": parser.converged})
        return {"sentences": [len(train), len(test)], "points": points,
                "cpu_s": round(seconds, 1)}


def percent(share: float) -> float:
    return round(100 * share, 2)


# Running time (figure 6.6)

TIMED_C, TIMED_EPSILON = 10., 0.05
TIMED_SIZES = (50, 100, 200, 400, 800, 1600, 3200)
TIMED_PRODUCTS = ("naive", "hash-table", "index")
PATIENCE = 300          # CPU seconds: a product that took longer is not timed further


def running_times(study: Study) -> None:
    """CPU time of training against the number of sentences: Algorithm 3 with the
    products of Algorithms 4 to 7."""
    language = next(iter(study.files))
    train, _ = study.treebanks(language, True)
    for product in TIMED_PRODUCTS:
        seconds_to_train(list(train.sentences[:5]), product)        # compiles
        for size in TIMED_SIZES:
            size = round(size * max(study.share, QUICK))
            key = {"part": "time", "language": language, "share": study.share,
                   "epsilon": TIMED_EPSILON, "setting": {"product": product},
                   "sentences": size}
            if not study.is_done(key):
                study.add(key, {"cpu_s": round(seconds_to_train(
                    list(train.sentences[:size]), product), 3)})
            line = next(line for line in study.lines if key.items() <= line.items())
            if line["cpu_s"] > PATIENCE * study.share:
                break


def seconds_to_train(sentences: list[Sentence], product: str) -> float:
    """CPU time of hashing and of Algorithm 3, the Gram matrix being there."""
    gram = AnnotatedNgram(**NGRAMS).gram(sentences)
    encoded = encode(sentences)
    began = time.process_time()
    hashed, known = hash_edges(sentences, encoded, HashFunctions([TAGS]))
    problem = KernelProblem(encoded, hashed, len(known), gram, EXACT, product=product)
    OneSlack(C=TIMED_C, epsilon=TIMED_EPSILON).solve(problem)
    return time.process_time() - began


# Why the thesis's kernels gain more

OVERLAPS = (0., 0.25, 0.5)
OVERLAP_MODELS = {
    "posTags2::dir": kernel_model([TAGS]), "tokens::dir": kernel_model(["tokens::dir"]),
    "lemmas::dir": kernel_model(["lemmas::dir"]),
    "posTags2::dir, annotated-ngram": kernel_model([TAGS], "annotated-ngram")}


def overlaps(study: Study) -> None:
    """What a share of test sentences that are training sentences as well would do."""
    for language in study.files:
        train, test = study.treebanks(language, False)
        for share in OVERLAPS:
            kept = list(test.sentences[round(share * len(test)):])
            mixed = Treebank.from_sentences(
                [*train.sentences[:len(test) - len(kept)], *kept], name="mixed")
            for name, parameters in OVERLAP_MODELS.items():
                key = {"part": "overlap", "language": language, "share": study.share,
                       "epsilon": EPSILONS[0], "setting": {"model": name},
                       "overlap": share}
                if not study.is_done(key):
                    study.add(key, study.measured(
                        train, mixed, Setting({}, [10, 100], parameters), EPSILONS[0]))


FURTHER = {"time": (("figure 6.6",), running_times), "overlap": (("why",), overlaps)}


def made_by(wanted: Sequence[str]) -> Iterator[str]:
    """The parts that tables and figures are made of."""
    makes = {**{name: part.makes for name, part in PARTS.items()},
             **{name: own for name, (own, _) in FURTHER.items()}}
    return (name for name, own in makes.items() if set(own) & set(wanted))


def main() -> None:
    tables = sorted({own.removeprefix("table ") for part in PARTS.values()
                     for own in part.makes if own.startswith("table")})
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of the CoNLL-U files of UD English EWT, German GSD")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FILE,FILE",
                        help="another treebank, for example German-HDT=hdt.conllu")
    parser.add_argument("--table", action="append", default=[], choices=tables)
    parser.add_argument("--figure", action="append", default=[],
                        choices=("6.3", "6.4", "6.5", "6.6"))
    parser.add_argument("--why", action="store_true",
                        help="why the thesis's input kernels gain more")
    parser.add_argument("--all", action="store_true", help="all of these")
    parser.add_argument("--quick", action="store_true",
                        help="a tenth of the sentences")
    parser.add_argument("--lines", type=Path, default=LINES, metavar="FILE",
                        help="results (default: doc/study.jsonl)")
    parser.add_argument("--scheduler", help="address of a Dask scheduler, or local")
    args = parser.parse_args()
    wanted = [*(f"table {number}" for number in args.table),
              *(f"figure {number}" for number in args.figure),
              *(["why"] if args.why else [])]
    if not wanted and not args.all:
        parser.error("say what to make: --table, --figure, --why or --all")
    files = {name: [args.treebanks / file for file in own] for name, own in FILES.items()}
    for text in args.also:
        name, _, own = text.partition("=")
        files[name] = [Path(file) for file in own.split(",")]
    study = Study(args.lines, files, QUICK if args.quick else 1., args.scheduler)
    for name in [*PARTS, *FURTHER] if args.all else made_by(wanted):
        if name in PARTS:
            study.run(name)
        else:
            FURTHER[name][1](study)


if __name__ == "__main__":
    main()
