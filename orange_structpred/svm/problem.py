"""What a solver knows of the thing that it learns.

A user's problem is four methods, those of the thesis's appendix B.1.1:
`joint_features`, `loss`, `predict` and `separate`. The solvers ask about numbered
examples; the answers that this class gives by way of the four methods can be
overridden by compiled ones: the oracle (`best`, `most_violated`, `oracle`) and the
feature vectors (`difference`). Dual variables and cutting planes are the solvers'
own business (`svm.blocks`, `svm.planes`). Whatever else some problems can do is declared
here, too, with what the others answer: no solver asks what kind of problem it has.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.errors import InputError
from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.svm.blocks import Blocks
from orange_structpred.svm.distributed import ClusterOracle, Oracle
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.planes import LinearPlanes
from orange_structpred.svm.programs import IntegerProgram, one_of
from orange_structpred.svm.vectors import (
    NO_FEATURES,
    SparseVector,
    are_equal,
    has_no_gaps,
    indices_within,
    linear_combination,
    merge_difference,
    sparse_vector,
    vector_product,
)

if TYPE_CHECKING:
    from orange_structpred.running.cluster import Cluster

Output = Any


class Indexed(Protocol):
    """Inputs or outputs, by the numbers of their examples."""

    def __len__(self) -> int: ...

    def __getitem__(self, i: int, /) -> Any: ...


ROUNDING = 1e-9            # losses of this size are zero
MOST_KEPT = 1 << 22         # entries of feature vectors of true outputs


class NotListedError(InputError):
    """A problem that does not list the outputs of an input."""


class Separated(NamedTuple):
    """The oracle's answers for some examples, one after the other."""

    outputs: Sequence[Output]
    losses: np.ndarray
    hinges: np.ndarray      # loss(y_hat) - <w, a(y_hat)>


class KeptVectors:
    """Features of true outputs, as many as fit.

    outputs : whose features they are; a copy of a problem may get others
    """

    def __init__(self, outputs: Indexed):
        self.outputs = outputs
        self.vectors: dict[int, SparseVector] = {}
        self.room = MOST_KEPT

    def keep(self, i: int, vector: SparseVector) -> SparseVector:
        vector = vector._replace(values=vector.values.copy())   # a user's may change
        if vector.indices.size <= self.room:
            self.room -= vector.indices.size
            self.vectors[i] = vector
        return vector

    def __reduce__(self):
        return KeptVectors, (self.outputs,)     # what is computed again is not sent


def check_lengths(n_inputs: int, n_outputs: int) -> None:
    """Complain unless there is one output for each input."""
    if n_inputs != n_outputs:
        raise InputError(f"{n_inputs} inputs but {n_outputs} outputs")


class Problem(ABC):
    """Examples (x, y) and the four questions of a structural SVM.

    Parameters
    ----------
    X : inputs
    Y : their true outputs
    dim : length of the joint feature map
    """

    #: examples that a thread takes at a time; between two chunks one can stop
    chunk_size = 1
    #: whether there are kernel values (`gram`), from which some solvers learn alone
    has_kernels: ClassVar[bool] = False
    #: whether outputs have probabilities, see `svm.likelihood.LikelihoodProblem`
    has_likelihood: ClassVar[bool] = False
    _kept: KeptVectors | None = None

    def __init__(self, X: Indexed, Y: Indexed, dim: int):
        check_lengths(len(X), len(Y))
        self.X: Indexed = X
        self.Y: Indexed = Y
        self.dim = dim

    def __len__(self) -> int:
        return len(self.X)

    # the user's four

    @abstractmethod
    def joint_features(self, x, y: Output):
        """phi(x, y): an array of length `dim`, a scipy sparse row or a SparseVector."""

    @abstractmethod
    def loss(self, y: Output, y_hat: Output) -> float:
        """L(y, y_hat), zero for y = y_hat, never negative."""

    @abstractmethod
    def predict(self, x, w: np.ndarray) -> Output:
        """argmax over y' of <w, phi(x, y')>."""

    @abstractmethod
    def separate(self, x, y: Output, w: np.ndarray) -> Output:
        """argmax over y' of <w, phi(x, y')> + L(y, y')."""

    def output_score(self, x, y: Output, w: np.ndarray) -> float:
        """<w, phi(x, y)>"""
        vector = sparse_vector(self.joint_features(x, y))
        return float(vector.values @ w[vector.indices])

    # a fifth, for outputs that can be listed

    def outputs(self, x) -> Iterable[Output]:
        """All outputs of x, where they are few: for checks and slack rescaling."""
        raise NotListedError(f"{type(self).__name__} has no method `outputs` that lists "
                             "the outputs of an input")

    # a sixth, for constraints at prediction

    def as_program(self, x, w: np.ndarray) -> IntegerProgram:
        """The outputs of x as solutions of an integer program: by default, one that has a
        variable for each of them."""
        try:
            outputs = list(self.outputs(x))
        except NotListedError:
            raise InputError(f"{type(self).__name__} cannot be constrained: it has neither "
                             "a method `as_program` nor a method `outputs`") from None
        return IntegerProgram(
            np.array([self.output_score(x, y, w) for y in outputs]),
            [one_of([range(len(outputs))], len(outputs))], outputs,
            lambda z: outputs[int(np.argmax(z))])

    # what solvers ask

    def check_outputs(self) -> None:
        """Raise an InputError for true outputs that cannot be learned."""
        if abs(loss := self.example_loss(0, self.gold(0))) > ROUNDING:
            raise InputError(f"the loss of the true output of the first example is {loss}; "
                             "it must be zero")

    def gold(self, i: int) -> Output:
        """The true output of example i."""
        return self.Y[i]

    def size(self, i: int) -> int:
        """The number of parts that outputs of example i have."""
        return 1

    def best(self, i: int, model) -> Output:
        """Prediction for example i."""
        return self.predict(self.X[i], model.weights())

    def most_violated(self, i: int, model, weight: float = 1.) -> Output:
        """Output of the separation oracle for example i, its loss times weight."""
        return self.separate(self.X[i], self.Y[i], model.weights(1 / weight))

    def best_by_loss(self, i: int, model) -> Iterable[Output]:
        """For each value that the loss of example i can have, an output with the
        highest score among those with this loss (001, section 3.2): what slack
        rescaling and quadratic slack choose from."""
        return self.outputs(self.X[i])

    def oracle(self, first: int, last: int, model) -> Separated:
        """The most violated outputs of examples first..last - 1.

        A pure function of the examples and the model, for threads, processes and
        the workers of a cluster alike.
        """
        outputs = [self.most_violated(i, model) for i in range(first, last)]
        losses = np.array([self.example_loss(i, y_hat)
                           for i, y_hat in enumerate(outputs, first)])
        margins = [model.dot(i, self.difference(i, y_hat))
                   for i, y_hat in enumerate(outputs, first)]
        return Separated(outputs, losses, losses - margins)

    def violated(self, first: int, last: int, model) -> Separated:
        """The oracle's answers, with the true output where they violate nothing.

        The true output is an output too, even where the oracle cannot return it (a
        projective decoder, an approximate search): no hinge loss is below 0.
        """
        separated = self.oracle(first, last, model)
        negative = np.flatnonzero(separated.hinges < 0)
        if not negative.size:
            return separated
        outputs = list(separated.outputs)
        for k in negative:
            outputs[k] = self.gold(first + k)
        losses, hinges = separated.losses.copy(), separated.hinges.copy()
        losses[negative] = hinges[negative] = 0
        return Separated(outputs, losses, hinges)

    def example_loss(self, i: int, y_hat: Output) -> float:
        loss = self.loss(self.gold(i), y_hat)
        try:
            loss = float(loss)
        except (TypeError, ValueError):
            raise InputError(f"the loss of an output for example {i} is {loss!r:.60}; expected "
                             "a number") from None
        if not loss > -ROUNDING:
            raise InputError(f"the loss of an output for example {i} is {loss}; a loss must "
                             "not be negative")
        return loss

    def best_of(self, examples: Integers, model) -> Sequence[Output]:
        """Predictions for some examples."""
        return [self.best(i, model) for i in examples]

    def losses_of(self, examples: Integers, outputs: Sequence[Output]) -> np.ndarray:
        """Losses of outputs of some examples."""
        return np.array([self.example_loss(i, y) for i, y in zip(examples, outputs)])

    def difference(self, i: int, y_hat: Output) -> SparseVector:
        """a(y_hat) = phi(x_i, y_i) - phi(x_i, y_hat)."""
        true, other = self.true_features(i), self.feature_vector(i, y_hat)
        if not true.indices.size:
            return SparseVector(other.indices, -other.values)
        if has_no_gaps(true) and true.indices is other.indices:
            return NO_FEATURES if are_equal(true.values, other.values) \
                else SparseVector(true.indices, true.values - other.values)
        return SparseVector(*merge_difference(*true, *other))

    def sum_of_differences(self, first: int, outputs: Sequence[Output],
                           factors: np.ndarray) -> SparseVector:
        """The sum of factor * a(y_hat) over examples from `first` on."""
        return linear_combination([self.difference(i, y_hat)
                                   for i, y_hat in enumerate(outputs, first)], factors)

    def true_features(self, i: int) -> SparseVector:
        """phi(x_i, y_i), which is computed once, as far as there is memory for it."""
        if self._kept is None or self._kept.outputs is not self.Y:
            self._kept = KeptVectors(self.Y)
        return self._kept.vectors.get(i) or self._kept.keep(
            i, self.feature_vector(i, self.Y[i]))

    def feature_vector(self, i: int, y: Output) -> SparseVector:
        """phi(x_i, y), checked: compiled code trusts it."""
        try:
            vector = sparse_vector(self.joint_features(self.X[i], y))
        except InputError as error:
            raise InputError(f"example {i}: {error}") from error
        if not (vector.indices.size <= self.dim if has_no_gaps(vector)
                else indices_within(vector.indices, self.dim)):
            outside = vector.indices[(vector.indices < 0) | (vector.indices >= self.dim)]
            raise InputError(
                f"joint_features has the index {outside.max()} for example {i}; "
                f"expected 0 to dim - 1 = {self.dim - 1}")
        return vector

    def fingerprint(self) -> str:
        """Identifies this problem, for checkpoints and warm starts: by all its public
        attributes, which are its data and settings."""
        data = {name: value for name, value in vars(self).items()
                if not name.startswith("_")
                and not isinstance(getattr(type(self), name, None), cached_property)}
        return (f"{type(self).__name__} of {len(self)} examples, {self.dim} features, "
                f"{fingerprint(data)}")

    def oracle_of(self, cluster: Cluster | None, n_jobs: int = 1) -> Oracle:
        """The oracle over all examples, on threads or on the workers of a cluster."""
        return Oracle(self, n_jobs) if cluster is None else ClusterOracle(self, cluster)

    # how solvers keep w; kernel models keep it differently

    def new_model(self, *, averaging: bool = False) -> Any:
        """The model zero: a LinearModel, or that of a problem with kernels."""
        return LinearModel(self.dim, np.float64, averaging=averaging)

    def vector_products(self, i: int, vector: SparseVector, others: Sequence[SparseVector]
                        ) -> np.ndarray:
        """<a(y), a(y')> of differences of example i."""
        return np.array([vector_product(vector, other) for other in others])

    def new_planes(self, examples: Problem | None = None) -> LinearPlanes:
        """Arithmetic of cutting planes; `examples` is this problem with weights."""
        return LinearPlanes(examples or self)

    def new_blocks(self, examples: Problem | None = None) -> Blocks:
        """Arithmetic of dual variables; `examples` as in `new_planes`."""
        return Blocks(examples or self)

    # weights of examples, see `svm.weighted`

    def example_weights(self) -> np.ndarray:
        """How much each example counts; their mean is 1."""
        return np.ones(len(self))

    def unweighted(self) -> Problem:
        """The same problem, whose examples all count alike."""
        return self
