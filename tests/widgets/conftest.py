"""The same font in each run, whatever is installed, and time for slow machines."""
import pytest
from AnyQt.QtWidgets import QApplication
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.widgets.common.run_workflow import use_matplotlib_font
from tests.widgets.waiting import LONG

POINTS = 9.
WAIT = 1000 * LONG      # Orange's 5,000 ms are too few where others compute, too

WidgetTest.wait_until_finished.__defaults__ = None, WAIT
WidgetTest.get_output.__defaults__ = None, None, WAIT
WidgetTest.process_events.__defaults__ = None, WAIT


@pytest.fixture(autouse=True, scope="session")
def font():
    application = QApplication.instance() or QApplication(["test"])
    use_matplotlib_font(application)
    own = application.font()
    own.setPointSizeF(POINTS)
    application.setFont(own)
    yield own
    del application
