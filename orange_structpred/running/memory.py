"""How much memory is free, and whether a large array fits into it."""
from __future__ import annotations

from pathlib import Path

import psutil

from orange_structpred.errors import InputError

# The rest is for everything else: the sentences, the blocks being computed, the model.
_MEMORY_SHARE = 0.9


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
