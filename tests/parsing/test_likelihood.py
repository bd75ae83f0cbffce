"""The likelihood of trees against enumeration of all trees, and parsers learned by it."""
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp
from sklearn.base import clone

from orange_structpred import evaluate, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.learner.crf import (
    CRFParserLearner,
    predict_minimum_risk,
)
from orange_structpred.parsing.decoding.decoders import EXACT, PROJECTIVE
from orange_structpred.parsing.first_order.tree_likelihood import (
    TreeLikelihood,
    minimum_risk_heads,
)
from tests.parsing.reference import all_trees
from tests.parsing.test_explicit_problem import make, model_of, trees
from tests.svm.asking import phi


@pytest.mark.parametrize("decoder", [PROJECTIVE, EXACT])
def test_log_loss_and_its_gradient(decoder):
    problem = make(decoder=decoder)
    likelihood = TreeLikelihood(problem)
    w = model_of(problem, scale=0.5).w.astype(float)
    assert likelihood.possible.any()
    for i in range(len(problem)):
        gradient = np.zeros(problem.dim)
        value = likelihood.add_log_loss(i, i + 1, w, gradient)
        space, gold = trees(problem, i), problem.gold(i)
        if not likelihood.possible[i]:
            assert value == 0 and not gradient.any()
            assert not (space == gold).all(axis=1).any()
            continue
        features = np.array([phi(problem, i, y) for y in space])
        scores = features @ w
        p = np.exp(scores - logsumexp(scores))
        own = phi(problem, i, gold)
        # edges are scored in single precision
        assert value == pytest.approx(logsumexp(scores) - own @ w, abs=1e-4)
        assert_allclose(gradient, p @ features - own, atol=1e-5)


def test_minimum_risk():
    rng = np.random.default_rng(0)
    space = all_trees(4, True, True)
    for _ in range(20):
        p = rng.dirichlet(np.full(len(space), 0.3))
        marginals = np.zeros((5, 5))
        for heads, share in zip(space, p):
            marginals[heads[1:], np.arange(1, 5)] += share
        risk = [(p * (space[:, 1:] != heads[1:]).sum(axis=1)).sum() for heads in space]
        found = minimum_risk_heads(marginals, PROJECTIVE, True)
        assert risk[(space == found).all(axis=1).argmax()] == pytest.approx(min(risk))


def test_a_parser():
    treebank = load_bundled("en")
    learner = CRFParserLearner(C=300, hash_bits=16, passes=25, relations=False)
    parser = learner(treebank[:150])
    assert parser.name == "CRF C=300"
    parsed = parser(treebank[300:])
    uas = evaluate(parsed).uas
    assert uas > 0.8
    sentences = treebank.sentences[300:]
    risk = predict_minimum_risk(parser, sentences)
    right = sum((heads == s.heads).sum() for heads, s in zip(risk, sentences))
    assert right / sum(map(len, sentences)) > uas - 0.02
    # a probable edge is right as often as it is probable, more or less
    p = [parser.edge_probabilities(s) for s in sentences[:40]]
    gold = [own[s.heads, np.arange(1, len(s) + 1)] for own, s in zip(p, sentences)]
    assert np.mean(np.concatenate(gold)) > 0.7


def test_parameters():
    learner = CRFParserLearner(C=3, passes=7)
    assert clone(learner).get_params() == learner.get_params()
    with pytest.raises(InputError, match="unknown parameter 'solver'"):
        learner.set_params(solver="mira")
