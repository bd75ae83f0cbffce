"""Where a training is, in figures."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from AnyQt.QtGui import QFontInfo, QPalette
from AnyQt.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy

from orange_structpred.svm import Report
from orange_structpred.widgets.phrases import duration

# figure: caption and tooltip
FIGURES = {
    "pass": ("Pass", ""),
    "gap": ("Gap", "(primal - dual) / C: the objective is no farther from its optimum"),
    "loss": ("Training loss", "Share of the words of training sentences whose head is "
             + "wrong"),
    "norm": ("|w|", "Length of the weight vector"),
    "seconds": ("Time", ""),
    "left": ("Time left", "If all passes are needed"),
}


class TrainingFigures(QFrame):
    """Where a training is: pass, gap, loss, |w|, time."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.status = QLabel()
        # a long name of a parser must not widen the window
        self.status.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.status.setWordWrap(True)
        self.values: dict[str, QLabel] = {}
        self.captions: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 6, 10, 6)
        grid.setVerticalSpacing(1)
        grid.setHorizontalSpacing(14)
        grid.addWidget(self.status, 0, 0, 1, len(FIGURES))
        grid.setRowMinimumHeight(1, 4)
        for place, (name, (text, tooltip)) in enumerate(FIGURES.items()):
            caption, value = QLabel(text), QLabel()
            font = value.font()
            font.setBold(True)
            font.setPointSizeF(1.3 * QFontInfo(font).pointSizeF())
            value.setFont(font)
            caption.setForegroundRole(QPalette.PlaceholderText)
            for label in (caption, value):
                label.setToolTip(tooltip)
            grid.addWidget(caption, 2, place)
            grid.addWidget(value, 3, place)
            grid.setColumnStretch(place, 1)
            self.captions[name], self.values[name] = caption, value
        self.clear()

    def say(self, text: str) -> None:
        """Say in a sentence where things stand."""
        self.status.setText(text)
        self.status.setToolTip(text)

    def clear(self) -> None:
        for label in self.values.values():
            label.setText("–")

    def show_goal(self, epsilon: float | None) -> None:
        """Say at which gap training ends; None if there is no gap."""
        self.captions["gap"].setText(
            "Gap" if epsilon is None else f"Gap (goal {epsilon:g})")
        for label in (self.captions["gap"], self.values["gap"]):
            label.setEnabled(epsilon is not None)

    def show_reports(self, reports: Sequence[Report], passes: int) -> None:
        """Show what reports know; what they do not know stays as it is."""
        for report in reports:
            if report.pass_ == 0:       # a kernel matrix, before the solver begins
                continue
            for name, text in figure_texts(report, passes).items():
                self.values[name].setText(text)

    def end(self, reports: Sequence[Report], passes: int) -> None:
        """Show how a training has ended."""
        self.show_reports(reports[-1:], passes)
        self.values["left"].setText("–")


def figure_texts(report: Report, passes: int) -> dict[str, str]:
    """What a report knows, as it is shown."""
    texts = {"pass": f"{report.pass_:,} of {passes:,}",
             "seconds": duration(report.seconds)}
    if np.isfinite(report.gap):
        texts["gap"] = ("" if report.certified else "≈ ") + f"{report.gap:.4f}"
    if np.isfinite(report.loss):
        texts["loss"] = f"{report.loss:.2%}"
    if np.isfinite(report.norm):
        texts["norm"] = f"{report.norm:.4g}"
    if report.fraction > 0:     # the rest is as fast as what was done
        texts["left"] = duration(
            report.seconds * (1 - report.fraction) / report.fraction)
    return texts
