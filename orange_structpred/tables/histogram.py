"""How often values occur, as Orange's Distributions counts them."""
from __future__ import annotations

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    Table,
    TimeVariable,
)
from Orange.preprocess.discretize import decimal_binnings, time_binnings

from orange_structpred.errors import InputError


def histogram(data: Table, column: str, *, by: str | None = None, bins: int = 0,
              cumulative: bool = False, sort: bool = False) -> Table:
    """A table with the number of rows in each bin, or with each category.

    Parameters
    ----------
    by : a column of categories by which the numbers are split
    bins : which of the widths that Orange offers bins have; 0 is the smallest
    cumulative : count those of lower bins, too
    sort : put the most frequent category first

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> print(histogram(load_bundled("en"), "projective"))
    [[no, 16],
     [yes, 384]]
    """
    variable = data.domain[column]
    split = None if by is None else data.domain[by]
    values = data.get_column(variable).astype(float)
    groups = np.zeros(len(data)) if split is None else data.get_column(split)
    valid = np.isfinite(values) & np.isfinite(groups)
    if not valid.any():
        raise InputError(f"no row has a value in {column!r}"
                         + (f" and in {by!r}" if by else ""))
    count = 1 if split is None else len(split.values)
    if variable.is_discrete:
        names = list(variable.values)
        edges = np.arange(len(names) + 1) - 0.5
    else:
        names, edges = bins_of(variable, values, bins, cumulative)
    numbers = np.array([np.histogram(values[valid & (groups == group)], edges)[0]
                        for group in range(count)]).T
    if variable.is_discrete and sort:
        order = np.argsort(numbers.sum(axis=1))[::-1]
        names, numbers = [names[number] for number in order], numbers[order]
    if cumulative and not variable.is_discrete:
        numbers = numbers.cumsum(axis=0)
    bin_, number = DiscreteVariable("Bin", names), ContinuousVariable("Count")
    places = np.indices(numbers.shape).reshape(2, -1)
    if split is None:
        return Table.from_numpy(Domain([bin_, number]),
                                np.c_[places[0], numbers.ravel()].astype(float))
    return Table.from_numpy(Domain([bin_, split, number]),
                            np.c_[places.T, numbers.ravel()].astype(float))


def bins_of(variable: ContinuousVariable, values: np.ndarray, bins: int,
            cumulative: bool) -> tuple[list[str], np.ndarray]:
    """Names and edges of bins."""
    if isinstance(variable, TimeVariable):
        resolution = 0.
        offered = time_binnings(values, min_unique=5)
    else:
        resolution = 10. ** -variable.number_of_decimals
        offered = decimal_binnings(values, min_width=resolution, add_unique=10,
                                   min_unique=5)
    chosen = min(bins, len(offered) - 1)
    edges = np.asarray(offered[chosen].thresholds)
    single = chosen == 0 and offered[chosen].width is None
    last = len(edges) - 2
    return [bin_name(variable, low, high, first=not number, last=number == last,
                     single=single, narrow=high - low <= resolution,
                     cumulative=cumulative)
            for number, (low, high) in enumerate(zip(edges, edges[1:]))], edges


def bin_name(variable: ContinuousVariable, low: float, high: float, *, first: bool,
             last: bool, single: bool, narrow: bool, cumulative: bool) -> str:
    """What Orange writes under a bar."""
    name, lower, upper = variable.name, variable.repr_val(low), variable.repr_val(high)
    if cumulative:
        return f"{name} < {upper}"
    if single or first and last:
        return f"{name} = {lower}"
    if first:
        return f"{name} < {upper}"
    if last:
        return f"{name} ≥ {lower}"
    if narrow or lower == upper:
        return f"{name} = {lower}"
    return f"{lower} ≤ {name} < {upper}"
