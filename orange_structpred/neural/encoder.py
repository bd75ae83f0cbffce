"""Tokens in their sentences: embeddings of what is seen of them, read by LSTMs."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from orange_structpred.neural.layers import Embedding, group_masks, sentence_masks
from orange_structpred.neural.lstm import BiLSTM, Trace
from orange_structpred.neural.sequences import PackedSteps
from orange_structpred.neural.weights import Layer, Weights
from orange_structpred.running.hash_table import equal_rows

UNKNOWN = 0         # the symbol of what is hidden


@dataclass(frozen=True)
class NetOptions:
    """Sizes of a net, and how much is hidden while it learns.

    hidden : memory of an LSTM, in each direction
    dropout : share of columns that a sentence loses
    group_dropout : share of its embeddings that a token loses
    unknown : share of words and lemmas that become unknown
    """

    hidden: int = 160
    dropout: float = 0.3
    group_dropout: float = 0.1
    unknown: float = 0.2


class SymbolGroup(NamedTuple):
    """Symbols of tokens that share an embedding.

    symbols : how many there are
    size : columns of the embedding
    columns : of the tokens' symbols
    hidden_from : symbols from this one on become unknown now and then; 0 for none
    """

    name: str
    symbols: int
    size: int
    columns: slice
    hidden_from: int = 0


class EncoderTrace(NamedTuple):
    """What `backward` needs."""

    symbols: np.ndarray
    steps: PackedSteps
    groups: np.ndarray              # masks of embeddings
    inputs: list[np.ndarray]        # of the LSTMs
    traces: list[tuple[Trace, Trace]]
    masks: list[np.ndarray]         # of their outputs


class TokenSums(NamedTuple):
    """What tokens add to the first LSTM, which is the same for equal tokens.

    sums : a row for each distinct token
    rows : of these, for each token
    """

    sums: np.ndarray
    rows: np.ndarray

    def at(self, tokens: np.ndarray | slice) -> TokenSums:
        """Some of the tokens."""
        return TokenSums(self.sums, self.rows[tokens])


class TokenEncoder:
    """Two bidirectional LSTMs over the embeddings of tokens.

    Parameters
    ----------
    groups : what is seen of a token; their embeddings stand side by side
    """

    def __init__(self, groups: Sequence[SymbolGroup], options: NetOptions):
        self.groups, self.options = list(groups), options
        self.embeddings = [Embedding(group.name, group.symbols, group.size) for group in groups]
        ends = np.cumsum([0, *(group.size for group in groups)]).tolist()
        self._columns = list(map(slice, ends[:-1], ends[1:]))
        hidden = options.hidden
        self.lstms = [BiLSTM("lstm1", ends[-1], hidden),
                      BiLSTM("lstm2", 2 * hidden, hidden)]
        self.size = 2 * hidden      # columns of the outputs

    @property
    def layers(self) -> list[Layer]:
        return [*self.embeddings, *self.lstms]

    def sums(self, weights: Weights, symbols: np.ndarray) -> TokenSums:
        """What `forward` reads: a fifth of the work where there are many tokens, as most
        of them are equal to others."""
        rows, firsts = equal_rows(symbols)
        return TokenSums(self.lstms[0].sums(
            weights, self._embed(weights, symbols[firsts])), rows)

    def forward(self, weights: Weights, tokens: TokenSums, offsets: np.ndarray
                ) -> np.ndarray:
        """A row for each token; sentence i has the rows offsets[i] to
        offsets[i + 1] - 1."""
        steps, (first, second) = PackedSteps(offsets), self.lstms
        x, _ = first.read(weights, tokens.sums, steps, tokens.rows)
        return second.forward(weights, x, steps)[0]

    def learn(self, weights: Weights, symbols: np.ndarray, offsets: np.ndarray,
              rng: np.random.Generator) -> tuple[np.ndarray, EncoderTrace]:
        """The same with some of it hidden, and what `backward` needs."""
        options, dtype = self.options, weights.values.dtype
        symbols = self._hide(symbols, rng)
        x = self._embed(weights, symbols)
        groups = group_masks(rng, options.group_dropout, len(x),
                             [group.size for group in self.groups], dtype)
        x *= groups
        trace = EncoderTrace(symbols, PackedSteps(offsets), groups, [], [], [])
        for lstm in self.lstms:
            trace.inputs.append(x)
            x, lstm_trace = lstm.forward(weights, x, trace.steps, traced=True)
            mask = sentence_masks(rng, options.dropout, offsets, x.shape[1], dtype)
            x *= mask
            trace.traces.append(lstm_trace)
            trace.masks.append(mask)
        return x, trace

    def backward(self, weights: Weights, trace: EncoderTrace, dx: np.ndarray) -> None:
        """Add to the gradients, given that of the outputs."""
        for k in reversed(range(len(self.lstms))):
            dx = self.lstms[k].backward(weights, trace.inputs[k], trace.steps,
                                        trace.traces[k], dx * trace.masks[k])
        dx *= trace.groups
        for group, columns, table in zip(self.groups, self._columns, self.embeddings):
            table.backward(weights, trace.symbols[:, group.columns], dx[:, columns])

    def _embed(self, weights: Weights, symbols: np.ndarray) -> np.ndarray:
        x = np.empty((len(symbols), self.lstms[0].inputs), weights.values.dtype)
        for group, columns, table in zip(self.groups, self._columns, self.embeddings):
            table.forward(weights, symbols[:, group.columns], x[:, columns])
        return x

    def _hide(self, symbols: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The symbols with some words unknown."""
        symbols = symbols.copy()
        for group in self.groups:
            if group.hidden_from:
                column = symbols[:, group.columns.start]
                chosen = rng.random(len(column), dtype=np.float32) < self.options.unknown
                column[chosen & (column >= group.hidden_from)] = UNKNOWN
        return symbols
