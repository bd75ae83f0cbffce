"""What all controls of all widgets have in common."""
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
    QStatusBar,
    QTabBar,
    QWidget,
)
from Orange.widgets.tests.base import WidgetTest
from orangewidget.utils.buttons import VariableTextPushButton

from orange_structpred.widgets.owannotate import OWAnnotate
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owapplytagger import OWApplyTagger
from orange_structpred.widgets.owconfusions import OWConfusions
from orange_structpred.widgets.owimporttext import OWImportText
from orange_structpred.widgets.owlearningcurve import OWLearningCurve
from orange_structpred.widgets.owlearningsteps import OWLearningSteps
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owscript import OWScript
from orange_structpred.widgets.owstructuredsvm import OWStructuredSVM
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtraintagger import OWTrainTagger
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore

WIDGETS = (
    (OWLoadTreebank, {}),
    (OWTrainParser, {}),
    (OWTrainParser, {"features": "kernel", "kernel": "ngram"}),
    (OWTuneParser, {}),
    (OWTuneParser, {"features": "kernel", "evaluation": "folds"}),
    (OWLearningCurve, {}),
    (OWConfusions, {}),
    (OWLearningSteps, {}),
    (OWLearningSteps, {"solver": "one-slack"}),
    (OWApplyParser, {}),
    (OWImportText, {}),
    (OWTrainTagger, {}),
    (OWApplyTagger, {}),
    (OWAnnotate, {}),
    (OWUASScore, {}),
    (OWTreebankViewer, {}),
    (OWScript, {}),
    (OWStructuredSVM, {"output": "taxonomy"}),
    (OWStructuredSVM, {"output": "sequences"}),
)
CONTROLS = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QSlider)


def parents(control):
    while control is not None:
        yield control
        control = control.parentWidget()


def is_part(control):
    """Of a larger control, of Qt's own machinery, or of Orange's frame."""
    return (control.objectName().startswith(("qt_", "Scroll"))
            or isinstance(control, VariableTextPushButton)      # Orange's "Send"
            or any(isinstance(outer, (QStatusBar, QComboBox, QAbstractSpinBox))
                   for outer in parents(control.parentWidget()))
            or control.parentWidget().metaObject().className() == "QTabBar")


class TestControls(WidgetTest):
    def controls(self):
        for widget_class, settings in WIDGETS:
            widget = self.create_widget(widget_class, stored_settings=settings)
            found = [control for control in widget.findChildren(QWidget)
                     if isinstance(control, CONTROLS) and not is_part(control)
                     and control.isVisibleTo(widget)]
            self.assertTrue(found)
            for control in found:
                with self.subTest(widget_class.name, control=repr(control),
                                  text=getattr(control, "text", str)()):
                    yield widget, control

    def test_each_tells_what_it_is_for(self):
        for widget, control in self.controls():
            # Qt asks those around it if it has no tip of its own
            tips = [outer.toolTip() for outer in parents(control)
                    if widget.isAncestorOf(outer)]
            self.assertTrue(any(tips))

    def test_each_is_reached_by_the_keyboard(self):
        for _, control in self.controls():
            self.assertTrue(control.focusPolicy() & Qt.TabFocus)


def texts_with_keys(widget):
    """What stands in a widget with a letter that leads there."""
    for part in widget.findChildren(QWidget):
        if part.isVisibleTo(widget) and not isinstance(part.parent(), QStatusBar):
            if isinstance(part, QAbstractButton) or (
                    isinstance(part, QLabel) and part.buddy()):
                yield part.text()
            elif isinstance(part, QTabBar):
                yield from (part.tabText(i) for i in range(part.count()))


class TestKeys(WidgetTest):
    def test_each_letter_leads_to_one_place(self):
        for widget_class, settings in WIDGETS:
            widget = self.create_widget(widget_class, stored_settings=settings)
            tabs = getattr(widget, "tabs", None)
            for tab in range(tabs.count() if tabs else 1):
                if tabs:
                    tabs.setCurrentIndex(tab)
                taken = [QKeySequence("Alt+R")]         # Orange's report
                if widget.graph_name:
                    taken.append(QKeySequence("Alt+S"))     # and its picture
                for text in texts_with_keys(widget):
                    key = QKeySequence.mnemonic(text)
                    if key.isEmpty():
                        continue
                    with self.subTest(widget_class.name, tab=tab, text=text):
                        self.assertNotIn(key, taken)
                    taken.append(key)
