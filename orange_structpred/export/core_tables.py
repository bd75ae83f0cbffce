"""How those of Orange's own widgets are written that compute tables from tables."""
from __future__ import annotations

from orange_structpred.export.inert import Inert
from orange_structpred.export.reading import Node
from orange_structpred.export.source import CannotWrite, call, literal, setting
from orange_structpred.export.writer import Writer
from orange_structpred.tables.merging import HOW
from orange_structpred.tables.pivot import FUNCTIONS

CONTENTS = "orange_structpred.tables.contents"
ROLES = {"attribute": "features", "class": "targets", "meta": "metas"}
MAJORITY = len(FUNCTIONS)       # the last of the functions of a Pivot Table
SELECTION = "what is selected in it has no counterpart in a script"
MOST_BINS = 1000                # more than any widget offers


def context(node: Node) -> dict:
    """Choices that belong to the data at hand: the first context is the one in use."""
    contexts = setting(node.settings, "context_settings", [])
    if not contexts:
        raise CannotWrite("no columns are chosen in it; run the workflow and save it again")
    values = contexts[0].get("values") if isinstance(contexts[0], Inert) else None
    if not isinstance(values, dict):
        raise CannotWrite("its chosen columns cannot be read")
    return values


def chosen_column(values: dict, name: str) -> str | None:
    """The name of a chosen column, which is saved with the number of its type."""
    value = values.get(name)
    if value is None or isinstance(value, tuple) and value[:1] == (None,):
        return None
    if not (isinstance(value, tuple) and len(value) == 2 and type(value[0]) is str):
        raise CannotWrite(f"its column {name} cannot be read")
    return value[0]


def needed(values: dict, name: str) -> str:
    column = chosen_column(values, name)
    if column is None:
        raise CannotWrite("no column is chosen in it")
    return column


def write_select_columns(writer: Writer, node: Node) -> None:
    data = writer.one(node, "Data")
    if writer.received(node, "Features"):
        raise CannotWrite("it takes columns from its input 'Features'")
    hints = context(node).get("domain_role_hints")
    hints = hints[0] if isinstance(hints, tuple) and hints else hints
    if not isinstance(hints, dict):
        raise CannotWrite("its chosen columns cannot be read")
    chosen: dict[str, list[tuple[int, str]]] = {}
    for (name, _), (role, position) in hints.items():
        if type(name) is not str or type(position) is not int:
            raise CannotWrite("its chosen columns cannot be read")
        if role in ROLES:
            chosen.setdefault(ROLES[role], []).append((position, name))
    writer.send(node, "Data", writer.new(node, "select_columns", data, options={
        role: [name for _, name in sorted(chosen[role])]
        for role in ROLES.values() if role in chosen}, module=CONTENTS))
    writer.withhold(node, "Features", "a list of columns has no counterpart in a script")


def write_merge_data(writer: Writer, node: Node) -> None:
    data, extra = (writer.one(node, channel) for channel in ("Data", "Extra Data"))
    kind = setting(node.settings, "merging", 0)
    if kind not in range(len(HOW)):
        raise CannotWrite(f"its setting merging is {kind}")
    pairs = context(node).get("attr_pairs")
    if not isinstance(pairs, list) or not pairs:
        raise CannotWrite("its pairs of columns cannot be read")
    on = [(needed({"left": tuple(left)}, "left"), needed({"right": tuple(right)}, "right"))
          for left, right in pairs]
    writer.send(node, "Data", writer.new(
        node, "merge", data, extra, literal(on), options={"how": HOW[kind]} if kind else {},
        module="orange_structpred.tables.merging"))


def write_pivot_table(writer: Writer, node: Node) -> None:
    """A print of the table; it can be sent on."""
    data, values = writer.one(node, "Data"), context(node)
    numbers = setting(node.settings, "sel_agg_functions", {0})
    if not all(type(number) is int and 0 <= number <= MAJORITY for number in numbers):
        raise CannotWrite("its functions cannot be read")
    if MAJORITY in numbers:
        raise CannotWrite("its function Majority has no counterpart in a script")
    functions = [name for number, name in enumerate(FUNCTIONS) if number in numbers]
    options: dict[str, object] = {}
    if functions != ["count"]:
        if (value := chosen_column(values, "val_feature")) is not None:
            options["values"] = value
        options["functions"] = functions
    columns = chosen_column(values, "col_feature")
    variable = writer.new(node, "pivot", data, literal(needed(values, "row_feature")),
                          *([] if columns is None else [literal(columns)]),
                          options=options, module="orange_structpred.tables.pivot")
    show(writer, variable)
    writer.send(node, "Pivot Table", variable)
    for output in ("Filtered Data", "Grouped Data"):
        writer.withhold(node, output, SELECTION if output == "Filtered Data" else
                        "grouped data have no counterpart in a script")


def write_distributions(writer: Writer, node: Node) -> None:
    """A print of the numbers behind the bars; they can be sent on."""
    data, values = writer.one(node, "Data"), context(node)
    settings = node.settings
    options: dict[str, object] = {}
    if (split := chosen_column(values, "cvar")) is not None:
        options["by"] = split
    bins = values.get("number_of_bins", (0,))
    bins = bins[0] if isinstance(bins, tuple) and bins else bins
    if type(bins) is not int or not 0 <= bins < MOST_BINS:
        raise CannotWrite("its number of bins cannot be read")
    if bins:
        options["bins"] = bins
    for option, name in (("cumulative", "cumulative_distr"), ("sort", "sort_by_freq")):
        if setting(settings, name, False):
            options[option] = True
    variable = writer.new(node, "histogram", data, literal(needed(values, "var")),
                          options=options, module="orange_structpred.tables.histogram")
    show(writer, variable)
    writer.send(node, "Histogram Data", variable)
    for output in ("Selected Data", "Data"):
        writer.withhold(node, output, SELECTION)


def write_data_info(writer: Writer, node: Node) -> None:
    data = writer.one(node, "Data")
    writer.use(CONTENTS, "table_info")
    writer.add(f"print(table_info({data}))")


def show(writer: Writer, variable: str) -> None:
    writer.use(CONTENTS, "table_text")
    writer.add(f"print({call('table_text', variable)})")
