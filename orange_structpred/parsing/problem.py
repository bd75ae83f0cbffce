"""Dependency trees as a problem for the solvers: edges, their features, the loss.

The output of a sentence is its array of heads, with the artificial root at
position 0. The loss is the share of tokens with a wrong head; it splits over
the edges as the scores do, so the same decoder predicts and separates.
"""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b

import numpy as np
from numba import njit

from orange_structpred.parsing.decoders import decode
from orange_structpred.parsing.features import FeatureMap
from orange_structpred.parsing.scoring import Places, edge_vector, score_edges
from orange_structpred.svm.linear import LinearModel, sparse_add, sparse_dot
from orange_structpred.svm.problem import Block, Plane, Problem, SparseVector
from orange_structpred.treebank.encoding import Encoded

CHUNK = 64      # sentences that a thread takes at a time


@njit(nogil=True, cache=True)
def add_loss(scores, gold, weight):
    """Raise every wrong edge by weight / n: the oracle's scores (4.21)."""
    length = scores.shape[0]
    share = np.float32(weight / (length - 1))
    for head in range(length):
        for dependent in range(1, length):
            if gold[dependent] != head:
                scores[head, dependent] += share


@njit(nogil=True, cache=True)
def tree_score(scores, heads):
    total = 0.
    for dependent in range(1, heads.size):
        total += scores[heads[dependent], dependent]
    return total


@njit(nogil=True, cache=True)
def best_tree(scores, gold, loss_weight, construction, single_root):
    """The best tree, or the most violated one where the loss has a weight, and
    how far its score is above that of the gold tree."""
    if loss_weight == 0:
        return decode(scores, construction, single_root), 0.
    add_loss(scores, gold, loss_weight)
    heads = decode(scores, construction, single_root)
    hinge = tree_score(scores, heads) - tree_score(scores, gold)
    if hinge < 0:   # the decoder cannot build the gold tree, but it is an output too
        return gold.copy(), 0.
    return heads, hinge


@njit(nogil=True, cache=True)
def decode_sentence(tokens, gold, templates, weights, places, factor, loss_weight,
                    construction, single_root):
    """`best_tree` of the scores that the weights give."""
    scores = score_edges(tokens, templates, weights, places)
    if factor != 1:
        scores *= np.float32(factor)
    return best_tree(scores, gold, loss_weight, construction, single_root)


@njit(nogil=True, cache=True)
def decode_sentences(first, last, offsets, tokens, gold, templates, weights, places,
                     factor, loss_weight, construction, single_root, heads, hinges):
    """`decode_sentence` for sentences first..last - 1, into flat arrays."""
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        tree, hinges[i] = decode_sentence(
            tokens[start:stop], gold[start:stop], templates, weights, places, factor,
            loss_weight, construction, single_root)
        heads[start:stop] = tree


@njit(nogil=True, cache=True)
def plane_features(offsets, tokens, gold, heads, templates, places, scratch, total):
    """total += phi(x, gold) - phi(x, heads), summed over all sentences."""
    for i in range(offsets.size - 1):
        start, stop = offsets[i], offsets[i + 1]
        wrong = np.flatnonzero(gold[start:stop] != heads[start:stop])
        if wrong.size == 0:
            continue
        values = np.ones(2 * wrong.size, np.float32)
        values[wrong.size:] = -1
        edge_heads = np.concatenate((gold[start:stop][wrong],
                                     heads[start:stop][wrong]))
        found, vector = edge_vector(
            tokens[start:stop], templates, places, edge_heads,
            np.concatenate((wrong, wrong)), values, scratch)
        for k in range(found.size):
            total[found[k]] += vector[k]


@njit(nogil=True, cache=True)
def way_edges(gold, mix_dependents, mix_heads, mix_shares, heads):
    """Edges and their shares on the way from a mixture of trees to one tree.

    A mixture is given by its wrong edges and the share of trees that have them;
    features of gold edges count positive, of wrong edges negative.
    """
    length = gold.size
    size = mix_shares.size
    gold_share = np.zeros(length, np.float32)
    new = np.zeros(length, np.bool_)
    for dependent in range(1, length):
        if heads[dependent] != gold[dependent]:
            gold_share[dependent] = 1
            new[dependent] = True
    edge_heads = np.empty(size + 2 * length, np.int32)
    edge_dependents = np.empty(size + 2 * length, np.int64)
    shares = np.empty(size + 2 * length, np.float32)
    found = 0
    for k in range(size):
        dependent = mix_dependents[k]
        share = mix_shares[k]
        gold_share[dependent] -= share
        if heads[dependent] == mix_heads[k]:
            share -= 1
            new[dependent] = False
        edge_heads[found], edge_dependents[found] = mix_heads[k], dependent
        shares[found] = share
        found += 1
    for dependent in range(1, length):
        if gold_share[dependent] != 0:
            edge_heads[found], edge_dependents[found] = gold[dependent], dependent
            shares[found] = gold_share[dependent]
            found += 1
        if new[dependent]:
            edge_heads[found], edge_dependents[found] = heads[dependent], dependent
            shares[found] = -1
            found += 1
    return edge_heads[:found], edge_dependents[:found], shares[:found]


@njit(nogil=True, cache=True)
def move_mixture(gold, mix_dependents, mix_heads, mix_shares, heads, gamma):
    """The mixture after a step of length gamma towards a tree."""
    length = gold.size
    new = np.zeros(length, np.bool_)
    for dependent in range(1, length):
        new[dependent] = heads[dependent] != gold[dependent]
    size = mix_shares.size + length
    dependents = np.empty(size, np.int32)
    edge_heads = np.empty(size, np.int32)
    shares = np.empty(size, np.float64)
    found = 0
    for k in range(mix_shares.size):
        dependent = mix_dependents[k]
        share = (1 - gamma) * mix_shares[k]
        if heads[dependent] == mix_heads[k]:
            share += gamma
            new[dependent] = False
        if share > 0:
            dependents[found], edge_heads[found] = dependent, mix_heads[k]
            shares[found] = share
            found += 1
    for dependent in range(1, length):
        if new[dependent]:
            dependents[found], edge_heads[found] = dependent, heads[dependent]
            shares[found] = gamma
            found += 1
    return (dependents[:found].copy(), edge_heads[:found].copy(),
            shares[:found].copy())


class TreeProblem(Problem):
    """Sentences and their trees, with explicit edge features.

    Parameters
    ----------
    encoded : the sentences
    features : which features an edge has
    places : where their weights stand
    dim : how many weights there are
    construction : code of the decoder, one of `CONSTRUCTIONS`' values
    single_root : exactly one token depends on the root
    """

    def __init__(self, encoded: Encoded, features: FeatureMap, places: Places,
                 dim: int, construction: int, single_root: bool = True):
        self.encoded, self.features, self.places = encoded, features, places
        self.dim, self.construction = dim, construction
        self.single_root = single_root
        self.scratch = np.zeros(dim, np.float32)
        self.bounds = encoded.offsets.tolist()

    def __len__(self) -> int:
        return len(self.encoded)

    def size(self, i: int) -> int:
        return self.bounds[i + 1] - self.bounds[i] - 1

    def gold(self, i: int) -> np.ndarray:
        return self.encoded.heads[self.bounds[i]:self.bounds[i + 1]]

    # the four, for one sentence's tokens and heads

    def edge_vector(self, tokens, heads, dependents, values) -> SparseVector:
        """sum of values * phi(edge) over edges."""
        return SparseVector(*edge_vector(
            tokens, self.features.arrays, self.places, heads, dependents,
            values, self.scratch))

    def joint_features(self, x, y):
        dependents = np.arange(1, len(y))
        vector = self.edge_vector(
            x, y[1:], dependents, np.ones(len(dependents), np.float32))
        dense = np.zeros(self.dim)
        dense[vector.places] = vector.values
        return dense

    def loss(self, y, y_hat) -> float:
        return np.count_nonzero(y != y_hat) / (len(y) - 1)

    def predict(self, x, w):
        return self._decode(x, np.zeros(len(x), np.int32), w, 1., 0.)

    def separate(self, x, y, w):
        return self._decode(x, y, w, 1., 1.)

    def _decode(self, tokens, gold, w, factor, loss_weight):
        return decode_sentence(
            tokens, gold, self.features.arrays, w, self.places, factor, loss_weight,
            self.construction, self.single_root)[0]

    # what solvers ask

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        return LinearModel(self.dim, np.float32, averaging=averaging)

    def tokens(self, i: int) -> np.ndarray:
        return self.encoded.tokens[self.bounds[i]:self.bounds[i + 1]]

    def best(self, i, model):
        return self._decode(
            self.tokens(i), self.gold(i), model.w, model.factor, 0.)

    def most_violated(self, i, model, weight: float = 1.):
        return self._decode(
            self.tokens(i), self.gold(i), model.w, model.factor, weight)

    def example_loss(self, i, y_hat) -> float:
        return self.loss(self.gold(i), y_hat)

    def all_most_violated(self, model, *, n_jobs=1, stop=lambda: False):
        return self.decode_all(model, loss_weight=1., n_jobs=n_jobs, stop=stop)

    def decode_all(self, model, *, loss_weight=0., n_jobs=1, stop=lambda: False):
        """Trees of all sentences, as a flat array, and their hinge losses."""
        heads = np.full_like(self.encoded.heads, -1)
        hinges = np.zeros(len(self))

        def work(first: int) -> None:
            decode_sentences(
                first, min(first + CHUNK, len(self)), self.encoded.offsets,
                self.encoded.tokens, self.encoded.heads, self.features.arrays,
                model.w, self.places, model.factor, loss_weight, self.construction,
                self.single_root, heads, hinges)

        map_chunks(work, len(self), n_jobs, stop)
        return heads, hinges

    def difference(self, i, y_hat) -> SparseVector:
        gold = self.gold(i)
        wrong = np.flatnonzero(gold != y_hat)
        values = np.ones(2 * len(wrong), np.float32)
        values[len(wrong):] = -1
        return self.edge_vector(
            self.tokens(i), np.concatenate([gold[wrong], y_hat[wrong]]),
            np.concatenate([wrong, wrong]), values)

    # a block's mixture: dependents and heads of its wrong edges, and their shares

    def empty_block(self, i) -> Block:
        return Block((np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0)), 0.)

    def direction(self, i, block, y_hat) -> SparseVector:
        return self.edge_vector(
            self.tokens(i), *way_edges(self.gold(i), *block.mixture, y_hat))

    def move(self, i, block, y_hat, gamma) -> Block:
        mixture = move_mixture(self.gold(i), *block.mixture, y_hat, gamma)
        return Block(mixture, mixture[2].sum() / self.size(i))

    def add_blocks(self, model, blocks, scale) -> None:
        for i, block in enumerate(blocks):
            # from the mixture to the gold tree is the way back
            gold = self.gold(i)
            heads, dependents, shares = way_edges(gold, *block.mixture, gold)
            model.add(i, self.edge_vector(
                self.tokens(i), heads, dependents, -shares), scale)

    def pack_blocks(self, blocks):
        return {
            "block_sizes": np.array([len(b.mixture[2]) for b in blocks]),
            "block_dependents": np.concatenate([b.mixture[0] for b in blocks]),
            "block_heads": np.concatenate([b.mixture[1] for b in blocks]),
            "block_shares": np.concatenate([b.mixture[2] for b in blocks])}

    def unpack_blocks(self, arrays):
        ends = np.cumsum(arrays["block_sizes"])[:-1]
        mixtures = zip(*(np.split(arrays[name], ends) for name in (
            "block_dependents", "block_heads", "block_shares")))
        return [Block(mixture, mixture[2].sum() / self.size(i))
                for i, mixture in enumerate(mixtures)]

    def fingerprint(self) -> str:
        digest = blake2b(self.encoded.tokens.tobytes(), digest_size=8)
        digest.update(self.encoded.heads.tobytes())
        return (f"{len(self)} sentences {digest.hexdigest()} dim={self.dim} "
                f"features={','.join(self.features.groups)} "
                f"construction={self.construction} single_root={self.single_root}")

    # cutting planes: places and values of the sum over all sentences

    def plane(self, outputs) -> Plane:
        total = np.zeros(self.dim)
        plane_features(
            self.encoded.offsets, self.encoded.tokens, self.encoded.heads, outputs,
            self.features.arrays, self.places, self.scratch, total)
        wrong = np.add.reduceat(outputs != self.encoded.heads,
                                self.encoded.offsets[:-1])
        places = np.flatnonzero(total)
        return Plane(float(np.mean(wrong / self.encoded.lengths())),
                     SparseVector(places, total[places] / len(self)))

    def inner_products(self, plane, others):
        dense = np.zeros(self.dim)
        dense[plane.features.places] = plane.features.values
        return np.array([sparse_dot(dense, *other.features) for other in others])

    def combine(self, alpha, planes) -> LinearModel:
        total = np.zeros(self.dim)
        for weight, plane in zip(alpha, planes):
            sparse_add(total, *plane.features, weight)
        model = self.new_model()
        model.w = total.astype(np.float32)
        return model


def map_chunks(work, n: int, n_jobs: int, stop) -> None:
    """Call work(first) for chunks of sentences, on threads.

    What a chunk is does not depend on the number of threads.
    """
    chunks = range(0, n, CHUNK)
    asked: list[bool] = []
    if n_jobs == 1 or len(chunks) == 1:
        for first in chunks:
            if stop():
                return
            work(first)
        return
    with ThreadPoolExecutor(n_jobs) as pool:
        for _ in pool.map(lambda first: asked or work(first), chunks):
            if stop():
                asked.append(True)
