import ast
import inspect
import time
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QFont
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import Table
from Orange.widgets.data.owdatasampler import OWDataSampler
from Orange.widgets.data.owtable import OWTable
from Orange.widgets.model.owsavemodel import OWSaveModel
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.learner import ParserLearner
from orange_structpred.parameters.effort import expected_seconds
from orange_structpred.parser import Parser
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.widgets import owtrainparser
from orange_structpred.widgets.owtrainparser import OWTrainParser
from tests.treebank.toy import UNPARSED, block
from tests.widgets.waiting import wait_for

# "the dog sees a cat" and the like: an object is right or left of its verb by its form
TEXTS = {"the dog sees a cat": [2, 3, 0, 5, 3], "a cat sleeps": [2, 3, 0],
         "dogs see cats": [2, 0, 2], "cats the dog sees": [4, 3, 4, 0],
         "sees she a dog": [0, 1, 4, 1], "dogs sleep here": [2, 0, 2]}
SENTENCES = [Sentence(block(heads, text)) for text, heads in TEXTS.items()] * 3
FOREVER = 1_000_000            # passes that nobody waits for


def toy() -> Treebank:
    return Treebank.from_sentences(SENTENCES, name="toy")


class TrainParserTest(WidgetTest):
    def setUp(self):
        self.widget: OWTrainParser = self.create_widget(OWTrainParser)

    def create(self, **settings) -> OWTrainParser:
        if settings.get("passes") == FOREVER:
            settings.setdefault("auto_train", "always")     # it is not fast
        self.widget = self.create_widget(OWTrainParser, stored_settings=settings)
        return self.widget

    def send(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)

    def output(self, name: str, wait: bool = True):
        if wait:
            self.wait_until_finished(timeout=300_000)
        return self.get_output(getattr(self.widget.Outputs, name), wait=0)

    def control(self, name: str):
        return next(form.controls[name] for form in self.widget.forms.values()
                    if name in form.controls)

    def shown(self, kind: str) -> list[str]:
        active = getattr(self.widget, kind).active
        return ["".join(message.formatted) for message in active]


class TestTraining(TrainParserTest):
    def test_a_learner_without_data(self):
        learner = self.output("learner")
        assert isinstance(learner, ParserLearner)
        assert self.output("parser") is None
        assert self.output("log") is None
        assert not self.widget.start_button.isEnabled()
        assert not self.widget.stop_button.isEnabled()

    def test_a_small_treebank_is_learned_from_at_once(self):
        self.send(toy())
        parser = self.output("parser")
        assert isinstance(parser, Parser)
        parsed = parser(toy())
        assert list(parsed.predictions) == [parser.name]
        gold = np.concatenate([sentence.heads for sentence in SENTENCES])
        heads = np.concatenate(parsed.predictions[parser.name].heads)
        assert np.mean(heads == gold) > 0.9
        assert self.shown("Error") == self.shown("Warning") == []

    def test_the_log_is_that_of_the_parser(self):
        self.send(toy())
        log = self.output("log")
        reports = self.output("parser").log
        assert [variable.name for variable in log.domain.attributes] == [
            "pass", "primal", "dual", "gap", "slack", "norm", "loss", "seconds",
            "validation loss", "LAS"]
        assert log.X[:, 0].tolist() == list(range(1, 11))
        np.testing.assert_array_equal(log.X[:, 6], [r.loss for r in reports])
        np.testing.assert_array_equal(
            log.X[:, -1], [1 - r.labelled_loss for r in reports])
        assert np.isnan(log.X[:, 3]).all()          # MIRA has no gap

    def test_the_parser_is_what_the_learner_makes(self):
        self.create(solver="bcfw", C=2.0, passes=3, groups=["head", "dependent"],
                    random_state=7)
        self.send(toy())
        learner = self.output("learner")
        assert (learner.solver, learner.C, learner.passes) == ("bcfw", 2.0, 3)
        parser, own = self.output("parser"), learner(toy())
        np.testing.assert_array_equal(parser.edge_scores(SENTENCES[0]),
                                      own.edge_scores(SENTENCES[0]))
        assert parser.name == own.name == "explicit bcfw C=2"

    def test_a_validation_treebank(self):
        self.create(solver="perceptron", order=1, passes=4)
        assert not self.widget.keep_box.isVisibleTo(self.widget)
        training, held_out = toy()[:4], toy()[3:6]
        self.send_signals([(self.widget.Inputs.treebank, training),
                           (self.widget.Inputs.validation, held_out)])
        parser = self.output("parser")
        own = self.output("learner")(training, validation=held_out)
        losses = [report.validation_loss for report in own.log]
        assert [report.validation_loss for report in parser.log] == losses
        assert parser.kept_pass == own.kept_pass is not None
        curve = self.widget.plot._curves["validation_loss"]
        np.testing.assert_allclose(curve.yData, 100 * np.array(losses))
        assert f"Pass {own.kept_pass} is kept" in self.widget.figures.status.text()
        assert self.widget.keep_box.isVisibleTo(self.widget)
        self.widget.send_report()
        assert f"Pass {own.kept_pass} is kept" in self.widget.report_html

        self.widget.keep_box.click()
        wait_for(lambda: self.widget.parser and self.widget.parser.kept_pass is None)
        assert self.output("parser").kept_pass is None
        self.send_signal(self.widget.Inputs.validation, None)
        assert np.isnan(self.output("log").get_column("validation loss")).all()
        assert not self.widget.keep_box.isVisibleTo(self.widget)

    def test_a_validation_treebank_that_is_none(self):
        self.send_signals([(self.widget.Inputs.treebank, toy()),
                           (self.widget.Inputs.validation, Table("iris")[:5])])
        assert self.shown("Error")[0].startswith("Validation treebank: ")
        assert self.output("parser") is None
        self.send_signal(self.widget.Inputs.validation,
                         Treebank.from_sentences([Sentence(UNPARSED)]))
        assert "without heads" in self.shown("Error")[0]

    def test_data_goes_away(self):
        self.send(toy())
        assert self.output("parser") is not None
        self.send(None)
        assert self.output("parser") is None
        assert self.output("log") is None
        assert self.output("learner") is not None
        assert self.widget.figures.status.text() == "No treebank to learn from."

    def test_a_table_that_carries_a_treebank(self):
        table = Table.from_table_rows(toy(), [0, 3, 5])
        assert not isinstance(table, Treebank)
        self.send(table)
        assert self.output("parser") is not None
        assert "3 sentences (12 tokens)" in self.widget.figures.status.text()

    def test_out_of_the_data_sampler(self):
        sampler = self.create_widget(OWDataSampler)
        self.send_signal(sampler.Inputs.data, toy(), widget=sampler)
        sample = self.get_output(sampler.Outputs.data_sample, widget=sampler)
        self.send(sample)
        assert self.output("parser") is not None

    def test_a_new_treebank_ends_the_old_training(self):
        self.create(passes=FOREVER, auto_train="always")
        self.send(toy())
        wait_for(lambda: self.widget.plot.reports)
        self.control("passes").setValue(2)
        self.send(toy()[:6])
        parser = self.output("parser")
        assert len(parser.log) == 2
        assert len(self.widget.plot.reports) == 2

    def test_no_thread_outlives_the_widget(self):
        self.create(passes=FOREVER)
        self.send(toy())
        wait_for(lambda: self.widget.plot.reports)
        future = self.widget.task.future
        self.widget.onDeleteWidget()
        wait_for(future.done)

    def test_messages_of_certificates(self):
        self.create(solver="bcfw", C=100.0, epsilon=1e-6, passes=1)
        self.send(toy())
        parser = self.output("parser")
        message, = self.shown("Information")
        assert f"{parser.log[-1].gap:.3g} after 1 pass" in message
        assert "epsilon 1e-06" in message
        self.create(solver="bcfw", epsilon=1.0)
        self.send(toy())
        assert self.output("parser").converged
        assert self.shown("Information") == []


class TestStop(TrainParserTest):
    def test_stop_keeps_what_was_learned(self):
        self.create(passes=FOREVER)
        self.send(toy())
        wait_for(lambda: self.widget.plot.reports)
        assert self.widget.stop_button.isEnabled()
        assert not self.widget.start_button.isEnabled()
        self.widget.stop_button.click()
        assert not self.widget.stop_button.isEnabled()
        parser = self.output("parser")
        assert parser.stopped
        assert len(parser.log) == len(self.output("log")) > 0
        message, = self.shown("Information")
        assert message.startswith(f"Stopped in pass {parser.log[-1].pass_ + 1} of ")
        assert self.widget.figures.status.text().startswith("Stopped after")
        assert self.widget.start_button.isEnabled()

    def test_what_was_stopped_does_not_begin_again_by_itself(self):
        self.create(passes=FOREVER)
        self.send(toy())
        wait_for(lambda: self.widget.plot.reports)
        self.widget.stop_button.click()
        self.output("parser")
        self.widget.begin_if_automatic()
        assert self.widget.task is None
        self.control("passes").setValue(2)          # but another setting does
        wait_for(lambda: self.widget.parser and len(self.widget.parser.log) == 2)

    def test_train_again_ends_in_the_same_parser(self):
        self.send(toy())
        first = self.output("parser").edge_scores(SENTENCES[0])
        self.widget.start_button.click()
        second = self.output("parser").edge_scores(SENTENCES[0])
        np.testing.assert_array_equal(first, second)


class TestAutomatic(TrainParserTest):
    def test_a_large_treebank_waits(self):
        with patch.object(owtrainparser, "FAST", 0):
            self.send(toy())
            assert self.widget.task is None
            assert self.shown("Information") == [
                ("Training may take a while (66 tokens, up to 10 passes): press "
                "Train.")]
            self.widget.start_button.click()
            assert self.shown("Information") == []
            assert self.output("parser") is not None
            assert self.shown("Information") == []

    def test_always(self):
        with patch.object(owtrainparser, "FAST", 0):
            self.create(auto_train="always")
            self.send(toy())
            assert self.output("parser") is not None

    def test_only_when_asked(self):
        self.create(auto_train="never")
        self.send(toy())
        assert self.widget.task is None
        assert self.shown("Information") == ["Press Train to learn a parser."]
        self.widget.auto_combo.setValue("always")
        assert self.output("parser") is not None
        assert self.shown("Information") == []

    def test_changed_settings_are_applied_when_asked(self):
        self.create(auto_train="never")
        self.send(toy())
        self.widget.start_button.click()
        assert self.output("parser").name == "explicit mira C=1"
        self.control("C").setValue(5)
        assert self.shown("Information") == [
            "Settings have changed: press Train to apply them."]
        assert self.output("learner").name == "explicit mira C=5"
        assert self.output("parser").name == "explicit mira C=1"
        self.control("C").setValue(1)               # as it was
        assert self.shown("Information") == []
        self.control("C").setValue(5)
        self.widget.start_button.click()
        assert self.output("parser").name == "explicit mira C=5"
        assert not self.widget.Information.outdated.is_shown()

    def test_changes_during_a_training_are_told_at_once(self):
        self.create(auto_train="never")
        self.control("passes").setMaximum(FOREVER)
        self.control("passes").setValue(FOREVER)
        self.send(toy())
        self.widget.start_button.click()
        wait_for(lambda: self.widget.plot.reports)
        self.control("C").setValue(5)
        told = "Settings have changed: press Train to apply them."
        assert self.widget.is_running() and self.shown("Information") == [told]
        self.control("C").setValue(1)
        assert self.shown("Information") == []
        self.control("C").setValue(5)
        self.widget.stop_button.click()
        self.output("parser")
        assert told in self.shown("Information")

    def test_changed_settings_are_applied_automatically(self):
        self.send(toy())
        self.output("parser")
        self.control("solver").setValue("perceptron")
        self.control("passes").setValue(4)
        wait_for(lambda: self.widget.parser and len(self.widget.parser.log) == 4)
        assert self.output("parser").name.startswith("explicit perceptron")

    def test_a_new_treebank_has_no_parser_yet(self):
        self.create(auto_train="never")
        self.send(toy())
        self.widget.start_button.click()
        assert self.output("parser") is not None
        self.send(toy()[:6])
        assert self.output("parser") is None
        assert self.shown("Information") == ["Press Train to learn a parser."]


class TestMessages(TrainParserTest):
    def test_a_table_without_sentences(self):
        self.send(Table("iris"))
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert "conllu" in message
        assert self.widget.figures.status.text() == message
        self.send(toy())
        assert self.output("parser") is not None
        assert self.shown("Error") == []

    def test_a_sentence_without_heads(self):
        self.send(Treebank.from_sentences([*SENTENCES, Sentence(UNPARSED)]))
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert message.startswith("Training failed: sentence 19")
        assert "without heads. Leave out these sentences" in message
        assert self.widget.figures.status.text() == message

    def test_no_sentences_at_all(self):
        self.send(toy()[:0])
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert "no sentences" in message

    def test_no_feature_group(self):
        self.create(groups=[])
        self.send(toy())
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert "no feature group" in message
        self.control("groups").boxes["head"].click()
        wait_for(lambda: self.widget.parser is not None)
        assert self.output("parser") is not None
        assert self.shown("Error") == []

    def test_settings_that_a_newer_version_may_have(self):
        self.create(solver="newton")
        self.send(toy())
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert "'newton' is not known" in message
        assert self.widget.figures.status.text() == message
        assert self.control("solver").value() == "newton"
        self.create(features="kernel", kernel="quantum", kernel_params={"n": 2})
        self.send(toy())
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert "kernel 'quantum'" in message

    def test_warnings_of_the_library(self):
        def warning(self, data, callback=None):
            import warnings
            warnings.warn("the tags look odd", UserWarning, stacklevel=1)
            return train(self, data, callback)

        train = ParserLearner.__call__
        with patch.object(ParserLearner, "__call__", warning):
            self.send(toy())
            assert self.output("parser") is not None
        assert self.shown("Warning") == ["The tags look odd"]

    def test_errors_that_nobody_expects(self):
        for error, text in ((MemoryError(), "Not enough memory"),
                            (ZeroDivisionError("oh"), "ZeroDivisionError: oh")):
            with patch.object(ParserLearner, "__call__", side_effect=error):
                self.send(toy())
                assert self.output("parser") is None
            message, = self.shown("Error")
            assert text in message
            self.send(None)
            assert self.shown("Error") == []


class TestNames(TrainParserTest):
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
        self.control("solver").setValue("bcfw")
        assert not self.control("calibrate").isEnabled()
        assert "none of them is held out" in self.control("calibrate").toolTip()


SETTINGS = {
    "features": "kernel", "groups": ["head", "context"], "min_count": 2,
    "hash": ["posTags", "lemmas::dir"], "kernel": "ngram", "kernel_params": {"n": 3},
    "solver": "one-slack", "C": 0.05, "epsilon": 0.002, "passes": 33,
    "decoder": "rearranged", "order": 1, "single_root": False, "relations": False,
    "calibrate": False, "random_state": 11, "n_jobs": 1, "learner_name": "mine", "auto_train": "never"}


class TestSettings(TrainParserTest):
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
                    assert value == SETTINGS[name], name
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

    def test_what_has_no_influence_is_disabled(self):
        assert not self.control("epsilon").isEnabled()
        self.control("solver").setValue("bcfw")
        assert self.control("epsilon").isEnabled()
        assert self.control("C").isEnabled()
        self.control("solver").setValue("perceptron")
        assert not self.control("C").isEnabled()
        assert "perceptron" in self.control("C").toolTip()


class TestCanvas(TrainParserTest):
    def test_links(self):
        outputs = {signal.name: signal
                   for signal in OWTrainParser.get_widget_description()["outputs"]}
        save = OWSaveModel.get_widget_description()["inputs"][0]
        table = OWTable.get_widget_description()["inputs"][0]
        from orangecanvas.scheme import compatible_channels
        assert compatible_channels(outputs["Parser"], save)
        assert compatible_channels(outputs["Training Log"], table)
        assert not compatible_channels(outputs["Learner"], save)

    def test_summaries(self):
        for signal in (OWTrainParser.Inputs.treebank, OWTrainParser.Outputs.parser,
                       OWTrainParser.Outputs.learner, OWTrainParser.Outputs.log):
            assert signal.auto_summary

    def test_report(self):
        assert "<b>Solver:</b> Automatic (MIRA)<" in self.report()  # without data
        self.create(solver="bcfw", learner_name="a < b")
        self.send(toy())
        self.output("parser")
        html = self.report()
        for text in ("toy", "<b>Tokens:</b> 66<", "<b>Name:</b> a &lt; b<",
                     "<b>Epsilon:</b> 0.01<", "<b>Seed:</b> 0<",
                     "<b>Minimum count:</b> all features<",
                     "<b>Decoding:</b> Automatic (Projective)<",
                     "<b>Training loss:</b>", "<img"):
            assert text in html
        for text in ("kernel", "random_state", "None", "have been changed"):
            assert text not in html

    def report(self) -> str:
        self.widget.report_html = ""
        self.widget.send_report()
        return self.widget.report_html

    def test_a_report_is_of_what_was_learned(self):
        self.create(auto_train="never", passes=FOREVER)
        self.send(toy())
        self.widget.start_button.click()
        wait_for(lambda: self.widget.plot.reports)
        html = self.report()
        assert "Training is not done yet" in html and "<b>C:</b> 1<" in html
        self.widget.stop_button.click()
        stopped = self.output("parser").log[-1].pass_ + 1
        self.control("C").setValue(5)
        self.control("solver").setValue("bcfw")
        html = self.report()
        for text in ("<b>Name:</b> explicit mira C=1<", "<b>C:</b> 1<",
                     "<b>Solver:</b> Automatic (MIRA)<", f"Stopped in pass {stopped} of",
                     "The settings have been changed since."):
            assert text in html
        assert "Epsilon" not in html and "C=5" not in html

    def test_a_report_of_what_failed(self):
        self.create(solver="newton")
        self.send(toy())
        assert self.output("parser") is None
        assert "&#x27;newton&#x27; is not known" in self.report()

    def test_results_do_not_make_it_larger(self):
        self.create(solver="bcfw", auto_train="never")
        self.widget.show()
        before = self.widget.minimumSizeHint()
        assert 380 <= before.height() <= 740
        assert before.width() <= 800
        self.send(toy())
        self.widget.start_button.click()
        self.output("parser")
        assert self.widget.minimumSizeHint().width() == before.width()

    def test_it_fits_a_small_screen(self):
        """Also with larger fonts; Noto Sans is as high as DejaVu Sans one point more."""
        font = QApplication.font()
        self.addCleanup(QApplication.setFont, font)
        for points in (9, 10, 11):
            larger = QFont(font)
            larger.setPointSizeF(points)
            QApplication.setFont(larger)
            for features, kernel in (("explicit", "constant"),
                                     ("kernel", "annotated-ngram")):
                with self.subTest(points=points, features=features):
                    widget = self.create(features=features, kernel=kernel)
                    assert widget.minimumSizeHint().width() <= 1280
                    assert widget.sizeHint().height() <= 760
                    widget.show()
                    widget.resize(widget.sizeHint())
                    self.process_events()
                    area = widget.controlArea
                    assert area.height() <= area.parentWidget().height()
                    box = widget.forms["Trees"]
                    assert box.height() >= box.minimumSizeHint().height()

    def test_c_without_effect(self):
        self.create(C=10.)
        self.send(toy())
        assert self.output("parser") is not None
        message, = self.shown("Information")
        assert message == ("C = 10 had no effect: no step of MIRA is that large. Try "
                           "BCFW or a much smaller C.")
        assert message in self.widget.figures.status.text()
        for settings in ({"C": 10., "solver": "bcfw"}, {"C": 1e-4}, {},
                         {"solver": "perceptron"}):
            self.create(passes=3, epsilon=1., **settings)
            self.send(toy())
            assert self.output("parser") is not None
            assert not self.widget.Information.no_effect.is_shown(), settings

    def test_what_c_means_to_a_solver(self):
        assert "largest step" in self.control("C").toolTip()
        self.control("solver").setValue("bcfw")
        assert "mean loss" in self.control("C").toolTip()
        self.control("solver").setValue("perceptron")
        assert "no C" in self.control("C").toolTip()

    def test_fast_means_little_work_and_not_few_tokens(self):
        limit = expected_seconds({"passes": 20}, tokens=66, sentences=10)
        with patch.object(owtrainparser, "FAST", limit):
            for passes, small in ((20, True), (21, False)):
                self.create(passes=passes)
                self.send(toy())
                assert self.widget.is_running() == small
                assert self.widget.Information.large.is_shown() != small
                self.widget.cancel()


class TestKernel(TrainParserTest):
    def test_kernel_parser(self):
        self.create(features="kernel", hash=["posTags", "tokens::dir"], kernel="bow",
                    kernel_params={"normalized": True}, passes=5, solver="bcfw")
        self.send(toy())
        learner = self.output("learner")
        assert sorted(learner.hash) == ["posTags", "tokens::dir"]
        assert learner.kernel == "bow"
        assert learner.kernel_params == {"normalized": True}
        assert self.shown("Error") == []
        parser = self.output("parser")
        gold = np.concatenate([sentence.heads for sentence in SENTENCES])
        assert np.mean(np.concatenate(parser.predict_heads(SENTENCES)) == gold) > 0.9

    def test_the_solver_is_chosen_by_the_features(self):
        assert not self.control("epsilon").isEnabled()      # MIRA has none
        self.control("features").setValue("kernel")
        assert self.control("epsilon").isEnabled()
        assert self.output("learner").chosen_solver == "bcfw"

    def test_stopped_while_sentences_are_compared(self):
        """There is no parser yet, and this is no error."""
        def compare(self, kernel, sentences, progress):
            while progress(0.5):
                time.sleep(0.01)
            raise Cancelled

        self.create(features="kernel", kernel="ngram")
        with patch.object(ParserLearner, "gram", compare):
            self.send(toy())
            wait_for(lambda: "50%" in self.widget.figures.status.text())
            assert self.widget.figures.values["pass"].text() == "–"
            self.widget.stop_button.click()
            assert self.output("parser") is None
        assert self.shown("Error") == []
        assert self.shown("Information") == [
            "Stopped before anything was learned: there is no parser."]
        assert self.widget.figures.status.text() == "Stopped."
        self.widget.start_button.click()
        assert self.output("parser") is not None
        assert self.shown("Information") == []

    def test_parameters_that_make_no_kernel(self):
        self.create(features="kernel", kernel="ngram", kernel_params={"decay": 7.0})
        # the control knows better than the workflow
        assert self.control("kernel_params").value() == {"decay": 1.0}
        self.send(toy())
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert "decay is 7.0, expected" in message

    def test_no_hash_function(self):
        self.create(features="kernel", hash=[])
        self.send(toy())
        assert self.output("parser") is None
        message, = self.shown("Error")
        assert "no hash function" in message
