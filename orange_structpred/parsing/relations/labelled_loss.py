"""The loss of trees with their relations, in reports of a training of trees."""
from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orange_structpred.svm import Report

#: Its name among what is measured besides the loss of heads
LABELLED_LOSS = "labelled_loss"


def labelled_loss(report: Report) -> float:
    """The mean share of tokens with a wrong head or relation; nan where no relations are
    learned."""
    return report.further.get(LABELLED_LOSS, nan)
