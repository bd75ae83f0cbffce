"""Dependency trees drawn as arcs: gold above the words, a prediction below."""
from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QBrush
from AnyQt.QtWidgets import QGraphicsScene

from orange_structpred.treebank.drawn import is_right_to_left
from orange_structpred.treebank.tree_layout import Arcs, Spacing, TreeShape, lay_out
from orange_structpred.widgets.tree.items import (
    ArcItem,
    CaptionItem,
    Look,
    TokenItem,
    WordItem,
)
from orange_structpred.widgets.tree.picture import AGREED, DrawnTree, Picture

BASE = 5.               # between the words and the arcs
TREE_MARGIN = 18.
LONGEST_WORD = 28       # in widths of a letter; longer words are cut in the middle


class TreeScene(QGraphicsScene):
    """The picture of a sentence.

    token_hovered : the token under the mouse, 0 for none
    token_clicked : the token that was clicked
    """

    token_hovered = Signal(int)
    token_clicked = Signal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.right_to_left = False
        self.words_centre = 0.
        self._clear()

    def _clear(self) -> None:
        self.clear()
        self.words: list[WordItem] = []
        self.arcs: dict[str, dict[int, ArcItem]] = {"above": {}, "below": {}}
        self._focused: list[TokenItem] = []
        self._heads: list[WordItem] = []

    def show_text(self, text: str, look: Look) -> None:
        """A line of text in place of a picture."""
        self._clear()
        self.setBackgroundBrush(look.base)
        item = self.addSimpleText(text, look.title_font)
        item.setBrush(QBrush(look.faint))
        self._finish()

    def draw(self, picture: Picture, look: Look, tips: Sequence[str] = ()) -> None:
        """Draw a picture in place of what was there.

        tips : what is said of each word under the mouse
        """
        self._clear()
        self.setBackgroundBrush(look.base)
        longest = LONGEST_WORD * look.words.averageCharWidth()
        words = [look.words.elidedText(word, Qt.ElideMiddle, longest)
                 for word in picture.words]
        widths = [look.words.horizontalAdvance(word) for word in words]
        for line in picture.tags:
            widths = [max(width, look.tags.horizontalAdvance(tag))
                      for width, tag in zip(widths, line)]
        trees = {side: tree for side in ("above", "below")
                 if (tree := getattr(picture, side)) is not None}
        self.right_to_left = is_right_to_left(picture.words)
        layout = lay_out(
            widths,
            [TreeShape(tree.heads, np.array([
                look.labels.horizontalAdvance(label)
                for label in tree.labels]))
             for tree in trees.values()],
            Spacing(step=look.labels.height() + 6), right_to_left=self.right_to_left)

        height = WordItem.height(look, len(picture.tags))
        tips = tips or [""] * len(words)
        for i, (word, x) in enumerate(zip(words, layout.words)):
            item = WordItem(i + 1, look, word, [line[i] for line in picture.tags],
                            widths[i], tips[i], i + 1 in picture.marked,
                            [line for line, wrong in enumerate(picture.wrong_tags)
                             if i in wrong])
            item.setPos(x, 0)
            self.addItem(item)
            self.words.append(item)
        for (side, tree), arcs in zip(trees.items(), layout.arcs):
            self._draw_arcs(side, tree, arcs, height, look)
        self.words_centre = height / 2
        for (side, tree), arcs in zip(trees.items(), layout.arcs):
            self._draw_caption(side, tree, arcs, height, look, layout.width)
        self._finish()

    def _draw_arcs(self, side: str, tree: DrawnTree, arcs: Arcs, height: float,
                   look: Look) -> None:
        labels, shares = tree.labels, tree.probabilities
        down = side == "below"
        mark = tree.mark
        for token in arcs.tokens.tolist():
            i = token - 1
            kind = mark if tree.differs[i] else AGREED
            item = ArcItem(
                token, look, float(arcs.start[i]), float(arcs.end[i]),
                float(arcs.height[i]), labels[i], kind=kind,
                label_kind=mark if tree.relation_differs[i] else None,
                from_root=tree.heads[i] == 0, down=down,
                sure=1. if shares is None or np.isnan(shares[i]) else float(shares[i]))
            item.setPos(0, height + BASE if down else -BASE)
            self.addItem(item)
            self.arcs[side][token] = item

    def _draw_caption(self, side: str, tree: DrawnTree, arcs: Arcs, height: float,
                      look: Look, width: float) -> None:
        if not tree.title:
            return
        item = CaptionItem(look, tree)
        over = BASE + arcs.top + look.labels.height() + 10
        y = height + over if side == "below" else -over - item.boundingRect().height()
        x = width - item.boundingRect().width() if self.right_to_left else 0
        item.setPos(x, y)
        self.addItem(item)

    def _finish(self) -> None:
        self.setSceneRect(self.itemsBoundingRect().adjusted(
            -TREE_MARGIN, -TREE_MARGIN, TREE_MARGIN, TREE_MARGIN))

    def enlarge(self, factor: float) -> None:
        """Make everything larger, as for a picture of a higher resolution."""
        for item in self.items():
            item.setScale(factor)
            item.setPos(item.pos() * factor)
        self._finish()

    def focus_token(self, token: int, heads: Collection[int] = ()) -> None:
        """Mark a token, the arcs to it, and the words of heads; 0 for none."""
        for item in self._focused:
            item.set_focused(False)
        for item in self._heads:
            item.set_is_head(False)
        self._focused = [arcs[token] for arcs in self.arcs.values() if token in arcs]
        if token:
            self._focused.append(self.words[token - 1])
        self._heads = [self.words[head - 1] for head in heads if head]
        for item in self._focused:
            item.set_focused(True)
        for item in self._heads:
            item.set_is_head(True)

    def focused_words(self) -> list[WordItem]:
        return [item for item in self._focused if isinstance(item, WordItem)]

    def item_under(self, event) -> TokenItem | None:
        """The word or the arc under the mouse."""
        view = event.widget().parent() if event.widget() else self.views()[0]
        item = self.itemAt(event.scenePos(), view.transform())
        return item if isinstance(item, TokenItem) else None

    def mousePressEvent(self, event):
        item = self.item_under(event)
        if item is not None and event.button() == Qt.LeftButton:
            self.token_clicked.emit(item.token)
            event.accept()
        else:
            event.ignore()      # so that the view scrolls by dragging
