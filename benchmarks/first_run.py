"""How long the example workflows take when nothing has been compiled yet.

    python benchmarks/first_run.py [--functions] [WORKFLOW.ows ...]

Prints a JSON line for each workflow (all examples, unless some are named). Each starts
with an empty compiler cache and in a process of its own, which first finds all widgets,
as Orange does while its window opens:

seconds : from opening the workflow until all of its widgets have finished
again : the same, for the next process, which has nothing left to compile
cpu : CPU seconds of the process in that time; another one compiles ahead beside it. On
    a machine with nothing else to do, about as long as one waits
compiling : of the CPU seconds, those of the compiler
functions : number of functions that were compiled in the process, not ahead of it

With --functions, each of them is listed with its CPU seconds instead, those that are
parts of it included.
"""
from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPORT = "first run: "


class CompilerTimes:
    """Listens to numba: CPU seconds of each function that Python calls."""

    def __init__(self):
        self.depth, self.started, self.seconds = 0, 0., []

    def on_start(self, event) -> None:
        self.depth += 1
        if self.depth == 1:
            self.started = time.thread_time()

    def on_end(self, event) -> None:
        self.depth -= 1
        if self.depth == 0:
            function = event.data["dispatcher"].py_func
            self.seconds.append((time.thread_time() - self.started,
                                 f"{function.__module__}.{function.__name__}"))


def run_one(path: str) -> None:
    """Run a workflow in this process; prints what the compiler did."""
    from numba.core import event

    from orange_structpred.widgets.common.run_workflow import (
        discover,
        make_application,
        open_workflow,
        wait_until_finished,
    )

    times = CompilerTimes()
    listener = type("Listener", (event.Listener,), {
        "on_start": lambda _, started: times.on_start(started),
        "on_end": lambda _, ended: times.on_end(ended)})()
    with tempfile.TemporaryDirectory() as settings:
        application = make_application(settings)
        registry = discover()
        with event.install_listener("numba:compile", listener):
            begin, before = time.perf_counter(), time.process_time()
            with open_workflow(path, registry) as scheme:
                wait_until_finished(scheme)
                seconds = time.perf_counter() - begin
        application.quit()
    print(REPORT + json.dumps({
        "seconds": seconds, "cpu": time.process_time() - before,
        "compiled": times.seconds}), flush=True)


def in_new_process(path: str, cache: str, *, ahead: bool = True) -> dict:
    """What `run_one` prints, with a cache and without settings of the user's.

    ahead : whether another process compiles, too
    """
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ, "HOME": home, "NUMBA_CACHE_DIR": cache,
            "STRUCTPRED_COMPILE_AHEAD": "1" if ahead else "0",
            "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT),
            **{f"XDG_{kind}_HOME": home for kind in ("CONFIG", "DATA", "CACHE")}}
        process = subprocess.Popen(
            [sys.executable, __file__, "--run", path], env=environment,
            stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
        line = next(line for line in process.stdout if line.startswith(REPORT))
        with suppress(ProcessLookupError):      # it, and what compiles ahead
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return json.loads(line.removeprefix(REPORT))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workflows", nargs="*", metavar="WORKFLOW.ows")
    parser.add_argument("--functions", action="store_true",
                        help="list the compiled functions")
    parser.add_argument("--run", metavar="WORKFLOW.ows", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run_one(arguments.run)
        return
    for path in arguments.workflows or map(str, sorted(ROOT.glob("workflows/*.ows"))):
        with tempfile.TemporaryDirectory() as cache:
            first = in_new_process(path, cache)
            again = in_new_process(path, cache, ahead=False)
        if arguments.functions:
            for seconds, name in sorted(first["compiled"], reverse=True):
                print(json.dumps({"workflow": Path(path).stem, "function": name,
                                  "compiling": round(seconds, 3)}))
        else:
            print(json.dumps({
                "workflow": Path(path).stem, "seconds": round(first["seconds"], 1),
                "again": round(again["seconds"], 1), "cpu": round(first["cpu"], 1),
                "compiling": round(sum(s for s, _ in first["compiled"]), 1),
                "functions": len(first["compiled"])}), flush=True)


if __name__ == "__main__":
    main()
