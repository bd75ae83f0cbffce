"""Parsers that are nets."""
from __future__ import annotations

from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.net_solver import NetProblem, NetSolver
from orange_structpred.learner.parameters import rows_for
from orange_structpred.learner.training import TrainingSet
from orange_structpred.neural.settings import NetSettings
from orange_structpred.parsing.neural.neural_model import NeuralModel
from orange_structpred.running.cluster import Cluster


class NeuralParserLearner(BaseParserLearner, rows=rows_for("neural")):
    """Trains a parser whose edges are scored by a net: two bidirectional LSTMs and a
    biaffine form (Dozat and Manning 2017).

    Parameters
    ----------
    {parameters}
    """

    features = "neural"

    def make_problem(self, given: TrainingSet):
        return NetProblem.of(given, self.net_objective, self.single_root), NeuralModel

    def make_solver(self, seed: int, cluster: Cluster | None = None, n: int = 0
                    ) -> NetSolver:
        return NetSolver(NetSettings(self.hidden, self.dropout, self.epochs),
                         random_state=seed, checkpoint=self.checkpoint, cluster=cluster)
