"""One sentence with its dependency tree."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from sys import intern

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.errors import InputError, cut_text
from orange_structpred.treebank.block import (
    DEPREL_COLUMN,
    FORM_COLUMN,
    HEAD_COLUMN,
    MISC_COLUMN,
    N_COLUMNS,
    NO_CELL,
    ConllError,
    entries_with,
    is_basic,
    misc_cells,
    parse_block,
    with_cells,
)
from orange_structpred.treebank.shape import cycle, depths


class Sentence:
    """A sentence: its CoNLL block, verbatim, and the contents of the block.

    Lists and arrays have one entry per basic token (no ranges ``3-4``, no empty
    nodes ``5.1``); token d is at index d - 1. Sentences are immutable, and equal
    if their blocks are. Their heads are always trees: no cycle, at least one root,
    as far as the heads are known; but for predicted ones that are only to be scored.

    Parameters
    ----------
    block : str
        CoNLL text of one sentence. An error in it is raised as a ConllError.

    Attributes
    ----------
    block : str
        Verbatim, without the newline at its end.
    heads : ndarray of int32
        0 is the root, -1 unknown (``_``).
    sent_id : str
        From the comments; empty if there is none.

    Examples
    --------
    >>> row = "{}\\t{}\\t_\\tX\\t_\\t_\\t{}\\tdep\\t_\\t_"
    >>> sentence = Sentence("\\n".join([row.format(1, "It", 2), row.format(2, "works", 0)]))
    >>> sentence.forms, sentence.heads.tolist(), sentence.text
    (['It', 'works'], [2, 0], 'It works')
    """

    __slots__ = ("__weakref__", "_columns", "_text", "block", "heads", "sent_id")
    block: str
    heads: np.ndarray
    sent_id: str
    _text: str | None
    _columns: tuple[list[str], ...] | None

    def __init__(self, block: str):
        block = block.strip("\n")
        parsed = parse_block(block)
        heads = np.array(parsed.heads, dtype=np.int32)
        if fault := tree_fault(heads, block):
            raise fault
        self._set(block, heads, parsed.sent_id, parsed.text)

    @classmethod
    def checked(cls, block: str, heads: np.ndarray, sent_id: str,
                text: str | None) -> Sentence:
        """From a block that has already been parsed and checked."""
        self = cls.__new__(cls)
        self._set(block, heads, sent_id, text)
        return self

    def _set(self, block: str, heads: np.ndarray, sent_id: str,
             text: str | None) -> None:
        heads.flags.writeable = False
        put = object.__setattr__
        put(self, "block", block)
        put(self, "heads", heads)
        put(self, "sent_id", sent_id)
        put(self, "_text", text)
        put(self, "_columns", None)

    def __setattr__(self, name, value):
        raise AttributeError(f"a Sentence is immutable; cannot set {name}")

    def column(self, index: int) -> list[str]:
        """The cells of a column, from FORM (1) to DEPREL (7)."""
        columns = self._columns
        if columns is None:
            lines = self.block.split("\n")
            cells = "\t".join([line for line in lines if line[0] != "#"]).split("\t")
            if len(cells) > N_COLUMNS * len(self):
                tokens = [line for line in lines if is_basic(line)]
                cells = "\t".join(tokens).split("\t")
            # Tags and words come again and again: one copy of each will do.
            columns = tuple(list(map(intern, cells[i::N_COLUMNS]))
                            for i in range(FORM_COLUMN, DEPREL_COLUMN + 1))
            object.__setattr__(self, "_columns", columns)
        return columns[index - FORM_COLUMN]

    @property
    def forms(self) -> list[str]:
        return self.column(1)

    @property
    def lemmas(self) -> list[str]:
        return self.column(2)

    @property
    def upos(self) -> list[str]:
        """Universal PoS tags; in CoNLL-X the coarse ones."""
        return self.column(3)

    @property
    def xpos(self) -> list[str]:
        """The language's own PoS tags; in CoNLL-X the fine ones."""
        return self.column(4)

    @property
    def feats(self) -> list[str]:
        return self.column(5)

    @property
    def deprels(self) -> list[str]:
        return self.column(DEPREL_COLUMN)

    @property
    def text(self) -> str:
        """The text from the comments, else the forms with spaces between."""
        return " ".join(self.forms) if self._text is None else self._text

    @property
    def has_heads(self) -> bool:
        """Whether all heads are known."""
        return bool(self.heads.min() >= 0)

    def __len__(self) -> int:
        return len(self.heads)

    def __eq__(self, other) -> bool:
        return isinstance(other, Sentence) and self.block == other.block

    def __hash__(self) -> int:
        return hash(self.block)

    def __repr__(self) -> str:
        return f"<Sentence of {len(self)} tokens: {cut_text(self.text, 60)}>"

    def __reduce__(self):
        return Sentence, (self.block,)

    def with_heads(self, heads: Integers, deprels: Sequence[str] | None = None, *,
                   trees: bool = True) -> Sentence:
        """The same sentence with other heads; all else in the block is kept verbatim.

        Parameters
        ----------
        heads : sequence of int
            One head per basic token: 0 for the root, -1 for unknown.
        deprels : sequence of str, optional
            Relations; by default, the old ones are kept.
        trees : bool, default=True
            Whether heads that do not form a tree are an error. If not, the result is good
            for files and scores only.
        """
        heads = np.array(heads, dtype=np.int32)
        n = len(self)
        if len(heads) != n or (deprels is not None and len(deprels) != n):
            raise InputError(f"found {len(heads)} heads"
                             + (f" and {len(deprels)} relations" if deprels else "")
                             + f", expected one for each of {n} tokens")
        if heads.min() < -1 or heads.max() > n:
            raise InputError(f"found heads from {heads.min()} to {heads.max()}, "
                             f"expected -1 to {n}")
        if deprels is not None:
            deprels = [deprel or "_" for deprel in deprels]
            if bad := next(filter(NO_CELL.search, deprels), None):
                raise InputError(f"found the relation {bad!r}, expected one without "
                                 "tabs, line breaks and spaces at its ends")
        columns: dict[int, Sequence[str]] = {
            HEAD_COLUMN: ["_" if head < 0 else str(head) for head in heads.tolist()]}
        if deprels is not None:
            columns[DEPREL_COLUMN] = deprels
        block = with_cells(self.block, columns)
        if trees and (fault := tree_fault(heads, block)):
            raise fault
        return Sentence.checked(block, heads, self.sent_id, self._text)

    def with_misc(self, key: str, values: Sequence[str]) -> Sentence:
        """The same sentence with ``key=value`` in the last column of each basic token,
        in the place of an older value; "" for none."""
        return self.with_cells({MISC_COLUMN: [
            "|".join(entries_with(misc, key, value)) or "_"
            for misc, value in zip(misc_cells(self.block), values)]})

    def with_cells(self, columns: Mapping[int, Sequence[str]]) -> Sentence:
        """The same sentence with other cells, of columns that are not checked."""
        return Sentence.checked(with_cells(self.block, columns), self.heads.copy(),
                                self.sent_id, self._text)


def tree_fault(heads: np.ndarray, block: str) -> ConllError | None:
    """Why heads in range are not a tree, with the line of the block; None if they are."""
    if depths(heads, np.array([0, len(heads)])).all():
        return None
    lines = block.split("\n")
    tokens = [i for i, line in enumerate(lines, start=1) if is_basic(line)]
    if heads.min() > 0:
        return ConllError("", tokens[0], "no root", "a token whose head is 0")
    loop = cycle(heads)
    shown = [*map(str, loop[:6]), str(loop[0]) if len(loop) <= 6 else "..."]
    return ConllError("", tokens[loop[0] - 1],
                      f"a cycle of heads ({' -> '.join(shown)})",
                      "heads that lead to the root")
