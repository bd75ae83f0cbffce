import subprocess
import sys

import numpy as np
import pytest
from Orange.data import Table
from Orange.data.io import CSVReader, FileFormat, TabReader

from orange_structpred.treebank import ConllError, ConllFormat, Treebank
from orange_structpred.treebank.conllx import conllx_block
from orange_structpred.treebank.table import EXTENSIONS
from tests.data import treebank_file
from tests.treebank.test_table import assert_same, with_two_predictions
from tests.treebank.toy import BLOCKS, CHAIN, RICH, block, file_of, treebank

TABLES = (".tab", ".tsv", ".csv", ".xlsx", ".pkl", ".tab.gz", ".csv.gz", ".pkl.gz")


@pytest.fixture(autouse=True)
def locking(monkeypatch):
    monkeypatch.setattr(Table, "LOCKING", True)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_orange_reads_and_writes_conll(extension, tmp_path):
    path = str(tmp_path / f"x{extension}")
    bank = treebank()
    bank.save(path)
    found = Table.from_file(path)
    assert isinstance(found, Treebank)
    assert found.name == "x" and found.__file__ == path
    blocks = list(map(conllx_block, BLOCKS)) if "conllx" in extension \
        else BLOCKS
    assert [sentence.block for sentence in found.sentences] == blocks
    assert FileFormat.readers[extension] is FileFormat.writers[extension] is ConllFormat


def test_big_treebank_stays_the_same(tmp_path):
    source = treebank_file("en_ewt-ud-dev.conllu")
    Table.from_file(str(source)).save(tmp_path / "x.conllu")
    assert (tmp_path / "x.conllu").read_bytes() == source.read_bytes()


def test_faults_are_told(tmp_path):
    path = tmp_path / "x.conllu"
    path.write_bytes(file_of([CHAIN, CHAIN.replace("\t2\tdep", "\t7\tdep")]))
    with pytest.raises(ConllError, match=r"x\.conllu, line 11: found head '7', "):
        Table.from_file(str(path))


def test_plain_table_with_sentences_is_written(tmp_path):
    bank = with_two_predictions(treebank())
    path = str(tmp_path / "x.conllu")
    ConllFormat.write(path, Table.from_table_rows(bank, ...))
    assert_same(Table.from_file(path), bank)


def test_table_without_sentences_is_not_written(tmp_path):
    """As an OSError: that is what Save Data shows."""
    with pytest.raises(OSError, match="not saved: 'iris' is not a treebank"):
        ConllFormat.write(str(tmp_path / "x.conllu"), Table("iris"))
    assert not (tmp_path / "x.conllu").exists()


@pytest.mark.parametrize("name", ["x.nothing", "x.TAB", "x.tab.GZ"])
def test_unknown_extension(name, tmp_path):
    """Orange would not read tables under names in capitals."""
    with pytest.raises(OSError, match="expected one of the extensions"):
        treebank().save(tmp_path / name)


@pytest.mark.parametrize("extension", TABLES)
def test_tables_keep_treebanks(extension, tmp_path):
    bank = with_two_predictions(treebank(BLOCKS * 2))
    path = tmp_path / f"x.y{extension}"
    bank.save(path)
    assert Treebank.from_file(path).name == ("toy" if "pkl" in extension else "x.y")
    for again in (Treebank.from_file(path),
                  Treebank.from_table(Table.from_file(str(path)))):
        assert again.domain == bank.domain
        np.testing.assert_array_equal(again.X, bank.X)
        np.testing.assert_array_equal(again.metas, bank.metas)
        assert_same(again, bank)


@pytest.mark.parametrize("extension", [".tab", ".csv", ".xlsx"])
def test_tables_without_types_keep_treebanks(extension, tmp_path):
    """Orange then guesses types; few different values are taken for categories."""
    bank = with_two_predictions(treebank(BLOCKS * 4))
    path = str(tmp_path / f"x{extension}")
    FileFormat.writers[extension].write_file(path, bank, with_annotations=False)
    again = Treebank.from_table(Table.from_file(path))
    assert_same(again, bank)
    assert set(again.domain.attributes) == set(bank.domain.attributes)
    np.testing.assert_array_equal(
        again.get_column("mean arc length"), bank.get_column("mean arc length"))


def quoted(first):
    """Sentences that begin with quotes, as a guess of the delimiter sees them."""
    return [block([0, 1, 1, 1, 1, 1], " ".join(words), text=" ".join(words))
            for words in (
                [first, "says", first, ",", first, "."],
                ["a", f"b{first}", f"{first}c", first, first, ";"])] + [RICH, CHAIN]


@pytest.mark.parametrize("extension", [".tab", ".csv"])
@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("first", ["'", '"', ",", ";", ":", "$", "''", '""'])
def test_quotes_and_delimiters_in_sentences(extension, typed, first, tmp_path):
    bank = treebank(quoted(first))
    path = str(tmp_path / f"x{extension}")
    FileFormat.writers[extension].write(path, bank, typed)
    assert Treebank.from_table(Table.from_file(path)).sentences == bank.sentences


@pytest.mark.parametrize("extension", [".tab", ".csv", ".xlsx"])
def test_big_treebank_in_tables(extension, tmp_path):
    """Each of 60 sentences stands first in a file once."""
    bank = Treebank.from_file(treebank_file("de_gsd-ud-dev.conllu"))
    path = str(tmp_path / f"x{extension}")
    bank.save(path)
    assert Treebank.from_file(path).sentences == bank.sentences
    if extension != ".xlsx":
        for first in range(0, 600, 10):
            part = bank[first:first + 3]
            part.save(path)
            assert Table.from_file(path).sentences == part.sentences


def test_other_tables_are_read_as_ever(tmp_path):
    iris = Table("iris")
    for extension, reader in ((".tab", TabReader), (".csv", CSVReader)):
        path = str(tmp_path / f"x{extension}")
        iris.save(path)
        found, expected = Table.from_file(path), reader(path).read()
        assert type(found) is Table and found.domain == expected.domain
        np.testing.assert_array_equal(found.X, expected.X)
        assert FileFormat.writers[extension] is reader
    odd = tmp_path / "odd.csv"
    for data in (b'a"b;c\n1;2\n', "ä;b\n1;2\n".encode("latin-1"), b"", b"a\tb\n1\t2\n"):
        odd.write_bytes(data)
        found, expected = Table.from_file(str(odd)), CSVReader(str(odd)).read()
        assert found.domain == expected.domain and len(found) == len(expected)


def test_table_that_only_looks_like_a_treebank(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("conllu,b\nsomething,1\nelse,2\nmore,3\n")
    found = Table.from_file(str(path))
    assert type(found) is Table and len(found) == 3
    with pytest.raises(ConllError, match="x, row 1, line 1: found 1 column"):
        Treebank.from_file(path)


def test_sentence_that_no_spreadsheet_holds(tmp_path):
    """Longer texts than 32,767 characters are cut: that is told."""
    bank = treebank([CHAIN, block([0] + [1] * 2000)])
    path = tmp_path / "x.xlsx"
    with pytest.raises(OSError, match="row 2 has a sentence of 50919 .* save .* as .conllu"):
        bank.save(path)
    FileFormat.writers[".xlsx"].write(str(path), bank)
    with pytest.raises(ConllError, match="x, row 2, line 1303: found 8 columns"):
        Treebank.from_file(path)


def test_sentence_that_a_spreadsheet_cut_and_left_whole(tmp_path):
    """The cut is in the last column, so that what is left looks like a sentence."""
    full = block([0] + [1] * 900)
    full += "x" * (32_767 - len(full))
    rest = "xxx\n902\ta\ta\tX\tX\t_\t1\tdep\t_\t_"
    bank = treebank([CHAIN, full + rest, full])
    path = str(tmp_path / "x.xlsx")
    FileFormat.writers[".xlsx"].write(path, bank)
    found = Treebank.from_file(path, on_error="skip")
    assert [sentence.block for sentence in found.sentences] == [CHAIN, full]
    error, = found.skipped
    assert error.file == "x, row 2" and "32767 characters" in error.found
    # Without the column of lengths nobody knows which of the two was cut.
    part = bank[:, bank.domain.attributes[1:] + bank.domain.metas]
    FileFormat.writers[".xlsx"].write(path, part)
    assert len(Treebank.from_file(path, on_error="skip").skipped) == 2


def test_format_is_there_whenever_the_package_is_imported():
    """Also when Orange was asked for its formats before, and where there is no Qt."""
    script = """
import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("AnyQt", "PyQt5", "PyQt6", "PySide2", "PySide6",
                                      "pyqtgraph", "orangewidget"):
            raise ImportError(name)
sys.meta_path.insert(0, NoQt())
from Orange.data.io import FileFormat
assert ".conllu" not in FileFormat.readers
assert ".conllu" not in FileFormat.writers
import orange_structpred
assert ".conllu" in FileFormat.readers
assert ".conllu.gz" in FileFormat.writers
print([name for name in sys.modules if name.startswith("Orange.widgets")])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True,
                          text=True, check=True)
    assert done.stdout == "[]\n"
