"""How our own widgets are written in a script."""
from __future__ import annotations

from typing import Any

from orange_structpred.export.reading import Node
from orange_structpred.export.shared import (
    address,
    give_training_log,
    learner_and_model,
    read_file,
    saved_file,
)
from orange_structpred.export.source import CannotWrite, Code, call, literal, setting
from orange_structpred.export.writer import Writer
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.influence import unused
from orange_structpred.learner.parameters import DEFAULTS
from orange_structpred.learner.settings import learner_parameters
from orange_structpred.problems.table_settings import table_learner_parameters
from orange_structpred.tuning.arguments import check_tuning, tuning_arguments


def write_load_treebank(writer: Writer, node: Node) -> None:
    settings = node.settings
    variable = writer.name(node.title)
    source = setting(settings, "source", "bundled")
    options = {"on_error": "skip"} if setting(settings, "skip_bad", False) else {}
    writer.use("orange_structpred", "Treebank")
    if source == "file":
        writer.assign(variable, "Treebank.from_file", read_file(writer, node, variable),
                      options=options)
    else:
        if source == "bundled":
            writer.use("orange_structpred", "load_bundled")
            loaded = call("load_bundled", literal(setting(settings, "language", "en")))
        elif source == "ud":
            writer.use("orange_structpred", "load_ud")
            loaded = call("load_ud", literal(setting(settings, "ud", "English-EWT")),
                          literal(setting(settings, "part", "train")), options=options)
        elif source == "url":
            loaded = call("Treebank.from_url", literal(address(node)), options=options)
        else:
            raise CannotWrite(f"its source {source!r:.60} is not known")
        writer.assign_file_or(node, variable, "Treebank.from_file", loaded)
    writer.send(node, "Treebank", variable)


def learner_options(writer: Writer, node: Node) -> dict[str, Any]:
    """Keyword arguments of the learner that a widget's settings stand for."""
    parameters = learner_parameters(node.settings)
    complete = {**DEFAULTS, **parameters}
    ParserLearner(**complete).check()
    if not unused("C", complete):
        parameters["C"] = writer.C(node, complete["C"])
    if complete["random_state"] is not None:
        parameters["random_state"] = writer.seed(complete["random_state"])
    return {name: parameters[name] for name in DEFAULTS if name in parameters}


def write_train_parser(writer: Writer, node: Node) -> None:
    parameters = learner_options(writer, node)
    validated: dict[str, object] = {}
    if validation := writer.received(node, "Validation Treebank"):
        validated["validation"] = Code(validation[-1])
        if not setting(node.settings, "keep_best", True):
            validated["keep"] = "last"
    if unlabelled := writer.received(node, "Unlabelled Sentences"):
        validated["unlabelled"] = Code(unlabelled[-1])
    if parameters.get("solver") == "one-slack":     # on a cluster, too, the same parser
        validated["client"] = writer.scheduler()
    parser = learner_and_model(
        writer, node, "Treebank", "ParserLearner", parameters, "orange_structpred",
        validated)
    if parser:
        writer.send(node, "Parser", parser)
        give_training_log(writer, node, parser, parser)


def write_apply_parser(writer: Writer, node: Node) -> None:
    parser, treebank = writer.one(node, "Parser"), writer.one(node, "Treebank")
    variable = writer.name(node.title)
    name = setting(node.settings, "column_name", "").strip()
    fill = setting(node.settings, "fill_heads", False)
    tokens = writer.used(node, "Tokens")
    options = {"name": name} if name else {}
    if setting(node.settings, "probabilities", False):
        options["probabilities"] = True
    options["client"] = writer.scheduler()
    writer.assign(variable, parser, treebank, options=options,
                  after=".fill_heads()" if fill and not tokens else "")
    if tokens:
        writer.give(node, "Tokens", "prediction_table", variable,
                    f"list({variable}.predictions)[-1]", suffix="tokens",
                    module="orange_structpred.evaluation")
        if fill:        # the table has the heads from before
            writer.add(f"{variable} = {variable}.fill_heads()")
    writer.send(node, "Treebank", variable)


def write_uas_score(writer: Writer, node: Node) -> None:
    """Prints the scores; sends on what is selected among them."""
    treebanks, settings = writer.needed(node, "Treebank"), node.settings
    punct = {} if setting(settings, "punct", True) else {"punct": False}
    if not any(writer.used(node, output)
               for output in ("Treebank", "Errors", "Scores", "Tag Scores")):
        writer.use("orange_structpred.evaluation", "score_table")
        writer.add(call("score_table", *treebanks, options=punct, width=writer.width,
                        before="print(", after=")"))
        return
    scores = writer.new(node, "score_treebanks", *treebanks,
                        module="orange_structpred.evaluation")
    writer.add(f"print({call(f'{scores}.text', options=punct)})")
    writer.give(node, "Scores", f"{scores}.table", options=punct, suffix="table")
    writer.give(node, "Tag Scores", f"{scores}.tag_table", suffix="tags")
    bars = setting(settings, "selected_bars", [])
    parsers = setting(settings, "selected_parsers", [])
    if not (bars or parsers):
        for output in ("Treebank", "Errors"):
            writer.withhold(node, output, "nothing is selected in it")
        return
    selected = {"selected": [tuple(bar) for bar in bars],
                "by": setting(settings, "by", "sentence length")} if bars \
        else {"selected": list(parsers)}
    only_errors = {"only_errors": True} if setting(settings, "only_errors", False) else {}
    for output, method, options in (("Treebank", "sentences", only_errors),
                                    ("Errors", "errors", {})):
        writer.give(node, output, f"{scores}.{method}", suffix=method,
                    options={**selected, **punct, **options})


def write_tune_parser(writer: Writer, node: Node) -> None:
    treebank = writer.one(node, "Treebank")
    validation = writer.received(node, "Validation Treebank")
    grid, options = tuning_arguments(node.settings, validation=bool(validation))
    check_tuning(grid, options)
    if validation:
        options = {"validation": Code(validation[-1]), **options}
    if unlabelled := writer.received(node, "Unlabelled Sentences"):
        options = {"unlabelled": Code(unlabelled[-1]), **options}
    options["random_state"] = writer.seed(options.pop("random_state", 0))
    options["client"] = writer.scheduler()
    grid["C"] = writer.C(node, grid["C"])
    variable = writer.new(node, "tune", treebank, code_of_grid(grid), options=options,
                          module="orange_structpred.tuning.search")
    if not writer.used(node, "Results"):
        writer.add(f"print({variable}.to_table())")
    point = []      # the best, or what was selected by hand
    if selection := setting(node.settings, "selection", {}):
        point = [writer.new(node, f"{variable}.point", suffix="point", options={
            "label": setting(selection, "label", ""), "C": setting(selection, "C", 1.)})]
    for output, method, arguments in (("Parser", "parser", point),
                                      ("Learner", "learner", point),
                                      ("Results", "to_table", [])):
        writer.give(node, output, f"{variable}.{method}", *arguments, suffix=output)


def code_of_grid(grid: dict) -> Code:
    return Code("{" + ", ".join(f"{literal(name)}: {literal(values)}"
                                for name, values in grid.items()) + "}")


def write_save_parser(writer: Writer, node: Node) -> None:
    pipelines = writer.received(node, "Pipeline")
    model = pipelines[-1] if pipelines else writer.one(node, "Parser")
    writer.add(f"{model}.save({saved_file(writer, node)})")


def write_save_treebank(writer: Writer, node: Node) -> None:
    treebank = writer.one(node, "Treebank")
    writer.use("orange_structpred", "Treebank")
    writer.add(f"Treebank.from_table({treebank}).save({saved_file(writer, node)})")


def write_load_parser(writer: Writer, node: Node) -> None:
    variable = writer.name(node.title)
    file = read_file(writer, node, variable)
    pipeline = writer.used(node, "Pipeline")
    writer.assign(variable, "load_model" if pipeline else "load_parser", file,
                  module="orange_structpred")
    writer.send(node, "Pipeline" if pipeline else "Parser", variable)
    if pipeline and writer.used(node, "Parser"):
        parser = writer.name(f"{node.title} parser")
        writer.add(f"{parser} = {variable}.parser")
        writer.send(node, "Parser", parser)


def write_structured_svm(writer: Writer, node: Node) -> None:
    if writer.received(node, "Preprocessor"):
        raise CannotWrite("preprocessors have no counterpart")
    model = learner_and_model(
        writer, node, "Data", "StructuredSVMLearner",
        table_learner_parameters(node.settings), "orange_structpred.problems.tables")
    if model:
        writer.send(node, "Model", model)


def write_workflow_to_script(writer: Writer, node: Node) -> None:
    """Nothing: this is it."""
