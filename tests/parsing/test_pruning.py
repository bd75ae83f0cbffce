"""Pruned edges: which model prunes which training sentence."""
import numpy as np
import pytest

from orange_structpred.parsing.decoding.decoders import PROJECTIVE, REARRANGED
from orange_structpred.parsing.features.edge_scoring import hashed_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.first_order.pruning import jackknife, prune
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.encoding import encode

ENCODED = encode(load_bundled("en").sentences[:9])
FEATURES, BITS = EdgeFeatures(["head-dependent"]), 12


def random_model(seed):
    weights = np.random.default_rng(seed).normal(size=1 << BITS).astype(np.float32)
    return ExplicitModel(FEATURES, hashed_indices(BITS), weights)


def kept(pruned, encoded):
    """The heads that each token of each sentence keeps."""
    return [[pruned.heads[pruned.starts[p]:pruned.starts[p + 1]].tolist()
             for p in range(start, stop)]
            for start, stop in zip(encoded.offsets, encoded.offsets[1:])]


@pytest.mark.parametrize("decoder", [PROJECTIVE, REARRANGED])
def test_sentences_are_pruned_by_a_model_that_has_not_seen_them(decoder):
    seen = []

    def train(parts):
        for part in parts:
            seen.append({part.tokens[start:stop].tobytes()
                         for start, stop in zip(part.offsets, part.offsets[1:])})
        return [random_model(1), random_model(2)]

    pruned, mean = jackknife(ENCODED, train, True, 0, decoder=decoder)
    assert len(seen) == 2 and not seen[0] & seen[1]
    by_model = [kept(prune(ENCODED, random_model(number), True, decoder=decoder,
                           keep_gold=True), ENCODED)
                for number in (1, 2)]
    for i, found in enumerate(kept(pruned, ENCODED)):
        own = ENCODED.tokens[ENCODED.offsets[i]:ENCODED.offsets[i + 1]].tobytes()
        other = 1 if own in seen[0] else 0
        assert own not in seen[other]
        assert found == by_model[other][i]
        assert found != by_model[1 - other][i]
    assert np.corrcoef(mean.weights, random_model(1).weights
                       + random_model(2).weights)[0, 1] > 0.9


def test_a_single_sentence_is_pruned_by_a_model_of_itself():
    one = ENCODED.between(0, 1)
    pruned, _ = jackknife(one, lambda parts: [random_model(1) for _ in parts], True, 0)
    assert kept(pruned, one) == kept(
        prune(one, random_model(1), True, keep_gold=True), one)


def test_gold_heads_are_kept_when_asked_for():
    found = kept(prune(ENCODED, random_model(1), True, keep_gold=True), ENCODED)
    without = kept(prune(ENCODED, random_model(1), True), ENCODED)
    gold = [ENCODED.heads[start:stop] for start, stop in zip(
        ENCODED.offsets, ENCODED.offsets[1:])]
    assert all(head in own for heads, owns in zip(gold, found)
               for head, own in zip(heads[1:], owns[1:]))
    assert any(head not in own for heads, owns in zip(gold, without)
               for head, own in zip(heads[1:], owns[1:]))
