"""Rerankers in files: parameters, support trees and coefficients, no parser and no code."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.files.models import Component, ModelFile, save
from orange_structpred.files.schema import (
    Anything,
    Array,
    DictOf,
    ListOf,
    Number,
    Schema,
    Text,
    Value,
)
from orange_structpred.files.values import LARGEST_WEIGHT
from orange_structpred.kernels import Tree
from orange_structpred.problems.saving.estimators import (
    encode_parameters,
    parameters_of,
)
from orange_structpred.problems.saving.plain import NotPlainError, from_bytes, to_bytes
from orange_structpred.reranking.candidates import candidate_source

if TYPE_CHECKING:
    from orange_structpred.reranking.reranker import Reranker

FORMAT, VERSION = "orange-structpred-reranker", 1
_HEADER: dict[str, Value] = {"parameters": DictOf(Anything(), 100),
                             "passed": ListOf(Text(100), 100)}
_SCHEMA = Schema(
    header={"base_coef": Number(-LARGEST_WEIGHT), "base_scale": Number(0),
            "base_score": Number(0, 1), "oracle_score": Number(0, 1)},
    arrays={"dual_coef": Array("float64", "trees"), "trees": Array("uint8", "bytes")})


def save_reranker(reranker: Reranker, path: str | os.PathLike) -> None:
    """Write a fitted reranker to a file (.npz)."""
    check_is_fitted(reranker, "dual_coef_")
    parameters, passed = encode_parameters(reranker)
    try:
        trees = to_bytes(reranker.support_trees_)
    except NotPlainError as error:
        raise InputError(f"the reranker cannot be saved: {error}") from None
    save(path, format=FORMAT, version=VERSION,
         header={"parameters": parameters, "passed": passed},
         components={"": Component(
             {name: float(getattr(reranker, f"{name}_")) for name in _SCHEMA.header},
             {"dual_coef": reranker.dual_coef_, "trees": trees})})


def load_reranker(kind: type[Reranker], path: str | os.PathLike, parser, **passed: Any
                  ) -> Reranker:
    """The reranker in a file.

    parser : the one whose trees it was trained to choose from
    passed : parameters that are code, such as a kernel made of a function, and those that
        are to be other than in the file
    """
    source = candidate_source(parser)
    if not source.is_trained:
        raise InputError(f"the parser is a {type(parser).__name__} that is not trained; "
                         "pass the parser with which the reranker was trained")
    with ModelFile(path, format=FORMAT, versions=(VERSION,), schema=_HEADER,
                   what="reranker") as file:
        reranker = kind(**parameters_of(kind, file.header, passed))
        reranker._check_parameters()
        learned, arrays = file.component(_SCHEMA)
        trees = from_bytes(arrays["trees"])
        if not isinstance(trees, list) or not all(isinstance(tree, Tree) for tree in trees):
            raise InputError("not all of its support trees are trees")
        if len(trees) != len(arrays["dual_coef"]):
            raise InputError(f"found {len(trees)} trees and {len(arrays['dual_coef'])} "
                             "coefficients")
        for name in _SCHEMA.header:
            setattr(reranker, f"{name}_", float(learned[name]))
        reranker.support_trees_, reranker.dual_coef_ = trees, arrays["dual_coef"]
        reranker.source_ = source
    return reranker
