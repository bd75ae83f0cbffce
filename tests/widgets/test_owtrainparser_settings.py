"""Train Parser: names and settings."""
import ast
import inspect

from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest

from orange_structpred.learner import ParserLearner
from orange_structpred.widgets.owtrainparser import OWTrainParser
from tests.widgets import trainparser
from tests.widgets.trainparser import toy


class TestNames(trainparser.TrainParserTest):
    def rename(self, text: str):
        edit = self.widget.name_edit
        edit.selectAll()
        QTest.keyClick(edit, Qt.Key_Delete)
        QTest.keyClicks(edit, text)
        QTest.keyClick(edit, Qt.Key_Return)

    def test_a_new_name_is_no_new_training(self):
        self.send(toy())
        first = self.output("parser")
        assert self.widget.name_edit.placeholderText() == first.name
        self.rename("mine")
        assert self.widget.task is None
        second = self.output("parser")
        assert (first.name, second.name) == ("explicit mira C=1", "mine")
        assert self.output("learner").name == "mine"
        assert "“mine”" in self.widget.figures.status.text()
        self.rename("")
        assert self.output("parser").name == "explicit mira C=1"

    def test_blanks_are_no_name(self):
        self.create(learner_name="   ")
        self.send(toy())
        assert self.output("parser").name == "explicit mira C=1"
        assert self.output("learner").name == "explicit mira C=1"
        self.rename("  ")
        assert self.output("parser").name == "explicit mira C=1"
        assert self.widget.name_edit.text() == ""       # the automatic name is seen
        self.rename(" mine ")
        assert self.output("parser").name == self.output("learner").name == "mine"

    def test_nor_are_threads(self):
        self.send(toy())
        self.output("parser")
        self.control("n_jobs").setMaximum(4)
        self.control("n_jobs").setValue(3)
        assert not self.widget.timer.isActive()
        assert self.output("parser").n_jobs == 3
        assert self.output("learner").n_jobs == 3

    def test_the_name_is_of_the_workflow_not_of_the_next_widget(self):
        self.rename("mine")
        data = self.widget.settingsHandler.pack_data(self.widget)
        assert data["learner_name"] == "mine"
        assert self.create_widget(OWTrainParser).learner_name == ""

    def test_controls_without_influence_are_disabled(self):
        boxes = self.control("groups").boxes
        assert boxes["sibling tags"].isEnabled() and self.control("calibrate").isEnabled()
        self.control("order").setValue(1)
        assert not boxes["sibling tags"].isEnabled() and boxes["head"].isEnabled()


SETTINGS = {
    "features": "kernel", "groups": ["head", "context"], "min_count": 2,
    "hash": ["posTags", "lemmas::dir"], "kernel": "ngram", "kernel_params": {"n": 3},
    "solver": "one-slack", "C": 0.05, "epsilon": 0.002, "passes": 33,
    "decoder": "rearranged", "order": 1, "single_root": False, "relations": False,
    "calibrate": False, "random_state": 11, "n_jobs": 1, "learner_name": "mine", "auto_train": "never"}


class TestSettings(trainparser.TrainParserTest):
    def test_round_trip(self):
        widget = self.create(**SETTINGS)
        packed = widget.settingsHandler.pack_data(widget)
        for name, value in SETTINGS.items():
            assert packed[name] == value, name
        again = self.create_widget(OWTrainParser, stored_settings=packed)
        for form in again.forms.values():
            for name, value in form.values().items():
                if name == "hash":
                    assert sorted(value) == sorted(SETTINGS[name])
                else:
                    assert value == SETTINGS.get(name, packed[name]), name
        assert again.auto_combo.value() == "never"

    def test_settings_are_literals(self):
        self.control("C").setValue(3)
        self.control("groups").boxes["head"].click()
        self.control("kernel").setValue("ngram")
        self.control("kernel_params")._controls["n"].setValue(2)
        packed = self.widget.settingsHandler.pack_data(self.widget)
        packed.pop("savedWidgetGeometry", None)
        assert ast.literal_eval(repr(packed)) == packed
        assert packed["kernel_params"] == {"n": 2}
        assert type(packed["C"]) is float

    def test_defaults_are_those_of_the_learner(self):
        defaults = inspect.signature(ParserLearner).parameters
        for name in OWTrainParser.PARAMETERS:
            if name in defaults and name not in ("hash", "kernel_params"):
                assert getattr(self.widget, name) == defaults[name].default, name
        assert self.output("learner").groups == "all"

    def test_controls_change_the_learner(self):
        self.control("decoder").setValue("exact")
        self.control("single_root").setValue(False)
        self.control("random_state").setValue(5)
        self.control("min_count").setValue(2)
        learner = self.output("learner")
        assert (learner.decoder, learner.single_root, learner.random_state,
                learner.min_count) == ("exact", False, 5, 2)

    def test_options_of_n_slack(self):
        self.control("solver").setValue("n-slack")
        self.control("rescaling").setValue("slack")
        self.control("penalty").setValue("quadratic")
        self.control("hard_margin").click()
        learner = self.output("learner")
        assert (learner.rescaling, learner.penalty, learner.C) == (
            "slack", "quadratic", float("inf"))
        assert not self.control("C").isEnabled()
        packed = self.widget.settingsHandler.pack_data(self.widget)
        assert ast.literal_eval(repr(packed["C"])) == 1     # inf could not be read again
        self.control("solver").setValue("sampled-cuts")
        self.control("sample").setValue(0.3)
        learner = self.output("learner")
        assert (learner.rescaling, learner.C, learner.sample) == ("margin", 1, 0.3)

    def test_what_has_no_influence_is_disabled(self):
        assert not self.control("epsilon").isEnabled()
        self.control("solver").setValue("bcfw")
        assert self.control("epsilon").isEnabled()
        assert self.control("C").isEnabled()
        self.control("solver").setValue("perceptron")
        assert not self.control("C").isEnabled()
        assert "perceptron" in self.control("C").toolTip()
