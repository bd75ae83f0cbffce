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
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files import reading, writing
from orange_structpred.treebank.block import ConllError, Parsed, parse_block
from orange_structpred.treebank.sentence import Sentence, tree_fault
from orange_structpred.treebank.shape import no_trees

if TYPE_CHECKING:
    from Orange.data import Table

GZIP_MAGIC = b"\x1f\x8b"
#: How text in other encodings begins; the longer marks first, one begins another
OTHER_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32", codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}
#: How much a gzip file may unpack to: so many times its own size, or so many bytes
MOST_TIMES, MOST_BYTES = 100, 1 << 26
_STEP = 1 << 14
_PADDING = re.compile(b"\0*")         # behind a gzip file
_GAP = re.compile("\n\n+")           # between two sentences
_PROGRESS_EVERY = 500


class NoConllError(ConllError):
    """An error in the file as a whole: it is empty, or in another encoding."""


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
               progress: Callable[[float], object] | None = None) -> Sentences:
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
        Called with the fraction done, from 0 to 1.

    Returns
    -------
    Sentences
    """
    return read_bytes(reading.read_bytes(path), os.fspath(path), on_error=on_error,
                      progress=progress)


def read_bytes(data: bytes, file: str, *, on_error: str = "raise",
               progress: Callable[[float], object] | None = None) -> Sentences:
    """The same as `read_conll`, for the contents of a file."""
    if on_error not in ("raise", "skip"):
        raise InputError(f"on_error is {on_error!r}, expected 'raise' or 'skip'")
    data, broken = _inflated(data)
    result = parse_conll(data, file=file, broken=broken, progress=progress)
    if result.skipped and on_error == "raise":
        raise result.skipped[0]
    return result


def write_conll(sentences: Iterable[Sentence] | Table, path: str | os.PathLike) -> None:
    """Write sentences to a file, compressed if the path ends in ``.gz``.

    A treebank is written as `Treebank.save` does: predictions become comments.
    """
    # it knows of treebanks, which are made of what is read here
    from orange_structpred.treebank.coerce import as_sentences

    blocks = [sentence.block for sentence in as_sentences(sentences, comments=True)]
    data = "".join([block + "\n\n" for block in blocks]).encode("utf-8")
    if os.fspath(path).endswith(".gz"):
        # No time stamp: the same sentences give the same bytes.
        data = gzip.compress(data, mtime=0)
    writing.write_bytes(path, data)


def parse_conll(data: bytes, *, file: str = "", broken: str = "",
                progress: Callable[[float], object] | None = None) -> Sentences:
    """The sentences in the bytes of a file; errors are in ``skipped``.

    ``broken`` says what cut the data short, if anything did.
    """
    text, is_text = _decoded(data)
    blocks = _GAP.split(text)
    faults: list[tuple[int, ConllError]] = []
    if broken:
        # What the break left of the last sentence cannot be trusted.
        rest = blocks.pop()
        faults.append((len(blocks), ConllError(
            "", 1 + rest.count("\n"), broken, "a complete gzip file")))

    found, more = parse_blocks(blocks, is_text=is_text, progress=progress)
    faults += more
    result = Sentences(filter(None, found), file=file)
    result.skipped = _placed(faults, text, file)
    if not result and not result.skipped:
        result.skipped = [NoConllError(
            file, 1, "nothing but blank lines" if text else "an empty file",
            "at least one sentence")]
    encoding = next((name for mark, name in OTHER_ENCODINGS.items()
                     if data.startswith(mark)), None)
    if not result and encoding:
        result.skipped = [NoConllError(file, 1, f"{encoding} text", "UTF-8 text")]
    return result


def parse_blocks(
    blocks: Sequence[str], *, is_text: bool = False,
    progress: Callable[[float], object] | None = None,
) -> tuple[list[Sentence | None], list[tuple[int, ConllError]]]:
    """Each block's sentence, and the faults with the index of their block.

    Blocks with a fault, and those with nothing but blank lines, give None.
    """
    parsed: dict[int, Parsed] = {}
    faults: list[tuple[int, ConllError]] = []
    blocks = [block.strip("\n") for block in blocks]
    for i, block in enumerate(blocks):
        if progress is not None and i % _PROGRESS_EVERY == 0:
            progress(i / len(blocks))
        if block:
            try:
                parsed[i] = parse_block(block, is_text=is_text)
            except ConllError as fault:
                faults.append((i, fault))

    offsets = np.cumsum([0, *(len(part.heads) for part in parsed.values())])
    heads = np.array([head for part in parsed.values() for head in part.heads],
                     dtype=np.int32)
    loose = set(no_trees(heads, offsets).tolist())
    bounds = offsets.tolist()
    sentences: list[Sentence | None] = [None] * len(blocks)
    for s, (i, part) in enumerate(parsed.items()):
        own = heads[bounds[s]:bounds[s + 1]]
        if s in loose:
            faults.append((i, tree_fault(own, blocks[i])))
        else:
            sentences[i] = Sentence.checked(
                blocks[i], own, part.sent_id, part.text)
    if progress is not None:
        progress(1.0)
    return sentences, faults


def _placed(faults: list[tuple[int, ConllError]], text: str, file: str
            ) -> list[ConllError]:
    """Faults in the order of the file, with their lines in it."""
    placed, line, block, position = [], 1, 0, 0
    gaps = _GAP.finditer(text)
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


def _decoded(data: bytes) -> tuple[str, bool]:
    """Text with ``\\n`` at the line ends, and whether it is text all through."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text, is_text = data.decode("utf-8"), True
    except UnicodeDecodeError:
        text, is_text = data.decode("utf-8", "surrogateescape"), False
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    if text.startswith(" ") or "\n " in text:
        # Lines of nothing but spaces look blank to whoever made the file.
        text = re.sub("^ +$", "", text, flags=re.MULTILINE)
    return text, is_text and "\0" not in text and "\r" not in text


def _inflated(data: bytes) -> tuple[bytes, str]:
    """The content of a gzip file (or the data, if it is none), and what broke it."""
    if not data.startswith(GZIP_MAGIC):
        return data, ""
    parts, size, position = [], 0, 0
    limit = max(MOST_BYTES, MOST_TIMES * len(data))
    while position < len(data):
        if not data.startswith(GZIP_MAGIC, position):
            return b"".join(parts), f"{len(data) - position} bytes that are no gzip data"
        member = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        try:
            while not member.eof:
                # In small steps: a step that fails gives nothing.
                chunk = member.unconsumed_tail
                if not chunk:
                    chunk = data[position:position + _STEP]
                    position += len(chunk)
                inflated = member.decompress(chunk, _STEP)
                if not chunk and not inflated:
                    return b"".join(parts), "a gzip file that ends too early"
                parts.append(inflated)
                size += len(inflated)
                if size > limit:
                    return b"".join(parts), (
                        f"a gzip file that unpacks to more than {limit:,} bytes")
        except zlib.error as error:
            return b"".join(parts), f"damaged gzip data ({error})"
        position = _PADDING.match(data, position - len(member.unused_data)).end()
    return b"".join(parts), ""
