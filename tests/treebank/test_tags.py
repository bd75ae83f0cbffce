"""Layers of sentences, and predicted tags beside gold ones."""
import pickle

import pytest
from Orange.data import Table

from orange_structpred.treebank import Sentence, Treebank, read_conll
from orange_structpred.treebank.layers import check_layer, layer_values, with_layers
from orange_structpred.treebank.tags import decode_tags, encode_tags

BLOCK = """# sent_id = a
1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_
1\tzu\tzu\tADP\tAPPR\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\tNN\tCase=Dat\t0\troot\t_\tNER=B-LOC|SpaceAfter=No"""


def test_values():
    sentence = Sentence(BLOCK)
    assert layer_values(sentence, "upos") == ["ADP", "DET", "NOUN"]
    assert layer_values(sentence, "lemma") == ["zu", "der", "Haus"]
    assert layer_values(sentence, "misc:NER") == ["_", "_", "B-LOC"]


def test_with_layers_keeps_all_else():
    sentence = Sentence(BLOCK)
    other = with_layers(sentence, {"xpos": ["A", "B", "C"],
                                   "misc:NER": ["O", "_", "_"]})
    assert other.xpos == ["A", "B", "C"] and sentence.xpos == ["APPR", "ART", "NN"]
    assert layer_values(other, "misc:NER") == ["O", "_", "_"]
    assert other.block.splitlines()[1] == sentence.block.splitlines()[1]
    assert other.block.splitlines()[4].endswith("\tSpaceAfter=No")
    assert other.heads.tolist() == [3, 3, 0]
    assert with_layers(other, {"xpos": sentence.xpos, "misc:NER": ["_", "_", "B-LOC"]}
                       ) == sentence


@pytest.mark.parametrize("values", [["A"], ["A", "B", "C", "D"], ["A", "B\t", "C"],
                                    ["A", "", "C"], ["A", " B", "C"]])
def test_bad_values(values):
    with pytest.raises(ValueError, match="expected"):
        with_layers(Sentence(BLOCK), {"xpos": values})


@pytest.mark.parametrize("layer", ["pos", "misc:", "misc:a=b", "head", None])
def test_unknown_layers(layer):
    with pytest.raises(ValueError, match="layers are lemma, upos"):
        check_layer(layer)


def test_text_of_tags():
    values = ["a b", "100%", "_", "\u00a0x"]
    assert decode_tags(encode_tags(values), 4) == values
    assert decode_tags("", 2) == ["_", "_"]
    with pytest.raises(ValueError, match="expected values for 3 tokens"):
        decode_tags("a b", 3)


def tagged() -> Treebank:
    treebank = Treebank.from_sentences([Sentence(BLOCK), Sentence(BLOCK)])
    return treebank.with_tags("my tagger", {
        "upos": [["X", "Y", "Z"], ["ADP", "DET", "NOUN"]],
        "lemma": [["a b", "c", "d"], ["e", "f", "1"]]})


def test_columns():
    treebank = tagged()
    assert [var.name for var in treebank.domain.metas][-2:] == [
        "my tagger: upos", "my tagger: lemma"]
    assert treebank.tags["my tagger"]["lemma"] == [["a b", "c", "d"], ["e", "f", "1"]]
    assert not treebank.predictions
    assert treebank.sentences == [Sentence(BLOCK)] * 2      # gold ones are as they were
    first, second = treebank.tagged_sentences("my tagger")
    assert first.upos == ["X", "Y", "Z"] and first.lemmas == ["a b", "c", "d"]
    assert second.upos == ["ADP", "DET", "NOUN"]
    again = treebank.with_tags("my tagger", {"upos": [["A"] * 3] * 2})
    assert list(again.tags) == ["my tagger", "my tagger (2)"]
    with pytest.raises(ValueError, match="no tags predicted by 'x'; found: my tagger"):
        treebank.tagged_sentences("x")
    with pytest.raises(ValueError, match="one for each token"):
        treebank.with_tags("x", {"upos": [["A"]] * 2})


def test_other_predictions_beside_them():
    treebank = tagged().with_prediction("MST", [[0, 1, 1]] * 2)
    assert list(treebank.predictions) == ["MST"]
    assert list(treebank.tags) == ["my tagger"]


def test_a_parser_that_is_called_like_predicted_tags():
    treebank = tagged().with_prediction("my parser: upos", [[0, 1, 1]] * 2)
    assert list(treebank.predictions) == ["my parser: upos"]
    assert list(treebank.tags) == ["my tagger"]
    block = treebank.commented_sentences()[0].block
    assert block.count("my parser: upos") == 1
    assert "# prediction my parser: upos = 0 1 1" in block


@pytest.mark.parametrize("extension", ["conllu", "tab", "csv", "pkl"])
def test_files(tmp_path, extension):
    treebank = tagged().with_prediction("MST", [[0, 1, 1]] * 2)
    path = tmp_path / f"tagged.{extension}"
    treebank.save(path)
    again = Treebank.from_file(path)
    assert again.tags == treebank.tags
    assert list(again.predictions) == ["MST"]
    assert again.sentences == treebank.sentences


def test_comments_that_only_look_like_tags(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("# tags x: upos = A B\n" + BLOCK + "\n\n")
    treebank = Treebank.from_sentences(read_conll(path))
    assert not treebank.tags
    assert "# tags x: upos = A B" in treebank.sentences[0].block


def test_other_routes():
    treebank = tagged()
    assert pickle.loads(pickle.dumps(treebank)).tags == treebank.tags
    bare = Table.from_table(treebank.domain, treebank)
    assert Treebank.from_table(bare).tags == treebank.tags
