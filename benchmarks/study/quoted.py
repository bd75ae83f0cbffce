"""Figures that are quoted, not measured by the study: the thesis's own, and those of
other parsers in the README (UD English EWT, gold tags, test part)."""
from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

README = Path(__file__).resolve().parents[2] / "README.md"

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


class Measured(NamedTuple):
    uas: float
    sentences_per_s: float


def readme_parsers() -> dict[str, Measured]:
    """Parsers trained on all of UD English EWT, by name, from the table of the README."""
    lines = README.read_text(encoding="utf-8").splitlines()
    start = lines.index("| parser | UAS | LAS | training | parsing |") + 2
    rows = takewhile(lambda line: line.startswith("|"), lines[start:])
    cells = ([cell.strip() for cell in row.strip("|").split("|")] for row in rows)
    return {name: Measured(float(uas), float(speed.replace(",", "")))
            for name, uas, _, _, speed in cells}
