"""What callers may pass for a treebank or its sentences."""
from pathlib import Path

import numpy as np
import pytest
from Orange.data import Table

from orange_structpred.evaluation import evaluate, score_table, score_treebanks
from orange_structpred.treebank import Treebank, as_treebank, read_conll, write_conll
from orange_structpred.treebank.coerce import as_sentences
from tests.evaluation.toy import GOLD

TREEBANK = Treebank.from_sentences(GOLD).with_prediction(
    "chain", [np.arange(len(own)) for own in GOLD])
PLAIN = Table.from_numpy(
    TREEBANK.domain, TREEBANK.X, metas=TREEBANK.metas)


def test_tables_that_carry_a_treebank():
    assert type(PLAIN) is Table
    assert as_treebank(TREEBANK) is TREEBANK
    assert isinstance(as_treebank(PLAIN), Treebank)
    assert as_sentences(PLAIN) == as_sentences(TREEBANK) == as_sentences(iter(GOLD)) \
        == GOLD
    with pytest.raises(ValueError, match="conllu"):
        as_treebank(Table("iris"))


@pytest.mark.parametrize("data, found", [
    (None, "None"), ("dev.conllu", "'dev.conllu'"), (Path("dev"), "Path"), (5, "int"),
    (GOLD[0], "Sentence"), (["a"], "list"), (TREEBANK[0], "RowInstance")])
def test_what_is_neither(tmp_path, data, found):
    for use in (as_treebank, as_sentences, evaluate, score_table,
                lambda data: write_conll(data, tmp_path / "out.conllu")):
        with pytest.raises(TypeError, match=f"^found .*{found}.*, expected a Treebank"):
            use(data)
    assert not list(tmp_path.iterdir())


def test_a_treebank_is_written_with_its_predictions(tmp_path):
    for data in (TREEBANK, PLAIN):
        write_conll(data, tmp_path / "out.conllu")
        TREEBANK.save(tmp_path / "saved.conllu")
        assert (tmp_path / "out.conllu").read_bytes() \
            == (tmp_path / "saved.conllu").read_bytes()
    assert list(Treebank.from_file(tmp_path / "out.conllu").predictions) == ["chain"]
    write_conll(GOLD, tmp_path / "out.conllu")
    assert read_conll(tmp_path / "out.conllu") == GOLD


def test_scores_of_a_plain_table():
    assert evaluate(PLAIN).uas == evaluate(TREEBANK).uas > 0
    assert score_table(PLAIN) == score_table(TREEBANK)
    assert len(score_treebanks(PLAIN).errors()) == len(
        score_treebanks(TREEBANK).errors()) > 0


def test_scores_of_no_prediction():
    bare = Treebank.from_sentences(GOLD)
    for score in (evaluate, score_table):
        with pytest.raises(ValueError, match="^the treebank has no prediction$"):
            score(bare)
    assert score_table(bare, TREEBANK) == (
        score_table(TREEBANK) + "\nno predictions in: treebank")
