"""The lines of the study: what is done is not done again."""
from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.study.data import Halves
from orange_structpred import Treebank
from orange_structpred.running.cluster import Cluster
from orange_structpred.tuning.search import tune

PASSES = 50             # at most; lines tell what gap was left where this was too few


@dataclass(frozen=True)
class Setting:
    """Models for rising C, all else being equal.

    shown : what tells the setting from others of its part, as in the page
    """

    shown: dict[str, str]
    Cs: Sequence[float]
    parameters: dict[str, object]


class Job(NamedTuple):
    """Losses to be measured: a line for each epsilon.

    key : what tells its lines from others, but epsilon
    """

    key: dict
    train: Treebank
    test: Treebank
    setting: Setting
    epsilons: Sequence[float]
    passes: int = PASSES


class Study:
    """Computes what is not in the lines yet, and adds it there.

    files : treebanks by language, in the order in which they are used
    share : how much of the sentences is used; it stands in each line
    epsilons : those that are wanted, of the ones that a part has
    """

    def __init__(self, path: Path, files: dict[str, Sequence[Path]], share: float = 1.,
                 cluster: Cluster | None = None,
                 epsilons: Sequence[float] | None = None):
        self.path, self.files, self.share = path, files, share
        self.cluster, self.epsilons = cluster, epsilons
        self.lines = read_lines(path)
        self._halves: dict[tuple[str, str], Halves] = {}
        self._counted = 0.      # CPU seconds of the lines before

    def languages(self) -> list[str]:
        """Those whose files are there; the others are told."""
        present = []
        for language, paths in self.files.items():
            missing = [str(path) for path in paths if not path.exists()]
            if missing:
                print(f"{language} is left out: there is no {', '.join(missing)}")
            else:
                present.append(language)
        return present

    def wants(self, epsilon: float) -> bool:
        return self.epsilons is None or epsilon in self.epsilons

    def line(self, key: dict) -> dict | None:
        return next((line for line in self.lines if key.items() <= line.items()), None)

    def add(self, key: dict, measured: dict) -> dict:
        """A line, with the CPU seconds since the one before: all of them together are what
        the study has cost."""
        spent = time.process_time()
        line = {**key, **measured, "total_cpu_s": round(spent - self._counted, 1)}
        self._counted = spent
        self.lines.append(line)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)
        return line

    def halves(self, language: str, by: str = "documents") -> Halves:
        if (language, by) not in self._halves:
            self._halves[language, by] = Halves(self.files[language], self.share, by=by)
        return self._halves[language, by]

    def treebanks(self, language: str, size: int | None) -> tuple[Treebank, Treebank]:
        """To learn from and to test on; `size` is that of the whole study."""
        return self.halves(language).treebanks(
            None if size is None else round(self.share * size))

    def measure(self, jobs: Iterable[Job]) -> None:
        """Add the lines that jobs lack; on a cluster, several jobs are at work at a time."""
        missing = []
        for job in jobs:
            epsilons = [epsilon for epsilon in job.epsilons
                        if self.line({**job.key, "epsilon": epsilon}) is None]
            if epsilons:
                missing.append(job._replace(epsilons=epsilons))
        if self.cluster is None:
            for job in missing:
                self.add_losses(job, self.losses(job))
            return
        with ThreadPoolExecutor(self.cluster.n_workers) as pool:
            begun = {pool.submit(self.losses, job): job for job in missing}
            for done in as_completed(begun):
                self.add_losses(begun[done], done.result())

    def add_losses(self, job: Job, points: dict[float, list[dict]]) -> None:
        for epsilon in job.epsilons:
            self.add({**job.key, "epsilon": epsilon},
                     {"sentences": [len(job.train), len(job.test)],
                      "points": points[epsilon]})

    def losses(self, job: Job) -> dict[float, list[dict]]:
        """What a model for each C does on both treebanks, by epsilon."""
        tuning = tune(
            job.train, {"epsilon": list(job.epsilons), "C": list(job.setting.Cs)},
            validation=job.test, keep="all", client=self.cluster and self.cluster.client,
            **{"solver": "bcfw", "passes": job.passes, "decoder": "exact",
               "relations": False, "calibrate": False, **job.setting.parameters})
        points: dict[float, list[dict]] = {}
        for point in tuning.points:
            report = tuning.kept_parser(point).log[-1]
            points.setdefault(point.setting["epsilon"], []).append({
                "C": point.C, "train": percent(point.train_loss),
                "test": percent(point.validation_loss),
                "valid_trees": percent(point.valid_trees),
                "squared_norm": float(f"{point.squared_norm:.5g}"),
                "passes": report.pass_, "gap": float(f"{report.gap:.3g}")})
        return points


def read_lines(path: Path) -> list[dict]:
    """What a study has written. A line that was cut off when it was killed is removed."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[:text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def percent(share: float) -> float:
    return round(100 * share, 2)
