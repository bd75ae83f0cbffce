"""orange-structpred train TRAIN -o MODEL"""
from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
import time

from orange_structpred.commands import add_command
from orange_structpred.commands.options import add_learner_options, learner_parameters

EXAMPLES = """\
  orange-structpred train train.conllu -o english.npz
  orange-structpred train train.conllu -o english.npz --solver bcfw --C 10 --passes 30
  orange-structpred train train.conllu -o kernel.npz --features kernel \\
      --hash "posTags2::dir" --hash tokens --kernel ngram --kernel-params n=6,decay=0.5

Ctrl-C ends the training and keeps the parser so far; a second one gives it up."""


def register(commands) -> None:
    parser = add_command(
        commands, "train", run, summary="train a parser on a treebank",
        examples=EXAMPLES)
    parser.add_argument("treebank", metavar="TRAIN", help="CoNLL file with trees")
    parser.add_argument("-o", "--output", metavar="MODEL", required=True,
                        help="file for the parser (.npz)")
    parser.add_argument("--C", type=float, default=argparse.SUPPRESS,
                        help="weight of the loss (default: 1)")
    parser.add_argument("--checkpoint", metavar="FILE", default=argparse.SUPPRESS,
                        help="file from which an interrupted training goes on")
    parser.add_argument("--quiet", action="store_true", help="no progress line")
    add_learner_options(parser)


def run(args) -> None:
    from orange_structpred.learner import Cancelled, ParserLearner
    from orange_structpred.treebank import Treebank

    learner = ParserLearner(**learner_parameters(args))
    check_output(args.output)
    treebank = Treebank.from_file(args.treebank)
    with ProgressLine(quiet=args.quiet) as progress:
        try:
            parser = learner(treebank, progress)
        except Cancelled:       # there is no parser yet
            raise KeyboardInterrupt from None
    parser.save(args.output)
    last = parser.log[-1] if parser.log else None
    print(f"{parser.name}: {parser.n_weights} weights, {parser.construction} trees, "
          + (f"{last.pass_} passes, training loss {100 * last.loss:.2f}%"
             if last else "no full pass")
          + (", stopped early" if parser.stopped else "") + f"; {args.output}")


def check_output(path: str) -> None:
    """A file that cannot be written is better told before the work than after."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)


class ProgressLine:
    """A callback that keeps one line on stderr up to date, and stops on Ctrl-C."""

    kept = "the parser so far is kept"

    def __init__(self, *, quiet: bool = False):
        self.quiet = quiet
        self.terminal = sys.stderr.isatty()
        self.newline = "\n" if self.terminal else ""
        self.stop = self.told_stop = False
        self.began = time.perf_counter()
        self.before = None

    def __enter__(self):
        try:
            self.before = signal.signal(signal.SIGINT, self.interrupt)
        except ValueError:      # not in the main thread: nothing to catch there
            self.before = None
        return self

    def __exit__(self, *_) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        if self.terminal and not self.quiet:
            print(file=sys.stderr)

    def interrupt(self, *_) -> None:
        # No word here: it may come in the middle of another one.
        self.stop = True
        signal.signal(signal.SIGINT, self.before)       # a second one is not caught

    def __call__(self, report) -> bool:
        return self.show(self.text(report), report.end_of_pass)

    def show(self, line: str, lasting: bool) -> bool:
        """Tell how far the work is, or that it stops; whether it is to stop.

        lasting : where lines cannot be written over, only such ones are written
        """
        stop = self.stop        # it may change at any time
        if stop and not self.told_stop:
            print(f"{self.newline}stopping; {self.kept}", file=sys.stderr, flush=True)
            self.told_stop = True
        elif not stop and not self.quiet and (self.terminal or lasting):
            print(f"\r{line:<78}" if self.terminal else line, file=sys.stderr,
                  end="" if self.terminal else "\n", flush=True)
        return stop

    def text(self, report) -> str:
        parts = [f"pass {report.pass_}" if report.pass_ else
                 "kernel matrix" if report.fraction else "preparing"]
        if report.gap == report.gap:
            parts.append(f"gap {report.gap:.4f}")
        if report.loss == report.loss:
            parts.append(f"loss {100 * report.loss:.2f}%")
        spent = time.perf_counter() - self.began
        if 0 < report.fraction < 1:
            left = spent * (1 - report.fraction) / report.fraction
            parts.append(f"{100 * report.fraction:.0f}%, {left:.0f} s left")
        else:
            parts.append(f"{spent:.0f} s")
        return ", ".join(parts)
