"""Input kernels: how similar two sentences are."""
from orange_structpred.kernels.bags import (
    BagOfWords,
    Constant,
    Gaussian,
    PolynomialBagOfWords,
)
from orange_structpred.kernels.base import BoundKernel, InputKernel
from orange_structpred.kernels.combine import Normalized, Product, Sum
from orange_structpred.kernels.custom import FunctionKernel, Precomputed
from orange_structpred.kernels.errors import KernelError
from orange_structpred.kernels.features import FeatureMap
from orange_structpred.kernels.make import KERNELS, make_kernel
from orange_structpred.kernels.nystroem import Nystroem
from orange_structpred.kernels.sequences import AnnotatedNgram, Ngram
from orange_structpred.kernels.trees import SubsetTree, Tree, dependency_tree
from orange_structpred.running.memory import TooLarge

__all__ = [
    "KERNELS", "AnnotatedNgram", "BagOfWords", "BoundKernel", "Constant",
    "FeatureMap", "FunctionKernel", "Gaussian", "InputKernel", "KernelError", "Ngram",
    "Normalized", "Nystroem", "PolynomialBagOfWords", "Precomputed", "Product",
    "SubsetTree", "Sum", "TooLarge", "Tree", "dependency_tree",
    "make_kernel"]
