"""Train Tagger and Apply Tagger."""
from unittest.mock import patch

from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest

from orange_structpred import (
    ParserLearner,
    PipelineLearner,
    TaggerLearner,
    load_bundled,
)
from orange_structpred.export import Link, Node, Workflow
from orange_structpred.export.script import write_script
from orange_structpred.pipeline.settings import (
    TAGGING_DEFAULTS,
    make_learner,
    pipeline_arguments,
)
from orange_structpred.treebank.layers import with_layers
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.widgets.owapplytagger import OWApplyTagger
from orange_structpred.widgets.owtraintagger import OWTrainTagger
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owuasscore import OWUASScore
from tests.export.scripts import check_script
from tests.without_qt import run_text

TREEBANK = load_bundled("en")
PREFIX = "orange_structpred.widgets."
QUICK = {"trees": False, "words": False, "lemmas": False, "passes": 1, "layers": ["upos"]}


def without(treebank, *layers):
    return with_sentences(treebank, [
        with_layers(own, {layer: ["_"] * len(own) for layer in layers})
        for own in treebank.sentences])


class TestTrainTagger(WidgetTest):
    def create(self, treebank=TREEBANK[:60], **settings):
        self.widget = self.create_widget(OWTrainTagger, stored_settings=settings)
        if treebank is not None:
            self.send_signal(self.widget.Inputs.treebank, treebank)
        return self.widget

    def output(self):
        self.wait_until_finished()
        return self.get_output(self.widget.Outputs.pipeline, wait=0)

    def test_nets(self):
        settings = {**QUICK, "neural": True, "auto_train": "never"}
        self.create(**settings)
        own, tagger = pipeline_arguments({**TAGGING_DEFAULTS, **QUICK, "neural": True})
        self.assertTrue(own["neural"] and tagger["neural"])
        learner = self.widget.learner
        self.assertTrue(learner.learner("tagger").neural and learner.learner("parser").neural)
        learner.tagger.epochs, learner.tagger.hidden = 2, 4
        self.widget.start_button.click()
        pipeline = self.output()
        self.assertIsNotNone(pipeline.tagger.net)
        log = self.get_output(self.widget.Outputs.log)
        self.assertEqual(len(log), 3)

    def test_learns_as_a_script_does(self):
        self.create(**QUICK)
        pipeline = self.output()
        self.assertEqual((pipeline.steps, pipeline.name), (["tagger"], "tagger"))
        expected = PipelineLearner(
            ["tagger"], tagger=TaggerLearner(["upos"], passes=1))(TREEBANK[:60])
        test = TREEBANK[60:80].sentences
        self.assertEqual(pipeline.tagger.predict(test), expected.tagger.predict(test))
        log = self.get_output(self.widget.Outputs.log)
        self.assertEqual(len(log), 1)
        self.assertIn("tags (UPOS)", self.widget.figures.status.text())
        self.widget.send_report()

    def test_all_steps(self):
        self.create(TREEBANK[:30], passes=1)
        pipeline = self.output()
        self.assertEqual(pipeline.steps, ["tokeniser", "tagger", "lemmatiser", "parser"])
        self.assertEqual(pipeline.name, "pipeline")
        self.widget.send_report()

    def test_named(self):
        self.create(**QUICK)
        self.output()
        self.widget.learner_name = " mine "
        self.widget.name_changed()
        self.assertEqual(self.output().name, "mine")

    def test_nothing_to_learn(self):
        self.create(words=False, lemmas=False, trees=False, layers=[])
        self.assertIsNone(self.output())
        self.assertIn("There is nothing to learn", str(self.widget.Error.settings))
        self.assertFalse(self.widget.start_button.isEnabled())
        form = self.widget.forms["Learn"]
        form.controls["lemmas"].setChecked(True)
        self.assertFalse(self.widget.Error.settings.is_shown())

    def test_unknown_layer(self):
        self.create(**{**QUICK, "other_layer": "nonsense"})
        self.assertIsNone(self.output())
        self.assertIn("Unknown layer 'nonsense'", str(self.widget.Error.settings))

    def test_treebank_without_tags(self):
        self.create(without(TREEBANK[:20], "upos", "xpos", "feats", "lemma"), words=False,
                    trees=False)
        self.assertIsNone(self.output())
        self.assertIn("nothing to learn from", str(self.widget.Error.failed))

    def test_treebank_without_lemmas(self):
        self.create(without(TREEBANK[:20], "lemma", "xpos"), words=False,
                    trees=False, passes=1)
        self.assertEqual(self.output().steps, ["tagger"])
        self.assertEqual(self.output().tagger.layers, ["upos", "feats"])
        self.assertIn("no lemma", str(self.widget.Warning.library))

    def test_no_treebank(self):
        self.create(Table("iris"))
        self.assertIsNone(self.output())
        self.assertTrue(self.widget.Error.no_treebank.is_shown())
        self.send_signal(self.widget.Inputs.treebank, None)
        self.assertFalse(self.widget.Error.no_treebank.is_shown())

    def test_stop_and_keep(self):
        self.create(None, **{**QUICK, "passes": 100_000, "auto_train": "never"})
        self.send_signal(self.widget.Inputs.treebank, TREEBANK[:40])
        self.assertIsNone(self.output())
        self.widget.begin()
        self.process_events(lambda: self.widget.plot.reports)
        self.widget.stop_button.click()
        pipeline = self.output()
        self.assertEqual(pipeline.steps, ["tagger"])
        self.assertTrue(self.widget.Information.stopped.is_shown())
        self.widget.send_report()

    def test_large_treebanks_wait(self):
        with patch("orange_structpred.widgets.common.learning.FAST", 0):
            self.create(**QUICK)
            self.assertIsNone(self.output())
            self.assertTrue(self.widget.Information.large.is_shown())

    def test_damaged_settings(self):
        self.create(None, layers="upos", other_layer=3, C="x", auto_train="?",
                    solver="nonsense")
        self.assertEqual(self.widget.layers, TAGGING_DEFAULTS["layers"])
        self.assertEqual((self.widget.C, self.widget.other_layer), (0.02, ""))
        self.assertIn("Solver 'nonsense' is not known", str(self.widget.Error.settings))


class TestApplyTagger(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pipeline = PipelineLearner(
            ["tagger", "lemmatiser"], tagger=TaggerLearner(passes=2),
            name="mine")(TREEBANK[:100])

    def create(self, pipeline=None, data=TREEBANK[300:], **settings):
        self.widget = self.create_widget(OWApplyTagger, stored_settings=settings)
        self.send_signal(self.widget.Inputs.pipeline, pipeline or self.pipeline)
        self.send_signal(self.widget.Inputs.treebank, data)
        return self.widget

    def output(self):
        self.wait_until_finished()
        return self.get_output(self.widget.Outputs.treebank, wait=0)

    def test_beside(self):
        self.create()
        tagged = self.output()
        self.assertEqual(list(tagged.tags["mine"]), ["upos", "xpos", "feats", "lemma"])
        expected = self.pipeline(TREEBANK[300:])
        self.assertEqual(tagged.tags, expected.tags)
        self.assertEqual(tagged.sentences, TREEBANK[300:].sentences)
        confusions = self.get_output(self.widget.Outputs.confusions)
        self.assertEqual([var.name for var in confusions.domain.attributes],
                         ["gold", "predicted", "tokens", "share"])
        self.assertIn("UPOS", self.widget.labels["Result"].text())
        self.widget.send_report()

    def test_in_place(self):
        self.create(place="instead")
        expected = self.pipeline(TREEBANK[300:]).tags["mine"]
        tagged = self.output()
        self.assertEqual([own.upos for own in tagged.sentences], expected["upos"])
        self.assertFalse(tagged.tags)
        self.widget.place_combo.setValue("beside")
        self.assertEqual(self.output().tags["mine"], expected)

    def test_filled_in(self):
        self.create(data=without(TREEBANK[300:310], "upos", "xpos", "feats", "lemma"))
        tagged = self.output()
        self.assertFalse(tagged.tags)
        self.assertNotIn("_", [tag for own in tagged.sentences for tag in own.upos])
        self.assertIsNone(self.get_output(self.widget.Outputs.confusions))
        self.assertIn("filled in", self.widget.labels["Result"].text())

    def test_filled_in_heads_are_told(self):
        pipeline = PipelineLearner(
            ["parser"], parser=ParserLearner(passes=1))(TREEBANK[:30])
        told = "2 sentences had no heads. The predicted ones were filled in"
        data = with_sentences(TREEBANK[300:302], [
            own.with_heads([-1] * len(own)) for own in TREEBANK[300:302].sentences])
        self.create(pipeline, data)
        tagged = self.output()
        self.assertTrue(all(own.heads.min() >= 0 for own in tagged.sentences))
        self.assertIn(told, str(self.widget.Information.filled_heads))
        self.assertIn(told, self.widget.labels["Result"].text())
        self.send_signal(self.widget.Inputs.treebank, TREEBANK[300:305])
        self.output()
        self.assertFalse(self.widget.Information.filled_heads.is_shown())

    def test_named(self):
        self.create(column_name="other")
        self.assertEqual(list(self.output().tags), ["other"])

    def test_bad_input(self):
        self.create(data=Table("iris"))
        self.assertIsNone(self.output())
        self.assertIn("is not a treebank", str(self.widget.Error.unfit))
        self.widget.send_report()
        self.send_signal(self.widget.Inputs.treebank, None)
        self.assertFalse(self.widget.Error.unfit.is_shown())
        self.assertIn("Connect a treebank", self.widget.labels["Result"].text())

    def test_pipeline_that_cannot_tag(self):
        self.create(PipelineLearner(["tokeniser"], name="words")(TREEBANK[:20]))
        self.assertIsNone(self.output())
        self.assertIn("'words' has no tagger", str(self.widget.Error.unfit))

    def test_stopped(self):
        self.create()
        self.widget.stop()
        self.assertIsNone(self.output())
        self.assertTrue(self.widget.Information.stopped.is_shown())
        self.widget.button.click()
        self.assertIsNotNone(self.output())


class TestWhatIsShown(WidgetTest):
    """Predicted tags in UAS Score and Treebank Viewer."""

    def setUp(self):
        super().setUp()
        self.own = TREEBANK[:2]
        tags = [own.upos for own in self.own.sentences]
        tags[0] = [("X" if i == 1 else tag) for i, tag in enumerate(tags[0])]
        self.tagged = self.own.with_tags("mine", {"upos": tags})

    def test_score(self):
        widget = self.create_widget(OWUASScore)
        self.send_signal(widget.Inputs.treebank, self.tagged, 1, widget=widget)
        self.wait_until_finished(widget)
        tokens = sum(map(len, self.own.sentences))
        self.assertEqual(widget.tags_label.text(), "Tags of mine, English: UPOS "
                         f"{100 * (tokens - 1) / tokens:.2f}")
        self.assertFalse(widget.Error.active)
        table = self.get_output(widget.Outputs.tags, widget=widget)
        self.assertEqual(int(table[0, "Correct"]), tokens - 1)
        widget.send_report()
        self.send_signal(widget.Inputs.treebank, self.own, 1, widget=widget)
        self.wait_until_finished(widget)
        self.assertFalse(widget.tags_label.isVisibleTo(widget))
        self.assertIsNone(self.get_output(widget.Outputs.tags, widget=widget))

    def test_viewer(self):
        widget = self.create_widget(OWTreebankViewer)
        self.send_signal(widget.Inputs.treebank, self.tagged, widget=widget)
        gold = self.own.sentences[0].upos[1]
        self.assertEqual(widget.scene.words[1].tags, [f"{gold} → X"])
        self.assertEqual(list(widget.scene.words[1].wrong), [0])
        self.assertIn("wrong UPOS: X", widget.scene.words[1].toolTip())
        self.assertEqual(list(widget.scene.words[0].wrong), [])
        self.assertIn("1 wrong tag", widget.statistics())
        self.send_signal(widget.Inputs.treebank, self.own, widget=widget)
        self.assertEqual(widget.scene.words[1].tags, [gold])
        self.assertNotIn("wrong tag", " ".join(widget.statistics()))


class TestScripts(WidgetTest):
    def run_script(self, settings, place="beside", name=""):
        nodes = [Node("0", PREFIX + "owloadtreebank.OWLoadTreebank", "bank", {}),
                 Node("1", PREFIX + "owtraintagger.OWTrainTagger", "learn", settings),
                 Node("2", PREFIX + "owapplytagger.OWApplyTagger", "tagged",
                      {"place": place, "column_name": name}),
                 Node("3", "Orange.widgets.data.owtable.OWTable", "wrong", {})]
        links = [Link("0", "1", "Treebank", "Treebank"),
                 Link("0", "2", "Treebank", "Treebank"),
                 Link("1", "2", "Pipeline", "Pipeline"),
                 Link("2", "3", "Confusions", "Data")]
        script = write_script(Workflow("", nodes, links))
        self.assertFalse(script.missing)
        check_script(script)
        return script.text, run_text(script.text)

    def test_the_same_as_on_the_canvas(self):
        text, space = self.run_script(QUICK, name="other")
        self.assertIn('TaggerLearner(layers=["upos"], passes=1, C=args.C, '
                      "random_state=args.seed))( bank, client=args.scheduler)",
                      " ".join(text.split()))
        widget = self.create_widget(OWTrainTagger, stored_settings=QUICK)
        self.send_signal(widget.Inputs.treebank, TREEBANK, widget=widget)
        self.wait_until_finished(widget)
        pipeline = self.get_output(widget.Outputs.pipeline, widget=widget)
        self.assertEqual(pipeline(TREEBANK, name="other").tags, space["tagged"].tags)

    def test_in_place(self):
        _, space = self.run_script(QUICK, "instead")
        self.assertFalse(space["tagged_used"].tags)
        self.assertNotEqual(space["tagged_used"].sentences, TREEBANK.sentences)

    def test_settings(self):
        self.assertEqual(pipeline_arguments({}), ({"name": "pipeline"}, {}))
        self.assertEqual(pipeline_arguments({"trees": False}), (
            {"steps": ["tokeniser", "tagger", "lemmatiser"], "name": "tagger"}, {}))
        self.assertEqual(pipeline_arguments({"random_state": 3}), (
            {"random_state": 3, "name": "pipeline"}, {"random_state": 3}))
        learner = make_learner({"learner_name": "x", "other_layer": "misc:NER"})
        self.assertEqual(learner.tagger.layers, ["upos", "xpos", "feats", "misc:NER"])
        defaults = TaggerLearner()
        for name in ("solver", "C", "epsilon", "passes", "random_state"):
            self.assertEqual(TAGGING_DEFAULTS[name], getattr(defaults, name))
