"""Documents of tables, and models of any kind from files."""
import copy

import numpy as np
import pytest
from Orange.data import ContinuousVariable, Domain, StringVariable, Table

from orange_structpred import (
    ParserLearner,
    Pipeline,
    RuleTokeniser,
    Treebank,
    import_table,
    load_model,
    load_parser,
)
from orange_structpred.errors import InputError
from orange_structpred.files.arrays import write_arrays
from orange_structpred.files.models import ModelFileError
from orange_structpred.pipeline.documents import annotate_table, is_corpus
from orange_structpred.running.cancellation import Cancelled
from tests.observers import cancel_unless

DOCUMENTS = ["The dog sees the cat. The cat sleeps.", "", "The old man reads a book."]


class PlainCorpus(Table):
    """What a Corpus of Orange3-Text does with tokens and tags."""

    _tokens = pos_tags = None

    def store_tokens(self, tokens):
        self._tokens = np.array(tokens, dtype=object)

    def copy(self):
        return copy.copy(self)


def documents(kind=Table):
    domain = Domain([], [], [StringVariable("text")])
    return kind.from_numpy(domain, np.empty((3, 0)), metas=np.array(
        [[own] for own in DOCUMENTS], object))


def check_corpus(corpus, pipeline):
    treebank, tagged = annotate_table(pipeline, corpus)
    assert type(tagged) is type(corpus) and tagged is not corpus
    assert corpus._tokens is None
    words = [[form for sentence in pipeline.splitter()(text) for form in sentence.forms]
             for text in DOCUMENTS]
    assert [list(own) for own in tagged._tokens] == words
    assert [len(own) for own in tagged.pos_tags] == [len(own) for own in words]
    assert [tag for own in tagged.pos_tags for tag in own] == [
        tag for sentence in treebank.sentences for tag in sentence.upos]


def test_table(pipeline):
    table = documents()
    treebank, same = annotate_table(pipeline, table)
    assert same is table and not is_corpus(table)
    assert [own.sent_id for own in treebank.sentences] == ["1-1", "1-2", "3-1"]
    assert all(own.has_heads and "_" not in own.upos for own in treebank.sentences)
    expected = pipeline.annotate(DOCUMENTS[2])
    assert treebank.sentences[2].heads.tolist() == expected[0].heads.tolist()


def test_columns_stay(pipeline):
    """Sentences have the columns of their documents; names in use get a number."""
    domain = Domain([ContinuousVariable("length")], [],
                    [StringVariable("author"), StringVariable("body")])
    table = Table.from_list(domain, [[7, "Ann", DOCUMENTS[0]], [8, "", ""],
                                     [9, "Bob", DOCUMENTS[2]]])
    for treebank in (annotate_table(pipeline, table)[0], import_table(table)):
        assert isinstance(treebank, Treebank) and treebank.name == table.name
        assert treebank.get_column("author").tolist() == ["Ann", "Ann", "Bob"]
        assert treebank.get_column("length (2)").tolist() == [7, 7, 9]
        assert treebank.get_column("length").tolist() == list(
            map(len, treebank.sentences))
        assert "body" not in [var.name for var in treebank.domain.metas]
    again, _ = annotate_table(pipeline, treebank)
    assert again.get_column("author").tolist() == ["Ann", "Ann", "Bob"]
    assert again.sentences[0].has_heads


def test_corpus(pipeline):
    check_corpus(documents(PlainCorpus), pipeline)


def test_corpus_of_orange3_text(pipeline):
    text = pytest.importorskip("orangecontrib.text")
    check_corpus(text.Corpus.from_table(documents().domain, documents()), pipeline)


def test_rules_alone():
    treebank, corpus = annotate_table(Pipeline(), documents(PlainCorpus))
    assert treebank.sentences[0].forms == RuleTokeniser()(DOCUMENTS[0])[0].forms
    assert corpus.pos_tags is None and len(corpus._tokens) == 3


def test_nothing_to_annotate(pipeline):
    with pytest.raises(InputError, match="All documents are empty"):
        annotate_table(pipeline, documents()[1:2])


def test_cancelled(pipeline):
    with pytest.raises(Cancelled):
        annotate_table(pipeline, documents(), progress=cancel_unless(lambda share: share < 0.3))
    shares = []
    annotate_table(pipeline, documents(), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1


# Models of any kind

def test_models(pipeline, treebank, tmp_path):
    path = tmp_path / "model.npz"
    parser = ParserLearner(passes=1, order=1, name="mine")(treebank[:20])
    parser.save(path)
    assert load_model(path).name == "mine" and type(load_model(path)) is type(parser)
    pipeline.save(path)
    assert load_model(path).steps == pipeline.steps
    for step in ("tokeniser", "tagger", "lemmatiser"):
        getattr(pipeline, step).save(path)
        alone = load_model(path)
        assert isinstance(alone, Pipeline) and alone.steps == [step]
        assert alone.name == getattr(pipeline, step).name


def test_parsers_of_pipelines(pipeline, treebank, tmp_path):
    path = tmp_path / "model.npz"
    parser = ParserLearner(passes=1, order=1, name="mine")(treebank[:20])
    for model in (parser, Pipeline(parser=parser)):
        model.save(path)
        assert load_parser(path).name == "mine"
    pipeline.tagger.save(path)
    with pytest.raises(ModelFileError, match="found tagger, expected a parser, or a pip"):
        load_parser(path)


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(FileNotFoundError):
        load_model(path)
    for content in (b"", b"PK\3\4", b"text"):
        path.write_bytes(content)
        with pytest.raises(ModelFileError, match="cannot be read as a model file"):
            load_model(path)
    write_arrays(path, other=np.zeros(2))
    with pytest.raises(ModelFileError, match="cannot be read as a model file"):
        load_model(path)
    header = np.frombuffer(b'{"format": "something else"}', np.uint8)
    write_arrays(path, header=header)
    with pytest.raises(ModelFileError, match="found 'something else', expected a parser"):
        load_model(path)
    with pytest.raises(ModelFileError):
        load_model(tmp_path)
