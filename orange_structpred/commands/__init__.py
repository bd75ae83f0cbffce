"""The commands of the command line, a module each.

A module has `register(commands)`, which adds its argument parser, and
`run(args)`, which does the work and returns the exit code (None for 0). Modules
import the library inside `run`, so that `--help` answers at once. Bad input is
raised as ValueError or OSError; `orange_structpred.__main__` turns it into one
line on stderr.
"""
from __future__ import annotations

import argparse
from importlib import import_module

#: In the order in which `--help` lists them.
COMMANDS = ("info", "score", "train", "tune", "parse", "export")


def register_all(commands: argparse._SubParsersAction) -> None:
    """Let each command add its argument parser."""
    for name in COMMANDS:
        import_module(f"{__name__}.{name}").register(commands)


def add_command(commands: argparse._SubParsersAction, name: str, run, *,
                summary: str, examples: str) -> argparse.ArgumentParser:
    """A parser for one command, with examples at the end of its help."""
    parser = commands.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(run=run)
    return parser


def n_sentences(n: int) -> str:
    return "1 sentence" if n == 1 else f"{n} sentences"


def print_json(values: dict) -> None:
    """One JSON object on standard output."""
    import json
    print(json.dumps(values, indent=2))


def print_rows(rows: list[tuple[str, str]]) -> None:
    """Names and values under each other."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")
