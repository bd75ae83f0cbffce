"""Problems of one's own with kernels, against sums over all outputs."""
import pickle
import warnings

import numpy as np
import pytest

from benchmarks.kernels_any import compare_trees
from orange_structpred.errors import InputError
from orange_structpred.kernels import FunctionKernel, Ngram, Nystroem
from orange_structpred.problems import StructuredSVM
from orange_structpred.problems.atomic.atomic_kernel import AtomicModel, prepare_problem
from orange_structpred.svm import BCFW, NSlack, OneSlack, Problem, check_problem
from tests.parsing.brute import TOYS
from tests.problems.atomic.toy import (
    CHOICES,
    TAGS,
    WORDS,
    Sets,
    Tags,
    X,
    Y,
    common_words,
    feature_counts,
)

C = 5.
SOLVERS = {"one-slack": OneSlack(C=C, epsilon=1e-6, passes=300),
           "bcfw": BCFW(C=C, epsilon=1e-6, passes=3000),
           "n-slack": NSlack(C=C, epsilon=1e-6, passes=300)}


def cholesky_problem(kind, inputs, outputs, kernel, root=1.):
    """The same problem with explicit features: rows of a Cholesky factor of the Gram
    matrix times counts of hash values; or times `root`, a matrix, of these."""
    atomic = kind(inputs, outputs)
    gram = np.array([[kernel(a, b) for b in inputs] for a in inputs], float)
    rows = np.linalg.cholesky(gram + 1e-12 * np.eye(len(inputs)))

    class Explicit(Problem):
        def joint_features(self, x, y):
            counts = np.zeros(len(atomic.known))
            for value, n in feature_counts(atomic, inputs[x], y).items():
                counts[atomic.known[value]] = n
            return np.outer(rows[x], np.dot(root, counts)).ravel()

        def loss(self, y, y_hat):
            return atomic.loss(y, y_hat)

        def outputs(self, x):
            return atomic.outputs(inputs[x])

        def predict(self, x, w):
            return max(self.outputs(x), key=lambda y: w @ self.joint_features(x, y))

        def separate(self, x, y, w):
            return max(self.outputs(x), key=lambda other: (
                w @ self.joint_features(x, other) + self.loss(y, other)))

    return Explicit(range(len(inputs)), outputs, len(inputs) * len(atomic.known))


@pytest.fixture(scope="module", params=["tags", "sets"])
def case(request):
    kind, inputs, outputs = {"tags": (Tags, X[:4], Y[:4]),
                             "sets": (Sets, WORDS, CHOICES)}[request.param]
    explicit = cholesky_problem(kind, inputs, outputs, common_words)
    primal = SOLVERS["bcfw"].solve(explicit).reports[-1].primal
    return kind, inputs, outputs, primal


@pytest.mark.parametrize("solver", SOLVERS)
def test_objectives_are_those_of_explicit_features(case, solver):
    kind, inputs, outputs, primal = case
    problem = prepare_problem(kind(inputs, outputs), FunctionKernel(common_words)).problem
    solution = SOLVERS[solver].solve(problem)
    assert solution.converged
    assert solution.reports[-1].primal == pytest.approx(primal, abs=3e-5)


@pytest.mark.parametrize("solver", ["subgradient", "mira", "perceptron", "sampled-cuts"])
def test_all_solvers_learn_the_examples(solver):
    svm = StructuredSVM(Tags, kernel=common_words, solver=solver, C=100).fit(X, Y)
    assert svm.score(X, Y) == 1


def test_scores_are_sums_of_joint_kernels():
    """Sufficient weights (4.20), for inputs of training and for others."""
    inputs, atomic = X[:4], Tags(X[:4], Y[:4])
    problem, known, *_ = prepare_problem(atomic, FunctionKernel(common_words))
    model = problem.new_model()
    expected = np.zeros((len(X), len(TAGS)))
    for i, block in enumerate(BCFW(C=C, passes=5).solve(problem).dual_state.blocks):
        for parts, alpha in zip(block.outputs, block.alpha):
            model.add(i, problem.part_vector(i, parts, np.ones(len(parts), np.float32)),
                      alpha)
            for symbol in (atomic.symbols(inputs[i])[part] for part in parts):
                for n, x in enumerate(X):
                    for k, tag in enumerate(TAGS):
                        common = set(atomic.hash(symbol, inputs[i])) & set(
                            atomic.hash((0, tag), x))
                        expected[n, k] += alpha * common_words(inputs[i], x) * len(common)
    found = AtomicModel.from_solution(model, FunctionKernel(common_words), inputs, known)
    bound, as_seen = found.bind(Tags(X, [None] * len(X)))
    weights = [bound.sufficient_weights(n, as_seen)[:len(TAGS)] for n in range(len(X))]
    np.testing.assert_allclose(weights, expected, rtol=1e-5, atol=1e-6)


def test_trees_have_the_objective_of_the_compiled_parser():
    _, figures = compare_trees(TOYS)
    assert figures["compiled_objective"] > 1
    assert figures["difference_objective"] < 1e-6
    assert figures["difference_at_the_end"] < 1e-6


def test_methods_agree():
    assert check_problem(Tags(X, Y)) > 400
    assert check_problem(Sets(WORDS, CHOICES)) > 10


def test_a_construction_that_is_not_the_best_is_found():
    class Careless(Tags):
        def construct(self, weights, x):
            return [TAGS[k] for k in weights.reshape(len(x), -1).argmin(axis=1)]

    with pytest.raises(InputError, match="the prediction has a score of"):
        check_problem(Careless(X, Y))


def test_the_loss_is_that_of_section_4_3():
    problem = Sets(WORDS, CHOICES)
    for y in problem.outputs(WORDS[0]):
        for other in problem.outputs(WORDS[0]):
            wrong = len(y) + len(other) - 2 * len(y & other)
            assert problem.loss(y, other) == pytest.approx(wrong / (2 * max(1, len(y))))


def test_without_a_kernel_all_inputs_are_alike():
    plain = BCFW(C=C, epsilon=1e-6, passes=3000).solve(Tags(X, Y))
    svm = StructuredSVM(Tags, C=C, tol=1e-6).fit(X, Y)
    assert svm.reports_[-1].primal == pytest.approx(plain.reports[-1].primal, abs=2e-5)
    weights = plain.model.weights()
    np.testing.assert_allclose(
        svm.sufficient_weights(X[:1])[0],
        Tags._scores((own := Tags(X, Y)).hashed, 0, weights), atol=0.01)
    assert own.dim == len(weights)


@pytest.mark.parametrize("solver", ["bcfw", "one-slack", "n-slack"])
def test_a_weight_of_two_is_an_example_twice(solver):
    options = {"kernel": common_words, "C": C, "tol": 1e-6, "solver": solver}
    twice = StructuredSVM(Tags, **options).fit([*X, X[1]], [*Y, Y[1]])
    weighted = StructuredSVM(Tags, **options).fit(X, Y, sample_weight=[1, 2, 1, 1, 1, 1])
    assert weighted.reports_[-1].primal == pytest.approx(twice.reports_[-1].primal, abs=2e-5)


def test_threads_change_nothing():
    one, two = (StructuredSVM(Tags, kernel=common_words, solver="one-slack", C=C,
                              n_jobs=jobs).fit(X, Y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.kernel_model_.index.coefficients,
                                  two.kernel_model_.index.coefficients)


def test_support_vectors_are_all_that_is_kept():
    svm = StructuredSVM(Tags, kernel=common_words, solver="perceptron").fit(X, Y)
    assert 0 < len(svm.support_) < len(X)
    assert svm.kernel_model_.support == [X[i] for i in svm.support_]
    again = pickle.loads(pickle.dumps(svm))
    assert again.predict(X) == svm.predict(X)


def test_words_never_seen_score_by_the_rest():
    svm = StructuredSVM(Tags, kernel=common_words, C=100).fit(X, Y)
    assert svm.predict([["the", "wug"], ["wug"]])[0] == ["D", "N"]
    assert not svm.sufficient_weights([["wug", "wug"]])[0][len(TAGS):].any()


@pytest.mark.parametrize("solver, landmarks, unlabelled", [
    ("bcfw", 3, None), ("ridge", 3, None), ("bcfw", 6, None),
    ("ridge", 4, [["the", "cow"], ["cats", "see"]])])
def test_landmarks_stand_for_all_inputs(solver, landmarks, unlabelled):
    """The same as with the kernel that the landmarks give, written out."""
    nystroem = Nystroem(FunctionKernel(common_words), landmarks=landmarks)
    marks = nystroem.draw([*X, *(unlabelled or [])])
    inverse = np.linalg.pinv(np.array([[common_words(a, b) for b in marks] for a in marks]),
                             1e-6)

    def approximation(a, b):
        return np.dot([common_words(a, mark) for mark in marks], inverse) @ [
            common_words(mark, b) for mark in marks]

    found, expected = (
        StructuredSVM(Tags, kernel=kernel, solver=solver, C=C, tol=1e-5).fit(
            X, Y, unlabelled=unlabelled) for kernel in (nystroem, approximation))
    others = [["the", "dog", "sees"], ["wug"]]
    for one, other in zip(found.sufficient_weights(others),
                          expected.sufficient_weights(others)):
        np.testing.assert_allclose(one, other, atol=0.02)
    assert found.kernel_model_.support == marks
    assert all([*X, *(unlabelled or [])][i] == x for i, x in zip(found.support_, marks))


def test_landmarks_in_a_file(tmp_path):
    svm = StructuredSVM(Tags, kernel=Nystroem(Ngram(n=2), landmarks=3), C=C).fit(X, Y)
    assert svm.kernel.features_ is None         # parameters stay as they are
    svm.save(tmp_path / "tagger.npz")
    loaded = StructuredSVM.load(tmp_path / "tagger.npz", problem=Tags)
    for one, other in zip(svm.sufficient_weights(X), loaded.sufficient_weights(X)):
        np.testing.assert_array_equal(one, other)


# what goes wrong

def fails(match, kind=Tags, inputs=X, outputs=Y, **options):
    with pytest.raises(InputError, match=match):
        StructuredSVM(kind, **options).fit(inputs, outputs)


def test_nonsense_from_construct():
    for output, message in (
            (["D", "X", "N"], "symbol .* is not among `symbols`"), (None, "is not a set"),
            (["D"] * 9, "is not among `symbols`"), (7, "is not a set of symbols")):
        for options in ({}, {"kernel": common_words, "solver": "mira"}):
            fails(message, type("Wrong", (Tags,), {
                "construct": lambda self, weights, x, output=output: output}), **options)
    fails("construct failed for example .: ZeroDivisionError", type("Wrong", (Tags,), {
        "construct": lambda self, weights, x: 1 / 0}))


@pytest.mark.parametrize("solver", ["bcfw", "ridge"])
def test_outputs_that_are_none_of_this_input(solver):
    """Each is a set of symbols, but not what the weights ask for."""
    for construct, misses in ((lambda self, weights, x: Tags.construct(self, weights, x)[:1], 6),
                              (lambda self, weights, x: [], 6),
                              (lambda self, weights, x: ["D", "N", "V"][:len(x)], 4)):
        wrong = type("Wrong", (Tags,), {"construct": construct})
        with pytest.warns(UserWarning, match=rf"Wrong.construct returns \[.*\] for example ., "
                          rf"but .* It misses {misses} of 6 true outputs"):
            StructuredSVM(wrong, kernel=common_words, solver=solver, max_iter=2, tol=10.).fit(
                X, Y)


def test_right_constructions_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        StructuredSVM(Tags, kernel=common_words, C=C).fit(X, Y)
        StructuredSVM(Sets, kernel=common_words, C=C).fit(WORDS, CHOICES)


def test_nonsense_from_hash_and_symbols():
    for value in (None, float("nan"), {1: 2}, [["a"]], iter([1]), ("word", float("nan"))):
        fails("hash returned", type("Wrong", (Tags,), {
            "hash": lambda self, symbol, x, value=value: value}))
    fails("hash failed for example 0: KeyError", type("Wrong", (Tags,), {
        "hash": lambda self, symbol, x: {}[symbol]}))
    fails("symbols returned None for example 0; expected a list", type("Wrong", (Tags,), {
        "symbols": lambda self, x: None}))
    fails("a symbol twice", type("Wrong", (Tags,), {
        "symbols": lambda self, x: Tags.symbols(self, x) * 2}))


def test_nonsense_in_outputs():
    fails("'X'. is not among `symbols`", outputs=[["D", "N", "X"], *Y[1:]])
    fails("inputs but 2 outputs", outputs=Y[:2])
    with pytest.raises(InputError, match="is not a set of symbols"):
        check_problem(type("Wrong", (Tags,), {"symbols_of": lambda self, y: 5})(X, Y))
    fails("has a symbol twice", Sets, WORDS, [["red", "red"], *CHOICES[1:]])
    fails("there are no examples", inputs=[], outputs=[])


def test_losses_that_are_no_numbers():
    for name, message in (("loss", "the loss of an output for example 0 is 'x'"),
                          ("similarity", "similarity returned 'x' for the symbols")):
        for kernel in (None, common_words):
            fails(message, type("Wrong", (Tags,), {name: lambda self, *symbols: "x"}),
                  kernel=kernel)


def test_a_matrix_of_kernel_values_alone():
    fails(r"inputs are needed for more than these; pass kernel=Precomputed\(matrix, inputs\)",
          kernel="precomputed")


def test_a_loss_that_is_negative():
    class Generous(Sets):
        def similarity(self, symbol, other):
            return 1.

    with pytest.raises(InputError, match="is -0.25; expected a number that is not negative"):
        check_problem(Generous(WORDS, CHOICES))


def test_kernels_that_are_none():
    fails("not positive semi-definite", kernel=lambda a, b: -common_words(a, b))
    fails("not symmetric", kernel=lambda a, b: len(a))
    fails("only an AtomicProblem takes a kernel",
          lambda inputs, outputs: cholesky_problem(Tags, inputs, outputs, common_words),
          kernel=common_words)


def test_partial_fit_needs_features():
    with pytest.raises(InputError, match="partial_fit"):
        StructuredSVM(Tags, solver="mira").partial_fit(X, Y)
