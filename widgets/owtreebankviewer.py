"""Treebank Viewer: dependency trees as arcs, gold above, prediction below."""
from __future__ import annotations

from copy import copy
from functools import partial
from html import escape
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtGui import QKeySequence, QShortcut
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.parser import Parser
from orange_structpred.pipeline import Pipeline
from orange_structpred.treebank import Sentence, Treebank, as_treebank
from orange_structpred.treebank.marks import marks
from orange_structpred.widgets.common.inputlinks import read_input
from orange_structpred.widgets.common.layouts import split_area
from orange_structpred.widgets.common.phrases import elided, plural
from orange_structpred.widgets.common.storedsettings import is_shown_whole, is_text
from orange_structpred.widgets.common.valuecontrols import tick_if_possible
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.tree.explainer import Explainer, Question
from orange_structpred.widgets.tree.items import Look
from orange_structpred.widgets.tree.picture import (
    DRAWN_TAGS,
    DRAWN_WORDS,
    MISSED,
    WRONG_EDGE,
    Picture,
    make_picture,
    word_tip,
    wrong_layers,
)
from orange_structpred.widgets.tree.report import report_tree
from orange_structpred.widgets.tree.scene import TreeScene
from orange_structpred.widgets.tree.sentencepane import SentencePane
from orange_structpred.widgets.tree.sharing import SCALES, ShareButtons
from orange_structpred.widgets.tree.token import DOT, ShownToken
from orange_structpred.widgets.tree.treewidget import TreeListWidget
from orange_structpred.widgets.tree.view import TreePane, TreeView

LONGEST_SHOWN_NAME = 40       # of a parser
TREE_HINT = "Point at a word or an arc; click to pin it (Ctrl+Left, Ctrl+Right)."
PANEL_HINT = ("Point at a word or an arc to see what contributes to its score; "
              "click to pin it (Ctrl+Left, Ctrl+Right).")
PINNED = f"{DOT}<i>pinned (Esc to unpin)</i>"


class Place(NamedTuple):
    """Where the user was in a treebank.

    selected : sentences, by their indices
    current : the one that is drawn
    token : the pinned one, 0 for none
    """

    sentences: list[Sentence]
    selected: list[int]
    current: int | None = None
    token: int = 0


class OWTreebankViewer(TreeListWidget):
    name = "Treebank Viewer"
    description = ("Show dependency trees: gold above, prediction below, and which "
                   "features contribute to each arc.")
    icon = "icons/treebankviewer.svg"
    priority = 50
    # its first name, which one of Orange's own widgets has, too
    replaces = ("orange_structpred.widgets.owtreeviewer.OWTreeViewer",)
    keywords = ("treebank viewer, tree viewer, dependency, arcs, parse, explain, "
                "sentence")

    class Inputs:
        treebank = Input("Treebank", Table)
        parser = Input("Parser", Parser)
        pipeline = Input("Pipeline", Pipeline)

    class Outputs:
        selected = Output("Selected Sentences", Treebank)

    class Error(TreeListWidget.Error):
        not_saved = Msg("The trees could not be saved: {}")

    class Warning(OWWidget.Warning):
        not_explained = Msg("The parser cannot explain this edge: {}")

    class Information(OWWidget.Information):
        no_trees = Msg("The treebank has neither heads nor predictions.")
        saved = Msg("Saved {} to {}.")

    nothing_left = "No sentence contains this text."
    graph_name = "printed"
    settings_version = 3

    #: None: the first, "": gold only
    prediction: str | None = Setting(
        None, fits=lambda value: value is None or is_text(value))
    relations: bool = Setting(True)
    probabilities: bool = Setting(True)
    in_words: bool = Setting(True)
    scale: str = Setting("2×", fits=SCALES)
    # of this workflow only: a new viewer fits its trees
    fit: bool = Setting(True, schema_only=True)
    zoom: float = Setting(100., schema_only=True)
    pane_sizes: list = Setting([420, 800])
    panel_sizes: list = Setting([460, 230])

    @classmethod
    def upgrade_settings(cls, settings: dict[str, object], version: int) -> None:
        if not is_shown_whole(settings.get("sort_column")):
            return
        if version < 2 and settings["sort_column"] in (2, 3):
            settings["sort_column"] += 1        # there is one more column
        if version < 3 and settings["sort_column"] == 4:
            settings["sort_column"] = 5         # and one more

    def __init__(self):
        super().__init__()
        self.treebank: Treebank | None = None
        self.sentences: list[Sentence] = []
        self.marked: list[frozenset[int]] = []  # tokens of each sentence
        self.tagged: dict[str, dict[str, list[list[str]]]] = {}     # predicted tags
        self.drawn: int | None = None           # the index of a sentence
        self.token = 0                          # that the panel is about
        self.pinned = False
        self._left = Place([], list(self.selection))
        self.explainer = Explainer(self)
        self.connected_parser: Parser | None = None
        self.parser_of_pipeline: Parser | None = None
        self.explainer.answered.connect(self._on_answer)
        self.explainer.failed.connect(self._on_failure)
        self._make_layout()
        self.pane.set_sentences([], {}, self.prediction)
        self.draw()
        open_in_full_size(self)

    # Layout

    def _make_layout(self) -> None:
        self.panes = split_area(Qt.Horizontal, self._make_list(), self._make_tree(),
                                shares=(3, 7), sizes=self.pane_sizes)
        self.panes.splitterMoved.connect(self._remember_sizes)
        self.mainArea.layout().addWidget(self.panes)

    def _make_list(self) -> SentencePane:
        pane = SentencePane(self.sort_column, self.sort_descending, self)
        pane.prediction_chosen.connect(self._on_prediction)
        self.take_list(pane)
        box, form = self.add_display((
            ("&Words:", "words", DRAWN_WORDS, "What is drawn for each token"),
            ("&Tags:", "tags", DRAWN_TAGS, "Part-of-speech tags under the words"),
            ("Saved si&ze:", "scale", list(SCALES), "Size of a saved picture: 1× is "
             "that of the screen at 100%, 4× is sharp in print")))
        form.addRow("", gui.checkBox(
            box, self, "relations", "Relations on the &arcs", callback=self.draw,
            tooltip="Label arcs with their relations", addToLayout=False))
        form.addRow("", gui.checkBox(
            box, self, "probabilities", "Proba&bilities on the arcs",
            callback=self.draw,
            tooltip="Show how sure the parser is of each arc, and draw less certain "
                    "arcs paler, if the prediction has probabilities (see Apply "
                    "Parser)",
            addToLayout=False))
        form.addRow("", gui.checkBox(
            box, self, "in_words", "Features in w&ords", callback=self._show_in_words,
            tooltip="If not checked, features are shown as templates, such as "
                    "h.upos=VERB d.upos=NOUN", addToLayout=False))
        self.sharing = ShareButtons(self)
        pane.layout().addWidget(self.sharing)
        pane.layout().addWidget(gui.auto_send(None, self, "auto_commit"))
        return pane

    def _make_tree(self) -> TreePane:
        self.scene = TreeScene(self)
        self.scene.token_hovered.connect(self._on_hover)
        self.scene.token_clicked.connect(self._on_click)
        pane = TreePane(TreeView(self.scene), self)
        self.take_tree(pane)
        self.panel, self.tree_pane = pane.panel, pane.splitter
        self._show_in_words()
        self.panel.words_asked.connect(lambda _: self._show_token(self.token))
        if not self.fit:
            self.view.set_zoom(self.zoom)
        self.view.zoomed.connect(lambda percent: setattr(self, "zoom", percent))
        self.view.fit_changed.connect(lambda fit: setattr(self, "fit", fit))
        self.tree_pane.splitterMoved.connect(self._remember_sizes)
        for key, step in (("Ctrl+Left", -1), ("Ctrl+Right", 1)):
            QShortcut(QKeySequence(key), self, partial(self._step_token, step))
        return pane

    def _remember_sizes(self) -> None:
        self.pane_sizes = self.panes.sizes()
        if self.parser is not None:
            self.panel_sizes = self.tree_pane.sizes()

    def _show_in_words(self) -> None:
        self.panel.set_in_words(self.in_words)

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        def read(data: Table) -> tuple:
            treebank = as_treebank(data)
            return (treebank, treebank.sentences, treebank.predictions, treebank.tags,
                    marks(treebank))

        self.Error.clear()
        if self.sentences:
            self._left = Place(self.sentences, self.list.selected(), self.drawn,
                               self.token if self.pinned else 0)
        (self.treebank, self.sentences, predictions, self.tagged,
         self.marked) = read_input(data, self.Error.no_treebank, read) or (
             None, [], {}, {}, [])
        self.pane.set_sentences(self.sentences, predictions, self.prediction)
        left = self._left
        returns = self.sentences == left.sentences      # with other predictions at most
        if self.sentences:
            if not returns:
                self.drawn = None
            if returns or not left.sentences:
                self.list.select(left.selected, left.current)
            else:
                self.list.select([])
        self.Information.no_trees(shown=bool(
            self.sentences and not predictions
            and all(sentence.heads.max() < 0 for sentence in self.sentences)))
        self.draw()
        if returns and left.token:
            self._pin(left.token)
        self.on_selection()
        self.commit.now()

    @property
    def parser(self) -> Parser | None:
        return self.explainer.parser

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.connected_parser = parser
        self._show_parser()

    @Inputs.pipeline
    def set_pipeline(self, pipeline: Pipeline | None) -> None:
        """Its parser explains the trees of Annotate, unless another one is connected."""
        parser = copy(pipeline.parser) if pipeline is not None else None
        if parser is not None:
            parser.name = pipeline.name         # as its predictions are
        self.parser_of_pipeline = parser
        self._show_parser()

    def _show_parser(self) -> None:
        parser = self.connected_parser or self.parser_of_pipeline
        if parser is self.parser:
            return
        self.explainer.set_parser(parser)
        self.panel.setVisible(parser is not None)
        self.panel.set_net(parser is not None and parser.net is not None)
        if parser is not None:
            self.tree_pane.setSizes(self.panel_sizes)
        self._show_token(self.token)

    def predicted(self, index: int | None = None
                  ) -> tuple[np.ndarray | None, list[str] | None]:
        """Heads and relations that are predicted for a sentence, if any; by default
        for the one that is drawn."""
        if self.pane.chosen is None:
            return None, None
        index = self.drawn if index is None else index
        prediction = self.pane.predictions[self.pane.chosen]
        return (prediction.heads[index],
                prediction.deprels and prediction.deprels[index])

    def head_probabilities(self, index: int | None = None) -> np.ndarray | None:
        """Those of the predicted heads of a sentence, if they are known; without a
        prediction, those of its own heads."""
        shares = self.pane.probabilities
        return shares and shares[self.drawn if index is None else index]

    def predicted_tags(self, index: int | None = None) -> dict[str, list[str]]:
        """Tags of a sentence that a tagger has predicted, by layer: those of the
        prediction's name, else of the last tagger."""
        if not self.tagged:
            return {}
        index = self.drawn if index is None else index
        chosen = self.tagged.get(self.pane.chosen) or [*self.tagged.values()][-1]
        return {layer: values[index] for layer, values in chosen.items()}

    # The list

    def _on_prediction(self, name: str) -> None:
        self.prediction = name
        self.draw()

    def on_current(self) -> None:
        if self.list.current() != self.drawn:
            self.draw()

    @gui.deferred
    def commit(self) -> None:
        rows = self.list.selected()
        self.Outputs.selected.send(self.treebank[rows] if rows else None)

    # The tree

    def draw(self) -> None:
        index = self.list.current()
        is_new = index != self.drawn
        if is_new or index is None:
            self.token, self.pinned = 0, False
        self.drawn = index
        self.sharing.setEnabled(index is not None)
        tick_if_possible(self.controls.probabilities, self.probabilities,
                         index is None or self.head_probabilities() is not None)
        look = Look(self.view.palette(), self.view.font())
        if index is None:
            self.scene.show_text(self.why_nothing(), look)
        else:
            sentence = self.sentences[index]
            self.scene.draw(self._picture(), look,
                            [word_tip(sentence, i, self.predicted_tags())
                             for i in range(len(sentence))])
        self.view.adapt(start=is_new)
        if is_new and index is not None and self.marked[index]:
            self.view.show_word(min(self.marked[index]))
        number, *others = map(escape, self.statistics() or [""])
        self.about.setText(DOT.join([f"<b>{number}</b>", *others]))
        self._show_token(self.token)

    def _picture(self, index: int | None = None) -> Picture:
        index = self.drawn if index is None else index
        return make_picture(
            self.sentences[index], *self.predicted(index),
            name=elided(self.pane.chosen or "", LONGEST_SHOWN_NAME),
            words=self.words, tags=self.tags, relations=self.relations,
            marked=self.marked[index],
            probabilities=self.head_probabilities(index) if self.probabilities else None,
            predicted_tags=self.predicted_tags(index))

    def statistics(self) -> list[str]:
        """What is said above the tree."""
        if self.drawn is None:
            return []
        sentence, uas = self.sentences[self.drawn], self.pane.uas(self.drawn)
        parts = [f"Sentence {self.drawn + 1}", plural(len(sentence), "token", "tokens")]
        if not np.isnan(uas):
            wrong = int(np.sum(sentence.heads != self.predicted()[0]))
            parts.append(plural(wrong, "wrong head", "wrong heads")
                         + f", UAS {100 * uas:.1f}%")
        shares = self.head_probabilities()
        if shares is not None and not np.isnan(shares).all():
            what = "wrong heads expected" if np.isnan(uas) else "expected"
            parts.append(f"{np.nansum(1 - shares):.1f} {what}")
        if predicted := self.predicted_tags():
            wrong = sum(bool(wrong_layers(sentence, predicted, i)) for i in range(len(sentence)))
            parts.append(plural(wrong, "wrong tag", "wrong tags"))
        if marked := len(self.marked[self.drawn]):
            parts.append(plural(marked, "marked token", "marked tokens"))
        return parts + [sentence.sent_id] * bool(sentence.sent_id)

    @property
    def printed(self) -> TreeScene | None:
        """The tree as it is saved."""
        return self.on_paper(SCALES[self.scale])

    def on_paper(self, scale: float, index: int | None = None) -> TreeScene | None:
        """The tree of a sentence on white, by default the one that is drawn."""
        if self.drawn is None and index is None:
            return None
        scene = TreeScene()
        scene.draw(self._picture(index), Look.for_print(self.font()))
        scene.enlarge(scale)
        return scene

    # The token that the panel is about

    def _on_hover(self, token: int) -> None:
        if self.pinned:
            return
        if token:
            self._show_token(token)
        else:
            # The panel stays as it is, to be read.
            self.scene.focus_token(0)

    def _on_click(self, token: int) -> None:
        self.pinned = not (self.pinned and token == self.token)
        self._show_token(token)

    def _pin(self, token: int) -> None:
        self.pinned = True
        self._show_token(token)
        self.view.ensureVisible(self.scene.words[token - 1])

    def _step_token(self, step: int) -> None:
        """Pin the word to the right (1) or to the left (-1)."""
        if self.drawn is None:
            return
        if self.scene.right_to_left:
            step = -step
        n = len(self.sentences[self.drawn])
        # before the first word is the last one, and so it is before any was pinned
        self._pin((max(self.token, step < 0) - 1 + step) % n + 1)

    def _token(self) -> ShownToken:
        look = Look(self.palette(), self.font())
        return ShownToken(self.sentences[self.drawn], self.token, *self.predicted(),
                     {kind: look.colour(kind).name() for kind in (MISSED, WRONG_EDGE)},
                     self.head_probabilities())

    def _show_token(self, position: int) -> None:
        self.token = position
        self.Warning.not_explained.clear()
        if not position:
            self.explainer.drop()
            self.scene.focus_token(0)
            empty = self.drawn is None
            self.line.setText("" if empty or self.parser else TREE_HINT)
            self.panel.set_explanations([], "" if empty else PANEL_HINT)
            return
        token = self._token()
        self.scene.focus_token(position, set(token.heads.values()))
        whose = ""
        if self.parser is not None and self.parser.name != self.pane.chosen:
            name = escape(elided(self.parser.name, LONGEST_SHOWN_NAME))
            whose = f"{DOT}scores of <b>{name}</b>"
        self.line.setText(token.line() + whose + (PINNED if self.pinned else ""))
        answer = self.explainer.ask(token.question(self.panel.wants_words))
        if answer is not None:
            self.panel.set_explanations(token.explanations(answer))
        elif self.parser is not None:
            self.panel.set_explanations(
                [], "Computing the scores; this takes longer the first time.")

    def _on_answer(self, question: Question) -> None:
        if self.token and question == self._token().question(self.panel.wants_words):
            self._show_token(self.token)

    def _on_failure(self, message: str) -> None:
        self.Warning.not_explained(message)
        self.panel.set_explanations([])

    # Keys, the end

    def keyPressEvent(self, event):
        if event.key() == Qt.Key_Escape and self.pinned:
            self.pinned = False
            self._show_token(0)
        elif not self.pane.step_by(event.key()):
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(1220, 740)

    def onDeleteWidget(self):
        self.explainer.shutdown()
        super().onDeleteWidget()

    def send_report(self):
        report_tree(self)


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    bundled = load_bundled("en")
    trained = ParserLearner(passes=3)(bundled[:200])
    WidgetPreview(OWTreebankViewer).run(set_treebank=trained(bundled[200:]),
                                    set_parser=trained)
