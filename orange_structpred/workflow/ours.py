"""How our own widgets are written in a script."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orange_structpred.parameters import learner_parameters
from orange_structpred.workflow.reading import Node
from orange_structpred.workflow.source import Code, DoesNothing, call, literal

if TYPE_CHECKING:
    from orange_structpred.script import Writer

PREFIX = "orange_structpred.widgets."


def load_treebank(writer: Writer, node: Node) -> None:
    settings = node.settings
    source = settings.get("source", "bundled")
    options = {"on_error": "skip"} if settings.get("skip_bad") else {}
    if source == "bundled":
        writer.use("orange_structpred", "load_bundled")
        loading = call("load_bundled", literal(settings.get("language", "en")))
    elif source == "url":
        if not settings.get("url"):
            raise DoesNothing("no address is chosen")
        writer.use("orange_structpred", "Treebank")
        loading = call("Treebank.from_url", literal(settings["url"]), **options)
    else:
        absolute, relative = settings.get("path", ""), settings.get("relative_path", "")
        if not (absolute or relative):
            raise DoesNothing("no file is chosen")
        writer.use("orange_structpred", "Treebank")
        loading = call("Treebank.from_file", writer.path(absolute, relative), **options)
    variable = writer.name(node.title)
    writer.add(f"{variable} = {loading}")
    writer.send(node, "Treebank", variable)


def train_parser(writer: Writer, node: Node) -> None:
    learner = call("ParserLearner", **learner_parameters(node.settings))
    treebank = writer.received(node, "Treebank")
    if not treebank and not writer.used(node, "Learner"):
        raise DoesNothing("nothing comes to its input 'Treebank'")
    writer.use("orange_structpred", "ParserLearner")
    if writer.used(node, "Learner"):
        own = writer.name(f"{node.title} learner")
        writer.add(f"{own} = {learner}")
        writer.send(node, "Learner", own)
        learner = own
    if not treebank:
        return
    variable = writer.name(node.title)
    writer.add(f"{variable} = {learner}({treebank[-1]})")
    writer.send(node, "Parser", variable)
    if writer.used(node, "Training Log"):
        writer.use("orange_structpred.traininglog", "training_log")
        log = writer.name(f"{node.title} log")
        writer.add(f"{log} = training_log({variable}.log, name={variable}.name)")
        writer.send(node, "Training Log", log)


def apply_parser(writer: Writer, node: Node) -> None:
    parser, treebank = writer.one(node, "Parser"), writer.one(node, "Treebank")
    variable = writer.name(node.title)
    name = node.settings.get("column_name", "").strip()
    writer.add(f"{variable} = "
               + call(parser, treebank, **({"name": name} if name else {})))
    writer.send(node, "Treebank", variable)
    if writer.used(node, "Tokens"):
        writer.use("orange_structpred.evaluation", "prediction_table")
        tokens = writer.name(f"{node.title} tokens")
        last = f"list({variable}.predictions)[-1]"
        writer.add(f"{tokens} = {call('prediction_table', variable, last)}")
        writer.send(node, "Tokens", tokens)


def uas_score(writer: Writer, node: Node) -> None:
    """Prints the scores; sends errors on if one parser as a whole is selected."""
    treebanks = writer.received(node, "Treebank")
    if not treebanks:
        raise DoesNothing("nothing comes to its input 'Treebank'")
    writer.use("orange_structpred.evaluation", "score_table")
    options = {} if node.settings.get("punct", True) else {"punct": False}
    writer.add(f"print({call('score_table', *treebanks, **options)})")
    selected = node.settings.get("selected_parsers", [])
    if (len(treebanks) == len(selected) == 1 and writer.used(node, "Errors")
            and not node.settings.get("selected_bars")):
        writer.use("orange_structpred.evaluation", "wrong_tokens")
        errors = writer.name(f"{node.title} errors")
        writer.add(f"{errors} = " + call(
            "wrong_tokens", treebanks[0], literal(selected[0]), **options))
        writer.send(node, "Errors", errors)


def tree_viewer(writer: Writer, node: Node) -> None:
    """Nothing, but for the sentences that are selected in it."""
    rows = node.settings.get("selection", [])
    if rows and writer.used(node, "Selected Sentences"):
        variable = writer.name(f"{node.title} selection")
        writer.add(f"{variable} = {writer.one(node, 'Treebank')}[{literal(rows)}]")
        writer.send(node, "Selected Sentences", variable)


def tune_parser(writer: Writer, node: Node) -> None:
    from orange_structpred.parameters import tuning_arguments
    grid, options = tuning_arguments(node.settings)
    treebank = writer.one(node, "Treebank")
    writer.use("orange_structpred.tuning", "tune")
    validation = writer.received(node, "Validation Treebank")
    if validation:
        options = {"validation": Code(validation[-1]), **options}
    variable = writer.name(node.title)
    writer.add(f"{variable} = {call('tune', treebank, literal(grid), **options)}")
    writer.add(f"print({variable}.to_table())")
    for output, expression in (("Parser", "parser()"), ("Learner", "learner()"),
                               ("Results", "to_table()")):
        if writer.used(node, output):
            own = writer.name(f"{node.title} {output}")
            writer.add(f"{own} = {variable}.{expression}")
            writer.send(node, output, own)


def workflow_to_script(writer: Writer, node: Node) -> None:
    """Nothing: this is it."""


WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    PREFIX + "owloadtreebank.OWLoadTreebank": load_treebank,
    PREFIX + "owtrainparser.OWTrainParser": train_parser,
    PREFIX + "owapplyparser.OWApplyParser": apply_parser,
    PREFIX + "owuasscore.OWUASScore": uas_score,
    PREFIX + "owtreeviewer.OWTreeViewer": tree_viewer,
    PREFIX + "owtuneparser.OWTuneParser": tune_parser,
    PREFIX + "owscript.OWScript": workflow_to_script,
}
