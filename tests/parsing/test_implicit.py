"""Trained kernel models: scores of new sentences, contributions, files."""
import pickle

import numpy as np
import pytest

from orange_structpred.files.models import ModelFileError
from orange_structpred.kernels import FeatureMap, make_kernel
from orange_structpred.parsing.decoding.decoders import APPROXIMATE, PROJECTIVE
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.kernel_model import KernelModel, LinearKernelModel
from orange_structpred.parsing.kernel.linear_problem import (
    LinearProblem,
    input_features,
)
from orange_structpred.svm import BCFW, OneSlack
from orange_structpred.treebank.encoding import encode
from tests.files.through import through_file
from tests.parsing.brute import (
    HASH,
    TOYS,
    gold_minus,
    make_problem,
    phi,
    plane_trees,
    scores,
    sentence,
    tree_score,
)
from tests.parsing.reference import all_trees

WEIGHTS = [1., 2.]
NEW = [sentence("a|a|DET|DT dog|dog|NOUN|NN sleeps|sleep|VERB|VBZ", (2, 3, 0)),
       sentence("dogs|dog|NOUN|NNS see|see|VERB|VBP cats|cat|NOUN|NNS .|.|PUNCT|.",
                (2, 0, 2, 2)),
       sentence("xyzzy|xyzzy|X|XX", (0,))]


@pytest.fixture(scope="module")
def planes():
    """A kernel model of cutting planes, with the sums that it stands for."""
    problem, known = make_problem(weights=WEIGHTS, product="naive")
    solution = OneSlack(C=5., epsilon=1e-3, passes=8).solve(problem)
    kernel = make_kernel("ngram")
    model = KernelModel.from_solution(
        solution.model.indexed(), HashFunctions(HASH, WEIGHTS), kernel, TOYS, known, None)
    parts = [phi(x, []) for x in TOYS]
    for weight, plane in zip(solution.model.alpha, solution.model.planes):
        for i, heads in enumerate(plane_trees(plane)):
            for name, value in phi(TOYS[i], gold_minus(TOYS[i], heads), HASH,
                                   WEIGHTS).items():
                parts[i][name] += weight / len(TOYS) * value
    return model, kernel, parts


@pytest.fixture(scope="module")
def linear():
    problem, known = make_problem(weights=WEIGHTS)
    features = make_kernel("bow").feature_map(TOYS)
    problem = LinearProblem(
        problem.encoded, problem.hashed, len(known), input_features(features(TOYS)),
        features.n_features, PROJECTIVE)
    solution = BCFW(C=5., passes=5).solve(problem)
    return LinearKernelModel(HashFunctions(HASH, WEIGHTS), features, known,
                             solution.model.weights())


def test_new_sentences_score_as_equation_4_20(planes):
    model, kernel, parts = planes
    for x in [*NEW, *TOYS]:
        np.testing.assert_allclose(
            model.edge_scores(x),
            scores(kernel.gram([x], TOYS)[0], parts, x, HASH, WEIGHTS), atol=1e-5)
    assert model.edge_scores(NEW[1]).any() and not model.edge_scores(NEW[2]).any()


def test_linear_models_score_new_sentences(linear):
    # words that no training sentence has meet no weight
    same = sentence("dogs|dog|NOUN|NNS see|see|VERB|VBP cats|cat|NOUN|NNS "
                    "ouch|.|PUNCT|.", (2, 0, 2, 2))
    known = [edge for edge in np.ndindex(5, 5) if 4 not in edge]
    for h, d in known:
        assert linear.edge_scores(NEW[1])[h, d] == linear.edge_scores(same)[h, d]
    assert linear.edge_scores(NEW[1]).any()


def test_heads_are_the_best_of_all_trees(planes, linear):
    for model in (planes[0], linear):
        many = NEW * 50     # more than are computed at a time
        found = model.heads(many, encode(many), PROJECTIVE, True, n_jobs=2)
        assert len(found) == len(many)
        for x, heads in zip(many, found):
            edge_scores = model.edge_scores(x)
            np.testing.assert_allclose(
                tree_score(edge_scores, np.append(-1, heads)),
                max(tree_score(edge_scores, own)
                    for own in all_trees(len(x), True, True)), atol=1e-5)
        greedy = model.heads(NEW, encode(NEW), APPROXIMATE, True)
        for x, heads in zip(NEW, greedy):
            edge_scores = model.edge_scores(x).copy()
            np.fill_diagonal(edge_scores, -np.inf)
            np.testing.assert_allclose(
                edge_scores[heads, np.arange(1, len(x) + 1)],
                edge_scores[:, 1:].max(axis=0), atol=1e-6)


def test_only_sentences_with_a_coefficient_are_kept(planes):
    model, _, parts = planes
    kept = [x for x, part in zip(TOYS, parts)
            if any(abs(value) > 1e-9 for value in part.values())]
    # a single word has one tree only, so nothing can be violated
    assert TOYS[5] not in kept
    assert model.support == kept
    assert model.n_weights == sum(abs(value) > 1e-12 for part in parts
                                  for value in part.values())
    assert (model.index.filled > 0).all()
    assert len(model.known) == len({name for part in parts
                                    for name, value in part.items()
                                    if abs(value) > 1e-12})


def test_contributions_is_the_share_of_each_sentence(planes):
    model, kernel, parts = planes
    for x in NEW[:2]:
        row = kernel.gram([x], TOYS)[0]
        edge_scores = model.edge_scores(x)
        for h, d in np.ndindex(len(x) + 1, len(x) + 1):
            if d == 0 or h == d:
                continue
            contributions = model.contributions(x, h, d)
            np.testing.assert_allclose(sum(e.value for e in contributions),
                                       edge_scores[h, d], atol=1e-6)
            for name, value in contributions:
                [i] = [i for i, y in enumerate(TOYS) if y.text == name]
                alone = [part if j == i else {} for j, part in enumerate(parts)]
                np.testing.assert_allclose(
                    value, scores(row, alone, x, HASH, WEIGHTS)[h, d], atol=1e-6)
    assert len(model.contributions(NEW[0], 2, 1)) > 1


def test_contributions_has_the_sentences_id(planes):
    model = planes[0]
    named = [type(x)(f"# sent_id = s{k}\n# text = Text {k}.\n{x.block}")
             for k, x in enumerate(model.support)]
    model = KernelModel(model.hashes, model.kernel, named, model.known, model.index)
    assert {e.name for e in model.contributions(NEW[0], 2, 1)} <= {
        f"s{k}: Text {k}." for k in range(len(named))}


def test_contributions_of_a_linear_model_names_hash_values(linear):
    x = NEW[0]
    for h, d in ((2, 1), (3, 2), (0, 3)):
        contributions = linear.contributions(x, h, d)
        np.testing.assert_allclose(sum(e.value for e in contributions),
                                   linear.edge_scores(x)[h, d], rtol=1e-5)
    # "a dog" was never seen, "the dog" was
    assert [e.name for e in linear.contributions(x, 2, 1)] == [
        "h.xpos=NN d.xpos=DT at distance 1 left"]
    assert [e.name for e in linear.contributions(TOYS[0], 2, 1)] == [
        "h.xpos=NN d.xpos=DT at distance 1 left", "h.form=dog d.form=the"]


def test_names_of_all_kinds_of_values():
    def parity(x, head, dependent):
        return (head + dependent) % 2

    class Same:
        def __call__(self, x, head, dependent):
            return 0

    hashes = HashFunctions(["between", "tokens::dir", parity, "posTags", Same()])
    features = make_kernel("constant").feature_map(TOYS)
    model = LinearKernelModel(hashes, features, np.zeros(0, np.uint64),
                              np.zeros(1024, np.float32))
    x = TOYS[4]     # cats and dogs bark
    assert model.value_names(x, 4, 1) == [
        "h.form=bark d.form=cats at distance 3 left", "h.upos=VERB d.upos=NOUN",
        "h.upos=VERB d.upos=NOUN b.upos=CCONJ", "h.upos=VERB d.upos=NOUN b.upos=NOUN",
        "parity", "Same"]
    assert len(model.value_names(x, 0, 1)) == 4


def restored(model):
    """The model from what a file keeps of it."""
    return through_file(type(model), model.header(), model.arrays())


def test_models_survive_files_and_pickle(planes, linear):
    for model in (planes[0], linear):
        model.edge_scores(NEW[0])       # whatever it prepared does not matter
        for again in (restored(model), pickle.loads(pickle.dumps(model))):
            assert again.n_weights == model.n_weights
            for x in [*NEW, *TOYS]:
                np.testing.assert_array_equal(again.edge_scores(x),
                                              model.edge_scores(x))
            assert again.contributions(NEW[0], 2, 1) == model.contributions(NEW[0], 2, 1)
    assert isinstance(restored(linear).features, FeatureMap)


@pytest.mark.parametrize("change", [
    {"sentences": lambda old: old + 9}, {"sentences": lambda old: old - 1},
    {"filled": lambda old: old[1:]}, {"filled": lambda old: np.append(old[:-1], 0)},
    {"filled": lambda old: np.concatenate([[old[0] + 9, old[1] - 9], old[2:]])},
    {"coefficients": lambda old: old[1:]}, {"known": lambda old: old[1:]}])
def test_an_index_that_does_not_fit_is_refused(planes, change):
    arrays = planes[0].arrays()
    for name, changed in change.items():
        arrays[name] = changed(arrays[name])
    with pytest.raises(ModelFileError, match="do not fit together"):
        through_file(KernelModel, planes[0].header(), arrays)


@pytest.mark.parametrize("indices, dim", [
    ([1 << 16], 1 << 16), ([-1], 1 << 16), ([0, 1], 1 << 16), ([0], 0), ([0], 1000),
    ([0], 1 << 40)])
def test_weights_that_do_not_fit_are_refused(linear, indices, dim):
    arrays = {**linear.arrays(), "values": np.ones(1, np.float32),
              "indices": np.array(indices)}
    with pytest.raises(ModelFileError, match="do not fit together"):
        through_file(LinearKernelModel, {**linear.header(), "dim": dim}, arrays)
