"""The reports of a training in the header of a model's file."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from orange_structpred.files.schema import Flag, ListOf, Number, Optional, Record, Whole
from orange_structpred.svm.solver import Report

_REPORTED = ("fraction", "seconds", "primal", "dual", "gap", "slack", "norm", "loss")
_LATER_REPORTED = ("limited", "validation_loss", "net_loss")     # not in older files
_FURTHER = "further"


def log_schema(*further: str) -> ListOf:
    """What the log of a model may be.

    further : names of what its learner measures besides the loss
    """
    # Figures that this version does not know say nothing of what a model does.
    return ListOf(Record({
        "pass_": Whole(0, 1 << 40), "epoch": Optional(Whole(0, 1 << 40)),
        "oracle_calls": Whole(0, 1 << 60),
        **dict.fromkeys(_REPORTED, Number()),
        **dict.fromkeys((*_LATER_REPORTED, *further), Optional(Number())),
        "certified": Flag(), "end_of_pass": Flag()}, open=True), 1 << 16)


def log_rows(log: Iterable[Report]) -> list[dict[str, Any]]:
    """The reports as a header holds them: what was measured further is beside the rest."""
    return [{name: value for name, value in {**asdict(report), **report.further}.items()
             if name != _FURTHER} for report in log]


def log_from_rows(rows: Iterable[Mapping[str, Any]], *further: str) -> list[Report]:
    """The reports of a header that was checked.

    further : as in `log_schema`
    """
    known = {field.name for field in fields(Report)} - {_FURTHER}
    return [Report(**{name: value for name, value in row.items()
                      if name in known and value is not None},
                   further={name: row[name] for name in further
                            if row.get(name) is not None}) for row in rows]
