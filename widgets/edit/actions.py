"""The commands of the editor with their keys: one table for help and for the buttons
and menus above the tree."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import (
    QAction,
    QFrame,
    QMenu,
    QPushButton,
    QToolBar,
    QToolButton,
    QWidget,
)

from orange_structpred.widgets.common.layouts import in_row, wrapped_label


class Command(NamedTuple):
    """Something to do with a sentence.

    name : of the editor's method
    menu : the one that it is in; "" for none
    """

    name: str
    text: str
    keys: tuple[str, ...]
    menu: str
    tip: str = ""


WORD_MENU, SENTENCE_MENU = "Word", "Sentence"
COMMANDS = (
    Command("undo", "Undo", ("Ctrl+Z",), ""),
    Command("redo", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), ""),
    Command("previous_word", "Word to the left", ("Left", "Ctrl+Left"), ""),
    Command("next_word", "Word to the right", ("Right", "Ctrl+Right"), ""),
    Command("extend_left", "Select one more word to the left", ("Shift+Left",), ""),
    Command("extend_right", "Select one more word to the right", ("Shift+Right",), ""),
    Command("choose_head", "Choose its head", ("H",), WORD_MENU,
            "Then click the head, or go to it with the arrow keys and press Enter"),
    Command("attach_to_root", "Make it the root", ("0",), WORD_MENU),
    Command("confirm", "Its arc is right", ("Space",), WORD_MENU,
            "The parser leaves this arc alone; press again to undo"),
    Command("edit_deprel", "Relation…", ("R",), WORD_MENU),
    Command("edit_upos", "UPOS…", ("U",), WORD_MENU),
    Command("edit_xpos", "XPOS…", ("X",), WORD_MENU),
    Command("edit_lemma", "Lemma…", ("L",), WORD_MENU),
    Command("edit_feats", "Features…", ("F",), WORD_MENU),
    Command("edit_form", "Word form…", ("W",), WORD_MENU),
    Command("split_word", "Split it…", ("S",), WORD_MENU),
    Command("join_words", "Join the selected words", ("J",), WORD_MENU,
            "Select several with Shift; a single word is joined with the next"),
    Command("insert_word", "Insert a word after it…", ("I",), WORD_MENU),
    Command("delete_word", "Delete it", ("Del",), WORD_MENU),
    Command("multiword", "Multiword token…", ("M",), WORD_MENU,
            "Write the selected words as one token, as in zum for zu dem; a word of "
            "such a token becomes a token of its own"),
    Command("mark_done", "Done", ("D",), SENTENCE_MENU,
            "The whole tree is right; go to the next sentence"),
    Command("mark_question", "Question", ("Q",), SENTENCE_MENU,
            "Come back to this sentence later"),
    Command("mark_to_do", "To do", ("T",), SENTENCE_MENU),
    Command("next_to_do", "Next that is not done", ("N",), SENTENCE_MENU),
    Command("split_sentence", "Split before the selected word", ("Shift+S",),
            SENTENCE_MENU),
    Command("join_sentences", "Join with the next sentence", ("Shift+J",), SENTENCE_MENU),
    Command("attach_punctuation", "Attach punctuation", ("Shift+P",), SENTENCE_MENU,
            "By the rules of Universal Dependencies"),
    Command("edit_comments", "Comments…", ("C",), SENTENCE_MENU),
    Command("what_next", "What Next?", ("Shift+N",), "",
            "The unfinished sentence of which the parser is least sure"),
    Command("mass_edit", "Change All…", ("Ctrl+H",), "",
            "Change all matches of a pattern"),
    Command("toggle_findings", "Findings", ("V",), "",
            "What the validator of Universal Dependencies finds"),
    Command("parse_rest", "Parse the Rest", ("P",), "",
            "What you have set stays; the parser finds the other arcs"),
    Command("accept_suggestion", "Accept", ("A",), "",
            "Accept all suggestions; click a suggested arc to accept only that one"),
    Command("preannotate", "Fill in missing trees", ("Ctrl+Shift+P",), SENTENCE_MENU,
            "Give all sentences without heads the trees that the parser finds"),
    Command("learn_further", "Learn", ("Ctrl+L",), "",
            "Let the parser learn from the sentences that are done and the arcs that are "
            "checked; takes a moment"),
)
BUTTONS = ("undo", "redo", None, WORD_MENU, SENTENCE_MENU, None, "mark_done",
           "mark_question", "what_next", None, "mass_edit", "toggle_findings", None,
           "parse_rest", "accept_suggestion", "learn_further")
PARSER_COMMANDS = ("parse_rest", "accept_suggestion", "preannotate", "learn_further")


def call_without_arguments(method: Callable[[], object], *_: object) -> None:
    """What an action does; whether it is checked is of no interest."""
    method()


def make_actions(owner: QWidget) -> dict[str, QAction]:
    """An action for each command, which calls the owner's method of its name."""
    actions = {}
    for name, text, keys, _, tip in COMMANDS:
        action = QAction(text, owner)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setShortcutContext(Qt.WidgetWithChildrenShortcut)
        action.setToolTip(f"{tip or text.removesuffix('…')} ({keys[0]})")
        action.triggered.connect(partial(call_without_arguments, getattr(owner, name)))
        owner.addAction(action)
        actions[name] = action
    return actions


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
        self.label = wrapped_label()
        self.button = QPushButton(button, autoDefault=False)
        self.button.clicked.connect(decide)
        self.setLayout(in_row(self.label, self.button, largest=self.label,
                              margins=None))
        self.hide()

    def show_text(self, text: str) -> None:
        self.label.setText(text)
        self.show()
