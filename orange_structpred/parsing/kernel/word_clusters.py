"""Clusters of words by what stands around them, for the hash function wordVecs."""
from __future__ import annotations

import os
from collections.abc import Collection, Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, svds
from sklearn.cluster import MiniBatchKMeans

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.treebank.normal_form import normal_form

N_CLUSTERS = 1250       # as many as the thesis has (6.3.1)
DIMENSIONS = 100
NEIGHBOURS = 2
N_FREQUENT = 100_000      # words of a file that are taken whether they occur or not
WORDS_PER_CLUSTER = 4   # fewer clusters where the vocabulary is small


def learn_vectors(sentences: Sequence, random_state: int = 0,
                  check_cancelled: CheckCancelled = never_cancelled
                  ) -> tuple[list[str], np.ndarray]:
    """Word vectors from the text itself: positive pointwise mutual information
    of words within a window, and its largest singular vectors.

    check_cancelled : called now and then; an exception of it ends the work
    """
    words: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    for sentence in sentences:
        ids = [words.setdefault(normal_form(form), len(words)) for form in sentence.forms]
        for position, word in enumerate(ids):
            for other in ids[max(0, position - NEIGHBOURS):position]:
                rows += (word, other)
                columns += (other, word)
    size = len(words)
    counts = sparse.csr_array((np.ones(len(rows)), (rows, columns)), (size, size))
    total = max(1., counts.sum())
    share = np.maximum(np.asarray(counts.sum(axis=0)).ravel(), 1.) / total
    pairs = counts.tocoo()
    pmi = np.log(pairs.data / total / (share[pairs.row] * share[pairs.col]))
    ppmi = sparse.csr_array((np.maximum(pmi, 0), (pairs.row, pairs.col)), (size, size))
    dimensions = min(DIMENSIONS, size - 1)
    if dimensions < 1 or ppmi.nnz == 0:
        return list(words), np.zeros((size, 1))
    start = np.random.default_rng(random_state).normal(size=size)

    def product(vector: np.ndarray) -> np.ndarray:
        check_cancelled()
        return ppmi @ vector

    transposed = ppmi.T.tocsr()
    operator = LinearOperator(ppmi.shape, product, lambda vector: transposed @ vector,
                              dtype=ppmi.dtype)
    left, singular, _ = svds(operator, k=dimensions, v0=start)
    return list(words), left * np.sqrt(singular)


def read_vectors(path: str | os.PathLike, wanted: Collection[str] = ()
                 ) -> tuple[list[str], np.ndarray]:
    """Word vectors from a text file of word2vec or fastText: a word and its
    numbers in each line, perhaps with a line of two numbers at the top.

    Such files begin with the most frequent words and can be very long; after the
    first `N_FREQUENT` lines only words that are wanted are taken.
    """
    words: list[str] = []
    rows: list[np.ndarray] = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            parts = line.rstrip().split(" ")
            if number == 1 and len(parts) == 2:
                continue
            if number > N_FREQUENT and parts[0] not in wanted:
                continue
            try:
                row = np.array(parts[1:], dtype=np.float32)
            except ValueError:
                row = np.zeros(0, np.float32)
            if not len(row) or not np.isfinite(row).all() or (
                    rows and len(row) != len(rows[0])):
                expected = f"{len(rows[0])} numbers" if rows else "numbers"
                raise InputError(f"{os.fspath(path)}, line {number}: found "
                                 f"{line.strip()[:60]!r}, expected a word and {expected}")
            words.append(parts[0])
            rows.append(row)
    if not rows:
        raise InputError(f"{os.fspath(path)}: found no word vectors, expected a word "
                         "and its numbers in each line")
    return words, np.array(rows)


def cluster_words(sentences: Sequence, *, vectors: str | os.PathLike | None = None,
                  n_clusters: int = N_CLUSTERS, random_state: int = 0,
                  check_cancelled: CheckCancelled = never_cancelled) -> dict[str, int]:
    """Cluster of each word, from 1 on; words without a vector are not in it.

    check_cancelled : called now and then; an exception of it ends the work
    """
    words, rows = (learn_vectors(sentences, random_state, check_cancelled) if vectors is None
                   else read_vectors(vectors, {
                       normal_form(form) for sentence in sentences
                       for form in sentence.forms}))
    n_clusters = max(1, min(n_clusters, len(words) // WORDS_PER_CLUSTER))
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    numbers = _WatchedNumbers(random_state)
    numbers.check_cancelled = check_cancelled
    means = MiniBatchKMeans(n_clusters, random_state=numbers, n_init=1,
                            batch_size=4096, init="random")
    labels = means.fit_predict(rows / np.where(norms > 0, norms, 1))
    return {word: int(label) + 1 for word, label in zip(words, labels)}


class _WatchedNumbers(np.random.RandomState):
    """k-means has no callback, but draws from these for each batch."""

    check_cancelled: CheckCancelled

    def randint(self, *args, **options):
        self.check_cancelled()
        return super().randint(*args, **options)
