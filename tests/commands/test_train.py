"""The commands train and parse."""
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

from orange_structpred.__main__ import main, make_parser
from orange_structpred.commands.options import (
    check_influence,
    option,
    set_parameters,
)
from orange_structpred.commands.train import ProgressLine
from orange_structpred.evaluation import evaluate
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.svm import Report
from orange_structpred.treebank import Treebank, read_conll, write_conll
from orange_structpred.treebank.bundled import load_bundled
from tests.treebank.toy import RICH, UNPARSED, file_of

PROGRAM = [sys.executable, "-m", "orange_structpred"]
FAST = ["--groups", "head-dependent, counts", "--passes", "2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parsers")
    sentences = load_bundled("en").sentences
    write_conll(sentences[:60], folder / "train.conllu")
    write_conll(sentences[60:90], folder / "test.conllu")
    assert main(["train", str(folder / "train.conllu"), "-o",
                 str(folder / "model.npz"), *FAST, "--quiet"]) == 0
    return folder


@pytest.fixture
def train(folder, tmp_path):
    """Train with further arguments; the exit code."""
    def run(*args, treebank=folder / "train.conllu", output=tmp_path / "out.npz"):
        fast = FAST[2:] if "kernel" in args else FAST
        return main(["train", str(treebank), "-o", str(output), *fast, *args])
    return run


def error(capsys) -> str:
    output = capsys.readouterr()
    line, end = output.err.split("\n")
    assert output.out == end == ""
    assert line.startswith("orange-structpred: error: ")
    return line


def same_weights(a: Parser, b: Parser) -> bool:
    return a.model.weights.tobytes() == b.model.weights.tobytes()


# train

def test_train_is_the_learner(folder, train, tmp_path, capsys):
    assert train("--C", "0.5", "--seed", "3", "--decoder", "exact",
                 "--name", "mine") == 0
    output = capsys.readouterr()
    parser = Parser.load(tmp_path / "out.npz")
    learner = ParserLearner(groups=["head-dependent", "counts"], passes=2, C=0.5,
                            random_state=3, decoder="exact", name="mine")
    expected = learner(Treebank.from_file(folder / "train.conllu"))
    assert same_weights(parser, expected)
    assert parser.name == "mine" and parser.decoder == "exact"
    # a line for each pass, and one about the parser
    first, second = output.err.splitlines()
    assert first.startswith("pass 1, loss ") and first.endswith(" s left")
    assert second.startswith("pass 2, loss ")
    line, = output.out.splitlines()
    assert line.startswith(f"mine: {parser.n_weights} weights, exact trees, 2 passes, "
                           "training loss ")
    assert line.endswith(str(tmp_path / "out.npz"))


def test_gap_of_a_solver_that_has_one(train, capsys):
    assert train("--solver", "bcfw", "--epsilon", "0.5") == 0
    output = capsys.readouterr()
    assert "pass 1, gap 0." in output.err
    assert "it covers only trees of edges that pruning has left" in output.out


def test_validation(folder, train, tmp_path, capsys):
    held_out = str(folder / "train.conllu")
    assert train("--validation", held_out) == 0
    output = capsys.readouterr()
    assert "validation loss " in output.err.splitlines()[0]
    parser = Parser.load(tmp_path / "out.npz")
    loss = parser.log[parser.kept_pass - 1].validation_loss
    assert f"pass {parser.kept_pass} kept (validation loss {100 * loss:.2f}%)" \
        in output.out
    assert train("--validation", held_out, "--keep", "last") == 0
    assert "kept" not in capsys.readouterr().out
    assert train("--keep", "last") == 2
    assert "--keep needs --validation" in error(capsys)
    assert train("--validation", held_out, "--checkpoint", str(tmp_path / "state")) == 2
    assert "use keep='last'" in error(capsys)


def test_quiet(train, capsys):
    assert train("--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("args, parameters", [
    ([], {}),
    (["--features", "explicit", "--min-count", "6", "--epsilon", "0.1"],
     {"features": "explicit", "min_count": 6, "epsilon": 0.1}),
    (["--solver", "one-slack", "--passes", "3", "--jobs", "2", "--seed", "7"],
     {"solver": "one-slack", "passes": 3, "n_jobs": 2, "random_state": 7}),
    (["--single-root", "--groups", "all"], {"single_root": True, "groups": "all"}),
    (["--no-single-root"], {"single_root": False}),
    (["--features", "kernel", "--hash", "posTags, lemmas", "--hash", "rich"],
     {"features": "kernel", "hash": ["posTags", "lemmas", "rich"]}),
    (["--features", "kernel", "--hash", "posTags2::dir", "--hash", "tokens",
      "--kernel", "ngram", "--kernel-params", "n=6,decay=0.5"],
     {"features": "kernel", "hash": ["posTags2::dir", "tokens"], "kernel": "ngram",
      "kernel_params": {"n": 6, "decay": 0.5}}),
    (["--checkpoint", "state"], {"checkpoint": "state"})])
def test_options(args, parameters):
    found = set_parameters(
        make_parser().parse_args(["train", "x.conllu", "-o", "x.npz", *args]))
    assert found == parameters
    ParserLearner(**found)


def test_kernel_parser(folder, train, tmp_path):
    assert train("--features", "kernel", "--kernel", "ngram", "--kernel-params",
                 "n=3", "--hash", "tokens", "--quiet") == 0
    assert Parser.load(tmp_path / "out.npz").model.kind == "kernel"


def test_checkpoint(folder, train, tmp_path, capsys):
    """Two passes, then four from there, are four passes."""
    state = str(tmp_path / "state")
    assert train("--checkpoint", state) == 0
    assert train("--checkpoint", state, "--passes", "4") == 0
    assert capsys.readouterr().err.count("pass 2") == 1
    resumed = Parser.load(tmp_path / "out.npz")
    assert train("--passes", "4", "--quiet") == 0
    assert same_weights(resumed, Parser.load(tmp_path / "out.npz"))
    capsys.readouterr()
    assert train("--checkpoint", state, "--C", "3") == 2
    assert "belongs to another training" in error(capsys)


@pytest.mark.parametrize("args, message", [
    (["--checkpoint", "nowhere/state"], "nowhere: No such file or directory"),
    (["--hash", "tokens"], "error: --hash needs --features kernel"),
    (["--kernel", "bow"], "error: --kernel needs --features kernel"),
    (["--vectors", "x.vec"], "error: --vectors needs --features kernel"),
    (["--features", "kernel", "--min-count", "3"],
     "error: --min-count needs --features explicit"),
    (["--epsilon", "0.1"], "error: --epsilon has no effect: mira has no dual"),
    (["--solver", "perceptron", "--C", "2"], "error: --C has no effect: the perc"),
    (["--groups", "colour"], "feature group 'colour' is not known"),
    (["--solver", "n-slack", "--rescaling", "slack", "--sample", "0.2"],
     "error: --sample has no effect: only for the solver sampled-cuts"),
    (["--features", "kernel", "--smoothness", "3"],
     "error: --smoothness has no effect without --unlabelled"),
    (["--groups", "head,transitions", "--order", "1"],
     "error: --groups transitions has no effect: a transition-based parser votes only"),
    (["--groups", "head,sibling tags", "--order", "1"],
     "error: --groups sibling tags has no effect: it is for parsers of order 2"),
    (["--order", "2", "--decoder", "exact"],
     "error: --order has no effect: order 2 needs the decoder projective or"),
    (["--order", "2", "--min-count", "3"],
     "error: --order has no effect: order 2 needs the decoder projective or"),
    (["--order", "2", "--features", "kernel"],
     "error: --order has no effect: no hash function is for pairs of edges"),
    (["--features", "kernel", "--kernel", "colour"], "colour"),
    (["--features", "kernel", "--hash", "colour"], "'colour' is not known")])
def test_bad_parameters(train, capsys, args, message):
    assert train(*args) == 2
    assert message in error(capsys)


@pytest.mark.parametrize("args", [["--decoder", "exact"], ["--min-count", "1"],
                                  ["--decoder", "exact", "--min-count", "1"]])
def test_first_order_with_any_decoder(args):
    """What is so anyway may be said."""
    found = set_parameters(make_parser().parse_args(
        ["train", "x.conllu", "-o", "x.npz", "--order", "1", *args]))
    check_influence({name: option(name) for name in found}, [found])


@pytest.mark.parametrize("args, message", [
    (["--passes", "0"], "--passes: found '0', expected a whole number from 1 to"),
    (["--passes", "1.5"], "--passes: found '1.5', expected a whole number from 1 to"),
    (["--jobs", "-2"], "--jobs: found '-2', expected a whole number from 1 to"),
    (["--nystroem", "0"], "--nystroem: found '0', expected a whole number from 1 to"),
    (["--min-count", "x"], "--min-count: found 'x', expected a whole number from 0 to"),
    (["--seed", "-1"], "--seed: found '-1', expected a whole number from 0 to"),
    (["-o", "-"], "-o/--output: found '-', expected the name of a file"),
    (["-o", ""], "-o/--output: found '', expected the name of a file"),
    (["--C", "much"], "--C: found 'much', expected a number from 1e-10 to 1e+10, or inf"),
    (["--C", "0"], "--C: found '0', expected a number from 1e-10 to 1e+10, or inf"),
    (["--epsilon", "-1"], "--epsilon: found '-1', expected a number above 0, 1e+10 at"),
    (["--solver", "guess"], "--solver: invalid choice: 'guess'"),
    (["--kernel-params", "n"], "found 'n', expected NAME=VALUE")])
def test_bad_arguments(train, capsys, args, message):
    with pytest.raises(SystemExit) as stopped:
        train(*args)
    assert stopped.value.code == 2
    output = capsys.readouterr()
    assert output.err.count("\n") == 1 and message in output.err


def test_treebanks_that_teach_nothing(train, tmp_path, capsys):
    file = tmp_path / "bad.conllu"
    assert train(treebank=file) == 2
    assert error(capsys).endswith("bad.conllu: No such file or directory")
    file.write_bytes(file_of([RICH, UNPARSED]))
    assert train(treebank=file) == 2
    assert error(capsys).endswith(
        f"{file}: sentence 2 ('unparsed') has tokens without heads")
    file.write_bytes(b"")
    assert train(treebank=file) == 2
    assert str(file) in error(capsys)


def test_one_sentence(train, tmp_path, capsys):
    file = tmp_path / "one.conllu"
    file.write_bytes(file_of([RICH]))
    assert train(treebank=file) == 0
    assert "training loss 0.00%" in capsys.readouterr().out


def test_one_pass_without_features(train, capsys):
    assert train("--passes", "1", "--min-count", "100000", "--quiet") == 0
    output = capsys.readouterr()
    assert ": 0 weights, projective trees, 1 pass, training loss " in output.out
    assert output.err == ("warning: no feature occurs min_count=100000 times, so the "
                          "parser has no weights; decrease min_count\n")


def test_a_checkpoint_with_more_passes(train, tmp_path, capsys):
    state = str(tmp_path / "state")
    assert train("--checkpoint", state, "--passes", "4", "--quiet") == 0
    capsys.readouterr()
    assert train("--checkpoint", state, "--passes", "1", "--quiet") == 0
    output = capsys.readouterr()
    assert "4 passes, training loss" in output.out
    assert output.err.startswith(f"warning: {state} already has 4 passes, ")


def test_a_link_to_a_model_stays_one(train, tmp_path):
    link = tmp_path / "link.npz"
    link.symlink_to(tmp_path / "model.npz")
    assert train("--quiet", output=link) == 0
    assert link.is_symlink()
    Parser.load(tmp_path / "model.npz")


@pytest.mark.parametrize("place, message", [
    ("nowhere/model.npz", "nowhere: No such file or directory"),
    ("", "Is a directory")])
def test_places_where_nothing_can_be_written(folder, tmp_path, capsys, place, message):
    """It is told before the training."""
    for command in ("train", "tune"):
        assert main([command, str(folder / "train.conllu"), "-o",
                     str(tmp_path / place)]) == 2
        assert error(capsys).endswith(message)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupted_training_keeps_the_parser(folder, tmp_path):
    with subprocess.Popen(
            [*PROGRAM, "train", folder / "train.conllu", "-o", tmp_path / "out.npz",
             *FAST, "--passes", "1000000"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stderr.readline().startswith("pass 1, ")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=600)
    assert process.returncode == 0
    assert "stopping; keeping the parser trained so far\n" in errors
    assert "stopped early" in output
    parser = Parser.load(tmp_path / "out.npz")
    assert parser.stopped and parser.n_weights > 0 and parser.log[0].pass_ == 1


def test_interrupted_before_there_is_a_parser(train, tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise StopEarly

    monkeypatch.setattr(ProgressLine, "__call__", interrupted)
    assert train("--features", "kernel", "--kernel", "ngram") == 130
    assert capsys.readouterr().err == "orange-structpred: interrupted\n"
    assert not (tmp_path / "out.npz").exists()


@pytest.fixture
def heeded():
    """Ctrl-C as a program in the foreground has it: background jobs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_says_nothing_in_the_middle_of_a_line(capsys, heeded):
    with ProgressLine() as progress:
        signal.raise_signal(signal.SIGINT)
        assert capsys.readouterr().err == ""
        report = Report(1, 0.5, 1., 10)
        for _ in range(2):
            with pytest.raises(StopEarly):
                progress(report)
    assert capsys.readouterr().err == "stopping; keeping the parser trained so far\n"


def test_nothing_is_kept_before_the_first_pass(capsys, heeded):
    with ProgressLine() as progress:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(StopEarly):
            progress(Report(0, 0.5, 1., 10))
    assert capsys.readouterr().err == ""


def test_a_second_interrupt_is_not_caught(capsys, heeded):
    with pytest.raises(KeyboardInterrupt), ProgressLine() as progress:
        signal.raise_signal(signal.SIGINT)
        assert progress.stop
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_line_on_a_terminal(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    with ProgressLine() as progress:
        progress(Report(1, 0.25, 1., 10, gap=0.5))
        progress(Report(1, 1., 2., 20, gap=0.25, loss=0.125, end_of_pass=True))
    text = terminal.getvalue()
    assert text.count("\n") == 1 and text.endswith("\n")
    _, first, second = text.split("\r")
    assert first.startswith("pass 1, gap 0.5000, 25%, ") and "s left" in first
    assert second.startswith("pass 1, gap 0.2500, loss 12.50%, ")
    assert len(first) == len(second.rstrip("\n"))       # nothing of the first is left


# parse

def lines(path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")]


def test_parse_changes_only_heads_and_relations(folder, tmp_path, capsys):
    mixed = tmp_path / "mixed.conllu"
    mixed.write_bytes(file_of([RICH, *(
        s.block for s in read_conll(folder / "test.conllu")), UNPARSED]))
    out = tmp_path / "out.conllu"
    assert main(["parse", str(folder / "model.npz"), str(mixed), "-o", str(out)]) == 0
    output = capsys.readouterr()
    assert output.out == f"32 sentences; {out}\n"
    before, after = lines(mixed), lines(out)
    assert len(before) == len(after)
    for old, new in zip(before, after):
        if len(old) == 10 and old[0].isdecimal():
            old[6:8] = new[6:8]
        assert old == new
    parser = Parser.load(folder / "model.npz")
    for sentence, heads in zip(read_conll(out),
                               parser.predict_heads(read_conll(mixed))):
        np.testing.assert_array_equal(sentence.heads, heads)


def test_relations_are_those_of_the_parser(folder, tmp_path, capsys):
    gold, out = str(folder / "test.conllu"), str(tmp_path / "out.conllu")
    assert main(["parse", str(folder / "model.npz"), gold, "-o", out]) == 0
    capsys.readouterr()
    assert main(["score", gold, out, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert 50 < scores["las"] < scores["uas"]


def test_parse_with_another_decoder(folder, tmp_path, capsys):
    model, out = str(tmp_path / "rough.npz"), str(tmp_path / "out.conllu")
    gold = str(folder / "test.conllu")
    ParserLearner(passes=1, decoder="approximate")(
        Treebank.from_file(gold)[:2]).save(model)
    assert main(["parse", model, gold, "-o", out]) == 2
    assert "use decoder='exact' or 'projective'" in capsys.readouterr().err
    assert main(["parse", model, gold, "-o", out, "--decoder", "exact"]) == 0
    parser = Parser.load(model)
    parser.decoder = "exact"
    for sentence, heads in zip(read_conll(out), parser.predict_heads(read_conll(gold))):
        np.testing.assert_array_equal(sentence.heads, heads)


def test_parse_with_a_decoder_that_a_parser_cannot_use(folder, tmp_path, capsys):
    assert main(["parse", str(folder / "model.npz"), str(folder / "test.conllu"),
                 "-o", str(tmp_path / "out.conllu"), "--decoder", "exact"]) == 2
    assert error(capsys).endswith(
        "cannot use the decoder 'exact', only 'projective' and 'rearranged'; train a "
        "parser of order 1 to use 'exact'")


def test_parse_tells_how_sure_it_is(folder, tmp_path):
    model, gold, out = folder / "model.npz", folder / "test.conllu", tmp_path / "out.conllu"
    assert main(["parse", str(model), str(gold), "-o", str(out), "--probabilities"]) == 0
    found = Parser.load(model).predict(read_conll(gold), probabilities=True)
    told = [float(line[9].rpartition("HeadProb=")[2]) for line in lines(out)
            if len(line) == 10 and line[0].isdecimal()]
    np.testing.assert_allclose(told, np.concatenate(found.probabilities), rtol=1e-3)


def test_parse_warns_of_training_sentences(folder, tmp_path, capsys):
    parse = ["parse", str(folder / "model.npz"), "FILE", "-o", str(tmp_path / "out.conllu")]
    for name, expected in (("train", "warning: [0-9]+ sentences were used to train the "
                                     "parser, so scores on them are too high\n"), ("test", "")):
        parse[2] = str(folder / f"{name}.conllu")
        assert main(parse) == 0
        assert re.fullmatch(expected, capsys.readouterr().err)


def test_parse_to_the_terminal_and_compressed(folder, tmp_path, capsysbinary):
    args = ["parse", str(folder / "model.npz"), str(folder / "test.conllu"), "-o"]
    assert main([*args, str(tmp_path / "out.conllu.gz"), "--jobs", "2"]) == 0
    capsysbinary.readouterr()
    assert main([*args, "-"]) == 0
    output = capsysbinary.readouterr()
    assert output.err == b""
    assert gzip.decompress((tmp_path / "out.conllu.gz").read_bytes()) == output.out


def test_parse_from_standard_input(folder, tmp_path):
    model, test = folder / "model.npz", folder / "test.conllu"
    assert main(["parse", str(model), str(test), "-o", str(tmp_path / "out")]) == 0
    done = subprocess.run(
        [sys.executable, "-m", "orange_structpred", "parse", model, "-", "-o", "-"],
        input=test.read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (tmp_path / "out").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "orange_structpred", "parse", model, "-", "-o", "-"],
        input=b"no treebank\n", capture_output=True, check=False)
    assert done.returncode == 2
    assert b"standard input" in done.stderr


def test_unknown_tags_are_told(folder, tmp_path, capsys):
    text = (folder / "test.conllu").read_text(encoding="utf-8")
    (tmp_path / "other.conllu").write_text(text.replace("NOUN", "SUBST"),
                                           encoding="utf-8")
    assert main(["parse", str(folder / "model.npz"), str(tmp_path / "other.conllu"),
                 "-o", str(tmp_path / "out.conllu")]) == 0
    line, = capsys.readouterr().err.splitlines()
    assert line.startswith("warning: ") and "% of the tags are unknown" in line
    assert "SUBST" in line
    assert len(read_conll(tmp_path / "out.conllu")) == 30


def test_parse_with_what_is_no_parser(folder, tmp_path, capsys):
    test = str(folder / "test.conllu")
    assert main(["parse", test, test, "-o", str(tmp_path / "out")]) == 2
    assert test in error(capsys)
    assert main(["parse", "nowhere.npz", test, "-o", str(tmp_path / "out")]) == 2
    assert error(capsys).endswith("nowhere.npz: No such file or directory")
    assert not (tmp_path / "out").exists()


def test_heads_that_are_no_trees(folder, train, tmp_path, capsys):
    """Approximate decoder is for study; a CoNLL file wants trees, but `score` does not."""
    assert train("--decoder", "approximate", "--passes", "1", "--groups",
                 "head", "--quiet") == 0
    capsys.readouterr()
    assert main(["parse", str(tmp_path / "out.npz"), str(folder / "test.conllu"),
                 "-o", str(tmp_path / "out.conllu")]) == 2
    told = error(capsys)
    assert "of 30 sentences do not form a tree (decoder 'approximate')" in told
    wrong = int(re.search(r"heads of (\d+) of 30", told)[1])
    parsed = str(tmp_path / "out.conllu")
    assert main(["parse", str(tmp_path / "out.npz"), str(folder / "test.conllu"),
                 "-o", parsed, "--allow-cycles"]) == 0
    assert main(["score", str(folder / "test.conllu"), parsed]) == 0
    assert re.search(rf"Valid trees +{100 * (30 - wrong) / 30:.2f}\n", capsys.readouterr().out)
    gold = Treebank.from_file(folder / "test.conllu")
    assert main(["score", str(folder / "test.conllu"), parsed, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["uas"] == pytest.approx(
        100 * evaluate(Parser.load(tmp_path / "out.npz")(gold)).uas, abs=1e-4)
    for arguments in (["score", parsed, parsed], ["info", parsed]):
        assert main(arguments) == 2
        assert re.search("found (a cycle of heads|no root)", error(capsys))


def test_nets(folder, tmp_path, capsys):
    """train --accurate and --features neural, and parse with what they have learned."""
    train, model = str(folder / "train.conllu"), tmp_path / "net.npz"
    net = ["--epochs", "2", "--hidden", "4", "--dropout", "0.2", "--no-calibrate"]
    assert main(["train", train, "-o", str(model), "--accurate", *net, "--passes", "1"]) == 0
    out, err = capsys.readouterr()
    assert "pass 1" in err and "epoch 2" in err and "explicit + net" in out
    parser = Parser.load(model)
    assert parser.net is not None and [own.epoch for own in parser.log] == [0, 1, 2]
    assert main(["parse", str(model), str(folder / "test.conllu"), "-o",
                 str(tmp_path / "parsed.conllu")]) == 0
    parsed = read_conll(tmp_path / "parsed.conllu")
    expected = parser.predict_heads(read_conll(folder / "test.conllu"))
    for sentence, heads in zip(parsed, expected, strict=True):
        np.testing.assert_array_equal(sentence.heads, heads)
    assert main(["train", train, "-o", str(model), "--features", "neural", *net]) == 0
    assert Parser.load(model).model.kind == "neural"
    capsys.readouterr()
    for preset in ([], ["--fast"]):
        assert main(["train", train, "-o", str(model), *preset, "--epochs", "2"]) == 2
        assert "neural" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["train", train, "-o", str(model), "--fast", "--accurate"])
    assert "not allowed with" in capsys.readouterr().err
