from AnyQt.QtCore import QSize
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QApplication
from Orange.widgets.tests.base import WidgetTest
from orangecanvas.styles import breeze_dark

from orange_structpred.widgets.common.windows import TITLE_BAR, muted
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


def luminance(colour) -> float:
    """As the guidelines for readable pages (WCAG 2) define it."""
    red, green, blue = (own / 12.92 if own <= 0.03928 else ((own + 0.055) / 1.055) ** 2.4
                        for own in colour.getRgbF()[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class TestColours(WidgetTest):
    def test_hints_can_be_read(self):
        """In the light and in the dark style, with the contrast that WCAG asks for."""
        for palette in (QApplication.style().standardPalette(), breeze_dark()):
            dark, light = sorted(map(luminance, (
                muted(palette), palette.color(QPalette.Window))))
            self.assertGreater((light + 0.05) / (dark + 0.05), 4.5)
