"""Columns of a table, what is in it, and its rows as text."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from Orange.data import Domain, Table, Variable
from Orange.data.pandas_compat import table_to_frame
from Orange.evaluation import Results


def select_columns(data: Table, features: Sequence[str] = (), targets: Sequence[str] = (),
                   metas: Sequence[str] = ()) -> Table:
    """These columns and no others, as Orange's Select Columns leaves them.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> select_columns(load_bundled("en"), ["length"], metas=["text"]).domain
    [length] {text}
    """
    return data.transform(Domain(*([data.domain[name] for name in names]
                                   for names in (features, targets, metas))))


def table_info(data: Table) -> str:
    """Size, columns and missing values of a table, as Orange's Data Info shows them.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> print(table_info(load_bundled("en")))
    Name: English
    Size: 400 rows, 8 columns
    Features: 1 categorical, 4 numeric
    Metas: 3 text
    Missing data: none
    """
    domain = data.domain
    columns = len(domain.variables) + len(domain.metas)
    lines = {"Name": data.name,
             "Size": f"{plural_of(len(data), 'row')}, {plural_of(columns, 'column')}",
             "Features": kinds(domain.attributes), "Targets": targets(domain),
             "Metas": kinds(domain.metas), "Missing data": missing(data)}
    return "\n".join(f"{label}: {text}" for label, text in lines.items() if text)


def plural_of(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def kinds(variables: Sequence[Variable]) -> str:
    counts = {"categorical": sum(variable.is_discrete for variable in variables),
              "numeric": sum(variable.is_continuous for variable in variables),
              "text": sum(variable.is_string for variable in variables)}
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def targets(domain: Domain) -> str:
    if (target := domain.class_var) is None:
        return kinds(domain.class_vars)
    if target.is_continuous:
        return "numeric target variable"
    classes = len(target.values)
    return f"categorical outcome with {classes} class{'es' if classes != 1 else ''}"


def missing(data: Table) -> str:
    domain = data.domain
    parts = [(domain.attributes, "feature", data.X, data.get_nan_count_attribute()),
             (domain.class_vars, "target", data.Y, data.get_nan_count_class()),
             (domain.metas, "meta variable", data.metas, data.get_nan_count_metas())]
    return ", ".join(
        f"{count} ({count / np.prod(array.shape):.1%}) in {noun}{'s' * (len(variables) != 1)}"
        for variables, noun, array, count in parts if count) or "none"


def confusion_text(results: Results) -> str:
    """A matrix of actual and predicted classes for each learner, one below the other."""
    classes = pd.Index(results.domain.class_var.values)
    actual = pd.Categorical.from_codes(results.actual.astype(int), classes)
    return "\n\n".join(
        f"Learner {number}\n" + pd.crosstab(
            actual, pd.Categorical.from_codes(predicted.astype(int), classes),
            rownames=["actual"], colnames=["predicted"], dropna=False).to_string()
        for number, predicted in enumerate(results.predicted, 1))


def table_text(data: Table) -> str:
    """All rows and columns as text; that of Orange ends after a few rows."""
    return table_to_frame(data, include_metas=True).to_string(
        index=False, na_rep="?", float_format="{:.6g}".format)
