"""Trees with a joint kernel, input kernel x atomic output kernels, as a problem.

Everything is asked of the index of the whole model (see `index`), never of
single cutting planes.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parsing.kernel.hashed_edges import (
    HashedEdges,
    edge_sums,
    own_vector,
    part_products,
    part_sums,
)
from orange_structpred.parsing.kernel.kernel_index import (
    Index,
    add_entries,
    add_plane,
    empty_index,
    index_starts,
    own_scores,
    sentence_norms,
)
from orange_structpred.parsing.kernel.plane_products import (
    PRODUCTS,
    PlaneFeatures,
    index_product,
    naive_scores,
    table_scores,
)
from orange_structpred.parsing.tree_problem import TreeProblem, best_tree, edge_parts
from orange_structpred.running.compiler import njit
from orange_structpred.svm.planes import LinearPlanes, Plane
from orange_structpred.svm.vectors import SparseVector, merge
from orange_structpred.treebank.encoding import Encoded


@njit(nogil=True, cache=True)
def decode_hashed(hashed, i, gold, own, factor, loss_weight, decoder,
                  single_root):
    """`best_tree` of a sentence, from the scores of its own hash values.

    Scores are rounded only here, so that the order of their sums matters little.
    """
    scores = (factor * edge_sums(hashed, i, gold.size, own)).astype(np.float32)
    return best_tree(scores, gold, loss_weight, decoder, single_root)


@njit(nogil=True, cache=True)
def decode_kernel_chunk(first, last, hashed, index, gram, offsets, gold,
                        factor, loss_weight, decoder, single_root, heads, hinges):
    """Trees and hinge losses of sentences first..last - 1, into arrays that begin
    with them."""
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        own = own_scores(index, hashed, i, gram[i])
        tree, hinges[i - first] = decode_hashed(
            hashed, i, gold[start:stop], own, factor, loss_weight, decoder,
            single_root)
        heads[start - offsets[first]:stop - offsets[first]] = tree


class IndexModel:
    """A kernel model as solvers see it: coefficients in an index.

    A vector delta of sentence i is a value for each of its own hash values.
    """

    def __init__(self, problem: KernelProblem, index: Index):
        self.problem, self.index = problem, index
        self.factor = 1.
        self.norm = 0.                  # |w|^2, kept up with every change
        self._own: tuple[int, np.ndarray] | None = None

    def indexed(self) -> Index:
        return self.index

    def own_scores(self, i: int) -> np.ndarray:
        """Scores of the own values of sentence i, remembered until w changes."""
        if self._own is None or self._own[0] != i:
            self._own = i, own_scores(
                self.index, self.problem.hashed, i, self.problem.gram[i])
        return self._own[1]

    def dot(self, i: int, delta: SparseVector) -> float:
        # values and scores both hold the root of their function's weight
        first = self.problem.hashed.unique[i]
        own = self.own_scores(i)[delta.indices]
        return self.factor * float(np.dot(
            own / self.problem.hashed.factors[first + delta.indices], delta.values))

    def squared_norm_of(self, i: int, delta: SparseVector) -> float:
        return float(self.problem.gram[i, i]) * float(
            np.dot(delta.values, delta.values))

    def add(self, i: int, delta: SparseVector, scale: float, before: float = 0.):
        self.norm += (2 * scale * self.dot(i, delta) / self.factor
                      + scale**2 * self.squared_norm_of(i, delta))
        add_entries(self.index, self.problem.hashed, i, delta.indices, delta.values,
                    scale, before)
        self._own = None

    def scale(self, part: float) -> None:
        self.index.coefficients[:] *= part
        self.norm *= part**2
        self._own = None

    def squared_norm(self) -> float:
        return self.factor**2 * self.norm

    def restart_average(self) -> None:
        """Average from now on: forget what was before."""
        self.index.late[:] = 0

    def averaged(self, total: float) -> AveragedModel:
        return AveragedModel(self.problem, self.index._replace(
            coefficients=self.index.coefficients - self.index.late / total,
            late=np.zeros(0)))

    def state(self) -> dict[str, np.ndarray]:
        names = ("filled", "sentences", "coefficients", "late", "indices")
        return {**{f"index_{name}": getattr(self.index, name) for name in names},
                "norm": np.array(self.norm), "factor": np.array(self.factor)}

    def restore(self, state) -> None:
        names = ("filled", "sentences", "coefficients", "late", "indices")
        self.index = self.index._replace(
            **{name: np.array(state[f"index_{name}"]) for name in names})
        self.norm, self.factor = float(state["norm"]), float(state["factor"])


class AveragedModel(IndexModel):
    """An averaged model: it changes no more, and its norm is found when asked."""

    def squared_norm(self) -> float:
        problem = self.problem
        norms = np.zeros(len(problem))
        sentence_norms(self.index, problem.hashed, 0, len(problem), problem.gram, norms)
        return self.factor**2 * float(norms.sum())


class KernelProblem(TreeProblem):
    """Sentences and their trees, compared by kernels.

    Parameters
    ----------
    encoded : the sentences
    hashed, n_values : hash values of their edges, and how many there are
    gram : float32 matrix of the input kernel
    decoder : code of the decoder, one of `DECODERS`' values
    single_root : exactly one token depends on the root
    product : how products with cutting planes are computed, one of `PRODUCTS`
    """

    def __init__(self, encoded: Encoded, hashed: HashedEdges, n_values: int,
                 gram: np.ndarray, decoder: int, single_root: bool = True,
                 product: str = "index"):
        super().__init__(encoded, n_values, decoder, single_root)
        if product not in PRODUCTS:
            raise InputError(f"product {product!r} is not known; choose from "
                             + ", ".join(PRODUCTS))
        self.hashed, self.gram, self.product = hashed, gram, product
        self._digest: str | None = None

    # the four: x is the number of a training sentence, w a model

    def joint_features(self, x, y) -> SparseVector:
        """Of the output only; the input's features are known to the kernel alone."""
        own, values = own_vector(self.hashed, x, len(y), edge_parts(y),
                                 np.ones(len(y) - 1, np.float32))
        return SparseVector(*merge(
            self.hashed.ids[self.hashed.unique[x] + own].astype(np.int64), values))

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

    def decode_example(self, i, model, loss_weight):
        return decode_hashed(
            self.hashed, i, self.gold(i), model.own_scores(i), model.factor,
            loss_weight, self.decoder, self.single_root)[0]

    def decode_chunk(self, first, last, model, loss_weight, heads, hinges):
        if model.index is None:
            for i in range(first, last):
                start, stop = (bound - self.bounds[first]
                               for bound in self.bounds[i:i + 2])
                heads[start:stop], hinges[i - first] = decode_hashed(
                    self.hashed, i, self.gold(i), model.own_scores(i), model.factor,
                    loss_weight, self.decoder, self.single_root)
            return
        decode_kernel_chunk(
            first, last, self.hashed, model.index, self.gram,
            self.encoded.offsets, self.encoded.heads, model.factor, loss_weight,
            self.decoder, self.single_root, heads, hinges)

    def fingerprint(self):
        if self._digest is None:    # matrices are large
            self._digest = fingerprint(self.hashed, self.gram)
        return f"{super().fingerprint()} kernels={self._digest}"

    def part_vector(self, i, parts, values) -> SparseVector:
        return SparseVector(*own_vector(
            self.hashed, i, self.size(i) + 1, parts, values))

    def part_scores(self, i, parts, model):
        return model.factor * part_sums(
            self.hashed, i, self.size(i) + 1, parts, model.own_scores(i))

    def part_products(self, i, parts, vector):
        return self.gram[i, i] * part_products(
            self.hashed, i, self.size(i) + 1, parts, *vector)

    def new_planes(self) -> KernelPlanes:
        return KernelPlanes(self)


class KernelPlanes(LinearPlanes):
    """Cutting planes of a kernel model: a vector over own values for each sentence."""

    features = PlaneFeatures
    problem: KernelProblem

    def chunk_features(self, first, outputs) -> PlaneFeatures:
        vectors = [self.problem.difference(i, y_hat)
                   for i, y_hat in enumerate(outputs, first)]
        return PlaneFeatures(
            np.concatenate(outputs), np.cumsum([0, *(len(v.indices) for v in vectors)]),
            np.concatenate([v.indices for v in vectors]),
            np.concatenate([v.values for v in vectors]))

    def join(self, chunks) -> PlaneFeatures:
        chunks = list(chunks)
        sizes = np.concatenate([np.diff(chunk.starts) for chunk in chunks])
        return PlaneFeatures(
            np.concatenate([chunk.heads for chunk in chunks]),
            np.concatenate([[0], np.cumsum(sizes)]),
            np.concatenate([chunk.indices for chunk in chunks]),
            np.concatenate([chunk.values for chunk in chunks]))

    def index_of(self, planes: Sequence[Plane], alpha: np.ndarray) -> IndexModel:
        """The sum of alpha_j times plane j, merged into one index (Alg. 6)."""
        problem = self.problem
        model = problem.new_model()
        for weight, plane in zip(alpha, planes):
            if weight != 0:
                add_plane(model.index, problem.hashed, *plane.features[1:],
                          weight / len(problem))
        return model

    def inner_products(self, plane, others):
        problem = self.problem
        if problem.product == "index":
            index = self.index_of([plane], np.ones(1)).index
            known = np.full(len(problem.hashed.ids), np.nan)
            return np.array([
                index_product(problem.hashed, index, problem.gram, *other.features[1:],
                              known) for other in others]) / len(problem)
        model = PlaneModel(problem, [plane], np.ones(1))
        products = []
        for other in others:
            starts, indices, values = other.features[1:]
            products.append(sum(
                model.score(i, indices[starts[i]:starts[i + 1]])
                @ values[starts[i]:starts[i + 1]]
                for i in np.flatnonzero(np.diff(starts))))
        return np.array(products) / len(problem)

    def combine(self, alpha, planes):
        if self.problem.product != "index":
            return PlaneModel(self.problem, planes, alpha)
        return AveragedModel(self.problem, self.index_of(planes, alpha).index)


class PlaneModel(IndexModel):
    """A sum of planes that is scored without an index, symbol by symbol."""

    def __init__(self, problem: KernelProblem, planes: Sequence[Plane],
                 alpha: np.ndarray):
        super().__init__(problem, None)
        n = problem.bounds[-1]
        self.heads = np.array([plane.features.heads for plane in planes],
                              np.int32).reshape(-1, n)
        self.planes, self.alpha = planes, alpha / len(problem)

    def indexed(self) -> Index:
        return self.problem.new_planes().index_of(
            self.planes, self.alpha * len(self.problem)).index

    def score(self, i: int, indices: np.ndarray) -> np.ndarray:
        """Scores of some own values of sentence i, without functions' weights."""
        problem = self.problem
        arguments = (
            problem.hashed, problem.encoded.offsets, problem.encoded.heads, self.heads,
            self.alpha, problem.gram[i],
            problem.hashed.ids[problem.hashed.unique[i] + indices])
        if problem.product == "naive":
            return naive_scores(*arguments)
        return table_scores(*arguments)

    def own_scores(self, i: int) -> np.ndarray:
        first, last = self.problem.hashed.unique[i:i + 2]
        own = np.arange(last - first)
        return self.score(i, own) * self.problem.hashed.factors[first + own]
