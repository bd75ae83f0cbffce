"""Save Parser and Load Parser: parsers in files, on the canvas and in scripts."""
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from AnyQt.QtCore import QUrl
from Orange.data import DiscreteVariable
from Orange.widgets.evaluate.owpredictions import OWPredictions
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.tests.base import WidgetTest

from orange_structpred import (
    Parser,
    ParserLearner,
    Pipeline,
    PipelineLearner,
    load_bundled,
)
from orange_structpred.export.script import write_script
from orange_structpred.widgets.load.drophandlers import ParserDropHandler
from orange_structpred.widgets.owloadparser import OWLoadParser
from orange_structpred.widgets.owsaveparser import OWSaveParser
from tests.export.toy import APPLY, LOAD, TRAIN, workflow

SAVE_PARSER = "orange_structpred.widgets.owsaveparser.OWSaveParser"
LOAD_PARSER = "orange_structpred.widgets.owloadparser.OWLoadParser"


class ParserFileTest(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = load_bundled("en")[:30]
        cls.learner = ParserLearner(passes=1, name="small")
        cls.parser = cls.learner(cls.treebank)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "small.npz"
        self.parser.save(self.path)

    def same(self, parser: Parser | None) -> bool:
        heads = [own.predict_heads(self.treebank) for own in (parser, self.parser)]
        return parser.name == self.parser.name and all(
            map(np.array_equal, *heads))


class TestSave(ParserFileTest):
    def test_save(self):
        widget = self.create_widget(OWSaveParser)
        path = self.folder / "new.npz"
        widget.filename = str(path)
        self.send_signal(widget.Inputs.parser, self.parser, widget=widget)
        assert not path.exists()
        widget.bt_save.click()
        assert self.same(Parser.load(path))
        widget.send_report()

    def test_autosave(self):
        widget = self.create_widget(OWSaveParser)
        widget.filename, widget.auto_save = str(self.folder / "auto.npz"), True
        self.send_signal(widget.Inputs.parser, self.parser, widget=widget)
        assert self.same(Parser.load(self.folder / "auto.npz"))

    def test_a_folder_that_does_not_exist(self):
        widget = self.create_widget(OWSaveParser)
        widget.filename = str(self.folder / "none" / "new.npz")
        self.send_signal(widget.Inputs.parser, self.parser, widget=widget)
        widget.bt_save.click()
        assert widget.Error.general_error.is_shown()


    def test_pipeline(self):
        pipeline = PipelineLearner(["tagger"], name="tags")(self.treebank)
        widget = self.create_widget(OWSaveParser)
        widget.filename, widget.auto_save = str(self.folder / "tags.npz"), True
        self.send_signal(widget.Inputs.pipeline, pipeline, widget=widget)
        assert Pipeline.load(self.folder / "tags.npz").steps == ["tagger"]
        widget.send_report()
        self.send_signal(widget.Inputs.parser, self.parser, widget=widget)
        assert widget.Warning.both.is_shown()
        assert Pipeline.load(self.folder / "tags.npz").name == "tags"
        self.send_signal(widget.Inputs.pipeline, None, widget=widget)
        assert not widget.Warning.both.is_shown()
        assert self.same(Parser.load(self.folder / "tags.npz"))
        # and back
        pipeline.save(self.path)
        widget = self.create_widget(OWLoadParser, stored_settings={
            "path": str(self.path)})
        self.wait_until_finished(widget)
        loaded = self.get_output(widget.Outputs.pipeline, widget=widget)
        assert loaded.tagger.predict(self.treebank) == pipeline.tagger.predict(
            self.treebank)
        assert self.get_output(widget.Outputs.parser, widget=widget) is None
        assert "tags (UPOS, XPOS, features)" in widget.label.text()
        widget.send_report()
        # a tagger alone, and a parser in a pipeline
        pipeline.tagger.save(self.path)
        widget.load()
        self.wait_until_finished(widget)
        assert self.get_output(widget.Outputs.pipeline, widget=widget).steps == [
            "tagger"]
        Pipeline(parser=self.parser).save(self.path)
        widget.load()
        self.wait_until_finished(widget)
        assert self.same(self.get_output(widget.Outputs.parser, widget=widget))


class TestLoad(ParserFileTest):
    def create(self, **settings) -> OWLoadParser:
        self.widget = self.create_widget(OWLoadParser, stored_settings=settings)
        self.wait_until_finished()
        return self.widget

    def sent(self) -> Parser | None:
        self.wait_until_finished()
        return self.get_output(self.widget.Outputs.parser)

    def test_nothing_is_chosen(self):
        widget = self.create()
        assert self.sent() is None
        assert widget.Information.no_file.is_shown()
        assert not widget.reload_button.isEnabled()
        widget.send_report()

    def test_a_file(self):
        widget = self.create()
        widget.open_file(str(self.path))
        assert self.same(self.sent())
        assert widget.path == str(self.path)
        for words in ("small", "projective", "1 pass"):
            assert words in widget.label.text()
        assert widget.get_widget_name_extension() == "small"
        widget.send_report()
        assert "<b>Parser:</b> small; projective trees" in widget.report_html
        # and from a workflow
        assert self.same(self.create(path=str(self.path)).parser)

    def test_a_workflow_that_was_moved(self):
        widget = self.create_widget(OWLoadParser, stored_settings={
            "path": "/elsewhere/small.npz", "relative_path": "small.npz"})
        widget.workflowEnvChanged("basedir", str(self.folder), None)
        assert widget.recent_paths[0].relpath == "small.npz"

    def test_no_parser(self):
        (self.folder / "text.npz").write_text("no parser")
        np.savez(self.folder / "arrays.npz", a=np.zeros(3))
        for name in ("text.npz", "arrays.npz"):
            widget = self.create(path=str(self.folder / name))
            assert widget.Error.unreadable.is_shown()
            assert name in widget.label.text()
            assert self.sent() is None
        widget = self.create(path=str(self.folder / "none.npz"))
        assert widget.Error.not_found.is_shown()
        widget.open_file(str(self.path))
        assert self.same(self.sent())
        assert not widget.Error.active
        assert widget.label.toolTip() == "small"
        widget.open_file(str(self.folder / "text.npz"))
        assert self.sent() is None
        assert widget.label.toolTip() == ""

    def test_dropping(self):
        widget = self.create()
        url = QUrl.fromLocalFile(str(self.path))
        assert widget.canDropUrl(url)
        assert not widget.canDropUrl(QUrl.fromLocalFile("/tmp/iris.tab"))
        assert not widget.canDropUrl(QUrl("https://x.org/a.npz"))
        widget.handleDroppedUrl(url)
        assert self.same(self.sent())

    def test_dropping_on_the_canvas(self):
        handler = ParserDropHandler()
        assert handler.qualifiedName() == LOAD_PARSER
        assert handler.canDropFile(str(self.path)) and handler.canDropFile("/tmp/A.NPZ")
        assert not handler.canDropFile("/tmp/a.conllu")
        assert self.same(self.create(**handler.parametersFromFile(
            os.path.relpath(self.path))).parser)


class TestInOrangesOwnWidgets(ParserFileTest):
    """A parser predicts no values; the widgets say so and go on."""

    def test_predictions(self):
        widget = self.create_widget(OWPredictions)
        self.send_signal(widget.Inputs.data, self.treebank, widget=widget)
        self.send_signal(widget.Inputs.predictors, self.parser, 0, widget=widget)
        self.wait_until_finished(widget)
        assert "Apply Parser" in str(widget.Error.predictor_failed)

    def test_test_and_score(self):
        widget = self.create_widget(OWTestAndScore)
        with_class = self.treebank.add_column(
            DiscreteVariable("c", ("a", "b")), np.arange(len(self.treebank)) % 2)
        domain = with_class.domain
        with_class = with_class.transform(type(domain)(
            domain.attributes[:-1], domain.attributes[-1], domain.metas))
        for data in (self.treebank, with_class):
            self.send_signal(widget.Inputs.train_data, data, widget=widget)
            self.send_signal(widget.Inputs.learner, self.learner, 0, widget=widget)
            self.wait_until_finished(widget)
            assert widget.Error.active


def test_scripts(tmp_path):
    nodes = [(LOAD, "Treebank", {"source": "bundled", "language": "en"}),
             (TRAIN, "Train", {}),
             (SAVE_PARSER, "Save", {"stored_path": ".", "stored_name": "mine.npz"}),
             (LOAD_PARSER, "Load", {"path": str(tmp_path / "mine.npz"),
                                    "relative_path": "mine.npz"}),
             (APPLY, "Apply", {})]
    links = [(0, "Treebank", 1, "Treebank"), (1, "Parser", 2, "Parser"),
             (3, "Parser", 4, "Parser"), (0, "Treebank", 4, "Treebank")]
    text = write_script(workflow(nodes, links, folder=tmp_path)).text
    for line in ("train.save(args.save)", "load = load_parser(args.load)",
                 "apply = load(treebank, client=args.scheduler)"):
        assert f"    {line}" in text.splitlines()
    for name in ("save", "load"):
        assert f'"--{name}", metavar="FILE", default=HERE / "mine.npz"' in text
    script = write_script(workflow([(LOAD_PARSER, "Load", {}),
                                    (SAVE_PARSER, "Save", {})],
                                   [(0, "Parser", 1, "Parser")]))
    assert script.missing == []
    assert "# Load does nothing: no file is chosen." in script.text


@pytest.mark.parametrize("ret", [Parser.Value, Parser.Probs, Parser.ValueProbs])
def test_a_parser_is_no_classifier(ret):
    treebank = load_bundled("en")[:5]
    parser = ParserLearner(passes=1)(treebank)
    assert parser.domain.class_var is None
    with pytest.raises(ValueError, match="connect it to Apply Parser"):
        parser(treebank, ret)
