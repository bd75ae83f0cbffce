"""Tune Parser: messages, settings, reports and sizes."""
import ast
from dataclasses import replace
from unittest.mock import patch

from Orange.data import Table

from orange_structpred import load_bundled
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.tuning.results import Tuning
from orange_structpred.widgets.common import failures
from orange_structpred.widgets.common.reporting import Outcome
from orange_structpred.widgets.tune.tasks import TunedOrTrained
from tests.treebank.toy import UNPARSED
from tests.tuning.test_search import SENTENCES, TOY
from tests.widgets import tuneparser
from tests.widgets.tuneparser import FOREVER, SMALL
from tests.widgets.waiting import wait_for


class TestMessages(tuneparser.TuneParserTest):
    def test_no_treebank(self):
        self.send(Table("iris"))
        assert self.widget.Error.no_treebank.is_shown()
        self.send(TOY, Table("iris"))
        assert not self.widget.Error.no_treebank.is_shown()
        assert self.widget.Error.no_validation.is_shown()
        assert not self.widget.start_button.isEnabled()
        self.send(TOY)
        assert self.output("parser") is not None

    def test_values_that_make_no_sense(self):
        self.send()
        self.wait()
        for text, words in (("bcfw, newton", "'newton' is not known"),
                            ("bcfw,,mira", "each comma")):
            self.control("solver", "Compare").setValue(text)
            assert words in self.shown("Error")[0]
            assert self.widget.view.status.text() == self.shown("Error")[0]
            assert not self.widget.start_button.isEnabled()
        self.control("solver", "Compare").setValue("")
        assert self.shown("Error") == []
        assert self.widget.view.status.text().startswith("3 results on")
        self.control("C_from", "C").setValue(10)
        assert "to a larger one" in self.shown("Error")[0]

    def test_a_treebank_without_heads(self):
        self.send(Treebank.from_sentences([Sentence(UNPARSED)] * 3))
        self.wait()
        message, = self.shown("Error")
        assert "without heads" in message
        assert self.widget.view.status.text() == message

    def test_warnings_of_the_library(self):
        """Also those of threads in which settings are tried at the same time."""
        strange = Treebank.from_sentences(
            [Sentence(s.block.replace("\tX\t", "\tQ\t")) for s in SENTENCES])
        for n_jobs in (1, 2):
            self.create(**SMALL, n_jobs=n_jobs, varied={"solver": "bcfw, mira"})
            self.send(TOY, strange)
            self.wait()
            assert self.shown("Error") == []
            message, = self.shown("Warning")
            assert "of the tags are unknown to the parser" in message
            assert "bcfw C=0.01" in message and "mira C=1" in message

    def test_the_best_at_the_end_of_the_range(self):
        self.create(**{**SMALL, "C_from": 0.001, "C_to": 0.01})
        self.send(load_bundled("en")[:60])
        self.wait()
        assert self.widget.tuning.open_end == "upper"
        assert "The best C, 0.01, is at the upper end" in self.shown("Information")[0]

    def test_values_of_C_that_make_no_difference(self):
        self.create(**{**SMALL, "solver": "mira", "C_from": 100., "C_to": 1000.})
        self.send()
        self.wait()
        assert self.shown("Information")[-1] == (
            "C = 1000 gave the same parser as the best one: tuning C pays off with the "
            "solvers BCFW and one-slack.")

    def test_nobody_is_told_to_use_the_solver_that_is_used(self):
        self.create(**{**SMALL, "solver": "bcfw", "C_from": 100., "C_to": 1000.})
        self.send()
        self.wait()
        tuning = self.widget.tuning
        tuning.points[1] = replace(tuning.points[0], C=1000.)
        self.widget.running = self.widget.tried
        self.widget.on_done(Outcome(TunedOrTrained(tuning), 0., []))
        assert "C = 1000 gave the same parser as the best one." in self.shown(
            "Information")

    def test_a_parser_that_cannot_be_trained_is_not_tried_again_and_again(self):
        self.create(**SMALL, evaluation="folds", folds=2)
        self.send()
        self.wait()
        self.widget.parsers.clear()
        with patch.object(Tuning, "parser", side_effect=MemoryError) as parser:
            self.widget.send_outputs()
            wait_for(self.widget.has_failed)
            self.process_events()
            assert not self.widget.train_timer.isActive()
            assert parser.call_count == 1

    def test_programming_errors_are_told(self):
        self.send(None)
        with self.assertLogs(failures.log, "ERROR"):
            self.widget.on_exception(KeyError("x"))
        assert "KeyError" in self.shown("Error")[0]


class TestSettings(tuneparser.TuneParserTest):
    def test_literals(self):
        self.control("groups", "Compare").setValue("all, head")
        self.send()
        self.wait()
        settings = {name: value for name, value in self.settings().items()
                    if name != "savedWidgetGeometry"}
        assert ast.literal_eval(repr(settings)) == settings
        assert settings["varied"] == {"groups": "all, head"}

    def test_only_rows_of_the_chosen_features(self):
        def rows():
            return [name for name, control in self.widget.forms["Compare"].controls
                    .items() if control.isVisibleTo(self.widget)]

        assert rows() == ["solver", "epsilon", "groups"]
        self.control("features", "Features").setValue("kernel")
        assert rows() == ["solver", "epsilon", "hash", "kernel"]

    def test_report(self):
        self.create(**SMALL, varied={"groups": "all, all without context"})
        assert "<b>C:</b> 0.01, 0.1, 1<" in self.report()
        self.send()
        self.wait()
        html = self.report()
        for text in ("<b>Feature groups:</b> all, all without context<",
                     "<b>Features:</b> Explicit<", "<b>Solver:</b> BCFW<",
                     "<b>Epsilon:</b> 0.01<", "<b>Passes:</b> 2<",
                     "<b>Decoding:</b> Automatic<", "<b>Single root:</b> yes<",
                     "<b>Random split, for validation:</b> 0.2<", "<b>Seed:</b> 0<",
                     self.widget.view.selected_text(), "Validation loss"):
            assert text in html
        assert "kernel" not in html and "have been changed" not in html
        self.control("passes", "Learning").setValue(3)
        html = self.report()
        assert "<b>Passes:</b> 2<" in html
        assert "The settings have been changed since." in html

    def test_report_of_kernels(self):
        self.create(**SMALL, features="kernel", hash=["posTags"], evaluation="folds",
                    folds=2, solver="auto", kernel_params={"n": 3},
                    varied={"kernel": "constant, ngram n=2", "groups": "all"})
        html = self.report()
        for text in ("<b>Hash functions:</b> posTags<", "<b>Solver:</b> Automatic (BCFW)<",
                     "<b>Input kernels:</b> constant, ngram n=2<",
                     "<b>Cross-validation, folds (k):</b> 2<"):
            assert text in html
        for text in ("Feature groups", "Kernel parameters", "split"):
            assert text not in html

    def test_report_of_a_validation_treebank(self):
        validation = TOY[9:]
        validation.name = "others"
        self.send(TOY[:9], validation)
        self.wait()
        html = self.report()
        assert f"<b>Treebank:</b> others</br><b>Sentences:</b> {len(validation)}<" in html
        assert "split" not in html

    def test_report_of_what_was_stopped(self):
        self.create(**{**FOREVER, "C_from": 1e-6, "C_to": 10.0})
        self.send()
        wait_for(lambda: self.widget.view.plot.points)
        assert "Tuning is not done yet." in self.report()
        self.widget.stop_button.click()
        self.wait()
        done = len(self.widget.tuning.points)
        assert f"Stopped after {done} of 8 results." in self.report()

    def test_minimum_size(self):
        self.widget.show()
        before = self.widget.minimumSizeHint()
        assert before.height() <= 740          # of the smallest screens
        self.send()
        self.wait()
        assert self.widget.minimumSizeHint() == before

    def test_size(self):
        size = self.widget.sizeHint()
        assert size.width() <= 1280 and size.height() <= 800
        assert self.widget.minimumSizeHint().height() <= 760
