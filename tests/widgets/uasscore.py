"""UAS Score in tests: treebanks with predictions, and what it gives."""
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.widgets.owuasscore import OWUASScore
from tests.evaluation.toy import GOLD, PREDICTED
from tests.widgets.showntexts import ShownTexts

HEADS = [sentence.heads for sentence in PREDICTED]
DEPRELS = [sentence.deprels for sentence in PREDICTED]
GOLD_HEADS = [sentence.heads for sentence in GOLD]


def toy(name: str = "toy") -> Treebank:
    """With a labelled prediction of two errors and a perfect one without labels."""
    return Treebank.from_sentences(GOLD, name=name).with_prediction(
        "worse", HEADS, DEPRELS).with_prediction("perfect", GOLD_HEADS)


def shifted(treebank: Treebank, name: str, every: int) -> Treebank:
    """With a prediction in which one head in so many is wrong."""
    heads, seen = [], 0
    for sentence in treebank.sentences:
        own = sentence.heads.copy()
        for token in range(len(own)):
            seen += 1
            if seen % every == 0 and len(own) > 2:
                own[token] = next(head for head in range(len(own) + 1)
                                  if head not in (token + 1, own[token]))
        heads.append(own)
    return treebank.with_prediction(name, heads)


class UASScoreTest(ShownTexts, WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.english = shifted(shifted(load_bundled("en")[:60], "good", 9), "bad", 4)

    def setUp(self):
        self.widget: OWUASScore = self.create_widget(OWUASScore)

    def create(self, **settings) -> OWUASScore:
        self.widget = self.create_widget(OWUASScore, stored_settings=settings)
        return self.widget

    def send(self, *tables):
        for number, table in enumerate(tables):
            self.send_signal(self.widget.Inputs.treebank, table, number)
        self.wait_until_finished()

    def output(self, name: str):
        return self.get_output(getattr(self.widget.Outputs, name))

    def cells(self) -> dict[str, list[str]]:
        model = self.widget.table.model()
        return {column.title: [column.texts[number] for number in model.order]
                for column in model.columns}

    def select_rows(self, *rows: int):
        self.widget.table.clearSelection()
        for row in rows:
            index = self.widget.table.model().index(row, 0)
            self.widget.table.selectionModel().select(
                index, self.widget.table.selectionModel().Select
                | self.widget.table.selectionModel().Rows)

    def click_bar(self, parser: str, label: str, modifiers=Qt.NoModifier):
        chart = self.widget.chart
        item, = (item for item in chart.charts.bars
                 if chart.charts.key(item.bar) == (parser, label))
        chart.ensureVisible(item)
        QTest.mouseClick(chart.viewport(), Qt.LeftButton, modifiers,
                         chart.mapFromScene(item.rect().center()))
