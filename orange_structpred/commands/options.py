"""Options of the learner, for all commands that train."""
from __future__ import annotations

import argparse

FEATURES = ("explicit", "kernel")
SOLVERS = ("auto", "mira", "bcfw", "one-slack", "perceptron", "subgradient")
CONSTRUCTIONS = ("auto", "exact", "projective", "rearranged", "approximate")


def add_learner_options(parser: argparse.ArgumentParser) -> None:
    """Options that become ParserLearner's parameters; absent ones are its defaults."""
    group = parser.add_argument_group("learner")
    add = group.add_argument
    none = {"default": argparse.SUPPRESS}
    add("--features", choices=FEATURES, help="explicit (default) or kernel", **none)
    add("--groups", type=names, metavar="G,G",
        help="feature groups, for explicit features (default: all)", **none)
    add("--min-count", type=int, metavar="N",
        help="weights only for features seen so often (default: 0, hash all)", **none)
    add("--hash", action="append", metavar="NAME",
        help="hash function of a kernel parser; may be given several times, or rich "
        "for a large sum", **none)
    add("--kernel", metavar="NAME", help="input kernel (default: constant)", **none)
    add("--kernel-params", type=params, metavar="NAME=VALUE,..",
        help="parameters of the input kernel, for instance n=6,decay=0.5", **none)
    add("--nystroem", type=int, metavar="N",
        help="approximate the input kernel by so many landmarks", **none)
    add("--vectors", metavar="FILE", help="word vectors for the hash wordVecs", **none)
    add("--epsilon", type=float, help="stop at this gap (default: 0.01)", **none)
    add("--solver", choices=SOLVERS, help="default: auto", **none)
    add("--passes", type=whole, metavar="N",
        help="passes over the treebank, at most (default: 10)", **none)
    add("--construction", choices=CONSTRUCTIONS, help="default: auto", **none)
    add("--seed", type=int, dest="random_state", metavar="N", help="default: 0", **none)
    add("--jobs", type=whole, dest="n_jobs", metavar="N",
        help="threads (default: 1); the parser is the same for any number", **none)
    add("--name", help="name of the parser", **none)


LEARNER = ("features", "groups", "min_count", "hash", "kernel", "kernel_params",
           "nystroem", "vectors", "epsilon", "solver", "passes", "construction",
           "random_state", "n_jobs", "name", "C", "checkpoint")


def learner_parameters(args: argparse.Namespace) -> dict[str, object]:
    """What was given of ParserLearner's parameters."""
    return {name: getattr(args, name) for name in LEARNER if hasattr(args, name)}


def whole(text: str) -> int:
    """A number of things of which there must be one at least."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected 1 or more")
    return int(text)


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def number(text: str) -> int | float | bool | str:
    """A value as a person writes it: a number, true or false, or else text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def params(text: str) -> dict[str, object]:
    """``n=6,decay=0.5`` as a dictionary."""
    result = {}
    for item in names(text):
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise argparse.ArgumentTypeError(
                f"found {item!r}, expected NAME=VALUE, several with commas between")
        result[name.strip()] = number(value.strip())
    return result
