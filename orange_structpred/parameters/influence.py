"""The parameters of ParserLearner: defaults, and which of them have an influence."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real

from orange_structpred.parsing.decoding.decoders import SECOND_ORDER_DECODERS
from orange_structpred.parsing.features.edge_templates import FIRST_ORDER_GROUPS
from orange_structpred.parsing.second_order.part_templates import TRANSITIONS
from orange_structpred.svm import SOLVERS, Report

#: A small sum that does well; doc/kernel-study.md compares it with others.
DEFAULT_HASHES = (
    "posTags::dir", "depLemma::dir", "inside::dir", "outside::dir", "between")

DEFAULTS: dict[str, object] = {
    "features": "explicit", "order": 2, "groups": "all", "min_count": 0, "hash_bits": None,
    "hash": DEFAULT_HASHES, "hash_weights": None, "buckets": None,
    "kernel": "constant", "kernel_params": None, "nystroem": None, "vectors": None,
    "product": "index", "gram_folder": None, "C": 1., "epsilon": 0.01,
    "solver": "auto", "passes": 10, "decoder": "auto", "single_root": True,
    "relations": True, "calibrate": True, "shards": None, "random_state": 0, "n_jobs": 1,
    "checkpoint": None, "name": None,
}

#: Parameters that only one kind of features has
ONLY_EXPLICIT = ("order", "groups", "min_count", "hash_bits")
ONLY_KERNEL = ("hash", "hash_weights", "buckets", "kernel", "kernel_params",
               "nystroem", "vectors", "product", "gram_folder")

#: Parameters that make no difference to what is learned
HARMLESS = ("n_jobs", "name", "checkpoint", "gram_folder")


def unknown_parameter(name: str) -> str:
    """What to say of a parameter that ParserLearner does not have."""
    return f"unknown parameter {name!r}; valid parameters are {', '.join(DEFAULTS)}"


def chosen(parameter: str, settings: Mapping[str, object]) -> object:
    """What the settings say of a parameter, else its default."""
    return settings.get(parameter, DEFAULTS[parameter])


def automatic_name(settings: Mapping[str, object]) -> str:
    """The name that a parser gets if none is given."""
    kernel, C = chosen("kernel", settings), chosen("C", settings)
    if not isinstance(kernel, str):
        kernel = (getattr(kernel, "name", None)
                  or getattr(kernel, "__name__", type(kernel).__name__))
    features = chosen("features", settings)
    solver = chosen_solver(settings)
    words = f"{kernel} kernel" if features == "kernel" else features
    if solver == "perceptron":
        return f"{words} {solver}"
    return f"{words} {solver} C=" + (f"{C:g}" if isinstance(C, Real) else str(C))


def chosen_solver(settings: Mapping[str, object]) -> str:
    """The solver of the settings; "auto" depends on the features."""
    solver = chosen("solver", settings)
    if solver != "auto":
        return solver
    return "bcfw" if chosen("features", settings) == "kernel" else "mira"


def chosen_order(settings: Mapping[str, object]) -> int:
    """The order of the parts of trees; 2 only where there is a decoder for it."""
    if (chosen("features", settings) == "kernel" or chosen("min_count", settings)
            or chosen("decoder", settings) not in ("auto", *SECOND_ORDER_DECODERS)):
        return 1
    return chosen("order", settings)


def can_vote(settings: Mapping[str, object]) -> bool:
    """Whether a transition-based parser can have a vote: it is a share of the margin
    of MIRA, and the scores that others learn have other scales."""
    return chosen_order(settings) == 2 and chosen_solver(settings) == "mira"


def has_group(group: str, settings: Mapping[str, object]) -> bool:
    """Whether a parser with these settings has the features of a group."""
    if group == TRANSITIONS:
        return can_vote(settings)
    return chosen_order(settings) == 2 or group in FIRST_ORDER_GROUPS


def unused_group(group: str, settings: Mapping[str, object]) -> str:
    """Why a group has no influence with these settings; "" if it has."""
    if has_group(group, settings):
        return ""
    return ("a transition-based parser votes only with order 2 and the solver mira"
            if group == TRANSITIONS else "it is for parsers of order 2")


def has_certificate(settings: Mapping[str, object]) -> bool:
    """Whether the solver has a dual, and so a gap."""
    solver = chosen_solver(settings)
    return solver in SOLVERS and SOLVERS[solver].certificate


def certificate_scope(settings: Mapping[str, object], decoder: str) -> str:
    """What the gap of a solver with a certificate does not cover; "" if nothing.

    decoder : the one that was chosen
    """
    if not has_certificate(settings):
        return ""
    said = []
    if chosen_order({**settings, "decoder": decoder}) == 2:
        said.append("it covers only trees of edges that pruning has left")
    if decoder in ("rearranged", "approximate"):
        said.append(f"{decoder} decoding may miss the worst tree, so it is an estimate")
    return "; ".join(said)


def unused(parameter: str, settings: Mapping[str, object]) -> str:
    """Why a parameter has no influence with these settings; "" if it has."""
    features, solver = chosen("features", settings), chosen_solver(settings)
    if parameter in ONLY_EXPLICIT and features == "kernel":
        return "only for explicit features"
    if parameter in ONLY_KERNEL and features == "explicit":
        return "only for kernels"
    if parameter == "order" and chosen_order({**settings, "order": 2}) == 1:
        return (f"second order is for the decoders {' and '.join(SECOND_ORDER_DECODERS)}, "
                "and for hashed features (min_count 0)")
    if parameter == "shards" and (
            features == "kernel" or solver in SOLVERS and not SOLVERS[solver].mixes):
        return "only MIRA and the perceptron with explicit features mix weights"
    if parameter == "C" and solver == "perceptron":
        return "the perceptron has no C: it takes a full step at each mistake"
    if parameter == "epsilon" and solver in SOLVERS and not has_certificate(settings):
        return (f"{solver} has no dual, so there is no gap to compare with "
                "epsilon; the number of passes ends it")
    if parameter == "calibrate" and solver in SOLVERS and has_certificate(settings):
        return (f"the certificate of {solver} is about all sentences, so none of them "
                "is held out")
    return ""


def role(parameter: str, settings: Mapping[str, object]) -> str:
    """What a parameter does with these settings, where it depends on them."""
    if parameter == "C" and chosen_solver(settings) == "mira":
        return ("The largest step that MIRA takes to correct a sentence. Steps are "
                "small, so only a small C makes a difference")
    return ""


def without_effect(C: float, reports: Sequence[Report]) -> str:
    """Why C has made no difference in a training; "" if it may have made one."""
    limited = [report.limited for report in reports if report.end_of_pass]
    if not limited or any(count != 0 for count in limited):
        return ""
    return (f"C = {C:g} had no effect: no step of MIRA is that large. Try BCFW or a much "
            "smaller C")
