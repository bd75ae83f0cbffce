"""The matches of a pattern: counted, listed, clustered, as tables and as a treebank."""
from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    StringVariable,
    Table,
    Variable,
)

from orange_structpred.errors import InputError
from orange_structpred.search.clusters import UNDEFINED, Clusters, cluster
from orange_structpred.search.index import TreeIndex, WordColumn
from orange_structpred.search.pattern import (
    EDGE_KEYS,
    FRAME,
    LABEL,
    Pattern,
    word_key,
)
from orange_structpred.tables.making import table_of_columns
from orange_structpred.treebank.columns import (
    free_name,
    prediction_role,
    sentence_variables,
    strings,
)
from orange_structpred.treebank.marks import MARKED, marked_sentences
from orange_structpred.treebank.shape import shapes
from orange_structpred.treebank.table import Treebank

CONTEXT_WORDS = 12        # words of context on each side of a match
MOST_CATEGORIES = 200     # with more values, a column of a table is text
_KEY_OF_NODE = re.compile(r"([^.]+)\.([^.]+(?:\.[12])?)")
_SPAN = re.compile(r"(distance|order)\((\w+\$?(?:, *\w+\$?)+)\)")
SENTENCE_LENGTH, TREE_HEIGHT = "sentence.length", "sentence.height"
CROSSING = "sentence.crossing"
YES, NO = "yes", "no"


class Line(NamedTuple):
    """A match in its sentence.

    row : of the sentence in the treebank
    """

    row: int
    left: str
    match: str
    right: str


@dataclass
class Matches:
    """What `find` returns. Matches are in the order of the sentences.

    Attributes
    ----------
    words : array (matches, nodes)
        The index of each matched word among all words of the treebank.
    truncated : whether there are more matches than were asked for
    notes : what may be wrong with the pattern
    """

    treebank: Treebank
    pattern: Pattern
    index: TreeIndex = field(repr=False)
    words: np.ndarray = field(repr=False)
    prediction: str | None = None
    truncated: bool = False
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, numbers) -> Matches:
        """Some of the matches: a slice, a mask, or their numbers."""
        words = self.words[numbers if isinstance(numbers, slice)
                           else np.asarray(numbers)].reshape(-1, len(self.nodes))
        return Matches(self.treebank, self.pattern, self.index, words, self.prediction,
                       self.truncated, self.notes)

    @property
    def nodes(self) -> list[str]:
        """The names of the pattern's nodes."""
        return self.pattern.nodes

    @property
    def rows(self) -> np.ndarray:
        """The row of each match's sentence in the treebank."""
        return self.index.words.sentence_of[self.words[:, 0]]

    @property
    def positions(self) -> np.ndarray:
        """The positions of the matched words in their sentences, from 1 on."""
        return self.words - self.index.offsets[self.rows][:, None] + 1

    @property
    def n_sentences(self) -> int:
        return len(np.unique(self.rows))

    def sentences(self) -> Treebank:
        """The sentences with matches; the matched words are marked."""
        rows = np.repeat(self.rows, len(self.nodes))
        return marked_sentences(
            self.treebank, zip(rows.tolist(), self.positions.ravel().tolist()))

    def lines(self, numbers: Sequence[int] | None = None, *, context: int = CONTEXT_WORDS
              ) -> list[Line]:
        """A concordance: matches with what stands before and after them.

        numbers : of matches; by default all
        context : how many words on each side
        """
        chosen = self if numbers is None else self[list(numbers)]
        rows, positions = chosen.rows.tolist(), chosen.positions
        first = positions.min(axis=1, initial=1 << 30).tolist()
        last = positions.max(axis=1, initial=0).tolist()
        sentences = self.index.words.sentences
        lines = []
        for row, start, end in zip(rows, first, last):
            forms = sentences[row].forms
            left = forms[max(0, start - 1 - context):start - 1]
            right = forms[end:end + context]
            lines.append(Line(
                row, ("… " if start - 1 > context else "") + " ".join(left),
                " ".join(forms[start - 1:end]),
                " ".join(right) + (" …" if len(forms) - end > context else "")))
        return lines

    # Keys of nodes and edges

    def cluster_keys(self) -> list[str]:
        """What matches can be clustered by."""
        features = self.index.words.feature_keys()
        keys = [f"{node}.{key}" for node in self.nodes
                for key in ("upos", "lemma", "form", "xpos", "deprel")]
        keys += [f"{name}.{key}" for name in self.pattern.edges for key in EDGE_KEYS]
        keys += [f"{what}({first}, {second})" for what in ("order", "distance")
                 for i, first in enumerate(self.nodes) for second in self.nodes[i + 1:]]
        if len(self.nodes) > 2:
            keys.append(f"order({', '.join(self.nodes)})")
        keys += [*(f"{node}.{FRAME}" for node in self.nodes), SENTENCE_LENGTH, TREE_HEIGHT,
                 CROSSING]
        return keys + [f"{node}.{key}" for node in self.nodes for key in features]

    def values(self, key: str) -> list[str]:
        """The value of a key for each match.

        Keys are those of a node, ``N.lemma`` or ``N.Number``, or of an edge,
        ``e.label``, ``e.1`` (without its subtype), ``e.2`` (the subtype), an edge
        without a name being called ``V->N``; ``N.frame`` is what the word governs,
        ``nsubj obj``; ``distance(V, N)`` counts words from V to N, ``order(V, N)`` (of two
        nodes or more) says which comes first, and ``sentence.length`` counts words.
        """
        if match := _SPAN.fullmatch(key.strip()):
            return self._spans(match[1], re.split(", *", match[2]), key)
        if key.strip() in (SENTENCE_LENGTH, TREE_HEIGHT, CROSSING):
            of_sentences = self._sentence_values(key.strip())
            return [of_sentences[row] for row in self.rows.tolist()]
        match = _KEY_OF_NODE.fullmatch(key.strip())
        if match is None:
            raise InputError(f"found the key {key!r}, expected a node or an edge and a "
                             f"key, such as {self.nodes[0]}.lemma")
        name, key_of_word = match[1], match[2]
        edges = self.pattern.edges
        if name in edges:
            if key_of_word not in EDGE_KEYS:
                raise InputError(f"{key}: an edge has the keys {', '.join(EDGE_KEYS)}")
            name, key_of_word = edges[name].dependent, EDGE_KEYS[key_of_word]
        column = self.index.column(word_key(key_of_word))
        return column.strings(self.words[:, self._node(name, key)], UNDEFINED)

    def _sentence_values(self, key: str) -> list[str]:
        """The value of a key for each sentence of the treebank."""
        index = self.index
        if key == SENTENCE_LENGTH:
            return list(map(str, np.diff(index.offsets).tolist()))
        shape = shapes(index.relative_heads, index.offsets)
        values = shape.height if key == TREE_HEIGHT else shape.projective
        names = str if key == TREE_HEIGHT else (YES, NO).__getitem__
        return [UNDEFINED if np.isnan(value) else names(int(value))
                for value in values.tolist()]

    def _spans(self, what: str, names: list[str], key: str) -> list[str]:
        words = self.words[:, [self._node(name, key) for name in names]]
        if what == "order":
            orders = np.argsort(words, axis=1, kind="stable").tolist()
            return [" ".join([names[i] for i in order]) for order in orders]
        if len(names) != 2:
            raise InputError(f"{key}: a distance is between two nodes")
        return list(map(str, (words[:, 1] - words[:, 0]).tolist()))

    def _node(self, name: str, key: str) -> int:
        if name not in self.nodes:
            raise InputError(f"{key}: there is no node {name!r}; found: "
                             f"{', '.join([*self.nodes, *self.pattern.edges])}")
        return self.nodes.index(name)

    def cluster(self, key: str, by: str | None = None) -> Clusters:
        """How often each value of a key occurs; or each pair of values of two keys."""
        return cluster(self, key, by)

    def where(self, key: str, values: Collection[str]) -> Matches:
        """The matches that have one of these values of a key."""
        return self[np.array([value in values for value in self.values(key)], bool)]

    def to_table(self) -> Table:
        """One row per match: words, tags, features, distances, and columns of the
        sentence."""
        columns: dict[str, tuple[Variable, np.ndarray]] = {}

        def add(variable: Variable, values: np.ndarray) -> None:
            variable = variable.renamed(free_name(variable.name, columns))
            columns[variable.name] = variable, values

        for number, node in enumerate(self.nodes):
            for variable, values in columns_of_node(self, number, node):
                add(variable, values)
        for i, first in enumerate(self.nodes):
            for j, second in enumerate(self.nodes[:i]):
                name = f"distance({second}, {first})"
                add(ContinuousVariable(name, number_of_decimals=0),
                    self.words[:, i] - self.words[:, j])
        rows = self.rows
        add(ContinuousVariable("sentence", number_of_decimals=0), rows + 1)
        for variable in sentence_level_columns(self):
            add(variable.copy(), self.treebank.get_column(variable)[rows])
        return table_of_columns(f"matches in {self.treebank.name}", columns.values())


def columns_of_node(matches: Matches, number: int, node: str
                    ) -> Iterator[tuple[Variable, np.ndarray]]:
    index, words = matches.index, matches.words[:, number]
    yield StringVariable(node), strings(index.column("form").strings(words))
    yield StringVariable(f"{node}.lemma"), strings(index.column("lemma").strings(words))
    for key in ("upos", "xpos", LABEL, *index.words.feature_keys()):
        column = index.column(key)
        if (column.codes[words] >= 0).any():
            yield categories(f"{node}.{key}", column, words)
    yield (ContinuousVariable(f"{node}.position", number_of_decimals=0),
           matches.positions[:, number])


def categories(name: str, column: WordColumn, words: np.ndarray
               ) -> tuple[Variable, np.ndarray]:
    """The values of some words as categories, in the order of the alphabet."""
    codes = column.codes[words]
    used = sorted(np.unique(codes[codes >= 0]).tolist(),
                  key=lambda code: column.values[code])
    if len(used) > MOST_CATEGORIES:
        return StringVariable(name), strings(column.strings(words))
    numbers = np.full(len(column.values) + 1, np.nan)
    numbers[used] = np.arange(len(used))
    return (DiscreteVariable(name, values=tuple(column.values[code] for code in used)),
            numbers[codes])


def sentence_level_columns(matches: Matches) -> list[Variable]:
    """The columns of the treebank that say something about a sentence."""
    treebank = matches.treebank
    lengths = np.diff(matches.index.offsets).tolist()
    hidden = sentence_variables(treebank.domain)
    return [variable for variable in (*treebank.domain.variables, *treebank.domain.metas)
            if variable not in hidden and variable.name != MARKED
            and prediction_role(variable, treebank, lengths) is None]
