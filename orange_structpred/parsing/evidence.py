"""What speaks for and against an edge."""
from __future__ import annotations

from typing import NamedTuple


class Evidence(NamedTuple):
    """A feature, or a training sentence, and how much it adds to an edge's score."""

    name: str
    value: float
