"""Widgets opened with any settings."""
import os

from tests.data import ROOT
from tests.hostile.draw import changed, pick, value
from tests.hostile.worker import Skipped


def prepare(folder):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        from orangewidget.tests.base import WidgetTest
    except ImportError as error:
        raise Skipped(f"there are no widgets here: {error}") from error
    import importlib
    import sys
    test = WidgetTest()
    WidgetTest.setUpClass()
    test.setUp()
    raised = []
    sys.excepthook = lambda kind, error, trace: raised.append(error)
    widgets = []
    for path in sorted((ROOT / "widgets").glob("ow*.py")):
        module = importlib.import_module(f"orange_structpred.widgets.{path.stem}")
        widgets += [own for name, own in vars(module).items()
                    if name.lower() == path.stem]
    assert len(widgets) > 6
    return test, widgets, raised


def case(state, rng):
    test, widgets, raised = state
    kind = pick(rng, widgets)
    defaults = dict(kind.settingsHandler.defaults)
    settings = changed(rng, {name: own for name, own in defaults.items()
                             if own is None or isinstance(
                                 own, (str, int, float, list, dict, bool))}, value)
    if not isinstance(settings, dict):
        settings = {}
    settings.pop("url", None)           # nothing is asked of the web
    settings.pop("source", None)
    raised.clear()
    widget = test.create_widget(kind, stored_settings=settings)
    test.process_events()
    widget.onDeleteWidget()
    assert not raised, (kind.__name__, settings, raised)
