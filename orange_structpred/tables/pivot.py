"""Cells of a table by two of its columns, as Orange's Pivot Table shows them."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.data.util import get_unique_names_duplicates

from orange_structpred.errors import InputError

#: Functions of the values in a cell, in Orange's order; the first two have no need of
#: numbers
FUNCTIONS = {
    "count": "size", "count defined": "count", "sum": "sum", "mean": "mean",
    "min": "min", "max": "max", "mode": lambda values: min(values.mode(), default=np.nan),
    "median": "median", "var": lambda values: values.var(ddof=0)}
#: Functions that are 0 where there are no rows
ZERO_OF_NOTHING = ("count", "count defined", "sum")


def pivot(data: Table, rows: str, columns: str | None = None, *,
          values: str | None = None, functions: Sequence[str] = ("count",)) -> Table:
    """A table with a row for each value of a column and each function.

    Parameters
    ----------
    rows, columns : names of columns; without the second, it is the same as the first
    values : the name of the column whose values the functions are about
    functions : any of `FUNCTIONS`; those that do not suit the column are left out

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> print(pivot(load_bundled("en"), "roots", "projective"))
    [[1, Count, 16.0, 384.0]]
    """
    if unknown := [name for name in functions if name not in FUNCTIONS]:
        raise InputError(f"unknown function {unknown[0]!r}; valid functions are "
                         + ", ".join(FUNCTIONS))
    of_rows = data.domain[rows]
    of_columns = data.domain[rows if columns is None else columns]
    if not of_columns.is_discrete:
        raise InputError(f"the columns of a pivot table must be categorical, and "
                         f"{of_columns.name!r} is not")
    value = None if values is None else data.domain[values]
    frame = pd.DataFrame({"row": data.get_column(of_rows).astype(float),
                          "column": data.get_column(of_columns),
                          "value": 0. if value is None else cell_values(data, value)})
    frame = frame.dropna(subset=["row", "column"])
    index, header = (np.unique(frame[name]) for name in ("row", "column"))
    suited = [name for name in FUNCTIONS if name in functions and suits(name, value)]
    cells = []
    for name in suited:
        aggregated = frame.groupby(["row", "column"])["value"].agg(FUNCTIONS[name])
        cell = aggregated.unstack().reindex(index=index, columns=header)
        cells.append((cell.fillna(0) if name in ZERO_OF_NOTHING else cell).to_numpy())
    kinds = DiscreteVariable("Aggregate", [name.capitalize() for name in suited])
    names = get_unique_names_duplicates(
        [of_rows.name, kinds.name, *(of_columns.values[int(column)] for column in header)])
    domain = Domain([of_rows.copy(name=names[0]), kinds.copy(name=names[1]),
                     *(ContinuousVariable(name, 1) for name in names[2:])])
    # all functions of the first row, then of the second ...
    lines = [[row, number, *cell[position]] for position, row in enumerate(index)
             for number, cell in enumerate(cells)]
    return Table.from_numpy(domain, np.array(lines, float).reshape(-1, len(names)))


def cell_values(data: Table, variable) -> np.ndarray:
    column = data.get_column(variable)
    if variable.is_string:      # only whether it is there matters
        return np.array([0. if text and str(text) != "nan" else np.nan for text in column])
    return column.astype(float)


def suits(function: str, variable) -> bool:
    if function == "count":
        return True
    return variable is not None and (function == "count defined"
                                     or variable.is_continuous)
