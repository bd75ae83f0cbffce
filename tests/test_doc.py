"""The examples in the documentation run as they stand there."""
import re
from runpy import run_path

import pytest

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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", text):
        if not re.match("https?:", link):
            assert (page.parent / link.partition("#")[0]).exists(), link
