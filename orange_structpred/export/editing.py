"""How the widgets with which trees are corrected are written in a script."""
from __future__ import annotations

from orange_structpred.export.reading import Node
from orange_structpred.export.shared import write_selected_sentences
from orange_structpred.export.source import CannotWrite, literal, setting
from orange_structpred.export.writer import Writer

EDITING = "orange_structpred.treebank.editing"


def write_edit_treebank(writer: Writer, node: Node) -> None:
    """What was done by hand is in the widget's journal, which the script reads."""
    treebank = writer.one(node, "Treebank")
    if journal := setting(node.settings, "journal", ""):
        variable = writer.name(node.title)
        file = writer.file(node, variable, writer.path(journal))
        writer.assign(variable, "apply_journal", treebank, file, module=EDITING)
        treebank = variable
    writer.send(node, "Treebank", treebank)
    for output in ("Done", "Checked"):
        writer.give(node, output, f"{output.lower()}_sentences", treebank, suffix=output,
                    module=EDITING)
    writer.withhold(node, "Parser", "what it has learned is not part of a workflow; "
                    "connect Checked to Train Parser")
    write_selected_sentences(writer, node, treebank)


def write_compare_treebanks(writer: Writer, node: Node) -> None:
    """What was chosen of the second treebank is in the widget's settings."""
    first, second = writer.one(node, "First"), writer.one(node, "Second")
    chosen = setting(node.settings, "second", [])
    if not all(isinstance(key, (list, tuple)) and len(key) == 3 for key in chosen):
        raise CannotWrite("its choices are not rows, words and layers")
    variable = writer.new(node, "compare_treebanks", first, second,
                          module="orange_structpred")
    keys = [literal([tuple(key) for key in chosen])] if chosen else []
    for output, method, arguments in (("Treebank", "merged", keys),
                                      ("Differences", "differences_table", keys),
                                      ("Agreement", "agreement_table", [])):
        writer.give(node, output, f"{variable}.{method}", *arguments, suffix=output)
    writer.add(f"for row in {variable}.agreement():")
    writer.add("    print(row)")
