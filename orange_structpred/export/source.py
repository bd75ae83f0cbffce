"""Pieces of Python source."""
from __future__ import annotations

import ast
import textwrap

WIDTH = 88


class CannotWrite(Exception):
    """Why a widget cannot be written."""


class DoesNothing(CannotWrite):
    """Why a widget does nothing, on the canvas as well."""


class Code(str):
    """Source code among the values of a call."""


def literal(value: object) -> str:
    """A value of settings as source code."""
    if isinstance(value, Code):
        return value
    text = quoted(value)
    try:
        plain = ast.literal_eval(text) == value
    except (ValueError, SyntaxError):
        plain = False
    if not plain:
        raise CannotWrite(f"its settings have {text}, which is not a plain value")
    return text


def quoted(value: object) -> str:
    """What repr gives, with double quotes."""
    if isinstance(value, str):
        text = repr(value)
        return text if '"' in text else f'"{text[1:-1]}"'
    if type(value) in (list, tuple):
        inner = ", ".join(map(quoted, value))
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if type(value) is dict:
        return "{" + ", ".join(f"{quoted(key)}: {quoted(own)}"
                               for key, own in value.items()) + "}"
    return repr(value)


def call(function: str, *arguments: str, room: int = WIDTH, **options: object) -> str:
    """A call as source code, over several lines where there is no room for it."""
    parts = [*arguments,
             *(f"{name}={literal(value)}" for name, value in options.items())]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= room and "\n" not in line:
        return line
    return f"{function}(\n" + textwrap.indent(
        "".join(f"{part},\n" for part in parts), "    ") + ")"


def import_line(module: str, names: set[str]) -> str:
    """An import of names, or of the module itself if there are none."""
    if not names:
        return f"import {module}"
    line = f"from {module} import {', '.join(sorted(names))}"
    if len(line) <= WIDTH:
        return line
    return (f"from {module} import (\n"
            + "".join(f"    {name},\n" for name in sorted(names)) + ")")


def comment(text: str) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), WIDTH, initial_indent="# ",
                         subsequent_indent="# ")
