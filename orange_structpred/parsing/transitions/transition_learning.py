"""Transitions learned as solvers learn: pass by pass, with reports and checkpoints."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.errors import InputError
from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.row_learning import ROW_SENTENCES, choose_row_bits
from orange_structpred.parsing.transitions.beam_search import learn_beam
from orange_structpred.parsing.transitions.transition_model import (
    MOST_TRANSITION_BITS,
    TEMPLATES,
    TRANSITION_C,
    TRANSITION_ROWS_PER_TOKEN,
    TransitionModel,
)
from orange_structpred.parsing.transitions.transition_system import (
    COLUMNS,
    TransitionSystem,
    run_sentences,
)
from orange_structpred.svm.solver import Clock, Solution, Solver
from orange_structpred.treebank.encoding import Encoded


class TransitionProblem:
    """Sentences and their trees, from which transitions are learned.

    Parameters
    ----------
    encoded : the sentences
    system : whether edges may cross, and how many may depend on the root
    beam : configurations that are kept side by side
    """

    def __init__(self, encoded: Encoded, system: TransitionSystem, beam: int):
        self.encoded, self.system, self.beam = encoded, system, beam
        self.bits = choose_row_bits(len(encoded.heads), TRANSITION_ROWS_PER_TOKEN,
                                    MOST_TRANSITION_BITS)

    def __len__(self) -> int:
        return len(self.encoded)

    def gold(self, i: int) -> np.ndarray:
        return self.encoded.heads[self.encoded.offsets[i]:self.encoded.offsets[i + 1]]

    def best_of(self, examples: Integers, model: TransitionModel
                ) -> list[np.ndarray]:
        """Predicted heads, with the root's -1 first."""
        part = self.encoded.select(np.asarray(examples))
        heads = model.flat_heads(part, single_root=self.system.single_root)
        return np.split(heads, part.offsets[1:-1])

    def losses_of(self, examples: Integers, outputs: Sequence[np.ndarray]
                  ) -> np.ndarray:
        """Shares of wrong heads."""
        return np.array([np.mean(self.gold(i)[1:] != heads[1:])
                         for i, heads in zip(examples, outputs)])

    def learn(self, order: np.ndarray, weights: np.ndarray, late: np.ndarray, C: float,
              begin: int, step: int, *, greedily: bool) -> int:
        """Change the weights by sentences in an order; the number of steps so far."""
        data = self.encoded
        shift = np.uint32(32 - self.bits)
        if greedily:
            return run_sentences(
                order, data.offsets, data.tokens, data.heads, TEMPLATES, weights, late,
                shift, self.system, C * TRANSITION_C, begin, step,
                np.empty(0, np.int32))
        return learn_beam(
            order, data.offsets, data.tokens, data.heads, TEMPLATES, weights, late, shift,
            self.system, self.beam, C, begin, step)

    def fingerprint(self) -> str:
        data = fingerprint(self.encoded.offsets, self.encoded.tokens, self.encoded.heads)
        return (f"{len(self)} sentences {data} transitions bits={self.bits} "
                f"beam={self.beam} single_root={self.system.single_root}"
                + self.system.swaps * " swaps")


class TransitionSolver(Solver):
    """MIRA on transitions, averaged over the later half of the passes.

    Greedily, each transition is a step. With a beam, the first quarter of the passes is
    greedy; in the others each sentence is a step. C is the largest step of sentences,
    and that of single transitions in units of TRANSITION_C.
    """

    certificate = False

    def check_examples(self, problem: TransitionProblem) -> None:
        if not len(problem):
            raise InputError("there are no examples to learn from")

    def run(self, problem: TransitionProblem, clock: Clock, start) -> Solution:
        weights = np.zeros(COLUMNS << problem.bits, np.float32)
        late = np.zeros_like(weights)
        first = step = begin = 0
        state = self.load_checkpoint(problem, clock)
        if state is not None:
            weights[:], late[:] = state["weights"], state["late"]
            first, step, begin = (int(state[name]) for name in ("passes", "step", "begin"))
        n = len(problem)
        parts = max(1, n // ROW_SENTENCES)
        for pass_ in range(first, self.passes):
            greedily = problem.beam == 1 or pass_ < self.passes // 4
            if pass_ == self.passes // 4 and not greedily:
                weights -= late / np.float32(max(1, step - begin))
                late[:], begin, step = 0, 0, 0
            if pass_ == self.passes // 2:
                late[:], begin = 0, step
            for k, part in enumerate(np.array_split(self.order(pass_, n), parts)):
                step = problem.learn(part, weights, late, self.C, begin, step,
                                     greedily=greedily)
                clock.oracle_calls += len(part)
                clock.look(pass_ + 1, (pass_ + (k + 1) / parts) / self.passes)
                if clock.stopped:
                    break
            model = self.averaged(problem, weights, late, step - begin)
            if clock.stopped:
                break
            clock.report(pass_ + 1, (pass_ + 1) / self.passes, end_of_pass=True,
                         norm=float(np.linalg.norm(model.weights)),
                         **self.losses(problem, model, clock, pass_ + 1))
            self.save_checkpoint(problem, clock, passes=pass_ + 1, step=step, begin=begin,
                                 weights=weights, late=late)
            if clock.stopped:
                break
        return Solution(self.averaged(problem, weights, late, step - begin),
                        clock.reports, stopped=clock.stopped)

    def averaged(self, problem: TransitionProblem, weights: np.ndarray, late: np.ndarray,
                 steps: int) -> TransitionModel:
        return TransitionModel(thin_out(weights - late / np.float32(max(1, steps))),
                               problem.beam, problem.system.swaps)
