"""What is read from .ows files, and what is said of those that cannot be read."""
import json
import pickle

import pytest

from orange_structpred.export import WorkflowError, parse_workflow, read_workflow
from orange_structpred.export.inert import Inert
from tests.data import ROOT
from tests.export.toy import APPLY, LOAD, SAMPLER, SCORE, TRAIN, ows

CHAIN = [(SCORE, "Score", {}), (TRAIN, "Train", {"C": 10.0}), (LOAD, "Load", {})]
LINKS = [(1, "Parser", 0, "Treebank"), (2, "Treebank", 1, "Treebank")]


def test_nodes_in_the_order_of_the_links():
    workflow = parse_workflow(ows(CHAIN, LINKS))
    assert [node.title for node in workflow.nodes] == ["Load", "Train", "Score"]
    assert workflow.nodes[1].settings == {"C": 10.0}
    train = workflow.nodes[1]
    assert [link.output for link in workflow.inputs(train)] == ["Treebank"]
    assert [link.input for link in workflow.outputs(train)] == ["Treebank"]


def test_disabled_links_are_left_out():
    workflow = parse_workflow(ows(CHAIN, [LINKS[0], (*LINKS[1], "off")]))
    assert [link.source for link in workflow.links] == ["1"]


def test_titles_are_one_line():
    workflow = parse_workflow(ows([(LOAD, "a\nimport os\r\nb", {})], title="x\ny"))
    assert workflow.nodes[0].title == "a import os b"
    assert workflow.title == "x y"


def test_formats_of_settings():
    data = ows([(LOAD, "Load", {"language": "de"})])
    as_json = data.replace(b'format="literal"', b'format="json"').replace(
        b"{'language': 'de'}", json.dumps({"language": "de"}).encode())
    pickled = ows([(LOAD, "Load", pickle.dumps({"language": "de"}))])
    for text in (data, as_json, pickled):
        assert parse_workflow(text).nodes[0].settings == {"language": "de"}


@pytest.mark.parametrize("form, text", [
    ("literal", b"__import__('os').system('true')"), ("literal", b"{'a': "),
    ("json", b"{"), ("yaml", b"a: 1"), ("pickle", b"gAR9"), ("literal", b"[1]")])
def test_settings_that_cannot_be_read(form, text):
    data = ows([(LOAD, "Load", {})]).replace(
        b'format="literal">{}', b'format="' + form.encode() + b'">' + text)
    node, = parse_workflow(data).nodes
    assert node.settings == {}
    assert node.problem.startswith("its settings cannot be read")


def test_pickled_settings_do_nothing(tmp_path):
    class Trap:
        def __reduce__(self):
            return open, (str(tmp_path / "snapped"), "w")

    data = ows([(SAMPLER, "Sampler", pickle.dumps({"x": Trap(), "use_seed": True}))])
    node, = parse_workflow(data).nodes
    assert not (tmp_path / "snapped").exists()
    assert node.settings["use_seed"] is True
    assert isinstance(node.settings["x"], Inert)


def test_a_problem_is_the_same_in_every_run():
    """Python says where in memory it found what is no plain value."""
    data = ows([(APPLY, "Apply", {"name": "x"})]).replace(b"'x'", b"x")
    node, = parse_workflow(data).nodes
    assert node.problem == (
        "its settings cannot be read (malformed node or string on line 1)")


@pytest.mark.parametrize("data, words", [
    (b"", "found invalid XML"),
    (b"Dear reader,", "found invalid XML"),
    (ows(CHAIN, LINKS)[:300], "found invalid XML"),
    (b"<html><body/></html>", "found <html>, expected <scheme>"),
    (ows(CHAIN, LINKS, version="1.0"),
     "version '1.0', expected '2.0'; open it in Orange and save it again"),
    (ows(CHAIN, LINKS, version="3.0"), "version '3.0'"),
    (ows(CHAIN, LINKS).replace(b'qualified_name="', b'q="'), "no 'qualified_name'"),
    (ows(CHAIN, [(7, "Parser", 0, "Treebank")]), "widget '7', which does not exist"),
    (ows(CHAIN, [*LINKS, (0, "Treebank", 2, "?")]), "form a cycle"),
])
def test_damaged_files(tmp_path, data, words):
    path = tmp_path / "some.ows"
    path.write_bytes(data)
    with pytest.raises(WorkflowError) as caught:
        read_workflow(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")


def test_title_of_a_workflow_without_one(tmp_path):
    path = tmp_path / "my parser.ows"
    path.write_bytes(ows([(APPLY, "Apply", {})], title=""))
    workflow = read_workflow(path)
    assert (workflow.title, workflow.folder) == ("my parser", tmp_path.resolve())


def test_examples_are_read():
    for path in (ROOT / "workflows").glob("*.ows"):
        workflow = read_workflow(path)
        assert len(workflow.nodes) > 4
        assert not any(node.problem for node in workflow.nodes)
