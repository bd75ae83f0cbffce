"""The course of a training as a table."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

import numpy as np
from Orange.data import ContinuousVariable, Domain, Table

from orange_structpred.parsing.relations.labelled_loss import labelled_loss
from orange_structpred.svm import Report

# column: (what it holds of a report, decimals that are shown)
LOG_COLUMNS: dict[str, tuple[Callable[[Report], float], int]] = {
    "pass": (attrgetter("pass_"), 0), "primal": (attrgetter("primal"), 6),
    "dual": (attrgetter("dual"), 6), "gap": (attrgetter("gap"), 6),
    "slack": (attrgetter("slack"), 6), "norm": (attrgetter("norm"), 4),
    "loss": (attrgetter("loss"), 6),
    "seconds": (attrgetter("seconds"), 3),
    "validation loss": (attrgetter("validation_loss"), 6),
    "LAS": (lambda report: 1 - labelled_loss(report), 6),
    "net loss": (attrgetter("net_loss"), 6),
}


def training_log(reports: Sequence[Report], *, name: str = "training log") -> Table:
    """One row per pass: pass, primal, dual, gap, slack, norm, loss, seconds,
    validation loss, LAS, net loss (of a net, whose epochs are passes, too).

    Loss and LAS are means over the training sentences, without the votes of a
    transition-based parser; the loss is that of heads only.

    What a solver does not know is missing: online solvers have no dual, and
    block-coordinate Frank-Wolfe does not measure the slack in every pass. Without a
    validation treebank there is no validation loss, and with the hard margin no primal
    objective as long as a tree violates its margin.

    Examples
    --------
    >>> table = training_log([Report(1, 0.5, 1.5, 100, primal=0.9, dual=0.1)])
    >>> [variable.name for variable in table.domain.attributes][:3]
    ['pass', 'primal', 'dual']
    >>> table.X[0, :3].tolist()
    [1.0, 0.9, 0.1]
    """
    domain = Domain([ContinuousVariable(column, number_of_decimals=decimals)
                     for column, (_, decimals) in LOG_COLUMNS.items()])
    values = [[value(report) for value, _ in LOG_COLUMNS.values()]
              for report in reports]
    columns = np.array(values, dtype=float).reshape(-1, len(LOG_COLUMNS))
    table = Table.from_numpy(domain, np.where(np.isfinite(columns), columns, np.nan))
    table.name = name
    return table
