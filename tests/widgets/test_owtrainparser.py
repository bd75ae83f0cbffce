"""Train Parser: what it learns, and when."""
import time
from unittest.mock import patch

import numpy as np
from Orange.data import Table
from Orange.widgets.data.owdatasampler import OWDataSampler

from orange_structpred.kernels import InputKernel
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.widgets.common import learning
from tests.treebank.toy import UNPARSED
from tests.widgets import trainparser
from tests.widgets.trainparser import FOREVER, SENTENCES, toy
from tests.widgets.waiting import wait_for


class TestTraining(trainparser.TrainParserTest):
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
            "validation loss", "LAS", "net loss"]
        assert log.X[:, 0].tolist() == list(range(1, 11))
        np.testing.assert_array_equal(log.X[:, 6], [r.loss for r in reports])
        np.testing.assert_array_equal(
            log.X[:, -2], [1 - r.further["labelled_loss"] for r in reports])
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
        wait_for(lambda: self.widget.model and self.widget.model.kept_pass is None)
        assert self.output("parser").kept_pass is None
        self.send_signal(self.widget.Inputs.validation, None)
        assert np.isnan(self.output("log").get_column("validation loss")).all()
        assert not self.widget.keep_box.isVisibleTo(self.widget)

    def test_a_validation_treebank_that_is_none(self):
        self.send_signals([(self.widget.Inputs.treebank, toy()),
                           (self.widget.Inputs.validation, Table("iris")[:5])])
        assert self.shown("Error")[0].startswith("The validation treebank: ")
        assert self.output("parser") is None
        self.send_signal(self.widget.Inputs.validation,
                         Treebank.from_sentences([Sentence(UNPARSED)]))
        assert "without heads. Leave out these sentences" in self.shown("Error")[0]
        self.send_signal(self.widget.Inputs.validation, toy()[:0])
        assert self.shown("Error") == [
            "The validation treebank is empty"]

    def test_the_hard_margin(self):
        self.create(solver="n-slack", hard_margin=True, order=1, calibrate=False, passes=50)
        self.send(toy())
        parser = self.output("parser")
        assert parser.name == "explicit n-slack C=inf" and parser.log[-1].loss == 0
        assert "<b>Hard margin:</b> yes<" in self.report()
        assert "<b>C:</b>" not in self.report()

    def test_learned_groups_are_shown(self):
        self.create(groups="learn", budget=0.25, calibrate=False, relations=False)
        self.send(toy())
        parser = self.output("parser")
        assert 0 < len(parser.group_norms) <= 6
        bars = self.widget.kept_bars
        assert set(bars.shown_names) == set(parser.group_norms) and not bars.isHidden()
        self.control("groups").learned.click()
        self.widget.start_button.click()
        assert self.output("parser").group_norms is None and bars.isHidden()

    def test_unlabelled_sentences(self):
        options = {"features": "kernel", "kernel": "ngram", "solver": "ridge",
                   "calibrate": False, "relations": False, "smoothness": 3.}
        self.create(auto_train="always", **options)
        raw = Treebank.from_sentences(SENTENCES[1:4])
        self.send_signal(self.widget.Inputs.unlabelled, raw)
        self.send(toy()[:6])
        assert self.control("smoothness").isVisibleTo(self.widget)
        parser = self.output("parser")
        own = ParserLearner(**options)(toy()[:6], unlabelled=raw)
        assert len(parser.model.support) == len(own.model.support) == 9
        np.testing.assert_array_equal(parser.edge_scores(SENTENCES[0]),
                                      own.edge_scores(SENTENCES[0]))
        assert "Unlabelled sentences" in self.report()
        seconds = self.widget.expected_seconds()
        self.widget.unlabelled = Treebank.from_sentences(SENTENCES * 1000)
        assert self.widget.expected_seconds() > seconds + 10
        self.widget.unlabelled = raw
        self.control("features").setValue("explicit")
        message, = self.shown("Error")
        assert "unlabelled sentences are for parsers with kernels" in message.lower()
        assert not self.widget.start_button.isEnabled()
        self.control("features").setValue("kernel")
        self.send_signal(self.widget.Inputs.unlabelled, None)
        assert self.shown("Error") == []
        assert len(self.output("parser").model.support) == 6
        self.send_signal(self.widget.Inputs.unlabelled, Table("iris"))
        message, = self.shown("Error")
        assert "unlabelled sentences: 'iris' is not a treebank" in message
        self.send_signal(self.widget.Inputs.unlabelled, raw[:0])
        message, = self.shown("Error")
        assert message == "There are no unlabelled sentences"

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


class TestStop(trainparser.TrainParserTest):
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
        wait_for(lambda: self.widget.model and len(self.widget.model.log) == 2)

    def test_train_again_ends_in_the_same_parser(self):
        self.send(toy())
        first = self.output("parser").edge_scores(SENTENCES[0])
        self.widget.start_button.click()
        second = self.output("parser").edge_scores(SENTENCES[0])
        np.testing.assert_array_equal(first, second)


class TestAutomatic(trainparser.TrainParserTest):
    def test_a_large_treebank_waits(self):
        with patch.object(learning, "FAST", 0):
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
        with patch.object(learning, "FAST", 0):
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
        wait_for(lambda: self.widget.model and len(self.widget.model.log) == 4)
        assert self.output("parser").name.startswith("explicit perceptron")

    def test_a_new_treebank_has_no_parser_yet(self):
        self.create(auto_train="never")
        self.send(toy())
        self.widget.start_button.click()
        assert self.output("parser") is not None
        self.send(toy()[:6])
        assert self.output("parser") is None
        assert self.shown("Information") == ["Press Train to learn a parser."]


class TestKernel(trainparser.TrainParserTest):
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
        def compare(self, sentences, *, n_jobs, progress):
            while True:
                progress(0.5)
                time.sleep(0.01)

        self.create(features="kernel", kernel="ngram")
        with patch.object(InputKernel, "gram", compare):
            self.send(toy())
            wait_for(lambda: "50%" in self.widget.figures.status.text())
            assert self.widget.figures.values["pass"].text() == "–"
            self.widget.stop_button.click()
            assert self.output("parser") is None
        assert self.shown("Error") == []
        assert self.shown("Information") == [
            "Stopped before anything was learned."]
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
