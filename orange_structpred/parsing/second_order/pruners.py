"""First-order models that prune the edges of second-order ones."""
from __future__ import annotations

from collections.abc import Callable

from orange_structpred.parsing.decoders import PROJECTIVE
from orange_structpred.parsing.explicit import ExplicitModel, choose_bits
from orange_structpred.parsing.explicit_problem import ExplicitProblem
from orange_structpred.parsing.features import EdgeFeatures
from orange_structpred.parsing.pruning import PrunedEdges, jackknife
from orange_structpred.parsing.scoring import hashed_indices
from orange_structpred.parsing.tag_pruning import pruned_edges
from orange_structpred.svm import SOLVERS
from orange_structpred.treebank.encoding import Encoded

PASSES = 3
MAX_BITS = 21


def train_pruners(encoded: Encoded, features: EdgeFeatures, single_root: bool, *,
                  decoder: int = PROJECTIVE, random_state: int = 0, n_jobs: int = 1,
                  check_cancelled: Callable[[], object] = lambda: None
                  ) -> tuple[PrunedEdges, ExplicitModel]:
    """The edges of training sentences, and a model that prunes those of new ones."""
    bits = min(MAX_BITS, choose_bits(encoded, None))
    indices = hashed_indices(bits)._replace(pruned=pruned_edges(encoded))

    def train(part: Encoded) -> ExplicitModel:
        problem = ExplicitProblem(
            part, features, indices, 1 << bits, decoder, single_root)
        solution = SOLVERS["mira"](passes=PASSES, random_state=random_state).solve(
            problem, lambda report: check_cancelled() and False)
        return ExplicitModel(features, indices, solution.model.weights())

    return jackknife(encoded, train, single_root, random_state, decoder=decoder,
                     n_jobs=n_jobs)
