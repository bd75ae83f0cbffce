"""The command line: `python -m orange_structpred` or `orange-structpred`."""
from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from contextlib import suppress

from orange_structpred import __version__
from orange_structpred.commands import register_all
from orange_structpred.errors import InputError, visible
from orange_structpred.files.writing import nothing_unfinished
from orange_structpred.running import interrupts

PROGRAM = "orange-structpred"
PROGRAM_EXAMPLES = f"""\
examples:
  {PROGRAM} info dev.conllu
  {PROGRAM} fetch German-GSD
  {PROGRAM} find 'upos=VERB rel=obj' dev.conllu
  {PROGRAM} edit 'form=Orange' 'W.upos = PROPN' dev.conllu
  {PROGRAM} compare mine.conllu yours.conllu
  {PROGRAM} page dev.conllu -o trees.html
  {PROGRAM} score dev.conllu parsed.conllu
  {PROGRAM} train train.conllu -o english.npz
  {PROGRAM} tune train.conllu --validation dev.conllu --C 0.1,1,10
  {PROGRAM} parse english.npz dev.conllu -o parsed.conllu
  {PROGRAM} train-pipeline train.conllu -o pipeline.npz
  {PROGRAM} annotate pipeline.npz book.txt -o book.conllu
  {PROGRAM} export first-parser.ows
  {PROGRAM} cache --clear

{PROGRAM} COMMAND --help explains a command.
Files are CoNLL-U or CoNLL-X, plain or .gz."""

FAULT = 1
BAD_INPUT = 2
#: What a shell reports for a program that a signal ended (128 + signal).
INTERRUPTED = 130
BROKEN_PIPE = 141


class ArgumentParser(argparse.ArgumentParser):
    """Reports wrong arguments in one line, without the usage."""

    def error(self, message: str):
        self.exit(BAD_INPUT, f"{self.prog}: error: {message} (see --help)\n")


def make_parser() -> argparse.ArgumentParser:
    parser = ArgumentParser(
        prog=PROGRAM, description="Train, apply and score dependency parsers; annotate text.",
        epilog=PROGRAM_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version",
                        version=f"{PROGRAM} {__version__}")
    register_all(parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True))
    return parser


def error_line(error: Exception) -> str:
    """The message of an error as a single line."""
    if isinstance(error, OSError) and error.strerror:
        parts = (str(part) for part in (error.filename, error.strerror) if part)
        return visible(": ".join(parts))
    return visible(" ".join(str(error).split())) or type(error).__name__


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code.

    argv : None for the arguments of the process, which is then ended by Ctrl-C even
        where the command cannot be
    """
    if argv is not None:
        return run_command(argv)
    code = INTERRUPTED
    try:
        with interrupts.answered(leave):
            code = run_command(None)
            if code == INTERRUPTED:
                os._exit(code)      # Python's own end takes its time where much is loaded
    except KeyboardInterrupt:       # before, after, or while another one was answered
        leave(signal.SIGINT)
    return code


def leave(number: int) -> None:
    """End the process at once because of a signal, from any thread."""
    with nothing_unfinished():
        try:
            line_end = "\n" if sys.stderr.isatty() else ""     # of what shows progress
            word = "interrupted" if number == signal.SIGINT else "terminated"
            print(f"{line_end}{PROGRAM}: {word}", file=sys.stderr, flush=True)
        finally:
            os._exit(128 + number)


def run_command(argv: list[str] | None) -> int:
    args = None
    try:
        args = make_parser().parse_args(argv)
        code = args.run(args)
        sys.stdout.flush()
        return code or 0
    except BrokenPipeError:
        # The reader (head, less) has left. What is still buffered would raise
        # again when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (KeyboardInterrupt, Exception) as error:
        if interrupts.is_interrupt(error):
            return end_interrupted()
        if isinstance(error, (InputError, OSError)):
            if getattr(args, "traceback", False):
                traceback.print_exc()
            print(f"{PROGRAM}: error: {error_line(error)}", file=sys.stderr)
            return BAD_INPUT
        traceback.print_exc()           # whatever it is, it is our fault
        print(f"{PROGRAM}: this is a bug in orange-structpred, not a problem with your "
              "input; please report it with the lines above", file=sys.stderr)
        return FAULT


def end_interrupted() -> int:
    with nothing_unfinished():          # if it came while files were being removed
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
    with suppress(OSError):
        sys.stdout.flush()              # while somebody looks whether it takes long
    return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
