"""Transition-based parsers on their own: beams against plain Python, and the learner."""
from itertools import pairwise

import numpy as np
import pytest

from orange_structpred import Parser, ParserLearner
from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFileError
from orange_structpred.learner.influence import unused
from orange_structpred.parsing.relations.labelled_loss import labelled_loss
from orange_structpred.parsing.second_order.part_scoring import token_sums
from orange_structpred.parsing.second_order.token_layers import make_layers
from orange_structpred.parsing.transitions.beam_search import (
    NOTHING,
    best_in_beam,
    learn_beam,
)
from orange_structpred.parsing.transitions.transition_model import (
    TEMPLATES,
    TransitionModel,
)
from orange_structpred.parsing.transitions.transition_system import (
    COLUMNS,
    N_CONFIGURATION_ROLES,
    N_CONFIGURATION_WORDS,
    TransitionSystem,
    add_numbers,
    apply,
    find_costs,
    is_complete,
    observe_configuration,
    start,
)
from orange_structpred.treebank import Treebank, load_bundled
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.sentence import Sentence
from tests.observers import stop_if
from tests.parsing.reference import is_projective_tree
from tests.parsing.test_transitions import after, possible

ALL = load_bundled("en")
TREEBANK, OTHERS = ALL[:60], ALL[60:90]
SHORT = [s for s in ALL.sentences if 2 <= len(s) <= 4][:8]
BITS = 10
NO_GOLD = np.empty(0, np.int32)
SINGLE = TransitionSystem(True)
CROSSING_HEADS = [3, 4, 0, 3, 4]


def random_weights(seed=0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=COLUMNS << BITS).astype(np.float32)


def sums_of(tokens) -> np.ndarray:
    return token_sums(make_layers(tokens).values, TEMPLATES, N_CONFIGURATION_ROLES)


def rows_at(at, sums) -> np.ndarray:
    roles = np.empty(N_CONFIGURATION_ROLES, np.int32)
    words = np.empty(N_CONFIGURATION_WORDS, np.uint32)
    numbers = np.empty(len(TEMPLATES.salts), np.uint32)
    observe_configuration(at, roles, words)
    add_numbers(sums, TEMPLATES, words, roles, numbers)
    return numbers >> np.uint32(32 - BITS)


def score(at, sums, weights, transition) -> float:
    return float(weights[rows_at(at, sums).astype(np.int64) * COLUMNS + transition].sum())


def plain_beam(sums, n, size, weights, system) -> list[tuple[float, list[int]]]:
    """All that is left at the end: totals and sequences, the best first."""
    beam = [(0., [], start(n))]
    for _ in range(2 * n if not system.swaps else 6 * n):
        if all(is_complete(at) for _, _, at in beam):
            break
        candidates = [own for own in beam if is_complete(own[2])]
        candidates += [(total + score(at, sums, weights, transition),
                       [*sequence, transition], at)
                      for total, sequence, at in beam
                      for transition in possible(at, system)]
        candidates.sort(key=lambda own: -own[0])
        beam = [(total, sequence, at if is_complete(at) else after(at, sequence[-1]))
                for total, sequence, at in candidates[:size]]
    return [(total, sequence) for total, sequence, _ in beam]


def run_search(sums, n, size, weights, system, gold=NO_GOLD):
    return best_in_beam(n, sums, size, TEMPLATES, weights, np.uint32(32 - BITS), system, gold)


@pytest.mark.parametrize("system", [
    TransitionSystem(False), SINGLE, TransitionSystem(True, True)])
@pytest.mark.parametrize("size", [1, 3, 64])
def test_beam_against_plain_python(size, system):
    """With room for all sequences it is the best of them."""
    weights = random_weights()
    for sentence in SHORT:
        sums, n = sums_of(encode([sentence]).tokens), len(sentence)
        found = run_search(sums, n, size, weights, system).transitions
        for room in (size, 10**6) if size == 64 and n < 4 else (size,):
            assert found[found != NOTHING].tolist() == plain_beam(
                sums, n, room, weights, system)[0][1]


def test_a_beam_of_one_is_greedy():
    encoded, weights = OTHERS.encoded(), random_weights()
    heads = TransitionModel(weights).flat_heads(encoded, single_root=True)
    for first, last in pairwise(encoded.offsets):
        n = last - first - 1
        at = start(n)
        for transition in run_search(sums_of(encoded.tokens[first:last]), n, 1, weights,
                                     SINGLE).transitions:
            apply(at, transition)
        assert np.array_equal(at.heads, heads[first:last])
        assert is_projective_tree(at.heads) and np.count_nonzero(at.heads == 0) == 1


def followed(sequence, sentence, sums, weights, gold) -> tuple[float, int]:
    """The score of a sequence with its loss, and its loss."""
    at, total, lost, costs = start(len(sentence)), 0., 0, np.zeros(4, np.int64)
    for transition in sequence.tolist():
        find_costs(at, gold, NO_GOLD, SINGLE, costs)
        lost += costs[transition]
        total += score(at, sums, weights, transition) + costs[transition]
        apply(at, transition)
    return total, lost


def features_of(sequence, common, sentence, sums) -> np.ndarray:
    at, features = start(len(sentence)), np.zeros(COLUMNS << BITS)
    for step, transition in enumerate(sequence.tolist()):
        if step >= common:
            np.add.at(features, rows_at(at, sums).astype(np.int64) * COLUMNS + transition, 1)
        apply(at, transition)
    return features


def test_violations():
    """The right sequence loses nothing and is no better than the other one."""
    n_violated = 0
    for seed, sentence in enumerate(SHORT):
        encoded, weights = encode([sentence]), random_weights(seed)
        sums, gold = sums_of(encoded.tokens), encoded.heads
        found = run_search(sums, len(sentence), 2, weights, SINGLE, gold)
        wrong, wrong_lost = followed(found.transitions, sentence, sums, weights, gold)
        right, right_lost = followed(found.right, sentence, sums, weights, gold)
        assert right_lost == 0
        if not found.violation:
            assert len(found.right) == 2 * len(sentence)
            continue
        assert found.violation == pytest.approx(wrong - right, abs=1e-3)
        assert wrong_lost > 0
        n_violated += 1
    assert n_violated > 1


def test_a_step_of_learning():
    """Weights move along the difference of the features of both sequences, as far as
    makes up for the violation."""
    sentence = min(SHORT, key=len)
    n = len(sentence)
    encoded, weights = encode([sentence]), np.zeros(COLUMNS << BITS, np.float32)
    sums, gold = sums_of(encoded.tokens), encoded.heads
    found = run_search(sums, n, 8, weights, SINGLE, gold)
    assert found.violation > 0
    common = int(np.argmax(found.transitions != found.right))
    late = np.zeros_like(weights)
    assert learn_beam(np.array([0]), encoded.offsets, encoded.tokens, gold, TEMPLATES,
                      weights, late, np.uint32(32 - BITS), SINGLE, 8, 1., 0, 4) == 5
    change = found.violation / (2 * (len(found.right) - common) * len(TEMPLATES.salts))
    difference = (features_of(found.right, common, sentence, sums)
                  - features_of(found.transitions, common, sentence, sums))
    np.testing.assert_allclose(weights, change * difference, atol=1e-6)
    np.testing.assert_allclose(late, 5 * change * difference, atol=1e-5)


@pytest.fixture(scope="module", params=[1, 4])
def parser(request):
    return ParserLearner("transitions", beam=request.param, passes=6)(TREEBANK)


def test_learner(parser):
    again = ParserLearner("transitions", beam=parser.model.beam, passes=6, n_jobs=2)(
        TREEBANK)
    assert np.array_equal(parser.model.weights, again.model.weights)
    assert parser.log[-1].loss < 0.06 and labelled_loss(parser.log[-1]) < 0.08
    found = parser.predict(OTHERS)
    assert len(found.deprels) == len(OTHERS) and not parser.invalid_trees(found.heads)
    assert all(np.count_nonzero(heads == 0) == 1 for heads in found.heads)
    assert parser.name == ("transitions" if parser.model.beam == 1 else "transitions beam=4")
    assert parser.decoder == "projective" and not parser.calibrated


@pytest.fixture(scope="module")
def crossing():
    """Sentences of A B C ..., in which A depends on C and B on D."""
    rows = [f"{token}\t{word}\t{word}\tX\t_\t_\t{head}\tdep\t_\t_"
            for token, (word, head) in enumerate(zip("abcde", CROSSING_HEADS), 1)]
    return Treebank.from_sentences([Sentence("\n".join(rows))] * 12)


@pytest.mark.parametrize("beam", [1, 4])
def test_edges_that_cross(crossing, beam, tmp_path):
    learner = ParserLearner("transitions", beam=beam, passes=6)
    parser = learner(crossing)
    assert parser.decoder == "rearranged" and parser.model.swaps       # as they all cross
    parser.save(tmp_path / "parser.npz")
    for each in parser, Parser.load(tmp_path / "parser.npz"):
        assert each.predict(crossing).heads[0].tolist() == CROSSING_HEADS
    nested = ParserLearner("transitions", beam=beam, passes=6, decoder="projective")(
        crossing)
    assert nested.decoder == "projective"
    assert nested.predict(crossing).heads[0].tolist() != CROSSING_HEADS
    for decoder in "exact", "approximate":
        with pytest.raises(InputError, match="transition-based parsers cannot use decoder="):
            ParserLearner("transitions", decoder=decoder)(crossing)


def test_several_roots_if_allowed():
    weights = random_weights()
    several = TransitionModel(weights).flat_heads(OTHERS.encoded(), single_root=False)
    assert np.count_nonzero(several == 0) > len(OTHERS)


def test_file_of_a_parser(parser, tmp_path):
    parser.save(tmp_path / "parser.npz")
    loaded = Parser.load(tmp_path / "parser.npz")
    assert loaded.model.beam == parser.model.beam
    for one, two in zip(parser.predict(OTHERS).heads, loaded.predict(OTHERS).heads):
        assert np.array_equal(one, two)
    parser.model.beam, beam = 65, parser.model.beam
    parser.save(tmp_path / "damaged.npz")
    parser.model.beam = beam
    with pytest.raises(ModelFileError, match="beam"):
        Parser.load(tmp_path / "damaged.npz")


def test_what_it_cannot_say(parser):
    sentence = TREEBANK.sentences[0]
    for ask in (lambda: parser.edge_scores(sentence), lambda: parser.explain(sentence, 2, 1),
                lambda: parser.k_best(sentence, 2), lambda: parser.calibrate(TREEBANK),
                lambda: parser.predict([sentence], constraints=lambda program, s: []),
                lambda: parser.predict([sentence], probabilities=True)):
        with pytest.raises(InputError, match="a transition-based parser scores trans"):
            ask()
    with pytest.raises(InputError, match="a transition-based parser cannot use the dec"):
        parser.decoder = "exact"
    assert parser.explain_relation(sentence, 1).relation == parser.predict(
        [sentence]).deprels[0][0]


def test_resumes_from_a_checkpoint(tmp_path):
    learner = ParserLearner("transitions", beam=2, passes=4, relations=False,
                            checkpoint=str(tmp_path / "c.npz"))
    stopped = learner(TREEBANK, stop_if(
        lambda report: report.pass_ == 3 and report.end_of_pass))
    assert stopped.stopped and len(stopped.log) == 3
    whole = learner(TREEBANK)
    learner.checkpoint = None
    assert np.array_equal(learner(TREEBANK).model.weights, whole.model.weights)
    assert [report.loss for report in whole.log[:3]] == [
        report.loss for report in stopped.log]


def test_validation():
    parser = ParserLearner("transitions", passes=3, relations=False)(
        TREEBANK, validation=OTHERS)
    losses = [report.validation_loss for report in parser.log]
    assert parser.kept_pass == 1 + int(np.argmin(losses))


def test_parameters():
    settings = {"features": "transitions", "solver": "bcfw"}
    assert unused("solver", settings) == "only for explicit features and kernels"
    assert unused("beam", {}) == "only for transition-based parsers"
    assert not unused("C", {**settings, "solver": "perceptron"})
    for wrong in (0, 65, 2.5, None):
        with pytest.raises(InputError, match="beam must be"):
            ParserLearner("transitions", beam=wrong)(TREEBANK)
