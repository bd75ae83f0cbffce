"""Hash values of all edges of many sentences, numbered.

Edge (head, dependent) of a sentence is symbol dependent * (n + 1) + head: the number
that it has as a part of a tree.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.running.compiler import njit
from orange_structpred.running.memory import check_fits
from orange_structpred.svm.atomic.hashed_symbols import (
    HashedExample,
    HashedSymbols,
    join_examples,
    symbol_sums,
)
from orange_structpred.svm.atomic.numbering import Numbering, distinct_values
from orange_structpred.treebank.encoding import Encoded

# For estimates of memory: tags between head and dependent, bytes for a hash value of
# an edge, and those of its entry in the index of a model.
TAGS_BETWEEN = 6
VALUE_BYTES, ENTRY_BYTES = 12, 10


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
               ) -> tuple[HashedSymbols, np.ndarray]:
    """Hash values of all edges, and the values behind their ids.

    Ids are in the order in which the sentences have the values: most values belong
    to one sentence alone, so they are near each other in memory when it is scored.
    """
    numbering = Numbering()
    hashed = number_edges(sentences, encoded, hashes, numbering.assign)
    return hashed, numbering.values()


def number_edges(sentences: Sequence, encoded: Encoded, hashes: HashFunctions,
                 number: Callable[[np.ndarray], np.ndarray]) -> HashedSymbols:
    """Hash values of all edges; `number` makes ids of the values of a sentence. With a
    Numbering's `look_up` those that it does not know have -1."""
    def examples() -> Iterator[HashedExample]:
        for i, sentence in enumerate(sentences):
            tokens = encoded.tokens[encoded.offsets[i]:encoded.offsets[i + 1]]
            edges = hashes.edges(sentence, tokens)
            first, local = distinct_values(edges.numbers)
            yield HashedExample(number(edges.numbers[first]),
                                hashes.factors[edges.functions[first]],
                                edges.starts.astype(np.int32), local)

    return join_examples(examples())


@njit(nogil=True, cache=True)
def edge_sums(hashed, i, length, value_scores):
    """scores[head, dependent]: the sum of an edge's own values' scores."""
    sums = symbol_sums(hashed, i, np.arange(length * length), value_scores)
    scores = np.empty((length, length))
    for head in range(length):
        for dependent in range(length):
            scores[head, dependent] = sums[dependent * length + head]
    return scores
