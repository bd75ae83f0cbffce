"""Constraints at prediction: integer programs against lists of all outputs."""
import numpy as np
import pandas as pd
import pytest
from scipy.optimize import LinearConstraint
from sklearn.datasets import load_iris

from orange_structpred.errors import InputError
from orange_structpred.problems import (
    PCFG,
    AlignmentSVM,
    GrammarSVM,
    InfeasibleError,
    IntegerProgram,
    MatchingSVM,
    MulticlassSVM,
    MultilabelSVM,
    RankingSVM,
    SequenceCRF,
    SequenceSVM,
    StructuredSVM,
    TaxonomySVM,
    read_alignment,
)
from orange_structpred.problems.alignment.alignment_problem import Aligned
from orange_structpred.svm import Problem
from orange_structpred.svm.vectors import sparse_vector
from tests.problems.atomic import toy as atomic
from tests.problems.toy import PROBLEMS, RNG, TREES, local_alignments

WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "cat", "sees", "a", "dog"]]
TAGS = [["D", "N", "V"], ["D", "N", "V"], ["D", "N", "V", "D", "N"]]


# What an output is, in the names of variables: plain Python, apart from the programs

def of_class(problem, x, y):
    return {int(y)}


def of_label_set(problem, x, y):
    chosen = set(np.flatnonzero(y).tolist())
    return chosen | {pair for pair in problem.pairs if chosen.issuperset(pair)}


def of_sequence(problem, x, y):
    y = np.asarray(y).tolist()
    return {(t, *y[t - order:t + 1]) for order in range(problem.order + 1)
            for t in range(order, len(y))}


def of_tree(problem, x, y):
    grammar = problem.grammar
    tree = grammar.tree_of(y, x.words)
    splits = {(i, j): j for i, j, *_ in y.tolist()}
    parts = set()
    for start, end, _, rule in y.tolist():
        if end - start == 1:
            parts.add((grammar.names[rule], start))
        else:
            (split,) = (m for m in range(start + 1, end)
                        if (start, m) in splits and (m, end) in splits)
            parts.add((grammar.names[rule], start, split, end))
    return parts | set(tree.constituents()) | {
        (tag, k, k + 1) for k, tag in enumerate(tree.tags)}


def of_alignment(problem, x, y):
    found = {(y.candidate,)}
    places = [tuple(None if place < 0 else place for place in row)
              for row in y.operations.tolist()]
    return found | {(y.candidate, *pair) for pair in places}


def of_matching(problem, x, y):
    return set(enumerate(np.asarray(y).tolist()))


def of_menu(problem, x, y):
    return set(np.flatnonzero(y).tolist())


NAMES = {"multiclass": of_class, "taxonomy": of_class, "label": of_label_set,
         "sequences": of_sequence, "trees": of_tree, "alignments": of_alignment,
         "matchings": of_matching, "rankings": of_matching, "menus": of_menu,
         "graphs": of_matching}


def all_outputs(problem, x):
    if NAMES[first_word(problem.kind)] is not of_alignment:
        return list(problem.outputs(x))
    return [Aligned(candidate, steps) for candidate, string in enumerate(x.strings)
            for steps in local_alignments(len(x.native), len(string))]


def first_word(name):
    return name.replace(",", "").split()[0]


@pytest.mark.parametrize("name", [name for name in PROBLEMS if "zero-one" not in name])
def test_the_best_output_that_satisfies_constraints(name):
    problem = PROBLEMS[name]()
    problem.kind = name
    names_of = NAMES[first_word(name)]
    rng, feasible, tight = RNG(0), 0, 0
    for i in range(len(problem)):
        x = problem.X[i]
        w = rng.normal(size=problem.dim)
        program = problem.as_program(x, w)
        outputs = all_outputs(problem, x)

        def score(y, x=x, w=w):
            vector = sparse_vector(problem.joint_features(x, y))
            return vector.values @ w[vector.indices]

        scores = np.array([score(y) for y in outputs])
        assert score(program.best()) == pytest.approx(scores.max())
        named = [names_of(problem, x, y) for y in outputs]
        some = sorted(set().union(*named), key=str)
        for _ in range(6):
            chosen = {some[k] for k in rng.integers(0, len(some), 4)}
            least, most = sorted(rng.integers(0, 3, 2).tolist())
            counts = np.array([len(chosen & own) for own in named])
            valid = (counts >= least) & (counts <= most)
            limit = program.limit(chosen, at_least=least, at_most=most)
            if not valid.any():
                with pytest.raises(InfeasibleError):
                    program.best(limit)
                continue
            found = program.best([limit])
            assert score(found) == pytest.approx(scores[valid].max())
            assert least <= len(chosen & names_of(problem, x, found)) <= most
            feasible, tight = feasible + 1, tight + (scores[valid].max() < scores.max())
    assert feasible and tight


def test_programs_without_whole_relaxations():
    """Three pairs that exclude each other: the relaxation takes half of each."""
    A = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    program = IntegerProgram(np.array([1., 1., 1.5]), [LinearConstraint(A, 0, 1)], "abc")
    assert program.solve().tolist() == [0, 0, 1]
    assert program.solve(program.limit("c", at_most=0)).sum() == 1


# Estimators

def test_sequences():
    words = [["the", "cat", "sees", "a", "dog"]]

    def no_verb(program, words):
        return program.limit(lambda name: name[1:] == ("V",), at_most=0)

    def ends_with_a_verb(program, words):
        return [program.limit([(len(words) - 1, "V")], at_least=1)]

    for tagger in (SequenceSVM(C=10), SequenceCRF(C=10), SequenceCRF(C=10, loss="hamming")):
        tagger.fit(WORDS, TAGS)
        assert "V" in tagger.predict(words)[0]
        assert "V" not in tagger.predict(words, constraints=no_verb)[0]
        found = tagger.predict(iter(words), constraints=ends_with_a_verb)[0].tolist()
        if tagger.loss == "hamming" and isinstance(tagger, SequenceCRF):
            # positions on their own: only the last one is another
            assert found == [*tagger.predict(words)[0][:-1], "V"]
        else:
            assert found == next(labels.tolist() for labels, _ in tagger.predict_k_best(
                words, 3**5)[0] if labels[-1] == "V")
        assert np.array_equal(tagger.predict(words, constraints=lambda *_: None),
                              tagger.predict(words))
        with pytest.raises(InfeasibleError, match="example 0: no output satisfies"):
            tagger.predict(words, constraints=lambda program, words: [
                *ends_with_a_verb(program, words), no_verb(program, words)])


@pytest.mark.parametrize("constraints, message", [
    (lambda program, words: program.limit([(0, "X")], at_most=0),
     r"no variable is named \(0, 'X'\)"),
    (lambda program, words: LinearConstraint(np.ones((1, 3)), 0, 1),
     "a constraint has 3 columns"),
    (lambda program, words: [True], "a constraint is True; expected a scipy"),
    (lambda program, words: 3, "the constraints are 3; expected one or a list"),
    (LinearConstraint(np.ones((1, 3))), "constraints is a LinearConstraint; expected a "
     "function"),
])
def test_bad_constraints(constraints, message):
    with pytest.raises(InputError, match=message):
        SequenceSVM(C=10).fit(WORDS, TAGS).predict(WORDS, constraints=constraints)


def test_classes_and_sets():
    X, y = load_iris(return_X_y=True)
    classifier = MulticlassSVM(C=100).fit(X, y)

    def not_one(program, x):
        return program.limit([0, 2], at_least=1)

    assert set(classifier.predict(X[::5], constraints=not_one)) == {0, 2}
    with pytest.warns(UserWarning, match="feature names"):
        assert set(classifier.predict(pd.DataFrame(X[::5]).rename(columns=str),
                                      constraints=not_one)) == {0, 2}
    sets = MultilabelSVM(C=10).fit(X, np.column_stack([y == 0, y > 0, y == 2]).astype(int))
    assert sets.predict(X[::10], constraints=lambda program, x: program.limit(
        [0, 1, 2], at_least=3)).all()
    animals = np.array(["plant/iris", "animal/cat", "animal/dog"])[y]
    taxonomy = TaxonomySVM(C=10).fit(X, animals)
    assert set(taxonomy.predict(X[:5], constraints=lambda program, x: program.limit(
        lambda name: name.startswith("animal/"), at_least=1))) <= {"animal/cat", "animal/dog"}
    with pytest.raises(InfeasibleError, match="example 0"):
        taxonomy.predict(X, constraints=lambda program, x: program.limit(
            program.names, at_most=0))


def test_matchings_and_rankings():
    rng = RNG(0)
    items = [rng.normal(size=(4, 2)) for _ in range(6)]
    ranks = [np.argsort(np.argsort(-x[:, 0])) for x in items]
    ranker = RankingSVM(C=10).fit(items, ranks)
    for found in ranker.predict(items, constraints=lambda program, x: program.limit(
            [(3, 0)], at_least=1)):
        assert found[3] == 0 and sorted(found) == [0, 1, 2, 3]
    pairs = [rng.normal(size=(2, 3, 2)) for _ in range(6)]
    matcher = MatchingSVM().fit(pairs, [[0, 1]] * 6)
    assert all(found[1] == 2 for found in matcher.predict(
        pairs, constraints=lambda program, x: program.limit([(1, 2)], at_least=1)))
    with pytest.raises(InfeasibleError):
        matcher.predict(pairs, constraints=lambda program, x: program.limit(
            [(0, 2), (1, 2)], at_least=2))


def test_grammars():
    verb_attachment = ["n", "v", "n", "p", "n"]
    for parser in (GrammarSVM(C=10, markov=0), PCFG(markov=0)):
        parser.fit(TREES, TREES)
        whole, apart = (
            parser.predict([verb_attachment], constraints=lambda program, x, n=n: (
                program.limit([("NP", 2, 5)], at_least=n, at_most=n)))[0]
            for n in (1, 0))
        assert ("NP", 2, 5) in whole.constituents() - apart.constituents()
        assert parser.predict([verb_attachment])[0] in (whole, apart)

        def nothing_crosses(program, x):
            return program.limit(lambda name: len(name) == 3 and (
                name[1] < 1 < name[2] < 3 or 1 < name[1] < 3 < name[2]), at_most=0)

        tree = parser.predict([["t", "t", "t", "t"]], constraints=nothing_crosses)[0]
        assert not any(start < 1 < end < 3 or 1 < start < 3 < end
                       for _, start, end in tree.constituents())
        (tree,) = parser.predict(TREES[:1], constraints=lambda program, x: None)
        assert tree.words == TREES[0].words
        with pytest.raises(InfeasibleError, match="example 0: no output satisfies the con"):
            parser.predict([verb_attachment], constraints=lambda program, x: program.limit(
                [("NP", 0, 4)], at_least=1))
        with pytest.raises(InfeasibleError, match="example 1: the grammar cannot parse 'd "
                                                  "what': no rule makes 'what'"):
            parser.predict([verb_attachment, ["d", "what"]], constraints=lambda *_: None)
        with pytest.raises(InputError, match=r"no variable is named \('XP', 0, 1\)"):
            parser.predict([verb_attachment], constraints=lambda program, x: program.limit(
                [("XP", 0, 1)], at_most=0))


def test_alignments():
    X = [("GATTACA", ["CCGTCC", "GATACA"]), ("TTAGC", ["TAGGC", "CCCCA"])]
    y = [(1, read_alignment("GATTACA", "GAT-ACA")), (0, read_alignment("TTAG-C", "-TAGGC"))]
    svm = AlignmentSVM(C=10).fit(X, y)

    def others(program, x):
        native, candidates = x
        return program.limit([(candidates.index(string),) for string in candidates
                              if string != "GATACA"], at_least=1)

    assert svm.predict(X).tolist() == [1, 0]
    assert svm.predict(X[:1], constraints=others).tolist() == [0]

    def everything(program, x):
        native, (other,) = x
        return [program.limit([(0, "start", 0, 0)], at_least=1),
                program.limit([(0, "end", len(native), len(other))], at_least=1)]

    found = svm.align("GATTACA", "CGAT", constraints=everything)
    for column, length in ((0, 7), (1, 4)):
        assert [pair[column] for pair in found.operations if pair[column] is not None] \
            == list(range(length))
    free = svm.align("GATTACA", "CGAT")
    assert found.score < free.score
    assert svm.align("GATTACA", "CGAT", constraints=lambda *_: None).score \
        == pytest.approx(free.score)
    no_gaps = svm.align("GATTACA", "GATACA", constraints=lambda program, x: [
        program.limit(lambda name: None in name, at_most=0),
        program.limit([(0, 4, 3)], at_least=1)])
    assert all(None not in pair for pair in no_gaps.operations)
    assert (4, 3) in no_gaps.operations
    with pytest.raises(InfeasibleError, match="example 0: no output satisfies"):
        svm.align("GA", "CGAT", constraints=lambda program, x: program.limit(
            [(0, 0, 1), (0, 1, 0)], at_least=2))


class Signs(Problem):
    """A problem of four methods."""

    def __init__(self, X, Y):
        super().__init__(X, Y, dim=1)

    def joint_features(self, x, y):
        return np.array([x * y])

    def loss(self, y, y_hat):
        return float(y != y_hat)

    def predict(self, x, w):
        return max((-1, 1), key=lambda y: w[0] * x * y)

    def separate(self, x, y, w):
        return max((-1, 1), key=lambda y_hat: w[0] * x * y_hat + self.loss(y, y_hat))


class ListedSigns(Signs):
    def outputs(self, x):
        return (-1, 1)


def test_own_problems():
    def positive(program, x):
        return program.limit([1], at_least=1)

    X, Y = [3., -2.], [1, -1]
    assert StructuredSVM(ListedSigns).fit(X, Y).predict(X, constraints=positive) == [1, 1]
    with pytest.raises(InputError, match="Signs cannot be constrained: it has neither a "
                                         "method `as_program` nor a method `outputs`"):
        StructuredSVM(Signs).fit(X, Y).predict(X, constraints=positive)


class Unlisted(atomic.Tags):
    outputs = Problem.outputs


def test_outputs_of_kernels_that_are_listed():
    """Their scores are sums of the weights that `construct` gets."""
    svm = StructuredSVM(atomic.Tags, kernel=atomic.common_words, C=10).fit(atomic.X, atomic.Y)
    tags = svm.predict(atomic.X, constraints=lambda program, x: program.limit(
        lambda output: output[0] == "V", at_least=1))
    for x, y, weights in zip(atomic.X, tags, svm.sufficient_weights(atomic.X)):
        rows = weights.reshape(len(x), -1)
        assert y == ["V", *(atomic.TAGS[k] for k in rows[1:].argmax(axis=1))]
    with pytest.raises(AttributeError, match="no weights of features"):
        _ = svm.coef_
    svm.set_params(problem=Unlisted)
    with pytest.raises(InputError, match="Unlisted cannot be constrained: it has neither"):
        svm.predict(atomic.X, constraints=lambda program, x: [])
