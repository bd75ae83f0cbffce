"""First-order models that are learned in a moment: they prune the edges of second-order
ones, and guess the heads that are missing in partly annotated trees."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

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
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import MIRA
from orange_structpred.treebank.encoding import Encoded

if TYPE_CHECKING:
    from orange_structpred.running.cluster import Cluster

QUICK_PASSES = 5
MAX_QUICK_BITS = 21


def learn_quickly(problem: ExplicitProblem, random_state: int,
                  check_cancelled: CheckCancelled) -> LinearModel:
    """A model after a few passes; StopEarly if they were stopped, as half a model would
    mislead the parser."""
    solution = MIRA(passes=QUICK_PASSES, random_state=random_state).solve(
        problem, lambda report: check_cancelled())
    if solution.stopped:
        raise StopEarly
    return solution.model


def train_pruners(encoded: Encoded, features: EdgeFeatures, single_root: bool, *,
                  decoder: int = PROJECTIVE, random_state: int = 0, n_jobs: int = 1,
                  cluster: Cluster | None = None,
                  check_cancelled: CheckCancelled = never_cancelled
                  ) -> tuple[PrunedEdges, ExplicitModel]:
    """The edges of training sentences, and a model that prunes those of new ones.

    cluster : on whose workers the halves are learned side by side
    """
    bits = min(MAX_QUICK_BITS, choose_bits(encoded, None))
    indices = hashed_indices(bits)._replace(pruned=pruned_edges(encoded))
    train_half = partial(
        train_pruner, features=features, indices=indices, dim=1 << bits, decoder=decoder,
        single_root=single_root, random_state=random_state)

    def train(parts: Iterable[Encoded]) -> list[ExplicitModel]:
        if cluster is None:
            return [train_half(part, check_cancelled=check_cancelled) for part in parts]
        return list(cluster.imap(train_half, map(cluster.send, parts),
                                 check_cancelled=check_cancelled))

    return jackknife(encoded, train, single_root, random_state, decoder=decoder,
                     n_jobs=n_jobs, check_cancelled=check_cancelled)


def train_pruner(part: Encoded, *, features: EdgeFeatures, indices: FeatureIndices,
                 dim: int, decoder: int, single_root: bool, random_state: int,
                 check_cancelled: CheckCancelled = never_cancelled) -> ExplicitModel:
    problem = ExplicitProblem(part, features, indices, dim, decoder, single_root)
    model = learn_quickly(problem, random_state, check_cancelled)
    return ExplicitModel(features, indices, model.weights())


def complete_trees(encoded: Encoded, single_root: bool, *, decoder: int = PROJECTIVE,
                   random_state: int = 0,
                   check_cancelled: CheckCancelled = never_cancelled) -> Encoded:
    """The sentences with all of their heads, and which of these are `known`.

    A first-order model learns from the heads that are known; the others are those of the
    best trees around them. Known heads that the decoder cannot build together with
    others, in a sentence that is not complete, do not count as known.
    """
    known = (encoded.heads >= 0) | ~encoded.is_token()
    if known.all():
        return encoded
    bits = min(MAX_QUICK_BITS, choose_bits(encoded, None))

    def problem_of(part: Encoded) -> ExplicitProblem:
        return ExplicitProblem(part, EdgeFeatures("all"), hashed_indices(bits), 1 << bits,
                               decoder, single_root)

    guessed = replace(encoded, known=known)
    problem = problem_of(guessed)
    trees = problem.completed(problem.new_model())
    guessed = replace(guessed, heads=trees,
                      known=known & ((trees == encoded.heads) | ~encoded.is_token()))
    problem = problem_of(guessed)
    model = learn_quickly(problem, random_state, check_cancelled)
    return replace(guessed, heads=problem.completed(model))
