"""The net of a tagger: an encoder of words, and probabilities of the values of layers."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.files.models import ModelFile
from orange_structpred.files.schema import Array, Number, Schema, Whole
from orange_structpred.neural.encoder import (
    NetOptions,
    SymbolGroup,
    TokenEncoder,
    TokenSums,
)
from orange_structpred.neural.layers import Linear
from orange_structpred.neural.losses import cross_entropy_rows, log_softmax_rows
from orange_structpred.neural.sequences import epoch_batches, groups_by_length
from orange_structpred.neural.settings import LARGEST_HIDDEN
from orange_structpred.neural.training import EpochReport, NetTraining
from orange_structpred.neural.weights import Weights
from orange_structpred.running.threads import one_blas_thread
from orange_structpred.treebank.normal_form import normal_form
from orange_structpred.treebank.token_symbols import WORD_LAYERS, TokenSymbols

#: Columns of each embedding
WORD_SIZES = {"form": 100, "piece": 128}
TAG_RATE = 3e-3         # the largest step of Adam
LEAST_TAG_LOG = np.float32(-12)     # no value is thought less probable than this
LARGEST_TAG_WEIGHT = 1000.


class TagBatch(NamedTuple):
    """Sentences for the net, each with its root first.

    offsets : sentence i has the rows offsets[i] to offsets[i + 1] - 1
    symbols : int32, see `TokenSymbols`
    values : int32 (rows, layers), those that are right, counted within the layer; -1 at
        roots
    """

    offsets: np.ndarray
    symbols: np.ndarray
    values: np.ndarray


class TagNet:
    """The encoder, and a linear form for each value of each layer.

    Parameters
    ----------
    groups : what is seen of tokens
    sizes : how many values each layer of tags has
    """

    def __init__(self, groups: Sequence[SymbolGroup], sizes: Sequence[int],
                 options: NetOptions):
        self.sizes = list(sizes)
        self.encoder = TokenEncoder(groups, options)
        self.values = Linear("values", self.encoder.size, sum(sizes))

    @property
    def layers(self) -> list:
        return [*self.encoder.layers, self.values]

    def log_values(self, weights: Weights, tokens: TokenSums, offsets: np.ndarray
                   ) -> np.ndarray:
        """Log-probabilities: a row for each token, layers side by side.

        tokens : by the encoder's `sums`
        """
        return self._normalised(self.values.forward(
            weights, self.encoder.forward(weights, tokens, offsets)))

    def _normalised(self, scores: np.ndarray) -> np.ndarray:
        log_softmax_rows(scores.reshape(-1), self._bounds(len(scores)))
        return scores

    def _bounds(self, rows: int) -> np.ndarray:
        """Where the scores of each layer of each token begin."""
        return np.concatenate([[0], np.cumsum(np.tile(self.sizes, rows))])

    def learn(self, weights: Weights, batch: TagBatch, rng: np.random.Generator) -> float:
        """Add the gradients of the batch's mean loss, which is returned: the negative
        logarithm of the probability of a token's values."""
        x, trace = self.encoder.learn(weights, batch.symbols, batch.offsets, rng)
        logs = self._normalised(self.values.forward(weights, x))
        known = max(1, int(np.count_nonzero(batch.values[:, 0] >= 0)))
        dscores = np.empty_like(logs)
        loss = cross_entropy_rows(
            logs.reshape(-1), self._bounds(len(logs)), batch.values.reshape(-1),
            logs.dtype.type(1 / known), dscores.reshape(-1))
        self.encoder.backward(weights, trace, self.values.backward(weights, x, dscores))
        return loss / known


class LearnedTags:
    """A net and the sentences from which it learns."""

    def __init__(self, net: TagNet, weights: Weights, examples: TagBatch):
        self.net, self.weights, self.examples = net, weights, examples

    def batches(self, rng: np.random.Generator) -> list[np.ndarray]:
        return epoch_batches(np.diff(self.examples.offsets), rng)

    def learn(self, batch: np.ndarray, rng: np.random.Generator) -> float:
        rows, offsets = rows_of(self.examples.offsets, batch)
        return self.net.learn(self.weights, TagBatch(
            offsets, self.examples.symbols[rows], self.examples.values[rows]), rng)

    def fingerprint(self) -> str:
        return fingerprint(repr(self.net.encoder.options), *self.examples)


class TagNetModel:
    """A trained net.

    Parameters
    ----------
    parts : for each layer the parts of labels that are its values, see `Chain`
    weight : what a nat of its probabilities is worth
    """

    def __init__(self, net: TagNet, weights: Weights, symbols: TokenSymbols,
                 parts: Sequence[np.ndarray], weight: float):
        self.net, self.weights, self.symbols = net, weights, symbols
        self.parts, self.weight = np.concatenate(parts), weight

    def part_scores(self, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        """What is added to the score of each part, a row for each token.

        sentences : the forms of each sentence
        """
        symbols, offsets = word_symbols(self.symbols, sentences)
        logs = np.empty((len(symbols), len(self.parts)), self.weights.values.dtype)
        with one_blas_thread():
            sums = self.net.encoder.sums(self.weights, symbols)
            for group in groups_by_length(np.diff(offsets)):
                rows, bounds = rows_of(offsets, group)
                logs[rows] = self.net.log_values(self.weights, sums.at(rows), bounds)
        logs = np.delete(logs, offsets[:-1], axis=0)      # roots
        result = np.empty_like(logs)
        result[:, self.parts] = np.float32(self.weight) * np.maximum(logs, LEAST_TAG_LOG)
        return result

    # in and out

    def header(self) -> dict:
        return {"hidden": self.net.encoder.options.hidden, "weight": self.weight}

    def arrays(self) -> dict[str, np.ndarray]:
        return {"weights": self.weights.values.astype(np.float16), **self.symbols.known}

    schema = Schema(
        header={"hidden": Whole(1, LARGEST_HIDDEN),
                "weight": Number(0, LARGEST_TAG_WEIGHT)},
        arrays={"weights": Array("float16", "weights"),
                **{name: Array("uint64", f"{name}s", rising=True)
                   for name, layer in WORD_LAYERS.items() if not layer.hashed}})

    @classmethod
    def read(cls, file: ModelFile, name: str, label_parts: np.ndarray) -> TagNetModel:
        """The net out of a component of a file, for labels with these parts."""
        header, arrays = file.component(cls.schema, name)
        values = arrays.pop("weights")
        symbols, parts = TokenSymbols(arrays, WORD_LAYERS), layer_parts(label_parts)
        net = make_tag_net(symbols, parts, NetOptions(header["hidden"]))
        return cls(net, Weights(net.layers, values), symbols, parts, header["weight"])


def layer_parts(label_parts: np.ndarray) -> list[np.ndarray]:
    """The parts in each column."""
    return [np.unique(column) for column in label_parts.T]


def make_tag_net(symbols: TokenSymbols, parts: Sequence[np.ndarray], options: NetOptions
                 ) -> TagNet:
    return TagNet([SymbolGroup(*group) for group in symbols.groups(WORD_SIZES)],
                  list(map(len, parts)), options)


def word_columns(sentences: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    return {"forms": list(map(normal_form, chain.from_iterable(sentences)))}


def word_symbols(symbols: TokenSymbols, sentences: Sequence[Sequence[str]]
                 ) -> tuple[np.ndarray, np.ndarray]:
    """The symbols of words, and where sentences begin, each with its root first."""
    lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
    return (symbols.of_tokens(word_columns(sentences), lengths),
            np.append(0, np.cumsum(lengths + 1)))


def rows_of(offsets: np.ndarray, sentences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of some sentences, and where each begins among them."""
    sizes = np.diff(offsets)[sentences]
    begins = np.append(0, np.cumsum(sizes))
    return np.repeat(offsets[sentences] - begins[:-1], sizes) + np.arange(begins[-1]), begins


def train_tag_net(sentences: Sequence[Sequence[str]], labels: np.ndarray,
                  label_parts: np.ndarray, options: NetOptions, *, epochs: int,
                  weight: float, random_state: int = 0,
                  callback: Callable[[EpochReport], object] | None = None
                  ) -> tuple[TagNetModel, list[EpochReport]]:
    """The net of tagged sentences, and how its training went.

    sentences : the forms of each sentence
    labels : of all tokens
    """
    symbols = TokenSymbols.learn(word_columns(sentences), WORD_LAYERS)
    parts = layer_parts(label_parts)
    net = make_tag_net(symbols, parts, options)
    weights = Weights(net.layers)
    weights.draw(np.random.default_rng([random_state, len(sentences)]))
    rows, offsets = word_symbols(symbols, sentences)
    values = np.stack([np.searchsorted(part, column)[labels] for part, column
                       in zip(parts, label_parts.T)], axis=1).astype(np.int32)
    padded = np.full((len(rows), len(parts)), -1, np.int32)
    padded[np.delete(np.arange(len(rows)), offsets[:-1])] = values
    training = NetTraining(LearnedTags(net, weights, TagBatch(offsets, rows, padded)),
                           epochs=epochs, rate=TAG_RATE, random_state=random_state,
                           callback=callback)
    training.run()
    weights.values[:] = weights.values.astype(np.float16)       # as a file keeps them
    return TagNetModel(net, weights, symbols, parts, weight), training.reports
