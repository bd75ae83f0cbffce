"""Workflows with any settings, titles and paths: scripts of what our writers write."""
import json
import os
import pickle
from xml.sax.saxutils import escape, quoteattr

from orange_structpred.export import WorkflowError, parse_workflow, read_workflow
from orange_structpred.export.writers import WRITERS
from tests.data import ROOT
from tests.export.scripts import check_both
from tests.export.test_hostile import CHANNELS, KEYS
from tests.export.toy import dumped
from tests.hostile.draw import TEXTS, changed, damaged, pick, value

WIDGETS = [*WRITERS, "x.y"]


def prepare(folder):
    examples = [path.read_bytes() for path in sorted((ROOT / "workflows").glob("*.ows"))]
    settings = {}
    for path in sorted((ROOT / "workflows").glob("*.ows")):
        for node in read_workflow(path).nodes:
            plain = json.loads(json.dumps(node.settings, default=str, skipkeys=True))
            settings.setdefault(node.widget, []).append(plain)
    return folder, examples, settings


def case(state, rng):
    folder, examples, known = state
    if rng.random() < 0.15:
        data = damaged(rng, pick(rng, examples))
    else:
        data = drawn(rng, known)
    try:
        workflow = parse_workflow(data)
    except WorkflowError as error:
        assert "\n" not in str(error)
        return
    workflow.folder = folder if rng.integers(2) else None
    check_both(workflow, folder=folder / "sub" if rng.integers(2) else None)


def drawn(rng, known) -> bytes:
    nodes, links, properties = [], [], []
    count = int(rng.integers(1, 8))
    for number in range(count):
        widget = pick(rng, WIDGETS)
        if widget in known and rng.random() < 0.6:
            settings = changed(rng, pick(rng, known[widget]), value)
        else:
            settings = {pick(rng, KEYS): value(rng) for _ in range(rng.integers(6))}
        form, text = written(rng, settings)
        nodes.append(f'<node id="{number}" name="x" qualified_name="{widget}" '
                     f"title={attribute(pick(rng, TEXTS))}/>")
        properties.append(f'<properties node_id="{number}" format="{form}">'
                          f"{xml(text)}</properties>")
    for number in range(int(rng.integers(12))):
        links.append(
            f'<link id="{number}" source_node_id="{rng.integers(count)}" '
            f'sink_node_id="{rng.integers(count)}" enabled="true" '
            f'source_channel="{pick(rng, CHANNELS)}" '
            f'sink_channel="{pick(rng, CHANNELS)}"/>')
    return (f'<scheme version="2.0" title={attribute(pick(rng, TEXTS))}><nodes>'
            + "".join(nodes) + "</nodes><links>" + "".join(links)
            + "</links><node_properties>" + "".join(properties)
            + "</node_properties></scheme>").encode("utf-8", "replace")


def written(rng, settings):
    kind = rng.integers(4)
    if kind == 0:
        return "json", json.dumps(settings)
    if kind == 1:
        data = pickle.dumps(settings)
        return dumped(damaged(rng, data) if rng.integers(2) else data)
    return "literal", repr(settings)


def xml(text):
    return escape("".join(own for own in text if own.isprintable()))


def attribute(text):
    return quoteattr("".join(own for own in text if own.isprintable() or own in "\n\u202e"))


def finish(state):
    assert not os.path.exists("code was run")
