"""A workflow of the canvas written out as a Python script."""
from __future__ import annotations

import os
import textwrap

from orange_structpred.export import Workflow
from orange_structpred.export.source import (
    INDENT,
    LINE_WIDTH,
    call,
    comment,
    literal,
    one_line,
)
from orange_structpred.export.writer import Argument, Script, Section, Writer
from orange_structpred.export.writers import write_workflow


def write_script(workflow: Workflow, *, folder: str | os.PathLike | None = None
                 ) -> Script:
    """The script of a workflow.

    Parameters
    ----------
    folder : where the script will stand; by default beside the workflow. Paths to
        files at or below the workflow's folder are relative to the script's.
    """
    writer = write_workflow(workflow, folder, notebook=False)
    writer.use("argparse")
    parts = [f'"""{title_of(workflow)}: an Orange workflow written as a script."""',
             *writer.import_groups()]
    if writer.here:
        parts.append("HERE = Path(__file__).resolve().parent")
    parts = ["\n\n".join(parts), parse_arguments(writer), main_function(writer),
             'if __name__ == "__main__":\n    main()\n']
    return Script("\n\n\n".join(parts), writer.missing)


def title_of(workflow: Workflow) -> str:
    """A title that can stand in a docstring, and in the help text of argparse."""
    title = one_line(workflow.title).replace("\\", "/").replace('"', "'")
    return title.replace("%(", "% (") or "Workflow"


def parse_arguments(writer: Writer) -> str:
    """A function for the arguments of the command line."""
    lines = ["parser = argparse.ArgumentParser(description=__doc__)",
             *map(add_argument, writer.arguments.values()),
             "return parser.parse_args(argv)"]
    return "def parse_arguments(argv=None):\n" + indented("\n".join(lines))


def add_argument(argument: Argument) -> str:
    text = argument.text.replace("%", "%%")
    if argument.default != "None":
        text += " (default: %(default)s)"
    default = {} if argument.default == "None" else {"default": argument.default}
    return call("parser.add_argument", literal("--" + argument.name.replace("_", "-")),
                options={**argument.options, **default, "help": text},
                width=LINE_WIDTH - len(INDENT))


def main_function(writer: Writer) -> str:
    parsed = "parse_arguments(argv)"
    parts = [f"args = {parsed}" if writer.arguments else parsed,
             *(section_text(section, writer.width) for section in writer.sections)]
    return "def main(argv=None):\n" + indented("\n\n".join(parts))


def section_text(section: Section, width: int) -> str:
    return "\n".join([*comment(section.note or section.title, width), *section.lines])


def indented(text: str) -> str:
    """Lines of a function. No text of a workflow has a line end in it."""
    return textwrap.indent(text, INDENT)
