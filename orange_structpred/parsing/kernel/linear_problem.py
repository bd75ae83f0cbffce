"""Trees with a joint kernel whose input features are known: W[hash] . z(x).

With an input kernel k(x, x') = <z(x), z(x')> (no kernel at all, bag of words,
Nystroem) a kernel model is a row of weights for each hash value, and the cost
of learning grows linearly with the number of sentences (thesis 4.4.2).
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parsing.kernel.kernel_problem import decode_hashed
from orange_structpred.parsing.weights_problem import WeightsProblem
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit
from orange_structpred.svm.atomic.hashed_symbols import (
    HashedSymbols,
    symbol_sums,
    symbol_vector,
)
from orange_structpred.svm.vectors import (
    SparseVector,
    index_slot,
    sum_equal_indices,
    vector_table,
)
from orange_structpred.treebank.encoding import Encoded

MAX_LINEAR_BITS = 24       # of the number of weights


class InputFeatures(NamedTuple):
    """z(x) of sentences, rows of a sparse matrix."""

    starts: np.ndarray      # int64 (n + 1,)
    columns: np.ndarray     # int64
    values: np.ndarray      # float32


def input_features(z) -> InputFeatures:
    """From what a kernel's feature map gives, dense or sparse."""
    rows = sparse.csr_array(z)
    if not sparse.issparse(z):      # keep zeros: dense rows are read in one go
        n, m = z.shape
        return InputFeatures(np.arange(n + 1) * m, np.tile(np.arange(m), n),
                             np.ascontiguousarray(z, np.float32).ravel())
    return InputFeatures(rows.indptr.astype(np.int64), rows.indices.astype(np.int64),
                         rows.data.astype(np.float32))


def weight_bits(n_values: int, n_features: int) -> int:
    """A place for each pair of hash value and feature, as long as there is room."""
    return min(MAX_LINEAR_BITS, max(10, int(np.ceil(np.log2(n_values * n_features + 1)))))


@njit(nogil=True, cache=True, inline="always")
def first_index(value, n_features, mask, crowded):
    """Where the weights of a hash value begin."""
    if crowded:     # spread, since rows have to share indices
        return np.int64((np.uint64(value) * np.uint64(0x9E3779B97F4A7C15))
                        >> np.uint64(20)) & mask
    return np.int64(value) * n_features


@njit(nogil=True, cache=True)
def own_linear_scores(hashed, i, weights, z, n_features, crowded):
    """Scores of all own values of sentence i, functions' weights included."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    mask = weights.size - 1
    scores = np.zeros(last - first)
    for k_value in range(last - first):
        value = hashed.ids[first + k_value]
        if value < 0:
            continue
        start = first_index(value, n_features, mask, crowded)
        total = 0.
        for k in range(z.starts[i], z.starts[i + 1]):
            total += weights[(start + z.columns[k]) & mask] * z.values[k]
        scores[k_value] = hashed.factors[first + k_value] * total
    return scores


@njit(nogil=True, cache=True)
def own_linear_products(hashed, i, indices, values, dim, z, n_features, crowded):
    """As `own_linear_scores`, with a sparse vector in the place of the weights."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    table = vector_table(indices)
    products = np.zeros(last - first)
    for k_value in range(last - first):
        start = first_index(hashed.ids[first + k_value], n_features, dim - 1, crowded)
        total = 0.
        for k in range(z.starts[i], z.starts[i + 1]):
            position = table[index_slot(
                table, indices, (start + z.columns[k]) & (dim - 1))]
            if position >= 0:
                total += values[position] * z.values[k]
        products[k_value] = hashed.factors[first + k_value] * total
    return products


@njit(nogil=True, cache=True)
def decode_linear_chunk(first, last, hashed, weights, z, n_features, crowded, offsets,
                        gold, factor, loss_weight, decoder, single_root, heads,
                        hinges):
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        value_scores = own_linear_scores(hashed, i, weights, z, n_features, crowded)
        tree, hinges[i - first] = decode_hashed(
            hashed, i, gold[start:stop], value_scores, factor, loss_weight, decoder,
            single_root)
        copy_into(heads[start - offsets[first]:stop - offsets[first]], tree)


@njit(nogil=True, cache=True)
def outer_vector(ids, values, columns, features, dim, n_features, crowded):
    """A vector over own values times the input's features, in the weights."""
    size = ids.size * columns.size
    indices = np.empty(size, np.int64)
    products = np.empty(size, np.float32)
    mask = dim - 1
    n_products = 0
    for k in range(ids.size):
        start = first_index(ids[k], n_features, mask, crowded)
        for f in range(columns.size):
            indices[n_products] = (start + columns[f]) & mask
            products[n_products] = values[k] * features[f]
            n_products += 1
    return indices, products


class LinearProblem(WeightsProblem):
    """Sentences and their trees, compared by hash functions and known features.

    Parameters
    ----------
    encoded : the sentences
    hashed, n_values : hash values of their edges, and how many there are
    z, n_features : the input kernel's features of the sentences
    decoder : code of the decoder, one of `DECODERS`' values
    single_root : exactly one token depends on the root
    """

    def __init__(self, encoded: Encoded, hashed: HashedSymbols, n_values: int,
                 z: InputFeatures, n_features: int, decoder: int,
                 single_root: bool = True, dim: int | None = None):
        dim = dim or 1 << weight_bits(n_values, n_features)
        super().__init__(encoded, dim, decoder, single_root)
        self.hashed, self.z, self.n_features = hashed, z, n_features
        self.crowded = n_values * n_features > dim

    def decode_chunk(self, first, last, model, loss_weight, heads, hinges):
        decode_linear_chunk(
            first, last, self.hashed, model.w, self.z, self.n_features, self.crowded,
            self.encoded.offsets, self.encoded.heads, model.factor, loss_weight,
            self.decoder, self.single_root, heads, hinges)

    def fingerprint(self):
        return f"{super().fingerprint()} kernels={fingerprint(self.hashed, self.z)}"

    def part_vector(self, i, parts, values) -> SparseVector:
        hashes, amounts = symbol_vector(self.hashed, i, parts, values)
        row = slice(self.z.starts[i], self.z.starts[i + 1])
        return SparseVector(*sum_equal_indices(*outer_vector(
            self.hashed.ids[self.hashed.unique[i] + hashes], amounts,
            self.z.columns[row], self.z.values[row], self.dim, self.n_features,
            self.crowded)))

    def part_scores(self, i, parts, model):
        value_scores = own_linear_scores(self.hashed, i, model.w, self.z, self.n_features,
                                         self.crowded)
        return model.factor * symbol_sums(self.hashed, i, parts, value_scores)

    def part_products(self, i, parts, vector):
        products = own_linear_products(self.hashed, i, *vector, self.dim, self.z,
                                       self.n_features, self.crowded)
        return symbol_sums(self.hashed, i, parts, products)
