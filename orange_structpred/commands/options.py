"""Options of the learner, for all commands that train."""
from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from orange_structpred.commands import file_name

if TYPE_CHECKING:
    from orange_structpred.treebank import Treebank

FEATURES = ("explicit", "kernel")
SOLVERS = ("auto", "mira", "bcfw", "one-slack", "perceptron", "subgradient")
DECODERS = ("auto", "exact", "projective", "rearranged", "approximate")
#: What can be named, at the end of the help
NAMES = """\
names:
  --groups  head, dependent, head-dependent, in-between, neighbours, morphology,
            endings, counts, markers, coordination, context
  --hash    tokens, lemmas, posTags, posTags2, wordVecs, headLemma, depLemma,
            between, outside, inside, verbsBetween, commasBetween, each also with
            ::dir behind it (and the same direction and distance); rich and
            explicit are large sums; templates like "h.lemma d.upos::dir"
  --kernel  constant, bow, poly-bow, gaussian, ngram, annotated-ngram; several with
            + between are a sum"""


def add_learner_options(parser: argparse.ArgumentParser) -> None:
    """Options that become ParserLearner's parameters; absent ones are its defaults."""
    group = parser.add_argument_group("learner")
    add = group.add_argument
    none = {"default": argparse.SUPPRESS}
    add("--features", choices=FEATURES, help="explicit (default) or kernel", **none)
    add("--groups", type=groups, metavar="G,G",
        help="feature groups, for explicit features (default: all)", **none)
    add("--min-count", type=count, metavar="N",
        help="weights only for features seen so often (default: 0, hash all)", **none)
    add("--hash", type=names, action="extend", metavar="NAME,NAME",
        help="hash functions of a kernel parser; may be given several times, or rich "
        "for a large sum (default: posTags::dir, depLemma::dir, inside::dir, "
        "outside::dir, between)", **none)
    add("--kernel", metavar="NAME", help="input kernel (default: constant)", **none)
    add("--kernel-params", type=params, metavar="NAME=VALUE,..",
        help="parameters of the input kernel, for instance n=6,decay=0.5", **none)
    add("--nystroem", type=whole, metavar="N",
        help="approximate the input kernel by so many landmarks", **none)
    add("--vectors", metavar="FILE", help="word vectors for the hash wordVecs", **none)
    add("--epsilon", type=float, help="stop at this gap (default: 0.01)", **none)
    add("--solver", choices=SOLVERS, help="default: auto", **none)
    add("--passes", type=whole, metavar="N",
        help="passes over the treebank, at most (default: 10)", **none)
    add("--decoder", choices=DECODERS, help="default: auto", **none)
    add("--single-root", action=argparse.BooleanOptionalAction,
        help="whether exactly one token depends on the root (default: it does)", **none)
    add("--seed", type=count, dest="random_state", metavar="N", help="default: 0", **none)
    add("--jobs", type=whole, dest="n_jobs", metavar="N",
        help="threads (default: 1); the parser is the same for any number", **none)
    add("--name", help="name of the parser", **none)


LEARNER = ("features", "groups", "min_count", "hash", "kernel", "kernel_params",
           "nystroem", "vectors", "epsilon", "solver", "passes", "decoder",
           "single_root", "random_state", "n_jobs", "name", "C", "checkpoint")


def learner_parameters(args: argparse.Namespace) -> dict[str, object]:
    """What was given of ParserLearner's parameters."""
    return {name: getattr(args, name) for name in LEARNER if hasattr(args, name)}


#: Options that are not called like the parameters they are for
OTHER_NAMES = {"random_state": "--seed", "n_jobs": "--jobs"}


def option(parameter: str) -> str:
    """What the option for a parameter is called."""
    return OTHER_NAMES.get(parameter, f"--{parameter.replace('_', '-')}")


def check_influence(given: Mapping[str, str],
                    settings: Sequence[Mapping[str, object]]) -> None:
    """What would be ignored is an error that says what it needs.

    given : parameters, and how they were given
    settings : parameters of all parsers that are to be trained
    """
    from orange_structpred.parameters.influence import (
        ONLY_EXPLICIT,
        ONLY_KERNEL,
        unused,
    )

    for name, words in given.items():
        reasons = [unused(name, setting) for setting in settings]
        if all(reasons):
            needs = ("kernel" if name in ONLY_KERNEL else
                     "explicit" if name in ONLY_EXPLICIT else None)
            raise ValueError(f"{words} needs --features {needs}" if needs
                             else f"{words} has no influence: {reasons[0]}")


def read_trees(path: str) -> Treebank:
    """A treebank to learn from; errors name the file."""
    from orange_structpred.training import TrainingError, training_sentences
    from orange_structpred.treebank import Treebank

    treebank = Treebank.from_file(path)
    try:
        training_sentences(treebank)
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from error
    return treebank


def model_file(text: str) -> str:
    """A file for a parser."""
    if text == "-":
        raise argparse.ArgumentTypeError(
            "found '-', expected the name of a file: parsers are not written to "
            "standard output")
    return file_name(text)


def count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(
            f"found {text!r}, expected a whole number from 0")
    return int(text)


def whole(text: str) -> int:
    """A number of things of which there must be one at least."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"found {text!r}, expected a whole number from 1")
    return int(text)


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def groups(text: str) -> str | list[str]:
    return text if text == "all" else names(text)


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
