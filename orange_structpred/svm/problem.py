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

from orange_structpred.svm.linear import LinearModel

Output = Any
Stop = Callable[[], bool]


class SparseVector(NamedTuple):
    """Places, each at most once, and the values there."""

    places: np.ndarray
    values: np.ndarray


class Block(NamedTuple):
    """The dual variables of one example: a convex combination of outputs.

    mixture : what the combination looks like; the problem knows
    loss : the combination's loss
    """

    mixture: Any
    loss: float


class Plane(NamedTuple):
    """A cutting plane: mean loss, and what the problem keeps of its features."""

    loss: float
    features: Any


class Problem(ABC):
    """Examples (x, y) and the four questions of a structural SVM.

    Parameters
    ----------
    X : inputs
    Y : their true outputs
    dim : length of the joint feature map
    """

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
        """phi(x_i, y_i) - phi(x_i, y_hat)."""
        x = self.X[i]
        delta = (np.asarray(self.joint_features(x, self.Y[i]), dtype=float)
                 - np.asarray(self.joint_features(x, y_hat), dtype=float))
        places = np.flatnonzero(delta)
        return SparseVector(places, delta[places])

    # dual variables of an example, for block-coordinate solvers

    def empty_block(self, i: int) -> Block:
        """All weight on the true output: nothing is violated."""
        return Block(np.zeros(self.dim), 0.)

    def direction(self, i: int, block: Block, y_hat: Output) -> SparseVector:
        """From the block's mixture of differences to that of y_hat."""
        places, values = self.difference(i, y_hat)
        way = -block.mixture
        way[places] += values
        places = np.flatnonzero(way)
        return SparseVector(places, way[places])

    def move(self, i: int, block: Block, y_hat: Output, gamma: float) -> Block:
        """The block after a step of length gamma towards y_hat."""
        places, values = self.difference(i, y_hat)
        mixture = (1 - gamma) * block.mixture
        mixture[places] += gamma * values
        return Block(mixture, (1 - gamma) * block.loss
                     + gamma * self.example_loss(i, y_hat))

    def add_blocks(self, model, blocks: Sequence[Block], scale: float) -> None:
        """Add the mixtures' differences to a model."""
        for i, block in enumerate(blocks):
            places = np.flatnonzero(block.mixture)
            model.add(i, SparseVector(places, block.mixture[places]), scale)

    def pack_blocks(self, blocks: Sequence[Block]) -> dict[str, np.ndarray]:
        """Blocks as arrays, for a checkpoint."""
        return {"block_losses": np.array([block.loss for block in blocks]),
                "mixtures": np.array([block.mixture for block in blocks])}

    def unpack_blocks(self, arrays) -> list[Block]:
        return [Block(mixture, float(loss)) for mixture, loss
                in zip(arrays["mixtures"], arrays["block_losses"])]

    def fingerprint(self) -> str:
        """What tells this problem from others, for checkpoints."""
        return f"{type(self).__name__} of {len(self)} examples, {self.dim} features"

    # cutting planes, for one-slack solvers

    def plane(self, outputs: Sequence[Output]) -> Plane:
        """The constraint of one output for each example."""
        total = np.zeros(self.dim)
        loss = 0.
        for i, y_hat in enumerate(outputs):
            places, values = self.difference(i, y_hat)
            total[places] += values
            loss += self.example_loss(i, y_hat)
        return Plane(loss / len(self), total / len(self))

    def inner_products(self, plane: Plane, others: Sequence[Plane]) -> np.ndarray:
        """<a, a'> of a plane with others: a row of H (4.8)."""
        return np.array([plane.features @ other.features for other in others])

    def combine(self, alpha: np.ndarray, planes: Sequence[Plane]):
        """The model sum of alpha_j a_j (4.2)."""
        model = self.new_model()
        for weight, plane in zip(alpha, planes):
            model.w += (weight * plane.features).astype(model.w.dtype)
        return model
