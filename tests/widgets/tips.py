"""What the mouse shows."""
from AnyQt.QtGui import QTextDocument


def read_tip(tip: str) -> str:
    """The text of a tooltip that is HTML, as Qt shows it."""
    assert tip.startswith("<p")
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()
