import json

import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.evaluation import evaluate
from orange_structpred.kernels import Ngram
from orange_structpred.learner import ParserLearner, base
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.parsing.second_order.part_templates import GROUPS
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.shape import cycle
from orange_structpred.tuning.arguments import tuning_arguments
from orange_structpred.tuning.curves import learning_curve
from orange_structpred.tuning.grids import (
    decades,
    make_grid,
    parse_values,
    settings_of,
    value_text,
    values_text,
)
from orange_structpred.tuning.results import Point, Tuning, setting_text
from orange_structpred.tuning.search import tune
from orange_structpred.tuning.splits import training_splits
from tests.observers import stop_if
from tests.treebank.toy import UNPARSED, block

TEXTS = {"the dog sees a cat": [2, 3, 0, 5, 3], "a cat sleeps": [2, 3, 0],
         "dogs see cats": [2, 0, 2], "cats the dog sees": [4, 3, 4, 0],
         "sees she a dog": [0, 1, 4, 1], "dogs sleep here": [2, 0, 2]}
SENTENCES = [Sentence(block(heads, text)) for text, heads in TEXTS.items()] * 3
TOY = Treebank.from_sentences(SENTENCES, name="toy")
SMALL = {"groups": ["head", "dependent"]}       # few features: more to compare
KERNEL = {"features": "kernel", "hash": ["tokens"]}


def figures(tuning):
    return [(point.label, point.C, point.train_loss, point.validation_loss, point.low,
             point.high, point.squared_norm) for point in tuning.points]


# Grids

def test_values_as_people_write_them():
    assert parse_values("epsilon", "0.1,0.01 , 1") == [0.1, 0.01, 1]
    assert parse_values("solver", "bcfw, one-slack, bcfw") == ["bcfw", "one-slack"]
    assert parse_values("hash", "posTags, posTags2::dir + tokens, a+b") == [
        ["posTags"], ["posTags2::dir", "tokens"], ["a", "b"]]
    assert parse_values("hash", "h+1.upos d.upos + tokens") == [
        ["h+1.upos d.upos", "tokens"]]
    assert parse_values("groups", "all, all without context + counts, head") == [
        "all", [name for name in GROUPS if name not in ("context", "counts")],
        ["head"]]
    assert parse_values("kernel", "bow, constant + bow, ngram n=4 decay=0.5") == [
        "bow", "constant+bow", ("ngram", {"n": 4, "decay": 0.5})]
    assert parse_values("hash_bits", "none, 12") == [None, 12]
    assert parse_values("single_root", "true, False") == [True, False]


@pytest.mark.parametrize("parameter, text", [
    ("solver", "auto, bcfw"), ("epsilon", "0.1, 0.01"),
    ("groups", "all, all without context, head + dependent"),
    ("hash", "posTags, posTags2::dir + tokens"), ("min_count", "0, 2"),
    ("kernel", "constant, ngram n=4 decay=0.5"), ("single_root", "true, false")])
def test_values_written_again(parameter, text):
    assert values_text(parameter, parse_values(parameter, text)) == text


@pytest.mark.parametrize("parameter, text, words", [
    ("epsilon", "0.1,,1", "before and after each comma"),
    ("hash", "tokens, posTags +", "before and after each +"),
    ("groups", "all without nonsense", "'nonsense' is not known"),
    ("groups", "all but context", "expected all, all without"),
    ("kernel", "ngram n", "expected NAME=VALUE")])
def test_values_that_make_no_sense(parameter, text, words):
    with pytest.raises(ValueError, match=words.replace("+", r"\+")):
        parse_values(parameter, text)


def test_decades():
    assert decades(0.001, 100) == [0.001, 0.01, 0.1, 1, 10, 100]
    assert decades(1, 10, 3) == [1, 2, 5, 10]
    assert decades(1.5, 200) == [1.5, 15, 150]
    assert decades(1, 10, 4) == [1, 1.78, 3.16, 5.62, 10]
    assert decades(0.3, 0.3) == [0.3]
    for low, high, each in ((1, 0.1, 1), (0, 1, 1), (1, float("inf"), 1), (1, 2, 0)):
        with pytest.raises(ValueError):
            decades(low, high, each)


def test_order_of_settings():
    grid = make_grid({"solver": ["bcfw", "mira"], "C": [1],
                      "kernel": ["bow", ("ngram", {"n": 4})]})
    assert settings_of(grid) == [
        {"solver": solver, "kernel": kernel, "kernel_params": params}
        for solver in ("bcfw", "mira")
        for kernel, params in (("bow", None), ("ngram", {"n": 4}))]
    labels = [setting_text(setting) for setting in settings_of(grid)]
    assert labels[:2] == ["solver bcfw, kernel bow", "solver bcfw, kernel ngram n=4"]
    assert value_text("kernel", ("ngram", {"n": 4})) == "ngram n=4"


# What settings stand for

def test_arguments_of_settings():
    assert tuning_arguments({}) == ({"C": decades(0.001, 100)}, {})
    settings = {
        "C_from": 0.1, "C_to": 1.0, "C_per_decade": 2, "solver": "bcfw", "C": 7.0,
        "passes": 3, "share": 0.3, "folds": 4, "evaluation": "split", "n_jobs": 2,
        "random_state": 5, "auto_tune": "small", "varied": {
            "groups": "all, head", "hash": "tokens", "solver": " "}}
    grid, options = tuning_arguments(settings)
    assert grid == {"C": [0.1, 0.3, 1.0], "groups": ["all", ["head"]]}
    assert options == {"share": 0.3, "random_state": 5, "n_jobs": 2,
                       "solver": "bcfw", "passes": 3}
    settings["evaluation"] = "folds"
    assert tuning_arguments(settings)[1]["folds"] == 4
    assert "share" not in tuning_arguments(settings)[1]
    options = tuning_arguments(settings, validation=True)[1]
    assert "folds" not in options and "share" not in options


def test_arguments_that_one_of_the_solvers_needs():
    settings = {"solver": "mira", "epsilon": 0.5}
    assert tuning_arguments(settings)[1] == {"solver": "mira"}
    grid, options = tuning_arguments({**settings, "varied": {"solver": "mira, bcfw"}})
    assert grid["solver"] == ["mira", "bcfw"] and options == {"epsilon": 0.5}


def test_arguments_of_kernels():
    settings = {"features": "kernel", "kernel": "gaussian",
                "kernel_params": {"gamma": 0.5}}
    assert tuning_arguments(settings)[1] == settings
    grid, options = tuning_arguments(
        {**settings, "varied": {"kernel": "bow, ngram n=4", "groups": "head"}})
    assert options == {"features": "kernel"}
    assert grid == {"C": decades(0.001, 100), ("kernel", "kernel_params"): [
        ("bow", None), ("ngram", {"n": 4})]}


# Tuning

def test_points_in_the_order_of_the_grid():
    tuning = tune(TOY, {"C": [1, 0.01], "solver": ["bcfw", "mira"]}, passes=2)
    assert [(point.label, point.C) for point in tuning.points] == [
        ("solver bcfw", 0.01), ("solver bcfw", 1), ("solver mira", 0.01),
        ("solver mira", 1)]
    assert not tuning.stopped
    for point in tuning.points:
        assert point.low <= point.validation_loss <= point.high
        assert point.squared_norm > 0 and point.seconds > 0
        name = f"explicit {point.setting['solver']} C={point.C:g}"
        assert tuning.parser(point).name == name


def test_losses_are_those_of_the_split():
    tuning = tune(TOY, {"C": [0.001, 1]}, solver="mira", passes=2, share=0.3,
                  random_state=3, **SMALL)
    (train, validation), = training_splits(TOY, None, 0.3, None, 3)
    assert (len(train), len(validation)) == (13, 5)
    for point in tuning.points:
        own = ParserLearner(C=point.C, solver="mira", passes=2, random_state=3,
                            **SMALL)(train)
        assert point.train_loss == 1 - evaluate(own(train)).uas
        assert point.validation_loss == 1 - evaluate(own(validation)).uas


def test_a_path_goes_on_from_one_C_to_the_next():
    tuning = tune(TOY, {"C": [0.01, 0.1, 1]}, solver="bcfw", passes=3, **SMALL)
    (train, _), = training_splits(TOY, None, 0.2, None, 0)
    path = ParserLearner(solver="bcfw", passes=3, **SMALL).path(train, [0.01, 0.1, 1])
    for point, parser in zip(tuning.points, path, strict=True):
        np.testing.assert_array_equal(
            tuning.parser(point).edge_scores(SENTENCES[0]),
            parser.edge_scores(SENTENCES[0]))


def test_a_validation_treebank():
    tuning = tune(TOY[:6], {"C": [1]}, validation=TOY[6:9], passes=2, **SMALL)
    point, = tuning.points
    own = ParserLearner(passes=2, **SMALL)(TOY[:6])
    assert point.validation_loss == 1 - evaluate(own(TOY[6:9])).uas
    assert point.train_loss == 1 - evaluate(own(TOY[:6])).uas


def test_treebanks_that_were_parsed_before():
    parser = ParserLearner(passes=1, **SMALL)(TOY)
    options = dict(grid={"C": [1]}, passes=2, **SMALL)
    point, = tune(parser(TOY[:6], name="A"), validation=parser(TOY[6:9]), **options).points
    plain, = tune(TOY[:6], validation=TOY[6:9], **options).points
    assert (point.train_loss, point.validation_loss) == (
        plain.train_loss, plain.validation_loss)


@pytest.mark.parametrize("folds", [None, 3])
def test_C_is_raised_until_the_training_loss_no_longer_improves(folds):
    """Whatever the grid has beyond is skipped, and counts as done."""
    Cs, seen = [1e-4, 0.01, 1, 100, 1000, 10_000], []
    options = dict(folds=folds, solver="bcfw", passes=20, **SMALL)
    every = tune(TOY, {"C": Cs}, **options)
    raised = tune(TOY, {"C": Cs}, stop_raising=True, **options,
                  callback=lambda progress: seen.append(progress.fraction) and None)
    losses = [point.train_loss for point in every.points]
    stop = next(place for place in range(1, len(Cs))
                if losses[place] >= losses[place - 1])
    assert 1 < stop < len(Cs) - 1
    assert figures(raised) == figures(every)[:stop + 1]
    assert seen == sorted(seen)


def test_share_of_valid_trees():
    tuning = tune(TOY, {"decoder": ["exact", "approximate"]}, C=0.001, passes=1,
                  features="kernel", hash=["posTags"], solver="bcfw", order=1)
    exact, approximate = tuning.points
    assert exact.valid_trees == 1
    parsed = tuning.parser(approximate)(training_splits(TOY, None, 0.2, None, 0)[0][1])
    prediction, = parsed.predictions.values()
    invalid = sum(bool(cycle(heads)) for heads in prediction.heads)
    assert invalid and approximate.valid_trees == 1 - invalid / len(parsed)


def test_unlabelled_sentences():
    options = {"features": "kernel", "kernel": "ngram", "hash": ["tokens"],
               "relations": False, "calibrate": False, "passes": 3}
    raw = Treebank.from_sentences(SENTENCES[:3])
    for solver in ("ridge", "bcfw"):
        tuning = tune(TOY[3:], {"smoothness": [0.1, 100.], "C": [1., 10.]}, solver=solver,
                      unlabelled=raw, keep="all", **options)
        train = training_splits(TOY[3:], None, 0.2, None, 0)[0][0]
        assert len({point.squared_norm for point in tuning.points}) == 4
        for point in tuning.points:
            parser = tuning.parser(point)
            assert parser.model.transform.shape == (len(train) + 3, len(train))
            if point.C == 1:        # the path of BCFW begins here
                own = ParserLearner(C=1., smoothness=point.setting["smoothness"],
                                    solver=solver, **options)(train, unlabelled=raw)
                np.testing.assert_allclose(parser.edge_scores(SENTENCES[0]),
                                           own.edge_scores(SENTENCES[0]), atol=1e-5)
        assert len(tuning.kept_parser(tuning.best).model.support) == len(train) + 3
        tuning.parsers.clear()      # trained again, from them, too
        np.testing.assert_allclose(
            tuning.parser(tuning.points[0]).model.transform.shape, (len(train) + 3, len(train)))
    with pytest.raises(InputError, match="unlabelled sentences are for parsers with kernels"):
        tune(TOY, {"C": [1]}, unlabelled=raw)


def test_the_hard_margin():
    """In a grid, too: C = inf comes last."""
    tuning = tune(TOY, {"C": [1, np.inf]}, solver="n-slack", passes=50, **SMALL)
    assert [point.C for point in tuning.points] == [1, np.inf]
    assert tuning.points[1].train_loss == 0
    with pytest.raises(InputError, match="C=inf, needs the solver n-slack"):
        tune(TOY, {"C": [1, np.inf]}, solver="bcfw", passes=50, **SMALL)


def test_learned_groups_in_a_grid():
    grid = make_grid({"groups": parse_values("groups", "all, learn, head")})
    assert grid == {"groups": ["all", "learn", ["head"]]}
    tuning = tune(TOY, grid, passes=2, keep="all")
    assert [point.label for point in tuning.points] == [
        "groups all", "groups learn", "groups head"]
    assert tuning.parser(tuning.points[1]).group_norms


def test_folds():
    seen = []
    tuning = tune(TOY, {"C": [0.01, 1]}, folds=3, solver="bcfw", passes=2,
                  callback=lambda progress: seen.append(progress) and None, **SMALL)
    parts = training_splits(TOY, None, 0.2, 3, 0)
    assert sorted(s.block for _, part in parts for s in part.sentences) == sorted(
        s.block for s in SENTENCES)
    losses = [[1 - evaluate(parser(part)).uas for parser in ParserLearner(
        solver="bcfw", passes=2, **SMALL).path(train, [0.01, 1])]
        for train, part in parts]
    np.testing.assert_allclose([point.validation_loss for point in tuning.points],
                               np.mean(losses, axis=0))
    assert not tuning.parsers
    parser = tuning.parser()            # on all sentences
    own = ParserLearner(solver="bcfw", passes=2, C=tuning.best.C, **SMALL)(TOY)
    np.testing.assert_array_equal(parser.edge_scores(SENTENCES[0]),
                                  own.edge_scores(SENTENCES[0]))
    fractions = [progress.fraction for progress in seen]
    assert fractions == sorted(fractions) and fractions[-1] == 1
    # the first point is told before the second C is tried
    told = [place for place, progress in enumerate(seen) if progress.point]
    assert len(told) == 2 and seen[told[0]].fraction == 0.5


def test_stopping_keeps_what_is_done():
    told = []

    def callback(progress):
        told.extend([progress.point] if progress.point else [])
        if len(told) == 3:
            raise StopEarly

    tuning = tune(TOY, {"C": [0.01, 1], "solver": ["bcfw", "mira", "perceptron"]},
                  passes=2, callback=callback)
    assert tuning.stopped and tuning.points == told and len(told) == 3
    assert tuning.best in told


@pytest.mark.parametrize("stop", [0, 1])
def test_stopping_while_a_matrix_is_computed(monkeypatch, stop):
    real, calls = Ngram.gram, []

    def gram(self, *args, progress=None, **options):
        calls.append(self.n)
        if len(calls) > stop:
            asked.append(True)
        return real(self, *args, progress=progress, **options)

    asked = []
    monkeypatch.setattr(Ngram, "gram", gram)
    tuning = tune(TOY, {"kernel_params": [{"n": 1}, {"n": 2}]}, kernel="ngram",
                  callback=stop_if(lambda progress: asked), passes=1, **KERNEL)
    assert tuning.stopped and len(tuning.points) == stop == len(calls) - 1


@pytest.mark.parametrize("options", [{}, {"folds": 3}])
def test_threads_change_nothing(options):
    grid = {"C": [0.01, 1], "solver": ["bcfw", "mira"]}
    one = tune(TOY, grid, passes=2, **SMALL, **options)
    two = tune(TOY, grid, passes=2, n_jobs=2, **SMALL, **options)
    assert figures(one) == figures(two)


def test_matrices_are_computed_once_and_change_nothing(monkeypatch):
    """Neither training nor the losses compute kernel values again."""
    real, sizes = Ngram.bind, []

    def bind(self, columns):
        sizes.append((self.n, len(columns)))
        return real(self, columns)

    grid = {"C": [0.1, 1], "hash": [["tokens"], ["posTags"]],
            ("kernel", "kernel_params"): [("ngram", {"n": 1}), ("ngram", {"n": 2})]}
    with monkeypatch.context() as patch:
        patch.setattr(Ngram, "bind", bind)
        tuning = tune(TOY, grid, features="kernel", solver="mira", passes=2, n_jobs=2,
                      keep="all")
    assert sorted(sizes) == [(1, len(TEXTS)), (2, len(TEXTS))]
    (train, validation), = training_splits(TOY, None, 0.2, None, 0)
    for point in tuning.points:
        own = ParserLearner("kernel", solver="mira", passes=2,
                            **point.parameters)(train)
        for a, b in zip(tuning.kept_parser(point).predict_heads(validation.sentences),
                        own.predict_heads(validation.sentences)):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(tuning.kept_parser(point).edge_scores(SENTENCES[0]),
                                   own.edge_scores(SENTENCES[0]), rtol=1e-5)


def test_best_and_points_by_name():
    points = [Point({"solver": solver}, C, 0, loss, loss, loss, 1, 1)
              for solver, C, loss in (("mira", 0.1, 0.3), ("mira", 1, 0.2),
                                      ("bcfw", 1, 0.2))]
    tuning = Tuning(TOY, {"passes": 3, "random_state": 4}, points)
    assert tuning.best is points[1]
    assert tuning.point("solver bcfw", C=1) is points[2]
    learner = tuning.learner(points[2])
    assert (learner.solver, learner.C, learner.passes, learner.random_state) == (
        "bcfw", 1, 3, 4)
    with pytest.raises(ValueError, match="no point of 'solver bcfw' with C=0.1"):
        tuning.point("solver bcfw", C=0.1)
    with pytest.raises(ValueError, match="no setting was tried"):
        _ = Tuning(TOY, {}).best


@pytest.mark.parametrize("losses, end", [
    ({0.1: 0.3, 1: 0.2, 10: 0.1}, "upper"),
    ({10: 0.3, 1: 0.2, 0.1: 0.1}, "lower"),
    ({0.1: 0.3, 1: 0.1, 10: 0.2}, None),
    ({0.1: 0.3, 1: 0.1, 10: 0.1}, None),        # no better beyond
    ({1: 0.1}, None), ({}, None)])
def test_a_best_C_at_the_end_of_the_range(losses, end):
    points = [Point({"solver": "bcfw"}, C, 0, loss, loss, loss, 1, 1)
              for C, loss in losses.items()]
    # of another setting, worse than all of them
    points.append(Point({"solver": "mira"}, 100, 0, 0.9, 0.9, 0.9, 1, 1))
    tuning = Tuning(TOY, {}, points)
    assert tuning.open_end == end
    tuning.stopped = True
    assert tuning.open_end is None
    assert Tuning(TOY, {}).open_end is None


def test_values_of_C_that_make_no_difference():
    def point(solver, C, loss):
        return Point({"solver": solver}, C, loss / 2, loss, loss, loss, 4, 1)

    points = [point("mira", 0.01, 0.3), point("mira", 0.1, 0.2), point("mira", 1, 0.2),
              point("bcfw", 10, 0.2), point("mira", 100, 0.2)]
    tuning = Tuning(TOY, {}, points)
    assert tuning.best is points[1]
    assert tuning.same_as_best == [points[2], points[4]]
    assert Tuning(TOY, {}, points[:2]).same_as_best == []


def test_the_learner_has_the_seed():
    tuning = tune(TOY, {"C": [1]}, passes=1, random_state=9, **SMALL)
    assert tuning.learner().random_state == 9


def test_a_table():
    tuning = tune(TOY, {"C": [0.01, 1], "solver": ["bcfw", "mira"]}, passes=2)
    table = tuning.to_table()
    assert table.domain["setting"].values == ("solver bcfw", "solver mira")
    np.testing.assert_array_equal(table.get_column("C"), [0.01, 1, 0.01, 1])
    np.testing.assert_array_equal(table.get_column("validation loss"),
                                  [point.validation_loss for point in tuning.points])
    assert json.loads(str(table[1]["parameters"])) == {
        "random_state": 0, "passes": 2, "solver": "bcfw", "C": 1}
    assert len(Tuning(TOY, {}).to_table()) == 0


@pytest.mark.parametrize("grid, options, words", [
    ({"C": []}, {}, "no values for C"),
    ({"solver": []}, {}, "no values for solver"),
    ({"C": [1, -1]}, {}, "C must"),
    ({"solver": ["newton"]}, {}, "'newton' is not known"),
    ({"size": [1]}, {}, "unknown parameter 'size'"),
    ({}, {"colour": 1}, "unknown parameter 'colour'"),
    ({"groups": [["nonsense"]]}, {}, "nonsense"),
    ({"hash": [["nonsense"]]}, {"features": "kernel"}, "nonsense"),
    ({"kernel": ["nonsense"]}, {"features": "kernel"}, "nonsense"),
    ({"kernel": ["tree"]}, {"features": "kernel"}, "tree"),
    ({"decoder": ["nonsense"]}, {}, "nonsense"),
    ({}, {"folds": 19}, "folds must be from 2 to 18, the number of sentences, not 19$"),
    ({}, {"folds": 1}, "folds must be from 2 to 18, the number of sentences, not 1$"),
    ({}, {"share": 1.0}, "^share must be a number above 0 and below 1, not 1.0$"),
    ({}, {"share": "x"}, "^share must be a number above 0 and below 1, not 'x'$"),
    ({}, {"folds": 2.0}, "^folds must be a whole number"),
    ({}, {"folds": 3, "validation": TOY}, "give either a validation treebank or folds, not both"),
    ({}, {"n_jobs": 1.5}, "^n_jobs must be"),
    ({}, {"random_state": "x"}, "^random_state must be"),
    ({"C": 1}, {}, "^C: found 1, expected a list of values"),
    ({"C": [1, "x"]}, {}, "^C must be a number from 1e-10 to 1e.10, or inf, not 'x'"),
    ({"hash": "tokens"}, {"features": "kernel"}, "expected a list of values"),
    ({("kernel", "kernel_params"): ["ngram"]}, {"features": "kernel"},
     "found 'ngram', expected as many values as names"),
    ({"hash": [["tokens"], ["posTags"]]}, {}, "^hash cannot vary: only for kernels"),
    ({"hash_bits": [10, 12]}, {"features": "kernel"}, "^hash_bits cannot vary: only"),
    ({"epsilon": [1, 2]}, {}, "^epsilon cannot vary: mira has no dual"),
    ({"name": ["a", "b"]}, {}, "^name cannot vary: "),
    ({}, {"validation": TOY[:0]}, "^the validation treebank is empty"),
    ({}, {"validation": Treebank.from_sentences([Sentence(UNPARSED)])},
     r"^the validation treebank: sentence 1 \('unparsed'\) has tokens without heads")])
def test_errors_before_the_work(grid, options, words):
    def callback(progress):
        raise AssertionError("work has begun")

    with pytest.raises(ValueError, match=words):
        tune(TOY, grid, callback=callback, **options)


def test_what_one_of_the_settings_needs_may_vary():
    tuning = tune(TOY, {"features": ["explicit", "kernel"], "hash": [["tokens"]],
                        "solver": ["mira", "bcfw"], "epsilon": [0.1]}, passes=1)
    assert len(tuning.points) == 4


@pytest.mark.parametrize("folds", [5, None])
def test_one_sentence_cannot_be_split(folds):
    with pytest.raises(ValueError, match="^at least two sentences are needed"):
        tune(TOY[:1], {"C": [1]}, folds=folds)


def test_a_treebank_without_trees():
    with pytest.raises(ValueError, match="without heads"):
        tune(Treebank.from_sentences([Sentence(UNPARSED)] * 4), {"C": [1]})


def test_an_error_in_a_thread_ends_the_others(monkeypatch):
    real = BaseParserLearner.prepare

    def prepare(self, *args):
        if self.solver == "mira":
            raise MemoryError("too large")
        return real(self, *args)

    monkeypatch.setattr(BaseParserLearner, "prepare", prepare)
    with pytest.raises(MemoryError, match="too large"):
        tune(TOY, {"C": [1], "solver": ["mira", "bcfw"]}, passes=1_000_000,
             epsilon=1e-9, n_jobs=2, callback=lambda progress: None)


@pytest.mark.parametrize("solver", ["bcfw", "mira"])
def test_only_the_best_parser_is_kept(solver):
    tuning = tune(TOY, {"C": [0.001, 0.1, 1]}, solver=solver, passes=2, **SMALL)
    assert list(tuning.parsers) == [("", tuning.best.C)]
    every = tune(TOY, {"C": [0.001, 0.1, 1]}, solver=solver, passes=2, keep="all",
                 **SMALL)
    assert len(every.parsers) == 3
    for point in tuning.points:     # what was not kept is trained again, and the same
        again, kept = tuning.parser(point), every.kept_parser(point)
        assert again.name == kept.name
        np.testing.assert_array_equal(again.edge_scores(SENTENCES[0]),
                                      kept.edge_scores(SENTENCES[0]))
    with pytest.raises(ValueError, match="keep must be 'best' or 'all', not 'some'"):
        tune(TOY, {"C": [1]}, keep="some")


@pytest.mark.parametrize("solver", ["bcfw", "mira"])
def test_only_what_is_kept_is_calibrated(solver, monkeypatch):
    """Calibration trains three more parsers; those that are only scored need none."""
    trained = []

    def counted(learner, *args, **kwargs):
        trained.append(learner.C)
        return fit(learner, *args, **kwargs)

    fit = base.cross_validated_parser_temperature
    monkeypatch.setattr(base, "cross_validated_parser_temperature", counted)
    treebank = Treebank.from_sentences(SENTENCES * 2)
    options = {"solver": solver, "passes": 2, "order": 1, **SMALL}
    tuning = tune(treebank, {"C": [0.01, 1]}, **options)
    assert trained == [tuning.best.C]
    parser = tuning.parser()
    assert parser is tuning.kept_parser(tuning.best)
    alone = ParserLearner(**{**tuning.fixed, "C": tuning.best.C})
    expected = alone(tuning.training)
    assert parser.temperature is not None
    if solver == "mira":        # bcfw started from the other C
        assert parser.temperature == expected.temperature
    other, = (point for point in tuning.points if point is not tuning.best)
    assert tuning.parser(other).temperature is not None
    assert trained == [tuning.best.C, tuning.best.C, other.C]
    del trained[:]
    learning_curve(treebank, alone, sizes=[20, 25], seeds=1)
    assert not trained


@pytest.mark.parametrize("solver", ["bcfw", "mira"])
def test_a_search_resumes_from_its_checkpoints(solver, tmp_path):
    options = {"solver": solver, "passes": 3, **SMALL}
    grid = {"C": [0.01, 1], "groups": ["all", ["head"]]}
    whole = tune(TOY, grid, **options)
    checkpoint = tmp_path / "run.npz"
    tune(TOY, grid, checkpoint=checkpoint, **options,
         callback=stop_if(lambda progress: progress.fraction > 0.6))
    assert any(tmp_path.iterdir())
    resumed = tune(TOY, grid, checkpoint=checkpoint, **options)
    assert len(list(tmp_path.glob("run-*.npz"))) == 4
    assert [(p.label, p.C, p.validation_loss, p.squared_norm) for p in resumed.points] \
        == [(p.label, p.C, p.validation_loss, p.squared_norm) for p in whole.points]


def test_tuning_by_labelled_scores():
    options = {"solver": "mira", "passes": 2, **SMALL}
    by_las = tune(TOY, {"C": [1]}, measure="las", **options).best
    by_uas = tune(TOY, {"C": [1]}, **options).best
    assert by_las.validation_loss >= by_uas.validation_loss
    with pytest.raises(ValueError, match="measure must be 'uas' or 'las', not 'f1'"):
        tune(TOY, {"C": [1]}, measure="f1")
    with pytest.raises(ValueError, match="no LAS to tune by; use measure='uas'"):
        tune(TOY, {"C": [1]}, measure="las", relations=False, **options)
