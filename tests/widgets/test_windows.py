import re
from base64 import b64decode
from importlib import import_module
from pkgutil import iter_modules
from types import SimpleNamespace

from AnyQt.QtCore import QPoint, QRect, QSize, QTimer
from AnyQt.QtGui import QColor, QImage, QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget
from Orange.widgets.tests.base import WidgetTest
from Orange.widgets.widget import OWWidget
from orangecanvas.styles import breeze_dark

from orange_structpred import widgets
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.windows import (
    LOOK_FOR_FRAME,
    TITLE_BAR,
    OnScreen,
    muted,
    position_within,
)
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owscript import OWScript
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore
from tests.widgets.waiting import wait_for


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

    def test_placeholders_can_be_read(self):
        """In the dark style, which has no colour of its own for them."""
        before = QApplication.palette()
        self.addCleanup(QApplication.setPalette, before)
        QApplication.setPalette(breeze_dark())
        seen = 0
        for widget_class in all_widgets():
            widget = self.create_widget(widget_class)
            for edit in widget.findChildren((QLineEdit, QPlainTextEdit)):
                palette = edit.palette()
                text, base = (palette.color(role) for role in (
                    QPalette.PlaceholderText, QPalette.Base))
                if edit.placeholderText():
                    seen += 1
                    with self.subTest(widget_class.name, text=edit.placeholderText()):
                        share = text.alphaF()
                        shown = QColor.fromRgbF(*(
                            share * own + (1 - share) * other for own, other in zip(
                                text.getRgbF()[:3], base.getRgbF()[:3])))
                        self.assertGreater(luminance(shown) + 0.05,
                                           3 * (luminance(base) + 0.05))
        self.assertGreater(seen, 5)


def all_widgets() -> list[type[OWWidget]]:
    """The classes of all widgets, one of each module."""
    modules = [import_module(f"{widgets.__name__}.{own.name}")
               for own in iter_modules(widgets.__path__) if own.name.startswith("ow")]
    return [own for module in modules for own in vars(module).values()
            if isinstance(own, type) and issubclass(own, OWWidget)
            and own.__module__ == module.__name__]


class TestReports(WidgetTest):
    def test_plots_are_on_white_in_the_dark_style(self):
        before = QApplication.palette()
        self.addCleanup(QApplication.setPalette, before)
        QApplication.setPalette(breeze_dark())
        widget = self.create_widget(OWTrainParser)
        base = widget.plot.palette().color(QPalette.Base)
        report_picture(widget, "Course", widget.plot)
        drawn = QImage.fromData(b64decode(
            re.search('base64,([^"]+)"', widget.report_html).group(1)))
        self.assertEqual(drawn.pixelColor(2, 2), QColor("white"))
        # and on the screen all is as it was
        self.assertEqual(widget.plot.palette().color(QPalette.Base), base)
        self.assertNotEqual(base, QColor("white"))
        QApplication.setPalette(before)
        self.process_events()
        self.assertEqual(widget.plot.palette().color(QPalette.Base),
                         before.color(QPalette.Base))


def test_title_bars_are_on_the_screen():
    room = QRect(0, 0, 1366, 768)
    for frame, corner in ((QRect(100, -30, 800, 700), (100, 0)),
                          (QRect(100, 20, 800, 700), (100, 20)),
                          (QRect(700, 200, 800, 700), (566, 68)),
                          (QRect(-5, -40, 1400, 800), (0, 0))):
        assert position_within(frame, room) == QPoint(*corner)


class TestFrames(WidgetTest):
    def test_a_window_is_moved_when_it_has_its_frame(self):
        """It comes from another process: here it is told 100 milliseconds late, and
        the widget keeps to a frame without a size that it was told before."""
        class Framed(QWidget):
            bar = 0

            def frameGeometry(self):
                return QRect(self.geometry().topLeft(), QSize(1, 1))

            def windowHandle(self):
                return SimpleNamespace(frameGeometry=lambda: self.geometry().adjusted(
                    0, -self.bar, 0, 0))

        window = Framed()
        window.resize(300, 200)
        mover = OnScreen(window)
        window.installEventFilter(mover)
        window.setGeometry(50, 0, 300, 200)
        window.show()
        QTimer.singleShot(100, lambda: setattr(window, "bar", 25))
        wait_for(lambda: window.geometry().top() == 25)
        wait_for(lambda: not mover._timer.isActive())
        window.setGeometry(-10, -5, 300, 200)       # the user's own choice
        QTest.qWait(3 * LOOK_FOR_FRAME)
        self.assertLess(window.geometry().top(), 0)
        window.hide()
