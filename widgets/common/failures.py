"""Why work in the background has failed, for people."""
from __future__ import annotations

import logging

log = logging.getLogger(__name__)

BUG = "this is a bug in orange-structpred, not a problem with your input"


def failure_text(work: str, error: Exception) -> str:
    """What an error says; one that nobody has foreseen is written to the log as well.

    work : what has failed, for the log
    """
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename \
            else str(error.strerror)
    if isinstance(error, MemoryError):
        return str(error) or "not enough memory"
    if isinstance(error, (ValueError, OSError)):
        return str(error)
    log.error("%s failed", work, exc_info=error)
    reason = " ".join(str(error).split())
    return f"{BUG} ({type(error).__name__}{': ' if reason else ''}{reason})"
