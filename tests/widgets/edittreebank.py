"""Edit Treebank in tests: a small treebank, journals in a folder, mouse and keys."""
from unittest.mock import patch

import pytest
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QInputDialog
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.widgets.edit import journals
from orange_structpred.widgets.owedittreebank import OWEditTreebank
from tests.treebank.toy import block

TEXTS = ("The dog sees a cat", "Cats sleep", "Dogs bark at night")
TREES = ([2, 3, 0, 5, 3], [2, 0], [2, 0, 4, 2])


def toy():
    return Treebank.from_sentences(
        [Sentence(block(heads, text, sent_id=f"s{i}"))
         for i, (text, heads) in enumerate(zip(TEXTS, TREES))], name="toy")


class EditTreebankTest(WidgetTest):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.setattr(journals, "journal_folder", lambda: tmp_path / "journals")
        self.folder = tmp_path

    def setUp(self):
        self.open()

    def open(self, **settings):
        self.widget: OWEditTreebank = self.create_widget(
            OWEditTreebank, stored_settings=settings)
        self.widget.resize(1100, 650)
        self.widget.show()

    def tearDown(self):
        self.widget.onDeleteWidget()
        super().tearDown()

    def send(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)

    def output(self, name="treebank"):
        return self.get_output(getattr(self.widget.Outputs, name))

    @property
    def heads(self):
        return self.widget.sentence.heads.tolist()

    def position(self, item) -> QPoint:
        view = self.widget.view
        return view.mapFromScene(item.sceneBoundingRect().center())

    def item(self, word):
        scene = self.widget.scene
        return scene.words[word - 1] if word else scene.root

    def click(self, word, modifier=Qt.NoModifier):
        QTest.mouseClick(self.widget.view.viewport(), Qt.LeftButton, modifier,
                         self.position(self.item(word)))

    def drag(self, start: QPoint, word):
        viewport = self.widget.view.viewport()
        QTest.mousePress(viewport, Qt.LeftButton, Qt.NoModifier, start)
        end = self.position(self.item(word))
        for point in (start + (end - start) / 2, end):
            QTest.mouseMove(viewport, point)
        QTest.mouseRelease(viewport, Qt.LeftButton, Qt.NoModifier, end)

    def key(self, key, modifier=Qt.NoModifier):
        self.widget.activateWindow()
        QTest.qWaitForWindowActive(self.widget)
        QTest.keyClick(self.widget.view, key, modifier)

    def answer(self, text):
        """Give this text to the next question; None cancels."""
        def give(dialog):
            dialog.setTextValue(text or "")
            return text is not None

        return patch.object(QInputDialog, "exec", give)

    def long_sentence(self):
        """Send a treebank with a sentence that has to be scrolled."""
        texts = ["short one", " ".join(f"word{number}" for number in range(150))]
        self.send(Treebank.from_sentences([
            Sentence(block([0, *range(1, len(text.split()))], text)) for text in texts]))
        self.widget.list.select([1], 1)

    def sees(self, word):
        """Whether a word is in the part of the tree that is shown."""
        return self.widget.view.viewport().rect().contains(self.position(self.item(word)))
