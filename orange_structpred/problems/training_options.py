"""What `fit` of all estimators takes besides examples: who watches, where, how long."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from orange_structpred.errors import InputError
from orange_structpred.kinds import OrNone, WholeNumber
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.svm.solver import Callback, Report, Validation

if TYPE_CHECKING:
    from distributed import Client

KEEP = ("best", "last")         # passes whose model may be kept
PATIENCE_KIND = OrNone(WholeNumber(1))


@dataclass
class TrainingOptions:
    """How one training runs.

    Parameters
    ----------
    callback : function of a `Report`, or None
        Gets every report of the solver. Raises StopEarly to end the training with what
        was learned so far, Cancelled to give it up
    client : dask.distributed.Client, address of a scheduler, "local" or None
        A cluster on whose workers one-slack, MIRA and the perceptron train
    validation : pair of inputs and outputs, or None
        Held-out examples, on which the loss is measured after each pass; not for
        outputs with hidden parts, which are learned in several trainings
    keep : "best" or "last"
        With `validation`: whether the model is that of the pass with the smallest loss
        on it, or that of the last pass
    patience : int or None
        Stop early after so many passes without a smaller loss on `validation`
    unlabelled : inputs, or None
        Inputs without outputs, for problems with kernels
    """

    callback: Callback | None = None
    client: Client | str | None = None
    validation: tuple | None = None
    keep: str = "best"
    patience: int | None = None
    unlabelled: Sequence | None = None

    def check(self) -> None:
        if self.keep not in KEEP:
            raise InputError(f"keep must be 'best' or 'last', not {self.keep!r}")
        PATIENCE_KIND.check("patience", self.patience)
        if self.callback is not None and not callable(self.callback):
            raise InputError(f"callback is a {type(self.callback).__name__}; expected a "
                             "function of a report")
        if self.validation is None:
            if self.patience is not None:
                raise InputError("patience needs held-out examples; pass "
                                 "validation=(X, y)")
        elif not (isinstance(self.validation, (tuple, list)) and len(self.validation) == 2):
            raise InputError("validation is a pair of inputs and outputs, (X, y)")

    def measured_by(self, mean_loss: Callable[[Any, Any, Any], float]) -> Validation | None:
        """What measures models of passes.

        mean_loss : of a model, inputs and outputs
        """
        if self.validation is None:
            return None
        X, y = self.validation
        return Validation(lambda model, progress: mean_loss(model, X, y),
                          keep_best=self.keep == "best")

    def watched(self, callback: Callback | None) -> Callback | None:
        """A callback that also stops early."""
        if self.patience is None:
            return callback
        return Patience(self.patience, callback)


class Patience:
    """A callback that raises StopEarly when the validation loss gets no smaller."""

    def __init__(self, passes: int, callback: Callback | None):
        self.passes, self.callback = passes, callback
        self.best, self.best_pass = float("inf"), 0

    def __call__(self, report: Report) -> None:
        if self.callback is not None:
            self.callback(report)
        if not report.end_of_pass:
            return
        if report.validation_loss < self.best:
            self.best, self.best_pass = report.validation_loss, report.pass_
        elif report.pass_ - self.best_pass >= self.passes:
            raise StopEarly
