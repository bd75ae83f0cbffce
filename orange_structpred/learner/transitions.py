"""Transition-based parsers: fast, and decided step by step."""
from __future__ import annotations

from orange_structpred.errors import InputError
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.parameters import rows_for
from orange_structpred.learner.training import TrainingSet
from orange_structpred.parsing.transitions.transition_learning import (
    TransitionProblem,
    TransitionSolver,
)
from orange_structpred.parsing.transitions.transition_model import (
    CROSSING,
    TRANSITION_DECODERS,
)
from orange_structpred.parsing.transitions.transition_system import TransitionSystem
from orange_structpred.running.cluster import Cluster
from orange_structpred.running.threads import n_threads


class TransitionParserLearner(BaseParserLearner, rows=rows_for("transitions")):
    """Trains a transition-based parser, with a dynamic oracle or a beam.

    Its trees are projective, or rearranged by a transition that swaps two words. It does
    not know how sure it is.

    Parameters
    ----------
    {parameters}
    """

    features = "transitions"
    solver_type = TransitionSolver
    calibrate = False

    def check_kind(self) -> None:
        if self.decoder not in ("auto", *TRANSITION_DECODERS):
            raise InputError(f"transition-based parsers cannot use decoder={self.decoder!r}; "
                             "choose 'projective', or 'rearranged' where edges cross")

    def make_problem(self, given: TrainingSet):
        problem = TransitionProblem(
            given.encoded, TransitionSystem(self.single_root, given.decoder == CROSSING),
            self.beam)
        return problem, lambda model: model     # solutions are models already

    def make_solver(self, seed: int, cluster: Cluster | None = None, n: int = 0
                    ) -> TransitionSolver:
        if cluster is not None:
            raise InputError("transition-based parsers cannot be trained on a cluster")
        return TransitionSolver(C=self.C, passes=self.passes, random_state=seed,
                                n_jobs=n_threads(self.n_jobs), checkpoint=self.checkpoint)
