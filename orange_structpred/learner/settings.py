"""From a widget's settings to the parameters of the learner that it stands for.

Settings have the names of ParserLearner's parameters, so that a workflow can be
read, and written as a script, without any widget.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orange_structpred.kernels import make_kernel
from orange_structpred.learner.influence import unused
from orange_structpred.learner.parameters import DEFAULTS, chosen, has_hard_margin
from orange_structpred.parsing.second_order.part_templates import GROUPS

#: Settings that once had another name
OLD_NAMES = {"construction": "decoder"}


def rename_old(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of an earlier version under the names that they have now."""
    return {OLD_NAMES.get(name, name): value for name, value in settings.items()}


def learner_parameters(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments of ParserLearner for the settings of a widget.

    Only what differs from the defaults and has an influence is in it, in the order
    of ParserLearner's parameters. Other settings are ignored;
    ``learner_name`` is the parser's name, if there is more to it than blanks, and
    ``hard_margin`` is C = inf.

    Examples
    --------
    >>> learner_parameters({"C": 10.0, "solver": "bcfw", "passes": 10,
    ...                     "learner_name": "", "savedWidgetGeometry": None})
    {'solver': 'bcfw', 'C': 10.0}
    """
    settings = rename_old(settings)
    values = {name: settings[name] for name in DEFAULTS
              if name in settings and not unused(name, settings)}
    if name := (settings.get("learner_name") or "").strip():
        values["name"] = name
    if sorted(values.get("groups", ())) == sorted(GROUPS):
        del values["groups"]
    if "kernel_params" in values:
        values["kernel_params"] = changed_kernel_params(
            chosen("kernel", settings), values["kernel_params"] or {}) or None
    if has_hard_margin(settings):
        values["C"] = float("inf")
    return {name: values[name] for name in DEFAULTS
            if name in values and _comparable(values[name]) != _comparable(DEFAULTS[name])}


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


def _comparable(value: object) -> object:
    """The order of names (of hash functions) makes no difference."""
    return sorted(value) if isinstance(value, (list, tuple)) else value
