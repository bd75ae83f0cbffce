"""Training from files: the same parser as from memory, whatever the folder holds."""
import gzip
import json
import os
import time
from multiprocessing import get_context

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from orange_structpred import (
    DiskTreebank,
    Parser,
    ParserLearner,
    Treebank,
    load_bundled,
)
from orange_structpred.__main__ import main
from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Cancellation, Cancelled
from orange_structpred.treebank import ConllError, encoding, on_disk, write_conll
from orange_structpred.treebank.learnable import MissingHeadsError
from tests.observers import stop_if


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("treebank") / "small.conllu"
    write_conll(load_bundled("en")[:120], path)
    return path


@pytest.fixture
def small_pieces(monkeypatch):
    """Files are read, and arrays are worked on, in many parts."""
    monkeypatch.setattr("orange_structpred.files.streaming.PIECE", 5_000)
    monkeypatch.setattr("orange_structpred.files.streaming._READ", 5_000)
    monkeypatch.setattr(encoding, "ENCODED_AT_ONCE", 16)


def assert_same(found, expected):
    assert_array_equal(found.model.weights, expected.model.weights)
    assert_array_equal(found.tags, expected.tags)
    assert (found.decoder, found.temperature) == (expected.decoder, expected.temperature)
    assert_array_equal(*([(r.slack, r.loss, *r.further.values()) for r in own.log]
                         for own in (found, expected)))
    if expected.relations is not None:
        assert found.relations.names == expected.relations.names
        assert_array_equal(found.relations.weights, expected.relations.weights)


@pytest.mark.parametrize("options", [
    {"order": 1}, {"order": 2}, {"order": 1, "solver": "perceptron", "relations": False},
    {"order": 2, "decoder": "rearranged"}, {"order": 1, "solver": "one-slack"},
    {"order": 1, "shards": 2}, {"min_count": 2}])
def test_the_parser_is_that_of_memory(path, options, small_pieces, monkeypatch):
    monkeypatch.setattr("orange_structpred.learner.base.FEWEST_SENTENCES", 100)
    learner = ParserLearner(passes=2, **options)
    with DiskTreebank(path) as treebank:
        found = learner(treebank)
        assert isinstance(treebank.encoded().tokens.base, np.memmap)
    monkeypatch.setattr(encoding, "ENCODED_AT_ONCE", 4096)
    assert_same(found, learner(Treebank.from_file(path)))


def test_a_checkpoint_is_that_of_memory(path, tmp_path):
    learner = ParserLearner(passes=2, order=1, relations=False,
                            checkpoint=tmp_path / "checkpoint.npz")
    with DiskTreebank(path) as treebank:
        learner(treebank, stop_if(lambda report: report.end_of_pass))
        found = learner(treebank)
    assert len(found.log) == 2
    os.remove(tmp_path / "checkpoint.npz")
    assert_same(found, learner(Treebank.from_file(path)))


def test_a_temporary_folder_goes(path):
    with DiskTreebank(path) as treebank:
        folder = treebank.encoded().scratch.folder
        assert os.path.isdir(folder)
    assert not os.path.exists(folder)


def test_a_folder_is_kept(path, tmp_path, monkeypatch):
    folder = tmp_path / "kept" / "here"
    DiskTreebank(path, folder).encoded()
    assert sorted(os.listdir(folder)) == [
        ".lock", "header.json", "heads.bin", "offsets.bin", "relations.bin", "tokens.bin"]
    monkeypatch.setattr(on_disk, "encode_file", None)       # not again
    encoded = DiskTreebank(path, folder).encoded()
    assert_array_equal(encoded.tokens, Treebank.from_file(path).encoded().tokens)


def changed(folder, name, index, value):
    dtype, _ = on_disk.ARRAYS[name]
    array = np.fromfile(folder / f"{name}.bin", dtype)
    array[index] = value
    array.tofile(folder / f"{name}.bin")


def changed_header(folder, **values):
    header = json.loads((folder / "header.json").read_text())
    (folder / "header.json").write_text(json.dumps({**header, **values}))


@pytest.mark.parametrize("damage", [
    lambda folder: changed(folder, "heads", 1, 10_000),
    lambda folder: changed(folder, "heads", 1, -1),
    lambda folder: changed(folder, "heads", 0, 0),
    lambda folder: changed(folder, "heads", slice(1, 3), [2, 1]),       # a cycle
    lambda folder: changed(folder, "relations", 1, 10_000),
    lambda folder: changed(folder, "relations", 1, -2),
    lambda folder: changed(folder, "offsets", 1, 1 << 40),
    lambda folder: changed(folder, "offsets", 1, -5),
    lambda folder: changed(folder, "offsets", 0, 1),
    lambda folder: changed(folder, "offsets", -1, 3),
    lambda folder: (folder / "tokens.bin").write_bytes(b"short"),
    lambda folder: (folder / "tokens.bin").unlink(),
    lambda folder: (folder / "header.json").write_text("{"),
    lambda folder: (folder / "header.json").write_text("[" * 100_000),
    lambda folder: (folder / "header.json").unlink(),
    lambda folder: changed_header(folder, package="0.0.0"),
    lambda folder: changed_header(folder, layers="form"),
    lambda folder: changed_header(folder, sentences=1 << 49),
    lambda folder: changed_header(folder, positions=-1),
    lambda folder: changed_header(folder, relations=[]),
    lambda folder: changed_header(folder, relations=5),
    lambda folder: changed_header(folder, digest="0"),
])
def test_a_damaged_folder_is_made_anew(path, tmp_path, damage):
    expected = DiskTreebank(path, tmp_path).encoded()
    arrays = [np.array(expected.tokens), np.array(expected.heads), expected.offsets]
    del expected
    damage(tmp_path)
    found = DiskTreebank(path, tmp_path).encoded()
    for own, other in zip((found.tokens, found.heads, found.offsets), arrays, strict=True):
        assert_array_equal(own, other)


def test_another_treebank_is_encoded_anew(path, tmp_path):
    folder = tmp_path / "folder"
    DiskTreebank(path, folder).encoded()
    other = tmp_path / "other.conllu.gz"
    with gzip.open(other, "wb") as file:
        file.write(path.read_bytes().split(b"\n\n")[0] + b"\n\n")
    assert len(DiskTreebank(other, folder).encoded()) == 1
    assert len(DiskTreebank(path, folder).encoded()) == 120


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


@needs_fork
def test_two_treebanks_in_one_folder_at_once(path, tmp_path):
    """Each process gets its own treebank, however often the other one replaces it."""
    expected = Treebank.from_file(path).encoded().tokens
    other = tmp_path / "other.conllu"
    write_conll(load_bundled("de")[:60], other)
    folder = tmp_path / "folder"
    folder.mkdir()

    def alternate():
        tokens = Treebank.from_file(other).encoded().tokens
        for _ in range(8):
            assert_array_equal(DiskTreebank(other, folder).encoded().tokens, tokens)

    process = get_context("fork").Process(target=alternate)
    process.start()
    for _ in range(8):
        assert_array_equal(DiskTreebank(path, folder).encoded().tokens, expected)
    process.join()
    assert process.exitcode == 0


def cancel(fraction):
    raise Cancelled


@needs_fork
def test_what_a_killed_process_leaves_is_removed(path, tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()

    def hang(*_, **__):
        sender.send("encoding")
        time.sleep(600)

    receiver, sender = get_context("fork").Pipe()
    with monkeypatch.context() as patched:
        patched.setattr(on_disk, "encode", hang)
        process = get_context("fork").Process(
            target=lambda: DiskTreebank(path, folder).encoded())
        process.start()
    assert receiver.recv() == "encoding"
    # others wait for it, until they are cancelled
    with pytest.raises(Cancelled):
        DiskTreebank(path, folder).encoded(Cancellation(cancel))
    process.kill()
    process.join()
    assert [file for file in os.listdir(folder) if file.endswith(".part")]
    encoded = DiskTreebank(path, folder).encoded()
    assert_array_equal(encoded.tokens, Treebank.from_file(path).encoded().tokens)
    assert not [file for file in os.listdir(folder) if file.endswith(".part")]


def test_a_file_that_changes_meanwhile(path, tmp_path):
    own = tmp_path / "own.conllu"
    own.write_bytes(path.read_bytes())
    with DiskTreebank(own) as treebank:
        assert treebank.sentences_at([3, 7]) == [
            Treebank.from_file(path).sentences[i] for i in (3, 7)]
        own.write_bytes(path.read_bytes().replace(b"\tNOUN\t", b"\tPRON\t"))
        with pytest.raises(InputError, match="has changed since it was encoded"):
            treebank.sentences_at([3])


def test_what_cannot_be_trained_from(path, tmp_path):
    with pytest.raises(FileNotFoundError):
        DiskTreebank(tmp_path / "none.conllu")
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(InputError, match=r"contains 'mine.txt', expected an empty"):
        DiskTreebank(path, tmp_path)
    with pytest.raises(InputError, match="is a file, expected a folder"):
        DiskTreebank(path, tmp_path / "mine.txt")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "tokens.bin").symlink_to(tmp_path / "mine.txt")
    with pytest.raises(InputError, match="contains 'tokens.bin'"):
        DiskTreebank(path, tmp_path / "links")
    assert (tmp_path / "mine.txt").read_text() == "keep me"
    headless = tmp_path / "headless.conllu"
    headless.write_bytes(path.read_bytes() + b"1\tw" + b"\t_" * 8 + b"\n\n")
    with pytest.raises(MissingHeadsError, match="headless.conllu: sentence 121"):
        DiskTreebank(headless).encoded()
    damaged = tmp_path / "damaged.conllu"
    damaged.write_bytes(path.read_bytes() + b"1\n\n")
    with pytest.raises(ConllError, match="damaged.conllu, line"):
        DiskTreebank(damaged, tmp_path / "new").encoded()
    assert os.listdir(tmp_path / "new") == [".lock"]
    with pytest.raises(InputError, match="needs explicit features"):
        ParserLearner("kernel")(DiskTreebank(path))


def test_encoding_is_cancelled(path, tmp_path, monkeypatch):
    monkeypatch.setattr("orange_structpred.running.cancellation.CHECK_EVERY", 0)
    with pytest.raises(Cancelled):
        ParserLearner()(DiskTreebank(path, tmp_path / "new"),
                        stop_if(lambda report: True))
    assert os.listdir(tmp_path / "new") == [".lock"]


def test_the_command_line(path, tmp_path, capsys):
    for name, more in (("a", []), ("b", ["--on-disk", str(tmp_path / "disk")])):
        assert main(["train", str(path), "-o", str(tmp_path / name), "--order", "1",
                     "--passes", "1", "--quiet", *more]) == 0
    assert "header.json" in os.listdir(tmp_path / "disk")
    assert_same(Parser.load(tmp_path / "b"), Parser.load(tmp_path / "a"))
    assert main(["train", str(path), "-o", str(tmp_path / "c"), "--on-disk",
                 str(tmp_path)]) == 2
    assert "expected an empty or new folder" in capsys.readouterr().err
