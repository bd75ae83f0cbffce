"""What type checkers and editors see is what there is."""
import ast

import orange_structpred
from tests.data import ROOT


def test_names_of_the_package_are_typed():
    """The names that are imported on demand, and those that type checkers see."""
    tree = ast.parse((ROOT / "orange_structpred" / "__init__.py").read_text("utf-8"))
    typed = {alias.asname: node.module.removeprefix("orange_structpred.")
             for block in tree.body if isinstance(block, ast.If)
             for node in block.body for alias in node.names}
    assert typed == orange_structpred._LAZY
