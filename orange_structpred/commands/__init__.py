"""The commands of the command line, one module each.

A module has `SUMMARY` and `EXAMPLES` for its help, `add_arguments(parser)`, and
`run(args)`, which does the work and returns the exit code (None for 0). Modules
import the library inside `run`, so that `--help` answers at once. Bad input is
raised as InputError or OSError; `orange_structpred.__main__` turns it into one
line on stderr.
"""
from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, TextIO

from orange_structpred.errors import InputError, visible

if TYPE_CHECKING:
    from orange_structpred.files.streaming import ByteStream
    from orange_structpred.treebank import Sentence, Treebank

#: In the order in which `--help` lists them; modules have _ for -.
COMMANDS = ("info", "fetch", "find", "edit", "page", "score", "compare", "train", "tune",
            "parse", "train-pipeline", "annotate", "export", "cache")
TREEBANK, MODEL, PAGE, TABLE = "treebank", "model", "web page", "table"
SCRIPT, NOTEBOOK, WORKFLOW = "script", "notebook", "workflow"
#: how the names of files end, by what they are
ENDINGS = {TREEBANK: (".conllu", ".conll", ".conllx"), MODEL: (".npz",),
           PAGE: (".html", ".htm"), SCRIPT: (".py",), NOTEBOOK: (".ipynb",),
           WORKFLOW: (".ows",), TABLE: (".tab", ".csv", ".tsv", ".xlsx", ".xls", ".pkl")}


def register_all(commands: argparse._SubParsersAction) -> None:
    """Add the argument parser of each command, with examples at the end of its help."""
    for name in COMMANDS:
        module = import_module(f"{__name__}.{name.replace('-', '_')}")
        summary = module.SUMMARY
        parser = commands.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--traceback", action="store_true",
                            help="show where in the program an error was raised")
        module.add_arguments(parser)
        parser.set_defaults(run=module.run)


def file_name(text: str) -> str:
    """An argument that names a file."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"found {text!r}, expected the name of a file")
    return text


def output_name(*kinds: str) -> Callable[[str], str]:
    """The type of an argument that names a file to write: one of these kinds. The name
    must not be that of another kind, which may be the only copy of somebody's work."""
    def check(text: str) -> str:
        others = [kind for kind, endings in ENDINGS.items()
                  if text.lower().removesuffix(".gz").endswith(endings)]
        if others and others[0] not in kinds:
            raise argparse.ArgumentTypeError(
                f"found {text!r}, the name of a {others[0]}, expected that of a "
                f"{' or '.join(kinds)} ({', '.join(ENDINGS[kind][0] for kind in kinds)})")
        return file_name(text)

    return check


def input_stream(path: str) -> tuple[ByteStream, str]:
    """The bytes of a file, or of standard input for ``-``, and its name for messages."""
    from orange_structpred.files.streaming import file_stream, pipe_stream

    if path == "-":
        return pipe_stream(sys.stdin.buffer, path), "standard input"
    return file_stream(path), path


def read_sentences(path: str, *, trees: bool = True) -> tuple[Iterator[Sentence], str]:
    """The sentences of a file, one after another, and its name for messages."""
    from orange_structpred.treebank.conll import read_batches

    stream, name = input_stream(path)
    return chain.from_iterable(read_batches(stream, name, trees=trees)), name


def read_treebank(path: str) -> Treebank:
    """A treebank from a file, or from standard input."""
    from orange_structpred.treebank import Treebank

    sentences, name = read_sentences(path)
    return Treebank.from_sentences(sentences, name=name)


def check_standard_input(first: str, second: str) -> None:
    if first == second == "-":
        raise InputError("standard input can be read only once: name a file for one of "
                         "the treebanks")


def counted(n: int, one: str, many: str) -> str:
    return f"1 {one}" if n == 1 else f"{n} {many}"


def n_sentences(n: int) -> str:
    return counted(n, "sentence", "sentences")


@contextmanager
def printed_warnings(*, once: bool = False) -> Iterator[None]:
    """Print the library's warnings to stderr when the work is done, each once.

    After an interrupt there is nothing to be warned of.

    once : only the first of each kind
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            yield
        except KeyboardInterrupt:
            caught.clear()
            raise
        finally:
            texts = {(warning.category if once else str(warning.message)):
                     str(warning.message) for warning in reversed(caught)}
            for text in reversed(texts.values()):
                print(f"warning: {visible(text)}", file=sys.stderr)


def print_written(n: int, output: str) -> None:
    """Say how many sentences were written to a file, unless it is standard output."""
    if output != "-":
        print(f"{n_sentences(n)}; {output}")


def print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        print(f"note: {visible(note)}", file=sys.stderr)


def time_left(fraction: float, seconds: float) -> str:
    """What work that has taken so many seconds will still take; "" if nobody knows."""
    return (f"{seconds * (1 - fraction) / fraction:.0f} s left" if 0 < fraction < 1
            else "")


def print_json(values: dict) -> None:
    """One JSON object on standard output; null for numbers that there are not."""
    import json
    print(json.dumps(without_nan(values), indent=2, allow_nan=False))


def without_nan(value: Any) -> Any:
    """What JSON can say: None in place of nan and infinity."""
    if isinstance(value, dict):
        return {key: without_nan(own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(without_nan, value))
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_text(text: object, file: TextIO | None = None) -> None:
    """Lines on standard output, or elsewhere, with words of others in them."""
    for line in str(text).split("\n"):
        print("\t".join(map(visible, line.split("\t"))), file=file)


def print_rows(rows: list[tuple[str, str]]) -> None:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {visible(value)}")
