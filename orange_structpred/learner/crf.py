"""Parsers that are conditional random fields: trees with probabilities."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.explicit import ExplicitParserLearner
from orange_structpred.learner.parameters import rows_for
from orange_structpred.learner.training import TrainingSet
from orange_structpred.parser import Parser
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.first_order.tree_likelihood import (
    TreeLikelihood,
    minimum_risk_heads,
)
from orange_structpred.running.cluster import Cluster
from orange_structpred.running.threads import n_threads
from orange_structpred.svm.likelihood import Likelihood
from orange_structpred.treebank.sentence import Sentence

#: Parameters of explicit parsers that have no meaning here
NOT_OF_CRF = ("order", "solver", "calibrate", "shards")
CRF_ROWS = {
    name: replace(row, needs=()) for name, row in rows_for("explicit").items()
    if name not in NOT_OF_CRF}
CRF_ROWS["passes"] = replace(CRF_ROWS["passes"], default=100,
                             help="Maximum number of steps of L-BFGS")


class CRFParserLearner(ExplicitParserLearner, rows=CRF_ROWS):
    """Trains a first-order parser by its conditional likelihood, with L-BFGS.

    The objective is that of `ParserLearner` with -log p(tree | sentence) in the place of
    the hinge loss. The sum over trees is over projective ones where the decoder is,
    else over all; sentences whose gold tree the decoder cannot build are left out.

    Parameters
    ----------
    {parameters}

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> from orange_structpred.learner.crf import CRFParserLearner
    >>> treebank = load_bundled("en")
    >>> parser = CRFParserLearner(C=100, hash_bits=18, passes=10)(treebank[:100])
    >>> p = parser.edge_probabilities(treebank.sentences[200])
    >>> bool(abs(p.sum(axis=0)[1:] - 1).max() < 1e-6)
    True
    """

    chosen_solver = "likelihood"
    solver_type = Likelihood
    calibrate = False

    @property
    def settings(self) -> dict[str, object]:
        return {**super().settings, "order": 1}

    def default_name(self) -> str:
        return f"CRF C={self.C:g}"

    def train(self, data, callback=None, **options) -> Parser:
        parser = super().train(data, callback, **options)
        parser.temperature = 1.         # its probabilities are those of the model
        return parser

    train.__doc__ = BaseParserLearner.train.__doc__

    def make_problem(self, given: TrainingSet):
        problem, make_model = self.make_first_order(given)
        return TreeLikelihood(problem), make_model

    def make_solver(self, seed: int, cluster: Cluster | None = None, n: int = 0
                    ) -> Likelihood:
        if cluster is not None:
            raise InputError("CRF parsers cannot be trained on a cluster")
        return Likelihood(C=self.C, epsilon=self.epsilon, passes=self.passes,
                          n_jobs=n_threads(self.n_jobs), checkpoint=self.checkpoint)


def predict_minimum_risk(parser: Parser, sentences: Iterable[Sentence]
                         ) -> list[np.ndarray]:
    """Heads of sentences with the smallest expected number of wrong ones (minimum Bayes
    risk), one array per sentence."""
    return [minimum_risk_heads(parser.edge_probabilities(sentence),
                               DECODERS[parser.decoder], parser.single_root)[1:]
            for sentence in sentences]
