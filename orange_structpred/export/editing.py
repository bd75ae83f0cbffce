"""How the widgets with which trees are corrected are written in a script."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orange_structpred.export.ours import OUR_PREFIX
from orange_structpred.export.reading import Node
from orange_structpred.export.source import (
    CannotWrite,
    literal,
    numbers_of,
    setting,
)

if TYPE_CHECKING:
    from orange_structpred.export.writer import Writer

EDITING = "orange_structpred.treebank.editing"


def write_edit_treebank(writer: Writer, node: Node) -> None:
    """What was done by hand is in the widget's journal, which the script reads."""
    treebank = writer.one(node, "Treebank")
    if journal := setting(node.settings, "journal", ""):
        writer.use(EDITING, "apply_journal")
        variable = writer.name(node.title)
        file = writer.file(node, variable, writer.path(journal))
        writer.assign(variable, "apply_journal", treebank, file)
        treebank = variable
    writer.send(node, "Treebank", treebank)
    if writer.used(node, "Done"):
        writer.use(EDITING, "done_sentences")
        variable = writer.name(f"{node.title} done")
        writer.assign(variable, "done_sentences", treebank)
        writer.send(node, "Done", variable)
    if writer.used(node, "Checked"):
        writer.use(EDITING, "checked_sentences")
        variable = writer.name(f"{node.title} checked")
        writer.assign(variable, "checked_sentences", treebank)
        writer.send(node, "Checked", variable)
    writer.withhold(node, "Parser", "what it has learned is not part of a workflow; "
                    "connect Checked to Train Parser")
    rows = numbers_of(node.settings, "selection")
    if rows and writer.used(node, "Selected Sentences"):
        variable = writer.name(f"{node.title} selection")
        writer.add(f"{variable} = {treebank}[{literal(rows)}]")
        writer.send(node, "Selected Sentences", variable)
    else:
        writer.withhold(node, "Selected Sentences", "no sentence is selected in it")


def write_compare_treebanks(writer: Writer, node: Node) -> None:
    """What was chosen of the second treebank is in the widget's settings."""
    first, second = writer.one(node, "First"), writer.one(node, "Second")
    chosen = setting(node.settings, "second", [])
    if not all(isinstance(key, (list, tuple)) and len(key) == 3 for key in chosen):
        raise CannotWrite("its choices are not rows, words and layers")
    writer.use("orange_structpred", "compare_treebanks")
    variable = writer.name(node.title)
    writer.assign(variable, "compare_treebanks", first, second)
    keys = literal([tuple(key) for key in chosen]) if chosen else ""
    for output, call in (("Treebank", f"merged({keys})"),
                         ("Differences", f"differences_table({keys})"),
                         ("Agreement", "agreement_table()")):
        if writer.used(node, output):
            result = writer.name(f"{node.title} {output}")
            writer.add(f"{result} = {variable}.{call}")
            writer.send(node, output, result)
    writer.add(f"for row in {variable}.agreement():")
    writer.add("    print(row)")


EDIT_WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    OUR_PREFIX + "owcomparetreebanks.OWCompareTreebanks": write_compare_treebanks,
    OUR_PREFIX + "owedittreebank.OWEditTreebank": write_edit_treebank,
}
