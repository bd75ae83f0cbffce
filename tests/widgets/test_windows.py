from AnyQt.QtCore import QSize
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.widgets.common.windows import TITLE_BAR
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owscript import OWScript
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore


class TestSizes(WidgetTest):
    def test_windows_open_as_large_as_they_want_to_be(self):
        """If there is room: Qt would leave a third of the screen free."""
        for widget_class in (OWLoadTreebank, OWTrainParser, OWUASScore, OWTreebankViewer,
                             OWTuneParser, OWScript):
            with self.subTest(widget_class.name):
                widget = self.create_widget(widget_class)
                screen = widget.screen().availableGeometry().size()
                self.assertEqual(widget.size(), widget.sizeHint().boundedTo(
                    screen - QSize(0, TITLE_BAR)))
                laptop = QSize(1280, 800 - TITLE_BAR)
                self.assertEqual(widget.sizeHint().boundedTo(laptop), widget.sizeHint())
