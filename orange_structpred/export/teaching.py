"""How our widgets that compare and explain are written in a script."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orange_structpred.evaluation.confusions import COLUMNS, ROWS
from orange_structpred.export.ours import PREFIX
from orange_structpred.export.reading import Node
from orange_structpred.export.source import (
    CannotWrite,
    Code,
    DoesNothing,
    literal,
    setting,
)
from orange_structpred.tuning.curves import CURVE_MEASURES, parse_sizes

if TYPE_CHECKING:
    from orange_structpred.export.writer import Writer


def learning_curve(writer: Writer, node: Node) -> None:
    """Prints means and deviations."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    learners = writer.received(node, "Learner")
    if not learners:
        raise DoesNothing("nothing comes to its input 'Learner'")
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


def confusions(writer: Writer, node: Node) -> None:
    """Prints the matrix; sends on the sentences of the selected cells."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    name = setting(settings, "prediction", "")
    options: dict[str, object] = {
        "rows": setting(settings, "rows", ROWS[0]),
        "columns": setting(settings, "columns", COLUMNS[0])}
    for what, known in (("rows", ROWS), ("columns", COLUMNS)):
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


WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    PREFIX + "owconfusions.OWConfusions": confusions,
    PREFIX + "owlearningcurve.OWLearningCurve": learning_curve,
}
