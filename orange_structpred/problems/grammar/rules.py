"""A context-free grammar in Chomsky normal form, read off trees."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, OrNone, WholeNumber, one_of_names
from orange_structpred.problems.grammar.cky import Rules
from orange_structpred.problems.grammar.trees import (
    PhraseTree,
    from_normal_form,
    to_normal_form,
)

#: What rare words are replaced by
RARE_WORD = "<unknown>"
TERMINALS = ("tags", "words")
#: What the parameters that grammars are read by may be
GRAMMAR_KINDS: dict[str, Kind] = {
    "terminals": one_of_names(TERMINALS), "markov": OrNone(WholeNumber(0)),
    "min_count": WholeNumber(0)}
#: Cells of a chart, span times label, that are filled for one sentence
LARGEST_CHART = 30_000_000


class Grammar:
    """All rules that occur in some trees, and how often.

    Parameters
    ----------
    trees : list of PhraseTree
    terminals : {"tags", "words"}, default="tags"
        What the grammar's strings consist of
    markov : int or None, default=None
        How many labels of its children are part of the name of a node that stands for
        some of a phrase's children; None for all of them
    min_count : int, default=2
        Words that occur less often count as the word <unknown>, as do those that the
        trees do not have. With tags, nothing is replaced.

    Attributes
    ----------
    labels : list of str
    names : list of str
        The rules in words, in the order of the weights: binary, lexical, roots
    counts : array of float
        How often each rule occurs
    rules : Rules
    """

    def __init__(self, trees: Sequence[PhraseTree], *, terminals: str = "tags",
                 markov: int | None = None, min_count: int = 2):
        GRAMMAR_KINDS["terminals"].check("terminals", terminals)
        GRAMMAR_KINDS["markov"].check("markov", markov)
        if not trees:
            raise InputError("at least one tree is needed to read a grammar from")
        self.terminals, self.markov, self.min_count = terminals, markov, min_count
        seen = Counter(word for tree in trees for word in self.string_of(tree))
        least = min_count if terminals == "words" else 1
        known = sorted(word for word, count in seen.items() if count >= least)
        if least > 1:
            known.append(RARE_WORD)
        self.numbers = {word: number for number, word in enumerate(known)}
        normal = [to_normal_form(tree, markov) for tree in trees]
        binary: Counter[tuple[int, int, int]] = Counter()
        lexical: Counter[tuple[int, int]] = Counter()
        roots: Counter[int] = Counter()
        self.labels = sorted({node.label for tree in normal for node in tree.nodes()})
        self.label_numbers = {label: number for number, label in enumerate(self.labels)}
        of = self.label_numbers.__getitem__
        for tree, in_normal_form in zip(trees, normal):
            string = iter(self.encode(self.string_of(tree)).tolist())
            roots[of(in_normal_form.label)] += 1
            for node in in_normal_form.nodes():
                if node.is_tag:
                    lexical[next(string), of(node.label)] += 1
                else:
                    left, right = node.phrases
                    binary[of(left.label), of(node.label), of(right.label)] += 1
        self._number(sorted(binary), sorted(lexical), sorted(roots))
        self.counts = np.array([*(binary[rule] for rule in sorted(binary)),
                                *(lexical[rule] for rule in sorted(lexical)),
                                *(roots[label] for label in sorted(roots))], float)

    @classmethod
    def from_rules(cls, labels: list[str], words: list[str], binary: list, lexical: list,
                   roots: list, counts: np.ndarray, *, terminals: str, markov: int | None,
                   min_count: int) -> Grammar:
        """The grammar with these rules, as `numbered_rules` returns them."""
        grammar = cls.__new__(cls)
        grammar.terminals, grammar.markov, grammar.min_count = terminals, markov, min_count
        grammar.labels = labels
        grammar.label_numbers = {label: number for number, label in enumerate(labels)}
        grammar.numbers = {word: number for number, word in enumerate(words)}
        for rules in (binary, lexical, roots):
            if rules != sorted(set(rules)):
                raise InputError("the rules are not sorted, or one occurs twice")
        if len(counts) != len(binary) + len(lexical) + len(roots) or not roots:
            raise InputError("the counts do not fit the rules")
        grammar.counts = counts
        grammar._number(binary, lexical, roots)
        return grammar

    def numbered_rules(self) -> tuple[list, list, list]:
        """(left, parent, right), (terminal, parent) and roots: numbers of labels and
        terminals, sorted."""
        return (list(self._binary), list(self._lexical),
                np.flatnonzero(self.rules.root_rules >= 0).tolist())

    def _number(self, binary: list, lexical: list, roots: list) -> None:
        """Give the rules their numbers, which are those of their weights."""
        known = list(self.numbers)
        self.names = [
            *(f"{self.labels[parent]} -> {self.labels[left]} {self.labels[right]}"
              for left, parent, right in binary),
            *(f"{self.labels[parent]} -> {known[terminal]!r}"
              for terminal, parent in lexical),
            *(f"root -> {self.labels[label]}" for label in roots)]
        table = np.array(binary, np.int32).reshape(-1, 3)
        words = np.array(lexical, np.int32).reshape(-1, 2)
        root_rules = np.full(len(self.labels), -1, np.int64)
        root_rules[roots] = len(binary) + len(lexical) + np.arange(len(roots))
        self.rules = Rules(
            np.ascontiguousarray(table[:, [1, 0, 2]]),
            np.searchsorted(table[:, 0], np.arange(len(self.labels) + 1)),
            np.ascontiguousarray(words[:, 1]),
            np.searchsorted(words[:, 0], np.arange(len(known) + 1)),
            root_rules)
        self._binary = {rule: number for number, rule in enumerate(binary)}
        self._lexical = {rule: len(binary) + number
                         for number, rule in enumerate(lexical)}

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"<Grammar of {len(self)} rules and {len(self.labels)} labels>"

    # strings

    def string_of(self, tree: PhraseTree) -> list[str]:
        return tree.tags if self.terminals == "tags" else tree.words

    def encode(self, string: Sequence[str]) -> np.ndarray:
        """Numbers of terminals; -1 for those that no rule makes."""
        other = self.numbers.get(RARE_WORD, -1)
        return np.array([self.numbers.get(word, other) for word in string], np.int32)

    def check_length(self, length: int) -> None:
        cells = length * (length + 1) * len(self.labels)
        if cells > LARGEST_CHART:
            raise InputError(
                f"a string of {length} terminals needs a chart of {cells:,} cells with "
                f"the grammar's {len(self.labels)} labels, expected at most "
                f"{LARGEST_CHART:,}; use shorter strings, or markov=1 for fewer labels")

    # trees

    def nodes_of(self, tree: PhraseTree) -> np.ndarray:
        """A tree as `cky` has it: rows of start, end, label, rule."""
        terminals = self.encode(self.string_of(tree))
        rows, position = [], 0
        open_: list[list[int]] = []     # rows whose end is not known, children to come
        for node in to_normal_form(tree, self.markov).nodes():
            label = self.label_numbers.get(node.label, -1)
            if node.is_tag:
                rule = self._lexical.get((int(terminals[position]), label), -1)
                position += 1
                rows.append([position - 1, position, label, rule])
                while open_:
                    open_[-1][1] -= 1
                    if open_[-1][1]:
                        break
                    rows[open_.pop()[0]][1] = position
            else:
                left, right = (self.label_numbers.get(child.label, -1)
                               for child in node.phrases)
                rule = self._binary.get((left, label, right), -1)
                rows.append([position, -1, label, rule])
                open_.append([len(rows) - 1, 2])
            if rule < 0:
                raise InputError(f"the grammar cannot build the tree "
                                 f"{str(tree)[:100]}: no rule makes its {node.label}")
        nodes = np.array(rows, np.int32)
        if self.rules.root_rules[nodes[0, 2]] < 0:
            raise InputError(f"the grammar cannot build the tree {str(tree)[:100]}: "
                             f"{self.labels[nodes[0, 2]]} is never a root")
        return nodes

    def tree_of(self, nodes: np.ndarray, words: Sequence[str]) -> PhraseTree:
        """The tree of some nodes, with these words at its leaves."""
        built: list[PhraseTree] = []
        for start, end, label, _ in nodes[::-1].tolist():     # children before parents
            name = self.labels[label]
            if end - start == 1:
                built.append(PhraseTree(name, (words[start],)))
            else:
                left = built.pop()
                built.append(PhraseTree(name, (left, built.pop())))
        return from_normal_form(built[0])

    def log_probabilities(self, smoothing: float = 0.) -> np.ndarray:
        """Weights of the maximum-likelihood PCFG: log of a rule's share among the rules
        of its parent.

        smoothing : added to all counts
        """
        parents = np.concatenate([
            self.rules.binary[:, 0], self.rules.parents,
            np.full(np.count_nonzero(self.rules.root_rules >= 0), len(self.labels))])
        counts = self.counts + smoothing
        return np.log(counts / np.bincount(parents, counts)[parents])
