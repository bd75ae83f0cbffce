"""Waiting for what happens in the background."""
import time

from AnyQt.QtTest import QTest

LONG = 300          # seconds that nothing takes unless it is broken


def wait_for(condition):
    """Run the event loop until a condition holds."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, "it never happened"
        QTest.qWait(5)
