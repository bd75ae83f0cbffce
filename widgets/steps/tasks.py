"""What Learning Steps does in threads: the first time, functions are compiled."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.parser import Parser
from orange_structpred.svm.steps import PlaneSteps
from orange_structpred.teaching import (
    OneWeight,
    ParserSteps,
    TransitionStep,
    TreeStep,
    transition_steps,
)
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common.background import check_wanted
from orange_structpred.widgets.steps.riskplot import risk_curve


class Walk(NamedTuple):
    """A parser led by hand, and the steps that it has taken.

    shown : the last step, or what the next one would begin with
    done : whether it is the last step
    parser : a transition-based one, if there is one
    transitions : what it does with the sentence that is shown
    """

    steps: ParserSteps
    taken: list[TreeStep]
    shown: TreeStep
    done: bool
    parser: Parser | None = None
    transitions: Sequence[TransitionStep] = ()

    def showing(self, shown: TreeStep, done: bool) -> Walk:
        """The same with another sentence."""
        transitions = () if self.parser is None else transition_steps(
            self.parser, self.steps.sentences[shown.sentence])
        return self._replace(shown=shown, done=done, transitions=transitions)


class Risk(NamedTuple):
    """A problem with one weight, its curve, and the rounds so far."""

    feature: str
    problem: OneWeight
    risks: np.ndarray
    steps: PlaneSteps
    seen: list[float]


def begin(treebank: Treebank, solver: str, C: float, history: Sequence[int],
          sentence: int, feature: str, parser: Parser | None, state: TaskState
          ) -> tuple[Walk, Risk]:
    """Prepare both problems, and take the steps of a saved workflow again."""
    steps = ParserSteps(treebank, solver, C)
    taken = []
    for done, i in enumerate(history):
        check_wanted(state)
        state.set_progress_value(100 * done / len(history))
        taken.append(steps.step(i))
    again = bool(taken) and taken[-1].sentence == sentence
    shown = taken[-1] if again else steps.preview(sentence)
    return (Walk(steps, taken, shown, again, parser).showing(shown, again),
            begin_risk(treebank, feature, C, state))


def begin_risk(treebank: Treebank, feature: str, C: float, state: TaskState) -> Risk:
    problem = OneWeight(treebank, feature)
    return Risk(feature, problem, risk_curve(problem), PlaneSteps(problem, C), [])


def walk_on(walk: Walk, sentences: Sequence[int], state: TaskState) -> Walk:
    """Take a step with each of these sentences."""
    taken = list(walk.taken)
    for number, i in enumerate(sentences):
        check_wanted(state)
        state.set_progress_value(100 * number / len(sentences))
        taken.append(walk.steps.step(i))
    return walk._replace(taken=taken).showing(taken[-1], True)


def look_at_sentence(walk: Walk, sentence: int, state: TaskState) -> Walk:
    """Show what a step with another sentence would begin with."""
    return walk.showing(walk.steps.preview(sentence), False)


def cut_on(risk: Risk, state: TaskState) -> Risk:
    """One more cutting plane."""
    before = float(risk.steps.model.weights()[0])
    planes = len(risk.steps.planes)
    risk.steps.step()
    new = len(risk.steps.planes) > planes
    return risk._replace(seen=[*risk.seen, before] if new else risk.seen)
