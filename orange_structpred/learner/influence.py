"""Which parameters of ParserLearner have an influence, and what they amount to."""
from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

from orange_structpred.learner.parameters import (
    EFFECTIVE,
    HARD_MARGIN,
    PARAMETERS,
    chosen,
    chosen_order,
    chosen_solver,
    solver_class,
)
from orange_structpred.parametrised import Need, Settings
from orange_structpred.parsing.features.edge_templates import FIRST_ORDER_GROUPS
from orange_structpred.parsing.second_order.part_templates import TRANSITIONS
from orange_structpred.svm import Report


def automatic_name(settings: Settings) -> str:
    """The name that a parser gets if none is given."""
    kernel, C = chosen("kernel", settings), chosen("C", settings)
    if not isinstance(kernel, str):
        kernel = (getattr(kernel, "name", None)
                  or getattr(kernel, "__name__", type(kernel).__name__))
    features = chosen("features", settings)
    if features == "neural":
        return features
    if features == "transitions":
        beam = chosen("beam", settings)
        return features if beam == 1 else f"{features} beam={beam}"
    solver = chosen_solver(settings)
    words = f"{kernel} kernel" if features == "kernel" else features
    if not missing_need("neural", settings) and chosen("neural", settings):
        words = f"{words} + net"
    if solver == "perceptron":
        return f"{words} {solver}"
    return f"{words} {solver} C=" + (f"{C:g}" if isinstance(C, Real) else str(C))


def can_vote(settings: Settings) -> bool:
    """Whether a transition-based parser can have a vote: it is a share of the margin
    of MIRA, and the scores that others learn have other scales."""
    return chosen_order(settings) == 2 and chosen_solver(settings) == "mira"


def has_group(group: str, settings: Settings) -> bool:
    """Whether a parser with these settings has the features of a group."""
    if group == TRANSITIONS:
        return can_vote(settings)
    return chosen_order(settings) == 2 or group in FIRST_ORDER_GROUPS


def unused_group(group: str, settings: Settings) -> str:
    """Why a group has no influence with these settings; "" if it has."""
    if has_group(group, settings):
        return ""
    return ("a transition-based parser votes only with order 2 and the solver mira"
            if group == TRANSITIONS else "it is for parsers of order 2")


def has_certificate(settings: Settings) -> bool:
    """Whether the solver has a dual, and so a gap."""
    solver = solver_class(settings)
    return solver is not None and solver.certificate


def certificate_scope(settings: Settings, decoder: str) -> str:
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
    elif said or decoder != "projective":
        said += [f"{name}={chosen(name, settings)!r} may miss the worst tree, so it is an "
                 "estimate" for name in ("rescaling", "penalty")
                 if not unused(name, settings)
                 and chosen(name, settings) != PARAMETERS[name].default][:1]
    return "; ".join(said)


def missing_need(parameter: str, settings: Settings) -> Need | None:
    """What a parameter lacks with these settings to have an influence."""
    # widgets have settings of their own, too
    row = HARD_MARGIN if parameter == HARD_MARGIN.name else PARAMETERS.get(parameter)
    return row.missing(settings) if row is not None else None


def unused(parameter: str, settings: Settings) -> str:
    """Why a parameter has no influence with these settings; "" if it has."""
    need = missing_need(parameter, settings)
    return need.missing(settings) if need is not None else ""


def is_overruled(parameter: str, settings: Settings) -> bool:
    """Whether a parameter that is set comes to something else, or to nothing.

    It does not where it says what is so anyway: order 1 with a decoder that has no other.
    """
    effective = EFFECTIVE.get(parameter)
    if effective is not None and effective(settings) == settings.get(parameter):
        return False
    return bool(unused(parameter, settings))


def role(parameter: str, settings: Settings) -> str:
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
