"""Treebanks of Universal Dependencies by name, from a server of our own."""
import gzip

import pytest

from orange_structpred.__main__ import main
from orange_structpred.errors import InputError
from orange_structpred.treebank import ud
from orange_structpred.treebank.remote import DownloadError
from orange_structpred.treebank.ud import (
    CACHE_VARIABLE,
    MIRROR_VARIABLE,
    MissingPartError,
    UnreadableSentencesWarning,
    cached_ud,
    fetch_ud,
    find_ud,
    licence_name,
    load_ud,
    ud_cache,
    ud_licence,
    ud_release,
    ud_treebanks,
)
from tests.treebank.toy import BLOCKS, CHAIN, file_of
from tests.treebank.web import TOY, server
from tools.make_catalogue import catalogue

LICENCE = b"Creative Commons\nhttp://creativecommons.org/licenses/by-sa/4.0/\n"
RELEASE = f"r{ud_release()}"
FILES = {
    f"/UD_German-GSD/{RELEASE}/de_gsd-ud-train.conllu": TOY,
    f"/UD_German-GSD/{RELEASE}/de_gsd-ud-test.conllu": file_of(BLOCKS[:1]),
    f"/UD_German-GSD/{RELEASE}/LICENSE.txt": LICENCE,
    f"/UD_German-LIT/{RELEASE}/de_lit-ud-test.conllu": TOY,
    f"/UD_German-PUD/{RELEASE}/de_pud-ud-test.conllu": b"<html>log in first</html>",
    f"/UD_French-GSD/{RELEASE}/fr_gsd-ud-train.conllu": b"",
    f"/UD_French-GSD/{RELEASE}/fr_gsd-ud-dev.conllu": b'{"error": "log in first"}',
    **{f"/UD_German-HDT/{RELEASE}/de_hdt-ud-train-{piece}.conllu":
       file_of([BLOCKS[k % len(BLOCKS)]])
       for k, piece in enumerate(["a-1", "a-2", "b-1"])},
    **{f"/UD_Czech-PDTC/{RELEASE}/cs_pdtc-ud-train-{piece}.conllu": file_of([CHAIN])
       for piece in ("c", "l", "v")},
}


@pytest.fixture(scope="module")
def web():
    with server(files=FILES) as it:
        yield it


@pytest.fixture(autouse=True)
def cache(web, tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv(MIRROR_VARIABLE, web.address)
    web.requests.clear()
    return tmp_path / "cache"


def test_downloaded_once(web, cache):
    shares = []
    treebank = load_ud("German-GSD", progress=shares.append)
    assert treebank.name == "German-GSD train"
    assert [sentence.block for sentence in treebank.sentences] == BLOCKS
    assert shares == sorted(shares) and shares[-1] == 1
    assert len(web.requests) == 2
    assert cached_ud("de_gsd").is_relative_to(cache)
    web.requests.clear()
    again = load_ud("UD_German-GSD", "train", mirror="http://127.0.0.1:9/nowhere")
    assert again.sentences == treebank.sentences and not web.requests


def test_licence():
    assert ud_licence("German-GSD") == ""
    fetch_ud("German-GSD", "test")
    assert ud_licence("German-GSD") == LICENCE.decode()
    assert licence_name(ud_licence("German-GSD")) == "CC BY-SA 4.0"
    fetch_ud("German-LIT", "test")
    assert ud_licence("German-LIT") == ""


@pytest.mark.parametrize("text, name", [
    ("https://creativecommons.org/publicdomain/zero/1.0/legalcode", "CC ZERO 1.0"),
    ("\n  Lesser  General\nPublic", "Lesser General"), ("", ""),
    ("x" * 200, "x" * 97 + "...")])
def test_names_of_licences(text, name):
    assert licence_name(text) == name


@pytest.mark.parametrize("name, sentences", [
    ("German-HDT", [BLOCKS[k % len(BLOCKS)] for k in range(3)]),
    ("Czech-PDTC", [CHAIN] * 3)])
def test_split_parts(name, sentences):
    shares = []
    treebank = load_ud(name, progress=shares.append)
    assert [sentence.block for sentence in treebank.sentences] == sentences
    assert shares == sorted(shares)


def test_missing_part():
    with pytest.raises(MissingPartError, match="German-LIT has no part 'dev'"):
        load_ud("German-LIT", "dev")
    assert cached_ud("German-LIT", "dev") is None


def test_not_a_treebank(cache):
    with pytest.raises(DownloadError, match="found a web page"):
        fetch_ud("German-PUD", "test")
    assert not cache.exists()


@pytest.mark.parametrize("part", ["train", "dev"])
def test_answers_without_a_sentence(cache, part):
    with pytest.raises(DownloadError, match="found no sentences"):
        fetch_ud("French-GSD", part)
    assert not cache.exists()


def test_an_answer_that_may_have_been_cut(web, cache):
    path = f"/unmeasured/UD_German-GSD/{RELEASE}/de_gsd-ud-train.conllu"
    with server(files={path: file_of(BLOCKS[:1])}) as it, pytest.raises(
            DownloadError, match="may have been cut off"):
        fetch_ud("German-GSD", mirror=f"{it.address}/unmeasured")
    assert not cache.exists()


def test_an_answer_that_was_cut_on_the_server(cache, capsys):
    """It is all that the server has; how much of it can be read is said."""
    file = f"/UD_German-GSD/{RELEASE}/de_gsd-ud-dev.conllu"
    with server(files={file: TOY[:len(TOY) // 2 + 3]}) as web:
        with pytest.warns(UnreadableSentencesWarning,
                          match=r"line \d+: found .*; \d sentences can be read, 1 cannot"):
            fetch_ud("German-GSD", "dev", mirror=web.address)
        assert main(["fetch", "German-GSD", "dev", "--mirror", web.address]) == 0
        assert "1 cannot" in capsys.readouterr().err


def test_answers_that_are_compressed(cache):
    """Though nobody asked for it; they are unpacked before they are kept."""
    name = f"/UD_German-GSD/{RELEASE}/de_gsd-ud-"
    packed = gzip.compress(TOY * 50)
    with server(files={f"{name}train.conllu": packed,
                       f"{name}dev.conllu": packed[:len(packed) // 2]}) as it:
        path = fetch_ud("German-GSD", mirror=it.address)
        assert path.read_bytes().strip() == (TOY * 50).strip()
        with pytest.raises(DownloadError, match="dev.conllu: found a gzip file that ends too "
                                                "early"):
            fetch_ud("German-GSD", "dev", mirror=it.address)
    assert cached_ud("German-GSD", "dev") is None


@pytest.mark.parametrize("damaged", [b"", b"<html>", TOY[:40]])
@pytest.mark.parametrize("get", [fetch_ud, load_ud])
def test_a_damaged_file_of_the_cache(web, get, damaged):
    path = fetch_ud("German-GSD")
    path.write_bytes(damaged)
    get("German-GSD")
    assert path.read_bytes().strip() == TOY.strip()


def test_parts_without_end(cache):
    files = {f"/UD_German-GSD/{RELEASE}/de_gsd-ud-train-a-{k}.conllu": file_of([CHAIN])
             for k in range(1, 200)}
    with server(files=files) as it, pytest.raises(
            DownloadError, match="more than 100 files of the part 'train'"):
        fetch_ud("German-GSD", mirror=it.address)
    assert not cache.exists()


def test_pieces_share_one_limit(web, cache, monkeypatch):
    monkeypatch.setattr(ud, "SIZE_LIMIT", 2 * len(file_of([CHAIN])) + 5)
    with pytest.raises(DownloadError, match="size_limit"):
        fetch_ud("Czech-PDTC")
    assert not cache.exists()


def test_cancelled(cache):
    class Enough(Exception):
        pass

    def progress(share):
        raise Enough

    with pytest.raises(Enough):
        fetch_ud("German-GSD", progress=progress)
    assert not cache.exists()


def test_arguments_before_variables(web, tmp_path, monkeypatch):
    monkeypatch.setenv(MIRROR_VARIABLE, "http://127.0.0.1:9/nowhere")
    path = fetch_ud("German-GSD", cache=tmp_path / "mine", mirror=f"{web.address}/")
    assert path.is_relative_to(tmp_path / "mine") and cached_ud("German-GSD") is None
    assert ud_cache("here").parts[0] == "here"


@pytest.mark.parametrize("name, hint", [
    ("German", "did you mean German-GSD, German-HDT, German-LIT or German-PUD"),
    ("German-GDS", "German-GSD"), ("Frnech", "French-"),
    ("Xyzzy-1", "fetch --list"), (None, "fetch --list"), ("", "fetch --list")])
def test_unknown_names(name, hint):
    with pytest.raises(InputError, match=hint):
        load_ud(name)


def test_unknown_part():
    with pytest.raises(InputError, match="'training', expected one of train, dev, test"):
        load_ud("German-GSD", "training")


def test_search():
    assert len(ud_treebanks()) == 353
    assert find_ud("ancient_greek-proiel") in ud_treebanks("greek ancient")
    assert [own.name for own in ud_treebanks("de_gsd")] == ["German-GSD"]
    assert not ud_treebanks("klingon")
    assert len({own.prefix for own in ud_treebanks()}) == 353


def test_making_the_catalogue(tmp_path):
    file = tmp_path / "list.tsv"
    head = "language\ttreebank\trepository\tprefix\n"
    file.write_text(head + "Old French\tX\tUD_Old_French-X\tfro_x\n", encoding="utf-8")
    assert catalogue(file, "9.9") == {
        "release": "9.9", "treebanks": {"Old French-X": "fro_x"}}
    file.write_text(head + "Old French\tX\tUD_Latin-X\tfro_x\n", encoding="utf-8")
    with pytest.raises(InputError, match="UD_Latin-X"):
        catalogue(file, "9.9")


# The command

def test_command(capsys, cache):
    assert main(["fetch", "German-GSD"]) == 0
    done = capsys.readouterr()
    paths = done.out.splitlines()
    assert [path.rpartition("-ud-")[2] for path in paths] == [
        "train.conllu", "test.conllu"]
    assert all(path.startswith(str(cache)) for path in paths)
    assert "licence: CC BY-SA 4.0" in done.err


def test_command_lists(capsys):
    assert main(["fetch", "--list", "german"]) == 0
    assert "German-GSD" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("arguments, message", [
    ([], "name a treebank, such as German-GSD"), (["Germn"], "did you mean German-GSD"),
    (["German-GSD", "dev"], "has no part 'dev'"),
    (["German-GSD", "trian"], "found 'trian', expected train, dev, test"),
    (["Afrikaans-AfriBooms"], "has no part 'test'")])
def test_command_errors(capsys, arguments, message):
    try:
        code = main(["fetch", *arguments])
    except SystemExit as done:
        code = done.code
    error = capsys.readouterr().err
    assert code == 2 and message in error and error.count("\n") == 1
