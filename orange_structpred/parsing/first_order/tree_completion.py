"""Trees for partly annotated sentences: a first guess of the heads that are missing."""
from __future__ import annotations

from dataclasses import replace

from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.features.edge_scoring import hashed_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_model import choose_bits
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.running.cancellation import (
    CheckCancelled,
    StopEarly,
    never_cancelled,
)
from orange_structpred.svm import SOLVERS
from orange_structpred.treebank.encoding import Encoded

COMPLETION_PASSES = 5
MAX_COMPLETION_BITS = 21


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
    bits = min(MAX_COMPLETION_BITS, choose_bits(encoded, None))

    def problem_of(part: Encoded) -> ExplicitProblem:
        return ExplicitProblem(part, EdgeFeatures("all"), hashed_indices(bits), 1 << bits,
                               decoder, single_root)

    guessed = replace(encoded, known=known)
    problem = problem_of(guessed)
    trees = problem.completed(problem.new_model())
    guessed = replace(guessed, heads=trees,
                      known=known & ((trees == encoded.heads) | ~encoded.is_token()))
    problem = problem_of(guessed)
    solution = SOLVERS["mira"](
        passes=COMPLETION_PASSES, random_state=random_state).solve(
            problem, lambda report: check_cancelled())
    if solution.stopped:
        raise StopEarly         # half a model would mislead the parser
    return replace(guessed, heads=problem.completed(solution.model))

