"""Losses on held-out sentences, pass by pass, and the best of the passes."""
import numpy as np
import pytest

from orange_structpred import Parser, ParserLearner, Treebank, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.learner import training_log
from orange_structpred.svm import ALL_SOLVERS, KERNEL_SOLVERS, Solution, Validation
from orange_structpred.treebank.learnable import MissingHeadsError
from tests.observers import stop_if
from tests.svm.toy import classes

FAST = {"order": 1, "passes": 4, "relations": False}


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:90]


def loss_of(parser, treebank):
    """As the training loss is: mean over sentences, not tokens."""
    return np.mean([np.mean(own.heads != heads) for own, heads in zip(
        treebank.sentences, parser.predict_heads(treebank))])


@pytest.mark.parametrize("options", [
    {"solver": "mira"}, {"solver": "bcfw", "epsilon": 1e-6},
    {"solver": "one-slack", "passes": 12},
    {"solver": "mira", "order": 2}, {"features": "kernel", "kernel": "bow"},
    {"features": "kernel", "kernel": "bow", "solver": "mira"}], ids=str)
def test_losses_are_those_of_each_pass(treebank, options):
    training, held_out = treebank[:60], treebank[60:]
    learner = ParserLearner(**{**FAST, **options})
    last = learner(training, validation=held_out, keep="last")
    losses = [report.validation_loss for report in last.log]
    assert losses[-1] == loss_of(last, held_out) and last.kept_pass is None
    plain = learner(training)
    assert np.isnan([report.validation_loss for report in plain.log]).all()
    for own, other in zip(plain.predict_heads(held_out), last.predict_heads(held_out)):
        np.testing.assert_array_equal(own, other)

    best = learner(training, validation=held_out)
    assert [report.validation_loss for report in best.log] == losses
    assert best.kept_pass == 1 + int(np.argmin(losses))
    assert loss_of(best, held_out) == min(losses)


def test_the_best_pass_is_not_always_the_last(treebank):
    parser = ParserLearner(**{**FAST, "passes": 8}, solver="perceptron")(
        treebank[:40], validation=treebank[60:])
    assert parser.kept_pass < 8 == len(parser.log)


def test_files_and_logs_have_it(treebank, tmp_path):
    parser = ParserLearner(**FAST)(treebank[:40], validation=treebank[60:])
    parser.save(tmp_path / "parser.npz")
    loaded = Parser.load(tmp_path / "parser.npz")
    assert loaded.kept_pass == parser.kept_pass
    assert [own.validation_loss for own in loaded.log] == [
        own.validation_loss for own in parser.log]
    column = training_log(loaded.log).get_column("validation loss")
    assert column.tolist() == [own.validation_loss for own in parser.log]


def test_stopping(treebank):
    parser = ParserLearner(**{**FAST, "passes": 50})(
        treebank[:40], stop_if(lambda report: report.end_of_pass and report.pass_ == 3),
        validation=treebank[60:])
    assert parser.stopped and len(parser.log) == 3
    losses = [report.validation_loss for report in parser.log]
    assert parser.kept_pass == 1 + int(np.argmin(losses))


def test_bad_validation(treebank, tmp_path):
    learner = ParserLearner(**FAST)
    with pytest.raises(InputError, match="the validation treebank is empty"):
        learner(treebank, validation=treebank[:0])
    sentence = treebank.sentences[0]
    without = Treebank.from_sentences([
        sentence.with_heads([-1] * len(sentence), ["_"] * len(sentence))])
    with pytest.raises(MissingHeadsError, match="the validation treebank: sentence 1"):
        learner(treebank, validation=without)
    with pytest.raises(InputError, match="keep must be 'best' or 'last', not 'all'"):
        learner(treebank, validation=treebank, keep="all")
    checkpoint = ParserLearner(**FAST, checkpoint=tmp_path / "checkpoint.npz")
    with pytest.raises(InputError, match="use keep='last'"):
        checkpoint(treebank, validation=treebank)
    assert checkpoint(treebank[:20], validation=treebank[60:], keep="last").log


@pytest.mark.parametrize("name", [
    name for name in ALL_SOLVERS if name not in KERNEL_SOLVERS])
def test_any_problem(name):
    """A validation knows nothing of trees."""
    problem = classes()
    seen = []

    def loss(model, progress):
        seen.append(model.weights().copy())
        return float(len(seen) != 2)        # the second pass is the best

    solution = ALL_SOLVERS[name](passes=4, epsilon=1e-9).solve(
        problem, validation=Validation(loss))
    assert isinstance(solution, Solution) and len(seen) >= 2
    np.testing.assert_array_equal(solution.model.weights(), seen[1])
    # cutting planes measure only rounds that are better than those before
    assert solution.kept == 2 or name in ("one-slack", "sampled-cuts")
