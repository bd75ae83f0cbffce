"""The examples in the documentation run as they stand there."""
import inspect
import json
import re
from runpy import run_path

import pytest

from orange_structpred import ParserLearner, evaluate, load_bundled, paired_test
from orange_structpred.export.sampling import sample
from orange_structpred.kernels.make import KERNELS
from orange_structpred.parsing.decoders import DECODERS
from orange_structpred.parsing.features import GROUPS
from orange_structpred.parsing.hashes import HASHES, SUMS
from orange_structpred.svm import SOLVERS
from tests.data import ROOT

DOC = ROOT / "doc"
PAGES = [ROOT / "README.md", *sorted(DOC.rglob("*.md"))]


def test_library(tmp_path, monkeypatch, capsys):
    """All examples of the page, in their order, as one program."""
    monkeypatch.chdir(tmp_path)
    text = (DOC / "library.md").read_text(encoding="utf-8")
    blocks = re.findall("```python\n(.*?)```", text, re.DOTALL)
    script = tmp_path / "library.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    names = run_path(str(script), {"workflow": ROOT / "workflows" / "first-parser.ows"})
    printed = capsys.readouterr().out
    assert printed.startswith("400 sentences\n")
    assert "pass 1: primal" in printed
    assert names["mine"].uas > 0.85
    assert names["tuning"].best.validation_loss < 0.25
    assert names["solution"].converged
    assert "ParserLearner()" in names["script"].text and not names["script"].missing


def test_tagging(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOC / "tagging.md").read_text(encoding="utf-8")
    script = tmp_path / "tagging.py"
    script.write_text("\n".join(re.findall("```python\n(.*?)```", text, re.DOTALL)),
                      encoding="utf-8")
    names = run_path(str(script))
    printed = capsys.readouterr().out
    assert "['The', 'old', 'man', 'sees', 'a', 'dog', '.']" in printed
    assert "('dogs', 'NOUN', 'dog')" in printed
    assert names["scores"]["upos"].f1 > 0.9


def test_figures_of_the_kernel_study():
    """The page tells of every parser in the file beside it."""
    page = (DOC / "kernel-study.md").read_text(encoding="utf-8")
    cells = {cell.strip() for line in page.splitlines() if line.startswith("|")
             for cell in line.split("|")}
    lines = (DOC / "kernel-study.jsonl").read_text(encoding="utf-8").splitlines()
    for line in map(json.loads, lines):
        assert f"{line['uas']:.2f}" in cells


def test_all_that_can_be_chosen():
    page = (DOC / "parameters.md").read_text(encoding="utf-8")
    rows = {cells[0].strip("`"): cells[1:] for line in page.splitlines()
            if line.startswith("| `")
            for cells in [[cell.strip() for cell in line.strip("|").split("|")]]}
    plain = [name for name in HASHES if not name.endswith("::dir")]
    kernels = [name for name in KERNELS if name != "tree"]      # would see gold trees
    assert set(rows) == {"auto", *GROUPS, *plain, *SUMS, *kernels, *SOLVERS,
                         *DECODERS}
    for group, templates in GROUPS.items():
        assert rows[group][-1].strip("`") in templates
    for name in kernels:
        told = set(re.findall("`(.*?)`", rows[name][-1]))
        assert told == set(inspect.signature(KERNELS[name]).parameters)


def percent(share, digits=2):
    return f"{100 * share:.{digits}f}"


@pytest.fixture(scope="module")
def halves():
    return sample(load_bundled("en"), 0.8, random_state=42)


@pytest.fixture(scope="module")
def tutorial():
    text = (DOC / "tutorial.md").read_text(encoding="utf-8")
    return " ".join(text.replace("*", "").split())


def test_figures_of_the_tutorial(halves, tutorial):
    training, test = halves
    parser = ParserLearner()(training)
    score = evaluate(parser(test))
    low, high = score.confidence_interval("uas")
    tokens = sum(map(len, load_bundled("en").sentences))
    nmod = next(group for group in score.breakdown("relation")
                if group.label == "nmod")
    first, last = (percent(parser.log[k].loss, 1) for k in (0, -1))
    for figure in (f"400 sentences with {tokens:,} tokens",
                   f"the training loss is {first}%, after the last one {last}%",
                   f"{percent(score.uas)}% of the words get the right head",
                   f"interval from {percent(low, 1)} to {percent(high, 1)}",
                   f"In {percent(score.complete)}% of the sentences",
                   f"in {percent(1 - score.uas)}% of the other words",
                   (f"of {nmod.tokens} words with the relation `nmod` only "
                   f"{percent(nmod.uas, 1)}%")):
        assert figure in tutorial


@pytest.mark.slow
def test_figures_of_solvers_and_kernels_in_the_tutorial(halves, tutorial):
    training, test = halves
    for C in (0.01, 1, 100):
        parser = ParserLearner(solver="bcfw", C=C)(training)
        assert (f"C = {C:g}: training loss {percent(parser.log[-1].loss, 1)}%, "
                f"UAS {percent(evaluate(parser(test)).uas)}") in tutorial
    explicit = ParserLearner(passes=5, name="explicit")(training)
    kernel = ParserLearner(
        features="kernel", hash=["posTags::dir", "posTags2::dir", "tokens"],
        kernel="bow", name="kernel")(training)
    scores = [evaluate(parser(test)) for parser in (explicit, kernel)]
    both = paired_test(*scores)
    assert (f"explicit parser has {percent(scores[0].uas)}, the kernel parser "
            f"{percent(scores[1].uas)}") in tutorial
    assert (f"difference of {percent(both.difference)} points is significant (interval "
            f"{percent(both.low)} to {percent(both.high)})") in tutorial


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", text):
        if not re.match("https?:", link):
            assert (page.parent / link.partition("#")[0]).exists(), link
