"""Tables made of columns or of rows, and lines of cells as text."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from Orange.data import Domain, Table, Variable


def table_of_columns(name: str, columns: Iterable[tuple[Variable, Sequence | np.ndarray]]
                     ) -> Table:
    """A table of variables with their values; those of text become metas."""
    features: list[tuple[Variable, Sequence | np.ndarray]] = []
    texts: list[tuple[Variable, Sequence | np.ndarray]] = []
    for variable, values in columns:
        (texts if variable.is_string else features).append((variable, values))
    table = Table.from_numpy(
        Domain([variable for variable, _ in features],
               metas=[variable for variable, _ in texts]),
        np.column_stack([np.asarray(values, float) for _, values in features]),
        metas=np.column_stack([np.asarray(values, object) for _, values in texts])
        if texts else None)
    table.name = name
    return table


def table_of_rows(name: str, variables: Sequence[Variable], rows: Iterable[Sequence]
                  ) -> Table:
    """The same, from what each row has for these variables.

    Examples
    --------
    >>> from Orange.data import ContinuousVariable, StringVariable
    >>> form, count = StringVariable("form"), ContinuousVariable("count")
    >>> print(table_of_rows("words", [form, count], [("a", 3), ("an", 1)]))
    [[3] {a},
     [1] {an}]
    """
    return table_of_columns(
        name, zip(variables, list(zip(*rows)) or [()] * len(variables)))


def aligned_text(lines: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Lines of cells as text, in columns.

    left : so many of the columns begin at the left, like names; the others end at the
        right, like numbers
    """
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(
        cell.ljust(width) if column < left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(line, widths))) for line in lines)
