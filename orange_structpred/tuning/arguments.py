"""From the settings of Tune Parser to a call of `tune`, and what grids may hold."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orange_structpred.errors import InputError
from orange_structpred.kinds import WholeNumber
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.influence import unused
from orange_structpred.learner.parameters import (
    DEFAULTS,
    HARMLESS,
    PARAMETERS,
    chosen,
)
from orange_structpred.learner.settings import learner_parameters
from orange_structpred.parametrised import unknown_parameter
from orange_structpred.tuning.grids import choice, decades, make_grid, parse_values
from orange_structpred.tuning.splits import ShareBelowOne

#: What the grid of a widget is made of, besides values of C
VARIED_NAMES = ("solver", "epsilon", "groups", "hash", "kernel", "epochs", "hidden",
                "dropout", "net_weight")
HELD_OUT_SHARE = 0.2         # what tune sets aside for validation if nothing is said
AT_LEAST_TWO = WholeNumber(2)


def tuning_arguments(settings: Mapping[str, Any], *, validation: bool = False
                     ) -> tuple[dict[str, Any], dict[str, Any]]:
    """The call ``tune(treebank, grid, **options)`` for the settings of a widget.

    Options that do not differ from the defaults are left out, as are parameters
    without influence. Settings are those of `learner_parameters` and

    - C_from, C_to, C_per_decade: values of C, where it has an influence
    - stop_raising: whether C is raised only until the training loss no longer improves
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
    grid: dict = {"C": [DEFAULTS["C"]] if unused("C", settings) else decades(
        settings.get("C_from", 0.001), settings.get("C_to", 100.),
        settings.get("C_per_decade", 1))}
    texts = settings.get("varied") or {}
    values = {name: parse_values(name, texts[name]) for name in VARIED_NAMES
              if texts.get(name, "").strip()
              and not unused(name, {**settings, "solver": "bcfw"})}
    grid.update(make_grid(values))
    options: dict[str, Any] = {}
    if settings.get("stop_raising"):
        options["stop_raising"] = True
    if not validation:
        if settings.get("evaluation") == "folds":
            options["folds"] = settings.get("folds", 5)
        elif settings.get("share", HELD_OUT_SHARE) != HELD_OUT_SHARE:
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
    for solver in values.get("solver", [chosen("solver", settings)]):
        used.update(learner_parameters({**fixed, "solver": solver}))
    for name in values:
        used.pop(name, None)
    return grid, {**options, **{name: used[name] for name in DEFAULTS if name in used}}


def check_tuning(grid: Mapping, options: Mapping[str, object]) -> None:
    """Complain of a call of `tune` with values that no parameter has.

    Less than `check_settings` does: of the combinations only the first is looked at.
    """
    first: dict[str, object] = {}
    for names, values in grid.items():
        for value in values:
            for name, parameter_value in choice(names, value).items():
                PARAMETERS[name].kind.check(name, parameter_value)
                first.setdefault(name, parameter_value)
    fixed = {name: value for name, value in options.items() if name in DEFAULTS}
    check({**fixed, **first})
    AT_LEAST_TWO.check("folds", options.get("folds", 2))
    ShareBelowOne().check("share", options.get("share", HELD_OUT_SHARE))


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
            raise InputError(f"{name} cannot vary: {reasons[0]}")


def check(parameters: Mapping[str, object]) -> None:
    """Complain of parameters with which no parser could be trained."""
    for name in parameters:
        if name not in DEFAULTS:
            raise unknown_parameter(name, DEFAULTS)
    ParserLearner(**parameters).check()
