"""The table of parameters that estimators have in common.

Each row says what a parameter may be: its check, the message for other values and its lines in
the docstring of `StructuredEstimator` follow from it. Signatures repeat the defaults, as
scikit-learn and editors expect; a test compares them with the table. Constructors only store
them, by `ListEstimator._store_parameters`. An estimator with further parameters says in
`_kinds` what they may be, as in scikit-learn's `_parameter_constraints`. What a `loss` or a
`kernel` may be depends on the data, too: the problem checks it.
"""
from __future__ import annotations

from collections.abc import Mapping

from sklearn.base import BaseEstimator

from orange_structpred.kinds import (
    ANY_MARGIN_KIND,
    EPSILON_KIND,
    PASSES_KIND,
    Kind,
    OrNone,
    RealNumber,
    Seed,
    Switch,
    ThreadCount,
    WholeNumber,
    one_of_names,
)
from orange_structpred.parametrised import Parameter, by_name
from orange_structpred.svm import ALL_SOLVERS

AT_LEAST_ONE = WholeNumber(1)
ZERO_OR_MORE = RealNumber(with_zero=True)


class Options(Kind):
    text = "a dict, or None"

    def fits(self, value: object) -> bool:
        return value is None or isinstance(value, Mapping)


class Verbosity(Kind):
    text = "True, False or a whole number"

    def fits(self, value: object) -> bool:
        return Switch().fits(value) or WholeNumber(0).fits(value)


#: Those of `StructuredEstimator`, in the order of its docstring
SHARED = by_name([
    Parameter("C", 1., ANY_MARGIN_KIND, "Weight of the loss against |w|^2 / 2"),
    Parameter("tol", 0.01, EPSILON_KIND,
              "Stop when (primal - dual) / C is at most this; called epsilon in the theory"),
    Parameter("solver", "bcfw", one_of_names(ALL_SOLVERS),
              "Algorithm that learns the weights"),
    Parameter("solver_options", None, Options(),
              'Further options of the solver, for example ``{"rescaling": "slack"}``'),
    Parameter("max_iter", None, OrNone(PASSES_KIND),
              "Maximum number of passes over the examples; None is 1000 for solvers that "
              "stop by `tol`, and 10 for online solvers, which do not"),
    Parameter("random_state", 0, Seed(), "Seed for the order of the examples"),
    Parameter("n_jobs", None, ThreadCount(),
              "Number of threads; does not change the result"),
    Parameter("warm_start", False, Switch(),
              "Start from the last solution, if there is one for the same examples"),
    Parameter("verbose", 0, Verbosity(), "Print one line per pass"),
])


def kinds_of(estimator_type: type) -> dict[str, Kind]:
    """What the parameters of a class may be: as in the table, or in the `_kinds` of the class
    and its bases."""
    kinds = {name: row.kind for name, row in SHARED.items()}
    for base in reversed(estimator_type.__mro__):
        kinds.update(vars(base).get("_kinds", {}))
    return kinds


def check_parameters(estimator: BaseEstimator) -> None:
    """Raise an InputError for the first parameter with a value that it may not have."""
    kinds = kinds_of(type(estimator))
    for name, value in estimator.get_params(deep=False).items():
        if name in kinds:
            kinds[name].check(name, value)
