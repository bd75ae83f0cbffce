"""First-order models that prune the edges of second-order ones."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.features.edge_scoring import (
    FeatureIndices,
    hashed_indices,
)
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.features.tag_pruning import pruned_edges
from orange_structpred.parsing.first_order.explicit_model import (
    ExplicitModel,
    choose_bits,
)
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.parsing.first_order.pruning import PrunedEdges, jackknife
from orange_structpred.running.cancellation import (
    CheckCancelled,
    StopEarly,
    never_cancelled,
)
from orange_structpred.svm import SOLVERS
from orange_structpred.treebank.encoding import Encoded

if TYPE_CHECKING:
    from orange_structpred.running.cluster import Cluster

PRUNER_PASSES = 5
MAX_PRUNER_BITS = 21


def train_pruners(encoded: Encoded, features: EdgeFeatures, single_root: bool, *,
                  decoder: int = PROJECTIVE, random_state: int = 0, n_jobs: int = 1,
                  cluster: Cluster | None = None,
                  check_cancelled: CheckCancelled = never_cancelled
                  ) -> tuple[PrunedEdges, ExplicitModel]:
    """The edges of training sentences, and a model that prunes those of new ones.

    cluster : on whose workers the halves are learned side by side
    """
    bits = min(MAX_PRUNER_BITS, choose_bits(encoded, None))
    indices = hashed_indices(bits)._replace(pruned=pruned_edges(encoded))
    pruner = Pruner(features, indices, 1 << bits, decoder, single_root, random_state)

    def train(parts: Iterable[Encoded]) -> list[ExplicitModel]:
        if cluster is None:
            return [pruner.train(part, check_cancelled) for part in parts]
        return list(cluster.imap(pruner.train, map(cluster.send, parts),
                                 check_cancelled=check_cancelled))

    return jackknife(encoded, train, single_root, random_state, decoder=decoder,
                     n_jobs=n_jobs, check_cancelled=check_cancelled)


class Pruner(NamedTuple):
    """How a model that prunes is learned."""

    features: EdgeFeatures
    indices: FeatureIndices
    dim: int
    decoder: int
    single_root: bool
    random_state: int

    def train(self, part: Encoded, check_cancelled: CheckCancelled = never_cancelled
              ) -> ExplicitModel:
        problem = ExplicitProblem(part, self.features, self.indices, self.dim,
                                  self.decoder, self.single_root)
        solution = SOLVERS["mira"](
            passes=PRUNER_PASSES, random_state=self.random_state).solve(
                problem, lambda report: check_cancelled())
        if solution.stopped:
            raise StopEarly         # half a pruner would mislead the parser
        return ExplicitModel(self.features, self.indices, solution.model.weights())
