"""Steps led by hand are those that the solvers take."""
import numpy as np
import pytest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.svm import MIRA, OneSlack, Perceptron
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.steps import (
    OnlineSteps,
    PlaneSteps,
    cutting_lines,
    highest_line,
)
from orange_structpred.teaching import OneWeight, ParserSteps
from orange_structpred.teaching.one_weight import edge_kinds
from tests.parsing.brute import hinge
from tests.svm.toy import chains, classes


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:12]


@pytest.mark.parametrize("solver", [MIRA(C=0.3, passes=1), Perceptron(passes=1)])
@pytest.mark.parametrize("problem", [classes(), chains()], ids=["classes", "chains"])
def test_online_steps_are_those_of_the_solver(problem, solver):
    steps = OnlineSteps(problem, solver)
    for i in solver.order(0, len(problem)):
        before = steps.model.w.copy()
        step = steps.step(i)
        a = np.zeros(problem.dim)
        difference = problem.difference(i, step.output)
        a[difference.indices] = difference.values
        np.testing.assert_allclose(steps.model.w, before + step.length * a, atol=1e-12)
        assert step.before == pytest.approx(before @ a)
        assert step.after == pytest.approx(steps.model.w @ a)
    expected = solver.solve(problem).model.weights()
    np.testing.assert_allclose(steps.model.averaged(steps.taken).weights(), expected)


def test_mira_takes_the_smallest_step_that_is_enough():
    problem = chains()
    steps = OnlineSteps(problem, MIRA(C=100.))
    step = steps.step(0)
    assert step.after == pytest.approx(problem.size(0) * step.loss)
    short = OnlineSteps(problem, MIRA(C=1e-3)).step(0)
    assert short.length == pytest.approx(1e-3) and short.after < step.after


@pytest.mark.parametrize("C", [0.1, 10.])
def test_planes_are_those_of_one_slack(C):
    problem = classes()
    steps = PlaneSteps(problem, C)
    for _ in range(30):
        steps.step()
    expected = OneSlack(C=C, epsilon=1e-6, passes=30).solve(problem)
    best = min(report.primal for report in steps.reports)
    assert best == pytest.approx(expected.reports[-1].primal, rel=1e-6)
    duals = [report.dual for report in steps.reports]
    assert (np.diff(duals) > -1e-9).all() and duals[-1] <= best + 1e-9
    assert steps.alpha.sum() <= C + 1e-9 and (steps.alpha >= 0).all()
    total = np.zeros(problem.dim)
    for alpha, plane in zip(steps.alpha, steps.planes):
        total[plane.features.indices] += alpha * plane.features.values
    np.testing.assert_allclose(steps.model.weights(), total, atol=1e-9)


@pytest.mark.parametrize("feature", ["usual edges", "short arcs"])
def test_lines_bound_the_risk_of_one_weight(treebank, feature):
    problem = OneWeight(treebank, feature)
    steps, seen = PlaneSteps(problem, C=10.), []
    for _ in range(5):
        seen.append(float(steps.model.weights()[0]))
        steps.step()
    lines = cutting_lines(steps.planes)
    grid = np.linspace(-1, 3, 17)
    risks = np.array([problem.risk(w) for w in grid])
    for line in lines:
        assert (line.at(grid) <= risks + 1e-5).all()
    # each of them touches the risk where it was made
    for w, line in zip(seen, lines):
        assert line.at(w) == pytest.approx(problem.risk(w), abs=1e-5)
    middle = (risks[:-2] + risks[2:]) / 2
    assert (risks[1:-1] <= middle + 1e-5).all()         # convex


def test_the_next_weight_is_the_lowest_point_of_the_curve(treebank):
    """From the first step on: the slack is not below 0, so neither is the curve."""
    steps, grid = PlaneSteps(OneWeight(treebank), C=10.), np.linspace(-1, 3, 40001)
    for _ in range(5):
        steps.step()
        bound = highest_line(cutting_lines(steps.planes), grid)
        assert (bound >= 0).all()
        lowest = grid[np.argmin(bound + grid**2 / (2 * steps.C))]
        assert lowest == pytest.approx(float(steps.model.weights()[0]), abs=2e-4)


def test_usual_edges_help(treebank):
    problem = OneWeight(treebank)
    assert problem.risk(0) == 1
    assert problem.risk(1) < 0.6
    own = treebank.sentences[0]
    kinds = edge_kinds(own)
    assert kinds.shape == (len(own) + 1,) * 2
    assert kinds[0, 1] == f"root {own.upos[0]} 0"
    assert kinds[2, 1] == f"{own.upos[1]} {own.upos[0]} -1"


def test_one_weight_by_brute_force():
    """The risk of a short sentence against the hinge loss over all trees."""
    treebank = load_bundled("en")
    lengths = [len(own) for own in treebank.sentences]
    problem = OneWeight(treebank[[int(np.argmin(lengths))]], "short arcs")
    assert min(lengths) <= 6
    for w in (-0.5, 0.3, 2.):
        assert problem.risk(w) == pytest.approx(
            hinge(w * problem.X[0], problem.Y[0]), abs=1e-5)


@pytest.mark.parametrize("solver", ["mira", "perceptron", "one-slack"])
def test_a_parser_step_by_step(treebank, solver):
    steps = ParserSteps(treebank, solver)
    first = steps.step(0)
    assert first.before == pytest.approx(0) and first.after > 0
    assert first.wrong > 0 and first.predicted_after <= first.predicted_before
    sentence = treebank.sentences[0]
    assert {edge.token for edge in first.edges} == {
        token for token, (head, gold) in enumerate(
            zip(first.heads, sentence.heads), 1) if head != gold}
    # the gold edges gain what the others lose
    gained = sum(edge.gold_after - edge.gold_before
                 - edge.found_after + edge.found_before for edge in first.edges)
    assert gained == pytest.approx(first.after - first.before, rel=1e-3)
    changed = sum(own.surplus * (own.after - own.before) for own in first.features)
    assert changed == pytest.approx(first.after - first.before, rel=0.05)
    assert (first.report is not None) == (solver == "one-slack")
    for i in range(len(treebank)):
        steps.step(i)
    scores = steps.parser().edge_scores(sentence)
    assert np.abs(scores[1:, 1:]).max() > 0
    assert "wrong heads" in first.text()


def test_mira_of_a_parser(treebank):
    step = ParserSteps(treebank, "mira", C=1.).step(3)
    assert step.after == pytest.approx(step.required, rel=1e-3)
    assert step.length == pytest.approx(
        (step.required - step.before) / step.squared_norm, rel=1e-3)
    # but for features that share a weight
    expected = [own.before + step.length * own.surplus for own in step.features]
    close = np.isclose([own.after for own in step.features], expected, atol=1e-5)
    assert close.mean() > 0.95


def test_a_preview_changes_nothing(treebank):
    steps = ParserSteps(treebank)
    steps.step(0)
    preview = steps.preview(1)
    assert preview.before == preview.after and steps.taken == 1
    assert all(own.before == own.after for own in preview.features)
    step = steps.step(1)
    assert (step.before, step.wrong) == (preview.before, preview.wrong)
    np.testing.assert_array_equal(step.heads, preview.heads)


def test_nothing_to_learn(treebank):
    steps = ParserSteps(treebank, "perceptron")
    for _ in range(5):
        step = steps.step(0)
    assert step.wrong == 0 and step.length == 0 and not step.features


def test_what_is_learned_is_what_the_learner_learns(treebank):
    """A pass by hand, in the learner's order, without its average."""
    learner = ParserLearner(order=1, passes=1, solver="perceptron", relations=False)
    training = learner.prepare(treebank)
    solver = learner.make_solver(0)
    steps = ParserSteps(treebank, "perceptron", hash_bits=None)
    for i in solver.order(0, len(treebank)):
        steps.step(int(i))
    own = solver.solve(training.problem).model
    averaged = steps.steps.model.averaged(steps.taken)
    assert isinstance(averaged, LinearModel)
    np.testing.assert_allclose(averaged.weights(), own.weights(), atol=1e-4)


@pytest.mark.parametrize("options, message", [
    ({"solver": "bcfw"}, "solver must be one of mira"), ({"C": -1}, "C must be"),
    ({"features": "kernel"}, "explicit features")])
def test_bad_arguments(treebank, options, message):
    with pytest.raises(InputError, match=message):
        ParserSteps(treebank, **options)


def test_bad_sentences(treebank):
    with pytest.raises(InputError, match="found sentence number 99, expected 0 to 11"):
        ParserSteps(treebank).step(99)
    with pytest.raises(InputError, match="feature must be one of"):
        OneWeight(treebank, "x")
    with pytest.raises(InputError, match="there is no example 99"):
        OnlineSteps(classes(), MIRA()).step(99)
