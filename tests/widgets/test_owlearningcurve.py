import numpy as np
from Orange.classification import MajorityLearner
from Orange.widgets.tests.base import WidgetTest

from orange_structpred.export.script import write_script
from orange_structpred.learner import ParserLearner
from orange_structpred.tagging.tagger import TaggerLearner
from orange_structpred.treebank import Treebank, load_bundled
from orange_structpred.tuning.curves import learning_curve
from orange_structpred.widgets.owlearningcurve import OWLearningCurve
from tests.export.toy import LOAD, OURS, TRAIN, workflow
from tests.tuning.test_curves import FAST
from tests.widgets.waiting import wait_for

CURVE = OURS + "owlearningcurve.OWLearningCurve"
SETTINGS = {"sizes": "10, 50%", "seeds": 2, "random_state": 1, "auto_start": "always"}


class TestLearningCurve(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = load_bundled("en")[:60]
        cls.learners = [ParserLearner(**FAST, name="parser"),
                        TaggerLearner(["upos"], passes=1)]

    def setUp(self):
        self.widget = self.create(**SETTINGS)

    def create(self, **settings) -> OWLearningCurve:
        self.widget = self.create_widget(OWLearningCurve, stored_settings=settings)
        return self.widget

    def send(self, data=None, learners=None, validation=None):
        inputs = self.widget.Inputs
        self.send_signal(inputs.validation, validation)
        for number, learner in enumerate(learners or self.learners):
            self.send_signal(inputs.learner, learner, number)
        self.send_signal(inputs.treebank, self.treebank if data is None else data)

    def output(self, name: str):
        self.wait_until_finished()
        return self.get_output(getattr(self.widget.Outputs, name), wait=0)

    def test_results_are_those_of_the_library(self):
        self.send()
        curve, results = self.output("curve"), self.output("results")
        own = learning_curve(self.treebank, *self.learners, sizes=[10, 0.5], seeds=2,
                             random_state=1)
        np.testing.assert_array_equal(curve.X[:, :6], own.to_table().X[:, :6])
        assert len(results) == len(own.results) == 8
        assert self.widget.table.rowCount() == 2
        assert self.widget.table.item(1, 1).text() == own.lines()[2][1]
        assert [entry[1].text for entry in self.widget.plot.legend.items] == [
            "parser", "tagger"]
        assert not self.widget.Error.active and not self.widget.Warning.active

    def test_a_validation_treebank(self):
        self.send(self.treebank[:40], validation=self.treebank[40:],
                  learners=self.learners[:1])
        curve = self.output("curve")
        own = learning_curve(self.treebank[:40], self.learners[0], sizes=[10, 0.5],
                             seeds=2, random_state=1, validation=self.treebank[40:])
        np.testing.assert_array_equal(curve.X[:, :6], own.to_table().X[:, :6])
        assert not self.widget.forms["Scores"].controls["share"].isEnabled()
        assert "20 sentences" in self.widget.held_out_note.text()

    def test_only_parsers_need_heads_to_be_measured(self):
        bare = Treebank.from_sentences(
            [own.with_heads([-1] * len(own)) for own in self.treebank.sentences[40:]])
        self.send(self.treebank[:40], validation=bare, learners=self.learners)
        assert "without heads" in str(self.widget.Error.no_validation)
        assert not self.widget.start_button.isEnabled()
        self.create(**SETTINGS)
        self.send(self.treebank[:40], validation=bare, learners=self.learners[1:])
        assert len(self.output("curve")) == 2
        assert not self.widget.Error.active

    def test_a_new_learner_starts_anew(self):
        self.send(learners=self.learners[:1])
        assert len(self.output("curve")) == 2
        self.send_signal(self.widget.Inputs.learner, self.learners[1], 1)
        assert len(self.output("curve")) == 4
        self.send_signal(self.widget.Inputs.learner, None, 1)
        assert len(self.output("curve")) == 2

    def test_stopping_keeps_results(self):
        self.create(**{**SETTINGS, "seeds": 100})
        self.send(learners=self.learners[:1])
        wait_for(lambda: self.widget.curve and self.widget.curve.results)
        self.widget.stop_button.click()
        wait_for(lambda: not self.widget.is_running())
        assert 0 < len(self.output("results")) < 200
        assert self.widget.Information.stopped.is_shown()

    def test_what_cannot_be_trained(self):
        self.send(learners=[MajorityLearner()])
        assert self.widget.Error.learners.is_shown()
        assert not self.widget.start_button.isEnabled()
        self.send(learners=self.learners[:1])
        assert not self.widget.Error.learners.is_shown()
        edit = self.widget.forms["Training sentences"].controls["sizes"]
        for text in ("ten", "500", "150%", ""):
            edit.setText(text)
            edit.editingFinished.emit()
            assert self.widget.Error.settings.is_shown(), text
            assert not self.widget.start_button.isEnabled()

    def test_status_without_learner(self):
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        assert self.widget.status.text().startswith("No learner: connect")
        assert self.output("curve") is None

    def test_large_work_waits(self):
        self.create(**{**SETTINGS, "auto_start": "small", "seeds": 100})
        self.send(learners=[ParserLearner(passes=500)])
        assert not self.widget.is_running()
        assert "200 trainings" in self.widget.Information.large.formatted

    def test_view_and_report(self):
        self.send()
        self.output("curve")
        for name in ("show_training", "log_axis"):
            self.widget.options.controls[name].click()
        assert self.widget.show_training and not self.widget.log_axis
        assert self.widget.plot.x(100) == 100
        self.widget.send_report()
        html = self.widget.report_html
        assert "10, 50%" in html and "±" in html and "<h2>Curve</h2>" in html

    def test_settings_of_strangers(self):
        self.create(sizes=3, seeds="x", measure="f1", auto_start=None)
        assert self.widget.measure == "uas" and self.widget.seeds == 3


def script_of(settings, learners=1, output=None):
    nodes = [(LOAD, "Treebank", {}), (CURVE, "Learning Curve", settings),
             *((TRAIN, f"Train {n}", {"order": 1, "passes": 2})
               for n in range(learners)),
             ("Orange.widgets.data.owtable.OWTable", "Table", {})]
    links = [(0, "Treebank", 1, "Treebank"),
             *((2 + n, "Learner", 1, "Learner") for n in range(learners))]
    if output:
        links.append((1, output, 2 + learners, "Data"))
    return write_script(workflow(nodes, links))


def test_script():
    text = script_of({"sizes": "10, 50%", "seeds": 2, "measure": "las"}, 2, "Curve").text
    assert "from orange_structpred.tuning.curves import learning_curve\n" in text
    text = " ".join(text.split())
    for part in ("learning_curve_2 = learning_curve(", "sizes=[10, 0.5],",
                 'measure="las",', "share=0.2)", "print(learning_curve_2)",
                 "learning_curve_curve = learning_curve_2.to_table()"):
        assert part in text
    assert "train_0_learner" in text and "train_1_learner" in text


def test_script_of_bad_settings():
    assert "found 'ten'" in script_of({"sizes": "ten"}).missing[0]
    assert "measure" in script_of({"measure": "f1"}).missing[0]
    assert "nothing is connected to its input 'Learner'" in script_of({}, 0).text


def test_script_with_a_tagger():
    script = write_script(workflow(
        [(LOAD, "Treebank", {}), (OURS + "owtraintagger.OWTrainTagger", "Tagger", {}),
         (CURVE, "Learning Curve", {})],
        [(0, "Treebank", 2, "Treebank"), (1, "Learner", 2, "Learner")]))
    assert not script.missing
    assert "tagger_learner = TaggerLearner(" in script.text
    assert "PipelineLearner" not in script.text
