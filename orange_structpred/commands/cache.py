"""orange-structpred cache"""
from __future__ import annotations

import sys

from orange_structpred.commands import counted, print_json, print_rows
from orange_structpred.commands.options import add_shared

SUMMARY = "show or clear the compiled code"
EXAMPLES = """\
  orange-structpred cache --json
  orange-structpred cache --fill
  orange-structpred cache --clear

Functions are compiled when they are first used, and stored so that this happens only
once. --fill compiles what parsers need in advance, which takes about a minute. It is
always safe to clear the folder. Set NUMBA_CACHE_DIR to choose another one."""


def add_arguments(parser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--clear", action="store_true", help="remove all compiled code")
    what.add_argument("--fill", action="store_true",
                      help="compile what parsers need in advance")
    add_shared(parser, "--json")


def run(args) -> None:
    from orange_structpred.running.code_folder import (
        LARGEST_FOLDER,
        clear,
        code_files,
        code_folder,
    )

    folder = code_folder()
    if args.fill:
        from orange_structpred.commands.compile_ahead import compile_ahead

        for step in compile_ahead():
            print(f"compiling: {step}", file=sys.stderr)
    files = [file for file in code_files(folder) if file.path.suffix == ".nbc"]
    size = sum(file.size for file in files)
    if args.clear:
        clear(folder)
    if args.json:
        print_json({"folder": str(folder), "files": len(files), "bytes": size,
                    "largest": LARGEST_FOLDER, "cleared": args.clear})
    else:
        print_rows([
            ("Folder", str(folder)),
            ("Removed" if args.clear else "Compiled",
             f"{counted(len(files), 'function', 'functions')}, {in_megabytes(size)}"),
            ("Limit", f"{in_megabytes(LARGEST_FOLDER)}; functions unused for the "
                      "longest time are removed first")])


def in_megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
