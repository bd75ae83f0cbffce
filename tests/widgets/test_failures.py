"""What widgets say of errors: no class names, unless the fault is ours."""
import re

import pytest

from orange_structpred.widgets.common.failures import BUG, failure_text
from tests.data import ROOT


@pytest.mark.parametrize("error, text", [
    (ValueError("the treebank is empty"), "the treebank is empty"),
    (FileNotFoundError(2, "No such file", "x.npz"), "No such file: x.npz"),
    (MemoryError(), "not enough memory"),
    (MemoryError("the matrix needs 3 GB"), "the matrix needs 3 GB"),
    (KeyError("x"), f"{BUG} (KeyError: 'x')")])
def test_texts(error, text):
    assert failure_text("searching", error) == text


def test_no_widget_shows_the_class_of_an_error():
    for path in (ROOT / "widgets").rglob("*.py"):
        if path.name not in ("failures.py", "run_workflow.py", "owloadtreebank.py"):
            assert not re.search(r"type\(error\)\.__name__", path.read_text("utf-8")), path
