"""What the mouse shows."""
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QTextDocument


def read_tip(tip: str) -> str:
    """The text of a tooltip as Qt shows it."""
    if not Qt.mightBeRichText(tip):
        return tip
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()
