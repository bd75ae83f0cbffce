"""CoNLL files, and tables with treebanks in them, for Orange's File and Save Data.

Importing this module registers the formats.
"""
from __future__ import annotations

import csv
from itertools import islice

from Orange.data import Table
from Orange.data.io import CSVReader, FileFormat, TabReader
from Orange.data.io_base import DataTableMixin

from orange_structpred.treebank.columns import ROLE, SENTENCE_ROLE
from orange_structpred.treebank.misnamed import CONLLU_NAME
from orange_structpred.treebank.table import EXTENSIONS, Treebank, stem


class ConllFormat(FileFormat):
    """CoNLL-U and CoNLL-X, plain or compressed with gzip."""

    EXTENSIONS = EXTENSIONS
    DESCRIPTION = "CoNLL-U treebank"

    def read(self) -> Treebank:
        """Read the file; the first error in it is raised as a ConllError."""
        return Treebank.from_file(self.filename)

    @classmethod
    def write_file(cls, filename: str, data: Table) -> None:
        """Write the gold trees, with predictions as comments."""
        try:
            treebank = Treebank.from_table(data)
        except ValueError as error:
            # The one kind of error that Save Data shows to its user.
            raise OSError(f"not saved: {error}") from error
        treebank.save(filename)


# Save Data offers .conllu.gz. (Said in the class, it would add .bz2 and .xz.)
ConllFormat.SUPPORT_COMPRESSED = True


class TreebankTableReader(FileFormat, DataTableMixin):
    """Treebanks in .csv and .tab files; all other such files are left to Orange.

    Orange guesses the delimiter and the quotes of a file from its first lines. With
    a sentence in them, full of tabs and quotes, it guesses wrong for 3 of 100 treebanks
    that it has written itself. If a file is known to hold a treebank, no guess is needed.
    """

    EXTENSIONS = tuple(CSVReader.EXTENSIONS + TabReader.EXTENSIONS)
    DESCRIPTION = "Treebank in a table"
    PRIORITY = min(CSVReader.PRIORITY, TabReader.PRIORITY) - 1

    def read(self) -> Table:
        """A Treebank if the table has a column of sentences, else a Table."""
        plain = TabReader if self.filename.endswith(TabReader.EXTENSIONS) else CSVReader
        delimiter = plain.DELIMITERS[0]
        if not self._has_sentences(delimiter):
            return plain(self.filename).read()
        with self.open(self.filename, "rt", newline="", encoding="utf-8-sig") as file:
            table = self.data_table(csv.reader(file, delimiter=delimiter))
        table.name = stem(self.filename, self.EXTENSIONS)
        self.set_table_metadata(self.filename, table)
        try:
            return Treebank.from_table(table)
        except ValueError:
            # Whoever needs a treebank says what is wrong; others may use the rest.
            return table

    def _has_sentences(self, delimiter: str) -> bool:
        """Whether there is a column of sentences according to the header."""
        try:
            with self.open(self.filename, "rt", newline="",
                           encoding="utf-8-sig") as file:
                rows = list(islice(csv.reader(file, delimiter=delimiter), 3))
        except (OSError, EOFError, csv.Error, UnicodeDecodeError):
            return False
        role = f"{ROLE}={SENTENCE_ROLE}"
        return (any(CONLLU_NAME.fullmatch(name) for name in rows[0])
                or any(role in flags for flags in rows[-1])) if rows else False


# Orange remembers the formats of the first time that it was asked for them.
type(FileFormat)._ext_to_attr_if_attr2.cache_clear()
