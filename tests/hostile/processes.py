"""Processes that are forked, killed and waited for."""
import os
import signal
import time


def fork(work) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def wait(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill_after(pid: int, seconds: float) -> None:
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    wait(pid)


def no_parts(folder) -> None:
    left = [path.name for path in folder.iterdir() if path.name.endswith(".part")]
    assert not left, left


def remove_parts(folder) -> int:
    parts = [path for path in folder.iterdir() if path.name.endswith(".part")]
    for path in parts:
        path.unlink()
    return len(parts)
