"""Trees with second-order features over pruned edges, as a problem for the solvers."""
from __future__ import annotations

from functools import cached_property

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parsing.decoding.decoders import PROJECTIVE, REARRANGED
from orange_structpred.parsing.first_order.pruning import PrunedEdges
from orange_structpred.parsing.second_order.part_decoder import best_projective
from orange_structpred.parsing.second_order.part_rearrangement import rearrange_parts
from orange_structpred.parsing.second_order.part_scoring import (
    part_feature_indices,
    part_feature_templates,
    shift_of,
)
from orange_structpred.parsing.second_order.part_templates import PartFeatures
from orange_structpred.parsing.second_order.parts import list_edges, score_all
from orange_structpred.parsing.second_order.tree_parts import tree_parts
from orange_structpred.parsing.weights_problem import IndicatorProblem
from orange_structpred.running.compiler import njit
from orange_structpred.svm.parts import signed_parts
from orange_structpred.treebank.encoding import Encoded

NO_BONUSES = np.empty(0, np.float32)


@njit(nogil=True, cache=True)
def decode_second_order(first, last, offsets, tokens, annotated, starts, kept, bonuses,
                        templates, weights, shift, factor, loss_weight, crossing,
                        single_root, heads):
    """The best, or most violated, trees of sentences first..last - 1, into an array
    that begins with sentence `first`.

    annotated : heads that count in the loss, -1 for others; where the loss has a negative
        weight, the best tree is one that has them
    bonuses : what is added to the score of each kept edge, or nothing
    crossing : True for rearranged trees; None for projective ones, and the compiler
        then leaves rearrangement out
    """
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        edges = list_edges(starts[start:stop + 1], kept[starts[start]:starts[stop]])
        scores = score_all(tokens[start:stop], templates, weights, shift, factor, edges,
                           bonuses[starts[start]:starts[stop]], crossing is not None)
        if loss_weight:
            share = np.float32(loss_weight / (stop - start - 1))
            for edge in range(edges.heads.size):
                known = annotated[start + edges.dependents[edge]]
                if edges.heads[edge] != known and known >= 0:
                    scores.edges[edge] += share
        tree = best_projective(edges, scores, single_root)
        if crossing is not None:
            tree = rearrange_parts(edges, scores, tree, single_root)
        for token in range(tree.size):
            heads[start - offsets[first] + token] = tree[token]


class SecondOrderProblem(IndicatorProblem):
    """Sentences and their trees, scored by second-order features.

    Parameters
    ----------
    encoded : the sentences
    pruned : their edges
    features : which features the parts of trees have
    bits : of features' hashes; there are 2^bits weights
    single_root : exactly one token depends on the root
    decoder : PROJECTIVE or REARRANGED
    bonuses : what is added to the score of each edge, or nothing; they count in
        predictions only, so the problem that is learned has none
    """

    def __init__(self, encoded: Encoded, pruned: PrunedEdges, features: PartFeatures,
                 bits: int, single_root: bool = True, decoder: int = PROJECTIVE,
                 bonuses: np.ndarray = NO_BONUSES):
        super().__init__(encoded, 1 << bits, decoder, single_root)
        self.crossing = True if decoder == REARRANGED else None
        self.pruned, self.features, self.bonuses = pruned, features, bonuses
        self.shift = shift_of(bits)

    def parts(self, i, y):
        return tree_parts(y)

    # what solvers ask

    def decode_example(self, i, model, loss_weight):
        heads = np.empty(self.size(i) + 1, np.int32)
        self._decode(i, i + 1, model, loss_weight, heads)
        # gold trees that the decoder cannot build, or does not find, are outputs, too
        if loss_weight > 0 and not self.found[i] and self.hinge(
                i, heads, model, loss_weight) < 0:
            return self.gold(i)
        return heads

    def _decode(self, first, last, model, loss_weight, heads):
        decode_second_order(
            first, last, self.encoded.offsets, self.encoded.tokens,
            self.annotated, self.pruned.starts, self.pruned.heads, self.bonuses,
            self.features.arrays, model.w, self.shift, float(model.factor),
            float(loss_weight), self.crossing, self.single_root, heads)

    def decode_chunk(self, first, last, model, loss_weight, heads, hinges):
        self._decode(first, last, model, loss_weight, heads)
        if not loss_weight:
            return
        for i in range(first, last):
            tree = heads[self.bounds[i] - self.bounds[first]:][:self.size(i) + 1]
            hinge = self.hinge(i, tree, model, loss_weight)
            if hinge < 0 and not self.found[i]:
                tree[:] = self.gold(i)
            hinges[i - first] = max(0., hinge)

    def best_by_loss(self, i, model):
        return self.found_by_weights(i, model)

    def hinge(self, i: int, y_hat: np.ndarray, model, loss_weight: float) -> float:
        """loss_weight * L(y, y_hat) - <w, phi(y) - phi(y_hat)>."""
        parts, values = signed_parts(tree_parts(self.gold(i)), tree_parts(y_hat))
        return loss_weight * self.example_loss(i, y_hat) - float(
            np.dot(self.part_scores(i, parts, model), values))

    @cached_property
    def found(self) -> np.ndarray:
        """Which gold trees the decoder finds if they are the best: the projective ones,
        but none for sure where it goes on by single steps."""
        if self.crossing:
            return np.zeros(len(self), bool)
        return ~self.encoded.crossed()

    def feature_indices(self, tokens: np.ndarray, parts: np.ndarray
                        ) -> tuple[np.ndarray, np.ndarray]:
        return part_feature_indices(tokens, self.features.arrays, self.shift, parts)

    def feature_templates(self, tokens: np.ndarray, parts: np.ndarray) -> np.ndarray:
        return part_feature_templates(tokens, self.features.arrays, parts)

    def fingerprint(self) -> str:
        features = fingerprint(self.features.names, self.pruned.heads)
        return f"{super().fingerprint()} features={features}"
