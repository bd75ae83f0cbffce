"""No change of a model file gets past its schema, whatever the kind of model."""
import json
import tracemalloc

import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.files import models
from orange_structpred.files.models import ModelFileError
from orange_structpred.parser import Parser
from orange_structpred.parsing.packing import pack_weights, unpack
from orange_structpred.pipeline import Pipeline
from orange_structpred.pipeline.trained_pipeline import load_model
from orange_structpred.tagging import sequence_model
from tests.files.samples import save_samples
from tests.files.schema_fuzz import changes_tried

SHORT = ("pipeline", "nets", "dictionary", "bow", "transitions")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    save_samples(folder, SHORT)
    pipeline = Pipeline.load(folder / "pipeline.npz")
    for step in ("tokeniser", "tagger", "lemmatiser", "parser"):
        getattr(pipeline, step).save(folder / f"{step}.npz")
    return folder


def rewritten(folder, name, target, *, header=None, **arrays):
    """A model's file with other arrays, and another header."""
    with np.load(folder / f"{name}.npz") as file:
        contents = dict(file)
    contents.update({own: change(contents[own]) if callable(change) else change
                     for own, change in arrays.items()})
    if header is not None:
        changed = json.loads(bytes(contents["header"]))
        header(changed)
        contents["header"] = np.frombuffer(json.dumps(changed).encode(), np.uint8)
    np.savez(target / "changed.npz", **contents)
    return target / "changed.npz"


def refused(path, *words):
    with pytest.raises(ModelFileError) as caught:
        load_model(path)
    assert all(word in str(caught.value) for word in words), caught.value


@pytest.mark.parametrize("step, least", [
    (401, 10), pytest.param(23, 200, marks=pytest.mark.slow)])
def test_every_field_of_every_kind(folder, step, least):
    """Each changed file is refused or can be used.

    step : one of so many changes is tried
    """
    paths = [folder / f"{name}.npz" for name in SHORT]
    assert sum(changes_tried(paths, "--step", step)) > least


def test_a_word_with_more_labels_than_there_are(folder, tmp_path):
    """Compiled code once wrote past its buffer for it."""
    path = rewritten(
        folder, "tagger", tmp_path,
        words_starts=lambda own: np.append(own[:1], own[1:] + 10_000),
        words_labels=lambda own: np.append(np.zeros(10_000, np.int32), own))
    refused(path, "words_labels: found values that do not rise")


@pytest.mark.parametrize("kind, array", [
    ("tagger", "tagger_weights"), ("lemmatiser", "scripts_weights"),
    ("tokeniser", "gaps_weights"), ("pipeline", "tagger/tagger_weights")])
def test_weights_without_bounds(folder, tmp_path, kind, array):
    path = rewritten(folder, kind, tmp_path, **{array: lambda own: own * 0 + np.float32(3e38)})
    refused(path, array.rpartition("/")[2], "expected at most 1e+25")


def test_how_sure_transitions_are(folder, tmp_path):
    """They score no edges, so that there are no probabilities, whatever a file says."""
    path = rewritten(folder, "transitions", tmp_path,
                     header=lambda own: own.update(temperature=1.))
    refused(path, "a transition-based parser scores transitions", "no probabilities")


@pytest.mark.parametrize("kind", ["tagger", "lemmatiser", "tokeniser", "pipeline"])
def test_unknown_arrays_are_not_read(folder, tmp_path, kind):
    path = rewritten(folder, kind, tmp_path, more=np.array([print], object))
    load_model(path)


@pytest.mark.parametrize("kind", ["tagger", "lemmatiser", "tokeniser", "pipeline", "parser"])
def test_unknown_names_are_refused(folder, tmp_path, kind):
    path = rewritten(folder, kind, tmp_path, header=lambda own: own.update(switch=True))
    refused(path, "found the unknown name 'switch'")


@pytest.mark.parametrize("kind", ["parser", "pipeline"])
def test_unknown_components_are_refused(folder, tmp_path, kind):
    path = rewritten(folder, kind, tmp_path,
                     header=lambda own: own["components"].update(nonsense={}))
    refused(path, "found 'nonsense', which this program does not know")


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\rb", "a\0b", "\ud800"])
@pytest.mark.parametrize("kind, change", [
    ("tagger", lambda own, name: own.update(name=name)),
    ("parser", lambda own, name: own.update(name=name)),
    ("tagger", lambda own, name: own["labels"][0].__setitem__(0, name)),
    ("lemmatiser", lambda own, name: own["scripts"].__setitem__(0, f"=|{name}")),
    ("tokeniser", lambda own, name: own["known"].append([name, "a", "b"])),
    ("parser", lambda own, name: own["components"]["relations"]["names"].__setitem__(
        0, name))])
def test_names_that_no_treebank_can_have(folder, tmp_path, kind, change, name):
    path = rewritten(folder, kind, tmp_path, header=lambda own: change(own, name))
    refused(path, "expected a text without tabs, line breaks and surrogates")


@pytest.mark.parametrize("kind", ["parser", "tagger", "pipeline"])
def test_such_a_name_is_not_saved(folder, tmp_path, kind):
    model = load_model(folder / f"{kind}.npz")
    model = getattr(model, "tagger", None) if kind == "tagger" else model
    model.name = "a\tb"
    with pytest.raises(InputError, match="name: found 'a.tb', expected a text without"):
        model.save(tmp_path / "model.npz")
    assert not (tmp_path / "model.npz").exists()


def test_many_templates(folder, tmp_path, monkeypatch):
    """They once took minutes: they are refused before anything is made of them."""
    path = rewritten(folder, "tagger", tmp_path, header=lambda own: own["model"].update(
        templates=["form"] * 200_000))
    monkeypatch.setattr(sequence_model, "make_templates", None)
    refused(path, "templates: found a list of 200000 values")


def test_a_header_of_many_values(folder, tmp_path):
    """Lists of nothing take 30 times as much memory as in the file."""
    text = np.frombuffer(b"[" + b"[]," * 2_000_000 + b"[]]", np.uint8)
    path = rewritten(folder, "tagger", tmp_path, header=None)
    with np.load(path) as file:
        np.savez(tmp_path / "large.npz", **{**dict(file), "header": text})
    tracemalloc.start()
    try:
        refused(tmp_path / "large.npz", "its header has more than 1048576 values")
        with pytest.raises(ModelFileError, match="more than 1048576 values"):
            Parser.load(tmp_path / "large.npz")
        assert tracemalloc.get_traced_memory()[1] < 5 * len(text)
    finally:
        tracemalloc.stop()


def test_a_header_of_many_bytes(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(models, "LARGEST_MODEL_HEADER", 1000)
    refused(folder / "tagger.npz", "expected at most 1000")


@pytest.mark.parametrize("size", [1, 7, 8, 9, 1 << 17, (1 << 17) + 5, 300_000])
@pytest.mark.parametrize("share", [0., 0.001, 0.6, 1.])
def test_weights_are_unpacked_block_by_block(size, share):
    rng = np.random.default_rng(size)
    weights = np.where(rng.random(size) < share, rng.integers(1, 9, size), 0).astype(
        np.float32)
    arrays = pack_weights(weights)
    np.testing.assert_array_equal(unpack(arrays, (size,)), weights)
    if weights.any():
        for values in (arrays["values"][:-1], np.append(arrays["values"], np.float16(1))):
            with pytest.raises(InputError, match="weights, expected"):
                unpack({**arrays, "values": values}, (size,))
