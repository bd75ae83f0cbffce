"""Settings of Sphinx, which builds the documentation: make doc."""
from __future__ import annotations

import re

import orange_structpred

project = "Orange3-StructPred"
author = "Orange3-StructPred developers"
version = release = orange_structpred.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_build"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3        # links to headings, as GitHub has them

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {
    "members": True,
    # scikit-learn makes these, with links into its own pages
    "exclude-members": "set_fit_request, set_partial_fit_request, set_predict_request, "
                       "set_score_request"}
suppress_warnings = ["ref.python"]      # a name in backticks may stand for several things
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True                # attributes that are properties, too

html_theme = "pydata_sphinx_theme"
html_title = project
html_theme_options = {
    "logo": {"text": project, "image_light": "../icons/category.svg",
             "image_dark": "../icons/category.svg"},
    "header_links_before_dropdown": 7,
}
html_favicon = "../icons/category.svg"
html_show_sourcelink = False


PARAMETER = re.compile(r"(\w+(?:, \w+)*) : (.+)")
NAMES = re.compile(r"\w+(?:, \w+)*,")      # of parameters, the others on the next line


def process_docstring(app, what, name, obj, options, lines: list[str]) -> None:
    """From the short form of the docstrings to the one that napoleon reads."""
    for i in range(len(lines) - 1, 0, -1):
        if NAMES.fullmatch(lines[i - 1]) and PARAMETER.fullmatch(lines[i]):
            lines[i - 1] += f" {lines.pop(i)}"
    for i, line in enumerate(lines):
        if "`" not in line and not line.lstrip().startswith(">>>"):
            lines[i] = line.replace("|", r"\|")        # |w| is no substitution
        if line.startswith("Alias for field number"):       # of a NamedTuple
            lines[i] = ""
    if "Parameters" in lines or "Attributes" in lines:
        return
    result, listed = [], False
    for line in lines:
        parameter = PARAMETER.fullmatch(line)
        if parameter and not listed and not (result and result[-1]):
            result += ["Parameters", "----------"]
            listed = True
        result += ([parameter[1], f"    {parameter[2]}"] if parameter and listed
                   else [line])
    lines[:] = result


def setup(app) -> None:
    app.connect("autodoc-process-docstring", process_docstring, priority=400)
