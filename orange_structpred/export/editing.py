"""How the widget with which trees are corrected is written in a script."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orange_structpred.export.ours import OUR_PREFIX
from orange_structpred.export.reading import Node
from orange_structpred.export.source import literal, numbers_of, setting

if TYPE_CHECKING:
    from orange_structpred.export.writer import Writer

EDITING = "orange_structpred.treebank.editing"


def edit_treebank(writer: Writer, node: Node) -> None:
    """What was done by hand is in the widget's journal, which the script reads."""
    treebank = writer.one(node, "Treebank")
    if journal := setting(node.settings, "journal", ""):
        writer.use(EDITING, "apply_journal")
        variable = writer.name(node.title)
        place = writer.file(node, variable, writer.path(journal))
        writer.assign(variable, "apply_journal", treebank, place)
        treebank = variable
    writer.send(node, "Treebank", treebank)
    if writer.used(node, "Done"):
        writer.use(EDITING, "done_sentences")
        variable = writer.name(f"{node.title} done")
        writer.assign(variable, "done_sentences", treebank)
        writer.send(node, "Done", variable)
    rows = numbers_of(node.settings, "selection")
    if rows and writer.used(node, "Selected Sentences"):
        variable = writer.name(f"{node.title} selection")
        writer.add(f"{variable} = {treebank}[{literal(rows)}]")
        writer.send(node, "Selected Sentences", variable)
    else:
        writer.withhold(node, "Selected Sentences", "no sentence is selected in it")


EDIT_WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    OUR_PREFIX + "owedittreebank.OWEditTreebank": edit_treebank,
}
