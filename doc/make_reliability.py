"""Draw the reliability diagrams of calibration.jsonl, as images/reliability.svg, and
write the table of probabilities.md.

    python doc/make_reliability.py
"""
from __future__ import annotations

import json
from pathlib import Path

DOC = Path(__file__).resolve().parent
SOURCE, PICTURE = DOC / "calibration.jsonl", DOC / "images" / "reliability.svg"
PAGE = DOC / "probabilities.md"
SIDE, LEFT, TOP, GAP, BOTTOM = 200, 46, 28, 40, 44     # pixels
BLUE, GREY = "#0072b2", "#888888"


def draw(runs: list[dict]) -> str:
    """The diagrams side by side: how often heads of a probability are right."""
    width = LEFT + len(runs) * (SIDE + GAP)
    height = TOP + SIDE + BOTTOM
    shapes = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, run in enumerate(runs):
        shapes += panel(run, LEFT + number * (SIDE + GAP), first=not number)
    return "\n".join([*shapes, "</svg>", ""])


def panel(run: dict, x: float, first: bool) -> list[str]:
    y, middle = TOP + SIDE, x + SIDE / 2
    shapes = [
        f'<text x="{middle}" y="{TOP - 10}" text-anchor="middle" font-weight="bold">'
        f'{run["title"]}</text>']
    bins = len(run["counts"])
    step, total = SIDE / bins, sum(run["counts"])
    for k, accuracy in enumerate(run["accuracy"]):
        if accuracy is not None:
            high, left = SIDE * accuracy, x + k * step
            shapes.append(
                f'<rect x="{left + 0.5:.1f}" y="{y - high:.1f}" width="{step - 1:.1f}" '
                f'height="{high:.1f}" fill="{BLUE}" fill-opacity="0.55"><title>'
                f'{run["counts"][k]} of {total} tokens: probability '
                f'{run["confidence"][k]:.3f}, {accuracy:.3f} right</title></rect>')
            shapes.append(
                f'<circle cx="{x + SIDE * run["confidence"][k]:.1f}" '
                f'cy="{y - high:.1f}" r="2.4" fill="{BLUE}"/>')
    shapes += [
        f'<line x1="{x}" y1="{y}" x2="{x + SIDE}" y2="{TOP}" stroke="{GREY}" '
        'stroke-dasharray="4 3"/>',
        f'<rect x="{x}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" '
        f'stroke="{GREY}"/>',
        f'<text x="{x + 8}" y="{TOP + 18}">ECE {run["ece"]:.4f}</text>',
        f'<text x="{middle}" y="{y + 34}" text-anchor="middle">probability of the '
        'predicted head</text>']
    for value in (0, 0.5, 1):
        shapes.append(f'<text x="{x + SIDE * value}" y="{y + 15}" '
                      f'text-anchor="middle">{value:g}</text>')
        if first:
            shapes.append(f'<text x="{x - 6}" y="{y - SIDE * value + 4}" '
                          f'text-anchor="end">{value:g}</text>')
    if first:
        shapes.append(f'<text transform="translate({x - 30} {TOP + SIDE / 2}) '
                      'rotate(-90)" text-anchor="middle">share of right heads</text>')
    return shapes


def rows(runs: list[dict]) -> list[str]:
    """The table of the page."""
    return [f"| {run['title']} | {100 * run['uas']:.2f} | {run['temperature']:.3f} "
            f"| {run['ece']:.4f} |" for run in runs]


def with_table(page: str, runs: list[dict]) -> str:
    """The page with new rows in its table, the only one."""
    lines = page.splitlines()
    table = [i for i, line in enumerate(lines) if line.startswith("|")]
    return "\n".join([*lines[:table[0] + 2], *rows(runs), *lines[table[-1] + 1:], ""])


def read_runs() -> list[dict]:
    return [json.loads(line) for line in SOURCE.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    runs = read_runs()
    PICTURE.write_text(draw(runs), encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), runs), encoding="utf-8")


if __name__ == "__main__":
    main()
