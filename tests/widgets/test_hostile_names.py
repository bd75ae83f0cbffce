"""Names and words that look like HTML are shown as they are, in windows and reports."""
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QLabel
from Orange.widgets.tests.base import WidgetTest

from orange_structpred import ParserLearner, PipelineLearner, Treebank, load_bundled
from orange_structpred.widgets.owannotate import OWAnnotate
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owapplytagger import OWApplyTagger
from orange_structpred.widgets.owconfusions import OWConfusions
from orange_structpred.widgets.owlearningcurve import OWLearningCurve
from orange_structpred.widgets.owlearningsteps import OWLearningSteps
from orange_structpred.widgets.owloadparser import OWLoadParser
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owsaveparser import OWSaveParser
from orange_structpred.widgets.owsavetreebank import OWSaveTreebank
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtraintagger import OWTrainTagger
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore
from tests.widgets.tuneparser import SMALL

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
            if columns[7] not in ("root", "_"):
                columns[7] = f"{columns[7]}:{TAG}"
            lines.append("\t".join(columns))
    return type(sentence)("\n".join(lines))


def is_rich(label: QLabel) -> bool:
    return label.textFormat() in (Qt.RichText, Qt.AutoText)


class TestHostileNames(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = Treebank.from_sentences(
            map(hostile, load_bundled("en").sentences[:12]), name=TAG)
        cls.parser = ParserLearner(**SETTINGS, name=TAG)(cls.treebank[:8])
        cls.pipeline = PipelineLearner(["tagger"], name=TAG)(cls.treebank[:8])
        cls.parsed = cls.parser(cls.treebank[6:])

    def check(self, widget):
        """No label, tip, message and report has the tag where it would be HTML."""
        self.wait_until_finished(widget=widget, timeout=120_000)
        for label in widget.findChildren(QLabel):
            if is_rich(label):
                assert TAG not in label.text(), label.text()
        for own in [widget, *widget.findChildren(object)]:
            tip = own.toolTip() if hasattr(own, "toolTip") and callable(own.toolTip) \
                and not hasattr(own, "sceneRect") else ""
            if isinstance(tip, str):
                assert TAG not in tip, tip
        widget.report_html = ""
        widget.send_report()
        assert TAG not in widget.report_html, widget.report_html
        return widget.report_html

    def opened(self, widget_class, *signals, **settings):
        widget = self.create_widget(widget_class, stored_settings=settings)
        for name, value, *index in signals:
            self.send_signal(getattr(widget.Inputs, name), value, *index, widget=widget,
                             wait=120_000)
        return widget

    def test_learning(self):
        for widget_class, settings in (
                (OWTrainParser, {**SETTINGS, "learner_name": TAG}),
                (OWTrainTagger, {"passes": 1, "trees": False, "learner_name": TAG}),
                (OWTuneParser, {**SMALL, "order": 1}), (OWLearningSteps, {})):
            widget = self.opened(widget_class, ("treebank", self.treebank), **settings)
            report = self.check(widget)
            assert "&lt;b&gt;" in report, widget_class.name

    def test_learning_curve(self):
        learner = ParserLearner(**SETTINGS, name=TAG)
        widget = self.opened(
            OWLearningCurve, ("learner", learner, 0), ("validation", self.treebank[8:]),
            ("treebank", self.treebank[:8]), sizes="50%, 100%", seeds=1)
        assert "&lt;b&gt;" in self.check(widget)

    def test_applying(self):
        self.check(self.opened(OWApplyParser, ("parser", self.parser),
                               ("treebank", self.treebank)))
        self.check(self.opened(OWApplyTagger, ("pipeline", self.pipeline),
                               ("treebank", self.treebank)))
        self.check(self.opened(OWAnnotate, ("pipeline", self.pipeline)))

    def test_scores(self):
        twice = self.parser(self.parsed)
        widget = self.opened(OWUASScore, ("treebank", twice, 0))
        widget.table.selectAll()
        assert "&lt;b&gt;" in self.check(widget)
        self.send_signal(widget.Inputs.treebank, self.parsed[:3], 0, widget=widget)
        assert "Earlier results" in self.check(widget)
        assert "&lt;b&gt;" in self.check(
            self.opened(OWConfusions, ("treebank", self.parsed)))

    def test_viewer(self):
        widget = self.opened(OWTreebankViewer, ("treebank", self.parsed),
                             ("parser", self.parser))
        assert "&lt;b&gt;" in self.check(widget)

    def test_saving(self):
        for widget_class, name, value in (
                (OWSaveParser, "parser", self.parser),
                (OWSaveParser, "pipeline", self.pipeline),
                (OWSaveTreebank, "treebank", self.treebank)):
            self.check(self.opened(widget_class, (name, value), stored_name=f"{TAG}.npz"))

    def test_loading(self):
        self.check(self.opened(OWLoadParser, path=f"/none/{TAG}.npz"))
        self.check(self.opened(OWLoadTreebank, source="file", path=f"/none/{TAG}"))
