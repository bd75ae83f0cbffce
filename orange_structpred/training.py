"""What a training learns from, and its course as a table."""
from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

import numpy as np
from Orange.data import ContinuousVariable, Domain, Table

from orange_structpred.errors import InputError
from orange_structpred.svm import Report
from orange_structpred.treebank import Sentence, Treebank, as_treebank


class TrainingError(InputError):
    """A treebank from which nothing can be learned."""


class MissingHeadsError(TrainingError):
    """A treebank with tokens without heads."""


def training_sentences(data: Table) -> list[Sentence]:
    """The sentences of a treebank, if something can be learned from them."""
    treebank = as_treebank(data)
    sentences = treebank.sentences
    if not sentences:
        raise TrainingError("the treebank has no sentences to learn from")
    expect_heads(sentences)
    return sentences


def validation_treebank(data: Table, *, heads: bool = True) -> Treebank:
    """A treebank to measure on, if this can be done.

    heads : whether all tokens must have them
    """
    treebank = as_treebank(data)
    if not len(treebank):
        raise InputError("the validation treebank has no sentences")
    try:
        expect_heads(treebank.sentences if heads else ())
    except MissingHeadsError as error:
        raise MissingHeadsError(f"the validation treebank: {error}") from None
    return treebank


def expect_heads(sentences: Sequence[Sentence]) -> None:
    """Complain of tokens without heads."""
    for number, sentence in enumerate(sentences, 1):
        if not sentence.has_heads:
            raise MissingHeadsError(
                f"sentence {number} ({sentence.sent_id or sentence.text[:40]!r}) has "
                "tokens without heads")


# column: (what it holds of a report, decimals that are shown)
COLUMNS = {
    "pass": (attrgetter("pass_"), 0), "primal": (attrgetter("primal"), 6),
    "dual": (attrgetter("dual"), 6), "gap": (attrgetter("gap"), 6),
    "slack": (attrgetter("slack"), 6), "norm": (attrgetter("norm"), 4),
    "loss": (attrgetter("loss"), 6),
    "seconds": (attrgetter("seconds"), 3),
    "validation loss": (attrgetter("validation_loss"), 6),
    "LAS": (lambda report: 1 - report.labelled_loss, 6),
}


def training_log(reports: Sequence[Report], *, name: str = "training log") -> Table:
    """A row for each pass: pass, primal, dual, gap, slack, norm, loss, seconds,
    validation loss, LAS.

    Loss and LAS are means over training sentences, loss that of heads alone.

    What a solver does not know is missing: online solvers have no dual, and
    block-coordinate Frank-Wolfe does not measure the slack in every pass. Without a
    validation treebank there is no validation loss.

    Examples
    --------
    >>> table = training_log([Report(1, 0.5, 1.5, 100, primal=0.9, dual=0.1)])
    >>> [variable.name for variable in table.domain.attributes][:3]
    ['pass', 'primal', 'dual']
    >>> table.X[0, :3].tolist()
    [1.0, 0.9, 0.1]
    """
    domain = Domain([ContinuousVariable(column, number_of_decimals=decimals)
                     for column, (_, decimals) in COLUMNS.items()])
    values = [[value(report) for value, _ in COLUMNS.values()]
              for report in reports]
    table = Table.from_numpy(
        domain, np.array(values, dtype=float).reshape(-1, len(COLUMNS)))
    table.name = name
    return table
