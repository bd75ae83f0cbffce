"""How our own widgets are written in a script."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from orange_structpred.export.reading import Node
from orange_structpred.export.source import (
    CannotWrite,
    Code,
    DoesNothing,
    call,
    literal,
    numbers_of,
    setting,
)
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.influence import unused
from orange_structpred.learner.parameters import DEFAULTS
from orange_structpred.learner.settings import learner_parameters
from orange_structpred.problems.table_settings import table_learner_parameters
from orange_structpred.tuning.arguments import check_tuning, tuning_arguments

if TYPE_CHECKING:
    from orange_structpred.export.writer import Writer

OUR_PREFIX = "orange_structpred.widgets."


def write_load_treebank(writer: Writer, node: Node) -> None:
    settings = node.settings
    variable = writer.name(node.title)
    source = setting(settings, "source", "bundled")
    options = {"on_error": "skip"} if setting(settings, "skip_bad", False) else {}
    if source == "bundled":
        writer.use("orange_structpred", "Treebank", "load_bundled")
        writer.assign_file_or(node, variable, "Treebank.from_file", call(
            "load_bundled", literal(setting(settings, "language", "en"))))
    elif source == "ud":
        writer.use("orange_structpred", "Treebank", "load_ud")
        writer.assign_file_or(node, variable, "Treebank.from_file", call(
            "load_ud", literal(setting(settings, "ud", "English-EWT")),
            literal(setting(settings, "part", "train")), options=options))
    elif source == "url":
        url = setting(settings, "url", "")
        if not url:
            raise DoesNothing("no address is chosen")
        writer.use("orange_structpred", "Treebank")
        writer.assign_file_or(node, variable, "Treebank.from_file", call(
            "Treebank.from_url", literal(url), options=options))
    elif source == "file":
        absolute = setting(settings, "path", "")
        relative = setting(settings, "relative_path", "")
        if not (absolute or relative):
            raise DoesNothing("no file is chosen")
        writer.use("orange_structpred", "Treebank")
        file = writer.file(node, variable, writer.path(absolute, relative))
        writer.assign(variable, "Treebank.from_file", file, options=options)
    else:
        raise CannotWrite(f"its source {source!r:.60} is not known")
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
    treebank = writer.received(node, "Treebank")
    validated: dict[str, object] = {}
    if validation := writer.received(node, "Validation Treebank"):
        validated["validation"] = Code(validation[-1])
        if not setting(node.settings, "keep_best", True):
            validated["keep"] = "last"
    if unlabelled := writer.received(node, "Unlabelled Sentences"):
        validated["unlabelled"] = Code(unlabelled[-1])
    if parameters.get("solver") == "one-slack":     # on a cluster, too, the same parser
        validated["client"] = writer.scheduler()
    if not treebank and not writer.used(node, "Learner"):
        raise DoesNothing("nothing is connected to its input 'Treebank'")
    writer.use("orange_structpred", "ParserLearner")
    if writer.used(node, "Learner"):
        learner = writer.name(f"{node.title} learner")
        writer.assign(learner, "ParserLearner", options=parameters)
        writer.send(node, "Learner", learner)
        if not treebank:
            return
        variable = writer.name(node.title)
        writer.assign(variable, learner, treebank[-1], options=validated)
    else:
        variable = writer.name(node.title)
        writer.assign(variable, "ParserLearner", options=parameters,
                      after=call("", treebank[-1], options=validated))
    writer.send(node, "Parser", variable)
    if writer.used(node, "Training Log"):
        writer.use("orange_structpred.learner", "training_log")
        log = writer.name(f"{node.title} log")
        writer.add(f"{log} = training_log({variable}.log, name={variable}.name)")
        writer.send(node, "Training Log", log)


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
        writer.use("orange_structpred.evaluation", "prediction_table")
        table = writer.name(f"{node.title} tokens")
        last = f"list({variable}.predictions)[-1]"
        writer.assign(table, "prediction_table", variable, last)
        writer.send(node, "Tokens", table)
        if fill:        # the table has the heads from before
            writer.add(f"{variable} = {variable}.fill_heads()")
    writer.send(node, "Treebank", variable)


def write_uas_score(writer: Writer, node: Node) -> None:
    """Prints the scores; sends on what is selected among them."""
    treebanks = writer.received(node, "Treebank")
    if not treebanks:
        raise DoesNothing("nothing is connected to its input 'Treebank'")
    settings = node.settings
    punct = {} if setting(settings, "punct", True) else {"punct": False}
    if not any(writer.used(node, output)
               for output in ("Treebank", "Errors", "Scores", "Tag Scores")):
        writer.use("orange_structpred.evaluation", "score_table")
        writer.add(call("score_table", *treebanks, options=punct, width=writer.width,
                        before="print(", after=")"))
        return
    writer.use("orange_structpred.evaluation", "score_treebanks")
    scores = writer.name(node.title)
    writer.assign(scores, "score_treebanks", *treebanks)
    writer.add(f"print({call(f'{scores}.text', options=punct)})")
    if writer.used(node, "Scores"):
        table = writer.name(f"{node.title} table")
        writer.assign(table, f"{scores}.table", options=punct)
        writer.send(node, "Scores", table)
    if writer.used(node, "Tag Scores"):
        table = writer.name(f"{node.title} tags")
        writer.assign(table, f"{scores}.tag_table")
        writer.send(node, "Tag Scores", table)
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
        if writer.used(node, output):
            variable = writer.name(f"{node.title} {method}")
            writer.assign(variable, f"{scores}.{method}",
                          options={**selected, **punct, **options})
            writer.send(node, output, variable)


def write_treebank_viewer(writer: Writer, node: Node) -> None:
    """Nothing, but for the sentences that are selected in it."""
    rows = numbers_of(node.settings, "selection")
    if rows and writer.used(node, "Selected Sentences"):
        variable = writer.name(f"{node.title} selection")
        writer.add(f"{variable} = {writer.one(node, 'Treebank')}[{literal(rows)}]")
        writer.send(node, "Selected Sentences", variable)
    else:
        writer.withhold(node, "Selected Sentences", "no sentence is selected in it")


def write_tune_parser(writer: Writer, node: Node) -> None:
    treebank = writer.one(node, "Treebank")
    validation = writer.received(node, "Validation Treebank")
    grid, options = tuning_arguments(node.settings, validation=bool(validation))
    check_tuning(grid, options)
    writer.use("orange_structpred.tuning.search", "tune")
    if validation:
        options = {"validation": Code(validation[-1]), **options}
    if unlabelled := writer.received(node, "Unlabelled Sentences"):
        options = {"unlabelled": Code(unlabelled[-1]), **options}
    options["random_state"] = writer.seed(options.pop("random_state", 0))
    options["client"] = writer.scheduler()
    grid["C"] = writer.C(node, grid["C"])
    variable = writer.name(node.title)
    writer.assign(variable, "tune", treebank, code_of_grid(grid), options=options)
    if not writer.used(node, "Results"):
        writer.add(f"print({variable}.to_table())")
    point = ""      # the best, or what was selected by hand
    if selection := setting(node.settings, "selection", {}):
        point = writer.name(f"{node.title} point")
        writer.assign(point, f"{variable}.point", options={
            "label": setting(selection, "label", ""), "C": setting(selection, "C", 1.)})
    for output, expression in (("Parser", f"parser({point})"),
                               ("Learner", f"learner({point})"),
                               ("Results", "to_table()")):
        if writer.used(node, output):
            output_variable = writer.name(f"{node.title} {output}")
            writer.add(f"{output_variable} = {variable}.{expression}")
            writer.send(node, output, output_variable)


def code_of_grid(grid: dict) -> Code:
    return Code("{" + ", ".join(f"{literal(name)}: {literal(values)}"
                                for name, values in grid.items()) + "}")


def write_save_parser(writer: Writer, node: Node) -> None:
    pipelines = writer.received(node, "Pipeline")
    save_to_file(writer, node, pipelines[-1] if pipelines else writer.one(node, "Parser"))


def save_to_file(writer: Writer, node: Node, variable: str) -> None:
    """Call `save` of a variable with the file that a widget has chosen."""
    folder, name = (setting(node.settings, key, "")
                    for key in ("stored_path", "stored_name"))
    if not name:
        raise DoesNothing("no file is chosen")
    path = writer.path(os.path.join(folder, name))
    writer.add(f"{variable}.save({writer.file(node, writer.name(node.title), path)})")


def write_save_treebank(writer: Writer, node: Node) -> None:
    treebank = writer.one(node, "Treebank")
    writer.use("orange_structpred", "Treebank")
    save_to_file(writer, node, f"Treebank.from_table({treebank})")


def write_load_parser(writer: Writer, node: Node) -> None:
    absolute, relative = (setting(node.settings, key, "")
                          for key in ("path", "relative_path"))
    if not (absolute or relative):
        raise DoesNothing("no file is chosen")
    variable = writer.name(node.title)
    file = writer.file(node, variable, writer.path(absolute, relative))
    if not writer.used(node, "Pipeline"):
        writer.use("orange_structpred", "load_parser")
        writer.assign(variable, "load_parser", file)
        writer.send(node, "Parser", variable)
        return
    writer.use("orange_structpred", "load_model")
    writer.assign(variable, "load_model", file)
    writer.send(node, "Pipeline", variable)
    if writer.used(node, "Parser"):
        parser = writer.name(f"{node.title} parser")
        writer.add(f"{parser} = {variable}.parser")
        writer.send(node, "Parser", parser)


def write_structured_svm(writer: Writer, node: Node) -> None:
    if writer.received(node, "Preprocessor"):
        raise CannotWrite("preprocessors have no counterpart")
    parameters = table_learner_parameters(node.settings)
    data = writer.received(node, "Data")
    if not data and not writer.used(node, "Learner"):
        raise DoesNothing("nothing is connected to its input 'Data'")
    writer.use("orange_structpred.problems.tables", "StructuredSVMLearner")
    if writer.used(node, "Learner"):
        learner = writer.name(f"{node.title} learner")
        writer.assign(learner, "StructuredSVMLearner", options=parameters)
        writer.send(node, "Learner", learner)
        if not data:
            return
        variable = writer.name(node.title)
        writer.assign(variable, learner, data[-1])
    else:
        variable = writer.name(node.title)
        writer.assign(variable, "StructuredSVMLearner", options=parameters,
                      after=f"({data[-1]})")
    writer.send(node, "Model", variable)


def write_workflow_to_script(writer: Writer, node: Node) -> None:
    """Nothing: this is it."""


OUR_WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    OUR_PREFIX + "owloadtreebank.OWLoadTreebank": write_load_treebank,
    OUR_PREFIX + "owtrainparser.OWTrainParser": write_train_parser,
    OUR_PREFIX + "owapplyparser.OWApplyParser": write_apply_parser,
    OUR_PREFIX + "owuasscore.OWUASScore": write_uas_score,
    OUR_PREFIX + "owtreebankviewer.OWTreebankViewer": write_treebank_viewer,
    OUR_PREFIX + "owtreeviewer.OWTreeViewer": write_treebank_viewer,       # its first name
    OUR_PREFIX + "owtuneparser.OWTuneParser": write_tune_parser,
    OUR_PREFIX + "owsaveparser.OWSaveParser": write_save_parser,
    OUR_PREFIX + "owsavetreebank.OWSaveTreebank": write_save_treebank,
    OUR_PREFIX + "owloadparser.OWLoadParser": write_load_parser,
    OUR_PREFIX + "owstructuredsvm.OWStructuredSVM": write_structured_svm,
    OUR_PREFIX + "owscript.OWScript": write_workflow_to_script,
}
