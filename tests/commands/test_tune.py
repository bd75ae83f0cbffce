"""The command tune."""
import errno
import json

import pytest

from orange_structpred import load_bundled
from orange_structpred.__main__ import main
from orange_structpred.commands.tune import TuningLine, read_grid
from orange_structpred.parser import Parser
from orange_structpred.treebank import Treebank, write_conll
from orange_structpred.tuning.search import tune
from tests.treebank.toy import UNPARSED, file_of
from tests.tuning.test_search import SENTENCES

FEW = ["--groups", "head,dependent", "--passes", "2", "--quiet"]


@pytest.fixture
def treebank(tmp_path):
    path = tmp_path / "toy.conllu"
    write_conll(SENTENCES, path)
    return str(path)


def fails(capsys, *args) -> str:
    assert main(list(args)) == 2
    output = capsys.readouterr()
    assert output.out == ""
    return output.err


def test_a_table_for_people(treebank, capsys):
    assert main(["tune", treebank, "--C", "0.01,1", "--grid", "solver=bcfw,mira",
                 *FEW]) == 0
    output = capsys.readouterr()
    lines = output.out.splitlines()
    assert lines[0].split()[:4] == ["setting", "C", "train", "loss"]
    assert [line.split()[:3] for line in lines[1:5]] == [
        ["solver", "bcfw", "0.01"], ["solver", "bcfw", "1"],
        ["solver", "mira", "0.01"], ["solver", "mira", "1"]]
    assert len({len(line) for line in lines[:5]}) == 1
    assert lines[6].startswith("Best: solver ") and "validation loss" in lines[6]
    assert output.err == ""


def test_json_is_what_the_library_finds(treebank, capsys):
    assert main(["tune", treebank, "--C", "0.01,1", "--share", "0.3", "--seed", "3",
                 "--json", *FEW]) == 0
    found = json.loads(capsys.readouterr().out)
    tuning = tune(Treebank.from_file(treebank), {"C": [0.01, 1]}, share=0.3,
                  random_state=3, groups=["head", "dependent"], passes=2)
    assert [point["validation_loss"] for point in found["points"]] == [
        round(100 * point.validation_loss, 4) for point in tuning.points]
    assert found["best"]["parameters"] == {"C": tuning.best.C}
    assert found["stopped"] is False and found["model"] is None
    assert found["open_end"] == tuning.open_end


@pytest.mark.parametrize("Cs, told", [("0.001,1", True), ("1", False)])
def test_a_best_C_at_the_end_of_the_range_is_told(tmp_path, capsys, Cs, told):
    treebank = str(tmp_path / "en.conllu")
    load_bundled("en")[:60].save(treebank)
    assert main(["tune", treebank, "--C", Cs, "--solver", "bcfw", *FEW]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert ("This is the upper end of the values of C" in last) == told


def test_C_is_raised_while_the_training_loss_improves(treebank, capsys):
    def tried(*options: str) -> list[float]:
        assert main(["tune", treebank, "--C", "0.0001,0.01,1,100,1000", "--solver", "bcfw",
                     "--json", *options, *FEW]) == 0
        return [point["parameters"]["C"]
                for point in json.loads(capsys.readouterr().out)["points"]]

    every, raised = tried(), tried("--stop-raising")
    assert every == [0.0001, 0.01, 1, 100, 1000]
    assert 1 < len(raised) < len(every) and raised == every[:len(raised)]


@pytest.mark.parametrize("decoder", ["exact", "approximate"])
def test_valid_trees_where_outputs_may_be_none(treebank, capsys, decoder):
    assert main(["tune", treebank, "--C", "0.001", "--features", "kernel", "--hash",
                 "posTags", "--decoder", decoder, "--solver", "bcfw", "--passes", "1",
                 "--quiet"]) == 0
    title, row, *_ = capsys.readouterr().out.splitlines()
    assert ("valid trees" in title) == (decoder == "approximate")
    if decoder == "approximate":
        assert 0 <= float(row.split()[-1]) < 100


def test_values_of_C_that_make_no_difference_are_told(treebank, capsys):
    assert main(["tune", treebank, "--C", "100,1000,10000", "--solver", "mira",
                 *FEW]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "C 1000, 10000 gave the same parser. C is worth tuning with the solver bcfw "
        "or one-slack.")


def test_unlabelled_sentences(treebank, capsys):
    options = ["--C", "1", "--features", "kernel", "--kernel", "ngram", "--solver", "ridge",
               "--quiet", "--json"]
    losses = []
    for further in ([], ["--unlabelled", treebank, "--smoothness", "100"]):
        assert main(["tune", treebank, *options, *further]) == 0
        losses.append(json.loads(capsys.readouterr().out)["points"][0]["squared_norm"])
    assert losses[0] != losses[1]
    assert "unlabelled sentences are for parsers with kernels" in fails(
        capsys, "tune", treebank, "--unlabelled", treebank)


def test_the_hard_margin_and_learned_groups(treebank, capsys):
    assert main(["tune", treebank, "--C", "1,inf", "--solver", "n-slack", "--json", *FEW]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [point["parameters"]["C"] for point in found["points"]] == [1, "inf"]
    assert main(["tune", treebank, "--C", "1", "--grid", "groups=learn,all", "--order", "1",
                 "--passes", "2", "--quiet"]) == 0
    assert "groups learn" in capsys.readouterr().out


def test_the_best_parser_is_saved(treebank, tmp_path, capsys):
    model = str(tmp_path / "best.npz")
    assert main(["tune", treebank, "--C", "1", "--folds", "2", "-o", model,
                 "--name", "mine", *FEW]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(model)
    parser = Parser.load(model)
    assert parser.name == "mine"
    assert len(parser.predict_heads(SENTENCES)) == len(SENTENCES)


def test_progress(treebank, capsys):
    assert main(["tune", treebank, "--C", "0.1,1", "--validation", treebank,
                 *FEW[:-1]]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("50%, 1 done, ") and "C 0.1: " in lines[0]
    assert lines[1].startswith("100%, 2 done, C 1: ")


def test_grids():
    assert read_grid("1,2", ["epsilon=0.1", "min-count=0,2"]) == {
        "C": [1, 2], "epsilon": [0.1], "min_count": [0, 2]}


@pytest.mark.parametrize("options, words", [
    (["--C", "one"], "expected numbers"),
    (["--C", ""], "--C: found '', expected numbers"),
    (["--C", "-1"], "C must"),
    (["--grid", "epsilon"], "expected NAME=VALUE"),
    (["--grid", "epsilon=1", "--grid", "epsilon=2"], "set twice"),
    (["--grid", "C=1"], "C is set twice"),
    (["--grid", "size=1"], "unknown parameter"),
    (["--grid", "solver=newton"], "'newton' is not known"),
    (["--grid", "passes=x"], "passes must be a whole number from 1 to 1000000, not 'x'"),
    (["--grid", "passes=1.5"], "passes must be a whole number from 1 to 1000000, not 1.5"),
    (["--grid", "passes=true"], "passes must be a whole number from 1 to 1000000, not True"),
    (["--grid", "epsilon=x"], "epsilon must be a number above 0, 1e+10 at most, not 'x'"),
    (["--grid", "min_count=x"], "min_count must be a whole number from 0 to 1000000000, not 'x'"),
    (["--grid", "min_count=1.5"], "min_count must be a whole number from 0 to 1000000000, not 1.5"),
    (["--grid", "hash_bits=x"], "hash_bits must be a whole number from 8 to 30"),
    (["--grid", "n_jobs=x"], "n_jobs must be a whole number"),
    (["--grid", "single_root=x"], "single_root must be True or False, not 'x'"),
    (["--grid", "decoder=x"], "decoder 'x' is not known; choose from auto, exact"),
    (["--grid", "name=a,b"], "name cannot vary"),
    (["--features", "kernel", "--grid", "buckets=x"], "buckets must be a whole number"),
    (["--features", "kernel", "--grid", "kernel-params=1"],
     "kernel_params must be a dictionary"),
    (["--grid", "hash=tokens,posTags"], "error: --grid hash needs --features kernel"),
    (["--grid", "kernel=bow,ngram n=4"],
     "error: --grid kernel needs --features kernel"),
    (["--features", "kernel", "--grid", "groups=all,head"],
     "error: --grid groups needs --features explicit"),
    (["--features", "kernel", "--grid", "neighbours=3,10"],
     "error: --grid neighbours has no effect without --unlabelled"),
    (["--grid", "epsilon=0.1,0.01"], "--grid epsilon has no effect: mira has no"),
    (["--hash", "tokens"], "error: --hash needs --features kernel"),
    (["--solver", "perceptron", "--C", "1,2"], "error: --C has no effect"),
    (["--solver", "mira", "--grid", "solver=mira,bcfw"],
     "give either --solver or --grid solver, not both"),
    (["--folds", "50"], "folds must be from 2 to"),
    (["--validation", "missing.conllu"], "missing.conllu")])
def test_bad_input(treebank, capsys, options, words):
    assert words in fails(capsys, "tune", treebank, *options)


@pytest.mark.parametrize("options, points", [
    (["--solver", "perceptron"], 1), (["--grid", "solver=perceptron,mira"], 12),
    (["--grid", "features=explicit,kernel", "--hash", "tokens", "--C", "1"], 2)])
def test_what_one_of_the_settings_needs(treebank, capsys, options, points):
    assert main(["tune", treebank, "--passes", "1", "--quiet", "--json", *options]) == 0
    assert len(json.loads(capsys.readouterr().out)["points"]) == points


def test_files_without_heads_are_named(treebank, tmp_path, capsys):
    bare = tmp_path / "bare.conllu"
    bare.write_bytes(file_of([UNPARSED]))
    told = f"{bare}: sentence 1 ('unparsed') has tokens without heads\n"
    assert fails(capsys, "tune", str(bare)).endswith(told)
    assert fails(capsys, "tune", treebank, "--validation", str(bare)).endswith(told)


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_results_are_printed_before_the_parser_is_saved(
        treebank, tmp_path, capsys, monkeypatch, json):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "best.npz")

    monkeypatch.setattr(Parser, "save", full)
    assert main(["tune", treebank, "--C", "1", "-o", str(tmp_path / "best.npz"), *json,
                 *FEW]) == 2
    output = capsys.readouterr()
    assert "best" in output.out.lower() and "validation" in output.out
    assert output.err.endswith("best.npz: No space left on device\n")


def test_stopped_before_there_is_a_result(treebank, tmp_path, capsys, monkeypatch):
    model = tmp_path / "best.npz"
    monkeypatch.setattr(TuningLine, "__enter__", lambda self: setattr(
        self, "stop", True) or self)
    assert main(["tune", treebank, "-o", str(model), *FEW]) == 130
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", "orange-structpred: interrupted\n")
    assert not model.exists()


def test_folds_and_share_exclude_each_other(treebank, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["tune", treebank, "--folds", "3", "--share", "0.5"])
    assert ended.value.code == 2
    assert "not allowed with" in capsys.readouterr().err
