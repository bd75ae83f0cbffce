"""Predicted tags as text: a cell of a table, a comment of a CoNLL block.

A prediction of one layer is a column named ``NAME: LAYER``, after the tagger and the
layer. Its cells have a value for each token, separated by spaces; ``%20%`` is a space
within a value. In a CoNLL file it stands among the comments of its sentence::

    # tags NAME: upos = DET NOUN VERB
"""
from __future__ import annotations

import re
from collections.abc import Sequence

from orange_structpred.errors import InputError, cut_text
from orange_structpred.treebank.layers import LAYER_COLUMNS
from orange_structpred.treebank.prediction import (
    space_escaped,
    take_out_comments,
    unescaped,
)

TAGS_START = "# tags "
TAG_COLUMN_NAME = re.compile(rf"(.*\S): ({'|'.join(LAYER_COLUMNS)}|misc:[^\s=|:]+)(?: \(\d+\))?")
_TAGS_COMMENT = re.compile(
    rf"{TAGS_START}(?P<name>{TAG_COLUMN_NAME.pattern}) = (?P<cell>\S.*)")


def column_name(name: str, layer: str) -> str:
    return f"{name}: {layer}"


def encode_tags(values: Sequence[str]) -> str:
    """The values of a sentence's tokens as text.

    >>> encode_tags(["New York", "is"])
    'New%20%York is'
    """
    return " ".join(space_escaped(value or "_") for value in values)


def decode_tags(cell: str, n: int) -> list[str]:
    """Values for n tokens; an empty cell has none. A ValueError for other text."""
    if not cell:
        return ["_"] * n
    values = cell.split(" ")
    if len(values) != n or "" in values:
        raise InputError(f"found {cut_text(cell, 40)!r}, expected values for {n} "
                         f"token{'s' * (n != 1)}")
    if "%" in cell:
        values = list(map(unescaped, values))
    return values


def take_out_tags(block: str, n: int) -> tuple[str, dict[str, str]]:
    """A block of n tokens without its predicted tags, and these by their columns."""
    return take_out_comments(block, _TAGS_COMMENT, lambda cell: cell.count(" ") == n - 1)
