"""Annotating and parsing files that are larger than memory, here or on a cluster."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from orange_structpred.files.streaming import ByteStream
from orange_structpred.parser import MissingTagsError, Parser
from orange_structpred.pipeline.drafts import annotate_drafts
from orange_structpred.pipeline.trained_pipeline import Pipeline
from orange_structpred.running.cluster import connected
from orange_structpred.tagging.documents import Draft, batches
from orange_structpred.treebank.conll import (
    Piece,
    as_bytes,
    conll_pieces,
    nothing_found,
    parse_piece,
    read_batches,
)
from orange_structpred.treebank.seen import count_seen_sentences
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import TELLING_SIZE, is_conll, text_chunks

if TYPE_CHECKING:
    from distributed import Client

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
    annotate: Callable[[Pipeline, Any], list[Sentence]]
    parts: Iterator[list[Sentence]] | Iterator[list[Draft]]
    if is_conll(stream.head(TELLING_SIZE)):
        annotate = partial(Pipeline.annotate, probabilities=probabilities)
        parts = batches(chain.from_iterable(read_batches(stream, file)), len,
                        TOKENS_AT_ONCE)
    else:
        annotate = partial(annotate_drafts, probabilities=probabilities)
        parts = batches(pipeline.splitter().drafts(text_chunks(stream, file)),
                        lambda draft: len(draft.tokens), TOKENS_AT_ONCE)
    with connected(client) as cluster:
        yield from map(partial(annotate, pipeline), parts) \
            if cluster is None else cluster.imap(annotate, parts, cluster.share(pipeline))


class ParsedPiece(NamedTuple):
    """A part of a file with predicted trees, how many sentences it has, and how many of
    them the parser was trained on."""

    data: bytes
    sentences: int
    seen: int = 0


def parse_stream(parser: Parser, stream: ByteStream, file: str, *,
                 client: Client | str | None = None, probabilities: bool = False,
                 trees: bool = True) -> Iterator[ParsedPiece]:
    """The sentences of a CoNLL file with predicted trees, piece by piece.

    Only some pieces are in memory at a time, however large the file is. The first error
    is raised when its piece is reached.

    file : its name, for messages
    client : a `dask.distributed.Client` or the address of a scheduler, whose workers
        parse the pieces; the result is the same
    probabilities, trees : as in `Parser.parse`
    """
    work = partial(parse_one, probabilities=probabilities, trees=trees)
    done = 0
    last: Piece | None = None

    def pieces() -> Iterator[Piece]:
        nonlocal last
        for piece in conll_pieces(stream):
            last = piece
            yield piece

    with connected(client) as cluster:
        parsed = ((work(parser, file, piece) for piece in pieces())
                  if cluster is None else
                  cluster.imap(work, pieces(), *map(cluster.share, (parser, file))))
        while True:
            try:
                result = next(parsed, None)
            except MissingTagsError as error:
                raise error.after(done, file) from error
            if result is None:
                break
            yield result
            done += result.sentences
    if not done and last is not None:
        raise nothing_found(last, file)


def parse_one(parser: Parser, file: str, piece: Piece, *, probabilities: bool, trees: bool
              ) -> ParsedPiece:
    sentences = parse_piece(piece, file)
    if sentences.skipped:
        raise sentences.skipped[0]
    parsed = parser.parse(sentences, probabilities=probabilities, trees=trees)
    return ParsedPiece(as_bytes(parsed), len(sentences),
                       count_seen_sentences(sentences, parser.training_ids))
