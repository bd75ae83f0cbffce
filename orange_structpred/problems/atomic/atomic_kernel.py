"""Atomic problems times an input kernel, and the models that are learned from them."""
from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.kernels import InputKernel, Nystroem
from orange_structpred.problems.atomic.atomic_problem import (
    AtomicProblem,
    all_symbols,
    ask,
    ask_list,
)
from orange_structpred.svm.atomic.hashed_symbols import HashedSymbols, symbol_sums
from orange_structpred.svm.atomic.index_model import (
    AveragedModel,
    IndexModel,
    TrainedIndex,
    kept_support,
)
from orange_structpred.svm.atomic.joint_kernel import JointKernelProblem
from orange_structpred.svm.atomic.laplacian import (
    Smoothness,
    smoothed_gram,
    smoothing_transform,
)
from orange_structpred.svm.atomic.symbol_index import Index
from orange_structpred.svm.problem import Output, Separated


class AtomicKernelProblem(JointKernelProblem):
    """An `AtomicProblem` with a joint kernel, input kernel x atomic output kernel.

    Parameters
    ----------
    problem : symbols, hash values and construction
    hashed, n_values : hash values of its symbols, and how many values there are
    gram : float32 matrix of the input kernel
    """

    def __init__(self, problem: AtomicProblem, hashed: HashedSymbols, n_values: int,
                 gram: np.ndarray):
        super().__init__(range(len(problem)), problem.Y, n_values)
        self.problem = problem
        self.hashed, self.gram = hashed, gram

    def loss(self, y, y_hat):
        return self.problem.loss(y, y_hat)

    def outputs(self, x):
        return self.problem.outputs(self.problem.X[x])

    # what solvers ask

    def check_outputs(self):
        self.problem.check_outputs()

    def parts(self, i, y):
        return self.problem.true_parts(i) if y is self.Y[i] else self.problem.parts(i, y)

    def best(self, i, model):
        y_hat = self.problem.constructed(
            self.problem.X[i], self.sufficient_weights(i, model), i)
        self.problem.parts(i, y_hat)        # complains of what is no output
        return y_hat

    def most_violated(self, i, model, weight=1.):
        return self.problem.constructed(
            self.problem.X[i], self.sufficient_weights(i, model)
            + weight * self.problem.example_loss_weights(i), i)

    def example_loss(self, i, y_hat):
        return self.problem.example_loss(i, y_hat)

    def oracle(self, first, last, model):
        """One example after the other, so that each is scored once."""
        outputs, losses, hinges = [], np.zeros(last - first), np.zeros(last - first)
        for k, i in enumerate(range(first, last)):
            weights = self.sufficient_weights(i, model)
            y_hat = self.problem.constructed(
                self.problem.X[i], weights + self.problem.example_loss_weights(i), i)
            parts = self.problem.parts(i, y_hat)
            losses[k] = self.problem.loss_of_parts(i, y_hat, parts)
            hinges[k] = losses[k] + weights[parts].sum() - weights[
                self.problem.true_parts(i)].sum()
            outputs.append(y_hat)
        return Separated(outputs, losses, hinges)

    def sufficient_weights(self, i: int, model: IndexModel) -> np.ndarray:
        """Those of all symbols of example i (4.20)."""
        symbols = all_symbols(self.hashed, i)
        weights = self.part_scores(i, symbols, model)
        if model.penalty:
            weights -= model.penalty * symbol_sums(
                self.hashed, i, symbols, np.ones(self.hashed.unique[i + 1]
                                                 - self.hashed.unique[i]))
        return weights

    # more than the best output

    def output_score(self, x, y, w):
        return float(self.sufficient_weights(x, w)[self.parts(x, y)].sum())

    def k_best(self, x: int, w: IndexModel, k: int) -> list[tuple[Output, float]]:
        """The best outputs and the sums of their sufficient weights."""
        weights = self.sufficient_weights(x, w)
        return [(y, float(weights[self.parts(x, y)].sum())) for y in ask_list(
            self.problem, "construct_k_best", "a list of outputs", x, weights,
            self.problem.X[x], k)]

    def as_program(self, x, w):
        return self.problem.as_program(self.problem.X[x], self.sufficient_weights(x, w))

    def probabilities(self, x: int, w: IndexModel) -> Any:
        return ask(self.problem, "marginals", x, self.sufficient_weights(x, w),
                   self.problem.X[x])

    def fingerprint(self):
        if self._digest is None:    # matrices are large
            self._digest = fingerprint(self.problem.X, self.problem.Y, self.hashed,
                                       self.gram)
        return (f"{type(self.problem).__name__} of {len(self)} examples, joint kernel="
                f"{self._digest}")


class KnownValues(Protocol):
    """Numbers of hash values."""

    def get(self, value: Hashable, default: int, /) -> int: ...

    def __len__(self) -> int: ...


class AtomicModel(TrainedIndex):
    """A trained model: an index from hash values to training inputs with coefficients.

    Parameters
    ----------
    known : numbers of the hash values in the index
    numbers : of `support` among the training inputs; unlabelled ones come after them
    penalty : of k(symbol, symbol) in sufficient weights, see `RidgeModel`
    kernel, support, index, transform : see `TrainedIndex`
    """

    def __init__(self, kernel: InputKernel, support: Sequence, known: KnownValues,
                 index: Index, numbers: np.ndarray, transform: np.ndarray | None = None,
                 penalty: float = 0.):
        super().__init__(kernel, support, index, transform)
        self.known, self.numbers, self.penalty = known, numbers, penalty

    @classmethod
    def from_solution(cls, model: IndexModel, kernel: InputKernel, inputs: Sequence,
                      known: dict[Hashable, int],
                      input_transform: np.ndarray | None = None,
                      numbers: np.ndarray | None = None) -> AtomicModel:
        """Keep what has a coefficient.

        input_transform : matrix that unlabelled inputs, or landmarks, led to, see
            `kept_support`
        numbers : of `inputs` among the training inputs, if these are others
        """
        kept = kept_support(model, input_transform)
        new = {int(value): k for k, value in enumerate(kept.values)}
        return cls(kernel, [inputs[i] for i in kept.examples],
                   {value: new[k] for value, k in known.items() if k in new},
                   kept.entries,
                   kept.examples if numbers is None else numbers[kept.examples],
                   kept.transform, model.penalty)

    def bind(self, problem: AtomicProblem) -> tuple[AtomicKernelProblem, AveragedModel]:
        """A problem of new inputs, and this model as it sees them."""
        bound = AtomicKernelProblem(problem, problem.look_up_all(self.known),
                                    len(self.known), self.gram(problem.X))
        model = AveragedModel(bound, self.index)
        model.penalty = self.penalty
        return bound, model


class PreparedProblem(NamedTuple):
    """What a kernel makes of training inputs.

    problem : with its Gram matrix
    known : numbers of its hash values
    kernel : that compares `inputs` with others
    inputs : labelled and unlabelled ones, or the landmarks among these
    input_transform : matrix that the unlabelled ones, or the landmarks, led to
    numbers : of the landmarks
    """

    problem: AtomicKernelProblem
    known: dict[Hashable, int]
    kernel: InputKernel
    inputs: Sequence
    input_transform: np.ndarray | None = None
    numbers: np.ndarray | None = None

    def model(self, solution: IndexModel) -> AtomicModel:
        return AtomicModel.from_solution(solution, self.kernel, self.inputs, self.known,
                                         self.input_transform, self.numbers)


def prepare_problem(problem: AtomicProblem, kernel: InputKernel, *, n_jobs: int = 1,
                    unlabelled: Sequence = (), smoothness: Smoothness | None = None
                    ) -> PreparedProblem:
    """The problem of training inputs with its Gram matrix."""
    if not len(problem):
        raise InputError("there are no examples to learn from")
    hashed, known = problem.hash_all({})
    inputs = [*problem.X, *unlabelled]
    input_transform = numbers = None
    if isinstance(kernel, Nystroem):
        numbers, input_transform, gram = kernel.expansion(inputs, n_jobs=n_jobs)
        kernel, inputs = kernel.kernel, [inputs[i] for i in numbers]
    else:
        gram = kernel.gram(inputs, n_jobs=n_jobs)
    if len(unlabelled):
        smoothing = smoothing_transform(gram, len(problem), smoothness or Smoothness())
        gram = smoothed_gram(gram, smoothing)
        input_transform = (smoothing if input_transform is None
                           else input_transform @ smoothing)
    return PreparedProblem(AtomicKernelProblem(problem, hashed, len(known), gram), known,
                           kernel, inputs, input_transform, numbers)
