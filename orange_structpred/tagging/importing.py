"""Treebanks of plain text: a text, or the documents in a column of a table."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from Orange.data import Domain, Table, Variable

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Progress
from orange_structpred.tagging.documents import (
    AnyTokeniser,
    Draft,
    document_drafts,
    text_drafts,
)
from orange_structpred.tagging.rules import RuleTokeniser
from orange_structpred.treebank.columns import (
    ROLE,
    free_name,
    sentence_variables,
    texts,
)
from orange_structpred.treebank.table import Treebank


def text_variables(table: Table) -> list[Variable]:
    """The columns of a table that may hold texts, the most likely one first.

    That is the one that a Corpus of Orange3-Text has chosen, else the one with the
    longest texts. Columns of a treebank that hold annotations are no texts.
    """
    annotations = sentence_variables(table.domain)
    candidates = [var for var in (*table.domain.metas, *table.domain.variables)
                  if var.is_string and var not in annotations and ROLE not in var.attributes]
    chosen = [var for var in getattr(table, "text_features", None) or ()
              if var in candidates]
    first = chosen[0] if chosen else max(
        candidates, key=lambda var: sum(map(len, texts(table[:100], var))), default=None)
    return [var for var in candidates if var is first] + [
        var for var in candidates if var is not first]


def documents_of(table: Table, column: str | None = None) -> list[str]:
    """The texts in a column of a table, one per row.

    column : its name; by default the first of `text_variables`
    """
    return texts(table, text_variable(table, column))


def text_variable(table: Table, column: str | None = None) -> Variable:
    """A column of text; see `documents_of`."""
    by_name = {var.name: var for var in text_variables(table)}
    if not by_name:
        names = [var.name for var in (*table.domain.variables, *table.domain.metas)]
        raise InputError(f"{table.name!r} has no text: found the columns "
                         f"{', '.join(names) or '(none)'}, expected a column of text")
    if column is not None and column not in by_name:
        raise InputError(f"{table.name!r} has no text column {column!r}; text columns "
                         f"are {', '.join(by_name)}")
    return by_name[column] if column is not None else next(iter(by_name.values()))


def import_text(text: str, tokeniser: AnyTokeniser | None = None, *,
                name: str = "text", progress: Progress | None = None) -> Treebank:
    """A text as a treebank: its sentences and words, without any annotation.

    Parameters
    ----------
    tokeniser : Tokeniser, optional
        By default that of the rules, `RuleTokeniser`.

    Examples
    --------
    >>> treebank = import_text("It rains. Stay here!")
    >>> [sentence.forms for sentence in treebank.sentences]
    [['It', 'rains', '.'], ['Stay', 'here', '!']]
    """
    if not text.strip():
        raise InputError("The text is empty")
    drafts = text_drafts(text, tokeniser or RuleTokeniser(), progress)
    return Treebank.from_sentences(map(Draft.sentence, drafts), name=name)


def split_documents(documents: Iterable[str], tokeniser: AnyTokeniser | None = None,
                    progress: Progress | None = None) -> list[list[Draft]]:
    """What the sentences of each document are made of; an InputError if there are none."""
    documents = list(documents)
    if not any(document.strip() for document in documents):
        raise InputError("All documents are empty" if documents
                         else "There are no documents")
    return list(document_drafts(documents, tokeniser or RuleTokeniser(), progress))


def import_table(table: Table, column: str | None = None,
                 tokeniser: AnyTokeniser | None = None, *,
                 progress: Progress | None = None) -> Treebank:
    """The documents in a column of a table as a treebank; see `import_text`.

    The ids of sentences begin with the number of their document, whose other columns they
    have, too.

    column : by default the one with the longest texts
    """
    text = text_variable(table, column)
    drafts = split_documents(texts(table, text), tokeniser, progress)
    treebank = Treebank.from_sentences(
        (draft.sentence() for document in drafts for draft in document), name=table.name)
    return with_columns_of(treebank, table, text, list(map(len, drafts)))


def with_columns_of(treebank: Treebank, table: Table, text: Variable,
                    sizes: Sequence[int]) -> Treebank:
    """A treebank of documents with the columns of the table that they came from, as metas.

    text : the column of the documents, which their sentences have already
    sizes : the number of sentences of each document
    """
    taken = {var.name for var in (*treebank.domain.variables, *treebank.domain.metas)}
    kept, renamed = [], []
    for var in (*table.domain.variables, *table.domain.metas):
        if var is not text:
            name = free_name(var.name, taken)
            kept.append(var)
            renamed.append(var.renamed(name) if name != var.name else var)
            taken.add(name)
    if not kept:
        return treebank
    rows = np.repeat(np.arange(len(table)), sizes)
    columns = [table.get_column(var)[rows].astype(object) for var in kept]
    domain = Domain(treebank.domain.attributes, treebank.domain.class_vars,
                    (*treebank.domain.metas, *renamed))
    result = Treebank.from_numpy(domain, treebank.X, treebank.Y, np.column_stack(
        [treebank.metas, *columns]))
    result.name = treebank.name
    return result
