"""Parsers of second order with relations: training, files, bad input."""
import re
import warnings
from copy import copy

import numpy as np
import pytest

from benchmarks.crossing import scramble
from orange_structpred import Parser, ParserLearner, evaluate, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.features.feature_names import in_words
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.first_order.pruning import MAX_HEADS, prune
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.relations.labelled_loss import labelled_loss
from orange_structpred.parsing.relations.relation_model import (
    RelationModel,
    train_relations,
)
from orange_structpred.parsing.relations.relation_templates import RELATION_GROUPS
from orange_structpred.parsing.second_order.bonuses import VOTE
from orange_structpred.parsing.second_order.part_scoring import part_feature_indices
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.parsing.second_order.token_layers import N_OTHERS
from orange_structpred.parsing.second_order.tree_parts import tree_parts
from orange_structpred.svm.vectors import score_features
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.projectivity import crossed, flatten
from orange_structpred.treebank.relations import number_relations
from tests.files.through import through_file
from tests.treebank.toy import ONE_WORD, TWO_ROOTS, block, treebank

BUNDLED = load_bundled("en")
TRAIN, TEST = BUNDLED[:150], BUNDLED[150:200]


@pytest.fixture(scope="module")
def parser():
    return ParserLearner(passes=4)(TRAIN)


def without_relations(sentences):
    return Treebank.from_sentences(
        [s.with_heads(s.heads, ["_"] * len(s)) for s in sentences])


def test_learns_heads_and_relations(parser):
    assert isinstance(parser.model, SecondOrderModel)
    result = evaluate(parser(TEST))
    assert result.uas > 0.85 and result.las > 0.8


def test_the_log_knows_the_las(parser):
    """On few sentences it is measured on all of them."""
    found = parser.predict(TRAIN.sentences)
    losses = [np.mean([head != gold or name != relation for head, gold, name, relation
                       in zip(heads, s.heads, names, s.deprels)])
              for s, heads, names in zip(TRAIN.sentences, found.heads, found.deprels)]
    assert labelled_loss(parser.log[-1]) == pytest.approx(np.mean(losses), abs=1e-3)
    assert labelled_loss(parser.log[0]) >= parser.log[0].loss > 0


@pytest.mark.parametrize("decoder", ["exact", "approximate", "odd"])
def test_decoders_without_second_order_are_refused(parser, decoder):
    parser = copy(parser)
    with pytest.raises(InputError, match=f"decoder '{decoder}'"):
        parser.decoder = decoder
    assert parser.decoder == "projective"
    parser.decoder = "rearranged"


def test_crossing_trees_have_second_order_too():
    data = Treebank.from_sentences(map(scramble, TRAIN.sentences))
    parser = ParserLearner(passes=4, calibrate=False)(data[:100])
    assert isinstance(parser.model, SecondOrderModel)
    assert parser.decoder == "rearranged"
    found = parser.predict(data[100:])
    gold = [s.heads for s in data[100:].sentences]
    flat, offsets = flatten(found.heads)
    wanted = crossed(*flatten(gold))
    assert np.mean(wanted) > 0.2
    assert np.mean(crossed(flat, offsets)[wanted]) > 0.3
    nested = ParserLearner(passes=4, decoder="projective", calibrate=False)(data[:100])
    assert evaluate(parser(data[100:])).uas > evaluate(nested(data[100:])).uas


@pytest.mark.parametrize("decoder", ["projective", "rearranged"])
def test_edges_without_a_score_are_those_that_the_parser_prunes(decoder):
    parser = ParserLearner(passes=1, relations=False, decoder=decoder)(TRAIN[:60])
    for sentence in TEST.sentences:
        kept = prune(encode([sentence]), parser.model.pruner, parser.single_root,
                     decoder=DECODERS[decoder])
        dependents = np.repeat(np.arange(len(sentence) + 1), np.diff(kept.starts))
        assert set(zip(*np.nonzero(np.isfinite(parser.edge_scores(sentence))))) == set(
            zip(kept.heads, dependents))


@pytest.mark.parametrize("C", [1e-9, 1e9])
def test_an_extreme_C(C, tmp_path):
    """Weights that half precision does not hold."""
    parser = ParserLearner(solver="subgradient", C=C, passes=2)(TRAIN[:60])
    assert np.isfinite(parser.model.weights).all() and parser.model.weights.any()
    parser.save(tmp_path / "parser.npz")
    again = Parser.load(tmp_path / "parser.npz")
    np.testing.assert_array_equal(again.model.weights, parser.model.weights)
    assert evaluate(again(TRAIN[60:90])).uas > 0.6


def test_orders():
    assert isinstance(ParserLearner(order=1, passes=1)(TRAIN[:20]).model, ExplicitModel)
    assert isinstance(ParserLearner(decoder="exact", passes=1)(TRAIN[:20]).model,
                      ExplicitModel)
    with pytest.raises(ValueError, match="order must be a whole number from 1 to 2"):
        ParserLearner(order=3)(TRAIN)


def test_comes_back_from_a_file(parser, tmp_path):
    parser.save(tmp_path / "parser.npz")
    found, expected = (own.predict(TEST.sentences)
                       for own in (Parser.load(tmp_path / "parser.npz"), parser))
    assert all(map(np.array_equal, found.heads, expected.heads))
    assert found.deprels == expected.deprels


def test_files_whose_templates_had_no_directions_are_refused(parser):
    header = parser.model.header()
    del header["places"]
    with pytest.raises(ValueError, match="other feature templates; train it again"):
        through_file(SecondOrderModel, header, parser.model.arrays())


def test_any_number_of_threads_gives_the_same(parser):
    other = ParserLearner(passes=4, n_jobs=2)(TRAIN)
    assert np.array_equal(other.model.weights, parser.model.weights)
    assert np.array_equal(other.relations.weights, parser.relations.weights)


def test_parse_writes_relations(parser):
    parsed = parser.parse(TEST.sentences)
    assert [s.deprels for s in parsed] == parser.predict(TEST.sentences).deprels
    assert set(parsed[0].deprels) <= set(parser.relations.names)


def test_contributions_add_up_to_the_score_of_the_edge(parser):
    sentence = max(TEST.sentences, key=len)
    scores = parser.edge_scores(sentence)
    kept = np.argwhere(np.isfinite(scores))
    assert len(sentence) <= len(kept) <= MAX_HEADS * len(sentence)
    for head, dependent in kept[::5].tolist():
        values = [own.value
                  for own in parser.model.contributions(sentence, head, dependent)]
        assert sum(values) == pytest.approx(scores[head, dependent], abs=1e-3)


def test_contributions_of_the_parts_that_an_edge_is_in(parser):
    """They add up to what the tree has with the edge and does not have without."""
    sentence = max(TEST.sentences, key=len)
    heads = parser.predict_heads([sentence])[0]
    encoded = encode([sentence])
    votes = parser.model.votes(encoded)

    def parts(tree):
        return set(tree_parts(np.append(-1, tree).astype(np.int32)).tolist())

    size = len(sentence) + N_OTHERS
    for dependent, head in enumerate(heads.tolist(), 1):
        def among(part, edge=(head, dependent)):
            kind, *tokens = (part // size**k % size for k in (3, 2, 1, 0))
            pairs = {0: [(0, 1)], 1: [(0, 1), (0, 2)], 2: [(0, 1), (1, 2)]}[kind]
            return edge in [(tokens[a], tokens[b]) for a, b in pairs]

        own = np.array(sorted(filter(among, parts(heads))))
        expected = score_features(parser.model.weights, *part_feature_indices(
            encoded.tokens, parser.model.features.arrays, parser.model.shift, own)).sum()
        if votes[dependent] == head:
            expected += VOTE
        found = parser.explain(sentence, head, dependent)
        assert sum(item.value for item in found) == pytest.approx(expected, abs=1e-3)
        assert found == parser.explain(sentence, head, dependent, heads)


def test_features_have_names_and_words(parser):
    sentence = max(TEST.sentences, key=len)
    heads = parser.predict_heads([sentence])[0]
    kinds = set()
    for dependent in range(1, len(sentence) + 1):
        for head in {int(heads[dependent - 1]), dependent % len(sentence) + 1} - {dependent}:
            items = parser.explain(sentence, head, dependent)
            items += parser.explain_relation(sentence, dependent).contributions
            for item in items:
                words = in_words(item.name)
                assert words != item.name
                assert not re.search(r"\b[a-z]\.(upos|lemma|form)", words), item.name
                kinds.update(re.findall(r"(?:^| )([a-z])[+-]?\d?\.\w+=", item.name))
    assert kinds >= set("hdstgxlrfcnb")


def test_relations_are_explained(parser):
    sentence = max(TEST.sentences, key=len)
    found = parser.predict([sentence])
    for dependent in (1, 3, len(sentence)):
        why = parser.explain_relation(sentence, dependent)
        assert why.relation == found.deprels[0][dependent - 1] != why.rival
        assert sum(item.value for item in why.contributions) > 0
        back = parser.explain_relation(sentence, dependent, relation=why.rival)
        assert back.rival == why.relation
        assert sum(item.value for item in back.contributions) == pytest.approx(
            -sum(item.value for item in why.contributions), abs=1e-4)
        third = next(name for name in parser.relations.names
                     if name not in (why.relation, why.rival))
        # the scores of three relations: differences of the first two and the last two
        first, last = (parser.explain_relation(
            sentence, dependent, relation=one, rival=other).contributions
            for one, other in ((why.relation, third), (third, why.rival)))
        assert sum(item.value for item in first + last) == pytest.approx(
            sum(item.value for item in why.contributions), abs=1e-4)
    with pytest.raises(ValueError, match="unknown relation 'strange'"):
        parser.explain_relation(sentence, 1, relation="strange")
    with pytest.raises(ValueError, match="unknown relation 'strange'"):
        parser.explain_relation(sentence, 1, rival="strange")
    with pytest.raises(ValueError, match="expected a token from 1 to"):
        parser.explain_relation(sentence, 0)


def test_no_relations_are_said_and_left_out():
    with pytest.warns(UserWarning, match="has no relations, so the parser learns heads"):
        parser = ParserLearner(passes=1)(without_relations(TRAIN.sentences[:20]))
    assert parser.relations is None and parser.predict(TEST.sentences).deprels is None
    assert set(parser.parse(TEST.sentences[:3])[0].deprels) == {"_"}


def test_relations_are_left_out_when_not_asked_for():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser = ParserLearner(passes=1, relations=False)(TRAIN[:20])
    assert parser.relations is None


def test_one_relation():
    sentences = [s.with_heads(s.heads, ["dep"] * len(s)) for s in TRAIN.sentences[:10]]
    parser = ParserLearner(passes=1)(Treebank.from_sentences(sentences))
    assert {name for own in parser.predict(sentences).deprels for name in own} == {"dep"}


def test_relations_never_seen_count_as_wrong(parser):
    strange = Treebank.from_sentences(
        [s.with_heads(s.heads, ["strange"] * len(s)) for s in TEST.sentences])
    assert evaluate(parser(strange)).las == 0


@pytest.mark.parametrize("blocks", [[ONE_WORD], [ONE_WORD, block([0, 1])],
                                    [TWO_ROOTS], [TWO_ROOTS, ONE_WORD]])
@pytest.mark.parametrize("single_root", [True, False])
def test_treebanks_too_small_to_be_split(blocks, single_root):
    data = treebank(blocks)
    found = ParserLearner(passes=3, single_root=single_root)(data).predict(data)
    for heads in found.heads:
        assert np.count_nonzero(heads == 0) == 1 or not single_root


def test_several_roots_are_learned():
    data = treebank([TWO_ROOTS] * 4)
    parser = ParserLearner(passes=5, single_root=False)(data)
    assert evaluate(parser(data)).uas == 1


def test_relations_of_files_with_fewer_groups_of_templates(parser, tmp_path):
    """As earlier versions wrote them."""
    names = parser.relations.names
    weights = np.random.default_rng(0).normal(size=(1 << 10, len(names)))
    other = copy(parser)
    other.relations = RelationModel(names, thin_out(weights), ["edge", "tree"])
    other.save(tmp_path / "parser.npz")
    found = Parser.load(tmp_path / "parser.npz")
    assert found.predict(TEST).deprels == other.predict(TEST).deprels
    why = found.explain_relation(TEST.sentences[0], 1)
    assert why.relation == found.predict(TEST).deprels[0][0]
    assert len(why.contributions) <= sum(len(RELATION_GROUPS[own]) for own in ("edge", "tree"))


def test_relations_without_templates_are_refused(parser, tmp_path):
    other = copy(parser)
    other.relations = RelationModel(parser.relations.names, parser.relations.weights, [])
    other.save(tmp_path / "parser.npz")
    with pytest.raises(InputError, match="saved by another version, with other feature templates"):
        Parser.load(tmp_path / "parser.npz")


def test_relations_learn_from_what_is_known():
    sentences = [Sentence(block([0, 1, 1])) for _ in range(3)]
    encoded = encode(sentences)
    relations = train_relations(encoded, number_relations([["root", "_", "dep"]] * 3))
    assert relations.names == ("dep", "root")
    found = relations.relations(encoded, [s.heads for s in sentences])
    assert found[0][0] == "root" and found[0][2] == "dep"


def test_probabilities_of_heads(parser):
    found = parser.predict(TEST, probabilities=True)
    heads = parser.predict_heads(TEST)
    for sentence, own, shares in zip(TEST.sentences, heads, found.probabilities):
        table = parser.edge_probabilities(sentence)
        tokens = np.arange(1, len(own) + 1)
        np.testing.assert_allclose(table[:, 1:].sum(0), 1)
        np.testing.assert_allclose(shares, table[own, tokens])
    parsed = parser(TEST, probabilities=True)
    np.testing.assert_allclose(
        np.concatenate(parsed.predictions[parser.name].probabilities),
        np.concatenate(found.probabilities), atol=1e-4)
    assert parser(TEST).predictions[parser.name].probabilities is None


def test_best_trees(parser):
    sentence = TEST.sentences[0]
    trees = parser.k_best(sentence, 5)
    assert trees[0].heads.tolist() == parser.predict_heads([sentence])[0].tolist()
    assert sum(tree.probability for tree in trees) <= 1
    with pytest.raises(ValueError, match="k must be at least 1"):
        parser.k_best(sentence, 0)
