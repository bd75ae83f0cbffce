"""Raw text of sentences, and sentences of tokens."""
import pytest

from orange_structpred.treebank import Sentence, load_bundled
from orange_structpred.treebank.text import (
    TextError,
    Token,
    clean_text,
    make_sentence,
    raw_text,
    read_text,
    text_of,
    tokens_of,
)

TOKENS = [Token("Zum", ("Zu", "dem"), False), Token("-", ("-",), False),
          Token("Haus", ("Haus",))]


def test_there_and_back():
    sentence = make_sentence(TOKENS, sent_id="7", new_paragraph=True)
    assert tokens_of(sentence) == TOKENS
    assert sentence.forms == ["Zu", "dem", "-", "Haus"]
    assert sentence.text == text_of(TOKENS) == "Zum-Haus"
    assert sentence.sent_id == "7" and not sentence.has_heads
    assert "# newpar" in sentence.block


def test_bundled_texts():
    """The text of the tokens is the text in the comments."""
    for sentence in load_bundled("de").sentences[:200]:
        assert text_of(tokens_of(sentence)) == sentence.text


def test_raw_text():
    first, second = (make_sentence([Token(word, (word,)) for word in words.split()])
                     for words in ("a b .", "c ."))
    new = Sentence("# newdoc id = x\n" + second.block)
    assert raw_text([first, second, new, second]) == "a b . c .\n\nc . c .\n"
    assert max(map(len, raw_text([first] * 50).splitlines())) <= 80


def test_clean_text():
    assert clean_text("a\r\nb\rc\x00d\x07\ud800") == "a\nb\nc d  "


@pytest.mark.parametrize("data, message", [
    (b"", "found an empty file"), (b" \n", "found an empty file"),
    ("a\nb".encode("utf-16"), "found UTF-16 text.*; save the file as UTF-8"),
    (b"a\nb\xff", "line 2: found byte 0xFF, which is not UTF-8.*; save the file"),
    (b"\x7fELF\n\0\0", "line 2: found a NUL byte"),
    (b"PK\x03\x04\x14\0", "found a ZIP file, such as .docx .*; save the file as plain text"),
    (b"{\\rtf1\\ansi Hi}", "found an RTF file"), (b"%PDF-1.4\n%", "found a PDF file"),
    (b"\n<!DOCTYPE HTML><p>Hi", "found a web page"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1", "found a .doc file"),
    (b"# text = Hi\n1\tHi" + 8 * b"\t_" + b"\n\n", "in CoNLL format, expected plain text")])
def test_files_that_are_not_text(tmp_path, data, message):
    path = tmp_path / "text.txt"
    path.write_bytes(data)
    with pytest.raises(TextError, match=message) as error:
        read_text(path)
    assert str(path) in str(error.value)


def test_byte_order_mark(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"\xef\xbb\xbfHi")
    assert read_text(path) == "Hi"
