"""How our widgets that compare and explain are written in a script."""
from __future__ import annotations

from orange_structpred.evaluation.confusions import CONFUSION_COLUMNS, ROWS
from orange_structpred.export.reading import Node
from orange_structpred.export.source import (
    CannotWrite,
    Code,
    call,
    literal,
    numbers_of,
    setting,
)
from orange_structpred.export.writer import Writer
from orange_structpred.learner.influence import unused
from orange_structpred.teaching.parser_steps import STEP_SOLVERS
from orange_structpred.tuning.curves import CURVE_MEASURES, parse_sizes

TEACHING = "orange_structpred.teaching"


def write_learning_curve(writer: Writer, node: Node) -> None:
    """Prints means and deviations."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    learners = writer.needed(node, "Learner")
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
    variable = writer.new(node, "learning_curve", treebank, *learners, options=options,
                          module="orange_structpred.tuning.curves")
    writer.add(f"print({variable})")
    for output, method in (("Curve", "to_table"), ("Results", "results_table")):
        writer.give(node, output, f"{variable}.{method}", suffix=output)


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
    variable = writer.new(node, "confusions", treebank, *([literal(name)] if name else []),
                          options=options, module="orange_structpred.evaluation")
    writer.add(f"print({variable})")
    writer.give(node, "Confusions", f"{variable}.to_table", suffix="table")
    cells = [tuple(cell) for cell in setting(settings, "selection", [])]
    if not cells:
        writer.withhold(node, "Treebank", "no cell is selected in it")
    else:
        writer.give(node, "Treebank", f"{variable}.sentences", literal(cells),
                    suffix="sentences")


def write_learning_steps(writer: Writer, node: Node) -> None:
    """Takes the same steps, and prints a line for each of them."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    solver = setting(settings, "solver", "mira")
    if solver not in STEP_SOLVERS:
        raise CannotWrite(f"its solver {solver!r:.60} is not known")
    history = numbers_of(settings, "history")
    C = {} if unused("C", {"solver": solver}) else {
        "C": writer.C(node, setting(settings, "C", 1.))}
    writer.use(TEACHING, "first_sentences", "steps_text")
    variable = writer.new(node, "ParserSteps", call("first_sentences", treebank),
                          options={"solver": solver, **C}, module=TEACHING)
    taken = writer.new(node, f"{variable}.take", literal(history), suffix="taken")
    writer.add(f"print(steps_text({taken}))")
    for parser in writer.received(node, "Parser")[-1:]:
        writer.use(TEACHING, "transition_steps", "transitions_text")
        sentence = writer.name(f"{node.title} sentence")
        writer.add(f"{sentence} = {variable}.sentences[{setting(settings, 'sentence', 1) - 1}]")
        writer.add(f"print(transitions_text(transition_steps({parser}, {sentence}), "
                   f"{sentence}))")
    if not history:
        for output in ("Parser", "Steps"):
            writer.withhold(node, output, "no step was taken in it")
        return
    writer.give(node, "Parser", f"{variable}.parser", suffix="parser")
    writer.give(node, "Steps", "steps_table", taken, suffix="table", module=TEACHING)
