"""Parsers with nets, from the learner on."""
import numpy as np
import pytest

from orange_structpred import ParserLearner, evaluate, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.files.streaming import bytes_stream
from orange_structpred.learner.influence import unused
from orange_structpred.learner.neural import LARGE_NET, SMALL_NET
from orange_structpred.neural.settings import MANY_TOKENS, NetSettings
from orange_structpred.parsing.neural.neural_model import NeuralModel
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.pipeline.streams import parse_stream
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.tuning.arguments import tuning_arguments
from orange_structpred.tuning.curves import learning_curve
from orange_structpred.tuning.search import tune
from tests.observers import stop_if

BUNDLED = load_bundled("en")
TRAIN, DEV = BUNDLED[:60], BUNDLED[100:130]
SMALL = {"hidden": 12, "epochs": 3, "calibrate": False}


def heads(parser):
    return np.concatenate(parser.predict_heads(DEV))


@pytest.fixture(scope="module")
def combined():
    reports = []
    learner = ParserLearner(neural=True, passes=2, **SMALL)
    parser = learner(TRAIN, reports.append,
                     validation=DEV)
    return parser, reports


def test_the_net_comes_after_the_weights(combined):
    parser, reports = combined
    assert isinstance(parser.model, SecondOrderModel) and parser.net is not None
    assert parser.model.net_weight == 0.2 and parser.name == "explicit + net mira C=1"
    assert [report.pass_ for report in parser.log] == [1, 2, 3, 4, 5]
    assert [report.epoch for report in parser.log] == [0, 0, 1, 2, 3]
    assert np.isnan(parser.log[1].net_loss) and parser.log[4].net_loss > 0
    losses = [report.validation_loss for report in parser.log[2:]]
    assert parser.kept_pass == 3 + int(np.argmin(losses))
    seconds = [report.seconds for report in reports if report.pass_]
    assert seconds == sorted(seconds)       # the net's are added to those of the weights
    fractions = [report.fraction for report in reports if report.pass_]
    assert fractions == sorted(fractions) and fractions[-1] == 1


def test_the_net_has_a_say(combined):
    parser, _ = combined
    without = ParserLearner(passes=2, calibrate=False)(TRAIN)
    np.testing.assert_array_equal(parser.model.weights, without.model.weights)
    assert (heads(parser) != heads(without)).any()
    assert evaluate(parser(DEV)).uas > 0.3


def test_the_net_alone():
    parser = ParserLearner("neural", **SMALL)(TRAIN, validation=DEV, keep="last")
    assert isinstance(parser.model, NeuralModel) and parser.name == "neural"
    assert [report.pass_ for report in parser.log] == [1, 2, 3] and not parser.kept_pass
    assert parser.relations is not None
    again = ParserLearner("neural", **SMALL)(TRAIN)
    np.testing.assert_array_equal(parser.net.weights.values, again.net.weights.values)


def test_an_interrupted_training_resumes_with_the_same(tmp_path):
    path = tmp_path / "checkpoint.npz"
    learner = ParserLearner(neural=True, passes=1, checkpoint=path, **SMALL)

    def interrupt(report):
        if report.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learner(TRAIN, interrupt)
    resumed = learner(TRAIN)
    whole = ParserLearner(neural=True, passes=1, **SMALL)(TRAIN)
    np.testing.assert_array_equal(resumed.net.weights.values, whole.net.weights.values)
    assert [own.net_loss for own in resumed.log[1:]] == [
        own.net_loss for own in whole.log[1:]]


@pytest.mark.parametrize("epoch, has_net", [(0, False), (1, False), (2, True)])
def test_what_is_kept_when_it_is_stopped(monkeypatch, epoch, has_net):
    monkeypatch.setattr("orange_structpred.neural.training.EPOCH_REPORT_EVERY", 0)
    parser = ParserLearner(neural=True, passes=2, **SMALL)(
        TRAIN, stop_if(lambda report: report.pass_ > 0 and report.epoch == epoch))
    assert parser.stopped and (parser.net is not None) == has_net
    assert len(heads(parser)) == sum(map(len, DEV.sentences))


def test_a_net_that_is_stopped_at_once_is_no_parser(monkeypatch):
    monkeypatch.setattr("orange_structpred.neural.training.EPOCH_REPORT_EVERY", 0)
    with pytest.raises(Cancelled):
        ParserLearner("neural", **SMALL)(TRAIN, stop_if(lambda report: True))


def test_sizes_follow_from_the_treebank():
    defaults = SMALL_NET, LARGE_NET
    assert NetSettings().chosen(MANY_TOKENS - 1, *defaults) == SMALL_NET
    assert NetSettings(7, None, 2).chosen(3, *defaults) == {
        "hidden": 7, "dropout": SMALL_NET["dropout"], "epochs": 2}
    assert NetSettings().chosen(MANY_TOKENS, *defaults) == LARGE_NET


@pytest.mark.parametrize("settings, parameter", [
    ({"neural": True, "order": 1}, "neural"), ({}, "epochs"), ({}, "net_weight"),
    ({"features": "neural"}, "C"), ({"features": "neural"}, "passes"),
    ({"features": "kernel", "neural": True}, "neural")])
def test_parameters_without_an_influence(settings, parameter):
    assert unused(parameter, settings)


@pytest.mark.parametrize("parameters, message", [
    ({"neural": 1}, "neural must be True or False"),
    ({"neural": True, "epochs": 0}, "epochs must be"),
    ({"features": "neural", "dropout": 1.}, "dropout must be"),
    ({"features": "neural", "hidden": 10**6}, "hidden must be")])
def test_bad_parameters(parameters, message):
    with pytest.raises(InputError, match=message):
        ParserLearner(**parameters)(TRAIN)


def test_nets_with_a_structured_hinge():
    learner = ParserLearner("neural", net_objective="hinge", epochs=3, hidden=8,
                            calibrate=False)
    parser = learner(TRAIN)
    losses = [report.net_loss for report in parser.log]
    assert losses[-1] < losses[0]
    other = ParserLearner("neural", epochs=3, hidden=8, calibrate=False)(TRAIN)
    assert not np.array_equal(parser.net.weights.values, other.net.weights.values)
    with pytest.raises(InputError, match="net_objective .squared. is not known"):
        ParserLearner("neural", net_objective="squared").check()


def test_nets_are_tuned():
    tuning = tune(TRAIN, {"epochs": [1, 2], "dropout": [0.2, None]},
                  features="neural", hidden=4)
    assert [point.setting for point in tuning.points] == [
        {"epochs": epochs, "dropout": dropout} for epochs in (1, 2) for dropout in (0.2, None)]
    assert tuning.parser(tuning.best).net is not None
    grid, options = tuning_arguments({
        "features": "neural", "varied": {"epochs": "1, 2", "hidden": "4", "net_weight": "1"}})
    assert grid == {"C": [1.], "epochs": [1, 2], "hidden": [4]}
    assert options == {"features": "neural"}
    grid, _ = tuning_arguments({"neural": True, "C_from": 1., "C_to": 1.,
                                "varied": {"net_weight": "0.1, 0.2"}})
    assert grid == {"C": [1.], "net_weight": [0.1, 0.2]}


def test_curves_and_streams_with_a_net(combined):
    """All that is done with other parsers."""
    parser, _ = combined
    curve = learning_curve(TRAIN, ParserLearner("neural", **SMALL), validation=DEV,
                           sizes=[10, 20], seeds=1)
    assert [(own.learner, own.size) for own in curve.results] == [
        ("neural", 10), ("neural", 20)]
    expected = parser.parse(DEV.sentences)
    text, parsed = ("".join(f"{sentence.block}\n\n" for sentence in own).encode()
                    for own in (DEV.sentences, expected))
    assert b"".join(piece.data for piece in parse_stream(
        parser, bytes_stream(text), "file")) == parsed
    parser.n_jobs = 2
    assert parser.parse(DEV.sentences) == expected
    parser.n_jobs = 1
