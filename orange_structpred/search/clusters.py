"""Matches counted by the values of one or two keys."""
from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import ContinuousVariable, StringVariable, Table

from orange_structpred.tables.making import aligned_text, table_of_columns
from orange_structpred.treebank.columns import free_name
from orange_structpred.treebank.distinct import by_frequency

if TYPE_CHECKING:
    from orange_structpred.search.matches import Matches

MOST_COLUMNS = 100
UNDEFINED = "(none)"          # the value of a key that a word does not have
OTHER_VALUES = "(others)"


@dataclass
class Clusters:
    """How often each value of a key occurs, or each pair of values of two keys.

    The most frequent values come first. Of the second key the values beyond the 100 most
    frequent ones are one column, "(others)".

    Attributes
    ----------
    key, by : the keys; `by` is None for one key
    values, columns : of the first and of the second key
    counts : array (values, columns), or (values, 1) for one key
    """

    matches: Matches = field(repr=False)
    key: str
    by: str | None
    values: list[str]
    columns: list[str]
    counts: np.ndarray
    #: the row and column of each match
    codes: np.ndarray = field(repr=False)

    @property
    def totals(self) -> np.ndarray:
        """Matches of each value of the first key."""
        return self.counts.sum(axis=1)

    @property
    def expected(self) -> np.ndarray:
        """The counts that were to be expected if the two keys were independent."""
        total = max(self.counts.sum(), 1)
        return np.outer(self.totals, self.counts.sum(axis=0)) / total

    @property
    def residuals(self) -> np.ndarray:
        """How many standard deviations a count is from the expected one (Pearson)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num((self.counts - self.expected) / np.sqrt(self.expected))

    def select(self, cells: Collection[tuple[str, str]]) -> Matches:
        """The matches of some cells.

        cells : pairs of a value of the first key and one of the second; "" for all of
            the second
        """
        mask = np.zeros(len(self.codes), bool)
        for value, column in cells:
            row_mask = self.codes[:, 0] == self._number(self.values, value)
            mask |= row_mask if not column else row_mask & (
                self.codes[:, 1] == self._number(self.columns, column))
        return self.matches[mask]

    def in_numeric_order(self) -> Clusters:
        """The same with the values of the first key, which are numbers, in their order;
        what is not defined comes last."""
        order = np.argsort([float("inf") if value == UNDEFINED else float(value)
                            for value in self.values], kind="stable")
        ranks = np.zeros(len(order), np.int64)
        ranks[order] = np.arange(len(order))
        codes = self.codes.copy()
        codes[:, 0] = ranks[codes[:, 0]]
        return replace(self, values=[self.values[i] for i in order],
                       counts=self.counts[order], codes=codes)

    @staticmethod
    def _number(values: list[str], value: str) -> int:
        """-1 for a value that does not occur (any more)."""
        return values.index(value) if value in values else -1

    def to_table(self) -> Table:
        """One row per value: count, share, and for two keys the counts of the second
        key's values, with the expected ones."""
        totals = self.totals
        columns: dict[str, tuple[ContinuousVariable, np.ndarray]] = {}

        def add(name: str, values: np.ndarray, decimals: int = 0) -> None:
            name = free_name(name, columns)
            columns[name] = ContinuousVariable(name, number_of_decimals=decimals), values

        add("matches", totals)
        add("share", 100 * totals / max(totals.sum(), 1), 1)
        if self.by is not None:
            for name, counts in zip(self.columns, self.counts.T):
                add(f"{self.by}={name}", counts)
            for name, expected in zip(self.columns, self.expected.T):
                add(f"{self.by}={name} expected", expected, 1)
        name = f"clusters by {self.key}" + (f" and {self.by}" if self.by else "")
        return table_of_columns(
            name, [(StringVariable(self.key), self.values), *columns.values()])

    def lines(self, *, expected: bool = False) -> list[list[str]]:
        """The table as text, a title first.

        expected : with the expected counts in brackets
        """
        shares = 100 * self.totals / max(self.totals.sum(), 1)
        lines = [[self.key, "matches", "%"]
                 + ([f"{self.by}={name}" for name in self.columns] if self.by else [])]
        expectation = self.expected
        for row, value in enumerate(self.values):
            cells = [str(count) + (f" ({expectation[row, column]:.1f})" if expected else "")
                     for column, count in enumerate(self.counts[row].tolist())]
            lines.append([value, str(self.totals[row]), f"{shares[row]:.1f}",
                          *(cells if self.by else [])])
        return lines

    def __str__(self) -> str:
        return aligned_text(self.lines(expected=True))


def cluster(matches: Matches, key: str, by: str | None = None) -> Clusters:
    rows, values = by_frequency(matches.values(key))
    if by is None:
        columns, numbers = [""], np.zeros(len(rows), np.int64)
    else:
        numbers, columns = by_frequency(matches.values(by))
        if len(columns) > MOST_COLUMNS:
            columns = [*columns[:MOST_COLUMNS - 1], OTHER_VALUES]
            numbers = np.minimum(numbers, MOST_COLUMNS - 1)
    counts = np.zeros((len(values), len(columns)), np.int64)
    np.add.at(counts, (rows, numbers), 1)
    return Clusters(matches, key, by, values, columns, counts,
                    np.column_stack([rows, numbers]))
