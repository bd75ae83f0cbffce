"""Parsers with kernels: hash functions of edges times an input kernel."""
from __future__ import annotations

from orange_structpred.kernels import (
    InputKernel,
    KernelError,
    Nystroem,
    SubsetTree,
    make_kernel,
)
from orange_structpred.kernels.errors import check_gram
from orange_structpred.kernels.make import KERNEL_NAMES, KERNELS
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.learner.parameters import rows_for
from orange_structpred.learner.training import TrainingSet
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import check_memory, hash_edges
from orange_structpred.parsing.kernel.kernel_model import KernelModel, LinearKernelModel
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.parsing.kernel.linear_problem import (
    LinearProblem,
    input_features,
)
from orange_structpred.parsing.kernel.split_kernel import SplitKernelProblem
from orange_structpred.parsing.kernel.word_clusters import cluster_words


class KernelParserLearner(BaseParserLearner, rows=rows_for("kernel")):
    """Trains a parser that compares edges and sentences with those of the treebank.

    Parameters
    ----------
    {parameters}
    """

    features = "kernel"

    def check_kind(self) -> None:
        self.hash_functions()
        if isinstance(self.kernel, str):
            check_kernel_names(self.kernel)
        refuse_trees(self.input_kernel())

    def hash_functions(self) -> HashFunctions:
        return HashFunctions(self.hash, self.hash_weights, self.buckets)

    def input_kernel(self) -> InputKernel:
        return make_kernel(self.kernel, **(self.kernel_params or {}))

    def make_problem(self, given: TrainingSet):
        """With features of the input kernel where it has some, else on the index."""
        sentences, cancellation = given.sentences(), given.cancellation
        hashes, kernel = self.hash_functions(), self.input_kernel()
        # one-slack leaves the Gram matrix to the workers of a cluster
        split = given.cluster is not None and self.chosen_solver == "one-slack"
        if self.nystroem:
            kernel = Nystroem(kernel, landmarks=self.nystroem, random_state=given.seed)
        # what learns in closed form needs the kernel values
        features = None if self.solver_type.kernels_only else kernel.feature_map(sentences)
        if features is None and not split:
            check_gram(len(sentences), len(sentences))
        check_memory(sentences, hashes, indexed=features is None)
        gram = (kernel.gram(sentences, n_jobs=self.n_jobs,
                            progress=cancellation.report_progress)
                if features is None and not split else None)
        cancellation.check_cancelled()
        clusters = (cluster_words(sentences, vectors=self.vectors, random_state=given.seed,
                                  check_cancelled=cancellation.check_cancelled)
                    if hashes.needs_clusters else None)
        encoded = given.encoded.with_clusters(sentences, clusters)
        hashed, known = hash_edges(sentences, encoded, hashes)
        decoder = given.decoder_code
        if features is not None:
            z = input_features(features(sentences))
            return LinearProblem(
                encoded, hashed, len(known), z, features.n_features, decoder,
                self.single_root), lambda model: LinearKernelModel(
                    hashes, features, known, model.weights(), clusters)
        problem = SplitKernelProblem(
            encoded, hashed, len(known), kernel, list(sentences), decoder,
            self.single_root) if gram is None else KernelProblem(
                encoded, hashed, len(known), gram, decoder, self.single_root)
        return problem, lambda model: KernelModel.from_solution(
            model, hashes, kernel, sentences, known, clusters)


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
