"""From a widget's settings to the parameters of the learner that it stands for.

Settings have the names of ParserLearner's parameters, so that a workflow can be
read, and written as a script, without any widget.
"""
from __future__ import annotations

import inspect
from collections.abc import Mapping

from orange_structpred.kernels import make_kernel
from orange_structpred.learner import ParserLearner
from orange_structpred.parsing.features import GROUPS
from orange_structpred.svm import SOLVERS

DEFAULTS: dict[str, object] = {
    name: parameter.default
    for name, parameter in inspect.signature(ParserLearner.__init__).parameters.items()
    if parameter.default is not inspect.Parameter.empty}

#: Parameters that only one kind of features has
ONLY_EXPLICIT = ("groups", "min_count", "hash_bits")
ONLY_KERNEL = ("hash", "hash_weights", "buckets", "kernel", "kernel_params",
               "nystroem", "vectors", "product", "gram_folder")


def learner_parameters(settings: Mapping[str, object]) -> dict[str, object]:
    """Keyword arguments of ParserLearner for the settings of a widget.

    Only what differs from the defaults and has an influence is in it, in the order
    of ParserLearner's parameters. Settings that are no parameters are ignored;
    ``learner_name`` is the parser's name, if it is not empty.

    Examples
    --------
    >>> learner_parameters({"C": 10.0, "solver": "bcfw", "passes": 10,
    ...                     "learner_name": "", "savedWidgetGeometry": None})
    {'C': 10.0, 'solver': 'bcfw'}
    """
    values = {name: settings[name] for name in DEFAULTS
              if name in settings and not unused(name, settings)}
    if settings.get("learner_name"):
        values["name"] = settings["learner_name"]
    if sorted(values.get("groups", ())) == sorted(GROUPS):
        del values["groups"]
    if "kernel_params" in values:
        values["kernel_params"] = changed_kernel_params(
            _chosen("kernel", settings), values["kernel_params"] or {}) or None
    return {name: value for name, value in values.items()
            if _comparable(value) != _comparable(DEFAULTS[name])}


def automatic_name(parameters: Mapping[str, object]) -> str:
    """The name that a parser gets if none is given."""
    return ParserLearner(**{**parameters, "name": None}).name


def chosen_solver(settings: Mapping[str, object]) -> str:
    """The solver of the settings, which may leave the choice to the learner."""
    return ParserLearner(features=_chosen("features", settings),
                         solver=_chosen("solver", settings)).chosen_solver


def has_certificate(settings: Mapping[str, object]) -> bool:
    """Whether the solver has a dual, and so a gap."""
    solver = chosen_solver(settings)
    return solver in SOLVERS and SOLVERS[solver].certificate


def unused(parameter: str, settings: Mapping[str, object]) -> str:
    """Why a parameter has no influence with these settings; "" if it has."""
    features, solver = _chosen("features", settings), chosen_solver(settings)
    if parameter in ONLY_EXPLICIT and features == "kernel":
        return "only for explicit features"
    if parameter in ONLY_KERNEL and features == "explicit":
        return "only for kernels"
    if parameter == "C" and solver == "perceptron":
        return "the perceptron has no C: it takes a full step at each mistake"
    if parameter == "epsilon" and solver in SOLVERS and not has_certificate(settings):
        return (f"{solver} has no dual, so there is no gap to compare with "
                "epsilon; the number of passes ends it")
    return ""


def kernel_defaults(kernel: str) -> dict[str, object]:
    """The parameters of an input kernel, or of a sum of them, with their defaults."""
    defaults: dict[str, object] = {}
    for part in kernel.split("+"):
        defaults = {**make_kernel(part).params(), **defaults}
    defaults.pop("kernel")
    return defaults


def changed_kernel_params(kernel: str, params: Mapping[str, object]
                          ) -> dict[str, object]:
    """Those of the parameters that an input kernel does not have by default."""
    defaults = kernel_defaults(kernel)
    return {name: value for name, value in params.items()
            if name not in defaults or value != defaults[name]}


def _chosen(parameter: str, settings: Mapping[str, object]) -> object:
    return settings.get(parameter, DEFAULTS[parameter])


def _comparable(value: object) -> object:
    """The order of names (of hash functions) makes no difference."""
    return sorted(value) if isinstance(value, (list, tuple)) else value
