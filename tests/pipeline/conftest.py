"""A pipeline of a small treebank, trained once."""
import pytest

from orange_structpred import PipelineLearner, load_bundled


@pytest.fixture(scope="session")
def treebank():
    return load_bundled("en")


@pytest.fixture(scope="session")
def pipeline(treebank):
    return PipelineLearner()(treebank[:100])
