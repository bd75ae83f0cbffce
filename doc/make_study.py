"""Write the tables of study.md and draw its figures, from what the study has measured.

    python benchmarks/thesis.py --treebanks DIR --all
    python doc/make_study.py

A table stands between <!-- NAME --> and <!-- end -->, with the thesis's own numbers in
brackets, as far as it has them.
"""
from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

DOC = Path(__file__).resolve().parent
SOURCE, PAGE, IMAGES = DOC / "study.jsonl", DOC / "study.md", DOC / "images"
EPSILON = 0.05          # the thesis's
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
           "#999999", "#7f3c8d", "#666633")
GREY = "#888888"

#: Losses of the thesis, training and test, by C
TABLE_1 = {0.1: (15.67, 15.92), 1: (9.44, 9.73), 10: (7.43, 8.01), 100: (5.27, 6.32),
           200: (3.48, 5.04)}
TABLE_2_AND_3 = {
    "tokens": {0.1: (27.82, 48.79), 1: (21.89, 45.85), 10: (18.61, 43.76)},
    "tokens::dir": {0.1: (5.56, 36.65), 1: (3.79, 35.40), 10: (3.40, 34.74)},
    "lemmas": {0.1: (32.94, 50.15), 1: (33.18, 51.90), 10: (22.39, 45.05)},
    "lemmas::dir": {0.1: (7.99, 35.84), 1: (5.23, 33.84), 10: (4.33, 33.10)},
    "posTags": {0.1: (72.37, 71.57), 1: (68.58, 67.87), 10: (69.36, 68.70),
                50: (71.48, 70.78), 100: (70.27, 69.66)},
    "posTags::dir": {0.1: (22.87, 22.58), 1: (21.65, 21.22), 10: (19.07, 18.80),
                     50: (18.45, 18.29), 100: (17.91, 17.69), 200: (18.32, 18.04)},
    "posTags2": {0.1: (69.96, 69.03), 1: (60.04, 59.26), 10: (61.16, 60.32),
                 50: (63.34, 62.68), 100: (63.77, 62.92)},
    "posTags2::dir": {0.1: (22.08, 21.71), 1: (19.01, 18.84), 10: (16.44, 16.39),
                      50: (15.32, 15.46), 100: (14.72, 14.79), 200: (14.96, 15.09)},
    "wordVecs": {0.1: (71.86, 75.41), 1: (71.47, 76.71), 10: (71.14, 76.77)},
    "wordVecs::dir": {0.1: (45.01, 53.23), 1: (36.31, 47.32), 10: (36.23, 48.15)},
}
FIGURE_4 = {"constant": (14.72, 14.79), "bow": (1.16, 7.68), "poly-bow": (0.98, 8.04),
            "ngram": (1.07, 7.73), "annotated-ngram": (1.11, 7.64)}
TABLE_4 = {"ngram": {10: (15.72, 16.25), 100: (13.15, 14.34), 500: (8.53, 11.54),
                     1000: (4.92, 9.53)},
           "poly-bow": {0.1: (11.71, 13.63), 1: (6.39, 10.17), 10: (2.04, 9.52)}}
TABLE_5 = {0.001: 93.99, 0.01: 85.83, 0.1: 91.50, 1: 92.54, 2: 92.59, 10: 92.14}
TABLE_6 = {10: (14.29, 15.16), 50: (11.90, 13.43), 75: (10.34, 12.33),
           100: (9.40, 11.72), 200: (6.32, 9.85), 500: (1.86, 7.40), 1000: (0.61, 6.65)}


class Results:
    """The lines of the study; the largest share of the sentences that there is counts."""

    def __init__(self, lines: Iterable[dict]):
        self.lines = list(lines)
        share = max((line["share"] for line in self.lines), default=1.)
        self.lines = [line for line in self.lines if line["share"] == share]
        self.languages = list(dict.fromkeys(line["language"] for line in self.lines))

    def points(self, part: str, language: str, epsilon: float = EPSILON,
               **setting: str) -> dict[float, dict]:
        """By C; empty if this was not computed."""
        for line in self.lines:
            if (line["part"], line["language"], line["epsilon"]) == (
                    part, language, epsilon) and setting.items() <= line["setting"].items():
                return {point["C"]: point for point in line["points"]}
        return {}


def cell(point: dict | None, thesis: tuple[float, float] | None) -> str:
    """Training and test loss, with the thesis's below them in brackets."""
    own = "" if point is None else f"{point['train']:.2f} / {point['test']:.2f}"
    return own + ("" if thesis is None else f" ({thesis[0]:.2f} / {thesis[1]:.2f})")


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(own)} |" for own in (titles, ["---"] * len(titles), *rows)]


def by_C(results: Results, part: str, thesis: dict[float, tuple[float, float]],
         **setting: str) -> list[str]:
    """One row for each C, a column for each treebank and epsilon."""
    columns = [(language, epsilon) for language in results.languages
               for epsilon in (EPSILON, 0.01)]
    found = {own: results.points(part, *own, **setting) for own in columns}
    Cs = sorted({*thesis, *(C for points in found.values() for C in points)})
    return table(
        ["C", "thesis", *(f"{language}, ε = {epsilon}" for language, epsilon in columns)],
        [[f"{C:g}", cell(None, thesis.get(C)).strip(" ()"),
          *(cell(found[own].get(C), None) for own in columns)] for C in Cs])


def by_hash(results: Results, part: str, Cs: Sequence[float], language: str) -> list[str]:
    names = [name for name in TABLE_2_AND_3 if part == "hashes" or "posTags" in name]
    return table(
        ["hash function", *(f"C = {C:g}" for C in Cs)],
        [[f"`{name}`", *(cell(results.points(part, language, hash=name).get(C),
                              TABLE_2_AND_3[name].get(C)) for C in Cs)]
         for name in names])


def best_kernels(results: Results) -> list[str]:
    rows = []
    for kernel, thesis in FIGURE_4.items():
        row = [f"`{kernel}`", f"{thesis[0]:.2f} / {thesis[1]:.2f}"]
        for language in results.languages:
            points = results.points("kernels", language, kernel=kernel)
            best = min(points.values(), key=lambda point: point["train"], default=None)
            row.append("" if best is None else
                       f"{cell(best, None)}, C = {best['C']:g}")
        rows.append(row)
    return table(["input kernel", "thesis", *results.languages], rows)


def valid_trees(results: Results) -> list[str]:
    found = {language: results.points("construction", language, decoder="approximate")
             for language in results.languages}
    return table(["C", "thesis", *found], [
        [f"{C:g}", f"{share:.2f}",
         *(f"{points[C]['valid_trees']:.2f}" if C in points else ""
           for points in found.values())] for C, share in TABLE_5.items()])


def overlap_rows(results: Results) -> list[str]:
    """Test losses by the share of test sentences that were seen in training."""
    lines = [line for line in results.lines if line["part"] == "overlap"]
    shares = sorted({line["overlap"] for line in lines})
    rows = []
    for language in results.languages:
        for model in dict.fromkeys(line["setting"]["model"] for line in lines):
            losses = [min(point["test"] for point in line["points"])
                      for share in shares for line in lines
                      if (line["language"], line["setting"]["model"],
                          line["overlap"]) == (language, model, share)]
            if losses:
                rows.append([language, f"`{model}`", *(f"{own:.2f}" for own in losses)])
    return table(["treebank", "model", *(f"{100 * own:.0f}% seen" for own in shares)], rows)


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "table 6.1": lambda own: by_C(own, "explicit", TABLE_1),
    "table 6.2": lambda own: by_hash(own, "hashes", (0.1, 1, 10), "English"),
    "table 6.2 German": lambda own: by_hash(own, "hashes", (0.1, 1, 10), "German"),
    "table 6.3": lambda own: by_hash(own, "tags", (50, 100, 200), "English"),
    "table 6.3 German": lambda own: by_hash(own, "tags", (50, 100, 200), "German"),
    "figure 6.4": best_kernels,
    "table 6.4 ngram": lambda own: by_C(own, "full", TABLE_4["ngram"], kernel="ngram"),
    "table 6.4 poly-bow": lambda own: by_C(own, "full", TABLE_4["poly-bow"],
                                           kernel="poly-bow"),
    "table 6.5": valid_trees,
    "table 6.6": lambda own: by_C(own, "best", TABLE_6),
    "overlap": overlap_rows,
}


# Figures

class Curve(NamedTuple):
    """Points (x, y) in the order in which they are joined, with labels of their own."""

    name: str
    points: list[tuple[float, float]]
    colour: str
    dashed: bool = False
    labels: tuple[str, ...] = ()


class Axis(NamedTuple):
    title: str
    low: float
    high: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Between 0 and 1."""
        if self.logarithmic:
            return (math.log(value) - math.log(self.low)) / (
                math.log(self.high) - math.log(self.low))
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            return [10. ** k for k in range(math.ceil(math.log10(self.low)),
                                            math.floor(math.log10(self.high)) + 1)]
        step = 10 ** math.floor(math.log10(self.high - self.low))
        step *= 1 if (self.high - self.low) / step > 4 else 0.5
        return [k * step for k in range(math.ceil(self.low / step),
                                        math.floor(self.high / step) + 1)]


WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 420, 300, 52, 30, 16, 46    # pixels


def chart(title: str, x: Axis, y: Axis, curves: Sequence[Curve], *, shift: float = 0.,
          level: tuple[str, float] | None = None) -> list[str]:
    """The shapes of one chart, from `shift` pixels on.

    level : a horizontal dotted line and what it is
    """
    left, inner = shift + LEFT, WIDTH - LEFT - RIGHT
    tall = HEIGHT - TOP - BOTTOM

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return (left + inner * x.place(point[0]), TOP + tall * (1 - y.place(point[1])))

    shapes = [
        f'<rect x="{left}" y="{TOP}" width="{inner}" height="{tall}" fill="none" '
        f'stroke="{GREY}"/>',
        text(left + inner / 2, TOP - 10, title, bold=True),
        text(left + inner / 2, HEIGHT - 8, x.title),
        f'<text transform="translate({shift + 14} {TOP + tall / 2}) rotate(-90)" '
        f'text-anchor="middle">{y.title}</text>']
    for value in x.ticks():
        shapes.append(text(at((value, y.low))[0], TOP + tall + 16, f"{value:g}"))
    for value in y.ticks():
        shapes.append(text(left - 6, at((x.low, value))[1] + 4, f"{value:g}", "end"))
    if level is not None:
        height = at((x.low, level[1]))[1]
        shapes += [f'<line x1="{left}" x2="{left + inner}" y1="{height:.1f}" '
                   f'y2="{height:.1f}" stroke="{GREY}" stroke-dasharray="2 3"/>',
                   text(left + inner - 4, height - 4, level[0], "end")]
    for curve in curves:
        places = [at(point) for point in curve.points]
        dashes = ' stroke-dasharray="5 3"' if curve.dashed else ""
        shapes.append(
            f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}" '
            f'fill="none" stroke="{curve.colour}" stroke-width="1.6"{dashes}/>')
        for number, (a, b) in enumerate(places):
            label = curve.labels[number] if curve.labels else ""
            shapes.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.8" '
                          f'fill="{curve.colour}"><title>{curve.name} {label}</title>'
                          "</circle>")
    for number, curve in enumerate(own for own in curves if own.name):
        height = TOP + 14 + 14 * number
        shapes += [f'<rect x="{left + inner - 118}" y="{height - 8}" width="10" '
                   f'height="3" fill="{curve.colour}"/>',
                   text(left + inner - 104, height - 3, curve.name, "start")]
    return shapes


def text(x: float, y: float, content: str, anchor: str = "middle", *, bold: bool = False
         ) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{content}</text>'


def picture(charts: int, shapes: Iterable[str]) -> str:
    width = charts * WIDTH
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
        f'viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>', *shapes, "</svg>", ""])


def train_against_test(results: Results) -> str | None:
    """Figure 6.3: hash functions without distance on the left, with it on the right."""
    shapes: list[str] = []
    for number, end in enumerate(("", "::dir")):
        curves = []
        for colour, name in zip(COLOURS, ("tokens", "lemmas", "posTags", "posTags2",
                                          "wordVecs")):
            points = {**results.points("hashes", "English", hash=name + end),
                      **results.points("tags", "English", hash=name + end)}
            if points:
                curves.append(Curve(
                    name + end, [(own["train"], own["test"]) for own in points.values()],
                    colour, labels=tuple(f"C = {C:g}" for C in points)))
        if not curves:
            return None
        shapes += chart("with distance" if end else "without distance",
                        Axis("training loss, %", 0, 100), Axis("test loss, %", 0, 100),
                        curves, shift=number * WIDTH)
    return picture(2, shapes)


def loss_against_norm(results: Results) -> str | None:
    """Figure 6.4: a chart for each input kernel."""
    kernels = [kernel for kernel in FIGURE_4 if kernel != "constant"]
    level = min((own["test"] for own in results.points(
        "kernels", "English", kernel="constant").values()), default=None)
    shapes: list[str] = []
    for number, kernel in enumerate(kernels):
        points = results.points("kernels", "English", kernel=kernel)
        if not points:
            return None
        norms = [own["squared_norm"] for own in points.values()]
        labels = tuple(f"C = {C:g}" for C in points)
        shapes += chart(
            kernel, Axis("|w|²", min(norms) / 2, max(norms) * 2, logarithmic=True),
            Axis("loss, %", 0, 60),
            [Curve(name, [(own["squared_norm"], own[key]) for own in points.values()],
                   colour, key == "train", labels)
             for name, key, colour in (("test", "test", COLOURS[0]),
                                       ("training", "train", COLOURS[1]))],
            shift=number * WIDTH, level=None if level is None else ("no kernel", level))
    return picture(len(kernels), shapes)


def exact_against_approximate(results: Results) -> str | None:
    """Figure 6.5."""
    shapes: list[str] = []
    for number, language in enumerate(results.languages):
        curves = []
        for colour, decoder in zip(COLOURS, ("exact", "approximate")):
            points = results.points("construction", language, decoder=decoder)
            curves += [Curve(decoder if key == "test" else "",
                             [(C, own[key]) for C, own in points.items()], colour,
                             key == "train") for key in ("test", "train") if points]
        if not curves:
            return None
        shapes += chart(language, Axis("C", 0.001, 10, logarithmic=True),
                        Axis("loss, % (training dashed)", 0, 60), curves,
                        shift=number * WIDTH)
    return picture(len(results.languages), shapes)


def time_against_size(results: Results) -> str | None:
    """Figure 6.6."""
    lines = [line for line in results.lines if line["part"] == "time"]
    if not lines:
        return None
    curves = []
    for colour, product in zip(COLOURS, ("naive", "hash-table", "index")):
        curves.append(Curve(product, [
            (line["sentences"], max(line["cpu_s"], 0.001)) for line in lines
            if line["setting"]["product"] == product], colour))
    sizes = [line["sentences"] for line in lines]
    seconds = [max(line["cpu_s"], 0.001) for line in lines]
    return picture(1, chart(
        "time to train", Axis("sentences", min(sizes) / 1.3, max(sizes) * 1.3, True),
        Axis("CPU seconds", min(seconds) / 2, max(seconds) * 2, True), curves))


FIGURES: dict[str, Callable[[Results], str | None]] = {
    "study-6.3.svg": train_against_test, "study-6.4.svg": loss_against_norm,
    "study-6.5.svg": exact_against_approximate, "study-6.6.svg": time_against_size}


def filled(page: str, results: Results) -> str:
    """The page with new tables."""
    for name, make in TABLES.items():
        page = re.sub(
            rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)",
            lambda found, make=make: "\n".join([found[1], *make(results), "", found[2]]),
            page, count=1, flags=re.DOTALL)
    return page


def main() -> None:
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    results = Results(map(json.loads, lines))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    for name, draw in FIGURES.items():
        shapes = draw(results)
        if shapes is not None:
            (IMAGES / name).write_text(shapes, encoding="utf-8")


if __name__ == "__main__":
    main()
