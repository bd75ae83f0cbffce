"""Trees with explicit edge features, as a problem for the solvers."""
from __future__ import annotations

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.features.edge_scoring import (
    FeatureIndices,
    edge_feature_indices,
    edge_feature_templates,
    score_edges,
)
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.tree_problem import best_tree, tree_score
from orange_structpred.parsing.weights_problem import IndicatorProblem
from orange_structpred.running.compiler import njit
from orange_structpred.treebank.encoding import Encoded


@njit(nogil=True, cache=True)
def decode_first_order(first, last, offsets, tokens, gold, annotated, templates, weights,
                       indices, factor, loss_weight, decoder, single_root, heads, hinges):
    """`best_tree` of sentences first..last - 1, into arrays that begin with them.

    Where no tree can do without pruned edges, none is pruned.
    """
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        pruned = indices.pruned
        while True:
            scores = score_edges(
                tokens[start:stop], templates, weights,
                FeatureIndices(indices.shift, indices.keys, indices.numbers, pruned))
            if factor != 1:
                for head in range(stop - start):
                    for token in range(stop - start):
                        scores[head, token] *= np.float32(factor)
            tree, hinges[i - first] = best_tree(
                scores, gold[start:stop], annotated[start:stop], loss_weight, decoder,
                single_root)
            if pruned.size == 0 or tree_score(scores, tree) > -np.inf:
                break
            pruned = pruned[:0]
        for token in range(tree.size):
            heads[start - offsets[first] + token] = tree[token]


class ExplicitProblem(IndicatorProblem):
    """Sentences and their trees, scored by edge features.

    Parameters
    ----------
    encoded : the sentences
    features : which features an edge has
    indices : where their weights stand
    dim : how many weights there are
    decoder : code of the decoder, one of `DECODERS`' values
    single_root : exactly one token depends on the root
    """

    def __init__(self, encoded: Encoded, features: EdgeFeatures, indices: FeatureIndices,
                 dim: int, decoder: int, single_root: bool = True):
        super().__init__(encoded, dim, decoder, single_root)
        self.features, self.indices = features, indices
        # first runs wait for the compiler: let it see what is needed
        self.compiled_decoder = None if decoder == PROJECTIVE else decoder

    def decode_chunk(self, first, last, model, loss_weight, heads, hinges):
        decode_first_order(
            first, last, self.encoded.offsets, self.encoded.tokens, self.trees,
            self.annotated, self.features.arrays, model.w, self.indices,
            float(model.factor), float(loss_weight), self.compiled_decoder,
            self.single_root, heads, hinges)

    def feature_indices(self, tokens: np.ndarray, parts: np.ndarray
                        ) -> tuple[np.ndarray, np.ndarray]:
        return edge_feature_indices(tokens, self.features.arrays, self.indices, parts)

    def feature_templates(self, tokens: np.ndarray, parts: np.ndarray) -> np.ndarray:
        return edge_feature_templates(tokens, self.features.arrays, parts)

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} features={fingerprint(self.features.names)}"
