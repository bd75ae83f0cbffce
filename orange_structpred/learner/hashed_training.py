"""What learns from hash values of edges: a problem, and what its solution becomes."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from orange_structpred.kernels import FeatureMap
from orange_structpred.kernels.base import InputKernel
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.parsing.kernel.kernel_model import (
    HashedModel,
    KernelModel,
    LinearKernelModel,
)
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.parsing.kernel.linear_problem import (
    LinearProblem,
    input_features,
)
from orange_structpred.parsing.kernel.split_kernel import SplitKernelProblem
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.sentence import Sentence

HashedProblem = KernelProblem | LinearProblem | SplitKernelProblem


def hashed_problem(
        sentences: Sequence[Sentence], encoded: Encoded, hashes: HashFunctions,
        kernel: InputKernel, decoder: int, single_root: bool, *,
        features: FeatureMap | None = None, gram: np.ndarray | None = None,
        clusters: dict[str, int] | None = None,
        compared: Sequence[Sentence] | None = None,
        input_transform: np.ndarray | None = None
) -> tuple[HashedProblem, Callable[..., HashedModel]]:
    """With features of the input kernel, or its Gram matrix, or neither: then the matrix
    is left to the workers of a cluster.

    compared : the sentences that the Gram matrix is of, if they are more than those that
        are learned from
    input_transform : see `KernelModel.from_solution`
    """
    hashed, known = hash_edges(sentences, encoded, hashes)
    if features is not None:
        z = input_features(features(sentences))
        return LinearProblem(
            encoded, hashed, len(known), z, features.n_features, decoder,
            single_root), lambda model: LinearKernelModel(
                hashes, features, known, model.weights(), clusters)
    problem = SplitKernelProblem(
        encoded, hashed, len(known), kernel, list(sentences), decoder,
        single_root) if gram is None else KernelProblem(
            encoded, hashed, len(known), gram, decoder, single_root)
    return problem, lambda model: KernelModel.from_solution(
        model, hashes, kernel, sentences if compared is None else compared, known, clusters,
        input_transform)
