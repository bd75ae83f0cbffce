"""Asks a parser about edges, in the background."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QObject, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.parser import Parser
from orange_structpred.parsing.contributions import Contribution
from orange_structpred.treebank import Sentence
from orange_structpred.widgets.common.background import Background

REST = 60               # milliseconds with a token before the parser is asked
LONG = 400              # tokens; of longer sentences not all edges are scored


class Question(NamedTuple):
    """A token of a sentence, and the heads in question."""

    sentence: Sentence
    token: int
    heads: tuple[int, ...]


class Answer(NamedTuple):
    """What a parser thinks of edges.

    scores, probabilities : of all edges of the sentence, [head, dependent]; None if it
        is long
    contributions : for the edges from the heads in question, by the head
    """

    scores: np.ndarray | None
    probabilities: np.ndarray | None
    contributions: dict[int, Sequence[Contribution]]


def answer(parser: Parser, question: Question, known: Answer | None,
           state: TaskState) -> Answer | None:
    """Runs in a thread. known : the answer to another question about the sentence"""
    contributions = {}
    for head in question.heads:
        if state.is_interruption_requested():
            return None
        contributions[head] = parser.explain(question.sentence, head, question.token)
    if known is not None:
        return known._replace(contributions=contributions)
    if len(question.sentence) > min(LONG, parser.longest) \
            or state.is_interruption_requested():
        return Answer(None, None, contributions)
    return Answer(parser.edge_scores(question.sentence),
                  parser.edge_probabilities(question.sentence), contributions)


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
        self._rest = QTimer(self, singleShot=True, interval=REST)
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
        known = next((found for asked, found in self._answers.items()
                      if asked.sentence is self.question.sentence), None)
        self.start(answer, self.parser, self.question, known)

    def on_partial_result(self, result) -> None:
        """There is none."""

    def on_done(self, result: Answer) -> None:
        question, self.question = self.question, None
        self._answers[question] = result
        self.answered.emit(question)

    def on_exception(self, ex: Exception) -> None:
        self.question = None
        self.failed.emit(str(ex))

    def shutdown(self) -> None:
        self._rest.stop()
        super().shutdown()
