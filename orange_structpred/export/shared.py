"""What several widgets have in common in a script: files, selections, learners."""
from __future__ import annotations

import os
from collections.abc import Mapping

from orange_structpred.export.reading import Node
from orange_structpred.export.source import Code, DoesNothing, call, numbers_of, setting
from orange_structpred.export.writer import Writer


def address(node: Node) -> str:
    """The address that a widget reads from."""
    url = setting(node.settings, "url", "")
    if not url:
        raise DoesNothing("no address is chosen")
    return url


def read_file(writer: Writer, node: Node, variable: str) -> Code:
    """The file that a widget of ours reads."""
    absolute, relative = (setting(node.settings, key, "")
                          for key in ("path", "relative_path"))
    if not (absolute or relative):
        raise DoesNothing("no file is chosen")
    return writer.file(node, variable, writer.path(absolute, relative))


def saved_path(node: Node) -> str:
    folder, name = (setting(node.settings, key, "")
                    for key in ("stored_path", "stored_name"))
    if not name:
        raise DoesNothing("no file is chosen")
    return os.path.join(folder, name)


def saved_file(writer: Writer, node: Node) -> Code:
    """The file that a widget saves to."""
    path = writer.path(saved_path(node))
    return writer.file(node, writer.name(node.title), path)


def write_selected_sentences(writer: Writer, node: Node, treebank: str = "") -> None:
    """Nothing, but for the sentences that are selected in a widget.

    treebank : the variable, by default that of the widget's input
    """
    rows = numbers_of(node.settings, "selection")
    if rows and writer.used(node, "Selected Sentences"):
        writer.give_rows(node, "Selected Sentences",
                         treebank or writer.one(node, "Treebank"), rows)
    else:
        writer.withhold(node, "Selected Sentences", "no sentence is selected in it")


def give_training_log(writer: Writer, node: Node, model: str, step: str) -> None:
    """step : the model, or the one of its steps whose log it is"""
    writer.give(node, "Training Log", "training_log", f"{step}.log", f"name={model}.name",
                suffix="log", module="orange_structpred.learner")


def learner_and_model(writer: Writer, node: Node, channel: str, kind: str,
                      parameters: Mapping[str, object], module: str,
                      options: Mapping[str, object] | None = None) -> str:
    """Writes a learner, if anything is connected to the output of this name, and the
    model that it makes of what comes in by a channel; the variable of the model, if
    there is one.

    kind, parameters, module : the learner's class, its parameters, where the class is
    options : of the learner's call
    """
    data = writer.received(node, channel)
    if not writer.used(node, "Learner"):
        return writer.new(node, kind, options=parameters, module=module, after=call(
            "", writer.one(node, channel), options=options))
    learner = writer.new(node, kind, options=parameters, suffix="learner", module=module)
    writer.send(node, "Learner", learner)
    return writer.new(node, learner, data[-1], options=options) if data else ""
