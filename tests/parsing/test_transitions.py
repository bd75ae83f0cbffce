"""The transition-based parser and its votes, against all that can be reached."""
import zipfile

import numpy as np
import pytest

from orange_structpred import Parser, ParserLearner
from orange_structpred.files.models import ModelFileError
from orange_structpred.parsing.features.feature_names import VOTE_NAME, in_words
from orange_structpred.parsing.first_order.pruning import prune
from orange_structpred.parsing.relations.labeler import relation_rows
from orange_structpred.parsing.second_order.bonuses import VOTE
from orange_structpred.parsing.second_order.part_scoring import token_sums
from orange_structpred.parsing.second_order.part_templates import GROUPS, TRANSITIONS
from orange_structpred.parsing.second_order.token_layers import (
    make_layers,
    with_neighbours,
)
from orange_structpred.parsing.transitions.transition_model import (
    TEMPLATES,
    train_voter,
)
from orange_structpred.parsing.transitions.transition_system import (
    IMPOSSIBLE,
    LEFT_ARC,
    N_CONFIGURATION_ROLES,
    N_CONFIGURATION_WORDS,
    N_TRANSITIONS,
    RIGHT_ARC,
    SHIFT,
    SWAP,
    Configuration,
    TransitionSystem,
    add_numbers,
    apply,
    find_costs,
    gold_ranks,
    is_complete,
    most_steps,
    observe_configuration,
    start,
)
from orange_structpred.parsing.transitions.transition_templates import (
    CONFIGURATION_ROLES,
)
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.reference import all_trees, is_projective_tree, is_tree

TREEBANK = load_bundled("en")[:60]
SENTENCES = TREEBANK.sentences
NESTED, NO_RANKS = TransitionSystem(False), np.empty(0, np.int32)


def possible(at, system=NESTED) -> list[int]:
    height, begin, _ = at.ends.tolist()
    left = begin < len(at.heads)
    waits = system.single_root and left and height == 2     # for the last token
    in_order = left and 0 < at.stack[height - 1] < at.buffer[begin]
    return ([SHIFT] * left + [LEFT_ARC] * (left and height > 1)
            + [RIGHT_ARC] * (height > 1 and not waits) + [SWAP] * bool(system.swaps and in_order))


def after(at, transition):
    new = Configuration(*(own.copy() for own in at))
    apply(new, transition)
    return new


def reachable(at, gold, system) -> int:
    """The most gold edges of all trees that can still be built."""
    ways = possible(at, system)
    if not ways:
        return np.count_nonzero(at.heads[1:] == gold[1:])
    return max(reachable(after(at, transition), gold, system) for transition in ways)


@pytest.mark.parametrize("single_root", [False, True])
def test_costs_are_edges_out_of_reach(single_root):
    rng = np.random.default_rng(0)
    system = TransitionSystem(single_root)
    trees = all_trees(4, True, single_root)
    costs = np.empty(N_TRANSITIONS, np.int64)
    for gold in rng.permutation(trees)[:25].astype(np.int32):
        at = start(4)
        while ways := possible(at, system):
            find_costs(at, gold, NO_RANKS, system, costs)
            best = reachable(at, gold, system)
            assert costs.tolist() == [
                best - reachable(after(at, transition), gold, system)
                if transition in ways else IMPOSSIBLE for transition in range(N_TRANSITIONS)]
            apply(at, rng.choice(ways))
        assert is_projective_tree(at.heads)
        assert not single_root or np.count_nonzero(at.heads == 0) == 1


def in_order(heads, token) -> list[int]:
    """The subtree of a token: what is on its left, the token, what is on its right."""
    children = [child for child, head in enumerate(heads) if head == token]
    return [*(each for child in children if child < token
              for each in in_order(heads, child)), token,
            *(each for child in children if child > token
              for each in in_order(heads, child))]


@pytest.mark.parametrize("single_root", [False, True])
def test_transitions_without_cost_build_any_tree(single_root):
    """Also those with edges that cross, in whatever order ties are broken."""
    rng = np.random.default_rng(0)
    system, costs = TransitionSystem(single_root, True), np.empty(N_TRANSITIONS, np.int64)
    for gold in all_trees(5, False, single_root)[::3].astype(np.int32):
        ranks = gold_ranks(gold, system)
        assert in_order(gold, 0) == np.argsort(ranks).tolist()
        at = start(5)
        while ways := possible(at, system):
            find_costs(at, gold, ranks, system, costs)
            assert np.flatnonzero(costs < IMPOSSIBLE).tolist() == ways
            apply(at, rng.choice(np.flatnonzero(costs == 0)))
        assert np.array_equal(at.heads, gold)
        assert is_projective_tree(gold) == (at.ends[2] == 0)


def test_any_transitions_build_a_tree():
    """Whatever a parser with swaps does, it ends, and with a tree; costs are of the
    possible transitions everywhere, and there is one that costs the least."""
    rng = np.random.default_rng(0)
    system, costs = TransitionSystem(True, True), np.empty(N_TRANSITIONS, np.int64)
    for gold in rng.permutation(all_trees(5, False, True))[:60].astype(np.int32):
        at, ranks, steps = start(5), gold_ranks(gold, system), 0
        while not is_complete(at):
            find_costs(at, gold, ranks, system, costs)
            ways = possible(at, system)
            assert np.flatnonzero(costs < IMPOSSIBLE).tolist() == ways
            apply(at, ways[-1] if rng.random() < 0.7 else rng.choice(ways))
            steps += 1
        assert steps == 10 + 2 * at.ends[2] <= most_steps(5, system)
        assert is_tree(at.heads) and np.count_nonzero(at.heads == 0) == 1


def test_features_are_those_of_the_templates():
    rng = np.random.default_rng(0)
    roles, words = np.empty(N_CONFIGURATION_ROLES, np.int32), np.empty(N_CONFIGURATION_WORDS, np.uint32)
    numbers = np.empty(len(TEMPLATES.salts), np.uint32)
    rows = np.empty(len(TEMPLATES.salts), np.uint32)
    for sentence in SENTENCES[:10]:
        layers = make_layers(encode([sentence]).tokens)
        sums = token_sums(layers.values, TEMPLATES, N_CONFIGURATION_ROLES)
        at = start(len(sentence))
        while ways := possible(at):
            observe_configuration(at, roles, words)
            add_numbers(sums, TEMPLATES, words, roles, numbers)
            relation_rows(*with_neighbours(layers.values), roles, words, TEMPLATES,
                          np.uint32(0), rows)
            assert np.array_equal(numbers, rows)
            apply(at, rng.choice(ways))


def test_what_is_seen_of_a_configuration():
    at = start(5)
    for transition in (SHIFT, LEFT_ARC, SHIFT, SHIFT, RIGHT_ARC):   # 2 is the head of 1 and 3
        apply(at, transition)
    roles, words = np.empty(N_CONFIGURATION_ROLES, np.int32), np.empty(N_CONFIGURATION_WORDS, np.uint32)
    observe_configuration(at, roles, words)
    nothing = 5 + 3
    assert dict(zip(CONFIGURATION_ROLES, roles.tolist())) == {
        "s": 2, "t": 0, "u": nothing, "q": 4, "r": 5, "w": nothing, "l": 1, "m": 3,
        "c": nothing, "d": nothing, "f": nothing}
    assert words[2:].tolist() == [1, 1, 0, 0, 0]


def test_learns_and_is_repeatable():
    encoded = TREEBANK.encoded()
    model, again = train_voter(encoded), train_voter(encoded)
    assert np.array_equal(model.weights, again.weights)
    heads = model.flat_heads(encoded, single_root=False)
    tokens = encoded.is_token()
    assert np.mean(heads[tokens] == encoded.heads[tokens]) > 0.95
    assert all(is_projective_tree(heads[first:last])
               for first, last in zip(encoded.offsets, encoded.offsets[1:]))


@pytest.fixture(scope="module")
def parser():
    return ParserLearner(passes=2, calibrate=False)(TREEBANK)


def test_votes_decide_where_all_else_is_equal(parser):
    """Without weights, the tree is one with as many votes as possible."""
    model = parser.model
    short = [s for s in load_bundled("en").sentences if 3 <= len(s) <= 6][:20]
    weights = model.weights.copy()
    model.weights[:] = 0
    try:
        encoded = encode(short)
        votes, pruned = model.votes(encoded), prune(encoded, model.pruner, True)
        for i, own in enumerate(parser.predict(short).heads):
            first, last = encoded.offsets[i], encoded.offsets[i + 1]
            kept = [pruned.heads[pruned.starts[k]:pruned.starts[k + 1]]
                    for k in range(first + 1, last)]
            most = max(np.count_nonzero(tree[1:] == votes[first + 1:last])
                       for tree in all_trees(last - first - 1, True, True)
                       if all(head in heads for head, heads in zip(tree[1:], kept)))
            assert np.count_nonzero(own == votes[first + 1:last]) == most
    finally:
        model.weights[:] = weights


def test_votes_are_part_of_scores_and_explanations(parser):
    model, sentence = parser.model, SENTENCES[0]
    votes = model.votes(encode([sentence]))
    voter, model.voter = model.voter, None
    without = parser.edge_scores(sentence)
    assert VOTE_NAME not in {own.name for own in model.contributions(
        sentence, votes[1], 1)}
    model.voter = voter
    expected = without.copy()
    expected[votes[1:], np.arange(1, len(votes))] += VOTE
    assert np.array_equal(parser.edge_scores(sentence), expected)
    told = {own.name: own.value for own in model.contributions(sentence, votes[1], 1)}
    assert told[VOTE_NAME] == VOTE
    assert in_words(VOTE_NAME) == "the transition-based parser's vote"


def test_files(parser, tmp_path):
    parser.save(tmp_path / "with.npz")
    loaded = Parser.load(tmp_path / "with.npz")
    assert np.array_equal(loaded.model.voter.weights, parser.model.voter.weights)
    others = [group for group in GROUPS if group != TRANSITIONS]
    without = ParserLearner(passes=1, calibrate=False, groups=others)(TREEBANK[:20])
    assert without.model.voter is None
    assert ParserLearner(solver="bcfw", passes=1)(TREEBANK[:20]).model.voter is None
    without.save(tmp_path / "without.npz")
    assert Parser.load(tmp_path / "without.npz").model.voter is None
    with (zipfile.ZipFile(tmp_path / "with.npz") as old,
          zipfile.ZipFile(tmp_path / "damaged.npz", "w") as new):
        for name in old.namelist():
            if "voter_values" not in name:
                new.writestr(name, old.read(name))
    with pytest.raises(ModelFileError, match="weights of transitions are missing"):
        Parser.load(tmp_path / "damaged.npz")
