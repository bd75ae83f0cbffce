"""What the workers of a cluster are asked to do in tests; imports nothing large."""
import os
import signal
import time
from pathlib import Path


def square(x):
    return x * x


def zeros(n):
    return bytes(n)


def add(shared, x):
    return shared + x


def die_once(path, x):
    if x == 3 and not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def die(x):
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_the_end(path):
    time.sleep(60)
    Path(path).touch()


def allocate(x):
    """Memory without end, as the system sees it."""
    kept = []
    while True:
        kept.append(bytearray(b"x" * (1 << 24)))
        time.sleep(0.01)


LEAKED = []


def leak(megabytes):
    """Memory that stays in use when the task is done."""
    LEAKED.append(bytearray(b"x" * (megabytes << 20)))
    return megabytes
