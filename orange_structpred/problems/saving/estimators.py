"""Estimators in files: their class, their parameters, and what they have learned."""
from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
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
from orange_structpred.problems.input_kernels import ComparedInputs
from orange_structpred.problems.inputs import Positions
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
#: How an attribute goes into a file, in the order in which they are read
PIECES: tuple[FittedPiece, ...] = (
    Plain("classes_", check=check_classes), Plain("letters_", check=check_letters),
    Plain("n_features_in_", Whole(0, MOST_FEATURES)), Plain("feature_names_in_"),
    Plain("pairs_", check=check_pairs), SequencesPiece("encoder_"), Graphs("encoder_"),
    LabelNumbers("_label_weights", values=Array("float64", "labels")),
    LabelNumbers("_cost", costs=Array("float64", ("labels", "labels"), low=0)),
    LayoutPiece("_layout"), GrammarRules("grammar_"), SpanNames("spans_"),
    KernelRows("kernel_map_"), KernelIndex("kernel_model_"),
    Plain("temperature_", Number(1e-12)), Plain("_inputs_have_length", check=check_flag),
    WeightsPiece("model_"), Plain("n_iter_", Whole(0, MOST_FEATURES)),
    Plain("converged_", check=check_flag))
_SCHEMA: dict[str, Value] = {"estimator": Text(100), "parameters": DictOf(Anything(), 100),
                             "passed": ListOf(Text(100), 100),
                             "passes": Whole(0, 1 << 31)}
#: What each estimator has beside weights, by the name of its class or of one of its bases
_ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "ClassEstimator": ("classes_", "n_features_in_", "feature_names_in_", "kernel_map_",
                       "temperature_"),
    "MultilabelSVM": ("classes_", "n_features_in_", "feature_names_in_", "kernel_map_",
                      "pairs_"),
    "SequenceEstimator": ("classes_", "n_features_in_", "encoder_", "kernel_map_",
                          "_label_weights", "_layout"),
    "GraphEstimator": ("classes_", "n_features_in_", "encoder_", "_cost"),
    "AssignmentEstimator": ("n_features_in_",),
    "AlignmentSVM": ("letters_", "kernel_map_"),
    "GrammarEstimator": ("grammar_", "spans_", "kernel_map_"),
    "StructuredSVM": ("kernel_model_", "_inputs_have_length"),
}


#: What no estimator of a class can do without, and what it is
NEEDED = (("StructuredSVM", "_inputs_have_length", "the kind of inputs is"),
          ("GraphEstimator", "_cost", "the costs of labels are"))


def pieces_of(kind: type) -> list[FittedPiece]:
    """What an estimator of this class has in its file."""
    names = {base.__name__ for base in kind.__mro__}
    attributes = next((of for base, of in _ATTRIBUTES.items() if base in names), None)
    if attributes is None:
        raise InputError(f"a {kind.__name__} cannot be saved")
    attributes = (*attributes, "model_", "n_iter_", "converged_")
    graphs = "GraphEstimator" in names
    return [piece for piece in PIECES if piece.attribute in attributes and (
        piece.attribute != "encoder_" or isinstance(piece, Graphs) == graphs)]


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
    names = tuple(piece.name for piece in PIECES)
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
    names = {base.__name__ for base in type(estimator).__mro__}
    for base, attribute, what in NEEDED:
        if base in names and not hasattr(estimator, attribute):
            raise InputError(f"{what} missing")
    if hasattr(estimator, "kernel_model_"):
        estimator.model_ = None
        estimator.support_ = estimator.kernel_model_.numbers
        return
    if not hasattr(estimator, "model_"):
        raise InputError("the weights are missing")
    expected = n_weights(estimator)
    if expected is not None and expected != len(estimator.model_.w):
        raise InputError(f"found {len(estimator.model_.w)} weights, expected {expected}")


def n_weights(estimator: Any) -> int | None:
    """How many weights an estimator must have; None where only its problem knows."""
    names = {base.__name__ for base in type(estimator).__mro__}
    kernel_map = getattr(estimator, "kernel_map_", None)
    if getattr(estimator, "kernel", None) is not None and kernel_map is None \
            and "StructuredSVM" not in names:
        raise InputError("the inputs that the kernel compares others with are missing")
    width = getattr(estimator, "n_features_in_", 0) if kernel_map is None \
        else len(kernel_map.factor)
    if names & {"ClassEstimator", "MultilabelSVM"}:
        if kernel_map is not None and hasattr(kernel_map.rows, "shape") \
                and kernel_map.rows.shape[1] != estimator.n_features_in_:
            raise InputError("the inputs that the kernel compares others with do not fit the "
                             "number of features")
        columns = width + bool(estimator.fit_intercept)
        return estimator._problem(sparse.csr_array((1, columns)), None).dim
    if "SequenceEstimator" in names:
        ends = 2 if estimator.start_stop else 0     # features of a sequence's two ends
        if kernel_map is not None:
            width += ends
        elif not hasattr(estimator, "encoder_"):
            raise InputError("the names of features are missing")
        elif estimator.encoder_.n_features_ + ends != width:
            raise InputError("the features do not match the weights")
    if "SequenceCRF" in names:
        if len(estimator._layout.starts) != width + 1:
            raise InputError("the weights do not fit the features")
        return len(estimator._layout.labels) + len(estimator.classes_)**2
    if "SequenceEstimator" in names:
        return estimator._problem(Positions.of(sparse.csr_array((1, width)), [1]), None).dim
    if "GraphEstimator" in names:
        labels = estimator.encoder_.n_labels_
        if labels not in (None, len(estimator.classes_)):
            raise InputError("the features of nodes do not match the labels")
        return estimator._features().dim
    if "AssignmentEstimator" in names:
        return width
    if names & {"AlignmentSVM", "GrammarEstimator"}:
        inputs = ComparedInputs()
        inputs.z = None if kernel_map is None else np.zeros((0, width))
        return estimator._problem(inputs, None).dim
    return None
