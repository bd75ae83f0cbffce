"""Structural SVMs on Orange's tables."""
import pickle
import warnings

import numpy as np
import pytest
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)
from Orange.evaluation import CA, CrossValidation
from Orange.evaluation import TestOnTestData as OnTestData

from orange_structpred.errors import InputError
from orange_structpred.problems.table_settings import SETTINGS, table_learner_parameters
from orange_structpred.problems.tables import (
    StructuredSVMLearner,
    class_paths,
    parents,
    sequences_of,
)

ZOO = Table("zoo")


def chain_table(n=30, seed=0):
    """Labels that depend on the label before rather than on the features."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n):
        label = number % 2
        for place in range(6):
            # only the first row of a sequence tells its label; then they alternate
            rows.append((label * 2 - 1 if place == 0 else 0, rng.normal(), place, label,
                         f"s{number}"))
            label = 1 - label
    order = rng.permutation(len(rows))
    domain = Domain([ContinuousVariable("a"), ContinuousVariable("b"),
                     ContinuousVariable("place")],
                    DiscreteVariable("y", ("no", "yes")), [StringVariable("name")])
    X = np.array([row[:3] for row in rows])[order]
    return Table.from_numpy(domain, X, np.array([row[3] for row in rows], float)[order],
                            np.array([[row[4]] for row in rows], object)[order])


def test_classes_and_kernels_in_cross_validation():
    learners = [StructuredSVMLearner(), StructuredSVMLearner(kernel="rbf"),
                StructuredSVMLearner("taxonomy", path="backbone"),
                StructuredSVMLearner(kernel="poly", degree=2, solver="mira", max_iter=20)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = CrossValidation(k=3)(ZOO, learners)
    assert not any(results.failed)
    assert (CA(results) > 0.85).all()


def test_taxonomy():
    model = StructuredSVMLearner("taxonomy", path="backbone")(ZOO)
    assert "backbone" not in [own.name for own in model.domain.attributes]
    assert {"/0", "/1", "mammal", "insect"} <= set(model.estimator.nodes_)
    assert np.mean(model(ZOO) == ZOO.Y) > 0.9
    assert model(ZOO[0]) == ZOO[0].get_class()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again(ZOO), model(ZOO))
    assert class_paths(ZOO, "backbone")["mammal"] == ["1"]


def test_paths_as_classes():
    names = {"mammal": "vertebrate/warm/mammal", "bird": "vertebrate/warm/bird"}
    old = ZOO.domain.class_var
    renamed = DiscreteVariable("type", [names.get(own, own) for own in old.values])
    data = Table.from_numpy(Domain(ZOO.domain.attributes, renamed), ZOO.X, ZOO.Y)
    model = StructuredSVMLearner("taxonomy", loss="distance")(data)
    assert ("vertebrate", "warm") in model.estimator.nodes_
    assert np.mean(model(data) == data.Y) > 0.9
    assert parents({"cat": ["a", "b"], "x": []}) == {"/a/b": "/a", "cat": "/a/b", "x": "/"}


def test_sequences():
    data = chain_table()
    rows = sequences_of(data, "name", "place", known=True)
    places = data.get_column("place")
    assert all(places[own].tolist() == list(range(6)) for own in rows)
    assert sorted(np.concatenate(rows)) == list(range(len(data)))
    training, test = chain_table(20, seed=1), chain_table(20, seed=2)
    learners = [StructuredSVMLearner(),
                StructuredSVMLearner("sequences", group="name", order="place")]
    flat, chain = CA(OnTestData()(training, test, learners))
    assert chain == 1 and flat < 0.8
    model = learners[1](training)
    assert [own.name for own in model.domain.attributes] == ["a", "b"]
    # without a name, a row is a sequence of its own
    alone = test.copy()
    with alone.unlocked():
        alone.metas[:] = ""
    assert np.mean(model(alone) == alone.Y) < 1
    assert len(model(test[:0])) == 0


@pytest.mark.parametrize("parameters, message", [
    ({"output": "trees"}, "output 'trees' is not known; choose from classes"),
    ({"kernel": "cosine"}, "kernel 'cosine' is not known"),
    ({"solver": "magic"}, "solver 'magic' is not known"),
    ({"loss": "tree"}, "loss 'tree' is not known for classes; choose from zero-one"),
    ({"output": "sequences"}, "sequences need a group"),
])
def test_bad_parameters(parameters, message):
    with pytest.raises(InputError, match=message):
        StructuredSVMLearner(**parameters)


def test_bad_tables():
    with pytest.raises(ValueError, match="needs a categorical target"):
        StructuredSVMLearner()(Table("housing"))
    with pytest.raises(ValueError, match="The data has no column 'path'"):
        StructuredSVMLearner("taxonomy", path="path")(ZOO)
    with pytest.raises(ValueError, match="'type' is the target itself"):
        StructuredSVMLearner("taxonomy", path="type")(ZOO)
    with pytest.raises(InputError, match="has .* in the column 'hair'; expected one path"):
        StructuredSVMLearner("taxonomy", path="hair")(ZOO)
    data = chain_table()
    with data.unlocked():
        data.metas[:5] = ""
    with pytest.raises(InputError, match="5 rows have no value in the column 'name'"):
        StructuredSVMLearner("sequences", group="name")(data)


def test_progress_is_reported_and_stops():
    seen = []
    StructuredSVMLearner()(ZOO, lambda share, *_: seen.append(share))
    assert seen == sorted(seen) and seen[-1] == 1

    def stop(share, *_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        StructuredSVMLearner()(ZOO, stop)


def test_settings_become_parameters():
    assert table_learner_parameters({}) == table_learner_parameters(SETTINGS) == {}
    assert table_learner_parameters({
        "output": "sequences", "group": "name", "C": 3, "kernel": "rbf", "gamma": 0.5,
        "degree": 7, "path": "elsewhere"}) == {
        "output": "sequences", "group": "name", "C": 3, "kernel": "rbf", "gamma": 0.5}
    assert table_learner_parameters({"C": "__import__('os')", "output": ["x"]}) == {}
