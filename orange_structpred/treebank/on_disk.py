"""Treebanks that are larger than memory: encoded once, in files, and mapped from there.

The folder of an encoding has the arrays of an `Encoded` and the numbers of relations,
as they are in memory, and a header in JSON, which is written last. It can be kept for
the next training; if it does not belong to the treebank as it is now, or is damaged, the
treebank is encoded again. One process at a time looks into a folder or fills it.
"""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from orange_structpred import __version__
from orange_structpred.errors import InputError
from orange_structpred.files.fingerprint import Fingerprint
from orange_structpred.files.locking import locked
from orange_structpred.files.schema import ListOf, OneOf, Record, Text, Whole
from orange_structpred.files.scratch import DiskScratch, mapped
from orange_structpred.files.streaming import ByteStream, file_stream
from orange_structpred.files.writing import replacing, write_bytes
from orange_structpred.running.cancellation import Cancellation
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.conll import read_batches
from orange_structpred.treebank.encoding import ENCODED_LAYERS, Encoded, encode
from orange_structpred.treebank.learnable import MissingHeadsError, expect_heads
from orange_structpred.treebank.relations import NO_NAME, RelationNumbers
from orange_structpred.treebank.shape import no_trees

FORMAT = "orange-structpred encoded treebank"
HEADER_FILE, LOCK_FILE = "header.json", ".lock"
#: the arrays: one value, or one row, for each position; offsets for each sentence
ARRAYS = {"offsets": (np.int64, ()), "tokens": (np.uint64, (len(ENCODED_LAYERS),)),
          "heads": (np.int32, ()), "relations": (np.int32, ())}
LARGEST_HEADER = 1 << 26
SCHEMA = Record({
    "format": OneOf((FORMAT,)), "package": OneOf((__version__,)),
    "layers": OneOf((" ".join(ENCODED_LAYERS),)), "size": Whole(0, 1 << 60), "digest": Text(100),
    "sentences": Whole(1, 1 << 50), "positions": Whole(2, 1 << 50),
    "relations": ListOf(Text(1000))})


class DiskTreebank:
    """A treebank for training that need not fit into memory.

    It is encoded into files when it is first needed, which then take about 110 bytes
    per token, and up to twice as much while a parser is trained.

    Parameters
    ----------
    path : CoNLL file with trees, plain or compressed (.gz)
    folder : str or path, default=None
        Where to keep the encoding; created if it does not exist. If it already has an
        encoding of the same file, this is used. None uses a temporary folder, which
        `close` removes.

    Examples
    --------
    >>> from orange_structpred import DiskTreebank, ParserLearner
    >>> from orange_structpred.treebank import bundled_path
    >>> with DiskTreebank(bundled_path("en")) as treebank:
    ...     parser = ParserLearner(passes=1, order=1)(treebank)
    >>> parser.log[-1].pass_
    1
    """

    copies = 1      # of each sentence, see `MemoryTreebank`

    def __init__(self, path: str | os.PathLike, folder: str | os.PathLike | None = None):
        self.path = os.fspath(path)
        self.folder = None if folder is None else Path(folder)
        self._temporary: tempfile.TemporaryDirectory | None = None
        self._opened: tuple[Encoded, RelationNumbers] | None = None
        self._digest = ""
        if not os.path.isfile(self.path):
            with open(self.path, "rb"):     # says what is wrong, if there is nothing
                raise InputError(f"{self.path}: expected a regular file, which can be "
                                 "read again")
        if self.folder is not None:
            expect_own_folder(self.folder)

    def __enter__(self) -> DiskTreebank:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Remove the temporary folder, if there is one."""
        self._opened = None
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    def encoded(self, cancellation: Cancellation | None = None) -> Encoded:
        """The arrays, mapped from their files."""
        return self._open(cancellation or Cancellation())[0]

    def relations(self) -> RelationNumbers:
        return self._open(Cancellation())[1]

    def sentences_at(self, numbers: Iterable[int]) -> list[Sentence]:
        """Some sentences, which are read from the file once more."""
        self._open(Cancellation())
        wanted = sorted(numbers)
        if not wanted:
            return []
        sentences: dict[int, Sentence] = {}
        digest, first = Fingerprint(), 0
        for batch in read_batches(hashed_stream(self.path, digest), self.path):
            sentences.update((i, batch[i - first]) for i in wanted
                             if first <= i < first + len(batch))
            first += len(batch)
        if digest.hexdigest() != self._digest:
            raise InputError(f"{self.path} has changed since it was encoded")
        return [sentences[i] for i in wanted]

    def _open(self, cancellation: Cancellation) -> tuple[Encoded, RelationNumbers]:
        if self._opened is None:
            folder = self.folder
            if folder is None:
                self._temporary = self._temporary or tempfile.TemporaryDirectory(
                    prefix="structpred-")
                folder = Path(self._temporary.name)
            folder.mkdir(parents=True, exist_ok=True)
            with locked(folder / LOCK_FILE, cancellation.check_cancelled):
                header = kept_header(folder, self.path)
                if header is not None:
                    self._opened = mapped_arrays(folder, header)
                if header is None or self._opened is None:
                    header = encode_file(self.path, folder, cancellation)
                    self._opened = mapped_arrays(folder, header)
            if self._opened is None:
                raise InputError(f"{folder} was changed by another program while "
                                 f"{self.path} was encoded into it")
            self._digest = header["digest"]
        return self._opened


def expect_own_folder(folder: Path) -> None:
    """Complain of a folder with anything but an encoding in it: it may be replaced."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise InputError(f"{folder} is a file, expected a folder for the encoded treebank")
    expected = {HEADER_FILE, LOCK_FILE, *map(array_file, ARRAYS)}
    for entry in folder.iterdir():
        known = entry.name in expected or is_leftover(entry)
        # another process may be replacing it: what is gone does no harm
        if os.path.lexists(entry) and (
                not known or entry.is_symlink() or entry.is_dir() or entry.is_fifo()):
            raise InputError(f"the folder {folder} contains {entry.name!r}, expected "
                             "an empty or new folder, or one with an encoded treebank")


def is_leftover(path: Path) -> bool:
    """Whether a file is one that was never finished."""
    return path.name.startswith(".") and path.name.endswith(".part")


def array_file(name: str) -> str:
    return f"{name}.bin"


def hashed_stream(path: str, digest: Fingerprint) -> ByteStream:
    """A file's bytes, which are hashed on their way."""
    stream = file_stream(path)
    stream.chunks = hashed(stream.chunks, digest)
    return stream


def hashed(chunks: Iterator[bytes], digest: Fingerprint) -> Iterator[bytes]:
    for chunk in chunks:
        digest.update(chunk)
        yield chunk


# Writing

def encode_file(path: str, folder: Path, cancellation: Cancellation) -> dict:
    """Encode a treebank into a folder, some sentences at a time; returns the header."""
    digest = Fingerprint()
    (folder / HEADER_FILE).unlink(missing_ok=True)
    for leftover in filter(is_leftover, folder.iterdir()):  # nobody else is writing here
        leftover.unlink(missing_ok=True)
    sentences = positions = 0
    names: dict[str, int] = {}
    numbers = DiskScratch(folder).collect(np.int32)
    with ExitStack() as stack:
        files = {name: stack.enter_context(replacing(folder / array_file(name)))
                 for name in ARRAYS}
        files["offsets"].write(np.zeros(1, np.int64).data)
        for batch in read_batches(hashed_stream(path, digest), path):
            if not batch:
                continue
            try:
                expect_heads(batch, sentences + 1)
            except MissingHeadsError as error:
                raise MissingHeadsError(f"{path}: {error}") from None
            encoded = encode(batch, check_cancelled=cancellation.check_cancelled)
            files["offsets"].write((encoded.offsets[1:] + positions).data)
            files["tokens"].write(encoded.tokens.data)
            files["heads"].write(encoded.heads.data)
            numbers.append(np.array(
                [names.setdefault(name, len(names)) for sentence in batch
                 for name in (NO_NAME, *sentence.deprels)]))
            sentences += len(encoded)
            positions += len(encoded.heads)
            cancellation.check_cancelled()
        relations = sorted(names.keys() - {NO_NAME, ""})
        number = {name: i for i, name in enumerate(relations)}
        renumbered = np.array([number.get(name, -1) for name in names], np.int32)
        first_numbers = numbers.array()
        for first in range(0, positions, 1 << 20):
            files["relations"].write(
                renumbered[first_numbers[first:first + (1 << 20)]].data)
    header = {"format": FORMAT, "package": __version__, "layers": " ".join(ENCODED_LAYERS),
              "size": os.path.getsize(path), "digest": digest.hexdigest(),
              "sentences": sentences, "positions": positions, "relations": relations}
    write_bytes(folder / HEADER_FILE, json.dumps(header).encode())
    return header


# Reading

def kept_header(folder: Path, path: str) -> dict | None:
    """The header of an encoding, if it is one of this file as it is now."""
    try:
        if os.path.getsize(folder / HEADER_FILE) > LARGEST_HEADER:
            return None
        header = json.loads((folder / HEADER_FILE).read_bytes())
        SCHEMA.check("header", header, {})
    except (OSError, ValueError, RecursionError):
        return None
    if header["size"] != os.path.getsize(path):
        return None
    digest = Fingerprint()
    for _ in hashed(file_stream(path).chunks, digest):
        pass
    return header if digest.hexdigest() == header["digest"] else None


def mapped_arrays(folder: Path, header: dict) -> tuple[Encoded, RelationNumbers] | None:
    """The arrays of a folder; None if they are not what compiled code may see."""
    sizes = dict.fromkeys(ARRAYS, header["positions"])
    sizes["offsets"] = header["sentences"] + 1
    arrays = {}
    for name, (dtype, row) in ARRAYS.items():
        shape = (sizes[name], *row)
        path = folder / array_file(name)
        if not path.is_file() or path.stat().st_size != (
                np.prod(shape, dtype=object) * np.dtype(dtype).itemsize):
            return None
        with open(path, "r+b") as file:
            arrays[name] = mapped(file, dtype, shape)
    relations = RelationNumbers(header["relations"], arrays.pop("relations"))
    # there are few offsets, and they are asked for all the time
    arrays["offsets"] = arrays["offsets"].copy()
    encoded = Encoded(**arrays, scratch=DiskScratch(folder))
    return (encoded, relations) if are_sound(encoded, relations) else None


def are_sound(encoded: Encoded, relations: RelationNumbers) -> bool:
    """Whether sentences, heads and relations are within their bounds, and are trees."""
    offsets = encoded.offsets
    if offsets[0] != 0 or offsets[-1] != len(encoded.heads) or (
            (offsets[1:] - offsets[:-1]) < 2).any() or (offsets < 0).any():
        return False
    for first, part in encoded.blocks():
        is_token, lengths = part.is_token(), part.lengths()
        heads = part.heads[is_token]
        numbers = relations.numbers[offsets[first]:offsets[first + len(part)]]
        if ((part.heads[~is_token] != -1).any() or (heads < 0).any()
                or (heads > np.repeat(lengths, lengths)).any()
                or numbers.min() < -1 or numbers.max() >= len(relations.names)
                or len(no_trees(heads, part.offsets - np.arange(len(part.offsets))))):
            return False
    return True
