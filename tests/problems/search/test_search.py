"""Learning to search: policies, beams, ready-made problems, bad input."""
import itertools
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

from orange_structpred.errors import InputError
from orange_structpred.problems import (
    DependencySearch,
    OutputSearch,
    SearchLearner,
    SearchProblem,
    SegmentationSearch,
    SequenceSearch,
    StructuredSVM,
)
from orange_structpred.problems.search.beam import search_beam
from orange_structpred.problems.search.decisions import (
    DecisionEncoder,
    best_candidates,
    concatenate_decisions,
)
from orange_structpred.problems.search.output_search import Discrepancies
from orange_structpred.problems.search.policies import (
    DecisionProblem,
    learn_by_mira,
)
from orange_structpred.problems.search.search_learner import POLICIES
from orange_structpred.problems.search.search_problem import Situation
from orange_structpred.svm import check_problem

LABELS = "DNV"
RULES = {"D": "N", "N": "V", "V": "D"}


def make_sequences(n, random_state=0):
    """Labels follow each other by a rule; tokens show them only some of the time."""
    rng = np.random.default_rng(random_state)
    X, y = [], []
    for _ in range(n):
        labels = [LABELS[rng.integers(3)]]
        while len(labels) < 6:
            labels.append(RULES[labels[-1]] if rng.random() < 0.9
                          else LABELS[rng.integers(3)])
        X.append([label.lower() if k == 0 or rng.random() < 0.6 else "?"
                  for k, label in enumerate(labels)])
        y.append(labels)
    return X, y


@pytest.fixture(scope="module")
def sequences():
    return make_sequences(60)


class Own(SequenceSearch):
    """The same with features of actions, written out."""

    def features(self, x, state, action):
        return {(name, action): 1. for name in self.state_features(x, state)}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", [SequenceSearch, Own])
def test_policies_learn(sequences, policy, kind):
    X, y = sequences
    learner = SearchLearner(kind(LABELS), policy=policy, rounds=2).fit(X[:40], y[:40])
    assert learner.score(X[40:], y[40:]) > 0.8
    assert learner.score(X[40:], y[40:]) == 1 - learner.mean_loss(X[40:], y[40:])
    assert learner.predict(X[:3]) == pickle.loads(pickle.dumps(learner)).predict(X[:3])


@pytest.mark.parametrize("policy", ["searn", "lols"])
def test_all_states_are_learned_from_if_there_is_an_oracle(sequences, policy):
    """A share of them by trying actions out, the others as the oracle says."""
    X, y = sequences
    some, all_ = (SearchLearner(SequenceSearch(LABELS), policy=policy, rounds=1,
                                subsample=share).fit(X, y) for share in (0.1, 1))
    assert some.n_decisions_ == all_.n_decisions_ == 6 * len(X)
    assert some.score(X, y) > all_.score(X, y) - 0.02

    class Unknowing(SequenceSearch):
        oracle = SearchProblem.oracle

    blind = SearchLearner(Unknowing(LABELS), policy=policy, rounds=1, subsample=0.1)
    assert blind.fit(X, y).n_decisions_ < 0.2 * 6 * len(X)


@pytest.mark.parametrize("problem, right", [
    (SequenceSearch("ab"), lambda n: list("a" * n)),
    (SegmentationSearch(), lambda n: [(i, i + 1) for i in range(n)])])
def test_a_mistake_costs_as_much_in_a_long_output(problem, right):
    """What actions lead to is counted in parts, though the loss is a share of them."""
    learner, costs = SearchLearner(problem, policy="lols", beta=1), []
    for n in (4, 40):
        x, y = ["x"] * n, right(n)
        state = problem.start(x)
        for _ in range(2):
            state = problem.take(state, problem.oracle(state, y))
        costs += learner._tried_costs([Situation(0, x, y, state, problem.actions(state))],
                                      None, 0, np.random.RandomState(0))
    assert_allclose(costs[0], costs[1], rtol=0.3)
    assert min(costs[0]) == 0 and max(costs[0]) > 0.5


def test_features_of_states_are_features_of_actions(sequences):
    """Both ways to write them give the same decisions."""
    X, y = sequences
    predictions = [SearchLearner(kind(LABELS), policy="imitation").fit(X, y).predict(X)
                   for kind in (SequenceSearch, Own)]
    assert predictions[0] == predictions[1]


@pytest.mark.parametrize("solver", ["bcfw", "perceptron", "subgradient", "one-slack"])
def test_solvers(sequences, solver):
    X, y = sequences
    learner = SearchLearner(SequenceSearch(LABELS), policy="imitation", solver=solver,
                            C=100, tol=0.1).fit(X, y)
    assert learner.score(X, y) > 0.8
    assert learner.coef_.shape == (len(learner.feature_names_) * len(learner.actions_),)


@pytest.mark.parametrize("solver", [
    LogisticRegression(), Perceptron(), RandomForestClassifier(10, random_state=0),
    GaussianNB()])          # which needs dense features
@pytest.mark.parametrize("policy", ["dagger", "searn"])
def test_classifiers_of_scikit_learn(sequences, solver, policy):
    X, y = sequences
    learner = SearchLearner(SequenceSearch(LABELS), policy=policy, rounds=2,
                            solver=solver, subsample=0.5).fit(X[:30], y[:30])
    assert learner.score(X[30:], y[30:]) > 0.7
    with pytest.raises(AttributeError, match="coef_"):
        learner.coef_                                       # noqa: B018
    with pytest.raises(InputError, match="needs `state_features`"):
        SearchLearner(Own(LABELS), policy="imitation", solver=solver).fit(X, y)


def test_a_classifier_of_two_actions():
    X = [list("aab"), list("abaa"), list("ab"), list("aaaab")]
    y = [[(0, 2), (2, 3)], [(0, 1), (1, 4)], [(0, 1), (1, 2)], [(0, 4), (4, 5)]]
    learner = SearchLearner(SegmentationSearch(), solver=LogisticRegression(C=100)).fit(X, y)
    assert learner.predict(X) == y


def decisions_of(problem, X, y):
    """The decisions of the oracle, and their costs."""
    encoder, parts, costs = DecisionEncoder(problem), [], []
    for x, labels in zip(X, y):
        state = problem.start(x)
        while actions := problem.actions(state):
            parts.append(encoder.encode(
                [Situation(0, x, labels, state, actions)], learning=True))
            best = problem.oracle(state, labels)
            costs.extend([float(action != best) for action in actions])
            state = problem.take(state, best)
    # those of before more actions were known have the same numbers
    return DecisionProblem(concatenate_decisions(parts), np.array(costs), encoder.n_features,
                           encoder.stride)


@pytest.mark.parametrize("kind", [SequenceSearch, Own])
def test_compiled_mira_is_mira(sequences, kind):
    X, y = sequences
    problem = decisions_of(kind(LABELS), X[:20], y[:20])
    check_problem(problem)
    for C in (0.01, 1.):
        estimator = StructuredSVM(lambda X, y: problem, solver="mira", C=C, max_iter=4)
        expected = estimator.fit(problem.X, problem.Y).coef_
        assert_allclose(learn_by_mira(problem, estimator._solver()), expected, atol=1e-12)
        assert np.abs(expected).max() > 0


def test_equally_cheap_candidates_are_no_rivals():
    """Nothing is learned about two actions that cost the same."""
    problem = decisions_of(SequenceSearch("ab"), [["x"]], [["a"]])
    problem.costs[:] = 0
    assert not learn_by_mira(problem, StructuredSVM(None, solver="mira")._solver()).any()


def test_best_candidates_are_those_of_numpy():
    rng = np.random.default_rng(0)
    firsts = np.array([0, 1, 4, 9])
    for _ in range(20):
        scores = rng.integers(0, 3, 9).astype(float)
        expected = [np.argmax(scores[a:b]) for a, b in itertools.pairwise(firsts)]
        assert best_candidates(scores, firsts).tolist() == expected


@pytest.mark.parametrize("kind", [SequenceSearch, Own])
def test_a_wide_beam_finds_the_best_sequence(sequences, kind):
    """As an enumeration of all sequences does, and so do the k best."""
    X, y = sequences
    learner = SearchLearner(kind(LABELS), policy="imitation", max_iter=2).fit(X, y)
    x = X[0][:4]

    def score(labels):
        problem, state, total = learner.problem, learner.problem.start(x), 0.
        for label in labels:
            decisions = learner.policy_.encoder.encode(
                [Situation(0, x, None, state, (label,))], learning=False)
            total += learner.policy_.scores(decisions)[0]
            state = problem.take(state, label)
        return total

    ranked = sorted(itertools.product(LABELS, repeat=4), key=score, reverse=True)
    (found,) = learner.predict_k_best([x], 81)
    assert [labels for labels, _ in found[:5]] == [list(labels) for labels in ranked[:5]]
    assert_allclose([value for _, value in found], sorted(map(score, ranked))[::-1])
    greedy = search_beam(learner.problem, x, learner.policy_, 1, 100)
    assert learner.problem.output(greedy[0].state) == learner.predict([x])[0]


def test_early_update(sequences):
    """What the first label is shows only at the end: a beam can wait for it, and learns
    to."""
    X = [[start, "?", end] for start in "xy" for end in "ab"] * 5
    y = [[end.upper(), "?", end.upper()] for start in "xy" for end in "ab"] * 5
    problem = SequenceSearch("AB?", features=lambda x, i: [x[i]])
    learner = SearchLearner(problem, policy="imitation", beam=4).fit(X, y)
    assert learner.score(X, y) == 1
    assert SearchLearner(problem, policy="imitation").fit(X, y).score(X, y) < 1
    X, y = sequences
    for kind in (SequenceSearch, Own):
        learner = SearchLearner(kind(LABELS), beam=3, max_iter=3).fit(X[:40], y[:40])
        assert learner.score(X[40:], y[40:]) > 0.8


def test_segments():
    X = [list("the cat"), list("a dog"), list("the dog"), list("a cat")]
    y = [[(0, 3), (3, 4), (4, 7)], [(0, 1), (1, 2), (2, 5)], [(0, 3), (3, 4), (4, 7)],
         [(0, 1), (1, 2), (2, 5)]]
    learner = SearchLearner(SegmentationSearch()).fit(X, y)
    assert learner.predict([list("the dog")]) == [[(0, 3), (3, 4), (4, 7)]]
    assert learner.problem.loss([(0, 1), (1, 3)], [(0, 1), (1, 2), (2, 3)]) == 1 - 2 / 5
    assert learner.predict([[]]) == [[]]
    for wrong in ([(0, 2), (3, 5)], [(1, 5)], [(0, 4)], []):
        with pytest.raises(InputError, match="follow each other from 0 to 5"):
            SearchLearner(SegmentationSearch()).fit([list("a dog")], [wrong])


def projective_trees(n):
    """All head lists of n tokens with one root and no crossing edges."""
    for heads in itertools.product(range(n + 1), repeat=n):
        if heads.count(0) != 1 or any(head == k for k, head in enumerate(heads, 1)):
            continue
        edges = [tuple(sorted((k, head))) for k, head in enumerate(heads, 1)]
        if any(a < c < b < d for a, b in edges for c, d in edges):
            continue
        if all(0 in ancestors(k, heads) for k in range(1, n + 1)):
            yield list(heads)


def ancestors(token, heads):
    found = []
    while token and token not in found:
        found.append(token)
        token = heads[token - 1]
    return {*found, token}


def reachable(problem, state):
    """All outputs that a state can lead to."""
    actions = problem.actions(state)
    if not actions:
        yield problem.output(state)
    for action in actions:
        yield from reachable(problem, problem.take(state, action))


def test_the_oracle_of_trees():
    """Its actions lose as few heads as an enumeration of all outputs says."""
    problem = DependencySearch()
    x = ["a", "b", "c", "d"]
    trees = list(projective_trees(4))
    assert set(map(tuple, reachable(problem, problem.start(x)))) == set(map(tuple, trees))
    rng = np.random.default_rng(0)
    for gold in trees:
        state = problem.start(x)
        while actions := problem.actions(state):
            losses = {action: min(problem.loss(output, gold) for output in reachable(
                problem, problem.take(state, action))) for action in actions}
            least = min(losses.values())
            assert problem.oracle(state, gold) == {
                action for action, loss in losses.items() if loss == least}
            state = problem.take(state, actions[rng.integers(len(actions))])


def test_trees_are_learned():
    X = [[("the", "D"), ("dog", "N"), ("runs", "V")],
         [("a", "D"), ("cat", "N"), ("sees", "V"), ("the", "D"), ("dog", "N")],
         [("dogs", "N"), ("run", "V")]]
    y = [[2, 3, 0], [2, 3, 0, 5, 3], [2, 0]]
    learner = SearchLearner(DependencySearch(), beam=2).fit(X, y)
    assert learner.predict([[("the", "D"), ("cat", "N"), ("runs", "V")]]) == [[2, 3, 0]]
    with pytest.raises(InputError, match="one for each of the 2 tokens, from 0 to 2"):
        SearchLearner(DependencySearch()).fit([["a", "b"]], [[3, 0]])


def first_is_last(n):
    """The first label is told by the last token, which greedy search has not seen."""
    rng = np.random.default_rng(0)
    y = [[end, *rng.choice(list("ab"), 2).tolist(), end]
         for end in rng.choice(list("ab"), n).tolist()]
    return [["?", *labels[1:]] for labels in y], y


def test_output_search():
    X, y = first_is_last(40)
    problem = SequenceSearch("ab", features=lambda x, i: [x[i]])
    first = SearchLearner(problem, policy="imitation")
    both = OutputSearch(first, lambda x, output: [(output[0], x[-1])]).fit(X[:30], y[:30])
    assert both.learner_.score(X[30:], y[30:]) < 1
    assert both.score(X[30:], y[30:]) == 1
    again = clone(both).set_params(solver="bcfw").fit(X[:30], y[:30])
    assert again.score(X[30:], y[30:]) == 1
    useless = OutputSearch(first, lambda x, output: {}).fit(X[:30], y[:30])
    assert useless.predict(X[30:]) == useless.learner_.predict(X[30:])


def test_neighbours_of_an_output():
    """One action differs; what follows is the policy's."""
    X, y = first_is_last(20)
    learner = SearchLearner(SequenceSearch("ab"), policy="imitation").fit(X, y)
    space = Discrepancies(learner.problem, learner.policy_, 100, 100)
    (built,) = space.complete(X[0], [()])
    assert [built.output] == learner.predict(X[:1])
    assert_allclose(built.score, learner.predict_k_best(X[:1], 1)[0][0][1])
    neighbours = space.neighbours(X[0], built)
    assert len(neighbours) == 4
    for position, other in enumerate(sorted(neighbours, key=lambda other: [
            one == two for one, two in zip(other.actions, built.actions)])):
        assert other.actions[:position] == built.actions[:position]
        assert other.actions[position] != built.actions[position]
        (completed,) = space.complete(X[0], [other.actions[:position + 1]])
        assert completed == other
    space.n_neighbours = 1
    (nearest,) = space.neighbours(X[0], built)
    margins = [decision.scores[0] - decision.scores[1]
               for decision in space.decisions(X[0], built.actions)]
    assert nearest.actions[:np.argmin(margins)] == built.actions[:np.argmin(margins)]
    assert nearest.actions[np.argmin(margins)] != built.actions[np.argmin(margins)]


@pytest.mark.parametrize("changes, message", [
    ({"learner": SequenceSearch("ab")}, "expected a SearchLearner"),
    ({"cv": 1}, "cv must be"), ({"cv": 30}, "at least cv=30"),
    ({"max_steps": 0}, "max_steps must be"),
])
def test_wrong_parameters_of_output_search(changes, message):
    learner = SearchLearner(SequenceSearch("ab"))
    with pytest.raises(InputError, match=message):
        OutputSearch(**{"learner": learner, "features": lambda x, output: output,
                        **changes}).fit(*first_is_last(20))


def test_conventions_of_scikit_learn(sequences):
    X, y = sequences
    learner = SearchLearner(SequenceSearch(LABELS), max_iter=2)
    assert clone(learner).get_params()["max_iter"] == 2
    search = GridSearchCV(learner, {"policy": ["imitation", "dagger"]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.7
    assert not learner.__sklearn_tags__().input_tags.two_d_array
    first, second = (clone(learner).fit(X, y) for _ in range(2))
    assert (first.coef_ == second.coef_).all()


def test_verbose(sequences, capsys):
    X, y = sequences
    learner = SearchLearner(SequenceSearch(LABELS), rounds=2, beam=2, max_iter=3, verbose=1)
    learner.fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "SearchLearner, round 1", "SearchLearner, round 2", *(
            f"SearchLearner, pass {k} with a beam of 2" for k in (1, 2, 3))]
    assert f" {learner.n_decisions_} decisions, " in lines[1]
    assert " of 60 examples corrected, " in lines[-1]
    learner.set_params(verbose=0).fit(X, y)
    assert not capsys.readouterr().out


# bad input

class Endless(SequenceSearch):
    def actions(self, state):
        return self.labels

    def state_features(self, x, state):
        return ["always"]

    def oracle(self, state, y):
        return self.labels[0]


@pytest.mark.parametrize("options", [{}, {"policy": "lols"}, {"beam": 2}])
def test_a_search_that_never_ends(options):
    with pytest.raises(InputError, match=r"not ended after 50 actions; let `actions`"):
        SearchLearner(Endless("ab"), max_actions=50, **options).fit([["x"]], [["a"]])


def test_an_oracle_that_returns_what_is_not_allowed():
    class Wrong(SequenceSearch):
        def oracle(self, state, y):
            return "Z"

    with pytest.raises(InputError, match=r"oracle of Wrong returned 'Z'.* 'D', 'N', 'V'"):
        SearchLearner(Wrong(LABELS)).fit([["x"]], [["D"]])


class InPlace(SearchProblem):
    """Letters are copied from the input, into a list that is changed."""

    in_place = True

    def start(self, x):
        return {"left": list(x), "made": []}

    def actions(self, state):
        return ("a", "b") if state["left"] else ()

    def take(self, state, action):
        state["left"].pop()
        state["made"].append(action)
        return state

    def features(self, x, state, action):
        return [(state["left"][-1], action)]

    def output(self, state):
        return state["made"][::-1]

    def loss(self, output, y):
        return float(sum(one != two for one, two in zip(output, y)))


@pytest.mark.parametrize("beam", [1, 2])
def test_states_that_are_changed_are_copied(beam):
    X, y = [list("xyx"), list("yy")], [list("aba"), list("bb")]
    learner = SearchLearner(InPlace(), policy="lols", beam=beam).fit(X, y)
    assert learner.predict(X) == y

    class Forgotten(InPlace):
        in_place = False

    with pytest.raises(InputError, match="changes the state .* set in_place = True"):
        SearchLearner(Forgotten(), policy="lols").fit(X, y)


def test_a_state_that_cannot_be_copied():
    class Generated(InPlace):
        def start(self, x):
            return {**super().start(x), "generator": (letter for letter in x)}

    with pytest.raises(InputError, match="state of Generated cannot be copied"):
        SearchLearner(Generated(), policy="lols").fit([list("xyx")], [list("aba")])


@pytest.mark.parametrize("changes, message", [
    ({"policy": "greedy"}, "policy 'greedy' is not known"),
    ({"beam": 0}, "beam must be a whole number from 1"),
    ({"beta": 2}, "beta must be"),
    ({"solver": "newton"}, "solver 'newton' is not known; choose from"),
    ({"problem": SequenceSearch}, r"the class SequenceSearch; expected an instance"),
    ({"problem": "words"}, "problem is a str; expected a SearchProblem"),
    ({"solver": LogisticRegression}, "or a classifier of scikit-learn, not"),
    ({"solver": LinearRegression()}, "LinearRegression is not a classifier"),
    ({"problem": InPlace()}, "no method `oracle`.*policy='lols'"),
])
def test_wrong_parameters(sequences, changes, message):
    learner = SearchLearner(**{"problem": SequenceSearch(LABELS), **changes})
    with pytest.raises(InputError, match=message):
        learner.fit(*sequences)


def always(value):
    return lambda self, *arguments: value


def odd_problem(changes):
    """`InPlace`, in which some methods return the same whatever happens."""
    return type("Odd", (InPlace,), {
        name: always(value) for name, value in changes.items()})()


@pytest.mark.parametrize("changes, message", [
    ({"actions": "ab"}, "`actions` of Odd returned a str"),
    ({"actions": [["a"]]}, "is not hashable"),
    ({"features": "word"}, "the features of Odd are a str"),
    ({"features": 5}, "the features of Odd are a int"),
    ({"features": [["word"]]}, r"the feature \['word'\] of Odd is not hashable"),
    ({"features": [("word", [])]}, r"the feature \('word', \[\]\) of Odd is not hashable"),
    ({"oracle": ["a"]}, r"the oracle of Odd returned the list \['a'\]; expected an action"),
    ({"oracle": None}, "the oracle of Odd returned None, which is not allowed"),
    ({"features": {"word": np.nan}}, "a value that is not a finite number"),
    ({"loss": -1.}, "the loss of an output is -1.0"),
    ({"loss": 0.}, "there is nothing to learn"),
])
def test_methods_that_return_what_they_should_not(changes, message):
    with pytest.raises(InputError, match=message):
        SearchLearner(odd_problem(changes), policy="lols").fit([list("xy")], [list("ab")])


def test_a_problem_without_features():
    with pytest.raises(InputError, match="neither a method `features` nor"):
        class Bare(SequenceSearch):
            state_features = SearchProblem.state_features
        SearchLearner(Bare(LABELS)).fit([["x"]], [["D"]])


def test_numbers_of_inputs_and_outputs():
    learner = SearchLearner(SequenceSearch(LABELS))
    with pytest.raises(InputError, match="1 inputs and 2 outputs"):
        learner.fit([["x"]], [["D"], ["N"]])
    with pytest.raises(InputError, match="0 inputs"):
        learner.fit([], [])
    with pytest.raises(InputError, match="2 labels for a sequence of 1"):
        learner.fit([["x"]], [["D", "N"]])
    learner.fit([["x", "y"]], [["D", "N"]])
    with pytest.raises(InputError, match="1 inputs but 2 outputs"):
        learner.score([["x"]], [["D"], ["N"]])


@pytest.mark.parametrize("problem, y, message", [
    (SequenceSearch(LABELS), 3, "an output is 3; expected a list of labels"),
    (SegmentationSearch(), 3, "an output is 3; expected a list of segments"),
    (SegmentationSearch(), [1, 2], r"the segments are \[1, 2\]; expected pairs"),
    (DependencySearch(), 3, "an output is 3; expected a list of heads"),
    (DependencySearch(), "ab", "the heads are"),
])
def test_outputs_of_another_kind(problem, y, message):
    with pytest.raises(InputError, match=message):
        SearchLearner(problem).fit([["x", "y"]], [y])
