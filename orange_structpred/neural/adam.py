"""Adam (Kingma and Ba 2015) with warm-up, linear decay, clipping and averaged weights."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orange_structpred.neural.weights import Weights
from orange_structpred.running.compiler import njit

FIRST_DECAY, SECOND_DECAY = 0.9, 0.95       # decay of the moments
TINY_ROOT = 1e-8
LARGEST_GRADIENT = 5.           # norm to which longer gradients are cut


@dataclass(frozen=True)
class Schedule:
    """The size of steps: it rises, then falls to 0.

    rate : the largest size
    warm_up : share of the training in which it rises
    """

    rate: float
    warm_up: float = 0.05

    def size(self, done: float) -> float:
        """When this share of the training is done."""
        if done < self.warm_up:
            return self.rate * (0.01 + done / self.warm_up)
        return self.rate * (1 - done) / (1 - self.warm_up)


class Adam:
    """The optimiser with its state.

    Parameters
    ----------
    weights : that are learned; their gradients are set to zero after each step
    average : decay of the averaged weights
    """

    def __init__(self, weights: Weights, average: float = 0.995):
        self.weights, self.average = weights, average
        self.first, self.second = (np.zeros_like(weights.values) for _ in range(2))
        self.averaged = weights.values.copy()
        self.steps = self.averages = 0

    def step(self, size: float, *, averaging: bool) -> float:
        """Change the weights; the norm of the gradient is returned. Nothing is changed
        when it is not finite.

        averaging : else the averaged weights are those of this step
        """
        gradients = self.weights.gradients
        norm = float(np.sqrt(np.dot(gradients, gradients)))
        if not np.isfinite(norm):
            return norm
        self.steps += 1
        kind = gradients.dtype.type
        average = 0.
        if averaging:       # over a tenth of the steps at first, so that few are enough
            self.averages += 1
            average = min(self.average, self.averages / (9 + self.averages))
        factor = min(1., LARGEST_GRADIENT / max(norm, TINY_ROOT))
        adam_step(self.weights.values, gradients, self.first, self.second, self.averaged,
                  kind(factor), kind(FIRST_DECAY), kind(SECOND_DECAY),
                  kind(size / (1 - FIRST_DECAY ** self.steps)),
                  kind(1 / np.sqrt(1 - SECOND_DECAY ** self.steps)), kind(TINY_ROOT),
                  kind(average))
        return norm

    def state(self) -> dict[str, np.ndarray]:
        """All that a checkpoint needs."""
        return {"values": self.weights.values.copy(), "first": self.first.copy(),
                "second": self.second.copy(), "averaged": self.averaged.copy(),
                "steps": np.array([self.steps, self.averages])}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Resume from a state; a ValueError if it is one of other weights."""
        self.weights.values[:] = state["values"]
        for name in ("first", "second", "averaged"):
            getattr(self, name)[:] = state[name]
        self.steps, self.averages = map(int, state["steps"])
        self.weights.gradients[:] = 0


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def adam_step(values, gradients, first, second, averaged, factor, decay, decay2, size,
              correction, tiny, average):
    one = values.dtype.type(1)
    for k in range(values.size):
        gradient = factor * gradients[k]
        gradients[k] = 0
        moment = decay * first[k] + (one - decay) * gradient
        moment2 = decay2 * second[k] + (one - decay2) * gradient * gradient
        first[k] = moment
        second[k] = moment2
        value = values[k] - size * moment / (np.sqrt(moment2) * correction + tiny)
        values[k] = value
        averaged[k] = average * averaged[k] + (one - average) * value
