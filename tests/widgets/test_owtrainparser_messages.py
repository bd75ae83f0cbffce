"""Train Parser: messages, reports and sizes."""
from unittest.mock import patch

from AnyQt.QtGui import QFont
from AnyQt.QtWidgets import QApplication
from Orange.data import Table
from Orange.widgets.data.owtable import OWTable
from Orange.widgets.model.owsavemodel import OWSaveModel

from orange_structpred.learner import ParserLearner
from orange_structpred.learner.effort import expected_seconds
from orange_structpred.svm import Report
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.widgets.common import learning
from orange_structpred.widgets.owtrainparser import OWTrainParser, stopping_point
from tests.treebank.toy import UNPARSED
from tests.widgets import trainparser
from tests.widgets.trainparser import FOREVER, SENTENCES, toy
from tests.widgets.waiting import wait_for


def test_where_a_training_was_stopped():
    assert stopping_point([], 10) == "pass 1 of 10"
    assert stopping_point([Report(3, 0.3, 1., 9)], 10) == "pass 4 of 10"
    assert stopping_point([Report(10, 0.2, 1., 9)], 10) == "pass 10 of 10"
    assert stopping_point([Report(12, 0.4, 1., 0, epoch=2)], 10) == "epoch 3 of the net"


class TestMessages(trainparser.TrainParserTest):
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
        wait_for(lambda: self.widget.model is not None)
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
        assert "Kernel 'quantum'" in message

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


class TestCanvas(trainparser.TrainParserTest):
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
        assert before.height() <= 740          # of the smallest screens
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
        with patch.object(learning, "FAST", limit):
            for passes, small in ((20, True), (21, False)):
                self.create(passes=passes)
                self.send(toy())
                assert self.widget.is_running() == small
                assert self.widget.Information.large.is_shown() != small
                self.widget.cancel()
