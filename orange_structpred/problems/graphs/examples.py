"""Example graphs, made by code: blocks, snakes, noisy letters, and digits as grids."""
from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits
from sklearn.utils import check_random_state

Grids = tuple[list[np.ndarray], list[np.ndarray]]

#: A few letters, five pixels wide and seven high
LETTER_BITMAPS = {
    "A": "01110 10001 10001 11111 10001 10001 10001",
    "E": "11111 10000 10000 11110 10000 10000 11111",
    "H": "10001 10001 10001 11111 10001 10001 10001",
    "L": "10000 10000 10000 10000 10000 10000 11111",
    "O": "01110 10001 10001 10001 10001 10001 01110",
    "T": "11111 00100 00100 00100 00100 00100 00100",
}
SNAKE_LENGTH, SNAKE_FIELD = 10, 10


def make_blocks(n_samples: int = 25, *, size: int = 9, n_labels: int = 3, noise: float = 0.6,
                random_state=0) -> Grids:
    """Grids of three by three blocks with one label each, seen through noise.

    Returns a list of arrays (size, size, labels), one feature for each label plus normal
    noise, and a list of arrays (size, size) of labels.
    """
    rng = check_random_state(random_state)
    X, y = [], []
    for _ in range(n_samples):
        rows = np.arange(size) * 3 // size
        labels = rng.randint(n_labels, size=(3, 3))[np.ix_(rows, rows)]
        X.append(np.eye(n_labels)[labels] + noise * rng.normal(size=(size, size, n_labels)))
        y.append(labels)
    return X, y


def make_snakes(n_samples: int = 50, *, random_state=0) -> Grids:
    """Snakes of ten pixels; labels count the pixels from the tail to the head.

    The input shows snake or ground, and the tail, of each pixel and its eight neighbours:
    locally, all pixels in the middle of a snake look alike. Label 0 is the ground.
    """
    rng = check_random_state(random_state)
    X: list[np.ndarray] = []
    y: list[np.ndarray] = []
    while len(X) < n_samples:
        labels = np.zeros((SNAKE_FIELD, SNAKE_FIELD), int)
        cell = rng.randint(1, SNAKE_FIELD - 1, 2)
        labels[tuple(cell)] = 1
        for number in range(2, SNAKE_LENGTH + 1):
            steps = cell + np.array([(0, 1), (1, 0), (0, -1), (-1, 0)])
            steps = [step for step in steps if (step >= 0).all()
                     and (step < SNAKE_FIELD).all() and labels[tuple(step)] == 0]
            if not steps:
                break
            cell = steps[rng.randint(len(steps))]
            labels[tuple(cell)] = number
        if labels.max() < SNAKE_LENGTH:
            continue
        seen = np.stack([labels == 0, labels > 0, labels == 1], axis=2).astype(float)
        around = np.pad(seen, ((1, 1), (1, 1), (0, 0)))
        windows = [around[r:r + SNAKE_FIELD, c:c + SNAKE_FIELD]
                   for r in range(3) for c in range(3)]
        X.append(np.concatenate(windows, axis=2))
        y.append(labels)
    return X, y


def make_letters(n_samples: int = 30, *, scale: int = 4, noise: float = 0.25,
                 random_state=0) -> Grids:
    """Drawings of letters in which a share of the pixels is turned over; labels are the
    pixels as they were, 0 for paper and 1 for ink."""
    rng = check_random_state(random_state)
    names = sorted(LETTER_BITMAPS)
    X, y = [], []
    for _ in range(n_samples):
        rows = LETTER_BITMAPS[names[rng.randint(len(names))]].split()
        bitmap = np.pad(np.array([list(map(int, row)) for row in rows]), 1)
        ink = np.kron(bitmap, np.ones((scale, scale), int))
        turned = rng.uniform(size=ink.shape) < noise
        X.append(np.where(turned, 1 - ink, ink) - 0.5)
        y.append(ink)
    return X, y


def load_digit_grids(n_samples: int = 100, *, noise: float = 0.5, random_state=0) -> Grids:
    """scikit-learn's digits, 8 by 8 pixels, with noise; labels say where there is ink."""
    rng = check_random_state(random_state)
    images = load_digits().images[:n_samples] / 16
    return [image - 0.5 + noise * rng.normal(size=image.shape) for image in images], [
        (image > 0.5).astype(int) for image in images]
