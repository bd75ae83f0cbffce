"""orange-structpred fetch NAME [PART ...]"""
from __future__ import annotations

import argparse
import sys

from orange_structpred.commands import file_name, printed_warnings
from orange_structpred.errors import InputError, visible
from orange_structpred.running.cancellation import Progress

PART_NAMES = ("train", "dev", "test")
SUMMARY = "download a treebank of Universal Dependencies"
EXAMPLES = """\
  orange-structpred fetch German-GSD
  orange-structpred fetch French-Sequoia train dev
  orange-structpred fetch --list german

Without PART, all parts of the treebank are downloaded. Each part is downloaded once;
afterwards it is read from the cache: the folder given by --cache or the environment
variable STRUCTPRED_UD_CACHE, by default a folder in Orange's data folder. Files come
from GitHub, or from the mirror given by --mirror or the environment variable
STRUCTPRED_UD_MIRROR. The licence of the treebank is printed; please observe it."""


def add_arguments(parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", default="",
                        help="name of the treebank, such as German-GSD")
    parser.add_argument("parts", metavar="PART", nargs="*", type=part,
                        help="train, dev or test (default: all)")
    parser.add_argument("--list", action="store_true",
                        help="list the treebanks, or those with NAME in their name")
    parser.add_argument("--cache", metavar="DIR", type=file_name,
                        help="folder for downloaded treebanks")
    parser.add_argument("--mirror", metavar="URL", help="address to download from")


def part(text: str) -> str:
    if text not in PART_NAMES:
        raise argparse.ArgumentTypeError(
            f"found {text!r}, expected {', '.join(PART_NAMES)}")
    return text


def run(args) -> None:
    from orange_structpred.treebank.ud import (
        HOME_PAGE,
        MissingPartError,
        fetch_ud,
        find_ud,
        licence_name,
        ud_licence,
        ud_treebanks,
    )

    if args.list:
        for treebank in ud_treebanks(" ".join([args.name, *args.parts])):
            print(treebank.name)
        return
    if not args.name:
        raise InputError("name a treebank, such as German-GSD; --list shows all "
                         "names")
    treebank = find_ud(args.name)
    fetched, missing = 0, None
    for part in args.parts or PART_NAMES:
        try:
            with printed_warnings():
                path = fetch_ud(args.name, part, cache=args.cache, mirror=args.mirror,
                                progress=shown_progress(f"{treebank.name} {part}"))
        except MissingPartError as error:
            if args.parts:
                raise
            missing = error
        else:
            fetched += 1
            print(path)
    if not fetched and missing is not None:
        raise missing
    licence = licence_name(ud_licence(args.name, cache=args.cache))
    print(f"licence: {visible(licence) or 'unknown'}; see {HOME_PAGE}/{treebank.repository}",
          file=sys.stderr)


def shown_progress(what: str) -> Progress | None:
    """A line on stderr that shows how far a download is, for people who watch it."""
    if not sys.stderr.isatty():
        return None

    def progress(fraction: float, text: str = "") -> None:
        end = "\n" if fraction >= 1 else ""
        print(f"\r{what}: {fraction:4.0%}", end=end, file=sys.stderr, flush=True)

    return progress
