"""ParserLearner(features="kernel") from end to end, on the bundled treebank."""
import pickle

import numpy as np
import pytest

from orange_structpred.evaluation import evaluate
from orange_structpred.kernels import (
    KernelError,
    Normalized,
    Precomputed,
    SubsetTree,
    TooLarge,
    make_kernel,
)
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.parsing.kernel.kernel_model import KernelModel, LinearKernelModel
from orange_structpred.running import memory
from orange_structpred.running.cancellation import Cancelled, StopEarly
from orange_structpred.svm import CheckpointError
from orange_structpred.treebank.bundled import load_bundled
from tests.observers import stop_if


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:130]


@pytest.fixture(scope="module")
def train(treebank):
    return treebank[:80]


@pytest.fixture(scope="module")
def rest(treebank):
    return treebank[80:]


def learner(**options):
    return ParserLearner("kernel", **{"kernel": "ngram", "C": 10., "passes": 3,
                                      **options})


def assert_same_parser(a, b, sentences, exactly=True):
    for x in sentences:
        (np.testing.assert_array_equal if exactly else np.testing.assert_allclose)(
            a.edge_scores(x), b.edge_scores(x))
    for own, other in zip(a.predict_heads(sentences), b.predict_heads(sentences)):
        np.testing.assert_array_equal(own, other)


# Input kernels

KINDS = {
    "constant": ({}, LinearKernelModel),
    "bow": ({}, LinearKernelModel),
    "poly-bow": ({"degree": 2}, KernelModel),
    "ngram": ({"n": 6, "decay": 0.5}, KernelModel),
    "annotated-ngram": ({"n": 3}, KernelModel),
    "gaussian": ({"gamma": 0.1}, KernelModel),
    "constant+ngram": ({"n": 2}, KernelModel),
}


@pytest.mark.parametrize("kernel", KINDS)
def test_each_kernel_learns_and_survives_a_file(kernel, train, rest, tmp_path):
    params, kind = KINDS[kernel]
    parser = learner(kernel=kernel, kernel_params=params, passes=5)(train)
    assert isinstance(parser.model, kind)
    assert parser.log[-1].certified and parser.log[-1].loss < 0.1
    assert evaluate(parser(rest)).uas > 0.6
    parser.save(tmp_path / "parser")
    for again in (Parser.load(tmp_path / "parser"), pickle.loads(pickle.dumps(parser))):
        assert again.name == parser.name == f"{kernel} kernel bcfw C=10"
        assert [r.primal for r in again.log] == [r.primal for r in parser.log]
        assert_same_parser(parser, again, rest.sentences)


def test_landmarks(train, rest, tmp_path):
    parser = learner(nystroem=40)(train)
    assert isinstance(parser.model, LinearKernelModel)
    assert parser.model.features.n_features <= 40
    parser.save(tmp_path / "parser")
    assert_same_parser(parser, Parser.load(tmp_path / "parser"), rest.sentences)
    # as many landmarks as sentences: the kernel itself
    full = learner(nystroem=len(train))(train)
    index = learner()(train)
    np.testing.assert_allclose(full.log[-1].dual, index.log[-1].dual, rtol=5e-3)


@pytest.mark.parametrize("unlabelled", [False, True])
def test_landmarks_with_a_closed_form(unlabelled, train, rest, tmp_path):
    """Landmarks are all that is kept, and what each adds is the score."""
    parser = learner(nystroem=15, solver="ridge").train(
        train[:30], **({"unlabelled": rest[:10]} if unlabelled else {}))
    assert len(parser.model.support) == 15
    assert evaluate(parser(rest)).uas > 0.4
    parser.save(tmp_path / "parser")
    assert_same_parser(parser, Parser.load(tmp_path / "parser"), rest.sentences)
    x = rest.sentences[0]
    assert sum(e.value for e in parser.explain(x, 2, 1)) == pytest.approx(
        parser.edge_scores(x)[2, 1], abs=1e-4)


def words_in_common(a, b):
    return len(set(a.forms) & set(b.forms)) + 1.


def test_a_kernel_in_python(train, rest, tmp_path):
    parser = learner(kernel=words_in_common)(train[:30])
    assert parser.name == "words_in_common kernel bcfw C=10"
    assert_same_parser(parser, pickle.loads(pickle.dumps(parser)), rest.sentences[:5])
    x, *_ = rest.sentences
    contributions = parser.explain(x, 0, 1)
    assert sum(e.value for e in contributions) == pytest.approx(parser.edge_scores(x)[0, 1],
                                                           abs=1e-6)


# Hash functions

def test_sums_weights_and_buckets(train, rest):
    one = learner(hash="posTags2::dir")(train)
    two = learner(hash=["posTags2::dir", "lemmas"])(train)
    heavy = learner(hash=["posTags2::dir", "lemmas"], hash_weights=[1, 20])(train)
    few = learner(hash=["posTags2::dir", "lemmas"], buckets=50)(train)
    assert one.n_weights < two.n_weights
    assert len(few.model.known) <= 100 < len(two.model.known)
    scores = [parser.edge_scores(rest.sentences[0]) for parser in (one, two, heavy, few)]
    for place, a in enumerate(scores):
        for b in scores[place + 1:]:
            assert not np.allclose(a, b)
    # a weight is a factor of the kernel: twice the function is its weight 2
    twice = learner(hash=["posTags2::dir"] * 2)(train)
    double = learner(hash=["posTags2::dir"], hash_weights=[2])(train)
    np.testing.assert_allclose(twice.log[-1].dual, double.log[-1].dual, rtol=1e-2)


def same_ending(sentence, head, dependent):
    return head > 0 and sentence.forms[head - 1][-1] == sentence.forms[dependent - 1][-1]


def test_a_hash_function_in_python(train, rest, tmp_path):
    parser = learner(hash=["posTags2::dir", same_ending])(train)
    assert_same_parser(parser, pickle.loads(pickle.dumps(parser)), rest.sentences[:5])
    with pytest.raises(ValueError, match="hash functions in Python cannot be saved"):
        parser.save(tmp_path / "parser")
    assert not list(tmp_path.iterdir())


def test_clusters_of_the_treebanks_words(train, rest, tmp_path):
    parser = learner(hash=["wordVecs::dir", "posTags2::dir"])(train)
    assert set(parser.model.clusters) == {
        form for x in train.sentences for form in x.forms}
    parser.save(tmp_path / "parser")
    assert_same_parser(parser, Parser.load(tmp_path / "parser"), rest.sentences)


def test_clusters_from_a_file(train, rest, tmp_path):
    words = sorted({form for x in train.sentences for form in x.forms})
    path = tmp_path / "vectors.txt"
    path.write_text(f"{len(words)} 2\n" + "".join(
        f"{word} {len(word)} {word.count('e')}\n" for word in words), encoding="utf-8")
    parser = learner(hash="wordVecs::dir", vectors=path)(train)
    assert set(parser.model.clusters) == set(words)
    path.write_text("dog 1 2\ncat 1\n")
    with pytest.raises(ValueError, match=r"vectors\.txt, line 2: found 'cat 1', "
                                         "expected a word and 2 numbers"):
        learner(hash="wordVecs::dir", vectors=path)(train)


# Solvers

def test_linear_form_and_index_are_the_same_model(treebank):
    options = {"solver": "one-slack", "C": 0.001, "epsilon": 2e-4, "passes": 200}
    few = treebank[:8]
    linear = learner(kernel="bow", **options)(few)
    # a matrix has no feature map
    matrix = Precomputed(make_kernel("bow").gram(treebank.sentences), treebank.sentences)
    index = learner(kernel=matrix, **options)(few)
    assert isinstance(linear.model, LinearKernelModel)
    assert isinstance(index.model, KernelModel)
    assert linear.converged and index.converged
    np.testing.assert_allclose(linear.log[-1].dual, index.log[-1].dual, rtol=1e-4)
    np.testing.assert_allclose(linear.log[-1].primal, index.log[-1].primal, rtol=1e-4)
    for x in treebank.sentences[:40]:
        np.testing.assert_allclose(linear.edge_scores(x), index.edge_scores(x),
                                   atol=4e-4)


def test_approximate_decoder(train, rest):
    parser = learner(decoder="approximate", passes=5)(train)
    heads = parser.predict_heads(rest.sentences)
    for x, own in zip(rest.sentences, heads):
        scores = parser.edge_scores(x)
        np.fill_diagonal(scores, -np.inf)
        np.testing.assert_allclose(scores[own, np.arange(1, len(x) + 1)],
                                   scores[:, 1:].max(axis=0), rtol=1e-5)
    assert 0 <= parser.invalid_trees(heads) < len(rest)
    assert evaluate(parser(rest)).uas > 0.5


@pytest.mark.parametrize("solver", ["mira", "perceptron", "subgradient", "one-slack"])
def test_other_solvers(solver, train, rest):
    parser = learner(solver=solver, passes=8)(train)
    C = "" if solver == "perceptron" else " C=10"
    assert parser.name == f"ngram kernel {solver}{C}"
    assert evaluate(parser(rest)).uas > 0.5


@pytest.mark.parametrize("kernel", ["ngram", "bow"])
def test_the_same_for_any_number_of_threads(kernel, train, tmp_path):
    files = []
    for n_jobs in (1, 1, 2):
        path = tmp_path / str(len(files))
        parser = learner(kernel=kernel, n_jobs=n_jobs, passes=2)(train)
        parser.log = []     # has times
        parser.save(path)
        files.append(dict(np.load(path)))
    for other in files[1:]:
        assert other.keys() == files[0].keys()
        for name in other:
            np.testing.assert_array_equal(other[name], files[0][name])


@pytest.mark.parametrize("kernel", ["ngram", "bow"])
def test_an_interrupted_training_goes_on(kernel, train, rest, tmp_path):
    options = {"kernel": kernel, "epsilon": 1e-9, "passes": 5}
    state = tmp_path / "state"
    learner(**options, checkpoint=state)(
        train, stop_if(lambda report: report.end_of_pass and report.pass_ == 2))
    parser = learner(**options, checkpoint=state)(train)
    assert [report.pass_ for report in parser.log] == [1, 2, 3, 4, 5]
    assert_same_parser(parser, learner(**options)(train), rest.sentences[:10])
    with pytest.raises(CheckpointError, match="belongs to another training"):
        learner(**options, hash="tokens", checkpoint=state)(train)


# Stopping

def test_stopping_keeps_the_parser_so_far(train, rest):
    reports = []

    def stop(report):
        reports.append(report)
        if report.end_of_pass and report.pass_ == 2:
            raise StopEarly

    parser = learner(passes=10, epsilon=1e-9)(train, stop)
    assert parser.stopped and not parser.converged
    assert [report.pass_ for report in parser.log] == [1, 2]
    assert evaluate(parser(rest)).uas > 0.5
    # pass 0 is the kernel matrix, up to its end
    assert [r.fraction for r in reports if r.pass_ == 0][-1] == 1


def test_stopping_while_the_kernel_is_computed(train):
    calls = []

    def stop(report):
        calls.append(report)
        raise StopEarly

    with pytest.raises(Cancelled):
        learner()(train, stop)
    assert len(calls) == 1 and calls[0].pass_ == 0


# What a parser tells

def test_explaining_an_edge(train, rest):
    parser = learner()(train)
    texts = {f"{x.sent_id}: {x.text}" for x in train.sentences}
    x = max(rest.sentences, key=len)
    scores = parser.edge_scores(x)
    for head, dependent in ((0, 1), (2, 1), (1, len(x)), (len(x), 1)):
        contributions = parser.explain(x, head, dependent)
        assert sum(e.value for e in contributions) == pytest.approx(
            scores[head, dependent], abs=1e-6)
        assert {e.name for e in contributions} <= texts
        assert [abs(e.value) for e in contributions] == sorted(
            (abs(e.value) for e in contributions), reverse=True)


def test_only_support_sentences_are_kept(train, rest):
    parser = learner()(train)
    support = parser.model.support
    assert {x.sent_id for x in support} <= {x.sent_id for x in train.sentences}
    used = np.zeros(len(support))
    np.add.at(used, parser.model.index.examples, np.abs(parser.model.index.coefficients))
    assert (used > 0).all()
    twice = learner()(type(train).from_sentences(list(train.sentences) + [
        x for x in rest.sentences if len(x) == 1]))
    assert all(len(x) > 1 for x in twice.model.support)


# Bad input

def not_symmetric(a, b):
    return float(len(a))


def not_positive(a, b):
    return -1. if a.sent_id == b.sent_id else 1.


def not_a_number(a, b):
    return float("nan")


def raising(a, b):
    raise RuntimeError("out of words")


@pytest.mark.parametrize("kernel, message", [
    (not_symmetric, "kernel 'not_symmetric' is not symmetric"),
    (not_positive, "kernel 'not_positive' is not positive semi-definite"),
    (not_a_number, "kernel 'not_a_number' is nan"),
    (raising, "kernel 'raising' failed on .*RuntimeError: out of words"),
    ("magic", "kernel 'magic' is not known; choose from constant"),
    ("tree", "kernel 'tree' is not known; choose from constant"),
    (SubsetTree(), "kernel 'tree' needs the trees that the parser"),
    (Normalized(SubsetTree()), "kernel 'tree' needs the trees that the parser")])
def test_what_is_no_kernel_is_named(kernel, message, train):
    with pytest.raises(KernelError, match=message):
        learner(kernel=kernel)(train)


def test_what_is_no_parameter_of_a_kernel(train):
    with pytest.raises(KernelError, match="ngram.*degree"):
        learner(kernel_params={"degree": 2})(train)


def test_a_matrix_too_large_is_said_before_the_work(train, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 20_000)
    reports = []
    with pytest.raises(TooLarge, match="80 x 80 inputs needs .* GB.* fewer "
                                           "inputs, or the Nystroem"):
        learner(hash="wordVecs")(train, reports.append)
    assert not any(report.pass_ or report.fraction for report in reports)


@pytest.mark.parametrize("kernel", ["constant", "ngram"])
def test_hash_values_too_many_are_said_before_the_work(kernel, train, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1_000_000)
    monkeypatch.setattr("orange_structpred.learner.kernel.hashed_problem", None)
    reports = []
    with pytest.raises(TooLarge, match="possible edges with 78 hash functions needs "
                                       ".* GB.* fewer sentences or fewer hash"):
        learner(hash="rich", kernel=kernel)(train, reports.append)
    assert not any(report.pass_ or report.fraction for report in reports)


def test_a_model_of_a_kernel_in_python_cannot_be_loaded(train, tmp_path):
    parser = learner(kernel=words_in_common)(train[:20])
    parser.save(tmp_path / "parser")
    with pytest.raises(ValueError, match="words_in_common.*not saved with a model"):
        Parser.load(tmp_path / "parser")
