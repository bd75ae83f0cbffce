"""Learning Steps: watch a parser learn, one step at a time."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape

from AnyQt.QtCore import QSize, Qt, QTimer
from AnyQt.QtWidgets import QLabel, QPushButton, QTabWidget
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.parser import Parser
from orange_structpred.teaching.one_weight import (
    EDGE_VALUES,
    MOST_TOKENS,
    first_sentences,
)
from orange_structpred.teaching.parser_steps import STEP_SOLVERS, steps_table
from orange_structpred.teaching.transition_steps import has_transitions
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common.background import WorkingWidget
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.inputlinks import read_input
from orange_structpred.widgets.common.layouts import (
    area_of,
    in_column,
    split_area,
    wrapped_label,
)
from orange_structpred.widgets.common.learning import advice
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.storedsettings import is_shown_whole, list_of
from orange_structpred.widgets.common.valuecontrols import (
    Choice,
    IntegerSpin,
    LogSlider,
    ValueCombo,
)
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.steps.riskplot import RiskPlot
from orange_structpred.widgets.steps.tables import (
    TREE_TITLES,
    edge_table,
    feature_table,
    plane_table,
    planes_text,
    risk_text,
    show_edges,
    show_features,
    show_planes,
    step_text,
)
from orange_structpred.widgets.steps.tasks import (
    Risk,
    Walk,
    begin,
    begin_risk,
    cut_on,
    look_at_sentence,
    walk_on,
)
from orange_structpred.widgets.steps.transitions import TransitionsPage
from orange_structpred.widgets.tree.items import Look
from orange_structpred.widgets.tree.picture import Picture, make_picture
from orange_structpred.widgets.tree.scene import TreeScene
from orange_structpred.widgets.tree.view import TreeView

SOLVER_CHOICES = {
    "mira": Choice("MIRA", "The smallest change of w that gives the most violated tree "
                   "the margin that it asks for; C is the largest step"),
    "perceptron": Choice("Perceptron", "Adds what the predicted tree lacks; no C"),
    "one-slack": Choice("Cutting planes", "Adds a plane of all most violated trees, and "
                        "solves a quadratic program over the planes so far"),
}
FEATURE_CHOICES = {
    "usual edges": Choice("usual edges", "How often words with these tags, in this "
                          "direction and distance, are connected"),
    "short arcs": Choice("short arcs", "The length of arcs"),
}
SENTENCE_TAB, PLANES_TAB, RISK_TAB, TRANSITIONS_TAB = range(4)


class OWLearningSteps(WorkingWidget):
    name = "Learning Steps"
    description = "Watch a parser learn one step at a time."
    icon = "icons/learningsteps.svg"
    priority = 67
    keywords = ("learning steps, teaching, step by step, mira, perceptron, cutting "
                "planes, working set, most violated, update, weights, transitions, shift, "
                "stack, buffer")

    class Inputs:
        treebank = Input("Treebank", Table)
        parser = Input("Parser", Parser, doc="Transition-based; its steps are shown")

    class Outputs:
        parser = Output("Parser", Parser, dynamic=False, doc="As it is now")
        steps = Output("Steps", Table, dynamic=False, explicit=True,
                       doc="One row per step")

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        failed = Msg("{}.")

    class Warning(OWWidget.Warning):
        no_transitions = Msg("The parser has no transitions; train one with the features "
                             "Transitions.")

    class Information(OWWidget.Information):
        few = Msg("Only the first {} of up to {} tokens are used.")

    solver: str = Setting("mira", fits=STEP_SOLVERS)
    C: float = Setting(1.)
    sentence: int = Setting(1)
    feature: str = Setting("usual edges", fits=EDGE_VALUES)
    tab: int = Setting(0, fits=range(4))
    #: sentences of the steps so far
    history: list = Setting([], schema_only=True, fits=list_of(is_shown_whole))

    def __init__(self):
        super().__init__()
        self.treebank: Treebank | None = None
        self.walk: Walk | None = None
        self.risk: Risk | None = None
        self.parser: Parser | None = None
        self.sentence_before = self.sentence        # the last steps
        # not at once: tasks must not be started where others end
        self.catch_up_timer = QTimer(self, interval=0, singleShot=True)
        self.catch_up_timer.timeout.connect(self._catch_up)
        self._make_controls()
        self._make_main_area()
        self._show()
        open_in_full_size(self)

    # Layout

    def _make_controls(self) -> None:
        self.form = ParameterForm()
        self.form.add("solver", ValueCombo(SOLVER_CHOICES), "Algorithm that changes "
                      "the weights; another solver starts from the beginning",
                      "So&lver:")
        self.form.add("C", LogSlider(1e-4, 1e4), "How much mistakes cost relative to "
                      "large weights; another C starts from the beginning", "&C:")
        self.form.set_values({"solver": self.solver, "C": self.C})
        self.form.changed.connect(self._on_parameter)
        gui.vBox(self.controlArea, "Learning").layout().addWidget(self.form)

        self.sentence_form = ParameterForm()
        spin = IntegerSpin(1, 1)
        self.sentence_form.add("sentence", spin, "The sentence that is shown, and learned "
                               "from in the next step", "Se&ntence:")
        self.sentence_form.changed.connect(self._on_sentence)
        self.text_label = wrapped_label()
        box = gui.vBox(self.controlArea, "Sentence")
        box.layout().addWidget(self.sentence_form)
        box.layout().addWidget(self.text_label)

        self.feature_form = ParameterForm()
        self.feature_form.add("feature", ValueCombo(FEATURE_CHOICES), "What the only "
                              "feature of an edge is", "&Feature:")
        self.feature_form.set_values({"feature": self.feature})
        self.feature_form.changed.connect(self._on_feature)
        gui.vBox(self.controlArea, "One weight").layout().addWidget(self.feature_form)
        gui.rubber(self.controlArea)

        self.buttons = {}
        for key, text, tip, slot in (
                ("step", "&Step", "Learn from this sentence; cutting planes learn from "
                 "all of them", self.take_step),
                ("next", "Ne&xt Sentence", "Go to the next sentence; nothing is learned",
                 self.next_sentence),
                ("pass", "Whole &Pass", "Take a step with each sentence, one after another",
                 self.take_pass),
                ("reset", "Start O&ver", "Forget everything that was learned", self.reset)):
            self.buttons[key] = QPushButton(text, toolTip=tip, autoDefault=False,
                                            clicked=slot)
        for row in (("step", "next"), ("pass", "reset")):
            line = gui.hBox(self.controlArea)
            for key in row:
                line.layout().addWidget(self.buttons[key])

    def _make_main_area(self) -> None:
        self.status = QLabel(wordWrap=True, textFormat=Qt.RichText)
        self.status.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.status.setAlignment(Qt.AlignTop)
        self.scene = TreeScene(self)
        self.view = TreeView(self.scene)
        self.view.look_changed.connect(self._draw_tree)
        self.edges, self.features = edge_table(), feature_table()
        tables = split_area(Qt.Horizontal, self.edges, self.features,
                            sizes=(480, 390))       # all columns of the first one
        both = split_area(Qt.Vertical, self.view, tables, sizes=(360, 220))
        self.planes, self.plane_label = plane_table(), QLabel(wordWrap=True)
        self.plot, self.risk_label = RiskPlot(), QLabel(wordWrap=True)
        self.tabs = QTabWidget()
        for label, content, title in (
                (self.status, both, "&One sentence"),
                (self.plane_label, self.planes, "&Working set"),
                (self.risk_label, self.plot, "One wei&ght")):
            self.tabs.addTab(area_of(in_column(label, content, largest=content,
                                               margins=None)), title)
        self.transitions = TransitionsPage()
        self.tabs.addTab(self.transitions, "&Transitions")
        self.tabs.setCurrentIndex(self.tab)
        self.tabs.currentChanged.connect(self._on_tab)
        self.mainArea.layout().addWidget(self.tabs)

    def sizeHint(self) -> QSize:
        return QSize(1180, 720)

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.cancel()
        self.Error.clear()
        self.Information.clear()
        self.walk = self.risk = None
        self.treebank = read_input(data, self.Error.no_treebank, first_sentences)
        n = 1
        if self.treebank is not None:
            n = len(self.treebank)
            self.Information.few(plural(n, "sentence", "sentences"), MOST_TOKENS,
                                 shown=n < len(data))
        self.history = [i for i in self.history if 0 <= i < n]
        self.sentence = min(max(1, self.sentence), n)
        self.sentence_form.controls["sentence"].setMaximum(max(1, n))
        self.sentence_form.set_values({"sentence": self.sentence})

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.cancel()
        self.Warning.clear()
        self.parser = parser
        if parser is not None and not has_transitions(parser):
            self.Warning.no_transitions()
            self.parser = None

    def handleNewSignals(self) -> None:
        self._begin()

    # Steps

    def _begin(self) -> None:
        self.walk = self.risk = None
        self.Error.failed.clear()
        if self.treebank is not None and len(self.treebank):
            self.start(begin, self.treebank, self.solver, self.C, list(self.history),
                       self.sentence - 1, self.feature, self.parser)
        self._show()
        self._send()

    def reset(self) -> None:
        self.cancel()
        self.history = []
        self._begin()

    def _on_parameter(self, *_) -> None:
        values = self.form.values()
        self.solver, self.C = values["solver"], values["C"]
        self.form.update_enabled(values)
        self.reset()

    def _on_feature(self, *_) -> None:
        self.feature = self.feature_form.values()["feature"]
        if self.treebank is not None and not self.task:
            self.start(begin_risk, self.treebank, self.feature, self.C)
            self._show_buttons()

    def _on_sentence(self, *_) -> None:
        self.sentence = self.sentence_form.values()["sentence"]
        if self.walk is not None and not self.task:
            self.start(look_at_sentence, self.walk, self.sentence - 1)
            self._show_buttons()

    def _on_tab(self, tab: int) -> None:
        self.tab = tab
        self._show_buttons()

    def take_step(self) -> None:
        if self.walk is None or self.task:
            return
        if self.tab == RISK_TAB:
            self.start(cut_on, self.risk)
        else:
            self._walk_on([self.sentence - 1])
        self._show_buttons()

    def take_pass(self) -> None:
        if self.walk is not None and not self.task:
            self._walk_on(range(len(self.treebank)))
            self._show_buttons()

    def _walk_on(self, sentences: Sequence[int]) -> None:
        self.sentence_before = self.sentence
        self.start(walk_on, self.walk, sentences)

    def next_sentence(self) -> None:
        n = len(self.treebank) if self.treebank is not None else 1
        self.sentence_form.controls["sentence"].setValue(self.sentence % n + 1)

    def on_done(self, result: tuple[Walk, Risk] | Walk | Risk) -> None:
        if isinstance(result, Risk):
            self.risk = result
        elif isinstance(result, Walk):
            self.walk = result
            # unless another one was chosen meanwhile
            if result.done and self.sentence == self.sentence_before:
                self.sentence = result.shown.sentence + 1
                self.sentence_form.set_values({"sentence": self.sentence})
        else:
            self.walk, self.risk = result
        if self.walk is not None:
            self.history = [step.sentence for step in self.walk.taken]
        self._show()
        if not isinstance(result, Risk):
            self._send()
        self.catch_up_timer.start()

    def _catch_up(self) -> None:
        """Show what was chosen while something else was going on."""
        if self.walk is None or self.task:
            return
        if self.walk.shown.sentence != self.sentence - 1:
            self._on_sentence()
        elif self.risk.feature != self.feature:
            self._on_feature()

    def onDeleteWidget(self) -> None:
        self.catch_up_timer.stop()
        super().onDeleteWidget()

    def on_exception(self, error: Exception) -> None:
        self.Error.failed(sentence(failure_text("a step", error)) + advice(error))
        self._show()

    # Output

    def _send(self) -> None:
        taken = self.walk.taken if self.walk else []
        self.Outputs.parser.send(self.walk.steps.parser() if taken else None)
        self.Outputs.steps.send(steps_table(taken) if taken else None)

    # What is shown

    def _show(self) -> None:
        self._draw_tree()
        walk = self.walk
        if walk is None:
            self.edges.show_rows([])
            self.features.show_rows([])
            self.planes.show_rows([])
            self.text_label.setText("")
            self.status.setText(escape(self.why_nothing()))
        else:
            sentence = walk.steps.sentences[walk.shown.sentence]
            self.text_label.setText(sentence.text)
            self.status.setText(step_text(walk, self.solver))
            show_edges(self.edges, sentence, walk.shown, walk.done)
            show_features(self.features, walk.shown, walk.done)
            if self.solver == "one-slack":
                show_planes(self.planes, walk.steps.steps)
                self.plane_label.setText(planes_text(walk))
        self._show_transitions()
        self.tabs.setTabVisible(PLANES_TAB, self.solver == "one-slack")
        self.plot.show_risk(*(
            (self.risk.risks, self.risk.steps, self.risk.seen) if self.risk
            else (None, None, [])))
        self.risk_label.setText(risk_text(self.risk))
        self.form.update_enabled(self.form.values())
        self._show_buttons()

    def _show_transitions(self) -> None:
        self.tabs.setTabVisible(TRANSITIONS_TAB, self.parser is not None)
        if self.walk is None:
            self.transitions.show_steps(None, ())
        else:
            self.transitions.show_steps(
                self.walk.steps.sentences[self.walk.shown.sentence], self.walk.transitions)

    def links_changed(self) -> None:
        if self.walk is None:
            self._show()

    def why_nothing(self) -> str:
        if self.Error.active:
            return ""
        if self.treebank is None:
            return self.missing_text(["a treebank"])
        return "The treebank has no sentences to learn from." \
            if not len(self.treebank) else "Preparing; this takes longer the first time."

    def _show_buttons(self) -> None:
        ready = self.walk is not None and not self.task
        tab = self.tabs.currentIndex()
        allowed = {RISK_TAB: ("step", "reset"), TRANSITIONS_TAB: ("next",)}.get(
            tab, tuple(self.buttons))
        for key, button in self.buttons.items():
            button.setEnabled(ready and key in allowed)
        if self.solver == "one-slack":      # each of its steps is a whole pass
            self.buttons["pass"].setEnabled(False)

    def _picture(self) -> Picture:
        shown = self.walk.shown
        return make_picture(self.walk.steps.sentences[shown.sentence], shown.heads,
                            name=TREE_TITLES[self.solver], relations=False)

    def _draw_tree(self) -> None:
        look = Look(self.view.palette(), self.view.font())
        if self.walk is None:
            self.scene.show_text(self.why_nothing(), look)
        else:
            self.scene.draw(self._picture(), look)
        self.view.adapt(start=True)

    def send_report(self) -> None:
        if self.walk is None:
            self.report_paragraph(self.why_nothing() or "Nothing was learned.")
            return
        self.report_items([
            ("Treebank", self.treebank.name),
            ("Solver", SOLVER_CHOICES[self.solver].text), ("C", f"{self.C:g}"),
            ("Steps", str(len(self.walk.taken)))])
        self.report_raw("Step", self.status.text())
        scene = TreeScene()
        scene.draw(self._picture(), Look.for_print(self.font()))
        report_picture(self, "Trees", scene)
        self.report_table("Heads", self.edges)
        if self.solver == "one-slack":
            self.report_table("Working set", self.planes)
        if self.risk is not None and self.risk.seen:
            report_picture(self, "Risk of one weight", self.plot)
        if self.parser is not None:
            self.report_table("Transitions", self.transitions.table)


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred import load_bundled

    WidgetPreview(OWLearningSteps).run(set_treebank=load_bundled("en")[:50])
