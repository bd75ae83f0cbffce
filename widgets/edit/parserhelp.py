"""What a parser does for an annotator, in threads."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.parser import Parser, complete_tree
from orange_structpred.pipeline import Pipeline
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.editing import (
    SentenceChange,
    annotation_state,
    checked_words,
    with_checked_heads,
)
from orange_structpred.treebank.editing.annotation_states import DONE
from orange_structpred.treebank.editing.suggestions import SMALLEST_SHARE, Suggestion
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.phrases import sentence as as_sentence
from orange_structpred.widgets.edit.tasks import EditorTask, SharedBar


def suggest_tree(parser: Parser, pipeline: Pipeline | None, sentence: Sentence,
                 state: TaskState) -> Sentence:
    """The sentence with the best tree around the arcs that a person has checked."""
    with recorded_warnings():
        if pipeline is not None:
            sentence = pipeline.annotate([sentence], observed_by(state))[0]
        return complete_tree(parser, sentence, checked_words(sentence))


def lacks_tree(sentence: Sentence) -> bool:
    """Whether no head is known."""
    return bool(sentence.heads[0] < 0 and sentence.heads.max() < 0)


def missing_trees(parser: Parser, pipeline: Pipeline | None,
                  sentences: Sequence[Sentence], state: TaskState
                  ) -> list[SentenceChange]:
    """Trees for the sentences that have no heads."""
    numbers = [i for i, sentence in enumerate(sentences) if lacks_tree(sentence)]
    bare = [sentences[i] for i in numbers]
    with recorded_warnings():
        parsed = parser.parse(bare, observed_by(state)) if pipeline is None \
            else pipeline.annotate(bare, observed_by(state))
    return [SentenceChange(i, (old,), (new,))
            for i, old, new in zip(numbers, bare, parsed)]


def doubts(parser: Parser, pipeline: Pipeline | None, sentences: Collection[Sentence],
           state: TaskState) -> dict[tuple[str, ...], float]:
    """The doubt about each sentence, by its words."""
    sentences = list(sentences)
    with recorded_warnings():
        if pipeline is not None:        # the parser needs tags
            sentences = pipeline.annotate(sentences, observed_by(state))
        prediction = parser.predict(sentences, probabilities=True,
                                    progress=observed_by(state))
    return {tuple(sentence.forms): float(value)
            for sentence, value in zip(sentences, prediction.doubts())}


def learn_from(parser: Parser, sentences: Sequence[Sentence], state: TaskState
               ) -> tuple[Parser, list[Sentence]]:
    """A copy of the parser that has learned from sentences, and these."""
    with recorded_warnings():
        return copy(parser).partial_fit(sentences), list(sentences)


class RelationQuestion(NamedTuple):
    """Which relations a word may have in its tree."""

    parser: Parser
    sentence: Sentence
    word: int


def weigh_relations(question: RelationQuestion, state: TaskState
                    ) -> tuple[RelationQuestion, dict[str, float]]:
    """The question, and the probability of each relation."""
    parser, sentence, word = question
    with recorded_warnings():
        return question, parser.relation_probabilities(sentence, word,
                                                       heads=sentence.heads)


def probable_first(shares: Mapping[str, float], counted: Sequence[Suggestion]
                   ) -> list[Suggestion]:
    """Values in the order of a parser's probabilities; those of which it thinks next to
    nothing in the order of counts."""
    probable = [value for value, share in shares.items() if share >= SMALLEST_SHARE]
    values = dict.fromkeys([*probable, *(count.value for count in counted), *shares])
    return [Suggestion(value, shares.get(value, 0.)) for value in values]


class AnnotatorHelp:
    """A part of Edit Treebank: what it does with a parser.

    suggestion : the sentence that is drawn with the tree of the parser, until it is taken
    """

    def set_up_help(self) -> None:
        self.connected_parser: Parser | None = None
        self.learned_parser: Parser | None = None       # after corrections
        self._learned: set[Sentence] = set()
        self.pipeline: Pipeline | None = None
        self.suggestion: Sentence | None = None
        self._doubts: dict[tuple[str, ...], float] = {}
        self._doubted_by: Parser | None = None
        self.suggesting = EditorTask("parsing a sentence", self)
        self.suggesting.finished.connect(self._on_suggestion)
        self.bar = SharedBar(self)
        self.filling = EditorTask("parsing sentences", self, self.bar)
        self.filling.finished.connect(self._on_trees)
        self.doubting = EditorTask("computing probabilities", self, self.bar)
        self.doubting.finished.connect(self._on_doubts)
        self.learning = EditorTask("learning from corrections", self, self.bar)
        self.learning.finished.connect(self._on_learned)
        self._shares: tuple[RelationQuestion, dict[str, float]] | None = None
        self.weighing = EditorTask("computing probabilities of relations", self)
        self.weighing.finished.connect(self._on_shares)
        self.tasks = (self.suggesting, self.filling, self.doubting, self.learning,
                      self.weighing)
        for task in self.tasks:
            task.failed.connect(self.on_task_failure)

    @property
    def parser(self) -> Parser | None:
        if self.learned_parser is not None:
            return self.learned_parser
        if self.connected_parser is not None:
            return self.connected_parser
        return self.pipeline.parser if self.pipeline is not None else None

    def show_parser(self) -> None:
        """Another parser, or none."""
        self.learning.cancel()
        self.learned_parser, self._learned = None, set()
        self.Warning.parser.clear()
        self.drop_suggestion()
        self.Information.not_calibrated(
            shown=self.parser is not None and not self.parser.calibrated)
        self.doubt_all()
        self.draw()

    def on_task_failure(self, text: str) -> None:
        self.Warning.parser(as_sentence(text))

    # Suggestions for the sentence that is drawn

    def parse_rest(self) -> None:
        if self.parser is not None and self.sentence is not None:
            self.Warning.parser.clear()
            self.suggesting.start(suggest_tree, self.parser, self.pipeline, self.sentence)
            self.line.setText("The parser is at work…")

    def parse_if_wanted(self) -> None:
        if self.parse_at_once and annotation_state(self.sentence) != DONE:
            self.parse_rest()

    def _on_suggestion(self, suggestion: Sentence) -> None:
        if self.sentence is None or suggestion.forms != self.sentence.forms:
            return
        if suggestion == self.sentence:
            self.line.setText("The parser would change nothing.")
            return
        self.suggestion = suggestion
        self.draw()

    def drop_suggestion(self) -> None:
        self.suggesting.cancel()
        self.suggestion = None

    def accept_suggestion(self) -> None:
        """Take all that is suggested."""
        suggestion = self.suggestion
        if suggestion is not None:
            self.change("accept the parser's tree", lambda sentence: suggestion)

    def accept_arc(self, word: int) -> None:
        """Take one suggested arc."""
        if self.suggestion is not None:
            self.attach(word, int(self.suggestion.heads[word - 1]),
                        self.suggestion.deprels[word - 1])

    # Relations

    def suggest_values(self, word: int, layer: str) -> list[Suggestion]:
        """Values of a layer, the most probable first: of relations by the parser, if
        there is one, of all else by what words like this one have."""
        sentence = self.sentence
        counted = self.counts.suggest(sentence, word, layer)
        if layer != "deprel" or self.parser is None or self.parser.relations is None \
                or not sentence.has_heads:
            return counted
        question = RelationQuestion(self.parser, sentence, word)
        if self._shares is None or self._shares[0] != question:
            self.weighing.start(weigh_relations, question)
            return counted
        return probable_first(self._shares[1], counted)

    def _on_shares(self, answer: tuple[RelationQuestion, dict[str, float]]) -> None:
        """The parser's probabilities take the place of counts, if they are still
        wanted."""
        self._shares = question, _ = answer
        if question == RelationQuestion(self.parser, self.sentence, self.word):
            self.word_form.show_suggestions("deprel",
                                            self.suggest_values(self.word, "deprel"))

    # Learning from corrections

    def learn_further(self) -> None:
        """Let the parser learn from what was set and confirmed since the last time."""
        if self.parser is None or self.edited is None:
            return
        corrected = [with_checked_heads(sentence) for sentence in self.edited.sentences
                     if checked_words(sentence)]
        new = [key for key in dict.fromkeys(corrected) if key not in self._learned]
        self.Warning.parser.clear()
        if new:
            self.learning.start(learn_from, self.parser, new)
        else:
            self.line.setText("There are no corrections yet that the parser could learn "
                              "from. Mark sentences as done, or confirm arcs.")

    def _on_learned(self, result: tuple[Parser, list[Sentence]]) -> None:
        self.learned_parser, sentences = result
        self._learned.update(sentences)
        self.drop_suggestion()
        self.doubt_all()
        self.draw()
        self.line.setText(f"The parser has learned from "
                          f"{plural(len(sentences), 'sentence', 'sentences')}.")
        self.Outputs.parser.send(self.learned_parser)

    # Trees for all sentences without heads

    def preannotate(self) -> None:
        if self.parser is not None and self.edited is not None:
            self.Warning.parser.clear()
            self.filling.start(missing_trees, self.parser, self.pipeline,
                               list(self.sentences))

    def _on_trees(self, changes: list[SentenceChange]) -> None:
        if changes and self.edited is not None:
            self.change_several("fill in missing trees", changes)

    # Doubt

    def doubt_all(self) -> None:
        """Compute the doubt of sentences for which it is not known."""
        if self.parser is None or not self.parser.calibrated:
            self.doubting.cancel()
            self._doubts, self._doubted_by = {}, None
            self.show_doubts()
            return
        if self._doubted_by is not self.parser:
            self._doubts, self._doubted_by = {}, self.parser
        unknown = [sentence for sentence in self.sentences
                   if tuple(sentence.forms) not in self._doubts]
        if unknown:
            self.doubting.start(doubts, self.parser, self.pipeline, unknown)
        else:
            self.show_doubts()

    def _on_doubts(self, computed: dict[tuple[str, ...], float]) -> None:
        self._doubts.update(computed)
        self.show_doubts()

    def show_doubts(self) -> None:
        values = np.array([self._doubts.get(tuple(sentence.forms), np.nan)
                           for sentence in self.sentences]) if self._doubts else None
        is_known = values is not None and not np.isnan(values).all()
        self.pane.set_doubts(values if is_known else None)

    def why_no_doubt(self) -> str:
        if self.doubting.task is not None:
            return "The doubts are still being computed. Press N for the next sentence."
        if self.parser is not None and self.parser.calibrated:
            return "All sentences are done."
        return ("Doubt needs a calibrated parser. Connect one, or press N for the next "
                "sentence.")

    def end_help(self) -> None:
        for task in self.tasks:
            task.shutdown()
