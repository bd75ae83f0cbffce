"""Structural SVMs on Orange's tables: a learner for classes, taxonomies and sequences."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Domain, Table
from Orange.preprocess import (
    AdaptiveNormalize,
    Continuize,
    Preprocess,
    RemoveNaNColumns,
    SklImpute,
)
from Orange.preprocess.preprocess import HasClass

from orange_structpred.errors import InputError
from orange_structpred.kinds import (
    C_KIND,
    EPSILON_KIND,
    PASSES_KIND,
    Kind,
    OrNone,
    RealNumber,
    Seed,
    WholeNumber,
    one_of_names,
)
from orange_structpred.problems.class_probabilities import (
    class_probabilities,
    cross_validated_class_temperature,
)
from orange_structpred.problems.inputs import with_constant
from orange_structpred.problems.multiclass import MulticlassSVM
from orange_structpred.problems.sequences.sequence_estimator import SequenceSVM
from orange_structpred.problems.table_settings import OUTPUTS, SVM_KERNELS
from orange_structpred.problems.taxonomy import TaxonomySVM
from orange_structpred.svm import ALL_SOLVERS, Report

#: What its parameters may be
TABLE_KINDS: dict[str, Kind] = {
    "output": one_of_names(OUTPUTS), "C": C_KIND, "kernel": one_of_names(SVM_KERNELS),
    "gamma": OrNone(RealNumber()), "degree": WholeNumber(1), "solver": one_of_names(ALL_SOLVERS),
    "tol": EPSILON_KIND, "max_iter": PASSES_KIND, "random_state": Seed()}


class StructuredSVMLearner(Learner):
    """A structural SVM for tables: ``StructuredSVMLearner("taxonomy")(table) -> model``.

    Parameters
    ----------
    output : "classes", "taxonomy" or "sequences", default="classes"
        What the values of the target are: unrelated classes; classes in a tree; or
        labels of sequences of rows
    loss : str, default=None
        "zero-one" for classes; "tree" (the height of the first common ancestor),
        "distance" (of two classes in the tree) or "zero-one" for a taxonomy; "hamming"
        (share of wrong labels) or "zero-one" (any wrong label) for sequences. None is
        the first of these
    path : str, default=None
        Taxonomy: the column with the path to each class, such as "animal/mammal" for the
        class "cat". None reads the classes as paths themselves
    group : str, default=None
        Sequences: the column that says which sequence a row belongs to
    order : str, default=None
        Sequences: the column by which the rows of a sequence are ordered; None leaves
        them as they are in the table
    C : float, default=100
        Weight of the loss against |w|^2 / 2
    kernel : "linear", "rbf" or "poly", default="linear"
    gamma : float, default=None
        Of the kernels "rbf" and "poly"; None is one over the number of features
    degree : int, default=3
        Of the kernel "poly"
    solver, tol, max_iter, random_state : see `StructuredEstimator`
    preprocessors : Orange preprocessors in place of the default ones
    """

    preprocessors = (HasClass(), Continuize(), RemoveNaNColumns(), SklImpute(),
                     AdaptiveNormalize())

    def __init__(self, output: str = "classes", *, loss: str | None = None,
                 path: str | None = None, group: str | None = None,
                 order: str | None = None, C: float = 100., kernel: str = "linear",
                 gamma: float | None = None, degree: int = 3, solver: str = "bcfw",
                 tol: float = 0.01, max_iter: int = 200, random_state: int = 0,
                 preprocessors: Preprocess | Sequence[Preprocess] | None = None):
        super().__init__(preprocessors)
        self.output, self.loss = output, loss
        self.path, self.group, self.order = path, group, order
        self.C, self.kernel, self.gamma, self.degree = C, kernel, gamma, degree
        self.solver, self.tol, self.max_iter = solver, tol, max_iter
        self.random_state = random_state
        self._progress: Callable[[float], object] | None = None
        self.params = {name: value for name, value in vars(self).items()
                       if not name.startswith("_") and name != "params"}
        self.check()

    def check(self) -> None:
        """Raise an InputError for parameters that have no meaning."""
        for name, kind in TABLE_KINDS.items():
            kind.check(name, getattr(self, name))
        if self.loss is not None and self.loss not in OUTPUTS[self.output]:
            raise InputError(f"loss {self.loss!r} is not known for {self.output}; choose from "
                             + ", ".join(OUTPUTS[self.output]))
        if self.output == "sequences" and self.group is None:
            raise InputError("sequences need a group: the column that says which sequence "
                             "a row belongs to")

    def __call__(self, data: Table, progress_callback=None) -> StructuredSVMModel:
        """Train; `progress_callback` gets the share that is done, and may raise."""
        learner = copy(self)        # it may be at work elsewhere, too
        learner._progress = progress_callback
        return Learner.__call__(learner, data, progress_callback)

    def columns_aside(self) -> list[str]:
        """Names of columns that describe the target and are not features."""
        names = {"taxonomy": (self.path,), "sequences": (self.group, self.order)}.get(
            self.output, ())
        return [name for name in names if name is not None]

    def incompatibility_reason(self, domain: Domain) -> str | None:
        if domain.class_var is None or not domain.class_var.is_discrete:
            return "A structured SVM needs a categorical target variable."
        for name in self.columns_aside():
            if name not in domain:
                return f"The data has no column '{name}'."
            if domain[name] is domain.class_var:
                return f"The column '{name}' is the target itself."
        return None

    def preprocess(self, data: Table, progress_callback=None) -> Table:
        aside = [data.domain[name] for name in self.columns_aside()]
        if aside:
            data = data.transform(Domain(
                [var for var in data.domain.attributes if var not in aside],
                data.domain.class_vars,
                [*(var for var in data.domain.metas if var not in aside), *aside]))
        return super().preprocess(data, progress_callback)

    def fit_storage(self, data: Table) -> StructuredSVMModel:
        if not len(data):
            raise InputError("there are no rows with a known target")
        options = {"C": self.C, "tol": self.tol, "solver": self.solver,
                   "max_iter": self.max_iter, "random_state": self.random_state,
                   "loss": self.loss or OUTPUTS[self.output][0],
                   **kernel_options(self.kernel, self.gamma, self.degree)}
        codes = data.Y.astype(int)
        if self.output == "sequences" and self.group is not None:
            sequences = sequences_of(data, self.group, self.order, known=True)
            estimator = self._fit(
                SequenceSVM(**options),
                [with_constant(data.X[rows]) for rows in sequences],
                [codes[rows] for rows in sequences])
        elif self.output == "taxonomy":
            names = data.domain.class_var.values
            taxonomy = None if self.path is None else parents(
                class_paths(data, self.path))
            return self._calibrated(
                TaxonomySVM(taxonomy=taxonomy, **options), data.X,
                np.array(names, dtype=object)[codes].astype(str))
        else:
            return self._calibrated(MulticlassSVM(**options), data.X, codes)
        return StructuredSVMModel(estimator, self.group, self.order)

    def _calibrated(self, estimator, X, y) -> StructuredSVMModel:
        """A model of classes, with probabilities where there are examples enough."""
        fitted = self._fit(estimator, X, y)
        return StructuredSVMModel(fitted, temperature=cross_validated_class_temperature(
            estimator, X, y, self.random_state))

    def _fit(self, estimator, X, y):
        return estimator.fit(X, y, callback=None if self._progress is None
                             else self._report)

    def _report(self, report: Report) -> None:
        if self._progress is not None:
            self._progress(0.1 + 0.9 * report.fraction)


class StructuredSVMModel(Model):
    """Predicts the targets of rows.

    Attributes
    ----------
    estimator : MulticlassSVM, TaxonomySVM or SequenceSVM
    temperature : float, or None
        Scores of classes are divided by it to give probabilities; without it, the
        predicted class has the probability 1
    """

    def __init__(self, estimator, group: str | None = None, order: str | None = None,
                 temperature: float | None = None):
        super().__init__()
        self.estimator, self.group, self.order = estimator, group, order
        self.temperature = temperature

    def predict_storage(self, data) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        if not isinstance(data, Table):
            data = Table.from_list(data.domain, [data])
        if self.group is not None:
            rows = sequences_of(data, self.group, self.order, known=False)
            result = np.full(len(data), np.nan)
            labelled = self.estimator.predict([
                with_constant(data.X[sequence_rows]) for sequence_rows in rows]) \
                if rows else []
            for sequence_rows, labels in zip(rows, labelled):
                result[sequence_rows] = labels
            return result
        if not len(data):
            return np.zeros(0)
        predicted = self._codes(self.estimator.predict(data.X))
        if self.temperature is None:
            return predicted.astype(float)
        probabilities = np.zeros((len(data), len(self.domain.class_var.values)))
        probabilities[:, self._codes(self.estimator.classes_)] = class_probabilities(
            self.estimator, data.X, self.temperature)
        return predicted.astype(float), probabilities

    def _codes(self, classes: Sequence) -> np.ndarray:
        """The numbers that classes have in the target's values."""
        if isinstance(self.estimator, TaxonomySVM):
            number = {name: k for k, name in enumerate(self.domain.class_var.values)}
            classes = [number[str(name)] for name in classes]
        return np.asarray(classes, int)


StructuredSVMLearner.__returns__ = StructuredSVMModel


def kernel_options(kernel: str, gamma: float | None, degree: int) -> dict[str, object]:
    """As the estimators take them."""
    if kernel == "linear":
        return {}
    parameters: dict[str, object] = {} if gamma is None else {"gamma": gamma}
    if kernel == "poly":
        parameters["degree"] = degree
    return {"kernel": kernel, "kernel_params": parameters}


def column_values(data: Table, name: str) -> np.ndarray:
    """The values of a column as strings or numbers; "" or nan where there is none."""
    variable = data.domain[name]
    values = data.get_column(name)
    if variable.is_primitive() and not variable.is_discrete:
        return values.astype(float)
    return np.array(["" if variable.is_string and not value or not variable.is_string
                     and np.isnan(value) else variable.str_val(value)
                     for value in values], dtype=object)


def sequences_of(data: Table, group: str, order: str | None, *, known: bool
                 ) -> list[np.ndarray]:
    """The numbers of the rows of each sequence, sequences in the order of their first
    rows.

    known : whether each row must say which sequence it belongs to; else one that does
        not is a sequence of its own
    """
    names = column_values(data, group)
    missing = np.array([name == "" or name != name for name in names], bool)
    if known and missing.any():
        raise InputError(f"{missing.sum()} rows have no value in the column {group!r}, "
                         "which says which sequence they belong to")
    rows = np.arange(len(data))
    if order is not None:
        rows = np.argsort(column_values(data, order), kind="stable")
    sequences: dict[object, list[int]] = {}
    for row in rows.tolist():
        sequences.setdefault(("row", row) if missing[row] else names[row], []).append(row)
    return sorted(map(np.array, sequences.values()), key=min)


def class_paths(data: Table, column: str) -> dict[str, list[str]]:
    """For each class the nodes above it, as a column has them."""
    paths: dict[str, Counter[str]] = {}
    values = data.domain.class_var.values
    column_of = column_values(data, column)
    for code, path in zip(data.Y.astype(int), column_of):
        name = str(path if isinstance(path, str) else "" if path != path else f"{path:g}")
        if name:
            paths.setdefault(values[code], Counter())[name] += 1
    result = {}
    for name in sorted({values[code] for code in data.Y.astype(int)}):
        known_paths = paths.get(name, Counter())
        if len(known_paths) != 1:
            told = ", ".join(map(repr, list(known_paths)[:3])) if known_paths else "no value"
            raise InputError(f"the class {name!r} has {told} in the column {column!r}; "
                             "expected one path for all of its rows")
        nodes = [part for part in next(iter(known_paths)).split("/") if part]
        result[name] = nodes[:-1] if nodes and nodes[-1] == name else nodes
    return result


def parents(paths: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The parent of each node; inner nodes are named by the whole path to them."""
    result: dict[str, str] = {}
    for name, nodes in paths.items():
        above = ""
        for node in nodes:
            below = f"{above}/{node}"
            if above:
                result[below] = above
            above = below
        result[name] = above or "/"
    return result
