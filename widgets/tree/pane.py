"""A tree with what is said of it: above, in a line below, and in a panel."""
from __future__ import annotations

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from orange_structpred.widgets.tree.panel import TreePanel
from orange_structpred.widgets.tree.view import TreeView


class TreePane(QWidget):
    """The right side of Treebank Viewer.

    view : the tree
    about : what is said above it; buttons to zoom stand beside it
    line : what is said of a token
    panel : what speaks for and against its edges; hidden at first
    splitter : between tree and panel

    Parameters
    ----------
    view : of the scene
    owner : the widget in which the keys to zoom work
    """

    def __init__(self, view: TreeView, owner: QWidget):
        super().__init__()
        self.view = view
        self.about = QLabel(textFormat=Qt.RichText)
        self.about.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.line = QLabel(textFormat=Qt.RichText)
        self.line.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.line.setMinimumHeight(self.line.fontMetrics().height() + 8)
        upper = QWidget()
        layout = QVBoxLayout(upper)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.line)

        self.panel = TreePanel()
        self.panel.hide()
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=False)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._bar(owner))
        layout.addWidget(self.splitter, 1)

    def _bar(self, owner: QWidget) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setSpacing(2)
        bar.addWidget(self.about, 1)
        for action in self.view.make_actions(owner):
            button = QToolButton(autoRaise=True)
            button.setDefaultAction(action)
            if "%" in action.text():
                button.setMinimumWidth(
                    button.fontMetrics().horizontalAdvance("400%") + 12)
            bar.addWidget(button)
        return bar
