"""Columns of two tables side by side, as Orange's Merge Data puts them."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from Orange.data import Domain, Table, Variable
from Orange.data.util import get_unique_names_duplicates

from orange_structpred.errors import InputError

ROW_INDEX, ID = "Row index", "Instance id"        # what Orange calls them
LEFT_JOIN, INNER_JOIN, OUTER_JOIN = HOW = ("left", "inner", "outer")


def merge(data: Table, extra: Table, on: Sequence[tuple[str, str]], *, how: str = LEFT_JOIN
          ) -> Table:
    """The columns of both tables, for rows that match.

    Parameters
    ----------
    on : pairs of columns, one of each table, that must have the same values; "Row
        index" and "Instance id" stand for the places and the identities of rows
    how : "left" keeps all rows of the first table, "inner" those that have a match,
        "outer" all rows of both

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> treebank = load_bundled("en")
    >>> len(merge(treebank[:20], treebank[10:], [("text", "text")], how="inner"))
    10
    """
    if how not in HOW:
        raise InputError(f"unknown merge {how!r}; choose from {', '.join(HOW)}")
    if not on:
        raise InputError("there are no pairs of columns to merge the tables by")
    check_types(data, extra, on)
    left, right = keys(data, [pair[0] for pair in on]), keys(extra, [pair[1] for pair in on])
    check_unique(left, right, how)
    row_of = {key: row for row, key in enumerate(right) if key is not None}
    lefti = np.arange(len(data))
    righti = np.array([-1 if key is None else row_of.get(key, -1) for key in left],
                      dtype=np.intp)
    if how == INNER_JOIN:
        lefti, righti = lefti[righti >= 0], righti[righti >= 0]
    alone = np.setdiff1d(np.arange(len(extra)), righti) if how == OUTER_JOIN else np.arange(0)
    matched = {extra.domain[name] for _, name in on if name not in (ROW_INDEX, ID)}
    added = [variable for variable in chain(extra.domain.variables, extra.domain.metas)
             if alone.size or (variable not in matched or how == OUTER_JOIN) and differs(
                 data, extra, variable, lefti[righti >= 0], righti[righti >= 0])]
    return joined_rows(data, extra, added, lefti, righti, alone)


def check_types(data: Table, extra: Table, on: Sequence[tuple[str, str]]) -> None:
    for pair in on:
        special = {ROW_INDEX, ID} & set(pair)
        numeric = {table.domain[name].is_continuous
                   for table, name in zip((data, extra), pair) if name not in (ROW_INDEX, ID)}
        if special and len(set(pair)) > 1 or len(numeric) > 1:
            raise InputError(f"{pair[0]!r} and {pair[1]!r} cannot be matched: their "
                             "values are of different kinds")


def keys(table: Table, names: Sequence[str]) -> list[tuple | None]:
    """What each row is found by; None if a value is missing."""
    columns = [key_column(table, name) for name in names]
    return [None if any(value is None for value in row) else row
            for row in zip(*columns)]


def key_column(table: Table, name: str) -> list:
    if name == ROW_INDEX:
        return list(range(len(table)))
    if name == ID:
        return list(table.ids)
    variable, column = table.domain[name], table.get_column(name)
    if not variable.is_primitive():
        return [str(value) if value else None for value in column]
    return [None if np.isnan(value) else
            variable.values[int(value)] if variable.is_discrete else value
            for value in column]


def check_unique(left: list, right: list, how: str) -> None:
    """A row may have one match at most."""
    for name, keys, other, needed in (("Extra Data", right, left, True),
                                      ("Data", left, right, how != LEFT_JOIN)):
        known = [key for key in keys if key is not None]
        if needed and how != OUTER_JOIN:         # others are not used
            matches = set(other)
            known = [key for key in known if key in matches]
        if needed and len(set(known)) < len(known):
            raise InputError(f"some combinations of values in {name} appear in several "
                             "rows; each may appear only once")


def differs(data: Table, extra: Table, variable: Variable, lefti: np.ndarray,
            righti: np.ndarray) -> bool:
    """Whether a column is new, or has other values than that of the first table."""
    if variable not in data.domain:
        return True
    first, second = data.get_column(variable)[lefti], extra.get_column(variable)[righti]
    if variable.is_primitive():
        return not np.array_equal(first.astype(float), second.astype(float),
                                  equal_nan=True)
    return not np.all(first == second)


def joined_rows(data: Table, extra: Table, added: list[Variable], lefti: np.ndarray,
                righti: np.ndarray, alone: np.ndarray) -> Table:
    """Pairs of rows, then those of the second table that have no match."""
    right = extra[:, added]
    parts = [[*getattr(data.domain, kind), *getattr(right.domain, kind)]
             for kind in ("attributes", "class_vars", "metas")]
    names = iter(get_unique_names_duplicates(
        [variable.name for part in parts for variable in part]))
    domain = Domain(*([variable if variable.name == name else variable.copy(name=name)
                       for variable, name in zip(part, names)] for part in parts))
    # Where the second table has its own variables, rows of it are at home.
    at_home = Domain(*([*new[:len(new) - len(kept)], *kept] for new, kept in zip(
        (domain.attributes, domain.class_vars, domain.metas),
        (right.domain.attributes, right.domain.class_vars, right.domain.metas))))
    extras = extra[alone].transform(at_home)
    arrays = [np.vstack((np.hstack((two_dimensional(first)[lefti],
                                    with_gaps(two_dimensional(second), righti, strings))),
                         two_dimensional(rest)))
              for first, second, rest, strings in (
                  (data.X, right.X, extras.X, []), (data.Y, right.Y, extras.Y, []),
                  (data.metas, right.metas, extras.metas,
                   [variable.is_string for variable in right.domain.metas]))]
    table = Table.from_numpy(domain, *arrays)
    table.name = data.name
    table.ids = np.concatenate((data.ids[lefti], extra.ids[alone]))
    return table


def two_dimensional(array: np.ndarray) -> np.ndarray:
    return array.reshape(len(array), -1) if array.ndim < 2 else array


def with_gaps(array: np.ndarray, places: np.ndarray, strings: Sequence[bool]
              ) -> np.ndarray:
    """Rows at these places; where it is -1, values are missing."""
    if not len(array):
        array = np.full((1, array.shape[1]), np.nan, array.dtype)
    rows = array[places].copy()
    for column in range(rows.shape[1]):
        rows[places < 0, column] = "" if strings and strings[column] else np.nan
    return rows
