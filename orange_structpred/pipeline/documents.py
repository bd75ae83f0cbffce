"""The documents of a table annotated, and given back with their tokens and tags."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.pipeline.filling import SPLITTING
from orange_structpred.pipeline.trained_pipeline import Pipeline
from orange_structpred.running.cancellation import Progress, part_of
from orange_structpred.tagging.importing import (
    split_documents,
    text_variable,
    with_columns_of,
)
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.columns import sentence_variables, texts
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

if TYPE_CHECKING:
    from distributed import Client


def annotate_text(pipeline: Pipeline, text: str, *, name: str = "text",
                  probabilities: bool = False, progress: Progress | None = None,
                  client: Client | str | None = None) -> Treebank:
    """A treebank of the annotated sentences of a text.

    probabilities : whether the last column of the sentences tells how sure the pipeline's
        parser is of each head, as ``HeadProb=0.97``, if it is calibrated
    progress, client : as in `Pipeline.annotate`
    """
    if not text.strip():
        raise InputError("The text is empty")
    return Treebank.from_sentences(pipeline.annotate(
        text, progress, probabilities=gives_probabilities(pipeline, probabilities),
        client=client), name=name)


def annotate_table(pipeline: Pipeline, table: Table, column: str | None = None,
                   progress: Progress | None = None, *, probabilities: bool = False,
                   client: Client | str | None = None) -> tuple[Treebank, Table]:
    """The documents in a column of a table, annotated.

    Gives a treebank of their sentences, which have the other columns of their documents,
    and the table; a Corpus of Orange3-Text has the words as its tokens, and their tags.
    The sentences of a treebank get what they lack.

    column : by default the one with the longest texts
    probabilities : as in `annotate_text`
    progress, client : as in `Pipeline.annotate`
    """
    probabilities = gives_probabilities(pipeline, probabilities)
    if sentence_variables(table.domain):
        treebank = as_treebank(table)
        return with_sentences(treebank, pipeline.annotate(
            treebank, progress, probabilities=probabilities, client=client)), table
    text = text_variable(table, column)
    drafts = split_documents(texts(table, text), pipeline.splitter(),
                             part_of(progress, 0, SPLITTING))
    sentences = iter(pipeline.annotate_drafts(
        list(chain.from_iterable(drafts)), part_of(progress, SPLITTING, 1),
        probabilities=probabilities, client=client))
    annotated = [list(islice(sentences, len(document))) for document in drafts]
    treebank = Treebank.from_sentences(chain.from_iterable(annotated), name=table.name)
    return (with_columns_of(treebank, table, text, list(map(len, drafts))),
            with_tokens(table, annotated))


def gives_probabilities(pipeline: Pipeline, wanted: bool = True) -> bool:
    """Whether a pipeline can tell how sure it is of its trees."""
    return wanted and pipeline.parser is not None and pipeline.parser.calibrated


def is_corpus(table: Table) -> bool:
    """Whether a table is a Corpus of Orange3-Text: it can hold tokens."""
    return hasattr(table, "store_tokens")


def with_tokens(table: Table, documents: Sequence[Sequence[Sentence]]) -> Table:
    """A Corpus with the words of the documents as tokens, and their tags: universal
    ones where there are some, else those of the language. Other tables stay as they
    are."""
    if not is_corpus(table):
        return table
    corpus = table.copy()
    corpus.store_tokens([[form for sentence in document for form in sentence.forms]
                         for document in documents])
    sentences = [sentence for document in documents for sentence in document]
    for layer in ("upos", "xpos"):
        if any(tag != EMPTY for sentence in sentences for tag in getattr(sentence, layer)):
            corpus.pos_tags = [[tag for sentence in document for tag in
                                getattr(sentence, layer)] for document in documents]
            break
    return corpus
