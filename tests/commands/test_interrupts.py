"""Ctrl-C ends a command soon, whatever it is doing."""
import os
import signal
import subprocess
import sys
import time

import pytest

from orange_structpred import ParserLearner, load_bundled, write_conll
from orange_structpred.__main__ import main
from orange_structpred.commands.train import ProgressLine
from orange_structpred.errors import InputError
from orange_structpred.running import interrupts
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.svm import Report
from tests.treebank.toy import long_sentence

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

LINE = "orange-structpred: interrupted\n"
#: A command without an end, of which Python knows nothing: it writes a file and then
#: calls `work`, which imports what it needs, because that takes longest
STUCK = """
import hashlib, sys, time
from orange_structpred import __main__ as program
from orange_structpred.commands import info
from orange_structpred.files.writing import opened, write_through


def compiled():
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)      # it releases the GIL


def main_thread(args):
    with opened(args.file) as file:
        file.write(b"half")
        print("ready", flush=True)
        compiled()


def folder(args):
    def write(name):
        open(name, "w").write("half")
        print("ready", flush=True)
        compiled()

    write_through(args.file, write)


def pool(args):
    from orange_structpred.running.threads import Threads

    with opened(args.file) as file:
        file.write(b"half")
        print("ready", flush=True)
        with Threads(2) as pool:
            list(pool.map(lambda _: compiled(), range(8)))


def pipe(args):
    print("ready", flush=True)
    while True:
        sys.stdout.write("nobody reads this" * 1000)


class Swallowing:
    def __del__(self):
        time.sleep(60)


def swallowed(args):        # Python cannot raise an interrupt in a finaliser
    own = Swallowing()
    print("ready", flush=True)
    del own
    compiled()


def preparing(args):
    from orange_structpred.commands.train import ProgressLine
    from orange_structpred.svm import Report

    with ProgressLine() as progress:
        progress(Report(0, 0.5, 1., 10))
        main_thread(args)


def learning(args):
    from orange_structpred.commands.train import ProgressLine
    from orange_structpred.svm import Report

    with ProgressLine(quiet=True) as progress:
        progress(Report(1, 0.5, 1., 10))
        main_thread(args)


info.run = globals()[sys.argv.pop()]
sys.exit(program.main())
"""


def started(*arguments):
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # noqa: PLW1509


def interrupt(process):
    """What is said on stderr after an interrupt, which ends what would go on for hours."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(60)
    finally:
        process.kill()
    with process:
        return process.stderr.read()


@pytest.mark.parametrize("work", ["main_thread", "folder", "pool", "pipe", "swallowed",
                                  "preparing"])
def test_stuck(tmp_path, work):
    path = tmp_path / "file"
    path.write_bytes(b"before")
    process = started("-c", STUCK, "info", path, work)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    assert interrupt(process) == LINE
    assert process.returncode == 130
    assert [own.name for own in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"before"


def test_what_was_learned_is_kept_until_the_second_interrupt(tmp_path):
    process = started("-c", STUCK, "info", tmp_path / "file", "learning")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == "stopping; keeping the parser trained so far\n"
    time.sleep(1.5)         # it is not ended
    assert process.poll() is None
    assert interrupt(process) == LINE
    assert process.returncode == 130 and not list(tmp_path.iterdir())


def test_a_sentence_that_takes_long(tmp_path):
    ParserLearner(passes=1)(load_bundled("en")[:20]).save(tmp_path / "model.npz")
    write_conll([long_sentence(3000)], tmp_path / "long.conllu")
    process = started("-m", "orange_structpred", "parse", tmp_path / "model.npz",
                      tmp_path / "long.conllu", "-o", tmp_path / "out.conllu",
                      "--longest", "1000000")
    while len(list(tmp_path.iterdir())) < 3:        # until it has begun to write
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.1)
    time.sleep(1)
    assert interrupt(process) == LINE
    assert process.returncode == 130
    assert sorted(own.name for own in tmp_path.iterdir()) == ["long.conllu", "model.npz"]


def test_no_process_is_ended_where_arguments_are_given(tmp_path, monkeypatch):
    """A program that calls `main` goes on."""
    def run(args):
        raise KeyboardInterrupt

    monkeypatch.setattr("orange_structpred.commands.info.run", run)
    assert main(["info", "x"]) == 130


@pytest.mark.parametrize("error", [SystemError("unknown"), InputError("broken")])
def test_an_interrupt_in_another_guise(monkeypatch, capsys, error):
    """Compiled code that calls Python raises an error of its own when it is interrupted."""
    def run(args):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise error from None

    monkeypatch.setattr("orange_structpred.commands.info.run", run)
    assert main(["info", "x"]) == 130
    assert capsys.readouterr().err == LINE


def test_an_error_that_has_forgotten_the_interrupt():
    """It is known that one came, and soon no more that one has."""
    # a shell makes its background jobs ignore interrupts
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        note_and_forget()
    finally:
        signal.signal(signal.SIGINT, before)


def note_and_forget():
    with interrupts.answered(lambda number: None):
        assert not interrupts.is_interrupt(SystemError())
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        for _ in range(100):
            if interrupts.is_interrupt(SystemError()):
                break
            time.sleep(0.05)
        assert interrupts.is_interrupt(SystemError())
    with interrupts.answered(lambda number: None):
        assert not interrupts.is_interrupt(SystemError())


def test_answers_of_a_training():
    progress = ProgressLine(quiet=True)
    assert not progress.answer() and progress.stop
    with pytest.raises(StopEarly):
        progress(Report(1, 0.5, 1., 10))
    assert progress.answer()
