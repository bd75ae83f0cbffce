"""The Nystroem approximation: a kernel from its values at a few landmarks."""
from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.files.schema import Array
from orange_structpred.kernels.base import BoundKernel, InputKernel, Values
from orange_structpred.kernels.errors import KernelError, check_gram, describe_input
from orange_structpred.kernels.features import FeatureMap
from orange_structpred.kernels.input_texts import INPUT_TEXTS
from orange_structpred.kinds import MOST_SEEDS, WholeNumber

# Directions in which landmarks differ less than this (of the largest) are rounding.
_RANK = 1e-6
#: Kinds of landmarks: their class, what makes a text of one, and what reads it
LANDMARK_TEXTS: dict[str, tuple[type, Callable, Callable]] = {
    **INPUT_TEXTS, "string": (str, str, str), "list": (list, json.dumps, json.loads),
    "vector": (np.ndarray, lambda x: json.dumps(x.tolist()),
               lambda text: np.array(json.loads(text), float))}


class Expansion(NamedTuple):
    """An approximation as a sum over landmarks: k~(x, x_j) = (k(x, landmarks) M)_j.

    numbers : of the landmarks among the inputs
    transform : the matrix M, with a column for each input
    gram : values of the approximation between all inputs
    """

    numbers: np.ndarray
    transform: np.ndarray
    gram: np.ndarray


class Nystroem(InputKernel):
    """Approximates a kernel by features z(x) = k(x, landmarks) K^(-1/2).

    K is the Gram matrix of the landmarks, a random sample of the training inputs. The
    cost of a model grows linearly with the number of sentences, not with its square. The
    approximation is exact between landmarks. It must be fitted, by `fit` or
    `feature_map`, before values can be computed.

    Parameters
    ----------
    kernel : InputKernel
    landmarks : int, default=300
    random_state : int, default=0

    Attributes
    ----------
    features_ : FeatureMap
    """

    name = "nystroem"
    options = {"landmarks": WholeNumber(1, 10**5), "random_state": WholeNumber(0, MOST_SEEDS)}
    # Which landmarks were drawn is not in params().

    def __init__(self, kernel: InputKernel, *, landmarks: int = 300,
                 random_state: int = 0):
        self.kernel = kernel
        self.landmarks = landmarks
        self.random_state = random_state
        if not isinstance(kernel, InputKernel):
            raise KernelError(f"kernel {self.name!r}: found {kernel!r}, expected an "
                              "input kernel (see make_kernel)")
        self.__post_init__()
        self.features_: FeatureMap | None = None

    def params(self) -> dict:
        return {**super().params(), "of": self.kernel.params()}

    def __repr__(self) -> str:
        return (f"Nystroem({self.kernel!r}, landmarks={self.landmarks}, "
                f"random_state={self.random_state})")

    def fit(self, inputs: Sequence) -> Nystroem:
        """Draw the landmarks from these inputs."""
        self.feature_map(inputs)
        return self

    def feature_map(self, inputs: Sequence) -> FeatureMap:
        self.features_ = FeatureMap(self, self.fit_features(inputs))
        return self.features_

    def fit_features(self, inputs: Sequence) -> dict[str, np.ndarray]:
        landmarks = self.draw(inputs)
        return {"landmarks": _as_bytes(landmarks), "projection": self._projection(landmarks)}

    def _projection(self, landmarks: Sequence) -> np.ndarray:
        """K^(-1/2), where it is not rounding."""
        gram = self.kernel.gram(landmarks).astype(np.float64)
        values, vectors = np.linalg.eigh(gram)
        kept = values > _RANK * values.max()
        return vectors[:, kept] / np.sqrt(values[kept])

    def expansion(self, inputs: Sequence, *, n_jobs: int = 1) -> Expansion:
        """For models that are an index of inputs: only landmarks are compared with others,
        by the kernel that is approximated."""
        numbers = self.draw_numbers(inputs)
        landmarks = [inputs[i] for i in numbers]
        projection = self._projection(landmarks)
        features = projection.T @ self.kernel.gram(landmarks, inputs, n_jobs=n_jobs)
        check_gram(len(inputs), len(inputs))
        narrow = features.astype(np.float32)
        return Expansion(numbers, (projection @ features).astype(np.float32),
                         narrow.T @ narrow)

    def draw(self, inputs: Sequence) -> list:
        """The landmarks among these inputs."""
        return [inputs[i] for i in self.draw_numbers(inputs)]

    def draw_numbers(self, inputs: Sequence) -> np.ndarray:
        """The numbers of the landmarks among these inputs, sorted."""
        if not len(inputs):
            raise KernelError(f"kernel {self.name!r} needs inputs to draw landmarks "
                              "from")
        return np.sort(np.random.default_rng(self.random_state).choice(
            len(inputs), min(self.landmarks, len(inputs)), replace=False))

    def prepare_features(self, arrays: dict[str, np.ndarray],
                         ) -> tuple[BoundKernel, np.ndarray]:
        landmarks, projection = _from_bytes(arrays["landmarks"]), arrays["projection"]
        if len(landmarks) != len(projection):
            raise KernelError(f"kernel {self.name!r}: found {len(landmarks)} landmarks, "
                              f"expected {len(projection)}")
        return self.kernel.bind(landmarks), projection

    def feature_schema(self) -> dict[str, Array]:
        return {"landmarks": Array("uint8", "bytes"),
                "projection": Array("float64", ("landmarks", "features"))}

    def features(self, prepared: tuple[BoundKernel, np.ndarray],
                 inputs: Sequence) -> np.ndarray:
        bound, projection = prepared
        return (bound.gram(inputs) @ projection).astype(np.float32)

    def reference(self, columns: Sequence) -> np.ndarray:
        if self.features_ is None:
            raise KernelError("kernel 'nystroem' has no landmarks yet; call "
                              "fit(training inputs) first")
        return self.features_(columns).astype(np.float64)

    def values(self, reference: np.ndarray, columns: Sequence,
               rows: Sequence | None) -> Values:
        features = reference if rows is None else self.reference(rows)
        return lambda start, stop, first: features[start:stop] @ reference[first:].T

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        return (self.reference(inputs) ** 2).sum(axis=1)


def _as_bytes(landmarks: Sequence) -> np.ndarray:
    """Inputs as an array that a model can save without pickle."""
    texts = []
    for number, x in enumerate(landmarks):
        try:
            texts.append(next((name, text(x)) for name, (kind, text, _)
                              in LANDMARK_TEXTS.items() if isinstance(x, kind)))
        except (StopIteration, TypeError, ValueError):
            raise KernelError(f"kernel 'nystroem': {describe_input(x, number)} is a "
                              f"{type(x).__name__}, expected a Sentence, a Tree, a string, "
                              "a list of strings or numbers, or a vector") from None
    return np.frombuffer(json.dumps(texts).encode(), dtype=np.uint8)


def _from_bytes(array: np.ndarray) -> list:
    try:
        return [LANDMARK_TEXTS[kind][2](text) for kind, text in json.loads(array.tobytes())]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise KernelError(f"kernel 'nystroem': found landmarks that cannot be read "
                          f"({error!s:.100})") from error
