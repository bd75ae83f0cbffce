import gzip
import os
import pickle
import random
import re
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orange_structpred.files import streaming
from orange_structpred.treebank import (
    ConllError,
    Sentence,
    read_conll,
    write_conll,
)
from orange_structpred.treebank.block import _careful, parse_block
from orange_structpred.treebank.conll import NoConllError, iter_conll, read_conll_bytes
from tests.data import all_treebanks, treebank_file
from tests.treebank.toy import (
    BLOCKS,
    CHAIN,
    CROSSED,
    ONE_WORD,
    RICH,
    TWO_ROOTS,
    UNPARSED,
    block,
    file_of,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "x.conllu"


def read(path, data, **options):
    path.write_bytes(data)
    return read_conll(path, **options)


# Sentences

def test_columns_of_basic_tokens():
    sentence = Sentence(RICH)
    assert len(sentence) == 7
    assert sentence.forms == ['"', "Vamos", "nos", '",', "he", "'s", "said"]
    assert sentence.lemmas[1:3] == ["ir", "nosotros"]
    assert sentence.upos[1] == "VERB" and sentence.xpos[4] == "PRP"
    assert sentence.feats[:2] == ["_", "Mood=Imp|Number=Plur"]
    assert sentence.deprels[-3:] == ["root", "dep", "dep"]
    np.testing.assert_array_equal(sentence.heads, [4, 5, 2, 2, 0, 5, 5])
    assert sentence.heads.dtype == np.int32
    assert sentence.sent_id == "rich-1"
    assert sentence.text == '"Vámonos", he \'s said'
    assert sentence.has_heads


def test_text_falls_back_to_forms():
    assert Sentence(CROSSED).text == "A hearing is scheduled"
    assert Sentence(block([0], "Yes")).sent_id == ""


@pytest.mark.parametrize("comment", [
    "#text=a  b ", "# text =a  b", "#  text = a  b", "# text = a  b"])
def test_comments_are_read_with_any_spacing(comment):
    assert Sentence(f"{comment}\n{block([0, 1])}").text == "a  b"


def test_unknown_heads():
    sentence = Sentence(UNPARSED)
    assert sentence.heads.tolist() == [-1, -1]
    assert not sentence.has_heads
    assert Sentence(block([2, "_", 2])).heads.tolist() == [2, -1, 2]


def test_several_roots_are_kept():
    assert Sentence(TWO_ROOTS).heads.tolist() == [0, 1, 0]


def test_sentences_do_not_change():
    sentence = Sentence(CHAIN)
    with pytest.raises(ValueError):
        sentence.heads[0] = 2
    with pytest.raises(AttributeError):
        sentence.block = CROSSED


def test_equality_and_pickling():
    sentence = Sentence(RICH)
    again = pickle.loads(pickle.dumps(sentence))
    assert again == sentence and hash(again) == hash(sentence)
    assert again.forms == sentence.forms
    assert sentence != Sentence(CHAIN)


def test_with_heads_keeps_all_else():
    heads = [2, 0, 2, 2, 2, 5, 5]
    changed = Sentence(RICH).with_heads(heads)
    assert changed.heads.tolist() == heads
    assert changed.deprels == Sentence(RICH).deprels
    before = [line.split("\t") for line in RICH.split("\n")]
    after = [line.split("\t") for line in changed.block.split("\n")]
    assert len(before) == len(after)
    for old, new in zip(before, after):
        assert [cell for i, cell in enumerate(old) if i != 6] \
            == [cell for i, cell in enumerate(new) if i != 6]
    assert Sentence(RICH).with_heads(Sentence(RICH).heads).block == RICH


def test_with_heads_and_relations():
    changed = Sentence(CHAIN).with_heads([-1, 0, 2], ["", "root", "obj:x"])
    assert changed.heads.tolist() == [-1, 0, 2]
    assert changed.deprels == ["_", "root", "obj:x"]


@pytest.mark.parametrize("heads", [[0, 1], [0, 1, 4], [0, 1, -2], [2, 1, 0], [2, 3, 1]])
def test_with_heads_refuses_what_is_no_tree(heads):
    with pytest.raises(ValueError, match="found .* expected"):
        Sentence(CHAIN).with_heads(heads)


@pytest.mark.parametrize("deprel", ["a\tb", "a\nb", " ", "a\0", "a\rb", "a\udc80"])
def test_with_heads_refuses_what_is_no_relation(deprel):
    with pytest.raises(ValueError, match="found the relation .* expected"):
        Sentence(CHAIN).with_heads([0, 1, 2], ["root", deprel, "x"])


@given(heads=st.lists(st.integers(-1, 7), min_size=7, max_size=7),
       deprels=st.lists(st.text(max_size=3), min_size=7, max_size=7))
def test_with_heads_gives_right_sentences_or_none(heads, deprels):
    try:
        changed = Sentence(RICH).with_heads(heads, deprels)
    except ValueError:
        return
    again = Sentence(changed.block)
    assert again.heads.tolist() == changed.heads.tolist() == heads
    assert again.deprels == changed.deprels == [deprel or "_" for deprel in deprels]
    assert again.text == changed.text and again.sent_id == changed.sent_id


# Files

@all_treebanks()
def test_round_trip_of_treebanks_is_byte_identical(source, path):
    write_conll(read_conll(source), path)
    assert path.read_bytes() == source.read_bytes()


def test_round_trip_of_toys(path):
    sentences = read(path, file_of(BLOCKS))
    assert [sentence.block for sentence in sentences] == BLOCKS
    assert sentences.file == str(path) and sentences.skipped == []
    write_conll(sentences, path)
    assert path.read_bytes() == file_of(BLOCKS)


@pytest.mark.parametrize("change", [
    lambda data: b"\xef\xbb\xbf" + data,
    lambda data: data.replace(b"\n", b"\r\n"),
    lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    lambda data: data.replace(b"\n", b"\r"),
    lambda data: data.rstrip(b"\n"),
    lambda data: data.rstrip(b"\n") + b"\n",
    lambda data: b"\n\n\n" + data.replace(b"\n\n", b"\n\n\n\n"),
    lambda data: data.replace(b"\n\n", b"\n   \n"),
    lambda data: b" \n" + data,
    gzip.compress,
    lambda data: gzip.compress(data[:200]) + gzip.compress(data[200:]) + b"\0" * 9,
], ids=["BOM", "CRLF", "BOM and CRLF", "CR", "no final newline", "no final blank line",
        "many blank lines", "spaces in blank lines", "blank start", "gzip",
        "gzip in parts"])
def test_forms_of_files(change, path):
    sentences = read(path, change(file_of(BLOCKS)))
    assert [sentence.block for sentence in sentences] == BLOCKS
    write_conll(sentences, path)
    assert path.read_bytes() == file_of(BLOCKS)


def test_writing_gzip(tmp_path):
    sentences = [Sentence(RICH)]
    write_conll(sentences, tmp_path / "x.conllu.gz")
    write_conll(sentences, tmp_path / "y.conllu.gz")
    data = (tmp_path / "x.conllu.gz").read_bytes()
    assert gzip.decompress(data) == file_of([RICH])
    assert data == (tmp_path / "y.conllu.gz").read_bytes()
    assert read_conll(tmp_path / "x.conllu.gz") == sentences


def test_conll_x(path):
    """Coarse and fine tags, features with |, projective heads, several roots."""
    data = (b"1\tDas\tder\tART\tART\tNOM|SG\t2\tNK\t2\tNK\n"
            b"2\tHaus\tHaus\tN\tNN\t_\t0\tROOT\t0\tROOT\n"
            b"3\t!\t_\t$.\t$.\t_\t0\tPUNC\t0\tPUNC\n\n")
    sentence, = read(path, data)
    assert sentence.upos == ["ART", "N", "$."] and sentence.xpos[1] == "NN"
    assert sentence.heads.tolist() == [2, 0, 0]
    write_conll([sentence], path)
    assert path.read_bytes() == data


def test_odd_characters_stay(path):
    """Other line breaks of Unicode, no-break spaces, emoji do not end a line."""
    odd = block([0, 1, 1, 1], "x\x0b\x0c\x1c\x85\u2028y 👍🏽 é e\u0301").replace(
        "\tx", "\tx\u00a0")
    sentence, = read(path, file_of([odd]))
    assert sentence.block == odd


def test_progress(path, monkeypatch):
    shares = []
    monkeypatch.setattr(streaming, "PIECE", 20_000)
    monkeypatch.setattr(streaming, "_READ", 5_000)
    read(path, file_of([CHAIN] * 1201), progress=shares.append)
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1
    assert len(set(shares)) > 3


def test_on_error_is_checked(path):
    with pytest.raises(ValueError, match="on_error"):
        read(path, b"", on_error="ignore")


def test_missing_file(path):
    with pytest.raises(FileNotFoundError):
        read_conll(path)


# Faults

def replaced(line, column, value):
    """CHAIN with another value in a column of a line (both counted from 1)."""
    lines = CHAIN.split("\n")
    cells = lines[line - 1].split("\t")
    cells[column - 1] = value
    lines[line - 1] = "\t".join(cells)
    return "\n".join(lines).encode()


FAULTS = {
    "too few columns": (b"1\ta\ta\tX\tX\t_\t0\troot\t_", 1, "9 columns", "10 columns"),
    "too many columns": (replaced(3, 10, "_\t_"), 3, "11 columns", "10 columns"),
    "one line short, the next long": (
        CHAIN.replace("\tdep\t_\t_\n3", "\tdep\t_\n_\t3").encode(), 4, "9 columns",
        "10 columns"),
    "spaces for tabs": (CHAIN.replace("\t", " ").encode(), 3, "1 column ('1 a a",
                        "tabs"),
    "empty column": (replaced(4, 3, ""), 4, "nothing in column 3 (LEMMA)", "'_'"),
    "empty last column": (replaced(5, 10, ""), 5, "column 10 (MISC)", "'_'"),
    "blank column": (replaced(5, 10, " "), 5, "column 10 (MISC)", "'_'"),
    "id left out": (replaced(4, 1, "3"), 4, "id '3'", "id 2"),
    "id twice": (replaced(4, 1, "1"), 4, "id '1'", "id 2"),
    "id is no number": (replaced(4, 1, "x"), 4, "id 'x'", "id 2"),
    "id with a zero": (replaced(4, 1, "02"), 4, "id '02'", "id 2"),
    "starts at 0": (replaced(3, 1, "0"), 3, "id '0'", "id 1"),
    "starts at 2": (CHAIN.split("\n", 3)[3].encode(), 1, "id '2'", "id 1"),
    "range out of place": (RICH.replace("2-3", "3-4").encode(), 6, "id '3-4'", "id 2"),
    "range to nowhere": (RICH.replace("2-3", "2-9").encode(), 6, "id '2-9'", "token 7"),
    "range backwards": (RICH.replace("2-3", "2-1").encode(), 6, "id '2-1'", "id 2"),
    "empty node out of place": (
        RICH.replace("5.2", "5.3").encode(), 13, "id '5.3'", "5.2"),
    "huge id": (replaced(4, 1, "9" * 5000), 4, "id '9999", "id 2"),
    "head is no number": (replaced(4, 7, "x"), 4, "head 'x'", "0 to 3"),
    "head is a fraction": (replaced(4, 7, "1.0"), 4, "head '1.0'", "0 to 3"),
    "head with underscores": (replaced(4, 7, "1_0"), 4, "head '1_0'", "0 to 3"),
    "head in other digits": (replaced(4, 7, "１"), 4, "head '１'", "0 to 3"),
    "head is negative": (replaced(4, 7, "-1"), 4, "head '-1'", "0 to 3"),
    "head out of range": (replaced(4, 7, "4"), 4, "head '4'", "0 to 3"),
    "huge head": (replaced(4, 7, "9" * 5000), 4, "head '9999", "0 to 3"),
    "own head": (replaced(4, 7, "2"), 4, "a cycle of heads (2 -> 2)", "root"),
    "cycle": (replaced(4, 7, "3"), 4, "a cycle of heads (2 -> 3 -> 2)", "root"),
    "no root": (replaced(3, 7, "2"), 3, "no root", "head is 0"),
    "no tokens": (b"# text = nothing", 1, "without tokens", "token line"),
    "no basic tokens": (b"1-2" + b"\t_" * 9, 1, "id '1-2'", "expected"),
    "not UTF-8": (CHAIN.replace("b", "\xe9").encode("latin-1"), 2, "0xE9, which is not UTF-8",
                  "save the file as UTF-8"),
    "UTF-16": (CHAIN.encode("utf-16"), 1, "UTF-16 text", "save the file as UTF-8"),
    "UTF-32": (CHAIN.encode("utf-32"), 1, "UTF-32 text", "UTF-8 text"),
    "NUL": (replaced(4, 2, "\0"), 4, "NUL", "UTF-8"),
    "carriage return": (replaced(4, 2, "x\ry"), 4, "carriage return", "UTF-8"),
    "binary": (bytes(range(256)) * 4, 1, "NUL", "UTF-8"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_name_file_line_found_and_expected(fault, path):
    bad, line, found, expected = FAULTS[fault]
    with pytest.raises(ConllError) as caught:
        read(path, bad + b"\n\n")
    assert caught.value.file == str(path)
    assert caught.value.line == line
    assert found in caught.value.found
    assert expected in str(caught.value)
    for part in (str(path), f"line {line}", caught.value.found, caught.value.expected):
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - {"binary", "UTF-16",
                                                          "UTF-32"}))
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_faults_are_skipped_alone(fault, newline, path):
    bad, line, found, _ = FAULTS[fault]
    data = file_of([RICH]) + b"\n" + bad + b"\n\n" + file_of([CHAIN, CROSSED])
    sentences = read(path, data.replace(b"\n", newline), on_error="skip")
    assert [sentence.block for sentence in sentences] == [RICH, CHAIN, CROSSED]
    error, = sentences.skipped
    assert error.line == RICH.count("\n") + 3 + line
    assert found in error.found


def test_the_first_fault_of_the_file_is_raised(path):
    """Cycles are found after all lines were read; they still come in turn."""
    data = b"\n\n".join([FAULTS["cycle"][0], FAULTS["own head"][0],
                         FAULTS["too few columns"][0]])
    with pytest.raises(ConllError, match="2 -> 3 -> 2"):
        read(path, data)
    lines = [error.line for error in read(path, data, on_error="skip").skipped]
    assert lines == sorted(lines) and len(lines) == 3


@pytest.mark.parametrize("data, found", [
    (b"", "an empty file"), (gzip.compress(b"", mtime=0), "an empty file"),
    (b"\xef\xbb\xbf", "an empty file"), (b"\n", "nothing but blank lines"),
    (b"  \n \n", "nothing but blank lines"),
    (b"\r\n\r\n", "nothing but blank lines")], ids=repr)
def test_file_without_sentences(data, found, path):
    with pytest.raises(NoConllError, match=f"line 1: found {found}, expected at least"):
        read(path, data)
    sentences = read(path, data, on_error="skip")
    assert sentences == [] and len(sentences.skipped) == 1


def test_faults_of_sentences_are_none_of_the_whole_file(path):
    for bad in (FAULTS["too few columns"][0], FAULTS["binary"][0]):
        for error in read(path, bad, on_error="skip").skipped:
            assert not isinstance(error, NoConllError)


def test_errors_can_be_pickled():
    error = ConllError("x", 3, "a", "b")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "x, line 3: found a, expected b"
    assert again.line == 3


def long_gzip():
    rng = random.Random(0)
    blocks = [block([0] + [rng.randint(1, i) for i in range(1, rng.randint(2, 30))],
                    sent_id=str(rng.random())) for _ in range(300)]
    return blocks, gzip.compress(file_of(blocks))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_truncated_gzip(share, path):
    blocks, data = long_gzip()
    data = data[:int(share * len(data))]
    with pytest.raises(ConllError, match="ends too early, expected a complete gzip"):
        read(path, data)
    sentences = read(path, data, on_error="skip")
    kept = [sentence.block for sentence in sentences]
    assert kept == blocks[:len(kept)]
    assert abs(len(kept) / len(blocks) - share) < 0.1
    error, = sentences.skipped
    whole = sum(kept_block.count("\n") + 2 for kept_block in kept)
    assert error.line > whole


def test_gzip_that_lacks_its_last_bytes(path):
    """All sentences are there, but nobody knows that."""
    blocks, data = long_gzip()
    sentences = read(path, data[:-4], on_error="skip")
    assert [sentence.block for sentence in sentences] == blocks
    assert len(sentences.skipped) == 1


def test_damaged_gzip(path):
    blocks, data = long_gzip()
    half = len(data) // 2
    data = data[:half] + bytes(64) + data[half + 64:]
    sentences = read(path, data, on_error="skip")
    assert 0 < len(sentences) < len(blocks)
    assert "damaged gzip data" in sentences.skipped[-1].found
    tail = read(path, gzip.compress(file_of(blocks)) + b"tail", on_error="skip")
    assert len(tail) == len(blocks)
    assert "4 bytes that are no gzip data" in tail.skipped[0].found


@pytest.mark.parametrize("heads", [
    lambda n: [0, *range(1, n)],
    lambda n: [0] + [1] * (n - 1),
    lambda n: [0] + [random.Random(i).randint(1, i) for i in range(1, n)],
    lambda n: [*range(2, n + 1), 2],
], ids=["chain", "star", "random", "cycle"])
def test_sentence_of_20000_tokens(heads, path):
    """Quadratic time would be felt here, recursion would be an error."""
    n = 20_000
    heads = heads(n)
    sentences = read(path, file_of([block(heads), CHAIN]), on_error="skip")
    if 0 in heads:
        assert sentences[0].heads.tolist() == heads
        assert len(sentences) == 2
    else:
        assert len(sentences) == 1 and "no root" in sentences.skipped[0].found


# Properties

def blocks_in(data: bytes) -> int:
    """How many parts a file has that a reader may take for sentences."""
    if data.startswith(b"\x1f\x8b"):     # it seems to be compressed
        return 1
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    text = text.replace("\r\n", "\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return len([part for part in re.split(r"(?:^|\n)(?: *(?:\n|$))+", text) if part])


pieces = st.one_of(
    st.binary(max_size=6),
    st.sampled_from([b"\n", b"\n\n", b"\t", b"\r", b"\r\n", b"\0", b" ", b"#", b"_",
                     b"0", b"1", b"2", b"-", b".", b"1-2\t", b"3.1\t", b"\xff",
                     b"\xe2\x80\xa8", b"99999999999", b'"', b"# prediction p = 0\n"]))


@st.composite
def mutated_files(draw):
    data = bytearray(file_of(draw(st.lists(st.sampled_from(BLOCKS), max_size=5))))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(data)))
        stop = start + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30, 400]))
        data[start:stop] = draw(pieces)
    return bytes(data)


@given(data=mutated_files())
@settings(max_examples=600)
def test_no_mutation_loses_sentences_silently(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("mutated") / "x.conllu"
    sentences = read(path, data, on_error="skip")
    assert all(isinstance(error, ConllError) for error in sentences.skipped)
    assert len(sentences) + len(sentences.skipped) == max(blocks_in(data), 1)
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert all(1 <= error.line <= lines for error in sentences.skipped)
    if sentences.skipped:
        with pytest.raises(ConllError) as caught:
            read_conll(path)
        assert str(caught.value) == str(sentences.skipped[0])
    # What was good can be written and is read as the same.
    write_conll(sentences, path)
    if sentences:
        assert read_conll(path) == sentences


@given(data=mutated_files(), size=st.integers(1, 80), packed=st.booleans())
@settings(max_examples=300)
def test_a_file_in_pieces_is_the_same_file(data, size, packed):
    """Reading it in one piece is the reference."""
    if packed:
        data = gzip.compress(data)[:-size % 7 or None]
    expected = read_conll_bytes(data, "x", on_error="skip")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "PIECE", size)
        patch.setattr(streaming, "_READ", max(1, size // 3))
        found = read_conll_bytes(data, "x", on_error="skip")
    assert found == expected
    assert list(map(str, found.skipped)) == list(map(str, expected.skipped))


@given(data=mutated_files(), cut=st.floats(0, 1), noise=pieces)
@settings(max_examples=300)
def test_no_mutation_of_gzip_ends_in_a_traceback(data, cut, noise, tmp_path_factory):
    path = tmp_path_factory.mktemp("mutated") / "x.conllu.gz"
    packed = gzip.compress(data)
    place = int(cut * len(packed))
    path.write_bytes(packed[:place] + noise + packed[place + len(noise):])
    try:
        # zlib is stricter with the header, gzip with what comes after the end
        found = path.read_bytes()
        whole = gzip.decompress(found) == zlib.decompress(found, 31) == data
    except Exception:  # noqa: BLE001  (any kind: the file is damaged)
        whole = False
    sentences = read_conll(path, on_error="skip")
    if whole:
        assert len(sentences) + len(sentences.skipped) == max(blocks_in(data), 1)
    elif packed[:2] == path.read_bytes()[:2]:
        assert sentences.skipped


@given(text=st.text(st.sampled_from("12_\t\n#0ab-. "), max_size=120))
@settings(max_examples=600)
def test_quick_and_careful_parsing_agree(text):
    """On blocks that are nearly right, both give the same heads, or a fault."""
    text = text.strip("\n").replace("\n\n", "\n")
    for candidate in (text, RICH + "\n" + text, CHAIN + "\n" + text):
        try:
            expected = _careful(candidate.split("\n"))
        except ConllError as error:
            with pytest.raises(ConllError) as caught:
                parse_block(candidate)
            assert str(caught.value) == str(error)
        else:
            assert parse_block(candidate) == expected


def test_quick_and_careful_parsing_agree_on_treebanks():
    for sentence in read_conll(treebank_file("en_ewt-ud-dev.conllu")):
        assert parse_block(sentence.block) == _careful(sentence.block.split("\n"))


def test_one_word_sentence(path):
    sentence, = read(path, file_of([ONE_WORD]))
    assert sentence.heads.tolist() == [0]


def test_sentences_one_after_the_other(path, monkeypatch):
    bad = CHAIN.replace("\tX\t", "\t")
    path.write_text(f"{CHAIN}\n\n" * 3 + f"{bad}\n\n{CHAIN}\n\n")
    monkeypatch.setattr(streaming, "PIECE", 10)
    monkeypatch.setattr(streaming, "_READ", 10)
    reading = iter_conll(path)
    assert [next(reading).block for _ in range(3)] == [CHAIN] * 3
    with pytest.raises(ConllError, match=re.escape(f"{path}, line")):
        next(reading)


# Files from strangers

def test_a_gzip_file_that_unpacks_to_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "MOST_BYTES", 1 << 20)
    for content in (b"\n", b"\0", b"1\ta\n"):
        path = tmp_path / "bomb.conllu.gz"
        path.write_bytes(gzip.compress(content * (3 << 20)))
        with pytest.raises(ConllError, match=r"unpacks to more than 1,\d+,\d+ bytes"):
            read_conll(path)
    path.write_bytes(gzip.compress((CHAIN + "\n\n").encode() * 100 + b"\n" * (3 << 20)))
    assert len(read_conll(path, on_error="skip")) == 100


def test_newlines_take_no_memory():
    tracemalloc.start()
    try:
        read_conll_bytes(b"\n" * 10**7, "", on_error="skip")
        assert tracemalloc.get_traced_memory()[1] < 10**8      # once a list of them all
    finally:
        tracemalloc.stop()


def test_many_small_gzip_files_in_one():
    data = gzip.compress(b"") * 100_000 + gzip.compress(f"{CHAIN}\n\n".encode())
    assert len(read_conll_bytes(data, "many")) == 1       # quadratic: minutes


def test_lines_of_faults_behind_gaps():
    bad = CHAIN.replace("\tX\t", "\t")
    text = f"\n\n\n{CHAIN}\n\n\n\n{bad}\n\n{CHAIN}\n\n\n{bad}\n\n"
    first, second = (text[:text.index(bad, start)].count("\n") + 1
                     for start in (0, text.index(bad) + 1))
    assert [fault.line for fault in read_conll_bytes(
        text.encode(), "", on_error="skip").skipped] == [
        first + 2, second + 2]


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no such device")
def test_a_device_without_an_end(monkeypatch):
    monkeypatch.setattr(streaming, "LARGEST_PIECE", 1 << 22)
    with pytest.raises(OSError, match="bytes without a blank line") as caught:
        read_conll("/dev/zero")
    assert caught.value.filename == "/dev/zero"
