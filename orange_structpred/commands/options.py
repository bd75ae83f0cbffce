"""Options that several commands have: those of the learner, and others."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orange_structpred.commands import MODEL, file_name, output_name
from orange_structpred.errors import InputError
from orange_structpred.kinds import (
    Kind,
    OneOfThese,
    Switch,
    WholeNumber,
)
from orange_structpred.learner.parameters import (
    PARAMETERS,
    TABLE,
    UNLABELLED,
    HashNames,
    is_learned,
)
from orange_structpred.parametrised import Parameter

if TYPE_CHECKING:
    from orange_structpred.treebank import Treebank

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
            and explicit (large sums); surroundings (all atoms of what surrounds
            an edge), surroundings2 (also pairs), surroundings3 (also triples);
            siblings and grandparents (pairs of edges, for order 2); templates such
            as "h.lemma d.upos::dir" or "h.upos s.upos d.upos"
  --kernel  constant, bow, poly-bow, gaussian, ngram, annotated-ngram; names
            joined by + give a sum"""


def add_learner_options(parser: argparse.ArgumentParser, *left_out: str) -> None:
    """An option for each of ParserLearner's parameters, but for some."""
    group = parser.add_argument_group("learner")
    for row in TABLE:
        if row.name not in left_out:
            group.add_argument(option(row.name), **option_settings(row))


def add_presets(parser: argparse.ArgumentParser, accurate: str) -> None:
    """Options --fast and --accurate, without and with nets.

    accurate : what the second one says
    """
    presets = parser.add_argument_group("presets").add_mutually_exclusive_group()
    for name, neural, text in (("--fast", False, "linear scores only (default)"),
                               ("--accurate", True, accurate)):
        presets.add_argument(name, dest="neural", action="store_const", const=neural,
                             default=argparse.SUPPRESS, help=text)


def option_settings(row: Parameter) -> dict[str, Any]:
    """What `add_argument` is told of a parameter. One that is not set is no attribute of
    the arguments: the learner knows its default."""
    settings: dict[str, Any] = {
        "dest": row.name, "default": argparse.SUPPRESS, "help": help_of(row)}
    if isinstance(row.kind, Switch):
        settings["action"] = argparse.BooleanOptionalAction
    elif isinstance(row.kind, OneOfThese):
        settings["choices"] = tuple(row.kind.choices)
    else:
        settings |= {"type": typed(row.kind), "metavar": row.kind.metavar}
        if isinstance(row.kind, HashNames):
            settings["action"] = "extend"
    return settings


def help_of(row: Parameter) -> str:
    default = row.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    elif isinstance(default, tuple):
        default = ", ".join(default)
    first = row.help[0].lower() if row.help[1:2].islower() else row.help[0]
    text = first + row.help[1:]
    if default is not None:
        text += f" (default: {default})"
    return text.replace("%", "%%")


def typed(kind: Kind) -> Callable[[str], object]:
    """The type of an option, as argparse has it."""
    def parse(text: str) -> object:
        try:
            return kind.parse(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"found {text!r}, expected {kind.written}"
                                             ) from None

    return parse


def set_parameters(args: argparse.Namespace) -> dict[str, Any]:
    """ParserLearner's parameters that are set on the command line."""
    return {name: getattr(args, name) for name in PARAMETERS if hasattr(args, name)}


def option(parameter: str) -> str:
    """The name of the option for a parameter."""
    return PARAMETERS[parameter].option or f"--{parameter.replace('_', '-')}"


def check_influence(options: Mapping[str, str],
                    settings: Sequence[Mapping[str, Any]]) -> None:
    """Raise an error for options that would have no effect, and say what they need.

    options : names of parameters, and the options that set them
    settings : parameters of all parsers to be trained
    """
    from orange_structpred.learner.influence import (
        is_overruled,
        missing_need,
        unused_group,
    )

    for name, words in options.items():
        if all(is_overruled(name, setting) for setting in settings):
            need = missing_need(name, settings[0])
            if need is not None:
                raise InputError(
                    f"{words} needs --features {' or '.join(need.features)}"
                    if need.features
                    else f"{words} has no effect: {need.missing(settings[0])}")
    if options.get("groups") == option("groups") and settings[0]["groups"] != "all" \
            and not is_learned(settings[0]["groups"]):
        for group in settings[0]["groups"]:
            reasons = [unused_group(group, setting) for setting in settings]
            if all(reasons):
                raise InputError(f"--groups {group} has no effect: {reasons[0]}")


def check_unlabelled(options: Mapping[str, str], unlabelled: str | None) -> None:
    """Raise an error for options that only unlabelled sentences give an effect.

    options : names of parameters, and the options that set them
    """
    for name, words in options.items():
        if unlabelled is None and name in PARAMETERS and UNLABELLED in PARAMETERS[name].needs:
            raise InputError(f"{words} has no effect without --unlabelled")


def read_trees(path: str, *, partial: bool = False) -> Treebank:
    """A treebank to train on; errors name the file.

    partial : whether heads may be missing
    """
    from orange_structpred.treebank import Treebank
    from orange_structpred.treebank.learnable import TrainingError, training_sentences

    treebank = Treebank.from_file(path)
    try:
        training_sentences(treebank, partial=partial)
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from error
    return treebank


def named_file(why: str, check_name: Callable[[str], str] = file_name
               ) -> Callable[[str], str]:
    """The type of a file that must have a name; `why` says so of ``-``."""
    def check(text: str) -> str:
        if text == "-":
            raise argparse.ArgumentTypeError(
                f"found '-', expected the name of a file: {why}")
        return check_name(text)

    return check


training_file = named_file("treebanks for training are not read from standard input")
model_file = named_file("parsers are not written to standard output", output_name(MODEL))

whole_number = typed(WholeNumber(1))

#: Arguments that several commands have
SHARED_ARGUMENTS: dict[str, dict[str, Any]] = {
    "file": {"metavar": "FILE", "type": file_name,
             "help": "CoNLL file, or - for standard input"},
    "--jobs": {"metavar": "N", "type": whole_number, "default": 1,
               "help": "number of threads (default: 1); does not change the result"},
    "--json": {"action": "store_true", "help": "print one JSON object"},
    "--quiet": {"action": "store_true", "help": "no progress line"},
    "--scheduler": {
        "metavar": "ADDRESS", "type": file_name,
        "help": "use the Dask cluster of this scheduler (tcp://host:8786), or 'local' for "
                "workers on this machine"},
    "--unlabelled": {
        "metavar": "FILE", "type": training_file,
        "help": "CoNLL file of unlabelled sentences (any trees in it are ignored), from "
                "which kernel parsers learn which sentences are similar"},
}


def add_shared(parser: argparse.ArgumentParser, *names: str) -> None:
    for name in names:
        parser.add_argument(name, **SHARED_ARGUMENTS[name])
