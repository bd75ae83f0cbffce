"""orange-structpred tune TREEBANK"""
from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from orange_structpred.commands import (
    print_json,
    printed_warnings,
    time_left,
)
from orange_structpred.commands.options import (
    NAMES_HELP,
    add_learner_options,
    add_shared,
    check_influence,
    check_unlabelled,
    model_file,
    option,
    read_trees,
    set_parameters,
    training_file,
    whole_number,
)
from orange_structpred.commands.train import ShownLine
from orange_structpred.errors import InputError

if TYPE_CHECKING:
    from orange_structpred.tuning.grids import Grid
    from orange_structpred.tuning.search import TuningProgress

SUMMARY = "choose parameters by the loss on held-out sentences"
EXAMPLES = f"""\
  orange-structpred tune train.conllu --C 0.01,0.1,1,10 --solver bcfw
  orange-structpred tune train.conllu --validation dev.conllu -o best.npz
  orange-structpred tune train.conllu --folds 5 --grid "groups=all,all without context"
  orange-structpred tune train.conllu --features kernel \\
      --grid "hash=posTags,posTags2::dir + tokens" --grid "kernel=bow,ngram n=4" --json

Losses are percentages of wrong heads, with 95% intervals. The best parser has the
smallest validation loss; with --folds, it is retrained on all sentences at the end.
C is worth tuning with the solver bcfw or one-slack; mira, the default for explicit
features, hardly depends on it. Press Ctrl-C to stop and keep the results so far.

{NAMES_HELP}"""

CS = "0.001,0.01,0.1,1,10,100"
POINT_TITLES = ("setting", "C", "train loss", "validation loss", "95% interval", "|w|^2",
                "seconds", "valid trees")


def add_arguments(parser) -> None:
    parser.add_argument("treebank", metavar="TREEBANK", type=training_file,
                        help="CoNLL file with trees")
    parser.add_argument("-o", "--output", metavar="MODEL", type=model_file,
                        help="file for the best parser (.npz)")
    add_shared(parser, "--json", "--quiet", "--unlabelled", "--scheduler")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--validation", metavar="FILE", type=training_file,
                       help="CoNLL file on which to measure losses")
    where.add_argument("--folds", type=whole_number, metavar="K",
                       help="use K-fold cross-validation")
    where.add_argument("--share", type=float, metavar="S", default=0.2,
                       help="share of sentences to hold out (default: 0.2)")
    parser.add_argument("--measure", choices=("uas", "las"), default="uas",
                        help="score to tune by (default: uas)")
    parser.add_argument("--C", dest="Cs", metavar="C,C",
                        help=f"values of C to try (default: {CS})")
    parser.add_argument("--stop-raising", action="store_true",
                        help="raise C only until the training loss no longer improves")
    parser.add_argument("--grid", action="append", metavar="NAME=VALUE,VALUE",
                        default=[], help="values to try for another parameter; may be "
                                                "repeated")
    add_learner_options(parser, "C", "checkpoint")


def run(args) -> None:
    from orange_structpred.files.writing import output_place
    from orange_structpred.treebank import Treebank
    from orange_structpred.tuning.search import tune

    # errors are better reported before the work than after
    grid, options = read_arguments(args)
    name = options.pop("name", None)
    if args.output:
        output_place(args.output)
    treebank = read_trees(args.treebank)
    validation = read_trees(args.validation) if args.validation else None
    unlabelled = Treebank.from_file(args.unlabelled) if args.unlabelled else None
    with printed_warnings(), TuningLine(quiet=args.quiet) as progress:
        tuning = tune(treebank, grid, validation=validation, share=args.share,
                      folds=args.folds, callback=progress, measure=args.measure,
                      client=args.scheduler, stop_raising=args.stop_raising,
                      unlabelled=unlabelled, **options)
    if not tuning.points:
        raise KeyboardInterrupt
    best = tuning.best
    if args.json:
        print_json({"points": [as_dict(point) for point in tuning.points],
                    "best": as_dict(best), "open_end": tuning.open_end,
                    "stopped": tuning.stopped, "model": args.output})
    else:
        print_results(tuning)
    if args.output:
        sys.stdout.flush()          # there may be a parser to train first
        with printed_warnings():
            parser = tuning.parser(best)
        parser.name = name or parser.name
        parser.save(args.output)
        if not args.json:
            print(f"{parser.name}; {args.output}")


def print_results(tuning) -> None:
    rows = [POINT_TITLES, *map(row, tuning.points)]
    if all(point.valid_trees == 1 for point in tuning.points):
        rows = [cells[:-1] for cells in rows]
    print_table(rows)
    best = tuning.best
    chosen = ", ".join(filter(None, (best.label, f"C {best.C:g}")))
    print(f"\nBest: {chosen}, validation loss {100 * best.validation_loss:.2f}%"
          + (" (stopped early)" if tuning.stopped else ""))
    if tuning.open_end is not None:
        print(f"This is the {tuning.open_end} end of the values of C: a wider range may "
                      "contain a better one.")
    if tuning.same_as_best:
        others = ", ".join(f"{point.C:g}" for point in tuning.same_as_best)
        print(f"C {others} gave the same parser. C is worth tuning with the solver "
                      "bcfw or one-slack.")


def read_arguments(args: argparse.Namespace) -> tuple[Grid, dict[str, Any]]:
    """The grid, and the parameters that are the same for all its points."""
    from orange_structpred.learner.influence import unused
    from orange_structpred.tuning.arguments import check
    from orange_structpred.tuning.grids import settings_of

    grid = read_grid(CS if args.Cs is None else args.Cs, args.grid)
    options = set_parameters(args)
    settings = settings_of(grid)
    for name in settings[0]:
        if name in options:
            raise InputError(f"give either {option(name)} or --grid {name}, not both")
    settings = [{**options, **setting} for setting in settings]
    for setting in settings:
        check(setting)
    named = {name: option(name) for name in options}
    for name in settings[0]:
        named.setdefault(name, f"--grid {name}")
    if args.Cs is not None:
        named["C"] = "--C"
    elif all(unused("C", setting) for setting in settings):
        del grid["C"]
    check_influence(named, settings)
    check_unlabelled(named, args.unlabelled)
    return grid, options


def read_grid(Cs: str, further: list[str]) -> dict:
    """The grid of the options --C and --grid."""
    from orange_structpred.tuning.grids import make_grid, parse_values

    try:
        values = {"C": [float(C) for C in parse_values("C", Cs)]}
    except (TypeError, ValueError) as error:
        raise InputError(f"--C: found {Cs!r}, expected numbers separated by commas"
                         ) from error
    for text in further:
        name, sign, listed = text.partition("=")
        name = name.strip().replace("-", "_")
        if not (name and sign and listed.strip()):
            raise InputError(f"--grid: found {text!r}, expected NAME=VALUE,VALUE")
        if name in values:
            raise InputError(f"--grid: {name} is set twice")
        values[name] = parse_values(name, listed)
    return make_grid(values)


def as_dict(point) -> dict:
    """A point, ready for JSON; losses are percent."""
    C = "inf" if point.C == float("inf") else point.C       # JSON has no infinite numbers
    return {"label": point.label, "parameters": {**point.parameters, "C": C},
            "train_loss": round(100 * point.train_loss, 4),
            "validation_loss": round(100 * point.validation_loss, 4),
            "interval": [round(100 * point.low, 4), round(100 * point.high, 4)],
            "squared_norm": point.squared_norm, "seconds": round(point.seconds, 3),
            "valid_trees": round(100 * point.valid_trees, 4)}


def row(point) -> tuple[str, ...]:
    return (point.label or "-", f"{point.C:g}", f"{100 * point.train_loss:.2f}",
            f"{100 * point.validation_loss:.2f}",
            f"{100 * point.low:.2f} - {100 * point.high:.2f}",
            f"{point.squared_norm:.4g}", f"{point.seconds:.1f}",
            f"{100 * point.valid_trees:.2f}")


def print_table(rows: list[tuple[str, ...]]) -> None:
    """Text left-aligned, numbers right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *others in rows:
        print("  ".join([f"{first:<{widths[0]}}",
                         *(f"{text:>{width}}"
                           for text, width in zip(others, widths[1:]))]))


class TuningLine(ShownLine):
    """A callback that shows progress on stderr, and stops early on Ctrl-C."""

    def __init__(self, *, quiet: bool = False):
        super().__init__(quiet=quiet)
        self.done = 0

    def __call__(self, progress: TuningProgress) -> None:
        self.done += progress.point is not None
        self.show(self.tuning_text(progress), progress.point is not None,
                  "keeping the results so far" if self.done else "")

    def tuning_text(self, progress: TuningProgress) -> str:
        parts = [f"{100 * progress.fraction:.0f}%", f"{self.done} done",
                 time_left(progress.fraction, time.perf_counter() - self.began)]
        if progress.point is not None:
            point = progress.point
            parts.append(", ".join(filter(None, (point.label, f"C {point.C:g}")))
                         + f": {100 * point.validation_loss:.2f}%")
        return ", ".join(filter(None, parts))
