"""Memory that is freed and soon needed again."""
from __future__ import annotations

import numpy as np

LARGEST_KEPT = 31 << 20     # bytes; glibc gives larger blocks back in any case


def keep_freed_memory() -> None:
    """Let the C library keep what arrays leave behind for the arrays that follow.

    glibc gives large blocks back to the system as soon as they are free, and whoever asks
    for one again waits for each of its pages: a seventh of the training of a net. It does
    so only with blocks that are larger than any that was ever freed. Other C libraries
    take no notice.
    """
    np.empty(LARGEST_KEPT, np.uint8)
