"""Rows of several tables under each other, as Orange's Concatenate puts them."""
from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from Orange.data import Domain, Table, Variable

from orange_structpred.errors import InputError

PARTS_OF_DOMAIN = ("attributes", "class_vars", "metas")


def concatenate(*tables: Table, shared: bool = False) -> Table:
    """The rows of all tables with the columns of all, or only with those that all
    of them share.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> treebank = load_bundled("en")
    >>> len(concatenate(treebank[:10], treebank[20:30]))
    20
    """
    if not tables:
        raise InputError("there is no table to take rows from")
    domain = Domain(*(
        list(columns([getattr(table.domain, kind) for table in tables], shared))
        for kind in PARTS_OF_DOMAIN))
    return type(tables[0]).concatenate([table.transform(domain) for table in tables])


def columns(lists: list[Iterable[Variable]], shared: bool) -> Iterable[Variable]:
    """Variables of all lists, each once; categories have the values of all."""
    combine = set.intersection if shared else set.union
    kept = reduce(combine, map(set, lists))
    merged: dict[Variable, Variable] = {}
    for variables in lists:
        for variable in variables:
            if variable in kept:
                merged[variable] = united(merged.get(variable, variable), variable)
    return merged.values()


def united(first: Variable, second: Variable) -> Variable:
    """The first of two variables of one name; categories with the values of both."""
    new = [value for value in second.values if value not in first.values] \
        if first.is_discrete and second.is_discrete else []
    if new:
        first = first.copy()
        for value in new:
            first.add_value(value)
    return first
