"""What a user says of outputs that are built by decisions, what is checked of it, and the
search."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from orange_structpred.errors import InputError

State = Any
Action = Hashable
#: Names of features, or their values by name
Features = Iterable[Hashable] | Mapping[Hashable, float]


class SearchProblem(ABC):
    """Outputs that are built by a sequence of actions, each chosen in a state.

    Define `start`, `actions`, `take` and `loss`; one of `features` and `state_features`;
    `output`, if a last state is not the output itself; and `oracle`, if the best action
    is known where the true output is.
    """

    #: whether `take` changes the state that it is given; states are then copied where
    #: several actions are tried
    in_place = False

    @abstractmethod
    def start(self, x) -> State:
        """The state in which the search for the output of x begins."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """The actions that are allowed in a state; none where the search ends."""

    @abstractmethod
    def take(self, state: State, action: Action) -> State:
        """The state after an action."""

    @abstractmethod
    def loss(self, output, y) -> float:
        """How wrong an output is; 0 for the true one, y."""

    def size(self, y) -> int:
        """By what the loss is multiplied where actions are tried out: the number of parts of
        an output, if the loss is a share of them. A mistake then costs the same in short
        and in long outputs."""
        return 1

    def features(self, x, state: State, action: Action) -> Features:
        """The features of an action in a state: a list of names, or a dict of values.

        By default those of the state, each together with the action.
        """
        features = self.state_features(x, state)
        if isinstance(features, Mapping):
            return {(name, action): value for name, value in features.items()}
        return [(name, action) for name in features]

    def state_features(self, x, state: State) -> Features:
        """The features of a state, for which each action has weights of its own.

        Scoring is much faster with them, as they are made once per state, and
        classifiers of scikit-learn need them.
        """
        raise InputError(f"{type(self).__name__} has neither a method `features` nor a "
                         "method `state_features`; define one of them")

    def output(self, state: State):
        """The output that a last state stands for."""
        return state

    def oracle(self, state: State, y) -> Action | frozenset[Action]:
        """The best action in a state, given the true output; or a frozenset of actions
        that are equally good."""
        raise InputError(f"{type(self).__name__} has no method `oracle`; define it, or use "
                         "policy='lols', which tries out the actions")

    # what the search asks

    @property
    def has_oracle(self) -> bool:
        return type(self).oracle is not SearchProblem.oracle

    @property
    def has_state_features(self) -> bool:
        """Whether all features are those of states, each together with an action."""
        return type(self).features is SearchProblem.features

    def after(self, state: State, action: Action) -> State:
        """The state after an action; the one before stays as it is."""
        if self.in_place:
            try:
                state = deepcopy(state)
            except Exception as error:
                raise InputError(
                    f"a state of {type(self).__name__} cannot be copied ({error}); let "
                    "`take` return a new state, and set in_place = False") from error
        return self.take(state, action)

    def best_actions(self, state: State, y, actions: Sequence[Action]
                     ) -> frozenset[Action]:
        """What the oracle says, which must be among the allowed actions."""
        best = self.oracle(state, y)
        if not isinstance(best, frozenset):
            if not is_hashable(best):
                raise InputError(
                    f"the oracle of {type(self).__name__} returned the {type(best).__name__} "
                    f"{best!r}; expected an action, or a frozenset of equally good ones")
            best = frozenset([best])
        if not best or not best.issubset(actions):
            wrong = next(iter(best.difference(actions)), "no action")
            raise InputError(
                f"the oracle of {type(self).__name__} returned {wrong!r}, which is not "
                "allowed in this state; allowed actions are "
                f"{', '.join(map(repr, list(actions)[:10]))}")
        return best


def is_hashable(value: object) -> bool:
    """Unlike `isinstance(value, Hashable)`, this looks into tuples."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def check_hashable(value: object, what: str) -> None:
    if not is_hashable(value):
        raise InputError(f"{what} is not hashable; expected a string, a number or a tuple")


class SearchTooLong(InputError):
    """A search that has not ended after many actions."""

    def __init__(self, max_actions: int):
        super().__init__(
            f"a search has not ended after {max_actions} actions; let `actions` return "
            "nothing where an output is complete, or increase max_actions")
        self.max_actions = max_actions

    def __reduce__(self):
        return SearchTooLong, (self.max_actions,)


def check_search(problem: SearchProblem, x) -> None:
    """Raise an InputError for a problem whose methods cannot be searched with, as seen in
    the first state of an input."""
    name = type(problem).__name__
    state = problem.start(x)
    actions = problem.actions(state)
    if isinstance(actions, str) or not isinstance(actions, (Sequence, frozenset)):
        raise InputError(f"`actions` of {name} returned a {type(actions).__name__}; expected "
                         "a list or tuple of actions")
    for action in actions:
        check_hashable(action, f"the action {action!r} of {name}")
        before = snapshot(problem, x, state, action)
        if isinstance(before, str) or not isinstance(before, Iterable):
            raise InputError(f"the features of {name} are a {type(before).__name__}; "
                             "expected a list of names, or a dict of values")
        for feature in before:
            check_hashable(feature, f"the feature {feature!r} of {name}")
        if not problem.in_place:
            problem.take(state, action)
            if snapshot(problem, x, state, action) != before:
                raise InputError(
                    f"`take` of {name} changes the state that it gets; let it return "
                    "a new state, or set in_place = True")


def snapshot(problem: SearchProblem, x, state: State, action: Action):
    """The features of an action, in a form that a later change does not reach."""
    features = problem.features(x, state, action)
    if isinstance(features, Mapping):
        return dict(features)
    return features if isinstance(features, str) or not isinstance(features, Iterable) \
        else list(features)


# Many searches side by side: the next decisions of all of them are made at once

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
