"""Colours for Python source."""
from __future__ import annotations

import keyword
import re

from AnyQt.QtGui import QColor, QFont, QPalette, QSyntaxHighlighter, QTextCharFormat
from AnyQt.QtWidgets import QPlainTextEdit

#: By kind: colour on light and on dark ground, whether bold
KINDS = {
    "missing": ("#b00020", "#ff8a80", True),
    "comment": ("#5f6b76", "#9aa5b1", False),
    "string": ("#1b6e3c", "#8fd6a3", False),
    "keyword": ("#6a2ca0", "#c9a3f0", True),
    "number": ("#0b5cad", "#8ec1f5", False),
}
# One after the other: what is in a comment or a string is nothing else.
TOKEN = re.compile("|".join([
    r"(?P<missing># MISSING:.*)",
    r"(?P<comment>#.*)",
    r'(?P<string>""".*?"""|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')',
    rf"(?P<keyword>\b(?:{'|'.join(keyword.kwlist)})\b)",
    r"(?P<number>\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)",
]))


class PythonColours(QSyntaxHighlighter):
    """Colours the text of an editor, on light and on dark ground."""

    def __init__(self, editor: QPlainTextEdit):
        super().__init__(editor.document())
        dark = editor.palette().color(QPalette.Base).lightness() < 128
        self.formats: dict[str, QTextCharFormat] = {}
        for kind, (on_light, on_dark, bold) in KINDS.items():
            form = self.formats[kind] = QTextCharFormat()
            form.setForeground(QColor(on_dark if dark else on_light))
            if bold:
                form.setFontWeight(QFont.Bold)

    def highlightBlock(self, text: str) -> None:
        for token in TOKEN.finditer(text):
            start, end = token.span()
            self.setFormat(start, end - start, self.formats[token.lastgroup])
