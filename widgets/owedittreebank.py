"""Edit Treebank: correct trees by hand, with the help of a parser."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QWidget
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.errors import InputError
from orange_structpred.parser import Parser
from orange_structpred.pipeline import Pipeline
from orange_structpred.treebank import Sentence, Treebank, as_treebank
from orange_structpred.treebank.editing import (
    EditedTreebank,
    SentenceChange,
    SourceChangedError,
    ValueCounts,
    annotation_progress,
    annotation_state,
    checked_sentences,
    done_sentences,
    edited_table,
)
from orange_structpred.treebank.validation import VALIDATION_LEVELS
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.layouts import area_of, in_column, split_area
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.phrases import sentence as as_sentence
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.edit.actions import EditToolbar, Notice, make_actions
from orange_structpred.widgets.edit.commands import EditCommands, SentenceEdit
from orange_structpred.widgets.edit.findings import SentenceChecks
from orange_structpred.widgets.edit.journals import OpenJournal
from orange_structpred.widgets.edit.massediting import MassEditDialog
from orange_structpred.widgets.edit.parserhelp import AnnotatorHelp, lacks_tree
from orange_structpred.widgets.edit.scene import EditScene, EditView, edited_picture
from orange_structpred.widgets.edit.selecting import WordSelection
from orange_structpred.widgets.edit.sentences import DoneBar, EditedSentences
from orange_structpred.widgets.edit.wordform import WordForm
from orange_structpred.widgets.tree.items import Look
from orange_structpred.widgets.tree.picture import DRAWN_TAGS, DRAWN_WORDS, word_tip
from orange_structpred.widgets.tree.token import DOT
from orange_structpred.widgets.tree.treewidget import TreeListWidget
from orange_structpred.widgets.tree.view import TreePane


class OWEditTreebank(EditCommands, WordSelection, AnnotatorHelp, SentenceChecks,
                     TreeListWidget):
    name = "Edit Treebank"
    description = ("Correct trees, tags and words by hand; a parser completes what you "
                   "have set.")
    icon = "icons/edittreebank.svg"
    priority = 49
    keywords = ("edit, annotate, correct, annotation, active learning, treebank, "
                "dependency, head, relation, label")

    class Inputs:
        treebank = Input("Treebank", Table)
        parser = Input("Parser", Parser)
        pipeline = Input("Pipeline", Pipeline)

    class Outputs:
        treebank = Output("Treebank", Treebank, default=True, dynamic=False,
                          doc="All sentences, as they are now")
        done = Output("Done", Treebank, dynamic=False,
                      doc="The sentences that are marked as done")
        checked = Output("Checked", Treebank, dynamic=False,
                         doc="Sentences with the arcs that are done or checked; all other "
                         "heads are left open")
        selected = Output("Selected Sentences", Treebank, dynamic=False)
        parser = Output("Parser", Parser, dynamic=False,
                        doc="The parser, after it has learned from corrections")

    class Error(TreeListWidget.Error):
        no_journal = Msg("The treebank cannot be edited, because the journal cannot be written: {}")

    class Warning(OWWidget.Warning):
        refused = Msg("{}")
        source_changed = Msg("This is not the treebank that you edited before.")
        second_window = Msg("This treebank is also being edited in another window; "
                            "changes made there do not appear here.")
        parser = Msg("{}")

    class Information(OWWidget.Information):
        recovered = Msg("Your earlier changes were restored: {}.")
        other_window = Msg("Changes made in another window are not shown here; a second "
                           "Edit Treebank with this treebank shows them.")
        not_calibrated = Msg("The parser is not calibrated, so sentences cannot be sorted "
                             "by doubt.")

    nothing_left = "No sentence matches the filter."
    settings_version = 1

    parse_at_once: bool = Setting(False)
    show_findings_panel: bool = Setting(False)
    check_language: str = Setting("ud")
    check_level: int = Setting(3, fits=VALIDATION_LEVELS)
    pane_sizes: list = Setting([360, 860])
    journal: str = Setting("", schema_only=True)        # for scripts; "" for no changes

    def __init__(self):
        super().__init__()
        self.treebank: Treebank | None = None
        self.edited: EditedTreebank | None = None
        self.opened: OpenJournal | None = None
        self.counts = ValueCounts()
        self._sent: Treebank | None = None      # the last output
        self._is_sent = False                   # whether it is as the sentences are now
        self.drawn: int | None = None           # the index of a sentence
        self.actions_by_name = make_actions(self)
        self.set_up_selection()
        self.mass_dialog: MassEditDialog | None = None
        self.set_up_help()
        self.set_up_checks()
        self._make_layout()
        self.findings_panel.setVisible(self.show_findings_panel)
        self._show_all([])
        open_in_full_size(self)

    # Layout

    def _make_layout(self) -> None:
        self.panes = split_area(Qt.Horizontal, self._make_list(), self._make_tree(),
                                shares=(0, 1), sizes=self.pane_sizes)
        self.panes.splitterMoved.connect(
            lambda: setattr(self, "pane_sizes", self.panes.sizes()))
        self.mainArea.layout().addWidget(self.panes)

    def _make_list(self) -> EditedSentences:
        pane = EditedSentences(self.sort_column, self.sort_descending, self)
        self.take_list(pane)
        self.done_bar = DoneBar()
        pane.layout().addWidget(self.done_bar)
        box, form = self.add_display((
            ("Wor&ds:", "words", DRAWN_WORDS, "What is drawn for each word"),
            ("Ta&gs:", "tags", DRAWN_TAGS, "Part-of-speech tags under the words")))
        self.at_once_box = gui.checkBox(
            box, self, "parse_at_once", "&Parse the rest after each change",
            tooltip="With a parser: what you have set stays, and new arcs are suggested",
            addToLayout=False)
        form.addRow(self.at_once_box)
        pane.layout().addWidget(gui.auto_send(None, self, "auto_commit"))
        return pane

    def _make_tree(self) -> QWidget:
        self.scene = EditScene(self)
        self.connect_scene()
        pane = TreePane(EditView(self.scene), self)
        self.take_tree(pane)
        self.word_form = WordForm()
        self.word_form.value_entered.connect(self.set_value)
        self.word_form.left.connect(self.view.setFocus)
        self.toolbar = EditToolbar(self.actions_by_name)
        self.notice = Notice("Set the earlier changes aside", self._set_aside)
        both = split_area(
            Qt.Vertical, area_of(in_column(pane, self.word_form, largest=pane)),
            self.findings_panel, shares=(1, 0))
        return area_of(in_column(self.toolbar, self.notice, both, largest=both))

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.Error.clear()
        self.Warning.clear()
        self.Information.recovered.clear()
        self.Information.other_window.clear()
        self._close()
        if data is not None:
            try:
                self.treebank = as_treebank(data)
                self._open(self.treebank.sentences)
            except ValueError as error:
                self.Error.no_treebank(as_sentence(error))
                self.treebank = None
        self._is_sent = False
        sentences = self.sentences
        self.counts = ValueCounts(sentences)
        self._show_all(sentences, self.selection)
        self.done_bar.start(sentences)
        self.doubt_all()
        self.commit.now()

    def _open(self, sentences: Sequence[Sentence]) -> None:
        """Continue where the journal ends."""
        try:
            self.opened = OpenJournal(self.treebank, sentences)
            self.opened.others_changed.connect(self._show_other_windows)
            self._show_other_windows()
            self.edited = EditedTreebank(sentences, self.opened.journal)
        except SourceChangedError:
            self.Warning.source_changed()
            self.notice.show_text(
                "This treebank has changed since you edited it. Your earlier changes "
                f"are in {self.opened.journal.path.name}.")
        except (OSError, InputError) as error:
            self.Error.no_journal(failure_text("opening a journal", error))
        else:
            if self.edited.n_steps:
                self.Information.recovered(
                    plural(self.edited.n_steps, "step", "steps"))

    def _show_other_windows(self) -> None:
        is_second = self.opened.is_second
        self.Warning.second_window(shown=is_second)
        self.Information.other_window(shown=bool(self.opened.others) and not is_second)

    def _set_aside(self) -> None:
        """Begin a new journal beside the one of an earlier version of the treebank."""
        try:
            self.opened.journal.set_aside()
        except OSError as error:
            self.Error.no_journal(failure_text("setting a journal aside", error))
            return
        self._close(keep_treebank=True)
        self.Warning.source_changed.clear()
        self._open(self.treebank.sentences)
        self._is_sent = False
        self._show_all(self.sentences, self.selection)
        self.commit.now()

    def _close(self, *, keep_treebank: bool = False) -> None:
        if self.opened is not None:
            self.opened.close()
        self.opened = self.edited = None
        self.notice.hide()
        self.drop_suggestion()
        if not keep_treebank:
            self.treebank = None

    @property
    def sentences(self) -> list[Sentence]:
        """As they are now; as they came, while nothing can be changed."""
        if self.edited is not None:
            return self.edited.sentences
        return [] if self.treebank is None else self.treebank.sentences

    @property
    def sentence(self) -> Sentence | None:
        return None if self.drawn is None else self.sentences[self.drawn]

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.connected_parser = parser

    @Inputs.pipeline
    def set_pipeline(self, pipeline: Pipeline | None) -> None:
        self.pipeline = pipeline

    def handleNewSignals(self) -> None:
        self.show_parser()

    # Changes

    def change(self, text: str, edit: SentenceEdit, *, count: int = 1) -> bool:
        """Change the sentence that is drawn; whether something has changed.

        count : of sentences that the new ones take the place of
        """
        if self.sentence is None or self.edited is None:
            return False
        index = self.drawn
        changed = self._make(lambda edited: edited.replace(
            index, edit(edited.sentences[index]), text, count=count), [index])
        if changed:
            self.parse_if_wanted()
        return changed

    def change_several(self, text: str, changes: Sequence[SentenceChange]) -> bool:
        """Change several sentences as one step."""
        return self._make(lambda edited: edited.do(text, changes),
                          [change.first for change in changes])

    def _make(self, step: Callable[[EditedTreebank], object], indices: Sequence[int]
              ) -> bool:
        """Make, undo or redo a step; whether something has changed."""
        self.Warning.refused.clear()
        before = self.edited.sentences
        try:
            step(self.edited)
        except InputError as error:
            self.refuse(error)
        except OSError as error:
            self.Error.no_journal(failure_text("writing the journal", error))
        else:
            self.Error.no_journal.clear()
        changed = self.edited.sentences is not before
        if changed:
            self.counts.update(before, self.edited.sentences)
            self._after_change(indices)
        return changed

    def refuse(self, error: InputError) -> None:
        self.Warning.refused(as_sentence(error))

    def undo(self) -> None:
        if self.edited is not None and self.edited.undo_text is not None:
            self._make(EditedTreebank.undo, self.edited.undo_indices())

    def redo(self) -> None:
        if self.edited is not None and self.edited.redo_text is not None:
            self._make(EditedTreebank.redo, self.edited.redo_indices())

    def _after_change(self, indices: Sequence[int]) -> None:
        """Show sentences that have changed, and the first of them."""
        self._is_sent = False
        self.drop_suggestion()
        self.framed = None
        sentences, model = self.edited.sentences, self.pane.model
        if len(sentences) == len(model.sentences):
            for index in indices:
                model.update_sentence(index, sentences[index])
            if self.drawn not in indices:
                self.list.select([indices[0]], indices[0])
            self.draw()
        else:
            self._show_all(sentences, [min(indices[0], len(sentences) - 1)])
            self.doubt_all()
        self.done_bar.show_sentences(sentences)
        self.check_drawn()
        self.commit.deferred()

    def next_to_do(self) -> None:
        self.pane.next_to_do()

    def what_next(self) -> None:
        if not self.pane.most_doubtful():
            self.line.setText(self.why_no_doubt())

    # The list

    def _show_all(self, sentences: Sequence[Sentence], selected: Sequence[int] = ()
                  ) -> None:
        selected = [index for index in selected if 0 <= index < len(sentences)]
        self.drawn = None
        self.pane.set_sentences(sentences)
        self.show_doubts()
        self.list.select(selected, selected[0] if selected else None)
        self.on_current()

    def on_current(self) -> None:
        if self.list.current() != self.drawn or self.drawn is None:
            self.drop_suggestion()
            self.drawn = self.list.current()
            self.framed = None
            self.set_up_selection()
            self.Warning.refused.clear()
            self.draw(start=True)

    # The tree

    def draw(self, *, start: bool = False) -> None:
        look = Look(self.view.palette(), self.view.font())
        sentence = self.sentence
        if sentence is None:
            self.scene.show_text(self.why_nothing(), look)
            self.about.setText("")
        else:
            self.scene.draw(self.picture(), look, [word_tip(sentence, i)
                                                   for i in range(len(sentence))])
            parts = [plural(len(sentence), "word", "words"), annotation_state(sentence),
                     *([sentence.sent_id] if sentence.sent_id else [])]
            self.about.setText(DOT.join([f"<b>Sentence {self.drawn + 1}</b>",
                                         *map(escape, parts)]))
        self.view.adapt(start=start)
        self.show_selection()
        self._enable()
        if start:
            self.check_drawn()

    def picture(self):
        return edited_picture(self.sentence, self.suggestion, words=self.words,
                              tags=self.tags, framed=self.framed_words())

    def _enable(self) -> None:
        self.toolbar.show_state(
            editable=self.edited is not None and self.sentence is not None,
            undo=self.edited and self.edited.undo_text,
            redo=self.edited and self.edited.redo_text,
            parser=self.parser is not None, suggestion=self.suggestion is not None,
            lacking=self.parser is not None and any(map(lacks_tree, self.sentences)))

    # Output

    @gui.deferred
    def commit(self) -> None:
        if not self._is_sent:       # another selection is no reason to train again
            self._send_treebank()
        rows = self.list.selected() if self._sent is not None else []
        self.Outputs.selected.send(self._sent[rows] if rows else None)

    def _send_treebank(self) -> None:
        treebank, done, checked = self.treebank, None, None
        if self.edited is not None:
            treebank = edited_table(treebank, self.edited.sentences,
                                    self.edited.source_rows())
            self.journal = str(self.opened.journal.path) if self.edited.n_steps else ""
        if treebank is not None:
            done = done_sentences(treebank) or None
            checked = checked_sentences(treebank) or None
        self._sent, self._is_sent = treebank, True
        self.Outputs.treebank.send(treebank)
        self.Outputs.done.send(done)
        self.Outputs.checked.send(checked)

    # Keys, the end

    def keyPressEvent(self, event):
        if event.key() in (Qt.Key_Return, Qt.Key_Enter):
            self.on_enter()
        elif event.key() == Qt.Key_Escape:
            self.on_escape()        # once too often must not close the window
        elif not self.pane.step_by(event.key()):
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(1220, 700)

    def onDeleteWidget(self):
        self.end_help()
        self.end_checks()
        self._close()
        super().onDeleteWidget()

    def send_report(self) -> None:
        if self.sentence is None:
            self.report_paragraph(self.why_nothing())
            return
        state = annotation_progress(self.sentences)
        self.report_items([
            ("Treebank", self.treebank.name),
            ("Sentences", f"{state.done_sentences:,} of {state.sentences:,} done"),
            ("Words", f"{state.done_words:,} of {state.words:,} done"),
            ("Changes", str(self.edited.n_steps if self.edited else 0))])
        scene = EditScene()
        scene.draw(self.picture(), Look.for_print(self.font()))
        report_picture(self, f"Sentence {self.drawn + 1}", scene)


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    bundled = load_bundled("en")
    WidgetPreview(OWEditTreebank).run(
        set_treebank=bundled[200:], set_parser=ParserLearner(passes=3)(bundled[:200]))
