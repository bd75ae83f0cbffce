"""Widgets opened with any settings, given their inputs, and shown."""
import os
import reprlib

from tests.data import ROOT
from tests.hostile.draw import changed, pick, value
from tests.hostile.worker import Skipped

#: What pickled settings can hold and JSON cannot
UNUSUAL = (b"", b"\xff\0", (1, "x"), ("a", ["b"]), {1: 2}, {None: [float("nan")]}, set(),
           frozenset({"C"}), 1j, range(3), "\ud800", "x\udfff", [{}], [[]], [[1, 2], [3]])


#: Names that would be shown as something else if they were taken for HTML
MARKUP = ("<b>&lt;x</b>", "<img src='file:///x'>", "<a href='x'>y</a>", "<hr/>x", "<i>")


def prepare(folder):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        from orangewidget.tests.base import WidgetTest

        from tests.widgets.showntexts import html_texts
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
    return (test, [(own, defaults(own)) for own in widgets], make_inputs(), raised,
            html_texts)


def defaults(kind):
    """All settings of a widget, its own and Orange's, with what they are by default."""
    found = {setting.name: setting.default
             for setting, _, _ in kind.settingsHandler.provider.traverse_settings()}
    assert "savedWidgetGeometry" in found
    return {**found, "__version__": kind.settings_version}


def make_inputs():
    """Something to work with for each type of input."""
    from Orange.data import Table

    from orange_structpred import (
        Parser,
        ParserLearner,
        Pipeline,
        PipelineLearner,
        TaggerLearner,
        load_bundled,
    )
    treebank = load_bundled("en")[:8]
    learner = ParserLearner(passes=1, hash_bits=10, order=1)
    parser = learner(treebank)
    parser.calibrate(load_bundled("en")[8:16])
    pipeline = PipelineLearner(tagger=TaggerLearner(passes=1), parser=None)(treebank)
    return {Table: parser(treebank, probabilities=True), Parser: parser,
            Pipeline: pipeline, ParserLearner: learner}


def case(state, rng):
    test, widgets, inputs, raised, html_texts = state
    kind, known = pick(rng, widgets)
    settings = changed(rng, known, anything)
    if not isinstance(settings, dict):
        settings = dict.fromkeys(known, settings)
    keep_peace(settings)
    strange = {name: own for name, own in settings.items() if own is not known.get(name)}
    raised.clear()
    name = pick(rng, MARKUP)
    for own in inputs.values():
        own.name = name
    widget = test.create_widget(kind, stored_settings=settings)
    for signal in kind.get_signals("inputs"):
        for type_, own in inputs.items():
            if type_.__name__ in str(signal.type):
                test.send_signal(signal.name, own, widget=widget)
    widget.show()
    test.process_events()
    shown = [text for text in html_texts(widget) if name in text]
    widget.settingsHandler.pack_data(widget)
    widget.hide()
    widget.onDeleteWidget()
    test.widgets.remove(widget)
    test.signal_manager.outputs.clear()
    widget.deleteLater()
    test.tearDown()
    assert not raised, f"{kind.__name__} {reprlib.repr(strange)} {raised}"
    assert not shown, f"{kind.__name__} shows {name} as HTML: {shown}"


def anything(rng):
    if rng.random() < 0.8:
        return value(rng)
    if rng.random() < 0.1:
        deep = []
        for _ in range(10**5):
            deep = [deep]
        return deep
    return pick(rng, UNUSUAL)


def keep_peace(settings):
    """Nothing is asked of the web, and nothing is written."""
    for name in ("url", "ud", "scheduler", "auto_save"):
        settings.pop(name, None)
    if settings.get("source") in ("url", "ud"):
        del settings["source"]
