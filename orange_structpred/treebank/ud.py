"""Treebanks of Universal Dependencies by name, from the web or from the cache.

The catalogue that comes with the package lists the treebanks of a release; a part of a
treebank (train, dev, test) is downloaded once, together with its licence, and read from
the cache afterwards.
"""
from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from itertools import count
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

from Orange.misc import environ

from orange_structpred.errors import InputError, cut_text
from orange_structpred.files.reading import read_bytes
from orange_structpred.files.streaming import bytes_stream
from orange_structpred.files.writing import write_bytes
from orange_structpred.running.cancellation import Progress, part_of
from orange_structpred.treebank.block import ConllError
from orange_structpred.treebank.conll import read_conll_bytes as read_conll_bytes
from orange_structpred.treebank.remote import (
    SIZE_LIMIT,
    DownloadError,
    NotFoundError,
    fetch,
)
from orange_structpred.treebank.table import Treebank

CATALOGUE = Path(__file__).parent / "data" / "ud.json"
TREEBANK_PARTS = {"train": "for training", "dev": "for development", "test": "for testing"}
#: Where releases are published: ADDRESS/REPOSITORY/rRELEASE/FILE
ADDRESS = "https://raw.githubusercontent.com/UniversalDependencies"
HOME_PAGE = "https://github.com/UniversalDependencies"
#: Environment variables: the folder of downloaded treebanks, and where to get them
CACHE_VARIABLE, MIRROR_VARIABLE = "STRUCTPRED_UD_CACHE", "STRUCTPRED_UD_MIRROR"
LICENCE = "LICENSE.txt"
LONGEST_LICENCE_NAME = 100      # letters of a licence's name
LARGEST_LICENCE = 1_000_000     # bytes
MOST_PIECES = 100               # files in which a part is split

_CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/(?:licenses/([a-z-]+)|publicdomain/(zero))/([\d.]+)",
    re.IGNORECASE)


class UDTreebank(NamedTuple):
    """A treebank of the catalogue.

    prefix : the beginning of the names of its files

    >>> treebank = find_ud("de_gsd")
    >>> treebank.name, treebank.repository
    ('German-GSD', 'UD_German-GSD')
    """

    language: str
    treebank: str
    prefix: str

    @property
    def name(self) -> str:
        return f"{self.language}-{self.treebank}"

    @property
    def repository(self) -> str:
        return f"UD_{self.name.replace(' ', '_')}"

    def file_name(self, part: str) -> str:
        return f"{self.prefix}-ud-{part}.conllu"


class UnreadableSentencesWarning(UserWarning):
    """A file of the server, whole as it is, in which some sentences are damaged."""


class MissingPartError(InputError):
    """A part that a treebank does not have."""


# The catalogue

@lru_cache(1)
def _catalogue() -> tuple[str, dict[str, UDTreebank]]:
    content = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    split = ((name.rpartition("-"), prefix)
             for name, prefix in content["treebanks"].items())
    treebanks = (UDTreebank(language, treebank, prefix)
                 for (language, _, treebank), prefix in split)
    return content["release"], {treebank.name: treebank for treebank in treebanks}


def ud_release() -> str:
    """The release of Universal Dependencies that the catalogue lists."""
    return _catalogue()[0]


def ud_treebanks(search: str = "") -> list[UDTreebank]:
    """The treebanks of the catalogue whose name contains all words of `search`.

    Examples
    --------
    >>> [treebank.name for treebank in ud_treebanks("old french")]
    ['Old French-ALTM', 'Old French-PROFITEROLE']
    >>> len(ud_treebanks())
    353
    """
    words = _plain(search).split()
    return [treebank for treebank in _catalogue()[1].values()
            if all(word in _plain(f"{treebank.name} {treebank.prefix}")
                   for word in words)]


def find_ud(name: str) -> UDTreebank:
    """A treebank by its name, as ``German-GSD``, ``UD_German-GSD`` or ``de_gsd``."""
    known = {key: treebank for treebank in ud_treebanks()
             for key in (_plain(treebank.name), _plain(treebank.prefix))}
    wanted = _plain(name).removeprefix("ud ") if isinstance(name, str) else ""
    if wanted in known:
        return known[wanted]
    same = [treebank for treebank in ud_treebanks() if _plain(treebank.language) == wanted]
    names = {_plain(treebank.name): treebank.name for treebank in ud_treebanks()}
    languages = {_plain(treebank.language): treebank.language for treebank in ud_treebanks()}
    near = [treebank.name for treebank in same] or [
        names[match] for match in get_close_matches(wanted, names, 4, 0.7)] or [
        treebank.name for match in get_close_matches(
            _plain(str(name).rpartition("-")[0] or wanted), languages, 2, 0.75)
        for treebank in ud_treebanks() if treebank.language == languages[match]][:6]
    hint = f"did you mean {_listed(near)}?" if near else (
        "orange-structpred fetch --list lists them")
    raise InputError(f"no treebank {name!r} in Universal Dependencies {ud_release()}; "
                     f"{hint}")


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[_\W]+", " ", text.lower()).split())


def _listed(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def check_part(part: str) -> str:
    if part not in TREEBANK_PARTS:
        raise InputError(f"found the part {part!r}, expected one of {', '.join(TREEBANK_PARTS)}")
    return part


# The cache

def ud_cache(cache: str | os.PathLike | None = None) -> Path:
    """The folder of downloaded treebanks.

    By default the one named by the environment variable STRUCTPRED_UD_CACHE, or else a
    folder in Orange's data folder.
    """
    folder = cache or os.environ.get(CACHE_VARIABLE) or os.path.join(
        environ.data_dir(versioned=False), "structpred", "ud")
    return Path(folder) / ud_release()


def cached_ud(name: str, part: str = "train", *,
              cache: str | os.PathLike | None = None) -> Path | None:
    """The file of a part, if it was downloaded before."""
    treebank = find_ud(name)
    path = _place(treebank, treebank.file_name(check_part(part)), cache)
    return path if path.is_file() else None


def ud_licence(name: str, *, cache: str | os.PathLike | None = None) -> str:
    """The text of a downloaded treebank's licence; "" if there is none."""
    path = _place(find_ud(name), LICENCE, cache)
    return read_bytes(path).decode("utf-8", "replace") if path.is_file() else ""


def licence_name(text: str) -> str:
    """What to call a licence: that of Creative Commons, or the first line of its text.

    >>> licence_name("See\\nhttp://creativecommons.org/licenses/by-nc-sa/4.0/legalcode")
    'CC BY-NC-SA 4.0'
    """
    if match := _CREATIVE_COMMONS.search(text):
        return f"CC {(match[1] or match[2]).upper()} {match[3].rstrip('.')}"
    return cut_text(" ".join(text.strip().partition("\n")[0].split()),
                     LONGEST_LICENCE_NAME)


def _place(treebank: UDTreebank, file: str, cache: str | os.PathLike | None) -> Path:
    return ud_cache(cache) / treebank.repository / file


# Downloads

def fetch_ud(name: str, part: str = "train", *, cache: str | os.PathLike | None = None,
             mirror: str | None = None, progress: Progress | None = None) -> Path:
    """The file of a part of a treebank, downloaded unless it is in the cache.

    What was downloaded is kept only if it can be read and is known to be whole; an
    UnreadableSentencesWarning says if some of its sentences cannot. A file of the cache
    that cannot be read is downloaded again.

    Parameters
    ----------
    name : str
        As in the catalogue: ``German-GSD``.
    part : {"train", "dev", "test"}
    cache : str or path, optional
        Folder of downloaded treebanks, see `ud_cache`.
    mirror : str, optional
        Address in place of GitHub's: files are at MIRROR/UD_German-GSD/r2.18/FILE. By
        default that of the environment variable STRUCTPRED_UD_MIRROR.
    progress : callable, optional
        Called with the share that is done, from 0 to 1; an exception that it raises
        ends the download.
    """
    treebank = find_ud(name)
    path = cached_ud(name, part, cache=cache)
    if path is not None:
        with suppress(ConllError):
            read_conll_bytes(read_bytes(path), str(path))
            return path
    path = _download(treebank, part, cache, mirror, progress)
    sentences = read_conll_bytes(read_bytes(path), str(path), on_error="skip")
    if faults := sentences.skipped:
        warnings.warn(f"{faults[0]}; {len(sentences)} sentences can be read, {len(faults)} "
                      "cannot", UnreadableSentencesWarning, stacklevel=2)
    return path


def _download(treebank: UDTreebank, part: str, cache: str | os.PathLike | None,
              mirror: str | None, progress: Progress | None) -> Path:
    path = _place(treebank, treebank.file_name(part), cache)
    base = (mirror or os.environ.get(MIRROR_VARIABLE) or ADDRESS).rstrip("/")
    source = f"{base}/{treebank.repository}/r{ud_release()}"
    data = b"".join(piece.rstrip(b"\n") + b"\n\n"
                    for piece in _pieces(treebank, part, source, progress))
    if not len(read_conll_bytes(data, source, on_error="skip")):
        raise DownloadError(f"{source}: found no sentences, expected a CoNLL file; do "
                            "you have to log in to this network first?")
    licence = _fetch_if_there(f"{source}/{LICENCE}", LARGEST_LICENCE) or b""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path.with_name(LICENCE), licence)
    write_bytes(path, data)
    return path


def load_ud(name: str, part: str = "train", *, cache: str | os.PathLike | None = None,
            mirror: str | None = None, on_error: str = "raise",
            progress: Progress | None = None) -> Treebank:
    """A part of a treebank of Universal Dependencies.

    It is downloaded the first time. Please observe its licence: `ud_licence`.

    Parameters
    ----------
    name, part, cache, mirror, progress
        As in `fetch_ud`.
    on_error : {"raise", "skip"}, default="raise"
        As in `read_conll`.

    Examples
    --------
    >>> load_ud("German-GSD", "dev")        # doctest: +SKIP
    """
    def read(path: Path) -> Treebank:
        return Treebank.from_file(
            path, on_error=on_error,
            progress=part_of(progress, 0.5, 1.))

    treebank, path = None, cached_ud(name, part, cache=cache)
    if path is not None:
        with suppress(ConllError):
            treebank = read(path)
    if not treebank:            # none, or one that was damaged
        treebank = read(_download(
            find_ud(name), part, cache, mirror,
            part_of(progress, 0., 0.5)))
    treebank.name = f"{find_ud(name).name} {part}"
    return treebank


def _pieces(treebank: UDTreebank, part: str, source: str, progress: Progress | None
            ) -> Iterator[bytes]:
    """The file of a part, or the files in which a large one is split."""
    left = 1.       # how many pieces there are is not known: each has half of the rest
    size = 0

    def get(suffix: str) -> bytes | None:
        nonlocal size
        data = _fetch_if_there(
            f"{source}/{treebank.file_name(part + suffix)}", SIZE_LIMIT - size,
            part_of(progress, 1 - left, 1 - left / 2) if suffix else progress)
        size += len(data or b"")
        return data

    whole = get("")
    if whole is not None:
        yield whole
        return
    for number, data in enumerate(_split_pieces(get)):
        if number == MOST_PIECES:
            raise DownloadError(f"{source}: found more than {MOST_PIECES} files of the part "
                                f"{part!r}, expected fewer; is the mirror one of Universal "
                                "Dependencies?")
        left /= 2
        yield data
    if left == 1:
        raise MissingPartError(
            f"{treebank.name} has no part {part!r} in Universal Dependencies "
            f"{ud_release()}: nothing was found at {source}; many treebanks have only "
            "the part 'test'")


def _split_pieces(get: Callable[[str], bytes | None]) -> Iterator[bytes]:
    """Pieces have letters (-a, -b, ... or -c, -l, -m, ...), or numbers, too (-a-1)."""
    numbered = False
    for letter in ascii_lowercase:
        data = get(f"-{letter}")
        if data is not None:
            yield data
        elif letter == "a" or numbered:
            for number in count(1):
                data = get(f"-{letter}-{number}")
                if data is None:
                    break
                numbered = True
                yield data


def _fetch_if_there(url: str, size_limit: int, progress: Progress | None = None
                    ) -> bytes | None:
    try:
        data, is_whole = fetch(url, size_limit=size_limit, progress=progress)
    except NotFoundError:
        return None
    if not is_whole:
        raise DownloadError(f"{url}: the server did not say how long the file is, so "
                            "it may have been cut off; use another mirror")
    stream = bytes_stream(data)         # some servers compress what they send
    unpacked = b"".join(stream)
    if stream.broken:
        raise DownloadError(f"{url}: found {stream.broken}, expected a complete gzip file")
    return unpacked
