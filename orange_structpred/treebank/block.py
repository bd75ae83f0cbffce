"""One sentence as text: what a CoNLL block must look like, and what is wrong with it.

CoNLL-U and CoNLL-X share the ten columns and their places, so one parser reads
both. A block is the text of one sentence: comment lines (``#``), token lines, no
blank line and no newline at its end.

Valid blocks, nearly all of them, are parsed by `_quick`, which works on whole columns
at a time; all others by `_careful`, which goes line by line and can say what is wrong
and where.
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from orange_structpred.errors import InputError, cut_text

CONLL_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL",
                 "DEPS", "MISC")
N_COLUMNS = len(CONLL_COLUMNS)
FORM_COLUMN, HEAD_COLUMN, DEPREL_COLUMN, MISC_COLUMN = map(
    CONLL_COLUMNS.index, ("FORM", "HEAD", "DEPREL", "MISC"))
UNKNOWN_HEAD = -1

# What cannot be in a text file: NUL bytes, carriage returns inside of a line,
# and bytes that were no UTF-8 (decoded with "surrogateescape").
NO_TEXT = re.compile("[\0\r\ud800-\udfff]")
#: What a cell does not have
NO_CELL = re.compile(rf"[\t\n]|^ | $|{NO_TEXT.pattern}")
#: What is expected of text in other encodings
EXPECTED_UTF8 = "UTF-8 text; save the file as UTF-8"

# Numbers as they are written, for sentences up to this length.
_COMMON_LENGTH = 500
_IDS = [str(i) for i in range(1, _COMMON_LENGTH + 1)]
_HEADS_BY_TEXT = {"_": UNKNOWN_HEAD, **{str(i): i for i in range(_COMMON_LENGTH + 1)}}
_TABS = [N_COLUMNS - 1] * _COMMON_LENGTH


class ConllError(InputError):
    """Text that is not valid CoNLL: where, what was found and what was expected.

    Attributes
    ----------
    file : str
        The file, or another name for the source of the text.
    line : int
        Line in the file, counted from 1.
    found, expected : str
    """

    def __init__(self, file: str, line: int, found: str, expected: str):
        super().__init__(file, line, found, expected)
        self.file = file
        self.line = line
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.file else f"line {self.line}"
        return f"{where}: found {self.found}, expected {self.expected}"

    def at(self, file: str, first_line: int) -> ConllError:
        """The same error in a block that starts at this line of this file."""
        return ConllError(file, first_line + self.line - 1, self.found, self.expected)


class Parsed(NamedTuple):
    """The heads of a block's basic tokens, and its comments."""

    heads: list[int]
    sent_id: str
    text: str | None


def parse_block(block: str, *, is_text: bool = False) -> Parsed:
    """Read ids, heads and comments; a fault is a ConllError, lines from 1.

    Whether the heads form a tree is not checked here: see
    `orange_structpred.treebank.shape`, which does so for many sentences at once.

    Parameters
    ----------
    block : str
    is_text : bool, default=False
        It is known that nothing in the block matches NO_TEXT.
    """
    lines = block.split("\n")
    if is_text or not NO_TEXT.search(block):
        parsed = _quick(block, lines)
        if parsed is not None:
            return parsed
    return _careful(lines)


def is_basic(line: str) -> bool:
    """Whether a line of a correct block is a basic token, none of ``3-4``, ``5.1``."""
    return line.partition("\t")[0].isdecimal()


def with_cells(block: str, columns: Mapping[int, Sequence[str]]) -> str:
    """A correct block with other cells; all else is kept verbatim.

    columns : by the index of a column its cells, one for each basic token
    """
    lines, token = block.split("\n"), 0
    for i, line in enumerate(lines):
        if is_basic(line):
            cells = line.split("\t")
            for column, values in columns.items():
                cells[column] = values[token]
            lines[i] = "\t".join(cells)
            token += 1
    return "\n".join(lines)


def misc_cells(block: str) -> list[str]:
    """The last cell of each basic token of a correct block."""
    return [line.rpartition("\t")[2] for line in block.split("\n") if is_basic(line)]


def entries_with(cell: str, key: str, value: str) -> list[str]:
    """The entries of a cell of MISC or FEATS with another value of a key; "" or "_" for
    none."""
    entries = [entry for entry in cell.split("|")
               if entry != "_" and entry.partition("=")[0] != key]
    return [*entries, f"{key}={value}"] if value not in ("", "_") else entries


def heads_by_text(n: int) -> dict[str, int]:
    """The heads of n tokens (and perhaps higher numbers) as they are written."""
    if n <= _COMMON_LENGTH:
        return _HEADS_BY_TEXT
    return {"_": UNKNOWN_HEAD, **{str(i): i for i in range(n + 1)}}


def _quick(block: str, lines: list[str]) -> Parsed | None:
    first = 0
    while first < len(lines) and lines[first].startswith("#"):
        first += 1
    tokens = lines[first:] if first else lines
    n = len(tokens)
    if (not 0 < n <= _COMMON_LENGTH
            or [line.count("\t") for line in tokens] != _TABS[:n]
            or "\t\t" in block or "\t\n" in block or "\t " in block
            or block.endswith("\t")):
        return None
    cells = "\t".join(tokens).split("\t")
    ids, written = cells[::N_COLUMNS], cells[HEAD_COLUMN::N_COLUMNS]
    if ids != _IDS[:n]:
        # Ranges and empty nodes, if these are what is in the way.
        basic = [i for i, id_ in enumerate(ids) if id_.isdecimal()]
        if not basic or _misplaced(ids, len(basic)):
            return None
        written = [written[i] for i in basic]
        n = len(basic)
    try:
        heads = list(map(_HEADS_BY_TEXT.__getitem__, written))
    except KeyError:
        return None
    if max(heads) > n:
        return None
    return Parsed(heads, *_comments(lines[:first]))


def _misplaced(ids: list[str], n: int) -> tuple[int, str] | None:
    """The first id that is out of order: its index, and what was expected.

    Basic tokens are 1, 2, ..., n. A range ``3-4`` stands before its first token,
    and ranges do not overlap. Empty nodes ``5.1``, ``5.2`` follow token 5.
    """
    last = covered = empty = 0
    for i, id_ in enumerate(ids):
        following = str(last + 1)
        if id_ == following:
            last, empty = last + 1, 0
            continue
        start, dash, end = id_.partition("-")
        if dash and start == following and last >= covered and _number(end) > last:
            if _number(end) > n:
                return i, f"a range that ends at token {n} or before"
            covered = _number(end)
            continue
        if id_ == f"{last}.{empty + 1}":
            empty += 1
            continue
        return i, f"id {following}" if last == i else (
            f"id {following} (or a range {following}-..., or {last}.{empty + 1})")
    return None


def _number(digits: str) -> int:
    """The number as written; -1 if it is not a number or too large for any sentence."""
    return int(digits) if re.fullmatch("[0-9]{1,9}", digits) else -1


def _comments(lines: list[str]) -> tuple[str, str | None]:
    sent_id, text = "", None
    for line in lines:
        name, _, value = line[1:].partition("=")
        if name.strip() == "text":
            text = value.strip()
        elif name.strip() == "sent_id":
            sent_id = value.strip()
    return sent_id, text


def _careful(lines: list[str]) -> Parsed:
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, start=1):
        if bad := NO_TEXT.search(line):
            raise ConllError("", number, *_no_text(bad[0]))
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != N_COLUMNS:
            raise ConllError("", number, _width(line, len(cells)),
                             f"{N_COLUMNS} columns separated by tabs")
        empty = next((i for i, cell in enumerate(cells) if not cell.strip(" ")), None)
        if empty is not None:
            raise ConllError(
                "", number, f"nothing in column {empty + 1} ({CONLL_COLUMNS[empty]})",
                "a value, or '_' where there is none")
        rows.append((number, cells))
    basic = [(number, cells) for number, cells in rows if cells[0].isdecimal()]
    n = len(basic)
    if misplaced := _misplaced([cells[0] for _, cells in rows], n):
        index, expected = misplaced
        number, cells = rows[index]
        raise ConllError("", number, f"id {_shown(cells[0])}", expected)
    if not n:
        raise ConllError("", len(lines), "a sentence without tokens",
                         "at least one token line")
    numbers = heads_by_text(n)
    heads = []
    for number, cells in basic:
        head = numbers.get(cells[HEAD_COLUMN])
        if head is None or head > n:
            raise ConllError("", number, f"head {_shown(cells[HEAD_COLUMN])}",
                             f"a number from 0 to {n}, or '_'")
        heads.append(head)
    return Parsed(heads, *_comments([line for line in lines if line[:1] == "#"]))


def _no_text(character: str) -> tuple[str, str]:
    """What was found, and what was expected."""
    if character == "\r":
        return "a carriage return inside of a line", "UTF-8 text"
    if character == "\0":
        return "a NUL byte (a binary file?)", "UTF-8 text"
    return f"byte 0x{ord(character) & 0xff:02X}, which is not UTF-8", EXPECTED_UTF8


def _width(line: str, width: int) -> str:
    if not line:
        return "an empty line"
    return f"{width} column{'s' * (width > 1)} ({_shown(line)})"


def _shown(text: str) -> str:
    return repr(cut_text(text, 40))
