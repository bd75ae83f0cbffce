"""Search with a beam, and learning with it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from orange_structpred.problems.search.decisions import DecisionEncoder
from orange_structpred.problems.search.policies import LinearPolicy, Policy
from orange_structpred.problems.search.search_problem import (
    Action,
    SearchProblem,
    SearchTooLong,
    Situation,
    State,
)


class Partial(NamedTuple):
    """A sequence of actions, its score, and where it leads."""

    score: float
    state: State
    actions: tuple[Action, ...]


def extend_beam(problem: SearchProblem, x, beam: Sequence[Partial], policy: Policy,
                size: int) -> tuple[list[Partial], bool]:
    """The best sequences that are one action longer, those that have ended as they are;
    and whether all have ended."""
    situations = [Situation(k, x, None, partial.state, tuple(problem.actions(partial.state)))
                  for k, partial in enumerate(beam)]
    open_ = [situation for situation in situations if situation.actions]
    if not open_:
        return list(beam), True
    candidates: list[tuple[float, int, Action | None]] = [
        (beam[situation.number].score, situation.number, None)
        for situation in situations if not situation.actions]
    decisions = policy.encoder.encode(open_, learning=False)
    scores = policy.scores(decisions).tolist()
    position = 0
    for situation in open_:
        before = beam[situation.number].score
        for action in situation.actions:
            candidates.append((before + scores[position], situation.number, action))
            position += 1
    candidates.sort(key=lambda candidate: -candidate[0])
    return [beam[number] if action is None else Partial(
        score, problem.after(beam[number].state, action), (*beam[number].actions, action))
        for score, number, action in candidates[:size]], False


def search_beam(problem: SearchProblem, x, policy: Policy, size: int, max_actions: int
                ) -> list[Partial]:
    """The best complete sequences of actions that a beam finds, the best first."""
    beam, ended = [Partial(0., problem.start(x), ())], False
    for _ in range(max_actions + 1):
        beam, ended = extend_beam(problem, x, beam, policy, size)
        if ended:
            return beam
    raise SearchTooLong(max_actions)


class BeamLearner:
    """MIRA on sequences of actions, with early update (Collins and Roark, 2004).

    Once the right sequence has fallen out of the beam, the best one in the beam and the
    right one are compared, and the rest of the example is left out.

    Parameters
    ----------
    policy : what has been learned greedily; its weights are where learning starts
    size : of the beam
    C : the largest step
    """

    def __init__(self, problem: SearchProblem, policy: LinearPolicy, size: int, C: float,
                 max_actions: int):
        self.problem, self.size, self.C = problem, size, C
        self.max_actions = max_actions
        self.policy = LinearPolicy(policy.encoder, policy.weights.copy(), policy.stride)
        self.late = np.zeros_like(policy.weights)
        self.step = 0

    def restart_average(self) -> None:
        self.late[:], self.step = 0, 0

    def averaged(self) -> LinearPolicy:
        policy = self.policy
        return LinearPolicy(policy.encoder,
                            policy.weights - self.late / max(1, self.step), policy.stride)

    def learn(self, x, y) -> bool:
        """Change the weights by an example; whether the beam was wrong."""
        problem = self.problem
        beam, right = [Partial(0., problem.start(x), ())], Partial(0., problem.start(x), ())
        for _ in range(self.max_actions):
            actions = problem.actions(right.state)
            if not actions:
                break
            right = self.extend_right(x, y, right, tuple(actions))
            beam, _ = extend_beam(problem, x, beam, self.policy, self.size)
            if all(partial.actions != right.actions for partial in beam):
                break
        else:
            if problem.actions(right.state):
                raise SearchTooLong(self.max_actions)
        wrong = beam[0].actions != right.actions
        if wrong:
            self.correct(x, right, beam[0])
        self.step += 1
        return wrong

    def extend_right(self, x, y, right: Partial, actions: tuple[Action, ...]) -> Partial:
        """The right sequence, longer by the oracle's action of the highest score."""
        best = self.problem.best_actions(right.state, y, actions)
        decisions = self.policy.encoder.encode(
            [Situation(0, x, y, right.state, actions)], learning=False)
        scores = dict(zip(actions, self.policy.scores(decisions).tolist()))
        action = max((action for action in actions if action in best),
                     key=scores.__getitem__)
        return Partial(right.score + scores[action], self.problem.take(right.state, action),
                       (*right.actions, action))

    def correct(self, x, right: Partial, wrong: Partial) -> None:
        """The smallest step that puts the right sequence ahead by 1, or C."""
        change: dict[int, float] = {}
        for partial, sign in ((right, 1.), (wrong, -1.)):
            for index, value in sequence_features(
                    self.problem, self.policy.encoder, self.policy.stride, x,
                    partial.actions):
                change[index] = change.get(index, 0.) + sign * value
        indices = np.fromiter(change, np.int64, len(change))
        values = np.fromiter(change.values(), float, len(change))
        norm = float(values @ values)
        if norm == 0:
            return
        self.make_room()
        scale = min(self.C, (1 + wrong.score - right.score) / norm)
        self.policy.weights[indices] += scale * values
        self.late[indices] += scale * self.step * values

    def make_room(self) -> None:
        """Weights for the features that have come up since."""
        policy = self.policy
        missing = policy.encoder.n_features * policy.stride - len(policy.weights)
        if missing > 0:
            # some more, so that this is rarely done
            room = np.zeros(missing + len(policy.weights) // 4)
            policy.weights = np.concatenate([policy.weights, room])
            self.late = np.concatenate([self.late, room])


def sequence_features(problem: SearchProblem, encoder: DecisionEncoder, stride: int, x,
                      actions: Sequence[Action]) -> list[tuple[int, float]]:
    """Indices and values of the features of a sequence of actions."""
    entries: list[tuple[int, float]] = []
    state: Any = problem.start(x)
    for action in actions:
        # in place or not: the state is encoded before the action is taken
        one = encoder.encode([Situation(0, x, None, state, (action,))], learning=True)
        code = int(one.codes[0])
        if code < stride:
            entries.extend(zip((one.numbers * stride + code).tolist(), one.values.tolist()))
        state = problem.take(state, action)
    return entries
