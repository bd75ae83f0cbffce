"""A journal of changes: each is on the disk before it is on the screen.

The first line says which treebank the changes belong to; each further line is a step
that was made, undone or made again. A line that was not written to its end, by a process
that was killed, is dropped when the journal is opened again.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from orange_structpred.errors import InputError
from orange_structpred.files.writing import write_bytes
from orange_structpred.treebank.editing.steps import History, versions_before
from orange_structpred.treebank.sentence import Sentence

JOURNAL_FORMAT = "orange-structpred journal"
JOURNAL_VERSION = 1
LONGEST_LINE = 1 << 30      # bytes of a step; one that changes a whole treebank is large


class JournalError(InputError):
    """A file that is not a journal, or not one that can be continued."""


class SourceChangedError(JournalError):
    """A journal of another treebank, or of an earlier version of this one."""


def source_fingerprint(sentences: Iterable[Sentence]) -> str:
    """What tells a treebank from another one, and from itself before a change."""
    return fingerprint_of_blocks(sentence.block for sentence in sentences)


def fingerprint_of_blocks(blocks: Iterable[str]) -> str:
    digest = blake2b(digest_size=16)
    for block in blocks:
        digest.update(block.encode("utf-8", "surrogateescape"))
        digest.update(b"\n\n")
    return digest.hexdigest()


def journal_path(folder: str | os.PathLike, sentences: Iterable[Sentence], *,
                 name: str = "", file: str = "") -> Path:
    """Where the journal of a treebank is kept in a folder.

    A file has one journal, whatever is in the file, so that a change of it is noticed.
    A treebank that comes from nowhere is known by its sentences.

    file : that the treebank was read from; "" for none
    """
    key = os.path.abspath(file) if file else source_fingerprint(sentences)
    digest = blake2b(key.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    stem = "".join(c if c.isalnum() else "-" for c in name)[:40].strip("-")
    return Path(folder) / f"{stem or 'treebank'}-{digest}.journal"


class Journal:
    """A file to which steps are appended.

    Parameters
    ----------
    path : where it is, or will be with the first step
    sentences : of the treebank before any change
    """

    def __init__(self, path: str | os.PathLike, sentences: Sequence[Sentence]):
        self.path = Path(path)
        self._sentences = sentences
        self.source = source_fingerprint(sentences)
        #: What is to be kept of a journal of an earlier version, which was saved since
        self._kept: list[dict] | None = None

    def records(self) -> list[dict]:
        """What was written before; a SourceChangedError if it was of another treebank.

        If the treebank was saved after some of the changes, only the later ones. What a
        killed process has left behind at the end is removed.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        whole, end, _ = data.rpartition(b"\n")
        lines = whole.split(b"\n") if end else []
        records = []
        for number, line in enumerate(lines, start=1):
            records.append(self._read(line, number))
        if not records:
            self.remove()       # not even its first line was written to its end
            return []
        header = records[0]
        if header.get("format") != JOURNAL_FORMAT:
            raise JournalError(f"{self.path} is not a journal of changes")
        if header.get("version") != JOURNAL_VERSION:
            raise JournalError(f"{self.path} was written by a newer version; update "
                               "orange-structpred")
        if len(whole) + 1 < len(data):
            write_bytes(self.path, whole + b"\n")
        if header.get("source") != self.source:
            self._kept = self._since_save(str(header.get("source")), records[1:])
            return self._kept
        return records[1:]

    def _since_save(self, source: str, records: list[dict]) -> list[dict]:
        """The records that the treebank does not contain yet."""
        try:
            history = History()
            steps = [history.repeat(record) for record in records]
            n = next((n for n, blocks in versions_before(
                steps, [sentence.block for sentence in self._sentences])
                if fingerprint_of_blocks(blocks) == source), 0)
        except (LookupError, TypeError, AttributeError, ValueError):
            n = 0
        if not n:
            raise SourceChangedError(
                f"the changes in {self.path} were made to another version of the treebank")
        return [step.record() for step in steps[n:]]

    def _read(self, line: bytes, number: int) -> dict:
        try:
            if len(line) > LONGEST_LINE:
                raise ValueError
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ValueError
        except (ValueError, RecursionError):
            raise JournalError(f"{self.path}, line {number}: expected a change in "
                               "JSON") from None
        return record

    def append(self, record: dict) -> None:
        """Write a step, so that it survives this process.

        One that could not be read again is an InputError, before anything is written.
        """
        step = as_lines([record])
        if len(step) > LONGEST_LINE:
            raise InputError(f"the step is too large for a journal ({len(step):,} bytes); "
                             "make the changes in several steps")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._kept is not None:
            self._begin_anew(self._kept)
            self._kept = None
        with open(self.path, "ab", buffering=0) as file:
            size = file.tell()
            left = step if size else as_lines([self._header()]) + step
            try:
                while left:
                    left = left[file.write(left):]
                os.fsync(file.fileno())
            except OSError:     # no half lines before the next step
                file.truncate(size)
                raise

    def _header(self) -> dict:
        return {"format": JOURNAL_FORMAT, "version": JOURNAL_VERSION, "source": self.source}

    def _begin_anew(self, records: list[dict]) -> None:
        """A journal of this version of the treebank; a copy of the old one stays."""
        write_bytes(self._path_aside(), self.path.read_bytes())
        write_bytes(self.path, as_lines([self._header(), *records]))

    def _path_aside(self) -> Path:
        number = 1
        while (aside := self.path.with_suffix(f".{number}.journal")).exists():
            number += 1
        return aside

    def set_aside(self) -> Path:
        """Rename the file, so that a new journal can begin; returns where it is now."""
        aside = self._path_aside()
        self.path.rename(aside)
        return aside

    def remove(self) -> None:
        """All changes are elsewhere now, or not wanted any more."""
        self.path.unlink(missing_ok=True)


def as_lines(records: Iterable[dict]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)
