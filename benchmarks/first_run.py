"""How long the example workflows take when nothing has been compiled yet.

    python benchmarks/first_run.py [--functions] [WORKFLOW.ows ...]

Prints a JSON line for each workflow (all examples, unless some are named). Each starts
with an empty compiler cache and in a process of its own, which first finds all widgets,
as Orange does while its window opens:

seconds : from opening the workflow until all of its widgets have finished
again : the same, for the next process, which has nothing left to compile
cpu : CPU seconds in that time, those of other processes that compile included
compiling : of the CPU seconds, those of the compiler, in the process of the workflow
functions : number of functions that were compiled in it

With --functions, each of them is listed with its CPU seconds instead, those that are
parts of it included.
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
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
            begin, before = time.perf_counter(), cpu_seconds()
            with open_workflow(path, registry) as scheme:
                wait_until_finished(scheme)
                seconds = time.perf_counter() - begin
        application.quit()
    print(REPORT + json.dumps({
        "seconds": seconds, "cpu": cpu_seconds() - before, "compiled": times.seconds}))


def cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def in_new_process(path: str, cache: str) -> dict:
    """What `run_one` prints, with a cache and without settings of the user's."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ, "HOME": home, "NUMBA_CACHE_DIR": cache,
            "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT),
            **{f"XDG_{kind}_HOME": home for kind in ("CONFIG", "DATA", "CACHE")}}
        done = subprocess.run(
            [sys.executable, __file__, "--run", path], env=environment, check=True,
            stdout=subprocess.PIPE, encoding="utf-8")
    line, = (line for line in done.stdout.splitlines() if line.startswith(REPORT))
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
            first, again = in_new_process(path, cache), in_new_process(path, cache)
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
