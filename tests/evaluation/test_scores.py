import json

import numpy as np
import pytest

from orange_structpred.evaluation import (
    MEASURES,
    Evaluation,
    MismatchError,
    NoHeadError,
    evaluate,
    evaluate_raw,
    evaluate_sentences,
    totals,
)
from orange_structpred.evaluation.totals import total_raw_scores, total_scores
from orange_structpred.tagging.rules import RuleTokeniser
from orange_structpred.treebank import Treebank, load_bundled, read_conll, write_conll
from orange_structpred.treebank.text import raw_text
from tests.data import all_treebanks
from tests.evaluation import conll18
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED, sentence

RELATIONS = ["nsubj", "nsubj:pass", "obj", "obl:tmod", "punct", "case"]


def changed(gold, share, rng):
    """The same sentence with some heads and relations changed; still a tree."""
    heads, n = gold.heads.copy(), len(gold)
    for token in rng.permutation(n) + 1:
        head = int(rng.integers(1, n + 1))
        if heads[token - 1] == 0 or rng.random() > share:
            continue
        above = head
        while above not in (0, token):
            above = heads[above - 1]
        if above == 0:
            heads[token - 1] = head
    relations = [rng.choice(RELATIONS) if rng.random() < share else relation
                 for relation in gold.deprels]
    return gold.with_heads(heads, relations)


@pytest.fixture
def evaluation():
    return evaluate_sentences(GOLD, PREDICTED, "toy")


def test_counts_by_hand(evaluation):
    assert (evaluation.sentences, evaluation.tokens) == (3, 10)
    assert evaluation.uas == pytest.approx(8 / 10)
    assert evaluation.las == pytest.approx(7 / 10)
    assert evaluation.uas_nopunct == pytest.approx(6 / 7)
    assert evaluation.las_nopunct == pytest.approx(5 / 7)
    assert evaluation.complete == pytest.approx(1 / 3)
    # The third sentence is nothing but punctuation and does not count.
    assert evaluation.complete_nopunct == pytest.approx(1 / 2)
    assert evaluation.root == 1


def test_predicted_heads_that_are_no_tree():
    heads = [sentence.heads for sentence in GOLD]
    assert Evaluation(GOLD, heads).trees == 1
    heads[1] = np.array([2, 1, 0, 3])       # a cycle, beside a root
    scored = Evaluation(GOLD, heads)
    assert scored.trees == pytest.approx(2 / 3)
    assert scored.to_dict()["trees"] == pytest.approx(66.6667)


def test_each_sentence(evaluation):
    np.testing.assert_allclose(evaluation.sentence_uas(), [4 / 5, 3 / 4, 1])
    np.testing.assert_allclose(
        evaluation.sentence_uas(punct=False), [3 / 4, 1, np.nan])
    np.testing.assert_allclose(evaluation.sentence_las(), [3 / 5, 3 / 4, 1])
    np.testing.assert_allclose(
        evaluation.sentence_las(punct=False), [2 / 4, 1, np.nan])


def test_each_token(evaluation):
    wrong = np.flatnonzero(~evaluation.head_correct)
    assert [(evaluation.sentence_of[i], evaluation.positions[i]) for i in wrong] \
        == [(0, 3), (1, 4)]
    assert np.flatnonzero(~evaluation.relation_correct).tolist() == [2, 3, 8]


def test_perfect_prediction():
    evaluation = evaluate_sentences(GOLD, GOLD)
    assert [evaluation.score(measure) for measure in MEASURES] == [1] * len(MEASURES)


def test_root_needs_all_roots():
    two_roots = GOLD[1].with_heads([3, 3, 0, 0])
    assert evaluate_sentences([GOLD[1]], [two_roots]).root == 0
    assert evaluate_sentences([two_roots], [GOLD[1]]).root == 0
    other_root = GOLD[1].with_heads([3, 0, 2, 3])
    assert evaluate_sentences([GOLD[1]], [other_root]).root == 0
    assert evaluate_sentences([two_roots], [two_roots]).root == 1


def test_prediction_need_not_be_a_tree():
    # What a decoder that takes the best head of each token may give.
    evaluation = Evaluation([GOLD[1]], [np.array([2, 1, 0, 3])])
    assert evaluation.uas == 2 / 4
    assert [group.tokens for group in evaluation.breakdown("distance to root")] \
        == [1, 3]


def test_no_relations_no_las():
    bare = [gold.with_heads(gold.heads, ["_"] * len(gold)) for gold in GOLD]
    evaluation = evaluate_sentences(GOLD, bare, "bare")
    assert evaluation.uas == 1
    assert evaluation.las is None and evaluation.las_nopunct is None
    assert evaluation.to_dict()["las"] is None
    with pytest.raises(ValueError, match="'bare' has no relations"):
        evaluation.sentence_las()
    with pytest.raises(ValueError, match="'bare' has no relations"):
        evaluation.confidence_interval("las")


def test_nothing_to_count():
    evaluation = evaluate_sentences([GOLD[2]], [GOLD[2]])
    assert evaluation.uas == 1
    assert np.isnan(evaluation.uas_nopunct) and np.isnan(evaluation.complete_nopunct)
    scores = evaluation.to_dict()
    assert scores["uas_nopunct"] is None
    json.dumps(scores, allow_nan=False)
    empty = evaluate_sentences([], [])
    assert empty.tokens == 0 and np.isnan(empty.uas)
    assert empty.breakdown("PoS") == []
    json.dumps(empty.to_dict(), allow_nan=False)


def test_to_dict_is_percent(evaluation):
    scores = evaluation.to_dict()
    assert scores["name"] == "toy"
    assert (scores["sentences"], scores["tokens"]) == (3, 10)
    assert scores["tokens_nopunct"] == 7
    assert scores["uas"] == 80 and scores["uas_nopunct"] == 85.7143
    assert json.loads(json.dumps(scores)) == scores


def test_predictions_of_a_treebank(evaluation):
    treebank = Treebank.from_sentences(GOLD)
    with pytest.raises(ValueError, match="has no prediction$"):
        evaluate(treebank)
    treebank = treebank.with_prediction(
        "toy", [each.heads for each in PREDICTED], [each.deprels for each in PREDICTED])
    assert evaluate(treebank).to_dict() == evaluation.to_dict()
    treebank = treebank.with_prediction("perfect", [each.heads for each in GOLD])
    assert evaluate(treebank, "toy").to_dict() == evaluation.to_dict()
    perfect = evaluate(treebank, "perfect")
    assert (perfect.uas, perfect.las) == (1, None)
    with pytest.raises(ValueError, match="name one of the predictions: toy, perfect"):
        evaluate(treebank)
    with pytest.raises(ValueError, match="'best'; found: toy, perfect"):
        evaluate(treebank, "best")
    # Rows may be chosen in between, as widgets do.
    assert evaluate(treebank[1:], "toy").uas == 4 / 5


def test_unknown_measure(evaluation):
    with pytest.raises(ValueError, match="unknown measure 'f1'.*uas, las"):
        evaluation.score("f1")


@pytest.mark.parametrize("predicted, message", [
    ([GOLD[0], GOLD[0], GOLD[2]],
     r"sentence 2 \(toy-2\), token 1: found 'She', expected 'They'"),
    ([sentence("She X 0 root\nreads X 1 x"), *GOLD[1:]],
     r"sentence 1 \(toy-1\), token 3: found the end of the sentence, expected 'old'"),
    ([GOLD[0], sentence("They X 0 x\nwere X 1 x\nsold X 1 x\n! X 1 x\n? X 1 x"),
      GOLD[2]],
     r"sentence 2 \(toy-2\), token 5: found '\?', expected the end of the sentence"),
    (GOLD[:2],
     r"sentence 3 \(toy-3\), token 1: the prediction ends before it"),
    ([*GOLD, CROSSED],
     r"sentence 4 \(crossed\), token 1: the gold ends before it"),
])
def test_other_tokens(predicted, message):
    with pytest.raises(MismatchError, match=message):
        evaluate_sentences(GOLD, predicted)


def test_heads_that_are_not_there():
    unparsed = GOLD[0].with_heads([2, 0, -1, 2, 2])
    with pytest.raises(MismatchError,
                       match=r"sentence 1 \(toy-1\), token 3 'old': no gold head"):
        evaluate_sentences([unparsed], [GOLD[0]])
    with pytest.raises(MismatchError, match="token 3 'old': no predicted head"):
        evaluate_sentences([GOLD[0]], [unparsed])
    with pytest.raises(MismatchError, match="found 4 predicted heads, expected 5"):
        Evaluation(GOLD[:1], [np.array([2, 0, 4, 2])])
    with pytest.raises(MismatchError, match="predictions for 0 sentences, expected 1"):
        Evaluation(GOLD[:1], [])


def test_reference_by_hand():
    gold = "\n\n".join(toy.block for toy in GOLD)
    predicted = "\n\n".join(toy.block for toy in PREDICTED)
    assert conll18.score(gold, predicted) == pytest.approx({"uas": 80, "las": 70})
    with pytest.raises(ValueError, match="not the same text"):
        conll18.score(gold, gold.replace("books", "book"))


@all_treebanks(slow=5e6)
def test_agrees_with_the_shared_task(source, tmp_path):
    gold, rng = read_conll(source), np.random.default_rng(7)
    if not all(sentence.has_heads for sentence in gold):
        pytest.skip(f"{source.name} has tokens without heads")
    predicted = [changed(sentence, 0.3, rng) for sentence in gold]
    write_conll(gold, tmp_path / "gold.conllu")
    write_conll(predicted, tmp_path / "predicted.conllu")
    texts = [(tmp_path / f"{which}.conllu").read_text(encoding="utf-8")
             for which in ("gold", "predicted")]
    evaluation = evaluate_sentences(gold, read_conll(tmp_path / "predicted.conllu"))
    everything = conll18.score(*texts)
    assert everything["las"] <= everything["uas"] <= 100
    assert 100 * evaluation.uas == pytest.approx(everything["uas"], abs=1e-9)
    assert 100 * evaluation.las == pytest.approx(everything["las"], abs=1e-9)
    rest = conll18.score(*texts, punct=False)
    assert 100 * evaluation.uas_nopunct == pytest.approx(rest["uas"], abs=1e-9)
    assert 100 * evaluation.las_nopunct == pytest.approx(rest["las"], abs=1e-9)


def test_agrees_with_the_official_scorer(tmp_path):
    udeval = pytest.importorskip("udtools.udeval")
    gold, rng = load_bundled("en").sentences[:40], np.random.default_rng(7)
    predicted = [changed(sentence, 0.3, rng) for sentence in gold]
    paths = [tmp_path / "gold.conllu", tmp_path / "predicted.conllu"]
    for path, sentences in zip(paths, (gold, predicted)):
        write_conll(sentences, path)
    official = udeval.evaluate(*(udeval.load_conllu_file(str(path)) for path in paths))
    evaluation = evaluate_sentences(gold, predicted)
    assert 0 < evaluation.las < evaluation.uas < 1
    assert (evaluation.uas, evaluation.las) == pytest.approx(
        (official["UAS"].f1, official["LAS"].f1))


# Files of any size

@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_scores_are_summed_up_batch_by_batch(batch, monkeypatch):
    rng = np.random.default_rng(0)
    gold = load_bundled("en").sentences[:60]
    predicted = [sentence.with_heads(np.where(
        rng.random(len(sentence)) < 0.2, 0, sentence.heads)) for sentence in gold]
    monkeypatch.setattr(totals, "SCORED_AT_ONCE", batch)
    assert total_scores(iter(gold), iter(predicted), "x") \
        == evaluate_sentences(gold, predicted, "x").to_dict()
    plain = [own.with_heads(own.heads, ["_"] * len(own)) for own in predicted]
    assert total_scores(gold, plain)["las"] is None


@pytest.mark.parametrize("batch", [1, 7])
def test_messages_count_sentences_from_the_first_batch_on(batch, monkeypatch):
    monkeypatch.setattr(totals, "SCORED_AT_ONCE", batch)
    gold = load_bundled("en").sentences[:20]
    other = [*gold[:15], gold[0], *gold[16:]]
    with pytest.raises(MismatchError, match="tokens differ at sentence 16 "):
        total_scores(gold, other)
    with pytest.raises(MismatchError, match="sentence 18 .*the prediction ends before"):
        total_scores(gold, gold[:17])
    with pytest.raises(MismatchError, match="sentence 18 .*the gold ends before it"):
        total_scores(gold[:17], gold)
    lost = [*gold[:15], gold[15].with_heads([-1] * len(gold[15])), *gold[16:]]
    with pytest.raises(NoHeadError, match="sentence 16 .*no predicted head"):
        total_scores(gold, lost)


def test_raw_scores_are_summed_up_batch_by_batch(monkeypatch):
    monkeypatch.setattr(totals, "SCORED_AT_ONCE", 3)
    gold = load_bundled("en").sentences[:40]
    text = raw_text(gold)
    found = list(RuleTokeniser()(text))
    assert total_raw_scores(iter(gold), iter(found)) == evaluate_raw(gold, found)
    with pytest.raises(MismatchError) as whole:
        evaluate_raw(gold, gold[1:])
    with pytest.raises(MismatchError) as parts:
        total_raw_scores(gold, gold[1:])
    assert str(parts.value) == str(whole.value)
