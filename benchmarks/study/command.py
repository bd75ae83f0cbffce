"""The command: which parts are computed, of which treebanks, at which scale."""
from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from benchmarks.study.beyond import MODELS, compare
from benchmarks.study.chapter6 import EPSILONS, PARTS, run_part, running_times
from benchmarks.study.data import FILES
from benchmarks.study.lines import Study
from benchmarks.study.why import cover, explain
from orange_structpred.running.cluster import connected

LINES = Path(__file__).resolve().parents[2] / "doc" / "study.jsonl"
QUICK = 0.1
TABLES = ("6.1", "6.2", "6.3", "6.4", "6.5", "6.6")
FIGURES = ("6.3", "6.4", "6.5", "6.6")


def parts_for(wanted: set[str]) -> list[str]:
    """The parts that tables and figures are made of."""
    makes = {**{name: part.makes for name, part in PARTS.items()},
             "time": ("figure 6.6",), "pairs": ("pairs",), "why": ("why",), "beyond": ("beyond",)}
    return [name for name, made in makes.items() if wanted & set(made)]


def read_arguments(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of the CoNLL-U files of UD English EWT, German GSD")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FILE,FILE",
                        help="another treebank, for example German-HDT=hdt.conllu")
    parser.add_argument("--language", action="append", metavar="NAME",
                        help="only this treebank: English, German or one of --also")
    parser.add_argument("--table", action="append", default=[], choices=TABLES)
    parser.add_argument("--figure", action="append", default=[], choices=FIGURES)
    parser.add_argument("--why", action="store_true",
                        help="why the thesis's input kernels gain more")
    parser.add_argument("--pairs", action="store_true",
                        help="how many heads can be known from pairs of words")
    parser.add_argument("--beyond", action="store_true",
                        help="other parsers, learning curves, speed")
    parser.add_argument("--model", action="append", choices=list(MODELS), metavar="NAME",
                        help="with --beyond, only this parser: " + "; ".join(MODELS))
    parser.add_argument("--all", action="store_true", help="all of these")
    parser.add_argument("--epsilon", action="append", type=float, choices=EPSILONS,
                        help="only this one (default: both)")
    scale = parser.add_mutually_exclusive_group()
    scale.add_argument("--quick", action="store_true", help="a tenth of the sentences")
    scale.add_argument("--share", type=float, default=1., metavar="SHARE",
                       help="this share of the sentences (default: 1)")
    parser.add_argument("--lines", type=Path, default=LINES, metavar="FILE",
                        help="results (default: doc/study.jsonl)")
    parser.add_argument("--scheduler", metavar="ADDRESS",
                        help="a Dask scheduler, or local for all cores of this machine")
    args = parser.parse_args()
    args.files = {name: [args.treebanks / file for file in names]
                  for name, names in FILES.items()}
    for text in args.also:
        name, sign, names = text.partition("=")
        if not sign:
            parser.error(f"--also {text}: expected NAME=FILE")
        args.files[name] = [Path(file) for file in names.split(",")]
    if args.language:
        unknown = [name for name in args.language if name not in args.files]
        if unknown:
            parser.error(f"--language {unknown[0]}: expected {', '.join(args.files)}")
        args.files = {name: args.files[name] for name in args.language}
    if not 0 < args.share <= 1:
        parser.error("--share must be above 0 and at most 1")
    args.wanted = {*(f"table {number}" for number in args.table),
                   *(f"figure {number}" for number in args.figure),
                   *(name for name in ("pairs", "why", "beyond") if getattr(args, name))}
    if args.all:
        args.wanted |= {*(f"table {number}" for number in TABLES), "figure 6.4", "figure 6.6",
                        "pairs", "why", "beyond"}
    if not args.wanted:
        parser.error("say what to make: --table, --figure, --pairs, --why, --beyond or "
                     "--all")
    return args


def main(description: str) -> None:
    args = read_arguments(description)
    with connected(args.scheduler) as cluster:
        study = Study(args.lines, args.files, QUICK if args.quick else args.share,
                      cluster, args.epsilon)
        further: dict[str, Callable[[], None]] = {
            "time": lambda: running_times(study), "pairs": lambda: cover(study),
            "why": lambda: explain(study),
            "beyond": lambda: compare(study, args.treebanks, args.model)}
        for name in parts_for(args.wanted):
            if name in PARTS:
                run_part(study, name)
            else:
                further[name]()
