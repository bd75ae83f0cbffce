"""orange-structpred train TRAIN -o MODEL"""
from __future__ import annotations

import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

from orange_structpred.commands import (
    counted,
    file_name,
    printed_warnings,
    time_left,
)
from orange_structpred.commands.options import (
    NAMES_HELP,
    add_learner_options,
    add_presets,
    add_shared,
    check_influence,
    check_unlabelled,
    model_file,
    option,
    read_trees,
    set_parameters,
    training_file,
)
from orange_structpred.errors import InputError
from orange_structpred.parsing.relations.labelled_loss import labelled_loss
from orange_structpred.running import interrupts
from orange_structpred.running.cancellation import Cancelled, StopEarly

if TYPE_CHECKING:
    from orange_structpred.svm import Report

SUMMARY = "train a parser on a treebank"
EXAMPLES = f"""\
  orange-structpred train train.conllu -o english.npz
  orange-structpred train train.conllu -o english.npz --solver bcfw --C 10 --passes 30
  orange-structpred train train.conllu -o kernel.npz --features kernel \\
      --hash "posTags2::dir" --hash tokens --kernel ngram --kernel-params n=6,decay=0.5
  orange-structpred train train.conllu --validation dev.conllu -o english.npz --passes 20
  orange-structpred train train.conllu -o accurate.npz --accurate
  orange-structpred train large.conllu -o large.npz --on-disk encoded

Press Ctrl-C once to stop training and keep the parser trained so far, twice to discard
it.

{NAMES_HELP}"""


def add_arguments(parser) -> None:
    parser.add_argument("treebank", metavar="TRAIN", type=training_file,
                        help="CoNLL file with trees")
    parser.add_argument("-o", "--output", metavar="MODEL", required=True, type=model_file,
                        help="file for the parser (.npz)")
    parser.add_argument("--validation", metavar="FILE", type=training_file,
                        help="CoNLL file on which to measure the loss after each pass")
    parser.add_argument("--keep", choices=("best", "last"),
                        help="with --validation: keep the parser of the pass with the "
                             "smallest validation loss, or of the last one "
                             "(default: best)")
    add_shared(parser, "--unlabelled")
    parser.add_argument("--on-disk", metavar="FOLDER", type=file_name,
                        help="encode TRAIN into this folder and train from there, for "
                             "treebanks that are larger than memory; the folder is "
                             "created and reused next time")
    add_shared(parser, "--quiet", "--scheduler")
    add_presets(parser, "same as --neural")
    add_learner_options(parser)


def run(args) -> None:
    from orange_structpred.files.writing import output_place
    from orange_structpred.learner import ParserLearner
    from orange_structpred.learner.influence import certificate_scope
    from orange_structpred.treebank import Treebank
    from orange_structpred.treebank.on_disk import DiskTreebank

    # errors are better reported before the work than after
    parameters = set_parameters(args)
    learner = ParserLearner(**parameters)
    learner.check()
    named = {name: option(name) for name in parameters}
    check_influence(named, [parameters])
    check_unlabelled(named, args.unlabelled)
    if args.keep and not args.validation:
        raise InputError("--keep needs --validation")
    output_place(args.output)
    treebank = (DiskTreebank(args.treebank, args.on_disk) if args.on_disk
                else read_trees(args.treebank, partial=learner.partial))
    further = {"validation": read_trees(args.validation),
               "keep": args.keep or "best"} if args.validation else {}
    if args.unlabelled:
        further["unlabelled"] = Treebank.from_file(args.unlabelled)
    with printed_warnings(), ProgressLine(quiet=args.quiet) as progress:
        try:
            parser = learner(treebank, progress, client=args.scheduler,
                             **further)
        except Cancelled:       # before the first pass: nothing to keep
            raise KeyboardInterrupt from None
    parser.save(args.output)
    last = parser.log[-1] if parser.log else None
    print(f"{parser.name}: {parser.n_weights} weights, {parser.decoder} trees, "
          + (learned_text(parser.log) if last else "no full pass")
          + kept_text(parser)
          + (", stopped early" if parser.stopped else "") + f"; {args.output}")
    if last and last.certified and (scope := certificate_scope(parameters, parser.decoder)):
        print(f"gap {last.gap:.4f}: {scope}")


def learned_text(reports) -> str:
    """How many passes there were, and what came of them."""
    linear = [report for report in reports if not report.epoch]
    texts = []
    if linear:
        texts.append(f"{counted(linear[-1].pass_, 'pass', 'passes')}, training loss "
                     f"{100 * linear[-1].loss:.2f}%{with_relations(linear[-1])}")
    if len(linear) < len(reports):
        texts.append(f"{counted(reports[-1].epoch, 'epoch', 'epochs')} of the net, loss "
                     f"{reports[-1].net_loss:.3f}")
    return ", ".join(texts)


def with_relations(report) -> str:
    """The training loss with relations, where they are learned, in brackets."""
    loss = labelled_loss(report)
    return f" ({100 * loss:.2f}% with relations)" if loss == loss else ""


def kept_text(parser) -> str:
    """Which pass was kept, and its validation loss."""
    if parser.kept_pass is None:
        return ""
    loss = next(report.validation_loss for report in parser.log
                if report.pass_ == parser.kept_pass)
    kept = parser.kept_pass - sum(not report.epoch for report in parser.log)
    what = f"epoch {kept}" if kept > 0 else f"pass {parser.kept_pass}"
    return f", {what} kept (validation loss {100 * loss:.2f}%)"


class ShownLine:
    """Shows progress in one line on stderr, and stops early on Ctrl-C."""

    def __init__(self, *, quiet: bool = False):
        self.quiet = quiet
        self.terminal = sys.stderr.isatty()
        self.newline = "\n" if self.terminal else ""
        self.stop = self.said_so = False
        self.kept = ""
        self.lock = threading.Lock()    # for lines that are printed
        self.began = time.perf_counter()
        self.before = None

    def __enter__(self):
        try:
            self.before = signal.signal(signal.SIGINT, self.interrupt)
        except ValueError:      # not in the main thread: nothing to catch there
            self.before = None
        interrupts.answer_with(self.answer)
        return self

    def __exit__(self, *_) -> None:
        interrupts.answer_with(None)
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        if self.terminal and not self.quiet:
            print(file=sys.stderr)

    def interrupt(self, *_) -> None:
        # Nothing is printed here: it might interrupt another line.
        self.stop = True
        signal.signal(signal.SIGINT, self.before)       # a second one is not caught

    def answer(self) -> bool:
        """In another thread, at once: say what is kept, if anything is, since it may
        take a while until the work has stopped."""
        self.stop = True
        with self.lock:
            self.say_what_is_kept()
        return bool(self.kept)

    def show(self, line: str, lasting: bool, kept: str) -> None:
        """Show progress, or that the work is stopping, and raise StopEarly.

        lasting : if lines cannot be overwritten, only lasting ones are printed
        kept : what is kept if the work stops now; "" for nothing
        """
        with self.lock:
            stop, self.kept = self.stop, kept       # the first may change at any time
            if stop:
                self.say_what_is_kept()
            elif not self.quiet and (self.terminal or lasting):
                print(f"\r{line:<78}" if self.terminal else line, file=sys.stderr,
                      end="" if self.terminal else "\n", flush=True)
        if stop:
            raise StopEarly

    def say_what_is_kept(self) -> None:
        if self.kept and not self.said_so:
            print(f"{self.newline}stopping; {self.kept}", file=sys.stderr, flush=True)
            self.said_so = True


class ProgressLine(ShownLine):
    """A callback for the reports of a training."""

    def __call__(self, report: Report) -> None:
        self.show(self.text(report), report.end_of_pass,
                  "keeping the parser trained so far" if report.pass_ else "")

    def text(self, report: Report, fraction: float | None = None) -> str:
        """fraction : of the whole work, if the report's is only of a part of it"""
        parts = [f"epoch {report.epoch} of the net" if report.epoch else
                 f"pass {report.pass_}" if report.pass_ else
                 "kernel matrix" if report.fraction else "preparing"]
        if report.gap == report.gap:
            parts.append(f"gap {report.gap:.4f}")
        if report.loss == report.loss:
            parts.append(f"loss {100 * report.loss:.2f}%{with_relations(report)}")
        if report.net_loss == report.net_loss:
            parts.append(f"net loss {report.net_loss:.3f}")
        if report.validation_loss == report.validation_loss:
            parts.append(f"validation loss {100 * report.validation_loss:.2f}%")
        spent = time.perf_counter() - self.began
        fraction = report.fraction if fraction is None else fraction
        left = time_left(fraction, spent)
        parts.append(f"{100 * fraction:.0f}%, {left}" if left else f"{spent:.0f} s")
        return ", ".join(parts)
