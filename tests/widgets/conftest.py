"""The same font in each run, whatever is installed."""
import pytest
from AnyQt.QtWidgets import QApplication

from orange_structpred.widgets.common.run_workflow import use_matplotlib_font

POINTS = 9.


@pytest.fixture(autouse=True, scope="session")
def font():
    application = QApplication.instance() or QApplication(["test"])
    use_matplotlib_font(application)
    own = application.font()
    own.setPointSizeF(POINTS)
    application.setFont(own)
    yield own
    del application
