"""Estimators in files: what is saved predicts the same, and holds no code."""
import pickle
from copy import copy

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from orange_structpred import problems
from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFileError
from orange_structpred.kernels import Ngram
from orange_structpred.problems import (
    LatentSVM,
    MulticlassSVM,
    SequenceSVM,
    StructuredEstimator,
    StructuredSVM,
)
from orange_structpred.problems.saving.digests import value_digest
from orange_structpred.problems.saving.plain import (
    NotPlainError,
    decode_plain,
    encode_plain,
)
from orange_structpred.treebank.sentence import Sentence
from tests.files.estimators import SAMPLES, Signs, fitted, save_estimators
from tests.files.schema_fuzz import changes_tried
from tests.problems.atomic.toy import Tags, X, Y, common_words


def equal(one, other):
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(equal, one, other))
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else str(one) == str(other)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_loaded_predicts_the_same(name, tmp_path):
    estimator, inputs, outputs, code = SAMPLES[name]
    estimator = fitted(name)
    estimator.save(tmp_path / "model.npz")
    loaded = type(estimator).load(tmp_path / "model.npz", **code)
    assert equal(list(estimator.predict(inputs)), list(loaded.predict(inputs)))
    assert loaded.score(inputs, outputs) == estimator.score(inputs, outputs)
    for method in ("decision_function", "predict_proba", "sufficient_weights"):
        if hasattr(estimator, method) and (
                method == "decision_function"
                or name.startswith("atomic") == (method == "sufficient_weights")) and not (
                    method == "predict_proba" and name == "own") and not (
                    method == "sufficient_weights" and name == "own"):
            for one, other in zip(getattr(estimator, method)(inputs),
                                  getattr(loaded, method)(inputs)):
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    loaded.save(tmp_path / "again.npz")
    again = type(estimator).load(tmp_path / "again.npz", **code)
    assert equal(list(again.predict(inputs)), list(loaded.predict(inputs)))
    clone(loaded).fit(inputs, outputs)          # it is an estimator like any other


def test_every_estimator_has_a_sample():
    kinds = {kind for kind in vars(problems).values() if isinstance(kind, type)
             and issubclass(kind, StructuredEstimator)}
    seen = {type(sample.estimator) for sample in SAMPLES.values()}
    assert kinds - seen == {StructuredEstimator, LatentSVM}


def test_no_file_holds_code(tmp_path):
    for path in save_estimators(tmp_path, ("multiclass-function", "atomic-ridge", "own")):
        with np.load(path) as file:             # refuses pickles
            text = bytes(file["header"]).decode()
        assert "common_words" not in text and "toy" not in text and "Signs" not in text


@pytest.mark.parametrize("name, missing", [
    ("own", "problem"), ("atomic", "problem"), ("multiclass-function", "kernel, loss"),
    ("grammar-function", "span_features")])
def test_code_comes_from_the_caller(name, missing, tmp_path):
    path, = save_estimators(tmp_path, (name,))
    kind = type(SAMPLES[name].estimator)
    with pytest.raises(InputError, match=f"{missing} of the {kind.__name__} is code, which "
                                         "files do not hold; pass it again"):
        kind.load(path)
    with pytest.raises(InputError, match="has no parameter 'nonsense'"):
        kind.load(path, nonsense=3, **SAMPLES[name].code)


def test_another_kind_of_file(tmp_path):
    path, = save_estimators(tmp_path, ("multiclass",))
    with pytest.raises(ModelFileError, match="expected one of SequenceSVM"):
        SequenceSVM.load(path)
    with pytest.raises(FileNotFoundError):
        SequenceSVM.load(tmp_path / "no.npz")
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(ModelFileError, match="cannot be read as a model file"):
        SequenceSVM.load(tmp_path / "text.npz")
    with pytest.raises(NotFittedError):
        MulticlassSVM().save(tmp_path / "none.npz")
    assert not (tmp_path / "none.npz").exists()


def test_parameters_can_be_replaced(tmp_path):
    path, = save_estimators(tmp_path, ("multiclass",))
    assert MulticlassSVM.load(path, n_jobs=2, C=3.).get_params()["C"] == 3.
    assert MulticlassSVM.load(path).n_jobs is None


def test_learning_further_needs_more_than_a_file(tmp_path):
    sentences, tags = [["a", "b"], ["b"]], [["D", "N"], ["N"]]
    online = SequenceSVM(solver="mira").fit(sentences, tags)
    online.save(tmp_path / "model.npz")
    with pytest.raises(InputError, match="a model from a file cannot learn further"):
        SequenceSVM.load(tmp_path / "model.npz").partial_fit(sentences, tags)
    pickle.loads(pickle.dumps(online)).partial_fit(sentences, tags)


def test_a_problem_with_other_symbols(tmp_path):
    """The class is the caller's: another one is not recognised, but cannot do harm."""
    path, = save_estimators(tmp_path, ("atomic",))

    class Others(Tags):
        def hash(self, symbol, x):
            return ("never seen", symbol)

    loaded = StructuredSVM.load(path, problem=Others)
    assert not np.any(np.concatenate(loaded.sufficient_weights(X)))
    own, = save_estimators(tmp_path, ("own",))
    wide = type("Wide", (Signs,), {"__init__": lambda self, X, Y: super(
        Signs, self).__init__(X, Y, 5)})
    with pytest.raises(InputError, match="Wide has 5 features, but there are 2 weights"):
        StructuredSVM.load(own, problem=wide).predict([1.])


def test_hash_values_that_no_file_can_have(tmp_path):
    class Strange(Tags):
        def hash(self, symbol, x):
            return Value(symbol)

    svm = StructuredSVM(Strange).fit(X, Y)
    with pytest.raises(InputError, match="a hash value is a Value; only models"):
        svm.save(tmp_path / "model.npz")
    assert not list(tmp_path.iterdir())


class Value:
    """Hashable, and known to Python only."""

    def __init__(self, symbol):
        self.symbol = symbol

    def __eq__(self, other):
        return self.symbol == other.symbol

    def __hash__(self):
        return hash(self.symbol)


def test_inputs_that_no_file_can_have(tmp_path):
    svm = StructuredSVM(Letters, kernel=lambda a, b: float(a.text == b.text) + 1)
    svm.fit([Text("ab"), Text("ba")], [{"a"}, {"b"}])
    with pytest.raises(InputError, match="cannot be saved: a Text cannot be saved without"):
        svm.save(tmp_path / "model.npz")


class Text:
    def __init__(self, text):
        self.text = text


class Letters(Tags):
    def symbols(self, x):
        return sorted(set(x.text))

    def hash(self, symbol, x):
        return symbol

    def construct(self, weights, x):
        return {symbol for symbol, weight in zip(self.symbols(x), weights) if weight > 0}

    def symbols_of(self, y):
        return y


@pytest.mark.parametrize("value", [
    None, True, 3, -2.5, "text", ("a", 1), [1, [2]], {"a": {1, 2}}, frozenset("ab"),
    float("inf"), Ngram(n=3), Sentence("1\tIt\tit\tPRON\tPRP\t_\t0\troot\t_\t_"),
    np.int64(3), {(1, "a"): None}])
def test_plain_values(value):
    assert decode_plain(encode_plain(value)) == value


@pytest.mark.parametrize("array", [
    np.arange(6).reshape(2, 3), np.array(["a", "bc"]), np.array([1.5, np.inf]),
    np.array(["a", 1, None], object), np.zeros((0, 2), np.float32), np.array([True])])
def test_plain_arrays(array):
    found = decode_plain(encode_plain(array))
    assert found.dtype == array.dtype and found.shape == array.shape
    np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("value", [print, object(), 1 << 70, np.array([1j]), Tags,
                                   ["caf\udce9"]])
def test_what_is_not_plain(value):
    with pytest.raises(NotPlainError):
        encode_plain(value)


@pytest.mark.parametrize("value", [
    {"pickle": "x"}, {}, {"a": 1, "b": 2}, {"set": [1, 1]}, {"array": [1]},
    {"array": ["O8", [1], [{"dict": []}]]}, {"array": ["M8[s]", [1], [3]]},
    {"array": ["i8", [2, 2], [1]]}, {"array": ["f8", [1], ["x"]]},
    {"kernel": {"kernel": "function"}}, {"kernel": {"kernel": "ngram", "n": -1}},
    {"kernel": {"kernel": "sum", "kernels": [{"kernel": "function"}]}},
    {"sentence": 3}, {"float": "1e5"}, "\ud800", 1 << 70, {"dict": [[1]]},
    {"dict": [[[], 1]]}])
def test_values_that_nothing_was_encoded_as(value):
    with pytest.raises((ValueError, TypeError)):
        decode_plain(value)


def test_digests():
    values = ["1", 1, 1.5, None, ("a", "b"), ("ab",), (("a",), "b"), frozenset("ab"), b"a", "a",
              -1, "", ()]
    assert len({value_digest(value) for value in values}) == len(values)
    assert value_digest(True) == value_digest(1) == value_digest(1.0) == value_digest(np.int64(1))
    assert value_digest(frozenset("ab")) == value_digest(frozenset("ba"))
    assert 0 <= value_digest("dog") < 1 << 64


@pytest.mark.parametrize("step, least, names", [
    (97, 15, ("multiclass-rbf", "sequence", "crf", "grammar", "graph", "atomic", "atomic-ridge")),
    pytest.param(1, 1000, tuple(SAMPLES), marks=pytest.mark.slow)])
def test_every_field_of_every_estimator(tmp_path, step, least, names):
    """Each changed file is refused or can be used."""
    paths = save_estimators(tmp_path, names)
    assert sum(changes_tried(paths, "--estimators", "--step", step)) > least


def test_a_callable_kernel_again(tmp_path):
    path, = save_estimators(tmp_path, ("atomic-ridge",))
    loaded = StructuredSVM.load(path, problem=Tags, kernel=common_words)
    assert loaded.kernel_model_.transform.shape == (len(X), len(X))
    assert loaded.score(X, Y) > 0.8


@pytest.mark.parametrize("name, change, message", [
    ("sequence-ngram", {"start_stop": True}, "weights, expected"),
    ("crf", {"start_stop": True}, "do not match the weights"),
    ("crf", {"start_stop": "a"}, "start_stop must be True or False"),
    ("grid", {"neighbourhood": []}, "neighbourhood is")])
def test_parameters_that_the_rest_does_not_fit(tmp_path, name, change, message):
    path, = save_estimators(tmp_path, (name,))
    estimator, inputs, *_ = SAMPLES[name]
    with pytest.raises(InputError, match=message):
        type(estimator).load(path, **change).predict(inputs)


@pytest.mark.parametrize("name, attribute, message", [
    ("crf", "encoder_", "the names of features are missing"),
    ("graph", "_cost", "the costs of labels are missing"),
    ("own", "_inputs_have_length", "the kind of inputs is missing")])
def test_what_is_not_in_the_file(tmp_path, name, attribute, message):
    estimator = copy(fitted(name))
    delattr(estimator, attribute)
    estimator.save(tmp_path / "model.npz")
    with pytest.raises(InputError, match=message):
        type(estimator).load(tmp_path / "model.npz", **SAMPLES[name].code)


def test_rows_of_a_kernel_and_the_number_of_features(tmp_path):
    estimator = copy(fitted("multiclass-rbf"))
    estimator.n_features_in_ = 7
    estimator.save(tmp_path / "model.npz")
    with pytest.raises(InputError, match="do not fit the number of features"):
        MulticlassSVM.load(tmp_path / "model.npz")
