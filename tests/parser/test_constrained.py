"""Trees of which heads or relations are known."""
import numpy as np
import pytest

from orange_structpred import Arc, ParserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.parser import complete_tree
from orange_structpred.parser.constrained import KnownHeads
from orange_structpred.svm.programs import InfeasibleError

TREEBANK = load_bundled("en")
SENTENCES = [own for own in TREEBANK.sentences[300:] if 4 <= len(own) < 10][:4]


@pytest.fixture(scope="module", params=[1, 2], ids="order {}".format)
def parser(request):
    return ParserLearner(passes=2, hash_bits=14, order=request.param, calibrate=False)(
        TREEBANK[:60])


@pytest.fixture(scope="module")
def free(parser):
    return parser.predict(SENTENCES)


def test_what_is_predicted_anyway_changes_nothing(parser, free):
    known = [{token: Arc(int(heads[token - 1]), deprels[token - 1]) for token in (1, 3)}
             for heads, deprels in zip(free.heads, free.deprels)]
    for constraints in (known, [{}] * len(SENTENCES)):
        found = parser.predict(SENTENCES, constraints=constraints)
        for own, heads in zip(found.heads, free.heads):
            np.testing.assert_array_equal(own, heads)
        assert found.deprels == free.deprels


def test_heads_and_relations(parser, free):
    """Of one sentence the head of the first token, of another its relation, and both."""
    known = [{1: Arc(head=len(SENTENCES[0]))}, {1: Arc(relation="vocative")}, {},
             {1: Arc(len(SENTENCES[3]), "vocative")}]
    found = parser.predict(SENTENCES, constraints=known)
    assert found.heads[0][0] == len(SENTENCES[0])
    assert found.heads[3][0] == len(SENTENCES[3])
    assert found.deprels[1][0] == found.deprels[3][0] == "vocative"
    assert parser.invalid_trees(found.heads) == 0
    np.testing.assert_array_equal(found.heads[2], free.heads[2])
    assert found.deprels[2] == free.deprels[2]
    parsed = parser.parse(SENTENCES, constraints=known)
    assert [own.heads.tolist() for own in parsed] == [own.tolist() for own in found.heads]


def test_the_relation_root_and_the_head_0_go_together(parser, free):
    root = int(np.flatnonzero(free.heads[0] == 0)[0]) + 1
    other = 1 if root != 1 else 2
    found = parser.predict(SENTENCES[:1], constraints=[{other: Arc(relation="root")}])
    assert found.heads[0][other - 1] == 0 and found.deprels[0][other - 1] == "root"
    found = parser.predict(SENTENCES[:1], constraints=[{root: Arc(relation="obj")}])
    assert found.heads[0][root - 1] != 0


def test_what_known_heads_ask_for():
    arcs = {1: Arc(2), 3: Arc(relation="root"), 4: Arc(relation="punct")}
    universal, other = (KnownHeads(arcs, universal=own) for own in (True, False))
    for heads, fits, fits_other in (
            ([2, 3, 0, 3], True, True), ([3, 3, 0, 3], False, False),
            ([2, 0, 2, 3], False, True), ([2, 4, 4, 0], False, True)):
        assert universal.fit(np.array(heads)) == fits
        assert other.fit(np.array(heads)) == fits_other


@pytest.mark.parametrize("constraints, words", [
    ([{1: Arc(2)}], "1 constraints for 4 sentences"),
    ({1: Arc(2)}, "a list with a dictionary of known arcs for each sentence, not a dict"),
    ([{1: Arc(99)}, {}, {}, {}], "token 1 cannot have the head 99"),
    ([{}, {2: Arc(2)}, {}, {}], "sentence 2 has . tokens; token 2 cannot have the head 2"),
    ([{}, {0: Arc(2)}, {}, {}], "token 0 cannot have"),
])
def test_errors(parser, constraints, words):
    with pytest.raises(InputError, match=words):
        parser.predict(SENTENCES, constraints=constraints)


def test_no_tree_has_a_cycle(parser):
    with pytest.raises(InfeasibleError, match="^sentence 2: no output satisfies"):
        parser.predict(SENTENCES, constraints=[{}, {1: Arc(2), 2: Arc(1)}, {}, {}])


def test_a_parser_without_relations():
    parser = ParserLearner(passes=1, order=1, hash_bits=12, relations=False,
                           calibrate=False)(TREEBANK[:20])
    with pytest.raises(InputError, match="has learned no relations; leave them out"):
        parser.predict(SENTENCES[:1], constraints=[{1: Arc(relation="obj")}])
    sentence = SENTENCES[0]
    completed = complete_tree(parser, sentence, [1])
    assert completed.heads[0] == sentence.heads[0]
    assert completed.deprels == [sentence.deprels[0], *["_"] * (len(sentence) - 1)]
