"""Parsers that are conditional random fields: trees with probabilities."""
from __future__ import annotations

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.learner.parser_learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.decoding.marginals import edge_marginals
from orange_structpred.parsing.first_order.tree_likelihood import (
    TreeLikelihood,
    minimum_risk_heads,
)
from orange_structpred.running.threads import n_threads
from orange_structpred.svm.likelihood import Likelihood
from orange_structpred.treebank.sentence import Sentence


class CRFParserLearner(ParserLearner):
    """Trains a first-order parser by its conditional likelihood, with L-BFGS.

    The objective is that of `ParserLearner` with -log p(tree | sentence) in the place of
    the hinge loss. The sum over trees is over projective ones where the decoder is,
    else over all; sentences whose gold tree the decoder cannot build are left out.

    Parameters
    ----------
    passes : int, default=100
        Maximum number of steps of L-BFGS
    groups, min_count, hash_bits, C, epsilon, decoder, single_root, relations,
    random_state, n_jobs, checkpoint, name : see `ParserLearner`

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> from orange_structpred.learner.crf import CRFParserLearner, edge_probabilities
    >>> treebank = load_bundled("en")
    >>> parser = CRFParserLearner(C=100, hash_bits=18, passes=10)(treebank[:100])
    >>> p = edge_probabilities(parser, treebank.sentences[200])
    >>> bool(abs(p.sum(axis=0)[1:] - 1).max() < 1e-6)
    True
    """

    def __init__(self, *, groups="all", min_count=0, hash_bits=None, C=1., epsilon=0.01,
                 passes=100, decoder="auto", single_root=True, relations=True,
                 random_state=0, n_jobs=1, checkpoint=None, name=None):
        # of solvers with a dual, as this one is, no edge is pruned
        super().__init__(
            order=1, solver="bcfw", calibrate=False, groups=groups, min_count=min_count,
            hash_bits=hash_bits, C=C, epsilon=epsilon, passes=passes, decoder=decoder,
            single_root=single_root, relations=relations, random_state=random_state,
            n_jobs=n_jobs, checkpoint=checkpoint, name=name)

    def default_name(self):
        return f"CRF C={self.C:g}"

    def get_params(self, deep=True):
        return {name: value for name, value in super().get_params(deep).items()
                if name in OWN}

    def set_params(self, **parameters):
        for name in parameters:
            if name not in OWN:
                raise InputError(f"unknown parameter {name!r}; valid parameters are "
                                 f"{', '.join(OWN)}")
        return super().set_params(**parameters)

    def __call__(self, data, callback=None, **options):
        parser = super().__call__(data, callback, **options)
        parser.temperature = 1.         # its probabilities are those of the model
        return parser

    def prepare(self, data, *args, **options):
        training = super().prepare(data, *args, **options)
        return training._replace(problem=TreeLikelihood(training.problem))

    def make_solver(self, seed, cluster=None, n_examples=None):
        if cluster is not None:
            raise InputError("CRF parsers cannot be trained on a cluster")
        return Likelihood(C=self.C, epsilon=self.epsilon, passes=self.passes,
                          n_jobs=n_threads(self.n_jobs), checkpoint=self.checkpoint)


OWN = ("groups", "min_count", "hash_bits", "C", "epsilon", "passes", "decoder",
       "single_root", "relations", "random_state", "n_jobs", "checkpoint", "name")


def edge_probabilities(parser: Parser, sentence: Sentence) -> np.ndarray:
    """p[head, dependent] of a parser trained by its likelihood; the root is at 0."""
    scores = np.asarray(parser.edge_scores(sentence), np.float64)
    return edge_marginals(scores, DECODERS[parser.decoder], parser.single_root)[1]


def predict_minimum_risk(parser: Parser, sentences) -> list[np.ndarray]:
    """Heads of sentences with the smallest expected number of wrong ones (minimum Bayes
    risk), one array per sentence."""
    return [minimum_risk_heads(edge_probabilities(parser, sentence),
                               DECODERS[parser.decoder], parser.single_root)[1:]
            for sentence in sentences]
