"""Treebank: a table of sentences for Orange's widgets."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
from Orange.data import Domain, Table, Variable
from Orange.data.io import FileFormat
from Orange.data.io_base import MissingReaderException

from orange_structpred.errors import InputError
from orange_structpred.files.writing import write_through
from orange_structpred.running.cancellation import Cancellation, Progress, part_of
from orange_structpred.treebank import prediction as predicted
from orange_structpred.treebank import tags
from orange_structpred.treebank.block import ConllError
from orange_structpred.treebank.columns import (
    PREDICTION_ROLE,
    SPREADSHEET_CELL,
    TAGS_ROLE,
    free_name,
    known,
    no_treebank,
    parse_cells,
    prediction_role,
    sentence_variables,
    single_spaced,
    strings,
    texts,
    variable_with_role,
)
from orange_structpred.treebank.conll import (
    Sentences,
    read_conll,
    read_conll_bytes,
    write_conll,
)
from orange_structpred.treebank.conllx import CONLLX_EXTENSIONS
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.predictioncolumns import PredictionColumns
from orange_structpred.treebank.rebuild import Column, derived_columns, rebuilt
from orange_structpred.treebank.remote import (
    DOWNLOAD_TIMEOUT,
    SIZE_LIMIT,
    TIME_LIMIT,
    UnverifiedDownloadWarning,
    direct_url,
    fetch,
    url_file_name,
)
from orange_structpred.treebank.sentence import Sentence

T = TypeVar("T")
EXTENSIONS = (".conllu", ".conll", ".conllu.gz", ".conll.gz", *CONLLX_EXTENSIONS)


class Treebank(PredictionColumns):
    """A table with one row per sentence.

    The sentence is in the text column ``conllu``, as its CoNLL block; that column is
    all that defines a treebank, so it survives whatever is done to the table. The other
    columns are for selecting rows. Predictions are further text columns, named after
    the parsers.

    Create one with `from_sentences`, `from_file`, `from_url`, or `from_table`.

    Examples
    --------
    >>> row = "{}\\t{}\\t_\\tX\\t_\\t_\\t{}\\tdep\\t_\\t_"
    >>> it_works = Sentence("\\n".join([row.format(1, "It", 2), row.format(2, "works", 0)]))
    >>> treebank = Treebank.from_sentences([it_works])
    >>> treebank.with_prediction("MST", [[0, 1]]).predictions["MST"].heads[0].tolist()
    [0, 1]
    """

    _sentences: list[Sentence] | None = None
    _skipped: tuple[ConllError, ...] = ()
    _remembered: tuple[list[Sentence], dict[str, object]] | None = None

    # Making one

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sentence], *,
                       name: str = "treebank") -> Treebank:
        """A treebank of these sentences.

        Predictions in the comments of the sentences become columns.
        """
        sentences = list(sentences)
        if wrong := [other for other in sentences if not isinstance(other, Sentence)]:
            raise TypeError(f"found {wrong[0]!r:.60}, expected sentences, as read_conll "
                            "and Sentence make them")
        predictions: dict[str, dict[int, str]] = {}
        tagged: set[str] = set()
        for i, sentence in enumerate(sentences):
            block = sentence.block
            found: dict[str, str] = {}
            if tags.TAGS_START in block:
                block, found = tags.take_out_tags(block, len(sentence))
                tagged.update(found)
            if predicted.PREDICTION_START in block:
                block, more = predicted.take_out(block, len(sentence))
                found.update(more)
            if found:
                sentences[i] = Sentence.checked(
                    block, sentence.heads, sentence.sent_id, sentence.text)
                for title, cell in found.items():
                    predictions.setdefault(title, {})[i] = cell
        sentences = [known.setdefault(sentence.block, sentence)
                     for sentence in sentences]
        columns = list(derived_columns(sentences).values())
        for title, cells in predictions.items():
            taken = [column.variable.name for column in columns]
            variable = variable_with_role(
                free_name(single_spaced(title, "prediction"), taken),
                TAGS_ROLE if title in tagged else PREDICTION_ROLE)
            columns.append(Column(
                variable, strings([cells.get(i, "") for i in range(len(sentences))])))
        numbers = [column for column in columns if not column.variable.is_string]
        metas = [column for column in columns if column.variable.is_string]
        self = cls.from_numpy(
            Domain([column.variable for column in numbers],
                   metas=[column.variable for column in metas]),
            np.column_stack([column.values for column in numbers]),
            metas=np.column_stack([column.values for column in metas]))
        self.name = name
        self._sentences = sentences
        return self

    @classmethod
    def from_file(cls, filename: str | os.PathLike, sheet: str | None = None, *,
                  on_error: str = "raise",
                  progress: Progress | None = None) -> Treebank:
        """Read a CoNLL file, or a table that contains a treebank.

        Parameters
        ----------
        filename : str or path
            Files without an extension of one of Orange's own formats are read as CoNLL.
        sheet : str, optional
            Sheet of a spreadsheet.
        on_error, progress
            As in `read_conll`; ``skipped`` of the treebank lists the errors.
        """
        path = os.fspath(filename)
        if _is_table_file(path):
            return cls.from_table(Table.from_file(path, sheet), on_error=on_error)
        self = cls._from_read(read_conll(path, on_error=on_error, progress=progress), path)
        self.__file__ = path
        return self

    @classmethod
    def from_url(cls, url: str, *, on_error: str = "raise", timeout: float = DOWNLOAD_TIMEOUT,
                 time_limit: float = TIME_LIMIT, size_limit: int = SIZE_LIMIT,
                 progress: Progress | None = None) -> Treebank:
        """Read a CoNLL file from the web.

        Parameters
        ----------
        url : str
            Address of the file, or of its page on GitHub.
        timeout : float, default=30
            Seconds to wait for a server that does not respond; then a DownloadError.
        time_limit, size_limit : default=600 seconds, 500,000,000 bytes
            What the whole download may take; more is a DownloadError, too.
        on_error, progress
            As in `from_file`.
        """
        data, is_whole = fetch(url, timeout=timeout, time_limit=time_limit,
                               size_limit=size_limit, progress=part_of(progress, 0., 0.5))
        sentences = read_conll_bytes(data, url, on_error=on_error,
                                     progress=part_of(progress, 0.5, 1.))
        if not is_whole:
            warnings.warn(
                f"{direct_url(url)}: the server did not say how long the file is; "
                f"{len(sentences)} sentences were received, but there may be more",
                UnverifiedDownloadWarning, stacklevel=2)
        return cls._from_read(sentences, url_file_name(url))

    @classmethod
    def _from_read(cls, sentences: Sentences, path: str) -> Treebank:
        self = cls.from_sentences(sentences, name=stem(path, EXTENSIONS))
        self._skipped = tuple(sentences.skipped)
        return self

    @classmethod
    def from_table(cls, domain: Domain | Table, source: Table | None = None,
                   row_indices=..., *, on_error: str = "raise") -> Treebank:
        """Rebuild a treebank from a table: ``from_table(table)``.

        The table must have the sentences in the column ``conllu``, wherever that is now.
        Whatever files did to the columns of a treebank is undone: text that was read as
        categories, and columns that Merge Data renamed. Other columns are kept.

        Orange's own ``from_table(domain, source, row_indices)`` converts a table to
        another domain.

        Parameters
        ----------
        on_error : {"raise", "skip"}, default="raise"
            Whether a row without a sentence is an error (ConllError), or is skipped.
        """
        if source is None:
            return rebuilt(cls, domain, on_error)
        table = super().from_table(domain, source, row_indices)
        # Orange's cache of conversions does not look at the class.
        return table if isinstance(table, cls) else cls.from_table_rows(table, ...)

    def __getstate__(self):
        state = super().__getstate__()
        for derived in ("_sentences", "_decoded", "_remembered"):
            state.pop(derived, None)
        return state

    # Sentences

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences, in the order of the rows."""
        blocks = texts(self, self._conllu)
        cached = self._sentences
        if (cached is None or len(cached) != len(blocks)
                or any(s.block != block for s, block in zip(cached, blocks))):
            parsed, faults = parse_cells(blocks, self.name)
            if faults:
                raise faults[0]
            cached = [sentence for sentence in parsed if sentence is not None]
            self._sentences = cached
        return list(cached)

    def encoded(self, cancellation: Cancellation | None = None) -> Encoded:
        """The sentences as integer arrays, made once and kept."""
        cancellation = cancellation or Cancellation()
        return self.remembered("encoded", lambda sentences: encode(
            cancellation.cancellable(sentences),
            check_cancelled=cancellation.check_cancelled))

    def remembered(self, name: str, make: Callable[[list[Sentence]], T]) -> T:
        """What a function makes of the sentences; made once, and kept under a name as
        long as the sentences are the same."""
        sentences = self.sentences
        if self._remembered is None or self._remembered[0] != sentences:
            self._remembered = sentences, {}
        kept = self._remembered[1]
        if name not in kept:
            kept[name] = make(sentences)
        return cast(T, kept[name])

    @property
    def skipped(self) -> list[ConllError]:
        """The errors that were skipped when this treebank was read."""
        return list(self._skipped)

    @property
    def has_heads(self) -> bool:
        """Whether all heads of all sentences are known."""
        return all(sentence.has_heads for sentence in self.sentences)

    @property
    def _conllu(self) -> Variable:
        columns = sentence_variables(self.domain)
        if not columns:
            raise InputError(no_treebank(self))
        return columns[0]

    # Writing

    def save(self, filename: str | os.PathLike, *,
             prediction: str | None = None) -> None:
        """Save to a CoNLL file, or to one of Orange's formats, by the extension.

        A CoNLL file contains the gold trees, and the predictions as comments that become
        columns again when the file is read. With ``prediction``, it contains the trees of
        this prediction instead. CoNLL-X (``.conllx``, ``.conllx.gz``) has no comments,
        hence no other predictions.
        """
        path = os.fspath(filename)
        if not path.lower().endswith(EXTENSIONS):
            if prediction is not None:
                raise InputError(f"found {path!r}, expected a CoNLL file "
                                 f"({', '.join(EXTENSIONS)}) for a prediction alone")
            if path.lower().endswith((".xlsx", ".xls")):
                self._check_for_spreadsheet()
            writer = _orange_writer(path)
            write_through(path, lambda name: writer.write(name, self))
        elif prediction is not None:
            write_conll(self.predicted_sentences(prediction), path)
        else:
            write_conll(self.commented_sentences(), path)

    def _check_for_spreadsheet(self) -> None:
        for row, sentence in enumerate(self.sentences, start=1):
            if len(sentence.block) > SPREADSHEET_CELL:
                raise OSError(
                    f"not saved: row {row} has a sentence of {len(sentence.block)} "
                    f"characters, and a cell of a spreadsheet holds {SPREADSHEET_CELL}; "
                    "save the treebank as .conllu, .tab or .csv")

    def commented_sentences(self) -> list[Sentence]:
        """The sentences with the predictions among their comments."""
        sentences = self.sentences
        lengths = [len(sentence) for sentence in sentences]
        columns = {f"{start}{var.name}": texts(self, var)
                   for role, start in ((PREDICTION_ROLE, predicted.PREDICTION_START),
                                       (TAGS_ROLE, tags.TAGS_START))
                   for var in self.domain.metas
                   if prediction_role(var, self, lengths) == role}
        if not columns:
            return sentences
        return [Sentence.checked(
            predicted.put_in(sentence.block,
                             {title: cells[i] for title, cells in columns.items()}),
            sentence.heads, sentence.sent_id, sentence.text)
            for i, sentence in enumerate(sentences)]


def stem(path: str, extensions: Iterable[str]) -> str:
    """The name of a file without its folder and (possibly double) extension."""
    name = Path(path).name
    longest = max((len(extension) for extension in extensions
                   if name.lower().endswith(extension)), default=0)
    return name[:len(name) - longest]


def _is_table_file(path: str) -> bool:
    """Whether the extension is one of Orange's own formats."""
    if path.lower().endswith(EXTENSIONS):
        return False
    try:
        FileFormat.get_reader(path)
    except MissingReaderException:
        return False
    return True


def _orange_writer(path: str) -> type[FileFormat]:
    """Orange reads, and compresses, only files whose extensions are in small letters."""
    writers = [(len(extension), writer)
               for extension, writer in FileFormat.writers.items()
               if path.endswith(extension)]
    if not writers:
        raise OSError(f"found {path!r}, expected one of the extensions "
                      f"{', '.join(sorted(FileFormat.writers))}")
    return max(writers, key=lambda writer: writer[0])[1]
