"""The lines of the study: what is done is not done again."""
from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.study.data import Halves
from orange_structpred import Treebank
from orange_structpred.tuning.search import tune

PASSES = 50             # at most; lines tell what gap was left where this was too few


@dataclass(frozen=True)
class Setting:
    """Models for rising C, all else being equal.

    shown : what tells the setting from others of its part, as in the page
    stop_raising : whether C is raised until the training loss no longer improves
    """

    shown: dict[str, str]
    Cs: Sequence[float]
    parameters: dict[str, object]
    stop_raising: bool = False


class Study:
    """Computes what is not in the lines yet, and adds it there.

    files : treebanks by language, in the order in which they are used
    share : how much of the sentences is used; it stands in each line
    epsilons : those that are wanted, of the ones that a part has
    """

    def __init__(self, lines: Path, files: dict[str, Sequence[Path]], share: float = 1.,
                 scheduler: str | None = None,
                 epsilons: Sequence[float] | None = None):
        self.path, self.files, self.share = lines, files, share
        self.scheduler, self.epsilons = scheduler, epsilons
        self.lines = [json.loads(line) for line in lines.read_text("utf-8").splitlines()
                      ] if lines.exists() else []
        self._halves: dict[tuple[str, str], Halves] = {}

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
        line = {**key, **measured}
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

    def losses(self, train: Treebank, test: Treebank, setting: Setting,
               epsilon: float, passes: int = PASSES) -> dict:
        """What a model for each C does on both treebanks."""
        began = time.process_time()
        tuning = tune(
            train, {"C": list(setting.Cs)}, validation=test, keep="all",
            stop_raising=setting.stop_raising, client=self.scheduler,
            **{"solver": "bcfw", "epsilon": epsilon, "passes": passes, "decoder": "exact",
               "relations": False, "calibrate": False, **setting.parameters})
        seconds = time.process_time() - began
        points = []
        for point in tuning.points:
            report = tuning.kept_parser(point).log[-1]
            points.append({
                "C": point.C, "train": percent(point.train_loss),
                "test": percent(point.validation_loss),
                "valid_trees": percent(point.valid_trees),
                "squared_norm": float(f"{point.squared_norm:.5g}"),
                "passes": report.pass_, "gap": float(f"{report.gap:.3g}")})
        return {"sentences": [len(train), len(test)], "points": points,
                "cpu_s": round(seconds, 1)}


def percent(share: float) -> float:
    return round(100 * share, 2)
