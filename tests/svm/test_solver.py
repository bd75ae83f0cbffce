"""What all solvers share: options, reports, stopping, checkpoints."""
import json
import time
from dataclasses import asdict

import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.svm import SOLVERS, CheckpointError, Report
from orange_structpred.svm import solver as solver_module
from tests.observers import stop_if
from tests.svm.toy import chains, classes

ALL = pytest.mark.parametrize("name", SOLVERS)


class Crash(Exception):
    pass


def figures(reports: list[Report]) -> list[str]:
    """Reports without their times, so that they can be compared."""
    return [json.dumps({**asdict(report), "seconds": 0}) for report in reports]


@pytest.mark.parametrize("option", ["C", "epsilon", "passes"])
@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf, None, "1"])
@ALL
def test_bad_options(name, option, value):
    with pytest.raises(InputError, match=f"{option} must be a (whole )?number (above|from) .*, not "):
        SOLVERS[name](**{option: value}).check()


@ALL
def test_no_threads(name):
    with pytest.raises(ValueError, match="n_jobs must be a whole number from 1"):
        SOLVERS[name](n_jobs=0).check()


@ALL
def test_no_examples(name):
    with pytest.raises(ValueError, match="no examples"):
        SOLVERS[name]().solve(classes(0))


@ALL
def test_one_example(name):
    solution = SOLVERS[name](passes=20).solve(classes(1))
    assert solution.reports[-1].loss == 0


@ALL
def test_same_seed_same_model(name):
    def weights(seed):
        return SOLVERS[name](C=1, passes=5, random_state=seed).solve(
            classes()).model.weights().tobytes()

    assert weights(0) == weights(0)
    assert (weights(0) == weights(1)) == (name == "one-slack")


@ALL
def test_reports(name):
    seen = []
    problem = chains()
    solution = SOLVERS[name](C=10, epsilon=1e-9, passes=4).solve(problem, seen.append)
    ends = [report for report in seen if report.end_of_pass]
    assert solution.reports == ends
    assert [report.pass_ for report in ends] == [1, 2, 3, 4]
    assert [report.fraction for report in ends] == [0.25, 0.5, 0.75, 1]
    assert all(np.diff([report.seconds for report in seen]) >= 0)
    assert all(report.oracle_calls >= report.pass_ * len(problem) for report in ends)
    assert all(0 <= report.loss <= 1 and report.norm >= 0 for report in ends)
    if SOLVERS[name].certificate:
        assert ends[-1].certified and ends[-1].gap > 0
    else:
        assert not any(report.certified for report in seen)
        assert np.isnan(ends[-1].gap) and np.isnan(ends[-1].dual)
    # the loss is that of the model
    loss = np.mean([problem.example_loss(i, problem.best(i, solution.model))
                    for i in range(len(problem))])
    assert ends[-1].loss == pytest.approx(loss)


@ALL
def test_reports_within_a_pass(name, monkeypatch):
    monkeypatch.setattr(solver_module, "REPORT_EVERY", 0.)
    seen = []
    SOLVERS[name](passes=1).solve(classes(), seen.append)
    assert len(seen) > 10
    assert [report.end_of_pass for report in seen].count(True) == 1
    assert all(0 <= report.fraction <= 1 for report in seen)


@ALL
def test_stop_at_the_end_of_a_pass(name):
    """The model is that of a training with so many passes, if its average is."""
    options = {"C": 10, "epsilon": 1e-9}
    solution = SOLVERS[name](passes=50, **options).solve(
        chains(), stop_if(lambda report: report.end_of_pass and report.pass_ == 2))
    assert solution.stopped and not solution.converged
    assert len(solution.reports) == 2
    # solvers with a certificate choose the better w at their end, and others average
    # the later half of the passes that were asked for
    if name == "subgradient":
        short = SOLVERS[name](passes=2, **options).solve(chains())
        assert solution.model.weights().tobytes() == short.model.weights().tobytes()


@ALL
def test_stop_within_a_pass(name, monkeypatch):
    """No more oracle calls, and what was learned so far is a model."""
    monkeypatch.setattr(solver_module, "REPORT_EVERY", 0.)
    calls = []

    def stop(report):
        calls.append(report.oracle_calls)
        if len(calls) == 5:
            raise StopEarly

    solution = SOLVERS[name](passes=50).solve(classes(), stop)
    assert solution.stopped and solution.reports == []
    assert len(calls) == 5 and calls[-1] <= 5
    assert np.all(np.isfinite(solution.model.weights()))
    assert solution.model.weights().any() == (name != "one-slack")


@pytest.mark.parametrize("name", ["bcfw", "one-slack"])
def test_stop_while_a_certificate_is_made(name, monkeypatch):
    """The last pass of BCFW is over, its certificate is not."""
    monkeypatch.setattr(solver_module, "REPORT_EVERY", 0.)
    problem = classes()
    solution = SOLVERS[name](passes=1).solve(
        problem, stop_if(lambda report: report.oracle_calls >= len(problem)))
    assert solution.stopped and np.all(np.isfinite(solution.model.weights()))


@ALL
def test_checkpoint(name, tmp_path):
    """A crash in any pass, and the training that goes on ends with the same bits."""
    options = {"C": 10, "epsilon": 1e-9, "passes": 6}
    whole = SOLVERS[name](**options).solve(chains())
    for crash in (1, 3, 6):
        file = tmp_path / f"{crash}.checkpoint"

        def callback(report, crash=crash):
            if report.end_of_pass and report.pass_ == crash:
                raise Crash

        solver = SOLVERS[name](**options, checkpoint=file)
        with pytest.raises(Crash):
            solver.solve(chains(), callback)
        assert file.exists() == (crash > 1)     # the pass of the crash is lost
        seen = []
        again = solver.solve(chains(), seen.append)
        assert seen[0].pass_ == crash
        assert again.model.weights().tobytes() == whole.model.weights().tobytes()
        assert figures(again.reports) == figures(whole.reports)
        assert np.all(np.diff([report.seconds for report in again.reports]) >= 0)
        assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] \
            == []


@ALL
def test_checkpoint_of_a_finished_training(name, tmp_path):
    """It is not trained again, but may get more passes."""
    file = tmp_path / "checkpoint"
    options = {"C": 10, "epsilon": 1e-9}
    first = SOLVERS[name](passes=3, checkpoint=file, **options).solve(chains())
    calls = []
    again = SOLVERS[name](passes=3, checkpoint=file, **options).solve(
        chains(), calls.append)
    assert calls == []
    assert again.model.weights().tobytes() == first.model.weights().tobytes()
    assert figures(again.reports) == figures(first.reports)
    more = SOLVERS[name](passes=6, checkpoint=file, **options).solve(chains())
    whole = SOLVERS[name](passes=6, **options).solve(chains())
    assert more.model.weights().tobytes() == whole.model.weights().tobytes()


@pytest.mark.parametrize("name", ["bcfw", "one-slack"])
def test_checkpoint_of_a_converged_training(name, tmp_path):
    solver = SOLVERS[name](C=1, epsilon=0.01, passes=500,
                           checkpoint=tmp_path / "checkpoint")
    first = solver.solve(chains())
    again = solver.solve(chains())
    assert first.converged and again.converged
    assert again.model.weights().tobytes() == first.model.weights().tobytes()
    assert figures(again.reports) == figures(first.reports)


@ALL
def test_foreign_checkpoint(name, tmp_path):
    file = tmp_path / "checkpoint"
    SOLVERS[name](passes=1, checkpoint=file).solve(chains())
    kept = file.read_bytes()
    other = "mira" if name != "mira" else "bcfw"
    for solver, problem in (
            (SOLVERS[name](passes=1, C=2, checkpoint=file), chains()),
            (SOLVERS[name](passes=1, random_state=1, checkpoint=file), chains()),
            (SOLVERS[other](passes=1, checkpoint=file), chains()),
            (SOLVERS[name](passes=1, checkpoint=file), classes())):
        with pytest.raises(CheckpointError, match="belongs to another training"):
            solver.solve(problem)
    assert file.read_bytes() == kept


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: b"nothing of the kind", lambda data: data[:-30],
    lambda data: data[:200], lambda data: data[:300] + b"\0" * 40 + data[340:]])
@ALL
def test_damaged_checkpoint(name, damage, tmp_path):
    file = tmp_path / "checkpoint"
    solver = SOLVERS[name](passes=1, checkpoint=file)
    solver.solve(chains())
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(CheckpointError, match="cannot be read as a checkpoint"):
        solver.solve(chains())


def test_checkpoint_with_more_passes_than_asked_for(tmp_path):
    options = {"checkpoint": tmp_path / "checkpoint", "C": 10, "epsilon": 1e-9}
    SOLVERS["mira"](passes=4, **options).solve(chains())
    with pytest.warns(UserWarning, match="checkpoint already has 4 passes, more than passes=1"):
        solution = SOLVERS["mira"](passes=1, **options).solve(chains())
    assert solution.reports[-1].pass_ == 4


def test_places_where_no_checkpoint_can_be(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        SOLVERS["mira"](checkpoint=tmp_path / "nowhere" / "checkpoint").check()
    with pytest.raises(IsADirectoryError):
        SOLVERS["mira"](checkpoint=tmp_path).check()


def test_single_array_is_no_checkpoint(tmp_path):
    np.save(tmp_path / "checkpoint.npy", np.ones(3))
    with pytest.raises(CheckpointError, match="single array"):
        SOLVERS["mira"](checkpoint=tmp_path / "checkpoint.npy").solve(chains())


def test_clock_asks_only_now_and_then():
    seen = []
    clock = solver_module.Clock(seen.append)
    clock.reported = np.inf
    clock.check_stop(1, 0.1)
    assert seen == []
    clock.reported = -np.inf
    clock.check_stop(1, 0.1)
    assert len(seen) == 1 and seen[0].seconds <= time.perf_counter() - clock.began


@ALL
def test_numbers_of_numpy(name):
    """C and epsilon of 32 bits do not make objectives of 32 bits."""
    double, single = (SOLVERS[name](C=number(0.5), epsilon=number(0.25), passes=20)
                      .solve(classes()).reports[-1] for number in (float, np.float32))
    np.testing.assert_equal([double.primal, double.dual], [single.primal, single.dual])
    assert not isinstance(single.primal, np.float32)
