"""A small estimator of each kind, with data that it learns from."""
from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from orange_structpred.kernels import BagOfWords, Constant, Ngram, Nystroem, Sum
from orange_structpred.problems import (
    HMM,
    PCFG,
    AlignmentSVM,
    GrammarSVM,
    GraphCRF,
    GraphSVM,
    GridSVM,
    LatentClassSVM,
    LatentSequenceSVM,
    MatchingSVM,
    MulticlassSVM,
    MultilabelSVM,
    RankingSVM,
    SequenceCRF,
    SequenceSVM,
    StructuredEstimator,
    StructuredSVM,
    TaxonomySVM,
    read_alignment,
)
from orange_structpred.svm import Problem
from tests.problems.atomic.toy import Tags, X, Y, common_words


class Signs(Problem):
    """The sign of a number."""

    def __init__(self, X, Y):
        super().__init__(X, Y, 2)

    def joint_features(self, x, y):
        return np.array([x * y, y])

    def loss(self, y, y_hat):
        return float(y != y_hat)

    def predict(self, x, w):
        return max((-1, 1), key=lambda y: w @ self.joint_features(x, y))

    def separate(self, x, y, w):
        return max((-1, 1), key=lambda y_hat: (
            w @ self.joint_features(x, y_hat) + self.loss(y, y_hat)))


RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(24, 3))
CLASSES = np.array(["a", "b", "c"])[(ROWS[:, 0] > 0).astype(int) + (ROWS[:, 1] > 0.5)]
TEXTS = ["red rat", "cow rod", "red bus", "cow cup", "red rug", "cow box"]
GRAPHS = [(RNG.normal(size=(3, 2)), [(0, 1), (1, 2)]) for _ in range(6)]
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))))",
         "(S (NP (NN cat)) (VP (VBZ sleeps)))"]
STRINGS = [["DT", "NN", "VBZ", "DT", "NN"], ["NN", "VBZ"]]


class Sample(NamedTuple):
    estimator: StructuredEstimator
    X: Any
    y: Any
    code: dict = {}         # that files do not hold


def zero_or_two(y, y_hat):
    return 2. * (y != y_hat)


def length_only(string, start, end):
    return [f"length={end - start}"]


SAMPLES: dict[str, Sample] = {
    "multiclass": Sample(MulticlassSVM(C=10.), ROWS, CLASSES),
    "multiclass-numbers": Sample(MulticlassSVM(C=10., fit_intercept=False), ROWS,
                                 (ROWS[:, 0] > 0).astype(int)),
    "multiclass-rbf": Sample(MulticlassSVM(kernel="rbf", C=10.), ROWS, CLASSES),
    "multiclass-texts": Sample(
        MulticlassSVM(kernel=Sum([Constant(), BagOfWords()]), C=10.), TEXTS,
        ["r", "c", "r", "c", "r", "c"]),
    "multiclass-function": Sample(
        MulticlassSVM(kernel=common_words, loss=zero_or_two), X, ["a", "b"] * 3,
        {"kernel": common_words, "loss": zero_or_two}),
    "multiclass-probability": Sample(MulticlassSVM(probability=True), ROWS,
                                     (ROWS[:, 0] > 0).astype(int)),
    "taxonomy": Sample(TaxonomySVM(C=10.), ROWS, np.char.add("root/", CLASSES)),
    "multilabel": Sample(MultilabelSVM(C=10.), ROWS, (ROWS > 0).astype(int)),
    "sequence": Sample(SequenceSVM(C=10.), X, Y),
    "sequence-second": Sample(SequenceSVM(order=2, class_weight="balanced"), X, Y),
    "sequence-ngram": Sample(SequenceSVM(kernel=Ngram(n=2), C=10.), X, Y),
    "sequence-ngram-ends": Sample(SequenceSVM(kernel=Ngram(n=2), start_stop=True, C=10.), X, Y),
    "sequence-rows": Sample(SequenceSVM(), [ROWS[:4], ROWS[4:9]],
                            [["a"] * 2 + ["b"] * 2, ["b"] * 5]),
    "sequence-ends": Sample(SequenceSVM(C=10., start_stop=True), X, Y),
    "crf": Sample(SequenceCRF(C=10.), X, Y),
    "hmm": Sample(HMM(), X, Y),
    "alignment": Sample(AlignmentSVM(C=10.), [
        ("GATTACA", ["CCGTCC", "GATACA"]), ("TTAGC", ["TAGGC", "CCCCA"])], [
        (1, read_alignment("GATTACA", "GAT-ACA")), (0, read_alignment("TTAG-C", "-TAGGC"))]),
    "alignment-ngram": Sample(AlignmentSVM(C=10., kernel=Ngram(n=2)), [
        ("GATTACA", ["CCGTCC", "GATACA"]), ("TTAGC", ["TAGGC", "CCCCA"])], [
        (1, read_alignment("GATTACA", "GAT-ACA")), (0, read_alignment("TTAG-C", "-TAGGC"))]),
    "grammar-ngram": Sample(GrammarSVM(C=10., kernel=Sum([Constant(), Ngram(n=2)])), STRINGS,
                            TREES),
    "grammar": Sample(GrammarSVM(C=10., span_features="surface"), STRINGS, TREES),
    "grammar-function": Sample(GrammarSVM(span_features=length_only), STRINGS, TREES,
                               {"span_features": length_only}),
    "pcfg": Sample(PCFG(smoothing=1.), STRINGS, TREES),
    "graph": Sample(GraphSVM(C=10.), GRAPHS, [(g[0][:, 0] > 0).astype(int) for g in GRAPHS]),
    "grid": Sample(GridSVM(C=10.), [RNG.normal(size=(3, 3)) for _ in range(3)],
                   [np.eye(3, dtype=int)] * 3),
    "graph-crf": Sample(GraphCRF(C=10.), GRAPHS,
                        [(g[0][:, 0] > 0).astype(int) for g in GRAPHS]),
    "matching": Sample(MatchingSVM(C=10.), [RNG.normal(size=(2, 3, 2)) for _ in range(4)],
                       [[0, 1], [1, 2], [0, 2], [2, 1]]),
    "ranking": Sample(RankingSVM(C=10.), [RNG.normal(size=(3, 2)) for _ in range(4)],
                      [[0, 1, 2], [1, 2, 0], [0, 2, 1], [2, 1, 0]]),
    "latent-class": Sample(LatentClassSVM(max_rounds=2), ROWS, (ROWS[:, 0] > 0).astype(int)),
    "latent-sequence": Sample(LatentSequenceSVM(max_rounds=2, n_init=1), X, Y),
    "own": Sample(StructuredSVM(Signs), [1., -2., 3.], [1, -1, 1], {"problem": Signs}),
    "atomic": Sample(StructuredSVM(Tags, kernel=Sum([Constant(), Ngram(n=2)]), C=10.), X, Y,
                     {"problem": Tags}),
    "atomic-landmarks": Sample(
        StructuredSVM(Tags, kernel=Nystroem(Ngram(n=2), landmarks=3), solver="ridge", C=10.), X, Y,
        {"problem": Tags}),
    "atomic-constant": Sample(StructuredSVM(Tags, C=10.), X, Y, {"problem": Tags}),
    "atomic-ridge": Sample(
        StructuredSVM(Tags, kernel=common_words, solver="ridge", C=10.), X, Y,
        {"problem": Tags, "kernel": common_words}),
}


def fitted(name: str) -> StructuredEstimator:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SAMPLES[name].estimator.fit(SAMPLES[name].X, SAMPLES[name].y)


def save_estimators(folder: Path, names=tuple(SAMPLES)) -> list[Path]:
    """Train the estimators and write them to files of the folder."""
    for name in names:
        fitted(name).save(folder / f"{name}.npz")
    return [folder / f"{name}.npz" for name in names]


def use_estimator(path: Path, name: str) -> None:
    """Load an estimator of this name, and let it predict."""
    sample = SAMPLES[name]
    loaded = type(sample.estimator).load(path, **sample.code)
    assert len(loaded.predict(sample.X)) == len(sample.X)
    repr(loaded)
