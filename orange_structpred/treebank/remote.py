"""Treebank files from the web."""
from __future__ import annotations

import re
import threading
from collections.abc import Callable
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

SCHEMES = ("https", "http", "ftp")
#: Seconds without a single byte after which a server counts as silent
TIMEOUT = 30.

_CHUNK = 1 << 16
_POLL = 0.05
_WEB_PAGE = re.compile(rb"\s*<(!doctype\s+html|html|head|body)", re.IGNORECASE)
_GITHUB_PAGE = re.compile(r"https?://(?:www\.)?github\.com/([^/]+/[^/]+)/blob/(.+)")


class DownloadError(OSError):
    """A file that could not be fetched: which, and why."""


def fetch(url: str, *, timeout: float = TIMEOUT,
          progress: Callable[[float], object] | None = None) -> bytes:
    """The content of a file on the web.

    Parameters
    ----------
    url : str
        Without a scheme it is taken for https. The page that GitHub shows of a file
        stands for the file itself.
    timeout : float, default=30
        Seconds to wait for a server that says nothing.
    progress : callable, optional
        Called some times a second with the share that is done, from 0 to 1. An
        exception that it raises ends the download at once, even while the server
        is not answering.
    """
    url = direct_url(url)
    scheme = urlsplit(url).scheme
    if scheme not in SCHEMES:
        raise DownloadError(f"{url}: found {scheme!r}, expected an address that starts "
                            f"with {', '.join(f'{name}://' for name in SCHEMES)}")
    download = _Download(url, timeout)
    download.start()
    try:
        while download.is_alive():
            download.join(_POLL)
            if progress is not None:
                progress(download.fraction)
    finally:
        download.abandoned.set()
    if download.error is not None:
        raise DownloadError(
            f"{url}: {_reason(download.error, timeout)}") from download.error
    data = b"".join(download.chunks)
    if download.size is not None and len(data) < download.size:
        raise DownloadError(f"{url}: the transfer broke off after {len(data)} of "
                            f"{download.size} bytes")
    if _WEB_PAGE.match(data):
        raise DownloadError(f"{url}: found a web page (HTML), expected a CoNLL file; "
                            "give the address of the file itself")
    return data


def direct_url(url: str) -> str:
    """The address of a file for what people copy out of a browser."""
    url = url.strip()
    if "://" not in url:
        url = f"https://{url}"
    if page := _GITHUB_PAGE.fullmatch(url):
        url = f"https://raw.githubusercontent.com/{page[1]}/{page[2]}"
    return url


def file_name(url: str) -> str:
    """The name of the file that an address leads to; the host if it has none."""
    parts = urlsplit(direct_url(url))
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.netloc


class _Download(threading.Thread):
    """Fetches a file in the background.

    Looking up a host and connecting to it cannot be interrupted; whoever does not
    want to wait any longer abandons this thread. It holds nothing but what it has
    received, and ends by itself.
    """

    def __init__(self, url: str, timeout: float):
        super().__init__(name=f"download of {url}", daemon=True)
        self.url, self.timeout = url, timeout
        self.abandoned = threading.Event()
        self.chunks: list[bytes] = []
        self.received = 0
        self.size: int | None = None
        self.error: Exception | None = None

    @property
    def fraction(self) -> float:
        return min(1., self.received / self.size) if self.size else 0.

    def run(self) -> None:
        try:
            # Some servers refuse what does not say its name.
            request = Request(self.url, headers={"User-Agent": "Orange3-StructPred"})
            with urlopen(request, timeout=self.timeout) as response:
                size = response.headers.get("Content-Length", "")
                self.size = int(size) if size.isdecimal() else None
                while not self.abandoned.is_set() and (chunk := response.read(_CHUNK)):
                    self.chunks.append(chunk)
                    self.received += len(chunk)
        except (OSError, HTTPException, ValueError) as error:
            self.error = error


def _reason(error: Exception, timeout: float) -> str:
    if isinstance(error, HTTPError):
        return f"the server answers {error.code} ({error.reason})"
    if isinstance(error, URLError) and isinstance(error.reason, Exception):
        error = error.reason
    if isinstance(error, TimeoutError):
        return f"no answer within {timeout:g} s"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"no connection ({text})"
