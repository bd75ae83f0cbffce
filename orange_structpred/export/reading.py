"""What is in an .ows file: widgets, their settings, and the links between them."""
from __future__ import annotations

import ast
import base64
import binascii
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from orange_structpred.export.inert import UnknownPickle, read_pickle

VERSION = "2.0"


class WorkflowError(ValueError):
    """A file that is no workflow, or a damaged one."""


@dataclass
class Node:
    """A widget on the canvas."""

    id: str
    widget: str             # qualified name of its class
    title: str
    settings: dict = field(default_factory=dict)
    problem: str = ""       # why the settings could not be read


@dataclass(frozen=True)
class Link:
    source: str             # ids of nodes
    sink: str
    output: str             # names of channels
    input: str
    enabled: bool = True


@dataclass
class Workflow:
    """Nodes in the order in which data reach them, and enabled links."""

    title: str
    nodes: list[Node]
    links: list[Link]
    folder: Path | None = None

    def inputs(self, node: Node) -> list[Link]:
        return [link for link in self.links if link.sink == node.id]

    def outputs(self, node: Node) -> list[Link]:
        return [link for link in self.links if link.source == node.id]


def read_workflow(path: str | os.PathLike) -> Workflow:
    """A workflow from a file."""
    path = Path(path)
    workflow = parse_workflow(path.read_bytes(), str(path))
    workflow.folder = path.resolve().parent
    workflow.title = workflow.title or path.stem
    return workflow


def parse_workflow(data: bytes, name: str = "workflow") -> Workflow:
    """A workflow from the contents of an .ows file."""
    try:
        scheme = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise WorkflowError(f"{name}: found no XML ({error}), expected a workflow "
                            "saved by Orange") from error
    if scheme.tag != "scheme":
        raise WorkflowError(f"{name}: found <{scheme.tag}>, expected <scheme> of a "
                            "workflow saved by Orange")
    version = scheme.get("version", "")
    if version != VERSION:
        raise WorkflowError(f"{name}: found a workflow of version {version!r}, expected "
                            f"{VERSION!r}; open it in Orange and save it again")
    try:
        # A title is one line, whatever the file says.
        nodes = [Node(node.attrib["id"], node.attrib["qualified_name"],
                      " ".join((node.get("title") or node.get("name", "")).split()))
                 for node in scheme.iterfind("nodes/node")]
        links = [Link(link.attrib["source_node_id"], link.attrib["sink_node_id"],
                      link.attrib["source_channel"], link.attrib["sink_channel"])
                 for link in scheme.iterfind("links/link")
                 if link.get("enabled", "true") == "true"]
    except KeyError as error:
        raise WorkflowError(f"{name}: a widget or link has no {error}; expected a "
                            "workflow saved by Orange") from error
    known = {node.id: node for node in nodes}
    for link in links:
        for end in (link.source, link.sink):
            if end not in known:
                raise WorkflowError(f"{name}: a link leads to widget {end!r}, "
                                    "which does not exist")
    for element in scheme.iterfind("node_properties/properties"):
        node = known.get(element.get("node_id", ""))
        if node is not None:
            read_settings(node, element.get("format", ""), element.text or "")
    title = " ".join(scheme.get("title", "").split())
    return Workflow(title, in_order(nodes, links, name), links)


def read_settings(node: Node, form: str, text: str) -> None:
    """Settings from a literal, from JSON, or from pickled data read as data."""
    try:
        if form == "literal":
            settings = ast.literal_eval(text)
        elif form == "json":
            settings = json.loads(text)
        elif form == "pickle":
            settings = read_pickle(base64.b64decode(text, validate=False))
        else:
            raise ValueError(f"format {form!r} is not known")
        if not isinstance(settings, dict):
            raise UnknownPickle(f"found {type(settings).__name__}, not a dictionary")
        node.settings = settings
    except (ValueError, SyntaxError, RecursionError, MemoryError, UnknownPickle,
            binascii.Error) as error:
        node.problem = f"its settings cannot be read ({error})"


def in_order(nodes: list[Node], links: list[Link], name: str) -> list[Node]:
    """Every node after those that it gets data from; else as in the file."""
    waiting = list(nodes)
    done: dict[str, Node] = {}
    while waiting:
        for node in waiting:
            if all(link.source in done for link in links if link.sink == node.id):
                done[node.id] = node
                waiting.remove(node)
                break
        else:
            raise WorkflowError(f"{name}: the links form a cycle through "
                                f"{waiting[0].title!r}")
    return list(done.values())
