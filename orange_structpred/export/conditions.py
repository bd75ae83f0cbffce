"""The conditions of Select Rows as source code."""
from __future__ import annotations

from collections.abc import Callable

from orange_structpred.export.inert import Inert
from orange_structpred.export.source import CannotWrite, Code, call, literal, setting

DISCRETE, CONTINUOUS, STRING = 1, 2, 3      # types of columns, in Orange's counting
# Operators in the order of the widget's menus
NUMBER_OPERATORS = ("Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual",
           "Between", "Outside", "IsDefined")
STRING_OPERATORS = (*NUMBER_OPERATORS[:-1], "Contains", "NotContain", "StartsWith", "NotStartsWith",
           "EndsWith", "NotEndsWith", "IsDefined", "NotIsDefined")
EQUAL, NOT_EQUAL, IN, IS_DEFINED = range(4)
#: Conditions on all columns of a type, by what the widget calls them
ALL_COLUMNS = {"All variables": None, "All numeric variables": CONTINUOUS,
       "All string variables": STRING}
BOUND_DECIMALS = 6            # to which the widget rounds what it reads from a workflow


def rows_filter(settings: dict, data: str, use: Callable[..., None]) -> Code | None:
    """The list of conditions; None if there are none.

    data : the variable of the table
    use : notes what is to be imported
    """
    contexts = setting(settings, "context_settings", [])
    if not contexts:
        return None
    values = contexts[0].get("values") if isinstance(contexts[0], Inert) else None
    if not isinstance(values, dict) or not isinstance(values.get("conditions"), list):
        raise CannotWrite("its conditions cannot be read")
    if (values.get("__version__") or 1) < 2:
        return None             # the widget forgets those of old versions as well
    parts = [part for condition in values["conditions"]
             if (part := one_condition(data, use, *condition)) is not None]
    if not parts:
        return None
    line = f"[{', '.join(parts)}]"
    if len(line) <= 60:
        return Code(line)
    return Code("[\n" + "".join(f"    {part},\n" for part in parts) + "]")


def one_condition(data: str, use: Callable[..., None], name: str, kind: int | None,
                  operator: int, values) -> str | None:
    if type(name) is not str or type(operator) is not int or operator < 0:
        raise CannotWrite("its conditions cannot be read")
    column = literal(name)
    if kind is None:
        if name not in ALL_COLUMNS:
            raise CannotWrite(f"its condition on {name!r} has no counterpart")
        kind, column = ALL_COLUMNS[name], literal(None)
        if kind is None:
            use("Orange.data.filter", "IsDefined")
            return "IsDefined()"
    if kind == DISCRETE:
        return on_category(column, operator, list(values or ()), data, use)
    if kind not in (CONTINUOUS, STRING):
        raise CannotWrite(f"its condition on {name!r} is about times")
    function = "FilterContinuous" if kind == CONTINUOUS else "FilterString"
    names = NUMBER_OPERATORS if kind == CONTINUOUS else STRING_OPERATORS
    numbers = [round(float(value), BOUND_DECIMALS) if kind == CONTINUOUS else str(value)
               for value in values]
    use("Orange.data.filter", function)
    return call(function, column, f"{function}.{names[operator]}",
                *map(literal, numbers))


def on_category(column: str, operator: int, values, data: str,
                use: Callable[..., None]) -> str | None:
    if not all(isinstance(value, str) for value in values):
        raise CannotWrite("its conditions cannot be read")
    if operator == IS_DEFINED:
        allowed = "None"
    elif not values or not values[0]:
        return None
    elif operator == NOT_EQUAL:
        allowed = f"set({data}.domain[{column}].values) - {{{literal(values[0])}}}"
    else:
        chosen = values if operator == IN else values[:1]
        allowed = "{" + ", ".join(map(literal, chosen)) + "}"
    use("Orange.data.filter", "FilterDiscrete")
    return f"FilterDiscrete({column}, {allowed})"
