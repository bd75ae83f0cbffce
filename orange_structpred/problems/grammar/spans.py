"""Features of the spans that nodes cover (004: phi(x, [rule, start, end])).

Each feature of a span has a weight for each label, so that a node's score is a linear
function of the whole string and of the span.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.compiler import njit

#: From a string, a start and an end to names of features, or to names and values
SpanFunction = Callable[[Sequence[str], int, int], Iterable[str] | Mapping[str, float]]

#: Lengths above this are rounded down to powers of two
LONG_SPAN = 5


def surface_features(string: Sequence[str], start: int, end: int) -> list[str]:
    """The words at both ends of a span, inside and outside, and its length."""
    length = end - start
    if length > LONG_SPAN:
        length = 1 << length.bit_length() - 1
    first, last = string[start], string[end - 1]
    before = string[start - 1] if start else "<start>"
    after = string[end] if end < len(string) else "<end>"
    return [f"length={length}", f"first={first}", f"last={last}", f"before={before}",
            f"after={after}", f"first={first} last={last}",
            f"before={before} after={after}"]


class Spans(NamedTuple):
    """Features of all spans of a string, ordered by start and end.

    starts : int64; those of span s are starts[s] to starts[s + 1]
    features, values : their numbers and values
    """

    starts: np.ndarray
    features: np.ndarray
    values: np.ndarray


class SpanFeatures:
    """Numbers for the features that occur in some strings.

    function : from (string, start, end) to names of features, or to a dict of names
        and values
    """

    def __init__(self, function: SpanFunction, strings: Iterable[Sequence[str]]):
        self.function = function
        self.numbers: dict[str, int] = {}
        for string in strings:
            for start, end in all_spans(len(string)):
                for name in function(string, start, end):
                    self.numbers.setdefault(name, len(self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def encode(self, string: Sequence[str]) -> Spans:
        """Features that are not known are left out."""
        starts = [0]
        numbers: list[int] = []
        values: list[float] = []
        for start, end in all_spans(len(string)):
            features = self.function(string, start, end)
            for name in features:
                number = self.numbers.get(name)
                if number is not None:
                    numbers.append(number)
                    values.append(features[name] if isinstance(features, Mapping) else 1.)
            starts.append(len(numbers))
        if not np.isfinite(np.array(values, float)).all():
            raise InputError("found a feature of a span whose value is not finite, "
                             "expected finite numbers")
        return Spans(np.array(starts), np.array(numbers, np.int64),
                     np.array(values, float))


def all_spans(length: int) -> Iterable[tuple[int, int]]:
    return ((start, end) for start in range(length)
            for end in range(start + 1, length + 1))


@njit(nogil=True, cache=True, inline="always")
def span_number(n, start, end):
    """Which of all spans of n terminals this is."""
    return start * n - start * (start - 1) // 2 + end - start - 1


@njit(nogil=True, cache=True)
def add_span_scores(weights, offset, spans, node_scores):
    """Add the scores of all labels over all spans; the weights begin at an offset."""
    n, n_labels = node_scores.shape[0], node_scores.shape[2]
    for start in range(n):
        for end in range(start + 1, n + 1):
            number = span_number(n, start, end)
            for k in range(spans.starts[number], spans.starts[number + 1]):
                row = offset + spans.features[k] * n_labels
                for label in range(n_labels):
                    node_scores[start, end, label] += spans.values[k] * weights[
                        row + label]


@njit(nogil=True, cache=True)
def span_features(spans, nodes, n_labels, offset):
    """Indices and values of the span features of a tree's nodes, not merged."""
    n = nodes[0, 1]
    size = 0
    for row in range(nodes.shape[0]):
        number = span_number(n, nodes[row, 0], nodes[row, 1])
        size += spans.starts[number + 1] - spans.starts[number]
    indices, values = np.empty(size, np.int64), np.empty(size, np.float64)
    n_entries = 0
    for row in range(nodes.shape[0]):
        number = span_number(n, nodes[row, 0], nodes[row, 1])
        for k in range(spans.starts[number], spans.starts[number + 1]):
            indices[n_entries] = offset + spans.features[k] * n_labels + nodes[row, 2]
            values[n_entries] = spans.values[k]
            n_entries += 1
    return indices, values
