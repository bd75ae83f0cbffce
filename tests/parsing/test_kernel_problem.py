"""Kernel problems and their solvers, every sum of the objective written out."""
import numpy as np
import pytest

from benchmarks.plane_products import PRODUCTS
from orange_structpred.parsing.decoding.decoders import (
    APPROXIMATE,
    EXACT,
    PROJECTIVE,
    REARRANGED,
)
from orange_structpred.svm import (
    BCFW,
    MIRA,
    CheckpointError,
    OneSlack,
    Perceptron,
    Subgradient,
)
from orange_structpred.svm.problem import Problem
from tests.parsing.brute import (
    HASH,
    TOYS,
    block_heads,
    block_parts,
    gold_minus,
    hinge,
    joint,
    key,
    make_problem,
    phi,
    plane_trees,
    scores,
    tree,
    tree_score,
)
from tests.parsing.reference import all_trees

C = 3.
WEIGHTS = [1., 2.]


def random_model(problem, seed=0, averaging=False):
    """A model after random steps, and what it is made of."""
    random = np.random.default_rng(seed)
    model = problem.new_model(averaging=averaging)
    parts = [phi(x, []) for x in TOYS]
    for i in random.integers(len(TOYS), size=20):
        trees = all_trees(len(TOYS[i]), False, True)
        heads = trees[random.integers(len(trees))].astype(np.int32)
        scale = random.normal()
        model.add(i, problem.difference(i, heads), scale)
        for name, value in phi(TOYS[i], gold_minus(TOYS[i], heads), HASH,
                               WEIGHTS).items():
            parts[i][name] += scale * value
    return model, parts


def test_a_model_is_the_sum_of_its_steps():
    problem, _ = make_problem(weights=WEIGHTS)
    model, parts = random_model(problem)
    np.testing.assert_allclose(model.squared_norm(), joint(problem.gram, parts, parts),
                               rtol=1e-5)
    for i, x in enumerate(TOYS):
        edge_scores = scores(problem.gram[i], parts, x, HASH, WEIGHTS)
        for heads in all_trees(len(x), False, True)[::5]:
            delta = problem.difference(i, heads.astype(np.int32))
            np.testing.assert_allclose(
                model.dot(i, delta),
                tree_score(edge_scores, tree(x)) - tree_score(edge_scores, heads),
                rtol=1e-4, atol=1e-5)
            part = phi(x, gold_minus(x, heads), HASH, WEIGHTS)
            np.testing.assert_allclose(
                model.squared_norm_of(i, delta),
                problem.gram[i, i] * sum(v * v for v in part.values()), rtol=1e-5)


@pytest.mark.parametrize("decoder, projective", [
    (PROJECTIVE, True), (EXACT, False)])
def test_the_oracle_finds_the_best_of_all_trees(decoder, projective):
    problem, _ = make_problem(weights=WEIGHTS, decoder=decoder)
    model, parts = random_model(problem)
    model.factor = 0.3
    outputs, _, hinges = problem.oracle(0, len(problem), model)
    for i, x in enumerate(TOYS):
        edge_scores = 0.3 * scores(problem.gram[i], parts, x, HASH, WEIGHTS)
        np.testing.assert_allclose(
            hinges[i], hinge(edge_scores, tree(x), projective), atol=1e-5)
        best = max(tree_score(edge_scores, heads)
                   for heads in all_trees(len(x), projective, True))
        np.testing.assert_allclose(
            tree_score(edge_scores, problem.best(i, model)), best, atol=1e-5)
        np.testing.assert_array_equal(problem.most_violated(i, model),
                                      outputs[i])


def test_approximate_decoder_takes_the_best_head_of_each_token():
    problem, _ = make_problem(weights=WEIGHTS, decoder=APPROXIMATE)
    model, parts = random_model(problem)
    for i, x in enumerate(TOYS):
        edge_scores = scores(problem.gram[i], parts, x, HASH, WEIGHTS)
        np.fill_diagonal(edge_scores, -np.inf)
        wrong = np.arange(len(x) + 1)[:, None] != tree(x)
        for found, expected in ((problem.best(i, model), edge_scores),
                                (problem.most_violated(i, model),
                                 edge_scores + wrong / len(x))):
            np.testing.assert_allclose(
                [expected[found[d], d] for d in range(1, len(x) + 1)],
                expected[:, 1:].max(axis=0), atol=1e-6)


def test_the_loss_is_the_share_of_wrong_heads():
    problem, _ = make_problem()
    for i, x in enumerate(TOYS):
        for heads in all_trees(len(x), False, False):
            gold = {(h, d) for d, h in enumerate(tree(x)) if d}
            other = {(h, d) for d, h in enumerate(heads) if d}
            # the approximately normalised Hamming loss (thesis 4.3)
            expected = (len(gold) + len(other) - 2 * len(gold & other)) / (2 * len(gold))
            assert problem.example_loss(i, heads) == pytest.approx(expected)
            assert expected == np.mean(tree(x)[1:] != heads[1:])


@pytest.mark.parametrize("decoder", [PROJECTIVE, APPROXIMATE])
def test_certificate_of_block_coordinates_is_true(decoder):
    problem, _ = make_problem(weights=WEIGHTS, decoder=decoder)
    solution = BCFW(C=C, epsilon=1e-9, passes=30).solve(problem)
    last = solution.reports[-1]
    assert last.certified
    # the dual belongs to the mixtures of the last iterate
    parts = block_parts(TOYS, solution.dual_state.blocks, HASH, WEIGHTS)
    norm = joint(problem.gram, parts, parts) * (C / len(TOYS))**2
    loss = sum(share * np.mean(block_heads(x, own)[1:] != x.heads)
               for x, block in zip(TOYS, solution.dual_state.blocks)
               for own, share in zip(block.outputs, block.alpha)) / len(TOYS)
    np.testing.assert_allclose(last.dual, C * loss - norm / 2, rtol=1e-5)
    # the primal belongs to the average that is the model
    index = solution.model.index
    norm = sum(
        index.coefficients[a] * index.coefficients[b]
        * problem.gram[index.examples[a], index.examples[b]]
        for value, start in enumerate(index.starts[:-1])
        for a in range(start, start + index.filled[value])
        for b in range(start, start + index.filled[value]))
    np.testing.assert_allclose(last.norm**2, norm, rtol=1e-5)
    slack = 0.
    for i, x in enumerate(TOYS):
        edge_scores = model_scores(solution.model, i)
        if decoder == PROJECTIVE:
            slack += hinge(edge_scores, tree(x))
        else:
            wrong = np.arange(len(x) + 1)[:, None] != tree(x)
            violated = edge_scores + wrong / len(x)
            np.fill_diagonal(violated, -np.inf)
            slack += violated[:, 1:].max(axis=0).sum() - tree_score(
                edge_scores, tree(x))
    np.testing.assert_allclose(last.slack, slack / len(TOYS), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(last.primal, norm / 2 + C * slack / len(TOYS), rtol=1e-4)
    assert last.gap == pytest.approx((last.primal - last.dual) / C)
    assert 0 < last.gap < 0.05


def model_scores(model, i):
    """Edge scores of a solver's model for a training sentence."""
    problem = model.problem
    n = problem.size(i) + 1
    own = model.own_scores(i) * model.factor
    found = np.zeros((n, n))
    for head in range(n):
        for dependent in range(1, n):
            edge = problem.hashed.symbols[i] + dependent * n + head
            first = problem.hashed.values[i]
            found[head, dependent] = own[problem.hashed.local[
                first + problem.hashed.starts[edge]:
                first + problem.hashed.starts[edge + 1]]].sum()
    return found


@pytest.mark.parametrize("kernel", ["ngram", "poly-bow", "constant"])
def test_both_solvers_reach_the_same_objective(kernel):
    problem, _ = make_problem(kernel=kernel)
    planes = OneSlack(C=C, epsilon=1e-5, passes=200).solve(problem)
    blocks = BCFW(C=C, epsilon=1e-3, passes=3000).solve(problem)
    assert planes.converged and blocks.converged
    a, b = planes.reports[-1], blocks.reports[-1]
    assert max(a.dual, b.dual) <= min(a.primal, b.primal) + 1e-6
    np.testing.assert_allclose(b.primal, a.primal, atol=1.1e-3 * C)
    for i in range(len(TOYS)):      # w is unique, and so are the scores
        np.testing.assert_allclose(model_scores(planes.model, i),
                                   model_scores(blocks.model, i), atol=0.05)


def test_one_slack_is_one_model_however_products_are_computed():
    found = {}
    for product in PRODUCTS:
        problem, _ = make_problem(weights=WEIGHTS, product=product, kernel="ngram")
        found[product] = OneSlack(C=C, epsilon=1e-4, passes=40).solve(problem)
    reports = found["index"].reports
    assert len(reports) > 5
    parts = [phi(x, []) for x in TOYS]
    naive = found["naive"].model
    for weight, plane in zip(naive.alpha, naive.planes):
        for i, heads in enumerate(plane_trees(plane)):
            for name, value in phi(TOYS[i], gold_minus(TOYS[i], heads), HASH,
                                   WEIGHTS).items():
                parts[i][name] += weight / len(TOYS) * value
    for solution in found.values():
        np.testing.assert_allclose(
            [(r.primal, r.dual, r.loss) for r in solution.reports],
            [(r.primal, r.dual, r.loss) for r in reports], rtol=1e-6, atol=1e-9)
        for i, x in enumerate(TOYS):
            np.testing.assert_allclose(model_scores(solution.model, i),
                                       model_scores(found["index"].model, i), atol=1e-6)
            np.testing.assert_allclose(     # equation (4.20)
                model_scores(solution.model, i),
                scores(problem.gram[i], parts, x, HASH, WEIGHTS), atol=1e-5)


class Indicators(Problem):
    """No input kernel, and a feature for each value: what a user would write."""

    def __init__(self, sentences):
        keys = sorted({key(name, x, h, d) for x in sentences for name in HASH
                       for h in range(len(x) + 1) for d in range(1, len(x) + 1)
                       if h != d}, key=str)
        self.indices = {value: place for place, value in enumerate(keys)}
        super().__init__(sentences, [tree(x) for x in sentences], len(keys))

    def joint_features(self, x, y):
        dense = np.zeros(self.dim)
        for d in range(1, len(y)):
            for name in HASH:
                dense[self.indices[key(name, x, y[d], d)]] += 1
        return dense

    def loss(self, y, y_hat):
        return np.mean(y[1:] != y_hat[1:])

    def best_tree(self, x, w, gold=None):
        trees = all_trees(len(x), True, True)
        return trees[np.argmax([w @ self.joint_features(x, heads) + (
            0 if gold is None else self.loss(gold, heads)) for heads in trees])]

    def predict(self, x, w):
        return self.best_tree(x, w)

    def separate(self, x, y, w):
        return self.best_tree(x, w, y)


def test_constant_kernel_is_a_model_of_indicators():
    options = {"C": C, "epsilon": 1e-5, "passes": 200}
    explicit = OneSlack(**options).solve(Indicators(TOYS[:6]))
    problem, _ = make_problem(TOYS[:6], kernel="constant")
    kernel = OneSlack(**options).solve(problem)
    assert explicit.converged and kernel.converged
    np.testing.assert_allclose(kernel.reports[-1].primal, explicit.reports[-1].primal,
                               atol=1e-4)
    np.testing.assert_allclose(kernel.reports[-1].dual, explicit.reports[-1].dual,
                               atol=1e-4)


@pytest.mark.parametrize("solver", [MIRA, Perceptron, Subgradient])
def test_online_solvers_learn_kernel_models_too(solver):
    problem, _ = make_problem()
    solution = solver(C=10., passes=40).solve(problem)
    assert solution.reports[0].loss >= solution.reports[-1].loss < 0.1
    # the norm that the report has is that of the averaged model
    index, factor = solution.model.index, solution.model.factor
    np.testing.assert_allclose(solution.reports[-1].norm**2, factor**2 * sum(
        index.coefficients[a] * index.coefficients[b]
        * problem.gram[index.examples[a], index.examples[b]]
        for value, start in enumerate(index.starts[:-1])
        for a in range(start, start + index.filled[value])
        for b in range(start, start + index.filled[value])), rtol=1e-5)


@pytest.mark.parametrize("solver", [BCFW, OneSlack])
def test_threads_change_nothing(solver):
    many = TOYS * 20    # several chunks of sentences
    reports, weights = [], []
    for n_jobs in (1, 1, 2):
        for product in (["index"] if solver is BCFW else ["index", "hash-table"]):
            problem, _ = make_problem(many, product=product, decoder=REARRANGED)
            solution = solver(C=C, passes=3, n_jobs=n_jobs).solve(problem)
            reports.append([(r.primal, r.dual, r.loss) for r in solution.reports])
            model = solution.model if product == "index" else solution.model.indexed()
            weights.append(model.index.coefficients)
    step = len(reports) // 3
    for again in range(step, len(reports)):
        np.testing.assert_array_equal(reports[again], reports[again % step])
        np.testing.assert_array_equal(weights[again], weights[again % step])


def test_training_goes_on_from_a_checkpoint(tmp_path):
    def model(passes, file):
        problem, _ = make_problem()
        return BCFW(C=C, epsilon=1e-9, passes=passes, checkpoint=file).solve(problem)

    whole = model(6, None)
    model(3, tmp_path / "state")
    rest = model(6, tmp_path / "state")
    assert [report.pass_ for report in rest.reports] == [1, 2, 3, 4, 5, 6]
    assert rest.reports[-1].dual == pytest.approx(whole.reports[-1].dual, rel=1e-12)
    assert rest.reports[-1].primal == whole.reports[-1].primal
    np.testing.assert_array_equal(rest.model.index.coefficients,
                                  whole.model.index.coefficients)


@pytest.mark.parametrize("other", [
    {"kernel": "bow"}, {"names": ("posTags", "tokens")}, {"weights": WEIGHTS},
    {"decoder": EXACT}])
def test_a_checkpoint_of_other_kernels_is_refused(tmp_path, other):
    BCFW(C=C, passes=1, checkpoint=tmp_path / "state").solve(make_problem()[0])
    with pytest.raises(CheckpointError, match="belongs to another training"):
        BCFW(C=C, passes=2, checkpoint=tmp_path / "state").solve(
            make_problem(**other)[0])
