"""What a caller may pass where an array is made of it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

Integers: TypeAlias = Sequence[int] | np.ndarray
Reals: TypeAlias = Sequence[float] | np.ndarray
