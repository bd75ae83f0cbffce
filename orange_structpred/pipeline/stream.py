"""Annotating what is larger than memory: text or CoNLL, batch by batch."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from orange_structpred.files.streaming import ByteStream
from orange_structpred.pipeline.drafts import annotate_drafts
from orange_structpred.pipeline.trained_pipeline import Pipeline
from orange_structpred.running.cluster import connected
from orange_structpred.tagging.documents import Draft
from orange_structpred.treebank.conll import read_batches
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import TELLING_SIZE, is_conll, text_chunks

if TYPE_CHECKING:
    from distributed import Client

Item = TypeVar("Item")
TOKENS_AT_ONCE = 1 << 14         # tokens that are annotated together


def annotate_stream(pipeline: Pipeline, stream: ByteStream, file: str, *,
                    probabilities: bool = False, client: Client | str | None = None
                    ) -> Iterator[list[Sentence]]:
    """The annotated sentences of plain text or CoNLL, batch by batch.

    A file is read as CoNLL if its first line that is neither blank nor a comment has
    a token's ten columns.

    file : its name, for messages
    probabilities : as in `Pipeline.annotate`
    client : a `dask.distributed.Client` or the address of a scheduler, whose workers
        annotate the batches; the result is the same
    """
    stream, conll = _looked_at(stream)
    annotate: Callable[[Pipeline, Any], list[Sentence]]
    parts: Iterator[list[Sentence]] | Iterator[list[Draft]]
    if conll:
        annotate = partial(Pipeline.annotate, probabilities=probabilities)
        parts = token_batches(chain.from_iterable(read_batches(stream, file)), len)
    else:
        annotate = partial(annotate_drafts, probabilities=probabilities)
        parts = token_batches(pipeline.splitter().drafts(text_chunks(stream, file)),
                              lambda draft: len(draft.tokens))
    with connected(client) as cluster:
        yield from map(partial(annotate, pipeline), parts) \
            if cluster is None else cluster.imap(annotate, parts, cluster.share(pipeline))


def token_batches(items: Iterable[Item], n_tokens: Callable[[Item], int]
                  ) -> Iterator[list[Item]]:
    """Sentences in lists of about `TOKENS_AT_ONCE` tokens."""
    batch: list[Item] = []
    tokens = 0
    for item in items:
        batch.append(item)
        tokens += n_tokens(item)
        if tokens >= TOKENS_AT_ONCE:
            yield batch
            batch, tokens = [], 0
    if batch:
        yield batch


def _looked_at(stream: ByteStream) -> tuple[ByteStream, bool]:
    """The stream from its beginning, and whether it looks like CoNLL."""
    chunks, head = iter(stream), b""
    while len(head) < TELLING_SIZE and (chunk := next(chunks, b"")):
        head += chunk
    return _Again(stream, chain([head], chunks)), is_conll(head)


class _Again(ByteStream):
    """A stream of which the first chunks were looked at, and are there again."""

    def __init__(self, stream: ByteStream, chunks: Iterator[bytes]):
        super().__init__(chunks, stream.size, stream.name)
        self.stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self.chunks
        self.broken = self.stream.broken        # known at the end

    @property
    def fraction(self) -> float:
        return self.stream.fraction
