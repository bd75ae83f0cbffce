"""Structural support vector machines for dependency parsing."""

NAME = "StructPred"
DESCRIPTION = "Train, apply, score and look into dependency parsers."
BACKGROUND = "#d8c9f2"
ICON = "icons/category.svg"

WIDGET_HELP_PATH = ()
