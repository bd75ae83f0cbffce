"""What the script of any workflow may hold."""
import ast
import builtins
import unicodedata

#: Functions that writers call; variables, which are parsers, are called too
FUNCTIONS = {
    "print", "list", "set", "str", "open", "load_bundled", "ParserLearner",
    "score_table", "score_treebanks", "prediction_table", "training_log", "sample", "fold",
    "bootstrap", "concatenate", "tune", "Path", "Values", "FilterDiscrete",
    "FilterContinuous", "FilterString", "IsDefined", "load_ud", "PipelineLearner",
    "TaggerLearner", "tag_confusions", "import_text", "import_table", "read_text",
    "load_model", "annotate_table", "annotate_text"}
METHODS = {
    "use_tags", "splitter", "from_file", "from_url", "concatenate", "transform", "fill_heads", "point",
    "parser", "learner", "to_table", "text", "table", "sentences", "errors", "save", "write", "dump", "load", "resolve"}
NODES = (
    ast.Module, ast.Expr, ast.Import, ast.ImportFrom, ast.alias, ast.Assign, ast.With,
    ast.withitem, ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Subscript,
    ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.BinOp, ast.Div, ast.Sub,
    ast.UnaryOp, ast.USub, ast.Load, ast.Store)
MODULES = {"pathlib", "pickle", "Orange", "orange_structpred"}


def check_script(script) -> None:
    """The script parses, every name in it is bound before it is used and only once,
    and it calls nothing but what our writers call."""
    script.text.encode("utf-8")
    tree = ast.parse(script.text)
    compile(tree, "script", "exec")
    bound = {"__file__"}
    for node in tree.body:
        check_statement(node, bound)


def check_statement(statement, bound) -> None:
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
    variables = bound - FUNCTIONS
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            assert node.id in bound or node.id in stored or hasattr(builtins, node.id), \
                f"{node.id} is not bound"
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                assert called.id in FUNCTIONS | variables, called.id
            elif isinstance(called, ast.Attribute):
                assert called.attr in METHODS, called.attr
            else:
                assert isinstance(called, ast.Call), ast.dump(called)
    again = "fill_heads" in ast.unparse(statement)
    for name in stored:
        assert name == "_" or again or name not in bound, f"{name} is bound twice"
        assert name == "_" or not hasattr(builtins, name), name
        assert unicodedata.normalize("NFKC", name) == name
    bound |= imported | set(stored)
