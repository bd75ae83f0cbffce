"""How those of Orange's own widgets are written that a treebank can pass through."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from orange_structpred.export.conditions import rows_filter
from orange_structpred.export.inert import Inert
from orange_structpred.export.reading import Node
from orange_structpred.export.shared import address, saved_file, saved_path
from orange_structpred.export.source import (
    CannotWrite,
    Code,
    DoesNothing,
    call,
    literal,
    numbers_of,
    setting,
)
from orange_structpred.export.writer import Writer
from orange_structpred.tables.sampling import SEED
from orange_structpred.treebank.table import EXTENSIONS

CROSS_VALIDATION, RANDOM_SAMPLING, ON_TEST_DATA = 0, 2, 5       # kinds of resampling
# What Test and Score offers; its settings are numbers of these
FOLD_NUMBERS = (2, 3, 5, 10, 20)
REPEATS = (2, 3, 5, 10, 20, 50, 100)
SAMPLE_SIZES = (5, 10, 20, 25, 30, 33, 40, 50, 60, 66, 70, 75, 80, 90, 95)
SAMPLE_DATASETS = "sample-datasets"     # what Orange calls the folder of its own tables
BY_PROPORTION, BY_SIZE, BY_FOLDS, BY_BOOTSTRAP = range(4)       # kinds of sampling


# Reading and saving

def write_file_reader(writer: Writer, node: Node) -> None:
    settings = node.settings
    variable = writer.name(node.title)
    if setting(settings, "source", 0) != 0:
        url = address(node)
        kind = kind_of_file(writer, url)
        writer.assign_file_or(node, variable, f"{kind}.from_file", call(
            f"{kind}.from_url", literal(url)))
    else:
        recent = chosen_file(node)
        kind = kind_of_file(
            writer, recent_setting(recent, "relpath") or recent_setting(recent, "abspath"))
        file = writer.file(node, variable, recent_path(writer.path, recent))
        sheet = recent_setting(recent, "sheet")
        if kind == "Treebank":
            writer.assign(variable, "Treebank.from_file", file)
        else:
            writer.assign(variable, "Table.from_file", f"str({file})",
                          options={"sheet": sheet} if sheet else {})
    writer.send(node, "Data", variable)


def kind_of_file(writer: Writer, name: str) -> str:
    """The class that reads a file of this name."""
    module, kind = (("orange_structpred", "Treebank") if name.lower().endswith(EXTENSIONS)
                    else ("Orange.data", "Table"))
    writer.use(module, kind)
    return kind


def chosen_file(node: Node) -> Inert:
    """The first of the recently used files, which is the one in use."""
    recent = setting(node.settings, "recent_paths", [])
    if not recent:
        raise DoesNothing("no file is chosen")
    if not isinstance(recent[0], Inert):
        raise CannotWrite("its settings do not say which file is selected")
    return recent[0]


def recent_setting(recent: Inert, name: str) -> str:
    return setting(recent.state if isinstance(recent.state, dict) else {}, name, "")


def recent_path(path: Callable[[str, str], Code], recent: Inert) -> Code:
    relative, prefix = (recent_setting(recent, name) for name in ("relpath", "prefix"))
    if prefix == SAMPLE_DATASETS:
        return literal(PurePath(relative).stem)
    return path(recent_setting(recent, "abspath"),
                relative if prefix == "basedir" else "")


def write_save_data(writer: Writer, node: Node) -> None:
    data, plain = writer.one(node, "Data"), saved_path(node).removesuffix(".gz")
    without_types = not setting(node.settings, "add_type_annotations", True)
    file = f"str({saved_file(writer, node)})"
    if without_types and plain.endswith((".csv", ".tab")):
        reader = "CSVReader" if plain.endswith(".csv") else "TabReader"
        writer.use("Orange.data.io", reader)
        writer.add(call(f"{reader}.write", file, data,
                        options={"with_annotations": False}))
    else:
        writer.add(f"{data}.save({file})")


def write_save_model(writer: Writer, node: Node) -> None:
    model, file = writer.one(node, "Model"), saved_file(writer, node)
    writer.use("pickle")
    opened = writer.name(f"{node.title} file")
    writer.add(f'with open({file}, "wb") as {opened}:')
    writer.add(f"    pickle.dump({model}, {opened})")


def write_load_model(writer: Writer, node: Node) -> None:
    file = recent_path(writer.path, chosen_file(node))
    writer.use("pickle")
    variable, opened = writer.name(node.title), writer.name(f"{node.title} file")
    file = writer.file(node, variable, file)
    writer.add(f'with open({file}, "rb") as {opened}:')
    writer.add(f"    {variable} = pickle.load({opened})")
    writer.send(node, "Model", variable)


# Rows

def write_data_sampler(writer: Writer, node: Node) -> None:
    settings = node.settings
    data = writer.one(node, "Data")
    kind = setting(settings, "sampling_type", BY_PROPORTION)
    options: dict[str, object] = {}
    arguments: list[str] = []
    if kind == BY_PROPORTION:
        function = "sample"
        arguments = [literal(setting(settings, "sampleSizePercentage", 70.) / 100)]
    elif kind == BY_SIZE:
        function = "sample"
        options["size"] = setting(settings, "sampleSizeNumber", 1)
        if settings.get("replacement"):
            options["replace"] = True
    elif kind == BY_FOLDS:
        function = "fold"
        arguments = [literal(setting(settings, "selectedFold", 1)),
                     literal(setting(settings, "number_of_folds", 10))]
    else:
        function = "bootstrap"
    if settings.get("stratify") and kind != BY_BOOTSTRAP:
        options["stratify"] = True
    if settings.get("use_seed", True):
        options["random_state"] = writer.seed(SEED)
    writer.use("orange_structpred.tables.sampling", function)
    outputs = ["Data Sample", "Remaining Data"]
    if kind == BY_FOLDS and of_old(settings):
        outputs.reverse()
    names = {"Data Sample": f"{node.title} sample",
             "Remaining Data": f"{node.title} rest"}
    variables = []
    for output in outputs:
        used = writer.used(node, output)
        variables.append(writer.name(names[output]) if used else "_")
        if used:
            writer.send(node, output, variables[-1])
    if variables != ["_", "_"]:
        writer.assign(", ".join(variables), function, data, *arguments,
                      options=options)


def of_old(settings: dict) -> bool:
    """Whether outputs are the other way round for folds, as they once were."""
    return bool(settings.get("compatibility_mode")
                or (settings.get("__version__") or 1) < 2)


def write_select_rows(writer: Writer, node: Node) -> None:
    data = writer.one(node, "Data")
    if node.settings.get("purge_attributes") or node.settings.get("purge_classes"):
        raise CannotWrite("it also removes values and columns")
    conditions = rows_filter(node.settings, data, writer.use)
    if not conditions:
        writer.send(node, "Matching Data", data)
        return
    if all(writer.used(node, output) for output in ("Matching Data", "Unmatched Data")):
        variable = writer.name(f"{node.title} conditions")
        writer.add(f"{variable} = {conditions}")
        conditions = Code(variable)
    for output, options, suffix in (("Matching Data", {}, ""),
                                    ("Unmatched Data", {"negate": True}, "rest")):
        writer.give(node, output, "Values", conditions, suffix=suffix, options=options,
                    after=f"({data})", module="Orange.data.filter")


def write_concatenate(writer: Writer, node: Node) -> None:
    first = writer.received(node, "Primary Data")
    others = writer.received(node, "Additional Data")
    if not first and not others:
        raise DoesNothing("nothing is connected to its inputs")
    for option in ("append_source_column", "ignore_compute_value"):
        if node.settings.get(option):
            raise CannotWrite(f"its option {option} has no counterpart")
    variable = writer.name(node.title)
    if first:
        if node.settings.get("ignore_names"):
            raise CannotWrite("its option ignore_names has no counterpart")
        writer.use("Orange.data", "Table")
        # The columns are those of the primary table.
        parts = [first[-1],
                 *(f"{other}.transform({first[-1]}.domain)" for other in others)]
        inner = ", ".join(parts)
        writer.assign(variable, "Table.concatenate", f"[{inner}]")
    else:
        writer.use("orange_structpred.tables.rows", "concatenate")
        options = {"shared": True} if node.settings.get("merge_type") else {}
        writer.assign(variable, "concatenate", *others, options=options)
    writer.send(node, "Data", variable)


def write_data_table(writer: Writer, node: Node) -> None:
    """A print; and the rows that are selected, if the table is not sorted."""
    data = writer.one(node, "Data")
    writer.add(f"print({data})")
    rows = numbers_of(setting(node.settings, "stored_selection", {}), "rows")
    if rows and not node.settings.get("stored_sort"):
        writer.give_rows(node, "Selected Data", data, rows)


# Evaluation

def write_test_and_score(writer: Writer, node: Node) -> None:
    """Prints the accuracy of each learner."""
    settings, data = node.settings, writer.one(node, "Data")
    learners = writer.needed(node, "Learner")
    kind = setting(settings, "resampling", CROSS_VALIDATION)
    arguments, options = [data], {}
    if kind == CROSS_VALIDATION:
        method = "CrossValidation"
        folds = setting(settings, "n_folds", 2)
        if not 0 <= folds < len(FOLD_NUMBERS):
            raise CannotWrite("its number of folds is not known")
        options = {"k": FOLD_NUMBERS[folds], "random_state": writer.seed(SEED),
                   "stratified": setting(settings, "cv_stratified", True)}
    elif kind == RANDOM_SAMPLING:
        method = "ShuffleSplit"
        repeats, size = (setting(settings, *named) for named in (
            ("n_repeats", 3), ("sample_size", 9)))
        if not (0 <= repeats < len(REPEATS) and 0 <= size < len(SAMPLE_SIZES)):
            raise CannotWrite("its number or size of samples is not known")
        options = {"n_resamples": REPEATS[repeats],
                   "train_size": SAMPLE_SIZES[size] / 100, "test_size": None,
                   "stratified": setting(settings, "shuffle_stratified", True),
                   "random_state": writer.seed(SEED)}
    elif kind == ON_TEST_DATA:
        method = "TestOnTestData"
        arguments.append(writer.one(node, "Test Data"))
    else:
        raise CannotWrite("only cross validation, random sampling and separate test data "
                          "have a counterpart")
    writer.use("Orange.evaluation", "CA", method)
    by_name, test, results, learner, accuracy = map(
        writer.name, ("learners", "test", "results", "learner", "accuracy"))
    writer.add(f"{by_name} = {{")
    for name in learners:
        writer.add(f'    "{name}": {name},')
    writer.add("}")
    writer.assign(test, method, options=options)
    writer.assign(results, test, *arguments, f"{by_name}.values()")
    writer.add(f"for {learner}, {accuracy} in zip({by_name}, CA({results})):")
    writer.add(f'    print({learner}, f"accuracy {{{accuracy}:.3f}}")')
    writer.send(node, "Evaluation Results", results)


def write_confusion_matrix(writer: Writer, node: Node) -> None:
    """Prints the matrix of each learner."""
    results = writer.one(node, "Evaluation Results")
    writer.use("orange_structpred.tables.contents", "confusion_text")
    writer.add(f"print(confusion_text({results}))")
