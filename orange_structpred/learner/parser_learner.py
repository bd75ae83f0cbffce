"""The learner that scripts, the command line and all widgets share."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from Orange.data import Table

from orange_structpred.kinds import C_KIND
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.explicit import ExplicitParserLearner
from orange_structpred.learner.kernel import KernelParserLearner
from orange_structpred.learner.neural import NetSolver, NeuralParserLearner
from orange_structpred.learner.parameters import PARAMETERS
from orange_structpred.learner.training import Training
from orange_structpred.learner.transitions import TransitionParserLearner
from orange_structpred.parser import Parser
from orange_structpred.running.cluster import Cluster
from orange_structpred.svm import Report, Solver
from orange_structpred.treebank.in_memory import TrainingData
from orange_structpred.treebank.on_disk import DiskTreebank

#: The kinds of parsers, by the parameter `features`
LEARNERS: dict[str, type[BaseParserLearner]] = {
    learner.features: learner for learner in (
        ExplicitParserLearner, NeuralParserLearner, KernelParserLearner,
        TransitionParserLearner)}


class ParserLearner(BaseParserLearner, rows=PARAMETERS, positional=1):
    """Trains a dependency parser: ``ParserLearner(C=10)(treebank) -> Parser``.

    It has the parameters of all kinds of parsers; `features` chooses among these.

    Parameters
    ----------
    {parameters}

    Examples
    --------
    >>> from orange_structpred import load_bundled, ParserLearner
    >>> treebank = load_bundled("en")
    >>> parser = ParserLearner(passes=3)(treebank[:300])
    >>> parsed = parser(treebank[300:])
    >>> list(parsed.predictions)
    ['explicit mira C=1']
    """

    def of_kind(self) -> BaseParserLearner:
        """The learner of the chosen kind, with those of the parameters that it has."""
        PARAMETERS["features"].kind.check("features", self.features)
        learner = LEARNERS[self.features]
        return learner(**{name: value for name, value in self.get_params().items()
                          if name in learner.rows})

    def check(self) -> None:
        self.check_values()
        learner = self.of_kind()
        if "C" not in learner.rows:     # whose solvers could know the hard margin
            C_KIND.check("C", self.C)
        learner.check()

    def __call__(self, data: Table | DiskTreebank,
                 callback: Callable[[Report], object] | None = None,
                 **options) -> Parser:
        self.check()
        return self.of_kind()(data, callback, **options)

    __call__.__doc__ = BaseParserLearner.__call__.__doc__

    def train(self, data: Table | DiskTreebank,
              callback: Callable[[Report], object] | None = None,
              **options) -> Parser:
        self.check()
        return self.of_kind().train(data, callback, **options)

    train.__doc__ = BaseParserLearner.train.__doc__

    def cross_calibrate(self, parser: Parser, data: Table | DiskTreebank,
                        callback: Callable[[Report], object] | None = None,
                        unlabelled: Table | None = None) -> None:
        self.of_kind().cross_calibrate(parser, data, callback, unlabelled)

    def path(self, data: Table, Cs: Sequence[float],
             callback: Callable[[Report], object] | None = None,
             unlabelled: Table | None = None) -> Iterator[Parser]:
        self.check()
        return self.of_kind().path(data, Cs, callback, unlabelled)

    path.__doc__ = BaseParserLearner.path.__doc__

    def check_unlabelled(self, unlabelled: Table | None) -> None:
        self.of_kind().check_unlabelled(unlabelled)

    def prepare(self, data: Table | TrainingData,
                callback: Callable[[Report], object] | None = None, seed: int = 0,
                cluster: Cluster | None = None, unlabelled: Table | None = None
                ) -> Training:
        return self.of_kind().prepare(data, callback, seed, cluster, unlabelled)

    def make_problem(self, given):
        return self.of_kind().make_problem(given)

    def make_solver(self, seed: int, cluster: Cluster | None = None, n: int = 0
                    ) -> Solver | NetSolver:
        return self.of_kind().make_solver(seed, cluster, n)
