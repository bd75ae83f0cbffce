"""The comments of a sentence that a person may change, all at once."""
from __future__ import annotations

from collections.abc import Iterable

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import NO_TEXT
from orange_structpred.treebank.editing.sentence_edits import ID_KEY
from orange_structpred.treebank.editing.taken_apart import TEXT_KEY, is_comment
from orange_structpred.treebank.sentence import Sentence


def comment_lines(sentence: Sentence) -> list[str]:
    """The comments of a sentence, without the signs before them. Its text is not among
    them: it follows the words."""
    return [line[1:].strip() for line in sentence.block.split("\n")
            if line.startswith("#") and not is_comment(line, TEXT_KEY)]


def with_comment_lines(sentence: Sentence, lines: Iterable[str]) -> Sentence:
    """The sentence with these comments; empty lines are left out. Its text stays, and its
    name, unless there is another one."""
    comments = [line.strip() for line in lines if line.strip()]
    if comments == comment_lines(sentence):
        return sentence
    if any(NO_TEXT.search(line) or "\n" in line for line in comments):
        raise InputError("a comment must be one line of text")
    comments = [f"# {line}" for line in comments if not is_comment(f"#{line}", TEXT_KEY)]
    before = sentence.block.split("\n")
    kept = [line for line in before if is_comment(line, TEXT_KEY)
            or is_comment(line, ID_KEY) and not any(
                is_comment(other, ID_KEY) for other in comments)]
    rows = [line for line in before if not line.startswith("#")]
    return Sentence("\n".join([*comments, *kept, *rows]))
