"""Write the tables of study.md and draw its figures, from what the study has measured.

    python benchmarks/thesis.py --treebanks DIR --all
    python doc/make_study.py
"""
import sys
from pathlib import Path

DOC = Path(__file__).resolve().parent
SOURCE, PRACTICE = DOC / "study.jsonl", DOC / "kernel-study.jsonl"
PAGE, IMAGES = DOC / "study.md", DOC / "images"


def main() -> None:
    from benchmarks.study.figures import FIGURES
    from benchmarks.study.lines import read_lines
    from benchmarks.study.results import Results
    from benchmarks.study.tables import filled

    results = Results(*map(read_lines, (SOURCE, PRACTICE)))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    for name, draw in FIGURES.items():
        shapes = draw(results)
        if shapes is not None:
            (IMAGES / name).write_text(shapes, encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(DOC.parent))
    main()
