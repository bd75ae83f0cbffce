"""What a step of learning changes, as tables and in sentences."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
)

from orange_structpred.parsing.features.feature_names import in_words
from orange_structpred.svm.steps import PlaneSteps
from orange_structpred.teaching import TreeStep
from orange_structpred.treebank import Sentence
from orange_structpred.widgets.common.phrases import plural, safe_tip
from orange_structpred.widgets.steps.tasks import Risk, Walk

MOST_FEATURES = 300         # rows of the table
ARROW = "\N{RIGHTWARDS ARROW}"
NO_GAP = 1e-9       # what is left of one when numbers are rounded
TREE_TITLES = {"mira": "most violated", "one-slack": "most violated",
               "perceptron": "predicted"}


class PlainTable(QTableWidget):
    """Rows of text; numbers to the right."""

    def __init__(self, titles: Sequence[str], tips: Sequence[str]):
        super().__init__(0, len(titles))
        self.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.NoSelection)
        self.setFocusPolicy(Qt.NoFocus)
        self.verticalHeader().hide()
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeToContents)
        header.setStretchLastSection(True)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        for column, (title, tip) in enumerate(zip(titles, tips)):
            item = QTableWidgetItem(title)
            item.setToolTip(tip)
            self.setHorizontalHeaderItem(column, item)

    def show_rows(self, rows: Sequence[Sequence[str]], tips: Sequence[str] = ()) -> None:
        self.setRowCount(len(rows))
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                if text[:1] in "+-−0123456789":
                    item.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
                if tips:
                    item.setToolTip(safe_tip(tips[row]))
                self.setItem(row, column, item)


def edge_table() -> PlainTable:
    return PlainTable(
        ("Word", "Gold head", "Score", "Other head", "Score"),
        ("Words whose heads differ in the two trees", "", "Score of the gold edge",
         "The head in the tree below", "Score of the other edge"))


def show_edges(table: PlainTable, sentence: Sentence, step: TreeStep, done: bool) -> None:
    words = ["root", *sentence.forms]
    table.show_rows([
        (words[edge.token], words[edge.gold],
         change_text(edge.gold_before, edge.gold_after, done), words[edge.found],
         change_text(edge.found_before, edge.found_after, done)) for edge in step.edges])


def feature_table() -> PlainTable:
    return PlainTable(
        ("Count", "Weight", "Feature"),
        ("How much more often the gold tree has the feature",
         "Of the feature", "What the feature says about an edge"))


def show_features(table: PlainTable, step: TreeStep, done: bool) -> None:
    shown = step.features[:MOST_FEATURES]
    table.show_rows([(f"{feature.surplus:+d}", change_text(feature.before, feature.after, done),
                      in_words(feature.name)) for feature in shown],
                    [feature.name for feature in shown])


def change_text(before: float, after: float, done: bool) -> str:
    """A number, and what has become of it."""
    return f"{number(before)} {ARROW} {number(after)}" if done else number(before)


def number(value: float) -> str:
    """Short enough for a table."""
    if not np.isfinite(value):
        return "pruned"
    return f"{value:.3g}" if abs(value) >= 1e-4 or value == 0 else f"{value:.1e}"


def plane_table() -> PlainTable:
    return PlainTable(
        ("Plane", "Loss", "α", "Bound", ""),
        ("In the order in which they were found", "Mean loss of its trees",
         "The dual variable: how much of its vector is in w",
         "What the plane requires at the current w: loss - ⟨a, w⟩",
         "Planes with α > 0 hold w in place"))


def show_planes(table: PlainTable, steps: PlaneSteps) -> None:
    most = max(steps.alpha, default=0.) or 1.
    table.show_rows([
        (str(j), f"{plane.loss:.4f}", f"{alpha:.4g}",
         f"{plane.loss - steps.model.dot(0, plane.features):.4f}",
         "█" * round(24 * alpha / most))
        for j, (plane, alpha) in enumerate(zip(steps.planes, steps.alpha), 1)])


def step_text(walk: Walk, solver: str) -> str:
    """The step in sentences."""
    step = walk.shown
    tree = f"{TREE_TITLES[solver]} tree"
    wrong = plural(step.wrong, "wrong head", "wrong heads")
    if not step.wrong:
        return (f"<b>The {tree} is the gold tree:</b> there is nothing to learn from this "
                f"sentence. {plural(len(walk.taken), 'step', 'steps')} so far.")
    asked = {"mira": f"MIRA asks for {step.required:g}, one for each wrong head",
             "one-slack": f"the loss asks for {step.required:.3f}, the share of wrong "
             "heads", "perceptron": "it should be above 0"}[solver]
    text = (f"<b>The {tree} has {wrong}.</b> The gold tree is ahead of it by "
            f"{step.before:.4g}; {asked}. ")
    if not walk.done:
        return text + "<b>Step</b> learns from it."
    if not np.isnan(step.length):
        text += (f"So w moves by <b>{step.length:.4g}</b> times the difference of their "
                 f"features (squared length {step.squared_norm:,.0f}), and ")
    else:
        text += "With the new plane, the quadratic program has another solution, and "
    return text + (f"the gold tree is ahead by <b>{step.after:.4g}</b>. Wrong heads of "
                   f"the prediction: {step.predicted_before}, now "
                   f"<b>{step.predicted_after}</b>.")


def planes_text(walk: Walk) -> str:
    reports = walk.steps.steps.reports
    if not reports:
        return "The working set is empty, and w is 0. A step adds the first plane."
    last = reports[-1]
    return (f"Before the last step: primal {last.primal:.4g}, dual {last.dual:.4g}, gap "
            f"{last.gap:.4g}. Each plane is the mean of the most violated trees of all "
            "sentences; w is the sum of α times its vector, and the α sum to at most "
            "C.")


def risk_text(risk: Risk | None) -> str:
    if risk is None:
        return ""
    text = ("A parser with a single weight: the score of a tree is w times one feature. "
            "Its mean hinge loss is convex, and each cutting plane bounds it from below. ")
    if not risk.seen:
        return text + "Step adds the first plane, at w = 0."
    gap, w = risk.steps.reports[-1].gap, float(risk.steps.model.weights()[0])
    planes = plural(len(risk.seen), "plane", "planes")
    if gap < NO_GAP:
        return text + f"{planes}, no gap: w = {round(w, 6):g} is the optimum."
    return text + f"{planes}, gap {gap:.4g}; the next w is {w:.4g}."
