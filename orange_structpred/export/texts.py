"""How our widgets that lead from text to trees are written in a script."""
from __future__ import annotations

from pathlib import PurePath

from orange_structpred.export.reading import Node
from orange_structpred.export.shared import give_training_log, read_file
from orange_structpred.export.source import (
    CannotWrite,
    Code,
    DoesNothing,
    call,
    literal,
    setting,
)
from orange_structpred.export.writer import Writer
from orange_structpred.pipeline.settings import (
    TAGGING_DEFAULTS,
    make_learner,
    pipeline_arguments,
)
from orange_structpred.pipeline.trained_pipeline import PIPELINE_STEPS


def write_train_tagger(writer: Writer, node: Node) -> None:
    as_learner = writer.used(node, "Learner")
    if not as_learner:
        writer.one(node, "Treebank")        # complains if there is none
    settings = {name: setting(node.settings, name, default)
                for name, default in TAGGING_DEFAULTS.items()}
    make_learner(settings)          # complains of what cannot be trained
    options, tagger = pipeline_arguments(settings)
    options["random_state"] = writer.seed(settings["random_state"])
    if "tagger" in options.get("steps", PIPELINE_STEPS):
        tagger["C"] = writer.C(node, settings["C"])
        tagger["random_state"] = options["random_state"]
        writer.use("orange_structpred", "TaggerLearner")
        if as_learner:
            learner = writer.new(node, "TaggerLearner", options=tagger, suffix="learner")
            writer.send(node, "Learner", learner)
            options = {**options, "tagger": Code(learner)}
        else:
            options = {**options, "tagger": Code(call("TaggerLearner", options=tagger))}
    elif as_learner:
        writer.withhold(node, "Learner", "it learns no tags")
    if not writer.received(node, "Treebank"):
        return
    variable = writer.new(
        node, "PipelineLearner", options=options, module="orange_structpred", after=call(
            "", writer.one(node, "Treebank"), options={"client": writer.scheduler()}))
    writer.send(node, "Pipeline", variable)
    if writer.used(node, "Training Log"):
        steps = options.get("steps", ["tagger"])
        step = next((name for name in ("tagger", "parser") if name in steps), "")
        if not step:
            writer.withhold(node, "Training Log", "it learns neither tags nor trees")
            return
        give_training_log(writer, node, variable, f"{variable}.{step}")


def write_apply_tagger(writer: Writer, node: Node) -> None:
    pipeline, treebank = writer.one(node, "Pipeline"), writer.one(node, "Treebank")
    name = setting(node.settings, "column_name", "").strip()
    mode = setting(node.settings, "place", "beside")
    if mode not in ("beside", "instead"):
        raise CannotWrite(f"its setting place is {mode!r:.60}")
    variable = writer.name(node.title)
    compared = writer.used(node, "Confusions")
    instead = ".use_tags()" if mode == "instead" else ""
    options: dict[str, object] = {"name": name} if name else {}
    options["client"] = writer.scheduler()
    writer.assign(variable, pipeline, treebank, options=options,
                  after="" if compared else instead)
    if compared:
        writer.give(node, "Confusions", "tag_confusions", variable, suffix="confusions",
                    module="orange_structpred.evaluation")
        if instead:
            used = writer.name(f"{node.title} used")
            writer.add(f"{used} = {variable}{instead}")
            variable = used
    writer.send(node, "Treebank", variable)


def write_import_text(writer: Writer, node: Node) -> None:
    options: dict[str, object] = {}
    if pipelines := writer.received(node, "Pipeline"):
        options["tokeniser"] = Code(f"{pipelines[-1]}.tokeniser")
    variable = writer.name(node.title)
    kind, arguments, named = text_source(writer, node, variable)
    function = "import_table" if kind == "data" else "import_text"
    writer.assign(variable, function, *arguments, options={**options, **named},
                  module="orange_structpred")
    writer.send(node, "Treebank", variable)


def write_annotate(writer: Writer, node: Node) -> None:
    pipeline = writer.one(node, "Pipeline")
    variable = writer.name(node.title)
    kind, arguments, named = text_source(writer, node, variable)
    function = "annotate_table" if kind == "data" else "annotate_text"
    writer.use("orange_structpred.pipeline.documents", function)
    if setting(node.settings, "probabilities", False):
        named["probabilities"] = True
    named["client"] = writer.scheduler()
    if kind != "data":
        writer.assign(variable, function, pipeline, *arguments, options=named)
        writer.withhold(node, "Corpus", "its text is not a corpus")
    else:
        corpus = writer.name(f"{node.title} corpus") if writer.used(node, "Corpus") \
            else "_"
        writer.assign(f"{variable}, {corpus}", function, pipeline, *arguments,
                      options=named)
        if corpus != "_":
            writer.send(node, "Corpus", corpus)
    writer.send(node, "Treebank", variable)


def text_source(writer: Writer, node: Node, variable: str
                ) -> tuple[str, list[str], dict[str, object]]:
    """Where a widget takes its text from: the kind of source, arguments of a function
    that reads it, and the name of the text."""
    settings = node.settings
    if data := writer.received(node, "Data"):
        column = setting(settings, "column", "")
        return "data", [data[-1], *([literal(column)] if column else [])], {}
    kind = setting(settings, "source", "text")
    if kind == "file":
        file = read_file(writer, node, variable)
        writer.use("orange_structpred", "read_text")
        return kind, [f"read_text({file})"], {"name": PurePath(
            setting(settings, "path", "") or setting(settings, "relative_path", "")).stem}
    text = setting(settings, "text", "")
    if kind != "text" or not text.strip():
        raise DoesNothing("it has no text")
    return kind, [literal(text)], {}
