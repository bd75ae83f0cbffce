"""Hash values of all edges of many sentences, numbered, as flat arrays."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.numbering import Numbering, distinct
from orange_structpred.running.compiler import njit
from orange_structpred.running.memory import check_fits
from orange_structpred.treebank.encoding import Encoded

# For estimates of memory: tags between head and dependent, bytes for a hash value of
# an edge, and those of its entry in the index of a model.
TAGS_BETWEEN = 6
VALUE_BYTES, ENTRY_BYTES = 12, 10


class HashedEdges(NamedTuple):
    """The hash values of sentences.

    Sentence i has the distinct values ids[unique[i]:unique[i + 1]], called its
    own values; its edge e, number head * length + dependent, has those own
    values that stand at local[values[i] + starts[edges[i] + e]] and after it,
    up to the start of edge e + 1.
    """

    unique: np.ndarray      # int64 (n + 1,)
    ids: np.ndarray         # int32, number of a value among all of them
    factors: np.ndarray     # float32, root of the weight of the value's function
    edges: np.ndarray       # int64 (n + 1,)
    starts: np.ndarray      # int32
    values: np.ndarray      # int64 (n + 1,)
    local: np.ndarray       # int32


def check_memory(sentences: Sequence, hashes: HashFunctions, indexed: bool) -> None:
    """Raise TooLarge if the hash values of all edges do not fit into memory."""
    edges = sum(len(sentence)**2 for sentence in sentences)
    values = (len(hashes.texts) + len(hashes.functions)
              + (TAGS_BETWEEN - 1) * len(hashes.arrays.between))
    check_fits(
        float(edges) * values * (VALUE_BYTES + ENTRY_BYTES * indexed),
        f"training on {edges / 1e6:,.1f} million possible edges with "
        f"{len(hashes.factors)} hash functions",
        "take fewer sentences or fewer hash functions, or explicit features")


def hash_edges(sentences: Sequence, encoded: Encoded, hashes: HashFunctions
               ) -> tuple[HashedEdges, np.ndarray]:
    """Hash values of all edges, and the values behind their ids.

    Ids are in the order in which the sentences have the values: most values belong
    to one sentence alone, so they are near each other in memory when it is scored.
    """
    numbering = Numbering()
    hashed = number_edges(sentences, encoded, hashes, numbering.assign)
    return hashed, numbering.values()


def look_up_edges(sentences: Sequence, encoded: Encoded, hashes: HashFunctions,
                  known: Numbering) -> HashedEdges:
    """Hash values of all edges with the ids of known values, -1 for all others."""
    return number_edges(sentences, encoded, hashes, known.look_up)


def number_edges(sentences: Sequence, encoded: Encoded, hashes: HashFunctions,
                 number: Callable[[np.ndarray], np.ndarray]) -> HashedEdges:
    """Hash values of all edges; `number` makes ids of the values of a sentence."""
    ids, factors, starts, local = [], [], [], []
    for i, sentence in enumerate(sentences):
        tokens = encoded.tokens[encoded.offsets[i]:encoded.offsets[i + 1]]
        edges = hashes.edges(sentence, tokens)
        first, numbers = distinct(edges.numbers)
        ids.append(number(edges.numbers[first]))
        factors.append(hashes.factors[edges.functions[first]])
        starts.append(edges.starts.astype(np.int32))
        local.append(numbers)

    def joined(arrays: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Where each array begins, and all in one; the list gives its memory back."""
        bounds = np.concatenate([[0], np.cumsum([len(a) for a in arrays])])
        flat = np.concatenate(arrays)
        arrays.clear()
        return bounds, flat

    return HashedEdges(*joined(ids), joined(factors)[1], *joined(starts),
                       *joined(local))


@njit(nogil=True, cache=True)
def edge_sums(hashed, i, length, own):
    """scores[head, dependent]: the sum of an edge's own values' scores."""
    scores = np.zeros((length, length))
    starts = hashed.starts[hashed.edges[i]:hashed.edges[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    for head in range(length):
        for dependent in range(1, length):
            edge = head * length + dependent
            total = 0.
            for k in range(starts[edge], starts[edge + 1]):
                total += own[local[k]]
            scores[head, dependent] = total
    return scores


@njit(nogil=True, cache=True)
def part_sums(hashed, i, length, parts, own):
    """Sums of the own values' scores of some edges, dependent * length + head."""
    starts = hashed.starts[hashed.edges[i]:hashed.edges[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    scores = np.zeros(parts.size)
    for part in range(parts.size):
        edge = (parts[part] % length) * length + parts[part] // length
        for k in range(starts[edge], starts[edge + 1]):
            scores[part] += own[local[k]]
    return scores


@njit(nogil=True, cache=True)
def own_vector(hashed, i, length, parts, values):
    """sum of value * phi(edge) over some edges: the own values that have a part in
    it, and how much of each, the root of its function's weight included."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    total = np.zeros(last - first, np.float32)
    starts = hashed.starts[hashed.edges[i]:hashed.edges[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    for part in range(parts.size):
        edge = (parts[part] % length) * length + parts[part] // length
        for k in range(starts[edge], starts[edge + 1]):
            total[local[k]] += values[part]
    indices = np.flatnonzero(total)
    return indices, total[indices] * hashed.factors[first:last][indices]


@njit(nogil=True, cache=True)
def part_products(hashed, i, length, parts, indices, values):
    """Inner products of some edges with a vector over own values, without the input
    kernel."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    own = np.zeros(last - first)
    for k in range(indices.size):
        own[indices[k]] = values[k] * hashed.factors[first + indices[k]]
    return part_sums(hashed, i, length, parts, own)
