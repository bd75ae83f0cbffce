"""The command line, as a user meets it: as a program of its own."""
import errno
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

from orange_structpred.__main__ import main, make_parser
from orange_structpred.commands import COMMANDS, printed_warnings
from orange_structpred.kernels.make import KERNELS
from orange_structpred.learner.parameters import DEFAULT_HASHES, PARAMETERS
from orange_structpred.parsing.kernel.hash_functions import (
    FURTHER_HASHES,
    PLAIN_HASHES,
    SUMS,
)
from orange_structpred.parsing.second_order.part_templates import GROUPS
from orange_structpred.treebank import write_conll
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED

PROGRAM = [sys.executable, "-m", "orange_structpred"]


@pytest.fixture
def files(tmp_path):
    paths = tmp_path / "gold.conllu", tmp_path / "predicted.conllu"
    for path, sentences in zip(paths, (GOLD, PREDICTED)):
        write_conll(sentences, path)
    return [str(path) for path in paths]


def fails(capsys, *args) -> str:
    """Run with bad input; the one line on stderr."""
    assert main(list(args)) == 2
    output = capsys.readouterr()
    assert output.out == ""
    line, end = output.err.split("\n")
    assert end == "" and line.startswith("orange-structpred: error: ")
    return line


def test_score_json(files):
    done = subprocess.run([*PROGRAM, "score", *files, "--json"], check=False,
                          capture_output=True, encoding="utf-8", timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    scores = json.loads(done.stdout)
    assert scores["uas"] == 80 and scores["las"] == 70
    assert scores["uas_nopunct"] == 85.7143 and scores["las_nopunct"] == 71.4286
    assert (scores["sentences"], scores["tokens"]) == (3, 10)
    low, high = scores["uas_interval"]
    assert low <= 80 <= high


def test_score_for_people(files, capsys):
    assert main(["score", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[:2] == ["UAS", "80.00"]
    assert lines[6].split() == ["Complete", "sentences", "33.33"]


def test_score_raw(files, capsys):
    assert main(["score", *files, "--raw"]) == 0
    lines = dict(line.rsplit(maxsplit=1) for line in
                 capsys.readouterr().out.splitlines())
    assert lines["UAS"] == "80.00" and lines["Words"] == "100.00"
    assert main(["score", *files, "--raw", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["las"] == 70
    shorter = Path(files[1])
    shorter.write_text(shorter.read_text(encoding="utf-8").split("\n\n")[0] + "\n\n",
                       encoding="utf-8")
    assert "the texts differ at character" in fails(capsys, "score", *files, "--raw")


def test_score_without_relations(files, capsys):
    bare = [gold.with_heads(gold.heads, ["_"] * len(gold)) for gold in GOLD]
    write_conll(bare, files[1])
    assert main(["score", *files]) == 0
    assert ["LAS", "-"] in [line.split() for line
                            in capsys.readouterr().out.splitlines()]
    assert main(["score", *files, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["las"] is scores["las_interval"] is None


def test_info(tmp_path, capsys):
    path = str(tmp_path / "some.conllu.gz")
    unparsed = GOLD[1].with_heads([-1] * 4, ["_"] * 4)
    two_roots = GOLD[1].with_heads([3, 3, 0, 0])
    write_conll([GOLD[0], unparsed, two_roots, CROSSED], path)
    assert main(["info", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] == path
    assert (found["sentences"], found["tokens"], found["forms"]) == (4, 21, 17)
    assert (found["unparsed"], found["several_roots"]) == (1, 1)
    assert (found["non_projective"], found["non_projective_arcs"]) == (1, 1)
    assert found["non_projective_share"] == 33.33
    assert (found["length_mean"], found["length_median"], found["length_max"]) \
        == (5.25, 4.5, 8)
    assert found["upos"]["NOUN"] == 4 and found["xpos"] == {}
    assert found["relations"]["nsubj:pass"] == 2
    assert main(["info", path]) == 0
    output = capsys.readouterr().out
    assert "Non-projective  1 sentence (33.33%), 1 arc\n" in output
    assert "Unparsed        1 sentence\n" in output


def test_info_skips_on_request(files, capsys):
    with open(files[0], "a", encoding="utf-8") as file:
        file.write("1\tbad\n\n")
    line = fails(capsys, "info", files[0])
    assert files[0] in line
    assert main(["info", files[0], "--skip", "--json"]) == 0
    output = capsys.readouterr()
    found = json.loads(output.out)
    assert (found["sentences"], found["skipped"]) == (3, 1)
    assert output.err.startswith("skipped: ") and output.err.count("\n") == 1
    assert main(["info", files[0], "--skip"]) == 0
    assert "1 sentence with errors" in capsys.readouterr().out


def test_info_of_nothing_but_errors(tmp_path, capsys):
    path = tmp_path / "bad.conllu"
    path.write_text("1\tbad\n\n", encoding="utf-8")
    assert main(["info", str(path), "--skip"]) == 0
    assert "Sentences  0" in capsys.readouterr().out


def test_missing_file(files, capsys):
    line = fails(capsys, "score", files[0], "nowhere.conllu")
    assert line.endswith("nowhere.conllu: No such file or directory")


def test_folder(files, tmp_path, capsys):
    assert str(tmp_path) in fails(capsys, "info", str(tmp_path))


def test_file_that_is_no_treebank(files, capsys):
    with open(files[1], "wb") as file:
        file.write(bytes(range(256)) * 10)
    assert files[1] in fails(capsys, "score", *files)


def test_bad_line_is_named(files, capsys):
    with open(files[1], encoding="utf-8") as file:
        text = file.read()
    with open(files[1], "w", encoding="utf-8") as file:
        file.write(text.replace("\t0\troot", "\t9\troot", 1))
    line = fails(capsys, "score", *files)
    assert files[1] in line and "3" in line and "9" in line


def test_other_tokens_are_named(files, capsys):
    write_conll([GOLD[0], GOLD[2], GOLD[1]], files[1])
    line = fails(capsys, "score", *files)
    assert f"{files[1]} does not match {files[0]}" in line
    assert "sentence 2 (toy-2), token 1: found '...', expected 'They'" in line


def test_gold_without_heads_is_named(files, capsys):
    write_conll([GOLD[0].with_heads([2, 0, -1, 2, 2]), *GOLD[1:]], files[0])
    line = fails(capsys, "score", *files)
    assert line.endswith(
        f"{files[0]}: sentence 1 (toy-1), token 3 'old': no gold head")
    line = fails(capsys, "score", *reversed(files))
    assert f"error: {files[0]}: sentence 1 (toy-1), token 3 'old': no predicted" in line


@pytest.mark.parametrize("args", [
    [], ["fly"], ["score"], ["score", "one.conllu"], ["score", "one.conllu", " "],
    ["info", "x", "--fast"], ["info", ""], ["export", ""]])
def test_wrong_arguments(args, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(args)
    assert stopped.value.code == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1 and "error: " in output.err


def test_standard_input(files, capsys, monkeypatch):
    def with_input(*args) -> dict:
        data = Path(files[1]).read_bytes()
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        assert main([*args, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    for raw in ([], ["--raw"]):
        assert with_input("score", files[0], "-", *raw) == {
            **with_input("score", *files, *raw), "name": "standard input"}
    assert with_input("info", "-") == {
        **with_input("info", files[1]), "file": "standard input"}
    assert "can be read only once" in fails(capsys, "score", "-", "-")


@pytest.mark.parametrize("command", ["train", "tune", "train-pipeline"])
def test_training_from_standard_input_is_refused(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "-", "-o", "x.npz"])
    assert "treebanks for training are not read from standard input" \
        in capsys.readouterr().err


def test_help_has_examples(capsys):
    def help_text(*args):
        with pytest.raises(SystemExit) as stopped:
            main([*args, "--help"])
        assert stopped.value.code == 0
        return capsys.readouterr().out

    overview = help_text()
    for command in COMMANDS:
        assert f"orange-structpred {command} " in overview
        assert f"examples:\n  orange-structpred {command} " in help_text(command)


@pytest.mark.parametrize("command", [[], *([command] for command in COMMANDS)])
def test_examples_in_the_help_are_understood(command, capsys):
    with pytest.raises(SystemExit):
        main([*command, "--help"])
    examples = capsys.readouterr().out.split("examples:\n")[1].split("\n\n")[0]
    for line in examples.replace("\\\n", " ").splitlines():
        words = shlex.split(re.split(r" [|<>] ", line.rpartition("orange-structpred ")[2])[0])
        make_parser().parse_args(words)


@pytest.mark.parametrize("command", ["train", "tune"])
def test_help_has_all_names(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    known = {"groups": GROUPS, "hash": [*PLAIN_HASHES, *FURTHER_HASHES],
             "kernel": list(KERNELS)}
    for option, names in known.items():
        assert f"--{option} {', '.join(names)}" in text
    assert f"(default: {', '.join(DEFAULT_HASHES)})" in text
    for name in SUMS:
        assert f" {name} " in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_no_names_of_python(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    words = re.findall(r"(?<!-)\b\w+\b", capsys.readouterr().out)
    assert not {name for name in PARAMETERS if "_" in name} & set(words)


def test_help_imports_no_more_than_the_package():
    code = ("import sys, orange_structpred; before = set(sys.modules); "
            "from orange_structpred.__main__ import make_parser; make_parser(); "
            "print(sorted({name.split('.')[0] for name in set(sys.modules) - before}"
            " - set(sys.stdlib_module_names)))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True,
                          encoding="utf-8", check=True)
    assert done.stdout.strip() == "['orange_structpred']"


def test_reader_that_leaves(tmp_path):
    path = str(tmp_path / "many.conllu")
    write_conll(GOLD, path)
    # More tags than a pipe holds, so that writing outlasts the reader.
    tags = [GOLD[2].block.replace("PUNCT", f"T{number:07}") for number in range(20000)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n\n".join(tags) + "\n\n")
    with subprocess.Popen([*PROGRAM, "info", path, "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(60)
    assert process.returncode == 141
    assert errors == b""


def opened_by(process, path):
    """The writing end of a named pipe, as soon as the process reads from it."""
    while process.poll() is None:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:  # nobody reads yet
                raise
            time.sleep(0.01)
    pytest.fail(f"ended before it read the file: {process.stderr.read()}")


def heed_interrupts():
    """In a process about to start: background jobs of shells ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(process):
    """What a process says after Ctrl-C; one that comes between the opening of a file
    and its reading is seen by Python only after the reading, so it is sent again."""
    for _ in range(12):
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            pass
    pytest.fail("interrupted, but it went on")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupted(tmp_path):
    # Reading a named pipe that nobody writes to waits for ever.
    path = tmp_path / "pipe.conllu"
    os.mkfifo(path)
    with subprocess.Popen([*PROGRAM, "info", str(path)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8",
                          preexec_fn=heed_interrupts) as process:  # noqa: PLW1509
        pipe = opened_by(process, path)
        try:
            output, errors = interrupted(process)
        finally:
            process.kill()
            os.close(pipe)
    assert process.returncode == 130
    assert (output, errors) == ("", "orange-structpred: interrupted\n")


def test_only_bad_input_is_one_line(monkeypatch, tmp_path, capsys):
    """A fault of the program is shown for what it is."""
    missing = str(tmp_path / "nowhere.conllu")
    assert main(["info", missing]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert main(["info", missing, "--traceback"]) == 2
    assert "Traceback" in capsys.readouterr().err

    def broken(*_, **__):
        raise ValueError("somewhere deep inside")

    write_conll(GOLD, tmp_path / "some.conllu")
    monkeypatch.setattr("orange_structpred.treebank.conll.read_batches", broken)
    assert main(["info", str(tmp_path / "some.conllu")]) == 1
    err = capsys.readouterr().err
    assert "Traceback" in err and "this is a bug in orange-structpred" in err


ROGUE = "\x1b[2J\x07\u202e"        # clears a screen, rings, turns the text around


def test_escape_sequences_are_shown_not_sent(tmp_path, capsys):
    path = tmp_path / "x.conllu"
    path.write_text(f"1\ta\t_\t{ROGUE}\t_\t_\t0\troot\t_\t_\n\n"
                    f"1\tb\t_\tX\t_\t_\t{ROGUE}\troot\t_\t_\n\n", encoding="utf-8")
    assert main(["info", str(path), "--skip"]) == 0
    assert main(["info", str(path)]) == 2
    assert main(["info", str(path / ROGUE)]) == 2
    found = capsys.readouterr()
    for text in (found.out, found.err):
        assert "\\x1b[2J\\x07\\u202e" in text and not set(ROGUE[:1] + ROGUE[4:]) & set(text)


def test_escape_sequences_in_warnings(capsys):
    with printed_warnings():
        warnings.warn(f"unknown tags ({ROGUE})", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: unknown tags (\\x1b[2J\\x07\\u202e)\n"


@pytest.mark.parametrize("arguments", [
    ["find", "upos=X", "FILE"], ["find", "X [upos=X]", "FILE", "--cluster", "X.form"],
    ["find", "X [upos=X]", "FILE", "--cluster", "X.form", "--by", "X.xpos"],
    ["edit", "X [upos=X]", "X.upos=Y", "FILE"],
    ["compare", "FILE", "OTHER", "--differences"]])
def test_escape_sequences_of_words(tmp_path, capsys, arguments):
    """What commands show of a treebank's words and names of sentences."""
    files = {}
    for name, tag in (("FILE", f"x{ROGUE}"), ("OTHER", f"y{ROGUE}")):
        files[name] = str(tmp_path / f"{name}.conllu")
        Path(files[name]).write_text(
            f"# sent_id = {ROGUE}\n1\t{ROGUE}\t_\tX\t{tag}\t_\t0\troot\t_\t_\n\n",
            encoding="utf-8")
    assert main([files.get(argument, argument) for argument in arguments]) == 0
    text = capsys.readouterr().out
    assert "\\x1b[2J\\x07\\u202e" in text
    assert not set(ROGUE[:1] + ROGUE[4:]) & set(text)
