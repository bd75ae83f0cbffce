import threading
import warnings

from orange_structpred.running.threads import Threads
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from tests.widgets.waiting import LONG


def warn(text):
    warnings.warn(text, UserWarning, stacklevel=1)


def test_each_warning_once_and_again_the_next_time():
    for _ in range(2):
        with recorded_warnings() as texts:
            warn("a")
            warn("a")
            warn("b")
        assert texts == ["a", "b"]


def test_threads_that_overlap_have_their_own():
    """The first to begin is the first to end, which catch_warnings cannot take."""
    before = warnings.showwarning
    begun, go_on = threading.Event(), threading.Event()
    second = []

    def other():
        with recorded_warnings() as texts:
            begun.set()
            go_on.wait(LONG)
            warn("second")
            second.extend(texts)

    with recorded_warnings() as first:
        thread = threading.Thread(target=other)
        thread.start()
        begun.wait(LONG)
        warn("first")
    go_on.set()
    thread.join(LONG)
    assert first == ["first"]
    assert second == ["second"]
    assert warnings.showwarning is before


def test_threads_that_work_for_this_one():
    with recorded_warnings() as texts, Threads(2) as pool:
        for text in ("a", "b", "a"):
            pool.submit(warn, text).result()
    assert sorted(texts) == ["a", "b"]


def test_other_threads_and_other_warnings_go_elsewhere(recwarn):
    with recorded_warnings() as texts:
        warnings.warn("to users of the code", DeprecationWarning, stacklevel=1)
        thread = threading.Thread(target=warn, args=["of another thread"])
        thread.start()
        thread.join(LONG)
    assert texts == []
    assert {str(item.message) for item in recwarn.list} >= {"of another thread"}
