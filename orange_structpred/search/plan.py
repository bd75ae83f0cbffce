"""How a pattern is matched: in which order its nodes are, and what each must satisfy.

The nodes of a block are matched one after the other, the rarest first and then those
that the matched ones lead to: from a word there is one way to its head, a few ways to its
dependents, and many to all words after it. A condition is checked as soon as all of its
nodes are matched.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.search.index import TreeIndex
from orange_structpred.search.pattern import (
    ANY_NODE,
    FeatureTest,
    NodeClause,
    Pattern,
    PatternBlock,
)

# Where a node's words come from, given a word that is matched already. In the order of
# how few they are.
(FROM_HEAD, FROM_NEXT, FROM_PREVIOUS, FROM_CHILDREN, FROM_ANCESTORS, FROM_DESCENDANTS,
 FROM_AFTER, FROM_BEFORE, FROM_SENTENCE) = range(9)

# What a pair of words must satisfy. FITS is about one word; its second number is a bit.
(IS_HEAD, IS_ANCESTOR, IS_BEFORE, IS_JUST_BEFORE, IS_OTHER, HAS_SAME, HAS_DIFFERENT,
 FITS) = range(8)
#: Those by which two words are different ones
_APART = (IS_HEAD, IS_ANCESTOR, IS_BEFORE, IS_JUST_BEFORE, IS_OTHER)
#: From which word a relation leads to which: (from the second to the first, the other way)
_WAYS = {IS_HEAD: (FROM_HEAD, FROM_CHILDREN),
         IS_ANCESTOR: (FROM_ANCESTORS, FROM_DESCENDANTS),
         IS_JUST_BEFORE: (FROM_PREVIOUS, FROM_NEXT), IS_BEFORE: (FROM_BEFORE, FROM_AFTER)}
MOST_MASKS = 64

Condition = tuple[int, int, int, int]       # what, two nodes, row of compared values


class Plan(NamedTuple):
    """Arrays for the compiled matcher.

    Steps match a node each: first those of the pattern, then those of each condition
    (`with`, `without`).

    Attributes
    ----------
    starts : words that the first step tries
    fits : for each word, a bit for each node that it could be
    compared : values of words that are compared with each other
    steps : (node, where its words come from, from which node, its bit) of each step
    conditions, bounds : what each step checks; those of step i are at
        bounds[i]:bounds[i + 1], after those of the steps those of whole conditions
    blocks : (must match, first step, after the last) of each condition
    """

    starts: np.ndarray
    fits: np.ndarray
    compared: np.ndarray
    steps: np.ndarray
    conditions: np.ndarray
    bounds: np.ndarray
    blocks: np.ndarray
    n_nodes: int


@dataclass
class _Planner:
    index: TreeIndex
    check_cancelled: CheckCancelled
    fits: np.ndarray = field(init=False)
    masks: list[np.ndarray] = field(default_factory=list)
    compared: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self):
        self.fits = np.zeros(len(self.index), np.uint64)

    def bit(self, mask: np.ndarray) -> int:
        if len(self.masks) >= MOST_MASKS:
            raise InputError("the pattern has too many nodes; use fewer conditions")
        self.masks.append(mask)
        self.fits |= mask.astype(np.uint64) << np.uint64(len(self.masks) - 1)
        return len(self.masks) - 1

    # Single words

    def mask(self, test: FeatureTest) -> np.ndarray:
        """The words that fit a condition; a question for each distinct value."""
        column = self.index.column(test.key)
        answers = np.zeros(len(column.values) + 1, bool)
        if test.values is not None and all(value.kind == "exact" for value in test.values):
            answers[:-1] = test.negated
            for listed in test.values:
                if listed.text in column.numbers:
                    answers[column.numbers[listed.text]] = not test.negated
            return answers[column.codes]
        for number, value in enumerate(column.values):
            answers[number] = test.fits(value)
            if not number % 256:
                self.check_cancelled()
        answers[-1] = test.fits(None)
        return answers[column.codes]

    def all_of(self, tests: Iterable[FeatureTest]) -> np.ndarray:
        mask = np.ones(len(self.index), bool)
        for test in tests:
            mask &= self.mask(test)
        return mask

    def word_mask(self, block: PatternBlock, name: str) -> np.ndarray:
        """The words that a node could be, whatever the other nodes are."""
        mask = np.ones(len(self.index), bool)
        for clause in block.nodes:
            if clause.name == name:
                mask &= self.any_of(clause)
        heads = self.index.heads
        for edge in block.edges:
            if edge.dependent == name:
                mask &= self.all_of(edge.labels)
                # the root is a head, too, but no node
                mask &= heads >= (-1 if edge.head == ANY_NODE else 0)
            elif edge.head == name and edge.dependent == ANY_NODE:
                dependents = heads[self.all_of(edge.labels) & (heads >= 0)]
                has_dependent = np.zeros(len(self.index), bool)
                has_dependent[dependents] = True
                mask &= has_dependent
        return mask

    def any_of(self, clause: NodeClause) -> np.ndarray:
        mask = np.zeros(len(self.index), bool)
        for tests in clause.alternatives:
            mask |= self.all_of(tests)
        return mask

    # Pairs of words

    def relations(self, block: PatternBlock, numbers: dict[str, int], matched: list[str],
                  new: list[str]) -> list[Condition]:
        """What a block says of two nodes: matched before, or new in this block."""
        conditions: list[Condition] = []
        for edge in block.edges:
            if ANY_NODE not in (edge.head, edge.dependent):
                conditions.append((IS_ANCESTOR if edge.is_path else IS_HEAD,
                                   numbers[edge.head], numbers[edge.dependent], 0))
        for order in block.orders:
            conditions.append((IS_JUST_BEFORE if order.adjacent else IS_BEFORE,
                               numbers[order.left], numbers[order.right], 0))
        for comparison in block.comparisons:
            (left, left_key), (right, right_key) = comparison.left, comparison.right
            conditions.append((HAS_DIFFERENT if comparison.negated else HAS_SAME,
                               numbers[left], numbers[right],
                               self.compare(left_key, right_key)))
        apart = {frozenset(condition[1:3]) for condition in conditions if condition[0] in _APART}
        for i, name in enumerate(new):
            for other in [*matched, *new[:i]]:
                if not name.endswith("$") and not other.endswith("$") \
                        and frozenset((numbers[name], numbers[other])) not in apart:
                    conditions.append((IS_OTHER, numbers[other], numbers[name], 0))
        return conditions

    def compare(self, left: str, right: str) -> int:
        """The row of values of two keys that are the same number if they are the same."""
        first, second = self.index.column(left), self.index.column(right)
        known = dict(first.numbers)
        codes = np.array([known.setdefault(value, len(known))
                          for value in second.values] + [-1], np.int32)
        self.compared += [first.codes, codes[second.codes]]
        return len(self.compared) // 2 - 1


def make_plan(pattern: Pattern, index: TreeIndex,
              check_cancelled: CheckCancelled = never_cancelled) -> Plan:
    planner = _Planner(index, check_cancelled)
    numbers = {name: number for number, name in enumerate(pattern.nodes)}
    steps: list[tuple[int, int, int, int]] = []
    checked: list[list[Condition]] = []         # at each step
    entries: list[list[Condition]] = []         # before the first step of a condition
    blocks = []

    def add_steps(block: PatternBlock, matched: list[str]) -> list[Condition]:
        """Add the steps of a block; returns what is known of matched nodes alone."""
        new = [name for name in block.names if name not in matched]
        for name in new:
            numbers.setdefault(name, len(numbers))
        conditions = planner.relations(block, numbers, matched, new)
        conditions += [(FITS, numbers[name], planner.bit(planner.word_mask(block, name)), 0)
                       for name in block.names if name in matched]
        bits = {numbers[name]: planner.bit(planner.word_mask(block, name)) for name in new}
        counts = {node: int(planner.masks[bit].sum()) for node, bit in bits.items()}
        done = {numbers[name] for name in matched}
        before = checks_of(conditions, done)
        for node, way, origin in matching_order(bits, counts, conditions, done):
            done = done | {node}
            steps.append((node, way, origin, bits[node]))
            checked.append([condition for condition in checks_of(conditions, done)
                            if condition not in checks_of(conditions, done - {node})])
        return before

    add_steps(pattern.block, [])
    starts = np.flatnonzero(planner.masks[steps[0][3]] & sentence_mask(
        pattern, index, check_cancelled)[index.words.sentence_of])
    for must_match, block in pattern.conditions:
        first = len(steps)
        outer = dict(numbers)
        # a node of a condition is of that condition only
        entries.append(add_steps(block, pattern.nodes))
        for name in set(numbers) - set(outer):
            numbers[f"{name} {first}"] = numbers.pop(name)
        blocks.append((int(must_match), first, len(steps)))
    groups = [*checked, *entries]
    flat = [check for group in groups for check in group]
    compared = planner.compared or [np.zeros(1, np.int32)]
    return Plan(
        starts.astype(np.int64), planner.fits, np.array(compared, np.int32),
        np.array(steps, np.int64).reshape(-1, 4), np.array(flat, np.int64).reshape(-1, 4),
        np.cumsum([0, *map(len, groups)]).astype(np.int64),
        np.array(blocks, np.int64).reshape(-1, 3), len(numbers))


def checks_of(conditions: Iterable[Condition], done: set[int]) -> list[Condition]:
    """The conditions on nodes that are all matched."""
    return [condition for condition in conditions
            if condition[1] in done and (condition[0] == FITS or condition[2] in done)]


def matching_order(bits: Iterable[int], counts: dict[int, int], conditions: list[Condition],
                   matched: set[int]) -> Iterable[tuple[int, int, int]]:
    """The nodes in the order in which to match them, with where their words come from.

    bits : the nodes
    counts : how many words each could be
    """
    waiting, done = set(bits), set(matched)
    while waiting:
        ways = []
        for node in waiting:
            way, origin = FROM_SENTENCE, min(done, default=0)
            for kind, first, second, _ in conditions:
                if kind in _WAYS and (first, second) != (node, node):
                    if first == node and second in done:
                        way, origin = min((way, origin), (_WAYS[kind][0], second))
                    elif second == node and first in done:
                        way, origin = min((way, origin), (_WAYS[kind][1], first))
            ways.append((way if done else 0, counts[node], node, way, origin))
        *_, node, way, origin = min(ways)
        yield node, way, origin
        waiting.remove(node)
        done.add(node)


def sentence_mask(pattern: Pattern, index: TreeIndex,
                  check_cancelled: CheckCancelled) -> np.ndarray:
    """The sentences that have what a pattern says of whole sentences."""
    sentences = index.words.sentences
    mask = np.ones(len(sentences), bool)
    for name, wanted in pattern.properties:
        mask &= {"projective": ~index.crossed}[name] == wanted
    for test in pattern.comments:
        for row in np.flatnonzero(mask).tolist():
            sentence = sentences[row]
            mask[row] = test.fits((sentence.text if test.key == "text" else sentence.sent_id)
                                  or None)
            check_cancelled()
    return mask
