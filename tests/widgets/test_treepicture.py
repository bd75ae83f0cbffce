import numpy as np

from orange_structpred.treebank import Sentence
from orange_structpred.widgets.tree.picture import make_picture, word_tip
from tests.treebank.toy import RICH, UNPARSED, block
from tests.widgets.tips import read_tip

SENTENCE = Sentence(block([2, 0, 2], "It works well"))
WRONG = np.array([2, 0, 1])


def test_gold_alone():
    picture = make_picture(SENTENCE)
    assert picture.words == ["It", "works", "well"]
    assert picture.tags == [["X", "X", "X"]]
    assert picture.above.heads.tolist() == [2, 0, 2]
    assert picture.above.relations == ["dep", "root", "dep"]
    assert picture.above.title == "" and picture.above.gold
    assert picture.below is None


def test_gold_above_prediction_below():
    picture = make_picture(SENTENCE, WRONG, name="MST")
    assert picture.above.differs.tolist() == [False, False, True]
    assert picture.below.differs.tolist() == [False, False, True]
    assert picture.below.heads.tolist() == [2, 0, 1]
    assert picture.below.relations is None
    assert (picture.above.title, picture.below.title) == ("Gold", "MST")
    assert picture.above.gold and not picture.below.gold


def test_relations_differ_by_their_universal_part():
    picture = make_picture(SENTENCE, WRONG, ["dep:sub", "root", "obj"])
    assert picture.below.relation_differs.tolist() == [False, False, True]
    without = make_picture(SENTENCE, WRONG, ["dep:sub", "root", "obj"],
                           relations=False)
    assert without.above.relations is None and without.below.relations is None
    assert not without.below.relation_differs.any()


def test_unknown_heads_are_neither_right_nor_wrong():
    half = Sentence(block([2, 0, "_"]))
    picture = make_picture(half, np.array([-1, 0, 1]))
    assert not picture.above.differs.any() and not picture.below.differs.any()


def test_without_gold_the_prediction_is_above():
    picture = make_picture(Sentence(UNPARSED), np.array([2, 0]), name="MST")
    assert picture.above.heads.tolist() == [2, 0]
    assert picture.above.title == "MST" and not picture.above.gold
    assert picture.below is None


def test_a_sentence_without_a_prediction():
    picture = make_picture(SENTENCE, np.array([-1, -1, -1]), name="MST")
    assert picture.below is None and picture.above.gold


def test_words_and_tags():
    assert make_picture(SENTENCE, words="lemma").words == ["it", "works", "well"]
    tags = {choice: make_picture(SENTENCE, tags=choice).tags
            for choice in ("XPOS", "UPOS and XPOS", "none")}
    assert tags == {"XPOS": [["XX"] * 3], "UPOS and XPOS": [["X"] * 3, ["XX"] * 3],
                    "none": []}


def test_tags_that_are_not_there_take_no_room():
    block_without = block([0]).replace("XX", "_")
    assert make_picture(Sentence(block_without), tags="UPOS and XPOS").tags == [["X"]]
    rich = make_picture(Sentence(RICH), tags="XPOS").tags
    assert rich[0][:3] == ["``", "", ""]


def test_tip():
    assert read_tip(word_tip(Sentence(RICH), 1)) == \
        "2  Vamos\nir  VERB\nMood=Imp\nNumber=Plur"
    assert read_tip(word_tip(SENTENCE, 0)) == "1  It\nit  X  XX"
    assert read_tip(word_tip(Sentence(block([0], "<p>")), 0)) == "1  <p>\n<p>  X  XX"
