"""Work on several threads."""
import threading
from contextvars import ContextVar

import pytest

from orange_structpred.running.threads import Threads, n_threads

WHO = ContextVar("who", default="nobody")


def test_number_of_threads(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert [n_threads(n) for n in (None, 1, 3, -1, -2, -20)] == [1, 1, 3, 8, 7, 1]
    for wrong in (0, 1.5, "2"):
        with pytest.raises(ValueError, match=f"n_jobs must be a whole number .*, not {wrong!r}"):
            n_threads(wrong)


def test_threads_have_the_context_of_the_one_they_work_for():
    together = threading.Barrier(2, timeout=60)

    def work(number):
        together.wait()         # each has a context of its own, at the same time
        return number, WHO.get()

    with Threads(2) as pool:
        for name in ("me", "you"):
            token = WHO.set(name)
            assert list(pool.map(work, range(2))) == [(0, name), (1, name)]
            WHO.reset(token)
        assert sorted(pool.map(work, range(2))) == [(0, "nobody"), (1, "nobody")]


def test_after_an_error_nothing_is_begun():
    begun = []

    def work(number):
        begun.append(number)
        raise KeyError(number)

    with pytest.raises(KeyError, match="0"), Threads(1) as pool:
        first = pool.submit(work, 0)
        blocker = threading.Event()
        pool.submit(blocker.wait, 60)
        never = pool.submit(work, 1)
        try:
            first.result()
        finally:
            threading.Timer(0.05, blocker.set).start()
    assert begun == [0]
    assert never.cancelled()
