"""What is in an .ows file: widgets, their settings, and the links between them."""
from __future__ import annotations

import ast
import base64
import binascii
import json
import os
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from xml.etree import ElementTree

from orange_structpred.errors import InputError
from orange_structpred.export.inert import Inert, UnknownPickle, read_pickle
from orange_structpred.files.reading import read_bytes

WORKFLOW_VERSION = "2.0"
#: Values in the settings of a widget, and how deep they may lie in one another
MOST_SETTING_VALUES, DEEPEST_SETTING = 1_000_000, 50
PLAIN_TYPES = (str, int, float, bool, bytes, type(None))


class WorkflowError(InputError):
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

    def __post_init__(self) -> None:
        self._by_id = {node.id: node for node in self.nodes}
        self._by_sink, self._by_source = (
            grouped(self.links, end) for end in ("sink", "source"))

    def inputs(self, node: Node) -> list[Link]:
        return self._by_sink.get(node.id, [])

    def outputs(self, node: Node) -> list[Link]:
        return self._by_source.get(node.id, [])

    def node(self, id_: str) -> Node:
        return self._by_id[id_]


def grouped(links: list[Link], end: str) -> dict[str, list[Link]]:
    """Links by the node at one of their ends."""
    groups: dict[str, list[Link]] = {}
    for link in links:
        groups.setdefault(getattr(link, end), []).append(link)
    return groups


def read_workflow(path: str | os.PathLike) -> Workflow:
    """A workflow from a file."""
    path = Path(path)
    workflow = parse_workflow(read_bytes(path), str(path))
    workflow.folder = path.resolve().parent
    workflow.title = workflow.title or path.stem
    return workflow


def parse_workflow(data: bytes, name: str = "workflow") -> Workflow:
    """A workflow from the contents of an .ows file."""
    try:
        scheme = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise WorkflowError(f"{name}: found invalid XML ({error}), expected a workflow "
                            "saved by Orange") from error
    if scheme.tag != "scheme":
        raise WorkflowError(f"{name}: found <{scheme.tag}>, expected <scheme> of a "
                            "workflow saved by Orange")
    version = scheme.get("version", "")
    if version != WORKFLOW_VERSION:
        raise WorkflowError(f"{name}: found a workflow of version {version!r}, expected "
                            f"{WORKFLOW_VERSION!r}; open it in Orange and save it again")
    try:
        # A title is one line, whatever the file says.
        nodes = [Node(node.attrib["id"], node.attrib["qualified_name"],
                      " ".join((node.get("title") or node.get("name") or "").split()))
                 for node in scheme.iterfind("nodes/node")]
        links = [Link(link.attrib["source_node_id"], link.attrib["sink_node_id"],
                      link.attrib["source_channel"], link.attrib["sink_channel"])
                 for link in scheme.iterfind("links/link")
                 if link.get("enabled", "true") == "true"]
    except KeyError as error:
        raise WorkflowError(f"{name}: a widget or link has no {error}; expected a "
                            "workflow saved by Orange") from error
    known = {node.id: node for node in nodes}
    if len(known) < len(nodes):
        raise WorkflowError(f"{name}: found two widgets with the same id; expected a "
                            "workflow saved by Orange")
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
    return Workflow(title, nodes_in_order(nodes, links, name), links)


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
            raise InputError(f"format {form!r} is not known")
        if not isinstance(settings, dict):
            raise UnknownPickle(f"found {type(settings).__name__}, not a dictionary")
        check_plain(settings)
        node.settings = settings
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError,
            binascii.Error) as error:
        reason = str(error).partition(": <")[0]     # no places in memory
        node.problem = f"its settings cannot be read ({reason})"


def check_plain(settings: object) -> None:
    """A ValueError unless this is a tree of plain values, of a bearable size.

    Pickled values can hold themselves, or one another many times over; what is small
    in the file would be written as a text without end.
    """
    count, level = 0, [settings]
    for _ in range(DEEPEST_SETTING):
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner += value.keys()
                inner += value.values()
            elif isinstance(value, (list, tuple, set, frozenset)):
                inner += value
            elif isinstance(value, Inert):
                inner += (value.arguments, value.state, value.items)
            elif type(value) not in PLAIN_TYPES:
                raise UnknownPickle(f"found {type(value).__name__}")
            count += 1
            if count + len(inner) > MOST_SETTING_VALUES:
                raise UnknownPickle(f"found more than {MOST_SETTING_VALUES} values")
        if not inner:
            return
        level = inner
    raise UnknownPickle(f"found more than {DEEPEST_SETTING} levels of lists in lists")


def nodes_in_order(nodes: list[Node], links: list[Link], name: str) -> list[Node]:
    """Every node after those that it gets data from; else as in the file."""
    numbers = {node.id: number for number, node in enumerate(nodes)}
    following = grouped(links, "source")
    waits_for = [0] * len(nodes)
    for link in links:
        waits_for[numbers[link.sink]] += 1
    ready = [number for number, count in enumerate(waits_for) if not count]
    done: list[Node] = []
    while ready:
        node = nodes[heappop(ready)]
        done.append(node)
        for link in following.get(node.id, ()):
            number = numbers[link.sink]
            waits_for[number] -= 1
            if not waits_for[number]:
                heappush(ready, number)
    if len(done) < len(nodes):
        stuck = next(node for node, count in zip(nodes, waits_for) if count)
        raise WorkflowError(f"{name}: the links form a cycle through "
                            f"{stuck.title!r}")
    return done
