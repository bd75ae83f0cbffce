"""The index of a model against the sums that it stands for."""
import numpy as np
import pytest

from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.svm.atomic.hashed_symbols import symbol_vector
from orange_structpred.svm.atomic.symbol_index import (
    add_entries,
    empty_index,
    example_norms,
    index_starts,
    own_scores,
    value_score,
)
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import HASH, TOYS, joint, phi, score

WEIGHTS = [1., 2.5]


@pytest.fixture(scope="module")
def filled():
    """An index after three random changes for each sentence, with what it is made of."""
    hashed, known = hash_edges(TOYS, encode(TOYS), HashFunctions(HASH, WEIGHTS))
    random = np.random.default_rng(1)
    roots = random.normal(size=(len(TOYS), 3))
    gram = (roots @ roots.T).astype(np.float32)
    index = empty_index(index_starts(hashed, len(known)), averaging=True)
    edges = [[] for _ in TOYS]
    late = [[] for _ in TOYS]
    for step, i in enumerate(np.tile(np.arange(len(TOYS)), 3)):
        n = len(TOYS[i])
        dependents = random.integers(1, n + 1, 2)
        heads = (dependents + random.integers(1, n + 1, 2)).astype(np.int32) % (n + 1)
        scale = random.normal()
        vector = symbol_vector(hashed, i, dependents * (n + 1) + heads,
                            np.array([1, -2], np.float32))
        add_entries(index, hashed, i, *vector, scale, step)
        pairs = list(zip(heads, dependents))
        edges[i] += zip(pairs, (scale, -2 * scale))
        late[i] += zip(pairs, (step * scale, -2 * step * scale))

    def parts(of):
        return [phi(x, own, HASH, WEIGHTS) for x, own in zip(TOYS, of)]

    return hashed, gram, index, parts(edges), parts(late)


def edge_total(hashed, i, n, own, head, dependent):
    edge = hashed.symbols[i] + dependent * n + head
    return sum(own[place] for place in hashed.local[
        hashed.values[i] + hashed.starts[edge]:
        hashed.values[i] + hashed.starts[edge + 1]])


@pytest.mark.parametrize("averages", [False, True])
def test_scores_are_those_of_the_definition(filled, averages):
    hashed, gram, index, parts, late = filled
    if averages:
        index, parts = index._replace(coefficients=index.late), late
    for i, x in enumerate(TOYS):
        own = own_scores(index, hashed, i, gram[i])
        for head in range(len(x) + 1):
            for dependent in range(1, len(x) + 1):
                if head != dependent:
                    np.testing.assert_allclose(
                        edge_total(hashed, i, len(x) + 1, own, head, dependent),
                        score(gram[i], parts, x, head, dependent, HASH, WEIGHTS),
                        rtol=1e-5, atol=1e-6)


def test_norm_is_the_double_sum(filled):
    hashed, gram, index, parts, _ = filled
    norms = np.zeros(len(TOYS))
    for first in (0, 5):        # in two parts, as threads would
        example_norms(index, hashed, first, min(first + 5, len(TOYS)), gram, norms)
    np.testing.assert_allclose(norms.sum(), joint(gram, parts, parts), rtol=1e-5)
    for i in range(len(TOYS)):
        alone = [part if j == i else phi(TOYS[0], []) for j, part in enumerate(parts)]
        np.testing.assert_allclose(norms[i], joint(gram, parts, alone), rtol=1e-4,
                                   atol=1e-5)


def test_only_what_got_a_coefficient_is_read(filled):
    hashed, _, index, parts, _ = filled
    assert index.filled.sum() == sum(len(part) for part in parts)
    assert index.filled.sum() < len(hashed.ids)
    assert (index.indices >= 0).sum() == index.filled.sum()
    for value in np.flatnonzero(index.filled):
        entries = index.examples[index.starts[value]:
                                  index.starts[value] + index.filled[value]]
        assert len(set(entries)) == len(entries)
        unit = np.ones(len(TOYS), np.float32)
        np.testing.assert_allclose(value_score(index, value, unit), index.coefficients[
            index.starts[value]:index.starts[value + 1]].sum(), atol=1e-12)


def test_values_that_are_not_known_score_nothing(filled):
    hashed, gram, index, _, _ = filled
    unknown = hashed._replace(ids=np.full_like(hashed.ids, -1))
    assert not own_scores(index, unknown, 0, gram[0]).any()
