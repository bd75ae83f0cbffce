"""What all solvers share: options, reports, stopping, checkpoints."""
from __future__ import annotations

import inspect
import json
import os
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.errors import InputError
from orange_structpred.files.arrays import ArrayFileError, read_arrays, write_arrays
from orange_structpred.files.writing import output_place
from orange_structpred.kinds import C_KIND, EPSILON_KIND, PASSES_KIND, THREADS_KIND
from orange_structpred.running.cancellation import Progress, StopEarly
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.distributed import Oracle
from orange_structpred.svm.problem import ROUNDING, Output, Problem

if TYPE_CHECKING:
    from orange_structpred.running.cluster import Cluster

# The training loss is measured on this many examples, or this share of them if larger
LOSS_SAMPLE, LOSS_SHARE = 500, 1 / 25
REPORT_EVERY = 0.25        # seconds between reports within a pass


class EpochLike(Protocol):
    """What a net reports."""

    @property
    def epoch(self) -> int: ...
    @property
    def fraction(self) -> float: ...
    @property
    def seconds(self) -> float: ...
    @property
    def loss(self) -> float: ...
    @property
    def validation_loss(self) -> float: ...
    @property
    def end_of_epoch(self) -> bool: ...


@dataclass(frozen=True)
class Report:
    """The progress of a solver. What it does not know is nan.

    The gap is (primal - dual) / C, the same for every solver that has one;
    `certified` says that primal and dual belong to one fixed model. Within a
    pass they are sums over the examples so far, each at the model of its time.
    """

    pass_: int
    fraction: float                 # of the work, if all passes are needed
    seconds: float
    oracle_calls: int
    primal: float = np.nan
    dual: float = np.nan
    gap: float = np.nan
    slack: float = np.nan           # mean of the examples' hinge losses
    norm: float = np.nan            # |w|
    loss: float = np.nan            # mean training loss of predictions
    certified: bool = False
    end_of_pass: bool = False
    limited: float = np.nan         # steps of this pass that C has cut short
    validation_loss: float = np.nan     # mean loss of predictions on held-out examples
    net_loss: float = np.nan        # mean of -log p, of a net
    epoch: int = 0                  # of a net, if that is what is learned
    #: means over the same predictions as the loss, see `measures` of `Solver.solve`
    further: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of_epoch(cls, report: EpochLike, before: Sequence[Report] = ()) -> Report:
        """A report on a net's training, in which epochs are passes.

        before : reports on the passes that were made before the first epoch
        """
        seconds = before[-1].seconds if before else 0.
        return cls(len(before) + report.epoch, report.fraction, seconds + report.seconds, 0,
                   validation_loss=report.validation_loss, net_loss=report.loss,
                   epoch=report.epoch, end_of_pass=report.end_of_epoch)


Callback = Callable[[Report], object]
#: Further losses of an output of an example, given its number, by their names
Measures = Mapping[str, Callable[[int, Output], float]]


@dataclass
class Solution:
    """A model, the reports that led to it, and why the solver ended."""

    model: Any                      # what `Problem.new_model` makes
    reports: list[Report] = field(default_factory=list)
    converged: bool = False
    stopped: bool = False
    dual_state: Any = None          # from which another training can start: `dual_type`
    kept: int | None = None         # the pass whose model it is, if not the last one's
    formulation: str = ""           # of the program whose dual it solves


class Examples(Protocol):
    """What solvers of all kinds ask for; most of them ask a `Problem` for more."""

    def __len__(self) -> int: ...

    def best_of(self, examples: Integers, model: Any) -> Sequence: ...

    def losses_of(self, examples: Integers, outputs: Sequence) -> np.ndarray: ...

    def fingerprint(self) -> str: ...


class CheckpointError(InputError):
    """A checkpoint that is damaged or belongs to another training."""


class Solver(ABC):
    """A solver with its options; `solve` may be called many times.

    Parameters
    ----------
    C : weight of the loss against |w|^2 / 2
    epsilon : stop when (primal - dual) / C is at most this
    passes : maximum number of passes over the examples
    random_state : seed for the order of the examples
    n_jobs : number of threads for whole passes of the oracle; does not change the result
    checkpoint : file that is written after each pass; training resumes from it if it
        exists
    shards : parts of the examples on which passes are made side by side, for solvers
        that mix the weights afterwards
    cluster : `running.cluster.Cluster` to use, for solvers that can
    """

    certificate = True              # does it have a dual?
    mixes = False                   # can it mix the weights of shards?
    distributes = False             # can it work on a cluster?
    kernels_only = False            # does it need a problem with kernels?
    hard_margin = False             # does it know C = inf?
    own_options: ClassVar[tuple[str, ...]] = ()     # that other solvers do not have
    #: what its solutions have as `dual_state`, if it can start from one
    dual_type: ClassVar[type | None] = None
    def __init__(self, *, C: float = 1., epsilon: float = 0.01, passes: int = 10,
                 random_state: int = 0, n_jobs: int = 1,
                 checkpoint: str | os.PathLike | None = None, shards: int = 1,
                 cluster: Cluster | None = None):
        self.C, self.epsilon, self.passes = C, epsilon, passes
        self.random_state, self.n_jobs = random_state, n_jobs
        self.checkpoint, self.shards, self.cluster = checkpoint, shards, cluster

    @classmethod
    def option_names(cls) -> list[str]:
        """What its constructor takes, its own options first."""
        return [name for base in cls.__mro__ if "__init__" in vars(base)
                for name, parameter in inspect.signature(
                    vars(base)["__init__"]).parameters.items()
                if parameter.kind is inspect.Parameter.KEYWORD_ONLY
                and (name != "shards" or cls.mixes)]

    @property
    def formulation(self) -> str:
        """Which program it solves, where solvers of one class have several."""
        return ""

    def check(self) -> None:
        """Raise an InputError for options with which nothing can be learned."""
        if self.C != np.inf or not self.hard_margin:
            if self.C == np.inf:
                raise InputError(f"C must be {C_KIND.text}, not inf; the hard margin, C=inf, "
                                 "needs the solver n-slack")
            C_KIND.check("C", self.C)
        EPSILON_KIND.check("epsilon", self.epsilon)
        PASSES_KIND.check("passes", self.passes)
        THREADS_KIND.check("n_jobs", self.n_jobs)
        name = type(self).__name__
        if self.shards > 1 and not self.mixes:
            raise InputError(f"{name} cannot mix the weights of shards; MIRA and the "
                             "perceptron can")
        if self.cluster is not None and not self.distributes:
            raise InputError(f"{name} cannot train on a cluster; one-slack, MIRA and the "
                             "perceptron can")
        if self.checkpoint is not None:
            output_place(self.checkpoint)

    def solve(self, problem: Problem, callback: Callback | None = None, *,
              start: Solution | None = None, validation: Validation | None = None,
              measures: Measures | None = None) -> Solution:
        """Learn; `callback` gets every report.

        When it raises StopEarly, the solution so far is returned; Cancelled is not caught.

        start : a solution to start from, of the same kind of solver; for the same
            examples if the solver has a certificate, else for any with the same features
        validation : measures the model of each pass, and may choose among them
        measures : further losses of predictions, of which reports have the means
        """
        self.check()
        self.C, self.epsilon = float(self.C), float(self.epsilon)   # not numpy's float32
        self.check_examples(problem)
        if start is not None and self.dual_type is not None \
                and not (isinstance(start.dual_state, self.dual_type)
                         and start.formulation == self.formulation):
            raise InputError(f"{type(self).__name__} cannot start from this solution; "
                             "start from one of the same solver with the same options")
        if validation is not None and validation.keep_best and self.checkpoint is not None:
            raise InputError("Checkpoints cannot store the best pass; use keep='last'")
        solution = self.run(problem, Clock(callback, validation, measures), start)
        solution.formulation = self.formulation
        if validation is not None and validation.keep_best and validation.best is not None:
            solution.model, solution.kept = validation.best.model, validation.best.pass_
        return solution

    def check_examples(self, problem: Any) -> None:
        """Raise an InputError for examples from which nothing can be learned."""
        if not len(problem):
            raise InputError("there are no examples to learn from")
        problem.check_outputs()

    @abstractmethod
    def run(self, problem: Any, clock: Clock, start: Solution | None) -> Solution:
        """The algorithm itself.

        problem : of the kind that `check_examples` takes
        """

    def order(self, pass_: int, n: int) -> np.ndarray:
        """Order of the examples in a pass; it depends on nothing before it."""
        return np.random.default_rng([self.random_state, pass_]).permutation(n)

    def training_losses(self, problem: Examples, model, measures: Measures,
                        oracle: Oracle | None = None) -> dict[str, Any]:
        """Mean losses of predictions on a fixed sample of the examples, by the names
        that they have in a report."""
        n = len(problem)
        size = min(n, max(LOSS_SAMPLE, int(LOSS_SHARE * n)))
        sample = np.sort(np.random.default_rng(self.random_state).choice(
            n, size, replace=False))
        outputs = problem.best_of(sample, model) if oracle is None \
            else oracle.best(sample, model)
        losses = problem.losses_of(sample, outputs)
        if losses.min() < -ROUNDING:
            raise InputError(f"the loss of an output for example {sample[losses.argmin()]} is "
                             f"{losses.min()}; a loss must not be negative")
        return {"loss": float(np.mean(losses)), "further": {
            name: float(np.mean([measure(i, y) for i, y in zip(sample, outputs)]))
            for name, measure in measures.items()}}

    def losses(self, problem: Examples, model, clock: Clock, pass_: int,
               oracle: Oracle | None = None) -> dict[str, Any]:
        """What the report of a pass says of the model's predictions."""
        figures = self.training_losses(problem, model, clock.measures, oracle)
        if clock.validation is not None:
            figures["validation_loss"] = clock.validation.measure(
                model, pass_, clock.observer(pass_, pass_ / self.passes))
        return figures

    def slack(self, problem: Problem, model, clock: Clock, pass_: int) -> float:
        """Mean hinge loss over all examples at one model."""
        sums = map_chunks(
            lambda first, last: problem.violated(first, last, model).hinges.sum(),
            len(problem), self.n_jobs,
            partial(clock.check_stop, pass_ + 1, (pass_ + 1) / self.passes),
            size=problem.chunk_size)
        clock.oracle_calls += len(problem)
        return float(sum(sums)) / len(problem)

    def objective_of_zero(self, problem: Problem) -> float:
        """The primal objective of w = 0."""
        return self.C * self.slack(problem, problem.new_model(), Clock(None), 0)

    def fingerprint(self, problem: Examples) -> str:
        """What a checkpoint must agree in with the training that reads it."""
        shards = f"shards={self.shards} " if self.shards > 1 else ""
        return (f"{type(self).__name__} C={self.C!r} seed={self.random_state!r} {shards}"
                f"{problem.fingerprint()}")

    def save_checkpoint(self, problem: Examples, clock: Clock, **state) -> None:
        """Save all that is needed to resume after this pass."""
        if self.checkpoint is None:
            return
        try:
            write_arrays(
                self.checkpoint, fingerprint=clock.identity(self, problem),
                reports=json.dumps([asdict(report) for report in clock.reports]),
                **state)
        except OSError as error:        # the training is worth more than its checkpoint
            warnings.warn(
                f"{self.checkpoint}: the checkpoint could not be written "
                f"({error.strerror}); training continues", stacklevel=2)

    def load_checkpoint(self, problem: Examples, clock: Clock) -> dict | None:
        """What was saved, if anything; the clock resumes from there."""
        if self.checkpoint is None:
            return None
        clock.identity(self, problem)
        if not os.path.exists(self.checkpoint):
            return None
        try:
            state = read_arrays(self.checkpoint)
            fingerprint = str(state.pop("fingerprint"))
            reports = [Report(**report) for report in json.loads(str(state.pop("reports")))]
        except (ArrayFileError, KeyError, TypeError, ValueError, RecursionError
                ) as error:
            raise CheckpointError(
                f"{self.checkpoint} cannot be read as a checkpoint ({error}); "
                "name another file to train from the beginning") from error
        if fingerprint != (expected := clock.identity(self, problem)):
            raise CheckpointError(
                f"{self.checkpoint} belongs to another training ({fingerprint}), "
                f"expected {expected}; delete it or name another file")
        clock.resume(reports)
        done = clock.reports[-1].pass_ if clock.reports else 0
        if done > self.passes:
            warnings.warn(
                f"{self.checkpoint} already has {done} passes, more than "
                f"passes={self.passes}, and is used as it is; delete it to start over", stacklevel=2)
        return state


class BestPass(NamedTuple):
    """The pass with the smallest validation loss; the first of several."""

    loss: float
    pass_: int
    model: object


class Validation:
    """Measures the model of each pass on held-out examples.

    Parameters
    ----------
    loss : mean loss of a model; its second argument observes the progress
    keep_best : whether the solution has the model of the best pass, not of the last
    """

    def __init__(self, loss: Callable[[object, Progress], float], *,
                 keep_best: bool = True):
        self.loss, self.keep_best = loss, keep_best
        self.best: BestPass | None = None

    def measure(self, model, pass_: int, progress: Progress) -> float:
        """The loss of a model, which no longer changes; nan if it is to stop early."""
        try:
            loss = self.loss(model, progress)
        except StopEarly:
            return np.nan
        if self.best is None or loss < self.best.loss:
            self.best = BestPass(loss, pass_, model if self.keep_best else None)
        return loss


class Clock:
    """Time, oracle calls, and the callback.

    A solver ends with what it has when `stopped` is true: its callback has raised
    StopEarly. It looks at this where it can end, so that no pass is lost.
    """

    def __init__(self, callback: Callback | None, validation: Validation | None = None,
                 measures: Measures | None = None):
        self.callback = callback
        self.validation, self.measures = validation, measures or {}
        self.began = time.perf_counter()
        self.reported = self.began
        self.oracle_calls = 0
        self.reports: list[Report] = []
        self.stopped = False
        self._identity: str | None = None

    def identity(self, solver: Solver, problem: Examples) -> str:
        """The solver's fingerprint of the problem as it was when first asked for."""
        if self._identity is None:
            self._identity = solver.fingerprint(problem)
        return self._identity

    def resume(self, reports: list[Report]) -> None:
        """As if the time since these reports had not passed."""
        self.reports = reports
        if reports:
            self.oracle_calls = reports[-1].oracle_calls
            self.began -= reports[-1].seconds

    def due(self) -> bool:
        return (self.callback is not None
                and time.perf_counter() - self.reported > REPORT_EVERY)

    def report(self, pass_: int, fraction: float, *, end_of_pass: bool = False,
               **figures) -> Report:
        """Make a report, hand it on, and remember whether to stop."""
        self.reported = time.perf_counter()
        report = Report(pass_, min(1., fraction), self.reported - self.began,
                        self.oracle_calls, end_of_pass=end_of_pass, **figures)
        if end_of_pass:
            self.reports.append(report)
        if self.callback is not None:
            try:
                self.callback(report)
            except StopEarly:
                self.stopped = True
        return report

    def look(self, pass_: int, fraction: float) -> None:
        """Report within a long pass now and then."""
        if self.due():
            self.report(pass_, fraction)

    def check_stop(self, pass_: int, fraction: float) -> None:
        """The same, between two pieces of work that is of no use if it does not end:
        raises StopEarly."""
        self.look(pass_, fraction)
        if self.stopped:
            raise StopEarly

    def observer(self, pass_: int, fraction: float) -> Progress:
        """A progress function for work at this point of the training."""
        return lambda _, text="": self.check_stop(pass_, fraction)
