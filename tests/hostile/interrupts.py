"""Ctrl-C, and requests to end, at any moment of any command: answered soon, with one line
and nothing half written."""
import os
import signal
import sys
import time

from orange_structpred import ParserLearner, PipelineLearner, load_bundled, write_conll
from orange_structpred.__main__ import main
from tests.hostile.draw import pick
from tests.hostile.processes import fork, no_parts
from tests.hostile.worker import Skipped
from tests.treebank.toy import long_sentence

LINES = {signal.SIGINT: "orange-structpred: interrupted",
         signal.SIGTERM: "orange-structpred: terminated",
         signal.SIGHUP: "orange-structpred: terminated"} \
    if hasattr(signal, "SIGHUP") else {}
#: Seconds; half a second on an idle machine
SOON = 30
#: Seconds until a process has surely begun with its command
BEGUN = 0.2
COMMANDS = (
    "parse model.npz long.conllu -o out --longest 1000000",
    "parse model.npz long.conllu -o out",
    "parse model.npz many.conllu -o out --jobs 2",
    "parse model.npz many.conllu -o out --probabilities",
    "annotate pipeline.npz words.txt -o out",
    "annotate pipeline.npz letters.txt -o out",
    "train long.conllu -o out",
    "train many.conllu -o out",
    "train many.conllu -o out --features kernel --kernel ngram --jobs 2",
    "tune many.conllu -o out --passes 2",
    "train-pipeline many.conllu -o out",
    "score many.conllu many.conllu",
    "score many.conllu many.conllu --raw",
    "info many.conllu",
)


def prepare(folder):
    if not hasattr(os, "fork"):
        raise Skipped("processes cannot be forked here")
    treebank = load_bundled("en")
    ParserLearner(passes=1)(treebank[:40]).save("model.npz")
    PipelineLearner()(treebank[:40]).save("pipeline.npz")
    write_conll(treebank.sentences * 8, "many.conllu")
    write_conll([long_sentence(2000)], "long.conllu")
    (folder / "words.txt").write_text("a word " * 10_000, encoding="utf-8")
    (folder / "letters.txt").write_text("word" * 1_000_000, encoding="utf-8")
    return folder


def case(folder, rng):
    arguments = pick(rng, COMMANDS).split()
    out, err = folder / "out", folder / "err"
    out.write_bytes(b"before")
    pid = fork(lambda: run(arguments, err))
    time.sleep(BEGUN + rng.exponential(1.))
    number = pick(rng, [signal.SIGINT, *LINES])
    code = after_signal(pid, number)
    text = err.read_text(encoding="utf-8")
    if code is None and number == signal.SIGINT:
        # it keeps what it has learned, which may take a while
        assert "stopping; keeping" in text, (arguments, text)
        code = after_signal(pid, number)
        text = err.read_text(encoding="utf-8")
    assert code in (0, 128 + number), (arguments, code, text)
    assert "Traceback" not in text, (arguments, text)
    if code:
        line = LINES[number]
        assert text.count(line) == 1 and text.splitlines()[-1] == line, (arguments, text)
        assert out.read_bytes() == b"before", arguments
    no_parts(folder)


def run(arguments, err):
    """A command as a process of its own has it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):      # nohup may have changed it
        signal.signal(number, signal.SIG_DFL)
    file = os.open(err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.argv[1:] = arguments
    os._exit(main())


def after_signal(pid, number):
    """The exit code after a signal; None if it works on."""
    os.kill(pid, number)
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    return None
