"""A process that compiles what first runs need, while the user looks at the first widget."""
from __future__ import annotations

import functools
import logging
import os
import subprocess
import sys
import threading

import psutil

#: Set it to 0 to compile only what is needed, when it is needed
AHEAD_VARIABLE = "STRUCTPRED_COMPILE_AHEAD"

log = logging.getLogger(__name__)


@functools.cache        # once in a process
def start_compiling_ahead() -> None:
    """Start the process, unless everything was compiled before; returns at once."""
    if os.environ.get(AHEAD_VARIABLE) != "0" and not getattr(sys, "frozen", False):
        threading.Thread(target=run_process, daemon=True).start()


def run_process() -> None:
    from orange_structpred.commands.compile_ahead import mark_file

    try:
        if mark_file().exists():
            return
        process = subprocess.Popen(
            [sys.executable, "-m", "orange_structpred", "cache", "--fill"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))
        give_way(process.pid)
        process.wait()
    except OSError as error:        # the first run takes longer, and that is all
        log.info("nothing is compiled ahead: %s", error)


def give_way(process_id: int) -> None:
    """Let a process have what others leave of the processor."""
    try:
        psutil.Process(process_id).nice(
            psutil.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else 5)
    except psutil.Error:
        log.debug("process %d has ended", process_id)
