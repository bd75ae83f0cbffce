"""What a transition-based parser does with a sentence, as a table and a growing tree."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QAbstractItemView, QLabel, QWidget

from orange_structpred.teaching.transition_steps import TRANSITION_NAMES, TransitionStep
from orange_structpred.treebank import Sentence
from orange_structpred.widgets.common.layouts import in_column, split_area
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.steps.tables import PlainTable
from orange_structpred.widgets.tree.items import Look
from orange_structpred.widgets.tree.picture import Picture, make_picture
from orange_structpred.widgets.tree.scene import TreeScene
from orange_structpred.widgets.tree.view import TreeView

MOST_WORDS = 6      # of the stack and of the buffer that are shown
SCORE_COLUMNS = 5   # where they begin
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class TransitionsPage(QWidget):
    """The steps of a sentence; the tree is that of the selected one."""

    def __init__(self):
        super().__init__()
        self.label = QLabel(wordWrap=True)
        self.scene = TreeScene(self)
        self.view = TreeView(self.scene)
        self.view.look_changed.connect(self._draw)
        self.table = transition_table()
        self.table.itemSelectionChanged.connect(self._draw)
        both = split_area(Qt.Vertical, self.view, self.table, sizes=(300, 280))
        self.setLayout(in_column(self.label, both, largest=both, margins=None))
        self.steps: Sequence[TransitionStep] = ()
        self.sentence: Sentence | None = None

    def show_steps(self, sentence: Sentence | None, steps: Sequence[TransitionStep]) -> None:
        self.sentence, self.steps = sentence, steps
        self.table.clearSelection()
        names = ["ROOT", *(sentence.forms if sentence is not None else ())]
        swaps = any("swap" in step.scores for step in steps)
        self.table.setColumnHidden(SCORE_COLUMNS + TRANSITION_NAMES.index("swap"), not swaps)
        self.table.show_rows([
            (stack_text(names, step.stack), buffer_text(names, step.buffer), step.transition,
             str(step.cost) if step.cost else "", arc_text(names, step.arc),
             *(f"{step.scores[name]:.2f}" if name in step.scores else ""
               for name in TRANSITION_NAMES))
            for step in steps])
        self.label.setText(transitions_summary(steps))
        if steps:
            self.table.selectRow(0)
        self._draw()

    def selected(self) -> int:
        """The step that is shown: the first one if none is selected."""
        rows = self.table.selectionModel().selectedRows()
        return rows[0].row() if rows else 0

    def picture(self) -> Picture | None:
        """The gold tree, and the arcs that there are after the selected step."""
        if self.sentence is None or not self.steps:
            return None
        heads = np.full(len(self.sentence), -1, np.int32)
        for step in self.steps[:self.selected() + 1]:
            if step.arc is not None:
                heads[step.arc[0] - 1] = step.arc[1]
        step = self.steps[self.selected()]
        marked = {token for token in (step.stack[-1], *step.buffer[:1]) if token}
        return make_picture(self.sentence, heads, name="so far", relations=False,
                            marked=marked)

    def _draw(self) -> None:
        look = Look(self.view.palette(), self.view.font())
        picture = self.picture()
        if picture is None:
            self.scene.show_text("", look)
        else:
            self.scene.draw(picture, look)
        self.view.adapt(start=True)


def transition_table() -> PlainTable:
    table = PlainTable(
        ("Stack", "Buffer", "Transition", "Lost", "Arc", *TRANSITION_NAMES),
        ("Words that have been read and have no head yet; the top is on the right",
         "Words that have not been read; the first is on the left",
         "The one that is made", "Edges of the gold tree that can no longer be built",
         "Dependent and head", *["Its score"] * len(TRANSITION_NAMES)))
    table.setSelectionMode(QAbstractItemView.SingleSelection)
    table.setSelectionBehavior(QAbstractItemView.SelectRows)
    table.setFocusPolicy(Qt.StrongFocus)
    return table


def stack_text(names: Sequence[str], tokens: Sequence[int]) -> str:
    words = [names[token] for token in tokens[-MOST_WORDS:]]
    return " ".join([ELLIPSIS] * (len(tokens) > MOST_WORDS) + words)


def buffer_text(names: Sequence[str], tokens: Sequence[int]) -> str:
    words = [names[token] for token in tokens[:MOST_WORDS]]
    return " ".join(words + [ELLIPSIS] * (len(tokens) > MOST_WORDS))


def arc_text(names: Sequence[str], arc: tuple[int, int] | None) -> str:
    return "" if arc is None else f"{names[arc[0]]} \N{LEFTWARDS ARROW} {names[arc[1]]}"


def transitions_summary(steps: Sequence[TransitionStep]) -> str:
    if not steps:
        return ("Connect a transition-based parser: Train Parser with the features "
                "Transitions.")
    lost = sum(step.cost or 0 for step in steps)
    return (f"{plural(len(steps), 'transition', 'transitions')}, "
            f"{plural(lost, 'gold edge', 'gold edges')} lost. Shift reads a word; left-arc "
            "attaches the top of the stack to the next word, right-arc to the word below; "
            "swap puts it back behind the next word. Select a row to see the tree so far.")
