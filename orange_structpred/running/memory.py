"""How much memory is free, whether a large array fits into it, and what becomes of what
arrays leave behind."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import psutil

from orange_structpred.errors import InputError

# The rest is for everything else: the sentences, the blocks being computed, the model.
_MEMORY_SHARE = 0.9
_LARGEST_KEPT = 31 << 20     # bytes; glibc gives larger blocks back in any case


class TooLarge(InputError, MemoryError):
    """Something that does not fit into the available memory."""


def available_memory() -> int:
    """Bytes that can be used without swapping."""
    free = psutil.virtual_memory().available
    container = _container_memory()
    return free if container is None else min(free, container)


def _container_memory(folder: Path = Path("/sys/fs/cgroup")) -> int | None:
    """What the limit of a container (cgroup 2) leaves; psutil sees the host's memory."""
    try:
        limit = int((folder / "memory.max").read_text())
        used = int((folder / "memory.current").read_text())
    except (OSError, ValueError):  # no container, or "max": no limit
        return None
    return max(0, limit - used)


def check_fits(needed: float, what: str, advice: str) -> None:
    """Raise TooLarge if this many bytes are not free."""
    free = available_memory()
    if needed > _MEMORY_SHARE * free:
        raise TooLarge(f"{what} needs {needed / 1e9:.1f} GB, but only {free / 1e9:.1f} "
                       f"GB of memory are free; {advice}")


def keep_freed_memory() -> None:
    """Let the C library keep what arrays leave behind for the arrays that follow.

    glibc gives large blocks back to the system as soon as they are free, and whoever asks
    for one again waits for each of its pages: a seventh of the training of a net. It does
    so only with blocks that are larger than any that was ever freed. Other C libraries
    take no notice.
    """
    np.empty(_LARGEST_KEPT, np.uint8)
