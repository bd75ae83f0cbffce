"""What the tables and figures of chapter 6 are made of."""
from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.plane_products import PRODUCTS, kernel_problem
from benchmarks.study.lines import PASSES, Job, Setting, Study
from orange_structpred.kernels import AnnotatedNgram
from orange_structpred.parsing.decoding.decoders import EXACT
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.svm import OneSlack
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.encoding import encode

DEVELOPMENT = 5000      # sentences of the thesis's small experiments, each half
EPSILONS = (0.05, 0.01)
HASHES = ("tokens", "lemmas", "posTags", "posTags2", "wordVecs")
TAGS = "posTags2::dir"
NGRAMS = {"n": 6, "decay": 0.5}
KERNELS: dict[str, dict] = {
    "bow": {}, "poly-bow": {"degree": 2}, "ngram": NGRAMS, "annotated-ngram": NGRAMS}
#: Values of C: the n-gram kernels are normalised, the bags of words are not
LARGE, SMALL = [0.1, 1, 10, 100, 1000], [0.01, 0.1, 1, 10, 100]


@dataclass(frozen=True)
class Part:
    """What one table or figure of the thesis, or several, are made of.

    sentences : of each half; None for all of them
    """

    makes: tuple[str, ...]
    sentences: int | None
    settings: list[Setting]
    passes: int = PASSES


def kernel_model(hashes: Sequence[str], kernel: str = "constant", **more) -> dict:
    return {"features": "kernel", "hash": list(hashes), "kernel": kernel,
            "kernel_params": KERNELS.get(kernel) or None, **more}


def hash_settings(names: Sequence[str], Cs: Sequence[float]) -> list[Setting]:
    return [Setting({"hash": name}, Cs, kernel_model([name])) for name in names]


PARTS: dict[str, Part] = {
    "hashes": Part(("table 6.2", "figure 6.3"), DEVELOPMENT, hash_settings(
        [name + end for name in HASHES for end in ("", "::dir")], [0.1, 1, 10])),
    "tags": Part(("table 6.3", "figure 6.3"), DEVELOPMENT, hash_settings(
        [name + end for name in ("posTags", "posTags2") for end in ("", "::dir")],
        [50, 100, 200])),
    "kernels": Part(("figure 6.4",), DEVELOPMENT, [
        Setting({"kernel": kernel}, SMALL if "bow" in kernel else LARGE,
                kernel_model([TAGS], kernel))
        for kernel in ("constant", *KERNELS)]),
    "construction": Part(("table 6.5", "figure 6.5"), DEVELOPMENT, [
        Setting({"decoder": decoder}, [0.001, 0.01, 0.1, 1, 2, 10],
                kernel_model([TAGS], "poly-bow", decoder=decoder))
        for decoder in ("exact", "approximate")]),
    "full": Part(("table 6.4",), None, [
        Setting({"kernel": "ngram"}, [10, 100, 500, 1000], kernel_model([TAGS], "ngram")),
        Setting({"kernel": "poly-bow"}, [0.1, 1, 10], kernel_model([TAGS], "poly-bow"))]),
    "best": Part(("table 6.6",), None, [Setting(
        {"hash": f"{TAGS} + tokens", "kernel": "annotated-ngram"},
        [10, 50, 75, 100, 200, 500, 1000],
        kernel_model([TAGS, "tokens"], "annotated-ngram"))]),
    # min_count 6 is the thesis's "more than 5 times"
    "explicit": Part(("table 6.1",), None, [Setting(
        {"features": "explicit"}, [0.1, 1, 10, 100, 200],
        {"features": "explicit", "order": 1, "min_count": 6})], passes=10),
}


def run_part(study: Study, name: str) -> None:
    part = PARTS[name]
    epsilons = list(filter(study.wants, EPSILONS))
    for language in study.languages():
        train, test = study.treebanks(language, part.sentences)
        study.measure(
            Job({"part": name, "language": language, "share": study.share,
                 "setting": setting.shown}, train, test, setting, epsilons, part.passes)
            for setting in part.settings)


# Running time (figure 6.6)

TIMED_C, TIMED_EPSILON = 10., 0.05
TIMED_SIZES = (50, 100, 200, 400, 800, 1600, 3200)
PATIENCE = 60           # CPU seconds: a product that took longer is not timed further


def running_times(study: Study) -> None:
    """CPU time of training against the number of sentences: Algorithm 3 with the
    products of Algorithms 4 to 7."""
    present = study.languages()
    if not present:
        return
    language = present[0]
    train, _ = study.treebanks(language, None)
    for product in PRODUCTS:
        seconds_to_train(list(train.sentences[:5]), product)        # compiles
        for size in TIMED_SIZES:
            key = {"part": "time", "language": language, "share": study.share,
                   "epsilon": TIMED_EPSILON, "setting": {"product": product},
                   "sentences": size}
            line = study.line(key)
            if line is None:
                if size > len(train):
                    break
                line = study.add(key, {"cpu_s": round(seconds_to_train(
                    list(train.sentences[:size]), product), 3)})
            if line["cpu_s"] > PATIENCE * study.share:
                break


def seconds_to_train(sentences: list[Sentence], product: str) -> float:
    """CPU time of hashing and of Algorithm 3, the Gram matrix being there."""
    gram = AnnotatedNgram(**NGRAMS).gram(sentences)
    encoded = encode(sentences)
    began = time.process_time()
    hashed, known = hash_edges(sentences, encoded, HashFunctions([TAGS]))
    problem = kernel_problem(product, encoded, hashed, len(known), gram, EXACT)
    OneSlack(C=TIMED_C, epsilon=TIMED_EPSILON).solve(problem)
    return time.process_time() - began
