"""What our widgets write into Orange's reports."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QTableView, QWidget
from orangewidget.report import Report

from orange_structpred.widgets.common.phrases import html_table_of
from orange_structpred.widgets.common.windows import paper_palette

#: Rows of a table that a report shows
MOST_REPORTED_ROWS = 1000
IMAGE, FITTING = "<img", '<img style="max-width: 100%"'


class PlainTextReports:
    """Reports in which words stand as they are, whatever characters they have.

    Only `report_raw` takes HTML.
    """

    def report_name(self, name: str) -> None:
        super().report_name(escape(name))

    def report_items(self, name, items=None) -> None:
        if items is None:
            name, items = "", name
        pairs = items.items() if isinstance(items, Mapping) else items
        super().report_items(name, [(escape(str(title)), escape(str(value)))
                                    for title, value in pairs])

    def report_paragraph(self, name: str, text: str | None = None) -> None:
        if text is None:
            name, text = "", name
        super().report_paragraph(name, escape(text))

    def report_table(self, name: str, table) -> None:
        """A table of texts, the first row of which has titles, or one that is shown."""
        rows = shown_rows(table) if isinstance(table, QTableView) else list(table)
        self.report_raw(name, html_table_of(rows))


def shown_rows(view: QTableView) -> list[list[str]]:
    """Titles and texts of a table as they are shown."""
    model = view.model()
    columns = [column for column in range(model.columnCount())
               if not view.isColumnHidden(column)]
    return [[str(model.headerData(column, Qt.Horizontal) or "") for column in columns],
            *([str(model.index(row, column).data() or "") for column in columns]
              for row in range(min(model.rowCount(), MOST_REPORTED_ROWS)))]


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
    palette = plot.palette() if plot.testAttribute(Qt.WA_SetPalette) else QPalette()
    plot.setPalette(paper_palette())
    try:
        yield
    finally:
        plot.setPalette(palette)
