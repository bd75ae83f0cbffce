"""All comments of a sentence at once."""
from __future__ import annotations

from collections.abc import Iterable

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import NO_TEXT
from orange_structpred.treebank.sentence import Sentence


def comment_lines(sentence: Sentence) -> list[str]:
    """The comments of a sentence, without the signs before them."""
    return [line[1:].strip() for line in sentence.block.split("\n")
            if line.startswith("#")]


def with_comment_lines(sentence: Sentence, lines: Iterable[str]) -> Sentence:
    """The sentence with these comments; empty lines are left out."""
    comments = [line.strip() for line in lines if line.strip()]
    if any(NO_TEXT.search(line) or "\n" in line for line in comments):
        raise InputError("a comment is one line of text")
    rows = [line for line in sentence.block.split("\n") if not line.startswith("#")]
    return Sentence("\n".join([*(f"# {line}" for line in comments), *rows]))
