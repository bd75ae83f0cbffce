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
from orange_structpred.parsing.transitions.transition_model import TransitionModel
from orange_structpred.running.cluster import Cluster
from orange_structpred.running.threads import n_threads
from orange_structpred.treebank.encoding import Encoded


class TransitionParserLearner(BaseParserLearner, rows=rows_for("transitions")):
    """Trains a transition-based parser, with a dynamic oracle or a beam.

    Its trees are projective. It does not know how sure it is.

    Parameters
    ----------
    {parameters}
    """

    features = "transitions"
    solver_type = TransitionSolver
    calibrate = False

    def make_problem(self, given: TrainingSet):
        problem = TransitionProblem(given.encoded, self.single_root, self.beam)
        return problem, self.model_of

    def model_of(self, model: TransitionModel) -> TransitionModel:
        """Solutions are models already."""
        return model

    def make_solver(self, seed: int, cluster: Cluster | None = None, n: int = 0
                    ) -> TransitionSolver:
        if cluster is not None:
            raise InputError("transition-based parsers cannot be trained on a cluster")
        return TransitionSolver(C=self.C, passes=self.passes, random_state=seed,
                                n_jobs=n_threads(self.n_jobs), checkpoint=self.checkpoint)

    def choose_decoder(self, encoded: Encoded) -> str:
        return TransitionModel.decoders[0]
