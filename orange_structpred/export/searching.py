"""How our widgets that search and count trees are written in a script."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orange_structpred.export.ours import OUR_PREFIX
from orange_structpred.export.reading import Node
from orange_structpred.export.source import (
    CannotWrite,
    DoesNothing,
    literal,
    numbers_of,
    setting,
)
from orange_structpred.search.figures import TREEBANK_FIGURES

if TYPE_CHECKING:
    from orange_structpred.export.writer import Writer

DEFAULT_FIGURE = "Relations by part of speech"


def write_find_trees(writer: Writer, node: Node) -> None:
    """Prints how much was found; sends on what is selected, or all."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    pattern = setting(settings, "pattern", "")
    if not pattern.strip():
        raise DoesNothing("it has no pattern")
    writer.use("orange_structpred", "find")
    variable = writer.name(node.title)
    prediction = setting(settings, "prediction", "")
    writer.assign(variable, "find", treebank, literal(pattern),
                  options={"prediction": prediction} if prediction else {})
    writer.add(f'print(len({variable}), "matches in", {variable}.n_sentences, '
               '"sentences")')
    key, by = setting(settings, "key", ""), setting(settings, "by", "")
    cells = [tuple(cell) for cell in setting(settings, "cells", [])]
    selected = variable
    if not key:
        writer.withhold(node, "Clusters", "no key is chosen in it")
    elif writer.used(node, "Clusters") or cells:
        clusters = writer.name(f"{node.title} clusters")
        writer.assign(clusters, f"{variable}.cluster", literal(key),
                      *([literal(by)] if by else []))
        if writer.used(node, "Clusters"):
            table = writer.name(f"{node.title} counts")
            writer.add(f"{table} = {clusters}.to_table()")
            writer.send(node, "Clusters", table)
        if cells:
            selected = writer.name(f"{node.title} selected")
            writer.assign(selected, f"{clusters}.select", literal(cells))
    if rows := numbers_of(settings, "selection"):
        if any(row < 0 for row in rows):
            raise CannotWrite("its selection has numbers below 0")
        before, selected = selected, writer.name(f"{node.title} chosen")
        writer.add(f"{selected} = {before}[{literal(rows)}]")
    if writer.used(node, "Matches"):
        table = writer.name(f"{node.title} matches")
        writer.add(f"{table} = {selected}.to_table()")
        writer.send(node, "Matches", table)
    # most often only a viewer gets them, which a script leaves out
    writer.send(node, "Sentences", f"{selected}.sentences()")


def write_treebank_statistics(writer: Writer, node: Node) -> None:
    """Prints the figure; sends on the sentences of what is selected in it."""
    treebank, settings = writer.one(node, "Treebank"), node.settings
    figure = setting(settings, "figure", DEFAULT_FIGURE)
    if figure not in TREEBANK_FIGURES:
        raise CannotWrite(f"its figure {figure!r:.60} is not known")
    writer.use("orange_structpred.search.figures", "TreebankProfile")
    variable = writer.name(node.title)
    prediction = setting(settings, "prediction", "")
    writer.assign(variable, "TreebankProfile", treebank,
                  options={"prediction": prediction} if prediction else {},
                  after=f".figure({literal(figure)})")
    writer.add(f"print({variable})")
    if writer.used(node, "Counts"):
        table = writer.name(f"{node.title} counts")
        writer.add(f"{table} = {variable}.to_table()")
        writer.send(node, "Counts", table)
    cells = [tuple(cell) for cell in setting(settings, "cells", [])]
    if not cells:
        writer.withhold(node, "Sentences", "nothing is selected in it")
    else:
        # most often only a viewer gets them, which a script leaves out
        writer.send(node, "Sentences", f"{variable}.select({literal(cells)}).sentences()")


SEARCH_WRITERS: dict[str, Callable[[Writer, Node], None]] = {
    OUR_PREFIX + "owfindtrees.OWFindTrees": write_find_trees,
    OUR_PREFIX + "owtreebankstatistics.OWTreebankStatistics": write_treebank_statistics,
}
