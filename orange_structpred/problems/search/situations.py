"""Many searches side by side: the next decisions of all of them are made at once."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from orange_structpred.problems.search.search_problem import (
    Action,
    SearchProblem,
    SearchTooLong,
    State,
)


class Situation(NamedTuple):
    """A state in which something has to be decided.

    number : of the search among those that are made side by side
    """

    number: int
    x: Any
    y: Any
    state: State
    actions: tuple[Action, ...]


#: Chooses an action in each of some situations
Choose = Callable[[Sequence[Situation]], Iterable[Action]]


def follow(problem: SearchProblem, searches: Sequence[tuple[Any, Any, State]],
           choose: Choose, max_actions: int,
           taken: Sequence[list[Action]] | None = None) -> list[State]:
    """The last states of searches in which actions are chosen.

    Where only one action is allowed, it is taken without a choice.

    searches : input, true output (None if unknown) and first state of each; the states
        are not used any more
    taken : a list per search, to which its actions are added
    """
    states = [state for _, _, state in searches]
    active: Sequence[int] = range(len(states))
    for _ in range(max_actions):
        going, situations = [], []
        for number in active:
            state = states[number]
            actions = problem.actions(state)
            if not actions:
                continue
            going.append(number)
            if len(actions) == 1:
                (action,) = actions
                states[number] = problem.take(state, action)
                if taken is not None:
                    taken[number].append(action)
            else:
                x, y, _ = searches[number]
                situations.append(Situation(number, x, y, state, tuple(actions)))
        if situations:
            for situation, action in zip(situations, choose(situations)):
                states[situation.number] = problem.take(situation.state, action)
                if taken is not None:
                    taken[situation.number].append(action)
        if not going:
            return states
        active = going
    if any(problem.actions(states[number]) for number in active):
        raise SearchTooLong(max_actions)
    return states
