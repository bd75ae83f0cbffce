"""Words and trees of a treebank as integer arrays, for searching.

A `WordIndex` is made once for a treebank and kept with it, its columns when they are
first asked for. A `TreeIndex` adds the heads and relations of the gold trees or of a
prediction.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.compiler import njit
from orange_structpred.search.pattern import (
    FRAME,
    LABEL,
    POSITION,
    SUBTYPE,
    UNIVERSAL,
)
from orange_structpred.treebank.block import misc_cells
from orange_structpred.treebank.distinct import distinct
from orange_structpred.treebank.layers import EMPTY, universal
from orange_structpred.treebank.prediction import Prediction
from orange_structpred.treebank.projectivity import crossed, flatten
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.shape import no_trees
from orange_structpred.treebank.table import Treebank

ROOT_HEAD, NO_HEAD = -1, -2         # of words below the root, and where none is known
#: Relations of arguments, as they are written in a frame
ARGUMENTS = ("nsubj", "csubj", "expl", "obj", "iobj", "ccomp", "xcomp")
_SENTENCE_COLUMNS = {"form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos"}


class WordColumn:
    """A value for each word: the distinct ones, and the number of each word's value.

    codes : -1 for words without a value
    """

    def __init__(self, values: Sequence[str], codes: np.ndarray):
        self.values = list(values)
        self.codes = codes.astype(np.int32)

    @classmethod
    def of(cls, strings: Sequence[str], *, empty: str | None = EMPTY) -> WordColumn:
        """empty : the string that stands for no value"""
        values, codes = distinct(strings)
        if empty not in values:
            return cls(values, codes)
        gap = values.index(empty)
        values.pop(gap)
        return cls(values, np.where(codes == gap, -1, codes - (codes > gap)))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of the distinct values."""
        return {value: number for number, value in enumerate(self.values)}

    def derived(self, values: Sequence[str | None]) -> WordColumn:
        """The same words with other values in the place of these; None for none."""
        known, codes = distinct([value for value in values if value is not None])
        numbers = np.full(len(values) + 1, -1, dtype=np.int64)      # -1 stays -1
        numbers[[i for i, value in enumerate(values) if value is not None]] = codes
        return WordColumn(known, numbers[self.codes])

    def strings(self, words: np.ndarray, missing: str = "") -> list[str]:
        """The values of some words."""
        values = [*self.values, missing]
        return [values[code] for code in self.codes[words].tolist()]


class WordIndex:
    """The words of sentences, one after the other, without roots.

    offsets : where each sentence begins
    """

    def __init__(self, sentences: Sequence[Sentence]):
        self.sentences = sentences
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        self.offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._columns: dict[str, WordColumn] = {}
        self._trees: dict[str, tuple[Prediction, TreeIndex]] = {}

    def __len__(self) -> int:
        return int(self.offsets[-1])

    @cached_property
    def sentence_of(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.sentences)), np.diff(self.offsets))

    @property
    def positions(self) -> np.ndarray:
        """Of each word in its sentence, from 1 on."""
        return np.arange(1, len(self) + 1) - self.offsets[:-1][self.sentence_of]

    def column(self, key: str) -> WordColumn:
        if key not in self._columns:
            self._columns[key] = self._make_column(key)
        return self._columns[key]

    def _make_column(self, key: str) -> WordColumn:
        if key in _SENTENCE_COLUMNS:
            name = _SENTENCE_COLUMNS[key]
            return WordColumn.of([value for sentence in self.sentences
                              for value in getattr(sentence, name)],
                             empty=None if key == "form" else EMPTY)
        if key == POSITION:
            return WordColumn.of(list(map(str, self.positions.tolist())))
        for column, entries in (self._feats, self._misc):
            values = [entry.get(key) for entry in entries]
            if any(value is not None for value in values):
                return column.derived(values)
        return WordColumn([], np.full(len(self), -1))

    def feature_keys(self) -> list[str]:
        """The keys of FEATS that occur."""
        return sorted({key for features in self._feats[1] for key in features})

    @cached_property
    def _feats(self) -> tuple[WordColumn, list[dict[str, str]]]:
        column = WordColumn.of([value for sentence in self.sentences
                            for value in sentence.feats])
        return column, list(map(entries_of, column.values))

    @cached_property
    def _misc(self) -> tuple[WordColumn, list[dict[str, str]]]:
        column = WordColumn.of([value for sentence in self.sentences
                            for value in misc_cells(sentence.block)])
        return column, list(map(entries_of, column.values))

    @cached_property
    def gold(self) -> TreeIndex:
        return TreeIndex(
            self, [sentence.heads for sentence in self.sentences],
            [value for sentence in self.sentences for value in sentence.deprels])

    def predicted(self, name: str, prediction: Prediction) -> TreeIndex:
        known = self._trees.get(name)
        if known is None or known[0] is not prediction:
            labels = [EMPTY] * len(self) if prediction.deprels is None else [
                value for labels in prediction.deprels for value in labels]
            known = prediction, TreeIndex(self, prediction.heads, labels, name)
            self._trees[name] = known
        return known[1]


class TreeIndex:
    """The words of a treebank with heads and relations.

    heads : of each word the index of its head among all words, ROOT_HEAD or NO_HEAD
    """

    def __init__(self, words: WordIndex, heads: Sequence[np.ndarray],
                 deprels: Sequence[str], name: str = ""):
        self.words, self.offsets = words, words.offsets
        self.relative_heads = flatten(heads)[0]
        if len(wrong := no_trees(self.relative_heads, words.offsets)):
            raise InputError(f"{f'prediction {name!r}' if name else 'treebank'}, row "
                             f"{wrong[0] + 1}: the heads are not a tree")
        starts = np.repeat(words.offsets[:-1], np.diff(words.offsets))
        self.heads = np.where(
            self.relative_heads > 0, starts + self.relative_heads - 1,
            np.where(self.relative_heads == 0, ROOT_HEAD, NO_HEAD)).astype(np.int32)
        label = WordColumn.of(deprels)
        subtypes = [value.partition(":")[2] or None for value in label.values]
        self._labels = {LABEL: label, UNIVERSAL: label.derived(
            [universal(value) for value in label.values]),
            SUBTYPE: label.derived(subtypes)}

    def __len__(self) -> int:
        return len(self.heads)

    def column(self, key: str) -> WordColumn:
        if key == FRAME:
            return self._frames
        return self._labels[key] if key in self._labels else self.words.column(key)

    @cached_property
    def _frames(self) -> WordColumn:
        """What each word governs: the relations of its arguments, in a fixed order."""
        names = [argument(value) for value in self._labels[LABEL].values] + [""]
        frames: dict[int, list[str]] = {}
        is_argument = np.array([bool(name) for name in names])
        codes = self._labels[LABEL].codes
        chosen = np.flatnonzero(is_argument[codes] & (self.heads >= 0))
        for head, code in zip(self.heads[chosen].tolist(), codes[chosen].tolist()):
            frames.setdefault(head, []).append(names[code])
        strings = ["-"] * len(self)
        for head, relations in frames.items():
            strings[head] = " ".join(sorted(relations, key=argument_order))
        return WordColumn.of(strings)

    @cached_property
    def shape(self) -> tuple[np.ndarray, ...]:
        """Where each word's dependents are in an array of words, that array; where each
        word's subtree begins and ends in an array of words, and that array."""
        return tree_arrays(self.heads)

    @cached_property
    def crossed(self) -> np.ndarray:
        """For each sentence, whether two of its arcs cross."""
        return crossed(self.relative_heads, self.offsets)


def argument(relation: str) -> str:
    """The relation of an argument without its subtype, unless it is passive; "" for
    what is none."""
    name, _, subtype = relation.partition(":")
    if name not in ARGUMENTS:
        return ""
    return f"{name}:pass" if subtype == "pass" else name


def argument_order(relation: str) -> tuple[int, str]:
    return ARGUMENTS.index(universal(relation)), relation


def entries_of(cell: str) -> dict[str, str]:
    """The keys and values of a cell of FEATS or MISC."""
    return {key: value for key, sign, value in (
        entry.partition("=") for entry in cell.split("|")) if sign}


def tree_index(treebank: Treebank, prediction: str | None = None) -> TreeIndex:
    """The index of a treebank's gold trees, or of a prediction."""
    words = treebank.remembered("words", WordIndex)
    if prediction is None:
        return words.gold
    return words.predicted(prediction, treebank.prediction(prediction))


@njit(cache=True)
def tree_arrays(heads):
    n = len(heads)
    starts = np.zeros(n + 1, np.int64)
    for word in range(n):
        if heads[word] >= 0:
            starts[heads[word] + 1] += 1
    for word in range(n):
        starts[word + 1] += starts[word]
    children = np.zeros(max(starts[n], 1), np.int32)
    filled = starts[:n].copy()
    for word in range(n):
        head = heads[word]
        if head >= 0:
            children[filled[head]] = word
            filled[head] += 1
    enter, leave = np.zeros(n, np.int64), np.zeros(n, np.int64)
    order = np.zeros(n, np.int32)
    filled[:] = starts[:n]
    count = 0
    for top in range(n):
        if heads[top] >= 0:
            continue
        word = top
        enter[word], order[count] = count, word
        count += 1
        while True:
            if filled[word] < starts[word + 1]:
                filled[word] += 1
                word = children[filled[word] - 1]
                enter[word], order[count] = count, word
                count += 1
            else:
                leave[word] = count
                if word == top:
                    break
                word = heads[word]
    return starts, children, enter, leave, order
