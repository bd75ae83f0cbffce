import numpy as np
from AnyQt.QtTest import QTest
from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.export.script import write_script
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.teaching import ParserSteps, transition_steps
from orange_structpred.treebank import Sentence, Treebank, load_bundled
from orange_structpred.widgets.owlearningsteps import (
    PLANES_TAB,
    RISK_TAB,
    TRANSITIONS_TAB,
    OWLearningSteps,
)
from tests.export.toy import APPLY, LOAD, OURS, TRAIN, workflow
from tests.treebank.toy import UNPARSED
from tests.widgets.waiting import wait_for

STEPS = OURS + "owlearningsteps.OWLearningSteps"


class TestLearningSteps(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = load_bundled("en")[:6]

    def setUp(self):
        self.widget = self.create()

    def create(self, **settings) -> OWLearningSteps:
        self.widget = self.create_widget(OWLearningSteps, stored_settings=settings)
        return self.widget

    def send(self, data=None):
        self.send_signal(self.widget.Inputs.treebank,
                         self.treebank if data is None else data)
        self.wait()

    def wait(self):
        wait_for(lambda: not self.widget.task)

    def click(self, *names):
        for name in names:
            self.widget.buttons[name].click()
            self.wait()

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name), wait=0)

    def test_what_is_chosen_meanwhile_is_shown(self):
        self.send()
        spin = self.widget.sentence_form.controls["sentence"]
        spin.setValue(2)
        assert self.widget.task
        spin.setValue(3)
        self.widget.feature_form.controls["feature"].setValue("short arcs")
        wait_for(lambda: not self.widget.task
                 and not self.widget.catch_up_timer.isActive())
        assert self.widget.walk.shown.sentence == 2
        assert self.widget.text_label.text() == self.treebank.sentences[2].text
        assert self.widget.risk.feature == "short arcs"

    def test_what_is_chosen_during_a_step_is_shown_after_it(self):
        self.send()
        for learn in (self.widget.take_step, self.widget.take_pass):
            learn()
            assert self.widget.task
            self.widget.sentence_form.controls["sentence"].setValue(3)
            wait_for(lambda: not self.widget.task
                     and not self.widget.catch_up_timer.isActive())
            assert self.widget.walk.shown.sentence == 2
            assert self.widget.sentence == 3
            self.widget.sentence_form.controls["sentence"].setValue(1)
            wait_for(lambda: not self.widget.task)
        assert len(self.widget.history) == 1 + len(self.treebank)

    def test_steps_are_those_of_the_library(self):
        self.send()
        assert self.output("parser") is None
        assert "Step</b> learns from it" in self.widget.status.text()
        self.click("step", "next", "step")
        assert self.widget.history == [0, 1] and self.widget.sentence == 2
        own = ParserSteps(self.treebank, "mira", 1.)
        expected = [own.step(0), own.step(1)]
        steps = self.output("steps")
        np.testing.assert_allclose(steps.get_column("step"),
                                   [step.length for step in expected])
        assert steps.get_column("sentence").tolist() == [1, 2]
        parser = self.output("parser")
        assert isinstance(parser, Parser)
        sentence = self.treebank.sentences[0]
        np.testing.assert_array_equal(parser.edge_scores(sentence),
                                      own.parser().edge_scores(sentence))
        shown = expected[1]
        assert self.widget.edges.rowCount() == len(shown.edges)
        assert "→" in self.widget.features.item(0, 1).text()
        assert f"{shown.after:.4g}" in self.widget.status.text()

    def test_long_words_do_not_cut_off_the_controls(self):
        self.widget.show()
        self.process_events()
        self.widget.text_label.setText(100 * "word" + " " + 50 * "more words ")
        QTest.qWait(50)
        area = self.widget.controlArea
        assert area.width() <= area.parentWidget().width()

    def test_a_sentence_is_looked_at_before_it_is_learned_from(self):
        self.send()
        self.click("step")
        self.widget.sentence_form.controls["sentence"].setValue(4)
        self.wait()
        assert self.widget.history == [0] and not self.widget.walk.done
        assert self.widget.walk.shown.sentence == 3
        assert self.widget.text_label.text() == self.treebank.sentences[3].text
        assert "→" not in self.widget.edges.item(0, 2).text()

    def test_a_pass_and_a_new_beginning(self):
        self.send()
        self.click("pass")
        assert self.widget.history == list(range(6))
        self.click("reset")
        assert self.widget.history == [] and self.output("parser") is None

    def test_nothing_to_learn(self):
        self.create(solver="perceptron")
        self.send()
        self.click("step", "step", "step", "step")
        assert "nothing to learn" in self.widget.status.text()

    def test_the_working_set(self):
        self.create(solver="one-slack", tab=0)
        self.send()
        assert self.widget.tabs.isTabVisible(PLANES_TAB)
        self.click("step", "step")
        planes = self.widget.walk.steps.steps
        assert self.widget.planes.rowCount() == len(planes.planes) == 2
        assert self.widget.planes.item(0, 2).text() == f"{planes.alpha[0]:.4g}"
        assert "gap" in self.widget.plane_label.text()
        assert not self.widget.buttons["pass"].isEnabled()
        # another solver begins anew
        self.widget.form.controls["solver"].setValue("mira")
        self.wait()
        assert self.widget.history == [] and not self.widget.tabs.isTabVisible(PLANES_TAB)

    def test_the_risk_of_one_weight(self):
        self.send()
        self.widget.tabs.setCurrentIndex(RISK_TAB)
        assert not self.widget.buttons["next"].isEnabled()
        self.click("step", "step", "step")
        risk = self.widget.risk
        assert len(risk.seen) == 3 and risk.seen[0] == 0
        assert self.widget.history == []            # the parser has learned nothing
        assert "3 planes" in self.widget.risk_label.text()
        assert [entry[1].text for entry in self.widget.plot.legend.items] == [
            "risk", "cutting planes", "the highest of them, at least 0", "with |w|² / 2C"]
        self.widget.feature_form.controls["feature"].setValue("short arcs")
        self.wait()
        assert self.widget.risk.seen == [] and self.widget.feature == "short arcs"
        self.click("step", "step", "step")
        text = self.widget.risk_label.text()        # the length alone is of no help
        assert text.endswith("no gap: w = 0 is the optimum."), text

    def test_a_saved_workflow_has_learned_the_same(self):
        self.send()
        self.click("step", "next", "step", "step")
        settings = self.widget.settingsHandler.pack_data(self.widget)
        before = self.output("steps").X
        self.create(**settings)
        self.send()
        np.testing.assert_allclose(self.output("steps").X, before)
        assert self.widget.walk.done and self.widget.sentence == 2

    def test_what_cannot_be_learned_from(self):
        self.send(Table("iris")[:5])
        assert self.widget.Error.no_treebank.is_shown()
        self.send(Treebank.from_sentences([Sentence(UNPARSED)]))
        message = self.widget.Error.failed.formatted
        assert "without heads. Leave out these sentences" in message
        self.send(self.treebank[:0])
        assert "no sentences" in self.widget.status.text()
        assert not self.widget.buttons["step"].isEnabled()
        self.send_signal(self.widget.Inputs.treebank, None)
        assert not self.widget.Error.active

    def test_large_treebanks(self):
        self.send(load_bundled("en")[:120])
        assert "100 sentences" in self.widget.Information.few.formatted
        assert self.widget.sentence_form.controls["sentence"].maximum() == 100

    def test_report_and_settings_of_strangers(self):
        self.widget.send_report()
        self.create(solver="x", C="y", history=["z"], tab=9, feature=3)
        assert self.widget.solver == "mira" and self.widget.history == []
        self.send()
        self.click("step")
        self.widget.send_report()
        assert "most violated tree" in self.widget.report_html


def test_script():
    def written(settings):
        return write_script(workflow(
            [(LOAD, "Treebank", {}), (STEPS, "Learning Steps", settings),
             (APPLY, "Apply", {})],
            [(0, "Treebank", 1, "Treebank"), (1, "Parser", 2, "Parser"),
             (0, "Treebank", 2, "Treebank")]))

    text = written({"solver": "perceptron", "C": 2., "history": [0, 3]}).text
    assert "ParserSteps(" in text and "first_sentences(treebank)" in text
    assert "learning_steps_taken = learning_steps.take([0, 3])" in text
    assert "learning_steps_parser = learning_steps.parser()" in text
    assert "C=" not in text
    assert 'solver="mira", C=args.C' in written({"C": 2., "history": [0]}).text
    assert "no step was taken in it" in written({}).missing[0]
    assert "solver 'x' is not known" in written({"solver": "x"}).missing[0]


class TestTransitions(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = load_bundled("en")[:6]
        cls.parser = ParserLearner("transitions", passes=2, relations=False)(cls.treebank)

    def setUp(self):
        self.widget = self.create_widget(OWLearningSteps)
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        self.send_parser(self.parser)

    def send_parser(self, parser):
        self.send_signal(self.widget.Inputs.parser, parser)
        wait_for(lambda: not self.widget.task)

    def test_steps_are_those_of_the_library(self):
        page, sentence = self.widget.transitions, self.treebank.sentences[0]
        steps = transition_steps(self.parser, sentence)
        assert self.widget.tabs.isTabVisible(TRANSITIONS_TAB)
        assert page.table.rowCount() == len(steps) == 2 * len(sentence)
        assert page.table.item(1, 0).text() == f"ROOT {sentence.forms[0]}"
        assert page.table.item(0, 2).text() == "shift" and page.selected() == 0
        assert page.picture().below is None             # no arc so far
        page.table.selectRow(len(steps) - 1)
        below = page.picture().below
        assert below.heads.tolist() == self.parser.predict([sentence]).heads[0].tolist()
        self.widget.tabs.setCurrentIndex(TRANSITIONS_TAB)
        assert not self.widget.buttons["step"].isEnabled()
        self.widget.buttons["next"].click()
        wait_for(lambda: not self.widget.task)
        assert page.sentence == self.treebank.sentences[1]
        self.widget.send_report()

    def test_other_parsers(self):
        self.send_parser(ParserLearner(order=1, passes=1, relations=False)(self.treebank))
        assert self.widget.Warning.no_transitions.is_shown()
        assert not self.widget.tabs.isTabVisible(TRANSITIONS_TAB)
        self.send_parser(None)
        assert not self.widget.Warning.no_transitions.is_shown()

    def test_script(self):
        script = write_script(workflow(
            [(LOAD, "Treebank", {}), (TRAIN, "Train", {"features": "transitions"}),
             (STEPS, "Learning Steps", {"sentence": 2})],
            [(0, "Treebank", 1, "Treebank"), (0, "Treebank", 2, "Treebank"),
             (1, "Parser", 2, "Parser")]))
        assert ".sentences[1]" in script.text
        assert "transitions_text(transition_steps(" in script.text
