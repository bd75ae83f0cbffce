"""Learning to search: from what an oracle does, or from what actions lead to."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import (
    Choice,
    Kind,
    OneOfThese,
    RealNumber,
    WholeNumber,
    one_of_names,
)
from orange_structpred.problems.custom import StructuredSVM
from orange_structpred.problems.estimator import (
    ONLINE_PASSES,
    ListEstimator,
    OutputList,
    coerce_inputs,
    coerce_outputs,
)
from orange_structpred.problems.parameters import AT_LEAST_ONE, check_parameters
from orange_structpred.problems.search.beam import BeamLearner, search_beam
from orange_structpred.problems.search.decisions import (
    DecisionEncoder,
    concatenate_decisions,
)
from orange_structpred.problems.search.policies import (
    Lesson,
    LinearPolicy,
    Policy,
    blend,
    learn_classifier,
    learn_policy,
)
from orange_structpred.problems.search.search_problem import (
    Action,
    Choose,
    SearchProblem,
    Situation,
    check_search,
    follow,
)
from orange_structpred.svm import ALL_SOLVERS
from orange_structpred.svm.problem import check_lengths

POLICIES = {
    "imitation": Choice("Imitation", "States and actions are the oracle's"),
    "dagger": Choice("DAgger", "States are those that the learned policy meets, actions "
                     "the oracle's; all rounds are learned from"),
    "searn": Choice("SEARN", "An action costs what it leads to, under a mixture of the "
                    "oracle and the learned policies"),
    "lols": Choice("LOLS", "States are those of the learned policy; an action costs what "
                   "it leads to, under the oracle or the learned policy"),
}
MOST_SEARCHES = 256         # that are made side by side
BEAM_KIND = WholeNumber(1, 10_000)


class SolverOrClassifier(OneOfThese):
    @property
    def text(self) -> str:
        return f"{super().text}, or a classifier of scikit-learn"

    def fits(self, value: object) -> bool:
        if isinstance(value, type):
            return False
        return hasattr(value, "fit") or super().fits(value)


class SearchLearner(ListEstimator):
    """Learns which actions build an output.

    Parameters
    ----------
    problem : SearchProblem
        What the actions are; `SequenceSearch`, `SegmentationSearch`, `DependencySearch` or
        your own
    policy : {"imitation", "dagger", "searn", "lols"}, default="dagger"
        Which states are learned from, and what actions cost there. "imitation" and
        "dagger" ask an oracle. "searn" and "lols" try actions out, which takes much
        longer; they need no oracle
    solver : str or classifier, default="mira"
        What learns the decisions: a name in `orange_structpred.svm.ALL_SOLVERS`, or a
        classifier of scikit-learn
    rounds : int, default=3
        Rounds of all policies but "imitation": searches with what has been learned, then
        learning
    beam : int, default=1
        Sequences of actions that are followed side by side; 1 is greedy. With the solver
        "mira" and an oracle, the rounds are followed by `max_iter` passes that learn with
        the beam, with early update (Collins and Roark, 2004)
    beta : float, default=0.5
        For "searn": the share of a new policy in the mixture. For "lols": the probability
        that the oracle completes an output, and not the learned policy
    subsample : float, default=1
        For "searn" and "lols": the share of states in which actions are tried out; in
        the others, the oracle says which actions are wrong, if there is one
    max_actions : int, default=10000
        Actions after which a search that has not ended is an error
    verbose : int, default=0
        1 prints a line for each round, and for each pass with a beam
    C, tol, solver_options, max_iter, random_state : see `StructuredEstimator`

    Attributes
    ----------
    policy_ : Policy, scores of actions
    coef_ : array, the weights, unless the solver is a classifier of scikit-learn
    feature_names_ : list, the features
    actions_ : list, the actions that occurred in training; they have weights of their
        own where states have the features
    n_decisions_ : int, the decisions that were learned from in the last round

    Examples
    --------
    >>> from orange_structpred.problems import SearchLearner, SequenceSearch
    >>> X = [["the", "dog", "runs"], ["the", "cat"]]
    >>> y = [["D", "N", "V"], ["D", "N"]]
    >>> SearchLearner(SequenceSearch("DNV")).fit(X, y).predict([["the", "cat", "runs"]])
    [['D', 'N', 'V']]
    """

    _kinds: ClassVar[dict[str, Kind]] = {
        "policy": OneOfThese(POLICIES), "rounds": WholeNumber(1, 1000),
        "solver": SolverOrClassifier(one_of_names(ALL_SOLVERS).choices), "beam": BEAM_KIND,
        "beta": RealNumber(0., 1.), "subsample": RealNumber(0., 1.),
        "max_actions": AT_LEAST_ONE}

    def __init__(self, problem, *, policy="dagger", solver="mira", rounds=3, beam=1,
                 beta=0.5, subsample=1., max_actions=10_000, C=1., tol=0.01,
                 solver_options=None, max_iter=None, random_state=0, verbose=0):
        self._store_parameters(locals())

    # training

    def fit(self, X, y) -> SearchLearner:
        """Learn from inputs X and their true outputs y."""
        X, y = list(coerce_inputs(X)), list(coerce_outputs(y))
        self._check(X, y)
        rng = check_random_state(self.random_state)
        encoder = DecisionEncoder(self.problem)
        policy: Policy | None = None
        lessons: list[Lesson] = []
        began = time.perf_counter()
        for round_ in range(1 if self.policy == "imitation" else self.rounds):
            lesson = self._collect(X, y, encoder, policy, round_, rng)
            # DAgger learns from all rounds; the costs of others depend on the policy
            lessons = [*lessons, lesson] if self.policy == "dagger" else [lesson]
            learned = self._learn(encoder, joined_lessons(lessons))
            policy = self._mixed(policy, learned, round_)
            self.n_decisions_ = sum(part.decisions.n_decisions for part in lessons)
            self._say(f"round {round_ + 1}: {self.n_decisions_} decisions", began)
        if self._learns_with_beam() and isinstance(policy, LinearPolicy):
            policy = self._learn_with_beam(X, y, policy, rng)
        assert policy is not None       # there was a round
        self.policy_: Policy = policy
        return self

    def _say(self, what: str, began: float) -> None:
        if self.verbose:
            print(f"{type(self).__name__}, {what}, {time.perf_counter() - began:.1f} s")

    def _check(self, X: list, y: list) -> None:
        """Raise an InputError for what nothing can be learned with."""
        if not isinstance(self.problem, SearchProblem):
            wrong = f"the class {self.problem.__name__}; expected an instance of one, " \
                f"{self.problem.__name__}(...)" if isinstance(self.problem, type) \
                else f"a {type(self.problem).__name__}; expected a SearchProblem"
            raise InputError(f"problem is {wrong}")
        check_parameters(self)
        if not X or len(X) != len(y):
            raise InputError(f"{len(X)} inputs and {len(y)} outputs; expected at least one "
                             "input, and an output for each")
        if self.policy in ("imitation", "dagger") and not self.problem.has_oracle:
            self.problem.oracle(None, None)         # says what to do
        check_search(self.problem, X[0])

    def _svm(self) -> StructuredSVM:
        """An estimator with the options of the solver."""
        return StructuredSVM(None, C=self.C, tol=self.tol, solver=self.solver,
                             solver_options=self.solver_options, max_iter=self.max_iter,
                             random_state=self.random_state)

    def _learn(self, encoder: DecisionEncoder, lesson: Lesson) -> Policy:
        if not lesson.decisions.n_decisions:
            raise InputError("in no state is one action better than another; there is "
                             "nothing to learn")
        if isinstance(self.solver, str):
            return learn_policy(encoder, lesson, self._svm())
        return learn_classifier(encoder, lesson, self.solver)

    def _mixed(self, before: Policy | None, learned: Policy, round_: int) -> Policy:
        """The policy of the next round: SEARN's learned policies, each by its share."""
        if self.policy != "searn" or before is None:
            return learned
        # after the oracle, whose share is (1 - beta)^k, has been left out
        share = self.beta / (1 - (1 - self.beta) ** (round_ + 1))
        return blend(before, learned, share)

    # what is learned from

    def _collect(self, X: list, y: list, encoder: DecisionEncoder, policy: Policy | None,
                 round_: int, rng: np.random.RandomState) -> Lesson:
        """Search for the outputs of all examples, and note the decisions."""
        lessons = []
        roll_in = self._roll_in(policy, round_, rng)

        def choose(situations: Sequence[Situation]) -> Iterable[Action]:
            lessons.append(self._lesson(situations, encoder, policy, round_, rng))
            return roll_in(situations)

        for first in range(0, len(X), MOST_SEARCHES):
            some = range(first, min(first + MOST_SEARCHES, len(X)))
            follow(self.problem, [(X[i], y[i], self.problem.start(X[i])) for i in some],
                   choose, self.max_actions)
        return joined_lessons(lessons)

    def _lesson(self, situations: Sequence[Situation], encoder: DecisionEncoder,
                policy: Policy | None, round_: int, rng: np.random.RandomState) -> Lesson:
        """The situations in which actions differ in what they cost."""
        if self.policy in ("imitation", "dagger"):
            costs = [oracle_costs(self.problem, situation) for situation in situations]
        else:
            situations, costs = self._sampled_costs(situations, policy, round_, rng)
        kept = [(situation, action_costs)
                for situation, action_costs in zip(situations, costs) if any(action_costs)]
        return Lesson(encoder.encode([situation for situation, _ in kept], learning=True),
                      np.array([cost for _, action_costs in kept for cost in action_costs]))

    def _roll_in(self, policy: Policy | None, round_: int, rng: np.random.RandomState
                 ) -> Choose:
        """What is followed through the states that are learned from."""
        if policy is None:
            return self._first_choice(rng)
        if self.policy != "searn" or not self.problem.has_oracle:
            return policy.choose
        share = (1 - self.beta) ** round_       # of the oracle
        return self._mixture(policy, lambda situation: rng.random_sample() < share)

    def _first_choice(self, rng: np.random.RandomState) -> Choose:
        """What is followed before anything has been learned."""
        if self.problem.has_oracle:
            return lambda situations: [oracle_action(self.problem, situation)
                                       for situation in situations]
        return lambda situations: [situation.actions[rng.randint(len(situation.actions))]
                                   for situation in situations]

    def _mixture(self, policy: Policy, by_oracle: Callable[[Situation], bool]) -> Choose:
        """The oracle in some of the situations, the learned policy in the others."""
        def choose(situations: Sequence[Situation]) -> list[Action]:
            return [oracle_action(self.problem, situation) if by_oracle(situation) else action
                    for situation, action in zip(situations, policy.choose(situations))]

        return choose

    def _sampled_costs(self, situations: Sequence[Situation], policy: Policy | None,
                       round_: int, rng: np.random.RandomState
                       ) -> tuple[Sequence[Situation], list[list[float]]]:
        """Try actions out in a share of the situations. In the others the oracle says
        which actions are wrong, and each costs what wrong ones did on average; without an
        oracle they are left out."""
        if self.subsample == 1:
            return situations, self._tried_costs(situations, policy, round_, rng)
        sampled = [rng.random_sample() < self.subsample for _ in situations]
        chosen = [situation for situation, tried in zip(situations, sampled) if tried]
        tried_costs = self._tried_costs(chosen, policy, round_, rng)
        if not self.problem.has_oracle:
            return chosen, tried_costs
        wrong = [cost for costs in tried_costs for cost in costs if cost]
        usual = float(np.mean(wrong)) if wrong else 1.
        of_chosen = iter(tried_costs)
        return situations, [
            next(of_chosen) if tried
            else [usual * cost for cost in oracle_costs(self.problem, situation)]
            for situation, tried in zip(situations, sampled)]

    def _tried_costs(self, situations: Sequence[Situation], policy: Policy | None,
                     round_: int, rng: np.random.RandomState) -> list[list[float]]:
        """How much worse than the best one each action's output is."""
        problem = self.problem
        searches = [(situation.x, situation.y, problem.after(situation.state, action))
                    for situation in situations for action in situation.actions]
        by_oracle = np.repeat(rng.random_sample(len(situations)) < self.beta,
                              [len(situation.actions) for situation in situations])
        last = follow(problem, searches, self._roll_out(policy, round_, by_oracle, rng),
                      self.max_actions)
        losses = [self._cost(state, y) for state, (_, y, _) in zip(last, searches)]
        costs, first = [], 0
        for situation in situations:
            action_losses = losses[first:first + len(situation.actions)]
            least = min(action_losses)
            costs.append([loss - least for loss in action_losses])
            first += len(action_losses)
        return costs

    def _roll_out(self, policy: Policy | None, round_: int, by_oracle: np.ndarray,
                  rng: np.random.RandomState) -> Choose:
        """What completes the outputs of actions that are tried out.

        by_oracle : for "lols": whether the oracle completes an output
        """
        if policy is None or not self.problem.has_oracle or self.policy == "searn":
            return self._roll_in(policy, round_, rng)
        return self._mixture(policy, lambda situation: by_oracle[situation.number])

    def _cost(self, state, y) -> float:
        """What an output costs; a share of its parts is made their number."""
        loss = float(self.problem.loss(self.problem.output(state), y))
        if not 0 <= loss < np.inf:
            raise InputError(f"the loss of an output is {loss}; expected a finite number, "
                             "not below 0")
        return loss * self.problem.size(y)

    # beams

    def _learns_with_beam(self) -> bool:
        return self.beam > 1 and self.solver == "mira" and self.problem.has_oracle

    def _learn_with_beam(self, X: list, y: list, policy: LinearPolicy,
                         rng: np.random.RandomState) -> LinearPolicy:
        """Passes with early update, averaged over the later half."""
        learner = BeamLearner(self.problem, policy, self.beam, self.C, self.max_actions)
        passes = self.max_iter or ONLINE_PASSES
        began = time.perf_counter()
        for pass_ in range(passes):
            if pass_ == passes // 2:
                learner.restart_average()
            corrected = sum(learner.learn(X[i], y[i]) for i in rng.permutation(len(X)))
            self._say(f"pass {pass_ + 1} with a beam of {self.beam}: {corrected} of "
                      f"{len(X)} examples corrected", began)
        return learner.averaged()

    # what has been learned

    @property
    def coef_(self) -> np.ndarray:
        """The weights: feature by feature, for each of them action by action where states
        have the features."""
        check_is_fitted(self, "policy_")
        if not isinstance(self.policy_, LinearPolicy):
            raise AttributeError("coef_ needs a solver of orange_structpred.svm")
        return self.policy_.weights

    @property
    def feature_names_(self) -> list:
        check_is_fitted(self, "policy_")
        return list(self.policy_.encoder.numbers)

    @property
    def actions_(self) -> list[Action]:
        check_is_fitted(self, "policy_")
        return list(self.policy_.encoder.codes)

    # prediction

    def predict(self, X) -> list:
        """The outputs to which the actions with the highest scores lead."""
        check_is_fitted(self, "policy_")
        X = list(coerce_inputs(X))
        if self.beam > 1:
            return OutputList(ranked[0][0] for ranked in self.predict_k_best(X, 1))
        outputs = OutputList()
        for first in range(0, len(X), MOST_SEARCHES):
            last = follow(self.problem,
                          [(x, None, self.problem.start(x))
                           for x in X[first:first + MOST_SEARCHES]],
                          self.policy_.choose, self.max_actions)
            outputs.extend(map(self.problem.output, last))
        return outputs

    def predict_k_best(self, X, k: int) -> list[list[tuple[object, float]]]:
        """For each input the outputs of the k best sequences of actions that a beam of at
        least k finds, and their scores, best first."""
        check_is_fitted(self, "policy_")
        BEAM_KIND.check("k", k)
        return [[(self.problem.output(partial.state), partial.score)
                 for partial in search_beam(self.problem, x, self.policy_,
                                            max(self.beam, k), self.max_actions)[:k]]
                for x in coerce_inputs(X)]

    def mean_loss(self, X, y) -> float:
        """Mean loss of the predictions for X."""
        return mean_search_loss(self.problem, self.predict(X), y)


def mean_search_loss(problem: SearchProblem, predicted: Sequence, y) -> float:
    """Mean loss of outputs where those of y are the true ones."""
    y = list(coerce_outputs(y))
    check_lengths(len(predicted), len(y))
    return float(np.mean([problem.loss(output, true) for output, true in zip(predicted, y)]))


def oracle_action(problem: SearchProblem, situation: Situation) -> Action:
    """The first allowed action that the oracle calls the best."""
    best = problem.best_actions(situation.state, situation.y, situation.actions)
    return next(action for action in situation.actions if action in best)


def oracle_costs(problem: SearchProblem, situation: Situation) -> list[float]:
    """0 for the oracle's actions, 1 for the others."""
    best = problem.best_actions(situation.state, situation.y, situation.actions)
    return [float(action not in best) for action in situation.actions]


def joined_lessons(lessons: Sequence[Lesson]) -> Lesson:
    """All lessons as one."""
    return Lesson(concatenate_decisions([lesson.decisions for lesson in lessons]),
                  np.concatenate([lesson.costs for lesson in lessons] or [np.zeros(0)]))
