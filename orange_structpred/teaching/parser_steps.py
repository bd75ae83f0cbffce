"""A parser that learns one step at a time, and shows what each of them changes."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, Table

from orange_structpred.errors import InputError
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.svm import Report, Solution
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import OnlineSolver
from orange_structpred.svm.steps import OnlineSteps, PlaneSteps
from orange_structpred.tables.making import table_of_rows
from orange_structpred.treebank.learnable import training_sentences

BITS = 22       # of hash values: features with a name of their own have their own weight
STEP_SOLVERS = ("mira", "perceptron", "one-slack")


class EdgeChange(NamedTuple):
    """Scores of a token's gold head and of the head in the other tree."""

    token: int
    gold: int
    found: int
    gold_before: float
    gold_after: float
    found_before: float
    found_after: float


class FeatureChange(NamedTuple):
    """A feature that the two trees do not have equally often.

    surplus : how much more often the gold tree has it
    """

    name: str
    surplus: int
    before: float           # its weight
    after: float


@dataclass(frozen=True)
class TreeStep:
    """One step of learning, seen from one sentence.

    Attributes
    ----------
    sentence : its index
    heads : of the tree that the solver looked at: the most violated one, or the
        prediction of the perceptron
    wrong : how many of them are wrong
    required : margin that the solver wants between gold and this tree: for MIRA the
        number of wrong heads, for one-slack their share, for the perceptron 0
    before, after : score of the gold tree minus that of this one
    length : of the step; nan for one-slack, whose step is a new solution
    squared_norm : |phi(x, y) - phi(x, y')|^2
    edges : tokens whose heads differ
    features : the ones that differ, those of which the weight changed most first
    predicted_before, predicted_after : wrong heads of the prediction
    report : of the round, for one-slack
    """

    sentence: int
    heads: np.ndarray
    wrong: int
    required: float
    before: float
    after: float
    length: float
    squared_norm: float
    edges: list[EdgeChange]
    features: list[FeatureChange]
    predicted_before: int
    predicted_after: int
    report: Report | None = None

    def text(self) -> str:
        """The step in a line."""
        length = "" if np.isnan(self.length) else f", step {self.length:.4g}"
        return (f"sentence {self.sentence + 1}: {self.wrong} wrong heads, margin "
                f"{self.before:.4g} (required {self.required:.4g}){length}, then "
                f"{self.after:.4g}; prediction: {self.predicted_before} wrong heads, "
                f"then {self.predicted_after}")


class ParserSteps:
    """A first-order parser with explicit features, trained step by step.

    Parameters
    ----------
    treebank : what it learns from
    solver : {"mira", "perceptron", "one-slack"}
    C : weight of the loss; for mira the largest step
    **parameters : further parameters of ParserLearner, such as `groups`

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> steps = ParserSteps(load_bundled("en")[:10], solver="perceptron")
    >>> step = steps.step(0)
    >>> step.before <= 0 < step.after
    True
    """

    def __init__(self, treebank: Table, solver: str = "mira", C: float = 1., **parameters):
        if solver not in STEP_SOLVERS:
            raise InputError(f"solver must be one of {', '.join(STEP_SOLVERS)}, not "
                             f"{solver!r}")
        learner = ParserLearner(**{"order": 1, "relations": False, "hash_bits": BITS,
                                   **parameters, "solver": solver, "C": C})
        if learner.features != "explicit" or learner.order != 1:
            raise InputError("steps are shown for explicit features of order 1")
        learner.check()
        self.sentences = training_sentences(treebank)
        self.training = learner.prepare(treebank)
        self.problem, self.solver, self.C = self.training.problem, solver, C
        made = learner.make_solver(0)
        self.steps = (OnlineSteps(self.problem, made) if isinstance(made, OnlineSolver)
                      else PlaneSteps(self.problem, C))
        self.taken = 0

    def parser(self) -> Parser:
        """The parser as it is now."""
        model = self.steps.model
        return self.training.parser(Solution(LinearModel.of(model.weights().copy())))

    def look(self, i: int) -> np.ndarray:
        """Heads of the tree of sentence i that the next step would look at."""
        return self.steps.look(i)[1:].copy()

    def wrong_heads(self, i: int) -> int:
        """How many heads of the prediction for sentence i are wrong now."""
        predicted = self.problem.best(i, self.steps.model)
        return int(np.count_nonzero(predicted != self.problem.gold(i)))

    def preview(self, i: int) -> TreeStep:
        """What a step with sentence i would begin with; nothing is learned."""
        return self._step(i, learn=False)

    def step(self, i: int) -> TreeStep:
        """Learn from sentence i; one-slack learns from all of them."""
        return self._step(i, learn=True)

    def take(self, numbers: Iterable[int]) -> list[TreeStep]:
        """Learn from these sentences, one after the other."""
        return [self.step(i) for i in numbers]

    def _step(self, i: int, learn: bool) -> TreeStep:
        if not 0 <= i < len(self.sentences):
            raise InputError(f"found sentence number {i}, expected 0 to "
                             f"{len(self.sentences) - 1}")
        sentence, gold = self.sentences[i], self.problem.gold(i)
        predicted = self.steps.look(i).copy()
        difference = self.problem.difference(i, predicted)
        old, wrong_before = self.parser(), self.wrong_heads(i)
        before = float(self.steps.model.dot(i, difference))
        wrong = int(np.count_nonzero(predicted != gold))
        required = {"one-slack": wrong / len(sentence), "mira": float(wrong)}.get(
            self.solver, 0.)
        report, length, new = None, np.nan, old
        if learn:
            if isinstance(self.steps, PlaneSteps):
                report = self.steps.step()
            else:
                length = self.steps.step(i).length
            self.taken += 1
            new = self.parser()
        return TreeStep(
            i, predicted[1:], wrong, required, before,
            float(self.steps.model.dot(i, difference)), length,
            float(np.dot(difference.values, difference.values)),
            edge_changes(sentence, gold, predicted, old, new),
            feature_changes(sentence, gold, predicted, old, new), wrong_before,
            self.wrong_heads(i), report)


def differing(gold: np.ndarray, predicted: np.ndarray) -> list[int]:
    """Tokens whose heads differ; the root is at position 0."""
    return np.flatnonzero(gold != predicted).tolist()


def edge_changes(sentence, gold, predicted, old: Parser, new: Parser) -> list[EdgeChange]:
    before, after = old.edge_scores(sentence), new.edge_scores(sentence)
    return [EdgeChange(token, int(gold[token]), int(predicted[token]), *map(float, (
                before[gold[token], token], after[gold[token], token],
                before[predicted[token], token], after[predicted[token], token])))
            for token in differing(gold, predicted)]


def feature_changes(sentence, gold, predicted, old: Parser, new: Parser
                    ) -> list[FeatureChange]:
    """Features by their names; what the two trees have equally often cancels out."""
    counts: Counter[str] = Counter()
    weights: dict[str, tuple[float, float]] = {}
    for token in differing(gold, predicted):
        for heads, sign in ((gold, 1), (predicted, -1)):
            # features without a weight are not among them
            was, now = (dict(parser.model.contributions(sentence, int(heads[token]), token))
                        for parser in (old, new))
            for name in {**was, **now}:
                counts[name] += sign
                weights[name] = was.get(name, 0.), now.get(name, 0.)
    changes = [FeatureChange(name, count, *weights[name])
               for name, count in counts.items() if count]
    return sorted(changes, key=lambda change: (
        -abs(change.after - change.before), -abs(change.surplus * change.after),
        change.name))


#: Columns of a table of steps, by their titles
STEP_COLUMNS = {"sentence": "sentence", "wrong heads": "wrong", "required": "required",
                "margin before": "before", "margin after": "after", "step": "length",
                "predicted wrong before": "predicted_before",
                "predicted wrong after": "predicted_after"}


def steps_text(steps: Iterable[TreeStep]) -> str:
    """One line per step."""
    return "\n".join(step.text() for step in steps)


def steps_table(steps: Sequence[TreeStep]) -> Table:
    """One row per step; sentences are numbered from 1."""
    return table_of_rows("steps", list(map(ContinuousVariable, STEP_COLUMNS)), [
        [getattr(step, name) + (name == "sentence") for name in STEP_COLUMNS.values()]
        for step in steps])
