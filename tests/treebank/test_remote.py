import socket

import pytest

from orange_structpred.treebank import ConllError, Treebank
from orange_structpred.treebank.remote import (
    DownloadError,
    direct_url,
    fetch,
    file_name,
)
from tests.treebank.toy import BLOCKS
from tests.treebank.web import TOY, server


@pytest.fixture(scope="module")
def web():
    with server() as it:
        yield it


def test_file(web):
    shares = []
    assert fetch(f"{web.address}/toy.conllu", progress=shares.append) == TOY
    assert shares[-1] == 1 and shares == sorted(shares)


def test_treebank(web):
    shares = []
    treebank = Treebank.from_url(f"{web.address}/toy.conllu", progress=shares.append)
    assert isinstance(treebank, Treebank) and treebank.name == "toy"
    assert [sentence.block for sentence in treebank.sentences] == BLOCKS
    assert shares[-1] == 1 and shares == sorted(shares)


def test_packed_treebank(web):
    treebank = Treebank.from_url(f"{web.address}/packed/toy%20bank.conllu.gz")
    assert treebank.name == "toy bank"
    assert len(treebank) == len(BLOCKS)


def test_faults(web):
    url = f"{web.address}/faulty.conllu"
    with pytest.raises(ConllError, match=f"{url}, line 9: found 9 columns"):
        Treebank.from_url(url)
    treebank = Treebank.from_url(url, on_error="skip")
    assert len(treebank) == 1
    assert [fault.line for fault in treebank.skipped] == [9]


@pytest.mark.parametrize("path, message", [
    ("/nothing.conllu", r"the server answers 404 \(Not Found\)"),
    ("/page.html", "found a web page .*, expected a CoNLL file"),
    ("/short.conllu", f"broke off after {len(TOY)} of {len(TOY) + 1} bytes"),
])
def test_errors(web, path, message):
    with pytest.raises(DownloadError, match=f"^{web.address}{path}: .*{message}"):
        fetch(web.address + path)


@pytest.mark.parametrize("path", ["/silent.conllu", "/half.conllu"])
def test_time_out(web, path):
    with pytest.raises(DownloadError, match=r"no answer within 0\.2 s"):
        fetch(web.address + path, timeout=0.2)


@pytest.mark.parametrize("path", ["/silent.conllu", "/half.conllu"])
def test_cancel(web, path):
    web.asked.clear()

    def stop(_):
        if web.asked.is_set():
            raise KeyboardInterrupt

    # Without an end by the caller this takes as long as the server likes.
    with pytest.raises(KeyboardInterrupt):
        fetch(web.address + path, timeout=600, progress=stop)


def test_no_server():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/toy.conllu"
    with pytest.raises(DownloadError, match=r"no connection \(.*refused"):
        fetch(url)


def test_other_schemes():
    with pytest.raises(DownloadError, match="found 'file', expected .*https://"):
        fetch("file:///etc/hosts")


def test_what_people_copy_out_of_a_browser():
    assert direct_url(" www.x.org/a.conllu\n") == "https://www.x.org/a.conllu"
    assert direct_url("https://github.com/UD/English/blob/master/dev.conllu") \
        == "https://raw.githubusercontent.com/UD/English/master/dev.conllu"
    assert direct_url("https://x.org/blob/a") == "https://x.org/blob/a"


def test_names():
    assert file_name("http://x.org/y/a%20b.conllu?raw=true") == "a b.conllu"
    assert file_name("x.org/") == "x.org"
