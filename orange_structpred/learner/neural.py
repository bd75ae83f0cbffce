"""Nets as solutions of learners: a solver whose passes are epochs, and parsers that are nets."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orange_structpred.errors import InputError
from orange_structpred.files.writing import output_place
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.parameters import rows_for
from orange_structpred.learner.training import TrainingSet
from orange_structpred.neural.encoder import NetOptions
from orange_structpred.neural.settings import NetSettings
from orange_structpred.neural.training import EpochReport
from orange_structpred.parsing.neural.head_losses import HEAD_LOSSES, HeadLoss
from orange_structpred.parsing.neural.net_model import NetModel
from orange_structpred.parsing.neural.net_training import train_net
from orange_structpred.parsing.neural.neural_model import NeuralModel
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.running.cluster import Cluster
from orange_structpred.svm import Report, Solution, Validation
from orange_structpred.svm.solver import Measures
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.relations import RelationNumbers
from orange_structpred.treebank.sentence import Sentence

#: What None stands for in the settings of nets of trees
SMALL_NET = {"hidden": 128, "dropout": 0.4, "epochs": 18}
LARGE_NET = {"hidden": 160, "dropout": 0.3, "epochs": 10}


@dataclass(frozen=True)
class NetProblem:
    """Sentences that a net learns from.

    head_loss : what is minimised for heads
    copies : of each sentence, with different tags, one treebank after the other
    """

    sentences: Sequence[Sentence]
    encoded: Encoded
    relations: RelationNumbers
    head_loss: HeadLoss
    copies: int = 1

    @classmethod
    def of(cls, given: TrainingSet, objective: str, single_root: bool) -> NetProblem:
        """objective : of `HEAD_LOSSES`"""
        # not cancellable ones: these report work before the first pass
        return cls(given.treebank.sentences_at(given.numbers), given.encoded,
                   given.relations(), HEAD_LOSSES[objective](given.decoder_code, single_root),
                   given.treebank.copies)

    def __len__(self) -> int:
        return len(self.encoded)


class NetSolver:
    """Learns a net; what other solvers have, as far as a net has it.

    Parameters
    ----------
    settings : sizes and so on
    random_state : seed
    checkpoint : file that is written after each epoch
    cluster : must be None
    before : reports on the passes that were made before the first epoch
    """

    certificate = mixes = distributes = False

    def __init__(self, settings: NetSettings, *, random_state: int = 0,
                 checkpoint: str | os.PathLike | None = None,
                 cluster: Cluster | None = None, before: Sequence[Report] = ()):
        self.settings, self.random_state = settings, random_state
        self.checkpoint, self.cluster, self.before = checkpoint, cluster, before

    def check(self) -> None:
        if self.cluster is not None:
            raise InputError("A net is trained on one machine, not on a cluster; leave "
                             "out the scheduler")
        if self.checkpoint is not None:
            output_place(self.checkpoint)

    def solve(self, problem: NetProblem,
              callback: Callable[[Report], object] | None = None, *,
              validation: Validation | None = None, measures: Measures | None = None
              ) -> Solution:
        """Learn; as in `Solver.solve`, but a net's own loss is the only one reported."""
        self.check()
        tokens = len(problem.encoded.heads) // problem.copies
        chosen = self.settings.chosen(tokens, SMALL_NET, LARGE_NET)
        epochs = int(chosen.pop("epochs"))
        reports: list[Report] = []

        def observe(report: EpochReport) -> None:
            translated = self.report(report)
            if report.end_of_epoch:
                reports.append(translated)
            if callback is not None:
                callback(translated)

        def measure(net: NetModel) -> float:
            assert validation is not None
            return validation.measure(net, len(self.before) + len(reports) + 1,
                                      lambda fraction, text="": None)

        trained = train_net(
            problem.sentences, problem.encoded, problem.relations, NetOptions(**chosen),
            head_loss=problem.head_loss, copies=problem.copies, epochs=epochs,
            random_state=self.random_state, callback=observe,
            validate=measure if validation is not None else None,
            keep_best=validation is not None and validation.keep_best,
            checkpoint=self.checkpoint)
        kept = trained.kept_epoch
        return Solution(trained.model, list(map(self.report, trained.reports)),
                        stopped=trained.stopped,
                        kept=None if kept is None else len(self.before) + kept)

    def report(self, report: EpochReport) -> Report:
        """The report of an epoch as one of a pass."""
        return Report.of_epoch(report, self.before)


def add_net(parser, problem: NetProblem, solver: NetSolver,
            callback: Callable[[Report], object] | None,
            validation: Validation | None) -> None:
    """Learn a net for a second-order parser that has none, and give it to the parser.

    When the first epoch is stopped early, the parser has no net.
    """
    try:
        solution = solver.solve(problem, callback, validation=validation)
    except StopEarly:
        parser.model.net, parser.stopped = None, True
        return
    parser.model.net = solution.model
    parser.log += solution.reports
    parser.stopped = parser.stopped or solution.stopped
    if solution.kept is not None:
        parser.kept_pass = solution.kept


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
