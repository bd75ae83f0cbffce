"""A trained net: what it says of sentences, and its place in a file."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orange_structpred.files.models import ModelFile
from orange_structpred.files.schema import Array, ListOf, Schema, Text, Whole
from orange_structpred.neural.encoder import NetOptions, SymbolGroup
from orange_structpred.neural.layers import square_bounds
from orange_structpred.neural.sequences import (
    GROUPS_AT_ONCE,
    TOKENS_AT_ONCE,
    groups_by_length,
)
from orange_structpred.neural.settings import LARGEST_HIDDEN
from orange_structpred.neural.weights import Weights
from orange_structpred.parsing.neural.head_losses import CROSS_ENTROPY, HeadLoss
from orange_structpred.parsing.neural.tree_net import TreeNet, Views
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.threads import map_chunks, one_blas_thread
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.token_symbols import (
    NO_SYMBOL,
    TREE_LAYERS,
    UNKNOWN_SYMBOL,
    TokenSymbols,
)

#: Columns of each embedding
EMBEDDING_SIZES = {"form": 100, "lemma": 50, "upos": 32, "xpos": 32, "feats": 16,
                   "feature": 16, "piece": 64}
NET_COMPONENT = "net"       # of a parser's file


class NetModel:
    """A net with weights.

    Parameters
    ----------
    net, weights : as they were learned
    symbols : what was seen of tokens
    relations : names
    """

    def __init__(self, net: TreeNet, weights: Weights, symbols: TokenSymbols,
                 relations: Sequence[str]):
        self.net, self.weights, self.symbols = net, weights, symbols
        self.relations = tuple(relations)

    @property
    def n_weights(self) -> int:
        return self.weights.size

    def scores(self, sentences: Sequence[Sentence], encoded: Encoded, *,
               n_jobs: int = 1, check_cancelled: CheckCancelled = never_cancelled
               ) -> NetScores:
        """What the net says of some sentences."""
        return self._scores(self.symbols.of_sentences(sentences), encoded, n_jobs,
                            check_cancelled)

    def _scores(self, symbols: np.ndarray, encoded: Encoded, n_jobs: int,
                check_cancelled: CheckCancelled) -> NetScores:
        offsets = encoded.offsets
        squares = square_bounds(offsets)
        views = Views(*(np.empty(shape, self.weights.values.dtype) for shape in (
            int(squares[-1]), (len(symbols), self.net.relation_size),
            (len(symbols), self.net.relation_size))))
        groups = groups_by_length(np.diff(offsets))

        def work(first: int, last: int) -> None:
            tokens = encoded.positions(np.concatenate(groups[first:last]))
            sums = self.net.encoder.sums(self.weights, symbols[tokens])
            last_row = 0
            for group in groups[first:last]:
                ends = np.append(0, np.cumsum(np.diff(offsets)[group]))
                part = slice(last_row, last_row + int(ends[-1]))
                rows, last_row = tokens[part], part.stop
                view = self.net.view(self.weights, sums.at(part), ends)
                views.dependents[rows], views.governors[rows] = view[1:]
                done = 0
                for sentence in group.tolist():
                    start, end = squares[sentence], squares[sentence + 1]
                    views.heads[start:end] = view.heads[done:done + end - start]
                    done += end - start

        with one_blas_thread():
            map_chunks(work, len(groups), n_jobs, check_cancelled, size=GROUPS_AT_ONCE)
        return NetScores(self, offsets, views)

    def influences(self, sentence: Sentence, encoded: Encoded, head: int, dependent: int,
                   check_cancelled: CheckCancelled = never_cancelled) -> np.ndarray:
        """How much the log-probability of a head falls when a token cannot be seen, for
        each token of the sentence.

        encoded : the sentence alone
        """
        n = len(sentence) + 1
        seen, hidden = self.symbols.of_sentences([sentence]), self._hidden_row()
        values = np.empty(n)
        at_once = max(1, TOKENS_AT_ONCE // n)       # copies with different tokens hidden
        for first in range(0, n, at_once):
            tokens = np.arange(first, min(n, first + at_once))
            symbols = np.tile(seen, (len(tokens), 1))
            rows = np.arange(len(tokens)) * n + tokens
            symbols[rows[tokens > 0]] = hidden      # the first copy is the whole sentence
            copies = encoded.select(np.zeros(len(tokens), np.int64))
            heads = self._scores(symbols, copies, 1, check_cancelled).views.heads
            values[tokens] = heads.reshape(-1, n, n)[:, dependent, head]
        return values[0] - values[1:]

    def _hidden_row(self) -> np.ndarray:
        """The symbols of a token that cannot be seen."""
        columns = self.symbols.columns
        row = np.empty(max(span.stop for span in columns.values()), np.int32)
        for layer, span in columns.items():
            single = TREE_LAYERS[layer].width == 1
            row[span] = UNKNOWN_SYMBOL if single else NO_SYMBOL
        return row

    # in and out

    def header(self) -> dict:
        return {"hidden": self.net.options.hidden, "relations": list(self.relations)}

    def arrays(self) -> dict[str, np.ndarray]:
        return {"weights": self.weights.values.astype(np.float16), **self.symbols.known}

    schema = Schema(
        header={"hidden": Whole(1, LARGEST_HIDDEN), "relations": ListOf(Text(1000), 1 << 16)},
        arrays={"weights": Array("float16", "weights"),
                **{name: Array("uint64", f"{name}s", rising=True)
                   for name, layer in TREE_LAYERS.items() if not layer.hashed}})

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> NetModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        values = arrays.pop("weights")
        symbols = TokenSymbols(arrays)
        net = make_net(symbols, header["relations"], NetOptions(header["hidden"]))
        return cls(net, Weights(net.layers, values), symbols, header["relations"])


def make_net(symbols: TokenSymbols, relations: Sequence[str], options: NetOptions,
             head_loss: HeadLoss = CROSS_ENTROPY) -> TreeNet:
    """The net of a treebank with these symbols and relations."""
    return TreeNet([SymbolGroup(*group) for group in symbols.groups(EMBEDDING_SIZES)],
                   len(relations), options, head_loss)


@dataclass(frozen=True)
class NetScores:
    """What a net says of some sentences.

    offsets : of the sentences, as in `Encoded`
    """

    model: NetModel
    offsets: np.ndarray
    views: Views

    def between(self, first: int, last: int) -> NetScores:
        """The sentences first..last - 1."""
        rows = slice(self.offsets[first], self.offsets[last])
        squares = square_bounds(self.offsets)
        return NetScores(
            self.model, self.offsets[first:last + 1] - self.offsets[first],
            Views(self.views.heads[squares[first]:squares[last]],
                  self.views.dependents[rows], self.views.governors[rows]))

    def log_heads(self, sentence: int) -> np.ndarray:
        """Log-probabilities [head, dependent] of a sentence."""
        start, stop = square_bounds(self.offsets)[sentence:sentence + 2]
        n = self.offsets[sentence + 1] - self.offsets[sentence]
        return self.views.heads[start:stop].reshape(n, n).T

    def log_relations(self, heads: np.ndarray) -> np.ndarray:
        """Log-probabilities of relations: a row for each position, a column for each
        relation of the net; 0 for roots.

        heads : of all positions, counted within the sentence; -1 for roots
        """
        result = np.zeros((len(heads), len(self.model.relations)), np.float32)
        dependents = np.flatnonzero(heads >= 0)
        starts = np.repeat(self.offsets[:-1], np.diff(self.offsets))
        with one_blas_thread():
            result[dependents] = self.model.net.log_relations(
                self.model.weights, self.views, dependents,
                starts[dependents] + heads[dependents])
        return result
