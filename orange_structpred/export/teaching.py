"""How our widgets that compare and explain are written in a script."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orange_structpred.evaluation.confusions import CONFUSION_COLUMNS, ROWS
from orange_structpred.export.ours import OUR_PREFIX
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
from orange_structpred.learner.influence import unused
from orange_structpred.teaching.parser_steps import STEP_SOLVERS
from orange_structpred.tuning.curves import CURVE_MEASURES, parse_sizes

if TYPE_CHECKING:
    from orange_structpred.export.writer import Writer


def write_learning_curve(writer: Writer, node: Node) -> None:
    """Prints means and deviations."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    learners = writer.received(node, "Learner")
    if not learners:
        raise DoesNothing("nothing is connected to its input 'Learner'")
    measure = setting(settings, "measure", "uas")
    if measure not in CURVE_MEASURES:
        raise CannotWrite(f"its measure {measure!r:.60} is not known")
    options: dict[str, object] = {
        "sizes": parse_sizes(setting(settings, "sizes", "6%, 12%, 25%, 50%, 100%")),
        "seeds": setting(settings, "seeds", 3), "measure": measure,
        "random_state": writer.seed(setting(settings, "random_state", 0))}
    validation = writer.received(node, "Validation Treebank")
    if validation:
        options = {"validation": Code(validation[-1]), **options}
    else:
        options["share"] = setting(settings, "share", 20) / 100
    writer.use("orange_structpred.tuning.curves", "learning_curve")
    variable = writer.name(node.title)
    writer.assign(variable, "learning_curve", treebank, *learners, options=options)
    writer.add(f"print({variable})")
    for output, method in (("Curve", "to_table"), ("Results", "results_table")):
        if writer.used(node, output):
            table = writer.name(f"{node.title} {output}")
            writer.add(f"{table} = {variable}.{method}()")
            writer.send(node, output, table)


def write_confusions(writer: Writer, node: Node) -> None:
    """Prints the matrix; sends on the sentences of the selected cells."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    name = setting(settings, "prediction", "")
    options: dict[str, object] = {
        "rows": setting(settings, "rows", ROWS[0]),
        "columns": setting(settings, "columns", CONFUSION_COLUMNS[0])}
    for what, known in (("rows", ROWS), ("columns", CONFUSION_COLUMNS)):
        if options[what] not in known:
            raise CannotWrite(f"its {what} {options[what]!r:.60} are not known")
    if not setting(settings, "punct", True):
        options["punct"] = False
    writer.use("orange_structpred.evaluation", "confusions")
    variable = writer.name(node.title)
    writer.assign(variable, "confusions", treebank, *([literal(name)] if name else []),
                  options=options)
    writer.add(f"print({variable})")
    if writer.used(node, "Confusions"):
        table = writer.name(f"{node.title} table")
        writer.add(f"{table} = {variable}.to_table()")
        writer.send(node, "Confusions", table)
    cells = [tuple(cell) for cell in setting(settings, "selection", [])]
    if not cells:
        writer.withhold(node, "Treebank", "no cell is selected in it")
    elif writer.used(node, "Treebank"):
        sentences = writer.name(f"{node.title} sentences")
        writer.assign(sentences, f"{variable}.sentences", literal(cells))
        writer.send(node, "Treebank", sentences)


def write_learning_steps(writer: Writer, node: Node) -> None:
    """Takes the same steps, and prints a line for each of them."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    solver = setting(settings, "solver", "mira")
    if solver not in STEP_SOLVERS:
        raise CannotWrite(f"its solver {solver!r:.60} is not known")
    history = numbers_of(settings, "history")
    C = {} if unused("C", {"solver": solver}) else {
        "C": writer.C(node, setting(settings, "C", 1.))}
    writer.use("orange_structpred.teaching", "ParserSteps")
    variable = writer.name(node.title)
    writer.assign(variable, "ParserSteps", call("first_sentences", treebank),
                  options={"solver": solver, **C})
    writer.use("orange_structpred.teaching", "first_sentences")
    taken = writer.name(f"{node.title} taken")
    writer.assign(taken, f"{variable}.take", literal(history))
    writer.use("orange_structpred.teaching", "steps_text")
    writer.add(f"print(steps_text({taken}))")
    for parser in writer.received(node, "Parser")[-1:]:
        writer.use("orange_structpred.teaching", "transition_steps")
        writer.use("orange_structpred.teaching", "transitions_text")
        sentence = writer.name(f"{node.title} sentence")
        writer.add(f"{sentence} = {variable}.sentences[{setting(settings, 'sentence', 1) - 1}]")
        writer.add(f"print(transitions_text(transition_steps({parser}, {sentence}), "
                   f"{sentence}))")
    if not history:
        for output in ("Parser", "Steps"):
            writer.withhold(node, output, "no step was taken in it")
        return
    if writer.used(node, "Parser"):
        parser = writer.name(f"{node.title} parser")
        writer.add(f"{parser} = {variable}.parser()")
        writer.send(node, "Parser", parser)
    if writer.used(node, "Steps"):
        writer.use("orange_structpred.teaching", "steps_table")
        table = writer.name(f"{node.title} table")
        writer.add(f"{table} = steps_table({taken})")
        writer.send(node, "Steps", table)


TEACHING_WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    OUR_PREFIX + "owconfusions.OWConfusions": write_confusions,
    OUR_PREFIX + "owlearningcurve.OWLearningCurve": write_learning_curve,
    OUR_PREFIX + "owlearningsteps.OWLearningSteps": write_learning_steps,
}
