"""Parsers with kernels: hash functions of edges times an input kernel."""
from __future__ import annotations

from orange_structpred.errors import InputError
from orange_structpred.kernels import (
    Constant,
    InputKernel,
    KernelError,
    Nystroem,
    SubsetTree,
    make_kernel,
)
from orange_structpred.kernels.errors import check_gram
from orange_structpred.kernels.make import KERNEL_NAMES, KERNELS
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.group_learning import (
    KernelChoice,
    learn_template_groups,
)
from orange_structpred.learner.hashed_training import hashed_problem
from orange_structpred.learner.parameters import LEARN, chosen_order, rows_for
from orange_structpred.learner.training import TrainingSet
from orange_structpred.parsing.first_order.explicit_model import choose_bits
from orange_structpred.parsing.kernel.hash_functions import (
    NEEDS_OF_PAIRS,
    HashFunctions,
)
from orange_structpred.parsing.kernel.hashed_edges import check_memory
from orange_structpred.parsing.kernel.part_kernel import (
    HashedEdgeFeatures,
    HashedPartFeatures,
    PartKernelModel,
    pruner_templates,
    templates_by_name,
)
from orange_structpred.parsing.kernel.surroundings import is_polynomial
from orange_structpred.parsing.kernel.word_clusters import cluster_words
from orange_structpred.parsing.limits import SECOND_ORDER_DECODERS
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.svm.atomic.laplacian import (
    Smoothness,
    smoothed_gram,
    smoothing_transform,
)

WEIGHTS_PER_TEMPLATE = 0.5      # for each token: a template has so many values
MAX_COMPUTED_BITS = 24


class KernelParserLearner(BaseParserLearner, rows=rows_for("kernel")):
    """Trains a parser that compares edges and sentences with those of the treebank.

    Parameters
    ----------
    {parameters}
    """

    features = "kernel"
    from_unlabelled = True

    def check_kind(self) -> None:
        if isinstance(self.kernel, str):
            check_kernel_names(self.kernel)
        refuse_trees(self.input_kernel())
        if self.is_computed(self.decoder):
            self.check_computed()
        else:
            self.hash_functions()

    def is_computed(self, decoder: str) -> bool:
        """Whether hash values are computed when they are asked for, not listed."""
        return chosen_order({**self.settings, "decoder": decoder}) == 2 or (
            is_polynomial(self.hash) and self.has_weights and not self.buckets
            and self.hash_weights in (None, LEARN)
            and not any(map(callable, self.hash_names))
            and decoder in ("auto", *SECOND_ORDER_DECODERS))

    @property
    def hash_names(self) -> list:
        return [self.hash] if isinstance(self.hash, str) or callable(self.hash) \
            else list(self.hash)

    @property
    def has_weights(self) -> bool:
        """Whether the model is a weight for each hash value."""
        return isinstance(self.input_kernel(), Constant) \
            and not self.solver_type.kernels_only

    def check_computed(self) -> None:
        """Complain of what hash functions of pairs of edges cannot be combined with."""
        if not self.has_weights:
            raise InputError(f"hash functions of pairs of edges: {NEEDS_OF_PAIRS}, and a "
                             "solver other than ridge or one-class")
        if self.buckets or self.hash_weights not in (None, LEARN) or any(
                map(callable, self.hash_names)):
            raise InputError("hash functions of pairs of edges cannot be combined with "
                             "buckets, numbers as hash_weights or Python functions; leave "
                             "these out")
        templates = templates_by_name(self.hash_names)
        HashedPartFeatures(templates)
        if any(".cluster" in text for texts in templates.values() for text in texts):
            raise InputError("clusters of words (wordVecs) cannot be combined with hash "
                             "functions of pairs of edges; leave them out")

    def hash_functions(self) -> HashFunctions:
        weights = None if self.hash_weights == LEARN else self.hash_weights
        return HashFunctions(self.hash, weights, self.buckets)

    def input_kernel(self) -> InputKernel:
        return make_kernel(self.kernel, **(self.kernel_params or {}))

    def make_problem(self, given: TrainingSet):
        """With features of the input kernel where it has some, else on the index."""
        if self.is_computed(given.decoder):
            if given.unlabelled:
                raise InputError("unlabelled sentences need an input kernel, and hash "
                                 "functions of single edges, not a polynomial kernel")
            return self.make_computed(given)
        sentences, cancellation = given.sentences(), given.cancellation
        hashes, kernel = self.hash_functions(), self.input_kernel()
        compared = [*sentences, *given.unlabelled]
        clusters = (cluster_words(compared, vectors=self.vectors, random_state=given.seed,
                                  check_cancelled=cancellation.check_cancelled)
                    if hashes.needs_clusters else None)
        if self.hash_weights == LEARN:
            choice = KernelChoice(self.hash_names, kernel, self.buckets, self.budget, given,
                                  self.single_root, clusters)
            hashes, kernel = choice.learned()
            given.group_norms = choice.norms
        # one-slack leaves the Gram matrix to the workers of a cluster
        split = given.cluster is not None and self.chosen_solver == "one-slack"
        if self.nystroem:
            kernel = Nystroem(kernel, landmarks=self.nystroem, random_state=given.seed)
        # what learns in closed form, or from unlabelled sentences, needs the kernel values
        by_values = self.solver_type.kernels_only or bool(given.unlabelled)
        if split and given.unlabelled:
            raise InputError("one-slack on a cluster does not learn from unlabelled "
                             "sentences; choose another solver, or no cluster")
        features = None if by_values else kernel.feature_map(sentences)
        if features is None and not split:
            check_gram(len(compared), len(compared))
        check_memory(sentences, hashes, indexed=features is None)
        gram = input_transform = None
        if by_values and isinstance(kernel, Nystroem):
            numbers, input_transform, gram = kernel.expansion(compared, n_jobs=self.n_jobs)
            kernel, compared = kernel.kernel, [compared[i] for i in numbers]
        elif features is None and not split:
            gram = kernel.gram(compared, n_jobs=self.n_jobs,
                               progress=cancellation.report_progress)
        cancellation.check_cancelled()
        if gram is not None and given.unlabelled:
            smoothing = smoothing_transform(
                gram, len(sentences), Smoothness(self.smoothness, self.neighbours))
            gram = smoothed_gram(gram, smoothing)
            input_transform = (smoothing if input_transform is None
                               else input_transform @ smoothing)
            cancellation.check_cancelled()
        encoded = given.encoded.with_clusters(sentences, clusters)
        return hashed_problem(
            sentences, encoded, hashes, kernel, given.decoder_code, self.single_root,
            features=features, gram=gram, clusters=clusters, compared=compared,
            input_transform=input_transform)

    def make_computed(self, given: TrainingSet):
        """With hash values of edges and of pairs of edges that are left by jackknifed
        first-order kernel models."""
        features = HashedPartFeatures(templates_by_name(self.hash_names))
        pruned, pruner = self.train_pruners(
            given, HashedEdgeFeatures(pruner_templates(self.hash_names)))
        n_templates = sum(map(len, features.names))
        bits = choose_bits(given.encoded, None, WEIGHTS_PER_TEMPLATE * n_templates,
                           most=MAX_COMPUTED_BITS)

        def problem_of(features: HashedPartFeatures) -> SecondOrderProblem:
            return SecondOrderProblem(given.encoded, pruned, features, bits,
                                      self.single_root, given.decoder_code)

        if self.hash_weights == LEARN:
            # each template is a hash function, so it is a group
            given.group_norms = learn_template_groups(
                problem_of(features), sum(features.names, []), self.budget, given)
            features = HashedPartFeatures({
                name: [text for text in texts if text in given.group_norms]
                for name, texts in features.templates.items()})
        return problem_of(features), lambda model: PartKernelModel(
            pruner, features, thin_out(model.weights()))


def check_kernel_names(kernel: str) -> None:
    """In a sum there are several."""
    for name in map(str.strip, kernel.split("+")):
        if name not in KERNEL_NAMES:
            raise KernelError(f"kernel {name!r} is not known; choose from "
                              + ", ".join(KERNELS))


def refuse_trees(kernel: InputKernel) -> None:
    """A kernel on the trees that are to be found would know the answer."""
    if isinstance(kernel, SubsetTree):
        raise KernelError("kernel 'tree' needs the trees that the parser has to find; "
                          "choose a kernel on words")
    for part in getattr(kernel, "kernels", [getattr(kernel, "kernel", None)]):
        if part is not None:
            refuse_trees(part)
