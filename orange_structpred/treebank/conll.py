"""Reading and writing CoNLL-U and CoNLL-X files, plain or compressed (.gz).

The contents of a sentence are kept verbatim: comments, ranges (``3-4``), empty nodes
(``5.1``), enhanced dependencies. Between sentences, files are normalized: a
byte order mark is dropped, line ends are written as ``\\n``, and exactly one blank
line follows each sentence. So reading and writing reproduces any file in this form
byte by byte, including the treebanks of Universal Dependencies.
"""
from __future__ import annotations

import codecs
import gzip
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files import writing
from orange_structpred.files.streaming import (
    ByteStream,
    blank_line_pieces,
    bytes_stream,
    file_stream,
)
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.treebank.block import (
    EXPECTED_UTF8,
    ConllError,
    Parsed,
    parse_block,
)
from orange_structpred.treebank.conllx import conllx_block, is_conllx
from orange_structpred.treebank.misnamed import table_extension
from orange_structpred.treebank.sentence import Sentence, tree_fault
from orange_structpred.treebank.shape import no_trees

if TYPE_CHECKING:
    from Orange.data import Table

#: How text in other encodings begins; the longer marks first, one begins another
OTHER_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32", codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}
_BLANK_LINES = re.compile("\n\n+")           # between two sentences


class NoConllError(ConllError):
    """An error in the file as a whole: it is empty, in another encoding, or a table."""


class Sentences(list):
    """A list of sentences, with the errors that occurred while reading them.

    Attributes
    ----------
    file : str
        The file that was read.
    skipped : list of ConllError
        One for each sentence that could not be read, in the order of the file.
    """

    def __init__(self, sentences: Iterable[Sentence] = (), *, file: str = "",
                 skipped: Iterable[ConllError] = ()):
        super().__init__(sentences)
        self.file = file
        self.skipped = list(skipped)


def read_conll(path: str | os.PathLike, *, on_error: str = "raise",
               progress: Progress | None = None) -> Sentences:
    """Read a CoNLL-U or CoNLL-X file.

    Parameters
    ----------
    path : str or path
        A text file in UTF-8, or such a file compressed with gzip.
    on_error : {"raise", "skip"}, default="raise"
        With "raise", the first error in the file is raised as a ConllError; with
        "skip", the sentences without errors are returned, and the errors are listed in
        ``skipped`` of the result.
    progress : callable, optional
        Called with the fraction done, from 0 to 1; raises Cancelled to end the work.

    Returns
    -------
    Sentences
    """
    return _collected(file_stream(path), os.fspath(path), on_error, progress)


def read_conll_bytes(data: bytes, file: str, *, on_error: str = "raise",
                     progress: Progress | None = None) -> Sentences:
    """The same as `read_conll`, for the contents of a file."""
    return _collected(bytes_stream(data), file, on_error, progress)


def _collected(stream: ByteStream, file: str, on_error: str,
               progress: Progress | None) -> Sentences:
    result = Sentences(file=file)
    for batch in read_batches(stream, file, on_error=on_error, progress=progress):
        result += batch
        result.skipped += batch.skipped
    return result


def iter_conll(path: str | os.PathLike) -> Iterator[Sentence]:
    """The sentences of a CoNLL file, one after another.

    Only a few are in memory at a time, however large the file is. The first error
    is raised as a ConllError when its part of the file is reached.
    """
    for batch in read_batches(file_stream(path), os.fspath(path)):
        yield from batch


def read_batches(stream: ByteStream, file: str, *, on_error: str = "raise",
                 progress: Progress | None = None, trees: bool = True
                 ) -> Iterator[Sentences]:
    """The sentences of a stream, some thousands at a time, with their errors.

    trees : whether heads that do not form a tree are an error; those of predictions may
        not form one
    """
    if on_error not in ("raise", "skip"):
        raise InputError(f"on_error must be 'raise' or 'skip', not {on_error!r}")
    cancellation = Cancellation(progress)
    cancellation.report_progress(0.)
    any_sentence = False
    for piece in conll_pieces(stream):
        batch = parse_piece(piece, file, trees=trees)
        any_sentence = any_sentence or bool(batch or batch.skipped)
        if piece.last and not any_sentence:
            batch.skipped = [nothing_found(piece, file)]
        if batch.skipped and on_error == "raise":
            raise batch.skipped[0]
        yield batch
        if piece.first and not batch and something_else(piece, file):
            return
        cancellation.report_progress(1. if piece.last else stream.fraction)


class Piece(NamedTuple):
    """A part of a file that ends between two sentences."""

    data: bytes
    line: int           # of the file, at which it begins
    first: bool
    last: bool
    broken: str         # what cut the file short behind it, if anything did


def conll_pieces(stream: ByteStream) -> Iterator[Piece]:
    """A stream in pieces; there is always one."""
    line, first, waiting = 1, True, b""
    # the last piece is known by what follows it, and what broke the stream by then
    for data in blank_line_pieces(stream):
        if waiting:
            yield Piece(waiting, line, first, False, "")
            line += waiting.count(b"\n")
            first = False
        waiting = data
    yield Piece(waiting, line, first, True, stream.broken)


def parse_piece(piece: Piece, file: str, *, trees: bool = True) -> Sentences:
    """The sentences of a piece; errors are in ``skipped``, with their lines."""
    data = piece.data.removeprefix(codecs.BOM_UTF8) if piece.first else piece.data
    text, is_text = _decoded(data, whole=piece.first and piece.last)
    blocks = _BLANK_LINES.split(text)
    faults: list[tuple[int, ConllError]] = []
    if piece.broken:
        # What the break left of the last sentence cannot be trusted.
        rest = blocks.pop()
        faults.append((len(blocks), ConllError(
            "", 1 + rest.count("\n"), piece.broken, "a complete gzip file")))
    parsed, more = parse_blocks(blocks, is_text=is_text, trees=trees)
    result = Sentences(filter(None, parsed), file=file,
                       skipped=_placed(faults + more, text, file, piece.line))
    if piece.first and not result and (fault := something_else(piece, file)):
        result.skipped = [fault]
    return result


def something_else(first: Piece, file: str) -> NoConllError | None:
    """What a file is instead, if its first piece says so: in another encoding, a table."""
    for mark, encoding in OTHER_ENCODINGS.items():
        if first.data.startswith(mark):
            return NoConllError(file, 1, f"{encoding} text", EXPECTED_UTF8)
    if extension := table_extension(first.data):
        return NoConllError(
            file, 1, f"a table ({extension}) with a treebank in it",
            f"a CoNLL file; give it a name that ends in {extension}, or write the "
            "treebank again with Save Treebank")
    return None


def nothing_found(last: Piece, file: str) -> ConllError:
    """What to say of a file with neither sentences nor errors."""
    if last.broken:
        return ConllError(file, 1, last.broken, "a complete gzip file")
    empty = last.first and not last.data.removeprefix(codecs.BOM_UTF8)
    return NoConllError(file, 1, "an empty file" if empty else "nothing but blank lines",
                        "at least one sentence")


def write_conll(sentences: Iterable[Sentence] | Table, path: str | os.PathLike) -> None:
    """Write sentences to a file, compressed if the path ends in ``.gz``.

    A treebank is written as `Treebank.save` does: predictions become comments. A path
    that ends in ``.conllx`` or ``.conllx.gz`` becomes CoNLL-X, which has no comments,
    multiword tokens and empty nodes.
    """
    # it knows of treebanks, which are made of what is read here
    from orange_structpred.treebank.coerce import as_sentences

    with opened_conll(path) as file:
        blocks = [sentence.block for sentence in as_sentences(sentences, comments=True)]
        file.write(blocks_as_bytes(
            map(conllx_block, blocks) if is_conllx(path) else blocks))


@contextmanager
def opened_conll(path: str | os.PathLike) -> Iterator[BinaryIO | gzip.GzipFile]:
    """A file to write sentences to, compressed if its name says so; ``-`` is standard
    output. It takes its place when all is written."""
    if path == "-":
        yield sys.stdout.buffer
        return
    with writing.opened(path) as file:
        if os.fspath(path).lower().endswith(".gz"):
            # No name, no time stamp: the same sentences give the same bytes.
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                yield packed
        else:
            yield file


def as_bytes(sentences: Iterable[Sentence]) -> bytes:
    """Sentences as they stand in a file."""
    return blocks_as_bytes(sentence.block for sentence in sentences)


def blocks_as_bytes(blocks: Iterable[str]) -> bytes:
    return "".join([f"{block}\n\n" for block in blocks]).encode("utf-8")


def parse_blocks(
    blocks: Sequence[str], *, is_text: bool = False, trees: bool = True,
) -> tuple[list[Sentence | None], list[tuple[int, ConllError]]]:
    """Each block's sentence, and the faults with the index of their block.

    Blocks with a fault, and those with nothing but blank lines, give None.
    """
    parsed: dict[int, Parsed] = {}
    faults: list[tuple[int, ConllError]] = []
    blocks = [block.strip("\n") for block in blocks]
    for i, block in enumerate(blocks):
        if block:
            try:
                parsed[i] = parse_block(block, is_text=is_text)
            except ConllError as fault:
                faults.append((i, fault))

    offsets = np.cumsum([0, *(len(part.heads) for part in parsed.values())])
    heads = np.array([head for part in parsed.values() for head in part.heads],
                     dtype=np.int32)
    bounds = offsets.tolist()
    loose = set(no_trees(heads, offsets).tolist()) if trees else ()
    sentences: list[Sentence | None] = [None] * len(blocks)
    for s, (i, part) in enumerate(parsed.items()):
        if s not in loose:
            sentences[i] = Sentence.checked(
                blocks[i], heads[bounds[s]:bounds[s + 1]], part.sent_id, part.text)
        elif no_tree := tree_fault(heads[bounds[s]:bounds[s + 1]], blocks[i]):
            faults.append((i, no_tree))
    return sentences, faults


def _placed(faults: list[tuple[int, ConllError]], text: str, file: str, line: int
            ) -> list[ConllError]:
    """Faults in the order of the file, with their lines in it; it begins at `line`."""
    placed, block, position = [], 0, 0
    gaps = _BLANK_LINES.finditer(text)
    for i, fault in sorted(faults, key=lambda fault: fault[0]):
        start = position
        for _ in range(i - block):
            start = next(gaps).end()
        block = i
        line += text.count("\n", position, start)
        position = start
        empty = 1 if text.startswith("\n", start) else 0
        placed.append(fault.at(file, line + empty))
    return placed


def _decoded(data: bytes, *, whole: bool) -> tuple[str, bool]:
    """Text with ``\\n`` at the line ends, and whether it is text all through.

    whole : whether this is all of a file
    """
    try:
        text, is_text = data.decode("utf-8"), True
    except UnicodeDecodeError:
        text, is_text = data.decode("utf-8", "surrogateescape"), False
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if whole and "\n" not in text:
            text = text.replace("\r", "\n")
    if text.startswith(" ") or "\n " in text:
        # Lines of nothing but spaces look blank to whoever made the file.
        text = re.sub("^ +$", "", text, flags=re.MULTILINE)
    return text, is_text and "\0" not in text and "\r" not in text
