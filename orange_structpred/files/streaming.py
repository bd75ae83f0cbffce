"""The bytes of large files, a piece at a time.

What is read here may be larger than memory, come from a pipe, be compressed with gzip,
or be damaged. Each piece ends where a line is blank, so that whatever stands between
blank lines is whole.
"""
from __future__ import annotations

import errno
import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

from orange_structpred.files.reading import check_file_name

GZIP_MAGIC = b"\x1f\x8b"
PIECE = 1 << 21         # bytes; a piece is as long as this or as what it must not cut
#: How much a gzip file may unpack to: so many times its own size, or so many bytes
MOST_TIMES, MOST_BYTES = 100, 1 << 26
#: Bytes between two blank lines; a device may have no end, and no blank line
LARGEST_PIECE = 1 << 29
_READ = 1 << 18
_INFLATED_AT_ONCE = 1 << 14
_BLANK = re.compile(rb"\n *\r?\n")
_GZIP_PADDING = re.compile(b"\0*")         # behind a gzip file


class ByteStream:
    """The chunks of a file or pipe, decompressed, and how far it was read.

    Attributes
    ----------
    size : int or None
        Bytes of the file, where they are known
    read : int
        Bytes that were read so far
    broken : str
        What is wrong with the compressed data, if anything; known at the end
    """

    def __init__(self, chunks: Iterable[bytes], size: int | None = None, name: str = ""):
        self.chunks, self.size, self.name = iter(chunks), size, name
        self.read, self.broken = 0, ""
        self._begun: Iterator[bytes] | None = None

    @property
    def fraction(self) -> float:
        return min(1., self.read / self.size) if self.size else 0.

    def __iter__(self) -> Iterator[bytes]:
        return self._begun or self._unpacked()

    def head(self, length: int) -> bytes:
        """The first bytes, at least so many if there are; they can be read all the same."""
        chunks, head = self._unpacked(), b""
        while len(head) < length and (chunk := next(chunks, b"")):
            head += chunk
        self._begun = chain([head], chunks)
        return head

    def _unpacked(self) -> Iterator[bytes]:
        chunks = self._counted()
        first = next(chunks, b"")
        while len(first) < len(GZIP_MAGIC) and (more := next(chunks, b"")):
            first += more
        if not first.startswith(GZIP_MAGIC):
            if first:
                yield first
            yield from chunks
            return
        unpacked = 0
        # an empty chunk would look like the end
        for data in filter(None, self._inflated(first, chunks)):
            unpacked += len(data)
            yield data
            limit = max(MOST_BYTES, MOST_TIMES * (self.size or self.read))
            if unpacked > limit:
                self.broken = f"a gzip file that unpacks to more than {limit:,} bytes"
                return

    def _counted(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            self.read += len(chunk)
            if chunk:
                yield chunk

    def _inflated(self, data: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The content of one or several gzip files, up to where they are damaged."""
        position = 0
        while True:
            while len(data) - position < len(GZIP_MAGIC) and (more := next(chunks, b"")):
                data, position = data[position:] + more, 0
            if position == len(data):
                return
            if not data.startswith(GZIP_MAGIC, position):
                rest = len(data) - position + sum(map(len, chunks))
                self.broken = f"{rest} bytes that are no gzip data"
                return
            member = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
            try:
                while not member.eof:
                    # In small steps: a step that fails gives nothing.
                    step = member.unconsumed_tail
                    if not step:
                        if position == len(data):
                            data, position = next(chunks, b""), 0
                        step = data[position:position + _INFLATED_AT_ONCE]
                        position += len(step)
                    inflated = member.decompress(step, _INFLATED_AT_ONCE)
                    if not step and not inflated:
                        self.broken = "a gzip file that ends too early"
                        return
                    yield inflated
            except zlib.error as error:
                self.broken = f"damaged gzip data ({error})"
                return
            position = _after_padding(data, position - len(member.unused_data))
            while position == len(data) and (more := next(chunks, b"")):
                data, position = more, _after_padding(more, 0)


def _after_padding(data: bytes, position: int) -> int:
    padding = _GZIP_PADDING.match(data, position)
    return padding.end() if padding else position


def bytes_stream(data: bytes) -> ByteStream:
    """The bytes of what is in memory already."""
    return ByteStream((data[start:start + _READ] for start in range(0, len(data), _READ)),
                      len(data))


def file_stream(path: str | os.PathLike) -> ByteStream:
    """A file's bytes; an OSError names the file."""
    check_file_name(path)
    file = open(path, "rb")     # noqa: SIM115  (closed when all is read)
    status = os.fstat(file.fileno())
    regular = stat.S_ISREG(status.st_mode)
    return ByteStream(_read_chunks(file), status.st_size if regular else None,
                      os.fspath(path))


def pipe_stream(file: BinaryIO, name: str) -> ByteStream:
    """The bytes of standard input or another open file."""
    return ByteStream(_read_chunks(file), name=name)


def _read_chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_READ):
            yield chunk


def blank_line_pieces(stream: ByteStream, size: int | None = None) -> Iterator[bytes]:
    """Pieces that end behind a blank line, but for the last one."""
    size = size or PIECE
    waiting: list[bytes] = []
    length, wanted = 0, size
    for chunk in stream:
        waiting.append(chunk)
        length += len(chunk)
        if length < wanted:
            continue
        if length > LARGEST_PIECE:
            raise OSError(errno.EFBIG, f"found more than {LARGEST_PIECE:,} bytes without a "
                          "blank line, expected one after each sentence", stream.name)
        data = b"".join(waiting)
        cut = _last_blank(data)
        if cut:
            yield data[:cut]
            data = data[cut:]
        waiting, length = [data], len(data)
        # without a blank line, look again when there is twice as much
        wanted = size if cut else 2 * length
    if rest := b"".join(waiting):
        yield rest


def _last_blank(data: bytes) -> int:
    """Where the last blank line ends; 0 if there is none."""
    blank = data.rfind(b"\n\n")
    if blank >= 0:
        return blank + 2
    blank = data.rfind(b"\n\r\n")
    if blank >= 0:
        return blank + 3
    end = 0
    for match in _BLANK.finditer(data):
        end = match.end()
    return end
