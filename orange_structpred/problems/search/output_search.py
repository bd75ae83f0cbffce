"""Search among complete outputs, as a second step after a search that builds them."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, WholeNumber
from orange_structpred.problems.estimator import (
    ListEstimator,
    OutputList,
    coerce_inputs,
    coerce_outputs,
)
from orange_structpred.problems.parameters import check_parameters
from orange_structpred.problems.search.policies import Policy
from orange_structpred.problems.search.search_learner import (
    SearchLearner,
    mean_search_loss,
)
from orange_structpred.problems.search.search_problem import (
    Action,
    Features,
    SearchProblem,
    Situation,
    follow,
)

#: The feature of an output that is its score in the first step
FIRST_SCORE = "score of the first step"


class BuiltOutput(NamedTuple):
    """An output, the actions that built it, and the sum of their scores."""

    output: Any
    actions: tuple[Action, ...]
    score: float


class ScoredDecision(NamedTuple):
    """A choice among several actions, the one that was taken first, and their scores.

    position : of the choice in the sequence of actions
    """

    position: int
    actions: tuple[Action, ...]
    scores: list[float]


class Discrepancies:
    """Outputs that a policy builds if it is made to act otherwise at one place: the space
    of limited discrepancies of Doppa, Fern and Tadepalli (2014).

    Parameters
    ----------
    n_neighbours : how many an output has: those with the actions that are least behind
    """

    def __init__(self, problem: SearchProblem, policy: Policy, n_neighbours: int,
                 max_actions: int):
        self.problem, self.policy = problem, policy
        self.n_neighbours, self.max_actions = n_neighbours, max_actions

    def complete(self, x, beginnings: Sequence[tuple[Action, ...]]) -> list[BuiltOutput]:
        """The outputs to which the policy leads after some actions."""
        problem = self.problem
        searches = []
        for beginning in beginnings:
            state = problem.start(x)
            for action in beginning:
                state = problem.take(state, action)
            searches.append((x, None, state))
        taken: list[list[Action]] = [list(beginning) for beginning in beginnings]
        last = follow(problem, searches, self.policy.choose, self.max_actions, taken)
        return [BuiltOutput(
            problem.output(state), tuple(actions),
            sum(decision.scores[0] for decision in self.decisions(x, actions)))
            for state, actions in zip(last, taken)]

    def decisions(self, x, actions: Sequence[Action]) -> list[ScoredDecision]:
        """The choices of a sequence of actions."""
        problem, situations = self.problem, []
        state = problem.start(x)
        for position, action in enumerate(actions):
            others = [other for other in problem.actions(state) if other != action]
            if others:
                situations.append(Situation(position, x, None, state, (action, *others)))
            state = problem.after(state, action)
        encoded = self.policy.encoder.encode(situations, learning=False)
        scores = self.policy.scores(encoded).tolist()
        firsts = encoded.firsts.tolist()
        return [ScoredDecision(situation.number, situation.actions, scores[first:last])
                for situation, first, last in zip(situations, firsts, firsts[1:])]

    def neighbours(self, x, built: BuiltOutput) -> list[BuiltOutput]:
        """Outputs with another action at one place, completed by the policy."""
        others = [(decision.scores[0] - score, decision.position, action)
                  for decision in self.decisions(x, built.actions)
                  for action, score in zip(decision.actions[1:], decision.scores[1:])]
        others.sort(key=lambda other: other[:2])
        return self.complete(x, [(*built.actions[:position], action)
                                 for _, position, action in others[:self.n_neighbours]])


class OutputChoice(SearchProblem):
    """One of some complete outputs: a search problem with a single decision.

    An input is that of the first step and a tuple of `BuiltOutput`; a state has those
    that are left.

    Parameters
    ----------
    problem : what built the outputs
    features : function of an input and an output, the features of the output
    """

    def __init__(self, problem: SearchProblem, features: Callable[[Any, Any], Features]):
        self.problem, self.output_features = problem, features

    def start(self, x):
        return x[1]

    def actions(self, state):
        return range(len(state)) if len(state) > 1 else ()

    def take(self, state, action):
        return (state[action],)

    def features(self, x, state, action):
        built = state[action]
        features = self.output_features(x[0], built.output)
        values = dict(features) if isinstance(features, Mapping) else dict.fromkeys(features, 1.)
        return {**values, FIRST_SCORE: built.score - state[0].score}

    def output(self, state):
        return state[0].output

    def loss(self, output, y):
        return self.problem.loss(output, y)

    def size(self, y):
        return self.problem.size(y)


class OutputSearch(ListEstimator):
    """Improves the outputs of a `SearchLearner` by features of whole outputs.

    From the output of the first step, the search goes to a neighbour, in which one action
    is another one and the rest is completed by the policy, as long as a learned score
    of whole outputs rises (Doppa, Fern and Tadepalli, 2014).

    Parameters
    ----------
    learner : SearchLearner
        The first step
    features : function of an input and an output
        The features of an output: a list of names, or a dict of values. The score of the
        first step is one more
    n_neighbours : int, default=10
        Neighbours of an output: those with the actions that are least behind
    max_steps : int, default=5
        Steps of the search
    cv : int, default=3
        Parts of the examples; the outputs from which the score is learned are those of
        learners that have not seen their part
    C, tol, solver, solver_options, max_iter, random_state : of the learned score, see
        `StructuredEstimator`

    Attributes
    ----------
    learner_ : SearchLearner, the first step
    chooser_ : SearchLearner, the learned score

    Examples
    --------
    >>> from orange_structpred.problems import OutputSearch, SearchLearner, SequenceSearch
    >>> X = [["?", "?", end] for end in "abab"] * 3
    >>> y = [[end, "-", end] for end in "abab"] * 3
    >>> first = SearchLearner(SequenceSearch("ab-", features=lambda x, i: [x[i]]))
    >>> search = OutputSearch(first, lambda x, output: [(output[0], x[-1])]).fit(X, y)
    >>> search.predict([["?", "?", "a"], ["?", "?", "b"]])
    [['a', '-', 'a'], ['b', '-', 'b']]
    """

    _kinds: ClassVar[dict[str, Kind]] = {
        "n_neighbours": WholeNumber(1, 10_000), "max_steps": WholeNumber(1, 10_000),
        "cv": WholeNumber(2, 1000)}

    def __init__(self, learner, features, *, n_neighbours=10, max_steps=5, cv=3, C=1.,
                 tol=0.01, solver="mira", solver_options=None, max_iter=None,
                 random_state=0):
        self._store_parameters(locals())

    def fit(self, X, y) -> OutputSearch:
        """Learn both steps from inputs X and their true outputs y."""
        X, y = list(coerce_inputs(X)), list(coerce_outputs(y))
        if not isinstance(self.learner, SearchLearner):
            raise InputError(f"learner is a {type(self.learner).__name__}; expected a "
                             "SearchLearner")
        check_parameters(self)
        if len(X) < self.cv or len(X) != len(y):
            raise InputError(f"{len(X)} inputs and {len(y)} outputs; expected as many of "
                             f"both, and at least cv={self.cv}")
        problem = self.learner.problem
        inputs, outputs = [], []
        folds = KFold(self.cv, shuffle=True, random_state=check_random_state(
            self.random_state).randint(2**31 - 1))
        for seen, unseen in folds.split(X):
            part = clone(self.learner).fit([X[i] for i in seen], [y[i] for i in seen])
            for i in unseen:
                for candidates in self._explored(part, X[i], y[i]):
                    inputs.append((X[i], candidates))
                    outputs.append(y[i])
        self.learner_ = clone(self.learner).fit(X, y)
        self.chooser_ = SearchLearner(
            OutputChoice(problem, self.features), policy="lols", rounds=1, C=self.C,
            tol=self.tol, solver=self.solver, solver_options=self.solver_options,
            max_iter=self.max_iter, random_state=self.random_state).fit(inputs, outputs)
        return self

    def _space(self, learner: SearchLearner) -> Discrepancies:
        return Discrepancies(learner.problem, learner.policy_, self.n_neighbours,
                             learner.max_actions)

    def _explored(self, learner: SearchLearner, x, y) -> list[tuple[BuiltOutput, ...]]:
        """The candidates of a search that knows the loss, step by step."""
        space, problem = self._space(learner), learner.problem
        (current,) = space.complete(x, [()])
        explored = []
        for _ in range(self.max_steps):
            candidates = (current, *space.neighbours(x, current))
            if len(candidates) > 1:
                explored.append(candidates)
            losses = [problem.loss(built.output, y) for built in candidates]
            best = int(np.argmin(losses))
            if best == 0:
                break
            current = candidates[int(best)]
        return explored

    def predict(self, X) -> list:
        """The outputs at which the search ends."""
        check_is_fitted(self, "chooser_")
        space = self._space(self.learner_)
        return OutputList(self._improved(space, x) for x in coerce_inputs(X))

    def _improved(self, space: Discrepancies, x):
        (current,) = space.complete(x, [()])
        for _ in range(self.max_steps):
            candidates = (current, *space.neighbours(x, current))
            if len(candidates) == 1:
                break
            situation = Situation(0, (x, candidates), None, candidates,
                                  tuple(range(len(candidates))))
            chosen: list[Any] = self.chooser_.policy_.choose([situation])
            if chosen[0] == 0:
                break
            current = candidates[chosen[0]]
        return current.output

    def mean_loss(self, X, y) -> float:
        """Mean loss of the predictions for X."""
        return mean_search_loss(self.learner.problem, self.predict(X), y)
