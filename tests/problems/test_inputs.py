"""What users pass, of all kinds, and what is wrong with it."""
import numpy as np
import pandas
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from orange_structpred.errors import InputError
from orange_structpred.kernels import BagOfWords, Gaussian, Ngram, SubsetTree
from orange_structpred.problems import (
    PCFG,
    AlignmentSVM,
    GrammarSVM,
    GridSVM,
    MatchingSVM,
    MulticlassSVM,
    RankingSVM,
    SequenceCRF,
    SequenceSVM,
    StructuredSVM,
)
from orange_structpred.problems.inputs import (
    PositionEncoder,
    encode_labels,
    example_weights,
)
from tests.svm.toy import Classes

ARRAYS = [np.array([[1., 0], [0, 2]]), np.array([[3., 4]])]


@pytest.mark.parametrize("X", [
    ARRAYS, [x.tolist() for x in ARRAYS], [sparse.csr_matrix(x) for x in ARRAYS],
    [sparse.coo_array(ARRAYS[0]), ARRAYS[1]]], ids=["arrays", "lists", "sparse", "mixed"])
def test_matrices(X):
    positions = PositionEncoder().fit_transform(X)
    assert positions.starts.tolist() == [0, 2, 3]
    assert_allclose(positions.matrix.toarray(), np.vstack(ARRAYS))


def test_data_frames():
    matrices = [np.arange(6.).reshape(3, 2), np.ones((1, 2))]
    positions = PositionEncoder().fit_transform(list(map(pandas.DataFrame, matrices)))
    assert_allclose(positions.matrix.toarray(), np.vstack(matrices))
    with pytest.raises(InputError, match="not a matrix of numbers"):
        PositionEncoder().fit_transform([pandas.DataFrame({"form": ["the"], "tag": ["D"]})])


def test_dicts_as_crfsuite_takes_them():
    encoder = PositionEncoder()
    positions = encoder.fit_transform([
        [{"word": "a", "length": 2, "upper": True}, {"shape": {"first": "x", "n": 0.5}}],
        [{"ending": ["ab", "b"]}]])
    names = encoder.feature_names_.tolist()
    assert names == ["word=a", "length", "upper", "shape:first=x", "shape:n", "ending=ab",
                     "ending=b"]
    assert_allclose(positions.matrix.toarray(),
                    [[1, 2, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0.5, 0, 0],
                     [0, 0, 0, 0, 0, 1, 1]])
    assert_allclose(encoder.transform([[{"word": "new", "length": 3}]]).matrix.toarray(),
                    [[0, 3, 0, 0, 0, 0, 0]])


def test_lists_of_names_as_crfsuite_takes_them():
    encoder = PositionEncoder()
    positions = encoder.fit_transform([[[], ["a", "b"], ("b", "b")], [{"c"}, {"a": 0.5}]])
    assert encoder.feature_names_.tolist() == ["a", "b", "c"]
    assert_allclose(positions.matrix.toarray(),
                    [[0, 0, 0], [1, 1, 0], [0, 2, 0], [0, 0, 1], [0.5, 0, 0]])
    assert_allclose(encoder.transform([[["b", "new", "b"], [], ["c"]], ["a"]]).matrix.toarray(),
                    [[0, 2, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]])


def test_tokens():
    encoder = PositionEncoder()
    assert_allclose(encoder.fit_transform([["a", "b"], ["a"]]).matrix.toarray(),
                    [[1, 0], [0, 1], [1, 0]])
    assert_allclose(encoder.transform([["c", "b"]]).matrix.toarray(), [[0, 0], [0, 1]])


@pytest.mark.parametrize("X, message", [
    ("text", "X is a str; expected a list of sequences"),
    (sparse.csr_array((2, 2)), "X is a csr_array; expected a list"),
    ([], "there are no sequences"),
    ([["a"], []], "sequence 1 is empty"),
    ([np.zeros((0, 2))], "sequence 0 is empty"),
    (["text"], "sequence 0 is a str; expected a matrix"),
    ([["a", 1]], "position 1 of sequence 0 is a int; expected a token"),
    ([[["a", 1]]], "position 0 of sequence 0 is a list; expected a token, a list of names"),
    ([np.ones((1, 2)), np.ones((1, 3))], r"sequence 1 has the shape \(1, 3\)"),
    ([ARRAYS[0], [[1., np.nan]]], "position 0 of sequence 1 has the value nan"),
    ([[{"a": 1.}, {"a": np.inf}]], "position 1 of sequence 0 has the value inf"),
    ([[{"a": 1.}, {"b": {"c": None}}]], "position 1 of .* 'b:c' with the value None; expected a"),
])
def test_bad_sequences(X, message):
    with pytest.raises(InputError, match=message):
        PositionEncoder().fit_transform(X)


def test_other_inputs_than_before():
    encoder = PositionEncoder()
    encoder.fit_transform(ARRAYS)
    with pytest.raises(InputError, match="have 3 columns; expected 2"):
        encoder.transform([np.ones((1, 3))])
    with pytest.raises(InputError, match="expected matrices with 2 columns"):
        encoder.transform([["a"]])
    encoder.fit_transform([["a"]])
    with pytest.raises(InputError, match="expected tokens or named features"):
        encoder.transform(ARRAYS)


def test_labels():
    codes, classes = encode_labels([["b", "a"], ["c"]], [2, 1])
    assert classes.tolist() == ["a", "b", "c"]
    assert [part.tolist() for part in codes] == [[1, 0], [2]]
    codes, _ = encode_labels([["c"]], [1], classes)
    assert codes[0].tolist() == [2]


@pytest.mark.parametrize("y, message", [
    ([["a"]], "2 inputs but 1 outputs"),
    ([["a"], ["b"]], "sequence 0 has 2 positions but 1 labels"),
    (["ab", ["b"]], "the labels of sequence 0 are 'ab'; expected a list"),
    ([["a", "z"], ["b"]], "unseen label '?.*z.*; the labels in training were 'a', 'b'"),
    ([[0., np.nan], [1.]], "not a finite number"),
])
def test_bad_labels(y, message):
    with pytest.raises(InputError, match=message):
        encode_labels(y, [2, 1], np.array(["a", "b"]))


def test_weights_of_examples():
    assert example_weights(None, 3) is None
    assert example_weights([2, 2, 2], 3) is None
    assert example_weights([1, 2, 0], 3).tolist() == [1, 2, 0]
    for wrong in ([1, 2], [1, -1, 1], [0, 0, 0], [1, np.nan, 1]):
        with pytest.raises(InputError, match="sample_weight"):
            example_weights(wrong, 3)


@pytest.mark.parametrize("estimator", [SequenceSVM(), SequenceCRF(), GrammarSVM(), PCFG(),
                                       AlignmentSVM(), RankingSVM(), MatchingSVM()], ids=str)
def test_no_inputs_and_no_outputs(estimator):
    with pytest.raises(InputError, match="requires y to be passed"):
        estimator.fit([["a"]], None)
    with pytest.raises(InputError, match="X is a (int|NoneType)"):
        estimator.fit(None, [["a"]])


def test_labels_that_a_crf_has_never_seen():
    crf = SequenceCRF().fit([["a", "b"]], [["x", "y"]])
    with pytest.raises(InputError, match="z"):
        crf.mean_loss([["a"]], [["z"]])


WORDS = ["ab", "cd", "abc", "dc"]
ROWS, CLASSES = np.array([[0., 1], [1, 0], [1, 1], [0, 0]]), ["a", "b", "a", "b"]


def two_classes(inputs, outputs):
    return Classes(np.array(inputs), outputs, 2)


@pytest.mark.parametrize("run, message", [
    (lambda: MulticlassSVM(kernel=SubsetTree()).fit(ROWS, CLASSES),
     "is a ndarray, expected a Tree or a Sentence"),
    (lambda: StructuredSVM(two_classes).fit(np.eye(2), [0, 1]).predict(np.eye(2)[0]),
     "is X one input instead of a list of inputs"),
    (lambda: StructuredSVM(two_classes).fit(np.eye(2), 1), "y is a int; expected a list"),
    (lambda: StructuredSVM(two_classes).fit(np.eye(2), [0, 1]).score(np.eye(2), 1),
     "y is a int; expected a list"),
    (lambda: SequenceSVM().fit([["a"]], 3), "y is a int; expected a list"),
    (lambda: Ngram().gram([{"a": 1}]), "is a dict, expected a Sentence, a list of tokens"),
    (lambda: Ngram(layer="upos").gram([["a", "b"]]), "only sentences have the layer 'upos'"),
    (lambda: Ngram().gram([["a"], "ab"]), "input 2 .'ab'. is a string, but others are of "
     "the kind list of tokens"),
    (lambda: BagOfWords().gram([["a"]], [np.ones(2)]), "the columns are vectors, but the "
     "rows are tokens"),
    (lambda: Gaussian().gram([np.ones(2), np.ones(3)]), "expected a vector of 2 numbers"),
    (lambda: Ngram().gram([[["a"]]]), "expected strings, numbers or tuples"),
    (lambda: MulticlassSVM(kernel=Ngram(), kernel_params={"n": 2}).fit(WORDS, CLASSES),
     "has its parameters already"),
    (lambda: MulticlassSVM(kernel="precomputed").fit(ROWS, CLASSES),
     "expected the Gram matrix of the training inputs, which is square"),
    (lambda: MulticlassSVM(kernel="precomputed").fit(np.eye(4) + np.eye(4, k=1), CLASSES),
     "not symmetric: 1 for the inputs 0 and 1, but 0 the other way round"),
    (lambda: MulticlassSVM(kernel=lambda a, b: -1.).fit(WORDS, CLASSES),
     "not positive semi-definite")])
def test_wrong_kinds_of_arguments(run, message):
    with pytest.raises(InputError, match=message):
        run()


@pytest.mark.parametrize("svm, X, y", [
    (MulticlassSVM(), [[0.], [1.], [2.]], [0, "b", 0]),
    (MulticlassSVM(), [[0.], [1.], [2.]], ["a", "b", np.nan]),
    (SequenceSVM(), [["x", "y"], ["y"]], [[0, "b"], ["b"]]),
    (SequenceSVM(), [["x", "y"], ["y"]], [[0, 1], ["b"]]),
    (GridSVM(), [np.ones((1, 2))], [[[0, "b"]]]),
    (SequenceSVM(), [["x", "y"], ["y"]], [np.array([0, 1]), np.array(["b"])]),
])
def test_labels_of_several_kinds(svm, X, y):
    with pytest.raises(InputError, match="labels are of the kinds .*str.*; expected strings or numbers, not both"):
        svm.fit(X, y)


def test_classes_of_several_kinds():
    with pytest.raises(InputError, match="labels are of the kinds int, str; expected strings or numbers, not both"):
        MulticlassSVM(solver="mira").partial_fit([[0.], [1.]], [0, 1], classes=[0, 1, "b"])
