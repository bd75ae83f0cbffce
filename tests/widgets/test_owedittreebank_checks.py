"""Edit Treebank: findings, changes of all matches, learning, punctuation."""
from unittest.mock import patch

import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.editing import checked_words, set_layer
from orange_structpred.treebank.editing.suggestions import SMALLEST_SHARE, Suggestion
from orange_structpred.treebank.validation import can_validate
from orange_structpred.widgets.edit.massediting import words_around
from orange_structpred.widgets.edit.parserhelp import probable_first
from tests.treebank.toy import block
from tests.widgets.edittreebank import EditTreebankTest, toy
from tests.widgets.waiting import wait_for

needs_udtools = pytest.mark.skipif(not can_validate(), reason="udtools is not installed")
BUNDLED = load_bundled("en")


class TestFindings(EditTreebankTest):
    def wait(self):
        for task in (self.widget.checking, self.widget.checking_all):
            wait_for(lambda task=task: task.task is None)

    @needs_udtools
    def test_the_sentence_is_checked_as_one_edits(self):
        sentences = BUNDLED.sentences[:3]
        sentences[1] = set_layer(sentences[1], 2, "deprel", "nonsense")
        self.send(Treebank.from_sentences(sentences))
        self.key(Qt.Key_V)
        panel = self.widget.findings_panel
        assert panel.isVisible()
        self.wait()
        assert panel.table.model().rowCount() == 0
        panel.all_button.click()
        self.wait()
        assert panel.table.model().rowCount() >= 1
        panel.choose(0)
        assert self.widget.drawn == 1 and self.widget.framed == (2,)
        assert self.widget.scene.words[1].marked
        panel.filter_edit.setText("no such finding")
        assert panel.table.model().rowCount() == 0
        panel.filter_edit.setText("")
        self.widget.select_word(2)
        self.widget.set_value("deprel", sentences[1].deprels[0])
        self.wait()
        assert "nonsense" not in panel.table.model().index(0, 4).data(Qt.DisplayRole) \
            if panel.table.model().rowCount() else True

    @needs_udtools
    def test_a_check_of_all_goes_on_while_one_reads(self):
        self.send(BUNDLED[:6])
        self.key(Qt.Key_V)
        self.widget.findings_panel.all_button.click()
        self.key(Qt.Key_Down)
        self.wait()
        assert "6 sentences checked" in self.widget.findings_panel.summary.text()

    def test_a_finding_is_scrolled_to(self):
        self.long_sentence()
        self.key(Qt.Key_V)
        self.widget._on_finding(1, (120,))
        assert self.sees(120) and self.widget.scene.words[119].marked

    @needs_udtools
    def test_another_level(self):
        self.send(BUNDLED[:2])
        self.key(Qt.Key_V)
        self.wait()
        panel = self.widget.findings_panel
        panel.level_combo.setCurrentText("1")
        panel.level_combo.activated.emit(0)
        assert self.widget.check_level == 1
        self.wait()
        assert "1 sentence checked" in panel.summary.text()

    def test_without_the_validator(self):
        with patch("orange_structpred.treebank.validation.can_validate",
                   lambda: False):
            own = toy().sentences[1]
            self.send(Treebank.from_sentences([own.with_heads([0, 0])]))
            self.key(Qt.Key_V)
            self.wait()
            assert self.widget.findings_panel.table.model().rowCount() == 1
            assert self.widget.framed_words() == {1, 2}


class TestMassEdit(EditTreebankTest):
    def test_all_matches_as_one_step(self):
        self.send(toy())
        self.widget.mass_edit()
        dialog = self.widget.mass_dialog
        assert not dialog.make_button.isEnabled()
        dialog.pattern.set_pattern("form=/[CD].*s/")
        dialog.commands.setText("W.upos = NOUN")
        QTest.keyClick(dialog.commands, Qt.Key_Return)
        assert dialog.isVisible() and dialog.chosen() == [0, 1]
        dialog.list.topLevelItem(0).setCheckState(0, Qt.Unchecked)
        assert dialog.make_button.text() == "Change 1"
        dialog.make_button.click()
        changed = self.output().sentences
        assert changed[2].upos[0] == "NOUN" and changed[1].upos[0] != "NOUN"
        assert self.widget.edited.n_steps == 1
        assert len(dialog.chosen()) == 1        # what is left
        assert dialog.message.text().startswith("1 change was made")
        self.key(Qt.Key_Z, Qt.ControlModifier)
        assert self.output().sentences == toy().sentences

    def test_a_changed_word_is_shown_with_its_neighbours(self):
        sentence = Sentence(block([0, *range(1, 21)], " ".join(map(chr, range(97, 118)))))
        assert words_around(sentence, 11) == "… e f g h i j k l m n o p q …"
        assert words_around(sentence, 1) == "a b c d e f g …"
        assert words_around(sentence, 21) == "… o p q r s t u"

    def test_mistakes(self):
        self.send(toy())
        self.widget.mass_edit()
        dialog = self.widget.mass_dialog
        dialog.pattern.set_pattern("pattern { V [upos=")
        dialog.commands.setText("V.upos = X")
        dialog.preview()
        assert "column" in dialog.message.text() and not dialog.make_button.isEnabled()
        dialog.pattern.set_pattern("upos=VERB")
        dialog.commands.setText("W.nothing")
        dialog.preview()
        assert "Commands" in dialog.message.text()
        dialog.pattern.set_pattern("form=/[CD].*s/")
        dialog.commands.setText("W.upostag = X")
        dialog.preview()
        assert "did you mean upos?" in dialog.message.text()
        dialog.commands.setText('W.Number = "a|b"')
        dialog.preview()
        assert "not a feature" in dialog.message.text()
        assert not dialog.make_button.isEnabled()


class TestLearning(EditTreebankTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.parser = ParserLearner(passes=3, calibrate=False)(BUNDLED[:60])

    def test_the_parser_learns_from_corrections(self):
        self.send(BUNDLED[100:103])
        self.send_signal(self.widget.Inputs.parser, self.parser)
        self.widget.learn_further()
        assert "no corrections" in self.widget.line.text()
        self.key(Qt.Key_D)
        assert len(self.output("checked")) == 1
        self.widget.learn_further()
        wait_for(lambda: self.widget.learned_parser is not None)
        learned = self.output("parser")
        assert learned is not self.parser and self.widget.parser is learned
        assert learned.count_seen(BUNDLED[100:101]) == 1
        assert self.parser.count_seen(BUNDLED[100:101]) == 0
        self.send_signal(self.widget.Inputs.parser, None)
        assert self.widget.parser is None

    def test_checked_arcs_only(self):
        self.send(BUNDLED[100:103])
        self.widget.select_word(2)
        self.widget.confirm()
        (own,) = self.output("checked").sentences
        assert [head >= 0 for head in own.heads].count(True) == 1
        assert checked_words(own) == {2}

    def test_relations_in_the_order_of_probabilities(self):
        self.send(BUNDLED[100:103])
        self.send_signal(self.widget.Inputs.parser, self.parser)
        sentence = self.widget.sentence
        self.widget.select_word(1)
        assert self.widget.weighing.task is not None     # the window does not wait for it
        wait_for(lambda: self.widget.weighing.task is None)
        suggestions = self.widget.suggest_values(1, "deprel")
        field = self.widget.word_form.fields["deprel"]
        assert field.completer().model().item(0).text().startswith(suggestions[0].value)
        shares = [own.share for own in suggestions]
        probable = [share for share in shares if share >= SMALLEST_SHARE]
        assert shares[:len(probable)] == sorted(probable, reverse=True)
        assert sum(shares) == pytest.approx(1)
        assert suggestions[0].value == self.parser.explain_relation(
            sentence, 1, heads=sentence.heads).relation


def test_relations_without_probability_in_the_order_of_counts():
    """So that what Enter completes is what one means."""
    counted = [Suggestion(value, share) for value, share in (
        ("nmod", 0.6), ("nsubj", 0.4), ("obj", 0.))]
    shares = {"nmod": 0.99, "case": 0.008, "nsubj:pass": 0.001, "obj": 0.0007, "nsubj": 0.0003}
    assert probable_first(shares, counted) == [
        ("nmod", 0.99), ("case", 0.008), ("nsubj", 0.0003), ("obj", 0.0007),
        ("nsubj:pass", 0.001)]


@needs_udtools
class TestPunctuation(EditTreebankTest):
    def test_it_is_attached_by_the_rules(self):
        own = BUNDLED.sentences[0]
        word = len(own)
        assert own.upos[-1] == "PUNCT"
        wrong = own.with_heads([*own.heads[:-1], 1])
        self.send(Treebank.from_sentences([wrong]))
        self.widget.attach_punctuation()
        assert self.heads[word - 1] == own.heads[-1]
        self.widget.attach_punctuation()
        assert "by the rules" in self.widget.line.text()
