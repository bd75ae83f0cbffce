"""How much memory is free, and whether what is to come fits into it."""
from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from orange_structpred.kernels.errors import TooLarge

# What is left for everything else: the sentences, the blocks in work, the model.
_SHARE = 0.9


def available_memory() -> int | None:
    """Bytes that can be had without swapping; None where no one says."""
    found = [free for free in (_system_memory(), _container_memory())
             if free is not None]
    return min(found, default=None)


def _system_memory() -> int | None:
    if sys.platform == "win32":
        return _windows_memory()
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    # Elsewhere (macOS) free pages say little, since caches fill them: take it all.
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def _container_memory(folder: Path = Path("/sys/fs/cgroup")) -> int | None:
    """What the limit of a container (cgroup 2) leaves."""
    try:
        limit = int((folder / "memory.max").read_text())
        used = int((folder / "memory.current").read_text())
    except (OSError, ValueError):  # no container, or "max": no limit
        return None
    return max(0, limit - used)


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API."""

    _fields_ = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [
        (name, ctypes.c_ulonglong) for name in (
            "total", "available", "total_page", "available_page",
            "total_virtual", "available_virtual", "available_extended")]


def _windows_memory() -> int | None:
    status = _MemoryStatus()
    status.length = ctypes.sizeof(status)
    done = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return status.available if done else None


def check_fits(needed: float, what: str, advice: str) -> None:
    """Raise TooLarge if so many bytes are not free."""
    free = available_memory()
    if free is not None and needed > _SHARE * free:
        raise TooLarge(f"{what} needs {needed / 1e9:.1f} GB, but only {free / 1e9:.1f} "
                       f"GB of memory are free; {advice}")


def check_gram(rows: int, columns: int) -> None:
    """Raise TooLarge if a Gram matrix of this shape does not fit into memory."""
    check_fits(
        4. * rows * columns, f"the Gram matrix of {rows:,} x {columns:,} sentences",
        "take fewer sentences, or the Nystroem approximation of the kernel, whose "
        "features grow with the number of sentences only")
