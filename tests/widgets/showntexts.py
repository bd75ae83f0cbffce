"""What a widget says."""
from collections.abc import Iterator

import pyqtgraph as pg
from AnyQt.QtCore import QAbstractListModel, Qt
from AnyQt.QtGui import QAction
from AnyQt.QtWidgets import QAbstractItemView, QGraphicsView, QLabel, QWidget
from Orange.widgets.widget import OWWidget
from orangewidget.workflow.widgetsscheme import user_message_from_state

from orange_structpred.widgets.common.background import COMPILING

MOST_CELLS = 30         # of a table, in each direction


def html_texts(widget: OWWidget) -> Iterator[str]:
    """All that Qt takes for HTML if it looks like it: labels, tooltips, messages."""
    for label in widget.findChildren(QLabel):
        if label.textFormat() in (Qt.RichText, Qt.AutoText):
            yield label.text()
    yield from filter(None, tooltips(widget))
    yield from plot_texts(widget)
    for group in widget.message_groups:
        yield user_message_from_state(group).contents or ""     # for the node
    if widget.message_bar is not None:
        yield widget.message_bar.summarize().asHtml()


def plot_texts(widget: QWidget) -> Iterator[str]:
    """Titles, legends and axes of plots: pyqtgraph takes them for HTML."""
    for view in widget.findChildren(pg.GraphicsView):
        for item in view.scene().items():
            if isinstance(item, pg.LabelItem):
                yield item.text
            elif isinstance(item, pg.AxisItem):
                yield item.labelText


def tooltips(widget: QWidget) -> Iterator[str | None]:
    """Of a widget and all that is in it: controls, actions, cells, items of scenes."""
    for part in [widget, *widget.findChildren(QWidget), *widget.findChildren(QAction)]:
        if not isinstance(part, QAction) or part.toolTip() != part.text():
            yield part.toolTip()
    for view in widget.findChildren(QAbstractItemView):
        model = view.model()
        if model is None:
            continue
        rows = min(MOST_CELLS, model.rowCount())
        columns = 1 if isinstance(model, QAbstractListModel) \
            else min(MOST_CELLS, model.columnCount())
        for row in range(rows):
            for column in range(columns):
                yield model.index(row, column).data(Qt.ToolTipRole)
        for count, side in ((columns, Qt.Horizontal), (rows, Qt.Vertical)):
            for section in range(count):
                yield model.headerData(section, side, Qt.ToolTipRole)
    for view in widget.findChildren(QGraphicsView):
        for item in view.scene().items() if view.scene() is not None else ():
            yield item.toolTip()


class ShownTexts:
    """A WidgetTest that reads messages and reports of its widget."""

    def shown(self, kind: str) -> list[str]:
        """The texts of all errors, warnings or informations, but that of the compiler,
        which depends on what is stored of earlier runs."""
        # Messages without arguments are equal to nothing but themselves.
        texts = ["".join(message.formatted)
                 for message in getattr(self.widget, kind).active]
        return [text for text in texts if text != f"{COMPILING}."]

    def report(self) -> str:
        self.widget.report_html = ""
        self.widget.send_report()
        return self.widget.report_html
