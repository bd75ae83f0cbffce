"""Solvers of structural support vector machines. They know a Problem only."""
from orange_structpred.svm.atomic.closed_form import (
    KernelPCA,
    OneClass,
    Ridge,
    VectorRidge,
)
from orange_structpred.svm.bcfw import BCFW, solve_path
from orange_structpred.svm.checking import check_problem
from orange_structpred.svm.n_slack import NSlack
from orange_structpred.svm.one_slack import OneSlack
from orange_structpred.svm.online import MIRA, Perceptron, Subgradient
from orange_structpred.svm.parts import PartsProblem
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.sampled_cuts import SampledCuts
from orange_structpred.svm.solver import (
    CheckpointError,
    Report,
    Solution,
    Solver,
    Validation,
)
from orange_structpred.svm.vectors import SparseVector
from orange_structpred.svm.weston_watkins import WestonWatkins

SOLVERS: dict[str, type[Solver]] = {
    "bcfw": BCFW,
    "one-slack": OneSlack,
    "mira": MIRA,
    "perceptron": Perceptron,
    "subgradient": Subgradient,
}

#: For problems with kernels only
KERNEL_SOLVERS: dict[str, type[Solver]] = {
    "ridge": Ridge,
    "kernel-pca": KernelPCA,
    "vector-ridge": VectorRidge,
    "one-class": OneClass,
}

#: For few examples (n-slack) and for slow oracles (sampled-cuts)
FURTHER_SOLVERS: dict[str, type[Solver]] = {
    "n-slack": NSlack,
    "sampled-cuts": SampledCuts,
}

#: Those that parsers can have
PARSER_SOLVERS: dict[str, type[Solver]] = {**SOLVERS, **FURTHER_SOLVERS, **KERNEL_SOLVERS}

#: All of them: also the one for outputs that can be listed
ALL_SOLVERS: dict[str, type[Solver]] = {
    **SOLVERS,
    **FURTHER_SOLVERS,
    "weston-watkins": WestonWatkins,
    **KERNEL_SOLVERS,
}

__all__ = ["ALL_SOLVERS", "BCFW", "FURTHER_SOLVERS", "KERNEL_SOLVERS", "MIRA",
           "PARSER_SOLVERS", "SOLVERS", "CheckpointError", "KernelPCA", "NSlack",
           "OneClass", "OneSlack", "PartsProblem", "Perceptron", "Problem", "Report", "Ridge",
           "SampledCuts", "Solution", "Solver", "SparseVector", "Subgradient", "Validation",
           "VectorRidge", "WestonWatkins", "check_problem", "solve_path"]
