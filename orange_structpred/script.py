"""A workflow of the canvas written out as a Python script.

Each widget that can be written has a function here, found through `WRITERS`: it
adds the lines that a person would write and says which variable holds what the
widget sends to each of its outputs.
"""
from __future__ import annotations

import keyword
import os
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from orange_structpred.parameters import learner_parameters
from orange_structpred.sampling import SEED
from orange_structpred.workflow import Node, Workflow
from orange_structpred.workflow.inert import Inert

WIDTH = 88


class CannotWrite(Exception):
    """Why a widget cannot be written."""


@dataclass
class Script:
    """The text, and a line for each widget that is missing from it."""

    text: str
    missing: list[str] = field(default_factory=list)


def write_script(workflow: Workflow, *, relative_to: Path | None = None) -> Script:
    """The script of a workflow.

    Parameters
    ----------
    relative_to : folder where the script will stand; paths to files at or below
        the workflow's folder are written relative to the script's own place
    """
    writer = Writer(workflow, relative_to or workflow.folder)
    for node in workflow.nodes:
        writer.write(node)
    return Script(writer.text(), writer.missing)


class Writer:
    """Lines, imports and variables of a script that is being written."""

    def __init__(self, workflow: Workflow, folder: Path | None):
        self.workflow, self.folder = workflow, folder
        self.imports: dict[str, set[str]] = {}
        self.blocks: list[str] = []
        self.missing: list[str] = []
        self.names: set[str] = set(dir(__builtins__)) | set(keyword.kwlist)
        self.values: dict[tuple[str, str], str] = {}    # (node, output): variable
        self.lines: list[str] = []
        self.uses_here = False

    # what the functions of widgets use

    def use(self, module: str, *names: str) -> None:
        """Import names at the top of the script."""
        self.imports.setdefault(module, set()).update(names)
        self.names.update(names)

    def name(self, text: str) -> str:
        """A free variable name made from a widget's title."""
        base = re.sub(r"\W+", "_", text.strip().lower()).strip("_") or "value"
        base = base if not base[0].isdigit() else f"_{base}"
        name, number = base, 2
        while name in self.names:
            name, number = f"{base}_{number}", number + 1
        self.names.add(name)
        return name

    def add(self, line: str) -> None:
        self.lines.append(line)

    def send(self, node: Node, output: str, variable: str) -> None:
        self.values[node.id, output] = variable

    def received(self, node: Node, channel: str) -> list[str]:
        """Variables of all links into a channel."""
        return [self.values[link.source, link.output]
                for link in self.workflow.inputs(node) if link.input == channel]

    def one(self, node: Node, channel: str) -> str:
        found = self.received(node, channel)
        if not found:
            raise CannotWrite(f"nothing is connected to {channel!r}")
        return found[-1]

    def used(self, node: Node, output: str) -> bool:
        return any(link.output == output for link in self.workflow.outputs(node))

    def path(self, path: str) -> str:
        """An expression for a file: relative to the script if it lies beside it."""
        if not path:
            raise CannotWrite("no file is chosen")
        if self.folder is not None:
            full = Path(os.path.normpath(self.folder / path))
            if full.is_relative_to(self.folder):
                self.uses_here = True
                self.use("pathlib", "Path")
                return f"HERE / {full.relative_to(self.folder).as_posix()!r}"
            return repr(full.as_posix())
        return repr(path)

    # from nodes to blocks

    def write(self, node: Node) -> None:
        self.lines = []
        lost = [link for link in self.workflow.inputs(node)
                if (link.source, link.output) not in self.values]
        before = {module: set(names) for module, names in self.imports.items()}
        try:
            if node.widget in SILENT:
                return
            if lost and node.widget in WRITERS:
                source = next(n for n in self.workflow.nodes if n.id == lost[0].source)
                raise CannotWrite(f"it needs what {source.title!r} sends to "
                                  f"{lost[0].input!r}")
            if node.problem:
                raise CannotWrite(node.problem)
            if node.widget not in WRITERS:
                raise CannotWrite("it has no counterpart in a script")
            WRITERS[node.widget](self, node)
            lines = [f"# {node.title}", *self.lines]
        except CannotWrite as error:
            self.imports = before
            self.missing.append(f"{node.title}: {error}")
            lines = textwrap.wrap(f"MISSING: {node.title}: {error}.", WIDTH,
                                  initial_indent="# ", subsequent_indent="# ")
        self.blocks.append("\n".join(lines))

    def text(self) -> str:
        title = self.workflow.title or "Workflow"
        header = [f'"""{title}: a workflow written as a script."""']
        standard = {module: names for module, names in self.imports.items()
                    if not module.startswith(("Orange", "orange"))}
        for group in (standard, {module: names for module, names in
                                 self.imports.items() if module not in standard}):
            if group:
                header.append("\n".join(
                    import_line(module, group[module])
                    for module in sorted(group, key=str.lower)))
        if self.uses_here:
            header.append("HERE = Path(__file__).parent")
        return "\n\n".join([*header, *self.blocks]) + "\n"


def import_line(module: str, names: set[str]) -> str:
    line = f"from {module} import {', '.join(sorted(names))}"
    if len(line) <= WIDTH:
        return line
    return (f"from {module} import (\n"
            + "".join(f"    {name},\n" for name in sorted(names)) + ")")


def call(function: str, *arguments: str, **options: object) -> str:
    """A call as source code, over several lines where it is long."""
    parts = [*arguments, *(f"{name}={value!r}" for name, value in options.items())]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= WIDTH - 20:
        return line
    return f"{function}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


# Our own widgets

def load_treebank(writer: Writer, node: Node) -> None:
    settings = node.settings
    variable = writer.name(node.title)
    source = settings.get("source", "bundled")
    options = {"on_error": "skip"} if settings.get("skip_bad") else {}
    if source == "bundled":
        writer.use("orange_structpred", "load_bundled")
        writer.add(f"{variable} = load_bundled({settings.get('language', 'en')!r})")
    elif source == "url":
        writer.use("orange_structpred.treebank.remote", "read_url")
        writer.add(f"{variable} = " + call("read_url", repr(settings["url"]), **options))
    else:
        writer.use("orange_structpred", "Treebank")
        path = settings.get("relative_path") or settings.get("path", "")
        writer.add(f"{variable} = " + call(
            "Treebank.from_file", writer.path(path), **options))
    writer.send(node, "Treebank", variable)


def train_parser(writer: Writer, node: Node) -> None:
    writer.use("orange_structpred", "ParserLearner")
    parameters = learner_parameters(node.settings)
    learner = call("ParserLearner", **parameters)
    variable = writer.name(node.title)
    if writer.used(node, "Learner"):
        own = writer.name(f"{node.title} learner")
        writer.add(f"{own} = {learner}")
        writer.send(node, "Learner", own)
        learner = own
    if not writer.received(node, "Treebank"):
        if writer.used(node, "Learner"):
            return
        raise CannotWrite("nothing is connected to 'Treebank'")
    writer.add(f"{variable} = {learner}({writer.one(node, 'Treebank')})")
    writer.send(node, "Parser", variable)
    if writer.used(node, "Training Log"):
        writer.use("orange_structpred.traininglog", "training_log")
        log = writer.name(f"{node.title} log")
        writer.add(f"{log} = training_log({variable}.log)")
        writer.send(node, "Training Log", log)


def apply_parser(writer: Writer, node: Node) -> None:
    parser, treebank = writer.one(node, "Parser"), writer.one(node, "Treebank")
    variable = writer.name(node.title)
    name = node.settings.get("column_name", "")
    options = {"name": name} if name else {}
    writer.add(f"{variable} = " + call(parser, treebank, **options))
    writer.send(node, "Treebank", variable)
    if writer.used(node, "Tokens"):
        writer.use("orange_structpred.evaluation", "prediction_table")
        tokens = writer.name(f"{node.title} tokens")
        writer.add(f"{tokens} = prediction_table({variable}, "
                   f"list({variable}.predictions)[-1])")
        writer.send(node, "Tokens", tokens)


def uas_score(writer: Writer, node: Node) -> None:
    treebanks = writer.received(node, "Treebank")
    if not treebanks:
        raise CannotWrite("nothing is connected to 'Treebank'")
    writer.use("orange_structpred.evaluation", "score_table")
    options = {} if node.settings.get("punct", True) else {"punct": False}
    writer.add(f"print({call('score_table', *treebanks, **options)})")


def tune_parser(writer: Writer, node: Node) -> None:
    from orange_structpred.parameters import tuning_arguments
    writer.use("orange_structpred.tuning", "tune")
    grid, options = tuning_arguments(node.settings)
    variable = writer.name(node.title)
    arguments = [writer.one(node, "Treebank"), repr(grid)]
    validation = writer.received(node, "Validation Treebank")
    if validation:
        arguments.append(f"validation={validation[-1]}")
    writer.add(f"{variable} = {call('tune', *arguments, **options)}")
    writer.add(f"print({variable}.to_table())")
    for output, expression in (("Parser", "parser()"), ("Learner", "learner()"),
                               ("Results", "to_table()")):
        if writer.used(node, output):
            own = writer.name(f"{node.title} {output}")
            writer.add(f"{own} = {variable}.{expression}")
            writer.send(node, output, own)


# Orange's own

def file(writer: Writer, node: Node) -> None:
    recent = node.settings.get("recent_paths") or []
    if node.settings.get("source", 0) != 0:
        source = repr(node.settings.get("url", ""))
    elif recent:
        source = writer.path(recent_path(recent[0]))
    else:
        raise CannotWrite("no file is chosen")
    writer.use("Orange.data", "Table")
    variable = writer.name(node.title)
    writer.add("import orange_structpred  # noqa: F401, E402: reads CoNLL files")
    writer.add(f"{variable} = Table({source})")
    writer.send(node, "Data", variable)


def recent_path(recent) -> str:
    """The path out of what Orange keeps of recently used files."""
    if isinstance(recent, Inert):
        relative, prefix = recent.get("relpath"), recent.get("prefix")
        return relative if relative and prefix == "basedir" else recent.get("abspath", "")
    return str(recent)


def data_sampler(writer: Writer, node: Node) -> None:
    settings = node.settings
    data = writer.one(node, "Data")
    seed = {"random_state": SEED} if settings.get("use_seed", True) else {}
    kind = settings.get("sampling_type", 0)
    if kind == 0:
        share = settings.get("sampleSizePercentage", 70) / 100
        function, arguments, options = "sample", [repr(share)], {}
    elif kind == 1:
        function, arguments = "sample", []
        options = {"size": settings.get("sampleSizeNumber", 1)}
        if settings.get("replacement"):
            options["replace"] = True
    elif kind == 2:
        function, options = "fold", {}
        arguments = [repr(settings.get("selectedFold", 1)),
                     repr(settings.get("number_of_folds", 10))]
    else:
        function, arguments, options = "bootstrap", [], {}
    writer.use("orange_structpred.sampling", function)
    chosen = writer.name(f"{node.title} sample")
    rest = (writer.name(f"{node.title} rest") if writer.used(node, "Remaining Data")
            else "_")
    writer.add(f"{chosen}, {rest} = "
               + call(function, data, *arguments, **options, **seed))
    writer.send(node, "Data Sample", chosen)
    if rest != "_":
        writer.send(node, "Remaining Data", rest)


def concatenate(writer: Writer, node: Node) -> None:
    writer.use("Orange.data", "Table")
    parts = writer.received(node, "Primary Data") + writer.received(
        node, "Additional Data")
    if not parts:
        raise CannotWrite("nothing is connected to it")
    variable = writer.name(node.title)
    writer.add(f"{variable} = Table.concatenate([{', '.join(parts)}])")
    writer.send(node, "Data", variable)


def data_table(writer: Writer, node: Node) -> None:
    data = writer.one(node, "Data")
    writer.add(f"print({data})")
    writer.send(node, "Selected Data", data)


def save_data(writer: Writer, node: Node) -> None:
    writer.add(f"{writer.one(node, 'Data')}.save({saved_path(writer, node)})")


def saved_path(writer: Writer, node: Node) -> str:
    folder, name = node.settings.get("stored_path", ""), node.settings.get(
        "stored_name", "")
    if not name:
        raise CannotWrite("no file is chosen")
    return f"str({writer.path(os.path.join(folder, name))})"


def save_model(writer: Writer, node: Node) -> None:
    writer.use("pickle", "dump")
    writer.add(f"with open({saved_path(writer, node)}, 'wb') as file:")
    writer.add(f"    dump({writer.one(node, 'Model')}, file)")


def load_model(writer: Writer, node: Node) -> None:
    recent = node.settings.get("recent_paths") or []
    if not recent:
        raise CannotWrite("no file is chosen")
    writer.use("pickle", "load")
    variable = writer.name(node.title)
    writer.add(f"with open({writer.path(recent_path(recent[0]))}, 'rb') as file:")
    writer.add(f"    {variable} = load(file)")
    writer.send(node, "Model", variable)


OURS = "orange_structpred.widgets."
CORE = "Orange.widgets."
WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    OURS + "owloadtreebank.OWLoadTreebank": load_treebank,
    OURS + "owtrainparser.OWTrainParser": train_parser,
    OURS + "owapplyparser.OWApplyParser": apply_parser,
    OURS + "owuasscore.OWUASScore": uas_score,
    OURS + "owtuneparser.OWTuneParser": tune_parser,
    CORE + "data.owfile.OWFile": file,
    CORE + "data.owdatasampler.OWDataSampler": data_sampler,
    CORE + "data.owconcatenate.OWConcatenate": concatenate,
    CORE + "data.owtable.OWTable": data_table,
    CORE + "data.owsave.OWSave": save_data,
    CORE + "model.owsavemodel.OWSaveModel": save_model,
    CORE + "model.owloadmodel.OWLoadModel": load_model,
}
# Widgets that show and do not compute: a script needs nothing of them.
SILENT = {OURS + "owtreeviewer.OWTreeViewer", OURS + "owscript.OWScript"}
