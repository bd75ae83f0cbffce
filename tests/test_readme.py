"""The README tells the truth; its example is run by test_examples."""
import re

from tests.data import ROOT
from tools import check_qt


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
