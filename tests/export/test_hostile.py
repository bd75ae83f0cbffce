"""Scripts of workflows from strangers: nothing of a workflow becomes code."""
import ast
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orange_structpred.export import WorkflowError, parse_workflow
from orange_structpred.export.inert import Inert
from orange_structpred.export.reading import Link, Node, Workflow, nodes_in_order
from orange_structpred.export.script import write_script
from orange_structpred.export.source import variable_name
from orange_structpred.export.writers import WRITERS
from tests.export.scripts import check_both, check_script
from tests.export.toy import (
    APPLY,
    FILE,
    LOAD,
    LOAD_MODEL,
    MOSAIC,
    SAVE_MODEL,
    SCORE,
    TABLE,
    TRAIN,
    TUNE,
    ows,
    workflow,
)

CALL = "__import__('os').system('echo')"
LOADED = (LOAD, "Treebank", {})
LINK = [(0, "Treebank", 1, "Treebank")]


# Settings

@pytest.mark.parametrize("selection", [
    {"after": f"if False else {CALL}"}, {f"C={CALL} or 1., solver": 1},
    {"label": {CALL}, "C": 1.}, {"label": "", "C": CALL}, {"C": [CALL]}, [CALL]])
def test_a_selection_adds_no_code(selection):
    script = write_script(workflow(
        [LOADED, (TUNE, "Tune", {"selection": selection}), (TABLE, "T", {})],
        [*LINK, (1, "Results", 2, "Data")]))
    check_script(script)
    assert "system" not in ast.unparse(ast.parse(script.text))


@pytest.mark.parametrize("changes", [
    {f"C={CALL} or 1., solver": 1}, {"solver": CALL}, {"C": CALL}, {"passes": "7"},
    {"features": "kernel", "kernel_params": {CALL: 1}}, {"groups": [CALL]},
    {"C": float("nan")}, {"C": True}, {"folds": CALL, "evaluation": "folds"},
    {"share": CALL}, {"varied": {"epsilon": CALL}}, {"varied": {"kernel": CALL}},
    {"C_per_decade": 10**9}, {"varied": {"epsilon": "1," * 10**6 + "1"}}])
@pytest.mark.parametrize("widget", [TRAIN, TUNE])
def test_settings_are_known_parameters_or_refused(widget, changes):
    script = write_script(workflow([LOADED, (widget, "W", changes)], LINK))
    check_script(script)
    names = {keyword.arg for node in ast.walk(ast.parse(script.text))
             if isinstance(node, ast.Call) for keyword in node.keywords}
    assert names <= {"solver", "C", "passes", "random_state", "metavar", "help", "type",
                     "nargs", "default", "description", "client"}


def test_refused_settings_are_said():
    script = write_script(workflow([LOADED, (TRAIN, "W", {"solver": CALL})], LINK))
    assert len(script.missing) == 1 and "solver" in script.missing[0]


# Titles

@pytest.mark.parametrize("title", [
    "", " ", "x²", "²", "ª²", "HERE", "here", "ｐｒｉｎｔ", "ﬁle", "\u2028import os",
    "İ", "\u0301", "𝐩𝐫𝐢𝐧𝐭", "１", "_", "x" * 10**5, "Path", "pickle", "match",
    "\u202e print", "\u00b7", "℘", "名前", '"""', "\\"])
def test_titles(title):
    nodes = [(LOAD, title, {"source": "file", "path": "HERE"}), (TRAIN, title, {}),
             (APPLY, title, {}), (SCORE, title, {}), (MOSAIC, title, {})]
    links = [(0, "Treebank", 1, "Treebank"), (0, "Treebank", 2, "Treebank"),
             (1, "Parser", 2, "Parser"), (2, "Treebank", 3, "Treebank")]
    script = write_script(workflow(nodes, links, title=title))
    check_script(script)
    assert "print(score_table(" in script.text
    assert "HERE =" not in script.text


@given(st.text(max_size=20))
def test_names(text):
    import unicodedata
    name = variable_name(text)
    assert name.isidentifier() and unicodedata.normalize("NFKC", name) == name


def test_no_name_shadows_another(tmp_path):
    """What a model is read from has a name of its own."""
    (tmp_path / "model.pkcls").touch()
    recent = pickle.dumps({"recent_paths": [Recent("model.pkcls")]})
    table = pickle.dumps({"recent_paths": [Recent("data.conllu")]})
    script = write_script(workflow(
        [(FILE, "File", table), (LOAD_MODEL, "Load Model", recent),
         (APPLY, "Apply", {}), (SAVE_MODEL, "Save", {"stored_name": "a", "stored_path": ""})],
        [(0, "Data", 2, "Treebank"), (1, "Model", 2, "Parser"),
         (1, "Model", 3, "Model")], folder=tmp_path))
    check_script(script)
    main = ast.parse(script.text).body[-2]
    bound = [node.id for node in ast.walk(main)
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    assert len(bound) == len(set(bound)) == 6
    assert "apply = load_model(file, client=args.scheduler)" in script.text


class Recent:
    def __init__(self, name):
        self.relpath, self.abspath, self.prefix, self.sheet = name, name, "basedir", ""


# Paths

@pytest.mark.parametrize("path", ["x" * 5000, "a/" * 3000, "\0", "\udc80", "~", "//"])
def test_paths_that_cannot_be(tmp_path, path):
    for relative in (path, ""):
        script = write_script(workflow(
            [(LOAD, "T", {"source": "file", "path": path, "relative_path": relative}),
             (LOAD, "Other", {})], folder=tmp_path))
        check_script(script)
        assert 'else load_bundled("en")' in script.text


# Large and endless

def test_a_long_chain_backwards():
    count = 20_000
    nodes = [Node(str(i), MOSAIC, "same") for i in range(count)]
    links = [Link(str(i + 1), str(i), "Data", "Data") for i in range(count - 1)]
    ordered = nodes_in_order(nodes, links, "")
    assert [node.id for node in ordered] == [str(i) for i in reversed(range(count))]
    write_script(Workflow("", ordered, links))      # quadratic: an hour


def test_circles_and_twins():
    with pytest.raises(WorkflowError, match="form a cycle"):
        parse_workflow(ows([LOADED, LOADED], [(0, "a", 1, "b"), (1, "a", 0, "b")]))
    data = ows([LOADED, LOADED]).replace(b'id="1"', b'id="0"')
    with pytest.raises(WorkflowError, match="same id"):
        parse_workflow(data)


def tower(levels: int) -> bytes:
    """A list of two lists of two lists ..., which are all the same."""
    return (b"\x80\x04]q\x00" + b"".join(
        b"]q\x01(h\x00h\x00eq\x00" for _ in range(levels)) + b".")


@pytest.mark.parametrize("value", [
    b"\x80\x04]q\x00h\x00a.",                       # a list that holds itself
    tower(60), tower(30),
    b"\x80\x04" + b"]" * 10**5 + b"a" * (10**5 - 1) + b".",
    b"\x80\x04}" + b")" + b"\x85" * 10**6 + b"Ns."],     # a key of deep tuples
    ids=["circle", "tower", "low tower", "deep", "deep key"])
def test_endless_pickles(value):
    """Settings {"selection": value}."""
    if value.startswith(b"\x80\x04}"):
        data = value
    else:
        data = b"\x80\x04}\x8c\x09selection" + value[2:-1] + b"s."
    script = write_script(workflow([LOADED, (TUNE, "Tune", data)], LINK))
    check_script(script)
    assert len(script.text) < 10**4


def test_many_marks_are_read_in_time():
    data = b"\x80\x04" + b"N" * 300_000 + b"(1" * 300_000 + b"."
    write_script(workflow([(LOAD, "T", data)]))     # quadratic: an hour


# All of it at once

text = st.one_of(
    st.text(max_size=12),
    st.sampled_from([CALL, "HERE", "'''", '"""', "\n", "\\", "x\nimport os", "{x}",
                     "ｐｒｉｎｔ", "en", "bundled", "file", "url", "kernel", "bcfw"]))
plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), text,
              st.binary(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3),
                            st.dictionaries(text, inner, max_size=3)), max_leaves=8)
WIDGETS = list(WRITERS)
KEYS = [
    "source", "language", "url", "path", "relative_path", "skip_bad", "features", "C",
    "groups", "min_count", "hash", "kernel", "kernel_params", "epsilon", "passes",
    "construction", "single_root", "random_state", "n_jobs", "solver", "learner_name",
    "column_name", "fill_heads", "probabilities", "punct", "selected_parsers", "selected_bars",
    "selection", "C_from", "C_to", "C_per_decade", "varied", "evaluation", "share",
    "folds", "recent_paths", "stored_path", "stored_name", "add_type_annotations",
    "sampling_type", "sampleSizePercentage", "sampleSizeNumber", "replacement",
    "selectedFold", "number_of_folds", "stratify", "use_seed", "compatibility_mode",
    "context_settings", "purge_attributes", "merge_type", "stored_selection",
    "stored_sort", "checkpoint", "vectors", "name", "__version__", "hard_margin",
    "resampling", "n_folds", "cv_stratified", "ud", "part", "sizes", "seeds", "measure", "merging", "sel_agg_functions", "cumulative_distr", "sort_by_freq"]
CHANNELS = ["Treebank", "Data", "Parser", "Learner", "Model", "Data Sample", "Errors",
            "Remaining Data", "Matching Data", "Unmatched Data", "Primary Data",
            "Additional Data", "Training Log", "Tokens", "Selected Sentences",
            "Results", "Validation Treebank", "Unlabelled Sentences", "Selected Data",
            "Extra Data", "Features", "Pivot Table", "Filtered Data", "Histogram Data", "Evaluation Results",
            "Test Data"]
#: Choices of columns, as pickles hold them
OF_CONTEXTS = ["row_feature", "col_feature", "val_feature", "var", "cvar", "attr_pairs",
               "number_of_bins", "domain_role_hints", "conditions", "__version__"]
column = st.tuples(text, st.sampled_from([1, 100, 101, 102, -2]))
choice = st.one_of(
    plain, column, st.tuples(plain, st.just(-2)), st.lists(st.lists(column, max_size=3)),
    st.tuples(st.dictionaries(column, st.tuples(
        st.sampled_from(["attribute", "class", "meta", "available", CALL]),
        st.one_of(st.integers(), text))), st.just(-2)))
context = st.builds(
    lambda values: Inert("Context", state={"values": values}),
    st.dictionaries(st.sampled_from(OF_CONTEXTS), choice, max_size=5))
node = st.builds(
    lambda *parts, own: Node("", *parts, {
        **own[0], **({"context_settings": own[1]} if own[1] else {})}),
    st.sampled_from(WIDGETS), text,
    own=st.tuples(
        st.dictionaries(st.one_of(st.sampled_from(KEYS), text),
                        st.one_of(plain, st.sets(st.integers(0, 12), max_size=3)),
                        max_size=6),
        st.lists(context, max_size=2)))


@settings(max_examples=300)
@given(st.lists(node, min_size=1, max_size=6),
       st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5),
                          st.sampled_from(CHANNELS), st.sampled_from(CHANNELS)),
                max_size=10), text)
def test_any_workflow(nodes, ends, title):
    """The script parses and calls what our writers call, whatever the settings."""
    for number, own in enumerate(nodes):
        own.id, own.title = str(number), " ".join(own.title.split())
    links = [Link(str(a), str(b), output, entry) for a, b, output, entry in ends
             if a < b < len(nodes)]
    check_both(Workflow(title, nodes_in_order(nodes, links, ""), links))
