"""What a solver knows of the thing that it learns.

A user's problem needs four methods, those of the thesis's appendix B.1.1:
`joint_features`, `loss`, `predict` and `separate`. The solvers ask about
numbered examples; the answers that this class gives by way of the four methods
can be overridden by compiled ones, as the parser's problem does.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from orange_structpred.svm.linear import LinearModel, sparse_add, sparse_dot

Output = Any
Stop = Callable[[], bool]


class SparseVector(NamedTuple):
    """FeatureIndices, each at most once, and the values there."""

    indices: np.ndarray
    values: np.ndarray


def sparse_vector(dense: np.ndarray) -> SparseVector:
    indices = np.flatnonzero(dense)
    return SparseVector(indices, dense[indices])


class Block(NamedTuple):
    """The dual variables of one example: outputs, and their alpha of 1.

    With a(y) = phi(x, true output) - phi(x, y), the block's part of the model is
    the sum of share * a(y).

    outputs : what the problem keeps of each output; the true one comes first
    losses, alpha : arrays of floats
    gram : <a(y), a(y')> of the outputs
    """

    outputs: list
    losses: np.ndarray
    alpha: np.ndarray
    gram: np.ndarray

    @property
    def loss(self) -> float:
        return float(self.losses @ self.alpha)

    def with_output(self, output, loss: float, products: np.ndarray) -> Block:
        """One more output, without a share; the last product is its own."""
        gram = np.block([[self.gram, products[:-1, None]], [products[None, :]]])
        return Block([*self.outputs, output], np.append(self.losses, loss),
                     np.append(self.alpha, 0.), gram)

    def with_alpha(self, alpha: np.ndarray) -> Block:
        """Other alpha; outputs that have none are forgotten, but the true one."""
        keep = np.flatnonzero(alpha)
        if alpha[0] == 0:
            keep = np.append(0, keep)
        if len(keep) == len(alpha):
            return self._replace(alpha=alpha)
        return Block([self.outputs[k] for k in keep], self.losses[keep], alpha[keep],
                     self.gram[np.ix_(keep, keep)])

    def drawn_back(self, part: float) -> Block:
        """Only a part of the way from the true output."""
        alpha = part * self.alpha
        alpha[0] += 1 - part
        return self._replace(alpha=alpha)


class Plane(NamedTuple):
    """A cutting plane: mean loss, and what the problem keeps of its features."""

    loss: float
    features: Any       # a tuple of arrays


class Problem(ABC):
    """Examples (x, y) and the four questions of a structural SVM.

    Parameters
    ----------
    X : inputs
    Y : their true outputs
    dim : length of the joint feature map
    """

    plane_features = SparseVector       # type of a plane's features

    def __init__(self, X: Sequence, Y: Sequence[Output], dim: int):
        if len(X) != len(Y):
            raise ValueError(f"{len(X)} inputs but {len(Y)} outputs")
        self.X, self.Y, self.dim = X, Y, dim

    def __len__(self) -> int:
        return len(self.X)

    # the user's four

    @abstractmethod
    def joint_features(self, x, y: Output) -> np.ndarray:
        """phi(x, y), an array of length `dim`."""

    @abstractmethod
    def loss(self, y: Output, y_hat: Output) -> float:
        """L(y, y_hat), zero for y = y_hat, never negative."""

    @abstractmethod
    def predict(self, x, w: np.ndarray) -> Output:
        """argmax over y' of <w, phi(x, y')>."""

    @abstractmethod
    def separate(self, x, y: Output, w: np.ndarray) -> Output:
        """argmax over y' of <w, phi(x, y')> + L(y, y')."""

    # what solvers ask

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        """The model zero."""
        return LinearModel(self.dim, np.float64, averaging=averaging)

    def size(self, i: int) -> int:
        """How many parts the output of example i has."""
        return 1

    def best(self, i: int, model) -> Output:
        """Prediction for example i."""
        return self.predict(self.X[i], model.weights())

    def most_violated(self, i: int, model, weight: float = 1.) -> Output:
        """Output of the separation oracle for example i, its loss times weight."""
        return self.separate(self.X[i], self.Y[i], model.weights() / weight)

    def all_most_violated(self, model, *, n_jobs: int = 1, stop: Stop = lambda: False
                          ) -> tuple[list[Output], np.ndarray]:
        """The oracle's outputs for all examples, and their hinge losses.

        Ends early, with what it has, when `stop` says so.
        """
        outputs, hinges = [], []
        for i in range(len(self)):
            if stop():
                break
            y_hat = self.most_violated(i, model)
            outputs.append(y_hat)
            hinges.append(self.example_loss(i, y_hat)
                          - model.dot(i, self.difference(i, y_hat)))
        return outputs, np.array(hinges)

    def example_loss(self, i: int, y_hat: Output) -> float:
        return self.loss(self.Y[i], y_hat)

    def difference(self, i: int, y_hat: Output) -> SparseVector:
        """a(y_hat) = phi(x_i, y_i) - phi(x_i, y_hat)."""
        x = self.X[i]
        return sparse_vector(
            np.asarray(self.joint_features(x, self.Y[i]), dtype=float)
            - np.asarray(self.joint_features(x, y_hat), dtype=float))

    def fingerprint(self) -> str:
        """What tells this problem from others, for checkpoints."""
        return f"{type(self).__name__} of {len(self)} examples, {self.dim} features"

    # blocks of dual variables, for block-coordinate solvers

    def empty_block(self, i: int) -> Block:
        """All of the share with the true output: nothing is violated."""
        return Block([SparseVector(np.zeros(0, np.int64), np.zeros(0))],
                     np.zeros(1), np.ones(1), np.zeros((1, 1)))

    def extend(self, i: int, block: Block, y_hat: Output) -> Block:
        """The block with y_hat among its outputs."""
        output, loss = self.difference(i, y_hat), self.example_loss(i, y_hat)
        for other, other_loss in zip(block.outputs, block.losses):
            if loss == other_loss and all(map(np.array_equal, output, other)):
                return block
        dense = np.zeros(self.dim)
        sparse_add(dense, *output, 1.)
        return block.with_output(output, loss, np.array(
            [sparse_dot(dense, *other) for other in [*block.outputs, output]]))

    def violations(self, i: int, block: Block, model) -> np.ndarray:
        """loss(y) - <w, a(y)> of the block's outputs."""
        return block.losses - [model.dot(i, output) for output in block.outputs]

    def mixture(self, i: int, block: Block, alpha: np.ndarray) -> SparseVector:
        """The sum of share * a(y) over the block's outputs."""
        total = np.zeros(self.dim)
        for output, share in zip(block.outputs, alpha):
            sparse_add(total, *output, share)
        return sparse_vector(total)

    def pack_blocks(self, blocks: Sequence[Block]) -> dict[str, np.ndarray]:
        """Blocks as arrays, for a checkpoint."""
        return {"block_sizes": np.array([len(block.alpha) for block in blocks]),
                "block_losses": np.concatenate([block.losses for block in blocks]),
                "block_alphas": np.concatenate([block.alpha for block in blocks]),
                "block_grams": np.concatenate([block.gram.ravel() for block in blocks]),
                **self.pack_outputs([o for block in blocks for o in block.outputs])}

    def unpack_blocks(self, arrays) -> list[Block]:
        sizes = arrays["block_sizes"]
        ends = np.cumsum(sizes)[:-1]
        outputs = self.unpack_outputs(arrays, np.repeat(np.arange(len(sizes)), sizes))
        grams = np.split(arrays["block_grams"], np.cumsum(sizes**2)[:-1])
        return [
            Block(outputs[end - size:end], losses, alpha, gram.reshape(size, size))
            for end, size, losses, alpha, gram in zip(
                np.cumsum(sizes), sizes, np.split(arrays["block_losses"], ends),
                np.split(arrays["block_alphas"], ends), grams)]

    def pack_outputs(self, outputs: list) -> dict[str, np.ndarray]:
        """What blocks keep of outputs, as arrays."""
        return {"output_sizes": np.array([len(output.indices) for output in outputs]),
                "output_indices": np.concatenate([o.indices for o in outputs]),
                "output_values": np.concatenate([o.values for o in outputs])}

    def unpack_outputs(self, arrays, examples: np.ndarray) -> list:
        """The outputs, given the number of the example of each."""
        ends = np.cumsum(arrays["output_sizes"])[:-1]
        return list(map(SparseVector, np.split(arrays["output_indices"], ends),
                        np.split(arrays["output_values"], ends)))

    # cutting planes, for one-slack solvers

    def plane(self, outputs: Sequence[Output]) -> Plane:
        """The constraint of one output for each example."""
        total = np.zeros(self.dim)
        loss = 0.
        for i, y_hat in enumerate(outputs):
            sparse_add(total, *self.difference(i, y_hat), 1 / len(self))
            loss += self.example_loss(i, y_hat) / len(self)
        return Plane(loss, sparse_vector(total))

    def inner_products(self, plane: Plane, others: Sequence[Plane]) -> np.ndarray:
        """<a, a'> of a plane with others: a row of H (4.8)."""
        dense = np.zeros(self.dim)
        sparse_add(dense, *plane.features, 1.)
        return np.array([sparse_dot(dense, *other.features) for other in others])

    def combine(self, alpha: np.ndarray, planes: Sequence[Plane]):
        """The model sum of alpha_j a_j (4.2)."""
        total = np.zeros(self.dim)
        for weight, plane in zip(alpha, planes):
            sparse_add(total, *plane.features, weight)
        model = self.new_model()
        model.w = total.astype(model.w.dtype)
        return model

    def pack_planes(self, planes: Sequence[Plane]) -> dict[str, np.ndarray]:
        """Planes as arrays, for a checkpoint."""
        return {"plane_losses": np.array([plane.loss for plane in planes]),
                **{f"plane_{number}_{name}": array
                   for number, plane in enumerate(planes)
                   for name, array in plane.features._asdict().items()}}

    def unpack_planes(self, arrays) -> list[Plane]:
        return [Plane(float(loss), self.plane_features(*(
                    arrays[f"plane_{number}_{name}"]
                    for name in self.plane_features._fields)))
                for number, loss in enumerate(arrays["plane_losses"])]
