"""CKY and the grammar problem against enumeration of all trees."""
import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.problems.grammar.grammar_problem import (
    GrammarProblem,
    fragment_tree,
)
from orange_structpred.problems.grammar.rules import RARE_WORD, Grammar
from orange_structpred.problems.grammar.spans import SpanFeatures, surface_features
from orange_structpred.problems.grammar.trees import PhraseTree
from orange_structpred.svm.linear import LinearModel
from tests.problems.toy import TREES, AllTrees, trees


class DenseTrees(AllTrees):
    def joint_features(self, x, y):
        """Dense and by counting, for the reference."""
        phi = np.zeros(self.dim)
        for *_, rule in y.tolist():
            phi[rule] += 1
        phi[self.grammar.rules.root_rules[y[0, 2]]] += 1
        if self.spans:
            for start, end, label, _ in y.tolist():
                for name in surface_features(x.words, start, end):
                    number = self.spans.numbers[name]
                    phi[len(self.grammar) + number * len(self.grammar.labels) + label] += 1
        return phi


def make(*, spans=False, kind=DenseTrees, **options):
    strings = [tree.tags for tree in TREES]
    return trees(kind, spans=SpanFeatures(surface_features, strings) if spans else None,
                 **options)


@pytest.mark.parametrize("markov", [None, 0, 1])
def test_nodes_and_back(markov):
    grammar = Grammar(TREES, markov=markov)
    for tree in TREES:
        nodes = grammar.nodes_of(tree)
        assert len(nodes) == 2 * len(tree.tags) - 1
        assert grammar.tree_of(nodes, tree.words) == tree


@pytest.mark.parametrize("spans", [False, True])
def test_features(spans):
    slow, fast = make(spans=spans), make(spans=spans, kind=GrammarProblem)
    for x, y in zip(slow.X, slow.Y):
        vector = fast.joint_features(x, y)
        dense = np.zeros(slow.dim)
        dense[vector.indices] = vector.values
        np.testing.assert_array_equal(dense, slow.joint_features(x, y))


@pytest.mark.parametrize("spans", [False, True])
@pytest.mark.parametrize("loss", ["f1", "zero-one"])
def test_best_trees_are_those_of_enumeration(loss, spans):
    problem = make(loss=loss, spans=spans)
    rng = np.random.default_rng(0)
    ambiguous = 0
    for _ in range(5):
        w = rng.normal(size=problem.dim)
        for i, (x, y) in enumerate(zip(problem.X, problem.Y)):
            outputs = problem.outputs(x)
            ambiguous += len(outputs) > 2
            scores = np.array([w @ problem.joint_features(x, tree) for tree in outputs])
            losses = np.array([problem.loss(y, tree) for tree in outputs])

            def score_of(tree, x=x, w=w):
                return w @ problem.joint_features(x, tree)

            assert score_of(problem.predict(x, w)) == pytest.approx(scores.max())
            found = problem.separate(x, y, w)
            assert score_of(found) + problem.loss(y, found) == pytest.approx(
                (scores + losses).max())
            by_loss = {problem.loss(y, tree): score_of(tree)
                       for tree in problem.best_by_loss(i, LinearModel.of(w))}
            if loss == "f1":
                assert by_loss == pytest.approx({
                    value: scores[losses == value].max() for value in losses})
            totals, trees = problem.k_best(x, w, 4)
            np.testing.assert_allclose(totals, np.sort(scores)[::-1][:4])
            np.testing.assert_allclose(totals, [score_of(tree) for tree in trees])
            assert len({tree.tobytes() for tree in trees}) == len(trees)
    assert ambiguous


def test_f1_is_the_share_of_common_nodes():
    problem = make()
    for x, y in zip(problem.X, problem.Y):
        for tree in problem.outputs(x):
            gold, other = ({tuple(row) for row in nodes[:, :3].tolist()}
                           for nodes in (y, tree))
            f1 = 2 * len(gold & other) / (len(gold) + len(other))
            assert problem.loss(y, tree) == pytest.approx(1 - f1)


def test_pcfg():
    grammar = Grammar(TREES)
    share = dict(zip(grammar.names, np.exp(grammar.log_probabilities())))
    assert share["root -> S"] == pytest.approx(4 / 7)
    assert share["S -> NP VP"] == pytest.approx(1 / 2)
    assert share["NP -> d n"] == pytest.approx(3 / 4)


def test_words():
    grammar = Grammar(TREES, terminals="words")
    assert f"n -> {RARE_WORD!r}" in grammar.names and "n -> 'cats'" in grammar.names
    assert "n -> 'dog'" not in grammar.names
    assert grammar.encode(["cats", "never", "seen"]).tolist() == [
        grammar.numbers["cats"], *[grammar.numbers[RARE_WORD]] * 2]


def test_fragments():
    problem = make(kind=GrammarProblem)
    w = problem.grammar.log_probabilities()
    x = problem.encode(["p", "d", "n", "what", "v"])
    assert problem.predict(x, w) is None
    pieces = problem.best_fragments(x, w)
    assert str(fragment_tree(problem.grammar, pieces, x.words)) == (
        "(FRAG (p p) (NP (d d) (n n)) (X what) (S (VP (v v))))")


@pytest.mark.parametrize("action, message", [
    (lambda: Grammar([]), "at least one tree is needed"),
    (lambda: Grammar(TREES, terminals="letters"), "terminals 'letters' is not known"),
    (lambda: Grammar(TREES, markov=-1), "markov must be a whole number from 0 to .*, or None, not -1"),
    (lambda: make(loss="hamming"), "loss 'hamming' is not known; choose from f1"),
    (lambda: make().encode([]), "a string is empty"),
    (lambda: make().encode(["n"] * 2000), "needs a chart of"),
    (lambda: GrammarProblem([["n"]], TREES[:1], Grammar(TREES)), "has 1 terminals"),
    (lambda: Grammar(TREES).nodes_of(PhraseTree.from_brackets("(S (v x) (n y))")),
     "the grammar cannot build the tree"),
    (lambda: Grammar(TREES).nodes_of(PhraseTree.from_brackets("(PP (p x) (NP (n y)))")),
     "PP is never a root"),
])
def test_bad_input(action, message):
    with pytest.raises(InputError, match=message):
        action()
