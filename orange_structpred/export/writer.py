"""What the functions of widgets write with: lines, imports, variables, arguments.

Each widget that can be written has a function, listed in `writers`: it adds the lines
that a person would write and says which variable holds what the widget sends to each of
its outputs.
"""
from __future__ import annotations

import builtins
import keyword
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from orange_structpred.export import Link, Node, Workflow
from orange_structpred.export.source import (
    LINE_WIDTH,
    CannotWrite,
    Code,
    DoesNothing,
    call,
    import_line,
    literal,
    one_line,
    variable_name,
)

#: Names that no variable may have. "scheduler" is kept for an argument.
TAKEN = frozenset((*dir(builtins), *keyword.kwlist, "HERE", "_", "args", "argv", "main",
                   "parse_arguments", "argparse", "seed", "help", "scheduler"))
UNTITLED = "untitled"
LONGEST_COMMENT = 60      # in the help text of an argument
# Whatever settings that no version of the widget has saved can lead to
DAMAGED_SETTINGS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError,
           RecursionError, MemoryError, OSError)


@dataclass
class Script:
    """The text, and a line for each widget that is missing from it."""

    text: str
    missing: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Argument:
    """Something that can be changed when a script is run."""

    name: str
    constant: str               # in a notebook
    default: Code
    text: str                   # what it is, in words
    options: Mapping[str, object]       # of argparse


@dataclass(frozen=True)
class Section:
    """What is written of one widget: lines, or a note why there are none."""

    title: str
    lines: list[str]
    note: str = ""


class Writer:
    """Lines, imports and variables of a script that is being written."""

    def __init__(self, workflow: Workflow, folder: str | os.PathLike | None = None, *,
                 notebook: bool = False, before: Writer | None = None):
        self.workflow = workflow
        self.folder = workflow.folder if folder is None else Path(folder).resolve()
        self.notebook = notebook
        #: How long lines can be; those of a script stand in a function
        self.width = LINE_WIDTH if notebook else LINE_WIDTH - 4
        self.imports: dict[str, set[str]] = {}
        self.arguments: dict[str, Argument] = {}
        self.sections: list[Section] = []
        self.missing: list[str] = []
        self.names = {*TAKEN, *(before.imported() if before else ())}
        self.only_one_C = before is not None and 1 == sum(
            name.endswith("_C") for name in before.arguments)
        self.next_number: dict[str, int] = {}           # of variables with this name
        self.here = False                               # whether HERE is needed
        self.values: dict[tuple[str, str], str] = {}    # (node, output): variable
        self.withheld: dict[tuple[str, str], str] = {}  # the same: why there is none
        self.idle: set[str] = set()                     # nodes that send nothing
        self.lines: list[str] = []

    # What the functions of widgets use

    def use(self, module: str, *names: str) -> None:
        """Import names, or the module itself, at the top of the script."""
        self.imports.setdefault(module, set()).update(names)

    def name(self, text: str) -> str:
        """A free variable name made from a widget's title."""
        return self.free(variable_name(text))

    def free(self, base: str) -> str:
        """A name that nothing else has."""
        name = base
        while name in self.names:
            number = self.next_number[base] = self.next_number.get(base, 1) + 1
            name = f"{base}_{number}"
        self.names.add(name)
        return name

    def add(self, line: str) -> None:
        self.lines.append(line)

    def assign(self, variable: str, function: str, *arguments: str,
               options: Mapping[str, object] | None = None, after: str = "",
               module: str = "") -> None:
        """Keep what a call gives.

        options : keyword arguments
        after : stands behind the call, as the second brackets of f(x)(y)
        module : that the function is imported from
        """
        if module:
            self.use(module, function)
        self.add(call(function, *arguments, options=options, width=self.width,
                      before=f"{variable} = ", after=after))

    def new(self, node: Node, function: str, *arguments: str, suffix: str = "",
            **how: Any) -> str:
        """A variable that is named after a widget, and keeps what a call gives.

        suffix : the end of its name
        how : as in `assign`
        """
        variable = self.name(f"{node.title} {suffix}")
        self.assign(variable, function, *arguments, **how)
        return variable

    def give(self, node: Node, output: str, function: str, *arguments: str,
             suffix: str, **how: Any) -> None:
        """Send what a call gives to an output, if anything is connected to it; see
        `new`."""
        if self.used(node, output):
            self.send(node, output, self.new(
                node, function, *arguments, suffix=suffix, **how))

    def give_rows(self, node: Node, output: str, data: str, rows: list[int]) -> None:
        """The same with the rows of a table that are selected in a widget."""
        if self.used(node, output):
            variable = self.name(f"{node.title} selection")
            self.add(f"{variable} = {data}[{literal(rows)}]")
            self.send(node, output, variable)

    def send(self, node: Node, output: str, variable: str) -> None:
        self.values[node.id, output] = variable

    def withhold(self, node: Node, output: str, reason: str) -> None:
        """Say why nothing is sent to an output, to whoever needs it."""
        self.withheld[node.id, output] = reason

    def received(self, node: Node, channel: str) -> list[str]:
        """Variables of all links into a channel."""
        return [self.values[link.source, link.output]
                for link in self.workflow.inputs(node)
                if link.input == channel and link.source not in self.idle]

    def needed(self, node: Node, channel: str) -> list[str]:
        """The same, if there is any; else the widget does nothing."""
        variables = self.received(node, channel)
        if not variables:
            raise DoesNothing(f"nothing is connected to its input {channel!r}")
        return variables

    def one(self, node: Node, channel: str) -> str:
        return self.needed(node, channel)[-1]

    def used(self, node: Node, output: str) -> bool:
        return any(link.output == output for link in self.workflow.outputs(node))

    def path(self, absolute: str, relative: str = "") -> Code:
        """An expression for a file: from the script's place if it lies beside the
        workflow.

        relative : the same file from the workflow's folder. It counts if it exists,
            because workflows move with their data.
        """
        base = self.workflow.folder
        if base is None or not (absolute or relative):
            if not absolute:
                raise CannotWrite("no file is chosen")
            return literal(absolute)
        near = base / relative if relative else base / absolute
        if relative and absolute and not exists(near) and exists(Path(absolute)):
            near = Path(absolute)
        full = Path(os.path.normpath(near))
        if not full.is_relative_to(base):
            return literal(full.as_posix())
        self.use("pathlib", "Path")
        self.here = True
        beside = Path(os.path.relpath(full, self.folder)).as_posix()
        return Code(f"HERE / {literal(beside)}")

    # What can be changed when the script is run

    def argument(self, name: str, default: Code, text: str, **options: object) -> Code:
        """An argument, as it is used in the script.

        text : what it is, in words
        options : of argparse
        """
        if name not in self.arguments:
            constant = self.free(name.upper()) if self.notebook else ""
            self.arguments[name] = Argument(name, constant, default, text, options)
        return Code(self.arguments[name].constant if self.notebook else f"args.{name}")

    def seed(self, number: int) -> Code:
        """The seed of a widget. All seeds change together, and stay different."""
        argument = self.argument(
            "seed", literal(0), "a number to add to all seeds of the workflow",
            type=Code("int"))
        return Code(f"{number} + {argument}") if number else argument

    def scheduler(self) -> Code:
        """The address of a cluster, which a workflow does without."""
        return self.argument(
            "scheduler", literal(None), "address of a Dask scheduler, whose workers then "
            "do the work", metavar="ADDRESS")

    def C(self, node: Node, value: float | list[float]) -> Code:
        """The C of a widget, or several ones."""
        name = "C" if self.only_one_C else f"{variable_name(node.title)}_C"
        while name in self.arguments:
            name = f"{self.name(node.title)}_C"
        if isinstance(value, list):
            return self.argument(
                name, literal(list(map(float, value))),
                f"values of C for {self.short(node)}", type=Code("float"), nargs="+")
        C = Code('float("inf")') if value == float("inf") else literal(float(value))
        return self.argument(name, C, f"C for {self.short(node)}", type=Code("float"))

    def file(self, node: Node, variable: str, path: Code | None = None) -> Code:
        """The file that a widget reads or writes.

        path : None if it does not use one by default
        """
        text = f"the file of {self.short(node)}" if path else (
            f"a file to read instead of what {self.short(node)} loads")
        return self.argument(variable, path or literal(None), text, metavar="FILE")

    def assign_file_or(self, node: Node, variable: str, reader: str, otherwise: str
                       ) -> None:
        """Read the file that the user names, or do what the widget does."""
        argument = self.file(node, variable)
        first = f"{reader}({argument}) if {argument}"
        line = f"{variable} = {first} else {otherwise}"
        if len(line) > self.width:
            bracket = f"{variable} = ("
            line = f"{bracket}{first}\n{' ' * len(bracket)}else {otherwise})"
        self.add(line)

    def short(self, node: Node) -> str:
        return one_line(node.title or UNTITLED)[:LONGEST_COMMENT]

    # From nodes to sections

    def write(self, node: Node, function: Callable[[Writer, Node], None] | None) -> None:
        """Write a widget; `function` does it, if there is one."""
        self.lines = []
        before = self.state()
        section = None
        title = one_line(node.title or UNTITLED)
        try:
            if function is None:
                raise CannotWrite("it has no counterpart in a script")
            self.check(node)
            try:
                function(self, node)
            except DAMAGED_SETTINGS as error:
                raise CannotWrite(f"its settings are damaged ({error!s:.200})") from error
            if self.lines:
                section = Section(title, self.lines)
        except CannotWrite as reason:
            vars(self).update(before)
            if isinstance(reason, DoesNothing):
                self.idle.add(node.id)
                note = f"{title} does nothing: {reason}."
            else:
                self.missing.append(one_line(f"{title}: {reason}"))
                note = f"MISSING: {title}: {reason}."
            section = Section(title, [], one_line(note))
        if section is not None:
            self.sections.append(section)

    def state(self) -> dict[str, Any]:
        """What is restored if a widget cannot be written after all."""
        return {"imports": {module: set(names) for module, names in self.imports.items()},
                "arguments": dict(self.arguments), "here": self.here,
                "names": set(self.names), "next_number": dict(self.next_number),
                "values": dict(self.values)}

    def check(self, node: Node) -> None:
        """Whether a node can be written as far as can be told without its function."""
        if node.problem:
            raise CannotWrite(node.problem)
        for link in self.workflow.inputs(node):
            if link.source not in self.idle and (
                    link.source, link.output) not in self.values:
                reason = self.withheld.get((link.source, link.output), "")
                raise CannotWrite(f"it needs what {self.title(link)!r} sends to its "
                                  f"input {link.input!r}" + (reason and f": {reason}"))

    def title(self, link: Link) -> str:
        return self.workflow.node(link.source).title or UNTITLED

    # The whole

    def imported(self) -> set[str]:
        return {name for module, names in self.imports.items()
                for name in names or {module}}

    def import_groups(self) -> list[str]:
        """Imports, those of the standard library first."""
        standard = {module for module in self.imports
                    if module.partition(".")[0] in sys.stdlib_module_names}
        return ["\n".join(import_line(module, self.imports[module])
                          for module in sorted(group, key=str.lower))
                for group in (standard, set(self.imports) - standard) if group]


def exists(path: Path) -> bool:
    """Whether there is such a file; there is none under a name that cannot be."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
