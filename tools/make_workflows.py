"""Make the example workflows: build each with its real widgets, run and save it.

    sh tools/sandbox.sh python -m tools.make_workflows [--folder FOLDER] [NAME ...]

Widgets are set up as a user would do it, so what is saved is what Orange itself
saves. Some choices (columns in Orange's own widgets) need data, which is why each
workflow is run before it is saved.
"""
from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from AnyQt.QtCore import QEvent
from AnyQt.QtWidgets import QApplication, QListView
from Orange.widgets.utils.filedialogs import RecentPath
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme import SchemeLink, SchemeNode
from orangecanvas.scheme.annotations import SchemeTextAnnotation
from orangecanvas.scheme.widgetmanager import WidgetManager
from orangecanvas.utils import name_lookup
from orangewidget.tests.utils import simulate
from orangewidget.workflow.widgetsscheme import WidgetsScheme

from orange_structpred.widgets.common import run_workflow

FOLDER = Path(__file__).parent.parent / "workflows"
STEP_X, STEP_Y = 120, 130
LEFT, TOP = 70, 300        # of the first widget; (0, 0) would be no place to Orange
OURS = "orange_structpred.widgets."
CORE = "Orange.widgets."
LOAD = OURS + "owloadtreebank.OWLoadTreebank"
SAMPLER = CORE + "data.owdatasampler.OWDataSampler"
TRAIN = OURS + "owtrainparser.OWTrainParser"
TUNE = OURS + "owtuneparser.OWTuneParser"
APPLY = OURS + "owapplyparser.OWApplyParser"
SCORE = OURS + "owuasscore.OWUASScore"
CURVE = OURS + "owlearningcurve.OWLearningCurve"
STEPS = OURS + "owlearningsteps.OWLearningSteps"
TRAIN_TAGGER = OURS + "owtraintagger.OWTrainTagger"
APPLY_TAGGER = OURS + "owapplytagger.OWApplyTagger"
ANNOTATE = OURS + "owannotate.OWAnnotate"
VIEWER = OURS + "owtreebankviewer.OWTreebankViewer"
PIVOT = CORE + "data.owpivot.OWPivot"
DISTRIBUTIONS = CORE + "visualize.owdistributions.OWDistributions"
FIND = OURS + "owfindtrees.OWFindTrees"
EDIT = OURS + "owedittreebank.OWEditTreebank"
COMPARE = OURS + "owcomparetreebanks.OWCompareTreebanks"
STATISTICS = OURS + "owtreebankstatistics.OWTreebankStatistics"
TABLE = CORE + "data.owtable.OWTable"

STRUCTURED = OURS + "owstructuredsvm.OWStructuredSVM"
FILE = CORE + "data.owfile.OWFile"
COLUMNS = CORE + "data.owselectcolumns.OWSelectAttributes"
ROWS = CORE + "data.owselectrows.OWSelectRows"
TEST = CORE + "evaluate.owtestandscore.OWTestAndScore"
CONFUSION = CORE + "evaluate.owconfusionmatrix.OWConfusionMatrix"
PREDICTIONS = CORE + "evaluate.owpredictions.OWPredictions"
FIXED_SIZE = 1          # what Data Sampler calls it
RANDOM_SAMPLING, ON_TEST_DATA = 2, 5        # what Test and Score calls them
TWENTY_TIMES, TENTH = 4, 1

BUNDLED = {"source": "bundled", "language": "en"}
# "Replicable" is what makes the numbers the same each time.
SPLIT = {"sampling_type": 0, "sampleSizePercentage": 80, "use_seed": True}
ONLINE = {"solver": "mira", "C": 1., "passes": 10}
# The same explicit parser in all examples, with a solver for which C matters.
EXPLICIT = {"solver": "bcfw", "order": 1}
SOME_TEXT = ("The young architect built a new theatre near the river. Does the old "
             "teacher know the answer?\n\nThe students didn't see the concert on Monday.")


def place(x: float, y: float) -> tuple[float, float]:
    """Where a column and a row are on the canvas."""
    return LEFT + STEP_X * x, TOP + STEP_Y * y


def choose_row(view: QListView, text: str) -> None:
    """Select the row of a list that shows this text."""
    model = view.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    view.setCurrentIndex(next(row for row in rows if row.data() == text))


class Canvas:
    """A workflow in the making. Places are columns and rows of a grid."""

    def __init__(self, registry: WidgetRegistry, title: str, description: str):
        self.registry = registry
        self.scheme = WidgetsScheme(title=title, description=description)
        self.scheme.widget_manager.set_creation_policy(WidgetManager.Immediate)

    def node(self, widget: str, title: str, x: float, y: float, **settings
             ) -> SchemeNode:
        description = self.registry.widget(widget)
        widget_class = name_lookup(description.qualified_name)
        # New widgets begin with the settings of the last one of their class.
        widget_class.settingsHandler.defaults = {}
        # Settings without a version count as old ones.
        version = widget_class.settings_version
        node = SchemeNode(description, title=title, position=place(x, y),
                          properties={**settings, "__version__": version})
        self.scheme.add_node(node)
        return node

    def link(self, source: SchemeNode, output: str, sink: SchemeNode, entry: str
             ) -> None:
        self.scheme.add_link(SchemeLink(
            source, source.output_channel(output), sink, sink.input_channel(entry)))

    def text(self, x: float, y: float, width: float, height: float, text: str) -> None:
        """A note in Markdown."""
        self.scheme.add_annotation(SchemeTextAnnotation(
            (*place(x, y), STEP_X * width, STEP_Y * height), text,
            content_type="text/markdown", font={"size": 14}))

    def widget(self, node: SchemeNode):
        return self.scheme.widget_for_node(node)

    def treebank_in_two(self) -> tuple[SchemeNode, SchemeNode]:
        """The bundled treebank, and a sampler that keeps a fifth for testing."""
        # far enough from each other for the name of their link
        treebank = self.node(LOAD, "Treebank", -0.2, 0, **BUNDLED)
        sampler = self.node(SAMPLER, "Data Sampler", 1, 0, **SPLIT)
        self.link(treebank, "Treebank", sampler, "Data")
        return treebank, sampler

    def train_and_apply(self, sampler: SchemeNode, title: str,
                        learning: tuple[float, float], parsing: tuple[float, float],
                        **settings) -> tuple[SchemeNode, SchemeNode]:
        """A parser learned from the sample, and a widget that applies it.

        learning, parsing : where they are
        """
        train = self.node(TRAIN, title, *learning, auto_train="always", **settings)
        applied = self.node(APPLY, f"Apply {title}", *parsing)
        self.link(sampler, "Data Sample", train, "Treebank")
        self.link(train, "Parser", applied, "Parser")
        return train, applied


def first_parser(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    train = canvas.node(TRAIN, "Train Parser", 2.2, -1, auto_train="always", **EXPLICIT)
    applied = canvas.node(APPLY, "Apply Parser", 3.4, 0)
    viewer = canvas.node(VIEWER, "Treebank Viewer", 4.6, -1)
    score = canvas.node(SCORE, "UAS Score", 4.6, 1)
    canvas.link(sampler, "Data Sample", train, "Treebank")
    canvas.link(train, "Parser", applied, "Parser")
    canvas.link(sampler, "Remaining Data", applied, "Treebank")
    canvas.link(applied, "Treebank", score, "Treebank")
    canvas.link(applied, "Treebank", viewer, "Treebank")
    canvas.link(train, "Parser", viewer, "Parser")
    canvas.text(-0.4, -1.2, 2, 0.8, "**A first parser.** A treebank is a table with "
                "one row per sentence.")
    canvas.text(0.4, 0.75, 1.7, 0.8, "Holds out a fifth of the sentences for testing.")
    canvas.text(1.6, -2.05, 1.7, 0.65, "Learns from the sample. Open it and change C "
                "to 0.01: the score falls.")
    canvas.text(2.6, 0.75, 1.5, 0.8, "Parses sentences that the parser has never seen.")
    canvas.text(5.1, -1.3, 1.8, 0.95, "Each tree: gold above, prediction below. Point "
                "at an arc to see what contributes to its score.")
    canvas.text(5.1, 0.7, 1.8, 0.95, "How many heads are right, and where the errors "
                "are.")


def explicit_against_kernel(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    _, first = canvas.train_and_apply(
        sampler, "Explicit", (2.2, -1.2), (3.4, -0.4), learner_name="explicit",
        **EXPLICIT)
    _, second = canvas.train_and_apply(
        sampler, "Kernel", (2.2, 1.2), (4.6, 0.4), learner_name="kernel",
        features="kernel", hash=["posTags::dir", "posTags2::dir", "tokens"],
        kernel="bow")
    score = canvas.node(SCORE, "UAS Score", 5.8, 0,
                        selected_parsers=["explicit", "kernel"])
    canvas.link(sampler, "Remaining Data", first, "Treebank")
    canvas.link(first, "Treebank", second, "Treebank")
    canvas.link(second, "Treebank", score, "Treebank")
    canvas.text(-0.4, -1.4, 2, 0.95, "**Explicit against kernel.** Two parsers are "
                "trained and tested on the same sentences.")
    canvas.text(1.6, -2.05, 2.6, 0.5, "Explicit features of edges: words and tags of "
                "the head and the dependent, between them and around them.")
    canvas.text(1.6, 1.85, 2.8, 0.7, "Hash functions say which edges are equal, an "
                "input kernel how similar sentences are. Try other kernels here.")
    canvas.text(5.1, 0.75, 2, 0.8, "Both parsers are selected, so they are compared: "
                "is the difference significant?")


def hash_functions(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    source, output = sampler, "Remaining Data"
    for learning, parsing, title, hashes in (
            ((2.2, -1.5), (3.4, -0.7), "Tags", ["posTags"]),
            ((2.2, 0.3), (4.6, 0), "Tags and Direction", ["posTags::dir"]),
            ((2.2, 1.6), (5.8, 0.7), "Tags, Fine Tags and Words",
             ["posTags::dir", "posTags2::dir", "tokens"])):
        _, applied = canvas.train_and_apply(
            sampler, title, learning, parsing, learner_name=title, features="kernel",
            hash=hashes, kernel="constant", passes=10)
        canvas.link(source, output, applied, "Treebank")
        source, output = applied, "Treebank"
    score = canvas.node(SCORE, "UAS Score", 6.8, 0, by="PoS")
    canvas.link(source, output, score, "Treebank")
    canvas.text(-0.4, -1.5, 2, 0.95, "**What the hash function does.** Edges with the "
                "same hash value share a weight.")
    canvas.text(1.7, -2.3, 2.9, 0.5, "Only the tags of head and dependent: an edge to "
                "the left has the same weight as one to the right.")
    canvas.text(1.7, 2.4, 2.9, 0.5, "The same with the fine tags and with the "
                "words: a sum of three kernels.")
    canvas.text(5.4, -1.25, 1.9, 0.8, "Three parsers in one table. The chart shows for "
                "which tags direction matters.")


def input_kernels(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    tune = canvas.node(
        TUNE, "Tune Parser", 2.2, -1, auto_tune="always", features="kernel",
        hash=["posTags2::dir"], C_from=10., C_to=1000., stop_raising=True, axis="squared_norm",
        varied={"kernel": "constant, annotated-ngram"})
    results = canvas.node(TABLE, "Results", 3.8, -1.5)
    applied = canvas.node(APPLY, "Apply Parser", 3.4, 0)
    score = canvas.node(SCORE, "UAS Score", 4.6, 0)
    canvas.link(sampler, "Data Sample", tune, "Treebank")
    canvas.link(tune, "Results", results, "Data")
    canvas.link(tune, "Parser", applied, "Parser")
    canvas.link(sampler, "Remaining Data", applied, "Treebank")
    canvas.link(applied, "Treebank", score, "Treebank")
    canvas.text(-0.4, -1.5, 2, 1.1, "**What the input kernel does.** Tags and direction "
                "say little about an edge; a kernel also asks how similar two sentences "
                "are.")
    canvas.text(1.4, -2.5, 2.2, 0.95, "C rises until the training loss no longer "
                "improves. Dashed: training sentences; solid: held-out ones.")
    canvas.text(4.3, -1.7, 1.9, 0.65, "How much of what the kernel fits carries over?")


def approximate_trees(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    source, output = sampler, "Remaining Data"
    for learning, parsing, title, decoder in (
            ((2.2, -1.3), (3.4, -0.5), "Exact", "exact"),
            ((2.2, 1.1), (4.6, 0.4), "Approximate", "approximate")):
        _, applied = canvas.train_and_apply(
            sampler, title, learning, parsing, learner_name=title.lower(),
            features="kernel", hash=["posTags2::dir"], kernel="constant", decoder=decoder)
        canvas.link(source, output, applied, "Treebank")
        source, output = applied, "Treebank"
    score = canvas.node(SCORE, "UAS Score", 5.9, -0.5, by="arc length")
    viewer = canvas.node(VIEWER, "Treebank Viewer", 5.9, 1.1)
    canvas.link(source, output, score, "Treebank")
    canvas.link(source, output, viewer, "Treebank")
    canvas.text(-0.4, -1.4, 2, 0.95, "**Approximate trees.** The best head of each word, "
                "whether or not this makes a tree.")
    canvas.text(1.7, -2.1, 2.4, 0.65, "Chu-Liu and Edmonds: always the best tree.")
    canvas.text(1.7, 1.9, 2.4, 0.65, "Each word chooses for itself.")
    canvas.text(5.3, -1.6, 2.2, 0.8, "Trees: how many are valid? Has UAS suffered?")


def error_analysis(canvas: Canvas) -> Callable[[], None]:
    _, sampler = canvas.treebank_in_two()
    train = canvas.node(TRAIN, "Train Parser", 2.2, -1, auto_train="always",
                        learner_name="explicit", **EXPLICIT)
    applied = canvas.node(APPLY, "Apply Parser", 3.4, 0)
    pivot = canvas.node(PIVOT, "Pivot Table", 4.8, -1.2)
    distributions = canvas.node(DISTRIBUTIONS, "Distributions", 4.8, 0)
    score = canvas.node(SCORE, "UAS Score", 4.8, 1.2, by="relation",
                        selected_parsers=["explicit"])
    # the colours of right and wrong are no label to look at
    table = canvas.node(TABLE, "Errors", 6.1, 1.2, show_attribute_labels=False)
    canvas.link(sampler, "Data Sample", train, "Treebank")
    canvas.link(train, "Parser", applied, "Parser")
    canvas.link(sampler, "Remaining Data", applied, "Treebank")
    canvas.link(applied, "Tokens", pivot, "Data")
    canvas.link(applied, "Tokens", distributions, "Data")
    canvas.link(applied, "Treebank", score, "Treebank")
    canvas.link(score, "Errors", table, "Data")
    canvas.text(-0.4, -1.4, 2, 0.95, "**Error analysis.** Apply Parser also sends a "
                "table with one row per token, for Orange's own widgets.")
    canvas.text(5.3, -1.4, 1.9, 0.5, "For which relations is the head right?")
    canvas.text(5.3, -0.2, 1.9, 0.5, "Are long arcs wrong more often than short ones?")
    canvas.text(4.5, 1.95, 2.5, 0.5, "Click a bar in UAS Score: the table shows the "
                "wrong heads behind it.")

    def choose_columns() -> None:
        controls = canvas.widget(pivot).controls
        simulate.combobox_activate_item(controls.row_feature, "relation")
        simulate.combobox_activate_item(controls.col_feature, "correct")
        controls = canvas.widget(distributions).controls
        choose_row(controls.var, "arc length")
        simulate.combobox_activate_item(controls.cvar, "correct")
        if not controls.stacked_columns.isChecked():
            controls.stacked_columns.click()

    return choose_columns


def choosing_c(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    tune = canvas.node(TUNE, "Tune Parser", 2.2, -1, auto_tune="always", C_from=0.001,
                       C_to=10., C_per_decade=1, passes=5)
    results = canvas.node(TABLE, "Results", 3.8, -1.5)
    applied = canvas.node(APPLY, "Apply Parser", 3.4, 0)
    score = canvas.node(SCORE, "UAS Score", 4.6, 0)
    canvas.link(sampler, "Data Sample", tune, "Treebank")
    canvas.link(tune, "Results", results, "Data")
    canvas.link(tune, "Parser", applied, "Parser")
    canvas.link(sampler, "Remaining Data", applied, "Treebank")
    canvas.link(applied, "Treebank", score, "Treebank")
    canvas.text(-0.4, -1.4, 2, 0.95, "**Choosing C.** A small C keeps the weights "
                "small, a large one fits the training sentences.")
    canvas.text(1.4, -2.35, 2, 0.8, "Holds out a part of the sample and plots the loss "
                "on both parts. Click a point to select it.")
    canvas.text(4.3, -1.7, 1.9, 0.5, "All results, with confidence intervals.")
    canvas.text(4, 0.75, 2.2, 0.8, "The selected parser on sentences that were not used "
                "for the selection: an unbiased score.")


def learning_curve(canvas: Canvas) -> None:
    treebank = canvas.node(LOAD, "Treebank", 0, 0, **BUNDLED)
    explicit = canvas.node(TRAIN, "Explicit", 1.4, -1, learner_name="explicit",
                           auto_train="always", **EXPLICIT)
    kernel = canvas.node(TRAIN, "Kernel", 1.4, 1, learner_name="kernel",
                         auto_train="always", features="kernel")
    curve = canvas.node(CURVE, "Learning Curve", 2.8, 0, auto_start="always",
                        sizes="12%, 25%, 50%, 100%")
    table = canvas.node(TABLE, "Curve", 4.2, 0)
    canvas.link(treebank, "Treebank", curve, "Treebank")
    canvas.link(explicit, "Learner", curve, "Learner")
    canvas.link(kernel, "Learner", curve, "Learner")
    canvas.link(curve, "Curve", table, "Data")
    canvas.text(-0.4, -1.2, 1.6, 0.8, "**Learning curve.** Would more sentences help?")
    canvas.text(1, -1.9, 1.9, 0.65, "These send their settings as learners; they need "
                "no treebank.")
    canvas.text(2.1, 0.75, 2.2, 1.1, "Trains each learner on 12% to 100% of the "
                "sentences, three times, and scores it on held-out ones.")
    canvas.text(3.9, -0.75, 1.9, 0.5, "Means and deviations.")


def step_by_step(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    steps = canvas.node(STEPS, "Learning Steps", 2.3, -0.8, history=[0, 1, 2], sentence=3)
    applied = canvas.node(APPLY, "Apply Parser", 3.4, 0)
    score = canvas.node(SCORE, "UAS Score", 4.6, 0)
    canvas.link(sampler, "Data Sample", steps, "Treebank")
    canvas.link(steps, "Parser", applied, "Parser")
    canvas.link(sampler, "Remaining Data", applied, "Treebank")
    canvas.link(applied, "Treebank", score, "Treebank")
    canvas.text(-0.4, -1.4, 2, 0.8, "**Learning step by step.** What does a parser do "
                "with one sentence?")
    canvas.text(1.5, -2.2, 2.3, 0.95, "Open it and press Step: the most violated tree, the "
                "update of the weights, the new scores. Its last tab draws cutting planes.")
    canvas.text(4, 0.75, 2.2, 0.65, "How good is a parser that has seen three sentences? "
                "Press Step and look again.")


def text_to_trees(canvas: Canvas) -> None:
    treebank = canvas.node(LOAD, "Treebank", 0, 0, **BUNDLED)
    train = canvas.node(TRAIN_TAGGER, "Train Tagger", 1.3, 0, auto_train="always",
                        trees=True)
    annotated = canvas.node(ANNOTATE, "Annotate", 2.6, 0, text=SOME_TEXT)
    viewer = canvas.node(VIEWER, "Treebank Viewer", 3.9, -0.7)
    table = canvas.node(TABLE, "Sentences", 3.9, 0.7)
    canvas.link(treebank, "Treebank", train, "Treebank")
    canvas.link(train, "Pipeline", annotated, "Pipeline")
    canvas.link(annotated, "Treebank", viewer, "Treebank")
    canvas.link(annotated, "Treebank", table, "Data")
    canvas.text(-0.4, -1.3, 1.7, 0.9, "**Tag and parse your text.** Any treebank will "
                "do: choose your language under Universal Dependencies.")
    canvas.text(0.8, 0.75, 1.6, 1.1, "Learns words and sentences, tags, lemmas and "
                "trees: a pipeline. Save Parser keeps it.")
    canvas.text(2, -1.3, 1.6, 0.9, "Type or paste your text here, open a text file, or "
                "connect a table with texts.")
    canvas.text(4.4, -0.9, 1.8, 0.5, "The trees of your sentences.")


def wrong_tags(canvas: Canvas) -> None:
    _, sampler = canvas.treebank_in_two()
    parser = canvas.node(TRAIN, "Train Parser", 2.2, -1.3, auto_train="always",
                         **EXPLICIT)
    tagger = canvas.node(TRAIN_TAGGER, "Train Tagger", 2.2, 1.3, auto_train="always",
                         words=False)
    tagged = canvas.node(APPLY_TAGGER, "Apply Tagger", 3.4, 0.9, place="instead")
    gold = canvas.node(APPLY, "Gold Tags", 4.8, -0.8, column_name="gold tags")
    predicted = canvas.node(APPLY, "Predicted Tags", 4.8, 0.5,
                            column_name="predicted tags")
    confusions = canvas.node(TABLE, "Wrong Tags", 4.8, 1.7)
    score = canvas.node(SCORE, "UAS Score", 6.2, 0, by="PoS")
    canvas.link(sampler, "Data Sample", parser, "Treebank")
    canvas.link(sampler, "Data Sample", tagger, "Treebank")
    canvas.link(sampler, "Remaining Data", tagged, "Treebank")
    canvas.link(tagger, "Pipeline", tagged, "Pipeline")
    canvas.link(parser, "Parser", gold, "Parser")
    canvas.link(parser, "Parser", predicted, "Parser")
    canvas.link(sampler, "Remaining Data", gold, "Treebank")
    canvas.link(tagged, "Treebank", predicted, "Treebank")
    canvas.link(tagged, "Confusions", confusions, "Data")
    canvas.link(gold, "Treebank", score, "Treebank")
    canvas.link(predicted, "Treebank", score, "Treebank")
    canvas.text(-0.4, -1.5, 2, 1.1, "**What wrong tags do to a parser.** It has "
                "learned from gold tags, but new text has only predicted ones.")
    canvas.text(2.5, 1.75, 1.9, 0.8, "Puts predicted tags in place of the gold ones.")
    canvas.text(5.4, 1.5, 1.7, 0.5, "Which tags are confused with which.")
    canvas.text(5.6, -1.3, 2, 0.9, "The same parser on the same sentences, with gold "
                "and with predicted tags.")


def find_trees(canvas: Canvas) -> None:
    load = canvas.node(LOAD, "Treebank", 0, 0, **BUNDLED)
    found = canvas.node(
        FIND, "Find Trees", 1.8, -0.8, key="O.upos", by="order(V, O)",
        pattern="pattern { V [upos=VERB]; V -[obj]-> O }\nwithout { V -[aux]-> * }")
    statistics = canvas.node(STATISTICS, "Treebank Statistics", 1.8, 1.2,
                             figure="Head and dependent", cells=[["obj", "D H"]])
    viewer = canvas.node(VIEWER, "Matches in Trees", 3.6, -1.2)
    table = canvas.node(TABLE, "Matches", 3.6, -0.2)
    others = canvas.node(VIEWER, "Objects before Verbs", 3.6, 1.2)
    canvas.link(load, "Treebank", found, "Treebank")
    canvas.link(load, "Treebank", statistics, "Treebank")
    canvas.link(found, "Sentences", viewer, "Treebank")
    canvas.link(found, "Matches", table, "Data")
    canvas.link(statistics, "Sentences", others, "Treebank")
    canvas.text(-0.4, -1.6, 2, 1.1, "**Find trees.** Objects of verbs without an "
                "auxiliary. Change the pattern: the answer comes while you type.")
    canvas.text(4.3, -1.5, 1.9, 0.8, "The matched words have a frame.")
    canvas.text(1, 1.8, 2.2, 0.8, "Word order, valency and more. Click a bar or a cell "
                "to see its sentences.")


def treebank_of_your_own(canvas: Canvas) -> None:
    load = canvas.node(LOAD, "Treebank", 0, 0, **BUNDLED)
    sampler = canvas.node(SAMPLER, "20 Sentences", 1.2, 0, sampling_type=FIXED_SIZE,
                          sampleSizeNumber=20, use_seed=True)
    train = canvas.node(TRAIN, "Train Parser", 2.4, -1, auto_train="always")
    edit = canvas.node(EDIT, "Edit Treebank", 3.6, 0)
    compare = canvas.node(COMPARE, "What I Have Changed", 5, 1)
    viewer = canvas.node(VIEWER, "Treebank Viewer", 5, -0.8)
    canvas.link(load, "Treebank", sampler, "Data")
    canvas.link(sampler, "Data Sample", train, "Treebank")
    canvas.link(train, "Parser", edit, "Parser")
    canvas.link(sampler, "Remaining Data", edit, "Treebank")
    canvas.link(sampler, "Remaining Data", compare, "First")
    canvas.link(edit, "Treebank", compare, "Second")
    canvas.link(edit, "Treebank", viewer, "Treebank")
    canvas.text(-0.4, -1.5, 2.4, 1.1, "**A treebank of your own.** A parser that has seen "
                "only 20 sentences helps you to correct the others.")
    canvas.text(3, 0.8, 1.9, 1.4, "Shift+N goes to the sentence that is worth most. P "
                "parses the rest, A accepts, D: done. Ctrl+L lets the parser learn.")
    canvas.text(4.6, -1.9, 2.2, 0.8, "Connect Done to Train Parser to train on all that "
                "you have corrected.")


def classes_in_a_tree(canvas: Canvas) -> Callable[[], None]:
    data = canvas.node(FILE, "Zoo", 0, 0, recent_paths=[
        RecentPath("", "sample-datasets", "zoo.tab")])
    columns = canvas.node(COLUMNS, "Select Columns", 1.1, 0)
    flat = canvas.node(STRUCTURED, "Flat", 2.3, -1.3)
    tree = canvas.node(STRUCTURED, "Tree", 2.3, 1.3, output="taxonomy", path="backbone")
    test = canvas.node(TEST, "Test and Score", 3.6, 0, resampling=RANDOM_SAMPLING,
                       n_repeats=TWENTY_TIMES, sample_size=TENTH)
    confusion = canvas.node(CONFUSION, "Confusion Matrix", 4.9, 0)
    canvas.link(data, "Data", columns, "Data")
    canvas.link(columns, "Data", test, "Data")
    for learner in (flat, tree):
        canvas.link(learner, "Learner", test, "Learner")
    canvas.link(test, "Evaluation Results", confusion, "Evaluation Results")
    canvas.text(-0.4, -1.3, 2.2, 0.95, "**Classes in a tree.** Animals of seven types; "
                "five of them have a backbone.")
    canvas.text(0.1, 0.75, 1.9, 0.8, "Whether they have one is in the tree, so it is "
                "not a feature: both learners see the same.")
    canvas.text(2.8, -1.7, 2.6, 0.65, "All types count the same: a mistake is a mistake.")
    canvas.text(2.8, 1.35, 3, 0.8, "Types with a backbone share weights, and so do those "
                "without. Taking a bird for an insect costs more than taking it for a reptile.")
    canvas.text(4.4, -1.2, 2.7, 0.8, "With ten animals to learn from, there are hardly "
                "fewer mistakes, but fewer bad ones: a backbone where there is none. "
                "With more (try 66%), the tree no longer helps.")

    def choose_columns() -> None:
        widget = canvas.widget(columns)
        backbone = widget.data.domain["backbone"]
        widget.used_attrs[:] = [own for own in widget.used_attrs if own != backbone]
        widget.meta_attrs[:] = [*widget.meta_attrs, backbone]
        widget.update_domain_role_hints()
        widget.commit.now()

    return choose_columns


def sequences_of_labels(canvas: Canvas) -> Callable[[], None]:
    treebank = canvas.node(LOAD, "Treebank", 0, 0, **BUNDLED)
    train = canvas.node(TRAIN, "Train Parser", 0.9, -1.2, auto_train="always", passes=2,
                        **EXPLICIT)
    applied = canvas.node(APPLY, "Apply Parser", 1.8, 0)
    columns = canvas.node(COLUMNS, "Select Columns", 2.9, 0)
    rows = canvas.node(ROWS, "Select Rows", 4, 0)
    flat = canvas.node(STRUCTURED, "Token by Token", 4.6, -1.4, **ONLINE)
    chain = canvas.node(STRUCTURED, "Sequences", 4.6, 1.4, output="sequences",
                        group="sentence", order="position", **ONLINE)
    test = canvas.node(TEST, "Test and Score", 5.9, 0, resampling=ON_TEST_DATA)
    canvas.link(treebank, "Treebank", train, "Treebank")
    canvas.link(train, "Parser", applied, "Parser")
    canvas.link(treebank, "Treebank", applied, "Treebank")
    canvas.link(applied, "Tokens", columns, "Data")
    canvas.link(columns, "Data", rows, "Data")
    canvas.link(rows, "Matching Data", test, "Data")
    canvas.link(rows, "Unmatched Data", test, "Test Data")
    for learner in (flat, chain):
        canvas.link(learner, "Learner", test, "Learner")
    canvas.text(-0.4, -2.2, 2.4, 0.8, "**Sequences of labels.** Apply Parser sends a "
                "table with one row per token.")
    canvas.text(2.2, -1.2, 1.6, 0.8, "The target is the relation, the only feature "
                "is the part of speech.")
    canvas.text(3.2, 0.7, 1.3, 0.95, "Sentences up to 300 are for training.")
    canvas.text(5.1, 1.5, 2.3, 0.8, "All tokens of a sentence at once: relations depend "
                "on those beside them.")
    canvas.text(5.1, -2.1, 2.3, 0.65, "Each token on its own.")

    def choose_columns() -> None:
        widget = canvas.widget(columns)
        by_name = {own.name: own for own in (*widget.data.domain.variables,
                                             *widget.data.domain.metas)}
        widget.used_attrs[:] = [by_name.pop("PoS")]
        widget.class_attrs[:] = [by_name.pop("relation")]
        widget.meta_attrs[:] = [by_name.pop(name) for name in (
            "sentence", "position", "form")]
        widget.available_attrs[:] = list(by_name.values())
        widget.update_domain_role_hints()
        widget.commit.now()
        run_workflow.wait_until_finished(canvas.scheme, 300)    # it has other columns now
        own = canvas.widget(rows)
        own.remove_all()
        own.add_row(own.data.domain["sentence"], 3, ["300"])    # is at most
        own.conditions_changed()
        own.commit.now()

    return choose_columns


class Example(NamedTuple):
    title: str
    description: str
    #: Puts widgets on a canvas; may return what is to be done once they have data
    build: Callable[[Canvas], Callable[[], None] | None]


#: In the order in which Orange offers them, which is that of their files
WORKFLOWS = {
    "110-first-parser": Example(
        title="A First Parser",
        description="Train a dependency parser, score it on unseen sentences, and "
                    "look at its trees.",
        build=first_parser),
    "130-explicit-against-kernel": Example(
        title="Explicit Features against Kernels",
        description="Two parsers on the same sentences, compared by a paired test.",
        build=explicit_against_kernel),
    "140-hash-functions": Example(
        title="What the Hash Function Does",
        description="Three kernel parsers that differ only in their hash functions.",
        build=hash_functions),
    "144-input-kernels": Example(
        title="What the Input Kernel Does",
        description="Kernel parsers with and without an input kernel: loss against |w|².",
        build=input_kernels),
    "147-approximate-trees": Example(
        title="Approximate Trees",
        description="Exact against approximate construction: which heads are trees, and "
                    "what it costs.",
        build=approximate_trees),
    "150-error-analysis": Example(
        title="Error Analysis",
        description="Which tokens get a wrong head: Pivot Table, Distributions and "
                    "Data Table.",
        build=error_analysis),
    "210-classes-in-a-tree": Example(
        title="Classes in a Tree",
        description="A structural SVM with and without a taxonomy of its classes.",
        build=classes_in_a_tree),
    "220-sequences-of-labels": Example(
        title="Sequences of Labels",
        description="Rows that are predicted together, against rows on their own.",
        build=sequences_of_labels),
    "120-choosing-c": Example(
        title="Choosing C",
        description="Parsers with several values of C, a plot of their losses, and an "
                    "unbiased score of the best.",
        build=choosing_c),
    "160-learning-curve": Example(
        title="Learning Curve",
        description="Two learners on more and more sentences: what would further "
                    "sentences bring?",
        build=learning_curve),
    "170-step-by-step": Example(
        title="Learning Step by Step",
        description="One sentence, the most violated tree, the update and the new "
                    "scores; cutting planes for one weight.",
        build=step_by_step),
    "180-text-to-trees": Example(
        title="Tag and Parse Your Text",
        description="From text to words, tags, lemmas and trees, with a pipeline "
                    "trained on one treebank.",
        build=text_to_trees),
    "190-wrong-tags": Example(
        title="What Wrong Tags Do to a Parser",
        description="The same parser on gold tags and on those that a tagger predicts.",
        build=wrong_tags),
    "195-find-trees": Example(
        title="Find Trees",
        description="Search a treebank for a construction, count it, and look at it; "
                    "word order and valency at a glance.",
        build=find_trees),
    "197-treebank-of-your-own": Example(
        title="A Treebank of Your Own",
        description="Correct trees with a parser that says what to look at next, and let "
                    "it learn from your corrections.",
        build=treebank_of_your_own),
}


def make(name: str, folder: Path, registry: WidgetRegistry, timeout: float = 900
         ) -> Path:
    """Build, run and save one workflow."""
    example = WORKFLOWS[name]
    canvas = Canvas(registry, example.title, example.description)
    choose = example.build(canvas)
    scheme = canvas.scheme
    run_workflow.wait_until_finished(scheme, timeout)
    if choose is not None:
        choose()
        run_workflow.wait_until_finished(scheme, timeout)
    if errors := run_workflow.errors(scheme):
        raise run_workflow.FailedError("; ".join(errors))
    scheme.sync_node_properties()
    path = folder / f"{name}.ows"
    with open(path, "wb") as file:
        scheme.save_to(file, pretty=True, pickle_fallback=True)
    QApplication.sendEvent(scheme, QEvent(QEvent.Close))
    QApplication.sendPostedEvents(None, QEvent.DeferredDelete)
    return path


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help=f"default: all of {', '.join(WORKFLOWS)}")
    args = parser.parse_args(argv)
    args.folder.mkdir(parents=True, exist_ok=True)
    # It tells at length that settings with objects in them are pickled.
    logging.getLogger("orangecanvas.scheme.readwrite").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as settings:
        application = run_workflow.make_application(settings)
        registry = run_workflow.discover()
        for name in args.names or WORKFLOWS:
            print(make(name, args.folder, registry))
        application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
