"""Where a training is, in figures."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QFontInfo
from AnyQt.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy

from orange_structpred.parsing.relations.labelled_loss import labelled_loss
from orange_structpred.svm import Report
from orange_structpred.widgets.common.layouts import bold, wrapped_label
from orange_structpred.widgets.common.phrases import duration, safe_tip


class Figure(NamedTuple):
    """What stands above a figure, its tooltip, and the widest that is common."""

    caption: str
    tooltip: str
    widest: str


FIGURES = {
    "pass": Figure("Pass", "", "10,000 of 10,000"),
    "gap": Figure("Gap", "(primal - dual) / C: how far the objective is from its "
                  "optimum, at most", "≈ 0.0000"),
    "loss": Figure("Training loss", "Share of wrong heads (or tags) in a training "
                   "sentence, averaged over the sentences; for a net, the mean of "
                   "-log p of head and relation", "0.000 (net)"),
    "las": Figure("Training LAS", "Share of right heads with the right relation in a training "
                  "sentence, averaged over the sentences", "100.00%"),
    "norm": Figure("|w|", "Length of the weight vector", "1.234e+05"),
    "seconds": Figure("Time", "", "59:59 min"),
    "left": Figure("Time left", "If all passes are needed", "59:59 min"),
}
GOAL = "Gap (goal {:g})"
NARROW = 3      # figures beside each other where there is little room
SPACE, FIGURES_MARGIN = 14, 10


class TrainingFigures(QFrame):
    """Where a training is: pass, gap, loss, LAS, |w|, time."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Maximum)
        self.status = wrapped_label(lines=2)
        self.status.setAlignment(Qt.AlignTop)
        self.values: dict[str, QLabel] = {}
        self.captions: dict[str, QLabel] = {}
        self._widths = dict.fromkeys(FIGURES, 0)    # what figures have needed so far
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(FIGURES_MARGIN, 6, FIGURES_MARGIN, 6)
        self._grid.setVerticalSpacing(1)
        self._grid.setHorizontalSpacing(SPACE)
        self._grid.setRowMinimumHeight(1, 4)
        for name, (text, tooltip, _) in FIGURES.items():
            caption, value = QLabel(text), QLabel()
            font = bold(value.font())
            font.setPointSizeF(1.3 * QFontInfo(font).pointSizeF())
            value.setFont(font)
            for label in (caption, value):
                label.setToolTip(tooltip)
                # figures must not make the window larger
                label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
            self.captions[name], self.values[name] = caption, value
        self.setMinimumWidth(self._least_width())
        self.clear()

    def _least_width(self) -> int:
        """For figures on several lines, each as wide as is common."""
        metrics = self.values["pass"].fontMetrics()
        widths = [max(metrics.horizontalAdvance(figure.widest),
                      self.captions[name].sizeHint().width())
                  for name, figure in FIGURES.items()]
        widths[1] = max(widths[1], self.fontMetrics().horizontalAdvance(
            GOAL.format(0.001)))
        return 2 * FIGURES_MARGIN + (NARROW - 1) * SPACE + sum(
            max(widths[column::NARROW]) for column in range(NARROW))

    def _arrange(self) -> None:
        """Put figures on one line if it has room for them, else on several."""
        for name in FIGURES:
            self._widths[name] = max(self._widths[name],
                                     self.captions[name].sizeHint().width(),
                                     self.values[name].sizeHint().width())
        needed = (2 * FIGURES_MARGIN + (len(FIGURES) - 1) * SPACE
                  + sum(self._widths.values()))
        across = len(FIGURES) if needed <= self.width() else NARROW
        self._grid.addWidget(self.status, 0, 0, 1, across)
        widths = [0] * len(FIGURES)
        for number, (name, width) in enumerate(self._widths.items()):
            line, column = divmod(number, across)
            widths[column] = max(widths[column], width)
            for row, label in enumerate((self.captions[name], self.values[name])):
                self._grid.addWidget(label, 2 + 2 * line + row, column)
        for column, width in enumerate(widths):
            self._grid.setColumnStretch(column, width)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange()

    def say(self, text: str) -> None:
        """Say in a sentence where things stand."""
        self.status.setText(text)
        self.status.setToolTip(safe_tip(text))

    def clear(self) -> None:
        for name, label in self.values.items():
            label.setText("–")
            self._widths[name] = 0
        self._enable("las", True)
        self._arrange()

    def _enable(self, name: str, enabled: bool) -> None:
        """Grey is what a training does not have."""
        for label in (self.captions[name], self.values[name]):
            label.setEnabled(enabled)

    def show_goal(self, epsilon: float | None) -> None:
        """Say at which gap training ends; None if there is no gap."""
        self.captions["gap"].setText(
            FIGURES["gap"].caption if epsilon is None else GOAL.format(epsilon))
        self._enable("gap", epsilon is not None)
        self._arrange()

    def show_reports(self, reports: Sequence[Report], passes: int) -> None:
        """Show what reports know; what they do not know stays as it is."""
        for report in reports:
            if report.pass_ == 0:       # a kernel matrix, before the solver begins
                continue
            for name, text in figure_texts(report, passes).items():
                self.values[name].setText(text)
        self._arrange()

    def end(self, reports: Sequence[Report], passes: int) -> None:
        """Show how a training has ended."""
        self.show_reports(reports[-1:], passes)
        self.values["left"].setText("–")
        self._enable("las", bool(reports) and bool(
            np.isfinite(labelled_loss(reports[-1]))))


def figure_texts(report: Report, passes: int) -> dict[str, str]:
    """What a report knows, as it is shown."""
    texts = {"pass": f"epoch {report.epoch:,}" if report.epoch else
             f"{report.pass_:,} of {passes:,}", "seconds": duration(report.seconds)}
    if np.isfinite(report.net_loss):
        texts["loss"] = f"{report.net_loss:.3f} (net)"
    if np.isfinite(report.gap):
        texts["gap"] = ("" if report.certified else "≈ ") + f"{report.gap:.4f}"
    if np.isfinite(report.loss):
        texts["loss"] = f"{report.loss:.2%}"
    if np.isfinite(loss := labelled_loss(report)):
        texts["las"] = f"{1 - loss:.2%}"
    if np.isfinite(report.norm):
        texts["norm"] = f"{report.norm:.4g}"
    if report.fraction > 0:     # the rest is as fast as what was done
        texts["left"] = duration(
            report.seconds * (1 - report.fraction) / report.fraction)
    return texts
