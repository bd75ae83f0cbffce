"""One-slack and BCFW on parsers: one objective, and certificates that are true.

Primal and dual are computed again from features as strings and from decoders that
follow their definitions.
"""
import numpy as np
import pytest

from orange_structpred.parsing.decoding.decoders import EXACT, PROJECTIVE, decode
from orange_structpred.parsing.features.dictionary import dictionary_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_model import make_feature_indices
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.svm import BCFW, OneSlack
from orange_structpred.treebank import read_conll
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.data import treebank_file
from tests.parsing.plain import PlainObjective, feature_places
from tests.parsing.reference import mst, projective_score, tree_scores

GROUPS = ("head-dependent", "in-between")
MCDONALD = ("head", "dependent", "head-dependent", "in-between", "neighbours")
EPSILON = 0.001
CS = (0.1, 1, 10)


def projective(scores):
    return projective_score(scores, True)


def spanning(scores):
    return tree_scores(scores, mst(scores, False))


def compiled(scores):
    """The decoder itself, which other tests check against slow ones."""
    return tree_scores(scores, decode(scores, PROJECTIVE, True))


class Trained:
    """A problem with a dictionary of all features of gold edges, and its objective."""

    def __init__(self, sentences, groups, decoder, single_root, reference):
        self.features = EdgeFeatures(groups)
        encoded = encode(sentences)
        self.indices, self.dim = dictionary_indices(encoded, self.features, 1)
        self.problem = ExplicitProblem(encoded, self.features, self.indices, self.dim,
                                       decoder, single_root)
        self.plain = PlainObjective(sentences, self.features.groups, reference)
        known = feature_places(sentences, self.features, self.indices)
        self.order = np.array([known[name] for name in self.plain.ids])

    def check(self, C):
        """Both solvers, both certificates."""
        primals, duals = [], []
        for solver in (OneSlack, BCFW):
            solution = solver(C=C, epsilon=EPSILON, passes=1000).solve(self.problem)
            last = solution.reports[-1]
            assert solution.converged and last.certified and last.gap <= EPSILON
            w = solution.model.weights()[self.order].astype(float)
            primal = self.plain.primal(w, C)
            assert abs(primal - last.primal) <= 1e-5 * C
            if solver is BCFW:
                dual = self.plain.dual(solution.dual_state.blocks, C)
                assert abs(dual - last.dual) <= 1e-5 * C
            primals.append(primal)
            duals.append(last.dual)
        assert abs(primals[0] - primals[1]) <= EPSILON * C
        # each dual is below each primal: both hold the same optimum between them
        assert max(duals) <= min(primals) + 1e-5 * C


@pytest.fixture(scope="module")
def short():
    return [sentence for sentence in load_bundled("en").sentences
            if len(sentence) <= 11][:40]


@pytest.mark.parametrize("decoder", [PROJECTIVE, EXACT],
                         ids=["projective", "exact"])
def test_same_objective(short, decoder):
    trained = (Trained(short, GROUPS, PROJECTIVE, True, projective)
               if decoder == PROJECTIVE else
               Trained(short[:25], GROUPS, EXACT, False, spanning))
    for C in CS:
        trained.check(C)


def test_path_reaches_the_same_objectives(short):
    from orange_structpred.svm import solve_path

    encoded, features = encode(short), EdgeFeatures(GROUPS)
    indices, dim = make_feature_indices(encoded, features, 0, None)
    problem = ExplicitProblem(encoded, features, indices, dim, PROJECTIVE)
    options = {"epsilon": EPSILON, "passes": 500}
    for C, solution in zip(CS, solve_path(problem, CS, **options)):
        cold = BCFW(C=C, **options).solve(problem).reports[-1]
        warm = solution.reports[-1]
        assert solution.converged
        assert abs(warm.primal - cold.primal) <= EPSILON * C
        assert max(warm.dual, cold.dual) <= min(warm.primal, cold.primal) + 1e-5 * C


@pytest.mark.slow
def test_same_objective_on_a_thousand_sentences():
    sentences = read_conll(treebank_file("en_ewt-ud-dev.conllu"))[:1000]
    trained = Trained(sentences, MCDONALD, PROJECTIVE, True, compiled)
    for C in CS:
        trained.check(C)
