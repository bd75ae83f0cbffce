"""How our widgets that search and count trees are written in a script."""
from __future__ import annotations

from orange_structpred.export.reading import Node
from orange_structpred.export.source import (
    CannotWrite,
    DoesNothing,
    literal,
    numbers_of,
    setting,
)
from orange_structpred.export.writer import Writer
from orange_structpred.search.figures import TREEBANK_FIGURES

DEFAULT_FIGURE = "Relations by part of speech"


def write_find_trees(writer: Writer, node: Node) -> None:
    """Prints how much was found; sends on what is selected, or all."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    pattern = setting(settings, "pattern", "")
    if not pattern.strip():
        raise DoesNothing("it has no pattern")
    prediction = setting(settings, "prediction", "")
    variable = writer.new(node, "find", treebank, literal(pattern),
                          options={"prediction": prediction} if prediction else {},
                          module="orange_structpred")
    writer.add(f'print(len({variable}), "matches in", {variable}.n_sentences, '
               '"sentences")')
    key, by = setting(settings, "key", ""), setting(settings, "by", "")
    cells = [tuple(cell) for cell in setting(settings, "cells", [])]
    selected = variable
    if not key:
        writer.withhold(node, "Clusters", "no key is chosen in it")
    elif writer.used(node, "Clusters") or cells:
        clusters = writer.new(node, f"{variable}.cluster", literal(key),
                              *([literal(by)] if by else []), suffix="clusters")
        writer.give(node, "Clusters", f"{clusters}.to_table", suffix="counts")
        if cells:
            selected = writer.new(node, f"{clusters}.select", literal(cells),
                                  suffix="selected")
    if rows := numbers_of(settings, "selection"):
        if any(row < 0 for row in rows):
            raise CannotWrite("its selection has numbers below 0")
        before, selected = selected, writer.name(f"{node.title} chosen")
        writer.add(f"{selected} = {before}[{literal(rows)}]")
    writer.give(node, "Matches", f"{selected}.to_table", suffix="matches")
    # most often only a viewer gets them, which a script leaves out
    writer.send(node, "Sentences", f"{selected}.sentences()")


def write_treebank_statistics(writer: Writer, node: Node) -> None:
    """Prints the figure; sends on the sentences of what is selected in it."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    figure = setting(settings, "figure", DEFAULT_FIGURE)
    if figure not in TREEBANK_FIGURES:
        raise CannotWrite(f"its figure {figure!r:.60} is not known")
    prediction = setting(settings, "prediction", "")
    variable = writer.new(node, "TreebankProfile", treebank,
                          options={"prediction": prediction} if prediction else {},
                          after=f".figure({literal(figure)})",
                          module="orange_structpred.search.figures")
    writer.add(f"print({variable})")
    writer.give(node, "Counts", f"{variable}.to_table", suffix="counts")
    cells = [tuple(cell) for cell in setting(settings, "cells", [])]
    if not cells:
        writer.withhold(node, "Sentences", "nothing is selected in it")
    else:
        # most often only a viewer gets them, which a script leaves out
        writer.send(node, "Sentences", f"{variable}.select({literal(cells)}).sentences()")
