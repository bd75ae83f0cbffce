"""Windows that ask for a text."""
from __future__ import annotations

from AnyQt.QtGui import QTextCursor
from AnyQt.QtWidgets import QInputDialog, QLineEdit, QPlainTextEdit, QWidget


class TextQuestion(QInputDialog):
    """Asks for a line of text, or for several lines.

    Parameters
    ----------
    selected : whether the first key takes the place of the text; otherwise one types on
        at its end
    """

    def __init__(self, parent: QWidget, title: str, question: str, text: str, *,
                 several_lines: bool = False, selected: bool = False):
        super().__init__(parent, windowTitle=title)
        self._selected = selected
        self.setLabelText(question)
        if several_lines:
            self.setOption(QInputDialog.UsePlainTextEditForTextInput)
            self.resize(520, 260)
        self.setTextValue(text)

    def showEvent(self, event):
        super().showEvent(event)        # Qt has selected all of the text by now
        if self._selected:
            return
        if lines := self.findChild(QPlainTextEdit):
            lines.moveCursor(QTextCursor.End)
        else:
            self.findChild(QLineEdit).end(False)
