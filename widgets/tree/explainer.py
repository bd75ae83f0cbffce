"""Asks a parser about edges, in the background."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QObject, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.parser import Parser
from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.parsing.relations.relation_explanation import RelationExplanation
from orange_structpred.treebank import Sentence
from orange_structpred.widgets.common.background import Background, check_wanted
from orange_structpred.widgets.common.failures import failure_text

HOVER_DELAY = 60        # milliseconds with a token before the parser is asked
LONG_SENTENCE = 400              # tokens; of longer sentences not all edges are scored


class Question(NamedTuple):
    """A token of a sentence, and the heads in question.

    tree : heads of the sentence, among which siblings and so on are found
    relation : the one in question; None if it is not
    rival : the relation that it is to be compared with, if that is another one
    words : whether the words on which a net depends are in question
    """

    sentence: Sentence
    token: int
    heads: tuple[int, ...]
    tree: tuple[int, ...] | None = None
    relation: str | None = None
    rival: str = ""
    words: bool = False


class Answer(NamedTuple):
    """What a parser thinks of edges.

    probabilities : of all edges of the sentence, [head, dependent]; None if it is long, or
        if the parser does not know how sure it is
    contributions : for the edges from the heads in question, by the head
    relation : why the token has its relation, if that is in question
    words : on which words the net depends, by the head, if that is in question
    """

    probabilities: np.ndarray | None
    contributions: dict[int, Sequence[Contribution]]
    relation: RelationExplanation | None = None
    words: Mapping[int, Sequence[Contribution]] = MappingProxyType({})


def answer(parser: Parser, question: Question, known: Answer | None,
           state: TaskState) -> Answer:
    """Runs in a thread. known : the answer to another question about the sentence"""
    contributions = {}
    for head in question.heads:
        check_wanted(state)
        contributions[head] = parser.explain(
            question.sentence, head, question.token, question.tree)
    relation = explained_relation(parser, question)
    words = {}
    if question.words and parser.net is not None:
        words = {head: parser.explain_net(
            question.sentence, head, question.token,
            progress=lambda *_: check_wanted(state)) for head in question.heads}
    if known is not None:
        return known._replace(contributions=contributions, relation=relation, words=words)
    probabilities = None
    if parser.calibrated \
            and len(question.sentence) <= min(LONG_SENTENCE, parser.longest):
        check_wanted(state)
        probabilities = parser.edge_probabilities(question.sentence)
    return Answer(probabilities, contributions, relation, words)


def explained_relation(parser: Parser, question: Question) -> RelationExplanation | None:
    """What favours the relation over its rival, as far as the parser knows the two."""
    if question.relation is None or parser.relations is None:
        return None
    known = [name for name in (question.relation, question.rival)
             if name in parser.relations.names]
    return parser.explain_relation(
        question.sentence, question.token, heads=question.tree,
        **dict(zip(("relation", "rival"), known)))


class Explainer(QObject, Background):
    """Answers one question at a time, the last that was asked; remembers answers.

    Not a BackgroundWidget of the widget: to look at an arc must neither show
    progress nor make what is connected to the widget wait.

    answered : a question that was asked before has its answer
    failed : what the parser says instead
    """

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None):
        QObject.__init__(self, parent)
        Background.__init__(self)
        self.parser: Parser | None = None
        self.question: Question | None = None
        self._answers: dict[Question, Answer] = {}
        # The mouse may only be on its way to another token.
        self._rest = QTimer(self, singleShot=True, interval=HOVER_DELAY)
        self._rest.timeout.connect(self._start)

    def set_parser(self, parser: Parser | None) -> None:
        self.drop()
        self.parser = parser
        self._answers = {}

    def drop(self) -> None:
        """Let go of the question in hand."""
        self._rest.stop()
        self.cancel()
        self.question = None

    def ask(self, question: Question) -> Answer | None:
        """The answer, if there is one already; else `answered` will tell."""
        if self.parser is None:
            return None
        if question in self._answers:
            self.drop()
            return self._answers[question]
        if question != self.question:
            self.drop()
            self.question = question
            self._rest.start()
        return None

    def _start(self) -> None:
        known = next((answer for asked, answer in self._answers.items()
                      if asked.sentence is self.question.sentence), None)
        self.start(answer, self.parser, self.question, known)

    def on_done(self, result: Answer) -> None:
        question, self.question = self.question, None
        self._answers[question] = result
        self.answered.emit(question)

    def on_exception(self, error: Exception) -> None:
        self.question = None
        self.failed.emit(failure_text("explaining an edge", error))

    def shutdown(self) -> None:
        self._rest.stop()
        super().shutdown()
