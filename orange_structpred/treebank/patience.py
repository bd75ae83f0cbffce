"""Waiting for the network in small steps, so that it can be ended at any time.

Python's sockets wait for as long as their time-out; who wants to end a download has
to wait along, or to leave a thread behind. Here all waits (for a name to be looked up,
a connection, a TLS handshake, an answer, its bytes) ask every `STEP` seconds whether
to go on.
"""
from __future__ import annotations

import errno
import json
import os
import selectors
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from urllib import request

#: Seconds between two questions
STEP = 0.05

_CONNECTING = (0, errno.EINPROGRESS, errno.EWOULDBLOCK,
               getattr(errno, "WSAEWOULDBLOCK", errno.EWOULDBLOCK))
_LOOK_UP = """
import json, socket, sys
try:
    found = socket.getaddrinfo(sys.argv[1], int(sys.argv[2]), type=socket.SOCK_STREAM)
    print(json.dumps([[list(one) for one in found], None]))
except OSError as error:
    print(json.dumps([[], [error.errno, error.strerror]]))
"""


class Patience:
    """How long to wait for a silent network, and whether to wait at all.

    Parameters
    ----------
    timeout : seconds that a single wait may take
    ask : called every `STEP` seconds; an exception ends the wait, and is in `ended`
    """

    def __init__(self, timeout: float, ask: Callable[[], object]):
        self.timeout, self._ask = timeout, ask
        self._asked = 0.
        self.ended: BaseException | None = None

    def ask(self) -> None:
        if time.monotonic() - self._asked >= STEP:
            try:
                self._ask()
            except BaseException as reason:
                self.ended = reason
                raise
            self._asked = time.monotonic()

    def wait(self, step: Callable):
        """The result of `step`, which raises TimeoutError every `STEP` seconds."""
        end = time.monotonic() + self.timeout
        while True:
            self.ask()
            try:
                return step()
            except TimeoutError:
                if time.monotonic() >= end:
                    raise


def open_url(url: str, patience: Patience) -> HTTPResponse:
    """As urllib's urlopen, for http and https only."""
    opener = request.OpenerDirector()
    for handler in (request.ProxyHandler(), request.UnknownHandler(),
                    request.HTTPDefaultErrorHandler(), request.HTTPRedirectHandler(),
                    request.HTTPErrorProcessor(), _Handler(patience)):
        opener.add_handler(handler)
    # Some servers refuse what does not say its name.
    return opener.open(request.Request(
        url, headers={"User-Agent": "Orange3-StructPred"}), timeout=patience.timeout)


class _Handler(request.HTTPHandler):
    """Opens connections that wait with patience."""

    https_request = request.AbstractHTTPHandler.do_request_

    def __init__(self, patience: Patience):
        super().__init__()
        self.patience = patience

    def http_open(self, req: request.Request) -> HTTPResponse:
        return self.do_open(partial(self._connection, HTTPConnection), req)

    def https_open(self, req: request.Request) -> HTTPResponse:
        context = ssl.create_default_context()
        context.sslsocket_class = type(
            "PatientTLSSocket", (_PatientTLSSocket,), {"patience": self.patience})
        return self.do_open(
            partial(self._connection, HTTPSConnection), req, context=context)

    def _connection(self, kind: type[HTTPConnection], host: str, **options):
        connection = kind(host, **options)
        connection._create_connection = self._connect
        return connection

    def _connect(self, address: tuple[str, int], *_) -> socket.socket:
        """As socket.create_connection: to the first address that answers."""
        failure = OSError(f"no address found for {address[0]}")
        for family, kind, protocol, _, place in look_up(*address, self.patience):
            connection = _PatientSocket(family, kind, protocol)
            connection.patience = self.patience
            try:
                connection.connect_to(tuple(place))
                return connection
            except BaseException as error:
                connection.close()
                if not isinstance(error, OSError) or error is self.patience.ended:
                    raise
                failure = error
        raise failure


class _PatientSocket(socket.socket):
    patience: Patience

    def connect_to(self, place: tuple) -> None:
        self.setblocking(False)
        code = self.connect_ex(place)
        if code not in _CONNECTING:
            raise OSError(code, os.strerror(code))
        with selectors.DefaultSelector() as selector:
            selector.register(self, selectors.EVENT_WRITE)

            def step() -> None:
                if not selector.select(STEP):
                    raise TimeoutError

            self.patience.wait(step)
        if code := self.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(code, os.strerror(code))
        self.settimeout(STEP)

    def recv_into(self, *args):
        return self.patience.wait(partial(super().recv_into, *args))


class _PatientTLSSocket(ssl.SSLSocket):
    """Takes over the socket, and its time-out, when the connection is there."""

    patience: Patience

    def do_handshake(self, *args) -> None:
        self.patience.wait(partial(super().do_handshake, *args))

    def recv_into(self, *args):
        return self.patience.wait(partial(super().recv_into, *args))


def look_up(host: str, port: int, patience: Patience) -> list[tuple]:
    """As socket.getaddrinfo. A look-up that has begun cannot be ended, but a process
    can: names are looked up in one of their own."""
    find = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        return find(flags=socket.AI_NUMERICHOST)
    except socket.gaierror:
        pass        # a name
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LOOK_UP, host, str(port)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))
    except (OSError, ValueError, TypeError):    # where there is no Python to start
        return find()

    def step() -> bytes:
        try:
            return process.communicate(timeout=STEP)[0]
        except subprocess.TimeoutExpired as late:
            raise TimeoutError from late

    with process:
        try:
            answer = patience.wait(step)
        finally:
            process.kill()
    try:
        found, error = json.loads(answer)
    except ValueError:
        return find()
    if error is not None:
        raise socket.gaierror(*error)
    return [tuple(one) for one in found]
