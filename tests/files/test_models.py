"""Parsers in files: they come back the same, and what is no parser is said."""
import errno
import json
import os
import pickle
import subprocess
import sys
import tracemalloc
import zipfile
from dataclasses import asdict

import numpy as np
import pytest

from orange_structpred.files.models import ModelFileError
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.parser import parser as parsers
from orange_structpred.treebank.bundled import load_bundled
from tests.files.through import through_file

GROUPS = ["head", "head-dependent", "in-between"]


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:40]


@pytest.fixture(scope="module", params=[0, 2], ids=["hashed", "dictionary"])
def parser(request, treebank):
    return ParserLearner(groups=GROUPS, min_count=request.param, passes=2,
                         decoder="exact", single_root=False,
                         name="für Ümlaute")(treebank[:15])


@pytest.fixture
def path(parser, tmp_path):
    parser.save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def assert_refused(path, *words):
    with pytest.raises(ModelFileError) as caught:
        Parser.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "\n" not in message
    assert message.endswith("expected a parser that was saved by this program")
    for word in words:
        assert word in message


def rewrite(path, **changes):
    """Other arrays in place of a model's; None takes one away."""
    arrays = dict(np.load(path))
    arrays.update(changes)
    with open(path, "wb") as file:
        np.savez(file, **{name: array for name, array in arrays.items()
                          if array is not None})


def rewrite_header(path, **changes):
    header = json.loads(bytes(np.load(path)["header"]))
    header.update(changes)
    rewrite(path, header=np.frombuffer(json.dumps(header).encode(), np.uint8))


# Round trip

def test_the_same_parser_comes_back(parser, path, treebank):
    again = Parser.load(path)
    assert again.name == parser.name and str(again) == "für Ümlaute"
    assert (again.decoder, again.single_root) == ("exact", False)
    assert (again.converged, again.stopped) == (parser.converged, parser.stopped)
    assert again.n_weights == parser.n_weights > 0
    np.testing.assert_array_equal(again.model.weights, parser.model.weights)
    assert again.model.weights.dtype == np.float32
    np.testing.assert_array_equal(again.tags, parser.tags)
    assert [report.pass_ for report in again.log] == [1, 2]
    for own, other in zip(again.log, parser.log):
        np.testing.assert_equal(asdict(own), asdict(other))     # nan is nan here
    for own, other in zip(again.predict_heads(treebank.sentences),
                          parser.predict_heads(treebank.sentences), strict=True):
        np.testing.assert_array_equal(own, other)


def test_few_weights_take_little_room(treebank, tmp_path):
    sizes = []
    for hash_bits in (16, 20):
        parser = ParserLearner(groups=["head"], hash_bits=hash_bits, passes=1, order=1)(
            treebank[:10])
        assert len(parser.model.weights) == 1 << hash_bits
        parser.save(tmp_path / "model.npz")
        again = Parser.load(tmp_path / "model.npz")
        np.testing.assert_array_equal(again.model.weights, parser.model.weights)
        sizes.append((tmp_path / "model.npz").stat().st_size)
    assert sizes[1] < 1.2 * sizes[0] < 4 << 16


def test_a_model_without_any_feature(treebank, tmp_path):
    parser = ParserLearner(groups=["head"], min_count=10**6, passes=1)(treebank[:5])
    parser.save(tmp_path / "model.npz")
    again = Parser.load(tmp_path / "model.npz")
    assert again.n_weights == 0
    assert len(again.predict_heads(treebank.sentences[:3])) == 3


def test_a_file_is_replaced(parser, path, tmp_path):
    parser.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]
    Parser.load(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_links_and_pipes_stay_what_they_are(parser, path, tmp_path):
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    path.write_bytes(b"old")
    link.symlink_to(path)
    parser.save(link)
    assert link.is_symlink()
    Parser.load(path)
    os.mkfifo(pipe)
    with pytest.raises(OSError) as caught:
        parser.save(pipe)
    assert caught.value.filename == str(pipe) and pipe.is_fifo()


# What is no parser

def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.npz"):
        Parser.load(tmp_path / "nothing.npz")


def test_folder(tmp_path):
    assert_refused(tmp_path, f"{tmp_path}: Is a directory;")


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.9, 0.999])
def test_truncated(path, share):
    data = path.read_bytes()
    path.write_bytes(data[:int(share * len(data))])
    assert_refused(path, "cannot be read")


def test_a_changed_bit_is_noticed(parser, path):
    """Wherever it is: an error, or a bit that does not matter (a time, say)."""
    data = path.read_bytes()
    refused = 0
    random = np.random.default_rng(0)
    places = {*range(60), *range(len(data) - 60, len(data)),
              *random.integers(0, len(data), 60).tolist()}
    for place in sorted(places):
        changed = bytearray(data)
        changed[place] ^= 1 << int(random.integers(8))
        path.write_bytes(changed)
        try:
            again = Parser.load(path)
        except ModelFileError:
            refused += 1
        else:
            np.testing.assert_array_equal(again.model.weights, parser.model.weights)
    assert refused > 60


@pytest.mark.parametrize("data", [
    b"1\tThe\tthe\tDET\n", bytes(range(256)) * 20, b"PK\x03\x04 not a zip",
    pickle.dumps({"name": "parser"})])
def test_foreign_files(tmp_path, data):
    path = tmp_path / "foreign"
    path.write_bytes(data)
    assert_refused(path, "cannot be read as a model file")
    with pytest.raises(ModelFileError, match="^((?!pickle).)*$"):
        Parser.load(path)


def test_arrays_of_others(tmp_path):
    path = tmp_path / "array.npy"
    np.save(path, np.arange(5))
    assert_refused(path, "a single array")
    path = tmp_path / "arrays.npz"
    np.savez(path, a=np.arange(5))
    assert_refused(path, "no header")
    np.savez(path, header=np.frombuffer(b"[1, 2]", np.uint8))
    assert_refused(path, "not that of a parser")
    np.savez(path, header=np.frombuffer(b'{"format": "other"}', np.uint8))
    assert_refused(path, "not that of a parser")
    np.savez(path, header=np.array("a text"))
    assert_refused(path, "cannot be read")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("readme.txt", "hello")
    assert_refused(path)


def test_other_versions(path):
    rewrite_header(path, version=99)
    assert_refused(path, "version 99")
    rewrite_header(path, version=parsers.PARSER_VERSION, kind="quantum")
    assert_refused(path, "kind: found 'quantum', expected one of explicit, second-order, ")


class Trap:
    """Unpickling it would raise what nobody catches."""

    def __reduce__(self):
        return sys.exit, ("code was run",)


def test_no_code_is_run(path):
    trap = np.array([Trap()], dtype=object)
    for name in ("tags", "header", "keys"):
        original = path.read_bytes()
        rewrite(path, **{name: trap})
        assert_refused(path, "cannot be read")
        path.write_bytes(original)
    rewrite(path, more=trap)
    Parser.load(path)           # what nobody asked for is not read


def test_contents_that_do_not_fit(path):
    arrays = dict(np.load(path))
    original = path.read_bytes()
    model = json.loads(bytes(arrays["header"]))["model"]
    values = "weights" if "weights" in arrays else "values"
    for changes in (
            {"tags": None}, {"keys": None}, {values: None},
            {values: arrays[values][:-1]},
            # full, so that a feature it lacks would be looked for without end
            {"keys": np.arange(1, 17, dtype=np.uint64), "numbers": np.zeros(16, np.int32)},
            # a weight outside the weights
            {"keys": np.arange(16, dtype=np.uint64),
             "numbers": np.full(16, 1 << 30, np.int32)},
            {"keys": np.arange(15, dtype=np.uint64), "numbers": np.zeros(15, np.int32)},
            {"keys": np.arange(16, dtype=np.uint64), "numbers": np.zeros(8, np.int32)},
            {"keys": np.arange(16.), "numbers": np.zeros(16, np.int32)}):
        rewrite(path, **changes)
        assert_refused(path, "do not fit together")
        path.write_bytes(original)
    for header in (
            {"decoder": "magic"}, {"log": 5}, {"log": [{"pass_": 1}]},
            {"model": {**model, "dim": model["dim"] + 1}},
            {"model": {**model, "dim": -1}}, {"model": {**model, "dim": 10**17}},
            {"model": {**model, "groups": ["head", "tail"]}},
            {"model": []}, {"model": None}):
        rewrite_header(path, **header)
        assert_refused(path, "do not fit together")
        path.write_bytes(original)
    rewrite_header(path, model={**model, "templates": {"head": ["h.form"]}})
    with pytest.raises(ModelFileError, match="other feature templates; train it again"):
        Parser.load(path)
    path.write_bytes(original)
    Parser.load(path)


# Saving that fails

def test_a_full_disk_keeps_the_old_model(parser, path, monkeypatch, tmp_path):
    old = path.read_bytes()
    save = np.savez_compressed

    def full(file, **arrays):
        file.write(b"PK some of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(OSError, match="No space left"):
        parser.save(path)
    monkeypatch.setattr(np, "savez_compressed", save)
    assert path.read_bytes() == old
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]
    Parser.load(path)


LIMITED = """
import resource, signal, sys
from orange_structpred.parser import Parser
parser = Parser.load(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    parser.save(sys.argv[1])
except OSError as error:
    print("refused", error.errno)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_file_that_may_not_grow(path, tmp_path):
    old = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], check=False,
                          capture_output=True, encoding="utf-8", timeout=300)
    assert done.stdout == f"refused {errno.EFBIG}\n", done.stderr
    assert path.read_bytes() == old
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]


def test_a_folder_that_is_not_there(parser, tmp_path):
    with pytest.raises(FileNotFoundError):
        parser.save(tmp_path / "nowhere" / "model.npz")


# Files from strangers: each of these once crashed, hung, or loaded and failed later

KINDS = {
    "index": {"features": "kernel", "kernel": "ngram", "hash": ["posTags", "between"]},
    "bow": {"features": "kernel", "kernel": "bow", "hash": ["wordVecs"]},
    "nystroem": {"features": "kernel", "kernel": "ngram", "nystroem": 5}}


@pytest.fixture(scope="module")
def kernel_files(treebank, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for name, options in KINDS.items():
        ParserLearner(passes=1, **options)(treebank[:15]).save(folder / name)
    return {name: (folder / name).read_bytes() for name in KINDS}


def wrapped(filled, entries):
    """Numbers whose sum is right, but for 2^64."""
    filled = np.zeros(len(filled), np.int64)
    filled[:4], filled[4] = 2**62, entries
    return filled


@pytest.mark.parametrize("kind, changes", [
    ("index", lambda a: {"filled": wrapped(a["filled"], len(a["sentences"]))}),
    *[("index", lambda a, name=name: {name: a[name].reshape(1, -1)})
      for name in ("known", "filled", "sentences", "coefficients", "tags")],
    ("index", lambda a: {"tags": a["tags"].astype(float)}),
    ("index", lambda a: {"coefficients": a["coefficients"] * np.nan}),
    ("index", lambda a: {"known": a["known"] * np.uint64(0)}),
    ("bow", lambda a: {"map_words": a["map_words"][::-1]}),
    ("bow", lambda a: {"map_words": a["map_words"].astype(np.int64)}),
    ("bow", lambda a: {"map_words": None}),
    ("bow", lambda a: {"indices": a["indices"] + 10**9}),
    ("nystroem", lambda a: {"map_projection": a["map_projection"][1:]}),
    ("nystroem", lambda a: {"map_landmarks": a["map_landmarks"][1:]}),
    ("nystroem", lambda a: {"map_landmarks": np.frombuffer(b"[" * 10**5, np.uint8)})])
def test_arrays_of_kernel_models(kernel_files, tmp_path, kind, changes):
    path = tmp_path / "model"
    path.write_bytes(kernel_files[kind])
    Parser.load(path)
    rewrite(path, **changes(dict(np.load(path))))
    assert_refused(path)


@pytest.mark.parametrize("kind, changes", [
    ("index", {"kernel": {"kernel": "annotated-ngram", "n": 10**6}}),
    ("index", {"kernel": {"kernel": "tree"}}), ("index", {"kernel": {"kernel": []}}),
    ("index", {"kernel": {"kernel": "nystroem", "of": {"kernel": "bow"}}}),
    ("index", {"kernel": {"kernel": "precomputed", "matrix": [[1]], "inputs": ["a"]}}),
    ("bow", {"kernel": {"kernel": "ngram"}}), ("bow", {"kernel": None}),
    ("bow", {"clusters": {"a": "b"}}), ("bow", {"clusters": [1]}),
    ("bow", {"clusters": {"a": 2**70}}),
    ("index", {"hashes": {"names": ["h.kind"], "weights": [1.], "buckets": None}}),
    ("index", {"hashes": {"names": ["posTags"], "weights": [1e99], "buckets": None}}),
    ("index", {"hashes": {"names": "posTags", "weights": None}}),
    ("index", {"support": ["no sentence"]})])
def test_headers_of_kernel_models(kernel_files, tmp_path, kind, changes):
    path = tmp_path / "model"
    path.write_bytes(kernel_files[kind])
    model = json.loads(bytes(np.load(path)["header"]))["model"]
    rewrite_header(path, model={**model, **changes})
    assert_refused(path, "do not fit together")


@pytest.mark.parametrize("header", [
    {"single_root": 1}, {"single_root": "yes"}, {"kind": []}, {"kind": {}},
    {"decoder": ["exact"]}, {"name": 5}, {"version": True}, {"version": [1]},
    {"converged": None}, {"log": [{}]}, {"components": []}])
def test_headers(path, header):
    rewrite_header(path, **header)
    assert_refused(path)


def test_few_hashed_weights(path):
    """A dimension of 16 would shift numbers by all their bits."""
    model = json.loads(bytes(np.load(path)["header"]))["model"]
    for dim in (1, 16, 128):
        rewrite(path, keys=np.zeros(0, np.uint64), numbers=np.zeros(0, np.int32),
                weights=np.zeros(dim, np.float32), indices=None, values=None)
        rewrite_header(path, model={**model, "dim": dim})
        assert_refused(path, "expected a power of 2 from 256")


@pytest.mark.parametrize("text", [
    "(" * 3000, "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 30 + ",), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 999999999999999), }",
    "{'descr': '<U0', 'fortran_order': False, 'shape': (999999999999,), }"])
def test_headers_of_arrays(path, text):
    array = b"\x93NUMPY\x01\x00" + (len(text) + 1).to_bytes(2, "little") + (
        text.encode() + b"\n")
    with zipfile.ZipFile(path) as file:
        entries = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w") as file:
        for name, content in {**entries, "tags.npy": array}.items():
            file.writestr(name, content)
    assert_refused(path)


def test_deep_json(path):
    rewrite(path, header=np.frombuffer(b"[" * 10**5, np.uint8))
    assert_refused(path, "cannot be read")


def test_bombs(path, monkeypatch):
    arrays = dict(np.load(path))
    with open(path, "wb") as file:
        np.savez_compressed(file, **arrays, more=np.zeros(10**8, np.uint8))
    tracemalloc.start()
    try:
        Parser.load(path)           # what nobody asked for is not unpacked
        assert tracemalloc.get_traced_memory()[1] < 5 * 10**7
        monkeypatch.setattr("orange_structpred.files.arrays.LARGEST_UNPACKED", 10**6)
        with open(path, "wb") as file:
            np.savez_compressed(file, **{**arrays, "tags": np.zeros(10**7, np.uint64)})
        tracemalloc.reset_peak()
        assert_refused(path, "unpack to more than")
        assert tracemalloc.get_traced_memory()[1] < 5 * 10**7
    finally:
        tracemalloc.stop()


def test_models_of_version_1(path, parser):
    """Some things had other names."""
    arrays = dict(np.load(path))
    header = json.loads(bytes(arrays["header"]))
    header["version"], header["construction"] = 1, header.pop("decoder")
    del header["components"]
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    for new, old in (("indices", "places"), ("pruned", "barred")):
        if new in arrays:
            arrays[old] = arrays.pop(new)
    with open(path, "wb") as file:
        np.savez(file, **arrays)
    again = Parser.load(path)
    assert again.decoder == parser.decoder
    np.testing.assert_array_equal(again.model.weights, parser.model.weights)
    np.testing.assert_array_equal(again.model.indices.pruned, parser.model.indices.pruned)


def test_components(treebank):
    model = ParserLearner(passes=1, groups=["head"], hash_bits=10)(treebank[:5]).model
    again = through_file(type(model), model.header(), model.arrays(), "pruner")
    np.testing.assert_array_equal(again.weights, model.weights)
