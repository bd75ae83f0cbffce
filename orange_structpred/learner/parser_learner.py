"""The backend that scripts, the command line and all widgets share."""
from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from Orange.base import Learner
from Orange.data import Table
from sklearn.utils import check_random_state

from orange_structpred.errors import InputError
from orange_structpred.kernels import (
    InputKernel,
    Nystroem,
    cached_gram,
    make_kernel,
)
from orange_structpred.kernels.errors import check_gram
from orange_structpred.learner.calibration import cross_validated_temperature
from orange_structpred.parameters.influence import (
    DEFAULT_HASHES,
    DEFAULTS,
    automatic_name,
    can_vote,
    chosen_order,
    chosen_solver,
    unknown_parameter,
)
from orange_structpred.parameters.kinds import (
    KINDS,
    MOST_SEEDS,
    check_parameters,
    expect,
)
from orange_structpred.parser import Parser
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.decoding.pieces import check_length
from orange_structpred.parsing.features.edge_templates import (
    FIRST_ORDER_GROUPS,
    EdgeFeatures,
)
from orange_structpred.parsing.features.tag_pruning import pruned_edges
from orange_structpred.parsing.first_order.explicit_model import (
    ExplicitModel,
    choose_bits,
    make_feature_indices,
)
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.parsing.kernel.hash_functions import EdgeFunction, HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import check_memory, hash_edges
from orange_structpred.parsing.kernel.kernel_model import KernelModel, LinearKernelModel
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.parsing.kernel.linear_problem import (
    LinearProblem,
    input_features,
)
from orange_structpred.parsing.kernel.split_kernel import SplitKernelProblem
from orange_structpred.parsing.kernel.word_clusters import cluster_words
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.relations.relation_model import (
    RelationModel,
    train_relations,
)
from orange_structpred.parsing.second_order.part_templates import (
    PartFeatures,
    first_order_groups,
)
from orange_structpred.parsing.second_order.pruners import train_pruners
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.parsing.transitions.transition_model import train_transitions
from orange_structpred.parsing.tree_problem import TreeProblem
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.running.cluster import Cluster, connected
from orange_structpred.running.threads import n_threads
from orange_structpred.svm import SOLVERS, Report, Solution, Validation, solve_path
from orange_structpred.svm.mixing import mixed_shards
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.in_memory import training_data
from orange_structpred.treebank.learnable import validation_treebank
from orange_structpred.treebank.on_disk import DiskTreebank
from orange_structpred.treebank.relations import RelationNumbers
from orange_structpred.treebank.seen import training_ids
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from distributed import Client

# Share of non-projective trees from which "auto" allows crossing edges. With 2%
# (English EWT) and 10% (German GSD) of them Eisner's decoder is still the better.
MANY_NONPROJECTIVE = 0.2
KEEP = ("best", "last")         # passes whose parser may be kept
# Sentences that are held out for the temperature: 125 give it with an error of 10%, and
# so few as small treebanks can spare no better than the typical one
ONE_HELD_OUT_IN, MOST_HELD_OUT, FEWEST_SENTENCES = 40, 125, 1000
SECOND_ORDER_WEIGHTS = 80       # for each token, at least


class ParserLearner(Learner):
    """Trains a dependency parser: ``ParserLearner(C=10)(treebank) -> Parser``.

    Parameters
    ----------
    features : {"explicit", "kernel"}
    order : {1, 2}, default=2
        2 also scores siblings and grandparents. It requires explicit, hashed features and
        the decoder projective or rearranged; otherwise the order is 1
    groups : "all" or names of feature groups
        Explicit features only, as are the next two
    min_count : int, default=0
        Give weights only to features seen at least this many times; 0 hashes all of them
    hash_bits : int, default=None
        Hash features into 2^hash_bits weights; None chooses by the treebank's size
    hash : names of hash functions (`HASHES`), templates or Python functions
        Kernels only, as are the following up to `product`
    hash_weights : factors of the hash functions' kernels, default=None (all 1)
    buckets : int, default=None
        Hash each function's values into this many buckets
    kernel : name of an input kernel, an InputKernel, or a function k(x, x')
    kernel_params : dict, default=None
        Parameters of a kernel given by its name
    nystroem : int, default=None
        Approximate the kernel with this many landmarks; the cost is then linear
    vectors : path, default=None
        Word vectors (word2vec's or fastText's text format) for the hash function
        wordVecs; by default they are learned from the treebank
    product : {"index", "hash-table", "naive"}
        How one-slack computes products of cutting planes (Algorithms 7, 5, 4)
    gram_folder : path, default=None
        Folder in which Gram matrices of input kernels are saved for the next run
    C : float, default=1
        Weight of the loss against |w|^2 / 2; for mira, the largest step
    epsilon : float, default=0.01
        Stop when (primal - dual) / C is at most this, if the solver has a dual
    solver : {"auto", "mira", "bcfw", "one-slack", "perceptron", "subgradient"}
        "auto" is mira for explicit features and bcfw for kernels
    passes : int, default=10
        Maximum number of passes over the treebank
    decoder : {"auto", "exact", "projective", "rearranged", "approximate"}
        How edge scores become a tree. "auto" looks at the treebank: projective
        unless a fifth of the trees have crossing edges, then rearranged
    single_root : bool, default=True
        Exactly one token depends on the root
    relations : bool, default=True
        Learn the relations of edges, in a second stage
    calibrate : bool, default=True
        Learn how sure the parser may be: the temperature of its probabilities is fitted
        to a few held-out sentences (one in 40, at most 125), or, with fewer than 1000
        sentences, by cross-validation
    shards : int, default=None
        MIRA and the perceptron with explicit features: make each pass on this many parts
        of the treebank in parallel (n_jobs threads, or a cluster), and mix the weights
        as they go. None is one part; on a cluster, one for every 3,000 sentences
    random_state : int, RandomState or None, default=0
        Seed for the order of the sentences; None uses a different one each time
    n_jobs : int, default=1
        Number of threads: -1 for all processors, -2 for all but one, and so on; it does
        not change the parser
    checkpoint : path, default=None
        File in which progress is saved, and from which an interrupted training resumes
    name : str, default=None
        Name of the parser and of its predictions

    Examples
    --------
    >>> from orange_structpred import load_bundled, ParserLearner
    >>> treebank = load_bundled("en")
    >>> parser = ParserLearner(passes=3)(treebank[:300])
    >>> parsed = parser(treebank[300:])
    >>> list(parsed.predictions)
    ['explicit mira C=1']
    """

    def __init__(self, features: str = "explicit", *, order: int = 2,
                 groups: str | Sequence[str] = "all", min_count: int = 0,
                 hash_bits: int | None = None,
                 hash: str | Sequence[str | EdgeFunction] = DEFAULT_HASHES,
                 hash_weights: Sequence[float] | None = None,
                 buckets: int | None = None,
                 kernel: str | InputKernel | Callable = "constant",
                 kernel_params: Mapping[str, object] | None = None,
                 nystroem: int | None = None,
                 vectors: str | os.PathLike | None = None, product: str = "index",
                 gram_folder: str | os.PathLike | None = None, C: float = 1.,
                 epsilon: float = 0.01, solver: str = "auto", passes: int = 10,
                 decoder: str = "auto", single_root: bool = True,
                 relations: bool = True, calibrate: bool = True,
                 shards: int | None = None,
                 random_state: int = 0, n_jobs: int = 1,
                 checkpoint: str | os.PathLike | None = None,
                 name: str | None = None):
        super().__init__()
        self.features, self.order = features, order
        self.groups, self.min_count = groups, min_count
        self.hash_bits, self.C, self.epsilon = hash_bits, C, epsilon
        self.hash, self.hash_weights, self.buckets = hash, hash_weights, buckets
        self.kernel, self.kernel_params = kernel, kernel_params
        self.nystroem, self.vectors = nystroem, vectors
        self.product, self.gram_folder = product, gram_folder
        self.solver, self.passes = solver, passes
        self.decoder, self.single_root = decoder, single_root
        self.relations, self.calibrate, self.shards = relations, calibrate, shards
        self.random_state, self.n_jobs = random_state, n_jobs
        self.checkpoint, self.name = checkpoint, name

    @property
    def name(self) -> str:
        """The name that was given, else one made of the parameters as they are."""
        return self._name or self.default_name()

    @name.setter
    def name(self, name: str | None) -> None:
        self._name = name

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The parameters by name, as scikit-learn's `clone` asks for them."""
        return {name: getattr(self, name) if name != "name" else self._name
                for name in DEFAULTS}

    def set_params(self, **parameters) -> ParserLearner:
        for name, value in parameters.items():
            if name not in DEFAULTS:
                raise InputError(unknown_parameter(name))
            setattr(self, name, value)
        return self

    def _reprable_omit_param(self, parameter, default, value) -> bool:
        # a name that was not given would not follow the parameters any more
        if parameter == "name":
            return not self._name
        return super()._reprable_omit_param(parameter, default, value)

    def default_name(self) -> str:
        return automatic_name(
            {name: getattr(self, name) for name in ("features", "kernel", "solver", "C")})

    @property
    def chosen_solver(self) -> str:
        return chosen_solver({"features": self.features, "solver": self.solver})

    def __call__(self, data: Table | DiskTreebank,
                 callback: Callable[[Report], object] | None = None,
                 *, validation: Table | None = None, keep: str = "best",
                 client: Client | str | None = None) -> Parser:
        """Train; `callback` gets every report and stops by returning true.

        When it stops, the parser so far is returned. Only before the first pass
        (reports of pass 0) there is none yet, and Cancelled is
        raised.

        Parameters
        ----------
        data : treebank to learn from; a `DiskTreebank` if it is larger than memory
        validation : treebank on which the loss is measured after each pass
        keep : {"best", "last"}
            With a validation treebank: whether the parser is that of the pass with
            the smallest validation loss, or of the last one
        client : a `dask.distributed.Client` or the address of a scheduler, on whose
            workers one-slack, MIRA and the perceptron train
        """
        self.check()
        if keep not in KEEP:
            raise InputError(f"keep must be 'best' or 'last', not {keep!r}")
        held_out = validation_treebank(validation) if validation is not None else None
        seed = seed_of(self.random_state)
        with connected(client) as cluster:
            self.make_solver(seed, cluster).check()     # not every one can work on it
            training = self.prepare(data, callback, seed, cluster)
            solver = self.make_solver(seed, cluster, len(training.problem))
            parser = training.calibrated(solver.solve(
                training.problem, callback, validation=held_out and Validation(
                    lambda model, progress: mean_loss(
                        training.parser(Solution(model)), held_out, progress),
                    keep_best=keep == "best")))
        n = len(training_data(data).encoded())
        if self.calibrate and n < FEWEST_SENTENCES and not parser.stopped:
            parser.temperature = cross_validated_temperature(
                self, training_data(data).sentences_at(range(n)), seed,
                callback and waiting(callback, parser.log[-1]))
        return parser

    def without_calibration(self, seed: int) -> ParserLearner:
        """A learner with the same parameters, of trees only."""
        return type(self)(**{**self.get_params(), "random_state": seed,
                             "calibrate": False, "relations": False,
                             "checkpoint": None, "name": None})

    def path(self, data: Table, Cs: Sequence[float],
             callback: Callable[[Report], object] | None = None) -> Iterator[Parser]:
        """A parser for each C, in rising order, each trained from the one before.

        Only for bcfw, whose dual variables are good for any C. Names end in it.
        """
        if self.chosen_solver != "bcfw":
            raise InputError(f"a path over C needs the solver bcfw, not "
                             f"{self.chosen_solver}")
        for C in Cs:
            expect("C", C, KINDS["C"])
        self.check()
        seed = seed_of(self.random_state)
        training = self.prepare(data, callback, seed)
        name = self.name.removesuffix(f" C={self.C:g}")
        for C, solution in zip(sorted(Cs), solve_path(
                training.problem, Cs, callback, epsilon=self.epsilon,
                passes=self.passes, random_state=seed,
                n_jobs=n_threads(self.n_jobs), checkpoint=self.checkpoint)):
            yield training.calibrated(solution, f"{name} C={C:g}")

    def check(self) -> None:
        """Complain of parameters with which no parser could be trained."""
        check_parameters({name: getattr(self, name) for name in KINDS})
        self.make_solver(0).check()     # finds out whether there can be a checkpoint

    def prepare(self, data: Table | DiskTreebank, callback=None, seed: int = 0,
                cluster: Cluster | None = None) -> Training:
        """All that comes before the solver: features or kernels of a treebank."""
        if isinstance(data, DiskTreebank) and (
                cluster is not None or self.features == "kernel"):
            raise InputError("from disk, only parsers with explicit features are trained, "
                             "and not on a cluster")
        data = training_data(data)
        cancellation = Cancellation(callback and reported(callback))
        encoded = data.encoded(cancellation)
        check_length(int(encoded.lengths().max()), "split it or leave it out")
        decoder = self.choose_decoder(encoded)
        code = DECODERS[decoder]
        order = chosen_order({"features": self.features, "min_count": self.min_count,
                              "decoder": decoder, "order": self.order})
        learned, held_out = self.hold_out(len(encoded), seed)
        chosen = encoded.select(learned) if len(held_out) else encoded
        unseen = data.sentences_at(held_out)
        if self.features == "kernel":
            problem, make_model = self.prepare_kernel(
                cancellation.cancellable(data.sentences_at(learned)), chosen, code,
                seed, cancellation,
                split=cluster is not None and self.chosen_solver == "one-slack")
        elif order == 1:
            problem, make_model = self.prepare_explicit(chosen, code, cancellation)
        else:
            problem, make_model = self.prepare_second_order(
                chosen, code, seed, cancellation, cluster)
        cancellation.check_cancelled()
        relations = None
        if self.relations:
            numbered = data.relations()
            relations = self.train_relations(encoded, numbered, seed, cancellation)
        if relations is not None:
            problem.loss_with_relations = relations.loss(chosen, (
                encoded.taken(numbered.numbers, learned) if len(held_out)
                else numbered.numbers))
        tags, seen = encoded.values("upos", "xpos"), training_ids(encoded)

        def parser(solution: Solution, name: str = self.name) -> Parser:
            return Parser(
                make_model(solution.model), decoder=decoder,
                single_root=self.single_root, tags=tags, name=name,
                n_jobs=self.n_jobs, solution=solution, relations=relations,
                training_ids=seen)

        return Training(problem, parser, unseen)

    def hold_out(self, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Which of n sentences trees are learned from, and which are held out for the
        temperature of probabilities."""
        size = min(n // ONE_HELD_OUT_IN, MOST_HELD_OUT)
        if not self.calibrate or n < FEWEST_SENTENCES:
            size = 0
        order = np.random.default_rng([seed, n]).permutation(n)
        return np.sort(order[size:]), np.sort(order[:size])

    def prepare_explicit(self, encoded: Encoded, decoder: int,
                         cancellation: Cancellation):
        features = EdgeFeatures(first_order_groups(self.groups))
        indices, dim = make_feature_indices(
            encoded, features, self.min_count, self.hash_bits,
            cancellation.check_cancelled)
        if not dim:
            warnings.warn(
                f"no feature is seen {self.min_count} times (min_count), so the parser "
                "has no weights", stacklevel=4)
        if not SOLVERS[self.chosen_solver].certificate:
            # a certificate is about all trees, so none of its edges may be missing
            indices = indices._replace(pruned=pruned_edges(encoded))
        problem = ExplicitProblem(
            encoded, features, indices, dim, decoder, self.single_root)
        return problem, lambda model: ExplicitModel(features, indices, model.weights())

    def prepare_second_order(self, encoded: Encoded, decoder: int, seed: int,
                             cancellation: Cancellation, cluster: Cluster | None = None):
        """With the edges that jackknifed first-order models leave, and with a voter."""
        features = PartFeatures(self.groups)
        own = [group for group in features.groups if group in FIRST_ORDER_GROUPS]
        pruned, pruner = train_pruners(
            encoded, EdgeFeatures(own or "all"), self.single_root, decoder=decoder,
            random_state=seed, n_jobs=n_threads(self.n_jobs), cluster=cluster,
            check_cancelled=cancellation.check_cancelled)
        voter = None
        if features.votes and can_vote(self.get_params()):
            voter = train_transitions(encoded, random_state=seed,
                                      check_cancelled=cancellation.check_cancelled)
        bits = choose_bits(encoded, self.hash_bits, SECOND_ORDER_WEIGHTS)
        return (SecondOrderProblem(encoded, pruned, features, bits, self.single_root,
                                   decoder),
                lambda model: SecondOrderModel(
                    pruner, features, thin_out(model.weights()), voter))

    def train_relations(self, encoded: Encoded, numbered: RelationNumbers, seed: int,
                        cancellation: Cancellation) -> RelationModel | None:
        relations = train_relations(encoded, numbered, random_state=seed,
                                    check_cancelled=cancellation.check_cancelled)
        if relations is None:
            warnings.warn("the treebank has no relations, so the parser learns heads "
                          "only", stacklevel=4)
        return relations

    def prepare_kernel(self, sentences, encoded: Encoded, decoder: int, seed: int,
                       cancellation: Cancellation, *, split: bool = False):
        """With features of the input kernel where it has some, else on the index.

        split : leave the Gram matrix to the workers of a cluster
        """
        hashes = HashFunctions(self.hash, self.hash_weights, self.buckets)
        kernel = make_kernel(self.kernel, **(self.kernel_params or {}))
        if self.nystroem:
            kernel = Nystroem(kernel, landmarks=self.nystroem, random_state=seed)
        features = kernel.feature_map(sentences)
        if features is None and not split:
            check_gram(len(sentences), len(sentences))
        check_memory(sentences, hashes, indexed=features is None)
        gram = (self.gram(kernel, sentences, cancellation.report_progress)
                if features is None and not split else None)
        cancellation.check_cancelled()
        clusters = (cluster_words(sentences, vectors=self.vectors, random_state=seed,
                                  check_cancelled=cancellation.check_cancelled)
                    if hashes.needs_clusters else None)
        encoded = encoded.with_clusters(sentences, clusters)
        hashed, known = hash_edges(sentences, encoded, hashes)
        if features is not None:
            z = input_features(features(sentences))
            return LinearProblem(
                encoded, hashed, len(known), z, features.n_features, decoder,
                self.single_root), lambda model: LinearKernelModel(
                    hashes, features, known, model.weights(), clusters)
        problem = SplitKernelProblem(
            encoded, hashed, len(known), kernel, list(sentences), decoder,
            self.single_root) if split else KernelProblem(
                encoded, hashed, len(known), gram, decoder, self.single_root,
                self.product)
        return problem, lambda model: KernelModel.from_solution(
                model, hashes, kernel, sentences, known, clusters)

    def gram(self, kernel: InputKernel, sentences,
             progress: Callable[[float], object]) -> np.ndarray:
        if self.gram_folder is not None and kernel.cacheable:
            return cached_gram(kernel, sentences, self.gram_folder,
                               n_jobs=self.n_jobs, progress=progress)
        return kernel.gram(sentences, n_jobs=self.n_jobs, progress=progress)

    def make_solver(self, seed: int, cluster: Cluster | None = None, n: int = 0):
        """The solver, for n sentences."""
        solver = SOLVERS[self.chosen_solver]
        shards = mixed_shards(self.shards, n, cluster if solver.mixes else None)
        return solver(
            C=self.C, epsilon=self.epsilon, passes=self.passes,
            random_state=seed, n_jobs=n_threads(self.n_jobs),
            checkpoint=self.checkpoint, shards=shards, cluster=cluster)

    def choose_decoder(self, encoded: Encoded) -> str:
        if self.decoder != "auto":
            return self.decoder
        crossing = np.mean(encoded.crossed())
        return "rearranged" if crossing > MANY_NONPROJECTIVE else "projective"


def reported(callback: Callable[[Report], object]) -> Callable[[float], bool]:
    """A progress function that sends reports of pass 0: the work before the solver.

    Their fraction is that of the kernel matrix: 0 before it and where there is none.
    """
    began = time.perf_counter()
    return lambda fraction: not callback(
        Report(0, fraction, time.perf_counter() - began, 0))


def waiting(callback: Callable[[Report], object], last: Report
            ) -> Callable[[Report], object]:
    """A callback for work after the last pass: it can be stopped, and adds no pass."""
    return lambda report: callback(replace(last, end_of_pass=False))


def mean_loss(parser: Parser, treebank: Treebank, progress: Progress) -> float:
    """Share of wrong heads in a sentence, averaged over the sentences, as for training
    sentences."""
    found = parser.predict_heads(treebank, progress=progress)
    return float(np.mean([np.mean(sentence.heads != heads)
                          for sentence, heads in zip(treebank.sentences, found)]))


def seed_of(random_state) -> int:
    """A seed for one training, as scikit-learn reads a random_state."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(MOST_SEEDS))


class Training(NamedTuple):
    """A problem for a solver, and how its solution becomes a parser."""

    problem: TreeProblem
    parser: Callable[..., Parser]
    held_out: list[Sentence]        # that nothing is learned from

    def calibrated(self, solution: Solution, *name: str) -> Parser:
        """The parser, with a temperature that is fitted to the held-out sentences."""
        parser = self.parser(solution, *name)
        unseen = [own for own in self.held_out if len(own) <= parser.longest]
        if unseen:
            parser.calibrate(unseen)
        return parser
