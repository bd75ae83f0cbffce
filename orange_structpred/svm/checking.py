"""Check that the methods of a problem agree."""
from __future__ import annotations

from itertools import islice

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.vectors import linear_combination

MOST_OUTPUTS = 5000     # of one example, that are compared
LOSS_TOLERANCE = 1e-6        # of scores, relative to their size


class ProblemError(InputError):
    """Methods of a problem do not agree; `faults` has a line for each fault."""

    def __init__(self, faults: list[str]):
        super().__init__("the methods of the problem do not agree:\n- " + "\n- ".join(faults))
        self.faults = faults


def check_problem(problem: Problem, *, n_examples: int = 10, n_weights: int = 5,
                  random_state: int = 0) -> int:
    """Check that loss, prediction, separation and features of a problem agree.

    The loss of the true output must be zero, all others not negative. With random
    weights, no output may score higher than the prediction, or higher with its loss
    than the most violated one. Outputs to compare with are those of
    `Problem.outputs`, if it is defined; else what prediction and separation find
    with other weights. What compiled problems override must agree with the four
    methods. True outputs must be such that solvers can learn them: those of an integer
    program must satisfy its constraints.

    Parameters
    ----------
    problem : Problem
    n_examples : int, default=10
        How many examples are checked, starting with the first
    n_weights : int, default=5
        How many random weight vectors are tried with each of them
    random_state : int, default=0

    Returns
    -------
    int : the number of outputs that were compared

    Raises
    ------
    ProblemError : if they do not; it lists all faults that were found
    InputError : if a true output cannot be learned
    """
    rng = np.random.default_rng(random_state)
    models = [LinearModel.of(w) for w in (
        np.zeros(problem.dim), *rng.normal(size=(n_weights, problem.dim)))]
    faults: dict[str, str] = {}
    compared = 0
    for i in range(min(n_examples, len(problem))):
        check = _Example(problem, i, faults)
        try:
            check.true_output()
        except Exception:
            problem.check_outputs()     # says more of an output that methods fail on
            raise
        decoded = [(check.best(model), check.most_violated(model)) for model in models]
        try:
            candidates = list(islice(problem.outputs(problem.X[i]), MOST_OUTPUTS))
        except InputError:      # they are not listed
            candidates = [y for pair in decoded for y in pair]
        candidates.append(problem.gold(i))
        compared += len(candidates)
        losses = np.array([check.loss(y) for y in candidates])
        vectors = [check.features(y) for y in candidates]
        for model, (best, worst) in zip(models, decoded):
            scores = np.array([model.dot(i, vector) for vector in vectors])
            check.highest("prediction", scores, model.dot(i, check.features(best)),
                          candidates)
            check.highest("separation", scores + losses,
                          model.dot(i, check.features(worst)) + check.loss(worst),
                          candidates)
    if faults:
        raise ProblemError(list(faults.values()))
    problem.check_outputs()
    return compared


class _Example:
    """Checks one example; of each kind of fault, the first is kept."""

    def __init__(self, problem: Problem, i: int, faults: dict[str, str]):
        self.problem, self.i, self.faults = problem, i, faults

    def fault(self, kind: str, text: str) -> None:
        self.faults.setdefault(kind, f"example {self.i}: {text}")

    def loss(self, y) -> float:
        loss = self.problem.loss(self.problem.gold(self.i), y)
        if not np.isfinite(loss) or loss < -LOSS_TOLERANCE:
            self.fault("negative", f"the loss of {y!r} is {loss}; expected a number that "
                       "is not negative")
            return loss
        if not np.isclose(example_loss := self.problem.example_loss(self.i, y), loss):
            self.fault("example_loss",
                       f"example_loss of {y!r} is {example_loss}, but its loss {loss}")
        return loss

    def features(self, y):
        features = self.problem.joint_features(self.problem.X[self.i], y)
        shape = (len(features),) if isinstance(features, list) \
            else getattr(features, "shape", ())
        if shape and shape[-1] != self.problem.dim:
            raise ProblemError([f"example {self.i}: joint_features of {y!r} has the length "
                                f"{shape[-1]}; expected dim={self.problem.dim}"])
        try:
            vector = self.problem.feature_vector(self.i, y)
        except InputError as error:
            raise ProblemError([f"{y!r}: {error}"]) from None
        return vector._replace(values=vector.values.copy())     # a user's may change

    def true_output(self) -> None:
        gold = self.problem.gold(self.i)
        self.features(gold)
        loss = self.problem.loss(gold, gold)
        if abs(loss) > LOSS_TOLERANCE:
            self.fault("zero", f"the loss of the true output is {loss}; expected 0")
        if np.abs(self.problem.difference(self.i, gold).values).sum() > LOSS_TOLERANCE:
            self.fault("zero difference", "the difference of the true output to itself is "
                       "not zero")

    def best(self, model):
        y = self.problem.best(self.i, model)
        self.difference(y)
        other = self.problem.predict(self.problem.X[self.i], model.weights())
        self.same("best", "predict", y, other, model)
        return other

    def most_violated(self, model):
        y = self.problem.most_violated(self.i, model)
        self.difference(y)
        other = self.problem.separate(self.problem.X[self.i], self.problem.Y[self.i],
                                      model.weights())
        self.same("most_violated", "separate", y, other, model, with_loss=True)
        return other

    def same(self, name, plain, y, other, model, *, with_loss=False) -> None:
        """Two outputs of one value, by the fast way and by the plain one."""
        values = [model.dot(self.i, self.features(each))
                  + (self.loss(each) if with_loss else 0.) for each in (y, other)]
        if not np.isclose(values[0], values[1], rtol=LOSS_TOLERANCE, atol=LOSS_TOLERANCE):
            self.fault(name, f"{name} finds {y!r} with {values[0]:.6g}, {plain} {other!r} "
                       f"with {values[1]:.6g}")

    def difference(self, y) -> None:
        """`difference` is that of the joint features."""
        gold = self.problem.gold(self.i)
        difference = self.problem.difference(self.i, y)
        rest = linear_combination([difference, self.features(gold), self.features(y)], (1, -1, 1))
        if np.abs(rest.values).sum() > LOSS_TOLERANCE * max(1., np.abs(difference.values).sum()):
            self.fault("difference", f"difference of {y!r} is not phi(true output) - phi of "
                       "it")

    def highest(self, name: str, values: np.ndarray, value: float, candidates) -> None:
        best = int(np.argmax(values))
        if values[best] > value + LOSS_TOLERANCE * max(1., abs(value)):
            what = "score" if name == "prediction" else "score with the loss"
            self.fault(name, f"the {name} has a {what} of {value:.6g}, but "
                       f"{candidates[best]!r} has {values[best]:.6g}")
