"""orange-structpred find"""
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from orange_structpred.__main__ import main
from orange_structpred.treebank import read_conll
from orange_structpred.treebank.conll import read_conll_bytes
from tests.search.test_matches import BLOCKS

PATTERN = "pattern { V [upos=VERB]; V -> N; N [upos=NOUN] }"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "toy.conllu"
    path.write_text("\n\n".join(BLOCKS) + "\n\n", encoding="utf-8")
    return str(path)


def test_matches_in_their_context(file, capsys):
    assert main(["find", PATTERN, file]) == 0
    output = capsys.readouterr()
    assert output.out.splitlines() == [
        "one\t      [Dogs chase]  big cats", "one\tDogs  [chase big cats]  ",
        "two\t   A  [cat slept]  "]
    assert output.err == "3 matches in 2 sentences\n"


def test_counts(file, capsys):
    assert main(["find", "upos=VERB", file, "--count"]) == 0
    assert capsys.readouterr().out == "2 matches in 2 sentences\n"
    assert main(["find", PATTERN, file, "--cluster", "V.lemma", "--by", "N.Number"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == [
        "chase", "2", "66.7", "2", "(1.3)", "0", "(0.7)"]


def test_json(file, capsys):
    assert main(["find", PATTERN, file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["matches"], found["sentences"]) == (3, 2)
    assert found["found"][0] == {
        "row": 1, "sent_id": "one", "V": {"position": 2, "form": "chase"},
        "N": {"position": 1, "form": "Dogs"}}
    assert main(["find", PATTERN, file, "--json", "--cluster", "V.lemma"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert dict(zip(found["values"], found["counts"])) == {"chase": 2, "sleep": 1}


def test_sentences_are_written(file, capsys, tmp_path):
    out = tmp_path / "found.conllu"
    assert main(["find", "lemma=sleep", file, "-o", str(out)]) == 0
    assert [own.block for own in read_conll(out)] == [BLOCKS[1]]
    page = tmp_path / "found.html"
    assert main(["find", "lemma=sleep", file, "-o", str(page)]) == 0
    assert page.read_text(encoding="utf-8").count('class="marked"') == 1
    assert main(["find", "lemma=nothing", file, "-o", str(out)]) == 0
    assert out.read_bytes() == b""


def test_standard_input_and_predictions(monkeypatch, capsys):
    text = "# prediction P = 2 0\n" + "\n".join(BLOCKS[1].split("\n")[1:3]).replace(
        "\t3\tnsubj", "\t0\tnsubj") + "\n\n"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert main(["find", "H -> D", "-", "--prediction", "P", "--count"]) == 0
    assert capsys.readouterr().out == "1 match in 1 sentence\n"


@pytest.mark.parametrize("arguments, reason", [
    (["pattern { V [upos= }"], "pattern, column 20: found '}', expected a value"),
    (["upos=VERB", "--cluster", "X.lemma"], "X.lemma: there is no node 'X'; found: W"),
    (["upos=VERB", "--by", "W.lemma"], "--by needs --cluster"),
    (["upos=VERB", "--prediction", "P"], "the treebank has no prediction 'P'")])
def test_what_is_refused(file, capsys, arguments, reason):
    assert main(["find", arguments[0], file, *arguments[1:]]) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("arguments, reason", [
    (["find", "upos=VERB", "--context", "-1"], "--context: found '-1', expected a whole "
     "number from 0 to"),
    (["find", "upos=VERB", "--context", "x"], "--context: found 'x', expected a whole "),
    (["page", "-o", "x.html", "--limit", "0"], "--limit: found '0', expected a whole "
     "number from 1 to")])
def test_numbers_that_are_refused(file, capsys, arguments, reason):
    with pytest.raises(SystemExit) as caught:
        main([*arguments, file])
    assert caught.value.code == 2 and reason in capsys.readouterr().err


def test_a_key_that_no_word_has(file, capsys):
    assert main(["find", "Tens=Past", file]) == 0
    assert "note: no word has Tens; did you mean Tense?" in capsys.readouterr().err


def test_page(file, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["page", file, "-o", str(page), "--title", "<Toy>", "--limit", "2"]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2 and "<title>&lt;Toy&gt;</title>" in text
    assert main(["page", file, "-o", str(page), "--prediction", "P"]) == 2
    assert "no prediction 'P'" in capsys.readouterr().err


@pytest.mark.parametrize("command", [
    ["find", PATTERN, "-o", "-"], ["find", PATTERN, "-o", "-", "--count"],
    ["edit", "upos=VERB", "W.xpos = X", "-o", "-"]])
def test_standard_output_is_a_treebank(file, capfdbinary, command):
    """What is printed else goes to standard error."""
    name, *arguments = command
    assert main([name, *arguments, file]) == 0
    output = capfdbinary.readouterr()
    sentences = read_conll_bytes(output.out, "standard output")
    assert len(sentences) == (2 if name == "find" else 3) and b"in 2 sentences" in output.err
    assert name == "find" or b"xpos: VBP -> X" in output.err


@pytest.mark.parametrize("arguments", [["--json"], ["--cluster", "V.lemma"]])
def test_one_thing_on_standard_output(file, capsys, arguments):
    assert main(["find", PATTERN, file, "-o", "-", *arguments]) == 2
    assert f"sentences and {arguments[0]} cannot both" in capsys.readouterr().err


@pytest.mark.parametrize("command", [
    ["page", "FILE"], ["export", "FILE"], ["train", "FILE"],
    ["parse", "FILE", "FILE", "p.npz"], ["edit", "upos=X", "W.upos = Y", "FILE", "p.html"],
    ["find", "upos=X", "FILE", "w.ows"], ["parse", "FILE", "FILE", "p.tab"],
    ["annotate", "FILE", "FILE", "p.csv.gz"], ["edit", "upos=X", "W.upos = Y", "FILE", "p.XLSX"],
    ["train", "FILE", "p.pkl"]])
def test_names_of_other_kinds_of_files(file, capsys, command):
    """A name that was completed or mistyped must not cost a treebank or a model."""
    before = Path(file).read_bytes()
    name, *arguments = command
    *arguments, output = arguments if len(arguments) > 1 else [*arguments, "FILE"]
    arguments, output = (
        [own.replace("FILE", file) for own in arguments], output.replace("FILE", file))
    with pytest.raises(SystemExit):
        main([name, *arguments, "-o", output])
    assert f"found {output!r}, the name of a " in capsys.readouterr().err
    assert Path(file).read_bytes() == before


def test_a_page_is_counted(file, tmp_path, capsys):
    page = str(tmp_path / "x.html")
    assert main(["page", file, "-o", page]) == 0
    assert capsys.readouterr().out == f"3 sentences; {page}\n"
    assert main(["page", file, "-o", "-", "--limit", "1"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("<!DOCTYPE html>") and output.out.count("<svg") == 1
    assert output.err == ("warning: only the first 1 of 3 sentences are on the page; "
                          "use --limit to show more\n")
