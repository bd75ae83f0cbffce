"""Draw what annotate.jsonl says of annotators with a parser, as images/annotation.svg,
and write the table of treebank-in-a-day.md.

    python benchmarks/annotate.py --treebanks DIR > doc/annotate.jsonl
    python doc/make_annotation.py
"""
from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

DOC = Path(__file__).resolve().parent
SOURCE, PICTURE = DOC / "annotate.jsonl", DOC / "images" / "annotation.svg"
PAGE = DOC / "treebank-in-a-day.md"
WIDTH, HEIGHT, LEFT, TOP, GAP, BOTTOM = 330, 220, 52, 28, 76, 48      # pixels
#: Titles and colours of the orders in which sentences are corrected
ORDERS = {"random": ("in random order", "#888888"),
          "doubt": ("by doubt", "#0072b2"),
          "partial": ("only doubtful arcs", "#d55e00")}
Curves = dict[str, list[tuple[float, float]]]


def read_lines() -> list[dict]:
    return [json.loads(line) for line in SOURCE.read_text(encoding="utf-8").splitlines()]


def scores(lines: list[dict]) -> Curves:
    """UAS after so many words."""
    return {order: [(own["words"], own["uas"]) for own in lines
                    if own.get("strategy") == order] for order in ORDERS}


def corrections(lines: list[dict]) -> Curves:
    """Heads set by hand in each sentence, between two trainings."""
    curves = {}
    for order in ORDERS:
        rounds = [own for own in lines if own.get("strategy") == order]
        first = [(rounds[0]["words"], rounds[0]["corrections"] / rounds[0]["sentences"])] \
            if rounds else []
        curves[order] = first + [
            (after["words"], (after["corrections"] - before["corrections"])
             / (after["sentences"] - before["sentences"]))
            for before, after in pairwise(rounds)]
    return curves


def draw(lines: list[dict]) -> str:
    width, height = LEFT + 2 * (WIDTH + GAP), TOP + HEIGHT + BOTTOM
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *panel("UAS on 1,000 development sentences", scores(lines), LEFT, (70, 90), 5),
        *panel("corrections per sentence", corrections(lines), LEFT + WIDTH + GAP,
               (0, 20), 5), "</svg>", ""])


def panel(title: str, curves: Curves, x: float, values: tuple[float, float],
          step: int) -> list[str]:
    """A line for each order, over the words that were looked at."""
    low, high = values
    longest = max([words for curve in curves.values() for words, _ in curve] or [1])
    bottom = TOP + HEIGHT

    def place(words: float, value: float) -> tuple[float, float]:
        return (x + WIDTH * words / longest,
                bottom - HEIGHT * (min(value, high) - low) / (high - low))

    shapes = [f'<text x="{x + WIDTH / 2}" y="{TOP - 10}" text-anchor="middle" '
              f'font-weight="bold">{title}</text>',
              f'<text x="{x + WIDTH / 2}" y="{bottom + 36}" text-anchor="middle">words '
              'looked at</text>']
    for value in range(low, high + 1, step):
        _, y = place(0, value)
        shapes += [f'<line x1="{x}" y1="{y:.1f}" x2="{x + WIDTH}" y2="{y:.1f}" '
                   'stroke="#dddddd"/>',
                   f'<text x="{x - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>']
    for words in range(0, int(longest) + 1, 5000):
        left, _ = place(words, low)
        shapes.append(f'<text x="{left:.1f}" y="{bottom + 16}" text-anchor="middle">'
                      f'{words:,}</text>')
    for number, (order, curve) in enumerate(curves.items()):
        text, colour = ORDERS[order]
        points = [place(*point) for point in curve]
        shapes.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" '
                      'points="' + " ".join(f"{a:.1f},{b:.1f}" for a, b in points) + '"/>')
        shapes += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.6" fill="{colour}"><title>'
                   f'{words:,} words: {value:.2f}</title></circle>'
                   for (a, b), (words, value) in zip(points, curve)]
        shapes.append(f'<text x="{x + WIDTH - 8}" y="{bottom - 12 - 15 * number}" '
                      f'text-anchor="end" fill="{colour}">{text}</text>')
    return shapes


def rows(lines: list[dict]) -> list[str]:
    """The table of the page."""
    named = {own["name"]: own["value"] for own in lines if "name" in own}
    return ["| without a parser | | 100 |", *(
        f"| {text} | {named[f'words_{order}']:,} | {named[f'corrections_{order}']:.1f} |"
        for order, (text, _) in ORDERS.items() if named.get(f"words_{order}"))]


def with_table(page: str, lines: list[dict]) -> str:
    """The page with new rows in its table, the only one."""
    text = page.splitlines()
    table = [i for i, line in enumerate(text) if line.startswith("|")]
    return "\n".join([*text[:table[0] + 2], *rows(lines), *text[table[-1] + 1:], ""])


def main() -> None:
    lines = read_lines()
    PICTURE.write_text(draw(lines), encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), lines), encoding="utf-8")


if __name__ == "__main__":
    main()
