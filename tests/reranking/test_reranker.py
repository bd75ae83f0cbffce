"""Rerankers of dependency and constituency trees."""
import numpy as np
import pytest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.kernels import SubsetTree, dependency_tree
from orange_structpred.problems import PCFG, PhraseTree
from orange_structpred.problems.kernel_map import KernelMap
from orange_structpred.reranking import Reranker
from orange_structpred.reranking.candidate_problem import (
    CandidateList,
    CandidateProblem,
)
from orange_structpred.reranking.candidates import as_kernel_tree, candidate_source
from orange_structpred.reranking.reranker import score_gaps
from orange_structpred.svm.checking import check_problem

TEMPLATE_LOW = "(S (NP (NN {a})) (VP (VB {v}) (NP (NP (NN {b})) (PP (IN with) (NN {c})))))"
TEMPLATE_HIGH = "(S (NP (NN {a})) (VP (VP (VB {v}) (NP (NN {b}))) (PP (IN with) (NN {c}))))"


def sentences_of(n: int, seed: int) -> list[PhraseTree]:
    """A phrase belongs to the verb if it names a tool: a grammar over tags cannot know."""
    rng = np.random.default_rng(seed)
    trees = []
    for _ in range(n):
        tool = rng.random() < 0.5
        words = {"a": rng.choice(["dogs", "men"]), "v": rng.choice(["see", "hit"]),
                 "b": rng.choice(["cats", "boys"]),
                 "c": rng.choice(["sticks", "eyes"] if tool else ["hats", "tails"])}
        trees.append(PhraseTree.from_brackets(
            (TEMPLATE_HIGH if tool else TEMPLATE_LOW).format(**words)))
    return trees


def test_words_decide_where_tags_cannot():
    training, others = sentences_of(60, 0), sentences_of(40, 1)
    base = PCFG().fit(training, training)
    reranker = Reranker(SubsetTree(), k=4, C=100).fit(base, training)
    assert reranker.parser_ is base
    assert base.score(others, others) < 0.95 and reranker.score(others) == 1.
    assert reranker.base_score_ < reranker.oracle_score_ == 1.
    (first, second), *_ = reranker.candidates(others[:1])
    assert first[0] == others[0] and first[1] > second[1]


def test_scores_are_the_sum_over_support_trees():
    training = sentences_of(20, 0)
    reranker = Reranker(SubsetTree(decay=0.3), k=3, C=10).fit(PCFG(), training)
    candidates = reranker.source_.candidates(training[0], 3)
    best = max(own.score for own in candidates)
    for own, score in zip(candidates, reranker.scores(candidates)):
        slow = sum(beta * reranker.kernel(own.tree, tree) for beta, tree in zip(
            reranker.dual_coef_, reranker.support_trees_))
        slow += reranker.base_coef_ * reranker.base_scale_ * (own.score - best)
        assert score == pytest.approx(slow, abs=1e-5)


def test_weights_of_solver_and_dual_agree():
    """What is predicted from support trees is what the SVM has learned."""
    training = sentences_of(20, 3)
    reranker = Reranker(SubsetTree(), k=3, C=10).fit(PCFG(), training)
    lists = reranker.training_candidates_
    trees = [own.tree for candidates in lists for own in candidates]
    scores = reranker.base_scale_ * np.concatenate([score_gaps(own) for own in lists])
    features = np.column_stack([scores, KernelMap(SubsetTree()).fit_transform(trees)])
    np.testing.assert_allclose(
        np.concatenate([reranker.scores(own) for own in lists]),
        features @ reranker.svm_.coef_, atol=1e-3)
    again = Reranker(SubsetTree(), k=3, C=10).fit(
        PCFG(), training, candidates=reranker.training_candidates_)
    assert again.dual_coef_.tolist() == reranker.dual_coef_.tolist()


def test_the_problem_holds_the_protocol():
    rng = np.random.default_rng(0)
    X = [CandidateList(rng.normal(size=(4, 3)), np.array([0.2, 0., 0.5, 1.]))
         for _ in range(5)]
    check_problem(CandidateProblem(X, [x.choice(1) for x in X]))


class TestDependencies:
    treebank = load_bundled("en")

    @pytest.fixture(scope="class")
    def parser(self):
        return ParserLearner(order=1, passes=2, calibrate=False)(self.treebank[:60])

    def test_it_learns_from_other_sentences(self, parser):
        reranker = Reranker(SubsetTree(), k=5, C=10).fit(parser, self.treebank[60:100])
        others = self.treebank[100:130]
        parsed = reranker.predict(others.sentences)
        for sentence, own in zip(others.sentences, parsed):
            trees = [tree.heads.tolist() for tree in parser.k_best(sentence, 5)]
            assert own.heads.tolist() in trees and own.forms == sentence.forms
            assert len(own.deprels) == len(own) and "_" not in own.deprels
        right = sum(int(np.sum(own.heads == sentence.heads))
                    for own, sentence in zip(parsed, others.sentences))
        assert reranker.score(others) == pytest.approx(
            right / sum(map(len, others.sentences)))
        assert reranker.base_score_ <= reranker.oracle_score_

    def test_without_a_choice_it_is_the_parser(self, parser):
        reranker = Reranker(SubsetTree(), k=1).fit(parser, self.treebank[60:70])
        others = self.treebank.sentences[70:80]
        assert reranker.predict(others) == parser.parse(others)
        assert not len(reranker.support_trees_)

    def test_candidates_are_whole_trees_with_relations(self, parser):
        (sentence,) = self.treebank.sentences[70:71]
        candidates = candidate_source(parser).candidates(sentence, 6)
        scores = [own.score for own in candidates]
        assert scores == sorted(scores, reverse=True)
        assert candidates[0].output == parser.parse([sentence])[0]
        assert all(own.tree == dependency_tree(own.output) for own in candidates)

    def test_sentences_of_the_training_are_noticed(self, parser):
        with pytest.warns(UserWarning, match="was trained on 10 of these 10 sentences"):
            Reranker(SubsetTree(), k=2).fit(parser, self.treebank[:10])


def test_kernel_trees_have_all_that_phrases_have():
    tree = sentences_of(1, 0)[0]
    assert str(as_kernel_tree(tree)) == str(tree)


@pytest.mark.parametrize(("arguments", "parser", "text"), [
    ({"kernel": "tree"}, PCFG(), "kernel is 'tree'"),
    ({"k": 0}, PCFG(), "k is 0"),
    ({"folds": 1}, PCFG(), "folds is 1"),
    ({"base_weight": float("nan")}, PCFG(), "base_weight is nan"),
    ({"folds": 9}, PCFG(), "found 4 inputs, expected at least one for each of 9 folds"),
    ({}, None, "the parser is a NoneType"),
])
def test_bad_arguments_are_refused(arguments, parser, text):
    with pytest.raises(InputError, match=text):
        Reranker(arguments.pop("kernel", SubsetTree()), **arguments).fit(
            parser, sentences_of(4, 0))


def test_bad_data_are_refused():
    reranker = Reranker(SubsetTree(), k=2)
    trees = sentences_of(6, 0)
    with pytest.raises(InputError, match="no inputs"):
        reranker.fit(PCFG().fit(trees, trees), [])
    with pytest.raises(InputError, match="6 inputs but 5 lists"):
        reranker.fit(PCFG(), trees, candidates=[[]] * 5)
    bare = [own.with_heads(np.full(len(own), -1), ["_"] * len(own))
            for own in load_bundled("en").sentences[:6]]
    with pytest.raises(InputError, match="sentence 0 has no heads"):
        reranker.fit(ParserLearner(), bare)
