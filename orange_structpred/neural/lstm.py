"""A layer of long short-term memory that reads sentences from both sides."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.neural.sequences import PackedSteps
from orange_structpred.neural.weights import Initial, Weights, linear_scale
from orange_structpred.running.compiler import njit

# Hyperbolic tangents that the compiler can make of vector instructions.
#
# tanh(x) is a quotient of polynomials of degree 9 and 8, which were fitted so that their
# largest error between -8 and 8 is smallest. It is 6e-9; with rounding in single precision
# it is below 4e-7. All coefficients come as numbers of the values' own precision: one that
# is written into compiled code is a double, and so would all else become. They come in a
# tuple, since the compiler cannot know that an array is not written to meanwhile.

TANH_LIMIT = 8.     # beyond, it is 1
_NUMERATOR = (9.99999970e-01, 1.34381895e-01, 3.56415424e-03, 2.17732155e-05,
              1.50617692e-08)
_DENOMINATOR = (1., 4.67715103e-01, 2.61360085e-02, 3.39917634e-04, 8.45364490e-07)
_TANH = np.array([TANH_LIMIT, 0.5, *_NUMERATOR, *_DENOMINATOR])
_COEFFICIENTS = {np.dtype(kind): tuple(_TANH.astype(kind))
                 for kind in (np.float32, np.float64)}


def tanh_coefficients(dtype: np.dtype) -> tuple:
    """What `tanh` and `sigmoid` need for values of this precision."""
    return _COEFFICIENTS[np.dtype(dtype)]


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def tanh(x, coefficients):
    limit = coefficients[0]
    x = min(max(x, -limit), limit)
    u = x * x
    above = (((coefficients[6] * u + coefficients[5]) * u + coefficients[4]) * u
             + coefficients[3]) * u + coefficients[2]
    below = (((coefficients[11] * u + coefficients[10]) * u + coefficients[9]) * u
             + coefficients[8]) * u + coefficients[7]
    return x * above / below


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def sigmoid(x, coefficients):
    half = coefficients[1]
    return half + half * tanh(half * x, coefficients)


class Trace(NamedTuple):
    """What `backward` needs of one direction; packed rows, see `PackedSteps`.

    gates : input, forget and output gates, and the new content
    cells : the memory
    tanhs : of the memory
    hidden : the outputs
    """

    gates: np.ndarray
    cells: np.ndarray
    tanhs: np.ndarray
    hidden: np.ndarray


class BiLSTM:
    """Long short-term memory from left to right and from right to left.

    Parameters
    ----------
    inputs : number of columns of the inputs
    size : of each direction's memory; the outputs have twice as many columns
    """

    def __init__(self, name: str, inputs: int, size: int):
        self.inputs, self.size = inputs, size
        self._matrix, self._recurrent, self._bias = (
            f"{name}.{part}" for part in ("matrix", "recurrent", "bias"))

    def initial(self) -> dict[str, Initial]:
        size = self.size
        return {self._matrix: Initial((self.inputs, 8 * size),
                                      linear_scale(self.inputs, size)),
                self._recurrent: Initial((2, size, 4 * size), linear_scale(size, size)),
                self._bias: Initial((8 * size,))}

    def forward(self, weights: Weights, x: np.ndarray, steps: PackedSteps, *,
                traced: bool = False) -> tuple[np.ndarray, tuple[Trace, Trace]]:
        """The outputs and, if traced, what `backward` needs."""
        return self.read(weights, self.sums(weights, x), steps, traced=traced)

    def sums(self, weights: Weights, x: np.ndarray) -> np.ndarray:
        """What the inputs add to the sums before the activations, in both directions."""
        sums = x @ weights[self._matrix]
        sums += weights[self._bias]
        return sums

    def read(self, weights: Weights, sums: np.ndarray, steps: PackedSteps,
             sum_rows: np.ndarray | None = None, *, traced: bool = False
             ) -> tuple[np.ndarray, tuple[Trace, Trace]]:
        """The same as `forward`, given the sums of the inputs.

        sum_rows : the row of each token among the sums; by default they have the same rows
        """
        y = np.empty((steps.n_rows, 2 * self.size), sums.dtype)
        left, right = (
            self._read(sums, steps.rows[side] if sum_rows is None
                       else sum_rows[steps.rows[side]],
                       weights[self._recurrent][side], steps, side, y, traced)
            for side in (0, 1))
        return y, (left, right)

    def _read(self, sums: np.ndarray, sum_rows: np.ndarray, recurrent: np.ndarray,
              steps: PackedSteps, side: int, y: np.ndarray, traced: bool) -> Trace:
        size, sentences, rows = self.size, steps.n_sentences, steps.rows[side]
        trace = Trace(*(
            np.empty((steps.n_rows if traced else 2 * sentences, width * size), y.dtype)
            for width in (4, 1, 1, 1)))
        coefficients = tanh_coefficients(y.dtype)
        products = np.empty((sentences, 4 * size), y.dtype)
        none = np.zeros((sentences, size), y.dtype)
        before, cells = none, none
        for step, (start, stop) in enumerate(steps):
            n = stop - start
            np.dot(before[:n], recurrent, out=products[:n])
            # without a trace, of this step and of the one before it
            first = start if traced else step % 2 * sentences
            gates, memory, tanhs, hidden = (part[first:first + n] for part in trace)
            step_forward(sums, sum_rows[start:stop], rows[start:stop], side, products,
                         cells, coefficients, gates, memory, tanhs, hidden, y)
            before, cells = hidden, memory
        return trace

    def backward(self, weights: Weights, x: np.ndarray, steps: PackedSteps,
                 traces: tuple[Trace, Trace], dy: np.ndarray) -> np.ndarray:
        """Add to the gradients; that of the inputs is returned."""
        sums = np.empty((len(x), 8 * self.size), x.dtype)
        for side, trace in enumerate(traces):
            gradients = self._read_back(
                weights[self._recurrent][side], steps, side, trace, dy)
            sums[steps.rows[side], 4 * self.size * side:4 * self.size * (side + 1)] = gradients
            first = steps.n_rows - len(steps.before)
            weights.gradient(self._recurrent)[side] += (
                trace.hidden[steps.before].T @ gradients[first:])
        weights.gradient(self._matrix)[...] += x.T @ sums
        weights.gradient(self._bias)[...] += sums.sum(axis=0)
        return sums @ weights[self._matrix].T

    def _read_back(self, recurrent: np.ndarray, steps: PackedSteps, side: int, trace: Trace,
                   dy: np.ndarray) -> np.ndarray:
        """The gradients of one direction's sums, in packed rows."""
        size = self.size
        sums = np.empty_like(trace.gates)
        hidden, cells, none = (np.zeros((steps.n_sentences, size), dy.dtype)
                               for _ in range(3))
        transposed = np.ascontiguousarray(recurrent.T)
        for step in range(len(steps.bounds) - 2, -1, -1):
            start, stop = steps.bounds[step], steps.bounds[step + 1]
            before = trace.cells[steps.bounds[step - 1]:] if step else none
            step_backward(dy, steps.rows[side][start:stop], side, before,
                          trace.gates[start:stop], trace.tanhs[start:stop], hidden,
                          cells, sums[start:stop])
            np.dot(sums[start:stop], transposed, out=hidden[:stop - start])
        return sums


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def step_forward(sums, sum_rows, rows, side, products, before, coefficients, gates, cells,
                 tanhs, hidden, y):
    """One step of all sentences.

    sums, y : by row, see `sum_rows` and `rows`; all else by sentence
    before : the cells of the step before
    """
    size = cells.shape[1]
    for k in range(rows.size):
        row = sums[sum_rows[k], side * 4 * size:]
        product, gate = products[k], gates[k]
        for j in range(3 * size):
            gate[j] = sigmoid(row[j] + product[j], coefficients)
        for j in range(3 * size, 4 * size):
            gate[j] = tanh(row[j] + product[j], coefficients)
        out = y[rows[k], side * size:]
        for j in range(size):
            cell = gate[size + j] * before[k, j] + gate[j] * gate[3 * size + j]
            bent = tanh(cell, coefficients)
            cells[k, j] = cell
            tanhs[k, j] = bent
            hidden[k, j] = gate[2 * size + j] * bent
            out[j] = hidden[k, j]


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def step_backward(dy, rows, side, before, gates, tanhs, hidden, cells, sums):
    """One step back.

    before : the cells of the step before
    hidden, cells : gradients that come from the step after; that of the cells is replaced
        by the one for the step before
    sums : the gradients of the sums before the activations
    """
    size = tanhs.shape[1]
    one = tanhs.dtype.type(1)
    for k in range(rows.size):
        upstream = dy[rows[k], side * size:]
        for j in range(size):
            enter, keep, leave = gates[k, j], gates[k, size + j], gates[k, 2 * size + j]
            content, bent = gates[k, 3 * size + j], tanhs[k, j]
            output = upstream[j] + hidden[k, j]
            cell = cells[k, j] + output * leave * (one - bent * bent)
            sums[k, j] = cell * content * enter * (one - enter)
            sums[k, size + j] = cell * before[k, j] * keep * (one - keep)
            sums[k, 2 * size + j] = output * bent * leave * (one - leave)
            sums[k, 3 * size + j] = cell * enter * (one - content * content)
            cells[k, j] = cell * keep
