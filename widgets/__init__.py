"""Structural support vector machines for dependency parsing."""
from pathlib import Path

NAME = "StructPred"
DESCRIPTION = "Train, apply, score and explain dependency parsers."
BACKGROUND = "#d8c9f2"
ICON = "icons/category.svg"

_WIDGETS = Path(__file__).parent

# Where F1 finds its pages; doc/make_help.py makes them. The canvas replaces names
# in braces.
WIDGET_HELP_PATH = (
    (str(_WIDGETS.parent / "doc" / "widgets" / "index.html")
     .replace("{", "{{").replace("}", "}}"), None),
)

# The canvas looks for icons below this folder. They are there once the project is
# installed; in its sources, which an editable install uses, they are beside it.
if not (_WIDGETS / "icons").exists():
    from orangecanvas.resources import add_default_search_paths

    add_default_search_paths([("", str(_WIDGETS.parent))])
