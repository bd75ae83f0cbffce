"""The examples in the documentation run as they stand there."""
import inspect
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path
from runpy import run_path

import pytest

from benchmarks.study.figures import FIGURES
from benchmarks.study.results import Results
from benchmarks.study.tables import TABLES, filled
from orange_structpred import (
    ParserLearner,
    Treebank,
    evaluate,
    load_bundled,
    paired_test,
)
from orange_structpred.evaluation import confusions
from orange_structpred.export import read_workflow
from orange_structpred.kernels.make import KERNELS
from orange_structpred.learner.settings import learner_parameters
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.kernel.hash_functions import HASHES, SUMS
from orange_structpred.parsing.second_order.part_templates import GROUPS
from orange_structpred.svm import PARSER_SOLVERS
from orange_structpred.tables.sampling import sample
from tests.data import ROOT

DOC = ROOT / "doc"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOC.rglob("*.md"))]


def test_library(tmp_path, monkeypatch, capsys):
    """All examples of the page, in their order, as one program."""
    monkeypatch.chdir(tmp_path)
    text = (DOC / "library.md").read_text(encoding="utf-8")
    blocks = re.findall("```python\n(.*?)```", text, re.DOTALL)
    script = tmp_path / "library.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    names = run_path(str(script), {"workflow": ROOT / "workflows" / "110-first-parser.ows"})
    printed = capsys.readouterr().out
    assert printed.startswith("400 sentences\n")
    assert "pass 1: primal" in printed
    assert names["mine"].uas > 0.85
    assert names["tuning"].best.validation_loss < 0.25
    assert names["solution"].converged
    assert len(names["curve"].points) == 6
    assert names["step"].after > names["step"].before
    assert "C=args.C" in names["script"].text
    assert not names["script"].missing


def test_tagging(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOC / "tagging.md").read_text(encoding="utf-8")
    script = tmp_path / "tagging.py"
    script.write_text("\n".join(re.findall("```python\n(.*?)```", text, re.DOTALL)),
                      encoding="utf-8")
    names = run_path(str(script))
    printed = capsys.readouterr().out
    assert "\tbuilt\tbuild\tVERB\t" in printed
    assert "['The', 'old', 'man', 'sees', 'a', 'dog', '.']" in printed
    assert "('dogs', 'NOUN', 'dog')" in printed
    assert names["scores"]["upos"].f1 > 0.9 and names["scores"]["las"].f1 > 0.6


@pytest.mark.parametrize("page", sorted(DOC.glob("problems/*.md")), ids=lambda page: page.stem)
def test_pages_of_other_outputs(page, tmp_path, monkeypatch, capsys):
    """Each page is a program, and what it prints is there."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall("```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run_path(str(script))
    assert len(capsys.readouterr().out.splitlines()) >= sum(
        re.match(" *print", line) is not None for line in "".join(blocks).splitlines())


def test_probabilities(capsys):
    """The examples run; picture and table are those of the measured figures."""
    page = (DOC / "probabilities.md").read_text(encoding="utf-8")
    for code in re.findall("```python\n(.*?)```", page, re.DOTALL):
        exec(code, {})
    assert re.search(r"calibration error 0\.\d{3}", capsys.readouterr().out)
    make = run_path(str(DOC / "make_reliability.py"))
    runs = make["read_runs"]()
    assert make["draw"](runs) == make["PICTURE"].read_text(encoding="utf-8")
    assert make["with_table"](page, runs) == page
    assert [run["title"] for run in runs][0] == "EWT, second order"


def test_annotation_with_a_parser():
    """Picture and table are those of the measured figures."""
    make = run_path(str(DOC / "make_annotation.py"))
    lines, page = make["read_lines"](), make["PAGE"].read_text(encoding="utf-8")
    assert make["draw"](lines) == make["PICTURE"].read_text(encoding="utf-8")
    assert make["with_table"](page, lines) == page
    named = {own["name"]: own["value"] for own in lines if "name" in own}
    assert named["words_partial"] < named["words_doubt"] < named["words_random"]
    first, *others = make["corrections"](lines)["random"]
    assert first[1] == pytest.approx(14.96)     # without a parser, the length
    assert all(after < first[1] for _, after in others)


def test_how_far_a_cluster_scales():
    """The tables are those of the measured figures."""
    page = (DOC / "cluster.md").read_text(encoding="utf-8")
    make = run_path(str(DOC / "make_scale.py"))
    figures = make["read_figures"]()
    assert make["filled"](page, figures) == page
    perfect = {"seconds": {"1": 100., "2": 50.}, "sentences": 10**5, "tasks": 50}
    assert make["scaled_seconds"](perfect, 10**6, 100, True) == (0., 10.)
    assert make["scaled_seconds"](perfect, 10**6, 100, False) == (0., 20.)
    none = {"seconds": {"1": 100., "2": 100.}, "sentences": 10**5, "tasks": 50}
    assert make["scaled_seconds"](none, 10**5, 10, True) == (100., 0.)


def test_figures_of_the_study():
    """The tables are those of the measured figures, and each figure is there."""
    page = (DOC / "study.md").read_text(encoding="utf-8")
    lines, practice = (
        [json.loads(line) for line in (DOC / name).read_text("utf-8").splitlines()]
        for name in ("study.jsonl", "kernel-study.jsonl"))
    assert filled(page, Results(lines, practice)) == page
    for name in TABLES:
        assert f"<!-- {name} -->" in page
    for name, draw in FIGURES.items():
        drawn = draw(Results(lines))
        if drawn is not None:
            assert f"images/{name}" in page
            # the speed of other parsers is from the README
            assert (name == "study-speed.svg"
                    or (DOC / "images" / name).read_text("utf-8") == drawn)
    cells = {cell.strip() for line in page.splitlines() if line.startswith("|")
             for cell in line.split("|")}
    for line in practice:
        assert f"{line['uas']:.2f}" in cells


def test_all_that_can_be_chosen():
    page = (DOC / "parameters.md").read_text(encoding="utf-8")
    rows = {cells[0].strip("`"): cells[1:] for line in page.splitlines()
            if line.startswith("| `")
            for cells in [[cell.strip() for cell in line.strip("|").split("|")]]}
    plain = [name for name in HASHES if not name.endswith("::dir")]
    kernels = list(KERNELS)
    assert set(rows) == {"auto", *GROUPS, *plain, *SUMS, *kernels, *PARSER_SOLVERS,
                         *DECODERS}
    for group, templates in GROUPS.items():
        assert rows[group][-1].strip("`") in templates
    for name in kernels:
        told = set(re.findall("`(.*?)`", rows[name][-1]))
        assert told == set(inspect.signature(KERNELS[name]).parameters)


def test_the_tables_of_parameters_are_up_to_date():
    make = run_path(str(DOC / "make_parameters.py"))
    page = (DOC / "parameters.md").read_text(encoding="utf-8")
    assert make["filled"](page) == page


def test_all_widgets_are_in_the_catalogue():
    listed = re.findall(r"^widgets/(.+)$",
                        (DOC / "catalogue.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in DOC.glob("widgets/*.md"))


def test_the_reference_has_all_public_packages():
    pages = "\n".join(path.read_text(encoding="utf-8")
                      for path in DOC.glob("reference/*.md"))
    for path in (ROOT / "orange_structpred").glob("*/__init__.py"):
        if "__all__" in path.read_text(encoding="utf-8"):
            assert f".. automodule:: orange_structpred.{path.parent.name}\n" in pages


@pytest.mark.slow
def test_the_site_is_built_without_warnings(tmp_path):
    pytest.importorskip("myst_parser")
    pytest.importorskip("pydata_sphinx_theme")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-d", str(tmp_path / "doctrees"),
         str(DOC), str(tmp_path / "html")],
        check=False, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "reference" / "treebank.html").exists()


def percent(share, digits=2):
    return f"{100 * share:.{digits}f}"


@pytest.fixture(scope="module")
def halves():
    return sample(load_bundled("en"), 0.8, random_state=42)


@pytest.fixture(scope="module")
def tutorial():
    text = (DOC / "tutorial.md").read_text(encoding="utf-8")
    return " ".join(text.replace("*", "").split())


class Reader:
    """Reads the tutorial from its beginning; each figure comes after the last one."""

    def __init__(self, text):
        self.text, self.place = text, 0

    def finds(self, figure):
        found = self.text.find(figure, self.place)
        assert found >= 0, f"not found after {self.text[:self.place][-60:]!r}: {figure}"
        self.place = found + len(figure)


def example(name):
    """The settings of Train Parser in an example, by the title of the widget."""
    nodes = read_workflow(ROOT / "workflows" / f"{name}.ows").nodes
    return {node.title: learner_parameters(node.settings) for node in nodes
            if node.widget.endswith("OWTrainParser")}


def test_figures_of_the_tutorial(halves, tutorial):
    """In the order in which a reader meets them, with the parsers of the examples."""
    training, test = halves
    reader = Reader(tutorial)
    tokens = sum(map(len, load_bundled("en").sentences))
    reader.finds(f"400 sentences with {tokens:,} tokens")

    # 2. A first parser
    settings = example("110-first-parser")["Train Parser"]

    def learn(**changes):
        # not calibrated: that changes no tree and takes as long again
        parser = ParserLearner(**{**settings, **changes, "calibrate": False})(training)
        return parser, evaluate(parser(test))

    parser, score = learn()
    low, high = score.confidence_interval("uas")
    first, last = (percent(parser.log[k].loss, 1) for k in (0, -1))
    for figure in (f"training loss is {first}% after the first pass and {last}% after the last",
                   f"{percent(score.uas)}% of the words get the right head",
                   f"interval from {percent(low, 1)} to {percent(high, 1)}",
                   f"In {percent(score.complete)}% of the sentences",
                   f"gets {percent(1 - score.uas)}% of the words wrong in sentences it has"):
        reader.finds(figure)

    # 3. Turn the knobs; at the end they are as they were
    for C, words in ((0.01, ""), (100, ""), (1, ", as it was")):
        other, other_score = learn(C=C)
        reader.finds(f"C = {C:g}{words}: training loss "
                     f"{percent(other.log[-1].loss, 1)}%, UAS "
                     f"{percent(other_score.uas)}")
    mira = {percent(learn(solver="mira", C=C)[1].uas) for C in (1., 100.)}
    reader.finds(f"UAS is {mira.pop()} for C = 1 and for C = 100")
    assert not mira
    reader.finds("Set the solver back to BCFW and C to 1 before you continue")

    # 4. Compare two parsers
    scores = [evaluate(ParserLearner(**{**own, "calibrate": False})(training)(test)) for own in
              example("130-explicit-against-kernel").values()]
    both = paired_test(*scores)
    assert scores[0].uas == score.uas
    reader.finds(f"explicit parser has {percent(scores[0].uas)}, the kernel parser "
                 f"{percent(scores[1].uas)}")
    reader.finds(f"difference of {percent(both.difference)} points is significant "
                 f"(interval {percent(both.low)} to {percent(both.high)})")

    # 5. What goes wrong?
    nmod = next(group for group in score.breakdown("relation")
                if group.label == "nmod")
    reader.finds(f"of {nmod.tokens} words with the relation `nmod` only "
                 f"{percent(nmod.uas, 1)}%")
    found = confusions(parser(test))
    counts = dict(zip(found.columns, found.counts[found.rows.index("nmod")]))
    reader.finds(f"Of the {sum(counts.values())} words with the relation `nmod` and a "
                 f"wrong head, {counts['above head']} are attached above head")


def test_explicit_parsers_of_the_examples_are_the_same():
    """Of those that are about parsers: the tutorial compares their scores."""
    parsers = [{name: value for name, value in own.items() if name != "name"}
               for path in sorted((ROOT / "workflows").glob("1[1-7]0-*.ows"))
               for own in example(path.stem).values()
               if own.get("features", "explicit") == "explicit"]
    assert len(parsers) == 4
    assert all(own == parsers[0] for own in parsers)


def test_the_walk_from_a_file_to_a_score(tmp_path):
    """CONTRIBUTING.md names functions in the order in which they are first called."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = re.findall(r"^\d+\. `(.+?)`", page, re.MULTILINE)
    assert len(walk) == 14
    load_bundled("en")[:30].save(tmp_path / "some.conllu")
    package = ROOT / "orange_structpred"
    called = []

    def profile(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(package):
            module = ".".join(path.relative_to(package).with_suffix("").parts)
            called.extend(name for name in walk if name not in called
                          and name.startswith(f"{module}.")
                          and name.endswith(f".{frame.f_code.co_name}"))

    sys.setprofile(profile)
    try:
        treebank = Treebank.from_file(tmp_path / "some.conllu")
        parser = ParserLearner(passes=1)(treebank[:20])
        score = evaluate(parser(treebank[20:])).uas
    finally:
        sys.setprofile(None)
    assert called == walk
    assert 0 < score < 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", text):
        if not re.match("https?:", link):
            assert (page.parent / link.partition("#")[0]).exists(), link
