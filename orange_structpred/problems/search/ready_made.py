"""Search problems that are there ready-made: sequences, segments, dependency trees."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from orange_structpred.errors import InputError
from orange_structpred.problems.search.search_problem import SearchProblem

#: Features of an element of a sequence, given the sequence and its position
ElementFeatures = Callable[[Sequence, int], Sequence[Hashable]]


def element_and_neighbours(x: Sequence, i: int) -> list[Hashable]:
    """An element and those beside it; a list of features as it is."""
    if isinstance(x[i], (list, tuple)):
        return list(x[i])
    return [("-1", x[i - 1] if i else None), ("0", x[i]),
            ("+1", x[i + 1] if i + 1 < len(x) else None)]


def check_parts(y, noun: str) -> None:
    """Raise an InputError for an output that is not a sequence of its parts."""
    if not (hasattr(y, "__len__") and hasattr(y, "__getitem__")):
        raise InputError(f"an output is {y!r}; expected a list of {noun}")


def is_pair(value) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2


class Labelled(NamedTuple):
    """The features of the elements of a sequence, and the labels of the first ones."""

    features: list[Sequence[Hashable]]
    labels: tuple[Hashable, ...]


class SequenceSearch(SearchProblem):
    """Labels of the elements of a sequence, from left to right.

    Parameters
    ----------
    labels : all labels
    features : function of a sequence and a position, default=None
        The features of an element. None takes the element itself, if it is a list of
        features, else the element and its neighbours
    history : int, default=2
        How many labels before an element are features of its label
    """

    def __init__(self, labels: Sequence[Hashable], features: ElementFeatures | None = None,
                 history: int = 2):
        self.labels, self.history = tuple(labels), history
        self.element_features = features or element_and_neighbours
        if not self.labels:
            raise InputError("labels must not be empty")

    def start(self, x) -> Labelled:
        return Labelled([self.element_features(x, i) for i in range(len(x))], ())

    def actions(self, state: Labelled) -> Sequence[Hashable]:
        return self.labels if len(state.labels) < len(state.features) else ()

    def take(self, state: Labelled, action: Hashable) -> Labelled:
        return Labelled(state.features, (*state.labels, action))

    def state_features(self, x, state: Labelled) -> list[Hashable]:
        i, labels = len(state.labels), state.labels
        return [*state.features[i],
                *[labels[max(0, i - k):] for k in range(self.history + 1)]]

    def output(self, state: Labelled) -> list[Any]:
        return list(state.labels)

    def loss(self, output, y) -> float:
        """The share of wrong labels."""
        return sum(one != two for one, two in zip(output, y)) / max(1, len(y))

    def size(self, y) -> int:
        return len(y)

    def oracle(self, state: Labelled, y) -> Hashable:
        check_parts(y, "labels")
        if len(y) != len(state.features):
            raise InputError(f"{len(y)} labels for a sequence of {len(state.features)} "
                             "elements")
        return y[len(state.labels)]


class SegmentationSearch(SequenceSearch):
    """Segments of a sequence: each element begins one or continues the one before.

    Outputs are lists of (begin, end), one after the other.

    Parameters
    ----------
    features, history : as in `SequenceSearch`
    """

    def __init__(self, features: ElementFeatures | None = None, history: int = 2):
        super().__init__((True, False), features, history)

    def actions(self, state: Labelled) -> Sequence[Hashable]:
        if not state.labels:
            return (True,) if state.features else ()
        return super().actions(state)

    def output(self, state: Labelled) -> list[tuple[int, int]]:
        begins = [i for i, begin in enumerate(state.labels) if begin]
        return list(zip(begins, [*begins[1:], len(state.labels)]))

    def loss(self, output, y) -> float:
        """1 - F1 of the segments."""
        both = len(set(output) & set(map(tuple, y)))
        return 1 - 2 * both / (len(output) + len(y)) if output or y else 0.

    def oracle(self, state: Labelled, y) -> bool:
        check_parts(y, "segments")
        begins = [pair[0] if is_pair(pair) else None for pair in y]
        ends = [pair[1] if is_pair(pair) else None for pair in y]
        if not begins or begins != [0, *ends[:-1]] or ends[-1] != len(state.features):
            raise InputError(f"the segments are {list(y)[:5]}; expected pairs that follow "
                             f"each other from 0 to {len(state.features)}")
        return len(state.labels) in begins


class Attachments(NamedTuple):
    """Where a parser is in a sentence.

    tokens : the features of the tokens, those of the root first
    stack : tokens whose heads are still to be found, over the root, 0
    front : the first token that has not been read
    arcs : (dependent, head) found so far
    """

    tokens: tuple[tuple[Hashable, ...], ...]
    stack: tuple[int, ...]
    front: int
    arcs: tuple[tuple[int, int], ...]


class DependencySearch(SearchProblem):
    """Projective dependency trees, word by word: the arc-hybrid system (Kuhlmann,
    Gomez-Rodriguez and Satta, 2011) with its dynamic oracle (Goldberg and Nivre, 2013).

    An input is a list of tokens: each a tuple of strings, such as its form and its tag,
    or one string. An output is a list of heads, numbered from 1; the one token that
    depends on the root has the head 0. `ParserLearner("transitions")` is the fast parser
    of this kind; this one is to learn from, and to change.
    """

    def start(self, x) -> Attachments:
        tokens = (token if isinstance(token, tuple) else (token,) for token in x)
        return Attachments((("root",), *tokens), (0,), 1, ())

    def actions(self, state: Attachments) -> Sequence[str]:
        left = state.front < len(state.tokens)
        if len(state.stack) == 1:
            return ("shift",) if left else ()
        if not left:
            return ("right",)
        # the root gets its only dependent at the end
        return ("shift", "left", "right") if len(state.stack) > 2 else ("shift", "left")

    def take(self, state: Attachments, action: Hashable) -> Attachments:
        tokens, stack, front, arcs = state
        if action == "shift":
            return Attachments(tokens, (*stack, front), front + 1, arcs)
        head = front if action == "left" else stack[-2]
        return Attachments(tokens, stack[:-1], front, (*arcs, (stack[-1], head)))

    def state_features(self, x, state: Attachments) -> list[Hashable]:
        tokens, stack, front, arcs = state
        nothing = ("none",)
        roles = {
            "s0": tokens[stack[-1]], "s1": tokens[stack[-2]] if len(stack) > 1 else nothing,
            "s2": tokens[stack[-3]] if len(stack) > 2 else nothing,
            "b0": tokens[front] if front < len(tokens) else nothing,
            "b1": tokens[front + 1] if front + 1 < len(tokens) else nothing}
        children = [tokens[dependent][-1] for dependent, head in arcs if head == stack[-1]]
        names: list[Hashable] = [
            (role, value) for role, values in roles.items() for value in set(values)]
        for one, two in (("s0", "b0"), ("s1", "s0"), ("s1", "b0"), ("b0", "b1")):
            names.extend((one, two, a, b)
                         for a in {roles[one][0], roles[one][-1]}
                         for b in {roles[two][0], roles[two][-1]})
        last = {role: values[-1] for role, values in roles.items()}
        names += [
            ("s1 s0 b0", last["s1"], last["s0"], last["b0"]),
            ("s0 b0 b1", last["s0"], last["b0"], last["b1"]),
            ("s2 s1 s0", last["s2"], last["s1"], last["s0"]),
            ("distance", last["s0"], last["b0"], min(5, front - stack[-1])),
            ("children", last["s0"], last["b0"], children[0] if children else "",
             children[-1] if children else "", min(4, len(children)))]
        return names

    def output(self, state: Attachments) -> list[int]:
        return [head for _, head in sorted(state.arcs)]

    def loss(self, output, y) -> float:
        """The share of wrong heads."""
        return sum(one != two for one, two in zip(output, y)) / max(1, len(y))

    def size(self, y) -> int:
        return len(y)

    def oracle(self, state: Attachments, y) -> frozenset[str]:
        """The actions that put the fewest true heads out of reach."""
        check_parts(y, "heads")
        n = len(state.tokens) - 1
        if isinstance(y, str) or len(y) != n or not all(0 <= head <= n for head in y):
            raise InputError(f"the heads are {list(y)[:10]}; expected one for each of the "
                             f"{n} tokens, from 0 to {n}")
        costs = {action: self.cost(state, [-1, *y], action)
                 for action in self.actions(state)}
        least = min(costs.values())
        return frozenset(action for action, cost in costs.items() if cost == least)

    def cost(self, state: Attachments, gold: Sequence[int], action: str) -> int:
        """How many true heads an action puts out of reach."""
        _, stack, front, _ = state
        top = stack[-1]
        if action == "shift":
            # the front can no longer be the head of what is below, nor have its head there
            return sum(gold[token] == front or gold[front] == token and token != top
                       for token in stack)
        children = sum(head == top for head in gold[front:])
        if action == "right":
            return children + (gold[top] >= front)
        return children + (gold[top] > front or gold[top] == stack[-2])
