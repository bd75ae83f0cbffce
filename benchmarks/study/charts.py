"""Charts as SVG, in the style of the documentation."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
           "#999999", "#7f3c8d", "#666633", "#8c2d04", "#41ab5d", "#4a1486",
           "#e7298a")
GREY = "#888888"
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 420, 300, 52, 30, 16, 46    # pixels
LETTER = 6.2            # pixels of a letter, on average
LINE = 12               # pixels from one line of text to the next
POINT = 2.8             # radius of a point
BESIDE = 6              # pixels between a point and its label


class Curve(NamedTuple):
    """Points (x, y) in the order in which they are joined, with labels of their own."""

    name: str
    points: list[tuple[float, float]]
    colour: str
    dashed: bool = False
    labels: tuple[str, ...] = ()
    written: str = ""           # where labels stand: "above" the points, "beside" them
    hollow: bool = False


class Axis(NamedTuple):
    title: str
    low: float
    high: float
    logarithmic: bool = False

    def position(self, value: float) -> float:
        """Between 0 and 1."""
        if self.logarithmic:
            return (math.log(value) - math.log(self.low)) / (
                math.log(self.high) - math.log(self.low))
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            first, last = math.log10(self.low), math.log10(self.high)
            powers = range(math.ceil(first), math.floor(last) + 1)
            if len(powers) < 3:
                between = [times * 10. ** k for k in range(math.floor(first), len(powers)
                           + math.ceil(first)) for times in (1, 2, 5)]
                return [value for value in between if self.low <= value <= self.high]
            return [10. ** k for k in powers[::2 if len(powers) > 7 else 1]]
        step = 10 ** math.floor(math.log10(self.high - self.low))
        steps = (self.high - self.low) / step
        step *= 1 if steps > 4 else 0.5 if steps > 2 else 0.2
        return [k * step for k in range(math.ceil(self.low / step),
                                        math.floor(self.high / step) + 1)]


def tick_text(value: float) -> str:
    return f"{value:,g}" if 0.001 <= value < 1e6 or value == 0 else f"{value:.0e}"


class Box(NamedTuple):
    """What a label or a point covers, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (self.left < other.right and other.left < self.right
                and self.top < other.bottom and other.top < self.bottom)

    def inside(self, other: Box) -> bool:
        return (other.left <= self.left and self.right <= other.right
                and other.top <= self.top and self.bottom <= other.bottom)


def label_box(a: float, b: float, wide: float, taken: Sequence[Box], frame: Box) -> Box:
    """Where the label of a point can be written: to its right or to its left, as few
    lines above or below it as can be; to its right if there is no room at all."""
    for steps in range(int(2 * (frame.bottom - frame.top) / LINE)):
        middle = b + LINE * ((steps + 1) // 2) * (1 if steps % 2 else -1)
        for first in (a + BESIDE, a - BESIDE - wide):
            box = Box(first, middle - LINE / 2, first + wide, middle + LINE / 2)
            if box.inside(frame) and not any(map(box.meets, taken)):
                return box
    return Box(a + BESIDE, b - LINE / 2, a + BESIDE + wide, b + LINE / 2)


def chart(title: str, x: Axis, y: Axis, curves: Sequence[Curve], *, shift: float = 0.,
          width: float = WIDTH, height: float = HEIGHT,
          level: tuple[str, float] | None = None, legend: str = "right",
          joined: bool = True) -> list[str]:
    """The shapes of one chart, from `shift` pixels on.

    level : a horizontal dotted line and what it is
    legend : {"right", "left", "low", ""}, the corner in which it stands
    joined : whether lines join the points
    """
    left, inner = shift + LEFT, width - LEFT - RIGHT
    tall = height - TOP - BOTTOM

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return (left + inner * x.position(point[0]),
                TOP + tall * (1 - y.position(point[1])))

    shapes = [
        f'<rect x="{left}" y="{TOP}" width="{inner}" height="{tall}" fill="none" '
        f'stroke="{GREY}"/>',
        text(left + inner / 2, TOP - 10, title, bold=True),
        text(left + inner / 2, height - 8, x.title),
        f'<text transform="translate({shift + 14} {TOP + tall / 2}) rotate(-90)" '
        f'text-anchor="middle">{escape(y.title)}</text>']
    for value in x.ticks():
        across = at((value, y.low))[0]
        shapes += [line(across, TOP + tall, across, TOP + tall - 4),
                   text(across, TOP + tall + 16, tick_text(value))]
    for value in y.ticks():
        down = at((x.low, value))[1]
        shapes += [line(left, down, left + 4, down),
                   text(left - 6, down + 4, tick_text(value), "end")]
    if level is not None:
        down = at((x.low, level[1]))[1]
        shapes += [line(left, down, left + inner, down, "2 3"),
                   text(left + 4, down + 12, level[0], "start")]
    frame = Box(left, TOP, left + inner, TOP + tall)
    taken = [Box(a - POINT, b - POINT, a + POINT, b + POINT)
             for curve in curves for a, b in map(at, curve.points)]
    for curve in curves:
        positions = [at(point) for point in curve.points]
        if joined:
            dashes = ' stroke-dasharray="5 3"' if curve.dashed else ""
            points = " ".join(f"{a:.1f},{b:.1f}" for a, b in positions)
            shapes.append(f'<polyline points="{points}" fill="none" '
                          f'stroke="{curve.colour}" stroke-width="1.6"{dashes}/>')
        fill = "white" if curve.hollow else curve.colour
        end = -math.inf             # of the label before
        for number, (a, b) in enumerate(positions):
            label = curve.labels[number] if curve.labels else ""
            shapes.append(
                f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{POINT}" fill="{fill}" '
                f'stroke="{curve.colour}">'
                f'<title>{escape(f"{curve.name} {label}".strip())}</title></circle>')
            wide = LETTER * len(label)
            if curve.written == "above" and a - wide / 2 > end:
                shapes.append(text(a, b - 7, label))
                end = a + wide / 2
            elif curve.written == "beside":
                box = label_box(a, b, wide, taken, frame)
                taken.append(box)
                middle = (box.top + box.bottom) / 2
                is_right = box.left > a
                near = box.left - 1 if is_right else box.right + 1
                if middle != b:
                    shapes.append(line(a, b, near, middle))
                shapes.append(text(box.left if is_right else box.right, middle + 4, label,
                                   "start" if is_right else "end"))
    return shapes + key(curves, left, inner, tall, legend)


def key(curves: Sequence[Curve], left: float, inner: float, tall: float, corner: str
        ) -> list[str]:
    """What the colours mean."""
    named = [curve for curve in curves if curve.name]
    if not corner or not named:
        return []
    wide = 18 + LETTER * max(len(curve.name) for curve in named)
    start = left + 8 if corner == "left" else left + inner - wide - 4
    first = TOP + tall - 14 * len(named) + 4 if corner == "low" else TOP + 14
    shapes = []
    for number, curve in enumerate(named):
        down = first + 14 * number
        shapes += [f'<rect x="{start:.1f}" y="{down - 8}" width="10" height="3" '
                   f'fill="{curve.colour}"/>',
                   text(start + 14, down - 3, curve.name, "start")]
    return shapes


def line(x1: float, y1: float, x2: float, y2: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" '
            f'stroke="{GREY}"{dashed}/>')


def text(x: float, y: float, content: str, anchor: str = "middle", *, bold: bool = False
         ) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>'
            f"{escape(content)}</text>")


def picture(shapes: Iterable[str], width: float = WIDTH, height: float = HEIGHT) -> str:
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>', *shapes, "</svg>", ""])
