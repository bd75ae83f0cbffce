"""The example workflows, run by their own widgets, and their scripts without Qt."""
import ast
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import numpy as np
import pytest
from AnyQt.QtWidgets import QApplication
from Orange.evaluation import CA
from Orange.widgets.data.owpivot import OWPivot
from Orange.widgets.evaluate.owtestandscore import results_merge
from Orange.widgets.visualize.owdistributions import OWDistributions
from orangecanvas.application.examples import workflows
from orangewidget.tests.base import GuiTest

from orange_structpred.export import read_workflow
from orange_structpred.export.script import write_script
from orange_structpred.tables.contents import table_text
from orange_structpred.treebank import Treebank, load_bundled
from orange_structpred.widgets.common import run_workflow
from orange_structpred.widgets.owapplyparser import OWApplyParser
from tests.data import ROOT
from tests.export.toy import APPLY, LOAD, SCORE, TRAIN, ows
from tests.without_qt import run_here, run_without_qt

#: By their names without the numbers, which put them in order
WORKFLOWS = {path.stem.partition("-")[2]: path
             for path in sorted((ROOT / "workflows").glob("*.ows"))}
TIMEOUT = 600       # for a machine that has much else to do; seconds are the rule


@cache
def registry():
    return run_workflow.discover()


class ExampleTest(GuiTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_example(self, name, check, *, scored=True):
        """Run a workflow to its end; `check` gets its widgets by title.

        scored : whether it has scores, which its script must print
        """
        with run_workflow.collected_exceptions() as raised, \
                run_workflow.open_workflow(WORKFLOWS[name], registry()) as scheme:
            run_workflow.wait_until_finished(scheme, TIMEOUT)
            self.assertEqual(run_workflow.errors(scheme), [])
            widgets = {node.title: scheme.widget_for_node(node)
                       for node in scheme.nodes}
            check(widgets)
            if scored:
                self.check_script(name, widgets)
        self.assertEqual(raised, [])

    def check_script(self, name, widgets):
        """The script prints the same scores, of the same trees and parsers."""
        script = write_script(read_workflow(WORKFLOWS[name]))
        self.assertEqual(script.missing, [])
        path = self.folder / f"{name}.py"
        path.write_text(script.text, encoding="utf-8")
        if name == "first-parser":      # that no script needs Qt is checked once
            done, found = run_without_qt(path)
            self.assertEqual(done.returncode, 0, done.stderr)
            printed = done.stdout
        else:
            printed, found = run_here(path)
        tables = widgets["UAS Score"].tables
        self.assertIn(widgets["UAS Score"].score_table(), printed)
        # Scores are rounded; heads and the norms of weights are not.
        self.assertEqual(
            {name: heads for own in found["predictions"].values()
             for name, heads in own.items()},
            {name: [own.tolist() for own in prediction.heads] for table in tables
             for name, prediction in table.predictions.items()})
        parsers = {widget.parser.name: widget.parser.log[-1].norm.hex()
                   for widget in widgets.values() if isinstance(widget, OWApplyParser)
                   and widget.parser.log}
        self.assertEqual(found["norms"], parsers)
        self.check_tables(widgets, printed)

    def check_tables(self, widgets, printed):
        """Tables of Orange's own widgets are printed with their numbers."""
        for widget, table in (
                (OWPivot, lambda own: own.pivot.pivot_table),
                (OWDistributions, lambda own: own._get_histogram_table())):
            for own in widgets.values():
                if isinstance(own, widget):
                    self.assertIn(table_text(table(own)), printed)


class TestExamples(ExampleTest):
    def scores(self, widgets):
        return {own.label: own.evaluation.uas for own in widgets["UAS Score"].scored}

    def check_course(self, title, *shares, within=0.6):
        """The page for lecturers tells what is seen in a workflow, in percent; how numbers
        are rounded differs with the version of numpy."""
        text = (ROOT / "doc" / "course.md").read_text(encoding="utf-8")
        lesson, = (part for part in text.split("\n## ") if f"*Workflow*: **{title}**" in part)
        told = np.array(re.findall(r"\d+(?:\.\d+)?", lesson), float)
        for share in shares:
            self.assertLessEqual(np.abs(told - 100 * share).min(), within, share)

    def test_first_parser(self):
        def check(widgets):
            scores = self.scores(widgets)
            self.assertEqual(list(scores), ["explicit bcfw C=1"])
            self.assertGreater(scores["explicit bcfw C=1"], 0.9)
            self.assertLess(scores["explicit bcfw C=1"], 1)
            viewer = widgets["Treebank Viewer"]
            self.assertEqual(len(viewer.sentences), 80)
            self.assertEqual(list(viewer.pane.predictions), list(scores))
            self.assertIs(viewer.explainer.parser, widgets["Train Parser"].model)

        self.run_example("first-parser", check)

    def test_explicit_against_kernel(self):
        def check(widgets):
            scores = self.scores(widgets)
            self.assertEqual(list(scores), ["explicit", "kernel"])
            for uas in scores.values():
                self.assertGreater(uas, 0.8)
                self.assertLess(uas, 1)
            # Both are selected, and so compared.
            self.assertEqual(len(widgets["UAS Score"].table.selected()), 2)

        self.run_example("explicit-against-kernel", check)

    def test_hash_functions(self):
        def check(widgets):
            tags, direction, words = self.scores(widgets).values()
            self.assertGreater(tags, 0.4)
            self.assertGreater(direction, tags + 0.02)
            self.assertGreater(words, direction + 0.02)
            self.assertLess(words, 1)
            self.check_course("What the Hash Function Does", tags, direction, words)

        self.run_example("hash-functions", check)

    def test_input_kernels(self):
        def check(widgets):
            points = widgets["Tune Parser"].tuning.points
            by_kernel = {}
            for point in points:
                by_kernel.setdefault(point.label, []).append(point)
            constant, annotated = by_kernel.values()
            # a kernel fits the training sentences far better
            self.assertLess(min(own.train_loss for own in annotated),
                            min(own.train_loss for own in constant) / 2)
            for uas in self.scores(widgets).values():
                self.assertGreater(uas, 0.7)
                self.assertLess(uas, 1)
            self.check_course(
                "What the Input Kernel Does", *self.scores(widgets).values(),
                min(own.train_loss for own in constant),
                min(own.validation_loss for own in constant),
                widgets["Tune Parser"].tuning.best.train_loss,
                widgets["Tune Parser"].tuning.best.validation_loss)

        self.run_example("input-kernels", check)

    def test_approximate_trees(self):
        def check(widgets):
            exact, approximate = widgets["UAS Score"].scored
            self.assertEqual(exact.evaluation.trees, 1)
            self.assertLess(approximate.evaluation.trees, 1)
            self.assertGreater(approximate.evaluation.trees, 0.5)
            self.check_course("Approximate Trees", exact.evaluation.uas,
                              approximate.evaluation.uas)
            self.check_course("Approximate Trees", approximate.evaluation.trees, within=0.5)

        self.run_example("approximate-trees", check)

    def test_treebank_of_your_own(self):
        def check(widgets):
            edit = widgets["Edit Treebank"]
            self.assertEqual(len(edit.edited.sentences), 380)
            self.assertIs(edit.connected_parser, widgets["Train Parser"].model)
            self.assertEqual(len(widgets["Treebank Viewer"].sentences), 380)

        self.run_example("treebank-of-your-own", check, scored=False)

    def test_choosing_c(self):
        def check(widgets):
            (name, uas), = self.scores(widgets).items()
            self.assertGreater(uas, 0.8)
            self.assertLess(uas, 1)
            tried = widgets["Results"].input.table
            self.assertEqual(tried.get_column("C").tolist(),
                             [0.001, 0.01, 0.1, 1, 10])
            best = tried.get_column("validation loss").argmin()
            self.assertTrue(name.endswith(f"C={tried.get_column('C')[best]:g}"), name)
            self.check_course("Choosing C", uas, tried.get_column("train loss")[best],
                              tried.get_column("validation loss")[best],
                              tried.get_column("validation loss")[-1])

        self.run_example("choosing-c", check)

    def test_error_analysis(self):
        def check(widgets):
            scored, = widgets["UAS Score"].scored
            pivot, distributions = widgets["Pivot Table"], widgets["Distributions"]
            self.assertEqual((pivot.row_feature.name, pivot.col_feature.name),
                             ("relation", "correct"))
            self.assertEqual(len(pivot.data), scored.evaluation.tokens)
            self.assertEqual((distributions.var.name, distributions.cvar.name),
                             ("arc length", "correct"))
            wrong = round(scored.evaluation.tokens * (1 - scored.evaluation.uas))
            self.assertGreater(wrong, 10)
            self.assertEqual(len(widgets["Errors"].input.table), wrong)

        self.run_example("error-analysis", check)

    def test_step_by_step(self):
        def check(widgets):
            steps = widgets["Learning Steps"]
            self.assertEqual([step.sentence for step in steps.walk.taken], [0, 1, 2])
            uas, = self.scores(widgets).values()
            self.assertGreater(uas, 0.4)        # after three sentences
            self.assertLess(uas, 0.9)

        self.run_example("step-by-step", check)

    def test_learning_curve(self):
        def check(widgets):
            curve = widgets["Learning Curve"].curve
            self.assertEqual(curve.learners, ["explicit", "kernel"])
            self.assertEqual(curve.sizes, [38, 80, 160, 320])
            explicit, kernel = curve.points[:4], curve.points[4:]
            # more sentences help, and one of them more than the other
            self.assertGreater(explicit[-1].score, explicit[0].score + 0.05)
            self.assertGreater(explicit[-1].score, kernel[-1].score + 0.02)
            self.assertEqual(len(widgets["Curve"].input.table), 8)

        self.run_example("learning-curve", check, scored=False)
        script = write_script(read_workflow(WORKFLOWS["learning-curve"]))
        self.assertEqual(script.missing, [])
        self.assertIn("print(learning_curve_2)", script.text)

    def test_text_to_trees(self):
        def check(widgets):
            pipeline = widgets["Train Tagger"].model
            self.assertEqual(pipeline.steps,
                             ["tokeniser", "tagger", "lemmatiser", "parser"])
            sentences = widgets["Treebank Viewer"].sentences
            self.assertEqual(len(sentences), 3)
            self.assertTrue(all(own.has_heads for own in sentences))
            self.assertEqual(sentences[2].forms[2:4], ["did", "n't"])

        self.run_example("text-to-trees", check, scored=False)
        script = write_script(read_workflow(WORKFLOWS["text-to-trees"]))
        self.assertEqual(script.missing, [])

    def test_wrong_tags(self):
        def check(widgets):
            scores = self.scores(widgets)
            self.assertEqual(list(scores), ["gold tags", "predicted tags"])
            self.assertGreater(scores["gold tags"], scores["predicted tags"] + 0.01)

        self.run_example("wrong-tags", check)

    def test_find_trees(self):
        def check(widgets):
            matches = widgets["Find Trees"].result.matches
            self.assertEqual(len(widgets["Matches in Trees"].sentences),
                             matches.n_sentences)
            self.assertTrue(all(widgets["Matches in Trees"].marked))
            self.assertGreater(len(widgets["Objects before Verbs"].sentences), 0)

        self.run_example("find-trees", check, scored=False)
        self.assertEqual(write_script(read_workflow(WORKFLOWS["find-trees"])).missing, [])

    def test_classes_in_a_tree(self):
        def check(widgets):
            self.assertEqual([widgets[name].learner.output for name in ("Flat", "Tree")],
                             ["classes", "taxonomy"])
            test = widgets["Test and Score"]
            for accuracy in accuracies(test):
                self.assertGreater(accuracy, 0.85)
            # what the note says: fewer animals get or lose a backbone
            backbones = np.array([name in ("amphibian", "bird", "fish", "mammal", "reptile")
                                  for name in test.data.domain.class_var.values])
            flat, tree = (np.mean(backbones[results.predicted[0].astype(int)]
                                  != backbones[results.actual.astype(int)])
                          for results in all_results(test))
            self.assertLess(tree, 0.85 * flat)

        self.run_example("classes-in-a-tree", check, scored=False)
        script = write_script(read_workflow(WORKFLOWS["classes-in-a-tree"]))
        self.assertEqual(script.missing, [])
        self.assertIn("n_resamples=20, train_size=0.1, test_size=None", script.text)

    def test_sequences_of_labels(self):
        def check(widgets):
            flat, chain = accuracies(widgets["Test and Score"])
            self.assertGreater(chain, flat + 0.08)

        self.run_example("sequences-of-labels", check, scored=False)


def all_results(test):
    """What Test and Score has found, for each learner."""
    return [slot.results.value for slot in test.learners.values()]


def accuracies(test):
    return CA(results_merge(all_results(test)))


class TestGaps(ExampleTest):
    """A treebank in which some sentences have no heads."""

    def test_script_and_canvas_give_the_same_scores(self):
        sentences = load_bundled("en").sentences[:50]
        Treebank.from_sentences([
            *(own.with_heads(np.full(len(own), -1), ["_"] * len(own))
              for own in sentences[:3]), *sentences[3:]]).save(
            self.folder / "gaps.conllu")
        path = self.folder / "gaps.ows"
        path.write_bytes(ows(
            [(LOAD, "All", {"source": "bundled", "language": "en"}),
             (LOAD, "Gaps", {"source": "file", "path": str(self.folder / "gaps.conllu")}),
             (TRAIN, "Train", {"features": "explicit", "groups": "all", "solver": "auto",
                               "C": 1.0, "order": 1, "passes": 1,
                               "auto_train": "always"}),
             (APPLY, "Apply", {}), (SCORE, "UAS Score", {})],
            [(0, "Treebank", 2, "Treebank"), (2, "Parser", 3, "Parser"),
             (1, "Treebank", 3, "Treebank"), (3, "Treebank", 4, "Treebank")]))

        def check(widgets):
            scored, = widgets["UAS Score"].scored
            self.assertEqual(scored.evaluation.sentences, 47)
            self.assertTrue(widgets["UAS Score"].Warning.skipped.is_shown())

        with mock.patch.dict(WORKFLOWS, gaps=path):
            self.run_example("gaps", check)


def test_all_are_tested():
    tested = {name.removeprefix("test_").replace("_", "-")
              for name in dir(TestExamples) if name.startswith("test_")}
    assert tested >= set(WORKFLOWS)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_trains_without_being_asked(name):
    automatic = [node.settings[setting] for node in read_workflow(WORKFLOWS[name]).nodes
                 for setting in ("auto_train", "auto_tune", "auto_start") if setting in node.settings]
    assert set(automatic) <= {"always"}


def test_in_the_dialog_of_examples():
    assert QApplication.instance() is not None or QApplication([])
    from Orange.canvas.config import Config
    found = {item.abspath() for item in workflows(Config())}
    assert {str(path) for path in WORKFLOWS.values()} <= set(map(str, found))


def test_the_first_is_offered_first():
    titles = [read_workflow(path).title for path in WORKFLOWS.values()]
    assert titles[:7] == [
        "A First Parser", "Choosing C", "Explicit Features against Kernels",
        "What the Hash Function Does", "What the Input Kernel Does",
        "Approximate Trees", "Error Analysis"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_it_fits_a_window_of_1280_pixels(name):
    """Of which the toolbox and the edges take their part."""
    root = ElementTree.parse(WORKFLOWS[name])
    right = [ast.literal_eval(node.get("position"))[0] + 50
             for node in root.iter("node")]
    right += [x + width for x, _, width, _ in (
        ast.literal_eval(note.get("rect")) for note in root.iter("text"))]
    assert max(right) <= 985


def test_the_program_runs_the_first(tmp_path):
    """What `make run` does where there is no display."""
    done = subprocess.run(
        [sys.executable, "-m", run_workflow.__name__, WORKFLOWS["first-parser"],
         "--pictures", tmp_path / "output"], check=False, capture_output=True,
        encoding="utf-8", timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    assert "explicit bcfw C=1" in done.stdout
    assert "RuntimeWarning" not in done.stderr
    assert len(list((tmp_path / "output").glob("*.png"))) == 7
