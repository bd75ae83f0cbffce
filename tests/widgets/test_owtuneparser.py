"""Tune Parser: grids, the selected setting and clusters."""
from unittest.mock import patch

import numpy as np
import pytest

from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.tuning.arguments import tuning_arguments
from orange_structpred.tuning.search import tune
from orange_structpred.widgets.tune.table import GRID_COLUMNS
from tests.treebank.toy import UNPARSED, treebank
from tests.tuning.test_search import SENTENCES, TOY, figures
from tests.widgets import tuneparser
from tests.widgets.tuneparser import FOREVER, SMALL
from tests.widgets.waiting import wait_for


class TestTuning(tuneparser.TuneParserTest):
    def test_nothing_without_data(self):
        for name in ("parser", "learner", "results"):
            assert self.output(name) is None
        assert not self.widget.start_button.isEnabled()
        assert self.widget.view.status.text() == "No treebank to learn from."
        validation = self.widget.forms["Validation"]
        assert not validation.given.isVisibleTo(self.widget)
        assert validation.controls["evaluation"].isVisibleTo(self.widget)

    def test_results_are_those_of_the_library(self):
        self.create(**SMALL, share=0.3, random_state=2,
                    varied={"solver": "bcfw, mira"})
        self.send()
        table = self.output("results")
        grid, options = tuning_arguments(self.settings())
        assert grid == {"C": [0.01, 0.1, 1], "solver": ["bcfw", "mira"]}
        own = tune(TOY, grid, **options)
        assert figures(own) == figures(self.widget.tuning)
        np.testing.assert_array_equal(
            table.get_column("validation loss"),
            [point.validation_loss for point in own.points])
        parser, learner = self.output("parser"), self.output("learner")
        assert isinstance(parser, Parser) and isinstance(learner, ParserLearner)
        np.testing.assert_array_equal(
            parser.edge_scores(SENTENCES[0]),
            own.parser().edge_scores(SENTENCES[0]))
        assert (learner.C, learner.solver) == (own.best.C, own.best.setting["solver"])
        assert learner.random_state == 2 and learner.passes == 2
        assert self.shown("Error") == self.shown("Warning") == []

    def test_C_is_raised_while_the_training_loss_improves(self):
        options = {**SMALL, "C_from": 1e-4, "C_to": 1e4}
        self.create(**options)
        self.send()
        self.wait()
        every = figures(self.widget.tuning)
        self.create(**options, stop_raising=True)
        self.send()
        self.wait()
        raised = figures(self.widget.tuning)
        assert 1 < len(raised) < len(every) and raised == every[:len(raised)]
        assert self.control("stop_raising", "C").isChecked()

    def test_valid_trees_where_outputs_may_be_none(self):
        for decoder in ("exact", "approximate"):
            self.create(features="kernel", hash=["posTags"], decoder=decoder, passes=1,
                        C_from=0.001, C_to=0.001)
            self.send()
            self.wait()
            table = self.widget.view.table
            valid = len(GRID_COLUMNS) - 1
            assert table.isColumnHidden(valid) == (decoder == "exact")
        point, = self.widget.tuning.points
        assert point.valid_trees < 1
        assert table.model().index(0, valid).data() == f"{100 * point.valid_trees:.2f}"

    def test_folds_train_the_selected_on_all_sentences(self):
        self.create(**SMALL, evaluation="folds", folds=2)
        self.send()
        parser = self.output("parser")
        own = self.output("learner")(TOY)
        np.testing.assert_array_equal(parser.edge_scores(SENTENCES[0]),
                                      own.edge_scores(SENTENCES[0]))
        other = next(point for point in self.widget.tuning.points
                     if point is not self.widget.selected)
        self.widget.view.plot.pointClicked.emit(other)
        wait_for(lambda: self.output("parser") is not None)
        own = self.output("learner")(TOY)
        assert own.name == f"explicit bcfw C={other.C:g}"
        np.testing.assert_array_equal(
            self.output("parser").edge_scores(SENTENCES[0]),
            own.edge_scores(SENTENCES[0]))

    def test_a_validation_treebank(self):
        self.create(**SMALL, evaluation="folds")
        self.send(TOY[:9], TOY[9:])
        self.wait()
        own = tune(TOY[:9], {"C": [0.01, 0.1, 1]}, validation=TOY[9:], solver="bcfw",
                   groups=["head", "dependent"], passes=2)
        assert figures(own) == figures(self.widget.tuning)
        assert not self.control("evaluation", "Validation").isVisibleTo(self.widget)

    def test_a_validation_treebank_without_heads(self):
        self.send(TOY, treebank([UNPARSED]))
        error, = self.shown("Error")
        assert error.startswith("The validation treebank: sentence 1 ")
        assert "without heads. Leave out these sentences" in error
        assert not self.widget.start_button.isEnabled()

    def test_a_value_is_added_to_the_one_that_holds(self):
        edit = self.control("solver", "Compare")
        self.widget.update_state()
        actions = {action.text(): action for action in edit.menu.actions()}
        actions["mira"].trigger()
        assert edit.value() == "bcfw, mira"
        assert self.widget.varied == {"solver": "bcfw, mira"}

    def test_results_come_one_by_one_and_stopping_keeps_them(self):
        # the larger C never ends
        self.create(**{**FOREVER, "C_from": 1e-6, "C_to": 10.0})
        self.send()
        wait_for(lambda: self.widget.view.plot.points)
        assert self.widget.stop_button.isEnabled()
        assert not self.widget.start_button.isEnabled()
        self.widget.stop_button.click()
        self.wait()
        done = len(self.widget.tuning.points)
        assert 1 <= done < 8
        assert self.shown("Information") == [f"Stopped after {done} of 8 results."]
        assert len(self.output("results")) == done
        assert self.output("parser") is not None
        assert not self.widget.stop_button.isEnabled()

    def test_new_data_ends_the_old_work(self):
        self.create(**FOREVER)
        self.send()
        wait_for(lambda: self.widget.view.status.text().startswith(("0 of", "1 of")))
        self.send(None)
        self.wait()
        assert self.output("results") is None
        assert self.widget.view.plot.points == []

    def test_large_treebanks_wait(self):
        self.create(**{**FOREVER, "auto_tune": "small"})
        self.send()
        assert self.widget.task is None
        assert self.shown("Information") == ["Tuning may take a while (6 values of C): press Tune."]
        self.create(**SMALL, auto_tune="never")
        self.send()
        assert self.shown("Information") == ["Press Tune to try the grid."]
        self.widget.start_button.click()
        assert self.output("parser") is not None
        self.control("passes", "Learning").setValue(3)
        assert self.shown("Information")[-1].startswith("Settings have changed")

    def test_a_changed_setting_tunes_again(self):
        self.send()
        self.wait()
        self.control("solver", "Compare").setValue("mira, perceptron")
        wait_for(lambda: len(self.widget.labels) == 2)
        assert self.output("results").domain["setting"].values == (
            "solver mira", "solver perceptron")

    def test_threads_make_no_difference(self):
        self.send()
        self.wait()
        tuning = self.widget.tuning
        self.widget.n_jobs = 2
        self.widget.update_arguments()
        self.widget.begin_if_automatic()
        assert self.widget.tuning is tuning and self.widget.task is None


class TestSelection(tuneparser.TuneParserTest):
    def test_by_hand_in_plot_and_table(self):
        self.send()
        self.wait()
        first, _, last = self.widget.tuning.points
        assert self.widget.selected is self.widget.tuning.best
        self.widget.view.plot.pointClicked.emit(first)
        assert self.widget.selection == {"label": "", "C": 0.01}
        # only the best was kept: this one is trained again
        wait_for(lambda: self.output("parser") is not None)
        assert self.output("parser").name.endswith("C=0.01")
        assert self.output("learner").C == 0.01
        assert self.widget.view.table.currentIndex().row() == 0
        self.widget.view.table.setCurrentIndex(self.widget.view.table.model().index(2, 1))
        assert self.widget.view.plot.selected is last
        wait_for(lambda: self.output("parser") is not None)
        assert self.output("parser").name.endswith("C=1")
        assert self.settings()["selection"] == {"label": "", "C": 1.0}
        self.widget.view.best_button.click()
        assert self.widget.selection is None
        assert self.output("parser") is self.widget.tuning.parser()

    def test_it_is_kept(self):
        self.create(**SMALL, selection={"label": "", "C": 0.01})
        self.send()
        assert self.output("learner").C == 0.01
        assert self.widget.view.best_button.isEnabled()

    def test_of_another_grid(self):
        self.create(**SMALL, selection={"label": "solver mira", "C": 0.01})
        self.send()
        assert self.output("parser") is self.widget.tuning.parser()
        assert self.widget.selection is None

    def test_after_folds_a_kept_selection_is_trained(self):
        self.create(**SMALL, evaluation="folds", folds=2,
                    selection={"label": "", "C": 0.01})
        self.send()
        assert self.output("parser").name == "explicit bcfw C=0.01"


class TestCluster(tuneparser.TuneParserTest):
    """Where the work is done."""

    def test_an_address_that_does_not_answer(self):
        self.create(**SMALL, place="cluster", scheduler="tcp://127.0.0.1:1")
        with patch("orange_structpred.running.cluster.CONNECTION_TIMEOUT", 0.5):
            self.widget.run_on.test()
            self.process_events(lambda: "no scheduler answers".casefold()
                                in self.widget.run_on.answer.text().casefold())
            self.send()
            self.wait()
        assert "o scheduler answers at tcp://127.0.0.1:1" in "".join(self.shown("Error"))

    def test_without_an_address(self):
        self.create(**SMALL, place="cluster")
        self.widget.run_on.test()
        assert "Enter the address" in self.widget.run_on.answer.text()
        assert self.widget.run_on.client() is None

    def test_settings(self):
        run_on = self.widget.run_on
        assert not run_on.address.isVisibleTo(self.widget)
        run_on.place.setValue("cluster")
        run_on.address.setText(" tcp://host:8786 ")
        run_on.address.editingFinished.emit()
        assert (self.widget.place, self.widget.scheduler) == ("cluster", "tcp://host:8786")
        assert run_on.address.isVisibleTo(self.widget)
        self.create(**SMALL, place="nowhere")
        assert self.widget.run_on.client() is None

    def test_on_a_cluster(self):
        distributed = pytest.importorskip("distributed")
        with distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, processes=False,
                dashboard_address=None, silence_logs=50) as workers:
            self.create(**SMALL, place="cluster", scheduler=workers.scheduler_address)
            self.widget.run_on.test()
            self.process_events(lambda: "1 worker is ready"
                                in self.widget.run_on.answer.text())
            self.send()
            self.wait()
            found = [point.validation_loss for point in self.widget.tuning.points]
        self.create(**SMALL)
        self.send()
        self.wait()
        assert found == [point.validation_loss for point in self.widget.tuning.points]

    def test_closed_while_the_cluster_works(self):
        distributed = pytest.importorskip("distributed")
        with distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, processes=False,
                dashboard_address=None, silence_logs=50) as workers, \
                distributed.Client(workers, set_as_default=False) as client:
            self.create(**FOREVER, place="cluster", scheduler=workers.scheduler_address)
            self.send()

            def tasks():
                return sum(map(len, client.processing().values()))

            self.process_events(lambda: tasks() > 0)
            thread = self.widget.task.future
            self.widget.onDeleteWidget()
            self.process_events(lambda: thread.done() and tasks() == 0)
