"""The reports of a training in the header of a model's file."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields

from orange_structpred.files.schema import Flag, ListOf, Number, Optional, Record, Whole
from orange_structpred.svm.solver import Report

_REPORTED = ("fraction", "seconds", "primal", "dual", "gap", "slack", "norm", "loss")
_LATER_REPORTED = ("labelled_loss", "limited", "validation_loss", "net_loss")   # not in older files
#: Figures that this version does not know say nothing of what a model does.
LOG_SCHEMA = ListOf(Record({
    "pass_": Whole(0, 1 << 40), "epoch": Optional(Whole(0, 1 << 40)),
    "oracle_calls": Whole(0, 1 << 60),
    **dict.fromkeys(_REPORTED, Number()),
    **dict.fromkeys(_LATER_REPORTED, Optional(Number())), "certified": Flag(),
    "end_of_pass": Flag()}, open=True), 1 << 16)


def log_rows(log: Iterable[Report]) -> list[dict]:
    """The reports as a header holds them."""
    return [asdict(report) for report in log]


def log_from_rows(rows: Iterable[Mapping]) -> list[Report]:
    """The reports of a header that was checked."""
    known = {field.name for field in fields(Report)}
    return [Report(**{name: value for name, value in row.items()
                      if name in known and value is not None}) for row in rows]
