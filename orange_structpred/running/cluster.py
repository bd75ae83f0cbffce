"""Work on a cluster, by Dask.

Dask is an optional extra, imported when a cluster is asked for. What runs on a worker
is a function of this package and what was sent to it; results come back in the order
in which they were asked for, so that they do not depend on who computed them. Dask
repeats what a worker that died has not finished.
"""
from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import platform
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, wait
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import (
    Cancellation,
    Cancelled,
    CheckCancelled,
    Progress,
    never_cancelled,
)

if TYPE_CHECKING:
    from distributed import Client, Future

INSTALL = 'pip install "Orange3-StructPred[cluster]"'
CONNECTION_TIMEOUT = 10.           # seconds in which a scheduler answers and has a worker
POLL_EVERY = 0.2          # seconds between two looks at what is being waited for
LOOK_EVERY, MOST_PAUSED = 5., 60.       # seconds: how long no worker may have memory
SENTENCES_AT_ONCE = 1000             # sentences that a worker gets at a time
TASKS_AHEAD = 3               # tasks for each worker that wait for their turn
TRIES = 3               # how often data that were lost with their workers are sent again
LOCAL = "local"         # the address of a cluster of this machine's own processors

TIMEOUTS = (TimeoutError, asyncio.TimeoutError)     # noqa: UP041 (two in Python 3.10)

Result = TypeVar("Result")


class ClusterError(InputError):
    """A cluster that cannot be used, or has given up."""


@contextmanager
def connected(client: Client | str | None) -> Iterator[Cluster | None]:
    """A cluster to work with.

    client : a `distributed.Client`, the address of a scheduler, "local" for workers on
        this machine, or None for no cluster
    """
    if client is None:
        yield None
        return
    distributed = import_distributed()
    if isinstance(client, distributed.Client):
        yield Cluster(client)
        return
    if not isinstance(client, str) or not client.strip():
        raise ClusterError(f"found {client!r}, expected a dask.distributed Client, the "
                           "address of a scheduler such as tcp://host:8786, or 'local'")
    if client == LOCAL:
        with start_local_workers() as workers, \
                distributed.Client(workers, set_as_default=False) as opened:
            yield Cluster(opened)
        return
    try:
        distributed.comm.resolve_address(client)     # a client would linger on failure
        opened = distributed.Client(client, timeout=CONNECTION_TIMEOUT, set_as_default=False)
    except ValueError as error:
        raise ClusterError(f"{client} is not the address of a scheduler ({reason(error)}); "
                           "expected one such as tcp://host:8786") from error
    except (OSError, *TIMEOUTS) as error:
        raise ClusterError(
            f"no scheduler answers at {client} ({reason(error)}); start one with "
            "'dask scheduler' and workers with 'dask worker'") from error
    with opened:
        yield Cluster(opened)


def start_local_workers():
    """A cluster of this machine's own processors, each a process."""
    reason = "this process is itself being started as one"
    # A new process imports the script that it is part of: it would start workers in turn
    if not getattr(multiprocessing.current_process(), "_inheriting", False):
        try:
            return import_distributed().LocalCluster(
                n_workers=os.cpu_count() or 1, threads_per_worker=1,
                dashboard_address=None, silence_logs=50)
        except RuntimeError as error:
            reason = str(error)
    raise ClusterError(f"workers on this machine cannot be started ({reason}); in a script, "
                       "put the code that uses them below if __name__ == '__main__', "
                       "because each worker imports the script")


def import_distributed():
    try:
        import distributed
    except ImportError as error:
        raise ClusterError(f"work on a cluster needs Dask: {INSTALL}") from error
    return distributed


def reason(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else \
        type(error).__name__


class Cluster:
    """The workers behind a client, checked to be able to do our work."""

    def __init__(self, client: Client):
        self.client = client
        self.stopping = uuid.uuid4().hex        # name of the event that ends long tasks
        self.looked = self.paused = time.monotonic()    # looked at, not paused at
        self.check_workers()

    @property
    def dashboard(self) -> str:
        """Address of Dask's own page on what the workers do."""
        return self.client.dashboard_link or ""

    @property
    def n_workers(self) -> int:
        return max(1, len(self.client.scheduler_info(n_workers=-1).get("workers", ())))

    def check_workers(self) -> None:
        """Complain of workers that are missing, or have other versions than this one."""
        try:
            self.client.wait_for_workers(1, timeout=CONNECTION_TIMEOUT)
            # whoever has just died is replaced, and does not count
            by_worker = self.client.run(worker_versions(), on_error="ignore")
        except (OSError, *TIMEOUTS) as error:
            raise ClusterError("the scheduler has no workers; start some with "
                               "'dask worker ADDRESS'") from error
        local = worker_versions()()
        for worker, versions in by_worker.items():
            if versions["orange_structpred"] is None:
                raise ClusterError(f"the worker {worker} does not have this package; "
                                   f"install it there: {INSTALL}")
            for name, version in local.items():
                if versions[name] != version:
                    raise ClusterError(
                        f"the worker {worker} has {name} {versions[name]}, expected "
                        f"{version} as here; install the same versions everywhere")

    def check_scheduler(self) -> None:
        """Complain if it is gone; Dask tries to find it again for a while."""
        if self.client.status == "closed":
            raise ClusterError("the cluster's scheduler no longer answers")

    def check_memory(self) -> None:
        """Complain if no worker has had memory for new tasks for long.

        Dask lets such a worker wait until it has; if not for its data but for, say, the
        libraries that it has loaded, this is for ever. No worker at all is no reason to
        complain: on some clusters they come when it is their turn.
        """
        now = time.monotonic()
        if now - self.looked < LOOK_EVERY:
            return
        self.check_scheduler()
        idle, self.looked = now - self.looked > 2 * LOOK_EVERY, now
        workers: list[dict] = []
        with suppress(OSError, *TIMEOUTS):
            workers += self.client.scheduler_info(n_workers=-1).get("workers", {}).values()
        if idle or not workers or any(worker["status"] != "paused" for worker in workers):
            self.paused = now
        if now - self.paused > MOST_PAUSED:
            raise ClusterError("all workers have paused for lack of memory; give them "
                               "more (dask worker --memory-limit)")

    def share(self, value: object) -> Shared:
        """Send a value to all workers, once."""
        return Shared(self, value)

    def send(self, value: object) -> Shared:
        """Send a large value to one worker, as the item of a task."""
        return Shared(self, value, everywhere=False)

    def imap(self, work: Callable[..., Result], items: Iterable, *shared: Shared,
             check_cancelled: CheckCancelled = never_cancelled) -> Iterator[Result]:
        """work(*shared, item) for each of the items, in their order.

        Only some are asked for ahead, so that neither items nor results pile up.
        """
        items = iter(items)
        waiting: deque[Task] = deque()
        most = TASKS_AHEAD * self.n_workers
        try:
            while True:
                while len(waiting) < most and (item := next(items, Task)) is not Task:
                    waiting.append(Task(self, work, shared, item))
                if not waiting:
                    return
                yield waiting[0].result(check_cancelled)
                waiting.popleft()
                check_cancelled()
        finally:
            self.cancel([task.future for task in waiting])

    def parts(self, work: Callable[..., Result], items: Sequence, *shared: Shared,
              progress: Progress | None = None) -> Iterator[Result]:
        """work(*shared, part) for one part of the items after the other.

        progress : gets the fraction that is done; raises Cancelled to end the work
        """
        cancellation, done = Cancellation(progress), 0
        parts = [items[start:start + SENTENCES_AT_ONCE]
                 for start in range(0, len(items), SENTENCES_AT_ONCE)]
        for part, result in zip(parts, self.imap(
                work, parts, *shared, check_cancelled=cancellation.check_cancelled)):
            yield result
            done += len(part)
            cancellation.report_progress(done / len(items))

    def views(self, work: Callable, view: Callable, items: Sequence, *shared: Shared,
              check_cancelled: CheckCancelled = never_cancelled
              ) -> Iterator[tuple[int, Task]]:
        """The numbers and tasks of items, as soon as work(*shared, item) is done.

        What the work returns stays where it is, as long as the task does; `viewed` of
        the task is what `view` makes of it.
        """
        tasks = {number: Task(self, work, shared, item, view)
                 for number, item in enumerate(items)}
        try:
            while tasks:
                done = [number for number, task in tasks.items() if task.future.done()]
                for number in done:
                    task = tasks[number]
                    task.viewed = task.result(check_cancelled)
                    yield number, tasks.pop(number)
                check_cancelled()
                if not done:
                    time.sleep(POLL_EVERY)
                    self.check_memory()
        finally:
            if tasks:
                self.stop()
                self.cancel([future for task in tasks.values()
                             for future in (task.future, task.whole)])

    def cancel(self, futures: list[Future]) -> None:
        if self.client.status != "closed":
            self.client.cancel(futures)

    def stop(self) -> None:
        """Let tasks end that call `cancelled_with_cluster`."""
        if self.client.status != "closed":
            import_distributed().Event(self.stopping, client=self.client).set()


class Shared:
    """A value on all workers, or on one; it is sent again if they have lost it."""

    def __init__(self, cluster: Cluster, value: object, *, everywhere: bool = True):
        self.cluster, self.value, self.everywhere = cluster, value, everywhere
        self.again()

    @property
    def whole(self) -> Future:
        return self.future

    def again(self) -> None:
        """Send it, for the first time or once more."""
        try:
            self.future = self.cluster.client.scatter(
                self.value, broadcast=self.everywhere, hash=False)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise ClusterError(
                f"this cannot be sent to a cluster: {reason(error)}; functions must be "
                "in a module that workers can import, or hold nothing but data"
            ) from error


class Task:
    """One piece of work, asked for again when its data were lost with a worker.

    view : what is wanted of its result, if not all of it
    """

    viewed: Any = None

    def __init__(self, cluster: Cluster, work: Callable, shared: tuple[Shared, ...],
                 item: object, view: Callable | None = None):
        self.cluster, self.work, self.shared, self.item = cluster, work, shared, item
        self.view, self.tries = view, 0
        self.submit()

    def submit(self) -> None:
        self.tries += 1
        try:
            self.whole = self.future = self.cluster.client.submit(
                self.work, *(remote.future for remote in self.shared), futures_in(self.item),
                pure=False)
            if self.view is not None:
                self.future = self.cluster.client.submit(
                    self.view, self.whole, pure=False)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise ClusterError(f"this cannot be sent to a cluster: {reason(error)}"
                               ) from error

    def again(self) -> None:
        """Send the data again, and ask again."""
        for remote in (*self.shared, *remote_parts(self.item)):
            remote.again()
        self.submit()

    def look(self, view: Callable, *arguments):
        """What another view makes of the result."""
        return Task(self.cluster, look, (), (view, self, arguments)).result()

    def result(self, check_cancelled: CheckCancelled = never_cancelled):
        distributed = import_distributed()
        while True:
            fetching = asyncio.run_coroutine_threadsafe(
                task_result(self.future), self.cluster.client.loop.asyncio_loop)
            # never with a time-out: what had come by then would be thrown away
            while not wait([fetching], POLL_EVERY).done:
                check_cancelled()
                self.cluster.check_memory()
            try:
                return fetching.result()
            except distributed.KilledWorker as error:
                raise ClusterError(
                    "workers died several times at the same task; most likely they ran "
                    "out of memory. Give them more, or split the work into smaller "
                    "parts") from error
            except lost_errors() as error:
                if self.future.status == "error":       # the work's own error
                    raise
                self.cluster.check_scheduler()
                if self.tries >= TRIES:
                    raise ClusterError("the cluster lost the data of a task, again and "
                                       f"again ({reason(error)})") from error
                self.again()


async def task_result(future: Future):
    """What a task has made, once it is done."""
    return await future


def look(job: tuple):
    view, whole, arguments = job
    return view(whole, *arguments)


def remote_parts(item: object) -> list[Task | Shared]:
    """What of an item is with the workers: it itself, or parts of it as a tuple."""
    return [part for part in (item if isinstance(item, tuple) else (item,))
            if isinstance(part, (Task, Shared))]


def futures_in(item: object) -> object:
    """An item with futures in the place of what is with the workers."""
    if isinstance(item, (Task, Shared)):
        return item.whole
    if type(item) is tuple:
        return tuple(map(futures_in, item))
    return item


def lost_errors() -> tuple[type[BaseException], ...]:
    """What Dask raises when a future is gone; older versions have fewer names for it."""
    from distributed import client

    names = ("FutureCancelledError", "FuturesCancelledError")
    return (CancelledError, asyncio.CancelledError,
            *(getattr(client, name) for name in names if hasattr(client, name)))


def cancelled_with_cluster(name: str) -> CheckCancelled:
    """For tasks: a function that raises Cancelled, soon after `Cluster.stop` was called.
    """
    from distributed import Event, get_client

    event = Event(name, client=get_client())
    asked, checked = False, time.monotonic()

    def check_cancelled() -> None:
        nonlocal asked, checked
        if not asked and time.monotonic() - checked > 1:
            asked, checked = event.is_set(), time.monotonic()
        if asked:
            raise Cancelled

    return check_cancelled


def worker_versions() -> Callable[[], dict[str, str | None]]:
    """A function that a worker without this package can run, too."""
    def versions() -> dict[str, str | None]:
        from importlib.metadata import PackageNotFoundError, version

        installed: dict[str, str | None] = {
            "Python": ".".join(platform.python_version_tuple()[:2])}
        for name in ("numpy", "numba"):
            try:
                installed[name] = version(name)
            except PackageNotFoundError:
                installed[name] = None
        try:
            from orange_structpred import __version__
            installed["orange_structpred"] = __version__
        except ImportError:
            installed["orange_structpred"] = None
        return installed

    # pickled by its code: a worker need not find it in a module
    versions.__module__ = "__main__"
    return versions
