"""The figures of the study's page."""
from __future__ import annotations

from collections.abc import Callable

from benchmarks.plane_products import PRODUCTS
from benchmarks.study.beyond import SIZES
from benchmarks.study.chapter6 import HASHES
from benchmarks.study.charts import (
    COLOURS,
    GREY,
    HEIGHT,
    WIDTH,
    Axis,
    Curve,
    chart,
    picture,
)
from benchmarks.study.quoted import FIGURE_4, TABLE_2_AND_3, readme_parsers
from benchmarks.study.results import Results

FASTEST = 0.01          # CPU seconds: what is faster is drawn there
LEAST_SHOWN = 76        # UAS in the figure of speed and accuracy


def train_against_test(results: Results) -> str | None:
    """Figure 6.3: hash functions without distance on the left, with it on the right."""
    shapes: list[str] = []
    for number, end in enumerate(("", "::dir")):
        curves = []
        for colour, name in zip(COLOURS, HASHES):
            points = {**results.points("hashes", "English", hash=name + end),
                      **results.points("tags", "English", hash=name + end)}
            if points:
                curves.append(Curve(
                    name + end, [(point["train"], point["test"])
                                 for point in points.values()],
                    colour, labels=tuple(f"C = {C:g}" for C in points)))
        if not curves:
            return None
        for colour, name in zip(COLOURS, HASHES):
            thesis = TABLE_2_AND_3[name + end]
            curves.append(Curve("", list(thesis.values()), colour, dashed=True,
                                labels=tuple(f"thesis, {name}{end}, C = {C:g}"
                                             for C in thesis), hollow=True))
        shapes += chart("with direction and distance" if end else "without distance",
                        Axis("training loss, %", 0, 100), Axis("test loss, %", 0, 100),
                        curves, shift=number * WIDTH, legend="low")
    return picture(shapes, 2 * WIDTH)


def loss_against_norm(results: Results) -> str | None:
    """Figure 6.4: a chart for each input kernel."""
    kernels = [kernel for kernel in FIGURE_4 if kernel != "constant"]
    plain = results.points("kernels", "English", kernel="constant").values()
    level = min((point["test"] for point in plain), default=None)
    shapes: list[str] = []
    for number, kernel in enumerate(kernels):
        points = results.points("kernels", "English", kernel=kernel)
        if not points:
            return None
        norms = [point["squared_norm"] for point in points.values()]
        labels = tuple(f"{C:g}" for C in points)
        shapes += chart(
            kernel, Axis("|w|²", min(norms) / 2, max(norms) * 4, logarithmic=True),
            Axis("loss, %", 0, 60),
            [Curve(name, [(point["squared_norm"], point[key]) for point in points.values()],
                   colour, key == "train", labels, written="above")
             for name, key, colour in (("test", "test", COLOURS[0]),
                                       ("training", "train", COLOURS[1]))],
            shift=number % 2 * WIDTH,
            level=None if level is None else ("no kernel", level))
        if number == 1:     # two charts below the first two
            shapes.append(f'<g transform="translate(0 {HEIGHT})">')
    return picture([*shapes, "</g>"], 2 * WIDTH, 2 * HEIGHT)


def exact_against_approximate(results: Results) -> str | None:
    """Figure 6.5."""
    shapes: list[str] = []
    languages = [language for language in results.languages
                 if results.chosen("construction", language)]
    for number, language in enumerate(languages):
        curves = []
        for colour, decoder in zip(COLOURS, ("exact", "approximate")):
            points = results.points("construction", language, decoder=decoder)
            curves += [Curve(decoder if key == "test" else "",
                             [(C, point[key]) for C, point in points.items()], colour,
                             key == "train") for key in ("test", "train") if points]
        shapes += chart(f"{language}, {results.scale('construction', language)}",
                        Axis("C", 0.001, 10, logarithmic=True),
                        Axis("loss, % (training dashed)", 0, 60), curves,
                        shift=number * WIDTH)
    return picture(shapes, len(languages) * WIDTH) if shapes else None


def time_against_size(results: Results) -> str | None:
    """Figure 6.6: of one scale, the largest at which all products were timed."""
    by_share: dict[float, list[dict]] = {}
    for line in results.lines:
        if line["part"] == "time":
            by_share.setdefault(line["share"], []).append(line)
    complete = [share for share, lines in by_share.items()
                if {line["setting"]["product"] for line in lines} == {*PRODUCTS}]
    if not complete:
        return None
    lines = by_share[max(complete)]
    curves = []
    for colour, product in zip(COLOURS, PRODUCTS):
        curves.append(Curve(product, sorted(
            (line["sentences"], max(line["cpu_s"], FASTEST)) for line in lines
            if line["setting"]["product"] == product), colour))
    sizes = [line["sentences"] for line in lines]
    seconds = [max(line["cpu_s"], FASTEST) for line in lines]
    return picture(chart(
        "time to train", Axis("sentences", min(sizes) / 1.3, max(sizes) * 1.3, True),
        Axis("CPU seconds", min(seconds) / 2, max(seconds) * 2, True), curves,
        legend="left"))


def learning_curves(results: Results) -> str | None:
    by_model = results.curves()
    if not by_model:
        return None
    curves = [Curve(model, [(size, curve[size]["uas"]) for size in sorted(curve)], colour)
              for colour, (model, curve) in zip(COLOURS, by_model.items())]
    sizes = [size for curve in curves for size, _ in curve.points]
    lowest = min(uas for curve in curves for _, uas in curve.points)
    return picture(chart(
        "learning curves, EWT", Axis("sentences", min(sizes) / 7, max(sizes) * 1.2, True),
        Axis("UAS on dev, %", 10 * (lowest // 10), 100), curves, width=720, height=420,
        legend="left"), 720, 420)


def speed_against_accuracy(results: Results) -> str | None:
    """Parsers on the test part: those of the study that are trained on all sentences,
    and the others of the README; without those that are far less accurate."""
    curves = [Curve(name := line["setting"]["model"],
                    [(line["sentences_per_s"], line["test_uas"])], COLOURS[0],
                    labels=(name,), written="beside")
              for line in results.lines
              if line["part"] == "curve" and line["sentences"] == SIZES[-1]
              and line["test_uas"] >= LEAST_SHOWN]
    curves += [Curve(name, [(parser.sentences_per_s, parser.uas)], GREY, labels=(name,),
                     written="beside")
               for name, parser in readme_parsers().items()
               if not name.startswith("this one")]
    speeds = [curve.points[0][0] for curve in curves]
    scores = [curve.points[0][1] for curve in curves]
    return picture(chart(
        "speed and accuracy, EWT", Axis("sentences per CPU second", min(speeds) / 2,
                                        max(speeds) * 2, True),
        Axis("UAS on the test part, %", 2 * (min(scores) // 2) - 1, 94), curves, width=720,
        height=480, legend="", joined=False), 720, 480)


FIGURES: dict[str, Callable[[Results], str | None]] = {
    "study-6.3.svg": train_against_test, "study-6.4.svg": loss_against_norm,
    "study-6.5.svg": exact_against_approximate, "study-6.6.svg": time_against_size,
    "study-curves.svg": learning_curves, "study-speed.svg": speed_against_accuracy}
