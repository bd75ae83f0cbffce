"""What the parameters of ParserLearner may be, all in one place."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.kernels import InputKernel, KernelError, SubsetTree, make_kernel
from orange_structpred.kernels.make import KERNEL_NAMES, KERNELS
from orange_structpred.parameters.influence import chosen_order, unused_group
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_model import FEWEST_BITS, MOST_BITS
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.plane_products import PRODUCTS
from orange_structpred.parsing.second_order.part_templates import (
    TRANSITIONS,
    PartFeatures,
    first_order_groups,
)
from orange_structpred.svm import SOLVERS

MOST_SEEDS = 2**32 - 1      # that numpy's older generators take
# Beyond these, sums of weights, which have 32 bits, are infinite, or nothing is learned
SMALLEST_C, LARGEST_PARAMETER = 1e-10, 1e10
MOST = 10**9                # of what is counted
MOST_PASSES, MOST_LANDMARKS, MOST_THREADS = 10**6, 10**5, 10**4
MOST_SHARDS = 10**4


class Kind(NamedTuple):
    """Values that a parameter may have."""

    text: str                               # in words
    fits: Callable[[object], bool]


def whole(low: int, high: int = MOST) -> Kind:
    return Kind(f"a whole number from {low} to {high}",
                lambda value: is_whole(value) and low <= value <= high)


def optional(kind: Kind) -> Kind:
    return Kind(f"{kind.text}, or None",
                lambda value: value is None or kind.fits(value))


def is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_above_zero(value: object, low: float = 0., high: float = LARGEST_PARAMETER) -> bool:
    return (isinstance(value, Real) and not isinstance(value, bool)
            and 0 < value and low <= value <= high)


def is_list(value: object, fits: Callable[[object], bool] = lambda item: True) -> bool:
    return (isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)
            and all(map(fits, value)))


def is_hash(value: object) -> bool:
    return isinstance(value, str) or callable(value)


def is_name(value: object) -> bool:
    return isinstance(value, str)


ABOVE_ZERO = Kind(f"a number above 0, {LARGEST_PARAMETER:g} at most", is_above_zero)
TRUE_OR_FALSE = Kind("True or False",
                     lambda value: isinstance(value, (bool, np.bool_)))
PATH = optional(Kind("a path", lambda value: isinstance(value, (str, os.PathLike))))

#: Parameters with a few values, which are
CHOICES: dict[str, Sequence[str]] = {
    "features": ("explicit", "kernel"), "product": PRODUCTS,
    "solver": ("auto", *SOLVERS), "decoder": ("auto", *DECODERS)}

KINDS: dict[str, Kind] = {
    **{name: Kind(f"one of {', '.join(choices)}", is_name)
       for name, choices in CHOICES.items()},
    "groups": Kind('"all" or names of feature groups',
                   lambda value: is_name(value) or is_list(value, is_name)),
    "order": whole(1, 2),
    "min_count": whole(0),
    "hash_bits": optional(whole(FEWEST_BITS, MOST_BITS)),
    "hash": Kind("names of hash functions, templates or Python functions",
                 lambda value: is_hash(value) or is_list(value, is_hash)),
    "hash_weights": optional(Kind(
        "a list of numbers above 0", lambda value: is_list(value, is_above_zero))),
    "buckets": optional(whole(1)),
    "kernel": Kind(
        "the name of an input kernel, an InputKernel or a function k(x, x')",
        lambda value: isinstance(value, (str, InputKernel)) or callable(value)),
    "kernel_params": optional(Kind(
        "a dictionary with the parameters of the input kernel",
        lambda value: isinstance(value, Mapping) and all(map(is_name, value)))),
    "nystroem": optional(whole(1, MOST_LANDMARKS)),
    "vectors": PATH,
    "gram_folder": PATH,
    "C": Kind(f"a number from {SMALLEST_C:g} to {LARGEST_PARAMETER:g}",
              lambda value: is_above_zero(value, SMALLEST_C)),
    "epsilon": ABOVE_ZERO,
    "passes": whole(1, MOST_PASSES),
    "single_root": TRUE_OR_FALSE,
    "relations": TRUE_OR_FALSE,
    "calibrate": TRUE_OR_FALSE,
    "shards": optional(whole(1, MOST_SHARDS)),
    "random_state": Kind(
        f"a whole number from 0 to {MOST_SEEDS}, a RandomState or None",
        lambda value: value is None or isinstance(value, np.random.RandomState)
        or is_whole(value) and 0 <= value <= MOST_SEEDS),
    "n_jobs": optional(Kind(
        "a whole number from 1 or from -1 down (-1 is all processors)",
        lambda value: is_whole(value) and 0 < abs(value) <= MOST_THREADS)),
    "checkpoint": PATH,
    "name": optional(Kind("a text", is_name)),
}


def expect(name: str, value: object, kind: Kind) -> None:
    """A ValueError that names the parameter, what was found and what was expected."""
    if not kind.fits(value):
        raise InputError(f"{name} must be {kind.text}, not {value!r}")


def check_parameters(parameters: Mapping[str, object]) -> None:
    """Complain of values with which no parser could be trained.

    parameters : all those of ParserLearner
    """
    for name, value in parameters.items():
        expect(name, value, KINDS[name])
        if name in CHOICES and value not in CHOICES[name]:
            raise InputError(f"{name} {value!r} is not known; choose from "
                             + ", ".join(CHOICES[name]))
    if parameters["checkpoint"] is not None \
            and not is_whole(parameters["random_state"]):
        raise InputError(
            "a checkpoint needs a number as random_state: a training that is resumed "
            "visits the sentences in the same order")
    if chosen_order(parameters) == 2:
        groups = PartFeatures(parameters["groups"]).groups
        if set(groups) == {TRANSITIONS} and (why := unused_group(TRANSITIONS, parameters)):
            raise InputError(f"the feature group {TRANSITIONS!r} alone leaves no features: "
                             f"{why}; choose this solver or further groups")
    else:
        EdgeFeatures(first_order_groups(parameters["groups"]))
    HashFunctions(*(parameters[name] for name in ("hash", "hash_weights", "buckets")))
    kernel = parameters["kernel"]
    if isinstance(kernel, str):
        check_kernel_names(kernel)
    kernel = make_kernel(kernel, **(parameters["kernel_params"] or {}))
    if parameters["features"] == "kernel":
        refuse_trees(kernel)


def check_kernel_names(kernel: str) -> None:
    """In a sum there are several."""
    for name in kernel.split("+"):
        if name.strip() not in KERNEL_NAMES:
            raise KernelError(
                f"kernel {name.strip()!r} is not known; choose from " + ", ".join(
                    own for own in KERNELS if own != SubsetTree.name))


def refuse_trees(kernel: InputKernel) -> None:
    """A kernel on the trees that are to be found would know the answer."""
    if isinstance(kernel, SubsetTree):
        raise KernelError("kernel 'tree' compares the sentences' trees, which the parser "
                          "is to find; choose a kernel on their words")
    for part in getattr(kernel, "kernels", [getattr(kernel, "kernel", None)]):
        if part is not None:
            refuse_trees(part)
