"""Regular expressions that answer in linear time, whatever the expression is.

Python's own try one way after the other and hold up all threads while they do, so that
``(a+)+b`` on thirty letters never ends. Here an expression becomes a nondeterministic
automaton (Thompson's construction), which is made deterministic as far as the matched
strings need it. Back references and look-around, which no automaton has, are refused.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from orange_structpred.errors import InputError

LARGEST_AUTOMATON = 4000        # states
DEEPEST_GROUPS = 30
REMEMBERED_STEPS = 50_000
_SIGN_CLASSES: dict[str, Callable[[str], bool]] = {
    "d": str.isdecimal, "s": str.isspace, "w": lambda sign: sign.isalnum() or sign == "_"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}

Test = Callable[[str], bool]


class RegularExpressionError(InputError):
    """position : index of the character at which the expression is wrong"""

    def __init__(self, reason: str, position: int):
        super().__init__(reason)
        self.position = position


class Branches(NamedTuple):
    """One of several expressions, each of which is a sequence."""
    sequences: list[list]


class Repeated(NamedTuple):
    item: object
    least: int
    most: int | None        # None for any number


class Anchor(NamedTuple):
    """The start (^) or the end ($) of a string."""
    sign: str


class RegularExpressionReader:
    """Turns the text of an expression into sequences, branches and repetitions."""

    def __init__(self, text: str, ignore_case: bool):
        self.text, self.position, self.depth = text, 0, 0
        self.ignore_case = ignore_case
        if text.startswith("(?i)"):
            self.ignore_case, self.position = True, 4

    def read(self) -> Branches:
        result = self.branches()
        if self.position < len(self.text):
            raise self.error("there is no group to close")
        return result

    def error(self, reason: str, back: int = 0) -> RegularExpressionError:
        return RegularExpressionError(reason, self.position - back)

    def peek(self) -> str:
        return self.text[self.position:self.position + 1]

    def next(self) -> str:
        sign = self.peek()
        if not sign:
            raise self.error("the regular expression ends too early")
        self.position += 1
        return sign

    def branches(self) -> Branches:
        sequences = [self.sequence()]
        while self.peek() == "|":
            self.position += 1
            sequences.append(self.sequence())
        return Branches(sequences)

    def sequence(self) -> list:
        items: list = []
        while self.peek() not in ("", "|", ")"):
            item = self.repeated(self.item())
            items.append(item)
        return items

    def item(self) -> object:
        sign = self.next()
        if sign == "(":
            return self.group()
        if sign == "[":
            return self.set_of_signs()
        if sign == ".":
            return lambda other: True
        if sign in "^$":
            return Anchor(sign)
        if sign in "*+?{":
            raise self.error(f"there is nothing before {sign} to repeat", 1)
        return self.escaped() if sign == "\\" else self.sign(sign)

    def group(self) -> Branches:
        self.depth += 1
        if self.depth > DEEPEST_GROUPS:
            raise self.error(f"groups are nested more than {DEEPEST_GROUPS} deep")
        if self.peek() == "?":
            if not self.text.startswith("?:", self.position):
                raise self.error("look-around and named groups are not supported")
            self.position += 2
        result = self.branches()
        if self.peek() != ")":
            raise self.error("a group is not closed: add )")
        self.position += 1
        self.depth -= 1
        return result

    def sign(self, sign: str) -> Test:
        if self.ignore_case:
            folded = sign.casefold()
            return lambda other: other.casefold() == folded
        return sign.__eq__

    def escaped(self) -> Test:
        sign = self.next()
        if sign.lower() in _SIGN_CLASSES:
            test = _SIGN_CLASSES[sign.lower()]
            return test if sign.islower() else lambda other: not test(other)
        if sign.isdecimal() or sign.isalpha() and sign not in _CONTROLS:
            raise self.error(f"\\{sign} is not supported", 2)
        return self.sign(_CONTROLS.get(sign, sign))

    def set_of_signs(self) -> Test:
        """What stands in square brackets."""
        negated = self.peek() == "^"
        self.position += negated
        tests: list[Test] = []
        while self.peek() != "]" or not tests:
            first = self.next()
            if first == "\\":
                tests.append(self.escaped())
            elif self.peek() == "-" and self.text[self.position + 1:self.position + 2] \
                    not in ("]", ""):
                self.position += 1
                tests.append(self.between(first, self.next()))
            else:
                tests.append(self.sign(first))
        self.position += 1
        return lambda other: any(test(other) for test in tests) != negated

    def between(self, first: str, last: str) -> Test:
        if first > last:
            raise self.error(f"{first}-{last} is in the wrong order", 1)
        if self.ignore_case:
            return lambda other: (first <= other.lower() <= last
                                  or first <= other.upper() <= last)
        return lambda other: first <= other <= last

    def repeated(self, item: object) -> object:
        """The item with the signs of repetition that follow it."""
        while (sign := self.peek()) and sign in "*+?{":
            if sign == "{":
                least, most = self.numbers()
            else:
                self.position += 1
                least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
            # whether few or many are tried first makes no difference to a full match
            if self.peek() == "?":
                self.position += 1
            if isinstance(item, Anchor):
                raise self.error(f"{item.sign} cannot be repeated", 1)
            item = Repeated(item, least, most)
        return item

    def numbers(self) -> tuple[int, int | None]:
        """{2}, {2,} or {2,5}"""
        start = self.position
        end = self.text.find("}", start)
        low, comma, high = self.text[start + 1:end].partition(",") if end > 0 \
            else ("", "", "")
        if not (low.isdecimal() and (not high or high.isdecimal())
                and len(low + high) <= 8):
            raise self.error("expected a number of repetitions, such as {2} or {1,3}")
        self.position = end + 1
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if most is not None and most < least:
            raise RegularExpressionError(f"{{{low},{high}}} is in the wrong order", start)
        return least, most


class RegularExpression:
    """A regular expression that matches whole strings.

    Examples
    --------
    >>> RegularExpression("un.*(ed|ing)").matches("unlocking")
    True
    >>> RegularExpression("(a+)+b").matches("a" * 100_000)
    False
    """

    def __init__(self, text: str, *, ignore_case: bool = False):
        self.text = text
        #: of each state: a test of the next character or an anchor, and the states after
        self.tests: list[Test | Anchor | None] = [None]
        self.targets: list[list[int]] = [[]]        # state 0 accepts
        tree = RegularExpressionReader(text, ignore_case).read()
        self.start = self.closure([self._add_item(tree, 0)], at_start=True)
        self._steps: dict[tuple[frozenset[int], str], frozenset[int]] = {}
        self._accepting: dict[frozenset[int], bool] = {}

    def matches(self, string: str) -> bool:
        steps, states = self._steps, self.start
        for sign in string:
            following = steps.get((states, sign))
            if following is None:
                if len(steps) >= REMEMBERED_STEPS:
                    steps.clear()
                following = steps[states, sign] = self.step(states, sign)
            if not following:
                return False
            states = following
        if states not in self._accepting:
            if len(self._accepting) >= REMEMBERED_STEPS:
                self._accepting.clear()
            self._accepting[states] = 0 in self.closure(states, at_end=True)
        return self._accepting[states]

    def step(self, states: frozenset[int], sign: str) -> frozenset[int]:
        """Where one character leads."""
        reached = []
        for state in states:
            test = self.tests[state]
            if test is not None and not isinstance(test, Anchor) and test(sign):
                reached += self.targets[state]
        return self.closure(reached)

    def closure(self, states, *, at_start: bool = False, at_end: bool = False
                ) -> frozenset[int]:
        """The states that are reached without a character."""
        reached, waiting = set(), list(states)
        while waiting:
            state = waiting.pop()
            if state in reached:
                continue
            reached.add(state)
            test = self.tests[state]
            if test is None or isinstance(test, Anchor) and (
                    at_start if test.sign == "^" else at_end):
                waiting += self.targets[state]
        return frozenset(reached)

    # The automaton, built from its end

    def _state(self, test: Test | Anchor | None, targets: list[int]) -> int:
        if len(self.tests) >= LARGEST_AUTOMATON:
            raise RegularExpressionError("the regular expression is too large", 0)
        self.tests.append(test)
        self.targets.append(targets)
        return len(self.tests) - 1

    def _add_item(self, item, after: int) -> int:
        """Add the states of an item; returns the first, `after` is the one behind it."""
        if isinstance(item, Branches):
            return self._state(None, [self._add_sequence(sequence, after)
                                      for sequence in item.sequences])
        if isinstance(item, Repeated):
            return self._add_repeated(item, after)
        return self._state(item, [after])

    def _add_sequence(self, items: list, after: int) -> int:
        for item in reversed(items):
            after = self._add_item(item, after)
        return after

    def _add_repeated(self, repeated: Repeated, after: int) -> int:
        item, least, most = repeated
        if most is None:
            first = self._state(None, [after])
            self.targets[first].append(self._add_item(item, first))
        else:
            first = after
            for _ in range(most - least):
                first = self._state(None, [after, self._add_item(item, first)])
        for _ in range(least):
            first = self._add_item(item, first)
        return first
