"""What estimators have learned, piece by piece: each has a schema of its own."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from orange_structpred.errors import InputError
from orange_structpred.files.models import Component
from orange_structpred.files.schema import (
    Anything,
    Array,
    Number,
    OneOf,
    Optional,
    Schema,
    Value,
    Whole,
)
from orange_structpred.kernels import Constant, Nystroem
from orange_structpred.problems.atomic.atomic_kernel import AtomicModel
from orange_structpred.problems.grammar.rules import Grammar
from orange_structpred.problems.grammar.spans import SpanFeatures, surface_features
from orange_structpred.problems.inputs import PositionEncoder
from orange_structpred.problems.kernel_map import KernelMap
from orange_structpred.problems.saving.digests import DigestedValues, digests_of
from orange_structpred.problems.saving.plain import (
    decode_plain,
    encode_plain,
    from_bytes,
    to_bytes,
)
from orange_structpred.problems.sequences.likelihood import WeightLayout
from orange_structpred.svm.atomic.symbol_index import fixed_index
from orange_structpred.svm.linear import LinearModel

MOST_FEATURES = 1 << 31
PRECISIONS = ("float32", "float64")


class FittedPiece(ABC):
    """An attribute of an estimator as a component of its file.

    Parameters
    ----------
    attribute : its name
    """

    schema: Schema

    def __init__(self, attribute: str):
        self.attribute = attribute

    @property
    def name(self) -> str:
        """What the component is called."""
        return self.attribute.strip("_")

    def present(self, estimator) -> bool:
        return getattr(estimator, self.attribute, None) is not None

    @abstractmethod
    def pack(self, estimator) -> Component:
        """The component of a fitted estimator."""

    @abstractmethod
    def unpack(self, component: Component, estimator) -> Any:
        """The attribute; an estimator that has its parameters and the pieces before."""


class Plain(FittedPiece):
    """A small value: labels, names, a number.

    Parameters
    ----------
    value : what it may be, if that is not everything
    check : raises an InputError for what it is not all the same
    """

    def __init__(self, attribute: str, value: Value | None = None,
                 check: Callable[[Any], None] | None = None):
        super().__init__(attribute)
        self.schema, self.check = Schema(header={"value": value or Anything()}), check

    def pack(self, estimator) -> Component:
        return Component({"value": encode_plain(getattr(estimator, self.attribute))}, {})

    def unpack(self, component, estimator):
        value = decode_plain(component.header["value"])
        if self.check is not None:
            self.check(value)
        return value


def check_flag(value: Any) -> None:
    if not isinstance(value, bool):
        raise InputError("expected true or false")


def check_classes(value: Any) -> None:
    """A sorted array without duplicates."""
    if not isinstance(value, np.ndarray) or value.ndim != 1 or not len(value):
        raise InputError("the classes are not a list of labels")
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        raise InputError("a class is not a finite number")
    if not np.array_equal(np.unique(value), value):
        raise InputError("the classes are not sorted, or one occurs twice")


def check_letters(value: Any) -> None:
    """Distinct letters of any kind."""
    if not isinstance(value, list) or not value:
        raise InputError("the letters are not a list")
    if len(dict.fromkeys(value)) < len(value):
        raise InputError("a letter occurs twice")


def check_pairs(value: Any) -> None:
    """Pairs of labels."""
    if not isinstance(value, list) or not all(
            isinstance(pair, tuple) and len(pair) == 2
            and all(type(label) is int for label in pair) for pair in value):
        raise InputError("the pairs are not pairs of labels")


class LabelNumbers(FittedPiece):
    """Numbers, one for each label or for each pair of labels.

    Parameters
    ----------
    array : the name that the array has in files, and what it may be
    """

    def __init__(self, attribute: str, **array: Array):
        super().__init__(attribute)
        (self.array,) = array
        self.schema = Schema(arrays=array)

    def present(self, estimator) -> bool:
        return isinstance(getattr(estimator, self.attribute, None), np.ndarray)

    def pack(self, estimator):
        return Component({}, {self.array: np.array(getattr(estimator, self.attribute), float)})

    def unpack(self, component, estimator):
        values = component.arrays[self.array]
        if len(values) != len(estimator.classes_):
            raise InputError(f"found numbers of {len(values)} labels, expected "
                             f"{len(estimator.classes_)}")
        return values


class WeightsPiece(FittedPiece):
    """A weight vector; zeros are not written."""

    schema = Schema(
        header={"dim": Whole(0, MOST_FEATURES), "precision": OneOf(PRECISIONS)},
        arrays={"indices": Array("int64", "weighted", low=0, below="dim", rising=True),
                "values": Array("float64", "weighted")})

    def present(self, estimator) -> bool:
        return isinstance(getattr(estimator, self.attribute, None), LinearModel)

    def pack(self, estimator):
        weights = getattr(estimator, self.attribute).weights()
        indices = np.flatnonzero(weights)
        precision = str(weights.dtype) if str(weights.dtype) in PRECISIONS else "float64"
        return Component({"dim": len(weights), "precision": precision},
                         {"indices": indices, "values": weights[indices].astype(float)})

    def unpack(self, component, estimator):
        weights = np.zeros(component.header["dim"], component.header["precision"])
        weights[component.arrays["indices"]] = component.arrays["values"]
        return LinearModel.of(weights)


class SequencesPiece(FittedPiece):
    """What sequences look like: columns of matrices, or names of features."""

    schema = Schema(header={"n_features": Whole(0, MOST_FEATURES)},
                    arrays={"names": Array("uint8", "bytes", optional=True)})

    def pack(self, estimator):
        encoder = getattr(estimator, self.attribute)
        return Component({"n_features": encoder.n_features_},
                         {} if encoder.vocabulary_ is None
                         else {"names": to_bytes(list(encoder.vocabulary_))})

    def unpack(self, component, estimator):
        encoder = PositionEncoder()
        encoder.n_features_ = component.header["n_features"]
        encoder.vocabulary_ = None
        if "names" in component.arrays:
            names = checked_names(from_bytes(component.arrays["names"]))
            if len(names) != encoder.n_features_:
                raise InputError("the names of features do not match the features")
            encoder.vocabulary_ = {name: k for k, name in enumerate(names)}
        return encoder


def checked_names(names: object) -> list[str]:
    """Distinct texts."""
    if not isinstance(names, list) or not all(type(name) is str for name in names) \
            or len(set(names)) < len(names):
        raise InputError("the names are not distinct texts")
    return names


class Graphs(FittedPiece):
    """How wide the features of nodes and edges are."""

    schema = Schema(header={"nodes": Whole(0, MOST_FEATURES),
                            "edges": Whole(0, MOST_FEATURES),
                            "labels": Optional(Whole(1, MOST_FEATURES))})

    def pack(self, estimator):
        encoder = getattr(estimator, self.attribute)
        return Component({"nodes": encoder.n_features_, "edges": encoder.n_edge_features_,
                          "labels": encoder.n_labels_}, {})

    def unpack(self, component, estimator):
        encoder = estimator._new_encoder()
        encoder.n_features_ = component.header["nodes"]
        encoder.n_edge_features_ = component.header["edges"]
        encoder.n_labels_ = component.header["labels"]
        return encoder


class GrammarRules(FittedPiece):
    """The rules of a grammar, and how often they occur."""

    schema = Schema(
        header={"labels": Anything(), "words": Anything(),
                "n_labels": Whole(1, 1 << 20), "n_words": Whole(1, 1 << 24)},
        arrays={"binary": Array("int32", ("binaries", 3), low=0, below="n_labels"),
                "words": Array("int32", "lexical", low=0, below="n_words"),
                "tags": Array("int32", "lexical", low=0, below="n_labels"),
                "roots": Array("int32", "n_roots", low=0, below="n_labels", rising=True),
                "counts": Array("float64", "rules", low=0)})

    def pack(self, estimator):
        grammar = getattr(estimator, self.attribute)
        binary, lexical, roots = grammar.numbered_rules()
        return Component(
            {"labels": encode_plain(grammar.labels), "words": encode_plain(list(grammar.numbers)),
             "n_labels": len(grammar.labels), "n_words": len(grammar.numbers)},
            {"binary": np.array(binary, np.int32).reshape(-1, 3),
             "words": np.array([word for word, _ in lexical], np.int32),
             "tags": np.array([tag for _, tag in lexical], np.int32),
             "roots": np.array(roots, np.int32), "counts": grammar.counts})

    def unpack(self, component, estimator):
        header, arrays = component
        labels, words = (checked_names(decode_plain(header[name])) for name in ("labels", "words"))
        if (len(labels), len(words)) != (header["n_labels"], header["n_words"]):
            raise InputError("the labels or words do not match the grammar")
        rules = ([tuple(map(int, row)) for row in arrays["binary"]],
                 list(zip(arrays["words"].tolist(), arrays["tags"].tolist())),
                 arrays["roots"].tolist())
        return Grammar.from_rules(
            labels, words, *rules, arrays["counts"], terminals=estimator.terminals,
            markov=estimator.markov, min_count=estimator.min_count)


class SpanNames(FittedPiece):
    """Features of spans; the function that makes them is a parameter."""

    schema = Schema(arrays={"names": Array("uint8", "bytes")})

    def pack(self, estimator):
        return Component({}, {"names": to_bytes(list(getattr(
            estimator, self.attribute).numbers))})

    def unpack(self, component, estimator):
        function = surface_features if estimator.span_features == "surface" \
            else estimator.span_features
        if not callable(function):
            raise InputError("there are features of spans, but no function that makes them")
        names = checked_names(from_bytes(component.arrays["names"]))
        spans = SpanFeatures(function, [])
        spans.numbers = {name: k for k, name in enumerate(names)}
        return spans


class LayoutPiece(FittedPiece):
    """Which pairs of a feature and a label have a weight."""

    schema = Schema(arrays={"starts": Array("int64", "features+1", starts="pairs"),
                            "labels": Array("int32", "pairs", low=0, rising="starts")})

    def pack(self, estimator):
        layout = getattr(estimator, self.attribute)
        return Component({}, {"starts": layout.starts.astype(np.int64),
                              "labels": layout.labels})

    def unpack(self, component, estimator):
        labels = component.arrays["labels"]
        if len(labels) and labels.max() >= len(estimator.classes_):
            raise InputError("a weight belongs to an unknown label")
        return WeightLayout(component.arrays["starts"], labels)


# inputs that kernels compare others with

INPUT_ARRAYS = {
    "rows": Array("float64", ("inputs", "columns"), optional=True),
    "row_starts": Array("int64", "inputs+1", starts="stored", optional=True),
    "row_columns": Array("int32", "stored", low=0, below="columns", rising="row_starts",
                         optional=True),
    "row_values": Array("float64", "stored", optional=True),
    "objects": Array("uint8", "bytes", optional=True)}


def pack_inputs(inputs) -> dict[str, np.ndarray]:
    """Rows of numbers as a matrix, all else as plain values."""
    if sparse.issparse(inputs):
        matrix = sparse.csr_array(inputs)
        matrix.sum_duplicates()
        return {"row_starts": matrix.indptr.astype(np.int64),
                "row_columns": matrix.indices.astype(np.int32),
                "row_values": matrix.data.astype(float)}
    if isinstance(inputs, np.ndarray) and inputs.ndim == 2:
        return {"rows": np.ascontiguousarray(inputs, float)}
    return {"objects": to_bytes(list(inputs))}


def unpack_inputs(arrays: dict[str, np.ndarray], n: int, columns: int) -> Any:
    """Of a file that has n of them."""
    if "rows" in arrays:
        inputs: Any = arrays["rows"]
    elif "objects" in arrays:
        inputs = from_bytes(arrays["objects"])
    elif {"row_starts", "row_columns", "row_values"} <= arrays.keys():
        inputs = sparse.csr_array((arrays["row_values"], arrays["row_columns"],
                                   arrays["row_starts"]),
                                  shape=(len(arrays["row_starts"]) - 1, columns))
    else:
        raise InputError("the inputs that others are compared with are missing")
    n_inputs = inputs.shape[0] if hasattr(inputs, "shape") else len(inputs)
    if n_inputs != n:
        raise InputError(f"there are {n_inputs} inputs to compare with, expected {n}")
    return inputs


class KernelRows(FittedPiece):
    """A kernel in place of features, see `KernelMap`."""

    schema = Schema(
        header={"columns": Whole(0, MOST_FEATURES)},
        arrays={"factor": Array("float64", ("size", "size")), **INPUT_ARRAYS})

    def pack(self, estimator):
        kernel_map = getattr(estimator, self.attribute)
        rows = kernel_map.rows
        columns = rows.shape[1] if hasattr(rows, "shape") and len(rows.shape) == 2 else 0
        return Component({"columns": columns},
                         {"factor": kernel_map.factor, **pack_inputs(rows)})

    def unpack(self, component, estimator):
        factor = component.arrays["factor"]
        if not (np.diagonal(factor) > 0).all():
            raise InputError("the factor of the Gram matrix has no inverse")
        made = KernelMap.named(estimator.kernel, estimator.kernel_params,
                               objects="objects" in component.arrays)
        n = 0 if made.kernel == "precomputed" else len(factor)
        made.factor = np.tril(factor)
        made.rows = unpack_inputs(component.arrays, n, component.header["columns"])
        return made


#: What all models have that are an index from hash values to inputs
INDEX_ARRAYS = {
    "known": Array("uint64", "values", distinct=True),
    "examples": Array("int32", "entries", low=0),
    "coefficients": Array("float64", "entries"),
    "filled": Array("int32", "values", low=0, total="entries"),
    "numbers": Array("int64", "support", low=0, rising=True),
    "transform": Array("float32", ("support", "columns_of_transform"), optional=True)}


class KernelIndex(FittedPiece):
    """The model of an `AtomicProblem`: an index, and the inputs that it refers to."""

    schema = Schema(header={"support": Whole(0, 1 << 31), "columns": Whole(0, MOST_FEATURES),
                            "ridge": Number(0, 1)},
                    arrays={**INDEX_ARRAYS, **INPUT_ARRAYS})

    def pack(self, estimator):
        model = getattr(estimator, self.attribute)
        inputs = model.support
        if isinstance(model.kernel, Constant):      # it does not look at them
            inputs = [None] * len(inputs)
        elif inputs and all(isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind in "fiub"
                            and x.shape == inputs[0].shape for x in inputs):
            inputs = np.array(inputs, float)
        columns = inputs.shape[1] if isinstance(inputs, np.ndarray) else 0
        return Component(
            {"support": len(model.support), "columns": columns, "ridge": model.penalty},
            {"known": digests_of(model.known), "examples": model.index.examples,
             "coefficients": model.index.coefficients, "filled": model.index.filled,
             "numbers": np.asarray(model.numbers, np.int64),
             **({} if model.transform is None else {"transform": model.transform}),
             **pack_inputs(inputs)})

    def unpack(self, component, estimator):
        header, arrays = component
        inputs = unpack_inputs(arrays, header["support"], header["columns"])
        transform = arrays.get("transform")
        width = header["support"] if transform is None else transform.shape[1]
        if arrays["examples"].max(initial=-1) >= width:
            raise InputError("the entries of the index do not fit the inputs")
        kernel = estimator._input_kernel()
        if isinstance(kernel, Nystroem):        # its landmarks are the inputs
            kernel = kernel.kernel
        return AtomicModel(
            kernel, list(inputs), DigestedValues(arrays["known"]),
            fixed_index(arrays["filled"], arrays["examples"], arrays["coefficients"]),
            arrays["numbers"], transform, header["ridge"])
