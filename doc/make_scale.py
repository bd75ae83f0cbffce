"""Write the tables of cluster.md, from what the benchmark has measured.

    python benchmarks/cluster.py --treebanks DIR > doc/cluster.jsonl
    python doc/make_scale.py

What takes T1 seconds with one worker and T2 with two has a part that does not become
faster, 2 T2 - T1 seconds, and one that the workers share. Both grow with the number of
sentences. The workers share whole tasks.
"""
from __future__ import annotations

import json
import math
import re
from pathlib import Path

DOC = Path(__file__).resolve().parent
SOURCE, PAGE = DOC / "cluster.jsonl", DOC / "cluster.md"
SENTENCES, MACHINES = (10**5, 10**6, 10**7), (1, 10, 100)
#: name of the figure: what is done, whether tasks become more with the sentences, and
#: what is not shared
WORK = {
    "parse_speedup_2": ("parse", True, "the client: it reads and writes the file"),
    "oracle_speedup_2": ("a pass of one-slack's oracle", True,
                         "the client: it sends the weights and adds up the planes"),
    "tune_speedup_2": ("tune, 12 settings", False, "the client: it sends the treebank"),
}
MEASURED = {
    "tune_speedup_2": "tune, 12 settings on EWT: speedup with two workers",
    "overhead_1": "tune: time with one worker, relative to no cluster",
    "parse_speedup_2": "parse, 200,000 sentences: speedup with two workers",
    "parse_growth": "parse: peak memory of 200,000 sentences, relative to 20,000",
    "oracle_speedup_2": "one-slack on EWT, one pass of the oracle: speedup with two workers",
    "mixing_uas_loss": "MIRA on EWT, 4 mixed shards: loss of UAS on dev",
    "killed_ok": "tune, parse and one-slack with a worker killed: same results, out of 3",
    "gram_split": "kernel one-slack, Gram matrix on two workers: peak memory of the larger "
                  "part, relative to the whole",
    "treebank_mb": "a Treebank of 1,000,000 sentences: MB of memory beyond the text",
    "disk_growth": "training from disk: peak memory of 125,440 sentences, relative to "
                   "12,544",
}


def scaled_seconds(figure: dict, sentences: int, machines: int, grows: bool
                   ) -> tuple[float, float]:
    """Seconds that are not shared, and those that are, as one machine spends them."""
    alone, both = (figure["seconds"][n] for n in ("1", "2"))
    serial = min(alone, max(0., 2 * both - alone))
    times = sentences / figure["sentences"]
    tasks = max(1, round(figure["tasks"] * times)) if grows else figure["tasks"]
    return serial * times, (alone - serial) * times * math.ceil(tasks / machines) / tasks


def duration(seconds: float) -> str:
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def measured_table(figures: dict[str, dict]) -> list[str]:
    return ["| measured | |", "| --- | --- |",
            *(f"| {text} | {figures[name]['value']:g} |"
              for name, text in MEASURED.items() if name in figures)]


def scale_table(figures: dict[str, dict]) -> list[str]:
    rows = ["| computed | sentences | 1 machine | 10 machines | 100 machines | "
            "what limits 100 machines |", "| --- | --- | --- | --- | --- | --- |"]
    for name, (work, grows, client) in WORK.items():
        if "seconds" not in figures.get(name, ()):
            continue
        for n in SENTENCES:
            found = [scaled_seconds(figures[name], n, m, grows) for m in MACHINES]
            serial, shared = found[-1]
            limit = client if serial > shared else "nothing yet" if grows else \
                f"there are only {figures[name]['tasks']} tasks"
            rows.append(f"| {work} | {power(n)} | "
                        f"{' | '.join(duration(sum(own)) for own in found)} | {limit} |")
    if "oracle_problem_mb" in figures:
        own = figures["oracle_problem_mb"]
        for n in SENTENCES:
            gigabytes = own["value"] / 1e3 * n / own["sentences"]
            rows.append(f"| one-slack: memory of each machine | {power(n)} |"
                        + f" {gigabytes:.2g} GB |" * len(MACHINES)
                        + " each has all sentences |")
    return rows


def power(n: int) -> str:
    return f"10^{round(math.log10(n))}"


def filled(page: str, figures: dict[str, dict]) -> str:
    """The page with new tables."""
    for name, table in (("measured", measured_table(figures)),
                        ("computed", scale_table(figures))):
        page = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                      lambda found, table=table: "\n".join(
                          [found[1], *table, "", found[2]]), page, count=1, flags=re.DOTALL)
    return page


def read_figures() -> dict[str, dict]:
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return {own["name"]: own for own in map(json.loads, lines)}


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), read_figures()),
                    encoding="utf-8")
