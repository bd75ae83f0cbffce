"""Parameters of learners that are about nets."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

MOST_EPOCHS, LARGEST_HIDDEN = 1000, 4096
#: Treebanks of fewer tokens get the small one of two nets: a large one sees few
#: sentences too often
MANY_TOKENS = 60_000

Defaults = Mapping[str, float]


class NetSettings(NamedTuple):
    """Memory of the LSTMs, dropout, epochs; None is chosen by the treebank."""

    hidden: int | None = None
    dropout: float | None = None
    epochs: int | None = None

    def chosen(self, tokens: int, small: Defaults, large: Defaults) -> dict[str, Any]:
        """What they are for a treebank of so many tokens.

        small, large : what None stands for
        """
        defaults = small if tokens < MANY_TOKENS else large
        return {name: defaults[name] if value is None else value
                for name, value in self._asdict().items()}
