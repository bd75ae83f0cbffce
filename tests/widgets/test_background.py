"""Closing a widget ends its work soon, whatever it is busy with, and waits for nothing."""
import threading
import time
from contextlib import contextmanager
from unittest.mock import patch

import numba
from AnyQt.QtCore import QObject
from AnyQt.QtTest import QTest
from numba.extending import overload
from Orange.widgets.tests.base import GuiTest, WidgetTest

from orange_structpred import load_bundled
from orange_structpred.learner import ParserLearner
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.running.compiler import njit
from orange_structpred.widgets.common import background, run_workflow
from orange_structpred.widgets.common.background import Background
from orange_structpred.widgets.common.learning import LearningWidget
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore
from orange_structpred.widgets.tree.explainer import Question
from tests.data import ROOT
from tests.treebank.web import full_server, mute_server, server
from tests.widgets.waiting import LONG, wait_for


class Gate:
    """Stands in front of a function, which goes on when it is let in.

    entered : someone has called the function
    outcomes : of the calls, an exception or "returned"
    """

    def __init__(self, function):
        self.function, self.entered = function, threading.Event()
        self.let_in, self.outcomes = threading.Event(), []

    def __call__(self, *args, **kwargs):
        self.entered.set()
        assert self.let_in.wait(LONG)
        try:
            result = self.function(*args, **kwargs)
        except BaseException as error:
            self.outcomes.append(type(error))
            raise
        self.outcomes.append("returned")
        return result


@contextmanager
def gate(place: str):
    """A gate in front of a name of a module, "package.module.name"."""
    module, _, name = place.rpartition(".")
    it = Gate(getattr(__import__(module, fromlist=[name]), name))
    with patch(place, it):
        yield it


class ThreadsTest(WidgetTest):
    """That the thread does not go on to the end of the work is seen from how it ends."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        treebank = load_bundled("en")[:40]
        cls.parser = ParserLearner(passes=1, order=1)(treebank)
        cls.kernel_parser = ParserLearner("kernel", kernel="ngram", passes=1)(treebank)

    @property
    def treebank(self):
        """A new one, which was never encoded."""
        return load_bundled("en")[:40]

    def setUp(self):
        look_always = patch("orange_structpred.running.cancellation.CHECK_EVERY", -1.)
        look_always.start()
        self.addCleanup(look_always.stop)
        self.before = set(threading.enumerate())

    def threads(self):
        return [thread.name for thread in threading.enumerate()
                if thread not in self.before]

    def assert_no_thread(self):
        wait_for(lambda: not self.threads())

    def assert_ended(self, outcomes, expected):
        self.assertEqual(set(outcomes), {expected})

    def close_within(self, place, widget, start):
        """Close a widget that has come to a function; its outcomes."""
        with gate(place) as it:
            start()
            wait_for(it.entered.is_set)
            state = widget.task
            widget.onDeleteWidget()
            # Nobody has waited for the work.
            self.assertEqual(it.outcomes, [])
            self.assertTrue(state.is_interruption_requested())
            it.let_in.set()
            self.assert_no_thread()
        return it.outcomes

    def replace_treebank(self, widget_class):
        """A new input ends the work; the thread has nothing to do any more."""
        widget = self.create_widget(widget_class)
        with gate("orange_structpred.treebank.table.encode") as it:
            self.send_signal(widget.Inputs.treebank, self.treebank, widget=widget)
            wait_for(it.entered.is_set)
            future = widget.task.future
            self.send_signal(widget.Inputs.treebank, None, widget=widget)
            it.let_in.set()
            wait_for(future.done)
        self.assert_ended(it.outcomes, Cancelled)
        widget.onDeleteWidget()
        self.assert_no_thread()


class TestTrainParser(ThreadsTest):
    def test_a_new_treebank(self):
        self.replace_treebank(OWTrainParser)

    PHASES = (
        ("orange_structpred.treebank.table.encode", {}),
        ("orange_structpred.learner.explicit.make_feature_indices", {"min_count": 2}),
        ("orange_structpred.treebank.encoding.crossed", {}),
        ("orange_structpred.learner.kernel.cluster_words",
         {"features": "kernel", "hash": ["wordVecs"]}),
        ("orange_structpred.learner.hashed_training.hash_edges", {"features": "kernel"}),
        ("orange_structpred.treebank.table.encode", {"features": "kernel"}),
        ("orange_structpred.kernels.base.fill_gram",
         {"features": "kernel", "kernel": "ngram"}),
        ("orange_structpred.kernels.base.fill_gram",
         {"features": "kernel", "kernel": "ngram", "n_jobs": 2}),
    )

    #: a single short call; what comes after it is not begun
    SHORT = ("orange_structpred.treebank.encoding.crossed",)

    def create(self, **settings):
        return self.create_widget(OWTrainParser, stored_settings=settings)

    def test_closing(self):
        for place, settings in self.PHASES:
            with self.subTest(place, **settings):
                widget = self.create(**settings)
                outcomes = self.close_within(
                    place, widget, lambda widget=widget: self.send_signal(
                        widget.Inputs.treebank, self.treebank, widget=widget))
                self.assert_ended(
                    outcomes, "returned" if place in self.SHORT else Cancelled)

    def test_closing_within_a_pass(self):
        widget = self.create(passes=1_000_000, auto_train="always")
        self.send_signal(widget.Inputs.treebank, self.treebank, widget=widget)
        wait_for(lambda: widget.plot.reports)
        widget.onDeleteWidget()
        self.assert_no_thread()


class TestTuneParser(ThreadsTest):
    def test_a_new_treebank(self):
        self.replace_treebank(OWTuneParser)

    PHASES = (
        ("orange_structpred.treebank.table.encode", {}),
        ("orange_structpred.tuning.splits.evaluate", {}),
        ("orange_structpred.learner.explicit.make_feature_indices", {"min_count": 2}),
        ("orange_structpred.treebank.table.encode", {"evaluation": "folds", "folds": 2}),
        ("orange_structpred.kernels.base.fill_gram",
         {"features": "kernel", "kernel": "ngram"}),
        ("orange_structpred.treebank.table.encode",
         {"n_jobs": 2, "varied": {"solver": "bcfw, mira"}}),
    )

    def test_closing(self):
        for place, settings in self.PHASES:
            with self.subTest(place, **settings):
                widget = self.create_widget(
                    OWTuneParser, stored_settings={"passes": 1, **settings})
                outcomes = self.close_within(
                    place, widget, lambda widget=widget: self.send_signal(
                        widget.Inputs.treebank, self.treebank, widget=widget))
                # n_jobs may be there at the same time; what comes next is not begun
                self.assertLessEqual(len(outcomes), 2)


class TestApplyParser(ThreadsTest):
    def test_closing(self):
        for parser, place, outcomes in (
                (self.parser, "orange_structpred.treebank.table.encode", Cancelled),
                (self.parser, "orange_structpred.parsing.tree_model.map_chunks",
                 Cancelled),
                (self.kernel_parser, "orange_structpred.treebank.table.encode",
                 Cancelled),
                (self.parser, f"{OWApplyParser.__module__}.prediction_table",
                 "returned")):
            with self.subTest(place):
                widget = self.create_widget(OWApplyParser)
                self.send_signal(widget.Inputs.parser, parser, widget=widget)
                found = self.close_within(
                    place, widget, lambda widget=widget: self.send_signal(
                        widget.Inputs.treebank, self.treebank, widget=widget))
                self.assert_ended(found, outcomes)


class TestUASScore(ThreadsTest):
    def test_closing(self):
        parsed = self.parser(self.treebank)
        for place in ("as_treebank", "evaluate_known"):
            with self.subTest(place):
                widget = self.create_widget(OWUASScore)
                outcomes = self.close_within(
                    f"orange_structpred.evaluation.comparison.{place}", widget,
                    lambda widget=widget: self.send_signal(
                        widget.Inputs.treebank, parsed, 0, widget=widget))
                self.assert_ended(outcomes, "returned")


class TestTreebankViewer(ThreadsTest):
    def test_closing(self):
        for parser, place in (
                (self.parser, "orange_structpred.parsing.first_order.explicit_model.encode"),
                (self.kernel_parser, "orange_structpred.parsing.kernel.kernel_model.encode")):
            with self.subTest(place):
                widget = self.create_widget(OWTreebankViewer)
                self.send_signal(widget.Inputs.treebank, self.treebank, widget=widget)
                self.send_signal(widget.Inputs.parser, parser, widget=widget)
                explainer = widget.explainer
                with gate(place) as it:
                    explainer.ask(Question(self.treebank.sentences[0], 1, (0, 2)))
                    wait_for(it.entered.is_set)
                    widget.onDeleteWidget()
                    it.let_in.set()
                    self.assert_no_thread()
                # the other head is not asked for any more
                self.assert_ended(it.outcomes, "returned")


class TestLoadTreebank(ThreadsTest):
    def create(self, url):
        return self.create_widget(OWLoadTreebank, stored_settings={
            "source": "url", "url": url})

    def threads(self):
        return [name for name in super().threads() if "process_request" not in name
                and "look-up" not in name]

    def check(self, url, asked=None):
        """Close a widget that reads what never comes; and give it something else."""
        for other in (False, True):
            widget = self.create(url)
            if asked is None:
                QTest.qWait(100)
            else:
                wait_for(asked.is_set)
                asked.clear()
            task = widget.task
            self.assertFalse(task.future.done())
            if other:
                widget.language_combo.activated.emit(0)
                wait_for(task.future.done)
                wait_for(lambda widget=widget: widget.loaded is not None)
            widget.onDeleteWidget()
            self.assert_no_thread()
            self.assertTrue(task.future.done())

    def test_waiting_for_an_answer(self):
        with server() as web:
            self.before |= set(threading.enumerate())
            for path in ("silent", "half", "trickle"):
                with self.subTest(path):
                    self.check(f"{web.address}/{path}.conllu", web.asked)

    def test_waiting_for_a_connection(self):
        for scheme in ("http", "https"):
            with mute_server(scheme) as url, self.subTest(scheme):
                self.check(url)
        with full_server() as url:
            self.check(url)

    def test_waiting_for_a_name(self):
        answered = threading.Event()
        with patch("socket.getaddrinfo", lambda *_, **__: answered.wait(60)):
            try:
                self.check("http://treebanks.invalid/toy.conllu")
            finally:
                answered.set()


def slow_to_compile(x):
    """What compiled code calls; how it is compiled is said in a test."""


class Worker(QObject, Background):
    def __init__(self):
        QObject.__init__(self)
        Background.__init__(self)

    def on_done(self, result):
        self.result = result


class TestBackground(GuiTest):
    def setUp(self):
        self.before = set(threading.enumerate())

    def assert_no_thread(self):
        wait_for(lambda: set(threading.enumerate()) <= self.before)

    def close(self, worker, begun):
        """Close a worker that has begun; what has become of its work."""
        wait_for(begun.is_set)
        future = worker.task.future
        worker.shutdown()
        self.assert_no_thread()
        self.assertTrue(future.done())
        return future

    def test_a_compilation_ends_in_the_background(self):
        compiling, over, worker = threading.Event(), threading.Event(), Worker()

        @overload(slow_to_compile)
        def compile_slowly(x):
            compiling.set()
            self.assertTrue(over.wait(LONG))
            return lambda x: x + 1

        @numba.njit
        def function(x):
            return slow_to_compile(x)

        def work(state):
            function(1)
            return state.is_interruption_requested()

        worker.start(work)
        future = worker.task.future
        wait_for(compiling.is_set)
        worker.shutdown()
        worker.deleteLater()
        QTest.qWait(3 * background.LOOK_AFTER)
        self.assertFalse(future.done())
        over.set()
        self.assert_no_thread()
        # The compiler was left alone, and the work saw that nobody wants it.
        self.assertTrue(future.result())
        self.assertEqual(function(1), 2)

    def test_what_the_thread_tells_after_closing_is_not_heard(self):
        begun, over, worker = threading.Event(), threading.Event(), Worker()

        def work(state):
            begun.set()
            self.assertTrue(over.wait(LONG))
            state.set_status("still here")
            state.set_progress_value(50)
            state.set_partial_result(1)
            return 42

        worker.start(work)
        future = worker.task.future
        wait_for(begun.is_set)
        worker.shutdown()
        worker.deleteLater()
        QTest.qWait(10)
        over.set()
        self.assert_no_thread()
        self.assertEqual(future.result(), 42)
        self.assertNotIn("result", vars(worker))

    def test_work_that_was_replaced_has_ended_too(self):
        begun, worker = threading.Event(), Worker()

        def wait_for_interruption(state):
            begun.set()
            while not state.is_interruption_requested():
                time.sleep(0.001)

        worker.start(wait_for_interruption)
        first = worker.task.future
        wait_for(begun.is_set)
        worker.start(wait_for_interruption)
        self.close(worker, begun)
        self.assertTrue(first.done())

    def test_nothing_was_ever_started(self):
        Worker().shutdown()

    def test_work_is_done(self):
        worker = Worker()
        worker.start(lambda state: 42)
        wait_for(lambda: hasattr(worker, "result"))
        self.assertEqual(worker.result, 42)
        worker.shutdown()
        self.assert_no_thread()


class TestWorkflows(GuiTest):
    def test_a_workflow_is_closed_while_its_widgets_work(self):
        registry = run_workflow.discover()
        for path in sorted((ROOT / "workflows").glob("*.ows")):
            learning = None
            for learns in (False, True):
                if learning == []:
                    continue        # nothing in it learns, so that it was the same
                with self.subTest(path.name, learns=learns):
                    before = set(threading.enumerate())
                    with run_workflow.open_workflow(path, registry) as scheme:
                        widgets = [scheme.widget_for_node(node)
                                   for node in scheme.nodes]
                        learning = [widget for widget in widgets
                                    if isinstance(widget, LearningWidget)]
                        wait_for(lambda learns=learns, learning=learning: not learns
                                 or any(widget.is_running() or widget.tried is not None
                                        for widget in learning))
                    wait_for(lambda before=before: set(threading.enumerate()) <= before)


class TestCompilerNotice(WidgetTest):
    def test_the_first_run_says_that_it_compiles(self):
        """Real compilation, held up half way."""
        reached, go_on = threading.Event(), threading.Event()

        def held_up(x):
            """In the place of a function that numba knows."""

        @overload(held_up)
        def compile_held_up(x):
            reached.set()
            assert go_on.wait(LONG)
            return lambda x: x

        @njit(cache=False)
        def compiled(x):
            return held_up(x)

        widget = self.create_widget(OWApplyParser)
        widget.start(lambda state: compiled(1))
        wait_for(reached.is_set)
        wait_for(lambda: widget.Information.compiling.is_shown())
        self.assertEqual(widget.statusMessage(), background.COMPILING)
        go_on.set()
        with patch.object(widget, "on_done"):
            self.wait_until_finished(widget, timeout=1000 * LONG)
            wait_for(lambda: not widget.Information.compiling.is_shown())
        self.assertEqual(widget.statusMessage(), "")
