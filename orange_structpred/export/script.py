"""A workflow of the canvas written out as a Python script.

Each widget that can be written has a function in `orange_structpred.export.ours`
or `.core`: it adds the lines that a person would write and says which variable holds
what the widget sends to each of its outputs.
"""
from __future__ import annotations

import builtins
import keyword
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from orange_structpred.export import Link, Node, Workflow, core, ours, teaching, texts
from orange_structpred.export.source import (
    WIDTH,
    CannotWrite,
    Code,
    DoesNothing,
    call,
    comment,
    import_line,
    literal,
    one_line,
    variable_name,
)

WRITERS = {**ours.WRITERS, **teaching.WRITERS, **texts.WRITERS,
           **core.WRITERS}
TAKEN = frozenset(dir(builtins)) | frozenset(keyword.kwlist)
UNTITLED = "untitled"
# Whatever settings that no version of the widget has saved can lead to
DAMAGED = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError,
           RecursionError, MemoryError, OSError)


@dataclass
class Script:
    """The text, and a line for each widget that is missing from it."""

    text: str
    missing: list[str] = field(default_factory=list)


def write_script(workflow: Workflow, *, folder: str | os.PathLike | None = None
                 ) -> Script:
    """The script of a workflow.

    Parameters
    ----------
    folder : where the script will stand; by default beside the workflow. Paths to
        files at or below the workflow's folder are relative to the script's.
    """
    # Names that are imported anywhere must not become variables; which they are is
    # known after a first time.
    names: set[str] = set()
    for _ in range(2):
        writer = Writer(workflow, folder, names)
        for node in workflow.nodes:
            writer.write(node)
        names = writer.imported()
    return Script(writer.text(), writer.missing)


class Writer:
    """Lines, imports and variables of a script that is being written."""

    def __init__(self, workflow: Workflow, folder: str | os.PathLike | None = None,
                 taken: Iterable[str] = ()):
        self.workflow = workflow
        self.folder = workflow.folder if folder is None else Path(folder).resolve()
        self.imports: dict[str, set[str]] = {}
        self.blocks: list[str] = []
        self.missing: list[str] = []
        self.names = {*TAKEN, *taken, "HERE", "_"}
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
        base = name = variable_name(text)
        while name in self.names:
            number = self.next_number[base] = self.next_number.get(base, 1) + 1
            name = f"{base}_{number}"
        self.names.add(name)
        return name

    def add(self, line: str) -> None:
        self.lines.append(line)

    def assign(self, variable: str, function: str, *arguments: str,
               options: Mapping[str, object] | None = None, after: str = "") -> None:
        """Keep what a call gives.

        options : keyword arguments
        after : stands behind the call, as the second brackets of f(x)(y)
        """
        room = WIDTH - len(f"{variable} = {after}")
        self.add(f"{variable} = "
                 + call(function, *arguments, options=options, room=room) + after)

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

    def one(self, node: Node, channel: str) -> str:
        found = self.received(node, channel)
        if not found:
            raise DoesNothing(f"nothing comes to its input {channel!r}")
        return found[-1]

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

    def path_text(self, absolute: str, relative: str = "") -> Code:
        """The same for functions that take no Path."""
        place = self.path(absolute, relative)
        return Code(f"str({place})") if place.startswith("HERE") else place

    # From nodes to blocks

    def write(self, node: Node) -> None:
        self.lines = []
        before = {module: set(names) for module, names in self.imports.items()}, self.here
        title = node.title or UNTITLED
        try:
            self.check(node)
            try:
                WRITERS[node.widget](self, node)
            except DAMAGED as error:
                raise CannotWrite(f"its settings are damaged ({error!s:.200})") from error
            lines = [*comment(title), *self.lines] if self.lines else []
        except DoesNothing as reason:
            self.imports, self.here = before
            self.idle.add(node.id)
            lines = comment(f"{title} does nothing: {reason}.")
        except CannotWrite as reason:
            self.imports, self.here = before
            self.missing.append(one_line(f"{title}: {reason}"))
            lines = comment(f"MISSING: {title}: {reason}.")
        if lines:
            self.blocks.append("\n".join(lines))

    def check(self, node: Node) -> None:
        """Whether a node can be written as far as can be told without its function."""
        if node.widget not in WRITERS:
            raise CannotWrite("it has no counterpart in a script")
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

    def text(self) -> str:
        title = one_line(self.workflow.title).replace("\\", "/").replace(
            '"', "'") or "Workflow"
        parts = [f'"""{title}: a workflow of Orange written as a script."""']
        standard = {module for module in self.imports
                    if module.partition(".")[0] in sys.stdlib_module_names}
        for group in (standard, set(self.imports) - standard):
            if group:
                parts.append("\n".join(
                    import_line(module, self.imports[module])
                    for module in sorted(group, key=str.lower)))
        blocks = "\n\n".join(self.blocks)
        if self.here:
            parts.append("HERE = Path(__file__).resolve().parent")
        return "\n\n".join([*parts, *([blocks] if blocks else [])]) + "\n"


def exists(path: Path) -> bool:
    """Whether there is such a file; there is none under a name that cannot be."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
