import io
import os
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from AnyQt.QtGui import QImage
from orangecanvas.registry import WidgetDescription, WidgetRegistry
from orangewidget.tests.base import GuiTest

from orange_structpred.widgets.common import run_workflow
from tests.widgets import toy_widgets

IRIS = [("File", "Orange.widgets.data.owfile.OWFile"),
        ("Data Sampler", "Orange.widgets.data.owdatasampler.OWDataSampler"),
        ("Data Table", "Orange.widgets.data.owtable.OWTable")]
IRIS_LINKS = [(0, "Data", 1, "Data"), (1, "Data Sample", 2, "Data")]


def toy(name):
    return name, f"{toy_widgets.__name__}.OW{name}"


def workflow(nodes, links):
    """The XML of a workflow: (title, class) and (from, output, to, input)."""
    return "".join([
        '<scheme version="2.0" title="" description=""><nodes>',
        *(f'<node id="{number}" name="{title}" qualified_name="{name}" '
          f'project_name="x" version="" title="{title}" position="({number}00, 0)"/>'
          for number, (title, name) in enumerate(nodes)),
        "</nodes><links>",
        *(f'<link id="{number}" source_node_id="{source}" source_channel="{output}" '
          f'sink_node_id="{sink}" sink_channel="{entry}" enabled="true"/>'
          for number, (source, output, sink, entry) in enumerate(links)),
        "</links></scheme>"])


def toy_registry():
    registry = WidgetRegistry()
    for name in ("Slow", "Endless", "Score", "Picky", "Raising", "Broken"):
        widget = getattr(toy_widgets, f"OW{name}")
        registry.register_widget(WidgetDescription(
            **{**widget.get_widget_description(), "category": "Toys"}))
    return registry


class WorkflowTest(GuiTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, *args):
        path = self.folder / "some.ows"
        path.write_text(workflow(*args), encoding="utf-8")
        return path


class TestToys(WorkflowTest):
    def opened(self, *names):
        links = [(0, "Number", sink, "Number") for sink in range(1, len(names))]
        path = self.write([toy(name) for name in names], links)
        return run_workflow.open_workflow(path, toy_registry())

    def test_waits_for_threads_and_what_hangs_on_them(self):
        with self.opened("Slow", "Score") as scheme:
            slow, score = scheme.nodes
            self.assertIn(slow, run_workflow.busy(scheme))
            self.assertIsNone(scheme.widget_for_node(score).number)
            run_workflow.wait_until_finished(scheme, 30)
            self.assertEqual(scheme.widget_for_node(score).number, 42)
            self.assertEqual(run_workflow.busy(scheme), [])
            self.assertEqual(run_workflow.tables(scheme), [("Score", "UAS 42")])
            self.assertEqual(run_workflow.errors(scheme), [])

    def test_gives_up(self):
        with self.assertRaisesRegex(run_workflow.FailedError,
                                    "not finished after 0.5 s: Endless"), \
                self.opened("Endless", "Score") as scheme:
            run_workflow.wait_until_finished(scheme, 0.5)

    def test_errors_of_widgets(self):
        with self.opened("Slow", "Picky") as scheme:
            run_workflow.wait_until_finished(scheme, 30)
            self.assertEqual(run_workflow.errors(scheme), ["Picky: 42 is no good"])

    def test_exceptions_of_widgets(self):
        with run_workflow.collected_exceptions() as raised, \
                self.opened("Slow", "Raising") as scheme:
            run_workflow.wait_until_finished(scheme, 30)
        self.assertEqual([str(error) for error in raised], ["cannot stand 42"])

    def test_widgets_that_cannot_be_created(self):
        with run_workflow.collected_exceptions(), \
                self.opened("Slow", "Broken", "Score") as scheme:
            run_workflow.wait_until_finished(scheme, 30)
            error, = run_workflow.errors(scheme)
            self.assertEqual(error, "Broken: the widget could not be created "
                             "(ArithmeticError: no number to begin with)")
            self.assertEqual(run_workflow.tables(scheme), [("Score", "UAS 42")])
            paths = run_workflow.save_pictures(scheme, toy_registry(), self.folder)
        self.assertEqual(len(paths), 3)         # the workflow and two widgets

    def test_pictures(self):
        with self.opened("Slow", "Score") as scheme:
            run_workflow.wait_until_finished(scheme, 30)
            paths = run_workflow.save_pictures(
                scheme, toy_registry(), self.folder / "new" / "out")
        self.assertEqual([path.name for path in paths],
                         ["00-workflow.png", "01-slow.png", "02-score.png"])
        for path in paths:
            picture = QImage(str(path))
            self.assertGreater(picture.width(), 50)
            self.assertGreater(picture.height(), 20)
        drawn = QImage(str(paths[0]))
        colours = {drawn.pixel(x, y) for x in range(0, drawn.width(), 2)
                   for y in range(0, drawn.height(), 2)}
        self.assertGreater(len(colours), 10)

    def test_unknown_widget(self):
        path = self.write([toy("Slow"), ("Lost", "no.such.OWLost")], [])
        with self.assertRaisesRegex(run_workflow.WorkflowRunError,
                                    "some.ows: .*no.such.OWLost"), \
                run_workflow.open_workflow(path, toy_registry()):
            pass

    def test_link_that_does_not_fit(self):
        path = self.write([toy("Slow"), toy("Score")], [(0, "Word", 1, "Number")])
        with self.assertRaisesRegex(run_workflow.WorkflowRunError, "Word"), \
                run_workflow.open_workflow(path, toy_registry()):
            pass

    def test_no_workflow(self):
        path = self.folder / "some.ows"
        path.write_text("Dear reader,", encoding="utf-8")
        with self.assertRaisesRegex(run_workflow.WorkflowRunError,
                                    "found invalid XML.*expected a workflow"), \
                run_workflow.open_workflow(path, toy_registry()):
            pass


class TestProgram(WorkflowTest):
    def run_program(self, *args):
        """The exit code and what is printed, in this process and with its application;
        `test_the_program_runs_the_first` has it in a process of its own."""
        with mock.patch.object(run_workflow, "make_application"), \
                redirect_stdout(io.StringIO()) as out, \
                redirect_stderr(io.StringIO()) as errors:
            code = run_workflow.main(list(map(str, args)))
        return code, out.getvalue(), errors.getvalue()

    def test_core_widgets(self):
        path = self.write(IRIS, IRIS_LINKS)
        pictures = self.folder / "output"
        code, printed, errors = self.run_program(path, "--pictures", pictures)
        self.assertEqual(code, 0, errors)
        self.assertIn(f"4 pictures in {pictures}", printed)
        self.assertEqual(
            sorted(os.listdir(pictures)),
            ["00-workflow.png", "01-file.png", "02-data-sampler.png",
             "03-data-table.png"])

    def test_missing_file(self):
        code, _, errors = self.run_program(self.folder / "nowhere.ows")
        self.assertEqual(code, 2)
        self.assertEqual(
            errors,
            f"error: {self.folder / 'nowhere.ows'}: No such file or directory\n")


@unittest.skipUnless(sys.platform.startswith("linux"), "fontconfig is Linux's")
class TestFonts(WorkflowTest):
    # Where there are no fonts Qt draws the same box for all letters.
    LETTERS = ("from AnyQt.QtGui import QFont, QFontMetricsF\n"
               "def letters(font):\n"
               "    width = QFontMetricsF(font).horizontalAdvance\n"
               "    return width('i') < width('W')\n")

    def letters(self, code):
        config = self.folder / "fonts.conf"
        config.write_text(f"<fontconfig><dir>{self.folder / 'none'}</dir>"
                          f"<cachedir>{self.folder / 'cache'}</cachedir></fontconfig>",
                          encoding="utf-8")
        environment = {**os.environ, "HOME": str(self.folder),
                       "QT_QPA_PLATFORM": "offscreen", "FONTCONFIG_FILE": str(config)}
        return subprocess.run(
            [sys.executable, "-c", self.LETTERS + code], check=True,
            capture_output=True, encoding="utf-8", env=environment).stdout.strip()

    def test_machine_without_fonts(self):
        # The premise: an application alone cannot draw a letter here.
        self.assertEqual(self.letters(
            "from AnyQt.QtWidgets import QApplication\n"
            "application = QApplication(['x'])\n"
            "print(letters(application.font()))"), "False")
        # And with ours also fonts that widgets ask for by name have letters.
        self.assertEqual(self.letters(
            f"from {run_workflow.__name__} import make_application\n"
            f"application = make_application({str(self.folder)!r})\n"
            "print(letters(application.font()), letters(QFont('Helvetica')))"),
            "True True")


class TestCoreWidgets(WorkflowTest):
    def test_data_flow(self):
        path = self.write(IRIS, IRIS_LINKS)
        with run_workflow.open_workflow(path, run_workflow.discover()) as scheme:
            run_workflow.wait_until_finished(scheme, 60)
            sizes = [len(value) for link in scheme.links for value
                     in scheme.signal_manager.link_contents(link).values()]
            # File opens what it had last, iris if nothing, and Data Sampler draws as
            # many as it did last
            self.assertGreater(sizes[0], 100)
            self.assertTrue(0 < sizes[1] <= sizes[0], sizes)
            self.assertEqual(run_workflow.tables(scheme), [])
