"""The parts of the picture of a tree: words, arcs, captions, and their look."""
from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPalette,
    QPen,
    QPolygonF,
)
from AnyQt.QtWidgets import QGraphicsItem

from orange_structpred.treebank.tree_layout import corner
from orange_structpred.widgets.common.windows import mixed, paper_palette
from orange_structpred.widgets.tree.picture import AGREED, MISSED, WRONG_EDGE, DrawnTree

ARROW_HEAD = 7.              # length of an arrow head
READABLE = 0.35         # scale below which no text is drawn

DASHES = {MISSED: [1., 2.2], WRONG_EDGE: [4., 2.6], AGREED: None}
#: From Okabe and Ito's colours, which the colour-blind can tell apart.
ON_LIGHT = {MISSED: QColor("#0072b2"), WRONG_EDGE: QColor("#c84f00")}
ON_DARK = {MISSED: QColor("#6cc0f0"), WRONG_EDGE: QColor("#f0a030")}


class Look:
    """Fonts and colours of a picture, from those of the application."""

    def __init__(self, palette: QPalette, font: QFont):
        self.text = palette.color(QPalette.Text)
        self.base = palette.color(QPalette.Base)
        self.faint = mixed(self.text, self.base, 0.62)
        self.arc = mixed(self.text, self.base, 0.72)
        self.highlight = palette.color(QPalette.Highlight)
        dark = self.base.lightnessF() < 0.5
        self.marks = ON_DARK if dark else ON_LIGHT
        self.mark = QColor("#b39ddb" if dark else "#6a3d9a")      # of marked words
        self.word_font = self.sized(font, 1.12)
        self.tag_font = self.sized(font, 0.8)
        self.label_font = self.sized(font, 0.84)
        self.marked_font = self.sized(font, 0.84)
        self.marked_font.setUnderline(True)
        self.title_font = self.sized(font, 0.9)
        self.words, self.tags, self.labels, self.titles = map(QFontMetricsF, (
            self.word_font, self.tag_font, self.label_font, self.title_font))

    @staticmethod
    def sized(font: QFont, factor: float) -> QFont:
        font = QFont(font)
        font.setPointSizeF(QFontInfo(font).pointSizeF() * factor)
        # Widths must not depend on the zoom.
        font.setHintingPreference(QFont.PreferNoHinting)
        return font

    @classmethod
    def for_print(cls, font: QFont) -> Look:
        """Black on white, whatever the application looks like."""
        return cls(paper_palette(), font)

    def colour(self, kind: str) -> QColor:
        return self.marks.get(kind, self.arc)

    def pen(self, kind: str, *, bold: bool = False) -> QPen:
        pen = QPen(self.colour(kind), (1.3 if kind == AGREED else 1.9) + bold)
        pen.setCapStyle(Qt.RoundCap if kind == MISSED else Qt.FlatCap)
        if DASHES[kind]:
            pen.setDashPattern(DASHES[kind])
        return pen


class TokenItem(QGraphicsItem):
    """A part of the picture that belongs to a token: its word, or an arc to it."""

    def __init__(self, token: int, look: Look):
        super().__init__()
        self.token, self.look = token, look
        self.focused = False
        self.setAcceptHoverEvents(True)
        self.setCursor(Qt.PointingHandCursor)

    def set_focused(self, focused: bool) -> None:
        if focused != self.focused:
            self.focused = focused
            self.update()

    def hoverEnterEvent(self, event):
        self.scene().token_hovered.emit(self.token)

    def hoverLeaveEvent(self, event):
        self.scene().token_hovered.emit(0)


class WordItem(TokenItem):
    """A word and its tags, around x = 0, from y = 0 down.

    wrong : lines of tags that are wrong
    """

    def __init__(self, token: int, look: Look, word: str, tags: Sequence[str],
                 width: float, tip: str, marked: bool = False,
                 wrong: Collection[int] = ()):
        super().__init__(token, look)
        self.wrong = wrong
        self.word, self.tags, self.width, self.marked = word, tags, width, marked
        self.is_head = False
        self.setToolTip(tip)

    @staticmethod
    def height(look: Look, n_tags: int) -> float:
        return look.words.height() + n_tags * look.tags.height()

    def set_is_head(self, is_head: bool) -> None:
        if is_head != self.is_head:
            self.is_head = is_head
            self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-self.width / 2 - 4, -2, self.width + 8,
                      self.height(self.look, len(self.tags)) + 4)

    def paint(self, painter: QPainter, option, widget=None):
        look = self.look
        if self.focused or self.is_head:
            fill = QColor(look.highlight)
            fill.setAlphaF(0.38 if self.focused else 0.16)
            painter.setPen(Qt.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(self.boundingRect(), 4, 4)
        if self.marked:
            painter.setBrush(Qt.NoBrush)
            painter.setPen(QPen(look.mark, 1.6))
            painter.drawRoundedRect(self.boundingRect().adjusted(1, 1, -1, -1), 4, 4)
        if option.levelOfDetailFromTransform(painter.worldTransform()) < READABLE:
            painter.fillRect(QRectF(-self.width / 2, look.words.ascent() / 2,
                                    self.width, 2), look.faint)
            return
        y = look.words.ascent()
        self._draw(painter, self.word, y, look.word_font, look.words, look.text)
        y += look.words.descent()
        for line, tag in enumerate(self.tags):
            self._draw(painter, tag, y + look.tags.ascent(), look.tag_font, look.tags,
                       look.colour(WRONG_EDGE) if line in self.wrong else look.faint)
            y += look.tags.height()

    @staticmethod
    def _draw(painter, text, y, font, metrics, colour):
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(QPointF(-metrics.horizontalAdvance(text) / 2, y), text)


class ArcItem(TokenItem):
    """The arc from a head to a token, on a base line at y = 0.

    label_kind : how the label is marked, if not as the arc
    down : whether it hangs under the line
    sure : its probability; the less sure, the paler
    """

    PALEST = 0.25       # of an arc that is not sure at all

    def __init__(self, token: int, look: Look, start: float, end: float,
                 height: float, label: str, *, kind: str, label_kind: str | None,
                 from_root: bool, down: bool, sure: float = 1.):
        super().__init__(token, look)
        self.start, self.end, self.arc_height = start, end, height
        self.label, self.kind, self.label_kind = label, kind, label_kind
        self.sign = 1 if down else -1
        self.opaque = self.PALEST + (1 - self.PALEST) * sure
        self.path = self._make_path(from_root)
        self.label_rect = self._place_label()
        self.rect = self.path.controlPointRect().adjusted(-6, -6, 6, 6)
        if label:
            self.rect |= self.label_rect
        # Where arcs cross, the lower ones keep their labels readable.
        self.setZValue(-height)

    def _make_path(self, from_root: bool) -> QPainterPath:
        """Up from the head in a quarter of an ellipse, straight on, and down."""
        start, end, top = self.start, self.end, self.sign * self.arc_height
        stop = self.sign * ARROW_HEAD * 0.7      # the arrow head covers the rest
        if from_root:
            path = QPainterPath(QPointF(start, top))
            path.lineTo(end, stop)
            return path
        wide = np.sign(end - start) * corner(end - start, self.arc_height)
        bend = 0.45                         # of a cubic that looks like an ellipse
        path = QPainterPath(QPointF(start, 0))
        path.cubicTo(start, top * (1 - bend), start + wide * bend, top,
                     start + wide, top)
        path.lineTo(end - wide, top)
        path.cubicTo(end - wide * bend, top, end, top * (1 - bend), end, stop)
        return path

    def _place_label(self) -> QRectF:
        metrics, top = self.look.labels, self.sign * self.arc_height
        width, height = metrics.horizontalAdvance(self.label), metrics.height()
        y = top + 2 if self.sign > 0 else top - height - 2
        return QRectF((self.start + self.end - width) / 2, y, width, height)

    def boundingRect(self) -> QRectF:
        return self.rect

    def shape(self) -> QPainterPath:
        stroker = QPainterPathStroker()
        stroker.setWidth(10)
        shape = stroker.createStroke(self.path)
        shape.addRect(self.label_rect)
        return shape

    def paint(self, painter: QPainter, option, widget=None):
        look = self.look
        painter.setBrush(Qt.NoBrush)
        if self.focused:
            glow = QColor(look.highlight)
            glow.setAlphaF(0.38)
            painter.setPen(QPen(glow, 7, Qt.SolidLine, Qt.RoundCap))
            painter.drawPath(self.path)
        pen, colour = look.pen(self.kind, bold=self.focused), look.colour(self.kind)
        if not self.focused:
            colour = mixed(colour, look.base, self.opaque)
            pen.setColor(colour)
        painter.setPen(pen)
        painter.drawPath(self.path)
        painter.setPen(Qt.NoPen)
        painter.setBrush(colour)
        length, half = self.sign * ARROW_HEAD, ARROW_HEAD * 0.43
        painter.drawPolygon(QPolygonF([
            QPointF(self.end, 0), QPointF(self.end - half, length),
            QPointF(self.end + half, length)]))
        if self.label and option.levelOfDetailFromTransform(
                painter.worldTransform()) >= READABLE:
            painter.fillRect(self.label_rect.adjusted(-2, 2, 2, -2), look.base)
            painter.setFont(look.marked_font if self.label_kind else look.label_font)
            painter.setPen(look.colour(self.label_kind or self.kind))
            painter.drawText(self.label_rect.topLeft()
                             + QPointF(0, look.labels.ascent()), self.label)


class CaptionItem(QGraphicsItem):
    """Names a tree, and shows how arcs look that are not in the other one."""

    SAMPLE = 32.6       # three dashes

    def __init__(self, look: Look, tree: DrawnTree):
        super().__init__()
        self.look, self.title = look, tree.title
        self.kind = tree.mark
        self.head, self.relation = tree.differing

    def _parts(self) -> list[tuple[float, str]]:
        """The texts and where they start; before that of arcs there is a sample."""
        width = self.look.titles.horizontalAdvance
        x, parts = 0., []
        for before, text in ((0, self.title), (18 + self.SAMPLE + 6, self.head),
                             (18, self.relation)):
            if text:
                parts.append((x + before, text))
                x += before + width(text)
        return parts

    def boundingRect(self) -> QRectF:
        metrics = self.look.titles
        x, text = self._parts()[-1]
        return QRectF(0, 0, x + metrics.horizontalAdvance(text), metrics.height())

    def paint(self, painter: QPainter, option, widget=None):
        look, metrics = self.look, self.look.titles
        for x, text in self._parts():
            font = QFont(look.title_font)
            font.setUnderline(text == self.relation)
            painter.setFont(font)
            painter.setPen(look.text if text == self.title
                           else look.colour(self.kind))
            painter.drawText(QPointF(x, metrics.ascent()), text)
            if text == self.head:
                middle = metrics.ascent() - metrics.xHeight() / 2
                painter.setPen(look.pen(self.kind))
                painter.drawLine(QPointF(x - 6 - self.SAMPLE, middle),
                                 QPointF(x - 6, middle))
