"""The field for a pattern: answers while one types, and shows where it is wrong."""
from __future__ import annotations

from AnyQt.QtCore import QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QFontDatabase, QTextCharFormat, QTextCursor
from AnyQt.QtWidgets import QPlainTextEdit, QSizePolicy, QTextEdit

from orange_structpred.widgets.common.windows import make_placeholder_readable

TYPING_PAUSE = 250          # milliseconds after the last key
PATTERN_HINT = "upos=VERB rel=obj\nor: pattern { V [upos=VERB]; V -[obj]-> N }"
WRONG_COLOUR = "#d55e00"


class PatternField(QPlainTextEdit):
    """pattern_changed is emitted when one stops typing for a moment."""

    pattern_changed = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.FixedFont))
        self.setTabChangesFocus(True)
        self.setPlaceholderText(PATTERN_HINT)
        make_placeholder_readable(self)
        self.setAccessibleName("Pattern")
        height = 5 * self.fontMetrics().lineSpacing() + 2 * self.frameWidth() + 10
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self._timer = QTimer(self, singleShot=True, interval=TYPING_PAUSE)
        self._timer.timeout.connect(self.pattern_changed)
        self.textChanged.connect(self._timer.start)

    def set_pattern(self, text: str) -> None:
        """Show a pattern; it counts as typed."""
        self.setPlainText(text)

    def mark(self, position: int | None) -> None:
        """Underline what begins at a character; None for nothing."""
        if position is None:
            self.setExtraSelections([])
            return
        # Qt counts in units of UTF-16
        before = len(self.toPlainText()[:position].encode("utf-16-le")) // 2
        cursor = QTextCursor(self.document())
        end = self.document().characterCount() - 1
        cursor.setPosition(max(min(before, end - 1), 0))
        cursor.setPosition(min(before + 1, end), QTextCursor.KeepAnchor)
        looks = QTextCharFormat()
        looks.setUnderlineStyle(QTextCharFormat.WaveUnderline)
        looks.setUnderlineColor(QColor(WRONG_COLOUR))
        ground = QColor(WRONG_COLOUR)
        ground.setAlpha(70)
        looks.setBackground(ground)
        selection = QTextEdit.ExtraSelection()
        selection.cursor, selection.format = cursor, looks
        self.setExtraSelections([selection])
