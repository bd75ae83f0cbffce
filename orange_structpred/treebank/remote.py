"""Treebank files from the web."""
from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
import threading
from contextlib import suppress
from functools import partial
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from orange_structpred.errors import visible
from orange_structpred.running.cancellation import Progress

SCHEMES = ("https", "http")
#: Seconds without a single byte after which a server counts as silent
DOWNLOAD_TIMEOUT = 30.
#: Seconds that a download may take, and bytes that it may have
TIME_LIMIT, SIZE_LIMIT = 600., 500_000_000
#: Seconds between two calls of `progress`
PROGRESS_EVERY = 0.05
LONGEST_REASON = 100        # letters of what a server says

#: Status codes of answers with all of a file; a part of it (206) was not asked for
WHOLE_ANSWERS = (200, 203)
_WEB_PAGE = re.compile(rb"\s*<(!doctype\s+html|html|head|body)", re.IGNORECASE)
_GITHUB_PAGE = re.compile(r"https?://(?:www\.)?github\.com/([^/]+/[^/]+)/blob/(.+)")


class DownloadError(OSError):
    """A file that could not be fetched: which, and why."""


class NotFoundError(DownloadError):
    """The server has no such file."""


class UnverifiedDownloadWarning(UserWarning):
    """A file whose server did not say where it ends, so that it may have been cut."""


class Download(NamedTuple):
    """A file from the web.

    is_whole : whether it ends where the server said; if it did not say so (no length, no
        chunks), nobody knows
    """

    data: bytes
    is_whole: bool


def fetch(url: str, *, timeout: float = DOWNLOAD_TIMEOUT, time_limit: float = TIME_LIMIT,
          size_limit: int = SIZE_LIMIT,
          progress: Progress | None = None) -> Download:
    """The content of a file on the web.

    Parameters
    ----------
    url : str
        Without a scheme it is taken for https. The page that GitHub shows of a file
        stands for the file itself.
    timeout : float, default=30
        Seconds to wait for a server that says nothing.
    time_limit : float, default=600
        Seconds that the whole download may take.
    size_limit : int, default=500,000,000
        Bytes that the file may have.
    progress : callable, optional
        Called some times a second with the share that is done, from 0 to 1. An
        exception that it raises ends the download at once, even while the server
        is not answering.
    """
    url = direct_url(url)
    scheme = _split(url).scheme
    if scheme not in SCHEMES:
        raise DownloadError(f"{url}: found {scheme!r}, expected an address that starts "
                            f"with {' or '.join(f'{name}://' for name in SCHEMES)}")
    download = _Download(url, timeout, time_limit, size_limit)
    download.start()
    try:
        while download.is_alive():
            download.join(PROGRESS_EVERY)
            if progress is not None and download.is_alive():
                progress(download.share)
    except BaseException:
        download.cancel()
        download.join()
        raise
    if download.error is not None:
        kind = NotFoundError if isinstance(download.error, _Missing) else DownloadError
        raise kind(f"{url}: {download.reason()}") from download.error
    data = bytes(download.data)
    if _WEB_PAGE.match(data):
        raise DownloadError(f"{url}: found a web page (HTML), expected a CoNLL file; "
                            "give the address of the file itself")
    if progress is not None:
        progress(1.)
    return Download(data, download.is_whole)


def direct_url(url: str) -> str:
    """The address of a file for what people copy out of a browser."""
    url = url.strip()
    if "://" not in url:
        url = f"https://{url}"
    if page := _GITHUB_PAGE.fullmatch(url):
        url = f"https://raw.githubusercontent.com/{page[1]}/{page[2]}"
    return url


def url_file_name(url: str) -> str:
    """The name of the file that an address leads to; the host if it has none."""
    parts = _split(direct_url(url))
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.netloc


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError as error:
        raise DownloadError(f"{url}: not a valid address ({error})") from error


class _Refused(Exception):
    """What the server sends is not wanted; says why."""


class _Missing(_Refused):
    """The server says that it has no such file."""


class _Download(threading.Thread):
    """A download on a thread of its own, where it can be cancelled at any time."""

    def __init__(self, url: str, timeout: float, time_limit: float, size_limit: int):
        super().__init__(name=f"download of {url:.60}", daemon=True)
        self.url, self.timeout = url, timeout
        self.time_limit, self.size_limit = time_limit, size_limit
        self.data, self.is_whole = bytearray(), False
        self.size: int | None = None
        self.error: BaseException | None = None
        self.loop = asyncio.new_event_loop()
        # The loop's own method, on this object only: nothing else says how names are
        # looked up.
        self.loop.getaddrinfo = partial(_look_up, self.loop)  # type: ignore[method-assign]
        self.task: asyncio.Task | None = None

    @property
    def share(self) -> float:
        return min(1., len(self.data) / self.size) if self.size else 0.

    def run(self) -> None:
        try:
            self.task = self.loop.create_task(
                asyncio.wait_for(self.download(), self.time_limit))
            self.loop.run_until_complete(self.task)
        except BaseException as error:      # noqa: BLE001 (for whoever waits for it)
            self.error = error
        finally:
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()

    def cancel(self) -> None:
        def cancel() -> None:
            if self.task is not None:
                self.task.cancel()

        with suppress(RuntimeError):        # it may just have come to its end
            self.loop.call_soon_threadsafe(cancel)

    async def download(self) -> None:
        import httpx

        # Some servers refuse what does not say its name. Treebanks that are packed are
        # unpacked when they are read.
        headers = {"User-Agent": "Orange3-StructPred", "Accept-Encoding": "identity"}
        async with httpx.AsyncClient(
                timeout=self.timeout, follow_redirects=True, headers=headers,
                verify=ssl.create_default_context()) as client, \
                client.stream("GET", self.url) as response:
            if response.status_code not in WHOLE_ANSWERS:
                kind = _Missing if response.status_code in (404, 410) else _Refused
                raise kind(f"the server answers {response.status_code} "
                           f"({visible(response.reason_phrase, LONGEST_REASON)})")
            length = response.headers.get("Content-Length", "")
            self.size = int(length) if re.fullmatch("[0-9]{1,18}", length) else None
            self.is_whole = self.size is not None or (     # a missing end is an error
                "chunked" in response.headers.get("Transfer-Encoding", "").lower())
            self.check_size(self.size or 0)
            async for chunk in response.aiter_raw():
                self.data += chunk
                self.check_size(len(self.data))

    def check_size(self, size: int) -> None:
        if size > self.size_limit:
            raise _Refused(f"the file has more than {self.size_limit:,} bytes "
                           "(size_limit)")

    def reason(self) -> str:
        """Why it failed, in words."""
        import httpx

        error = self.error
        if isinstance(error, _Refused):
            return str(error)
        if isinstance(error, httpx.TimeoutException):
            return f"no answer within {self.timeout:g} s"
        if isinstance(error, asyncio.TimeoutError):
            return f"not complete within {self.time_limit:g} s (time_limit)"
        if self.size is not None and len(self.data) < self.size:
            return (f"the transfer broke off after {len(self.data)} of {self.size} "
                    "bytes")
        text = str(error)
        while error is not None:        # the first cause says most
            text = (os.strerror(error.errno)
                    if isinstance(error, ConnectionError) and error.errno
                    else getattr(error, "strerror", None) or str(error) or text)
            error = error.__cause__ or error.__context__
        text = visible(" ".join(text.split()), LONGEST_REASON)
        return f"no connection ({text or type(self.error).__name__})"


async def _look_up(loop: asyncio.AbstractEventLoop, host, port, *, family=0, type=0,
                   proto=0, flags=0) -> list[tuple]:
    """As socket.getaddrinfo. A look-up that has begun cannot be ended; its thread is
    one that nobody waits for."""
    resolved = loop.create_future()

    def answer(result, error) -> None:
        if not resolved.done():
            resolved.set_exception(error) if error else resolved.set_result(result)

    def work() -> None:
        result, error = None, None
        try:
            result = socket.getaddrinfo(host, port, family, type, proto, flags)
        except Exception as failure:        # noqa: BLE001 (for whoever waits)
            error = failure
        with suppress(RuntimeError):        # nobody may wait for it any more
            loop.call_soon_threadsafe(answer, result, error)

    threading.Thread(target=work, name=f"look-up of {host!s:.60}", daemon=True).start()
    return await resolved
