"""What the script or notebook of any workflow may hold."""
import argparse
import ast
import builtins
import json
import re
import unicodedata

#: Functions that writers call; variables, which are learners and parsers, are called too
FUNCTIONS = {
    "print", "list", "set", "str", "open", "load_bundled", "ParserLearner",
    "score_table", "score_treebanks", "prediction_table", "training_log", "sample", "fold",
    "bootstrap", "concatenate", "tune", "Path", "Values", "FilterDiscrete",
    "FilterContinuous", "FilterString", "IsDefined", "load_ud", "PipelineLearner",
    "TaggerLearner", "tag_confusions", "import_text", "import_table", "read_text",
    "load_model", "load_parser", "annotate_table", "annotate_text", "select_columns", "merge", "pivot",
    "histogram", "table_info", "table_text", "learning_curve", "confusions",
    "CrossValidation", "ShuffleSplit", "TestOnTestData", "CA", "zip", "confusion_text",
    "StructuredSVMLearner", "ParserSteps", "first_sentences",
    "find", "len", "TreebankProfile", "apply_journal", "done_sentences", "steps_text", "steps_table",
    "compare_treebanks", "checked_sentences"}
METHODS = {
    "use_tags", "tag_table", "from_file", "from_url", "concatenate", "transform",
    "fill_heads", "point", "parser", "learner", "to_table", "text", "table", "sentences",
    "errors", "save", "write", "dump", "load", "resolve", "cwd", "results_table",
    "values", "take", "figure", "cluster", "select", "agreement", "merged",
    "differences_table", "agreement_table"}
NODES = (
    ast.Module, ast.Expr, ast.Import, ast.ImportFrom, ast.alias, ast.Assign, ast.With,
    ast.withitem, ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Subscript,
    ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.BinOp, ast.Div, ast.Sub,
    ast.Add, ast.For, ast.JoinedStr, ast.FormattedValue, ast.UnaryOp, ast.USub, ast.IfExp,
    ast.Load, ast.Store)
MODULES = {"argparse", "pathlib", "pickle", "Orange", "orange_structpred"}
#: The frame of each script
GUARD = 'if __name__ == "__main__":\n    main()'
SIGNATURES = {"parse_arguments": "argv=None", "main": "argv=None"}
#: Types of arguments
TYPES = {"int": int, "float": float}


class Bound:
    """Names that are bound so far: variables, and what was imported."""

    def __init__(self, *variables):
        self.variables, self.imported = set(variables), set()

    def __contains__(self, name):
        return name in self.variables or name in self.imported


def check_script(script) -> None:
    """The script parses, every name in it is bound before it is used and only once,
    and it calls nothing but what our writers call."""
    script.text.encode("utf-8")
    tree = ast.parse(script.text)
    compile(tree, "script", "exec")
    *head, parsing, main, guard = tree.body
    assert ast.unparse(guard) == ast.unparse(ast.parse(GUARD))
    for function in (parsing, main):
        assert isinstance(function, ast.FunctionDef) and not function.decorator_list
        assert ast.unparse(function.args) == SIGNATURES[function.name]
    bound = Bound("__file__")
    for node in head:
        check_statement(node, bound)
    names = check_arguments(parsing, ast.get_docstring(tree))
    first, *body = main.body
    assert ast.unparse(first) == f"{'args = ' if names else ''}parse_arguments(argv)"
    bound.variables |= {"args"} if names else set()
    for node in body:
        check_statement(node, bound, names)


def check_arguments(parsing, description) -> set[str]:
    """Names of the arguments; their parser can be made, and has a help text."""
    first, *adding, last = parsing.body
    assert ast.unparse(first) == "parser = argparse.ArgumentParser(description=__doc__)"
    assert ast.unparse(last) == "return parser.parse_args(argv)"
    parser = argparse.ArgumentParser(prog="script", description=description)
    for statement in adding:
        called = statement.value
        assert ast.unparse(called.func) == "parser.add_argument"
        option, = called.args
        options = {}
        for own in called.keywords:
            text = ast.unparse(own.value)
            if own.arg == "type":
                options["type"] = TYPES[text]
            else:       # a literal, but for the script's folder
                assert own.arg in ("metavar", "nargs", "default", "help"), own.arg
                if own.arg == "default" and text.startswith("HERE / "):
                    text = text.removeprefix("HERE / ")
                options[own.arg] = ast.literal_eval(text)
        parser.add_argument(ast.literal_eval(option), **options)
    assert description in " ".join(parser.format_help().split()) or len(description) > 60
    return set(vars(parser.parse_args([])))


def check_notebook(notebook) -> None:
    """The notebook is one, its code is what our writers write, and nothing of the
    workflow is more than words in its text."""
    content = json.loads(notebook.text.encode("utf-8"))
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert set(content) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    bound = Bound()
    for number, cell in enumerate(content["cells"]):
        assert cell["id"] == f"cell-{number}"
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            assert set(cell) == {"cell_type", "id", "metadata", "source"}
            check_words(text)
        else:
            assert cell["cell_type"] == "code"
            assert cell["outputs"] == [] and cell["execution_count"] is None
            # no line is a command of the notebook
            assert not re.search("^ *[%!?]", text, re.MULTILINE)
            for node in ast.parse(text).body:
                check_statement(node, bound)


def check_words(text) -> None:
    """A heading, and text without pictures, links, HTML and formulas."""
    heading, *rest = text.split("\n\n")
    assert heading.startswith(("# ", "## ")) and len(rest) <= 1
    for part in (heading.lstrip("#"), *rest):
        assert "\n" not in part
        assert not re.search(r"[\[\]<>`$&*_#!]", re.sub(r"\\.", "", part)), part


def check_statement(statement, bound, arguments=frozenset()) -> None:
    imported, stored = set(), []
    for node in ast.walk(statement):
        assert isinstance(node, NODES), ast.dump(node)
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
            assert {alias.name.split(".")[0] for alias in node.names} <= MODULES
        elif isinstance(node, ast.ImportFrom):
            imported |= {alias.name for alias in node.names}
            assert node.module.split(".")[0] in MODULES and not node.level
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored.append(node.id)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "args":
            assert node.attr in arguments, node.attr
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            assert node.id in bound or node.id in stored or hasattr(builtins, node.id), \
                f"{node.id} is not bound"
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                assert called.id in FUNCTIONS or called.id in bound.variables, called.id
            elif isinstance(called, ast.Attribute):
                assert called.attr in METHODS, called.attr
            else:
                assert isinstance(called, ast.Call), ast.dump(called)
    again = "fill_heads" in ast.unparse(statement)
    for name in stored:
        assert name == "_" or again or name not in bound, f"{name} is bound twice"
        assert name == "_" or not hasattr(builtins, name), name
        assert unicodedata.normalize("NFKC", name) == name
    bound.imported |= imported
    bound.variables |= set(stored)


def check_both(workflow, folder=None) -> None:
    """The script and the notebook of a workflow."""
    from orange_structpred.export.notebook import write_notebook
    from orange_structpred.export.script import write_script
    script = write_script(workflow, folder=folder)
    notebook = write_notebook(workflow, folder=folder)
    check_script(script)
    check_notebook(notebook)
    assert script.missing == notebook.missing
    assert all("\n" not in line for line in script.missing)
