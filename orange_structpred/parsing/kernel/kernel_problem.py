"""Trees with a joint kernel, input kernel x atomic output kernels, as a problem.

The symbols of a tree are its edges.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.kernel.hashed_edges import edge_sums
from orange_structpred.parsing.tree_problem import TreeProblem, best_tree
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit
from orange_structpred.svm.atomic.hashed_symbols import HashedSymbols
from orange_structpred.svm.atomic.joint_kernel import JointKernelProblem
from orange_structpred.svm.atomic.symbol_index import own_scores
from orange_structpred.treebank.encoding import Encoded


@njit(nogil=True, cache=True)
def decode_hashed(hashed, i, gold, value_scores, factor, loss_weight, decoder,
                  single_root):
    """`best_tree` of a sentence, from the scores of its own hash values.

    Scores are rounded only here, so that the order of their sums matters little.
    """
    scores = (factor * edge_sums(hashed, i, gold.size, value_scores)).astype(np.float32)
    return best_tree(scores, gold, gold, loss_weight, decoder, single_root)


@njit(nogil=True, cache=True)
def decode_kernel_chunk(first, last, hashed, index, rows, offsets, gold,
                        factor, loss_weight, decoder, single_root, heads, hinges):
    """Trees and hinge losses of sentences first..last - 1, into arrays that begin
    with them, as `rows` of the Gram matrix do."""
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        value_scores = own_scores(index, hashed, i, rows[i - first])
        tree, hinges[i - first] = decode_hashed(
            hashed, i, gold[start:stop], value_scores, factor, loss_weight, decoder,
            single_root)
        copy_into(heads[start - offsets[first]:stop - offsets[first]], tree)


class KernelProblem(JointKernelProblem, TreeProblem):
    """Sentences and their trees, compared by kernels.

    Parameters
    ----------
    encoded : the sentences
    hashed, n_values : hash values of their edges, and how many there are
    gram : float32 matrix of the input kernel
    decoder : code of the decoder, one of `DECODERS`' values
    single_root : exactly one token depends on the root
    """

    def __init__(self, encoded: Encoded, hashed: HashedSymbols, n_values: int,
                 gram: np.ndarray, decoder: int, single_root: bool = True):
        TreeProblem.__init__(self, encoded, n_values, decoder, single_root)
        self.hashed, self.gram = hashed, gram

    def decode_example(self, i, model, loss_weight):
        return decode_hashed(
            self.hashed, i, self.gold(i), model.own_scores(i), model.factor,
            loss_weight, self.decoder, self.single_root)[0]

    def decode_chunk(self, first, last, model, loss_weight, heads, hinges):
        decode_kernel_chunk(
            first, last, self.hashed, model.index, model.rows(first, last),
            self.encoded.offsets, self.encoded.heads, model.factor, loss_weight,
            self.decoder, self.single_root, heads, hinges)
