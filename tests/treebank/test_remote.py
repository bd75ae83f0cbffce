import gc
import shutil
import socket
import ssl
import subprocess
import threading
import warnings

import pytest

from orange_structpred.treebank import ConllError, Treebank
from orange_structpred.treebank.remote import (
    DownloadError,
    UnverifiedDownloadWarning,
    direct_url,
    fetch,
    url_file_name,
)
from tests.treebank.toy import BLOCKS
from tests.treebank.web import (
    TOY,
    endless_server,
    full_server,
    mute_server,
    server,
)


@pytest.fixture(scope="module")
def web():
    with server() as it:
        yield it


def test_file(web):
    shares = []
    assert fetch(f"{web.address}/toy.conllu", progress=shares.append) == (TOY, True)
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


class Enough(OSError):
    """Nobody wants the file any more."""


def cancelled(url, asked=None):
    """Try to fetch what never comes, and end that; without an end by the caller it
    takes as long as the server likes. Nothing may be left."""
    before, calls = set(threading.enumerate()), 0

    def stop(_):
        nonlocal calls
        calls += asked is None or asked.is_set()
        if calls > 3:
            raise Enough

    with pytest.raises(Enough):
        fetch(url, timeout=600, progress=stop)
    assert [thread for thread in set(threading.enumerate()) - before
            if "process_request" not in thread.name             # those of the server
            and not (thread.daemon and "look-up" in thread.name)] == []


@pytest.mark.parametrize("path", ["/silent.conllu", "/half.conllu", "/trickle.conllu"])
def test_cancel(web, path):
    web.asked.clear()
    cancelled(web.address + path, web.asked)


def test_cancel_without_an_answer():
    for scheme in ("http", "https"):        # https: in the middle of the handshake
        with mute_server(scheme) as url:
            cancelled(url)
            with pytest.raises(DownloadError, match=r"no answer within 0\.2 s"):
                fetch(url, timeout=0.2)


def test_cancel_while_connecting():
    with full_server() as url:
        cancelled(url)
        with pytest.raises(DownloadError, match=r"no answer within 0\.2 s"):
            fetch(url, timeout=0.2)


def test_cancel_while_a_name_is_looked_up(monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(60))
    try:
        cancelled("http://treebanks.invalid/toy.conllu")
        with pytest.raises(DownloadError, match=r"no answer within 0\.2 s"):
            fetch("http://treebanks.invalid/toy.conllu", timeout=0.2)
    finally:
        answered.set()


def test_names_of_servers(web):
    assert fetch(f"http://localhost:{web.server_port}/toy.conllu") == (TOY, True)
    with pytest.raises(DownloadError, match="no connection"):
        fetch("http://treebanks.invalid/toy.conllu")


def test_secure_server(tmp_path, monkeypatch):
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=toy", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with server(context) as web:
        with pytest.raises(DownloadError, match="(?i)certificate"):
            fetch(f"{web.address}/toy.conllu")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert fetch(f"{web.address}/toy.conllu") == (TOY, True)
        for path in ("/silent.conllu", "/half.conllu", "/trickle.conllu"):
            web.asked.clear()
            cancelled(web.address + path, web.asked)


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2000,
    b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"])
def test_size_limit(answer):
    with endless_server(answer, answer[-1:] * 1000) as url, pytest.raises(
            DownloadError, match=r"more than 50,000 bytes \(size_limit\)"):
        fetch(url, size_limit=50_000)


@pytest.mark.parametrize("answer, more", [
    (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),               # a byte now and then
    (b"HTTP/1.1 200 OK\r\n", b"a: b\r\n"),            # headers without end
    (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n")])
def test_time_limit(answer, more):
    with endless_server(answer, more, pause=0.05) as url, pytest.raises(
            DownloadError, match=r"not complete within 0\.5 s \(time_limit\)"):
        fetch(url, time_limit=0.5)


@pytest.mark.parametrize("status", ["201 Created", "204 No Content", "206 Partial Content"])
def test_answers_that_are_not_the_file(status):
    answer = f"HTTP/1.1 {status}\r\nContent-Length: {len(TOY)}\r\n\r\n".encode() + TOY
    with endless_server(answer, b"") as url, pytest.raises(
            DownloadError, match=rf"the server answers {status[:3]} \({status[4:]}\)"):
        fetch(url)


@pytest.fixture
def no_leftovers():
    """What earlier tests have left for the collector is none of this one's business."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.mark.filterwarnings("error")
def test_nothing_is_left_of_a_download_that_is_too_large(caplog, no_leftovers):
    with endless_server(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 1000) as url, pytest.raises(
            DownloadError):
        fetch(url, size_limit=5000)
    gc.collect()
    assert not caplog.records       # such as "Task was destroyed but it is pending"


def test_headers_without_end():
    with endless_server(b"HTTP/1.1 200 OK\r\n", b"a: b\r\n" * 100) as url, \
            pytest.raises(DownloadError):
        fetch(url)


@pytest.mark.parametrize("url", [
    "http://[::1", "http://", "https://[", "http://a:b/", "http://\0/", "http://x y/",
    "http://a:99999999/", "http://" + "a" * 70 + ".invalid/", "http:///x", "\udc80"])
def test_addresses_that_are_none(url):
    with pytest.raises(DownloadError):
        Treebank.from_url(url)


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
    assert url_file_name("http://x.org/y/a%20b.conllu?raw=true") == "a b.conllu"
    assert url_file_name("x.org/") == "x.org"


def test_a_file_of_unknown_length(web):
    url = f"{web.address}/unmeasured.conllu"
    assert fetch(url) == (TOY, False)
    with pytest.warns(UnverifiedDownloadWarning,
                      match=f"{len(BLOCKS)} sentences were received"):
        Treebank.from_url(url)


def test_what_servers_say_is_shown_not_sent(web):
    with pytest.raises(DownloadError) as caught:
        fetch(f"{web.address}/rude.conllu")
    message = str(caught.value)
    assert "answers 503 (\\x1b[2J!!!" in message and "\x1b" not in message
    assert len(message) < 250
