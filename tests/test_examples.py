"""Every example of README and documentation runs in a fresh process, as a reader's does."""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from orange_structpred import load_bundled, write_conll
from orange_structpred.__main__ import make_parser
from orange_structpred.treebank.text import raw_text
from tests.data import ROOT
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED

PAGES = [ROOT / "README.md", *sorted((ROOT / "doc").rglob("*.md"))]
#: Pages whose programs take seconds; what others say is checked beside their figures
QUICK = ("README.md", "doc/patterns.md")
PROMISED = {"README.md": "UAS 0.8889\n", "doc/patterns.md": " matches in ",
            "doc/own-language.md": "('theatre', 'NOUN', 'theatre', 'obj')",
            "doc/probabilities.md": "calibration error 0.",
            "doc/tagging.md": "\tbuilt\tbuild\tVERB\t"}
#: The scheduler of a cluster, which is somewhere else for each reader
SCHEDULER = "tcp://HOST:8786"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def programs() -> dict[str, str]:
    """For each page with examples in Python, all of them in their order."""
    blocks = {page: re.findall("```python\n(.*?)```", page.read_text(encoding="utf-8"),
                               re.DOTALL) for page in PAGES}
    return {name_of(page): "\n".join(own) for page, own in blocks.items() if own}


def commands() -> dict[str, list[str]]:
    """For each page with examples for a shell, those that run this program or a script
    that it has written."""
    lines = {page: re.findall(r"^    ((?:orange-structpred|python \w+\.py) .*)$",
                              page.read_text(encoding="utf-8"), re.MULTILINE)
             for page in PAGES}
    return {name_of(page): own for page, own in lines.items() if own}


def in_fresh_process(arguments: list[str], folder: Path) -> str:
    done = subprocess.run(arguments, cwd=folder, capture_output=True, encoding="utf-8",
                          errors="replace", check=False,
                          env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    assert done.returncode == 0, f"{arguments}\n{done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


def prepare(folder: Path, page: str) -> None:
    """The files that a reader of the page has."""
    if page == "README.md":
        write_conll([*GOLD, CROSSED], folder / "dev.conllu")
        write_conll([*PREDICTED, CROSSED], folder / "parsed.conllu")


@pytest.mark.parametrize("page", [
    pytest.param(page, marks=[] if page in QUICK else pytest.mark.slow)
    for page in programs()])
def test_programs(page, tmp_path):
    prepare(tmp_path, page)
    program = programs()[page]
    if page == "doc/library.md":        # the reader's own workflow
        shutil.copy(ROOT / "workflows" / "110-first-parser.ows", tmp_path)
        program = f"workflow = '110-first-parser.ows'\n{program}"
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    assert PROMISED.get(page, "") in in_fresh_process(
        [sys.executable, "program.py"], tmp_path)


@pytest.mark.parametrize("page", commands())
def test_commands_have_these_arguments(page):
    for line in commands()[page]:
        program, *arguments = shlex.split(line, comments=True)
        if program == "orange-structpred":
            make_parser().parse_args(arguments)


@pytest.mark.slow
@pytest.mark.parametrize("page", commands())
def test_commands(page, tmp_path):
    """All that a page has, in its order; what needs the web or a cluster is left out."""
    treebank = load_bundled("en")
    for name, own in (("train", treebank[:60]), ("large", treebank[:60]),
                      ("dev", treebank[60:80]), ("text", treebank[60:80]),
                      ("gold", treebank[60:80]), ("tokens", treebank[80:90])):
        write_conll(own, tmp_path / f"{name}.conllu")
    for name in ("book", "text"):
        (tmp_path / f"{name}.txt").write_text(raw_text(treebank.sentences[:20]),
                                              encoding="utf-8")
    (tmp_path / "FOLDER").mkdir()
    shutil.copy(ROOT / "workflows" / "110-first-parser.ows", tmp_path / "workflow.ows")
    if page == "doc/widgets/workflow-to-script.md":     # saved by the widget
        in_fresh_process([sys.executable, "-m", "orange_structpred", "export",
                          "workflow.ows", "-o", "first_parser.py"], tmp_path)
    for line in commands()[page]:
        program, *arguments = shlex.split(line, comments=True)
        if arguments[0] == "fetch" or SCHEDULER in arguments:
            continue
        module = ["-m", "orange_structpred"] if program == "orange-structpred" else []
        in_fresh_process([sys.executable, *module, *arguments], tmp_path)
        for flag, written in zip(arguments, arguments[1:]):
            assert flag != "-o" or (tmp_path / written).stat().st_size
