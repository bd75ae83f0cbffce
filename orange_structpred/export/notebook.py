"""A workflow of the canvas written out as a notebook of Jupyter, or as what the name of a
file says.

The format is JSON (nbformat 4.5), so nothing of Jupyter is needed to write it.
"""
from __future__ import annotations

import json
import os
import re

from orange_structpred.export import Workflow
from orange_structpred.export.script import write_script
from orange_structpred.export.source import one_line
from orange_structpred.export.writer import Argument, Script, Section
from orange_structpred.export.writers import write_workflow

NOTEBOOK = ".ipynb"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"}}
#: What has a meaning in Markdown, HTML or formulas
MARKDOWN_SIGNS = re.compile(r"[!-&*+/:-@\[-`{-~]")


def write_as(name: str, workflow: Workflow, *, folder: str | os.PathLike | None = None
             ) -> Script:
    """What belongs into a file of this name: a notebook (.ipynb), else a script."""
    form = write_notebook if name.lower().endswith(NOTEBOOK) else write_script
    return form(workflow, folder=folder)


def write_notebook(workflow: Workflow, *, folder: str | os.PathLike | None = None
                   ) -> Script:
    """The notebook of a workflow, as the text of an .ipynb file.

    What a script takes as arguments stands in one cell, which is tagged "parameters".

    Parameters
    ----------
    folder : where the notebook will stand; by default beside the workflow. Paths to
        files at or below the workflow's folder are relative to the notebook's.
    """
    writer = write_workflow(workflow, folder, notebook=True)
    cells = [markdown(f"# {plain_markdown(workflow.title) or 'Workflow'}\n\n"
                      "An Orange workflow written as a notebook.")]
    imports = writer.import_groups()
    if writer.here:
        imports.append("HERE = Path.cwd()   # Jupyter starts in the notebook's folder")
    if imports:
        cells.append(code("\n\n".join(imports)))
    if writer.arguments:
        cells.append(code("\n".join(map(assignment, writer.arguments.values())),
                          "parameters"))
    for section in writer.sections:
        cells += section_cells(section)
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    text = json.dumps({"cells": cells, "metadata": METADATA, "nbformat": 4,
                       "nbformat_minor": 5}, indent=1, sort_keys=True)
    return Script(text + "\n", writer.missing)


def section_cells(section: Section) -> list[dict]:
    heading = f"## {plain_markdown(section.title)}"
    if not section.lines:
        return [markdown(f"{heading}\n\n{plain_markdown(section.note)}")]
    return [markdown(heading), code("\n".join(section.lines))]


def assignment(argument: Argument) -> str:
    return f"{argument.constant} = {argument.default}  # {argument.text}"


def markdown(text: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": source(text)}


def code(text: str, *tags: str) -> dict:
    return {"cell_type": "code", "execution_count": None, "outputs": [],
            "metadata": {"tags": list(tags)} if tags else {}, "source": source(text)}


def source(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def plain_markdown(text: str) -> str:
    """A text that Markdown shows as it is: no pictures, links, HTML or formulas."""
    return MARKDOWN_SIGNS.sub(r"\\\g<0>", one_line(text))
