"""Which words are selected, and which word is about to get another head."""
from __future__ import annotations

from functools import partialmethod
from html import escape

from orange_structpred.treebank.tree_layout import isolated
from orange_structpred.widgets.tree.token import DOT, LEFT_TO_RIGHT, word_html

NO_CANDIDATE = -1


class WordSelection:
    """A part of Edit Treebank.

    word : the selected one, 0 for none
    anchor : where the selection of several words begins
    candidate : the word that Enter makes the head of the selected one; NO_CANDIDATE while
        no head is being chosen
    """

    def set_up_selection(self) -> None:
        self.word = self.anchor = 0
        self.candidate = NO_CANDIDATE

    def connect_scene(self) -> None:
        self.scene.word_clicked.connect(self._on_word)
        self.scene.arc_clicked.connect(self._on_arc)
        self.scene.suggested_clicked.connect(self.accept_arc)
        self.scene.root_clicked.connect(self.attach_to_root)
        self.scene.head_dragged.connect(self.attach)

    def selected_words(self) -> tuple[int, int]:
        """The first and the last selected word; zeros if there is none."""
        first, last = sorted((self.word, self.anchor or self.word))
        return (first, last) if self.word else (0, 0)

    def select_word(self, word: int, *, extend: bool = False) -> None:
        if not extend:
            self.anchor = word
        self.word, self.candidate = word, NO_CANDIDATE
        self.show_selection()

    def _on_word(self, word: int, extend: bool) -> None:
        self.view.setFocus()
        if extend and self.word:
            self.select_word(word, extend=True)
        elif self.candidate == NO_CANDIDATE:
            self.select_word(word)
            self.choose_head()
        elif word == self.word:
            self.select_word(0)
        else:
            self.attach(self.word, word)

    def _on_arc(self, word: int) -> None:
        self.select_word(word)
        self.edit_deprel()

    def _step(self, step: int, *, extend: bool = False) -> None:
        """To the next word, or to the next candidate while a head is chosen."""
        if self.sentence is None:
            return
        if self.scene.right_to_left:
            step = -step
        n = len(self.sentence)
        if self.candidate != NO_CANDIDATE and not extend:
            self.candidate = (self.candidate - 1 + step) % n + 1
            self.show_selection()
            self.view.show_word(self.candidate)
            return
        word = (max(self.word, step < 0) - 1 + step) % n + 1
        self.select_word(word, extend=extend and bool(self.word))
        self.view.show_word(word)

    previous_word = partialmethod(_step, -1)
    next_word = partialmethod(_step, 1)
    extend_left = partialmethod(_step, -1, extend=True)
    extend_right = partialmethod(_step, 1, extend=True)

    def on_enter(self) -> None:
        """Take the candidate, or what is suggested; else choose a head."""
        if self.candidate != NO_CANDIDATE:
            if self.candidate == self.word:
                self.select_word(self.word)
            else:
                self.attach(self.word, self.candidate)
        elif self.suggestion is not None:
            self.accept_suggestion()
        else:
            self.choose_head()

    def on_escape(self) -> None:
        """Let go of the last thing that was begun."""
        if self.candidate != NO_CANDIDATE:
            self.select_word(self.word)
        elif self.suggestion is not None:
            self.drop_suggestion()
            self.draw()
        elif self.word:
            self.select_word(0)

    def show_selection(self) -> None:
        sentence = self.sentence
        if sentence is None or self.word > len(sentence):
            self.set_up_selection()
        word = self.word
        first, last = self.selected_words()
        others = set(range(first, last + 1)) - {word} if word else set()
        if word and self.candidate != NO_CANDIDATE:
            others = {self.candidate} - {word}
        elif word and not others:
            others = {max(int(sentence.heads[word - 1]), 0)}
        if sentence is not None:
            self.scene.focus_token(word, others)
        self.line.setText("" if sentence is None else self._line())
        self.word_form.show_word(
            sentence, word if self.edited is not None else 0,
            lambda layer: self.suggest_values(word, layer))

    def _line(self) -> str:
        sentence, word = self.sentence, self.word
        if self.edited is None:
            return "Nothing can be changed now."
        if self.suggestion is not None and self.candidate == NO_CANDIDATE:
            return ("Press A to accept the suggestion, or click one of its arcs; Esc "
                    "rejects it.")
        if not word:
            return "Click a word, then its new head, or drag it there (F1 lists the keys)."
        name = word_html(sentence, word)
        if self.candidate != NO_CANDIDATE:
            chosen = "" if self.candidate == word else (
                f"{DOT}Enter takes {word_html(sentence, self.candidate)}")
            return (f"Click the new head of {name}, or the root; arrow keys go to it, "
                    f"Esc cancels{chosen}")
        head = int(sentence.heads[word - 1])
        if head < 0:
            return f"{LEFT_TO_RIGHT}{name} has no head yet"
        relation = escape(isolated(sentence.deprels[word - 1]))
        return f"{LEFT_TO_RIGHT}{name}{DOT}head {word_html(sentence, head)} ({relation})"
