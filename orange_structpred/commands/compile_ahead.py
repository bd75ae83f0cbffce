"""Compiling ahead: small pieces of work that need what first runs need.

Another process waits for the same code at the same time, and begins with training. So
what comes last there comes first here, and both meet in the middle. What one of them
has stored, the other one loads.
"""
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numba

from orange_structpred.files.locking import try_lock
from orange_structpred.running.code_folder import code_folder, package_digest
from orange_structpred.treebank import Treebank, load_bundled

#: Sentences of the bundled treebank: enough for every kind of function to be called
N_SENTENCES = 12


def score_trees(treebank: Treebank) -> None:
    """Scores and probabilities of edges, and feature vectors, without training."""
    import numpy as np

    from orange_structpred.parsing.decoding.decoders import PROJECTIVE
    from orange_structpred.parsing.features.edge_templates import EdgeFeatures
    from orange_structpred.parsing.first_order.explicit_model import (
        ExplicitModel,
        make_feature_indices,
    )
    from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem

    encoded, features = treebank.encoded(), EdgeFeatures("all")
    indices, dim = make_feature_indices(encoded, features, 0, None)
    model = ExplicitModel(features, indices, np.zeros(dim, np.float32))
    for distribution in model.distributions(
            treebank.sentences, encoded, PROJECTIVE, True):
        distribution.marginals(1.)
    problem = ExplicitProblem(encoded, features, indices, dim, PROJECTIVE)
    problem.joint_features(0, problem.gold(0))


def train_and_parse(treebank: Treebank, **options) -> None:
    """All of training and parsing."""
    from orange_structpred.learner import ParserLearner

    parser = ParserLearner(passes=1, **options)(treebank)
    parser.parse(treebank, probabilities=bool(parser.temperature))


#: In this order; each begins with what is left to compile
STEPS: dict[str, Callable[[Treebank], None]] = {
    "scores of trees": score_trees,
    "first-order parsers": lambda treebank: train_and_parse(
        treebank, order=1, solver="bcfw"),
    "second-order parsers": train_and_parse,
    "kernel parsers": lambda treebank: train_and_parse(treebank, features="kernel"),
}


def compile_ahead() -> Iterator[str]:
    """Compile what first runs need; yields the name of each step before it begins.

    Nothing happens where another process is at it.
    """
    with _alone() as alone:
        if not alone:
            return
        treebank = load_bundled("en")[:N_SENTENCES]
        for name, step in STEPS.items():
            yield name
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")     # of so few sentences
                step(treebank)
        mark_file().touch()


@contextmanager
def _alone() -> Iterator[bool]:
    code_folder().mkdir(parents=True, exist_ok=True)
    with open(code_folder() / "ahead.lock", "wb") as file:
        yield try_lock(file.fileno())


def mark_file() -> Path:
    """A file that is there if everything was compiled ahead, with these versions."""
    python = "".join(map(str, sys.version_info[:2]))
    return code_folder() / f"{package_digest()}-{numba.__version__}.py{python}.ahead"
