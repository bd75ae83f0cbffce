"""What a training consists of: sentences, a problem for the solver, and its parser."""
from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from orange_structpred.kinds import MOST_SEEDS
from orange_structpred.parser import Parser
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.running.cluster import Cluster
from orange_structpred.svm import Report
from orange_structpred.svm.solver import Measures
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.in_memory import MemoryTreebank
from orange_structpred.treebank.on_disk import DiskTreebank
from orange_structpred.treebank.relations import RelationNumbers
from orange_structpred.treebank.sentence import Sentence


@dataclass
class TrainingSet:
    """The sentences that trees are learned from, encoded, and how.

    numbers : of the sentences in the treebank, without those that are held out
    group_norms : what was learned of hash functions, input kernels or feature groups before
        the parser itself, if anything
    unlabelled : further sentences, whose trees are not looked at
    """

    treebank: MemoryTreebank | DiskTreebank
    numbers: np.ndarray
    encoded: Encoded
    decoder: str
    seed: int
    cancellation: Cancellation
    cluster: Cluster | None = None
    group_norms: dict[str, float] | None = None
    unlabelled: Sequence[Sentence] = ()

    @property
    def decoder_code(self) -> int:
        return DECODERS[self.decoder]

    def relations(self) -> RelationNumbers:
        """Of these sentences; the names are those of the whole treebank."""
        names, numbers = self.treebank.relations()
        if len(self.encoded.heads) < len(numbers):
            numbers = self.treebank.encoded(self.cancellation).taken(numbers, self.numbers)
        return RelationNumbers(names, numbers).where(self.encoded.known)

    def sentences(self) -> list[Sentence]:
        """Whoever iterates over them is cancelled when asked to."""
        return self.cancellation.cancellable(self.treebank.sentences_at(self.numbers))


class Training(NamedTuple):
    """A problem for a solver, and how its solution becomes a parser."""

    problem: Any                # what the solver of its kind learns from
    parser: Callable[..., Parser]
    held_out: list[Sentence]        # that nothing is learned from
    given: TrainingSet
    measures: Measures              # what is reported besides the loss of trees

    def calibrated(self, parser: Parser) -> Parser:
        """The parser, with a temperature that is fitted to the held-out sentences."""
        unseen = [sentence for sentence in self.held_out if len(sentence) <= parser.longest]
        if unseen:
            parser.fit_temperature(unseen)
        return parser


def reported(callback: Callable[[Report], object]) -> Progress:
    """A progress function that sends reports of pass 0: the work before the solver.

    Their fraction is that of the kernel matrix: 0 before it and where there is none.
    """
    began = time.perf_counter()
    return lambda fraction, text="": callback(
        Report(0, fraction, time.perf_counter() - began, 0))


def waiting(callback: Callable[[Report], object], last: Report
            ) -> Callable[[Report], object]:
    """A callback for work after the last pass: it can be stopped, and adds no pass."""
    return lambda report: callback(replace(last, end_of_pass=False))


def mean_loss(parser: Parser, treebank: Treebank, progress: Progress) -> float:
    """Share of wrong heads in a sentence, averaged over the sentences, as for training
    sentences."""
    predicted = parser.predict_heads(treebank, progress=progress)
    return float(np.mean([np.mean(sentence.heads != heads)
                          for sentence, heads in zip(treebank.sentences, predicted)]))


def seed_of(random_state: object) -> int:
    """A seed for one training, as scikit-learn reads a random_state."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(MOST_SEEDS))
