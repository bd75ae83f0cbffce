"""Options of the learner, for all commands that train."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from orange_structpred.commands import file_name
from orange_structpred.errors import InputError

if TYPE_CHECKING:
    from orange_structpred.treebank import Treebank

FEATURE_NAMES = ("explicit", "kernel")
SOLVER_NAMES = ("auto", "mira", "bcfw", "one-slack", "perceptron", "subgradient")
DECODER_NAMES = ("auto", "exact", "projective", "rearranged", "approximate")
#: Valid names, for the end of the help
NAMES_HELP = """\
names:
  --groups  head, dependent, head-dependent, in-between, neighbours, morphology,
            endings, counts, markers, coordination, context, sequence, punctuation,
            position, sibling tags, sibling words, sibling markers, sibling context,
            grandparent tags, grandparent words, grandparent markers,
            grandparent context, transitions (those from sequence on are for
            order 2 only)
  --hash    tokens, lemmas, posTags, posTags2, wordVecs, headLemma, depLemma,
            between, outside, inside, verbsBetween, commasBetween, each also with
            ::dir appended (direction and distance must be the same, too); rich
            and explicit, which are large sums; templates such as
            "h.lemma d.upos::dir"
  --kernel  constant, bow, poly-bow, gaussian, ngram, annotated-ngram; names
            joined by + give a sum"""


def add_learner_options(parser: argparse.ArgumentParser) -> None:
    """Options that become ParserLearner's parameters, with its defaults."""
    group = parser.add_argument_group("learner")
    add = group.add_argument
    none = {"default": argparse.SUPPRESS}
    add("--features", choices=FEATURE_NAMES, help="explicit (default) or kernel", **none)
    add("--order", type=int, choices=(1, 2),
        help="1 scores edges only, 2 (default) also siblings and grandparents, over "
             "the edges that a first-order model leaves", **none)
    add("--groups", type=groups, metavar="G,G",
        help="feature groups, for explicit features (default: all)", **none)
    add("--min-count", type=count, metavar="N",
        help="weights only for features seen at least N times (default: 0, hash all)",
        **none)
    add("--hash", type=names, action="extend", metavar="NAME,NAME",
        help="hash functions of a kernel parser; can be used several times; rich is a "
                "large sum (default: posTags::dir, depLemma::dir, inside::dir, "
        "outside::dir, between)", **none)
    add("--kernel", metavar="NAME", help="input kernel (default: constant)", **none)
    add("--kernel-params", type=params, metavar="NAME=VALUE,..",
        help="parameters of the input kernel, for example n=6,decay=0.5", **none)
    add("--nystroem", type=whole, metavar="N",
        help="approximate the input kernel with N landmarks", **none)
    add("--vectors", metavar="FILE",
        help="file of word vectors for the hash function wordVecs", **none)
    add("--epsilon", type=float, help="stop at this gap (default: 0.01)", **none)
    add("--solver", choices=SOLVER_NAMES, help="training algorithm (default: auto)", **none)
    add("--passes", type=whole, metavar="N",
        help="maximum number of passes over the treebank (default: 10)", **none)
    add("--decoder", choices=DECODER_NAMES, help="how to find the best tree (default: auto)",
        **none)
    add("--single-root", action=argparse.BooleanOptionalAction,
        help="whether exactly one token depends on the root (default: yes)", **none)
    add("--relations", action=argparse.BooleanOptionalAction,
        help="also learn relations (default: yes)", **none)
    add("--calibrate", action=argparse.BooleanOptionalAction,
        help="hold out one sentence in 40 to calibrate probabilities (default: yes)",
        **none)
    add("--shards", type=whole, metavar="N",
        help="train MIRA or the perceptron on N parts of the treebank side by side, and "
        "mix the weights as they go", **none)
    add("--seed", type=count, dest="random_state", metavar="N",
        help="random seed (default: 0)", **none)
    add("--jobs", type=whole, dest="n_jobs", metavar="N",
        help="number of threads (default: 1); does not change the parser", **none)
    add("--name", help="name of the parser", **none)


LEARNER = ("features", "order", "groups", "min_count", "hash", "kernel", "kernel_params",
           "nystroem", "vectors", "epsilon", "solver", "passes", "decoder",
           "single_root", "relations", "calibrate", "shards", "random_state", "n_jobs", "name",
           "C", "checkpoint")


def learner_parameters(args: argparse.Namespace) -> dict[str, object]:
    """ParserLearner's parameters that are set on the command line."""
    return {name: getattr(args, name) for name in LEARNER if hasattr(args, name)}


#: Options whose names differ from those of their parameters
OTHER_NAMES = {"random_state": "--seed", "n_jobs": "--jobs"}


def option(parameter: str) -> str:
    """The name of the option for a parameter."""
    return OTHER_NAMES.get(parameter, f"--{parameter.replace('_', '-')}")


def check_influence(options: Mapping[str, str],
                    settings: Sequence[Mapping[str, object]]) -> None:
    """Raise an error for options that would have no effect, and say what they need.

    options : names of parameters, and the options that set them
    settings : parameters of all parsers to be trained
    """
    from orange_structpred.parameters.influence import (
        ONLY_EXPLICIT,
        ONLY_KERNEL,
        unused,
        unused_group,
    )

    for name, words in options.items():
        reasons = [unused(name, setting) for setting in settings]
        if all(reasons):
            needs = ("kernel" if name in ONLY_KERNEL else
                     "explicit" if name in ONLY_EXPLICIT else None)
            raise InputError(f"{words} needs --features {needs}" if needs
                             else f"{words} has no effect: {reasons[0]}")
    if options.get("groups") == option("groups") and settings[0]["groups"] != "all":
        for group in settings[0]["groups"]:
            reasons = [unused_group(group, setting) for setting in settings]
            if all(reasons):
                raise InputError(f"--groups {group} has no effect: {reasons[0]}")


def read_trees(path: str) -> Treebank:
    """A treebank to train on; errors name the file."""
    from orange_structpred.treebank import Treebank
    from orange_structpred.treebank.learnable import TrainingError, training_sentences

    treebank = Treebank.from_file(path)
    try:
        training_sentences(treebank)
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from error
    return treebank


def named_file(why: str) -> Callable[[str], str]:
    """The type of a file that must have a name; `why` says so of ``-``."""
    def check(text: str) -> str:
        if text == "-":
            raise argparse.ArgumentTypeError(
                f"found '-', expected the name of a file: {why}")
        return file_name(text)

    return check


training_file = named_file("treebanks for training are not read from standard input")
model_file = named_file("parsers are not written to standard output")


def count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(
            f"found {text!r}, expected a whole number, 0 or more")
    return int(text)


def whole(text: str) -> int:
    """A whole number, at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"found {text!r}, expected a whole number, 1 or more")
    return int(text)


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def groups(text: str) -> str | list[str]:
    return text if text == "all" else names(text)


def number(text: str) -> int | float | bool | str:
    """A value as typed: a number, true or false, or else text."""
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
                f"found {item!r}, expected NAME=VALUE, separated by commas")
        result[name.strip()] = number(value.strip())
    return result


def add_scheduler(parser: argparse.ArgumentParser) -> None:
    """The option of a cluster, for the commands that can work on one."""
    parser.add_argument(
        "--scheduler", type=file_name, metavar="ADDRESS",
        help="use the Dask cluster of this scheduler (tcp://host:8786), or 'local' "
        "for workers on this machine")
