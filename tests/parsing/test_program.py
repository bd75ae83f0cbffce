"""Trees by integer programs, with constraints, against all trees."""
import numpy as np
import pytest

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.parsing.decoding.decoders import (
    APPROXIMATE,
    EXACT,
    PROJECTIVE,
    REARRANGED,
)
from orange_structpred.parsing.decoding.tree_program import edge_program
from orange_structpred.parsing.second_order.second_order_program import part_program
from orange_structpred.svm.programs import InfeasibleError
from orange_structpred.treebank import Sentence
from tests.parsing.reference import all_trees, tree_scores
from tests.parsing.test_second_order import keep, random_scores, total

DECODERS = pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE, REARRANGED])
ROOTS = pytest.mark.parametrize("single_root", [True, False])


def check(program, trees, scores, rng):
    """With random constraints on edges, the program finds the best of some trees."""
    def named(heads):
        return set(zip(heads[1:].tolist(), range(1, len(heads))))

    names = [named(heads) for heads in trees]
    score = {heads[1:].tobytes(): value
             for heads, value in zip(trees.astype(np.int32), scores)}
    assert score[program.best().tobytes()] == pytest.approx(max(scores), abs=1e-4)
    edges = sorted(set().union(*names))
    for _ in range(3):
        chosen = {edges[k] for k in rng.integers(0, len(edges), 4)}
        least, most = sorted(rng.integers(0, 3, 2).tolist())
        valid = [least <= len(chosen & own) <= most for own in names]
        limit = program.limit(chosen, at_least=least, at_most=most)
        if not any(valid):
            with pytest.raises(InfeasibleError):
                program.best(limit)
            continue
        found = program.best(limit)
        assert score[found.tobytes()] == pytest.approx(
            max(np.asarray(scores)[valid]), abs=1e-4)
        assert least <= len(chosen & named(np.append(-1, found))) <= most


@DECODERS
@ROOTS
@pytest.mark.parametrize("n", [1, 3, 5])
def test_edges(n, decoder, single_root):
    rng = np.random.default_rng([n, decoder, single_root])
    for _ in range(3):
        scores = rng.normal(size=(n + 1, n + 1))
        trees = all_trees(n, projective=decoder == PROJECTIVE, single_root=single_root)
        check(edge_program(scores, decoder, single_root), trees,
              tree_scores(scores, trees), rng)


def test_heads_that_are_no_tree():
    scores = np.zeros((4, 4))
    scores[1, 2] = scores[2, 1] = scores[2, 3] = 1
    assert edge_program(scores, APPROXIMATE, True).best().tolist() == [2, 1, 2]


@DECODERS
@ROOTS
@pytest.mark.parametrize("share", [1., 0.5])
@pytest.mark.parametrize("n", [1, 3, 4])
def test_second_order(n, share, decoder, single_root):
    rng = np.random.default_rng([n, decoder, single_root])
    trees = all_trees(n, projective=decoder == PROJECTIVE, single_root=single_root)
    tokens = np.arange(1, n + 1)
    for _ in range(2):
        allowed = rng.random((n + 1, n + 1)) < share
        allowed[trees[rng.integers(len(trees))][1:], tokens] = True
        edges = keep(allowed)
        scores = random_scores(edges, rng)
        possible = trees[[allowed[heads[1:], tokens].all() for heads in trees]]
        check(part_program(edges, scores, decoder, single_root), possible,
              [total(edges, scores, heads.astype(np.int32)) for heads in possible], rng)


def test_pruned_edges_are_in_no_tree():
    scores = np.zeros((3, 3))
    scores[2, 1] = -np.inf
    program = edge_program(scores, PROJECTIVE, True)
    with pytest.raises(InfeasibleError):
        program.best(program.limit([(2, 1)], at_least=1))


@pytest.mark.parametrize("parameters", [
    {"order": 1}, {"order": 2}, {"order": 1, "decoder": "exact"},
    {"kernel": "constant", "hash": "posTags2::dir"}], ids=str)
def test_parsers(parameters):
    treebank = load_bundled("en")
    parser = ParserLearner(passes=1, hash_bits=14, relations=False, **parameters)(
        treebank[:40])
    sentences = [own for own in treebank.sentences[300:] if len(own) < 10][:3]
    free = parser.predict(sentences)
    same = parser.predict(sentences, constraints=lambda program, sentence: None)
    assert [own.tolist() for own in same.heads] == [own.tolist() for own in free.heads]

    def last_above_first(program, sentence):
        return program.limit([(len(sentence), 1)], at_least=1)

    for heads in parser.predict(sentences, constraints=last_above_first).heads:
        assert heads[0] == len(heads) and parser.invalid_trees([heads]) == 0
    assert parser.parse(sentences[:1], constraints=last_above_first)[0].heads[0] == len(
        sentences[0])
    with pytest.raises(InfeasibleError, match="sentence 1: no output satisfies"):
        parser.predict(sentences, constraints=lambda program, sentence: program.limit(
            [(1, 2), (2, 1)], at_least=2))
    with pytest.raises(InputError, match=r"no variable is named \(1, 99\)"):
        parser.predict(sentences, constraints=lambda program, sentence: program.limit(
            [(1, 99)], at_most=0))
    with pytest.raises(InputError, match="0 constraints for 3 sentences; give one"):
        parser.predict(sentences, constraints=[])


def test_long_sentences_are_refused():
    treebank = load_bundled("en")
    parser = ParserLearner(passes=1, hash_bits=14, relations=False, order=1)(treebank[:20])
    rows = [f"{k}\tdog\tdog\tNOUN\tNN\t_\t{k - 1}\tdep\t_\t_" for k in range(1, 102)]
    with pytest.raises(InputError, match="sentence 1 has 101 tokens; expected at most 100"):
        parser.predict([Sentence("\n".join(rows))], constraints=lambda *_: None)
