"""Work on a cluster of two processes on this machine."""
import builtins
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from orange_structpred import ParserLearner, TaggerLearner, load_bundled, load_model
from orange_structpred.__main__ import main
from orange_structpred.errors import InputError
from orange_structpred.files import streaming
from orange_structpred.files.streaming import bytes_stream
from orange_structpred.kernels import Ngram
from orange_structpred.parser import MissingTagsError
from orange_structpred.pipeline import PipelineLearner
from orange_structpred.pipeline.documents import annotate_text
from orange_structpred.pipeline.streams import annotate_stream, parse_stream
from orange_structpred.problems import SequenceSVM, StructuredSVM
from orange_structpred.running import cluster as module
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.running.cluster import Cluster, ClusterError, connected
from orange_structpred.svm import mixing
from orange_structpred.treebank import ConllError, read_conll, write_conll
from orange_structpred.treebank.conll import as_bytes
from orange_structpred.treebank.text import raw_text
from orange_structpred.tuning import tune
from tests.observers import cancel_unless, stop_if
from tests.problems.atomic.toy import Tags, X, Y
from tests.running.work import (
    add,
    allocate,
    die,
    die_once,
    leak,
    square,
    wait_for_the_end,
    zeros,
)

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def workers():
    with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0",
            silence_logs=50) as workers, \
            distributed.Client(workers, set_as_default=False) as own:
        yield workers, own


@pytest.fixture
def client(workers):
    """With two workers, whatever has become of those of the test before."""
    cluster, own = workers
    until = time.monotonic() + 120
    while len(own.scheduler_info()["workers"]) < 2 and time.monotonic() < until:
        cluster.scale(2)
        time.sleep(0.5)
    return own


@contextmanager
def own_worker(**options):
    """A cluster of one worker that no other test needs."""
    with distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50,
            **options) as workers, \
            distributed.Client(workers, set_as_default=False) as own:
        yield own


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:60]


@pytest.fixture(scope="module")
def parser(treebank):
    return ParserLearner(order=1, passes=2)(treebank)


# The cluster itself

def test_results_come_in_order(client):
    cluster = Cluster(client)
    assert list(cluster.imap(square, iter(range(20)))) == [x * x for x in range(20)]
    assert list(cluster.imap(add, range(5), cluster.share(10))) == [*range(10, 15)]


def test_what_was_lost_is_sent_again(client):
    cluster = Cluster(client)
    ten = cluster.share(10)
    client.cancel([ten.future], force=True)
    assert list(cluster.imap(add, range(3), ten)) == [10, 11, 12]


def test_a_worker_that_dies_is_replaced(client, tmp_path):
    cluster = Cluster(client)
    shared = cluster.share(str(tmp_path / "died"))
    assert list(cluster.imap(die_once, range(6), shared)) == [*range(6)]
    assert (tmp_path / "died").exists()


def test_workers_that_die_again_and_again(client):
    with pytest.raises(ClusterError, match="out of memory"):
        list(Cluster(client).imap(die, [1]))


def test_a_worker_that_runs_out_of_memory():
    """The nanny ends it; what it has done so far is lost, again and again."""
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), \
            own_worker(memory_limit="400MB") as own, \
            pytest.raises(ClusterError, match="ran out of memory"):
        list(Cluster(own).imap(allocate, [1]))


def test_a_worker_without_memory_for_another_task(monkeypatch):
    monkeypatch.setattr(module, "LOOK_EVERY", 0.2)
    monkeypatch.setattr(module, "MOST_PAUSED", 1.)
    with dask.config.set({"distributed.worker.memory.terminate": False}), \
            own_worker(memory_limit="400MB") as own, \
            pytest.raises(ClusterError, match="all workers have paused"):
        list(Cluster(own).imap(leak, [380] * 8))


def test_cancelling_does_not_wait(tmp_path):
    def cancel():
        raise Cancelled

    ends = [str(tmp_path / name) for name in ("first", "second")]
    with own_worker() as own:
        with pytest.raises(Cancelled):
            list(Cluster(own).imap(wait_for_the_end, ends, check_cancelled=cancel))
        assert not any(tmp_path.iterdir())      # it is still asleep


def test_what_cannot_be_sent(client):
    with pytest.raises(ClusterError, match="cannot be sent"):
        Cluster(client).share(threading.Lock())


def test_no_scheduler(monkeypatch):
    monkeypatch.setattr(module, "CONNECTION_TIMEOUT", 0.5)
    with pytest.raises(ClusterError, match="no scheduler answers at tcp://127.0.0.1:1"), \
            connected("tcp://127.0.0.1:1"):
        pass
    # without a client, which would linger
    monkeypatch.setattr(distributed, "Client", type("Client", (), {}))
    for wrong in ("foo", "tcp://foo", "tcp://127.0.0.1:x", "http://127.0.0.1:80"):
        with pytest.raises(ClusterError, match=f"{wrong} is not the address .* expected one "
                           "such as tcp://host:8786"), connected(wrong):
            pass
    for wrong in ("", 5):
        with pytest.raises(ClusterError, match="expected a dask.distributed Client"), \
                connected(wrong):
            pass


def test_local_workers_of_a_script_that_they_import(monkeypatch):
    """Its processes would start workers in turn; dask says only that they did not start."""
    distributed = pytest.importorskip("distributed")

    def fail(**options):
        raise RuntimeError("Nanny failed to start.")

    with monkeypatch.context() as patch, pytest.raises(
            ClusterError, match="Nanny failed to start.*below if __name__ == '__main__'"):
        patch.setattr(distributed, "LocalCluster", fail)
        with connected("local"):
            pass
    monkeypatch.setattr(multiprocessing.current_process(), "_inheriting", True, raising=False)
    with pytest.raises(ClusterError, match="itself being started.*below if __name__"), \
            connected("local"):
        pass


def test_no_dask(monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **options):
        if name == "distributed":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ClusterError, match=r'pip install "Orange3-StructPred\[cluster\]"'), \
            connected("tcp://127.0.0.1:8786"):
        pass


@pytest.mark.parametrize("package, message", [
    ("raise ImportError", "does not have this package"),
    ("__version__ = '0.0.1'", "has orange_structpred 0.0.1, expected")])
def test_workers_with_another_package(package, message, tmp_path):
    """Workers that find something else under the name of this package."""
    (tmp_path / "orange_structpred.py").write_text(package)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        worker = subprocess.Popen(
            [sys.executable, "-m", "dask", "worker", empty.scheduler_address,
             "--no-nanny", "--no-dashboard", "--nthreads", "1"],
            env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with distributed.Client(empty, set_as_default=False) as own:
                own.wait_for_workers(1, timeout=60)
                with pytest.raises(ClusterError, match=message):
                    Cluster(own)
        finally:
            worker.kill()
            worker.wait()


@pytest.mark.slow
def test_a_scheduler_that_goes_away(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LOOK_EVERY", 0.2)
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler, worker = (subprocess.Popen([*command, *own, "--no-dashboard"], **quiet)
                         for own in (
        ["scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", file],
        ["worker", "--scheduler-file", file, "--no-nanny", "--nthreads", "1"]))
    try:
        while not file.exists():
            time.sleep(0.1)
        with dask.config.set({"distributed.comm.timeouts.connect": "1s"}), \
                distributed.Client(scheduler_file=str(file), set_as_default=False,
                                   timeout=60) as own:
            own.wait_for_workers(1, timeout=60)
            cluster = Cluster(own)
            threading.Timer(0.5, scheduler.kill).start()
            with pytest.raises(ClusterError, match="scheduler no longer answers"):
                list(cluster.imap(wait_for_the_end, [1]))
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()


def test_workers_with_other_versions(client, monkeypatch):
    own = module.worker_versions()()
    monkeypatch.setattr(client, "run", lambda _, **options: {
        "tcp://w:1": {**own, "numba": "0.1"}})
    with pytest.raises(ClusterError, match="has numba 0.1, expected"):
        Cluster(client)


def test_a_scheduler_without_workers(monkeypatch):
    monkeypatch.setattr(module, "CONNECTION_TIMEOUT", 0.5)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty, \
            pytest.raises(ClusterError, match="has no workers"), \
            connected(empty.scheduler_address):
        pass


# Parsing

def test_parsing(client, parser, treebank, monkeypatch):
    monkeypatch.setattr(module, "SENTENCES_AT_ONCE", 16)
    found, expected = parser.predict(treebank, client=client), parser.predict(treebank)
    for own, other in zip(found.heads, expected.heads, strict=True):
        assert_array_equal(own, other)
    assert found.deprels == expected.deprels
    assert parser.parse(treebank.sentences, client=client) \
        == parser.parse(treebank.sentences)


def test_a_worker_dies_while_parsing(client, parser, treebank, monkeypatch):
    monkeypatch.setattr(module, "SENTENCES_AT_ONCE", 4)
    killed = []

    def kill(fraction):
        if fraction and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    found = parser.predict(treebank, client=client, progress=kill)
    assert killed
    assert_array_equal(np.concatenate(found.heads),
                       np.concatenate(parser.predict(treebank).heads))


def test_large_results_are_not_begun_again(client, monkeypatch):
    """Dask forgets what has come if it is not waited for long enough."""
    monkeypatch.setattr(module, "POLL_EVERY", 0.0001)
    [found] = Cluster(client).imap(zeros, [20_000_000])
    assert len(found) == 20_000_000


@pytest.mark.parametrize("on_cluster", [False, True])
def test_parsing_a_file_in_pieces(client, parser, treebank, on_cluster, monkeypatch):
    monkeypatch.setattr(streaming, "PIECE", 5_000)
    monkeypatch.setattr(streaming, "_READ", 5_000)
    found = list(parse_stream(parser, bytes_stream(as_bytes(treebank.sentences)), "x",
                              client=client if on_cluster else None))
    assert len(found) > 3 and sum(piece.sentences for piece in found) == len(treebank)
    assert b"".join(piece.data for piece in found) \
        == as_bytes(parser.parse(treebank.sentences))


@pytest.mark.parametrize("on_cluster", [False, True])
def test_errors_in_a_file_in_pieces(client, parser, treebank, on_cluster, monkeypatch):
    monkeypatch.setattr(streaming, "PIECE", 5_000)
    monkeypatch.setattr(streaming, "_READ", 5_000)
    own = {"client": client} if on_cluster else {}
    data = as_bytes(treebank.sentences)
    bare = b"".join(b"%d\tw" % k + b"\t_" * 8 + b"\n" for k in (1, 2)) + b"\n"
    with pytest.raises(MissingTagsError, match="^x: sentence 61 has no"):
        list(parse_stream(parser, bytes_stream(data + bare + data), "x", **own))
    with pytest.raises(ConllError, match=f"x, line {data.count(10) + 1}: found"):
        list(parse_stream(parser, bytes_stream(data + b"1\n\n" + data), "x", **own))
    for nothing in (b"", b"\n\n"):
        with pytest.raises(ConllError, match="expected at least one sentence"):
            list(parse_stream(parser, bytes_stream(nothing), "x", **own))


def test_annotating_text(client, treebank):
    pipeline = PipelineLearner(("tokeniser", "tagger"))(treebank)
    text = raw_text(treebank.sentences).encode()
    alone, found = (list(annotate_stream(pipeline, bytes_stream(text), "x", client=own))
                    for own in (None, client))
    assert found == alone and found


def test_the_command_line(client, parser, treebank, tmp_path, capsys):
    parser.save(tmp_path / "parser.npz")
    write_conll(treebank, tmp_path / "in.conllu")
    address = client.scheduler.address
    assert main(["parse", str(tmp_path / "parser.npz"), str(tmp_path / "in.conllu"),
                 "-o", str(tmp_path / "out.conllu"), "--scheduler", address]) == 0
    assert read_conll(tmp_path / "out.conllu") == parser.parse(treebank.sentences)
    assert main(["train", str(tmp_path / "in.conllu"), "-o", str(tmp_path / "p.npz"),
                 "--solver", "bcfw", "--scheduler", address]) == 2
    assert "cannot train on a cluster" in capsys.readouterr().err


# Training

@pytest.mark.parametrize("order", [1, 2])
def test_one_slack_is_the_same_bit_by_bit(client, order, monkeypatch):
    monkeypatch.setattr("orange_structpred.svm.distributed.SHARD", 64)
    treebank = load_bundled("en")[:150]         # three shards
    learner = ParserLearner(solver="one-slack", order=order, passes=4, relations=False)
    alone, found = learner(treebank), learner(treebank, client=client)
    assert_array_equal(found.model.weights, alone.model.weights)
    assert [report.gap for report in found.log] == [report.gap for report in alone.log]


def test_the_gram_matrix_is_divided(client, treebank, monkeypatch):
    monkeypatch.setattr("orange_structpred.parsing.kernel.split_kernel.shard_bounds",
                        lambda n: [(0, 25), (25, 40), (40, n)])
    learner = ParserLearner("kernel", kernel="ngram", hash=["posTags2::dir", "tokens"],
                            solver="one-slack", C=10, passes=5)
    alone, found = learner(treebank), learner(treebank, client=client)
    for name in ("primal", "dual", "loss"):
        assert_allclose([getattr(report, name) for report in found.log],
                        [getattr(report, name) for report in alone.log], rtol=1e-5)
    for own, other in zip(found.predict_heads(treebank), alone.predict_heads(treebank),
                          strict=True):
        assert_array_equal(own, other)


@pytest.fixture
def short_rounds(monkeypatch):
    monkeypatch.setattr(mixing, "PER_ROUND", 7)


@pytest.mark.usefixtures("short_rounds")
@pytest.mark.parametrize("solver", ["mira", "perceptron"])
def test_mixed_weights_do_not_depend_on_the_workers(client, treebank, solver):
    learner = ParserLearner(solver=solver, order=1, passes=3, shards=3)
    alone, found = learner(treebank), learner(treebank, client=client)
    assert_array_equal(found.model.weights, alone.model.weights)
    threads = ParserLearner(solver=solver, order=1, passes=3, shards=3, n_jobs=2)
    assert_array_equal(threads(treebank).model.weights, alone.model.weights)
    assert found.log[-1].loss < 0.1


@pytest.mark.usefixtures("short_rounds")
def test_mixed_training_resumes(treebank, tmp_path):
    options = {"order": 1, "passes": 4, "shards": 2}
    whole = ParserLearner(**options)(treebank)
    path = tmp_path / "checkpoint.npz"
    ParserLearner(**options, checkpoint=path)(
        treebank, stop_if(lambda report: report.pass_ == 2 and report.end_of_pass))
    resumed = ParserLearner(**options, checkpoint=path)(treebank)
    assert_array_equal(resumed.model.weights, whole.model.weights)


@pytest.mark.parametrize("estimator", [
    StructuredSVM(Tags, kernel=Ngram(n=2), solver="one-slack", C=50.),
    StructuredSVM(Tags, kernel=Ngram(n=2), solver="mira"),
    SequenceSVM(solver="one-slack", C=50.), SequenceSVM(solver="mira")],
    ids=["atomic-one-slack", "atomic-mira", "sequence-one-slack", "sequence-mira"])
def test_estimators(client, estimator):
    alone, together = clone(estimator).fit(X, Y), clone(estimator).fit(X, Y, client=client)
    assert list(map(list, together.predict(X))) == list(map(list, alone.predict(X)))
    assert [report.primal for report in together.reports_] == pytest.approx(
        [report.primal for report in alone.reports_], nan_ok=True)


def test_solvers_that_cannot(client, treebank):
    for solver in ("bcfw", "subgradient"):
        with pytest.raises(InputError, match="cannot train on a cluster"):
            ParserLearner(solver=solver)(treebank, client=client)
        with pytest.raises(InputError, match="cannot mix"):
            ParserLearner(solver=solver, shards=2)(treebank)


# Tuning

@pytest.mark.parametrize("options", [
    {"solver": "bcfw"}, {"solver": "mira"}, {"folds": 2}, {"keep": "all"},
    {"features": "kernel", "kernel": "ngram"},
    {"features": "kernel", "kernel": "ngram", "unlabelled": True}])
def test_tuning(client, treebank, options):
    grid = {"C": [0.001, 1.], "passes": [1, 2]}
    options = {"order": 1, "relations": False, **options}
    if options.get("features"):
        del options["order"]
    if options.get("unlabelled"):
        options["unlabelled"] = treebank[:5]
    seen = []
    alone = tune(treebank, grid, **options)
    found = tune(treebank, grid, client=client,
                 callback=lambda progress: seen.append(progress.point), **options)

    def figures(tuning):
        return [(p.setting, p.C, p.train_loss, p.validation_loss, p.low, p.high,
                 p.squared_norm) for p in tuning.points]

    assert figures(found) == figures(alone)
    assert len([point for point in seen if point]) == 4
    assert found.parsers.keys() == alone.parsers.keys()
    if alone.parsers:
        own, other = found.parser(), alone.parser()
        for heads, expected in zip(own.predict_heads(treebank),
                                   other.predict_heads(treebank), strict=True):
            assert_array_equal(heads, expected)


def test_nets_parse_and_are_tuned(client, treebank):
    small = {"features": "neural", "hidden": 4, "calibrate": False}
    parser = ParserLearner(epochs=1, **small)(treebank)
    assert parser.parse(treebank.sentences, client=client) \
        == parser.parse(treebank.sentences)
    grid = {"epochs": [1, 2]}
    alone, found = tune(treebank, grid, **small), tune(treebank, grid, client=client, **small)
    assert [own.validation_loss for own in found.points] \
        == [own.validation_loss for own in alone.points]
    with pytest.raises(InputError, match="trained on one machine"):
        ParserLearner(epochs=1, **small)(treebank, client=client)


def test_tuning_is_stopped(client, treebank):
    tuning = tune(treebank, {"C": [0.01, 0.1, 1., 10.]}, passes=500, order=1,
                  client=client, callback=stop_if(lambda progress: True))
    assert tuning.stopped and not tuning.points


def test_a_worker_dies_while_tuning(client, treebank):
    killed = []

    def kill(progress):
        if progress.point and not killed:
            pids = list(client.run(os.getpid).values())
            os.kill(pids[0], signal.SIGKILL)
            killed.append(pids[0])

    grid = {"C": [0.01, 0.1, 1., 10.]}
    found = tune(treebank, grid, passes=3, order=1, client=client, callback=kill)
    alone = tune(treebank, grid, passes=3, order=1)
    assert killed
    assert [p.validation_loss for p in found.points] \
        == [p.validation_loss for p in alone.points]
    assert np.isfinite(found.parser().log[-1].loss)


# Taggers and pipelines

def same_tagger(found, expected):
    assert found.labels == expected.labels
    assert_array_equal(found.model.numbers, expected.model.numbers)
    assert_array_equal(found.model.weights, expected.model.weights)


@pytest.mark.parametrize("options", [
    {"solver": "one-slack", "C": 1.}, {"shards": 3}, {"solver": "perceptron", "shards": 2}])
def test_training_a_tagger(client, treebank, options, monkeypatch):
    monkeypatch.setattr("orange_structpred.svm.distributed.SHARD", 32)
    learner = TaggerLearner(passes=2, **options)
    same_tagger(learner(treebank, client=client), learner(treebank))


def test_tagging(client, treebank, monkeypatch):
    monkeypatch.setattr(module, "SENTENCES_AT_ONCE", 16)
    tagger = TaggerLearner(passes=1)(treebank)
    expected, seen = tagger.predict(treebank), []
    assert tagger.predict(treebank, client=client, progress=seen.append) == expected
    assert seen[-1] == 1 and len(seen) >= 4
    assert tagger(treebank, client=client).tags == tagger(treebank).tags
    with pytest.raises(Cancelled):
        tagger.predict(treebank, client=client, progress=cancel_unless(lambda share: False))
    for solver in ("bcfw", "subgradient"):
        with pytest.raises(InputError, match="cannot train on a cluster"):
            TaggerLearner(solver=solver)(treebank, client=client)


def test_a_pipeline(client, treebank, monkeypatch):
    monkeypatch.setattr(module, "SENTENCES_AT_ONCE", 16)
    learner = PipelineLearner(parser=ParserLearner(passes=2))
    seen = []
    alone = learner(treebank)
    found = learner(treebank, seen.append, client=client)
    assert {report.step for report in seen} == {
        "tokeniser", "tagger", "lemmatiser", "jackknife", "parser"}
    fractions = [report.fraction for report in seen]
    assert fractions == sorted(fractions)
    same_tagger(found.tagger, alone.tagger)
    assert found.lemmatiser.known == alone.lemmatiser.known
    assert_array_equal(found.tokeniser.model.weights, alone.tokeniser.model.weights)
    assert_array_equal(found.parser.model.weights, alone.parser.model.weights)
    assert_array_equal(found.parser.relations.weights, alone.parser.relations.weights)
    text = raw_text(treebank.sentences)
    assert found.annotate(text, client=client) == alone.annotate(text)
    words = [sentence.with_heads([-1] * len(sentence)) for sentence in treebank.sentences]
    assert found.annotate(words, client=client) == alone.annotate(words)
    own, other = found(treebank, client=client), alone(treebank)
    assert own.tags == other.tags
    assert_array_equal(np.concatenate(own.predictions["pipeline"].heads),
                       np.concatenate(other.predictions["pipeline"].heads))
    assert annotate_text(found, text, client=client).sentences \
        == annotate_text(alone, text).sentences


def test_a_pipeline_is_stopped(client, treebank):
    with pytest.raises(Cancelled):
        PipelineLearner()(treebank, stop_if(lambda report: True), client=client)
    tokenised = PipelineLearner()(
        treebank, stop_if(lambda report: report.step != "tokeniser"), client=client)
    assert tokenised.steps == ["tokeniser"]


def test_warnings_of_a_pipeline_come_back(client, treebank):
    learner = PipelineLearner(("tagger",), tagger=TaggerLearner(
        ["upos", "misc:Nothing"], passes=1))
    with pytest.warns(UserWarning, match="the treebank has no misc:Nothing"):
        learner(treebank, client=client)


def test_the_command_line_of_pipelines(client, treebank, tmp_path):
    write_conll(treebank, tmp_path / "in.conllu")
    assert main(["train-pipeline", str(tmp_path / "in.conllu"), "-o",
                 str(tmp_path / "p.npz"), "--steps", "tokeniser,tagger", "--quiet",
                 "--scheduler", client.scheduler.address]) == 0
    same_tagger(load_model(tmp_path / "p.npz").tagger,
                PipelineLearner(("tagger",))(treebank).tagger)
