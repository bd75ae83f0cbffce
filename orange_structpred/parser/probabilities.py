"""What a parser says of probabilities: of edges, of whole trees."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.parser.expected_tags import check_tags
from orange_structpred.parsing.calibration import (
    FEWEST_TO_CALIBRATE,
    as_probabilities,
    fit_tree_temperature,
    head_probabilities,
)
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.decoding.distribution import ScoredTree, TreeDistribution
from orange_structpred.parsing.neural.net_model import NetScores
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.running.cancellation import CheckCancelled
from orange_structpred.running.threads import map_chunks, n_threads
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.sentence import Sentence

#: Why a parser that was to be calibrated may not be
OF_NO_SCALE = ("Scores of parsers that have learned from few sentences, and of some kernel "
               "parsers, such as those of the solver 'ridge', do not say how sure a parser "
               "is")


class NotCalibratedError(InputError):
    """A parser that does not know how sure it is."""


class Probabilities:
    """A part of `Parser`."""

    model: TreeModel
    name: str
    decoder: str
    single_root: bool
    n_jobs: int
    longest: int
    tags: np.ndarray
    temperature: float | None

    @property
    def calibrated(self) -> bool:
        """Whether the parser knows how sure it is."""
        return self.temperature is not None

    def expect_calibrated(self) -> float:
        """The temperature; an error that says what to do if there is none."""
        if self.temperature is None:
            self.model.expect_edge_scores()
            raise NotCalibratedError(
                f"the parser {self.name!r} is not calibrated, so its probabilities are "
                "unknown; call its method calibrate with a treebank that it was not "
                f"trained on, or train it with calibrate=True on at least "
                f"{FEWEST_TO_CALIBRATE} sentences. {OF_NO_SCALE}")
        return self.temperature

    def edge_probabilities(self, sentence: Sentence) -> np.ndarray:
        """The probability of each edge: probabilities[head, dependent], with the root
        at position 0.

        The column of each token adds up to 1. Pruned edges have none.
        """
        return as_probabilities(self._trees(sentence).marginals(self.expect_calibrated())[1])

    def k_best(self, sentence: Sentence, k: int) -> list[ScoredTree]:
        """The best k trees with their scores and probabilities; all trees that the
        decoder can build, if there are fewer.

        With a decoder other than "projective" they are the best of all trees. If the
        parser is not calibrated, probabilities are nan.
        """
        if k < 1:
            raise InputError(f"k must be at least 1, not {k}")
        return self._trees(sentence).k_best(k, self.temperature)

    def _trees(self, sentence: Sentence) -> TreeDistribution:
        if len(sentence) > self.longest:
            raise InputError(
                f"found a sentence of {len(sentence)} tokens, expected at most "
                f"{self.longest}: longer ones are parsed in pieces")
        check_tags([sentence], self.tags, self.name)
        return self._distributions([sentence], encode([sentence]))[0]

    def _distributions(self, sentences: Sequence[Sentence], encoded: Encoded,
                       net_scores: NetScores | None = None) -> list[TreeDistribution]:
        return self.model.distributions(
            sentences, encoded, DECODERS[self.decoder], self.single_root, net_scores)

    def head_probabilities(self, sentences: Sequence[Sentence], encoded: Encoded,
                           heads: Sequence[np.ndarray], n_jobs: int,
                           check_cancelled: CheckCancelled,
                           net_scores: NetScores | None = None) -> list[np.ndarray]:
        """The probability of each head of each sentence.

        net_scores : what the net says of the sentences, if it was asked already
        """
        chunks = map_chunks(
            lambda first, last: head_probabilities(
                self._distributions(sentences[first:last], encoded.between(first, last),
                                    net_scores and net_scores.between(first, last)),
                heads[first:last], self.expect_calibrated()),
            len(sentences), n_jobs, check_cancelled)
        return [row for chunk in chunks for row in chunk]

    def calibrate(self, data: Iterable[Sentence] | Table) -> None:
        """Fit the temperature to sentences with heads that the parser was not trained
        on, so that its probabilities are calibrated.

        If no temperature makes them fit better than one probability for all heads, this
        is an error, and the parser stays without one.
        """
        self.fit_temperature(as_sentences(data))
        if self.temperature is None:
            raise NotCalibratedError(
                f"no temperature makes the probabilities of the parser {self.name!r} fit "
                f"these sentences. {OF_NO_SCALE}")

    def fit_temperature(self, sentences: Sequence[Sentence]) -> None:
        """The temperature that fits best, or None if none does."""
        self.temperature = fit_tree_temperature(*self.calibration_data(sentences))

    def calibration_data(self, data: Sequence[Sentence]
                         ) -> tuple[list[TreeDistribution], list[np.ndarray],
                                    list[np.ndarray]]:
        """What a temperature is fitted to: the trees of sentences, predicted heads,
        gold heads. Sentences without heads and very long ones are left out."""
        sentences = [sentence for sentence in data
                     if len(sentence) <= self.longest and sentence.heads.max() >= 0]
        if not sentences:
            raise InputError("the sentences have no heads; to calibrate a parser, use "
                             "sentences with gold trees")
        encoded = encode(sentences)
        heads = self.model.heads(sentences, encoded, DECODERS[self.decoder],
                                 self.single_root, n_jobs=n_threads(self.n_jobs))
        return (self._distributions(sentences, encoded), list(heads),
                [sentence.heads for sentence in sentences])
