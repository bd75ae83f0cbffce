"""orange-structpred export WORKFLOW.ows"""
from __future__ import annotations

import sys
from pathlib import Path

from orange_structpred.commands import (
    NOTEBOOK,
    SCRIPT,
    file_name,
    output_name,
)
from orange_structpred.errors import visible

SUMMARY = "write an Orange workflow as a Python script or a notebook"
EXAMPLES = """\
  orange-structpred export first-parser.ows
  orange-structpred export first-parser.ows -o first_parser.py
  orange-structpred export first-parser.ows -o first_parser.ipynb

A script takes other data, seeds and values of C as arguments (see its --help); a
notebook has them in its first cells. Widgets that cannot be exported become comments and
are listed on stderr; the exit code is then 1. Nothing in the workflow is run or unpickled."""

INCOMPLETE = 1


def add_arguments(parser) -> None:
    parser.add_argument("workflow", metavar="WORKFLOW.ows", type=file_name)
    parser.add_argument("-o", "--output", metavar="FILE",
                        type=output_name(SCRIPT, NOTEBOOK), default="-", help="file to "
                        "write: a notebook if its name ends with .ipynb, otherwise a "
                        "script (default: -, a script on standard output)")


def run(args) -> int:
    from orange_structpred.export import read_workflow
    from orange_structpred.export.notebook import write_as
    from orange_structpred.files.writing import write_bytes

    output = Path(args.output) if args.output != "-" else None
    script = write_as(args.output, read_workflow(args.workflow),
                      folder=output and output.absolute().parent)
    if output is None:
        sys.stdout.write(script.text)
    else:
        write_bytes(output, script.text.encode())
    for line in script.missing:
        print(f"missing: {visible(line)}", file=sys.stderr)
    return INCOMPLETE if script.missing else 0
