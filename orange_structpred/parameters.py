"""From a widget's settings to the parameters of the learner that it stands for.

Settings have the names of ParserLearner's parameters, so that a workflow can be
read, and written as a script, without any widget.
"""
from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence

from orange_structpred.grids import decades, make_grid, parse_values
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
    ``learner_name`` is the parser's name, if there is more to it than blanks.

    Examples
    --------
    >>> learner_parameters({"C": 10.0, "solver": "bcfw", "passes": 10,
    ...                     "learner_name": "", "savedWidgetGeometry": None})
    {'C': 10.0, 'solver': 'bcfw'}
    """
    values = {name: settings[name] for name in DEFAULTS
              if name in settings and not unused(name, settings)}
    if name := (settings.get("learner_name") or "").strip():
        values["name"] = name
    if sorted(values.get("groups", ())) == sorted(GROUPS):
        del values["groups"]
    if "kernel_params" in values:
        values["kernel_params"] = changed_kernel_params(
            _chosen("kernel", settings), values["kernel_params"] or {}) or None
    return {name: value for name, value in values.items()
            if _comparable(value) != _comparable(DEFAULTS[name])}


#: What the grid of a widget is made of, besides values of C
VARIED = ("solver", "epsilon", "groups", "hash", "kernel")
SHARE = 0.2         # what tune sets aside for validation if nothing is said


def tuning_arguments(settings: Mapping[str, object], *, validation: bool = False
                     ) -> tuple[dict, dict[str, object]]:
    """The call ``tune(treebank, grid, **options)`` for the settings of a widget.

    Options that do not differ from the defaults are left out, as are parameters
    without influence. Settings are those of `learner_parameters` and

    - C_from, C_to, C_per_decade: values of C
    - varied: texts with the values of further parameters, see `parse_values`
    - evaluation: "split", then share is set aside, or "folds", then folds parts
    - n_jobs: combinations at the same time

    validation : whether there is a validation treebank, and so nothing to split

    Examples
    --------
    >>> tuning_arguments({"C_from": 0.1, "C_to": 10.0, "solver": "bcfw",
    ...                   "varied": {"epsilon": "0.1, 0.01"},
    ...                   "evaluation": "folds", "folds": 3})
    ({'C': [0.1, 1.0, 10.0], 'epsilon': [0.1, 0.01]}, {'folds': 3, 'solver': 'bcfw'})
    """
    grid: dict = {"C": decades(settings.get("C_from", 0.001),
                               settings.get("C_to", 100.),
                               settings.get("C_per_decade", 1))}
    texts = settings.get("varied") or {}
    values = {name: parse_values(name, texts[name]) for name in VARIED
              if texts.get(name, "").strip()
              and not unused(name, {**settings, "solver": "bcfw"})}
    grid.update(make_grid(values))
    options: dict[str, object] = {}
    if not validation:
        if settings.get("evaluation") == "folds":
            options["folds"] = settings.get("folds", 5)
        elif settings.get("share", SHARE) != SHARE:
            options["share"] = settings["share"]
    for name in ("random_state", "n_jobs"):
        if settings.get(name, DEFAULTS[name]) != DEFAULTS[name]:
            options[name] = settings[name]
    fixed = {name: value for name, value in settings.items() if name not in values
             and name not in ("C", "random_state", "n_jobs", "learner_name", "name")}
    if "kernel" in values:
        fixed.pop("kernel_params", None)
    # what one of the solvers needs is said, whether or not the others do
    used: dict[str, object] = {}
    for solver in values.get("solver", [_chosen("solver", settings)]):
        used.update(learner_parameters({**fixed, "solver": solver}))
    for name in values:
        used.pop(name, None)
    return grid, {**options, **{name: used[name] for name in DEFAULTS if name in used}}


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


#: Parameters that make no difference to what is learned
HARMLESS = ("n_jobs", "name", "checkpoint", "gram_folder")


def check_settings(settings: Sequence[Mapping[str, object]],
                   fixed: Mapping[str, object]) -> None:
    """Complain of settings with which no parser could be trained, and of parameters
    that vary without an influence.

    fixed : parameters that are the same for all settings
    """
    for setting in settings:
        check({**fixed, **setting})
    for name in settings[0]:
        reasons = ["parsers are the same for all of its values" if name in HARMLESS
                   else unused(name, {**fixed, **setting}) for setting in settings]
        if all(reasons):
            raise ValueError(f"{name} cannot vary: {reasons[0]}")


def check(parameters: Mapping[str, object]) -> None:
    """Complain of parameters with which no parser could be trained."""
    for name in parameters:
        if name not in DEFAULTS:
            raise ValueError(f"{name!r} is no parameter of ParserLearner; they are "
                             + ", ".join(DEFAULTS))
    ParserLearner(**parameters).check()


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
