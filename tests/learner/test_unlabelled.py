"""Parsers with kernels that learn from sentences without trees."""
import numpy as np
import pytest

from orange_structpred import ParserLearner, Treebank, load_bundled
from orange_structpred.__main__ import main
from orange_structpred.errors import InputError
from orange_structpred.parser import Parser
from orange_structpred.treebank.sentence import Sentence

OPTIONS = {"kernel": "ngram", "hash": ["posTags", "tokens"], "relations": False,
           "calibrate": False, "C": 50.}


def without_trees(sentences):
    return Treebank.from_sentences([Sentence("\n".join(
        "\t".join([*line.split("\t")[:6], "_", "_", "_", "_"])
        for line in sentence.block.splitlines() if line[:1].isdigit()))
        for sentence in sentences])


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")


@pytest.mark.parametrize("solver", ["ridge", "bcfw"])
def test_raw_sentences_change_the_parser_and_stay_in_its_file(treebank, tmp_path, solver):
    learner = ParserLearner("kernel", solver=solver, passes=3, **OPTIONS)
    few, raw = treebank[:12], without_trees(treebank.sentences[20:50])
    parser = learner(few, unlabelled=raw)
    assert len(parser.model.support) == 12 + 30
    assert parser.model.transform.shape == (42, 12)
    assert not np.allclose(parser.model.edge_scores(treebank.sentences[60]),
                           learner(few).model.edge_scores(treebank.sentences[60]))
    parser.save(tmp_path / "parser.npz")
    loaded = Parser.load(tmp_path / "parser.npz")
    for sentence in treebank.sentences[60:70]:
        np.testing.assert_allclose(parser.model.edge_scores(sentence),
                                   loaded.model.edge_scores(sentence), atol=1e-5)
    assert [len(heads) for heads in loaded.predict_heads(treebank[60:62])] == [
        len(sentence) for sentence in treebank.sentences[60:62]]


def test_trees_of_unlabelled_sentences_are_not_looked_at(treebank):
    learner = ParserLearner("kernel", solver="ridge", **OPTIONS)
    few, others = treebank[:12], treebank[20:40]
    one = learner(few, unlabelled=others)
    other = learner(few, unlabelled=without_trees(others.sentences))
    np.testing.assert_allclose(one.model.edge_scores(treebank.sentences[60]),
                               other.model.edge_scores(treebank.sentences[60]))


@pytest.mark.parametrize("options, message", [
    ({"features": "explicit"}, "unlabelled sentences are for parsers with kernels"),
    ({"features": "kernel", "smoothness": 0.}, "smoothness"),
    ({"features": "kernel", "neighbours": 0}, "neighbours")])
def test_what_cannot_be(treebank, options, message):
    with pytest.raises(InputError, match=message):
        ParserLearner(**options)(treebank[:12], unlabelled=treebank[20:30])


def test_no_sentences(treebank):
    with pytest.raises(InputError, match="there are no unlabelled sentences"):
        ParserLearner("kernel")(treebank[:12], unlabelled=treebank[:0])
    table = load_bundled("en").transform(type(treebank.domain)([]))
    with pytest.raises(InputError, match="the unlabelled sentences: "):
        ParserLearner("kernel")(treebank[:12], unlabelled=table)


def test_command(treebank, tmp_path, capsys):
    for name, part in (("train", treebank[:12]), ("raw", treebank[20:40])):
        (tmp_path / f"{name}.conllu").write_text(
            "".join(f"{sentence.block}\n\n" for sentence in part.sentences), encoding="utf-8")
    assert not main(["train", str(tmp_path / "train.conllu"), "--features", "kernel",
                     "--kernel", "ngram", "--solver", "kernel-pca", "--quiet",
                     "--unlabelled", str(tmp_path / "raw.conllu"),
                     "-o", str(tmp_path / "parser.npz")])
    assert "parser.npz" in capsys.readouterr().out
    assert len(Parser.load(tmp_path / "parser.npz").model.support) == 32
