"""Write the tables of doc/parameters.md that follow from the table of parameters.

    python doc/make_parameters.py
"""
from __future__ import annotations

import re
from pathlib import Path

from orange_structpred.learner.parameters import DECODER_CHOICES, PARAMETERS, TABLE

PAGE = Path(__file__).parent / "parameters.md"
BEGIN, END = "<!-- {} -->\n", "<!-- end of {} -->\n"


def parameter_rows() -> str:
    lines = ["| parameter | default | what it does | needs |", "| --- | --- | --- | --- |"]
    for row in TABLE:
        default = row.default
        if isinstance(default, tuple):
            default = list(default)
        needs = "; ".join(need.words for need in row.needs)
        help_ = row.help.replace("|w|", r"\|w\|")
        lines.append(f"| {row.name} | `{default!r}` | {help_} | {needs} |")
    return "\n".join(lines) + "\n"


def choice_rows(choices) -> str:
    return "".join(f"| `{name}` | {choice.meaning} |\n" for name, choice in choices.items())


def filled(page: str) -> str:
    """The page with its tables as they are to be."""
    tables = {
        "parameters": parameter_rows(),
        "solvers": "| solver | |\n| --- | --- |\n"
                   + choice_rows(PARAMETERS["solver"].kind.choices),
        "decoders": "| decoder | |\n| --- | --- |\n" + choice_rows(DECODER_CHOICES)}
    for name, table in tables.items():
        begin, end = BEGIN.format(name), END.format(name)
        page = re.sub(f"{begin}.*?{end}", lambda _, new=begin + "\n" + table + "\n" + end: new,
                      page, flags=re.DOTALL)
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
