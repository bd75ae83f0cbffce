"""Blocks of dual variables, for block-coordinate solvers.

The dual variables of an example are a convex combination alpha of some of its
outputs. With a(y) = phi(x, true output) - phi(x, y), its contribution to the model is
the sum of alpha * a(y). What is kept of an output is its parts where it has some,
which are few, else the vector a(y).
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.svm.alpha import best_alpha
from orange_structpred.svm.vectors import (
    NO_FEATURES,
    SparseVector,
    are_equal,
    from_arrays,
    linear_combination,
)

if TYPE_CHECKING:
    from orange_structpred.svm.problem import Problem


class Block(NamedTuple):
    """The dual variables of one example.

    outputs : what is kept of each output; the true one comes first
    losses, alpha : arrays of floats; alpha is a convex combination
    gram : <a(y), a(y')> of the outputs
    """

    outputs: list
    losses: np.ndarray
    alpha: np.ndarray
    gram: np.ndarray

    @property
    def loss(self) -> float:
        return float(self.losses @ self.alpha)

    def with_output(self, outputs: list, loss: float, products: np.ndarray) -> Block:
        """One more output, the last of `outputs`, with alpha zero; the last product is
        its own."""
        size = len(self.outputs)
        losses, alpha = np.empty(size + 1), np.empty(size + 1)
        gram = np.empty((size + 1, size + 1))
        losses[:size], losses[size] = self.losses, loss
        alpha[:size], alpha[size] = self.alpha, 0
        gram[:size, :size], gram[size], gram[:, size] = self.gram, products, products
        return Block(outputs, losses, alpha, gram)

    def with_alpha(self, alpha: np.ndarray) -> Block:
        """Another alpha; outputs without any are dropped, except the true one."""
        if alpha[1:].all():
            return Block(self.outputs, self.losses, alpha, self.gram)
        keep = np.append(0, 1 + np.flatnonzero(alpha[1:]))
        return Block([self.outputs[k] for k in keep], self.losses[keep], alpha[keep],
                     self.gram[np.ix_(keep, keep)])

    def drawn_back(self, part: float) -> Block:
        """Only part of the way from the true output."""
        alpha = part * self.alpha
        alpha[0] += 1 - part
        return self._replace(alpha=alpha)


class Blocks:
    """Makes and reads the blocks of a problem whose outputs are kept as vectors.

    What solvers do with the blocks of all examples (`start_all` to `drawn_back`) is
    what a compiled problem overrides; see `Problem.new_blocks`.
    """

    #: examples that are visited in one call
    chunk_size = 1
    #: visits without the oracle after each pass; worthwhile where they cost little
    extra_visits = 0

    def __init__(self, problem: Problem):
        self.problem = problem

    # the blocks of all examples

    def start_all(self) -> list[Block]:
        return [self.start(i) for i in range(len(self.problem))]

    def visit(self, blocks: list[Block], indices: Integers, model, scale: float,
              step: int, *, ask: bool = True) -> float:
        """Improve the blocks of some examples, one after the other; the sum of the
        gaps that they had.

        scale : of alpha in the model, C / n
        step : how many steps were made before; step k weighs k in the average
        ask : the oracle for one more output of each
        """
        gaps = 0.
        for i in indices:
            if ask:
                blocks[i] = self.extend(i, blocks[i], self.problem.most_violated(i, model))
                step += 1
            block = blocks[i]
            violations = self.violations(i, block, model)
            gap = violations.max() - violations @ block.alpha
            if gap > 0:
                alpha = best_alpha(block.gram, violations, block.alpha, scale)
                model.add(i, *self.combination(i, block, alpha - block.alpha, scale),
                          step * (step - 1) / 2)
                blocks[i] = block.with_alpha(alpha)
                gaps += gap
        return gaps

    def mean_loss(self, blocks: Sequence[Block]) -> float:
        return sum(block.loss for block in blocks) / len(self.problem)

    def add_all(self, blocks: Sequence[Block], model, scale: float) -> None:
        """Add what the blocks contribute to a model."""
        for i, block in enumerate(blocks):
            model.add(i, *self.combination(i, block, block.alpha, scale))

    def drawn_back(self, blocks: Sequence[Block], part: float) -> list[Block]:
        """All blocks only part of the way from the true outputs."""
        return [block.drawn_back(part) for block in blocks]

    # the block of one example

    def start(self, i: int) -> Block:
        """All of alpha on the true output: nothing is violated."""
        return Block([self.true_output(i)], np.zeros(1), np.ones(1), np.zeros((1, 1)))

    def extend(self, i: int, block: Block, y_hat) -> Block:
        """The block with y_hat among its outputs."""
        output, loss = self.kept(i, y_hat), self.problem.example_loss(i, y_hat)
        for other, other_loss in zip(block.outputs, block.losses):
            if loss == other_loss and self.equal(output, other):
                return block
        outputs = [*block.outputs, output]
        return block.with_output(outputs, loss, self.products(i, outputs))

    def violations(self, i: int, block: Block, model) -> np.ndarray:
        """loss(y) - <w, a(y)> of the block's outputs."""
        return block.losses - [0., *(model.dot(i, output) for output in block.outputs[1:])]

    def combination(self, i: int, block: Block, alpha: np.ndarray, scale: float
                    ) -> tuple[SparseVector, float]:
        """The sum of scale * alpha * a(y) over the block's outputs: a vector and what it
        is to be multiplied by."""
        if len(block.outputs) == 2:         # a(y) of the first, the true one, is zero
            return block.outputs[1], scale * alpha[1]
        return linear_combination(block.outputs, alpha), scale

    # what is kept of an output

    def kept(self, i: int, y) -> SparseVector:
        return self.problem.difference(i, y)

    def true_output(self, i: int) -> SparseVector:
        """What is kept of the true output."""
        return NO_FEATURES

    @staticmethod
    def equal(one, other) -> bool:
        return all(a is b or are_equal(a, b) for a, b in zip(one, other))

    def products(self, i: int, outputs: list) -> np.ndarray:
        """<a(y), a(last y)> of outputs."""
        return self.problem.vector_products(i, outputs[-1], outputs)

    # checkpoints

    def pack(self, blocks: Sequence[Block]) -> dict[str, np.ndarray]:
        """Blocks as arrays."""
        return {"block_sizes": np.array([len(block.alpha) for block in blocks]),
                "block_losses": np.concatenate([block.losses for block in blocks]),
                "block_alphas": np.concatenate([block.alpha for block in blocks]),
                "block_grams": np.concatenate([block.gram.ravel() for block in blocks]),
                **self.pack_outputs([o for block in blocks for o in block.outputs])}

    def unpack(self, arrays) -> list[Block]:
        sizes = arrays["block_sizes"]
        ends = np.cumsum(sizes)[:-1]
        outputs = self.unpack_outputs(arrays)
        grams = np.split(arrays["block_grams"], np.cumsum(sizes**2)[:-1])
        return [
            Block(outputs[end - size:end], losses, alpha, gram.reshape(size, size))
            for end, size, losses, alpha, gram in zip(
                np.cumsum(sizes), sizes, np.split(arrays["block_losses"], ends),
                np.split(arrays["block_alphas"], ends), grams)]

    def pack_outputs(self, outputs: list[SparseVector]) -> dict[str, np.ndarray]:
        return {"output_sizes": np.array([len(output.indices) for output in outputs]),
                "output_indices": np.concatenate([o.indices for o in outputs]),
                "output_values": np.concatenate([o.values for o in outputs])}

    def unpack_outputs(self, arrays) -> list:
        ends = np.cumsum(arrays["output_sizes"])[:-1]
        return list(map(from_arrays, np.split(arrays["output_indices"], ends),
                        np.split(arrays["output_values"], ends)))
