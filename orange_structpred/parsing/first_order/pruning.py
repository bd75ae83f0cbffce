"""Which edges a sentence keeps: those with a max-marginal near the token's best.

A first-order model says of each edge how good the best tree with it is. A token keeps
the edges to a few heads, none much worse than its best one; the edges of the best tree
of the model are among them, so a tree can always be built.

Max-marginals are those of projective trees. Where edges may cross, an edge is also as
good as the best tree with this one head changed.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.decoding.decoders import PROJECTIVE, REARRANGED
from orange_structpred.parsing.decoding.max_marginals import max_marginals
from orange_structpred.parsing.decoding.trees import number_subtrees
from orange_structpred.parsing.features.edge_scoring import FeatureIndices, score_edges
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.tree_problem import tree_score
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.compiler import njit
from orange_structpred.running.threads import map_chunks
from orange_structpred.treebank.encoding import Encoded

MAX_HEADS = 8       # that a token keeps
THRESHOLD = 3.      # how far below the token's best a max-marginal may be


class PrunedEdges(NamedTuple):
    """The edges that are left of the sentences of an `Encoded`.

    starts : int64, one for each position and one more; the heads of the token at
        position p are heads[starts[p]:starts[p + 1]], in rising order
    heads : int32, counted within the sentence
    """

    starts: np.ndarray
    heads: np.ndarray


@njit(nogil=True, cache=True)
def keep_best(marginals, token, max_heads, threshold, sure, gold, out):
    """Write the heads that a token keeps, in rising order; how many they are.

    sure, gold : heads that are kept in any case; -1 is none
    """
    best = marginals[0, token]
    for head in range(1, marginals.shape[0]):
        best = max(best, marginals[head, token])
    kept = 0
    for head in range(marginals.shape[0]):
        value = marginals[head, token]
        # numba wants numbers of one type in a tuple
        if (head == sure or head == gold                            # noqa: SIM109
                or value >= best - threshold and value > -np.inf):
            out[kept] = head
            kept += 1
    while kept > max_heads:
        # the worst goes
        worst = -1
        for k in range(kept):
            if out[k] != sure and out[k] != gold and (
                    worst < 0
                    or marginals[out[k], token] < marginals[out[worst], token]):
                worst = k
        for k in range(worst, kept - 1):
            out[k] = out[k + 1]
        kept -= 1
    return kept


@njit(nogil=True, cache=True)
def allow_crossing(marginals, scores, heads, single_root):
    """Raise max-marginals to the scores of the best tree with one head changed.

    heads : the best projective tree
    """
    length = heads.size
    start, end = np.empty(length, np.int32), np.empty(length, np.int32)
    number_subtrees(heads, start, end)
    total = scores.dtype.type(0)
    for token in range(1, length):
        total += scores[heads[token], token]
    for token in range(1, length):
        if single_root and heads[token] == 0:
            continue
        rest = total - scores[heads[token], token]
        for head in range(1 if single_root else 0, length):
            if not start[token] <= start[head] < end[token]:
                marginals[head, token] = max(
                    marginals[head, token], rest + scores[head, token])


@njit(nogil=True, cache=True)
def prune_sentences(sentences, offsets, tokens, gold, keep_gold, templates, weights,
                    indices, crossing, single_root, max_heads, threshold, heads,
                    counts):
    """The heads that tokens keep, in rows of `heads`, and how many they are.

    crossing : whether the trees that get the edges may be non-projective; None for no,
        and the compiler then leaves out what they need
    """
    for i in sentences:
        start, stop = offsets[i], offsets[i + 1]
        pruned = indices.pruned
        while True:
            scores = score_edges(
                tokens[start:stop], templates, weights,
                FeatureIndices(indices.shift, indices.keys, indices.numbers, pruned))
            marginals, best = max_marginals(scores, single_root)
            if pruned.size == 0 or tree_score(scores, best) > -np.inf:
                break
            pruned = pruned[:0]     # no tree can do without edges that tags prune
        if crossing is not None:
            allow_crossing(marginals, scores, best, single_root)
        row = np.empty(stop - start, np.int32)
        for token in range(1, stop - start):
            kept = keep_best(marginals, token, max_heads, threshold, best[token],
                             gold[start + token] if keep_gold else -1, row)
            counts[start + token] = kept
            for k in range(kept):
                heads[start + token, k] = row[k]


def prune(encoded: Encoded, model: ExplicitModel, single_root: bool, **options
          ) -> PrunedEdges:
    """The edges that a first-order model leaves; options as of `prune_by`."""
    return prune_by([model], np.zeros(len(encoded), np.int8), encoded, single_root,
                    **options)


def prune_by(models: Sequence[ExplicitModel], model_of: np.ndarray, encoded: Encoded,
             single_root: bool, *, decoder: int = PROJECTIVE, keep_gold: bool = False,
             max_heads: int = MAX_HEADS, threshold: float = THRESHOLD, n_jobs: int = 1
             ) -> PrunedEdges:
    """The edges that first-order models leave.

    model_of : the number of each sentence's model
    decoder : of those who get the edges: PROJECTIVE, or REARRANGED where they may cross
    keep_gold : keep the edges of the gold trees, too
    """
    rows = np.empty((len(encoded.tokens), max_heads), np.int32)
    counts = np.zeros(len(encoded.tokens), np.int64)

    def work(model: ExplicitModel, sentences: np.ndarray, first: int, last: int) -> None:
        prune_sentences(
            sentences[first:last], encoded.offsets, encoded.tokens, encoded.heads,
            keep_gold, model.features.arrays, model.weights, model.indices,
            True if decoder == REARRANGED else None, single_root, max_heads, threshold,
            rows, counts)

    for number, model in enumerate(models):
        sentences = np.flatnonzero(model_of == number)
        map_chunks(partial(work, model, sentences), len(sentences), n_jobs)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return PrunedEdges(starts, rows[np.arange(max_heads) < counts[:, None]])


def jackknife(encoded: Encoded, train: Callable[[Iterable[Encoded]], list[ExplicitModel]],
              single_root: bool, random_state: int, *, decoder: int = PROJECTIVE,
              n_jobs: int = 1, check_cancelled: CheckCancelled = never_cancelled
              ) -> tuple[PrunedEdges, ExplicitModel]:
    """Edges of training sentences, pruned by models that have not seen them.

    Each half of the sentences is pruned by a model of the other half; the second
    result is the mean of both models, for new sentences. A single sentence is pruned
    by a model of itself.

    train : gives a model of each part, one after the other or side by side
    check_cancelled : called now and then; raises an exception to stop
    """
    order = np.random.default_rng([random_state, len(encoded)]).permutation(len(encoded))
    middle = len(order) // 2
    halves = [np.sort(order[:middle]), np.sort(order[middle:])]
    if middle == 0:
        halves = [order]
    models = train(map(encoded.select, halves))
    half_of = np.zeros(len(encoded), np.int8)
    half_of[halves[-1]] = len(halves) - 1
    starts, heads = map(encoded.scratch.collect, (np.int64, np.int32))
    starts.append(np.zeros(1))
    total = 0
    for first, block in encoded.blocks():
        check_cancelled()
        pruned = prune_by(models[::-1], half_of[first:first + len(block)], block, single_root,
                          decoder=decoder, keep_gold=True, n_jobs=n_jobs)
        starts.append(total + pruned.starts[1:])
        heads.append(pruned.heads)
        total += pruned.starts[-1]
    mean = np.mean([model.weights for model in models], axis=0, dtype=np.float32)
    return PrunedEdges(starts.array(), heads.array()), ExplicitModel(
        models[0].features, models[0].indices, thin_out(np.asarray(mean)))
