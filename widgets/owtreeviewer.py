"""Tree Viewer: dependency trees as arcs, gold above, prediction below."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QEvent, QSize, Qt, QTimer
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import (
    QAction,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import ConcurrentMixin, TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget
from orange_structpred.widgets.treelayout import isolated
from orange_structpred.widgets.treelist import SentenceModel, SentenceView
from orange_structpred.widgets.treepanel import (
    Explanation,
    TreePanel,
    signed,
)
from orange_structpred.widgets.treescene import (
    MISSED,
    WRONG,
    Look,
    Picture,
    Tree,
    TreeScene,
)
from orange_structpred.widgets.treeview import TreeView

from orange_structpred.evaluation import Evaluation
from orange_structpred.evaluation.scores import universal
from orange_structpred.learner import Parser
from orange_structpred.parsing.evidence import Evidence
from orange_structpred.treebank import Prediction, Sentence, Treebank

WORDS = ("form", "lemma")
TAGS = ("UPOS", "XPOS", "UPOS and XPOS", "none")
GOLD_ONLY = "none (gold only)"
REST = 60               # milliseconds on a token before it is explained
LONG = 400              # tokens; of longer sentences not all edges are scored
IN_REPORT = 10          # features of an edge
HINT = "Point at a word or an arc; click to keep it."
PANEL_HINT = ("Point at a word or an arc to see what speaks for and against it; "
              "click to keep it.")


class Scored(NamedTuple):
    """What a parser thinks of edges.

    scores : of all edges of the sentence, scores[head, dependent]; None if it is long
    evidence : for the edges from some heads to a token, by the head
    """

    scores: np.ndarray | None
    evidence: dict[int, Sequence[Evidence]]


def explain_edges(parser: Parser, sentence: Sentence, token: int,
                  heads: Sequence[int], scores: np.ndarray | None,
                  state: TaskState) -> Scored | None:
    """Evidence for the edges from these heads, and the scores if not known yet."""
    evidence = {}
    for head in heads:
        if state.is_interruption_requested():
            return None
        evidence[head] = parser.explain(sentence, head, token)
    if scores is None and len(sentence) <= LONG and not state.is_interruption_requested():
        scores = parser.edge_scores(sentence)
    return Scored(scores, evidence)


def sentence_uas(sentences: Sequence[Sentence], prediction: Prediction
                 ) -> np.ndarray | None:
    """UAS of each sentence; nan where heads are not known, None if there is no UAS."""
    scored = [i for i, (sentence, heads) in enumerate(zip(sentences, prediction.heads))
              if sentence.has_heads and heads.min() >= 0]
    if not scored:
        return None
    result = np.full(len(sentences), np.nan)
    result[scored] = Evaluation([sentences[i] for i in scored],
                                [prediction.heads[i] for i in scored]).sentence_uas()
    return result


def make_picture(sentence: Sentence, prediction: Prediction | None = None,
                 index: int = 0, name: str = "", *, words: str = "form",
                 tags: str = "UPOS", relations: bool = True) -> Picture:
    """What is drawn of a sentence, the index-th of the treebank."""
    gold, heads, found = sentence.heads, None, None
    if prediction is not None and prediction.heads[index].max() >= 0:
        heads = prediction.heads[index]
        found = prediction.deprels[index] if prediction.deprels else None
    lines = {"UPOS": [sentence.upos], "XPOS": [sentence.xpos],
             "UPOS and XPOS": [sentence.upos, sentence.xpos], "none": []}[tags]
    picture = {"words": sentence.lemmas if words == "lemma" else sentence.forms,
               "tags": [["" if tag == "_" else tag for tag in line] for line in lines
                        if any(tag != "_" for tag in line)]}
    own = sentence.deprels if relations else None
    found = found if relations else None
    if gold.max() < 0:
        if heads is None:
            return Picture(**picture)
        return Picture(**picture,
                       above=Tree(heads, found, title=name, gold=False))
    if heads is None:
        return Picture(**picture, above=Tree(gold, own))
    differs = (gold != heads) & (gold >= 0) & (heads >= 0)
    relation_differs = np.zeros(len(gold), bool)
    if found:
        relation_differs = np.array([universal(a) != universal(b)
                                     for a, b in zip(sentence.deprels, found)])
    return Picture(
        **picture, above=Tree(gold, own, differs, title="Gold"),
        below=Tree(heads, found, differs, relation_differs, title=name, gold=False))


def word_html(sentence: Sentence, position: int) -> str:
    """A token with its position, or the root."""
    if not position:
        return "<i>root</i>"
    word = escape(isolated(sentence.forms[position - 1]))
    return f"<b>{word}</b><sub>{position}</sub>"


def word_tip(sentence: Sentence, i: int) -> str:
    """All that is known of a token."""
    known = [part for part in (sentence.lemmas[i], sentence.upos[i], sentence.xpos[i])
             if part != "_"]
    lines = [f"{i + 1}  {sentence.forms[i]}", "  ".join(known)]
    if sentence.feats[i] != "_":
        lines.append(sentence.feats[i].replace("|", "\n"))
    return "\n".join(filter(None, lines))


class OWTreeViewer(OWWidget, ConcurrentMixin):
    name = "Tree Viewer"
    description = ("Show dependency trees: gold above, prediction below, and what "
                   "speaks for and against each arc.")
    icon = "icons/treeviewer.svg"
    priority = 50
    keywords = "tree viewer, dependency, arcs, treebank, parse, explain, sentence"

    class Inputs:
        treebank = Input("Treebank", Table)
        parser = Input("Parser", Parser)

    class Outputs:
        selected = Output("Selected Sentences", Treebank)

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")

    class Warning(OWWidget.Warning):
        not_explained = Msg("The parser cannot explain this edge: {}")

    class Information(OWWidget.Information):
        no_trees = Msg("The treebank has neither heads nor predictions.")

    want_control_area = False
    graph_name = "printed"
    settings_version = 1

    prediction: str | None = Setting(None)      # None: the first, "": gold only
    words: str = Setting(WORDS[0])
    tags: str = Setting(TAGS[0])
    relations: bool = Setting(True)
    sort_column: int = Setting(0)
    sort_descending: bool = Setting(False)
    fit: bool = Setting(True)
    zoom: float = Setting(100.)
    list_sizes: list = Setting([360, 860])
    panel_sizes: list = Setting([460, 230])
    auto_commit: bool = Setting(True)
    selection: list = Setting([], schema_only=True)

    def __init__(self):
        OWWidget.__init__(self)
        # Not ConcurrentWidgetMixin: to look at an arc must neither show progress nor
        # make what is connected wait.
        ConcurrentMixin.__init__(self)
        self.treebank: Treebank | None = None
        self.parser: Parser | None = None
        self.sentences: list[Sentence] = []
        self.predictions: dict[str, Prediction] = {}
        self.drawn: int | None = None           # index of the sentence
        self.token = 0                          # in the panel
        self.pinned = False
        self._uas: dict[str, np.ndarray | None] = {}
        self._scored: dict[tuple[int, int], Scored] = {}
        self._asked: tuple[int, int] | None = None
        self._restored = list(self.selection)
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._explain)
        self._make_layout()
        self._make_actions()
        self._fill_predictions()
        self._show_nothing()

    # Layout

    def _make_layout(self) -> None:
        self.panes = QSplitter(Qt.Horizontal, childrenCollapsible=False)
        self.panes.addWidget(self._make_list())
        self.panes.addWidget(self._make_tree())
        self.panes.setStretchFactor(1, 1)
        self.panes.setSizes(self.list_sizes)
        self.panes.splitterMoved.connect(self._remember_sizes)
        self.mainArea.layout().addWidget(self.panes)

    def _make_list(self) -> QWidget:
        pane = QWidget()
        layout = QVBoxLayout(pane)
        layout.setContentsMargins(0, 0, 0, 0)

        self.prediction_combo = QComboBox(
            toolTip="Which prediction is drawn below the words, and scored",
            sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon,
            minimumContentsLength=12)
        self.prediction_combo.activated.connect(self._on_prediction)
        self.prediction_combo.setSizePolicy(
            QSizePolicy.Expanding, QSizePolicy.Fixed)
        label = QLabel("&Prediction:")
        label.setBuddy(self.prediction_combo)
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(self.prediction_combo)
        layout.addLayout(row)

        self.filter_edit = QLineEdit(
            placeholderText="Filter by text or sentence id…", clearButtonEnabled=True,
            toolTip="Show only sentences that contain this text (Ctrl+F)")
        self.filter_edit.textChanged.connect(self._on_filter)
        self.filter_edit.installEventFilter(self)
        layout.addWidget(self.filter_edit)

        self.model = SentenceModel(self)
        self.list = SentenceView(self.model)
        self.list.current_changed.connect(self._on_current)
        self.list.selection_changed.connect(self._on_selection)
        header = self.list.horizontalHeader()
        header.setSortIndicator(
            self.sort_column,
            Qt.DescendingOrder if self.sort_descending else Qt.AscendingOrder)
        self.model.sort(self.sort_column, header.sortIndicatorOrder())
        header.sortIndicatorChanged.connect(self._on_sort)
        layout.addWidget(self.list, 1)

        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.AllNonFixedFieldsGrow)
        box = gui.widgetBox(pane, "Display", orientation=form, addToLayout=False)
        for text, setting, items, tip in (
                ("&Words:", "words", WORDS, "What is drawn of each token"),
                ("&Tags:", "tags", TAGS, "Parts of speech under the words")):
            combo = gui.comboBox(box, self, setting, items=items, tooltip=tip,
                                 sendSelectedValue=True, callback=self._draw,
                                 addToLayout=False)
            label = QLabel(text)
            label.setBuddy(combo)
            form.addRow(label, combo)
        form.addRow("", gui.checkBox(
            box, self, "relations", "Relations at the arcs", callback=self._draw,
            tooltip="Label arcs with their relations", addToLayout=False))
        layout.addWidget(box)
        layout.addWidget(gui.auto_send(None, self, "auto_commit"))
        return pane

    def _make_tree(self) -> QWidget:
        pane = QWidget()
        layout = QVBoxLayout(pane)
        layout.setContentsMargins(0, 0, 0, 0)
        self.about = QLabel(textFormat=Qt.RichText)
        self.about.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.bar = QHBoxLayout()
        self.bar.setSpacing(2)
        self.bar.addWidget(self.about, 1)
        layout.addLayout(self.bar)

        self.scene = TreeScene(self)
        self.scene.token_hovered.connect(self._on_hover)
        self.scene.token_clicked.connect(self._on_click)
        self.view = TreeView(self.scene)
        self.line = QLabel(textFormat=Qt.RichText)
        self.line.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.line.setMinimumHeight(self.line.fontMetrics().height() + 8)
        drawn = QWidget()
        drawn.setLayout(QVBoxLayout())
        drawn.layout().setContentsMargins(0, 0, 0, 0)
        drawn.layout().setSpacing(0)
        drawn.layout().addWidget(self.view, 1)
        drawn.layout().addWidget(self.line)
        self.panel = TreePanel()
        self.panel.hide()
        self.panel_pane = QSplitter(Qt.Vertical, childrenCollapsible=False)
        self.panel_pane.addWidget(drawn)
        self.panel_pane.addWidget(self.panel)
        self.panel_pane.setStretchFactor(0, 1)
        self.panel_pane.setSizes(self.panel_sizes)
        self.panel_pane.splitterMoved.connect(self._remember_sizes)
        layout.addWidget(self.panel_pane, 1)
        return pane

    def _make_actions(self) -> None:
        """Zoom by buttons and keys; keys are left to whoever types text."""
        for text, tip, keys, slot in (
                ("−", "Zoom out", ["-", QKeySequence.ZoomOut], self.view.zoom_out),
                ("100 %", "Actual size", ["0", "Ctrl+0"],
                 lambda: self.view.set_zoom(100)),
                ("+", "Zoom in", ["+", "=", QKeySequence.ZoomIn], self.view.zoom_in),
                ("Fit", "Make trees fit, as far as they stay readable",
                 ["F", "Ctrl+9"], None)):
            action = QAction(text, self)
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setShortcutContext(Qt.WidgetWithChildrenShortcut)
            button = QToolButton(autoRaise=True)
            button.setDefaultAction(action)
            action.setToolTip(f"{tip} ({keys[0]})")
            self.addAction(action)
            self.bar.addWidget(button)
            if slot is not None:
                action.triggered.connect(slot)
            if text == "100 %":
                self.zoom_button = button
                button.setMinimumWidth(
                    button.fontMetrics().horizontalAdvance("400 %") + 12)
        self.fit_action = action
        action.setCheckable(True)
        action.setChecked(self.fit)
        action.toggled.connect(self.view.set_fit)

        find = QAction("Find", self, shortcut=QKeySequence.Find)
        find.triggered.connect(lambda: self.filter_edit.setFocus(Qt.ShortcutFocusReason))
        self.addAction(find)

        if not self.fit:
            self.view.set_zoom(self.zoom)
        self.view.zoomed.connect(self._on_zoom)
        self.view.fit_changed.connect(self._on_fit)
        self._on_zoom(self.view.zoom)

    def _remember_sizes(self) -> None:
        self.list_sizes = self.panes.sizes()
        if self.parser is not None:
            self.panel_sizes = self.panel_pane.sizes()

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.Error.clear()
        self.Information.clear()
        before, selected, current = self.sentences, self.list.selected(), self.drawn
        self.treebank, self.sentences, self.predictions = None, [], {}
        self._uas = {}
        if data is not None:
            try:
                treebank = data if isinstance(data, Treebank) \
                    else Treebank.from_table(data)
                self.sentences = treebank.sentences
                self.predictions = treebank.predictions
                self.treebank = treebank
            except ValueError as error:
                self.Error.no_treebank(error)
                self.sentences = []
        self._forget()
        self.drawn = None
        self._fill_predictions()
        self.model.set_sentences(self.sentences)
        self._show_uas()
        if self.sentences:
            if self.sentences != before:    # else they have new predictions at most
                selected, current = self._restored, None
            self._restored = []
            self.list.select(selected, current)
        if self.sentences and not self.predictions \
                and not any(s.heads.max() >= 0 for s in self.sentences):
            self.Information.no_trees()
        self._draw()
        self.commit.now()

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.parser = parser
        self._forget()
        self.panel.setVisible(parser is not None)
        if parser is not None:
            self.panel_pane.setSizes(self.panel_sizes)
        self._show_token(self.token)

    def _forget(self) -> None:
        """Nothing that a parser said is of use any more."""
        self._rest.stop()
        self.cancel()
        self._scored, self._asked = {}, None
        self.Warning.not_explained.clear()

    def _fill_predictions(self) -> None:
        combo = self.prediction_combo
        combo.clear()
        combo.addItems([*self.predictions, GOLD_ONLY])
        combo.setEnabled(bool(self.predictions))
        if self.prediction in self.predictions:
            combo.setCurrentIndex(list(self.predictions).index(self.prediction))
        elif self.prediction == "":
            combo.setCurrentIndex(len(self.predictions))
        else:
            combo.setCurrentIndex(0)

    @property
    def chosen(self) -> str | None:
        """The name of the prediction that is shown, if any."""
        index = self.prediction_combo.currentIndex()
        names = list(self.predictions)
        return names[index] if 0 <= index < len(names) else None

    # The list

    def _on_prediction(self) -> None:
        self.prediction = self.chosen or ""
        self._rearrange(self._show_uas)
        self._draw()

    def _show_uas(self) -> None:
        name = self.chosen
        if name is not None and name not in self._uas:
            self._uas[name] = sentence_uas(self.sentences, self.predictions[name])
        self.model.set_uas(self._uas.get(name))
        self.list.fit_columns()

    def _on_filter(self, text: str) -> None:
        self._rearrange(lambda: self.model.set_pattern(text))

    def _on_sort(self, column: int, order: Qt.SortOrder) -> None:
        self.sort_column, self.sort_descending = column, order == Qt.DescendingOrder
        self._rearrange(lambda: self.model.sort(column, order))

    def _rearrange(self, change: Callable[[], None]) -> None:
        """Change the list; what was selected and is still in it stays selected."""
        selected, current = self.list.selected(), self.list.current()
        change()
        self.list.select(selected, current)
        if self.list.selected() != selected:
            self._on_selection()
        self._on_current()

    def _on_current(self) -> None:
        if self.list.current() != self.drawn:
            self._draw()

    def _on_selection(self) -> None:
        self.selection = self.list.selected()
        self.commit.deferred()

    @gui.deferred
    def commit(self) -> None:
        rows = self.list.selected()
        self.Outputs.selected.send(self.treebank[rows] if rows else None)

    # The tree

    def _show_nothing(self) -> None:
        text = "Connect a treebank to see its trees."
        if self.treebank is not None:
            text = "No sentence contains this text." if self.sentences \
                else "The treebank has no sentences."
        self.scene.show_text(text, self._look())
        self.about.setText("")
        self.view.adapt()

    def _look(self) -> Look:
        return Look(self.view.palette(), self.font())

    def _picture(self) -> Picture:
        name = self.chosen
        return make_picture(
            self.sentences[self.drawn], self.predictions.get(name), self.drawn,
            name or "", words=self.words, tags=self.tags, relations=self.relations)

    def _draw(self) -> None:
        index = self.list.current()
        is_new = index != self.drawn
        if is_new:
            self.token, self.pinned = 0, False
        self.drawn = index
        if index is None:
            self._show_nothing()
        else:
            sentence = self.sentences[index]
            self.scene.draw(self._picture(), self._look(),
                            [word_tip(sentence, i) for i in range(len(sentence))])
            self.about.setText(self._describe())
            self.view.adapt(start=is_new)
        self._show_token(self.token)

    def _describe(self) -> str:
        """A line about the sentence."""
        sentence, name = self.sentences[self.drawn], self.chosen
        parts = [f"<b>Sentence {self.drawn + 1}</b>",
                 f"{len(sentence)} token{'s' * (len(sentence) != 1)}"]
        uas = self._uas.get(name)
        if uas is not None and not np.isnan(uas[self.drawn]):
            found = self.predictions[name].heads[self.drawn]
            wrong = int(np.sum(sentence.heads != found))
            parts.append(f"{wrong or 'no'} wrong head{'s' * (wrong != 1)}, "
                         f"UAS {100 * uas[self.drawn]:.1f} %")
        if sentence.sent_id:
            parts.append(escape(sentence.sent_id))
        return "&nbsp; · &nbsp;".join(parts)

    @property
    def printed(self) -> TreeScene | None:
        """The tree as it is saved: on white, and not smaller than its full size."""
        if self.drawn is None:
            return None
        scene = TreeScene()
        scene.draw(self._picture(), Look.for_print(self.font()))
        scene.enlarge(max(1., self.view.zoom / 100))
        return scene

    def _on_zoom(self, percent: float) -> None:
        self.zoom = percent
        self.zoom_button.setText(f"{percent:.0f} %")

    def _on_fit(self, fit: bool) -> None:
        self.fit = fit
        self.fit_action.setChecked(fit)

    # The token in question

    def _on_hover(self, token: int) -> None:
        if self.pinned:
            return
        if token:
            self._show_token(token)
        else:
            self.scene.focus_token(0)

    def _on_click(self, token: int) -> None:
        self.pinned = not (self.pinned and token == self.token)
        self._show_token(token)

    def _heads(self) -> dict[str, int]:
        """Heads of the token by gold and prediction, as far as they are known."""
        heads = {}
        gold = int(self.sentences[self.drawn].heads[self.token - 1])
        if gold >= 0:
            heads["gold"] = gold
        if self.chosen is not None:
            found = int(self.predictions[self.chosen].heads[self.drawn][self.token - 1])
            if found >= 0:
                heads["predicted"] = found
        return heads

    def _show_token(self, token: int) -> None:
        self.token = token
        self._rest.stop()
        self.scene.focus_token(token)
        if not token or self.drawn is None:
            empty = self.drawn is None
            self.line.setText("" if empty or self.parser else HINT)
            self.panel.set_explanations([], "" if empty else PANEL_HINT)
            return
        self.scene.mark_heads(set(self._heads().values()))
        self.line.setText(self._token_line())
        if self.parser is not None:
            if (self.drawn, token) in self._scored:
                self._show_explanations()
            elif self._asked != (self.drawn, token):
                self._rest.start()

    def _token_line(self) -> str:
        sentence, heads = self.sentences[self.drawn], self._heads()
        parts = [word_html(sentence, self.token)]
        relations = {"gold": sentence.deprels}
        if self.chosen and self.predictions[self.chosen].deprels:
            relations["predicted"] = self.predictions[self.chosen].deprels[self.drawn]
        for which, head in heads.items():
            relation = relations.get(which, {self.token - 1: "_"})[self.token - 1]
            parts.append(f"{self._coloured(which)} head {word_html(sentence, head)}"
                         + (f" ({escape(relation)})" if relation != "_" else ""))
        if not heads:
            parts.append("no head")
        if self.pinned:
            parts.append("<i>kept; click again or press Esc to let go</i>")
        return "&lrm;" + "&nbsp; · &nbsp;".join(parts)

    def _coloured(self, which: str) -> str:
        """"gold" or "predicted", in the colour of the arc if they are not the same."""
        if len(set(self._heads().values())) < 2:
            return which
        kind, text = {"gold": (MISSED, which),
                      "predicted": (WRONG, "wrongly predicted")}[which]
        return f'<font color="{self._look().colour(kind).name()}">{text}</font>'

    def _explain(self) -> None:
        """Ask the parser about the token, in the background."""
        sentence = self.sentences[self.drawn]
        heads = [head for head in dict.fromkeys(self._heads().values())
                 if head != self.token]
        self._asked = self.drawn, self.token
        self.panel.set_explanations([], "Asking the parser…")
        known = next((scored.scores for (index, _), scored in self._scored.items()
                      if index == self.drawn), None)
        self.start(explain_edges, self.parser, sentence, self.token, heads, known)

    def on_partial_result(self, result) -> None:
        pass

    def on_done(self, result: Scored) -> None:
        self.Warning.not_explained.clear()
        self._scored[self._asked] = result
        if self._asked == (self.drawn, self.token):
            self._show_explanations()
        self._asked = None

    def on_exception(self, ex: Exception) -> None:
        self._asked = None
        self.Warning.not_explained(ex)

    def _explanations(self) -> list[Explanation]:
        scores, evidence = self._scored[self.drawn, self.token]
        names: dict[int, list[str]] = {}
        for which, head in self._heads().items():
            names.setdefault(head, []).append(which)
        sentence = self.sentences[self.drawn]
        return [Explanation(
            f"&lrm;{word_html(sentence, head)} → {word_html(sentence, self.token)} "
            f"({' and '.join(map(self._coloured, names[head]))})",
            found, None if scores is None
            else np.delete(scores[:, self.token], [head, self.token]))
            for head, found in evidence.items()]

    def _show_explanations(self) -> None:
        self.panel.set_explanations(self._explanations())

    # Keys, themes, the end

    def keyPressEvent(self, event):
        if event.key() in (Qt.Key_Up, Qt.Key_Down):
            self.list.step(1 if event.key() == Qt.Key_Down else -1)
        elif event.key() == Qt.Key_Escape and self.pinned:
            self.pinned = False
            self._show_token(0)
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched, event):
        if watched is self.filter_edit and event.type() == QEvent.KeyPress \
                and event.key() in (Qt.Key_Up, Qt.Key_Down):
            self.list.step(1 if event.key() == Qt.Key_Down else -1)
            return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange) \
                and hasattr(self, "fit_action"):
            self._draw()

    def sizeHint(self) -> QSize:
        return QSize(1220, 740)

    def onDeleteWidget(self):
        self._rest.stop()
        self.shutdown()
        super().onDeleteWidget()

    def send_report(self):
        if self.drawn is None:
            return
        sentence = self.sentences[self.drawn]
        self.report_items((
            ("Treebank", f"{self.treebank.name}, {len(self.sentences)} sentences"),
            ("Prediction", self.chosen or "none"),
            ("Selected", len(self.list.selected()))))
        self.report_items(f"Sentence {self.drawn + 1}", (
            ("Text", isolated(sentence.text)), ("Id", sentence.sent_id),
            ("Tokens", len(sentence)),
            ("UAS", self._reported_uas())))
        self.report_plot(self.printed)
        for shown in self.panel.explanations():
            self.report_raw(shown.title, "<table>" + "".join(
                f"<tr><td>{signed(item.value)}</td><td>{escape(item.name)}</td></tr>"
                for item in shown.evidence[:IN_REPORT]) + "</table>")

    def _reported_uas(self) -> str | bool:
        uas = self._uas.get(self.chosen)
        if uas is None or np.isnan(uas[self.drawn]):
            return False
        return f"{100 * uas[self.drawn]:.1f} %"


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred import load_bundled
    from orange_structpred.learner import ParserLearner

    bundled = load_bundled("en")
    trained = ParserLearner(passes=3)(bundled[:200])
    WidgetPreview(OWTreeViewer).run(set_treebank=trained(bundled[200:]),
                                    set_parser=trained)
