from unittest.mock import patch

from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtTest import QSignalSpy, QTest
from AnyQt.QtWidgets import QInputDialog, QLineEdit, QPlainTextEdit
from Orange.data import Table

from orange_structpred import ParserLearner, TaggerLearner, load_bundled, write_conll
from orange_structpred.export.script import write_script
from orange_structpred.pipeline import Pipeline
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.editing import (
    annotation_state,
    checked_words,
    comment_value,
)
from orange_structpred.treebank.layers import layer_values
from orange_structpred.widgets.edit import scene
from orange_structpred.widgets.edit.actions import COMMANDS
from orange_structpred.widgets.tree.list import DOUBT_COLUMN
from tests.data import ROOT
from tests.export.toy import LOAD, OURS, TABLE, workflow
from tests.treebank.toy import block
from tests.widgets.edittreebank import TEXTS, TREES, EditTreebankTest, toy
from tests.widgets.waiting import wait_for
from tests.without_qt import run_main

EDIT = OURS + "owedittreebank.OWEditTreebank"


class TestMouse(EditTreebankTest):
    def test_a_word_then_its_head(self):
        self.send(toy())
        self.click(1)
        assert "Click the new head" in self.widget.line.text()
        self.click(3)
        assert self.heads == [3, 3, 0, 5, 3]
        assert checked_words(self.widget.sentence) == {1}
        assert self.output().sentences[0] == self.widget.sentence
        self.click(4)
        self.click(4)
        assert self.widget.word == 0 and self.heads == [3, 3, 0, 5, 3]

    def test_esc_cancels(self):
        self.send(toy())
        self.click(1)
        self.key(Qt.Key_Escape)
        self.click(3)
        assert self.heads == TREES[0] and self.widget.word == 3
        self.key(Qt.Key_Escape)
        self.key(Qt.Key_Escape)
        assert self.widget.word == 0
        self.key(Qt.Key_Escape)         # once too often
        assert self.widget.isVisible()

    def test_the_root(self):
        self.send(toy())
        self.click(5)
        self.click(0)
        assert self.heads == [2, 3, 5, 5, 0]
        self.click(2)
        self.key(Qt.Key_0)
        assert self.heads == [2, 0, 5, 5, 2]

    def test_words_and_arcs_are_dragged(self):
        self.send(toy())
        self.drag(self.position(self.item(4)), 3)
        assert self.heads == [2, 3, 0, 3, 3]
        arc = self.widget.scene.arcs["above"][5]
        top = arc.mapToScene(arc.path.pointAtPercent(0.5))
        self.drag(self.widget.view.mapFromScene(top), 2)
        assert self.heads == [2, 3, 0, 3, 2]
        self.drag(self.position(self.item(2)), 0)
        assert self.heads == [2, 0, 2, 3, 2]
        self.drag(self.position(self.item(1)), 1)
        assert self.heads == [2, 0, 2, 3, 2]

    def test_the_new_head_is_marked_while_one_drags(self):
        self.send(toy())
        viewport, end = self.widget.view.viewport(), self.position(self.item(3))
        QTest.mousePress(viewport, Qt.LeftButton, Qt.NoModifier, self.position(self.item(1)))
        for point in (end - QPoint(30, 40), end):
            QTest.mouseMove(viewport, point)
        assert [item.is_head for item in self.widget.scene.words] == [
            False, False, True, False, False]
        QTest.mouseMove(viewport, self.position(self.item(0)))
        assert self.widget.scene.root.is_head and not self.widget.scene.words[2].is_head
        QTest.mouseRelease(viewport, Qt.LeftButton, Qt.NoModifier, QPoint(3, 3))
        assert not self.widget.scene.root.is_head and not self.widget.scene.is_dragging
        assert self.heads == TREES[0]

    def test_the_tree_scrolls_while_one_drags(self):
        self.long_sentence()
        view, start = self.widget.view, self.position(self.item(1))
        edge = QPoint(view.viewport().width() - 5, start.y())
        with patch.object(scene, "QCursor") as cursor:
            cursor.pos = lambda: view.viewport().mapToGlobal(edge)
            QTest.mousePress(view.viewport(), Qt.LeftButton, Qt.NoModifier, start)
            QTest.mouseMove(view.viewport(), start + QPoint(60, 0))
            QTest.mouseMove(view.viewport(), edge)
            assert not self.sees(40)
            wait_for(lambda: self.sees(40))
            QTest.mouseRelease(view.viewport(), Qt.LeftButton, Qt.NoModifier,
                               self.position(self.item(40)))
        assert self.heads[0] == 40

    def test_what_one_looks_at_stays(self):
        """When the window gets another size, too."""
        self.long_sentence()
        self.widget.select_word(100)
        self.widget.view.show_word(100)
        self.widget.attach(100, 98)
        assert self.sees(100)
        self.widget.resize(1000, 600)
        wait_for(lambda: self.widget.width() == 1000)
        assert self.sees(100) and not self.sees(1)
        self.widget.list.select([0], 0)
        self.widget.list.select([1], 1)
        assert self.sees(1)

    def test_an_arc_is_clicked_for_its_relation(self):
        self.send(toy())
        arc = self.widget.scene.arcs["above"][1]
        top = arc.mapToScene(arc.path.pointAtPercent(0.5))
        QTest.mouseClick(self.widget.view.viewport(), Qt.LeftButton, Qt.NoModifier,
                         self.widget.view.mapFromScene(top))
        assert self.widget.word == 1
        field = self.widget.word_form.fields["deprel"]
        field.completer().popup().hide()
        QTest.keyClicks(field, "det")
        QTest.keyClick(field, Qt.Key_Return)
        assert self.widget.sentence.deprels[0] == "det"


class TestKeys(EditTreebankTest):
    def test_heads(self):
        self.send(toy())
        self.key(Qt.Key_Right)
        assert self.widget.word == 1
        self.key(Qt.Key_H)
        assert self.widget.candidate == 2
        self.key(Qt.Key_Right)
        self.key(Qt.Key_Return)
        assert self.heads == [3, 3, 0, 5, 3]
        self.key(Qt.Key_Z, Qt.ControlModifier)
        assert self.heads == TREES[0]
        assert self.output().sentences == toy().sentences
        self.key(Qt.Key_Z, Qt.ControlModifier | Qt.ShiftModifier)
        assert self.heads == [3, 3, 0, 5, 3]

    def test_fields(self):
        self.send(toy())
        self.click(2)
        self.key(Qt.Key_Escape)
        for key, layer, value in ((Qt.Key_U, "upos", "NOUN"), (Qt.Key_X, "xpos", "NN"),
                                  (Qt.Key_L, "lemma", "hound"),
                                  (Qt.Key_F, "feats", "Number=Sing"),
                                  (Qt.Key_R, "deprel", "nsubj"),
                                  (Qt.Key_W, "form", "hound")):
            self.key(key)
            field = self.widget.word_form.fields[layer]
            field.completer().popup().hide()
            QTest.keyClicks(field, value)
            QTest.keyClick(field, Qt.Key_Return)
            assert not self.widget.Warning.active
        row = self.widget.sentence.block.split("\n")[2].split("\t")
        assert row[1:8] == ["hound", "hound", "NOUN", "NN", "Number=Sing", "3", "nsubj"]
        assert self.widget.edited.n_steps == 6
        for _ in range(6):
            self.widget.undo()
        assert self.output().sentences == toy().sentences

    def test_a_value_from_the_list(self):
        bundled = load_bundled("en")[:30]
        self.send(bundled)
        self.widget.select_word(1)
        self.key(Qt.Key_R)
        field = self.widget.word_form.fields["deprel"]
        popup = field.completer().popup()
        assert popup.isVisible()
        assert "%" in popup.model().index(0, 0).data()
        QTest.keyClicks(popup, "cc")
        QTest.keyClick(popup, Qt.Key_Down)
        QTest.keyClick(popup, Qt.Key_Return)
        assert self.widget.sentence.deprels[0].startswith("cc")

    def test_the_list_is_closed_before_a_change(self):
        """While it is open, it swallows the keys that are typed next."""
        self.send(toy())
        self.widget.select_word(5)
        self.key(Qt.Key_U)
        field = self.widget.word_form.fields["upos"]
        popup, seen = field.completer().popup(), []
        field.value_entered.connect(lambda _: seen.append(popup.isVisible()))
        QTest.keyClicks(popup, "adv")
        assert popup.isVisible()
        QTest.keyClick(popup, Qt.Key_Return)
        assert seen == [False] and self.widget.sentence.upos[4] == "ADV"

    def test_enter_completes_tags_and_relations(self):
        self.send(toy())
        for layer, typed, value in (("deprel", "ns", "nsubj"), ("upos", "prop", "PROPN"),
                                    ("deprel", "obl:new", "obl:new"), ("lemma", "c", "c")):
            self.widget.select_word(5)
            field = self.widget.word_form.fields[layer]
            field.choose()
            field.completer().popup().hide()
            QTest.keyClicks(field, typed)
            field.completer().popup().hide()
            QTest.keyClick(field, Qt.Key_Return)
            assert layer_values(self.widget.sentence, layer)[4] == value

    def test_the_filter_finds_changed_words(self):
        self.send(toy())
        self.widget.select_word(5)
        self.widget.set_value("form", "mouse")
        self.widget.pane.model.set_pattern("mouse")
        assert self.widget.pane.model.rows.tolist() == [0]

    def test_esc_in_a_field_changes_nothing(self):
        self.send(toy())
        self.widget.select_word(1)
        field = self.widget.word_form.fields["lemma"]
        field.setFocus()
        QTest.keyClicks(field, "x")
        QTest.keyClick(field, Qt.Key_Escape)
        assert self.widget.edited.n_steps == 0 and self.widget.isVisible()

    def test_what_is_refused_does_not_stay_in_its_field(self):
        """A word keeps its form, a relation has no spaces."""
        self.send(toy())
        self.widget.select_word(2)
        for layer, typed in (("form", ""), ("deprel", "weird one")):
            field = self.widget.word_form.fields[layer]
            before = field.text()
            for _ in range(2):
                field.setText(typed)
                QTest.keyClick(field, Qt.Key_Return)
                assert self.widget.edited.n_steps == 0 and field.text() == before
                assert self.widget.Warning.refused.is_shown()
                self.widget.Warning.refused.clear()
        field = self.widget.word_form.fields["form"]
        field.setText("_")      # a word like any other
        QTest.keyClick(field, Qt.Key_Return)
        assert self.widget.sentence.forms[1] == field.text() == "_"

    def test_words(self):
        self.send(toy())
        self.widget.select_word(2)
        with self.answer("d og"):
            self.key(Qt.Key_S)
        assert self.widget.sentence.forms == ["The", "d", "og", "sees", "a", "cat"]
        self.key(Qt.Key_J)
        assert self.widget.sentence.forms == TEXTS[0].split()
        with self.answer("big"):
            self.key(Qt.Key_I)
        assert self.widget.sentence.forms[2] == "big" and self.widget.word == 3
        self.key(Qt.Key_Delete)
        assert self.widget.sentence.forms == TEXTS[0].split()
        self.widget.select_word(4)
        self.key(Qt.Key_Right, Qt.ShiftModifier)
        with self.answer("acat"):
            self.key(Qt.Key_M)
        assert "4-5\tacat" in self.widget.sentence.block
        assert self.widget.selected_words() == (4, 5)
        self.key(Qt.Key_M)
        assert "4-5" not in self.widget.sentence.block
        with self.answer("acat"):
            self.key(Qt.Key_M)
        self.widget.select_word(4)
        self.key(Qt.Key_M)
        assert "4-5" not in self.widget.sentence.block
        with self.answer(None):
            self.key(Qt.Key_S)
        assert self.widget.sentence.forms == TEXTS[0].split()
        with self.answer("a"):
            self.key(Qt.Key_S)
        assert "put a space" in self.widget.Warning.refused.formatted

    def test_a_space_is_typed_into_the_word(self):
        def type_a_space(dialog):
            dialog.show()
            QTest.keyClick(dialog.findChild(QLineEdit), Qt.Key_Left)
            QTest.keyClicks(dialog.findChild(QLineEdit), " ")
            return True

        self.send(toy())
        self.widget.select_word(2)
        with patch.object(QInputDialog, "exec", type_a_space):
            self.key(Qt.Key_S)
        assert self.widget.sentence.forms[1:3] == ["do", "g"]

    def test_sentences(self):
        self.send(toy())
        self.widget.select_word(4)
        self.key(Qt.Key_S, Qt.ShiftModifier)
        assert [own.text for own in self.output().sentences] == [
            "The dog sees", "a cat", "Cats sleep", "Dogs bark at night"]
        self.key(Qt.Key_J, Qt.ShiftModifier)
        assert [len(own) for own in self.output().sentences] == [5, 2, 4]
        self.key(Qt.Key_Z, Qt.ControlModifier)
        self.key(Qt.Key_Z, Qt.ControlModifier)
        assert self.output().sentences == toy().sentences
        self.widget.list.select([2], 2)
        self.key(Qt.Key_J, Qt.ShiftModifier)
        assert "last sentence" in self.widget.Warning.refused.formatted

    def test_comments(self):
        """What is typed comes after the comments that there are."""
        def type_one(dialog):
            dialog.show()
            field = dialog.findChild(QPlainTextEdit)
            wait_for(lambda: not field.textCursor().hasSelection())
            QTest.keyClicks(field, "note = hard")
            return True

        self.send(toy())
        with patch.object(QInputDialog, "exec", type_one):
            self.key(Qt.Key_C)
        assert comment_value(self.widget.sentence, "note") == "hard"
        assert self.widget.sentence.sent_id == "s0"

    def test_another_selection_sends_only_this(self):
        """A parser that is trained on the treebank is not trained again."""
        self.send(toy())
        sent, done = self.output(), []
        with patch.object(self.widget.Outputs.treebank, "send", done.append):
            self.widget.list.select([1, 2], 1)
            assert len(self.output("selected")) == 2 and not done
            self.widget.select_word(1)
            self.key(Qt.Key_0)
        assert len(done) == 1 and done[0].sentences != sent.sentences

    def test_states(self):
        self.send(toy())
        self.key(Qt.Key_D)
        assert self.widget.drawn == 1
        self.key(Qt.Key_Q)
        assert [annotation_state(own) for own in self.output().sentences] == [
            "done", "question", "to do"]
        assert self.output("done").sentences == [self.output().sentences[0]]
        assert "1 of 3 done" in self.widget.done_bar.text()
        assert self.widget.pane.model.index(0, 0).data() == "✓ 1"
        self.widget.pane.state_combo.textActivated.emit("question")
        assert self.widget.pane.model.rows.tolist() == [1]
        self.key(Qt.Key_T)
        self.widget.pane.state_combo.textActivated.emit("all")
        self.widget.list.select([0], 0)
        self.key(Qt.Key_N)
        assert self.widget.drawn == 1
        self.key(Qt.Key_Down)
        assert self.widget.drawn == 2

    def test_an_arc_is_confirmed(self):
        self.send(toy())
        self.widget.select_word(2)
        self.key(Qt.Key_Space)
        assert checked_words(self.widget.sentence) == {2}
        self.key(Qt.Key_Space)
        assert self.output().sentences == toy().sentences

    def test_the_page_lists_all_keys(self):
        page = (ROOT / "doc" / "widgets" / "edit-treebank.md").read_text("utf-8")
        keys = page[page.index("## Keys"):]
        for command in COMMANDS:
            key = command.keys[0].replace("Left", "←").replace("Right", "→")
            assert key.rpartition("+")[2] in keys, command


class TestJournal(EditTreebankTest):
    def test_changes_come_back(self):
        self.send(toy())
        self.widget.attach(1, 3)
        self.widget.mark_done()
        changed = self.output().sentences
        self.widget.onDeleteWidget()
        self.open()
        self.send(toy())
        assert "2 steps" in self.widget.Information.recovered.formatted
        assert self.output().sentences == changed
        self.widget.undo()
        self.widget.undo()
        assert self.output().sentences == toy().sentences

    def test_another_version_of_the_file(self):
        path = self.folder / "toy.conllu"
        toy().save(path)
        self.send(Treebank.from_file(path))
        self.widget.attach(1, 3)
        assert Treebank.from_file(path).sentences == toy().sentences
        toy()[:2].save(path)
        self.send(Treebank.from_file(path))
        assert self.widget.Warning.source_changed.is_shown()
        assert self.widget.edited is None
        self.widget.mark_done()
        assert self.output().sentences == toy().sentences[:2]
        self.widget.notice.button.click()
        assert not self.widget.Warning.active and not self.widget.notice.isVisible()
        self.widget.mark_done()
        assert len(self.output("done")) == 1
        assert len(list((self.folder / "journals").glob("*.1.journal"))) == 1

    def test_a_file_that_was_saved_over(self):
        """Work goes on without a question."""
        file = self.folder / "mine.conllu"
        write_conll(toy().sentences, file)
        self.send(Table.from_file(str(file)))
        self.widget.attach(1, 3)
        write_conll(self.output().sentences, file)
        self.widget.attach(2, 1)            # and then a crash
        expected = self.heads
        self.widget.onDeleteWidget()
        self.open()
        self.send(Table.from_file(str(file)))
        assert not self.widget.notice.isVisible() and not self.widget.Warning.active
        assert self.heads == expected and self.widget.edited.n_steps == 1
        self.key(Qt.Key_Z, Qt.ControlModifier)
        assert self.heads == [3, *TREES[0][1:]]

    def test_two_windows(self):
        self.send(toy())
        self.widget.attach(1, 3)
        first = self.widget
        self.open()
        self.send(toy())
        assert self.widget.Warning.second_window.is_shown()
        assert self.output().sentences == toy().sentences
        self.widget.attach(2, 1)
        first.onDeleteWidget()
        assert first.opened is None
        self.widget.onDeleteWidget()
        self.open()
        self.send(toy())
        assert self.heads == [3, *TREES[0][1:]]
        assert self.widget.Information.other_window.is_shown()
        self.send(None)
        assert not self.widget.Information.other_window.is_shown()

    def test_the_other_window_is_closed(self):
        for changes in (False, True):
            self.open()
            self.send(toy())
            first = self.widget
            if changes:
                first.attach(1, 3)
            self.open()
            self.send(toy())
            assert self.widget.Warning.second_window.is_shown()
            first.onDeleteWidget()
            wait_for(lambda: not self.widget.Warning.second_window.is_shown())
            assert self.widget.Information.other_window.is_shown() == changes
            self.widget.onDeleteWidget()

    def test_two_of_three_windows_are_closed(self):
        windows = []
        for _ in range(3):
            self.open()
            self.send(toy())
            windows.append(self.widget)
        first, second, third = windows
        closed = QSignalSpy(third.opened.others_changed)
        first.onDeleteWidget()
        wait_for(lambda: len(closed))
        assert third.Warning.second_window.is_shown()
        second.onDeleteWidget()
        wait_for(lambda: not third.Warning.second_window.is_shown())

    def test_a_folder_that_cannot_be_written(self):
        (self.folder / "journals").write_text("a file")
        self.send(toy())
        assert self.widget.Error.no_journal.is_shown()
        self.widget.attach(1, 3)
        assert self.output().sentences == toy().sentences

    def test_script(self):
        bundled = load_bundled("en")
        self.send(bundled)
        self.widget.attach(1, 3)
        self.widget.mark_done()
        settings = self.widget.settingsHandler.pack_data(self.widget)
        nodes = [(LOAD, "Treebank", {"source": "bundled"}), (EDIT, "Edit", settings),
                 (TABLE, "All", {}), (TABLE, "Done", {})]
        links = [(0, "Treebank", 1, "Treebank"), (1, "Treebank", 2, "Data"),
                 (1, "Done", 3, "Data")]
        script = write_script(workflow(nodes, links))
        assert script.missing == []
        path = self.folder / "script.py"
        path.write_text(script.text, encoding="utf-8")
        values = run_main(path)
        assert values["edit"].sentences == self.output().sentences
        assert values["edit_done"].sentences == self.output("done").sentences


class TestParser(EditTreebankTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bundled = load_bundled("en")
        cls.parser = ParserLearner(passes=2, order=1)(cls.bundled[:100])

    def send_parser(self, parser):
        self.send_signal(self.widget.Inputs.parser, parser)
        wait_for(lambda: self.widget.doubting.task is None)

    def parse(self):
        self.widget.parse_rest()
        wait_for(lambda: self.widget.suggesting.task is None)

    def test_the_rest_is_parsed(self):
        self.send(self.bundled[200:210])
        self.send_parser(self.parser)
        sentence = self.widget.sentence
        wrong = 2 if sentence.heads[0] != 2 else 3
        self.widget.attach(1, wrong)
        before = self.widget.sentence
        self.parse()
        suggestion = self.widget.suggestion
        assert suggestion.heads[0] == wrong
        assert self.widget.sentence == before
        assert set(self.widget.scene.arcs["below"]) == set(range(1, len(sentence) + 1))
        self.key(Qt.Key_A)
        assert self.widget.sentence == suggestion and self.widget.suggestion is None
        self.key(Qt.Key_Z, Qt.ControlModifier)
        assert self.widget.sentence == before

    def test_one_suggested_arc(self):
        self.send(self.bundled[200:210])
        self.send_parser(self.parser)
        n = len(self.widget.sentence)
        self.widget.change("chain", lambda own: own.with_heads(
            range(n), ["root", *["dep"] * (n - 1)]))
        self.parse()
        suggestion = self.widget.suggestion
        word = next(i for i in range(1, n + 1)
                    if suggestion.heads[i - 1] not in (0, i - 1))
        self.widget.scene.suggested_clicked.emit(word)
        assert self.heads[word - 1] == suggestion.heads[word - 1]
        assert checked_words(self.widget.sentence) == {word}
        self.widget.parse_at_once = True
        self.widget.confirm()
        wait_for(lambda: self.widget.suggestion is not None)
        self.key(Qt.Key_Escape)
        assert self.widget.suggestion is None

    def test_missing_trees(self):
        bare = [own.with_heads([-1] * len(own), ["_"] * len(own))
                for own in self.bundled.sentences[200:203]]
        self.send(Treebank.from_sentences([*bare, *self.bundled.sentences[203:205]]))
        self.send_parser(self.parser)
        self.key(Qt.Key_P, Qt.ControlModifier | Qt.ShiftModifier)
        wait_for(lambda: self.widget.filling.task is None)
        assert self.output().sentences == [
            *self.parser.parse(bare), *self.bundled.sentences[203:205]]
        self.widget.undo()
        assert self.output().sentences[:3] == bare

    def test_words_without_tags(self):
        """A pipeline tags them before its parser says what it doubts."""
        tagger = TaggerLearner(passes=1)(self.bundled[:100])
        bare = [Sentence("\n".join(f"{i}\t{form}" + 8 * "\t_" for i, form in enumerate(
            sentence.forms, 1))) for sentence in self.bundled.sentences[200:203]]
        self.send(Treebank.from_sentences(bare))
        self.send_signal(self.widget.Inputs.pipeline,
                         Pipeline(tagger=tagger, parser=self.parser))
        wait_for(lambda: self.widget.doubting.task is None)
        assert not self.widget.Warning.active
        assert self.widget.pane.model.doubt.shape == (3,)
        assert self.output().sentences == bare

    def test_order_of_doubt(self):
        self.send(self.bundled[200:220])
        self.send_parser(self.parser)
        prediction = self.parser.predict(self.bundled[200:220], probabilities=True)
        own = prediction.expected_errors() / [
            len(sentence)**0.5 for sentence in self.bundled.sentences[200:220]]
        self.widget.list.horizontalHeader().setSortIndicator(
            DOUBT_COLUMN, Qt.DescendingOrder)
        assert self.widget.pane.model.rows.tolist() == (-own).argsort(
            kind="stable").tolist()
        self.send_parser(None)
        assert self.widget.list.isColumnHidden(DOUBT_COLUMN)

    def test_what_the_parser_cannot_do(self):
        bare = Treebank.from_sentences([Sentence(
            block(["_", "_"], "No tags").replace("\tX\tXX\t", "\t_\t_\t"))])
        self.send(bare)
        self.send_parser(self.parser)
        self.parse()
        assert "tags" in self.widget.Warning.parser.formatted


class TestInput(EditTreebankTest):
    def test_bad_input_and_settings(self):
        self.send(Table("iris")[:5])
        assert self.widget.Error.no_treebank.is_shown()
        for command in COMMANDS:
            getattr(self.widget, command.name)()
        self.send(None)
        assert not self.widget.Error.active and self.output() is None
        self.send(Treebank.from_sentences([]))
        assert "no sentences" in self.widget.why_nothing()
        self.widget.onDeleteWidget()
        self.open(selection=[99, -1], words=3, sort_column="x", journal=3)
        self.send(toy())
        assert self.widget.drawn == 0

    def test_report(self):
        self.widget.send_report()
        self.send(toy())
        self.widget.send_report()
        assert "0 of 3 done" in self.widget.report_html
