"""Ctrl-C and requests to end, answered soon whatever the program is doing.

Python looks at signals between two of its own instructions, and only in the main
thread. A compiled function that takes a minute, a pipe that nobody reads from, or
threads that are waited for keep it from doing so. So a thread of its own learns of
each interrupt at once, and ends the process if the work does not end by itself.
"""
from __future__ import annotations

import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds that the work has to end by itself
GRACE = 0.5
#: Requests to end: by `kill`, by a computer that is shut down, by a closed terminal
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP")
               if hasattr(signal, name))

#: What is asked about the next interrupt, see `answer_with`
_answer: Callable[[], bool] | None = None
#: Whether an interrupt has come that ends the work
_is_ending = False


def answer_with(answer: Callable[[], bool] | None) -> None:
    """Who is asked, in another thread, about the next interrupt: if the answer is
    true, the work may take its time to end, up to the interrupt after that."""
    global _answer
    _answer = answer


def is_interrupt(error: BaseException) -> bool:
    """Whether an error is, or comes of, an interrupt. Compiled code that is interrupted
    while it calls Python raises errors of its own, some of which have forgotten why."""
    while not isinstance(error, KeyboardInterrupt):
        reason = error.__cause__ or error.__context__
        if reason is None:
            return _is_ending
        error = reason
    return True


@contextmanager
def answered(leave: Callable[[int], object]) -> Iterator[None]:
    """While it lasts, `leave` is called in another thread, with the signal, when an
    interrupt has not ended the work soon, and at once when the process is asked to end;
    it should end the process.

    To be used in the main thread. Interrupts are raised there as ever.
    """
    global _is_ending
    _is_ending = False
    noted = [number for number in ENDING if signal.getsignal(number) == signal.SIG_DFL]
    for number in noted:        # else Python would not tell the thread of them
        signal.signal(number, lambda *_: None)
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    sys.unraisablehook = _say_unless_interrupted
    thread = threading.Thread(target=_watch, args=(reader, leave), daemon=True,
                              name="interrupts")
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for number in noted:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = sys.__unraisablehook__
        writer.close()          # which is the end for the thread
        thread.join()
        reader.close()


def _say_unless_interrupted(ignored) -> None:
    """Where Python cannot raise an interrupt it forgets it, with a traceback; but here
    it is not forgotten."""
    if not issubclass(ignored.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)


def _watch(reader: socket.socket, leave: Callable[[int], object]) -> None:
    """Read the numbers of signals as they come, until there will be no more."""
    global _is_ending
    deadline = None
    while True:
        reader.settimeout(deadline and max(0.001, deadline - time.monotonic()))
        try:
            signals = reader.recv(64)
        except TimeoutError:
            leave(signal.SIGINT)
            return
        if not signals:
            return
        for number in signals:
            if number in ENDING:
                leave(number)
                return
        for _ in range(signals.count(signal.SIGINT)):
            if deadline is not None:        # somebody is impatient
                leave(signal.SIGINT)
                return
            answer = _answer
            answer_with(None)
            if answer is None or not answer():
                _is_ending, deadline = True, time.monotonic() + GRACE
