"""A user's own structure with kernels: symbols, hash values and a construction."""
from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.svm.atomic.hashed_symbols import (
    HashedExample,
    HashedSymbols,
    join_examples,
    symbol_sums,
    symbol_vector,
)
from orange_structpred.svm.problem import Output, Problem, check_lengths
from orange_structpred.svm.vectors import SparseVector, sum_equal_indices

Symbol = Hashable
#: Examples whose true outputs `construct` has to find
CONSTRUCTED = 20


class AtomicProblem(Problem):
    """Outputs that are sets of symbols (thesis, chapter 4 and appendix B.1.2).

    A subclass defines three methods: `symbols`, `hash` and `construct`. Two symbols of
    two examples are alike in each hash value that they share, and the atomic output
    kernel counts what two outputs have in common: its feature map (`featureMap` in the
    thesis) counts hash values (Lemma 4.2.1). With an input kernel, as in
    ``StructuredSVM(Tags, kernel=Ngram(n=3))``, the joint kernel is the product of both,
    and a model is an index from hash values to training examples with coefficients.
    Without one, this is a problem with explicit features like any other.

    The loss is the generalized Hamming loss of section 4.3: the number of wrong and
    missing symbols over twice the number of true ones. `similarity` makes it softer. If
    you replace `loss`, replace `loss_weights`, too; `check_problem` compares them.

    Parameters
    ----------
    X : inputs
    Y : their true outputs; None at prediction
    """

    X: Sequence

    def __init__(self, X: Sequence, Y: Sequence[Output]):
        check_lengths(len(X), len(Y))
        self.X, self.Y = X, Y
        self._numbers: dict[int, dict[Symbol, int]] = {}
        self._true_parts: dict[int, np.ndarray] = {}
        self._n_symbols: dict[int, int] = {}

    # the user's three

    @abstractmethod
    def symbols(self, x) -> Sequence[Symbol]:
        """All symbols that outputs of x may have, in any fixed order: hashable values,
        for example (position, tag)."""

    @abstractmethod
    def hash(self, symbol: Symbol, x) -> Hashable | list[Hashable]:
        """When two symbols are alike: a hash value, or a list of several."""

    @abstractmethod
    def construct(self, weights: np.ndarray, x) -> Output:
        """The output of x whose symbols have the highest sum of weights.

        The solution of the pre-image problem (4.17; `preImage` in the thesis):
        weights[k] is the sufficient weight of the k-th of `symbols(x)`.
        """

    # what a user may replace

    def symbols_of(self, y: Output) -> Iterable[Symbol]:
        """The symbols of an output; outputs are collections of symbols by default."""
        return y

    def similarity(self, symbol: Symbol, other: Symbol) -> float:
        """How right a symbol is where the other one is true: from 0 to 1, and 1 for
        equal ones."""
        return float(symbol == other)

    def _similarity(self, symbol: Symbol, other: Symbol) -> float:
        value = self.similarity(symbol, other)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InputError(f"similarity returned {value!r:.60} for the symbols {symbol!r:.60} "
                             f"and {other!r:.60}; expected a number from 0 to 1") from None

    def loss(self, y, y_hat) -> float:
        """(|y| + |y_hat| - 2 * similarity) / (2 |y|), section 4.3."""
        true, predicted = list(self.symbols_of(y)), list(self.symbols_of(y_hat))
        return float(0.5 * len(true) / max(1, len(true))
                     + self.loss_weights(predicted, y).sum())

    def loss_weights(self, symbols: Sequence[Symbol], y: Output) -> np.ndarray:
        """What each symbol adds to the loss if the true output is y (4.21)."""
        true = list(self.symbols_of(y))
        if type(self).similarity is AtomicProblem.similarity:
            known = set(true)
            right = np.array([symbol in known for symbol in symbols], float)
        else:
            right = np.array([max((self._similarity(symbol, other) for other in true),
                                  default=0.) for symbol in symbols])
        return (0.5 - right) / max(1, len(true))

    # the four

    def joint_features(self, x, y) -> SparseVector:
        """How often y has each hash value; those that no example has are left out."""
        return self._vector(join_examples([self.hash_example(x, self._look_up)]), 0,
                            self._numbers_of(self._symbol_numbers(x), y))

    def predict(self, x, w):
        hashed = join_examples([self.hash_example(x, self._look_up)])
        return self.constructed(x, self._scores(hashed, 0, w))

    def separate(self, x, y, w):
        hashed = join_examples([self.hash_example(x, self._look_up)])
        return self.constructed(x, self._scores(hashed, 0, w)
                                + self.loss_weights(list(self.symbols(x)), y))

    # what solvers ask

    @cached_property
    def known(self) -> dict[Hashable, int]:
        """Numbers of the hash values of all examples."""
        return self._hashed[1]

    @cached_property
    def hashed(self) -> HashedSymbols:
        return self._hashed[0]

    @cached_property
    def dim(self) -> int:  # type: ignore[override]  # hashed when it is first asked for
        return len(self.known)

    @cached_property
    def _hashed(self) -> tuple[HashedSymbols, dict[Hashable, int]]:
        return self.hash_all({})

    def hash_all(self, known: dict[Hashable, int]
                 ) -> tuple[HashedSymbols, dict[Hashable, int]]:
        """Hash values of all examples; new ones get numbers."""
        def assign(value: Hashable) -> int:
            return known.setdefault(value, len(known))

        return self._hash_all(assign), known

    def look_up_all(self, known) -> HashedSymbols:
        """Hash values of all examples with the numbers of known ones, -1 for others."""
        return self._hash_all(lambda value: known.get(value, -1))

    def _hash_all(self, number: Callable[[Hashable], int]) -> HashedSymbols:
        return join_examples([self.hash_example(x, number, i)
                              for i, x in enumerate(self.X)])

    def hash_example(self, x, number: Callable[[Hashable], int], i: int | None = None
                     ) -> HashedExample:
        """Hash values of all symbols of an input; `number` makes ids of them."""
        numbers: dict[Hashable, int] = {}
        starts, local = [0], []
        for symbol in self._listed_symbols(x, i):
            values = self._called("hash", i, symbol, x)
            for value in values if isinstance(values, list) else [values]:
                try:
                    local.append(numbers.setdefault(value, len(numbers)))
                except TypeError:
                    value = None
                if value is None or value != value or isinstance(value, Iterator):
                    raise InputError(
                        f"hash returned {values!r} for the symbol {symbol!r}"
                        f"{for_example(i)}; expected a string, number or tuple, or a list "
                        "of them")
            starts.append(len(local))
        for value in numbers:
            if isinstance(value, tuple) and any(item != item for item in value):
                raise InputError(f"hash returned {value!r}{for_example(i)}; NaN never "
                                 "equals anything, so such symbols would never match")
        return HashedExample(
            np.fromiter(map(number, numbers), np.int32, len(numbers)),
            np.ones(len(numbers), np.float32), np.array(starts, np.int32),
            np.array(local, np.int32))

    def check_outputs(self):
        """All true outputs must consist of symbols of their inputs."""
        for i in range(len(self)):
            self.parts(i, self.gold(i))
        super().check_outputs()
        self.check_construction()

    def check_construction(self) -> None:
        """Warn if `construct` does not find true outputs where they are clearly best:
        their symbols have the weight 1, all others -1."""
        tried = np.unique(np.linspace(0, len(self) - 1, CONSTRUCTED).astype(int)).tolist()
        missed = {}
        for i in tried:
            weights = np.full(self.n_symbols(i), -1.)
            weights[self.true_parts(i)] = 1
            y_hat = self.constructed(self.X[i], weights, i)
            if not np.array_equal(self.parts(i, y_hat), self.true_parts(i)):
                missed[i] = y_hat
        if missed:
            i, y_hat = next(iter(missed.items()))
            warnings.warn(
                f"{type(self).__name__}.construct returns {output_text(y_hat)} for example "
                f"{i}, but the true output, {output_text(self.gold(i))}, has a higher sum "
                f"of weights. It misses {len(missed)} of {len(tried)} true outputs where "
                "their symbols alone have weights above 0; it should return the output "
                "with the highest sum, of all that an input may have", stacklevel=2)

    def parts(self, i: int, y: Output) -> np.ndarray:
        """The numbers of an output's symbols, sorted."""
        return self._numbers_of(self.symbol_numbers(i), y, i)

    def output_score(self, x, y, w):
        """The sum of the weights of the symbols of y; `as_program` takes weights of the
        symbols, as `construct` does."""
        return float(w[self._numbers_of(self._symbol_numbers(x), y)].sum())

    def symbol_numbers(self, i: int) -> dict[Symbol, int]:
        """The symbols of example i with their numbers; made when first needed."""
        if i not in self._numbers:
            self._numbers[i] = self._symbol_numbers(self.X[i], i)
        return self._numbers[i]

    def n_symbols(self, i: int) -> int:
        """How many symbols example i has."""
        if i not in self._n_symbols:
            self._n_symbols[i] = len(self._listed_symbols(self.X[i], i))
        return self._n_symbols[i]

    def constructed(self, x, weights: np.ndarray, i: int | None = None) -> Output:
        """The output with the highest sum of weights."""
        return self._called("construct", i, weights, x)

    def best(self, i, model):
        return self.constructed(self.X[i], self._scores(self.hashed, i, model.weights()), i)

    def most_violated(self, i, model, weight=1.):
        return self.constructed(
            self.X[i], self._scores(self.hashed, i, model.weights())
            + weight * self.example_loss_weights(i), i)

    @property
    def _plain_loss(self) -> bool:
        """Whether the loss is that of 4.3, which numbers of symbols tell."""
        kind = type(self)
        return (kind.loss is AtomicProblem.loss
                and kind.loss_weights is AtomicProblem.loss_weights
                and kind.similarity is AtomicProblem.similarity)

    def true_parts(self, i: int) -> np.ndarray:
        """The numbers of the true symbols of example i, remembered."""
        if i not in self._true_parts:
            self._true_parts[i] = self.parts(i, self.gold(i))
        return self._true_parts[i]

    def example_loss(self, i, y_hat):
        return self.loss_of_parts(i, y_hat, None)

    def loss_of_parts(self, i: int, y_hat: Output, parts: np.ndarray | None) -> float:
        """The loss of an output of example i; `parts` are its symbols, if they are known."""
        # complains of what is no output, whatever the loss would make of it
        predicted = self.parts(i, y_hat) if parts is None else parts
        if not self._plain_loss:
            return super().example_loss(i, y_hat)
        true = self.true_parts(i)
        common = np.intersect1d(true, predicted, assume_unique=True)
        return (len(true) + len(predicted) - 2 * len(common)) / (2 * max(1, len(true)))

    def example_loss_weights(self, i: int) -> np.ndarray:
        """`loss_weights` of all symbols of example i."""
        if self._plain_loss:
            true = self.true_parts(i)
            weights = np.full(self.n_symbols(i), 0.5 / max(1, len(true)))
            weights[true] *= -1
            return weights
        weights = np.asarray(self.loss_weights(list(self.symbol_numbers(i)), self.gold(i)))
        if weights.shape != (len(self.symbol_numbers(i)),):
            raise InputError(f"loss_weights has the shape {weights.shape}{for_example(i)}; "
                             f"expected ({len(self.symbol_numbers(i))},), a number for "
                             "each symbol")
        return weights

    # within

    def _look_up(self, value: Hashable) -> int:
        return self.known.get(value, -1)

    def _vector(self, hashed: HashedSymbols, i: int, parts: np.ndarray) -> SparseVector:
        hashes, values = symbol_vector(hashed, i, parts, np.ones(len(parts), np.float32))
        ids = hashed.ids[hashed.unique[i] + hashes].astype(np.int64)
        return SparseVector(*sum_equal_indices(ids[ids >= 0], values[ids >= 0]))

    @staticmethod
    def _scores(hashed: HashedSymbols, i: int, w: np.ndarray) -> np.ndarray:
        ids = hashed.ids[hashed.unique[i]:hashed.unique[i + 1]]
        weights = np.where(ids >= 0, w[ids], 0.) if len(w) else np.zeros(len(ids))
        return symbol_sums(hashed, i, all_symbols(hashed, i), weights)

    def _listed_symbols(self, x, i: int | None = None) -> list[Symbol]:
        symbols = self._called("symbols", i, x)
        if not isinstance(symbols, Iterable):
            raise InputError(f"symbols returned {symbols!r:.60}{for_example(i)}; expected a "
                             "list of symbols")
        return list(symbols)

    def _symbol_numbers(self, x, i: int | None = None) -> dict[Symbol, int]:
        symbols = self._listed_symbols(x, i)
        try:
            numbers = {symbol: k for k, symbol in enumerate(symbols)}
        except TypeError as error:
            raise InputError(f"symbols returned {symbols[0]!r}{for_example(i)}, which is "
                             "not hashable; expected tuples, strings or numbers") from error
        if len(numbers) < len(symbols):
            raise InputError(f"symbols returned a symbol twice{for_example(i)}; expected "
                             "each symbol once")
        return numbers

    def _numbers_of(self, numbers: dict[Symbol, int], y: Output, i: int | None = None
                    ) -> np.ndarray:
        try:
            symbols = list(self.symbols_of(y))
            parts = np.array(sorted({numbers[symbol] for symbol in symbols}), np.int64)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            missing = f"the symbol {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(
                f"the output {output_text(y)}{for_example(i)} is not valid: {missing} is "
                "not among `symbols`" if isinstance(error, KeyError) else
                f"the output {output_text(y)}{for_example(i)} is not a set of symbols "
                f"({missing}); does `symbols_of` fit what `construct` returns?") from error
        if len(parts) < len(symbols):
            raise InputError(f"the output {output_text(y)}{for_example(i)} has a symbol twice")
        return parts

    def _called(self, name: str, i: int | None, *arguments) -> Any:
        return call_method(self, name, i, *arguments)


def call_method(problem: Problem, name: str, i: int | None, *arguments) -> Any:
    """A user's method; what goes wrong in it names it and the example."""
    try:
        return getattr(problem, name)(*arguments)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{type(problem).__name__}.{name} failed{for_example(i)}: "
                         f"{type(error).__name__}: {error}") from error


def ask(problem: Problem, name: str, i: int, *arguments) -> Any:
    """The answer of a method that a user's problem may have, about example i."""
    if not hasattr(problem, name):
        raise InputError(f"{type(problem).__name__} has no method `{name}`; define it")
    return call_method(problem, name, i, *arguments)


def ask_list(problem: Problem, name: str, expected: str, i: int, *arguments) -> Iterable:
    """The same where the answer is a list of something."""
    answer = ask(problem, name, i, *arguments)
    if not isinstance(answer, Iterable):
        raise InputError(f"{name} returned {answer!r:.60} for example {i}; expected "
                         f"{expected}")
    return answer


def all_symbols(hashed: HashedSymbols, i: int) -> np.ndarray:
    """The numbers of all symbols of example i."""
    return np.arange(hashed.symbols[i + 1] - hashed.symbols[i] - 1)


def for_example(i: int | None) -> str:
    return "" if i is None else f" for example {i}"


def output_text(y: Output) -> str:
    text = repr(y)
    return text if len(text) <= 60 else text[:57] + "..."
