"""Values to try for the parameters of a parser, as people write them.

Values stand between commas. A plus joins the names in a set of hash functions or
feature groups; the parameters of an input kernel follow its name:

    hash      posTags, posTags2::dir + tokens
    groups    all, all without context, head + dependent, learn
    kernel    constant, ngram n=4 decay=0.5
"""
from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from orange_structpred.errors import InputError
from orange_structpred.kinds import C_KIND, is_list
from orange_structpred.learner.parameters import LEARN
from orange_structpred.parsing.second_order.part_templates import GROUPS

#: Values to try of parameters; several names vary together
Grid = Mapping[str | tuple[str, ...], Sequence]

ALL_GROUPS, WITHOUT = "all", "without"
MOST_GRID_VALUES = 1000              # of one parameter
VALUES_IN_WORDS = {"none": None, "true": True, "false": False}


def parse_values(parameter: str, text: str) -> list:
    """The values of a parameter in a text.

    Examples
    --------
    >>> parse_values("epsilon", "0.1, 0.01")
    [0.1, 0.01]
    >>> parse_values("hash", "posTags, posTags2::dir + tokens")
    [['posTags'], ['posTags2::dir', 'tokens']]
    """
    values: list = []
    parts = text.split(",")
    if len(parts) > MOST_GRID_VALUES:
        raise InputError(f"{parameter}: {len(parts)} values are too many; at most "
                         f"{MOST_GRID_VALUES} can be tried")
    for part in parts:
        if not part.strip():
            raise InputError(f"{parameter}: found {text.strip()!r}, expected a value "
                             "before and after each comma")
        value = _parse_value(parameter, part.strip())
        if value not in values:
            values.append(value)
    return values


def _parse_value(parameter: str, text: str) -> object:
    if parameter == "groups":
        return _parse_groups(text)
    if parameter == "hash":
        return _names(parameter, text)
    if parameter == "kernel":
        # the spaces of "constant + bow" part no kernel from its parameters
        name, *params = "+".join(map(str.strip, text.split("+"))).split()
        return (name, dict(_parse_pair(name, pair) for pair in params)) if params \
            else name
    return _parse_literal(text)


def _parse_groups(text: str) -> str | list[str]:
    words = text.split(maxsplit=2)
    if words == [LEARN]:
        return LEARN
    if words[0] != ALL_GROUPS:
        return _names("groups", text)
    if len(words) == 1:
        return ALL_GROUPS
    if words[1] != WITHOUT or len(words) < 3:
        raise InputError(f"groups: found {text!r}, expected all, all without GROUP "
                         "or GROUP + GROUP")
    left_out = _names("groups", words[2])
    unknown = [name for name in left_out if name not in GROUPS]
    if unknown:
        raise InputError(f"feature group {unknown[0]!r} is not known; choose from "
                         + ", ".join(GROUPS))
    return [name for name in GROUPS if name not in left_out]


def _names(parameter: str, text: str) -> list[str]:
    names = [name.strip() for name in text.split(" + ")]
    if not all(names) or text.endswith("+") or text.startswith("+"):
        raise InputError(f"{parameter}: found {text!r}, expected a name before and "
                         "after each +")
    # h+1.upos is a template; where no such sign is near, spaces may be left out
    if len(names) == 1 and "." not in text:
        names = [name.strip() for name in text.split("+")]
    return names


def _parse_pair(kernel: str, text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise InputError(f"kernel {kernel}: found {text!r}, expected NAME=VALUE as "
                         "in ngram n=4")
    return name, _parse_literal(value)


def _parse_literal(text: str) -> object:
    if text.lower() in VALUES_IN_WORDS:
        return VALUES_IN_WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def value_text(parameter: str, value: object) -> str:
    """A value as it is written; the inverse of what `parse_values` does."""
    if parameter == "groups" and isinstance(value, Collection) and not isinstance(value, str):
        left_out = [name for name in GROUPS if name not in value]
        if len(left_out) < len(value) and set(value) <= set(GROUPS):
            return f"{ALL_GROUPS} {WITHOUT} {' + '.join(left_out)}" if left_out else ALL_GROUPS
    if isinstance(value, Mapping):
        return " ".join(f"{name}={value_text(name, part)}"
                        for name, part in value.items())
    if parameter == "kernel" and isinstance(value, tuple):
        return f"{value[0]} {value_text('', value[1])}"
    if isinstance(value, (list, tuple)):
        return " + ".join(str(part) for part in value)
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def values_text(parameter: str, values: Iterable) -> str:
    return ", ".join(value_text(parameter, value) for value in values)


def make_grid(values: Mapping[str, Sequence]) -> dict[str | tuple[str, ...], list]:
    """A grid for `tune` from what `parse_values` found for each parameter.

    Kernels that have parameters vary together with them.
    """
    grid: dict[str | tuple[str, ...], list] = {}
    for name, choices in values.items():
        if name == "kernel" and any(isinstance(value, tuple) for value in choices):
            grid["kernel", "kernel_params"] = [
                value if isinstance(value, tuple) else (value, None) for value in choices]
        else:
            grid[name] = list(choices)
    return grid


def settings_of(grid: Grid) -> list[dict[str, object]]:
    """All combinations of a grid; the last parameter changes fastest. C is left out:
    it belongs to the points of a setting."""
    choices = []
    for names, values in grid.items():
        if not is_list(values):
            raise InputError(f"{names}: found {values!r}, expected a list of values")
        if not len(values):
            raise InputError(f"the grid has no values for {names}")
        if names != "C":
            choices.append([choice(names, value) for value in values])
    return [{name: value for choice in combination for name, value in choice.items()}
            for combination in itertools.product(*choices)]


def choice(names: str | tuple[str, ...], value: object) -> dict[str, object]:
    """What one of the values of a grid says; of several parameters, if these vary
    together."""
    if isinstance(names, str):
        return {names: value}
    if not isinstance(value, (tuple, list)) or len(value) != len(names):
        raise InputError(f"{names}: found {value!r}, expected as many values as names")
    return dict(zip(names, value))


def decades(low: float, high: float, per_decade: int = 1) -> list[float]:
    """Numbers from low to high at about even distances on a logarithmic scale.

    Examples
    --------
    >>> decades(0.01, 10, 2)
    [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
    """
    for bound in (low, high):
        C_KIND.check("each bound of C", bound)
    if low > high:
        raise InputError(f"the range of C must go from a smaller number to a larger one, "
                         f"not from {low:g} to {high:g}")
    if per_decade < 1:
        raise InputError(f"a decade needs at least 1 value of C, not {per_decade}")
    # 1, 3, 10 and 1, 2, 5, 10 are what people write
    round_ = per_decade <= 3 and float(f"{low:.1g}") == low
    count = math.floor((math.log10(high) - math.log10(low)) * per_decade + 1e-6) + 1
    if count > MOST_GRID_VALUES:
        raise InputError(f"{count} values of C are too many; at most "
                         f"{MOST_GRID_VALUES} can be tried")
    return [float(f"{low * 10 ** (step / per_decade):.{1 if round_ else 3}g}")
            for step in range(count)]
