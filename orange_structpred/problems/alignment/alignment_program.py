"""The alignments of a string with its candidates as the solutions of an integer program.

An alignment is a path: from where it starts, over operations, to where it ends. What comes
into a pair of positions leaves it again, so the solutions are exactly the alignments that
Smith-Waterman chooses from.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from orange_structpred.svm.programs import IntegerProgram, one_of


class Steps(NamedTuple):
    """The steps of all alignments with one candidate; int arrays, and their weights.

    A step goes from the positions (i, j), which have been reached in the two strings, to
    (i + down, j + right). Those that start an alignment come from nowhere, those that end
    one lead nowhere.
    """

    i: np.ndarray
    j: np.ndarray
    down: np.ndarray
    right: np.ndarray
    is_start: np.ndarray
    is_end: np.ndarray
    weights: np.ndarray

    def flow(self, n: int, m: int) -> sparse.csr_array:
        """What leaves each pair of positions without what comes into it."""
        from_, to = (self.i * (m + 1) + self.j,
                     (self.i + self.down) * (m + 1) + self.j + self.right)
        steps = np.arange(len(self.i))
        leaves, comes = ~self.is_start, ~self.is_end
        return sparse.csr_array(
            (np.repeat([1., -1.], [leaves.sum(), comes.sum()]),
             (np.concatenate([from_[leaves], to[comes]]),
              np.concatenate([steps[leaves], steps[comes]]))),
            shape=((n + 1) * (m + 1), len(steps)))

    def names(self, candidate: int) -> Iterator[tuple]:
        for i, j, down, right, is_start, is_end in zip(
                *(array.tolist() for array in self[:-1])):
            if is_start or is_end:
                yield candidate, "start" if is_start else "end", i, j
            else:
                yield candidate, i if down else None, j if right else None

    def operations(self, chosen: np.ndarray) -> np.ndarray:
        """Rows of positions in both strings, -1 for none."""
        chosen = chosen & ~self.is_start & ~self.is_end
        i, j, down, right = (array[chosen] for array in self[:4])
        rows = np.column_stack([np.where(down, i, -1), np.where(right, j, -1)])
        return rows[np.argsort(i + j)].astype(np.int32)


def all_steps(native: np.ndarray, string: np.ndarray, substitution: np.ndarray, gap: float
              ) -> Steps:
    n, m = len(native), len(string)
    pairs = np.indices((n + 1, m + 1)).reshape(2, -1)
    parts = []
    for down, right, is_start, is_end in (
            (0, 0, True, False), (1, 1, False, False), (1, 0, False, False),
            (0, 1, False, False), (0, 0, False, True)):
        i, j = pairs[:, (pairs[0] + down <= n) & (pairs[1] + right <= m)]
        weights = substitution[native[i], string[j]] if down and right \
            else np.full(len(i), gap * (down + right))
        parts.append((i, j, *(np.full(len(i), value)
                              for value in (down, right, is_start, is_end)), weights))
    return Steps(*map(np.concatenate, zip(*parts)))


def alignment_program(native: np.ndarray, strings: Sequence[np.ndarray],
                      substitution: np.ndarray, gap: float, bounds: np.ndarray,
                      output: Callable[[int, np.ndarray], object]) -> IntegerProgram:
    """A variable for each candidate, named (candidate,), then those of steps.

    An operation is named (candidate, i, j), with None for i or j in an insertion or a
    deletion; (candidate, "start", i, j) and (candidate, "end", i, j) say before which
    positions the alignment starts, and before which it has ended. A gap is several
    variables of the same name, one for each place where it can be.

    bounds : scores of the best alignments of all candidates, without constraints
    output : of a candidate and its operations
    """
    steps = [all_steps(native, string, substitution, gap) for string in strings]
    k = len(steps)
    flows = [path.flow(len(native), len(string)) for path, string in zip(steps, strings)]
    flow = sparse.block_diag([sparse.csr_array((0, k)), *flows], format="csr")
    # a candidate is chosen if an alignment with it starts
    starts = sparse.hstack([-sparse.eye(k), sparse.block_diag(
        [sparse.csr_array(path.is_start[None, :].astype(float)) for path in steps])],
        format="csr")
    ends = np.cumsum([k, *(len(path.i) for path in steps)])

    def decode(z: np.ndarray):
        candidate = int(np.argmax(z[:k]))
        chosen = z[ends[candidate]:ends[candidate + 1]] > 0
        return output(candidate, steps[candidate].operations(chosen))

    return IntegerProgram(
        np.concatenate([np.zeros(k), *(path.weights for path in steps)]),
        [one_of([range(k)], ends[-1]), LinearConstraint(starts, 0, 0),
         LinearConstraint(flow, 0, 0)],
        [*((candidate,) for candidate in range(k)),
         *(name for candidate, path in enumerate(steps) for name in path.names(candidate))],
        decode,
        [(bound, np.append(candidate, np.arange(*ends[candidate:candidate + 2])))
         for candidate, bound in enumerate(bounds)])
