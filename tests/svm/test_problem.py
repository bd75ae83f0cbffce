"""A problem in plain Python answers what solvers ask by its four methods."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm import Problem
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
def test_all_most_violated(problem):
    model = model_of(problem)
    outputs, hinges = problem.all_most_violated(model)
    assert outputs == [problem.most_violated(i, model) for i in range(len(problem))]
    assert_allclose(model.w @ model.w / 2 + hinges.mean(), primal(problem, model.w, 1))


def test_all_most_violated_stops():
    asked = iter([False, False, True])
    outputs, hinges = classes().all_most_violated(
        model_of(classes()), stop=lambda: next(asked))
    assert len(outputs) == len(hinges) == 2


@PROBLEMS
def test_plane_is_the_mean_of_differences(problem):
    model = model_of(problem)
    outputs, hinges = problem.all_most_violated(model)
    plane = problem.plane(outputs)
    other = problem.plane(problem.all_most_violated(model_of(problem, 1))[0])
    one, two = np.zeros((2, problem.dim))
    one[plane.features.indices] = plane.features.values
    two[other.features.indices] = other.features.values
    assert_allclose(plane.loss - model.w @ one, hinges.mean())
    assert_allclose(problem.inner_products(plane, [plane, other]),
                    [one @ one, one @ two])
    assert_allclose(problem.combine(np.array([2., 3.]), [plane, other]).w,
                    2 * one + 3 * two)
    copy, _ = problem.unpack_planes(problem.pack_planes([plane, other]))
    assert copy.loss == plane.loss
    assert [part.tolist() for part in copy.features] \
        == [part.tolist() for part in plane.features]


def test_fingerprint_tells_problems_apart():
    assert classes(10).fingerprint() != classes(11).fingerprint()
    assert classes().fingerprint() != chains().fingerprint()
