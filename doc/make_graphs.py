"""Draw grids, what pixels by themselves make of them, and what `GridSVM` does, as
images/graphs.svg.

    python doc/make_graphs.py
"""
from __future__ import annotations

from pathlib import Path

import numpy as np

from orange_structpred.problems import GraphSVM, GridSVM
from orange_structpred.problems.graphs.examples import (
    make_blocks,
    make_letters,
    make_snakes,
)

PICTURE = Path(__file__).resolve().parent / "images" / "graphs.svg"
SIDE, GAP, LEFT, TOP = 120, 16, 70, 30
COLOURS = ("#ffffff", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
           "#f0e442", "#000000", "#999999", "#7f3c8d")


def by_pixel(X, y, X_test):
    """Labels by the same features, without neighbours."""
    def nodes(images):
        return [(np.reshape(x if x.ndim == 3 else np.stack([x, np.ones_like(x)], 2),
                            (x.shape[0] * x.shape[1], -1)), []) for x in images]

    estimator = GraphSVM(C=100, tol=0.1).fit(nodes(X), [labels.ravel() for labels in y])
    return [labels.reshape(x.shape[:2])
            for labels, x in zip(estimator.predict(nodes(X_test)), X_test)]


def cells(values: np.ndarray, left: float, top: float, colour) -> list[str]:
    height, width = values.shape[:2]
    size = SIDE / max(height, width)
    return [f'<rect x="{left + column * size:.2f}" y="{top + row * size:.2f}" '
            f'width="{size + 0.1:.2f}" height="{size + 0.1:.2f}" '
            f'fill="{colour(values[row, column])}"/>'
            for row in range(height) for column in range(width)]


def grey(value) -> str:
    shade = int(np.clip(255 * (0.5 - float(value)), 0, 255))
    return f"#{shade:02x}{shade:02x}{shade:02x}"


def mixed(value) -> str:
    """Scores of labels as a mixture of their colours."""
    share = np.exp(2 * value) / np.exp(2 * value).sum()
    parts = [[int(colour[k:k + 2], 16) for k in (1, 3, 5)] for colour in COLOURS[1:4]]
    return "#" + "".join(f"{int(round(part)):02x}" for part in share @ np.array(parts))


def draw(rows: list[tuple]) -> str:
    columns = ("input", "pixels alone", "grid", "true labels")
    width = LEFT + len(columns) * (SIDE + GAP)
    height = TOP + len(rows) * (SIDE + GAP)
    shapes = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, text in enumerate(columns):
        shapes.append(f'<text x="{LEFT + number * (SIDE + GAP) + SIDE / 2}" y="{TOP - 10}" '
                      f'text-anchor="middle">{text}</text>')
    for number, (name, image, paint, *labellings) in enumerate(rows):
        top = TOP + number * (SIDE + GAP)
        shapes.append(f'<text x="{LEFT - 10}" y="{top + SIDE / 2}" text-anchor="end">'
                      f'{name}</text>')
        shapes += cells(image, LEFT, top, paint)
        for k, (labels, first) in enumerate(labellings, 1):
            shapes += cells(labels + first, LEFT + k * (SIDE + GAP), top,
                            COLOURS.__getitem__)
        for k in range(len(columns)):
            shapes.append(f'<rect x="{LEFT + k * (SIDE + GAP)}" y="{top}" width="{SIDE}" '
                          f'height="{SIDE * image.shape[0] / max(image.shape[:2]):.1f}" '
                          'fill="none" stroke="#888888"/>')
    return "\n".join([*shapes, "</svg>", ""])


def row(name: str, X, y, n_train: int, view, paint, first: int, **options) -> tuple:
    """An example that was not in the training, in four ways."""
    train = X[:n_train], y[:n_train]
    grid = GridSVM(C=100, tol=0.1, **options).fit(*train)
    test = X[n_train:n_train + 1]
    return (name, view(test[0]), paint, (by_pixel(*train, test)[0], first),
            (grid.predict(test)[0], first), (y[n_train], first))


def main() -> None:
    rows = [
        row("blocks", *make_blocks(26, noise=0.7), 25, lambda x: x, mixed, 1),
        row("letters", *make_letters(21, scale=2), 20, lambda x: x, grey, 0),
        row("snakes", *make_snakes(41), 40, lambda x: x[:, :, 13] - 0.5, grey, 0),
    ]
    PICTURE.write_text(draw(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
