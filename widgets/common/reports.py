"""What our widgets write into Orange's reports."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QWidget
from orangewidget.report import Report

from orange_structpred.widgets.common.windows import paper_palette

IMAGE, FITTING = "<img", '<img style="max-width: 100%"'


def report_picture(widget: Report, title: str, picture) -> None:
    """A plot or a scene; one that is wider than the page is made smaller."""
    before = widget.report_html
    if isinstance(picture, QWidget):
        with on_paper(picture):
            widget.report_plot(title, picture)
    else:
        widget.report_plot(title, picture)
    added = widget.report_html[len(before):]
    widget.report_html = before + added.replace(IMAGE, FITTING, 1)


@contextmanager
def on_paper(plot: QWidget) -> Iterator[None]:
    """Let a plot be black on white, as the page of a report is."""
    own = plot.palette() if plot.testAttribute(Qt.WA_SetPalette) else QPalette()
    plot.setPalette(paper_palette())
    try:
        yield
    finally:
        plot.setPalette(own)
