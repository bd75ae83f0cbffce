"""A problem in plain Python answers what solvers ask by its four methods."""
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from orange_structpred.svm import SOLVERS, Problem
from orange_structpred.svm.distributed import separate_all
from orange_structpred.svm.vectors import sparse_vector
from tests.svm.asking import dense, plane_of
from tests.svm.toy import chains, classes, primal

PROBLEMS = pytest.mark.parametrize("problem", [classes(), chains()], ids=["classes",
                                                                         "chains"])


def model_of(problem, seed=0):
    model = problem.new_model()
    model.w[:] = np.random.default_rng(seed).normal(size=problem.dim)
    return model


def test_inputs_and_outputs_must_be_as_many():
    problem = classes()
    with pytest.raises(ValueError, match="3 inputs but 2 outputs"):
        type(problem)(problem.X[:3], problem.Y[:2], 3)


def test_four_methods_are_needed():
    class Three(Problem):
        def joint_features(self, x, y): ...
        def loss(self, y, y_hat): ...
        def predict(self, x, w): ...

    with pytest.raises(TypeError, match="separate"):
        Three([], [], 1)


@PROBLEMS
def test_difference_is_sparse_and_right(problem):
    for i, (x, y) in enumerate(zip(problem.X, problem.Y)):
        for y_hat in problem.outputs(x):
            indices, values = problem.difference(i, y_hat)
            dense = np.zeros(problem.dim)
            dense[indices] = values
            assert len(set(indices.tolist())) == len(indices) and np.all(values != 0)
            assert_allclose(dense, problem.joint_features(x, y)
                            - problem.joint_features(x, y_hat))


@PROBLEMS
@pytest.mark.parametrize("weight", [1, 5])
def test_most_violated(problem, weight):
    """The weight of the loss counts: as a loss of so many parts."""
    model = model_of(problem)

    def value(x, y, y_hat):
        return (weight * problem.loss(y, y_hat)
                + model.w @ problem.joint_features(x, y_hat))

    for i, (x, y) in enumerate(zip(problem.X, problem.Y)):
        assert_allclose(value(x, y, problem.most_violated(i, model, weight)),
                        max(value(x, y, y_hat) for y_hat in problem.outputs(x)))


@PROBLEMS
def test_oracle(problem):
    model = model_of(problem)
    outputs, losses, hinges = problem.oracle(0, len(problem), model)
    assert outputs == [problem.most_violated(i, model) for i in range(len(problem))]
    assert losses.tolist() == [problem.example_loss(i, y)
                               for i, y in enumerate(outputs)]
    assert_allclose(model.w @ model.w / 2 + hinges.mean(), primal(problem, model.w, 1))
    assert problem.oracle(3, 5, model).outputs == outputs[3:5]


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_all_are_separated_by_any_number_of_threads(n_jobs):
    problem = classes(200)
    model = model_of(problem)
    plane, slack = separate_all(problem, model, n_jobs=n_jobs)
    outputs, _, hinges = problem.oracle(0, 200, model)
    assert_allclose(slack, hinges.mean())
    alone, own_slack = separate_all(problem, model)
    assert slack == own_slack
    assert plane.features.values.tobytes() == alone.features.values.tobytes()
    assert_allclose(dense(problem, plane.features),
                    dense(problem, plane_of(problem, outputs).features), atol=1e-12)


def test_separation_stops():
    checked = iter([None])      # the second time, there is a StopIteration
    with pytest.raises(StopIteration):
        separate_all(classes(200), model_of(classes()),
                     check_cancelled=lambda: next(checked))


@PROBLEMS
def test_plane_is_the_mean_of_differences(problem):
    model = model_of(problem)
    planes = problem.new_planes()
    plane, slack = separate_all(problem, model)
    other, _ = separate_all(problem, model_of(problem, 1))
    one, two = dense(problem, plane.features), dense(problem, other.features)
    assert_allclose(plane.loss - model.w @ one, slack)
    assert_allclose(planes.inner_products(plane, [plane, other]),
                    [one @ one, one @ two])
    assert_allclose(planes.combine(np.array([2., 3.]), [plane, other]).w,
                    2 * one + 3 * two)
    copy, _ = planes.unpack(planes.pack([plane, other]))
    assert copy.loss == plane.loss
    assert [part.tolist() for part in copy.features] \
        == [part.tolist() for part in plane.features]


@PROBLEMS
def test_blocks_of_any_problem(problem):
    blocks, model = problem.new_blocks(), model_of(problem)
    for i, x in enumerate(problem.X):
        block = blocks.start(i)
        for y in list(problem.outputs(x))[:4]:
            block = blocks.extend(i, block, y)
        a = np.array([dense(problem, output) for output in block.outputs])
        assert_allclose(block.gram, a @ a.T, atol=1e-12)
        assert_allclose(blocks.violations(i, block, model),
                        block.losses - a @ model.w, atol=1e-12)
        alpha = np.random.default_rng(i).dirichlet(np.ones(len(a)))
        vector, factor = blocks.combination(i, block, alpha, 2.)
        assert_allclose(factor * dense(problem, vector), 2 * alpha @ a, atol=1e-12)


@pytest.mark.parametrize("form", [
    sparse_vector, sparse.csr_array, sparse.coo_array,
    lambda dense: sparse.csr_matrix(dense[None, :])])
def test_features_may_be_sparse(form):
    class Sparse(type(classes())):
        def joint_features(self, x, y):
            return form(super().joint_features(x, y))

        def predict(self, x, w):
            return classes().predict(x, w)

        def separate(self, x, y, w):
            return classes().separate(x, y, w)

    plain = classes()
    problem = Sparse(plain.X, plain.Y, 3)
    for solver in SOLVERS.values():
        found = solver(C=2., passes=5).solve(problem).model.weights()
        assert_allclose(found, solver(C=2., passes=5).solve(plain).model.weights(),
                        atol=1e-9)


def test_fingerprint_tells_problems_apart():
    assert classes(10).fingerprint() != classes(11).fingerprint()
    assert classes().fingerprint() != chains().fingerprint()


def test_features_may_be_written_into_one_array():
    class Reused(Problem):
        room = np.zeros(3)

        def joint_features(self, x, y):
            self.room[:] = x * (y + 1), x - y, 1 + y
            return self.room

        def loss(self, y, y_hat):
            return float(y != y_hat)

        def predict(self, x, w):
            return 0

        separate = predict

    problem = Reused([2., 3.], [0, 1], 3)
    assert_allclose(dense(problem, problem.difference(0, 1)), [-2, 1, -1])
    assert_allclose(dense(problem, problem.difference(1, 0)), [3, -1, 1])
    assert_allclose(dense(problem, problem.difference(1, 0)), [3, -1, 1])
