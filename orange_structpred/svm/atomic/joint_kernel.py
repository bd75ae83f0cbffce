"""Problems with a joint kernel: input kernel x atomic output kernels (thesis 4.2).

Outputs are sets of symbols; two symbols are alike in the hash values that they share.
Everything is asked of the index of the whole model (see `symbol_index`), never of single
cutting planes. What the symbols are, and how an output is made of their scores, a
subclass says.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.svm.atomic.hashed_symbols import (
    HashedSymbols,
    symbol_products,
    symbol_sums,
    symbol_vector,
)
from orange_structpred.svm.atomic.index_model import AveragedModel, IndexModel
from orange_structpred.svm.atomic.plane_products import (
    PlaneFeatures,
    example_product,
    index_product,
)
from orange_structpred.svm.atomic.symbol_index import (
    add_plane,
    empty_index,
    index_starts,
)
from orange_structpred.svm.parts import PartsProblem
from orange_structpred.svm.planes import LinearPlanes, Plane
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.vectors import (
    SparseVector,
    sparse_product,
    sum_equal_indices,
)


class JointKernelProblem(PartsProblem):
    """Examples that are compared by kernels; the parts of an output are its symbols.

    Attributes
    ----------
    hashed : hash values of the examples' symbols
    dim : how many hash values there are
    gram : float32 matrix of the input kernel, a row for each example
    """

    has_kernels = True
    hashed: HashedSymbols
    gram: np.ndarray
    _digest: str | None = None

    # the four: x is the number of an example, w a model

    def joint_features(self, x: int, y) -> SparseVector:
        """Of the output only; the input's features are known to the kernel alone."""
        parts = self.parts(x, y)
        hashes, values = symbol_vector(self.hashed, x, parts,
                                       np.ones(len(parts), np.float32))
        return SparseVector(*sum_equal_indices(
            self.hashed.ids[self.hashed.unique[x] + hashes].astype(np.int64), values))

    def predict(self, x, w):
        return self.best(x, w)

    def separate(self, x, y, w):
        return self.most_violated(x, w)

    # what solvers ask

    def new_model(self, *, averaging: bool = False) -> IndexModel:
        return IndexModel(self, empty_index(self.index_starts, averaging))

    @cached_property
    def index_starts(self) -> np.ndarray:
        return index_starts(self.hashed, self.dim)

    def fingerprint(self) -> str:
        if self._digest is None:    # matrices are large
            self._digest = fingerprint(self.hashed, self.gram)
        return f"{super().fingerprint()} joint kernel={self._digest}"

    def part_vector(self, i, parts, values) -> SparseVector:
        return SparseVector(*symbol_vector(self.hashed, i, parts, values))

    def part_scores(self, i, parts, model):
        return model.factor * symbol_sums(self.hashed, i, parts, model.own_scores(i))

    def part_products(self, i, parts, vector):
        return self.gram[i, i] * symbol_products(self.hashed, i, parts, *vector)

    def vector_products(self, i, vector, others):
        return float(self.gram[i, i]) * np.array(
            [sparse_product(*vector, *other) for other in others])

    def new_planes(self, examples: Problem | None = None) -> IndexPlanes:
        return IndexPlanes(examples or self, self)


class IndexPlanes(LinearPlanes):
    """Cutting planes of a kernel model: a vector over own values for each example.

    Parameters
    ----------
    problem : whose differences of outputs the planes consist of
    joint : the same, or the problem that `problem` gives weights to
    """

    features = PlaneFeatures

    def __init__(self, problem: Problem, joint: JointKernelProblem):
        super().__init__(problem)
        self.joint = joint

    def chunk_features(self, first, outputs) -> PlaneFeatures:
        vectors = [self.problem.difference(i, y_hat)
                   for i, y_hat in enumerate(outputs, first)]
        return PlaneFeatures(
            np.arange(first, first + len(outputs)),
            np.cumsum([0, *(len(v.indices) for v in vectors)]),
            np.concatenate([v.indices for v in vectors]),
            np.concatenate([v.values for v in vectors]))

    def join(self, chunks) -> PlaneFeatures:
        examples, starts, indices, values = zip(*chunks)
        sizes = np.concatenate(list(map(np.diff, starts)))
        return PlaneFeatures(np.concatenate(examples), np.concatenate([[0], np.cumsum(sizes)]),
                             np.concatenate(indices), np.concatenate(values))

    def index_of(self, planes: Sequence[Plane], alpha: np.ndarray) -> IndexModel:
        """The sum of alpha_j times plane j, merged into one index (Alg. 6)."""
        model = self.joint.new_model()
        for weight, plane in zip(alpha, planes):
            if weight != 0:
                add_plane(model.index, self.joint.hashed, *plane.features,
                          weight / len(self.joint))
        return model

    def inner_products(self, plane: Plane, others: Sequence[Plane]) -> np.ndarray:
        joint, n = self.joint, len(self.joint)
        features: PlaneFeatures = plane.features
        if len(features.examples) == 1:
            i = features.examples[0]
            by_value = np.zeros(joint.dim)
            by_value[joint.hashed.ids[joint.hashed.unique[i] + features.indices]] = \
                features.values
            return np.array([
                example_product(joint.hashed, by_value, joint.gram[i],
                                *other.features) for other in others]) / n**2
        index = self.index_of([plane], np.ones(1)).index
        known = np.full(len(joint.hashed.ids), np.nan)
        return np.array([
            index_product(joint.hashed, index, joint.gram, *other.features, known)
            for other in others]) / n

    def combine(self, alpha, planes):
        return AveragedModel(self.joint, self.index_of(planes, alpha).index)
