"""From text to sentences, whatever finds the tokens."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import (
    Token,
    clean_text,
    make_sentence,
    paragraphs_of,
)

MAX_PARAGRAPH = 1 << 18     # characters; longer ones are cut at spaces


class AnyTokeniser(ABC):
    """Something that finds the tokens and sentences of a paragraph.

    ``tokeniser(text)`` is a list of sentences. Every character of the text is in a
    token or is a space between tokens; control characters are taken for spaces.
    """

    @abstractmethod
    def tokens(self, paragraph: str) -> Iterator[list[Token]]:
        """The tokens of each sentence of a paragraph."""

    def __call__(self, text: str) -> list[Sentence]:
        return list(self.sentences(text))

    def sentences(self, text: str) -> Iterator[Sentence]:
        """The sentences of a text, one after the other, with numbers as sent_id."""
        if not isinstance(text, str):
            raise TypeError(f"found an object of type {type(text).__name__}, expected "
                            "text; read_text reads a file")
        number = 0
        for paragraph in paragraphs_of(clean_text(text)):
            first = True
            for piece in pieces(paragraph, MAX_PARAGRAPH):
                for tokens in self.tokens(piece):
                    number += 1
                    yield make_sentence(tokens, sent_id=str(number),
                                        new_paragraph=first)
                    first = False


def pieces(paragraph: str, longest: int) -> Iterator[str]:
    """A paragraph in pieces of at most this length, cut at spaces where it has some."""
    begin = 0
    while len(paragraph) - begin > longest:
        end = paragraph.rfind(" ", begin + 1, begin + longest) + 1
        end = end if end > begin + 1 else begin + longest
        yield paragraph[begin:end]
        begin = end
    if paragraph[begin:].strip():
        yield paragraph[begin:]
