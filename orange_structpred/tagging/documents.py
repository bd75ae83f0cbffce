"""From text to sentences, whatever finds the tokens."""
from __future__ import annotations

import re
import unicodedata
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from orange_structpred.running.cancellation import Cancellation, Progress, part_of
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import (
    PARAGRAPH,
    Token,
    clean_text,
    make_sentence,
)

MAX_PARAGRAPH = 1 << 18     # characters; longer ones are cut
CHARACTERS_AT_ONCE = 1 << 16             # characters of the paragraphs that are split together
#: full stops and the like, those of Armenian, Arabic, Urdu, Hindi and Amharic included
SENTENCE_ENDS = ".!?\u2026\u0589\u061f\u06d4\u0964\u0965\u1362"
FULL_WIDTH_ENDS = "\u3002\uff01\uff1f"
_SENTENCE_END = re.compile(rf"[{SENTENCE_ENDS}{FULL_WIDTH_ENDS}]\s")
_UNSEGMENTED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
                          "\u3400-\u9fff\U00020000-\U0003ffff]")

Item = TypeVar("Item")


class Draft(NamedTuple):
    """What a sentence is made of, before it has any annotation.

    document : the id of the document that begins with it, "" if none does
    """

    tokens: list[Token]
    sent_id: str
    new_paragraph: bool
    document: str = ""

    def sentence(self) -> Sentence:
        """The sentence, without any annotation."""
        return make_sentence(self.tokens, sent_id=self.sent_id,
                             new_paragraph=self.new_paragraph, document=self.document)


class AnyTokeniser(ABC):
    """Something that finds the tokens and sentences of a paragraph.

    ``tokeniser(text)`` is a list of sentences. Every character of the text is in a
    token or is a space between tokens; control characters are taken for spaces.
    """

    @abstractmethod
    def split(self, paragraphs: Sequence[str]) -> Iterator[list[list[Token]]]:
        """For each paragraph the tokens of each of its sentences."""

    def __call__(self, text: str) -> list[Sentence]:
        if not isinstance(text, str):
            raise TypeError(f"found an object of type {type(text).__name__}, expected "
                            "text; read_text reads a file")
        return list(self.sentences([text]))

    def sentences(self, chunks: Iterable[str]) -> Iterator[Sentence]:
        """The sentences of a text that comes in chunks, with numbers as sent_id.

        No more of the text is in memory than a chunk and a long paragraph.
        """
        for draft in self.drafts(chunks):
            yield draft.sentence()

    def drafts(self, chunks: Iterable[str]) -> Iterator[Draft]:
        """What the sentences of a text are made of."""
        number = 0
        for batch in batches(paragraph_pieces(chunks, MAX_PARAGRAPH),
                             lambda piece: len(piece[0]), CHARACTERS_AT_ONCE):
            split = self.split([piece for piece, _ in batch])
            for (_, begins), sentences in zip(batch, split):
                for tokens in sentences:
                    number += 1
                    yield Draft(tokens, str(number), begins)
                    begins = False


def text_drafts(text: str, tokeniser: AnyTokeniser, progress: Progress | None = None
                ) -> list[Draft]:
    """What the sentences of one text are made of, with ids 1, 2, ...

    progress : gets the fraction that is done; raises Cancelled to end the work
    """
    cancellation, read, drafts = Cancellation(progress), 0, []
    for draft in tokeniser.drafts([text]):
        read += sum(len(token.form) + token.space_after for token in draft.tokens)
        cancellation.at(min(1., read / len(text)))
        drafts.append(draft)
    cancellation.report_progress(1.)
    return drafts


def document_drafts(documents: Sequence[str], tokeniser: AnyTokeniser,
                    progress: Progress | None = None) -> Iterator[list[Draft]]:
    """What the sentences of each document are made of, with ids as 3-1: document 3,
    sentence 1.

    progress : as in `text_drafts`
    """
    total, done = sum(map(len, documents)) or 1, 0
    for number, document in enumerate(documents, 1):
        drafts = text_drafts(document, tokeniser, part_of(
            progress, done / total, (done + len(document)) / total))
        done += len(document)
        yield [draft._replace(sent_id=f"{number}-{draft.sent_id}",
                              document="" if k else str(number))
               for k, draft in enumerate(drafts)]


def batches(items: Iterable[Item], size: Callable[[Item], int], most: int
            ) -> Iterator[list[Item]]:
    """Items in lists whose sizes add up to about `most`."""
    batch: list[Item] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= most:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def paragraph_pieces(chunks: Iterable[str], longest: int) -> Iterator[tuple[str, bool]]:
    """The paragraphs of a text that comes in chunks, and whether a piece begins one.

    What stands between empty lines is a paragraph. Longer ones than `longest` are cut,
    behind what looks like the end of a sentence, or at a space, where there are some.
    """
    waiting, begins = "", True
    for chunk in chunks:
        waiting += chunk
        held = "\r" if waiting.endswith("\r") else ""     # "\n" may follow
        text = clean_text(waiting.removesuffix(held))
        begin = 0
        for gap in PARAGRAPH.finditer(text):
            for piece in filter(None, map(str.strip, cut(
                    text[begin:gap.start()], longest))):
                yield piece, begins
                begins = False
            begin, begins = gap.end(), True
        *pieces, rest = cut(text[begin:], longest)
        for piece in filter(None, pieces):
            yield piece, begins
            begins = False
        waiting = rest + held
    if waiting.strip():
        yield clean_text(waiting).strip(), begins


def cut(text: str, longest: int) -> Iterator[str]:
    """A text in pieces of at most this length, without the spaces around them; the last
    one is the rest, as it is."""
    begin = 0
    while len(text) - begin > longest:
        end = begin + longest
        ends = [match.end() for match in _SENTENCE_END.finditer(text, end - longest // 8, end)]
        space = text.rfind(" ", begin + 1, end) + 1
        end = ends[-1] if ends else space if space > begin + 1 else end
        # spaces stay together: with what follows they may end a paragraph
        end = begin + (len(text[begin:end].rstrip()) or end - begin)
        yield text[begin:end].strip()
        begin = end
    yield text[begin:]


def warn_of_unsegmented(text: str, what: str) -> None:
    """Warn if a text has characters of a script without spaces between words."""
    if match := _UNSEGMENTED.search(text):
        name = unicodedata.name(match[0], "").split(" ")[0] or repr(match[0])
        warnings.warn(
            f"the text has characters of a script without spaces between words ({name}): "
            f"{what} not find its words; train a tokeniser on a treebank of the language",
            stacklevel=2)
