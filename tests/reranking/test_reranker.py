"""Rerankers of dependency and constituency trees."""
import re
from contextlib import suppress
from itertools import islice

import numpy as np
import pytest

from orange_structpred import ParserLearner, Sentence, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFileError
from orange_structpred.kernels import FunctionKernel, SubsetTree, Tree, dependency_tree
from orange_structpred.kernels.input_texts import tree_from_text, tree_text
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
from tests.files.schema_fuzz import cases, write_changed

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
        parsed = reranker.predict(others)
        assert parsed[:3] == reranker.predict(others.sentences[:3])
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


class TestFiles:
    def fitted(self, parser=None, kernel=None):
        training = sentences_of(30, 0)
        return Reranker(kernel or SubsetTree(decay=0.4), k=3, C=10).fit(
            parser or PCFG(), training)

    def test_phrases(self, tmp_path):
        reranker, others = self.fitted(), sentences_of(10, 1)
        reranker.save(tmp_path / "reranker.npz")
        reranker.parser_.save(tmp_path / "grammar.npz")
        loaded = Reranker.load(
            tmp_path / "reranker.npz", PCFG.load(tmp_path / "grammar.npz"))
        assert loaded.get_params() == reranker.get_params()
        assert loaded.candidates(others) == reranker.candidates(others)
        assert loaded.oracle_score_ == reranker.oracle_score_
        assert Reranker.load(tmp_path / "reranker.npz", reranker.parser_, k=2).k == 2

    def test_sentences_with_brackets(self, tmp_path):
        treebank = load_bundled("en")
        bracketed = [Sentence(re.sub(r"^1\t[^\t]+", "1\t(", sentence.block, flags=re.M))
                     for sentence in treebank.sentences[20:32]]
        parser = ParserLearner(order=1, passes=1, calibrate=False)(treebank[:20])
        reranker = Reranker(SubsetTree(), k=4).fit(parser, bracketed)
        assert any("(" in tree.words() for tree in reranker.support_trees_)
        reranker.save(tmp_path / "reranker.npz")
        loaded = Reranker.load(tmp_path / "reranker.npz", parser)
        assert loaded.support_trees_ == reranker.support_trees_
        assert loaded.predict(bracketed[:3]) == reranker.predict(bracketed[:3])

    def test_kernels_of_code_are_passed_again(self, tmp_path):
        kernel = FunctionKernel(lambda one, other: float(one == other))
        reranker = self.fitted(kernel=kernel)
        reranker.save(tmp_path / "reranker.npz")
        with pytest.raises(ModelFileError, match=r"kernel of the Reranker is code"):
            Reranker.load(tmp_path / "reranker.npz", reranker.parser_)
        Reranker.load(tmp_path / "reranker.npz", reranker.parser_, kernel=kernel)

    def test_other_parsers_and_files_are_refused(self, tmp_path):
        reranker = self.fitted()
        reranker.save(tmp_path / "reranker.npz")
        reranker.parser_.save(tmp_path / "grammar.npz")
        with pytest.raises(InputError, match="a PCFG that is not trained"):
            Reranker.load(tmp_path / "reranker.npz", PCFG())
        with pytest.raises(ModelFileError, match="not that of a reranker"):
            Reranker.load(tmp_path / "grammar.npz", reranker.parser_)

    def test_no_change_of_a_file_gets_past_the_schema(self, tmp_path):
        reranker = self.fitted()
        reranker.save(tmp_path / "reranker.npz")
        others = sentences_of(3, 1)

        def load(path):
            return Reranker.load(path, reranker.parser_)

        n_loaded = 0
        for text, changed in islice(cases(tmp_path / "reranker.npz", load), 0, None, 3):
            write_changed(tmp_path / "reranker.npz", changed, tmp_path / "changed.npz")
            with suppress(ModelFileError):
                loaded = load(tmp_path / "changed.npz")
                n_loaded += 1
                assert len(loaded.candidates(others)) == len(others), text
        assert n_loaded > 5


@pytest.mark.parametrize("tree", [
    Tree("("), Tree("A", (Tree(")"), Tree("b c"), Tree(""))), Tree("[", (Tree("]"),))])
def test_trees_of_any_labels_as_texts(tree):
    assert tree_from_text(tree_text(tree)) == tree


@pytest.mark.parametrize("text", ["[]", '[["a", 1]]', '[["a", 0], ["b", 0]]', '[["a", -1]]',
                                  '[["a", true]]', "[[1, 0]]", '[["a"]]', "[3]", "(a"])
def test_texts_that_are_no_trees(text):
    with pytest.raises((ValueError, TypeError)):
        tree_from_text(text)


def test_kernel_trees_have_all_that_phrases_have():
    tree = sentences_of(1, 0)[0]
    assert str(as_kernel_tree(tree)) == str(tree)


@pytest.mark.parametrize(("arguments", "parser", "text"), [
    ({"kernel": "tree"}, PCFG(), "kernel is 'tree'"),
    ({"k": 0}, PCFG(), "k must be a whole number from 1 to .*, not 0"),
    ({"folds": 1}, PCFG(), "folds must be a whole number from 2 to .*, not 1"),
    ({"base_weight": float("nan")}, PCFG(), "base_weight must be a number from 0 to .*, not nan"),
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
