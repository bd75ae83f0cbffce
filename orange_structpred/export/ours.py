"""How our own widgets are written in a script."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orange_structpred.export.reading import Node
from orange_structpred.export.source import (
    WIDTH,
    CannotWrite,
    Code,
    DoesNothing,
    call,
    literal,
    numbers_of,
    setting,
)
from orange_structpred.parameters.influence import DEFAULTS
from orange_structpred.parameters.kinds import check_parameters
from orange_structpred.parameters.settings import learner_parameters
from orange_structpred.tuning.arguments import check_tuning, tuning_arguments

if TYPE_CHECKING:
    from orange_structpred.export.script import Writer

PREFIX = "orange_structpred.widgets."


def load_treebank(writer: Writer, node: Node) -> None:
    settings = node.settings
    variable = writer.name(node.title)
    source = setting(settings, "source", "bundled")
    options = {"on_error": "skip"} if setting(settings, "skip_bad", False) else {}
    if source == "bundled":
        writer.use("orange_structpred", "load_bundled")
        writer.assign(variable, "load_bundled",
                      literal(setting(settings, "language", "en")))
    elif source == "url":
        url = setting(settings, "url", "")
        if not url:
            raise DoesNothing("no address is chosen")
        writer.use("orange_structpred", "Treebank")
        writer.assign(variable, "Treebank.from_url", literal(url), options=options)
    elif source == "file":
        absolute = setting(settings, "path", "")
        relative = setting(settings, "relative_path", "")
        if not (absolute or relative):
            raise DoesNothing("no file is chosen")
        writer.use("orange_structpred", "Treebank")
        writer.assign(variable, "Treebank.from_file", writer.path(absolute, relative),
                      options=options)
    else:
        raise CannotWrite(f"its source {source!r:.60} is not known")
    writer.send(node, "Treebank", variable)


def train_parser(writer: Writer, node: Node) -> None:
    parameters = learner_parameters(node.settings)
    check_parameters({**DEFAULTS, **parameters})
    treebank = writer.received(node, "Treebank")
    if not treebank and not writer.used(node, "Learner"):
        raise DoesNothing("nothing comes to its input 'Treebank'")
    writer.use("orange_structpred", "ParserLearner")
    if writer.used(node, "Learner"):
        learner = writer.name(f"{node.title} learner")
        writer.assign(learner, "ParserLearner", options=parameters)
        writer.send(node, "Learner", learner)
        if not treebank:
            return
        variable = writer.name(node.title)
        writer.add(f"{variable} = {learner}({treebank[-1]})")
    else:
        variable = writer.name(node.title)
        writer.assign(variable, "ParserLearner", options=parameters,
                      after=f"({treebank[-1]})")
    writer.send(node, "Parser", variable)
    if writer.used(node, "Training Log"):
        writer.use("orange_structpred.training", "training_log")
        log = writer.name(f"{node.title} log")
        writer.add(f"{log} = training_log({variable}.log, name={variable}.name)")
        writer.send(node, "Training Log", log)


def apply_parser(writer: Writer, node: Node) -> None:
    parser, treebank = writer.one(node, "Parser"), writer.one(node, "Treebank")
    variable = writer.name(node.title)
    name = setting(node.settings, "column_name", "").strip()
    fill = setting(node.settings, "fill_heads", False)
    tokens = writer.used(node, "Tokens")
    writer.assign(variable, parser, treebank,
                  options={"name": name} if name else {},
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


def uas_score(writer: Writer, node: Node) -> None:
    """Prints the scores; sends errors on if one parser as a whole is selected."""
    treebanks = writer.received(node, "Treebank")
    if not treebanks:
        raise DoesNothing("nothing comes to its input 'Treebank'")
    writer.use("orange_structpred.evaluation", "score_table")
    options = {} if setting(node.settings, "punct", True) else {"punct": False}
    table = call("score_table", *treebanks, options=options,
                 room=WIDTH - len("print()"))
    writer.add(f"print({table})")
    selected = setting(node.settings, "selected_parsers", [])
    if (len(treebanks) == len(selected) == 1 and writer.used(node, "Errors")
            and not node.settings.get("selected_bars")):
        writer.use("orange_structpred.evaluation", "wrong_tokens")
        errors = writer.name(f"{node.title} errors")
        writer.assign(errors, "wrong_tokens", treebanks[0], literal(str(selected[0])),
                      options=options)
        writer.send(node, "Errors", errors)
    else:
        writer.withhold(node, "Errors", "only the errors of one treebank and parser, "
                        "without a choice of bars, can be written")
    writer.withhold(node, "Treebank", "sentences that are selected by their scores "
                    "cannot be written")
    writer.withhold(node, "Scores", "a script prints the scores")


def tree_viewer(writer: Writer, node: Node) -> None:
    """Nothing, but for the sentences that are selected in it."""
    rows = numbers_of(node.settings, "selection")
    if rows and writer.used(node, "Selected Sentences"):
        variable = writer.name(f"{node.title} selection")
        writer.add(f"{variable} = {writer.one(node, 'Treebank')}[{literal(rows)}]")
        writer.send(node, "Selected Sentences", variable)
    else:
        writer.withhold(node, "Selected Sentences", "no sentence is selected in it")


def tune_parser(writer: Writer, node: Node) -> None:
    treebank = writer.one(node, "Treebank")
    validation = writer.received(node, "Validation Treebank")
    grid, options = tuning_arguments(node.settings, validation=bool(validation))
    check_tuning(grid, options)
    writer.use("orange_structpred.tuning.search", "tune")
    if validation:
        options = {"validation": Code(validation[-1]), **options}
    variable = writer.name(node.title)
    writer.assign(variable, "tune", treebank, literal(grid), options=options)
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
