"""A workflow of the canvas written out as a Python script.

Each widget that can be written has a function in `orange_structpred.export.ours`
or `.core`: it adds the lines that a person would write and says which variable holds
what the widget sends to each of its outputs.
"""
from __future__ import annotations

import builtins
import keyword
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from orange_structpred.export import Link, Node, Workflow, core, ours
from orange_structpred.export.source import (
    WIDTH,
    CannotWrite,
    Code,
    DoesNothing,
    call,
    comment,
    import_line,
    literal,
)

WRITERS = {**ours.WRITERS, **core.WRITERS}
TAKEN = frozenset(dir(builtins)) | frozenset(keyword.kwlist)


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
        base = re.sub(r"\W+", "_", text.lower()).strip("_")
        base = base if base.isidentifier() else f"value_{base}".strip("_")
        name, number = base, 2
        while name in self.names:
            name, number = f"{base}_{number}", number + 1
        self.names.add(name)
        return name

    def add(self, line: str) -> None:
        self.lines.append(line)

    def assign(self, variable: str, function: str, *arguments: str, after: str = "",
               **options: object) -> None:
        """Keep what a call gives.

        after : stands behind the call, as the second brackets of f(x)(y)
        """
        room = WIDTH - len(f"{variable} = {after}")
        self.add(f"{variable} = {call(function, *arguments, room=room, **options)}"
                 + after)

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
            return Code(literal(absolute))
        near = base / relative if relative else base / absolute
        if relative and absolute and not near.exists() and Path(absolute).exists():
            near = Path(absolute)
        full = Path(os.path.normpath(near))
        if not full.is_relative_to(base):
            return Code(literal(full.as_posix()))
        self.use("pathlib", "Path")
        beside = Path(os.path.relpath(full, self.folder)).as_posix()
        return Code(f"HERE / {literal(beside)}")

    # From nodes to blocks

    def write(self, node: Node) -> None:
        self.lines = []
        imports = {module: set(names) for module, names in self.imports.items()}
        try:
            self.lines += comment(node.title)
            self.check(node)
            try:
                WRITERS[node.widget](self, node)
            except (TypeError, ValueError, AttributeError, LookupError) as error:
                # Settings that no version of the widget has saved
                raise CannotWrite(f"its settings are damaged ({error})") from error
            lines = self.lines if len(self.lines) > 1 else []
        except DoesNothing as reason:
            self.imports = imports
            self.idle.add(node.id)
            lines = comment(f"{node.title} does nothing: {reason}.")
        except CannotWrite as reason:
            self.imports = imports
            self.missing.append(f"{node.title}: {reason}")
            lines = comment(f"MISSING: {node.title}: {reason}.")
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
        return next(n.title for n in self.workflow.nodes if n.id == link.source)

    # The whole

    def imported(self) -> set[str]:
        return {name for module, names in self.imports.items()
                for name in names or {module}}

    def text(self) -> str:
        title = self.workflow.title.replace("\\", "/").replace('"', "'") or "Workflow"
        parts = [f'"""{title}: a workflow of Orange written as a script."""']
        standard = {module for module in self.imports
                    if module.partition(".")[0] in sys.stdlib_module_names}
        for group in (standard, set(self.imports) - standard):
            if group:
                parts.append("\n".join(
                    import_line(module, self.imports[module])
                    for module in sorted(group, key=str.lower)))
        blocks = "\n\n".join(self.blocks)
        if "HERE" in blocks:
            parts.append("HERE = Path(__file__).resolve().parent")
        return "\n\n".join([*parts, *([blocks] if blocks else [])]) + "\n"
