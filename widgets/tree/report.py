"""A tree in a report."""
from __future__ import annotations

from Orange.widgets.widget import OWWidget

from orange_structpred.parsing.features.contributions import summands
from orange_structpred.parsing.features.feature_names import in_words
from orange_structpred.treebank.tree_layout import isolated
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.tree.panel import needed_decimals, signed

REPORTED_FEATURES = 10           # of an edge


def report_tree(viewer: OWWidget) -> None:
    """The tree that a Treebank Viewer shows, and the scores of its edges."""
    if viewer.drawn is None:
        viewer.report_paragraph(viewer.why_nothing())
        return
    title, *statistics = viewer.statistics()
    items = [("Treebank", f"{viewer.treebank.name}, "
              + plural(len(viewer.sentences), "sentence", "sentences")),
             ("Prediction", viewer.pane.chosen or "none"),
             ("Selected",
              plural(len(viewer.list.selected()), "sentence", "sentences"))]
    if viewer.parser is not None:
        items.append(("Scores of", viewer.parser.name))
    viewer.report_items(items)
    report_picture(viewer, title, viewer.on_paper(1))
    viewer.report_paragraph(isolated(viewer.sentences[viewer.drawn].text))
    viewer.report_paragraph(", ".join(statistics))
    explanations = viewer.panel.explanations()
    decimals = needed_decimals(explanations)
    for shown in explanations:
        are_words = shown.words is not None
        items = sorted(shown.shown, key=lambda item: -abs(item.value))
        rows = [(signed(item.value, decimals), in_words(item.name)
                 if viewer.in_words and not are_words else item.name)
                for item in items[:REPORTED_FEATURES]]
        sums = [] if are_words else summands(shown.contributions)
        if len(sums) > 1:
            rows[:0] = [(signed(item.value, decimals), item.name) for item in sums]
        viewer.report_table(
            shown.summary(decimals),
            [("Contribution", "Word" if are_words else "Feature"), *rows])
