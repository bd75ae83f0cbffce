"""What can be done with words and sentences, with questions where one is needed."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partialmethod

from AnyQt.QtGui import QTextCursor
from AnyQt.QtWidgets import QInputDialog, QLineEdit, QPlainTextEdit, QWidget

from orange_structpred.errors import InputError
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.editing import (
    annotation_state,
    checked_words,
    delete_word,
    fix_punctuation,
    insert_word,
    join_sentences,
    join_words,
    make_multiword,
    remove_multiword,
    set_annotation_state,
    set_checked,
    set_form,
    set_head,
    set_layer,
    split_sentence,
    split_word,
)
from orange_structpred.treebank.editing.annotation_states import DONE, QUESTION, TO_DO
from orange_structpred.treebank.editing.sentence_edits import (
    comment_lines,
    with_comment_lines,
)
from orange_structpred.treebank.text import tokens_of
from orange_structpred.widgets.edit.massediting import MassEditDialog
from orange_structpred.widgets.edit.wordform import FORM

SentenceEdit = Callable[[Sentence], Sentence | Sequence[Sentence]]
LAYER_NAMES = {"lemma": "lemma", "upos": "UPOS", "xpos": "XPOS", "feats": "features",
               "deprel": "relation", FORM: "form"}


class TextQuestion(QInputDialog):
    """Asks for a line of text, or for several lines.

    Parameters
    ----------
    selected : whether the first key takes the place of the text; otherwise one types on
        at its end
    """

    def __init__(self, parent: QWidget, title: str, question: str, text: str, *,
                 several_lines: bool = False, selected: bool = False):
        super().__init__(parent, windowTitle=title)
        self._selected = selected
        self.setLabelText(question)
        if several_lines:
            self.setOption(QInputDialog.UsePlainTextEditForTextInput)
            self.resize(520, 260)
        self.setTextValue(text)

    def showEvent(self, event):
        super().showEvent(event)        # Qt has selected all of the text by now
        if self._selected:
            return
        if lines := self.findChild(QPlainTextEdit):
            lines.moveCursor(QTextCursor.End)
        else:
            self.findChild(QLineEdit).end(False)


class EditCommands:
    """A part of Edit Treebank, which has the sentence, the selected words and `change`."""

    # Heads

    def choose_head(self) -> None:
        """The next click or Enter chooses the head of the selected word."""
        if self.word:
            self.candidate = max(int(self.sentence.heads[self.word - 1]), 0) or self.word
            self.show_selection()

    def attach_to_root(self) -> None:
        self.attach(self.word, 0)

    def attach(self, word: int, head: int, relation: str | None = None) -> None:
        """Give a word another head; its arc is then checked."""
        if not word or word == head:
            return
        shown = "the root" if head == 0 else self.sentence.forms[head - 1]
        self.select_word(word)
        self.change(f"attach {self.sentence.forms[word - 1]} to {shown}",
                    lambda sentence: with_checked(
                        set_head(sentence, word, head, relation), word))

    def confirm(self) -> None:
        if not self.word:
            return
        word, checked = self.word, checked_words(self.sentence)
        self.change("check an arc", lambda sentence: set_checked(
            sentence, checked - {word} if word in checked else checked | {word}))

    # Layers

    def set_value(self, layer: str, value: str) -> None:
        """Another value in a field of the selected word."""
        word = self.word
        if layer == FORM:
            def edit(sentence: Sentence) -> Sentence:
                return set_form(sentence, word, value)
        else:
            def edit(sentence: Sentence) -> Sentence:
                changed = set_layer(sentence, word, layer, value)
                return with_checked(changed, word) if layer == "deprel" else changed
        if not self.change(
                f"change the {LAYER_NAMES[layer]} of {self.sentence.forms[word - 1]}", edit):
            self.show_selection()       # the field has the value that the word has kept

    def edit_layer(self, layer: str) -> None:
        if self.word and self.edited is not None:
            self.word_form.fields[layer].choose()

    edit_deprel = partialmethod(edit_layer, "deprel")
    edit_upos = partialmethod(edit_layer, "upos")
    edit_xpos = partialmethod(edit_layer, "xpos")
    edit_lemma = partialmethod(edit_layer, "lemma")
    edit_feats = partialmethod(edit_layer, "feats")
    edit_form = partialmethod(edit_layer, FORM)

    # Words

    def split_word(self) -> None:
        if not self.word:
            return
        word, form = self.word, self.sentence.forms[self.word - 1]
        text = self.ask("Split Word", "Put a space where the word should be split:", form,
                        select=False)
        if text is None:
            return
        first, _, second = text.strip().partition(" ")
        if not second:
            self.refuse(InputError(f"{form} was not split; put a space where the second "
                                   "word begins"))
            return
        self.change(f"split {form}",
                    lambda sentence: split_word(sentence, word, first, second))

    def join_words(self) -> None:
        first, last = self.selected_words()
        if not first:
            return
        last = max(last, first + 1)
        if self.change("join words", lambda sentence: join_words(sentence, first, last)):
            self.select_word(first)

    def insert_word(self) -> None:
        if self.sentence is None:
            return
        after = self.word
        form = self.ask("Insert Word", "The new word:", "")
        if form is not None and self.change(
                f"insert {form}", lambda sentence: insert_word(sentence, after, form)):
            self.select_word(after + 1)

    def delete_word(self) -> None:
        word = self.word
        if word and self.change(f"delete {self.sentence.forms[word - 1]}",
                                lambda sentence: delete_word(sentence, word)):
            self.select_word(min(word, len(self.sentence)))

    def multiword(self) -> None:
        first, last = self.selected_words()
        if not first:
            return
        token = multiword_of(self.sentence, first)
        if token and token[0] <= first <= last <= token[1]:
            self.change("dissolve a token",
                        lambda sentence: remove_multiword(sentence, first))
            return
        last = min(max(last, first + 1), len(self.sentence))
        form = self.ask("Multiword Token", "How these words are written together:",
                        "".join(self.sentence.forms[first - 1:last]))
        if form is not None:
            self.change(f"write {form} as one token",
                        lambda sentence: make_multiword(sentence, first, last, form))

    # Sentences

    def mark_done(self) -> None:
        if self.sentence is not None and (
                annotation_state(self.sentence) == DONE or self.mark(DONE)):
            self.next_to_do()

    def mark(self, state: str) -> bool:
        return self.change(f"mark as {state}",
                           lambda sentence: set_annotation_state(sentence, state))

    mark_question = partialmethod(mark, QUESTION)
    mark_to_do = partialmethod(mark, TO_DO)

    def split_sentence(self) -> None:
        word = self.word
        if word:
            self.change("split a sentence", lambda sentence: split_sentence(sentence, word))

    def join_sentences(self) -> None:
        index = self.drawn
        if index is None:
            return
        if index + 1 == len(self.edited.sentences):
            self.refuse(InputError("this is the last sentence; there is no next one to "
                                   "join"))
            return
        following = self.edited.sentences[index + 1]
        self.change("join two sentences",
                    lambda sentence: join_sentences(sentence, following), count=2)

    def attach_punctuation(self) -> None:
        if self.sentence is not None and not self.change(
                "attach punctuation", fix_punctuation) and (
                not self.Warning.refused.is_shown()):
            self.line.setText("All punctuation is attached by the rules.")

    def mass_edit(self) -> None:
        """A window with a preview; it stays open while one edits."""
        if self.edited is None:
            return
        if self.mass_dialog is None:
            self.mass_dialog = MassEditDialog(
                lambda: self.sentences, self.change_several, self)
        self.mass_dialog.show()
        self.mass_dialog.raise_()
        self.mass_dialog.preview()

    def edit_comments(self) -> None:
        if self.sentence is None:
            return
        dialog = TextQuestion(
            self, "Comments", "Comments of the sentence, one per line:",
            "".join(f"{line}\n" for line in comment_lines(self.sentence)),
            several_lines=True)
        if dialog.exec():
            lines = dialog.textValue().split("\n")
            self.change("change the comments",
                        lambda sentence: with_comment_lines(sentence, lines))

    def ask(self, title: str, question: str, text: str, *, select: bool = True
            ) -> str | None:
        """What a person types; None if she cancels.

        select : whether the first key takes the place of the text
        """
        dialog = TextQuestion(self, title, question, text, selected=select)
        return dialog.textValue() if dialog.exec() else None


def with_checked(sentence: Sentence, word: int) -> Sentence:
    """One more checked word; in a sentence that is done, all of them are."""
    checked = checked_words(sentence)
    return sentence if word in checked else set_checked(sentence, checked | {word})


def multiword_of(sentence: Sentence, word: int) -> tuple[int, int] | None:
    """The first and the last word of the multiword token that a word belongs to."""
    first = 1
    for token in tokens_of(sentence):
        last = first + len(token.words) - 1
        if word <= last:
            return (first, last) if last > first else None
        first = last + 1
    return None
