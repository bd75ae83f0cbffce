"""Hash functions of surroundings and of pairs of edges, against kernels written out."""
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.parameters import chosen_order
from orange_structpred.parser import Parser
from orange_structpred.parsing.features.contributions import SentenceWords
from orange_structpred.parsing.first_order.pruning import PrunedEdges
from orange_structpred.parsing.kernel.part_kernel import (
    HashedPartFeatures,
    PartKernelModel,
    kind_of_part,
    pruner_templates,
    templates_by_name,
)
from orange_structpred.parsing.kernel.surroundings import (
    EDGE_ATOMS,
    PAIR_ATOMS,
    is_polynomial,
    looks_at_pairs,
)
from orange_structpred.parsing.second_order.part_scoring import (
    GRANDPARENT,
    SIBLING,
    edge_slot,
    grandparent_slot,
    part_feature_indices,
    shift_of,
    sibling_slot,
)
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.parsing.second_order.token_layers import N_OTHERS
from orange_structpred.parsing.second_order.tree_parts import edge_part, tree_parts
from orange_structpred.svm.linear import LinearModel
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.encoding import encode

BITS = 28       # so many that hardly any two hash values share a weight
TREEBANK = load_bundled("en")
SENTENCES = [TREEBANK.sentences[i] for i in (3, 7)]
OPTIONS = {"solver": "mira", "passes": 2, "relations": False, "calibrate": False}


def index_sets(features, sentence, parts):
    """The hash values of parts of a sentence, as sets of indices."""
    indices, ends = part_feature_indices(
        encode([sentence]).tokens, features.arrays, shift_of(BITS), np.array(parts))
    return [set(own.tolist()) for own in np.split(indices, ends[:-1])]


def triple(kind, tokens, n):
    size = n + N_OTHERS
    return ((kind * size + tokens[0]) * size + tokens[1]) * size + tokens[2]


def atom_values(words, tokens, atoms):
    """What a sentence says of atoms such as h-1.upos, given the tokens' positions."""
    values = {}
    for atom in atoms:
        where, layer = atom.split(".")
        if where == "n":
            values[atom] = words.between(*sorted((tokens["h"], tokens["d"])), layer)
        else:
            values[atom] = words.value(tokens[where[0]], int(where[1:] or 0), layer)
    return values


def n_equal(one, two):
    return sum(value == two[atom] for atom, value in one.items())


@pytest.mark.parametrize("name,degree", [("surroundings", 1), ("surroundings2", 2),
                                         ("surroundings3", 3)])
def test_kernel_of_surroundings_is_a_polynomial_of_equal_atoms(name, degree):
    features = HashedPartFeatures(templates_by_name([name]))
    seen = []
    for sentence in SENTENCES:
        n, words = len(sentence), SentenceWords(sentence)
        edges = [(h, d) for h, d in product(range(n + 1), range(1, n + 1)) if h != d][::5]
        sets = index_sets(features, sentence, [edge_part(*edge, n) for edge in edges])
        seen += [(own, edge_slot(*edge), atom_values(
            words, dict(zip("hd", edge)), EDGE_ATOMS)) for own, edge in zip(sets, edges)]
    products = []
    for (one, slot, values), (two, other_slot, others) in combinations(seen, 2):
        k = n_equal(values, others)
        # with the direction, and with direction and distance
        expected = sum(comb(k, j) for j in range(1, degree + 1)) * (
            (slot // 16 == other_slot // 16) + (slot == other_slot))
        products.append((len(one & two), expected))
    found, expected = np.array(products).T
    # thousands of hash values are bound to share one of 2^28 weights now and then
    assert np.abs(found - expected).max() <= 2 + 3 * (degree == 3)
    assert np.mean(found == expected) > 0.9 and expected.max() > degree


@pytest.mark.parametrize("name,kind,head,slot_of", [
    ("siblings", SIBLING, 0, sibling_slot),
    ("grandparents", GRANDPARENT, 1, grandparent_slot)])
def test_kernel_of_pairs_of_edges_is_a_product_of_kernels_of_tokens(
        name, kind, head, slot_of):
    features = HashedPartFeatures(templates_by_name([name]))
    seen = []
    for sentence in SENTENCES:
        n, words = len(sentence), SentenceWords(sentence)
        triples = [t for t in product(range(1, n + 1), repeat=3) if len(set(t)) == 3][::29]
        sets = index_sets(features, sentence, [triple(kind, t, n) for t in triples])
        seen += [(own, slot_of(*t, n), [
            {layer: words.value(token, 0, layer) for layer in PAIR_ATOMS} for token in t])
            for own, t in zip(sets, triples)]
    agree, positive = [], 0
    for (one, slot, values), (two, other_slot, others) in combinations(seen, 2):
        expected = np.prod([n_equal(a, b) + (token == head) for token, (a, b) in enumerate(
            zip(values, others))]) * (
            (slot // 16 == other_slot // 16) + (slot % 16 == other_slot % 16))
        agree.append(len(one & two) == expected)
        positive += expected > 0
    assert np.mean(agree) > 0.97 and positive > 20


def test_decoder_finds_the_best_of_all_projective_trees():
    """Scores of trees are sums over parts, with siblings and grandparents."""
    [sentence] = [s for s in TREEBANK.sentences if len(s) == 4][:1]
    encoded = encode([sentence])
    features = HashedPartFeatures(templates_by_name(
        ["surroundings2", "siblings", "grandparents"]))
    n, bits = len(sentence), 16
    counts = [0, *[n] * n]
    kept = PrunedEdges(np.concatenate([[0], np.cumsum(counts)]), np.concatenate(
        [[h for h in range(n + 1) if h != d] for d in range(1, n + 1)]).astype(np.int32))
    problem = SecondOrderProblem(encoded, kept, features, bits)
    model = LinearModel.of(np.random.default_rng(1).normal(
        size=1 << bits).astype(np.float32))

    def score(heads):
        parts = tree_parts(heads)
        return problem.part_scores(0, parts, model).sum()

    def is_projective_tree(heads):
        for token in range(1, n + 1):
            seen, at = set(), token
            while at and at not in seen:
                seen.add(at)
                at = heads[at]
            if at:
                return False
        edges = [sorted((heads[d], d)) for d in range(1, n + 1)]
        return list(heads[1:]).count(0) == 1 and not any(
            a < c < b < d for (a, b), (c, d) in product(edges, edges))

    trees = [np.array([-1, *heads], np.int32) for heads in product(range(n + 1), repeat=n)]
    best = max(filter(is_projective_tree, trees), key=score)
    assert list(problem.best(0, model)) == list(best)


@pytest.mark.parametrize("names", [
    ["surroundings2"], ["posTags", "siblings", "h.xpos g.xpos d.xpos"]])
def test_parser_is_the_same_out_of_a_file(names, tmp_path):
    parser = ParserLearner("kernel", hash=names, **OPTIONS)(TREEBANK[:60])
    assert isinstance(parser.model, PartKernelModel)
    parser.save(tmp_path / "parser")
    same = Parser.load(tmp_path / "parser")
    for one, two in zip(parser.predict_heads(TREEBANK[100:120]),
                        same.predict_heads(TREEBANK[100:120])):
        assert list(one) == list(two)
    sentence = TREEBANK.sentences[101]
    scores = same.model.edge_scores(sentence)
    head, dependent = np.argwhere(np.isfinite(scores[:, 1:]))[0] + [0, 1]
    total = sum(part.value for part in same.model.contributions(sentence, head, dependent))
    assert total == pytest.approx(scores[head, dependent], rel=1e-3, abs=1e-3)


def test_second_order_learns_what_single_edges_cannot_tell():
    train, test = TREEBANK[:200], TREEBANK[300:400]
    loss = {}
    for names in (["posTags2::dir"], ["posTags2::dir", "siblings", "grandparents"]):
        parser = ParserLearner("kernel", hash=names, **OPTIONS)(train)
        loss[len(names)] = np.mean([np.mean(a != b.heads) for a, b in zip(
            parser.predict_heads(test), test.sentences)])
    assert loss[3] < loss[1]


def test_order_follows_from_the_hash_functions():
    settings = {"features": "kernel", "hash": ["posTags", "siblings"]}
    assert chosen_order(settings) == 2
    assert chosen_order({**settings, "order": 1}) == 1
    assert chosen_order({**settings, "decoder": "exact"}) == 1
    assert chosen_order({**settings, "hash": ["surroundings3"]}) == 1
    assert looks_at_pairs("s.upos d.upos") and not looks_at_pairs(["h.upos d.upos"])
    assert looks_at_pairs(["posTags", "g-1.upos d.upos"])
    assert is_polynomial(["surroundings2"]) and not is_polynomial("surroundings")
    assert list(pruner_templates(["surroundings3", "siblings"])) == ["surroundings2"]
    assert list(pruner_templates(["siblings"])) == ["surroundings2"]


@pytest.mark.parametrize("options,words", [
    ({"order": 1}, "order=2"), ({"decoder": "exact"}, "decoder projective"),
    ({"kernel": "bow"}, "constant input kernel"),
    ({"buckets": 7}, "buckets"), ({"hash_weights": [1, 2]}, "hash_weights"),
    ({"hash": ["siblings", "wordVecs"]}, "wordVecs"),
    ({"hash": ["s.upos g.upos"]}, "h, s and d"),
    ({"hash": ["h.upos s.upos n.verbs"]}, "at most one b"),
    ({"hash": ["h.upos s.nonsense"]}, "'nonsense' is not known")])
def test_what_pairs_of_edges_do_not_go_together_with(options, words):
    learner = ParserLearner("kernel", **{
        "solver": "mira", "hash": ["posTags", "siblings"], **options})
    with pytest.raises(InputError, match=words):
        learner.check()


def test_templates_of_a_file_are_checked():
    assert [kind_of_part(text) for text in ("h.upos b.upos n.verbs d.upos", "h.upos s.upos",
                                            "g+1.upos d.upos")] == [0, 1, 2]
    with pytest.raises(InputError, match="at most one b"):
        kind_of_part("h.upos b.upos b.xpos")
    with pytest.raises(InputError, match="no hash function"):
        HashedPartFeatures({"surroundings2": []})
    with pytest.raises(InputError, match="20,000"):
        HashedPartFeatures({"all": ["h.upos"] * 20_001})
