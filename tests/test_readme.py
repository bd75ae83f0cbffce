"""The README tells the truth: its example runs as it is."""
import re
from runpy import run_path

from orange_structpred.treebank import write_conll
from tests.data import ROOT
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED
from tools import check_qt


def test_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_conll([*GOLD, CROSSED], "dev.conllu")
    write_conll([*PREDICTED, CROSSED], "parsed.conllu")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    example, = re.findall("```python\n(.*?)```", text, re.DOTALL)
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    names = run_path(script)
    assert names["first"].uas == 16 / 18
    assert names["chain"].uas == 2 / 18
    assert "UAS 0.8889\n" in capsys.readouterr().out


def test_the_example_leaves_the_files_of_the_command_line_alone():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands, = re.findall("## Command line\n(.*?)\n## ", text, re.DOTALL)
    example, = re.findall("```python\n(.*?)```", text, re.DOTALL)
    for written in re.findall(r'\.save\("(.*?)"\)', example):
        assert written not in commands


def test_system_libraries_are_those_that_check_qt_names():
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    named, = re.findall("sudo apt install (.*)", text)
    assert named.split() == check_qt.USUAL.split()
