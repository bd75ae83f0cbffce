"""Epochs of a net's training: reports, stopping, validation, checkpoints.

A loss or a gradient that is not finite is never learned from: the epoch begins again
from the end of the one before, with smaller steps, and a warning says so.
"""
from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.arrays import ArrayFileError, read_arrays, write_arrays
from orange_structpred.neural.adam import Adam, Schedule
from orange_structpred.neural.weights import Weights
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.running.memory import keep_freed_memory
from orange_structpred.running.threads import one_blas_thread

EPOCH_REPORT_EVERY = 0.25       # seconds between reports within an epoch
MOST_RESTARTS = 6
Batch = TypeVar("Batch")


class Learnable(Protocol[Batch]):
    """A net and what it learns from."""

    weights: Weights

    def batches(self, rng: np.random.Generator) -> Sequence[Batch]:
        """The examples of an epoch, in the order in which they are learned."""

    def learn(self, batch: Batch, rng: np.random.Generator) -> float:
        """Add to the gradients of all weights; the mean loss is returned."""

    def fingerprint(self) -> str:
        """What a checkpoint must agree in with the training that reads it."""


@dataclass(frozen=True)
class EpochReport:
    """The progress of a training.

    epoch : the present one, counted from 1
    fraction : of all epochs
    seconds : since the training began
    loss : mean of this epoch so far
    validation_loss : of the averaged weights at the end of the epoch; nan if unknown
    """

    epoch: int
    fraction: float
    seconds: float
    loss: float
    validation_loss: float = np.nan
    end_of_epoch: bool = False


class Diverged(Exception):
    """A loss or a gradient is not finite."""


class NetCheckpointError(InputError):
    """A checkpoint that is damaged or belongs to another training."""


class NetTraining(Generic[Batch]):
    """Learns the weights of a net.

    Parameters
    ----------
    net : with weights as they are before training
    epochs : over all examples
    rate : the largest step of Adam
    random_state : seed for the order of the examples and for dropout
    callback : gets every report; raises StopEarly to end with the weights so far
    validate : measures the loss of the weights that the net has at that time
    keep_best : whether the weights of the epoch with the smallest validation loss are
        kept, not those of the last one
    checkpoint : file that is written after each epoch; training resumes from it
    """

    def __init__(self, net: Learnable[Batch], *, epochs: int, rate: float,
                 random_state: int = 0,
                 callback: Callable[[EpochReport], object] | None = None,
                 validate: Callable[[], float] | None = None, keep_best: bool = True,
                 checkpoint: str | os.PathLike | None = None):
        self.net, self.epochs, self.rate = net, epochs, rate
        self.random_state, self.callback, self.validate = random_state, callback, validate
        self.keep_best = keep_best and validate is not None
        self.checkpoint = checkpoint
        self.adam = Adam(net.weights)
        self.reports: list[EpochReport] = []
        self.restarts = 0
        self.kept_epoch: int | None = None
        self.stopped = False
        self._best: np.ndarray | None = None
        self._began = self._reported = time.perf_counter()

    def run(self) -> None:
        """Learn; the net then has averaged weights, those of the best epoch if asked for.

        When the callback raises StopEarly, the weights so far are taken; before the end
        of the first epoch it reaches the caller, as Cancelled does at any time.
        """
        keep_freed_memory()
        self._load()
        good = self.adam.state()
        with one_blas_thread():
            while len(self.reports) < self.epochs and not self.stopped:
                try:
                    self._epoch(len(self.reports))
                except Diverged:
                    self._restart(good)
                    continue
                good = self.adam.state()
                self._save(good)
        self.net.weights.values[:] = (
            self.adam.averaged if self._best is None else self._best)

    def _epoch(self, epoch: int) -> None:
        rng = np.random.default_rng([self.random_state, epoch])
        schedule = Schedule(self.rate * 0.5 ** self.restarts)
        batches = self.net.batches(rng)
        losses: list[float] = []
        for batch in batches:
            done = (epoch + len(losses) / len(batches)) / self.epochs
            loss = self.net.learn(batch, rng)
            norm = self.adam.step(schedule.size(done), averaging=epoch > 0)
            if not np.isfinite(loss) or not np.isfinite(norm):
                raise Diverged
            losses.append(loss)
            if time.perf_counter() - self._reported > EPOCH_REPORT_EVERY:
                self._report(EpochReport(epoch + 1, done, self._seconds(),
                                         float(np.mean(losses))))
                if self.stopped and epoch == 0:
                    raise StopEarly
                if self.stopped:
                    return
        report = EpochReport(
            epoch + 1, (epoch + 1) / self.epochs, self._seconds(),
            float(np.mean(losses)), self._validated(epoch + 1), end_of_epoch=True)
        self.reports.append(report)
        self._report(report)

    def _seconds(self) -> float:
        return time.perf_counter() - self._began

    def _report(self, report: EpochReport) -> None:
        self._reported = time.perf_counter()
        if self.callback is not None:
            try:
                self.callback(report)
            except StopEarly:
                self.stopped = True

    def _validated(self, epoch: int) -> float:
        """The validation loss of the averaged weights, which are kept if they are the
        best ones; nan without validation."""
        if self.validate is None:
            return np.nan
        values = self.net.weights.values
        latest = values.copy()
        values[:] = self.adam.averaged
        loss = self.validate()
        values[:] = latest
        if self.keep_best and all(loss < report.validation_loss for report in self.reports):
            self._best, self.kept_epoch = self.adam.averaged.copy(), epoch
        return loss

    def _restart(self, good: dict[str, np.ndarray]) -> None:
        self.restarts += 1
        if self.restarts > MOST_RESTARTS:
            raise InputError("The net's loss is not finite, even with small steps; check "
                             "the treebank or use a smaller rate")
        self.adam.restore(good)
        warnings.warn(
            f"the net's loss was not finite in epoch {len(self.reports) + 1}; the epoch "
            f"is repeated with half the step size", stacklevel=3)

    # checkpoints

    def _fingerprint(self) -> str:
        return (f"net epochs={self.epochs} rate={self.rate!r} seed={self.random_state} "
                f"validated={self.validate is not None} {self.net.fingerprint()}")

    def _save(self, state: dict[str, np.ndarray]) -> None:
        if self.checkpoint is None or self.stopped:
            return
        best = {} if self._best is None else {"best": self._best}
        try:
            write_arrays(
                self.checkpoint, fingerprint=self._fingerprint(),
                reports=json.dumps([asdict(report) for report in self.reports]),
                restarts=self.restarts, kept=self.kept_epoch or 0, **state, **best)
        except OSError as error:        # the training is worth more than its checkpoint
            warnings.warn(
                f"{self.checkpoint}: the checkpoint could not be written "
                f"({error.strerror}); training continues", stacklevel=3)

    def _load(self) -> None:
        if self.checkpoint is None or not os.path.exists(self.checkpoint):
            return
        try:
            state = read_arrays(self.checkpoint)
            fingerprint = str(state["fingerprint"])
            if fingerprint == self._fingerprint():
                self.adam.restore(state)
                self.reports = [EpochReport(**report)
                                for report in json.loads(str(state["reports"]))]
                self.restarts = int(state["restarts"])
                self._best = state.get("best")
                self.kept_epoch = int(state["kept"]) or None
        except (ArrayFileError, KeyError, TypeError, ValueError, RecursionError
                ) as error:
            raise NetCheckpointError(
                f"{self.checkpoint} cannot be read as a checkpoint ({error}); "
                "name another file to train from the beginning") from error
        if fingerprint != self._fingerprint():
            raise NetCheckpointError(
                f"{self.checkpoint} belongs to another training ({fingerprint}), expected "
                f"{self._fingerprint()}; delete it or name another file")
        if self.reports:
            self._began -= self.reports[-1].seconds
