"""Partly annotated trees: the best tree around the known heads, by enumeration."""
from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from orange_structpred import Parser, ParserLearner, Treebank, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.learner.explicit import ExplicitParserLearner
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.features.edge_scoring import hashed_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.parsing.first_order.quick_models import complete_trees
from orange_structpred.parsing.second_order.part_templates import PartFeatures
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.svm.linear import LinearModel
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.learnable import MissingHeadsError
from tests.parsing.reference import all_trees
from tests.parsing.test_second_order import all_edges

BITS = 14


def with_some_heads(sentence, share, rng):
    keep = rng.random(len(sentence)) < share
    return sentence.with_heads(np.where(keep, sentence.heads, -1),
                               [name if own else "_"
                                for name, own in zip(sentence.deprels, keep)])


@pytest.fixture(scope="module")
def english():
    return load_bundled("en")


@pytest.fixture(scope="module")
def partly(english):
    """40 complete sentences, and 40 of which half of the heads are known."""
    rng = np.random.default_rng(0)
    return [*english.sentences[:40],
            *(with_some_heads(own, .5, rng) for own in english.sentences[40:80])]


def problem_of(sentences, order, decoder):
    encoded = encode(sentences)
    known = (encoded.heads >= 0) | ~encoded.is_token()
    encoded = replace(encoded, known=known)
    if order == 1:
        return ExplicitProblem(encoded, EdgeFeatures("all"), hashed_indices(BITS),
                               1 << BITS, decoder)
    return SecondOrderProblem(encoded, all_edges(encoded), PartFeatures("all"), BITS,
                              True, decoder)


@pytest.mark.parametrize("order, decoder", [(1, "projective"), (1, "exact"),
                                            (2, "projective")])
def test_the_best_tree_around_the_known_heads(english, order, decoder):
    rng = np.random.default_rng(1)
    short = [own for own in english.sentences if 2 <= len(own) <= 5][:8]
    partial = [with_some_heads(own, .4, rng) for own in short]
    problem = problem_of(partial, order, DECODERS[decoder])
    model = LinearModel.of(rng.normal(size=1 << BITS).astype(np.float32))
    problem.completed(model)
    compared = 0
    for i, sentence in enumerate(partial):
        trees = all_trees(len(sentence), decoder == "projective", True)
        known = np.append(-1, sentence.heads)
        around = trees[((trees == known) | (known < 0)).all(axis=1)]
        if not len(around) or i not in problem.incomplete:
            continue
        scores = [problem.part_scores(i, problem.parts(i, np.array(tree, np.int32)), model
                                      ).sum() for tree in around]
        assert problem.gold(i).tolist()[1:] == around[np.argmax(scores)].tolist()[1:]
        compared += 1
    assert compared >= 4


def test_only_known_heads_count_in_the_loss(partly):
    problem = problem_of(partly[40:42], 1, DECODERS["projective"])
    heads = np.append(-1, partly[40].heads).astype(np.int32)
    unknown = np.flatnonzero(heads[1:] < 0) + 1
    heads[unknown] = 0
    assert problem.example_loss(0, heads) == 0
    known = np.flatnonzero(heads[1:] > 0) + 1
    known = known[~np.isin(known, unknown)]
    heads[known[0]] = 0
    assert problem.example_loss(0, heads) == pytest.approx(1 / len(partly[40]))


def test_guesses_are_trees_with_all_known_heads(partly):
    encoded = encode(partly)
    completed = complete_trees(encoded, True)
    assert (completed.heads[encoded.is_token()] >= 0).all()
    assert completed.is_complete().sum() >= 40
    known = completed.known & encoded.is_token()
    assert (completed.heads[known] == encoded.heads[known]).all()
    assert np.array_equal(completed.select(np.array([50])).known,
                          completed.between(50, 51).known)


def uas(parser, sentences):
    """On the words whose heads are known."""
    predicted = np.concatenate(parser.predict_heads(sentences))
    gold = np.concatenate([own.heads for own in sentences])
    return np.mean((predicted == gold)[gold >= 0])


@pytest.mark.parametrize("order", [1, 2])
def test_a_parser_learns_from_them(english, partly, order):
    learner = ParserLearner(order=order, partial=True, calibrate=False, passes=5)
    parser = learner(Treebank.from_sentences(partly))
    without = learner(Treebank.from_sentences(partly[:40]))
    assert uas(parser, partly[40:]) > uas(without, partly[40:]) + .05
    unseen = english.sentences[100:200]
    assert uas(parser, unseen) > uas(without, unseen)


def test_complete_trees_are_learned_as_ever(english):
    treebank = english[:20]
    with_it, without = (ParserLearner(partial=partial, calibrate=False, passes=2)(treebank)
                        for partial in (True, False))
    assert np.array_equal(with_it.model.weights, without.model.weights)


def test_what_cannot_be_learned(english, partly):
    treebank = Treebank.from_sentences(partly)
    with pytest.raises(MissingHeadsError):
        ParserLearner()(treebank)
    for options, words in (({"solver": "bcfw"}, "solver mira, not bcfw"),
                           ({"neural": True}, "complete trees")):
        with pytest.raises(InputError, match=words):
            ParserLearner(partial=True, **options)(treebank)
    bare = [own.with_heads([-1] * len(own), ["_"] * len(own))
            for own in english.sentences[:3]]
    with pytest.raises(MissingHeadsError, match="no token"):
        ParserLearner(partial=True)(Treebank.from_sentences(bare))


def test_no_partly_annotated_sentence_is_held_out():
    complete = np.arange(2000) % 2 == 0
    learned, held_out = ExplicitParserLearner().hold_out(2000, 0, complete)
    assert len(held_out) and complete[held_out].all()
    assert sorted([*learned, *held_out]) == list(range(2000))


@pytest.fixture(scope="module", params=[1, 2])
def parser(request, english):
    return ParserLearner(order=request.param, calibrate=False, passes=3)(english[:40])


class TestPartialFit:
    def test_it_learns_and_keeps_what_it_knew(self, english, parser):
        new, old = english.sentences[100:105], english.sentences[:40]
        updated = copy(parser).partial_fit(new)
        assert uas(updated, new) > uas(parser, new)
        assert uas(updated, old) > uas(parser, old) - .02
        assert updated.count_seen(english[100:105]) > 0
        assert parser.count_seen(english[100:105]) == 0     # the old one is as it was

    def test_partly_annotated(self, partly, parser):
        some = [own for own in partly[40:] if own.heads.min() < 0][:5]
        assert uas(copy(parser).partial_fit(some), some) > uas(parser, some)

    def test_a_new_relation(self, english, parser, tmp_path):
        sentence = english.sentences[0]
        renamed = sentence.with_heads(sentence.heads, ["mine"] * len(sentence))
        updated = copy(parser).partial_fit([renamed])
        updated.save(tmp_path / "parser")
        assert "mine" in Parser.load(tmp_path / "parser").predict([sentence]).deprels[0]
        assert "mine" not in parser.relations.names

    def test_other_kinds(self, english):
        parser = ParserLearner(features="transitions", passes=1)(english[:10])
        with pytest.raises(InputError, match="explicit features"):
            parser.partial_fit(english[:3])
