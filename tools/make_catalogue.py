"""Make the catalogue of Universal Dependencies treebanks that comes with the package.

    python -m tools.make_catalogue TREEBANKS.tsv RELEASE

TREEBANKS.tsv lists the treebanks of a release, with a header and the columns language,
treebank, repository (of the organisation UniversalDependencies on GitHub) and prefix
(with which the names of its files begin).
"""
from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

from orange_structpred.errors import InputError
from orange_structpred.files.writing import write_bytes
from orange_structpred.treebank.ud import CATALOGUE, UDTreebank


def catalogue(path: Path, release: str) -> dict:
    """What goes into the file: the release, and for each treebank its prefix."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = {}
    for row in rows:
        treebank = UDTreebank(row["language"], row["treebank"], row["prefix"])
        if treebank.repository != row["repository"]:
            raise InputError(f"{path}: found repository {row['repository']!r}, expected "
                             f"{treebank.repository!r}")
        found[treebank.name] = treebank.prefix
    if len(found) < len(rows):
        raise InputError(f"{path}: found a treebank twice")
    return {"release": release, "treebanks": dict(sorted(found.items()))}


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("release")
    args = parser.parse_args(argv)
    text = json.dumps(catalogue(args.treebanks, args.release), ensure_ascii=False,
                      indent=0)
    write_bytes(CATALOGUE, f"{text}\n".encode())


if __name__ == "__main__":
    main()
