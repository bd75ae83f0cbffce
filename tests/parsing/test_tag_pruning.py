"""Edges that no tree of the training treebank has."""
import numpy as np
import pytest

from orange_structpred.learner import ParserLearner
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.features.edge_scoring import hashed_indices, score_edges
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.features.tag_pruning import (
    CELL_BITS,
    NONE_PRUNED,
    is_pruned,
    pruned_edges,
    pruned_from_file,
)
from orange_structpred.parsing.first_order.explicit_model import (
    ExplicitModel,
    make_feature_indices,
)
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.files.through import through_file
from tests.parsing.plain import distance, edges

BITS = 12
SENTENCES = load_bundled("en").sentences[:150]
MANY = 40


def kinds(sentence):
    """The kind of each edge of a sentence: tags, direction and distance."""
    tags = ["root", *sentence.upos]
    return {(head, dependent): (tags[head], tags[dependent], distance(head, dependent))
            for head, dependent in edges(sentence)}


def model_with(pruned, groups="head-dependent"):
    weights = np.random.default_rng(0).normal(size=1 << BITS).astype(np.float32)
    return ExplicitModel(
        EdgeFeatures(groups), hashed_indices(BITS)._replace(pruned=pruned), weights)


def heads_of(model, decoder="projective"):
    return model.heads(SENTENCES[:20], encode(SENTENCES[:20]), DECODERS[decoder], True)


def test_many_chances_and_none_taken():
    chances, taken = {}, set()
    for sentence in SENTENCES:
        for (head, dependent), kind in kinds(sentence).items():
            chances[kind] = chances.get(kind, 0) + 1
            if sentence.heads[dependent - 1] == head:
                taken.add(kind)
    pruned = pruned_edges(encode(SENTENCES), MANY)
    wrong = n_pruned = 0
    for sentence in SENTENCES:
        tokens = encode([sentence]).tokens
        for (head, dependent), kind in kinds(sentence).items():
            found = is_pruned(pruned, tokens, head, dependent)
            if kind in taken:
                assert not found
            # kinds that share a place of the table are pruned together or not at all
            wrong += found != (chances[kind] >= MANY and kind not in taken)
            n_pruned += found
    assert n_pruned > 1000 and wrong < 0.05 * n_pruned


def test_no_edge_of_a_small_treebank_is_pruned():
    assert not pruned_edges(encode(SENTENCES[:2])).any()
    assert not pruned_edges(encode([])).any()


def test_pruned_edges_have_no_score():
    pruned = pruned_edges(encode(SENTENCES), MANY)
    model = model_with(pruned, "all")
    for sentence in SENTENCES[:10]:
        tokens = encode([sentence]).tokens
        scores = score_edges(tokens, model.features.arrays, model.weights, model.indices)
        all_scores = score_edges(tokens, model.features.arrays, model.weights,
                                 model.indices._replace(pruned=NONE_PRUNED))
        np.testing.assert_array_equal(model.edge_scores(sentence), scores)
        for head, dependent in edges(sentence):
            expected = (-np.inf if is_pruned(pruned, tokens, head, dependent)
                        else all_scores[head, dependent])
            assert scores[head, dependent] == expected


@pytest.mark.parametrize("decoder", DECODERS)
def test_trees_do_without_pruned_edges(decoder):
    pruned = pruned_edges(encode(SENTENCES), MANY)
    without = heads_of(model_with(NONE_PRUNED), decoder)
    n_avoided = 0
    for sentence, own, other in zip(SENTENCES, heads_of(
            model_with(pruned), decoder), without):
        tokens = encode([sentence]).tokens
        for dependent, (head, before) in enumerate(zip(own, other), 1):
            assert not is_pruned(pruned, tokens, head, dependent)
            n_avoided += is_pruned(pruned, tokens, before, dependent)
    assert n_avoided > 10


@pytest.mark.parametrize("decoder", DECODERS)
def test_nothing_is_pruned_where_there_is_no_other_tree(decoder):
    everything = np.ones(1 << CELL_BITS, np.uint8)
    for own, other in zip(heads_of(model_with(everything), decoder),
                          heads_of(model_with(NONE_PRUNED), decoder)):
        assert own.tolist() == other.tolist()


def test_solvers_with_a_certificate_see_all_edges():
    treebank = load_bundled("en")
    for solver, bars in (("mira", True), ("perceptron", True), ("bcfw", False),
                         ("one-slack", False)):
        learner = ParserLearner(solver=solver, order=1)
        assert learner.prepare(treebank).problem.indices.pruned.any() == bars


def test_kept_in_files():
    encoded = encode(SENTENCES)
    pruned = pruned_edges(encoded, MANY)
    for min_count in (0, 2):
        indices, dim = make_feature_indices(encoded, EdgeFeatures("head"), min_count, None)
        indices = indices._replace(pruned=pruned)
        model = ExplicitModel(EdgeFeatures("head"), indices, np.ones(dim, np.float32))
        again = through_file(ExplicitModel, model.header(), model.arrays())
        np.testing.assert_array_equal(again.indices.pruned, pruned)
    arrays = model.arrays()
    del arrays["pruned"]        # as in files of earlier versions
    assert not through_file(ExplicitModel, model.header(), arrays).indices.pruned.size
    for damaged in (np.ones(3, np.uint8), np.ones(1 << CELL_BITS - 3)):
        with pytest.raises(ValueError, match="table of its pruned edges is damaged"):
            pruned_from_file(damaged)
