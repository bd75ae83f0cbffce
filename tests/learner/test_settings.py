import ast

import pytest

from orange_structpred.learner import ParserLearner
from orange_structpred.learner.influence import (
    automatic_name,
    certificate_scope,
    has_certificate,
    unused,
)
from orange_structpred.learner.parameters import DEFAULT_HASHES, DEFAULTS, chosen_solver
from orange_structpred.learner.settings import (
    changed_kernel_params,
    kernel_defaults,
    learner_parameters,
)
from orange_structpred.parsing.second_order.part_templates import GROUPS
from orange_structpred.svm import SOLVERS


def test_defaults_need_not_be_said():
    assert learner_parameters({}) == {}
    assert learner_parameters(DEFAULTS) == {}
    assert learner_parameters({"groups": list(GROUPS), "learner_name": " "}) == {}
    assert learner_parameters({"groups": sorted(GROUPS)}) == {}


def test_what_differs_is_said_in_the_order_of_the_learner():
    settings = {"random_state": 3, "single_root": False, "solver": "bcfw", "C": 10.0,
                "groups": ["head", "dependent"], "passes": 10, "learner_name": "mine",
                "auto_train": "small", "savedWidgetGeometry": None, "__version__": 1}
    parameters = learner_parameters(settings)
    assert parameters == {
        "groups": ["head", "dependent"], "C": 10.0, "solver": "bcfw",
        "single_root": False, "random_state": 3, "name": "mine"}
    assert list(parameters) == [name for name in DEFAULTS if name in parameters]
    assert ast.literal_eval(repr(parameters)) == parameters
    learner = ParserLearner(**parameters)
    assert (learner.C, learner.solver, learner.name) == (10, "bcfw", "mine")


def test_what_has_no_influence_is_not_said():
    assert learner_parameters({"solver": "perceptron", "C": 5.0}) == {
        "solver": "perceptron"}
    assert learner_parameters({"solver": "auto", "epsilon": 0.5}) == {}
    assert learner_parameters({"solver": "bcfw", "epsilon": 0.5}) == {
        "solver": "bcfw", "epsilon": 0.5}
    assert learner_parameters({"features": "explicit", "hash": ["tokens"],
                               "kernel": "bow", "kernel_params": {"layer": "lemma"}
                               }) == {}
    assert learner_parameters({"features": "kernel", "groups": ["head"]}) == {
        "features": "kernel"}


@pytest.mark.parametrize("solver", SOLVERS)
def test_reasons_why_not(solver):
    settings = {"solver": solver}
    assert bool(unused("C", settings)) == (solver == "perceptron")
    assert bool(unused("epsilon", settings)) == (not SOLVERS[solver].certificate)
    assert not unused("passes", settings)


def test_the_solver_may_be_left_to_the_learner():
    assert chosen_solver({}) == "mira"
    assert not has_certificate({})
    assert unused("epsilon", {"solver": "auto"}).startswith("mira has no dual")
    assert has_certificate({"features": "kernel"})
    assert not unused("epsilon", {"features": "kernel"})
    assert has_certificate({"features": "explicit", "solver": "one-slack"})


def test_names():
    assert automatic_name({"C": 10.0, "name": "mine"}) == ParserLearner(C=10.0).name


def test_kernel_parameters_that_are_not_the_defaults():
    assert kernel_defaults("ngram")["n"] == 6
    assert changed_kernel_params("ngram", {"n": 6, "decay": 0.25}) == {"decay": 0.25}
    assert changed_kernel_params("poly-bow", {"degree": 2}) == {}
    # those of a sum are those of its parts
    assert kernel_defaults("constant+bow") == {
        **kernel_defaults("constant"), **kernel_defaults("bow")}


def test_kernel_learner():
    settings = {"features": "kernel", "hash": list(reversed(DEFAULT_HASHES)),
                "kernel": "ngram", "kernel_params": {"n": 3, "decay": 0.5},
                "groups": ["head"], "min_count": 5, "C": 2.0}
    parameters = learner_parameters(settings)
    # the order of hash functions makes no difference: these are the defaults
    assert parameters == {"features": "kernel", "kernel": "ngram",
                          "kernel_params": {"n": 3}, "C": 2.0}
    assert ParserLearner(**parameters).kernel_params == {"n": 3}
    settings.update(kernel_params={"n": 6}, hash=["lemmas"])
    assert learner_parameters(settings) == {
        "features": "kernel", "hash": ["lemmas"], "kernel": "ngram", "C": 2.0}


def test_what_a_certificate_is_about():
    assert certificate_scope({}, "projective") == ""
    assert "edges that pruning has left" in certificate_scope(
        {"solver": "bcfw"}, "projective")
    assert certificate_scope({"solver": "bcfw", "order": 1}, "projective") == ""
    assert certificate_scope({"solver": "one-slack"}, "exact") == ""
    assert "an estimate" in certificate_scope({"solver": "one-slack"}, "rearranged")
