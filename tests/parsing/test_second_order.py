"""Second-order parts: the decoder and the problem, against all projective trees."""
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp, softmax

from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.decoding.eisner import eisner
from orange_structpred.parsing.decoding.rearrange import rearrange as rearrange_edges
from orange_structpred.parsing.decoding.trees import is_tree
from orange_structpred.parsing.features.edge_templates import ROW
from orange_structpred.parsing.first_order.pruning import PrunedEdges
from orange_structpred.parsing.second_order.part_decoder import best_projective
from orange_structpred.parsing.second_order.part_marginals import pruned_marginals
from orange_structpred.parsing.second_order.part_rearrangement import rearrange_parts
from orange_structpred.parsing.second_order.part_scoring import (
    EDGE,
    SIBLING,
    edge_slot,
    grandparent_slot,
    sibling_slot,
    token_sums,
)
from orange_structpred.parsing.second_order.part_templates import (
    GROUPS,
    ROLES_OF_PARTS,
    PartFeatures,
)
from orange_structpred.parsing.second_order.parts import PartScores, list_edges
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.parsing.second_order.token_layers import (
    AFTER_SENTENCE,
    BEFORE_SENTENCE,
    N_OTHERS,
    NO_TOKEN,
    make_layers,
)
from orange_structpred.parsing.second_order.tree_parts import tree_parts
from orange_structpred.svm import SOLVERS
from orange_structpred.svm.linear import LinearModel
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.reference import all_trees, is_projective

BITS = 14


def keep(allowed):
    """`Edges` of a table allowed[head, dependent]."""
    n = len(allowed) - 1
    heads = [[head for head in range(n + 1) if allowed[head, token] and head != token]
             for token in range(1, n + 1)]
    starts = np.concatenate([[0, 0], np.cumsum(list(map(len, heads)))])
    return list_edges(starts, np.concatenate(heads).astype(np.int32))


def random_scores(edges, rng):
    return PartScores(*(rng.normal(size=size).astype(np.float32) for size in (
        len(edges.heads), edges.siblings[-1], edges.grandparents[-1],
        2 * len(edges.heads))))


def total(edges, scores, heads):
    """The score of a tree, part by part."""
    n = len(heads) - 1
    size = n + N_OTHERS
    numbers = {pair: edge for edge, pair in enumerate(zip(
        edges.heads.tolist(), edges.dependents.tolist()))}
    score = 0.
    for part in tree_parts(heads).tolist():
        kind, one, two, three = (part // size**3, part // size**2 % size,
                                 part // size % size, part % size)
        if kind == EDGE:
            score += scores.edges[numbers[one, two]]
        elif kind == SIBLING:
            left = three < one if three <= n else two < one if two <= n else two > n + 1
            own = 2 * one + left
            width = edges.below[own + 1] - edges.below[own] + 1
            row = edges.ranks[numbers[one, two]] + 1 if two <= n else 0
            column = edges.ranks[numbers[one, three]] if three <= n else width - 1
            score += scores.siblings[edges.siblings[own] + row * width + column]
        elif three > n:
            score += scores.childless[2 * numbers[one, two] + three - n - 1]
        else:
            own = 2 * two + (three < two)
            width = edges.above[two + 1] - edges.above[two]
            score += scores.grandparents[
                edges.grandparents[own] + edges.ranks[numbers[two, three]] * width
                + numbers[one, two] - edges.above[two]]
    return score


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("share", [1., 0.5])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_decoder_finds_the_best_tree(n, share, single_root):
    rng = np.random.default_rng([n, single_root])
    trees = all_trees(n, projective=True, single_root=single_root)
    for _ in range(20 if n < 6 else 2):
        allowed = rng.random((n + 1, n + 1)) < share
        sure = trees[rng.integers(len(trees))]
        allowed[sure[1:], np.arange(1, n + 1)] = True
        edges = keep(allowed)
        scores = random_scores(edges, rng)
        possible = [heads for heads in trees
                    if allowed[heads[1:], np.arange(1, n + 1)].all()]
        best = max(possible, key=lambda heads: total(edges, scores, heads))
        found = best_projective(edges, scores, single_root)
        assert_allclose(total(edges, scores, found), total(edges, scores, best),
                        rtol=1e-5)
        assert is_projective(found)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("share", [1., 0.5])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_marginals_are_sums_over_trees(n, share, single_root):
    rng = np.random.default_rng([n, single_root])
    trees = all_trees(n, projective=True, single_root=single_root)
    for _ in range(5):
        allowed = rng.random((n + 1, n + 1)) < share
        sure = trees[rng.integers(len(trees))]
        allowed[sure[1:], np.arange(1, n + 1)] = True
        edges = keep(allowed)
        scores = random_scores(edges, rng)
        possible = [heads for heads in trees
                    if allowed[heads[1:], np.arange(1, n + 1)].all()]
        scores = PartScores(*(own.astype(float) for own in scores))
        totals = [total(edges, scores, heads) for heads in possible]
        expected = np.zeros((n + 1, n + 1))
        for heads, chance in zip(possible, softmax(totals)):
            expected[heads[1:], np.arange(1, n + 1)] += chance
        log_partition, marginals = pruned_marginals(edges, scores, single_root)
        assert_allclose(log_partition, logsumexp(totals), rtol=1e-8)
        assert_allclose(marginals, expected[edges.heads, edges.dependents], atol=1e-8)


@pytest.mark.parametrize("single_root", [True, False])
def test_without_second_order_scores_it_is_eisners(single_root):
    rng = np.random.default_rng(0)
    for n in (1, 2, 7, 20, 40):
        edges = keep(np.ones((n + 1, n + 1), bool))
        scores = PartScores(rng.normal(size=len(edges.heads)).astype(np.float32),
                        np.zeros(edges.siblings[-1], np.float32),
                        np.zeros(edges.grandparents[-1], np.float32),
                        np.zeros(2 * len(edges.heads), np.float32))
        matrix = np.zeros((n + 1, n + 1), np.float32)
        matrix[edges.heads, edges.dependents] = scores.edges
        assert np.array_equal(best_projective(edges, scores, single_root),
                              eisner(matrix, single_root))


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("n", [1, 2, 4, 6, 9])
def test_rearrangement_ends_where_no_head_can_be_changed(n, single_root):
    """Scores of whole trees, part by part, say so."""
    rng = np.random.default_rng([n, single_root])
    crossing = 0
    for _ in range(10):
        allowed = rng.random((n + 1, n + 1)) < 0.6
        allowed[np.arange(n), np.arange(1, n + 1)] = True
        edges = keep(allowed)
        scores = random_scores(edges, rng)
        start = best_projective(edges, scores, single_root)
        found = rearrange_parts(edges, scores, start, single_root)
        best = total(edges, scores, found)
        assert is_tree(found) and best >= total(edges, scores, start) - 1e-4
        assert allowed[found[1:], np.arange(1, n + 1)].all()
        assert not single_root or np.count_nonzero(found[1:] == 0) == 1
        crossing += not is_projective(found)
        for head, token in zip(edges.heads.tolist(), edges.dependents.tolist()):
            other = found.copy()
            other[token] = head
            if is_tree(other) and not (
                    single_root and np.count_nonzero(other[1:] == 0) != 1):
                assert total(edges, scores, other) <= best + 1e-3
    assert crossing or n < 4


def test_without_second_order_scores_it_rearranges_as_first_order_does():
    rng = np.random.default_rng(0)
    for n in (2, 5, 12, 25):
        edges = keep(np.ones((n + 1, n + 1), bool))
        scores = PartScores(rng.normal(size=len(edges.heads)).astype(np.float32),
                            np.zeros(edges.siblings[-1], np.float32),
                            np.zeros(edges.grandparents[-1], np.float32),
                        np.zeros(2 * len(edges.heads), np.float32))
        matrix = np.zeros((n + 1, n + 1), np.float32)
        matrix[edges.heads, edges.dependents] = scores.edges
        start = eisner(matrix, True)
        assert np.array_equal(rearrange_parts(edges, scores, start, True),
                              rearrange_edges(matrix, start, True))


SENTENCES = load_bundled("en").sentences[:40]


def all_edges(encoded):
    counts = np.repeat(encoded.lengths(), encoded.lengths() + 1)
    counts[encoded.offsets[:-1]] = 0
    heads = [[head for head in range(n + 1) if head != token]
             for n in encoded.lengths() for token in range(1, n + 1)]
    return PrunedEdges(np.concatenate([[0], np.cumsum(counts)]),
                       np.concatenate(heads).astype(np.int32))


def problem_of(sentences, groups="all", single_root=True, decoder=PROJECTIVE):
    encoded = encode(sentences)
    return SecondOrderProblem(encoded, all_edges(encoded), PartFeatures(groups), BITS,
                              single_root, decoder)


def random_model(seed=0):
    return LinearModel.of(
        np.random.default_rng(seed).normal(size=1 << BITS).astype(np.float32))


SHORT = [sentence for sentence in SENTENCES if len(sentence) <= 6]


def test_oracle_finds_the_most_violated_tree():
    problem, model = problem_of(SHORT), random_model()
    answers = problem.oracle(0, len(problem), model)
    for i in range(len(problem)):
        trees = all_trees(problem.size(i), projective=True, single_root=True)

        def augmented(heads, i=i):
            return problem.example_loss(i, heads) - model.dot(
                i, problem.difference(i, heads.astype(np.int32)))

        best = max(map(augmented, trees))
        assert_allclose(augmented(answers.outputs[i]), best, rtol=1e-3)
        assert_allclose(answers.hinges[i], best, rtol=1e-3)
        assert_allclose(augmented(problem.most_violated(i, model)), best, rtol=1e-3)


def test_difference_is_that_of_joint_features():
    problem = problem_of(SENTENCES)
    model = random_model()
    for i in range(len(problem)):
        y_hat = problem.best(i, model)
        dense = np.zeros((3, problem.dim))
        for row, (indices, values) in zip(dense, (
                problem.joint_features(i, problem.gold(i)),
                problem.joint_features(i, y_hat), problem.difference(i, y_hat))):
            row[indices] = values
        assert_allclose(dense[0] - dense[1], dense[2])
        vector = problem.difference(i, y_hat)
        parts = problem.parts(i, y_hat)
        assert_allclose(problem.part_products(i, parts, vector).sum(),
                        dense[1] @ dense[2], rtol=1e-5)


@pytest.mark.parametrize("solver", ["mira", "perceptron", "subgradient", "bcfw",
                                    "one-slack"])
def test_every_solver_learns(solver):
    problem = problem_of(SENTENCES)
    solution = SOLVERS[solver](passes=10, epsilon=0.1, C=100.).solve(problem)
    losses = [problem.example_loss(i, problem.best(i, solution.model))
              for i in range(len(problem))]
    assert np.mean(losses) < 0.05
    assert problem.decoder == PROJECTIVE


def test_directions_have_places_of_their_own_in_a_row():
    n = 14
    edges, siblings, grandparents = {}, {}, {}
    for head, d in permutations(range(1, n + 1), 2):
        edges.setdefault(d < head, set()).add(divmod(edge_slot(head, d), ROW))
        siblings.setdefault(d < head, set()).add(
            divmod(sibling_slot(head, n + 1 + (d < head), d, n), ROW))
        siblings[d < head].add(divmod(sibling_slot(head, d, n + 3, n), ROW))
        for left in (False, True):      # d has no child there
            grandparents.setdefault((left, d < head), set()).add(
                divmod(grandparent_slot(head, d, n + 1 + left, n), ROW))
        for other in range(1, n + 1):
            if other not in (head, d):
                grandparents.setdefault((d < head, head < other), set()).add(
                    divmod(grandparent_slot(other, head, d, n), ROW))
                if (other < head) == (d < head) and abs(other - head) < abs(d - head):
                    siblings[d < head].add(
                        divmod(sibling_slot(head, other, d, n), ROW))
    for kind in edges, siblings, grandparents:
        directed = [{step for step, _ in steps} for steps in kind.values()]
        far = [{step for _, step in steps} for steps in kind.values()]
        assert [len(steps) for steps in directed] == [1] * len(kind)
        every = [*directed, *far]
        assert len(set.union(*every)) == sum(map(len, every)) <= ROW


def plain_value(values, vertex, offset, layer):
    """A layer of a neighbour of a vertex; only tokens have any."""
    n = len(values) - N_OTHERS
    if offset == 0:
        return values[vertex, layer]
    if not 1 <= vertex <= n:
        return NO_TOKEN
    if vertex + offset < 1:
        return BEFORE_SENTENCE
    return AFTER_SENTENCE if vertex + offset > n else values[vertex + offset, layer]


def test_sums_of_tokens_are_those_of_the_atoms():
    for sentence in (*SHORT[:3], SENTENCES[0]):
        values = make_layers(encode([sentence]).tokens).values
        for templates, roles in zip(PartFeatures().arrays, ROLES_OF_PARTS):
            expected = np.zeros((len(roles), len(values), len(templates.salts)), np.uint32)
            expected[0] = templates.salts
            for (template, role, offset, layer), mult in zip(
                    templates.tokens.tolist(), templates.token_mults):
                expected[role, :, template] += mult * np.array(
                    [plain_value(values, vertex, offset, layer)
                     for vertex in range(len(values))], np.uint32)
            assert np.array_equal(token_sums(values, templates, len(roles)), expected)


def test_groups():
    names = PartFeatures(["sibling tags"]).names
    assert names == [[], list(GROUPS["sibling tags"]), []]
    problem = problem_of(SENTENCES[:3], ["grandparent tags", "head-dependent"])
    assert len(problem.best(0, random_model())) == len(SENTENCES[0]) + 1
    with pytest.raises(ValueError, match="feature group 'nonsense' is not known"):
        PartFeatures(["nonsense"])
