"""What the parameters of a learner may be: whatever is wrong is said in words."""
import numpy as np
import pytest

import orange_structpred
from orange_structpred.errors import InputError
from orange_structpred.kernels import Ngram
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.influence import missing_need
from orange_structpred.learner.parameters import (
    AUTO_SOLVERS,
    DEFAULTS,
    FEATURES,
    PARAMETERS,
    SOLVED,
)
from orange_structpred.learner.parser_learner import LEARNERS
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.svm import PARSER_SOLVERS
from orange_structpred.tuning.arguments import check
from orange_structpred.tuning.search import tune
from tests.tuning.test_search import TOY

WRONG = [
    ("features", None), ("features", 1), ("groups", None), ("groups", 5),
    ("groups", ["head", 1]), ("min_count", None), ("min_count", 1.5),
    ("min_count", True), ("hash_bits", "x"), ("hash_bits", 10.0), ("hash", None),
    ("hash", 5), ("hash", [5]), ("hash_weights", 3), ("hash_weights", ["x"]),
    ("hash_weights", [0] * 5), ("buckets", "x"), ("buckets", 0), ("kernel", None),
    ("kernel", 7), ("kernel_params", 1), ("kernel_params", {1: 2}), ("nystroem", 0),
    ("nystroem", "x"), ("vectors", 5), ("features", "colour"),
    ("C", "x"), ("C", None), ("C", True), ("C", np.inf),
    ("epsilon", None), ("epsilon", "0.1"), ("solver", None), ("solver", ["mira"]),
    ("passes", 2.0), ("passes", "3"), ("passes", True), ("decoder", None),
    ("single_root", "x"), ("single_root", 1), ("random_state", "x"),
    ("random_state", -1), ("random_state", 2**32), ("n_jobs", 1.5), ("n_jobs", 0),
    ("checkpoint", 5), ("name", 5), ("name", "a\tb"), ("name", "x" * 1001),
    ("C", 1e300), ("C", 1e-300),
    ("passes", 99999999999999999999), ("epsilon", 1e300), ("min_count", 10**30),
    ("buckets", 10**30), ("nystroem", 10**9), ("n_jobs", 10**9), ("n_jobs", -10**30),
    ("hash_weights", [1e300] * 5)]


@pytest.mark.parametrize("kernel, params", [
    ("ngram", {"n": 10**9}), ("annotated-ngram", {"n": 10**6}), ("ngram", {"n": True}),
    ("poly-bow", {"degree": 10**6}), ("gaussian", {"gamma": 1e300}),
    ("constant", {"value": 1e300}), ("annotated-ngram", {"form": 1e300})])
def test_kernels_beyond_all_limits(kernel, params):
    with pytest.raises(ValueError, match="expected a (whole )?(number|weight)"):
        ParserLearner(features="kernel", kernel=kernel, kernel_params=params)(TOY)


def test_defaults_fit():
    check(DEFAULTS)


@pytest.mark.parametrize("name, value", WRONG)
@pytest.mark.parametrize("features", list(FEATURES))
def test_wrong_values(name, value, features):
    """They are told when learning begins, and before a grid is tried."""
    def callback(report):
        raise AssertionError("work has begun")

    parameters = {"features": features, name: value}
    learner = ParserLearner(**parameters)       # only stores them
    for learn in (lambda: learner(TOY, callback), lambda: check(parameters),
                  lambda: tune(TOY, {name: [value]}, callback=callback)):
        with pytest.raises(ValueError, match=rf"^{name} (must be .*, not|.* is not kn)"):
            learn()


def test_numbers_of_numpy_are_numbers():
    parser = ParserLearner(
        C=np.float32(0.5), epsilon=np.float64(0.1), passes=np.int64(1),
        min_count=np.int8(0), random_state=np.uint32(3), n_jobs=np.int16(1),
        single_root=np.bool_(False))(TOY)
    assert parser.name == "explicit mira C=0.5" and len(parser.log) == 1
    check({"C": 3, "epsilon": 1, "n_jobs": -5, "hash_weights": np.ones(5)})
    check({"kernel": Ngram(n=2), "hash": "tokens", "checkpoint": None})
    check({"features": "kernel", "kernel": lambda x, y: 1., "hash": [max, "tokens"]})


@pytest.mark.parametrize("kernel", ["colour", "bow+colour", "bow + colour"])
def test_unknown_kernels(kernel):
    """Only those are offered that make a parser, and by their names alone."""
    with pytest.raises(ValueError, match="^kernel 'colour' is not known; choose from "
                       "constant, bow, poly-bow, gaussian, ngram, annotated-ngram$"):
        check({"features": "kernel", "kernel": kernel})


def test_names_follow_the_parameters():
    learner = ParserLearner(C=3)
    learner.C, learner.passes = 7, 1
    assert learner.name == "explicit mira C=7" == learner(TOY).name
    learner.features, learner.kernel = "kernel", Ngram(n=2)
    assert learner.name == "ngram kernel bcfw C=7"
    learner.name = "mine"
    learner.C = 1
    assert learner.name == "mine"
    assert ParserLearner(name="").name == "explicit mira C=1"
    assert repr(ParserLearner(C=3)) == "ParserLearner(C=3)"
    assert repr(ParserLearner(name="mine")) == "ParserLearner(name='mine')"
    # it can be shown whatever is wrong
    assert ParserLearner("kernel", C="x", kernel=None).name == "NoneType kernel bcfw C=x"


def test_a_parser_without_features_is_told_of():
    with pytest.warns(UserWarning, match="no feature occurs min_count=100000 times"):
        parser = ParserLearner(min_count=100000, passes=1)(TOY)
    assert parser.n_weights == 0


def test_votes_alone_are_no_features():
    with pytest.raises(InputError, match="'transitions' alone leaves no features: .* mira"):
        ParserLearner(groups=["transitions"], solver="bcfw").check()
    ParserLearner(groups=["transitions"]).check()
    ParserLearner(groups=["head", "transitions"], solver="bcfw").check()


def test_choices_of_the_table():
    """Their names stand there again, since --help is to answer at once."""
    assert set(PARAMETERS["solver"].kind.choices) == {"auto", *PARSER_SOLVERS}
    assert set(PARAMETERS["decoder"].kind.choices) == {"auto", *DECODERS}
    assert set(FEATURES) == set(LEARNERS)
    assert set(SOLVED.features) == set(AUTO_SOLVERS)


@pytest.mark.parametrize("features", LEARNERS)
def test_kinds_have_the_parameters_that_they_use(features):
    learner = LEARNERS[features]
    for name in DEFAULTS:
        need = missing_need(name, {"features": features})
        assert (name in learner.rows) == (
            name != "features" and not (need and need.features)), name
    assert learner().name == ParserLearner(features).name
    assert f"{name} : " in learner.__doc__
    with pytest.raises(TypeError, match="colour"):
        learner(colour=1)


def test_public_names_are_listed():
    assert set(orange_structpred.__all__) <= set(dir(orange_structpred))
    for name in orange_structpred.__all__:
        assert getattr(orange_structpred, name)
