"""Workflows written as scripts, and what the command line says of them."""
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from Orange.data import Table

from orange_structpred import ParserLearner, Treebank, load_bundled
from orange_structpred.__main__ import main
from orange_structpred.evaluation import score_table
from orange_structpred.export import read_workflow
from orange_structpred.export.script import write_script
from orange_structpred.tables.sampling import sample
from tests.data import ROOT
from tests.export.toy import (
    APPLY,
    CONCATENATE,
    LOAD,
    MOSAIC,
    SAMPLER,
    SAVE,
    SAVE_MODEL,
    SCORE,
    TABLE,
    TRAIN,
    TUNE,
    VIEWER,
    ows,
    workflow,
)
from tests.without_qt import run_without_qt

GOLDEN = Path(__file__).parent / "golden"
NEW = {"__version__": 2}
LOADED = (LOAD, "Treebank", {"source": "bundled", "language": "en"})


def text_of(nodes, links=(), **options):
    return write_script(workflow(nodes, links, **options)).text


def code_of(nodes, links=(), **options):
    """What the script does, without comments and arguments."""
    text = text_of(nodes, links, **options)
    main = text.partition("def main(argv=None):\n")[2].partition("\n\n\n")[0]
    lines = textwrap.dedent(main).splitlines()
    assert lines[0].endswith("parse_arguments(argv)")
    return [line for line in lines[1:] if line and not line.startswith("#")]


def arguments_of(nodes, links=(), **options):
    """How the script adds its arguments, one line each."""
    text = text_of(nodes, links, **options)
    calls = [" ".join(own.split()) for own in text.split("parser.add_argument(")[1:]]
    return [own.partition(" parser.")[0].partition(", help=")[0].strip() for own in calls]


def test_golden():
    """The first example as a reader sees it; look at a change before you accept it."""
    script = write_script(read_workflow(ROOT / "workflows" / "110-first-parser.ows"))
    assert script.text == (GOLDEN / "first-parser.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((ROOT / "workflows").glob("*.ows")),
                         ids=lambda path: path.stem)
def test_examples_please_the_linter(path, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(write_script(read_workflow(path)).text, encoding="utf-8")
    done = subprocess.run(
        # a parser that only helps a person to edit is used no further
        [sys.executable, "-m", "ruff", "check", "--isolated", "--ignore", "F841", script],
        check=False,
        capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    # a text of the user's is not cut
    assert all(len(line) <= 88 or line.lstrip().startswith('"')
               for line in script.read_text(encoding="utf-8").splitlines())


# Variables and values

def test_names_that_are_taken():
    nodes = [(LOAD, title, {}) for title in (
        "print", "load_bundled", "class", "Größe", "2nd", "--", "Same", "Same")]
    assert [line.partition(" = ")[0] for line in code_of(nodes) if " = " in line] == [
        "print_2", "load_bundled_2", "class_2", "größe", "value_2nd", "value", "same",
        "same_2"]


def test_a_name_that_is_imported_further_below():
    code = code_of([(LOAD, "sample", {}), (SAMPLER, "S", NEW), (TABLE, "T", {})],
                   [(0, "Treebank", 1, "Data"), (1, "Data Sample", 2, "Data")])
    assert code[2:] == ["s_sample, _ = sample(sample_2, 0.7, random_state=42 + args.seed)",
                        "print(s_sample)"]


def test_a_widget_that_is_left_out_takes_no_name():
    empty = (LOAD, "Treebank", {"source": "file"})
    assert code_of([empty, LOADED, (SCORE, "Score", {})],
                   [(1, "Treebank", 2, "Treebank")])[0].startswith("treebank = ")


def test_nothing_hangs_on_a_widget_that_is_missing():
    """It is found to be so when an output has been written already."""
    find = ("orange_structpred.widgets.owfindtrees.OWFindTrees", "Find", {
        "pattern": "V -> N", "key": "V.upos", "selection": [-1]})
    script = write_script(workflow([LOADED, find, (TABLE, "Table", {})], [
        (0, "Treebank", 1, "Treebank"), (1, "Clusters", 2, "Data")]))
    assert script.missing == ["Find: its selection has numbers below 0",
                              "Table: it needs what 'Find' sends to its input 'Data'"]


def test_titles_cannot_add_code(tmp_path):
    nodes = [(LOAD, "a\nopen('x', 'w')", {"language": "en"}),
             (MOSAIC, "b\nopen('x', 'w')", {})]
    text = text_of(nodes, title='x"""\nopen("x", "w")\n"""\\')
    path = tmp_path / "script.py"
    path.write_text(text, encoding="utf-8")
    done, _ = run_without_qt(path)
    assert done.returncode == 0, done.stderr
    assert "open" not in "\n".join(code_of(nodes)).replace("a_open_x_w", "")


def test_settings_cannot_add_code():
    script = write_script(workflow([(LOAD, "Load", {"language": "en'+open('x')+'"})]))
    assert """else load_bundled("en'+open('x')+'")""" in script.text


def test_settings_of_a_wrong_type():
    script = write_script(workflow(
        [LOADED, (SAMPLER, "S", {"sampleSizePercentage": "many", **NEW}),
         (TABLE, "T", {})],
        [(0, "Treebank", 1, "Data"), (1, "Data Sample", 2, "Data")]))
    assert [line.partition(":")[0] for line in script.missing] == ["S", "T"]
    assert script.missing[0] == (
        'S: its setting sampleSizePercentage is "many", expected float')


def test_a_parser_with_a_net():
    nodes = [LOADED, (TRAIN, "Train", {"neural": True})]
    assert code_of(nodes, [(0, "Treebank", 1, "Treebank")])[-1] == (
        "train = ParserLearner(C=args.C, neural=True, random_state=args.seed)(treebank)")


def test_only_parameters_that_differ():
    nodes = [LOADED, (TRAIN, "Train", {
        "C": 10.0, "passes": 10, "features": "explicit", "kernel": "bow",
        "learner_name": "mine", "auto_train": "always"})]
    links = [(0, "Treebank", 1, "Treebank")]
    assert code_of(nodes, links)[-1] == (
        'train = ParserLearner(C=args.C, random_state=args.seed, name="mine")(treebank)')
    assert arguments_of(nodes, links) == [
        '"--treebank", metavar="FILE"', '"--C", type=float, default=10.0',
        '"--seed", type=int, default=0']


# Links

TWO = [LOADED, (TRAIN, "One", {"passes": 1}), (TRAIN, "Two", {"passes": 2}),
       (APPLY, "Parse", {"column_name": "first"}), (APPLY, "Parse too", {}),
       (SCORE, "Score", {})]
TWO_LINKS = [(0, "Treebank", 1, "Treebank"), (0, "Treebank", 2, "Treebank"),
             (1, "Parser", 3, "Parser"), (2, "Parser", 4, "Parser"),
             (0, "Treebank", 3, "Treebank"), (0, "Treebank", 4, "Treebank"),
             (3, "Treebank", 5, "Treebank"), (4, "Treebank", 5, "Treebank")]


def test_several_parsers_into_one_score():
    assert code_of(TWO, TWO_LINKS)[2:] == [
        "one = ParserLearner(C=args.one_C, passes=1, random_state=args.seed)(treebank)",
        "two = ParserLearner(C=args.two_C, passes=2, random_state=args.seed)(treebank)",
        'parse = one(treebank, name="first", client=args.scheduler)',
        "parse_too = two(treebank, client=args.scheduler)",
        "print(score_table(parse, parse_too))"]


def test_missing_heads_are_filled_in():
    nodes = [LOADED, (TRAIN, "Train", {}), (APPLY, "Parse", {"fill_heads": True}),
             (TABLE, "Tokens", {})]
    links = [(0, "Treebank", 1, "Treebank"), (1, "Parser", 2, "Parser"),
             (0, "Treebank", 2, "Treebank")]
    assert code_of(nodes, links)[-1] == (
        "parse = train(treebank, client=args.scheduler).fill_heads()")
    assert code_of(nodes, [*links, (2, "Tokens", 3, "Data")])[3:-1] == [
        "parse = train(treebank, client=args.scheduler)",
        "parse_tokens = prediction_table(parse, list(parse.predictions)[-1])",
        "parse = parse.fill_heads()"]


def test_probabilities_are_asked_for():
    nodes = [LOADED, (TRAIN, "Train", {}),
             (APPLY, "Parse", {"probabilities": True, "column_name": "mine"})]
    links = [(0, "Treebank", 1, "Treebank"), (1, "Parser", 2, "Parser"),
             (0, "Treebank", 2, "Treebank")]
    assert code_of(nodes, links)[-1] == (
        'parse = train(treebank, name="mine", probabilities=True, '
        'client=args.scheduler)')


def test_disabled_links_carry_nothing():
    links = [(*link, "off") if link[:2] == (4, "Treebank") else link
             for link in TWO_LINKS]
    assert code_of(TWO, links)[-1] == "print(score_table(parse))"


def test_widgets_that_are_not_connected():
    script = write_script(workflow([
        LOADED, (TRAIN, "Train", {}), (APPLY, "Apply", {}), (SCORE, "Score", {}),
        (LOAD, "No file", {"source": "file", "path": ""}), (VIEWER, "Trees", {})],
        [(1, "Parser", 2, "Parser"), (2, "Treebank", 3, "Treebank")]))
    assert script.missing == []
    assert "# Train does nothing: nothing is connected to its input 'Treebank'." in script.text
    assert "# Score does nothing: " in script.text
    assert "# No file does nothing: no file is chosen." in script.text
    assert "ParserLearner" not in script.text


def test_what_cannot_be_written_and_what_hangs_on_it():
    script = write_script(workflow(
        [LOADED, (MOSAIC, "Pivot", {}), (TABLE, "Counts", {}), (TABLE, "All", {})],
        [(0, "Treebank", 1, "Data"), (1, "Pivot Table", 2, "Data"),
         (0, "Treebank", 3, "Data")]))
    assert script.missing == [
        "Pivot: it has no counterpart in a script",
        "Counts: it needs what 'Pivot' sends to its input 'Data'"]
    assert "# MISSING: Pivot: it has no counterpart in a script." in script.text
    assert "# All\n    print(treebank)\n" in script.text


def test_outputs_that_are_used():
    code = code_of(
        [LOADED, (TRAIN, "Train", {}), (TABLE, "Log", {}), (APPLY, "Apply", {}),
         (TABLE, "Tokens", {}), (SCORE, "Score", {"selected_parsers": ["x"]}),
         (TABLE, "Errors", {}), (VIEWER, "Trees", {"selection": [3, 5]}),
         (TABLE, "Chosen", {})],
        [(0, "Treebank", 1, "Treebank"), (1, "Training Log", 2, "Data"),
         (1, "Parser", 3, "Parser"), (0, "Treebank", 3, "Treebank"),
         (3, "Tokens", 4, "Data"), (3, "Treebank", 5, "Treebank"),
         (5, "Errors", 6, "Data"), (3, "Treebank", 7, "Treebank"),
         (7, "Selected Sentences", 8, "Data")])
    assert "train_log = training_log(train.log, name=train.name)" in code
    assert ("apply_tokens = prediction_table(apply, list(apply.predictions)[-1])"
            in code)
    assert "score = score_treebanks(apply)" in code
    assert 'score_errors = score.errors(selected=["x"])' in code
    assert "trees_selection = apply[[3, 5]]" in code


def score_code(settings, output):
    return code_of([LOADED, (SCORE, "Score", settings), (TABLE, "Table", {})],
                   [(0, "Treebank", 1, "Treebank"), (1, output, 2, "Data")])[2:-1]


def test_outputs_of_a_score():
    bars = {"selected_bars": [["x", "nmod"]], "by": "relation", "punct": False}
    assert score_code(bars, "Errors")[2:] == [
        ('score_errors = score.errors(selected=[("x", "nmod")], by="relation", '
        "punct=False)")]
    assert score_code({"selected_parsers": ["x"], "only_errors": True}, "Treebank") == [
        "score = score_treebanks(treebank)", "print(score.text())",
        'score_sentences = score.sentences(selected=["x"], only_errors=True)']
    assert score_code({}, "Scores")[-1] == "score_table = score.table()"


@pytest.mark.parametrize("output", ["Errors", "Treebank"])
def test_a_score_in_which_nothing_is_selected(output):
    script = write_script(workflow(
        [LOADED, (SCORE, "Score", {}), (TABLE, "Table", {})],
        [(0, "Treebank", 1, "Treebank"), (1, output, 2, "Data")]))
    assert script.missing == [("Table: it needs what 'Score' sends to its input 'Data': "
                              "nothing is selected in it")]


def test_a_viewer_in_which_nothing_is_selected():
    script = write_script(workflow(
        [LOADED, (VIEWER, "Trees", {}), (TABLE, "Table", {})],
        [(0, "Treebank", 1, "Treebank"), (1, "Selected Sentences", 2, "Data")]))
    assert script.missing == [("Table: it needs what 'Trees' sends to its input 'Data': "
                              "no sentence is selected in it")]


# Arguments

def test_a_perceptron_has_no_C():
    nodes = [LOADED, (TRAIN, "Train", {"solver": "perceptron", "random_state": 7})]
    links = [(0, "Treebank", 1, "Treebank")]
    assert arguments_of(nodes, links) == ['"--treebank", metavar="FILE"',
                                          '"--seed", type=int, default=0']
    assert 'solver="perceptron", random_state=7 + args.seed)' in code_of(nodes, links)[-1]


def test_a_C_for_each_widget():
    assert arguments_of(TWO, TWO_LINKS)[1:] == [
        '"--one-C", type=float, default=1.0', '"--seed", type=int, default=0',
        '"--two-C", type=float, default=1.0', '"--scheduler", metavar="ADDRESS"']
    same = [own if own[1] != "Two" else (own[0], "One", own[2]) for own in TWO]
    assert '"--one-2-C", type=float, default=1.0' in arguments_of(same, TWO_LINKS)


def test_arguments_have_an_effect(tmp_path):
    Treebank.from_sentences(load_bundled("en").sentences[:60]).save(
        tmp_path / "small.conllu")
    nodes = [LOADED, (SAMPLER, "Split", NEW),
             (TRAIN, "Parser", {"passes": 1, "order": 1, "solver": "bcfw"}),
             (APPLY, "Parsed", {}), (SCORE, "Score", {})]
    links = [(0, "Treebank", 1, "Data"), (1, "Data Sample", 2, "Treebank"),
             (2, "Parser", 3, "Parser"), (1, "Remaining Data", 3, "Treebank"),
             (3, "Treebank", 4, "Treebank")]
    path = tmp_path / "script.py"
    path.write_text(text_of(nodes, links), encoding="utf-8")
    done, _ = run_without_qt(path, "--treebank", str(tmp_path / "small.conllu"),
                             "--C", "0.1", "--seed", "3")
    assert done.returncode == 0, done.stderr
    training, rest = sample(Treebank.from_file(tmp_path / "small.conllu"), 0.7,
                            random_state=45)
    parser = ParserLearner(C=0.1, passes=1, order=1, solver="bcfw", random_state=3)
    assert done.stdout == score_table(parser(training)(rest)) + "\n"
    assert "explicit bcfw C=0.1" in done.stdout


# Paths

def test_paths_beside_the_workflow(tmp_path):
    (tmp_path / "data").mkdir()
    node = LOAD, "T", {"source": "file", "path": "/elsewhere/a.conllu",
                       "relative_path": "data/a.conllu"}
    script = write_script(workflow([node], folder=tmp_path))
    assert '"--t", metavar="FILE", default=HERE / "data/a.conllu"' in script.text
    assert "t = Treebank.from_file(args.t)" in script.text
    assert "HERE = Path(__file__).resolve().parent" in script.text
    script = write_script(workflow([node], folder=tmp_path),
                          folder=tmp_path / "scripts")
    assert 'default=HERE / "../data/a.conllu"' in script.text


def test_paths_elsewhere(tmp_path):
    path = (tmp_path / "a.conllu").as_posix()
    folder = tmp_path / "workflows"
    for settings in ({"source": "file", "path": path},
                     {"source": "file", "path": path, "relative_path": "a.conllu"}):
        Path(path).touch()
        assert arguments_of([(LOAD, "T", settings)], folder=folder) == [
            f'"--t", metavar="FILE", default="{path}"']


def test_other_sources():
    assert code_of([(LOAD, "T", {"source": "url", "url": "https://x.org/a.conllu",
                                 "skip_bad": True})]) == [
        "t = (Treebank.from_file(args.t) if args.t",
        '     else Treebank.from_url("https://x.org/a.conllu", on_error="skip"))']


# Scripts that run

def test_a_script_that_reads_and_saves(tmp_path):
    Treebank.from_sentences(load_bundled("en").sentences[:60]).save(
        tmp_path / "small.conllu")
    nodes = [
        (LOAD, "Treebank", {"source": "file", "relative_path": "small.conllu"}),
        (SAMPLER, "Split", {"sampling_type": 1, "sampleSizeNumber": 40, **NEW}),
        (TRAIN, "Parser", {"passes": 1, "learner_name": "quick"}),
        (APPLY, "Parsed", {}), (SCORE, "Score", {"punct": False}),
        (SAVE, "Save Data", {"stored_path": ".", "stored_name": "parsed.tab"}),
        (SAVE_MODEL, "Save Model", {"stored_path": ".", "stored_name": "q.pkcls"}),
        (CONCATENATE, "Both", {}), (TABLE, "Rows", {})]
    links = [(0, "Treebank", 1, "Data"), (1, "Data Sample", 2, "Treebank"),
             (2, "Parser", 3, "Parser"), (1, "Remaining Data", 3, "Treebank"),
             (3, "Treebank", 4, "Treebank"), (3, "Treebank", 5, "Data"),
             (2, "Parser", 6, "Model"), (1, "Data Sample", 7, "Additional Data"),
             (3, "Treebank", 7, "Additional Data"), (7, "Data", 8, "Data")]
    (tmp_path / "some.ows").write_bytes(ows(nodes, links))
    assert main(["export", str(tmp_path / "some.ows"),
                 "-o", str(tmp_path / "script.py")]) == 0
    done, found = run_without_qt(tmp_path / "script.py")
    assert done.returncode == 0, done.stderr

    training, rest = sample(Treebank.from_file(tmp_path / "small.conllu"), size=40,
                            random_state=42)
    parsed = ParserLearner(passes=1, name="quick")(training)(rest)
    assert score_table(parsed, punct=False) in done.stdout
    assert found["rows"]["both"] == 60
    again = Treebank.from_table(Table(str(tmp_path / "parsed.tab")))
    assert [heads.tolist() for heads in again.predictions["quick"].heads] == [
        heads.tolist() for heads in parsed.predictions["quick"].heads]
    assert (tmp_path / "q.pkcls").stat().st_size > 1000


# The command line

def test_export_to_standard_output(capsys, tmp_path, monkeypatch):
    path = ROOT / "workflows" / "110-first-parser.ows"
    monkeypatch.chdir(tmp_path)
    for output in ([], ["-o", "-"]):
        assert main(["export", str(path), *output]) == 0
        assert capsys.readouterr() == (write_script(read_workflow(path)).text, "")
    assert not list(tmp_path.iterdir())


def test_export_with_something_missing(tmp_path, capsys):
    path, script = tmp_path / "some.ows", tmp_path / "script.py"
    path.write_bytes(ows([LOADED, (MOSAIC, "Counts", {})],
                         [(0, "Treebank", 1, "Data")]))
    assert main(["export", str(path), "-o", str(script)]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "missing: Counts: it has no counterpart in a script\n")
    assert "# MISSING: Counts" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("data, words", [
    (b"<scheme", "found invalid XML"), (ows([LOADED], version="1.0"), "version '1.0'")])
def test_export_of_a_damaged_file(tmp_path, capsys, data, words):
    path = tmp_path / "some.ows"
    path.write_bytes(data)
    assert main(["export", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert f"{path}: found" in err
    assert words in err


def test_export_of_no_file(tmp_path, capsys):
    assert main(["export", str(tmp_path / "none.ows")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_unlabelled_sentences_and_the_hard_margin():
    settings = {"features": "kernel", "kernel": "ngram", "solver": "ridge", "smoothness": 3.}
    links = [(0, "Treebank", 1, "Treebank"), (0, "Treebank", 1, "Unlabelled Sentences")]
    code = "\n".join(code_of([LOADED, (TRAIN, "Train", settings)], links))
    assert "smoothness=3.0" in code and "(treebank, unlabelled=treebank)" in code
    code = "\n".join(code_of([LOADED, (TUNE, "Tune", settings)], links))
    assert "unlabelled=treebank" in code
    text = text_of(
        [LOADED, (TRAIN, "Train", {"solver": "n-slack", "hard_margin": True, "C": 3.})],
        links[:1])
    assert "C=args.C" in text and 'default=float("inf")' in text


def test_a_validation_treebank():
    def code(settings):
        return code_of([LOADED, (TRAIN, "Train", {"passes": 2, **settings})],
                       [(0, "Treebank", 1, "Treebank"),
                        (0, "Treebank", 1, "Validation Treebank")])[-1]

    assert code({}).endswith(
        "passes=2, random_state=args.seed)(treebank, validation=treebank)")
    assert code({"keep_best": False}).endswith(
        '(treebank, validation=treebank, keep="last")')
