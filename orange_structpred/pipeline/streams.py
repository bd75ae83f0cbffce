"""Parsing files that are larger than memory, here or on a cluster."""
from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from orange_structpred.files.streaming import ByteStream
from orange_structpred.parser import MissingTagsError, Parser
from orange_structpred.running.cluster import connected
from orange_structpred.treebank.conll import (
    Piece,
    as_bytes,
    conll_pieces,
    nothing_found,
    parse_piece,
)

if TYPE_CHECKING:
    from distributed import Client


class ParsedPiece(NamedTuple):
    """A part of a file with predicted trees, and how many sentences it has."""

    data: bytes
    sentences: int


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
    return ParsedPiece(as_bytes(parsed), len(sentences))
