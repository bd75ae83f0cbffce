"""Treebank files from the web."""
from __future__ import annotations

import re
from collections.abc import Callable
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit

from orange_structpred.treebank.patience import Patience, open_url

SCHEMES = ("https", "http")
#: Seconds without a single byte after which a server counts as silent
TIMEOUT = 30.

_CHUNK = 1 << 16
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
        is not answering; nothing of it goes on in the background.
    """
    url = direct_url(url)
    scheme = urlsplit(url).scheme
    if scheme not in SCHEMES:
        raise DownloadError(f"{url}: found {scheme!r}, expected an address that starts "
                            f"with {' or '.join(f'{name}://' for name in SCHEMES)}")
    data, size = bytearray(), None
    patience = Patience(timeout, lambda: progress and progress(
        min(1., len(data) / size) if size else 0.))
    try:
        with open_url(url, patience) as response:
            length = response.headers.get("Content-Length", "")
            size = int(length) if length.isdecimal() else None
            while chunk := response.read1(_CHUNK):
                data += chunk
    except (OSError, HTTPException, ValueError) as error:
        if patience.ended is not None:      # by an OSError of the caller's own
            raise patience.ended from None
        raise DownloadError(f"{url}: {_reason(error, timeout)}") from error
    if size is not None and len(data) < size:
        raise DownloadError(f"{url}: the transfer broke off after {len(data)} of "
                            f"{size} bytes")
    if _WEB_PAGE.match(data):
        raise DownloadError(f"{url}: found a web page (HTML), expected a CoNLL file; "
                            "give the address of the file itself")
    if progress is not None:
        progress(1.)
    return bytes(data)


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


def _reason(error: Exception, timeout: float) -> str:
    if isinstance(error, HTTPError):
        return f"the server answers {error.code} ({error.reason})"
    if isinstance(error, URLError) and isinstance(error.reason, Exception):
        error = error.reason
    if isinstance(error, TimeoutError):
        return f"no answer within {timeout:g} s"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"no connection ({text})"
