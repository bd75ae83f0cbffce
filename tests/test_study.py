"""The study of chapter 6, on a few sentences: what it writes, and what is made of it."""
import json
from runpy import run_path

import pytest

from benchmarks.thesis import (
    PARTS,
    Halves,
    Study,
    made_by,
    running_times,
    split_documents,
)
from orange_structpred.treebank import Sentence, load_bundled
from tests.data import ROOT


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "toy.conllu"
    load_bundled("en")[:60].save(path)
    return path


@pytest.fixture(scope="module")
def study(file):
    study = Study(file.with_name("study.jsonl"), {"English": [file]}, 1., None)
    for name in ("explicit", "construction"):
        study.run(name)
    return study


def test_each_setting_is_a_line(study):
    part = PARTS["construction"]
    lines = [line for line in study.lines if line["part"] == "construction"]
    assert len(lines) == len(part.settings) * len(part.epsilons)
    exact, approximate = lines[:2]
    assert [point["C"] for point in exact["points"]] == list(part.settings[0].Cs)
    assert {point["valid_trees"] for point in exact["points"]} == {100}
    assert min(point["valid_trees"] for point in approximate["points"]) < 100
    assert all(0 <= point["train"] <= point["test"] + 50 <= 150
               for line in lines for point in line["points"])


def test_what_is_done_is_not_done_again(study, file):
    written = study.path.read_text()
    again = Study(study.path, {"English": [file]}, 1., None)
    again.measured = None           # nothing may be computed
    again.run("construction")
    assert study.path.read_text() == written
    assert again.lines == study.lines


def test_running_times(study):
    few = Study(study.path.with_name("times.jsonl"), study.files, 0.1, None)
    few.halves = {"English": Halves(study.files["English"], 1.)}
    running_times(few)
    products = [line["setting"]["product"] for line in few.lines]
    assert set(products) == {"naive", "hash-table", "index"}


def test_tables_and_figures_have_their_parts():
    assert list(made_by(["table 6.2"])) == ["hashes"]
    assert list(made_by(["figure 6.3"])) == ["hashes", "tags"]
    assert list(made_by(["figure 6.6", "why"])) == ["time", "overlap"]


def test_documents_are_not_torn_apart():
    plain = load_bundled("en").sentences[:5]
    marked = [Sentence(f"# newdoc id = {k}\n{own.block}") if k in (0, 3) else own
              for k, own in enumerate(plain)]
    assert [len(own) for own in split_documents(marked)] == [3, 2]
    assert [len(own) for own in split_documents(plain)] == [1] * 5


def test_page(study):
    make = run_path(str(ROOT / "doc" / "make_study.py"))
    results = make["Results"](json.loads(line)
                              for line in study.path.read_text().splitlines())
    page = make["filled"]("<!-- table 6.5 -->\nold\n<!-- end -->", results)
    assert "old" not in page and "| 0.001 | 93.99 | " in page
    point = results.points("construction", "English", decoder="approximate")[10]
    assert f"{point['valid_trees']:.2f}" in page
    for draw in make["FIGURES"].values():
        shapes = draw(results)
        assert shapes is None or shapes.startswith("<svg")
    assert make["exact_against_approximate"](results)
