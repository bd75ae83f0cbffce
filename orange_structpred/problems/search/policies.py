"""What has been learned about decisions: scores of candidates, and how they are learned."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin, clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from orange_structpred.errors import InputError
from orange_structpred.problems.custom import StructuredSVM
from orange_structpred.problems.search.decisions import (
    DecisionEncoder,
    Decisions,
    best_candidates,
    learn_decisions,
    score_candidates,
)
from orange_structpred.problems.search.search_problem import Action, Situation
from orange_structpred.svm.online import MIRA
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.vectors import SparseVector, sum_equal_indices


class Policy(ABC):
    """Gives scores to the candidates of decisions."""

    encoder: DecisionEncoder

    @abstractmethod
    def scores(self, decisions: Decisions) -> np.ndarray:
        """One per candidate."""

    def choose(self, situations: Sequence[Situation]) -> list[Action]:
        """The action with the highest score in each situation."""
        decisions = self.encoder.encode(situations, learning=False)
        best = best_candidates(self.scores(decisions), decisions.firsts)
        return [situation.actions[k] for situation, k in zip(situations, best.tolist())]


class LinearPolicy(Policy):
    """Weights of features."""

    def __init__(self, encoder: DecisionEncoder, weights: np.ndarray, stride: int):
        self.encoder, self.weights, self.stride = encoder, weights, stride

    def scores(self, decisions):
        return score_candidates(*decisions[1:], self.weights, self.stride, 0,
                                len(decisions.lists))


class ClassifierPolicy(Policy):
    """A classifier of scikit-learn, whose classes are the codes of actions."""

    def __init__(self, encoder: DecisionEncoder, classifier, n_features: int):
        self.encoder, self.classifier = encoder, classifier
        self.n_features = n_features

    def scores(self, decisions):
        X = feature_matrix(decisions, self.n_features)
        of_classes = classifier_scores(self.classifier, X)
        # an action that was never the best one in training comes last
        columns = np.full(max(self.encoder.stride, 1 + decisions.codes.max(initial=0)) + 1,
                          -1)
        columns[self.classifier.classes_] = np.arange(len(self.classifier.classes_))
        chosen = columns[decisions.codes]
        return np.where(chosen < 0, of_classes.min(initial=0.) - 1,
                        of_classes[decisions.lists, chosen])


class BlendedPolicy(Policy):
    """The weighted mean of the scores of two policies."""

    def __init__(self, before: Policy, learned: Policy, share: float):
        self.before, self.learned, self.share = before, learned, share
        self.encoder = learned.encoder

    def scores(self, decisions):
        return ((1 - self.share) * self.before.scores(decisions)
                + self.share * self.learned.scores(decisions))


def blend(before: Policy, learned: Policy, share: float) -> Policy:
    """A policy whose scores are those of a new one by a share, for the rest of the one
    before."""
    if not (isinstance(before, LinearPolicy) and isinstance(learned, LinearPolicy)):
        return BlendedPolicy(before, learned, share)
    weights = share * learned.weights.reshape(-1, learned.stride)
    earlier = before.weights.reshape(-1, before.stride)
    weights[:earlier.shape[0], :earlier.shape[1]] += (1 - share) * earlier
    return LinearPolicy(learned.encoder, weights.ravel(), learned.stride)


def readable_by(classifier, X: sparse.csr_array) -> sparse.csr_array | np.ndarray:
    """Features as a classifier takes them: some, such as naive Bayes with normal
    distributions, know nothing of sparse matrices."""
    return X if get_tags(classifier).input_tags.sparse else X.toarray()


def classifier_scores(classifier, X: sparse.csr_array) -> np.ndarray:
    """A row per example, a column per class: what a classifier knows of them."""
    X = readable_by(classifier, X)
    n_classes = len(classifier.classes_)
    if hasattr(classifier, "decision_function"):
        scores = classifier.decision_function(X)
        if scores.ndim == 1:
            scores = np.column_stack([-scores, scores])
        if scores.shape[1] == n_classes:        # else one column for each pair of classes
            return scores
    if hasattr(classifier, "predict_proba"):
        return classifier.predict_proba(X)
    return (classifier.predict(X)[:, None] == classifier.classes_).astype(float)


def feature_matrix(decisions: Decisions, n_features: int) -> sparse.csr_array:
    """The features of states, a row for each decision."""
    known = (decisions.numbers >= 0) & (decisions.numbers < n_features)
    before = np.concatenate([[0], np.cumsum(known)])
    matrix = sparse.csr_array(
        (decisions.values[known],
         # trees and perceptrons of scikit-learn take no longer ones
         decisions.numbers[known].astype(np.int32),
         before[decisions.starts].astype(np.int32)), shape=(decisions.n_decisions, n_features))
    matrix.sum_duplicates()
    return matrix


class DecisionProblem(Problem):
    """Decisions whose candidates have costs; an input is a decision's number, an output
    the number of a candidate.

    Parameters
    ----------
    decisions : Decisions
    costs : float64, one per candidate
    n_features, stride : the number of features, and of weights that each of them has
    """

    chunk_size = 256

    def __init__(self, decisions: Decisions, costs: np.ndarray, n_features: int,
                 stride: int):
        self.decisions, self.costs, self.stride = decisions, costs, stride
        firsts = decisions.firsts
        cheapest = [first + int(costs[first:last].argmin())
                    for first, last in zip(firsts[:-1], firsts[1:])]
        super().__init__(range(decisions.n_decisions), cheapest, n_features * stride)

    def joint_features(self, x, y):
        decisions, features = self.decisions, self.decisions.lists[y]
        within = slice(decisions.starts[features], decisions.starts[features + 1])
        numbers = decisions.numbers[within]
        return SparseVector(*sum_equal_indices(numbers * self.stride + decisions.codes[y],
                                               decisions.values[within]))

    def loss(self, y, y_hat):
        return self.costs[y_hat] - self.costs[y]

    def predict(self, x, w):
        return self.highest(x, self.scores(x, w))

    def separate(self, x, y, w):
        first, last = self.decisions.firsts[x:x + 2]
        return self.highest(x, self.scores(x, w) + self.costs[first:last])

    def outputs(self, x):
        return range(*self.decisions.firsts[x:x + 2])

    def scores(self, x: int, w: np.ndarray) -> np.ndarray:
        """<w, phi> of the candidates of a decision."""
        return score_candidates(*self.decisions[1:], w, self.stride,
                                *self.decisions.firsts[x:x + 2])

    def highest(self, x: int, scores: np.ndarray) -> int:
        return int(self.decisions.firsts[x] + scores.argmax())


def learn_by_mira(problem: DecisionProblem, solver: MIRA) -> np.ndarray:
    """The averaged weights that the solver finds, by compiled code.

    Where several candidates are equally cheap, the best of them counts as the true one.
    """
    solver.check()
    decisions = problem.decisions
    weights, late, room = (np.zeros(problem.dim) for _ in range(3))
    begin = step = 0
    for pass_ in range(solver.passes):
        if pass_ == solver.passes // 2:
            late[:], begin = 0, step
        step = learn_decisions(
            solver.order(pass_, len(problem)), decisions.firsts, *decisions[1:], problem.costs,
            weights, late, room, problem.stride, solver.C, begin, step)
    return weights - late / max(1, step - begin)


class Lesson(NamedTuple):
    """Decisions, and what their candidates cost."""

    decisions: Decisions
    costs: np.ndarray


def learn_policy(encoder: DecisionEncoder, lesson: Lesson, solver: StructuredSVM
                 ) -> LinearPolicy:
    """Learn weights with a solver of ours.

    solver : an estimator that has the solver's options; its problem is not used
    """
    problem = DecisionProblem(*lesson, encoder.n_features, encoder.stride)
    made = solver._solver()
    if isinstance(made, MIRA):
        weights = learn_by_mira(problem, made)
    else:
        estimator = clone(solver).set_params(problem=lambda X, y: problem)
        weights = estimator.fit(problem.X, problem.Y).coef_.copy()
    return LinearPolicy(encoder, weights, encoder.stride)


def learn_classifier(encoder: DecisionEncoder, lesson: Lesson, classifier: ClassifierMixin
                     ) -> ClassifierPolicy:
    """Learn the cheapest action of each state with a classifier of scikit-learn; where
    a wrong action costs more, a state counts more, if the classifier knows of weights."""
    if not encoder.shared:
        raise InputError(
            f"{type(encoder.problem).__name__} has features of actions; a classifier of "
            "scikit-learn needs `state_features` in place of `features`")
    decisions, costs = lesson
    firsts = decisions.firsts[:-1]
    least = np.minimum.reduceat(costs, firsts)
    counts = np.diff(decisions.firsts)
    stakes = np.add.reduceat(costs, firsts) / counts - least
    cheapest = np.flatnonzero(costs == np.repeat(least, counts))
    chosen = cheapest[np.searchsorted(cheapest, firsts)]        # the first of them
    if not is_classifier(classifier):
        raise InputError(f"{type(classifier).__name__} is not a classifier; expected a "
                         "classifier of scikit-learn, such as LogisticRegression")
    X = readable_by(classifier, feature_matrix(decisions, encoder.n_features))
    y = decisions.codes[chosen]
    if len(np.unique(y)) < 2:
        raise InputError("the same action is best in all states; there is nothing to "
                         "learn")
    classifier = clone(classifier)
    if has_fit_parameter(classifier, "sample_weight") and np.ptp(stakes) > 0:
        classifier.fit(X, y, sample_weight=stakes / stakes.mean())
    else:
        classifier.fit(X, y)
    return ClassifierPolicy(encoder, classifier, encoder.n_features)
