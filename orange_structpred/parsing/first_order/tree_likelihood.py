"""The conditional likelihood of dependency trees: p(tree) ~ exp(sum of edge scores)."""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.decoding.decoders import APPROXIMATE, PROJECTIVE, decode
from orange_structpred.parsing.decoding.marginals import edge_marginals
from orange_structpred.parsing.features.edge_scoring import (
    edge_feature_indices,
    score_edges,
)
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.running.compiler import njit
from orange_structpred.svm.likelihood import LikelihoodProblem
from orange_structpred.treebank.projectivity import crossed, flatten

#: Edges whose probability is as good as right are not followed up
NEGLIGIBLE = 1e-7


@njit(nogil=True, cache=True)
def log_loss_of_trees(first, last, offsets, tokens, gold, possible, templates, weights,
                      indices, decoder, single_root, gradient):
    """The sum of log Z - score over sentences first..last - 1, and its gradient, added.

    possible : which sentences have a tree that the sum Z has, too; others are left out
    """
    total = 0.
    for i in range(first, last):
        if not possible[i]:
            continue
        start, stop = offsets[i], offsets[i + 1]
        length = stop - start
        sentence = tokens[start:stop]
        scores = score_edges(sentence, templates, weights, indices).astype(np.float64)
        log_z, values = edge_marginals(scores, decoder, single_root)
        total += log_z
        edges = np.empty(length, np.int64)
        for dependent in range(1, length):
            head = gold[start + dependent]
            total -= scores[head, dependent]
            values[head, dependent] -= 1
            n_edges = 0
            for head in range(length):
                if head != dependent and abs(values[head, dependent]) > NEGLIGIBLE:
                    edges[n_edges] = dependent * length + head
                    n_edges += 1
            features, ends = edge_feature_indices(sentence, templates, indices, edges[:n_edges])
            begin = 0
            for edge in range(n_edges):
                value = values[edges[edge] % length, dependent]
                for k in range(begin, ends[edge]):
                    gradient[features[k]] += value
                begin = ends[edge]
    return total


class TreeLikelihood(LikelihoodProblem):
    """Sentences and their trees, for the solver `Likelihood`.

    Gold trees that the decoder cannot build have no probability; their sentences are
    left out.

    Parameters
    ----------
    problem : ExplicitProblem, none of whose edges is pruned
    """

    def __init__(self, problem: ExplicitProblem):
        self.problem, self.dim = problem, problem.dim
        trees = [problem.gold(i)[1:] for i in range(len(problem))]
        self.possible = np.ones(len(problem), bool)
        if problem.decoder == APPROXIMATE:          # any heads will do
            return
        if problem.single_root:
            self.possible &= np.array([np.count_nonzero(tree == 0) == 1
                                       for tree in trees])
        if problem.decoder == PROJECTIVE:
            self.possible &= ~crossed(*flatten(trees))

    def __len__(self) -> int:
        return len(self.problem)

    def add_log_loss(self, first, last, w, gradient):
        encoded = self.problem.encoded
        return log_loss_of_trees(
            first, last, encoded.offsets, encoded.tokens, encoded.heads, self.possible,
            self.problem.features.arrays, w.astype(np.float32), self.problem.indices,
            self.problem.decoder, self.problem.single_root, gradient)

    def new_model(self):
        return self.problem.new_model()

    def fingerprint(self) -> str:
        return f"likelihood {self.problem.fingerprint()}"


def minimum_risk_heads(probabilities: np.ndarray, decoder: int, single_root: bool
                       ) -> np.ndarray:
    """The tree with the smallest expected number of wrong heads: that of the largest
    sum of probabilities."""
    return decode(np.ascontiguousarray(probabilities, np.float32), decoder, single_root)
