"""Runs campaigns and prints a table of cases and failures."""
from __future__ import annotations

import argparse
import os
import queue
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

#: campaign: share of the cases
CAMPAIGNS = {"conll": 0.3, "models": 0.25, "schemas": 0.1, "workflows": 0.22,
             "arguments": 0.03, "doubling": 0.02, "downloads": 0.03, "disk": 0.005,
             "races": 0.005, "kills": 0.012, "interrupts": 0.003, "widgets": 0.025}
#: Seconds without a word after which a case counts as one that hangs; at first there is
#: much to compile
PATIENCE, FIRST_PATIENCE = 60, 1200


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument("--cases", type=int, default=20_500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=CAMPAIGNS)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args(argv)
    shares = {args.only: 1.} if args.only else CAMPAIGNS
    failures: list[str] = []

    def row(name: str) -> tuple[str, ...]:
        began = time.perf_counter()
        count = max(1, round(shares[name] * args.cases))
        done, failed, skipped = run(name, args.seed, args.first, args.first + count)
        failures.extend(failed)
        return (name, str(done), str(len(failed)), f"{time.perf_counter() - began:.0f}",
                skipped)

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        rows = list(pool.map(row, shares))
    print_table([("campaign", "cases", "failures", "seconds", ""), *rows, (
        "all", str(sum(int(row[1]) for row in rows)), str(len(failures)), "", "")])
    for failure in failures[:50]:
        print(failure)
    return bool(failures)


def run(name: str, seed: int, first: int, last: int) -> tuple[int, list[str], str]:
    """Cases that were run, failures in words, and why there were none, if so."""
    failures: list[str] = []
    skipped, case, done = "", first, 0
    while case < last:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.worker", name, str(seed), str(case),
             str(last)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace", env={**os.environ, "PYTHONHASHSEED": "0"})
        lines: queue.Queue = queue.Queue()
        errors: list[str] = []
        threads = [threading.Thread(target=pass_on, args=(process.stdout, lines)),
                   threading.Thread(target=errors.extend, args=(process.stderr,))]
        for thread in threads:
            thread.start()
        ended = hung = ready = False
        patience = FIRST_PATIENCE
        while not ended:
            try:
                line = lines.get(timeout=patience)
            except queue.Empty:
                hung = True
                process.kill()
                break
            if line is None:
                break
            word, _, rest = line.rstrip("\n").partition(" ")
            patience = PATIENCE
            if word == "ok":
                case, done = case + 1, done + 1
            elif word == "failed":
                failures.append(f"{name} {case}: {rest}")
                case, done = case + 1, done + 1
            elif word == "skipped":
                skipped, ended = rest, True
            elif word == "ready":
                ready = True
            elif word == "end":
                ended = True
        process.wait()
        for thread in threads:
            thread.join()
        if not ended:
            why = "hangs" if hung else f"ends with code {process.returncode}"
            failures.append(f"{name} {case}: {why}: " + " | ".join(
                own.strip() for own in errors[-5:]))
            case, done = case + 1, done + 1
        if ended or not ready:
            break
    return done, failures, skipped


def pass_on(stream, lines: queue.Queue) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def print_table(rows) -> None:
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *others, note in rows:
        print("  ".join([f"{first:<{widths[0]}}", *(
            f"{text:>{width}}" for text, width in zip(others, widths[1:]))]), note)


if __name__ == "__main__":
    sys.exit(main())
