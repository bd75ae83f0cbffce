"""Decisions as arrays: what can be done in some states, and the features of it."""
from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.problems.search.search_problem import (
    Action,
    SearchProblem,
    Situation,
)
from orange_structpred.running.compiler import njit

MOST_KNOWN = 1000       # tuples of actions whose codes are kept


class Decisions(NamedTuple):
    """Candidates of some decisions.

    The features of candidate c are those of list lists[c]; feature f has the weight
    f * stride + codes[c]. Where states have the features, the candidates of a decision
    share a list, and the code is that of the action. Otherwise each has its own, and the
    code is 0.

    firsts : int64; the candidates of decision i are firsts[i] to firsts[i + 1]
    lists, codes : int64, one per candidate
    starts : int64; the features of list k are starts[k] to starts[k + 1]
    numbers, values : int64 and float64, of features; the number -1 is no feature
    """

    firsts: np.ndarray
    lists: np.ndarray
    codes: np.ndarray
    starts: np.ndarray
    numbers: np.ndarray
    values: np.ndarray

    @property
    def n_decisions(self) -> int:
        return len(self.firsts) - 1


class DecisionEncoder:
    """Gives numbers to the features and actions of a problem."""

    def __init__(self, problem: SearchProblem):
        self.problem = problem
        self.shared = problem.has_state_features
        self.numbers: dict[Hashable, int] = {}
        self.codes: dict[Action, int] = {}
        self._known_actions: dict[tuple[Action, ...], np.ndarray] = {}
        self._last_actions: tuple[tuple[Action, ...], np.ndarray] = (), np.zeros(0, np.int64)

    @property
    def n_features(self) -> int:
        return len(self.numbers)

    @property
    def stride(self) -> int:
        return max(1, len(self.codes)) if self.shared else 1

    def encode(self, situations: Sequence[Situation], *, learning: bool) -> Decisions:
        """The candidates of situations; new features get numbers where one learns."""
        problem, shared = self.problem, self.shared
        counts: list[int] = []
        codes: list[np.ndarray] = []
        ends: list[int] = [0]
        numbers: list[int] = []
        values: list[float] = []
        for _, x, _, state, actions in situations:
            counts.append(len(actions))
            if shared:
                self.append(problem.state_features(x, state), numbers, values, learning)
                ends.append(len(numbers))
                codes.append(self.action_codes(actions, learning))
            else:
                for action in actions:
                    self.append(problem.features(x, state, action), numbers, values,
                                learning)
                    ends.append(len(numbers))
        firsts = starts_of(counts)
        lists = np.repeat(np.arange(len(counts)), counts) if shared \
            else np.arange(firsts[-1])
        value_array = np.array(values, dtype=float)
        if not np.isfinite(value_array).all():
            raise InputError(f"a feature of {type(problem).__name__} has a value that is "
                             "not a finite number")
        return Decisions(
            firsts, lists, np.concatenate(codes) if codes else np.zeros(len(lists), np.int64),
            np.array(ends), np.array(numbers, dtype=np.int64), value_array)

    def action_codes(self, actions: tuple[Action, ...], learning: bool) -> np.ndarray:
        """The codes of actions, -1 for those that are not known."""
        if actions is self._last_actions[0]:        # hash values of tuples take long
            return self._last_actions[1]
        known = self._known_actions.get(actions)
        if known is not None:
            self._last_actions = actions, known
            return known
        if learning:
            for action in actions:
                self.codes.setdefault(action, len(self.codes))
        codes = np.array([self.codes.get(action, -1) for action in actions])
        # most states allow the same actions, and codes never change
        if len(self._known_actions) < MOST_KNOWN and (codes >= 0).all():
            self._known_actions[actions] = codes
        return codes

    def append(self, features, numbers: list[int], values: list[float], learning: bool
               ) -> None:
        """Add the numbers and values of features to lists."""
        known = self.numbers
        if learning:
            numbers.extend([known.setdefault(name, len(known)) for name in features])
        else:
            numbers.extend(map(known.get, features, repeat(-1)))
        if type(features) is not list and isinstance(features, Mapping):
            values.extend(features.values())
        else:
            values.extend(repeat(1., len(numbers) - len(values)))


def starts_of(counts: Sequence[int]) -> np.ndarray:
    """Where each of some pieces begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def concatenate_decisions(parts: Sequence[Decisions]) -> Decisions:
    """All decisions, one after the other."""
    def shifted(name: str, sizes: Sequence[int]) -> np.ndarray:
        """Positions, after those of the parts before; the first 0 once."""
        begins = starts_of(sizes)
        return np.concatenate([[0], *(getattr(part, name)[1:] + begin
                                      for part, begin in zip(parts, begins))])

    if not parts:
        nothing = np.zeros(0, np.int64)
        return Decisions(np.zeros(1, np.int64), nothing, nothing, np.zeros(1, np.int64),
                         nothing, np.zeros(0))
    lists_before = starts_of([len(part.starts) - 1 for part in parts])
    return Decisions(
        shifted("firsts", [len(part.lists) for part in parts]),
        np.concatenate([part.lists + begin for part, begin in zip(parts, lists_before)]),
        np.concatenate([part.codes for part in parts]),
        shifted("starts", [len(part.numbers) for part in parts]),
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.values for part in parts]))


@njit(nogil=True, cache=True)
def score_candidates(lists, codes, starts, numbers, values, weights, stride, first, last):
    """<w, phi> of candidates first..last - 1; unknown features and actions add nothing."""
    scores = np.zeros(last - first)
    n_features = weights.size // stride
    begin = first
    while begin < last:         # candidates with one list: their weights are neighbours
        end = begin + 1
        while end < last and lists[end] == lists[begin]:
            end += 1
        for k in range(starts[lists[begin]], starts[lists[begin] + 1]):
            if not 0 <= numbers[k] < n_features:
                continue
            row = numbers[k] * stride
            for candidate in range(begin, end):
                if 0 <= codes[candidate] < stride:
                    scores[candidate - first] += values[k] * weights[row + codes[candidate]]
        begin = end
    return scores


@njit(nogil=True, cache=True)
def best_candidates(scores, firsts):
    """The candidate with the highest score of each decision, the first of several, as
    its position among the decision's candidates."""
    best = np.zeros(firsts.size - 1, np.int64)
    for i in range(best.size):
        for candidate in range(firsts[i], firsts[i + 1]):
            if scores[candidate] > scores[firsts[i] + best[i]]:
                best[i] = candidate - firsts[i]
    return best


@njit(nogil=True, cache=True)
def add_candidate(lists, codes, starts, numbers, values, candidate, stride, vector,
                  scale):
    """Add scale * phi of a candidate to a vector."""
    features = lists[candidate]
    for k in range(starts[features], starts[features + 1]):
        if numbers[k] >= 0:
            vector[numbers[k] * stride + codes[candidate]] += scale * values[k]


@njit(nogil=True, cache=True)
def take_norm(lists, codes, starts, numbers, candidate, stride, vector):
    """The squared norm of a vector at the features of a candidate, which become 0."""
    total = 0.
    features = lists[candidate]
    for k in range(starts[features], starts[features + 1]):
        if numbers[k] >= 0:
            index = numbers[k] * stride + codes[candidate]
            total += vector[index] ** 2
            vector[index] = 0
    return total


@njit(nogil=True, cache=True)
def learn_decisions(order, firsts, lists, codes, starts, numbers, values, costs, weights,
                    late, room, stride, C, begin, step):
    """MIRA on decisions in an order: the best of the cheapest candidates shall be ahead of
    each other one by as much as this costs more. Returns the number of steps so far.

    late : gathers what the average over the steps after `begin` needs
    room : zeros, as many as there are weights
    """
    for i in order:
        first, last = firsts[i], firsts[i + 1]
        scores = score_candidates(lists, codes, starts, numbers, values, weights, stride,
                                  first, last)
        least = costs[first:last].min()
        best = rival = -1
        for k in range(last - first):
            if costs[first + k] == least and (best < 0 or scores[k] > scores[best]):
                best = k
            if rival < 0 or scores[k] + costs[first + k] > (
                    scores[rival] + costs[first + rival]):
                rival = k
        margin = costs[first + rival] - least
        hinge = margin + scores[rival] - scores[best]
        if margin > 0 and hinge > 0:
            for candidate, sign in ((first + best, 1.), (first + rival, -1.)):
                add_candidate(lists, codes, starts, numbers, values, candidate, stride,
                              room, sign)
            norm = take_norm(lists, codes, starts, numbers, first + best, stride, room)
            norm += take_norm(lists, codes, starts, numbers, first + rival, stride, room)
            change = min(C, hinge / norm) if norm > 0 else 0.
            for candidate, sign in ((first + best, change), (first + rival, -change)):
                add_candidate(lists, codes, starts, numbers, values, candidate, stride,
                              weights, sign)
                add_candidate(lists, codes, starts, numbers, values, candidate, stride,
                              late, sign * (step - begin))
        step += 1
    return step
