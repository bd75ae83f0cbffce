"""Names and words that look like HTML are shown as they are, in windows and reports."""
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from AnyQt.QtCore import Qt, QTimer
from AnyQt.QtWidgets import QApplication, QMessageBox, QWidget
from Orange.data import DiscreteVariable, Domain, StringVariable, Table
from Orange.widgets.tests.base import WidgetTest

from orange_structpred import ParserLearner, PipelineLearner, Treebank, load_bundled
from orange_structpred.export import parse_workflow
from orange_structpred.export.script import write_script
from orange_structpred.widgets.common.saving import may_overwrite
from orange_structpred.widgets.owannotate import OWAnnotate
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owapplytagger import OWApplyTagger
from orange_structpred.widgets.owcomparetreebanks import OWCompareTreebanks
from orange_structpred.widgets.owconfusions import OWConfusions
from orange_structpred.widgets.owedittreebank import OWEditTreebank
from orange_structpred.widgets.owfindtrees import OWFindTrees
from orange_structpred.widgets.owimporttext import OWImportText
from orange_structpred.widgets.owlearningcurve import OWLearningCurve
from orange_structpred.widgets.owlearningsteps import OWLearningSteps
from orange_structpred.widgets.owloadparser import OWLoadParser
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owsaveparser import OWSaveParser
from orange_structpred.widgets.owsavetreebank import OWSaveTreebank
from orange_structpred.widgets.owscript import OWScript
from orange_structpred.widgets.owstructuredsvm import OWStructuredSVM
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtraintagger import OWTrainTagger
from orange_structpred.widgets.owtreebankstatistics import OWTreebankStatistics
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore
from tests.data import ROOT
from tests.export.toy import MOSAIC, ows
from tests.widgets.showntexts import html_texts
from tests.widgets.tuneparser import SMALL
from tests.widgets.waiting import wait_for

#: Short enough not to be cut in the middle
TAG = "<b>&lt;x</b>"
SETTINGS = {"passes": 1, "order": 1, "relations": True}


def hostile(sentence):
    """The sentence with a tag in its text, its id, its words, lemmas and relations."""
    lines = [f"# sent_id = {TAG}{sentence.sent_id}", f"# text = {TAG} {sentence.text}"]
    for line in sentence.block.split("\n"):
        columns = line.split("\t")
        if columns[0].isdigit():
            for column in (1, 2):
                columns[column] = TAG + columns[column]
            columns[4] = TAG
            if columns[3] == "ADJ":
                columns[3] = TAG
            if columns[7] not in ("root", "_"):
                columns[7] = f"{columns[7]}:{TAG}"
            lines.append("\t".join(columns))
    return type(sentence)("\n".join(lines))


def select_cells(widget):
    wait_for(lambda: widget.result is not None)
    widget.table.selectAll()


def open_token(widget):
    """Look into the scores of a token's heads."""
    widget._pin(2)
    wait_for(lambda: widget.panel.explanations())


def take_step(widget):
    wait_for(lambda: widget.walk is not None)
    widget.take_step()
    wait_for(lambda: widget.features.rowCount() > 0)


@dataclass
class Opened:
    """How a widget is opened: inputs, by the names of what they get, and settings.

    named : whether its report has the name
    then : what is done with the widget
    """

    inputs: dict[str, str | tuple[str, int]] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)
    named: bool = True
    then: Callable[[QWidget], object] = lambda widget: None


LEARNED = {"treebank": "treebank"}
WITH_PIPELINE = {"treebank": "treebank", "pipeline": "pipeline"}
CASES = {
    OWTrainParser: [Opened(LEARNED, {**SETTINGS, "learner_name": TAG})],
    OWTrainTagger: [Opened(LEARNED, {"passes": 1, "trees": False, "learner_name": TAG})],
    OWTuneParser: [Opened(LEARNED, {**SMALL, "order": 1})],
    OWLearningSteps: [Opened(LEARNED, then=take_step),
                      Opened({**LEARNED, "parser": "transitions"}, {"tab": 3})],
    OWLearningCurve: [Opened({"learner": ("learner", 0), "validation": "few",
                              "treebank": "treebank"}, {"sizes": "50%, 100%", "seeds": 1})],
    OWApplyParser: [Opened({"parser": "parser", "treebank": "treebank"})],
    OWApplyTagger: [Opened(WITH_PIPELINE)],
    OWAnnotate: [Opened({"pipeline": "pipeline", "data": "documents"}, named=False),
                 Opened({"pipeline": "pipeline"}, {"source": "text", "text": f"A {TAG}."},
                        named=False)],
    OWImportText: [Opened({"data": "documents"}, {"column": TAG}, named=False),
                   Opened(settings={"source": "file", "path": f"/none/{TAG}.txt"},
                          named=False)],
    OWUASScore: [Opened({"treebank": ("twice", 0)},
                        then=lambda widget: widget.table.selectAll())],
    OWCompareTreebanks: [Opened({"first": "treebank", "second": "changed"}, named=False)],
    OWConfusions: [Opened({"treebank": "parsed"})],
    OWTreebankViewer: [Opened({"treebank": "parsed", "parser": "parser"}, then=open_token),
                       Opened({"treebank": "parsed", "pipeline": "pipeline"})],
    OWEditTreebank: [Opened({**WITH_PIPELINE, "parser": "parser"})],
    OWFindTrees: [Opened(LEARNED, {"pattern": f'X [xpos="{TAG}"]', "keys": "X.lemma"}),
                  Opened(LEARNED, {"pattern": f"X [{TAG}]"})],
    OWTreebankStatistics: [
        Opened(LEARNED), *(Opened(LEARNED, {"figure": figure}, then=select_cells)
                           for figure in ("Relations by part of speech",
                                          "Frames of verbs"))],
    OWSaveParser: [Opened({"parser": "parser"}, {"stored_name": f"{TAG}.npz"}),
                   Opened({"pipeline": "pipeline"}, {"stored_name": f"{TAG}.npz"})],
    OWSaveTreebank: [Opened(LEARNED, {"stored_name": f"{TAG}.conllu"}, named=False)],
    OWLoadParser: [Opened(settings={"path": f"/none/{TAG}.npz"}, named=False)],
    OWLoadTreebank: [Opened(settings={"source": "file", "path": f"/none/{TAG}"},
                            named=False)],
    OWStructuredSVM: [Opened({"data": "table"}, {"learner_name": TAG})],
    OWScript: [Opened(named=False)],        # see `test_script`
}


class TestHostileNames(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = Treebank.from_sentences(
            map(hostile, load_bundled("en").sentences[:12]), name=TAG)
        cls.few = cls.treebank[8:]
        cls.changed = Treebank.from_sentences(
            [own.with_heads([0, *[1] * (len(own) - 1)]) for own in cls.treebank.sentences],
            name=TAG)
        cls.learner = ParserLearner(**SETTINGS, name=TAG)
        cls.parser = cls.learner(cls.treebank[:8])
        cls.transitions = ParserLearner("transitions", passes=1, hash_bits=8, name=TAG)(
            cls.treebank[:8])
        cls.pipeline = PipelineLearner(["tagger"], name=TAG)(cls.treebank[:8])
        cls.parsed = cls.parser(cls.treebank[6:])
        cls.twice = cls.parser(cls.parsed)
        text, kind = StringVariable(TAG), DiscreteVariable(f"{TAG} kind", [TAG, "other"])
        cls.documents = Table.from_list(Domain([], metas=[text]), [[f"A {TAG} dog."]] * 2)
        cls.documents.name = TAG
        cls.table = Table.from_list(
            Domain([DiscreteVariable(f"{TAG} x", [TAG, "b"])], kind),
            [[TAG, TAG], ["b", "other"]] * 10)
        cls.table.name = TAG

    def check(self, widget):
        """Nothing shows the tag where it would be HTML."""
        self.wait_until_finished(widget=widget)
        for text in html_texts(widget):
            assert TAG not in text, text
        widget.report_html = ""
        widget.send_report()
        assert TAG not in widget.report_html, widget.report_html
        return widget.report_html

    def opened(self, widget_class, case):
        widget = self.create_widget(widget_class, stored_settings=case.settings)
        for name, value in case.inputs.items():
            value, *index = value if isinstance(value, tuple) else (value,)
            self.send_signal(getattr(widget.Inputs, name), getattr(self, value), *index,
                             widget=widget, wait=120_000)
        widget.show()
        case.then(widget)
        return widget

    def test_every_widget(self):
        modules = {widget.__module__.rpartition(".")[2] for widget in CASES}
        assert modules == {path.stem for path in (ROOT / "widgets").glob("ow*.py")}
        for widget_class, cases in CASES.items():
            for case in cases:
                with self.subTest(widget=widget_class.name, case=case):
                    widget = self.opened(widget_class, case)
                    report = self.check(widget)
                    assert not case.named or "&lt;b&gt;" in report
                    widget.hide()

    def test_earlier_results(self):
        widget = self.opened(OWUASScore, CASES[OWUASScore][0])
        self.wait_until_finished(widget=widget)
        self.send_signal(widget.Inputs.treebank, self.parsed[:3], 0, widget=widget)
        assert "Earlier results" in self.check(widget)

    def test_script(self):
        """Titles of nodes, and what is said of widgets that cannot be written."""
        widget = self.create_widget(OWScript)
        widget.script = write_script(parse_workflow(ows([(MOSAIC, TAG, {})])))
        widget._show()
        assert widget.script.missing
        widget.look = lambda: None
        assert "&lt;b&gt;" in self.check(widget)

    def test_question(self):
        """Names of files that would be replaced."""
        asked = []

        def answer():
            box = QApplication.activeModalWidget()
            asked.append((box.text(), box.textFormat()))
            box.button(QMessageBox.No).click()

        QTimer.singleShot(0, answer)
        assert not may_overwrite(None, "Save", [Path("/none/<b>x.npz")])
        [(text, text_format)] = asked
        assert "<b>x.npz" in text
        assert text_format == Qt.PlainText

    def test_several_messages(self):
        """Orange shows them as rich text, in the status bar and at the node."""
        widget = self.create_widget(OWUASScore)
        widget.Error.no_gold(TAG)
        widget.Warning.skipped(f"{TAG} 2")
        self.check(widget)
        assert re.search("b>", widget.message_bar.summarize().asHtml())
