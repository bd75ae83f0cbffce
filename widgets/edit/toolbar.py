"""Buttons above the tree."""
from __future__ import annotations

from collections.abc import Callable, Mapping

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import (
    QAction,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QToolButton,
)

from orange_structpred.widgets.edit.actions import COMMANDS, SENTENCE_MENU, WORD_MENU

BUTTONS = ("undo", "redo", None, WORD_MENU, SENTENCE_MENU, None, "mark_done",
           "mark_question", "what_next", None, "mass_edit", "toggle_findings", None,
           "parse_rest", "accept_suggestion", "learn_further")
PARSER_COMMANDS = ("parse_rest", "accept_suggestion", "preannotate", "learn_further")


class EditToolbar(QToolBar):
    """A button for what is needed often; all else is in menus."""

    def __init__(self, actions: Mapping[str, QAction]):
        super().__init__()
        self.actions_by_name = actions
        self.setToolButtonStyle(Qt.ToolButtonTextOnly)
        self.menus: dict[str, QMenu] = {}
        for name in BUTTONS:
            if name is None:
                self.addSeparator()
            elif name in actions:
                self.addAction(actions[name])
            else:
                self.addWidget(self._menu_button(name))

    def _menu_button(self, name: str) -> QToolButton:
        button = QToolButton(text=name, popupMode=QToolButton.InstantPopup)
        menu = self.menus[name] = QMenu(name, button)
        for command in COMMANDS:
            if command.menu == name:
                menu.addAction(self.actions_by_name[command.name])
        menu.setToolTipsVisible(True)
        button.setMenu(menu)
        return button

    def show_state(self, *, editable: bool, undo: str | None, redo: str | None,
                   parser: bool, suggestion: bool, lacking: bool) -> None:
        """Enable what can be done.

        undo, redo : what they would do; None if there is nothing
        lacking : whether there are sentences without trees
        """
        for name, action in self.actions_by_name.items():
            if name not in ("undo", "redo", *PARSER_COMMANDS):
                action.setEnabled(editable)
        for name, text in (("undo", undo), ("redo", redo)):
            action = self.actions_by_name[name]
            action.setEnabled(text is not None)
            key = action.shortcut().toString()
            what = f"{name.capitalize()}: {text}" if text else name.capitalize()
            action.setToolTip(f"{what} ({key})")
        for name, is_possible in (("parse_rest", True), ("learn_further", True),
                                  ("accept_suggestion", suggestion),
                                  ("preannotate", lacking)):
            self.actions_by_name[name].setEnabled(editable and parser and is_possible)


class Notice(QFrame):
    """A line of text with a button, where something has to be decided."""

    def __init__(self, button: str, decide: Callable[[], None]):
        super().__init__(frameShape=QFrame.StyledPanel)
        self.label = QLabel(wordWrap=True, textFormat=Qt.PlainText)
        self.label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.button = QPushButton(button, autoDefault=False)
        self.button.clicked.connect(decide)
        layout = QHBoxLayout(self)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.button)
        self.hide()

    def show_text(self, text: str) -> None:
        self.label.setText(text)
        self.show()
