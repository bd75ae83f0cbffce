"""Pieces of Python source. Whatever comes from a workflow becomes a literal here, or
is refused; nothing of it can become code."""
from __future__ import annotations

import ast
import keyword
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence

LINE_WIDTH = 88
INDENT = "    "
LONGEST_VARIABLE = 60       # letters of a widget's title that its variable has


class CannotWrite(Exception):
    """Why a widget cannot be written."""


class DoesNothing(CannotWrite):
    """Why a widget does nothing, on the canvas as well."""


class Code(str):
    """Source code among the values of a call. Only writers make it: settings are
    plain values (see `reading.check_plain`) and cannot be of this class."""


def literal(value: object) -> Code:
    """A value of settings as source code."""
    if isinstance(value, Code):
        return value
    text = quoted(value)
    try:
        plain = ast.literal_eval(text) == value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        plain = False
    if not plain:
        raise CannotWrite(f"its settings have {text:.60}, which is not a plain value")
    return Code(text)


def quoted(value: object) -> str:
    """What repr gives, with double quotes."""
    if isinstance(value, str):
        text = repr(value)
        return text if '"' in text else f'"{text[1:-1]}"'
    if type(value) is list:
        return f"[{', '.join(map(quoted, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(quoted, value))}{',' * (len(value) == 1)})"
    if type(value) is dict:
        return "{" + ", ".join(f"{quoted(key)}: {quoted(item)}"
                               for key, item in value.items()) + "}"
    return repr(value)


def setting(settings: Mapping[str, object], name: str, default):
    """A setting, which must be of its default's type; None stands for the default.

    A whole number will do for a float.
    """
    value = settings.get(name)
    if value is None:
        return default
    kinds = (int, float) if type(default) is float else (type(default),)
    if type(value) not in kinds:
        raise CannotWrite(f"its setting {name} is {quoted(value):.60}, expected "
                          f"{type(default).__name__}")
    return value


def numbers_of(settings: Mapping[str, object], name: str) -> list[int]:
    """A setting that is a list of row numbers."""
    rows = setting(settings, name, [])
    if not all(type(row) is int for row in rows):
        raise CannotWrite(f"its setting {name} is {quoted(rows):.60}, expected whole "
                          "numbers")
    return rows


def call(function: str, *arguments: str, options: Mapping[str, object] | None = None,
         width: int = LINE_WIDTH, before: str = "", after: str = "") -> Code:
    """A call as source code, over several lines where there is no room for it.

    options : keyword arguments
    before, after : what stands around the call
    """
    parts = list(arguments)
    for name, value in (options or {}).items():
        if not is_plain_name(name):
            raise CannotWrite(f"its settings name the parameter {name!r:.60}, which "
                              "cannot be one")
        part = f"{name}={literal(value)}"
        if type(value) is list and len(part) > width - len(INDENT):
            part = keyword_list(name, value, width - len(INDENT))
        parts.append(part)
    line = f"{before}{function}({', '.join(parts)}){after}"
    if len(line) <= width and "\n" not in line:
        return Code(line)
    lines = [f"{before}{function}(", INDENT]
    for number, part in enumerate(parts):
        ends = f"){after}" if number == len(parts) - 1 else ","
        if len(lines[-1]) > len(INDENT) and len(f"{lines[-1]} {part}{ends}") > width:
            lines.append(INDENT)
        space = " " if len(lines[-1]) > len(INDENT) else ""
        lines[-1] += space + part.replace("\n", f"\n{INDENT}") + ends
    if len(lines[-1]) > width and after.startswith("("):     # the second brackets
        lines[-1:] = [lines[-1].removesuffix(after) + "(", INDENT + after[1:]]
    return Code("\n".join(lines))


def keyword_list(name: str, values: Sequence[object], width: int) -> str:
    """A keyword argument with a long list, over several lines."""
    start = f"{name}=["
    lines = [start]
    for number, value in enumerate(values):
        part = quoted(value) + ("," if number < len(values) - 1 else "]")
        if len(lines[-1]) > len(start):
            if len(lines[-1]) + len(part) + 2 > width:      # a comma may follow
                lines.append(" " * len(start))
            else:
                lines[-1] += " "
        lines[-1] += part
    return "\n".join(lines)


def is_plain_name(name: object) -> bool:
    return (isinstance(name, str) and name.isascii() and name.isidentifier()
            and not keyword.iskeyword(name))


def variable_name(text: str) -> str:
    """An identifier made of a text, in the form in which Python compares names."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    name = "_".join("".join(
        letter if letter == "_" or letter.isalnum() else " " for letter in text).split())
    name = name[:LONGEST_VARIABLE].strip("_")
    if not name.isidentifier():
        name = f"value_{name}".strip("_")
    if name.isidentifier() and unicodedata.normalize("NFKC", name) == name:
        return name
    ascii_only = "".join(letter for letter in name if letter.isascii()).strip("_")
    return ascii_only if is_plain_name(ascii_only) else "value"


def import_line(module: str, names: Sequence[str] | set[str]) -> str:
    """An import of names, or of the module itself if there are none."""
    if not names:
        return f"import {module}"
    line = f"from {module} import {', '.join(sorted(names))}"
    if len(line) <= LINE_WIDTH:
        return line
    return (f"from {module} import (\n"
            + "".join(f"    {name},\n" for name in sorted(names)) + ")")


def one_line(text: str) -> str:
    """A text of printable letters in a single line: no line ends that only some
    programs see, no letters that turn the direction of those around them."""
    return " ".join("".join(
        letter if letter.isprintable() else " " for letter in text).split())


def comment(text: str, width: int = LINE_WIDTH) -> list[str]:
    return textwrap.wrap(one_line(text), width, initial_indent="# ",
                         subsequent_indent="# ")
