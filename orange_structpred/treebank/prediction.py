"""Predicted heads as text: a cell of a table, a comment of a CoNLL block.

A prediction for a sentence is written as a head for each token, ``2 0 2``, or a head
and a relation, ``2:nsubj 0:root 2:obj``; ``_`` is an unknown head. The probability
of a head stands after it, ``2@0.95:nsubj``, if the parser tells it. In a CoNLL file a
prediction stands among the comments of its sentence::

    # prediction NAME = 2 0 2
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from orange_structpred.array_types import Integers, Reals
from orange_structpred.errors import InputError, cut_text
from orange_structpred.treebank.block import heads_by_text
from orange_structpred.treebank.layers import EMPTY, MISC_START, layer_values

if TYPE_CHECKING:
    from orange_structpred.treebank.sentence import Sentence

T = TypeVar("T")

PREDICTION_START = "# prediction "
_PREDICTION_COMMENT = re.compile(rf"{PREDICTION_START}(?P<name>.*\S) = (?P<cell>\S.*)")
_PROBABILITY = re.compile(r"0(\.\d{1,9})?|1(\.0{1,9})?")
PROBABILITY_DECIMALS = 4        # of probabilities
HEAD_PROBABILITY = "HeadProb"   # key in the last column of CoNLL-U


@dataclass(frozen=True)
class Prediction:
    """Heads that a parser predicted for the sentences of a treebank.

    Attributes
    ----------
    heads : list of ndarray of int32
        One array per sentence; -1 where there is no prediction.
    deprels : list of list of str, or None
        Relations, if the parser predicts them; ``_`` where there is no prediction.
    probabilities : list of ndarray of float, or None
        How sure the parser is of each head, from 0 to 1; nan where that is not known.
    """

    heads: list[np.ndarray]
    deprels: list[list[str]] | None = None
    probabilities: list[np.ndarray] | None = None

    def expected_errors(self) -> np.ndarray:
        """How many wrong heads are to be expected in each sentence, by the
        probabilities; nan where they are not known. Where is an annotator needed most?
        """
        if self.probabilities is None:
            return np.full(len(self.heads), np.nan)
        return expected_errors(self.probabilities)

    def doubts(self) -> np.ndarray:
        """Where an annotator's time is best spent: the expected number of wrong heads of
        each sentence over the square root of its length; nan where it is not known.

        The sum alone would put the longest sentences first, the mean the shortest.
        """
        return self.expected_errors() / np.sqrt([max(1, len(tree)) for tree in self.heads])


def join_predictions(parts: Iterable[Prediction], *, deprels: bool, probabilities: bool
                     ) -> Prediction:
    """The predictions for several parts of a treebank as one.

    deprels, probabilities : whether they have them
    """
    heads: list[np.ndarray] = []
    labels: list[list[str]] = []
    shares: list[np.ndarray] = []
    for part in parts:
        heads += part.heads
        labels += part.deprels or []
        shares += part.probabilities or []
    return Prediction(heads, labels if deprels else None, shares if probabilities else None)


def with_head_probabilities(sentences: Sequence[Sentence],
                            probabilities: Sequence[np.ndarray] | None
                            ) -> list[Sentence]:
    """The sentences with the probability of each head in their last column, as
    ``HeadProb=0.97``; as they are, if there are none."""
    if probabilities is None:
        return list(sentences)
    return [sentence.with_misc(HEAD_PROBABILITY, [
        "" if isnan(share) else f"{share:.4g}" for share in shares])
        for sentence, shares in zip(sentences, probabilities)]


def stored_head_probabilities(sentences: Sequence[Sentence]) -> list[np.ndarray] | None:
    """The probabilities of the sentences' own heads, which `with_head_probabilities` has
    written to their last column; nan where there is none. None if there are none at all.
    """
    if not any(f"{HEAD_PROBABILITY}=" in sentence.block for sentence in sentences):
        return None
    return [np.array([np.nan if (share := _share(value)) is None else share for value in
                      layer_values(sentence, f"{MISC_START}{HEAD_PROBABILITY}")])
            for sentence in sentences]


def with_old_probabilities(sentence: Sentence, before: Sentence) -> Sentence:
    """An edited sentence with the probabilities of only those heads that are as before."""
    values = layer_values(sentence, f"{MISC_START}{HEAD_PROBABILITY}")
    kept = [value if same and value != EMPTY else "" for value, same in zip(
        values, sentence.heads == before.heads)]
    if [value or EMPTY for value in kept] == values:
        return sentence
    return sentence.with_misc(HEAD_PROBABILITY, kept)


def expected_errors(probabilities: Iterable[np.ndarray]) -> np.ndarray:
    """How many wrong heads are to be expected in each sentence; nan where no
    probability is known."""
    return np.array([np.nan if np.isnan(shares).all() else np.nansum(1 - shares)
                     for shares in probabilities])


def encode_prediction(heads: Integers, deprels: Sequence[str] | None = None,
                      probabilities: Reals | None = None) -> str:
    """The prediction for a sentence as text."""
    cells = ["_" if head < 0 else str(head) for head in heads]
    if probabilities is not None:
        cells = [cell if isnan(share) else f"{cell}@{share:.{PROBABILITY_DECIMALS}f}"
                 for cell, share in zip(cells, probabilities, strict=True)]
    if deprels is not None:
        cells = [f"{cell}:{space_escaped(deprel or '_')}"
                 for cell, deprel in zip(cells, deprels, strict=True)]
    return " ".join(cells)


def decode_prediction(cell: str, n: int
                      ) -> tuple[np.ndarray, list[str] | None, np.ndarray | None]:
    """Heads, relations and probabilities for n tokens; a ValueError if the text is
    something else.

    An empty cell is a sentence without a prediction.
    """
    if not cell:
        return np.full(n, -1, dtype=np.int32), None, None
    parts, deprels, probabilities = cell.split(" "), None, None
    if ":" in cell:
        pairs = [part.partition(":") for part in parts]
        parts = [head for head, _, _ in pairs]
        deprels = [deprel or "_" for _, _, deprel in pairs]
    if "@" in cell:
        pairs = [part.partition("@") for part in parts]
        parts = [head for head, _, _ in pairs]
        if any(sign for _, sign, _ in pairs):       # a relation may have one, too
            probabilities = [_share(share) if sign else np.nan
                             for _, sign, share in pairs]
    numbers = heads_by_text(n)
    heads = [numbers.get(part, n + 1) for part in parts]
    if len(heads) != n or max(heads) > n or (
            probabilities and None in probabilities):
        raise InputError(f"found {cut_text(cell, 40)!r}, expected heads from 0 to {n} "
                         f"of {n} token{'s' * (n > 1)}"
                         + ", with probabilities from 0 to 1" * bool(probabilities))
    if deprels is not None and "%" in cell:
        deprels = [unescaped(deprel) for deprel in deprels]
    return (np.array(heads, dtype=np.int32), deprels,
            np.array(probabilities, dtype=float) if probabilities else None)


def _share(text: str) -> float | None:
    """A number from 0 to 1; None for anything else."""
    return float(text) if _PROBABILITY.fullmatch(text) else None


def fits(cell: str, n: int) -> bool:
    """Whether a cell is a prediction for n tokens."""
    try:
        decode_prediction(cell, n)
    except ValueError:
        return False
    return True


def decode_column(cells: Sequence[str], lengths: Sequence[int],
                  name: str) -> Prediction:
    """The prediction in a column of a table."""
    rows = decoded_cells(f"prediction {name!r}", decode_prediction, cells, lengths)
    deprels = probabilities = None
    if any(labels is not None for _, labels, _ in rows):
        deprels = [["_"] * len(tree) if labels is None else labels
                   for tree, labels, _ in rows]
    if any(shares is not None for _, _, shares in rows):
        probabilities = [np.full(len(tree), np.nan) if shares is None else shares
                         for tree, _, shares in rows]
    return Prediction([tree for tree, _, _ in rows], deprels, probabilities)


def decoded_cells(title: str, decode: Callable[[str, int], T], cells: Sequence[str],
                  lengths: Sequence[int]) -> list[T]:
    """What is in the cells of a column; messages name it and the row.

    lengths : of the sentences
    """
    values = []
    for row, (cell, n) in enumerate(zip(cells, lengths, strict=True), start=1):
        try:
            values.append(decode(cell, n))
        except ValueError as error:
            raise InputError(f"{title}, row {row}: {error}") from error
    return values


def take_out(block: str, n: int) -> tuple[str, dict[str, str]]:
    """A block of n tokens without its predictions, and these by their names.

    Comments that look like a prediction, but not for n tokens, stay.
    """
    return take_out_comments(block, _PREDICTION_COMMENT, lambda cell: fits(cell, n))


def take_out_comments(block: str, comment: re.Pattern[str], fits: Callable[[str], bool]
                      ) -> tuple[str, dict[str, str]]:
    """A block without some of its comments, and their cells by their names."""
    lines, cells = [], {}
    for line in block.split("\n"):
        match = comment.fullmatch(line)
        if match and fits(match["cell"]):
            cells[match["name"]] = match["cell"]
        else:
            lines.append(line)
    return "\n".join(lines), cells


def put_in(block: str, cells: Mapping[str, str]) -> str:
    """A block with predictions as its last comments; empty ones are left out.

    cells : by the beginnings of the comments, with `PREDICTION_START`
    """
    lines = block.split("\n")
    first = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    lines[first:first] = [f"{title} = {cell}" for title, cell in cells.items() if cell]
    return "\n".join(lines)


def space_escaped(value: str) -> str:
    """A value without white space: ``%20%`` stands for a space."""
    return re.sub(r"[\s%]", lambda match: f"%{ord(match[0]):02X}%", value)


def unescaped(value: str) -> str:
    """The value again; a ValueError for what `space_escaped` does not write."""
    def character(match: re.Match) -> str:
        code = int(match[1], 16)
        if code > 0x3000 or not (chr(code) == "%" or chr(code).isspace()) or (
                chr(code) in "\t\n\r"):
            raise InputError(f"found {match[0][:20]!r}, expected %20% or another space")
        return chr(code)

    return re.sub("%([0-9A-F]+)%", character, value)
