"""Treebanks of plain text: a text, or the documents in a column of a table."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from Orange.data import Table, Variable

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Cancellation, Cancelled, Progress
from orange_structpred.tagging.documents import AnyTokeniser
from orange_structpred.tagging.rules import RuleTokeniser
from orange_structpred.treebank.columns import ROLE, sentence_variables, texts
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

NEW_DOCUMENT = "# newdoc id = "


def text_variables(table: Table) -> list[Variable]:
    """The columns of a table that may hold texts, the most likely one first.

    That is the one that a Corpus of Orange3-Text has chosen, else the one with the
    longest texts. Columns of a treebank that hold annotations are no texts.
    """
    annotations = sentence_variables(table.domain)
    found = [var for var in (*table.domain.metas, *table.domain.variables)
             if var.is_string and var not in annotations and ROLE not in var.attributes]
    chosen = [var for var in getattr(table, "text_features", None) or ()
              if var in found]
    first = chosen[0] if chosen else max(
        found, key=lambda var: sum(map(len, texts(table[:100], var))), default=None)
    return [var for var in found if var is first] + [
        var for var in found if var is not first]


def documents_of(table: Table, column: str | None = None) -> list[str]:
    """The texts in a column of a table, one per row.

    column : its name; by default the first of `text_variables`
    """
    found = {var.name: var for var in text_variables(table)}
    if not found:
        names = [var.name for var in (*table.domain.variables, *table.domain.metas)]
        raise InputError(f"{table.name!r} has no text: found the columns "
                         f"{', '.join(names) or '(none)'}, expected a column of text")
    if column is not None and column not in found:
        raise InputError(f"{table.name!r} has no text column {column!r}; text columns "
                         f"are {', '.join(found)}")
    return texts(table, found[column] if column is not None
                 else next(iter(found.values())))


def split_documents(documents: Sequence[str], tokeniser: AnyTokeniser | None = None,
                    progress: Progress | None = None) -> Iterator[list[Sentence]]:
    """The sentences of each document, with ids as 3-1: document 3, sentence 1.

    tokeniser : None for the rules
    progress : gets the share that is done; cancels by returning False
    """
    tokeniser = tokeniser or RuleTokeniser()
    cancellation = Cancellation(progress)
    total, done = sum(map(len, documents)) or 1, 0
    for number, document in enumerate(documents, 1):
        found: list[Sentence] = []
        read = 0
        for sentence in tokeniser.sentences([document]):
            read += len(sentence.text) + 1
            cancellation.fraction = (done + min(read, len(document))) / total
            cancellation.check_cancelled()
            found.append(of_document(sentence, number, first=not found))
        done += len(document)
        if not cancellation.report_progress(done / total):
            raise Cancelled
        yield found


def of_document(sentence: Sentence, number: int, *, first: bool) -> Sentence:
    """A sentence with the number of its document in its id."""
    lines = [f"# sent_id = {number}-{sentence.sent_id}"
             if line.startswith("# sent_id = ") else line
             for line in sentence.block.split("\n")]
    if first:
        lines.insert(0, f"{NEW_DOCUMENT}{number}")
    return Sentence("\n".join(lines))


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
    return import_documents([text], tokeniser, name=name, progress=progress)


def import_documents(documents: Iterable[str], tokeniser: AnyTokeniser | None = None, *,
                     name: str = "text", progress: Progress | None = None) -> Treebank:
    """Texts as a treebank; see `import_text`. The ids of sentences begin with the number
    of their text."""
    documents = list(documents)
    if not any(document.strip() for document in documents):
        raise InputError("found no text, only empty documents" if documents
                         else "found no documents, expected some with text")
    sentences = [sentence for own in split_documents(documents, tokeniser, progress)
                 for sentence in own]
    return Treebank.from_sentences(sentences, name=name)


def import_table(table: Table, column: str | None = None,
                 tokeniser: AnyTokeniser | None = None, *,
                 progress: Progress | None = None) -> Treebank:
    """The documents in a column of a table as a treebank; see `import_documents`.

    column : by default the one with the longest texts
    """
    return import_documents(documents_of(table, column), tokeniser, name=table.name,
                            progress=progress)
