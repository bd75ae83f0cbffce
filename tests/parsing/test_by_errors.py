"""The best trees with a given number of wrong heads, and what slacks make of them."""
import cvxopt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.errors import InputError
from orange_structpred.evaluation import evaluate
from orange_structpred.learner import ParserLearner
from orange_structpred.parsing.decoding.by_errors import best_by_errors
from orange_structpred.parsing.decoding.decoders import EXACT
from orange_structpred.svm import NSlack, SampledCuts
from orange_structpred.svm.planes import Plane
from orange_structpred.treebank import Treebank, load_bundled
from tests.parsing.brute import TOYS, make_problem
from tests.parsing.reference import all_trees, tree_scores
from tests.parsing.test_explicit_problem import make, model_of, trees
from tests.svm.test_n_slack import FORMULATIONS


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 4, 5])
def test_best_by_errors(n, single_root):
    random = np.random.default_rng(n)
    everything = all_trees(n, projective=False)
    space = all_trees(n, projective=True, single_root=single_root)
    for _ in range(10):
        scores = random.normal(size=(n + 1, n + 1))
        gold = random.choice(everything).astype(np.int32)       # crossing ones, too
        found, best = best_by_errors(scores, gold, single_root)
        values = tree_scores(scores, space)
        wrong = np.count_nonzero(space[:, 1:] != gold[1:], axis=1)
        for k in range(n + 1):
            assert_allclose(best[k], values[wrong == k].max(initial=-np.inf))
            if best[k] > -np.inf:
                assert found[k].tolist() in space.tolist()
                assert np.count_nonzero(found[k, 1:] != gold[1:]) == k
                assert_allclose(tree_scores(scores, found[k]), best[k])


def test_exact_trees_by_weights():
    """Corners of the hull: no weight of the loss finds a tree that is better."""
    problem = make(TOYS[:4], decoder=EXACT)
    model = model_of(problem)
    for i in range(len(problem)):
        space, gold = trees(problem, i), problem.gold(i)
        losses = np.array([problem.loss(gold, y) for y in space])
        scores = np.array([-model.dot(i, problem.difference(i, y)) for y in space])
        found = [np.flatnonzero((space == y).all(axis=1))[0]
                 for y in problem.best_by_loss(i, model)]
        for weight in np.linspace(0, 2, 21):
            values = scores + weight * losses
            assert_allclose(values[found].max(), values.max(), atol=1e-4)


PROBLEMS = {"explicit": lambda: make(TOYS[:5]), "kernel": lambda: make_problem(TOYS[:5])[0]}
BOTH = pytest.mark.parametrize("name", PROBLEMS)
C = 20.


def least(problem, rescaling, penalty):
    """The optimum by the dual program over all trees."""
    n, arithmetic, rows, planes = len(problem), problem.new_planes(), [], []
    for i in range(n):
        for y in trees(problem, i):
            loss = problem.loss(problem.gold(i), y)**(0.5 if penalty == "quadratic" else 1)
            if loss > 0:
                rows.append((i, *((loss, 1) if rescaling == "margin" else (1, loss))))
                planes.append(Plane(loss, arithmetic.chunk_features(i, [y])))
    examples, margins, scales = map(np.array, zip(*rows))
    size = len(rows)
    P = n**2 * np.array([arithmetic.inner_products(plane, planes) for plane in planes])
    G, h = -np.eye(size), np.zeros(size)
    if penalty == "linear":
        G = np.vstack([G, (np.arange(n)[:, None] == examples) / scales])
        h = np.append(h, np.full(n, C / n))
    else:
        P += n / C * (examples[:, None] == examples) / np.outer(scales, scales)
    solution = cvxopt.solvers.qp(
        *map(cvxopt.matrix, (P + 1e-9 * np.eye(size), -margins.astype(float), G, h)),
        options={"show_progress": False})
    return -solution["primal objective"]


@FORMULATIONS
@BOTH
def test_formulations(name, rescaling, penalty):
    problem = PROBLEMS[name]()
    solution = NSlack(C=C, epsilon=1e-4, passes=200, rescaling=rescaling, penalty=penalty
                      ).solve(problem)
    assert solution.converged
    best = least(problem, rescaling, penalty)
    assert_allclose([solution.reports[-1].primal, solution.reports[-1].dual], best,
                    atol=2e-4 * C)


@BOTH
def test_sampled_cuts(name):
    problem = PROBLEMS[name]()
    solution = SampledCuts(C=C, epsilon=1e-3, passes=500, sample=0.3).solve(problem)
    assert solution.converged
    assert_allclose(solution.reports[-1].primal, least(problem, "margin", "linear"),
                    atol=2e-3 * C)


@pytest.mark.parametrize("parameters", [
    {}, {"decoder": "projective", "order": 1}, {"decoder": "exact"},
    {"features": "kernel", "kernel": "ngram"}, {"features": "kernel"}])
def test_learner(parameters):
    """The parameters of the solvers are those of the learner."""
    treebank = Treebank.from_sentences(TOYS)
    options = {"C": 1000., "passes": 100, "calibrate": False, "relations": False}
    right = [x.heads.tolist() for x in TOYS]
    for solver in ({"solver": "n-slack", "rescaling": "slack", "penalty": "quadratic"},
                   {"solver": "n-slack"}, {"solver": "sampled-cuts", "sample": 0.5}):
        parser = ParserLearner(**parameters, **options, **solver)(treebank)
        assert parser.log[-1].gap <= 0.01
        assert [heads.tolist() for heads in parser.predict_heads(treebank)] == right
    with pytest.raises(ValueError, match="rescaling 'both' is not known"):
        ParserLearner(**parameters, solver="n-slack", rescaling="both").check()


def test_the_hard_margin_of_trees():
    """All trees that can be parsed are, whatever that takes; with other solvers than n-slack
    one is told of it."""
    few = load_bundled("en")[:12]
    parsers = [ParserLearner(order=1, solver="n-slack", C=C, epsilon=1e-3, passes=100,
                             relations=False, calibrate=False)(few)
               for C in (np.inf, 1e4)]
    hard, soft = (parser.model.weights for parser in parsers)
    assert evaluate(parsers[0](few)).uas == 1
    assert_allclose(hard, soft, atol=1e-4)
    assert ParserLearner(C=np.inf, solver="n-slack").name.endswith("C=inf")
    with pytest.raises(InputError, match="the hard margin, C=inf, needs the solver n-slack"):
        ParserLearner(C=np.inf)(few)
