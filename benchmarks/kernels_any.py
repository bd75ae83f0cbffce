"""Kernels for any output: a line of JSON for each figure.

    python benchmarks/kernels_any.py --treebanks DIR [--sentences 1000] [--only NAME]

All on the first sentences of UD English EWT, one thread, CPU time, compilation not
counted. In brackets what is measured:

atomic_ratio : training time of dependency trees as an `AtomicProblem` in Python over that
    of the compiled kernel parser, 1,000 sentences, n-gram kernel, one-slack; beside it
    what both problems say is the objective of the compiled one's solution, the objectives
    at which both trainings ended, and the relative differences
atomic_tag_cpu_s : a tagger of one's own with an n-gram kernel on the same sentences: hash
    values, Gram matrix and BCFW
atomic_tag_memory : memory that its training takes over that of the weight vector with
    Cholesky factors as features, which has a weight for each sentence and hash value
kde_loss, kde_cpu_ratio : ridge regression against one-slack, same kernels, 2,000
    sentences: how much lower its UAS on the development part is, and training time over
    that of one-slack
kernel1_uas, kernel2_uas : kernel parsers without hand-made templates, 5,000 sentences, UAS
    on the development part: hash functions of edges, and of pairs of edges, too; beside
    them, that of explicit parsers of the same order
semi_gain : ridge regression on 200 sentences and 5,000 sentences without their trees
    against the 200 alone, the same kernels: UAS on the development part. Smoothness is
    chosen by cross-validation on the 200
mkl_gain, mkl_kept : learned weights of the 78 hash functions of `rich`, 2,000 sentences: how
    much higher the UAS on the development part is than with equal weights, and the share
    of the functions that is left; beside them, the best of the single functions, and the
    time of parsing over that with equal weights
chain_NAME : what Tsochantaridis et al. (2005, section 5.2) compare, a hidden Markov model, a
    conditional random field, the perceptron and the SVM: wrong tags (UPOS) in percent, in
    cross-validation with 5 folds on 300 sentences, from words alone; beside it those of
    the training sentences, and both from words with their endings and neighbours. C, and
    what an HMM adds to counts, are chosen by cross-validation on the first training part
"""
import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from orange_structpred import ParserLearner, Treebank, evaluate
from orange_structpred.kernels import Ngram
from orange_structpred.learner.group_learning import single_functions
from orange_structpred.parsing.decoding.decoders import PROJECTIVE, decode
from orange_structpred.parsing.features.edge_templates import distance_slot
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.problems import (
    HMM,
    AtomicProblem,
    SequenceCRF,
    SequenceSVM,
    StructuredSVM,
)
from orange_structpred.problems.atomic.atomic_kernel import prepare_problem
from orange_structpred.svm import OneSlack, Solution
from orange_structpred.svm.atomic.index_model import AveragedModel
from orange_structpred.svm.atomic.joint_kernel import JointKernelProblem
from orange_structpred.svm.atomic.symbol_index import Index
from orange_structpred.treebank import Sentence, read_conll
from orange_structpred.treebank.encoding import encode

TRAIN, DEV = "en_ewt-ud-train.conllu", "en_ewt-ud-dev.conllu"
C = 100.
EPSILON = 0.01
PASSES = 100


def show(name: str, value: float, *, digits: int = 4, **more: float) -> None:
    print(json.dumps({"name": name, "value": float(f"{value:.4g}"),
                      **{key: float(f"{x:.{digits}g}") for key, x in more.items()}}),
          flush=True)


def peak_bytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.


class Trees(AtomicProblem):
    """Projective dependency trees: edges with the tags of both ends and their distance."""

    def symbols(self, x: Sentence) -> list[tuple[int, int]]:
        return [(head, dependent) for dependent in range(len(x) + 1)
                for head in range(len(x) + 1)]

    def hash(self, symbol, x):
        head, dependent = symbol
        if dependent == 0 or head == dependent:
            return []
        return (x.xpos[head - 1] if head else "ROOT", x.xpos[dependent - 1],
                distance_slot(head, dependent))

    def construct(self, weights, x):
        scores = weights.reshape(len(x) + 1, -1).T.astype(np.float32)
        return decode(np.ascontiguousarray(scores), PROJECTIVE, True)

    def symbols_of(self, y):
        return [(int(head), dependent) for dependent, head in enumerate(y) if dependent]

    def parts(self, i, y):
        return np.arange(1, len(y)) * len(y) + y[1:]


class Tags(AtomicProblem):
    """A tag for each word; words, endings and neighbours are compared."""

    names: tuple[str, ...] = ()

    def symbols(self, x):
        return [(i, tag) for i in range(len(x)) for tag in self.names]

    def hash(self, symbol, x):
        i, tag = symbol
        return [("word", x[i], tag), ("ending", x[i][-3:], tag),
                ("before", x[i - 1] if i else "", tag),
                ("after", x[i + 1] if i + 1 < len(x) else "", tag)]

    def construct(self, weights, x):
        return [self.names[k] for k in weights.reshape(len(x), -1).argmax(axis=1)]

    def symbols_of(self, y):
        return list(enumerate(y))


def solve_trees(sentences: list[Sentence], gram: np.ndarray, atomic: bool
                ) -> tuple[float, JointKernelProblem, Solution]:
    """CPU time, problem and solution."""
    start = time.process_time()
    if atomic:
        problem, *_ = prepare_problem(
            Trees(sentences, [np.append(np.int32(-1), x.heads) for x in sentences]),
            Given(gram))
    else:
        encoded = encode(sentences)
        hashed, known = hash_edges(sentences, encoded, HashFunctions("posTags2::dir"))
        problem = KernelProblem(encoded, hashed, len(known), gram, PROJECTIVE)
    solution = OneSlack(C=C, epsilon=EPSILON, passes=PASSES).solve(problem)
    return time.process_time() - start, problem, solution


def objective(problem: JointKernelProblem, index: Index) -> float:
    """Of the coefficients in an index; both problems give values the same numbers."""
    model = AveragedModel(problem, index)
    slack = problem.violated(0, len(problem), model).hinges.mean()
    return 0.5 * model.squared_norm() + C * float(slack)


class Given(Ngram):
    """The n-gram kernel with a Gram matrix that is there already: both problems share
    it, and its time is nobody's."""

    def __init__(self, gram: np.ndarray):
        super().__init__(n=3)
        self.matrix = gram

    def gram(self, A, B=None, **options):
        return self.matrix


def compare_trees(sentences: list[Sentence]) -> tuple[float, dict[str, float]]:
    """Ratio of CPU times, and the objectives of both problems: of the same coefficients,
    and where the trainings end."""
    gram = Ngram(n=3).gram(sentences)
    compiled_s, compiled, solution = solve_trees(sentences, gram, False)
    atomic_s, atomic, other = solve_trees(sentences, gram, True)
    np.testing.assert_array_equal(compiled.hashed.ids, atomic.hashed.ids)
    index = solution.model.index
    figures = {"objective": objective(atomic, index),
               "compiled_objective": objective(compiled, index),
               "at_the_end": other.reports[-1].primal,
               "compiled_at_the_end": solution.reports[-1].primal}
    for name in ("objective", "at_the_end"):
        expected = figures[f"compiled_{name}"]
        figures[f"difference_{name}"] = abs(figures[name] - expected) / expected
    return atomic_s / compiled_s, {
        "seconds": atomic_s, "compiled_seconds": compiled_s, **figures}


def atomic_ratio(sentences: list[Sentence]) -> None:
    compare_trees(sentences[:20])       # compiles
    ratio, figures = compare_trees(sentences)
    show("atomic_ratio", ratio, digits=9, **figures)


def atomic_tag(sentences: list[Sentence]) -> None:
    X, Y = [list(x.forms) for x in sentences], [list(x.upos) for x in sentences]
    Tags.names = tuple(sorted({tag for y in Y for tag in y}))
    StructuredSVM(Tags, kernel=Ngram(n=3), max_iter=2, tol=1.).fit(X[:20], Y[:20])
    before, start = peak_bytes(), time.process_time()
    svm = StructuredSVM(Tags, kernel=Ngram(n=3), C=C).fit(X, Y)
    seconds = time.process_time() - start
    n_values = len(svm._solution.model.problem.index_starts) - 1
    show("atomic_tag_cpu_s", seconds, passes=svm.n_iter_, gap=svm.reports_[-1].gap,
         values=n_values, entries=svm.kernel_model_.n_weights)
    show("atomic_tag_memory", (peak_bytes() - before) / (8. * len(X) * n_values),
         megabytes=(peak_bytes() - before) / 1e6)


def kde(train: list[Sentence], dev: Treebank) -> None:
    options = {"kernel": "ngram", "hash": ["posTags2::dir", "tokens"], "C": C,
               "relations": False, "passes": PASSES, "epsilon": 0.05}
    few = Treebank.from_sentences(train[:20])
    figures = {}
    for solver in ("ridge", "one-slack"):
        learner = ParserLearner("kernel", solver=solver, **options)
        learner(few).predict_heads(few)             # compiles
        start = time.process_time()
        parser = learner(Treebank.from_sentences(train))
        seconds = time.process_time() - start
        figures[solver] = seconds, evaluate(parser(dev)).uas
    (ridge_s, ridge), (one_slack_s, one_slack) = figures["ridge"], figures["one-slack"]
    show("kde_loss", 100 * (one_slack - ridge), ridge=100 * ridge,
         one_slack=100 * one_slack)
    show("kde_cpu_ratio", ridge_s / one_slack_s, ridge_s=ridge_s, one_slack_s=one_slack_s)


def semi(train: list[Sentence], dev: Treebank, n_labelled: int, n_unlabelled: int) -> None:
    options = {"kernel": "constant+ngram", "solver": "ridge", "C": C, "relations": False,
               "calibrate": False}
    labelled = train[:n_labelled]
    raw = Treebank.from_sentences(train[n_labelled:n_labelled + n_unlabelled])
    folds = np.array_split(np.random.default_rng(0).permutation(n_labelled), 2)
    few = Treebank.from_sentences(raw.sentences[:n_unlabelled // 5])
    chosen: dict[float, float] = {}
    for smoothness in (0.3, 1., 3.):
        learner = ParserLearner("kernel", smoothness=smoothness, **options)
        right = 0.
        for fold in folds:
            learned = [labelled[i] for i in np.setdiff1d(np.arange(n_labelled), fold)]
            parser = learner(Treebank.from_sentences(learned), unlabelled=few)
            right += evaluate(parser(Treebank.from_sentences(
                [labelled[i] for i in fold]))).uas
        chosen[smoothness] = right / len(folds)
    smoothness = max(chosen, key=lambda value: chosen[value])
    treebank = Treebank.from_sentences(labelled)
    uas = evaluate(ParserLearner("kernel", **options)(treebank)(dev)).uas
    start = time.process_time()
    parser = ParserLearner("kernel", smoothness=smoothness, **options)(
        treebank, unlabelled=raw)
    seconds = time.process_time() - start
    with_raw = evaluate(parser(dev)).uas
    show("semi_gain", 100 * (with_raw - uas), uas=100 * with_raw, without=100 * uas,
         smoothness=smoothness, seconds=seconds)


def templateless(train: list[Sentence], dev: Treebank, names: dict[str, list[str]]) -> None:
    """Kernel parsers with polynomial kernels on the surroundings of edges."""
    options = {"solver": "mira", "relations": False, "calibrate": False}
    few = Treebank.from_sentences(train[:20])
    for name, hashes in names.items():
        learner = ParserLearner("kernel", hash=hashes, **options)
        learner(few).predict_heads(few)             # compiles
        start = time.process_time()
        parser = learner(Treebank.from_sentences(train))
        seconds = time.process_time() - start
        start = time.process_time()
        uas = evaluate(parser(dev)).uas
        parsing_s = time.process_time() - start
        explicit = ParserLearner(order=int(name[-1]), **options)(
            Treebank.from_sentences(train))
        show(f"{name}_uas", 100 * uas, seconds=seconds, weights=parser.model.n_weights,
             sentences_per_s=len(dev) / parsing_s,
             explicit=100 * evaluate(explicit(dev)).uas)


def learned_weights(train: list[Sentence], dev: Treebank) -> None:
    """Multiple kernel learning against equal weights and single kernels."""
    options = {"solver": "mira", "relations": False, "calibrate": False}
    few, treebank = (Treebank.from_sentences(part) for part in (train[:20], train))

    def measure(**settings) -> tuple[float, float, dict[str, float]]:
        learner = ParserLearner("kernel", **options, **settings)
        learner(few).predict_heads(few)             # compiles
        parser = learner(treebank)
        start = time.process_time()
        uas = evaluate(parser(dev)).uas
        return 100 * uas, time.process_time() - start, parser.group_norms or {}

    learned, seconds, norms = measure(hash="rich", hash_weights="learn")
    equal, equal_seconds, _ = measure(hash="rich")
    functions = single_functions(["rich"])
    single = max(measure(hash=name)[0] for name in functions)
    show("mkl_gain", learned - equal, learned=learned, equal=equal, single=single)
    show("mkl_kept", len(norms) / len(functions),
         parsing_ratio=seconds / equal_seconds)


def chain_features(forms: list[str]) -> list[dict]:
    """A word, its ending and its neighbours."""
    lower = ["<", *map(str.lower, forms), ">"]
    return [{"form": lower[k], "ending": lower[k][-3:], "capital": form.istitle(),
             "before": lower[k - 1], "after": lower[k + 1]}
            for k, form in enumerate(forms, start=1)]


def chains(sentences: list[Sentence]) -> None:
    """Four ways to learn a chain: percentages of wrong labels."""
    inputs = {"": [[form.lower() for form in x.forms] for x in sentences],
              "_features": [chain_features(list(x.forms)) for x in sentences]}
    y = [list(x.upos) for x in sentences]
    folds = np.array_split(np.random.default_rng(0).permutation(len(y)), 5)
    for name, estimator, chosen in (
            ("hmm", HMM(), {"smoothing": [0.001, 0.01, 0.1]}),
            ("crf", SequenceCRF(start_stop=True), {"C": [100., 1000., 10_000.]}),
            ("perceptron", SequenceSVM(solver="perceptron", start_stop=True), {}),
            ("svm", SequenceSVM(start_stop=True), {"C": [10., 100., 1000.]})):
        figures = {}
        for kind, X in inputs.items():
            few = np.setdiff1d(np.arange(len(y)), folds[0])
            search = GridSearchCV(estimator, chosen, cv=3, refit=False).fit(
                [X[i] for i in few], [y[i] for i in few])
            estimator = clone(estimator).set_params(**search.best_params_)
            figures |= {f"{key}{kind}": value for key, value in search.best_params_.items()}
            wrong = {"train": [0, 0], "test": [0, 0]}
            for fold in folds:
                rest = np.setdiff1d(np.arange(len(y)), fold)
                fitted = clone(estimator).fit([X[i] for i in rest], [y[i] for i in rest])
                for part, numbers in (("train", rest), ("test", fold)):
                    for i, labels in zip(numbers, fitted.predict([X[i] for i in numbers])):
                        wrong[part][0] += int(np.sum(labels != np.array(y[i])))
                        wrong[part][1] += len(y[i])
            figures |= {f"{part}{kind}": 100 * n / of for part, (n, of) in wrong.items()}
        show(f"chain_{name}", figures.pop("test"), **figures)


TEMPLATELESS = {"kernel1": ["surroundings3"],
                "kernel2": ["surroundings3", "siblings", "grandparents"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--only", type=lambda name: name.removesuffix("_uas"),
                        choices=("atomic", "tag", "kde", "semi", "mkl", "chains",
                                 *TEMPLATELESS))
    arguments = parser.parse_args()
    n = arguments.sentences
    train = read_conll(arguments.treebanks / TRAIN)
    dev = Treebank.from_sentences(read_conll(arguments.treebanks / DEV))
    if arguments.only in (None, "atomic"):
        atomic_ratio(train[:n])
    if arguments.only in (None, "tag"):
        atomic_tag(train[:n])
    if arguments.only in (None, "kde"):
        kde(train[:2 * n], dev)
    if arguments.only in (None, "semi"):
        semi(train, dev, n // 5, 5 * n)
    if arguments.only in (None, "mkl"):
        learned_weights(train[:2 * n], dev)
    if arguments.only in (None, "chains"):
        chains(train[:3 * n // 10])
    names = {name: hashes for name, hashes in TEMPLATELESS.items()
             if arguments.only in (None, name)}
    if names:
        templateless(train[:5 * n], dev, names)


if __name__ == "__main__":
    main()
