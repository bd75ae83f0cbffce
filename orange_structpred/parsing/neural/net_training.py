"""Learning the net of a treebank."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.neural.encoder import NetOptions
from orange_structpred.neural.sequences import epoch_batches
from orange_structpred.neural.training import EpochReport, NetTraining
from orange_structpred.neural.weights import Weights
from orange_structpred.parsing.neural.head_losses import CROSS_ENTROPY, HeadLoss
from orange_structpred.parsing.neural.net_model import NetModel, make_net
from orange_structpred.parsing.neural.tree_net import NetBatch, TreeNet
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.relations import RelationNumbers
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.token_symbols import TokenSymbols

RATE = 3e-3


class TreebankNet:
    """A net and the sentences from which it learns.

    Parameters
    ----------
    net, weights : with weights as they are before training
    encoded : the sentences, with their heads
    symbols : of all positions, see `TokenSymbols`; there may be several for each
        sentence, all positions one time after the other, of which one is drawn at random
        in each epoch
    relations : the number of each position's relation
    """

    def __init__(self, net: TreeNet, weights: Weights, encoded: Encoded,
                 symbols: np.ndarray, relations: np.ndarray):
        self.net, self.weights, self.encoded = net, weights, encoded
        self.symbols, self.relations = symbols, relations
        self.heads = encoded.heads if encoded.known is None else np.where(
            encoded.known, encoded.heads, np.int32(-1))     # not those that were guessed

    def batches(self, rng: np.random.Generator) -> list[np.ndarray]:
        return epoch_batches(np.diff(self.encoded.offsets), rng)

    def learn(self, batch: np.ndarray, rng: np.random.Generator) -> float:
        positions = self.encoded.positions(batch)
        sizes = np.diff(self.encoded.offsets)[batch]
        n = len(self.encoded.heads)
        copies, seen = len(self.symbols) // max(1, n), positions
        if copies > 1:
            seen = positions + n * np.repeat(rng.integers(copies, size=len(batch)), sizes)
        return self.net.learn(self.weights, NetBatch(
            np.concatenate([[0], np.cumsum(sizes)]), self.symbols[seen],
            self.heads[positions], self.relations[positions]), rng)

    def fingerprint(self) -> str:
        return fingerprint(repr((self.net.options, self.net.head_loss)),
                           self.encoded.offsets, self.heads,
                           self.symbols, self.relations)


class TrainedNet(NamedTuple):
    """A net and how its training went."""

    model: NetModel
    reports: list[EpochReport]
    stopped: bool
    kept_epoch: int | None


def train_net(sentences: Sequence[Sentence], encoded: Encoded, relations: RelationNumbers,
              options: NetOptions, *, epochs: int, head_loss: HeadLoss = CROSS_ENTROPY,
              copies: int = 1, rate: float = RATE, random_state: int = 0,
              callback: Callable[[EpochReport], object] | None = None,
              validate: Callable[[NetModel], float] | None = None,
              keep_best: bool = True, checkpoint: str | os.PathLike | None = None
              ) -> TrainedNet:
    """The net of some sentences with heads.

    head_loss : what is minimised for heads
    copies : of each sentence, with different tags: first all sentences, then all of them
        again; a net learns from one of them in each epoch
    callback, keep_best, checkpoint : as in `NetTraining`
    validate : the loss of a net on other sentences
    """
    symbols = TokenSymbols.of(sentences)
    net = make_net(symbols, relations.names, options, head_loss)
    rows, numbers = symbols.of_sentences(sentences), relations.numbers
    if copies > 1:
        encoded = encoded.between(0, len(encoded) // copies)
        numbers = numbers[:len(encoded.heads)]
    weights = Weights(net.layers)
    weights.draw(np.random.default_rng([random_state, len(encoded)]))
    model = NetModel(net, weights, symbols, relations.names)
    training = NetTraining(
        TreebankNet(net, weights, encoded, rows, numbers),
        epochs=epochs, rate=rate, random_state=random_state, callback=callback,
        validate=validate and (lambda: validate(model)), keep_best=keep_best,
        checkpoint=checkpoint)
    training.run()
    # as a file keeps them
    weights.values[:] = weights.values.astype(np.float16)
    return TrainedNet(model, training.reports, training.stopped, training.kept_epoch)
