"""Text of sentences, and sentences of text.

The raw text of a treebank, as the tools of Universal Dependencies make it: the texts
of its sentences separated by spaces, lines broken at 80 columns, and an empty line
before each new paragraph or document.
"""
from __future__ import annotations

import codecs
import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, repeat
from typing import NamedTuple

from orange_structpred.errors import InputError
from orange_structpred.files.streaming import ByteStream, file_stream
from orange_structpred.treebank.block import (
    DEPREL_COLUMN,
    EXPECTED_UTF8,
    FORM_COLUMN,
    MISC_COLUMN,
)
from orange_structpred.treebank.conll import OTHER_ENCODINGS
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence

WIDTH = 80
NO_SPACE = "SpaceAfter=No"
N_ANNOTATED = DEPREL_COLUMN - FORM_COLUMN
TELLING_SIZE = 1 << 16      # bytes that tell text and CoNLL apart
_TOKEN_LINE = re.compile(rb"\d+(?:[-.]\d+)?(?:\t[^\t]*){9}")
_NEW = re.compile(r"#\s*new(?:par|doc)\b")
_INVISIBLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
#: How documents begin that are no plain text, in small letters
DOCUMENTS = {b"pk\x03\x04": "a ZIP file, such as .docx or .odt", b"%pdf-": "a PDF file",
             b"{\\rtf": "an RTF file", b"\xd0\xcf\x11\xe0": "a .doc file",
             b"<!doctype html": "a web page", b"<html": "a web page"}
BEGINNING = 64      # bytes of a file that tell this
#: written between paragraphs of a text
PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")


class Token(NamedTuple):
    """What is written in one piece: a word, or several ones (zum: zu dem).

    form : as it is written
    words : the forms of its words; (form,) for a plain one
    space_after : whether a space follows
    """

    form: str
    words: tuple[str, ...]
    space_after: bool = True


class TextError(InputError):
    """A file that is not text: where, what was found and what was expected."""


def tokens_of(sentence: Sentence) -> list[Token]:
    """The tokens of a sentence, ranges as one token of several words.

    >>> rows = ["1-2\\tzum", "1\\tzu", "2\\tdem", "3\\tHaus"]
    >>> block = "\\n".join(row + "\\t_" * 4 + "\\t_\\t_\\t_\\t_" for row in rows)
    >>> [(token.form, token.words) for token in tokens_of(Sentence(block))]
    [('zum', ('zu', 'dem')), ('Haus', ('Haus',))]
    """
    tokens: list[Token] = []
    last = words = 0
    for line in sentence.block.split("\n"):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        start, dash, end = cells[0].partition("-")
        space = NO_SPACE not in cells[MISC_COLUMN].split("|")
        if dash:
            last = int(end)
            tokens.append(Token(cells[FORM_COLUMN], (), space))
        elif start.isdecimal():
            words += 1
            if words <= last:
                tokens[-1] = tokens[-1]._replace(
                    words=(*tokens[-1].words, cells[FORM_COLUMN]))
            else:
                tokens.append(Token(cells[FORM_COLUMN], (cells[FORM_COLUMN],), space))
    return tokens


def text_of(tokens: Sequence[Token]) -> str:
    """The tokens as text, without the space after the last one."""
    return "".join([token.form + " " * token.space_after for token in tokens]).strip()


def begins_paragraph(sentence: Sentence) -> bool:
    return "# new" in sentence.block and any(
        map(_NEW.match, sentence.block.split("\n")))


def raw_text(sentences: Iterable[Sentence]) -> str:
    """The raw text of sentences, from which a tokeniser can start.

    The text of a sentence is that of its tokens, by ``SpaceAfter=No``.
    """
    paragraphs: list[list[str]] = []
    for sentence in sentences:
        if not paragraphs or begins_paragraph(sentence):
            paragraphs.append([])
        paragraphs[-1].append(text_of(tokens_of(sentence)))
    return "\n\n".join(
        textwrap.fill(" ".join(texts), WIDTH, break_long_words=False,
                      break_on_hyphens=False) for texts in paragraphs) + "\n"


def make_sentence(tokens: Sequence[Token], *, sent_id: str = "",
                  new_paragraph: bool = False, document: str = "") -> Sentence:
    """A sentence of these tokens, without any annotation.

    >>> print(make_sentence([Token("Hi", ("Hi",), False), Token("!", ("!",))]).block)
    # text = Hi!
    1	Hi	_	_	_	_	_	_	_	SpaceAfter=No
    2	!	_	_	_	_	_	_	_	_
    """
    empty = [EMPTY] * sum(len(token.words) for token in tokens)
    return Sentence(make_block(tokens, [empty] * N_ANNOTATED, sent_id=sent_id,
                               new_paragraph=new_paragraph, document=document))


def make_block(tokens: Sequence[Token], annotation: Sequence[Sequence[str]], *,
               sent_id: str = "", new_paragraph: bool = False, document: str = ""
               ) -> str:
    """A CoNLL block of these tokens.

    annotation : the columns from LEMMA to DEPREL, with a value for each word
    document : id of the document that begins here, "" for none
    """
    forms = [word for token in tokens for word in token.words]
    misc = [EMPTY if token.space_after else NO_SPACE
            for token in tokens for _ in token.words]
    ranges = {}         # lines that stand before a word
    if len(forms) > len(tokens):
        number = 0
        for form, words, _ in tokens:
            if len(words) > 1:
                ranges[number] = "\t".join([f"{number + 1}-{number + len(words)}", form,
                                            *[EMPTY] * 7, misc[number]])
                misc[number:number + len(words)] = [EMPTY] * len(words)
            number += len(words)
    lines = list(map("\t".join, zip(map(str, count(1)), forms, *annotation,
                                    repeat(EMPTY), misc)))
    for number, line in ranges.items():
        lines[number] = f"{line}\n{lines[number]}"
    comments = [f"# newdoc id = {document}"] if document else []
    if new_paragraph:
        comments.append("# newpar")
    if sent_id:
        comments.append(f"# sent_id = {sent_id}")
    return "\n".join([*comments, f"# text = {text_of(tokens)}", *lines])


def clean_text(text: str) -> str:
    """The text with spaces in place of control characters and broken characters."""
    return _INVISIBLE.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


def read_text(path: str | os.PathLike) -> str:
    """The text of a file in UTF-8; a TextError if it is something else, or a treebank."""
    return plain_text("".join(text_chunks(file_stream(path), os.fspath(path))),
                      os.fspath(path))


def plain_text(text: str, name: str) -> str:
    """The text; a TextError if it is a treebank.

    name : where it is from, for messages
    """
    if is_conll(text[:TELLING_SIZE].encode("utf-8", "replace")):
        raise TextError(f"{name}: found the sentences of a treebank in CoNLL format, "
                        "expected plain text; load it as a treebank")
    return text


def document_kind(head: bytes) -> str:
    """What a file is that begins like this and is no plain text, as far as known; else ""."""
    beginning = head.removeprefix(codecs.BOM_UTF8)[:BEGINNING].lstrip().lower()
    return next((kind for start, kind in DOCUMENTS.items() if beginning.startswith(start)), "")


def is_conll(head: bytes) -> bool:
    """Whether the first line that is neither blank nor a comment is a token's.

    head : the first bytes of a file
    """
    lines = head.removeprefix(codecs.BOM_UTF8).split(b"\n")
    first = next((line for line in lines
                  if line.strip() and not line.lstrip().startswith(b"#")), b"")
    return bool(_TOKEN_LINE.match(first))


def text_chunks(stream: ByteStream, file: str) -> Iterator[str]:
    """The text of a stream in UTF-8; a TextError as soon as it is something else."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    line, empty, first = 1, True, True
    for data in chain(stream, [b""]):
        for mark, encoding in OTHER_ENCODINGS.items():
            if first and data.startswith(mark):
                raise TextError(f"{file}: found {encoding} text, expected {EXPECTED_UTF8}")
        if first and (kind := document_kind(data)):
            raise TextError(f"{file}: found {kind}, expected plain text; save the file as "
                            "plain text in UTF-8")
        if b"\0" in data:
            line += data[:data.index(b"\0")].count(b"\n")
            raise TextError(f"{file}, line {line}: found a NUL byte (a binary file?), "
                            "expected UTF-8 text")
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            line += error.object[:error.start].count(b"\n")
            raise TextError(
                f"{file}, line {line}: found byte 0x{error.object[error.start]:02X}, "
                f"which is not UTF-8, expected {EXPECTED_UTF8}") from None
        first = False
        line += text.count("\n")
        empty = empty and not text.strip()
        yield text
    if stream.broken:
        raise TextError(f"{file}: found {stream.broken}, expected a complete gzip file")
    if empty:
        raise TextError(f"{file}: found an empty file, expected text")
