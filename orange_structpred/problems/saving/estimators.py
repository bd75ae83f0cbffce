"""Estimators in files: their class, their parameters, and what they have learned."""
from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.files.models import Component, ModelFile, ModelFileError, save
from orange_structpred.files.schema import (
    Anything,
    Array,
    DictOf,
    ListOf,
    Number,
    OneOf,
    Text,
    Value,
    Whole,
)
from orange_structpred.problems.parameters import check_parameters
from orange_structpred.problems.saving.pieces import (
    MOST_FEATURES,
    FittedPiece,
    GrammarRules,
    Graphs,
    KernelIndex,
    KernelRows,
    LabelNumbers,
    LayoutPiece,
    Plain,
    SequencesPiece,
    SpanNames,
    WeightsPiece,
    check_classes,
    check_flag,
    check_letters,
    check_pairs,
)
from orange_structpred.problems.saving.plain import (
    NotPlainError,
    decode_plain,
    encode_plain,
)

if TYPE_CHECKING:
    from orange_structpred.problems.estimator import StructuredEstimator

FORMAT, VERSION = "orange-structpred-estimator", 1
#: Parameters that are not part of a model: they say how a machine is used
OF_MACHINES = ("n_jobs", "verbose", "warm_start")
#: How attributes go into a file, by what `_learned` of estimators calls them, in the order
#: in which they are read
PIECES: dict[str, FittedPiece] = {
    "classes_": Plain("classes_", check=check_classes),
    "letters_": Plain("letters_", check=check_letters),
    "n_features_in_": Plain("n_features_in_", Whole(0, MOST_FEATURES)),
    "feature_names_in_": Plain("feature_names_in_"),
    "pairs_": Plain("pairs_", check=check_pairs), "encoder_": SequencesPiece("encoder_"),
    "encoder_ of graphs": Graphs("encoder_"),
    "_label_weights": LabelNumbers("_label_weights", values=Array("float64", "labels")),
    "_cost": LabelNumbers("_cost", costs=Array("float64", ("labels", "labels"), low=0)),
    "_layout": LayoutPiece("_layout"), "grammar_": GrammarRules("grammar_"),
    "spans_": SpanNames("spans_"), "kernel_map_": KernelRows("kernel_map_"),
    "kernel_model_": KernelIndex("kernel_model_"),
    "temperature_": Plain("temperature_", Number(1e-12)),
    "_inputs_have_length": Plain("_inputs_have_length", check=check_flag)}
#: Those of all estimators, which are read after the others
WEIGHTS: tuple[FittedPiece, ...] = (
    WeightsPiece("model_"), Plain("n_iter_", Whole(0, MOST_FEATURES)),
    Plain("converged_", check=check_flag))
_SCHEMA: dict[str, Value] = {"estimator": Text(100), "parameters": DictOf(Anything(), 100),
                             "passed": ListOf(Text(100), 100),
                             "passes": Whole(0, 1 << 31)}


def pieces_of(kind: type[StructuredEstimator]) -> list[FittedPiece]:
    """What an estimator of this class has in its file."""
    if kind._learned is None:
        raise InputError(f"a {kind.__name__} cannot be saved")
    return [*(piece for name, piece in PIECES.items() if name in kind._learned), *WEIGHTS]


def save_estimator(estimator: StructuredEstimator, path: str | os.PathLike) -> None:
    """Write a fitted estimator to a file (.npz)."""
    check_is_fitted(estimator, "model_")
    parameters, passed = encode_parameters(estimator)
    pieces = [piece for piece in pieces_of(type(estimator)) if piece.present(estimator)]
    try:
        components = {piece.name: piece.pack(estimator) for piece in pieces}
    except NotPlainError as error:
        raise InputError(f"the estimator cannot be saved: {error}") from None
    save(path, format=FORMAT, version=VERSION,
         header={"estimator": type(estimator).__name__, "parameters": parameters,
                 "passed": passed, "passes": int(getattr(estimator, "n_iter_", 0))},
         components={"": Component({}, {}), **components})


def encode_parameters(estimator: BaseEstimator) -> tuple[dict[str, Any], list[str]]:
    """The parameters of a model, ready for JSON, and the names of those that are code."""
    parameters, passed = {}, []
    for name, value in estimator.get_params(deep=False).items():
        if name in OF_MACHINES:
            continue
        try:
            parameters[name] = encode_plain(
                None if isinstance(value, np.random.RandomState) else value)
        except NotPlainError:
            passed.append(name)
    return parameters, passed


def load_estimator(path: str | os.PathLike, kinds: dict[str, type], **passed: Any
                   ) -> StructuredEstimator:
    """The estimator in a file.

    kinds : classes of estimators by name, one of which the file must be of
    passed : parameters that are code (classes of problems, functions) and those that are
        to be other than in the file
    """
    names = tuple(piece.name for piece in (*PIECES.values(), *WEIGHTS))
    with ModelFile(path, format=FORMAT, versions=(VERSION,),
                   schema={**_SCHEMA, "estimator": OneOf(tuple(kinds))},
                   components=names, what="structured estimator") as file:
        kind = kinds[file.header["estimator"]]
        estimator = kind(**parameters_of(kind, file.header, passed))
        check_parameters(estimator)
        pieces = pieces_of(kind)
        unknown = set(file.header["components"]) - {piece.name for piece in pieces}
        if unknown:
            raise InputError(f"a {kind.__name__} has no {min(unknown)}")
        for piece in pieces:
            if piece.name in file:
                setattr(estimator, piece.attribute, piece.unpack(
                    file.component(piece.schema, piece.name), estimator))
        finish_loading(estimator)
        return estimator


def parameters_of(kind: type, header: dict, passed: dict[str, Any]) -> dict[str, Any]:
    """The parameters in a header, with those that are passed in their place."""
    known = inspect.signature(kind).parameters
    for name in (*header["parameters"], *header["passed"]):
        if name not in known or name in OF_MACHINES:
            raise InputError(f"{kind.__name__} has no parameter {name[:60]!r}")
    for name in passed:
        if name not in known:
            raise MissingCodeError(f"{kind.__name__} has no parameter {name!r}")
    missing = [name for name in header["passed"] if name not in passed]
    if missing:
        raise MissingCodeError(
            f"{', '.join(missing)} of the {kind.__name__} is code, which files do not hold; "
            f"pass it again: {kind.__name__}.load(path, "
            + ", ".join(f"{name}=..." for name in missing) + ")")
    return {**{name: decode_plain(value) for name, value in header["parameters"].items()},
            **passed}


class MissingCodeError(ModelFileError):
    """A parameter that the caller must pass again."""


def finish_loading(estimator: StructuredEstimator) -> None:
    """What follows from the pieces, and whether they fit together."""
    if hasattr(estimator, "letters_"):
        estimator._numbers = {letter: k for k, letter in enumerate(estimator.letters_)}
    expected = estimator._n_expected_weights()
    if hasattr(estimator, "kernel_model_"):
        estimator.model_ = None
        estimator.support_ = estimator.kernel_model_.numbers
        return
    if not hasattr(estimator, "model_"):
        raise InputError("the weights are missing")
    if expected is not None and expected != len(estimator.model_.w):
        raise InputError(f"found {len(estimator.model_.w)} weights, expected {expected}")
