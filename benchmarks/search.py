"""How good and how fast learning to search and the transition-based parser are, as JSON
lines.

    python benchmarks/search.py --treebanks DIR [name ...]

greedy_uas, greedy_las, greedy_train_cpu_s, greedy_sentences_per_s : the transition-based
    parser with its defaults, trained on English EWT: scores on test with gold tags, CPU
    seconds of the training, sentences per second with relations on one thread
beam_uas, beam_las, beam_train_cpu_s, beam_sentences_per_s : the same with beam=8 and 16
    passes
search_loss : UPOS tags of EWT dev: accuracy of a chain with Viterbi decoding
    (`SequenceSVM`) minus that of greedy search (`SearchLearner`, DAgger) with the same
    features of words, both learned by MIRA, in points
search_gain, searn_gain : accuracy of DAgger, and of SEARN, minus that of plain imitation;
    SEARN and what it is compared with are trained on the first 1,500 sentences
search_train_cpu_s, search_tokens_per_s : CPU seconds of the training by DAgger; tokens
    per second in prediction, features of words included
crf_predict_ratio : UPOS tags of EWT dev by a CRF with crfsuite's kind of features (lists
    of names): CPU seconds of the prediction over those of python-crfsuite, each the best
    of three (skipped without python-crfsuite)
crf_memory_ratio : peak memory of a process that trains the CRF on EWT train and predicts
    dev, features included, over that of the same with python-crfsuite
crf_train_ratio : CPU seconds of that training over crfsuite's, both with 30 steps of
    L-BFGS, from lists of names to a model
search_us_per_action : what the search itself takes per action of a problem in plain
    Python: prediction on dev minus what the problem's methods take by themselves,
    in microseconds

All times are with the code compiled before. Each benchmark runs in a process of its own.
"""
from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

SEARN_SENTENCES = 1500
PASSES = 5
BEAM_PASSES = 16        # on dev 89.48, 87.83
CRF_STEPS, CRF_C2 = 30, 1.


def tell(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(float(value), 4)}), flush=True)


def load(folder: Path, part: str):
    from orange_structpred.treebank import Treebank

    return Treebank.from_file(folder / f"en_ewt-ud-{part}.conllu")


# parsers

def parse(folder: Path, name: str, **parameters) -> None:
    from orange_structpred.evaluation import evaluate
    from orange_structpred.learner import ParserLearner

    training, test = load(folder, "train"), load(folder, "test")
    learner = ParserLearner("transitions", n_jobs=1, **parameters)
    learner(training[:50])(test[:50])                           # compiles
    began = time.process_time()
    parser = learner(training)
    tell(f"{name}_train_cpu_s", time.process_time() - began)
    parser.predict(test.sentences)                              # encodes the sentences
    began = time.perf_counter()
    parser.predict(test.sentences)
    tell(f"{name}_sentences_per_s", len(test) / (time.perf_counter() - began))
    score = evaluate(parser(test))
    tell(f"{name}_uas", 100 * score.uas)
    tell(f"{name}_las", 100 * score.las)


def greedy(folder: Path) -> None:
    parse(folder, "greedy")


def beam(folder: Path) -> None:
    parse(folder, "beam", beam=8, passes=BEAM_PASSES)


# tags

def word_features(words, i):
    word = words[i]
    lower = word.lower()
    return [
        f"w={word}", f"l={lower}", *(f"s={lower[-k:]}" for k in range(1, 5)),
        *(f"p={lower[:k]}" for k in range(1, 4)),
        f"-1={words[i - 1].lower() if i else ''}",
        f"-2={words[i - 2].lower() if i > 1 else ''}",
        f"+1={words[i + 1].lower() if i + 1 < len(words) else ''}",
        f"+2={words[i + 2].lower() if i + 2 < len(words) else ''}",
        f"-1s={words[i - 1].lower()[-3:] if i else ''}",
        f"+1s={words[i + 1].lower()[-3:] if i + 1 < len(words) else ''}",
        f"shape={word[0].isupper()}{word.isupper()}{any(map(str.isdigit, word))}"
        f"{'-' in word}{word.isalpha()}{i == 0}"]


def tagged(folder: Path, part: str) -> tuple[list[list[str]], list[list[str]]]:
    sentences = load(folder, part).sentences
    return ([sentence.forms for sentence in sentences],
            [sentence.upos for sentence in sentences])


def accuracy(predicted, true) -> float:
    pairs = [pair for found, own in zip(predicted, true) for pair in zip(found, own)]
    return 100 * float(np.mean([one == two for one, two in pairs]))


def tags(folder: Path) -> None:
    from orange_structpred.problems import SearchLearner, SequenceSearch, SequenceSVM

    X, y = tagged(folder, "train")
    X_dev, y_dev = tagged(folder, "dev")
    problem = SequenceSearch(sorted({tag for tags in y for tag in tags}), word_features)

    def learn(policy: str, n: int | None = None, **options) -> SearchLearner:
        learner = SearchLearner(problem, policy=policy, max_iter=PASSES, **options)
        return learner.fit(X[:n], y[:n])

    learn("dagger", 20)                                         # compiles
    began = time.process_time()
    dagger = learn("dagger")
    tell("search_train_cpu_s", time.process_time() - began)
    began = time.perf_counter()
    predicted = dagger.predict(X_dev)
    tell("search_tokens_per_s", sum(map(len, X_dev)) / (time.perf_counter() - began))
    by_search = accuracy(predicted, y_dev)
    tell("search_acc", by_search)
    tell("search_gain", by_search - accuracy(learn("imitation").predict(X_dev), y_dev))

    def featured(X):
        return [[word_features(words, i) for i in range(len(words))] for words in X]

    began = time.process_time()
    chain = SequenceSVM(solver="mira", max_iter=PASSES).fit(featured(X), y)
    tell("viterbi_train_cpu_s", time.process_time() - began)
    by_viterbi = accuracy(chain.predict(featured(X_dev)), y_dev)
    tell("viterbi_acc", by_viterbi)
    tell("search_loss", by_viterbi - by_search)


def searn(folder: Path) -> None:
    from orange_structpred.problems import SearchLearner, SequenceSearch

    X, y = tagged(folder, "train")
    X_dev, y_dev = tagged(folder, "dev")
    problem = SequenceSearch(sorted({tag for tags in y for tag in tags}), word_features)
    scores = {}
    for policy in ("imitation", "searn", "lols"):
        began = time.process_time()
        learner = SearchLearner(problem, policy=policy, max_iter=PASSES, subsample=0.2)
        learner.fit(X[:SEARN_SENTENCES], y[:SEARN_SENTENCES])
        tell(f"{policy}_train_cpu_s", time.process_time() - began)
        scores[policy] = accuracy(learner.predict(X_dev), y_dev)
    tell("searn_gain", scores["searn"] - scores["imitation"])
    tell("lols_gain", scores["lols"] - scores["imitation"])


class Measured(NamedTuple):
    train_s: float
    predict_s: float
    peak_mb: float
    accuracy: float


def measure_crf(folder: Path, theirs: bool) -> Measured:
    """One of the two, in a process of its own."""
    def featured(part: str):
        X, y = tagged(folder, part)
        return [[word_features(words, i) for i in range(len(words))] for words in X], y

    train = train_crfsuite if theirs else train_crf
    X_dev, y_dev = featured("dev")
    train(X_dev[:20], y_dev[:20])(X_dev[:20])                   # compiles
    X, y = featured("train")
    began = time.process_time()
    predict = train(X, y)
    train_s, predict_s = time.process_time() - began, np.inf
    for _ in range(3):
        began = time.process_time()
        predicted = predict(X_dev)
        predict_s = min(predict_s, time.process_time() - began)
    return Measured(train_s, predict_s,
                    resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                    accuracy(predicted, y_dev))


def train_crf(X, y):
    from orange_structpred.problems import SequenceCRF

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")                 # that it has not converged
        return SequenceCRF(C=len(X) / (2 * CRF_C2), max_iter=CRF_STEPS, tol=1e-9).fit(
            X, y).predict


def train_crfsuite(X, y):
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0, "c2": CRF_C2, "max_iterations": CRF_STEPS,
                        "feature.possible_transitions": 1})
    for x, labels in zip(X, y):
        trainer.append(x, labels)
    with tempfile.TemporaryDirectory() as place:
        path = str(Path(place) / "model")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
    return lambda X: list(map(tagger.tag, X))


def crf(folder: Path) -> None:
    if find_spec("pycrfsuite") is None:
        print("crf: skipped, since python-crfsuite is not installed "
              "(pip install python-crfsuite)", file=sys.stderr)
        return
    figures = []
    for theirs in (False, True):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            figures.append(process.submit(measure_crf, folder, theirs).result())
        print(f"crf: {'crfsuite' if theirs else 'ours'} {figures[-1]}", file=sys.stderr)
    ours, theirs = figures
    tell("crf_predict_ratio", ours.predict_s / theirs.predict_s)
    tell("crf_memory_ratio", ours.peak_mb / theirs.peak_mb)
    tell("crf_train_ratio", ours.train_s / theirs.train_s)


def overhead(folder: Path) -> None:
    from orange_structpred.problems import SearchLearner, SequenceSearch

    X, y = tagged(folder, "dev")
    problem = SequenceSearch(sorted({tag for tags in y for tag in tags}), word_features)
    learner = SearchLearner(problem, policy="imitation", max_iter=PASSES).fit(X, y)
    learner.predict(X)
    began = time.process_time()
    predicted = learner.predict(X)
    whole = time.process_time() - began
    began = time.process_time()
    for x, labels in zip(X, predicted):
        state = problem.start(x)
        for label in labels:
            problem.actions(state)
            problem.state_features(x, state)
            state = problem.take(state, label)
        problem.actions(state)
        problem.output(state)
    methods = time.process_time() - began
    tell("search_us_per_action", 1e6 * (whole - methods) / sum(map(len, predicted)))


BENCHMARKS = {"greedy": greedy, "beam": beam, "tags": tags, "searn": searn, "crf": crf,
              "overhead": overhead}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name",
                        help=f"benchmarks to run: {', '.join(BENCHMARKS)}; default: all")
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder with en_ewt-ud-train.conllu, -dev and -test")
    arguments = parser.parse_args()
    names = arguments.names or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"unknown benchmark {name}")
    if len(names) > 1:
        for name in names:
            subprocess.run([sys.executable, __file__, "--treebanks",
                            str(arguments.treebanks), name], check=True)
        return
    BENCHMARKS[names[0]](arguments.treebanks)


if __name__ == "__main__":
    main()
