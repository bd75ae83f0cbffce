"""Trained models with kernels: as an index of sentences, or as weights."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFile
from orange_structpred.files.schema import (
    Anything,
    Array,
    DictOf,
    ListOf,
    Number,
    Optional,
    Record,
    Schema,
    Text,
    Value,
    Whole,
)
from orange_structpred.kernels import FeatureMap
from orange_structpred.kernels.base import InputKernel
from orange_structpred.kernels.make import kernel_from_params
from orange_structpred.parsing.decoding.decoders import DECODERS, PROJECTIVE
from orange_structpred.parsing.features.contributions import (
    Contribution,
    distance_name,
    edge_feature_names,
)
from orange_structpred.parsing.features.edge_templates import distance_slot
from orange_structpred.parsing.kernel.hash_functions import HashFunctions, function_name
from orange_structpred.parsing.kernel.hashed_edges import edge_sums, number_edges
from orange_structpred.parsing.kernel.kernel_problem import decode_kernel_chunk
from orange_structpred.parsing.kernel.linear_problem import (
    MAX_LINEAR_BITS,
    InputFeatures,
    LinearProblem,
    input_features,
    own_linear_scores,
)
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.svm.atomic.hashed_symbols import HashedSymbols
from orange_structpred.svm.atomic.index_model import (
    IndexModel,
    TrainedIndex,
    kept_support,
)
from orange_structpred.svm.atomic.numbering import Numbering
from orange_structpred.svm.atomic.symbol_index import (
    Index,
    fixed_index,
    own_scores,
)
from orange_structpred.svm.linear import LinearModel
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.sentence import Sentence

SAMPLE = Sentence("1\tIt\tit\tPRON\tPRP\t_\t0\troot\t_\t_")    # to try a kernel on
#: What headers of both kinds of models hold
HASHED_HEADER: dict[str, Value] = {
    "hashes": Record({"names": ListOf(Text(200), 1000),
                      "weights": ListOf(Number(0), 1000),
                      "buckets": Optional(Whole(1, 1 << 62))}),
    "clusters": Optional(DictOf(Whole(0, (1 << 31) - 1))),
    "kernel": Anything()}


class HashedModel(TreeModel):
    """What both kinds of kernel models share: hash functions, values, decoding."""

    _numbering: Numbering | None = None     # made when first needed, not kept in files

    def __init__(self, hashes: HashFunctions, known: np.ndarray,
                 clusters: dict[str, int] | None):
        self.hashes, self.clusters = hashes, clusters
        self.known = np.ascontiguousarray(known, np.uint64)

    def __getstate__(self) -> dict:
        return {name: value for name, value in vars(self).items()
                if not name.startswith("_")}

    def hashed(self, sentences: Sequence[Sentence]) -> tuple[Encoded, HashedSymbols]:
        encoded = self.encode(sentences)
        return encoded, number_edges(sentences, encoded, self.hashes,
                                     self.numbering().look_up)

    def encode(self, sentences: Sequence[Sentence]) -> Encoded:
        return encode(sentences).with_clusters(sentences, self.clusters)

    def heads(self, *arguments, **options) -> list[np.ndarray]:
        self.bind()
        return super().heads(*arguments, **options)

    def chunk_heads(self, sentences: Sequence[Sentence], encoded: Encoded, decoder: int,
                    single_root: bool, net_scores) -> list[np.ndarray]:
        encoded = encoded.with_clusters(sentences, self.clusters)
        hashed = number_edges(sentences, encoded, self.hashes, self.numbering().look_up)
        return self.decode(sentences, encoded, hashed, decoder, single_root)

    def bind(self) -> None:
        """Make what is made when first needed, before threads need it."""
        self.numbering()

    def numbering(self) -> Numbering:
        if self._numbering is None:
            self._numbering = Numbering(self.known)
        return self._numbering

    @abstractmethod
    def decode(self, sentences: Sequence[Sentence], encoded: Encoded,
               hashed: HashedSymbols, decoder: int, single_root: bool) -> list[np.ndarray]:
        """The heads of each sentence."""

    @abstractmethod
    def own_scores(self, sentences: Sequence[Sentence], hashed: HashedSymbols
                   ) -> np.ndarray:
        """The scores of the hash values of a sentence."""

    def edge_scores(self, sentence: Sentence, decoder: int = PROJECTIVE,
                    single_root: bool = True) -> np.ndarray:
        _, hashed = self.hashed([sentence])
        return edge_sums(hashed, 0, len(sentence) + 1,
                         self.own_scores([sentence], hashed))

    def function_scores(self, sentence: Sentence) -> np.ndarray:
        """scores[function, head, dependent]: what each of the hash functions that were
        named adds to the score of an edge."""
        encoded, hashed = self.hashed([sentence])
        edges = self.hashes.edges(sentence, encoded.tokens)
        length, n = len(sentence) + 1, len(self.hashes.names)
        edge = np.repeat(np.arange(length**2), np.diff(edges.starts))
        scores = np.bincount(
            np.array(self.hashes.order)[edges.functions] * length**2 + edge,
            self.own_scores([sentence], hashed)[hashed.local], n * length**2)
        return scores.reshape(n, length, length).transpose(0, 2, 1)

    def value_names(self, sentence: Sentence, head: int, dependent: int) -> list[str]:
        """The edge's hash values in words, in the order of its values."""
        names = list(edge_feature_names(self.hashes.texts, sentence, head, dependent))
        edges = self.hashes.edges(sentence, self.encode([sentence]).tokens)
        edge = dependent * (len(sentence) + 1) + head
        functions = edges.functions[edges.starts[edge]:edges.starts[edge + 1]]
        distance = f" at {distance_name(distance_slot(head, dependent))}"
        directed = [*self.hashes.directed, *[False] * len(self.hashes.functions)]
        names += map(function_name, self.hashes.functions)
        return [name + (distance if directed[k] else "")
                for name, k in zip(names, functions)]

    # in and out

    def header(self) -> dict:
        return {"hashes": self.hashes.params(), "clusters": self.clusters}


class KernelModel(TrainedIndex, HashedModel):
    """An index from hash values to training sentences with coefficients.

    Parameters
    ----------
    hashes : when two edges are equal
    known : the hash values in the index
    kernel, support, index, transform : see `TrainedIndex`
    """

    kind = "kernel"
    decoders = tuple(DECODERS)

    def __init__(self, hashes, kernel: InputKernel, support: list[Sentence],
                 known: np.ndarray, index: Index, clusters=None,
                 transform: np.ndarray | None = None):
        HashedModel.__init__(self, hashes, known, clusters)
        TrainedIndex.__init__(self, kernel, support, index, transform)

    @classmethod
    def from_solution(cls, model: IndexModel, hashes, kernel, sentences, known,
                      clusters, input_transform: np.ndarray | None = None) -> KernelModel:
        """Keep what has a coefficient: values, entries and sentences.

        input_transform : matrix that unlabelled sentences, or landmarks, led to, see
            `kept_support`
        """
        kept = kept_support(model, input_transform)
        return cls(hashes, kernel, [sentences[i] for i in kept.examples],
                   known[kept.values], kept.entries, clusters, kept.transform)

    def bind(self) -> None:
        super().bind()
        self.bind_kernel()

    def decode(self, sentences, encoded, hashed, decoder, single_root):
        heads = np.empty_like(encoded.heads)
        decode_kernel_chunk(
            0, len(sentences), hashed, self.index, self.gram(sentences),
            encoded.offsets, encoded.heads, 1., 0., decoder, single_root, heads,
            np.zeros(len(sentences)))
        return encoded.split(heads)

    def own_scores(self, sentences, hashed: HashedSymbols) -> np.ndarray:
        return own_scores(self.index, hashed, 0, self.gram(sentences)[0])

    def contributions(self, sentence: Sentence, head: int, dependent: int,
                      heads: np.ndarray | None = None) -> list[Contribution]:
        """What each sentence that others are compared with adds to the score of the edge."""
        _, hashed = self.hashed([sentence])
        edge = dependent * (len(sentence) + 1) + head
        coefficients = np.zeros(
            len(self.support) if self.transform is None else self.transform.shape[1])
        for k in hashed.local[hashed.starts[edge]:hashed.starts[edge + 1]]:
            value = hashed.ids[k]
            if value >= 0:
                part = slice(*self.index.starts[value:value + 2])
                indices = self.index.examples[part]
                np.add.at(coefficients, indices,
                          hashed.factors[k] * self.index.coefficients[part])
        if self.transform is not None:
            coefficients = self.transform @ coefficients
        total = self.kernel_values([sentence])[0] * coefficients
        return [Contribution(f"{self.support[i].sent_id}: {self.support[i].text}".lstrip(
            ": "), float(total[i])) for i in np.flatnonzero(total)]

    def header(self) -> dict:
        return {**super().header(), "kernel": self.kernel.params(),
                "support": [sentence.block for sentence in self.support]}

    def arrays(self) -> dict[str, np.ndarray]:
        return {"known": self.known, "filled": self.index.filled,
                "sentences": self.index.examples,
                "coefficients": self.index.coefficients,
                **({} if self.transform is None else {"transform": self.transform})}

    schema = Schema(
        header={**HASHED_HEADER, "support": ListOf(Text(1 << 20, lines=True))},
        arrays={"known": Array("uint64", "values", distinct=True),
                "sentences": Array("int32", "entries", low=0),
                "coefficients": Array("float64", "entries"),
                "filled": Array("int32", "values", low=0, total="entries"),
                "transform": Array("float32", ("support", "examples"), optional=True)})

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> KernelModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        width = arrays["transform"].shape[1] if "transform" in arrays else len(
            header["support"])
        if arrays["sentences"].max(initial=-1) >= width:
            raise InputError("the entries of the index do not fit the sentences")
        model = cls(HashFunctions(**header["hashes"]), kernel_from_params(header["kernel"]),
                    [Sentence(block) for block in header["support"]], arrays["known"],
                    fixed_index(arrays["filled"], arrays["sentences"],
                               arrays["coefficients"]), header["clusters"],
                    arrays.get("transform"))
        model.gram([SAMPLE])            # what is wrong with the kernel is found now
        return model


class LinearKernelModel(HashedModel):
    """Weights for each hash value and each feature of the input kernel."""

    kind = "linear-kernel"
    decoders = tuple(DECODERS)

    def __init__(self, hashes, features: FeatureMap, known: np.ndarray,
                 weights: np.ndarray, clusters=None):
        super().__init__(hashes, known, clusters)
        self.features, self.weights = features, weights

    @property
    def crowded(self) -> bool:
        return len(self.known) * self.features.n_features > len(self.weights)

    def z(self, sentences) -> InputFeatures:
        return input_features(self.features(sentences))

    def decode(self, sentences, encoded, hashed, decoder, single_root):
        problem = LinearProblem(
            encoded, hashed, len(self.known), self.z(sentences), self.features.n_features,
            decoder, single_root, dim=len(self.weights))
        return problem.decode_all(LinearModel.of(self.weights))

    def own_scores(self, sentences, hashed):
        return own_linear_scores(hashed, 0, self.weights, self.z(sentences),
                                 self.features.n_features, self.crowded)

    def contributions(self, sentence: Sentence, head: int, dependent: int,
                      heads: np.ndarray | None = None) -> list[Contribution]:
        """What each hash value of the edge adds to its score."""
        _, hashed = self.hashed([sentence])
        scores = self.own_scores([sentence], hashed)
        edge = dependent * (len(sentence) + 1) + head
        indices = hashed.local[hashed.starts[edge]:hashed.starts[edge + 1]]
        return [Contribution(name, float(scores[index])) for name, index in zip(
            self.value_names(sentence, head, dependent), indices) if scores[index]]

    def header(self) -> dict:
        return {**super().header(), "kernel": self.features.kernel.params(),
                "dim": len(self.weights)}

    def arrays(self) -> dict[str, np.ndarray]:
        indices = np.flatnonzero(self.weights)
        return {"known": self.known, "indices": indices,
                "values": self.weights[indices],
                **{f"map_{name}": array
                   for name, array in self.features.arrays.items()}}

    schema = Schema(
        header={**HASHED_HEADER, "dim": Whole(1, 1 << MAX_LINEAR_BITS)},
        arrays={"known": Array("uint64", "values", distinct=True),
                "indices": Array("int64", "weighted", low=0, below="dim"),
                "values": Array("float32", "weighted")})

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> LinearKernelModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        kernel = kernel_from_params(header["kernel"])
        fitted = file.arrays({
            f"map_{array_name}": array
            for array_name, array in kernel.feature_schema().items()}, name)
        features = FeatureMap(kernel, {
            array_name.removeprefix("map_"): array for array_name, array in fitted.items()})
        dim = header["dim"]
        if dim & (dim - 1) or features([SAMPLE]).shape != (1, features.n_features):
            raise InputError("the weights do not fit their features")
        weights = np.zeros(dim, np.float32)
        weights[arrays["indices"]] = arrays["values"]
        return cls(HashFunctions(**header["hashes"]), features, arrays["known"], weights,
                   header["clusters"])
