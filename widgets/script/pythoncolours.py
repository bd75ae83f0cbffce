"""Colours for Python source."""
from __future__ import annotations

from collections.abc import Iterator

from AnyQt.QtGui import QColor, QFont, QPalette, QSyntaxHighlighter, QTextCharFormat
from AnyQt.QtWidgets import QPlainTextEdit
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Number, Operator, String

#: Colour on light and on dark ground, whether bold, by the kind of a token
MISSING_STEP = "missing"
KINDS_OF_TOKEN = {
    MISSING_STEP: ("#b00020", "#ff8a80", True),
    Comment: ("#5f6b76", "#9aa5b1", False),
    String: ("#1b6e3c", "#8fd6a3", False),
    Keyword: ("#6a2ca0", "#c9a3f0", True),
    Operator.Word: ("#6a2ca0", "#c9a3f0", True),
    Number: ("#0b5cad", "#8ec1f5", False),
}


def tokens(text: str) -> Iterator[tuple[object, int, str]]:
    """The tokens of a line that have a colour: kind, where it begins, text."""
    for start, token_type, part in PythonLexer().get_tokens_unprocessed(text):
        if token_type in Comment and part.startswith("# MISSING:"):
            yield MISSING_STEP, start, part
        else:
            for kind in KINDS_OF_TOKEN:
                if kind is not MISSING_STEP and token_type in kind:
                    yield kind, start, part


class PythonColours(QSyntaxHighlighter):
    """Colours the text of an editor, on light and on dark ground."""

    def __init__(self, editor: QPlainTextEdit):
        super().__init__(editor.document())
        dark = editor.palette().color(QPalette.Base).lightness() < 128
        self.formats: dict[object, QTextCharFormat] = {}
        for kind, (on_light, on_dark, bold) in KINDS_OF_TOKEN.items():
            form = self.formats[kind] = QTextCharFormat()
            form.setForeground(QColor(on_dark if dark else on_light))
            if bold:
                form.setFontWeight(QFont.Bold)

    def highlightBlock(self, text: str) -> None:
        for kind, start, part in tokens(text):
            self.setFormat(start, len(part), self.formats[kind])
