"""Structural support vector machines for dependency parsing."""
from pathlib import Path

NAME = "StructPred"
DESCRIPTION = "Train, apply, score and look into dependency parsers."
BACKGROUND = "#d8c9f2"
ICON = "icons/category.svg"

WIDGET_HELP_PATH = ()

# The canvas looks for icons below this folder. They are there once the project is
# installed; in its sources, which an editable install uses, they are beside it.
_FOLDER = Path(__file__).parent
if not (_FOLDER / "icons").exists():
    from orangecanvas.resources import add_default_search_paths

    add_default_search_paths([("", str(_FOLDER.parent))])
