"""A small web server with treebanks, and with what goes wrong on the web."""
from __future__ import annotations

import gzip
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.treebank.toy import BLOCKS, CHAIN, file_of

TOY = file_of(BLOCKS)


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        content = {
            "/toy.conllu": TOY,
            "/packed/toy%20bank.conllu.gz": gzip.compress(TOY),
            "/page.html": b"\n<!DOCTYPE html><title>toy.conllu</title>",
            "/faulty.conllu": file_of([CHAIN, CHAIN.replace("\tX\t", "\t")]),
            "/short.conllu": TOY, "/unmeasured.conllu": TOY,
            **self.server.files,
        }.get(self.path)
        if self.path == "/silent.conllu":
            self.server.asked.set()
            self.server.closing.wait()
        elif self.path == "/half.conllu":
            self._start(2 * len(TOY))
            self.wfile.write(TOY)
            self.wfile.flush()
            self.server.asked.set()
            self.server.closing.wait()
        elif self.path == "/trickle.conllu":
            self._start(len(TOY) << 12)
            while not self.server.closing.wait(0.01):
                try:
                    self.wfile.write(b"#")
                except OSError:         # nobody is there any more
                    return
                self.server.asked.set()
        elif self.path == "/rude.conllu":
            self.send_response(503, "\x1b[2J" + "!" * 500)
            self.end_headers()
        elif content is None:
            self.send_error(404)
        else:
            self._start(None if "unmeasured" in self.path else
                        len(content) + (self.path == "/short.conllu"))
            self.wfile.write(content)

    def _start(self, size: int | None) -> None:
        self.send_response(200)
        if size is not None:
            self.send_header("Content-Length", str(size))
        self.end_headers()

    def log_message(self, *_) -> None:
        """Tests print nothing."""


@contextmanager
def server(tls: ssl.SSLContext | None = None, files: Mapping[str, bytes] = {}
           ) -> Iterator[ThreadingHTTPServer]:
    """A server on a free port: `address` is its URL, `asked` is set as soon as
    something was asked for that never comes (to the end).

    files : what it has beside its own, by path; `requests` lists what was asked for
    """
    it = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    it.files, it.requests = files, []
    it.address = f"http://127.0.0.1:{it.server_port}"
    if tls is not None:
        it.socket = tls.wrap_socket(it.socket, server_side=True)
        it.address = f"https://127.0.0.1:{it.server_port}"
    it.asked, it.closing = threading.Event(), threading.Event()
    thread = threading.Thread(target=it.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield it
    finally:
        it.closing.set()
        it.shutdown()
        thread.join()
        it.server_close()


@contextmanager
def mute_server(scheme: str = "http") -> Iterator[str]:
    """The address of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as it:
        yield f"{scheme}://127.0.0.1:{it.getsockname()[1]}/toy.conllu"


@contextmanager
def full_server() -> Iterator[str]:
    """The address of a server that takes no more connections."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as it:
        waiting = [socket.socket() for _ in range(4)]
        try:
            for other in waiting:
                other.setblocking(False)
                other.connect_ex(it.getsockname())
            yield f"http://127.0.0.1:{it.getsockname()[1]}/toy.conllu"
        finally:
            for other in waiting:
                other.close()


@contextmanager
def endless_server(begin: bytes, more: bytes, pause: float = 0.) -> Iterator[str]:
    """The address of a server that answers `begin`, and then `more` without end."""
    with socket.create_server(("127.0.0.1", 0)) as it:
        closing = threading.Event()

        def serve() -> None:
            try:
                connection, _ = it.accept()
                with connection:
                    connection.recv(1 << 16)
                    connection.sendall(begin)
                    while not closing.wait(pause):
                        connection.sendall(more)
            except OSError:         # nobody is there any more
                pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{it.getsockname()[1]}/toy.conllu"
        finally:
            closing.set()
            thread.join(10)
