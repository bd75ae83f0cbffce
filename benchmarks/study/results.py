"""What the lines of the study say, at the largest scale that there is."""
from __future__ import annotations

from collections.abc import Iterable

from benchmarks.study.beyond import MODELS
from benchmarks.study.chapter6 import EPSILONS, PARTS

THESIS_EPSILON = EPSILONS[0]


class Results:
    """The lines, by part, treebank and epsilon.

    Of each of these the largest share of the sentences counts for which all settings have
    been computed, so that a column of a table is of one scale.

    practice : lines of benchmarks/kernel_study.py
    """

    def __init__(self, lines: Iterable[dict], practice: Iterable[dict] = ()):
        self.lines, self.practice = list(lines), list(practice)
        self.languages = list(dict.fromkeys(line["language"] for line in self.lines))

    def chosen(self, part: str, language: str, epsilon: float = THESIS_EPSILON
               ) -> list[dict]:
        """The lines of a part, all of one scale."""
        by_share: dict[float, list[dict]] = {}
        for line in self.lines:
            if (line["part"], line["language"], line["epsilon"]) == (
                    part, language, epsilon):
                by_share.setdefault(line["share"], []).append(line)
        expected = len(PARTS[part].settings) if part in PARTS else 1
        return max(by_share.items(), key=lambda item: (
            min(len(item[1]), expected), item[0]), default=(0., []))[1]

    def points(self, part: str, language: str, epsilon: float = THESIS_EPSILON,
               **setting: str) -> dict[float, dict]:
        """By C; empty if this was not computed."""
        for line in self.chosen(part, language, epsilon):
            if setting.items() <= line["setting"].items():
                return {point["C"]: point for point in line["points"]}
        return {}

    def scale(self, part: str, language: str, epsilon: float = THESIS_EPSILON) -> str:
        """Training and test sentences of a column."""
        lines = self.chosen(part, language, epsilon)
        if not lines:
            return ""
        train, test = lines[0]["sentences"]
        return f"{train:,} + {test:,} sentences"

    def columns(self, part: str) -> list[tuple[str, float]]:
        """Treebanks and epsilons of which there is something."""
        return [(language, epsilon) for language in self.languages
                for epsilon in EPSILONS if self.chosen(part, language, epsilon)]

    def curves(self) -> dict[str, dict[int, dict]]:
        """Learning curves: lines by parser and number of sentences."""
        curves: dict[str, dict[int, dict]] = {model: {} for model in MODELS}
        for line in self.lines:
            if line["part"] == "curve":
                curves[line["setting"]["model"]][line["sentences"]] = line
        return {model: curve for model, curve in curves.items() if curve}
