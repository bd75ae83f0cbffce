"""Lemmas of words that training has not seen."""
import pytest

from orange_structpred.tagging.compounds import Compounds, mark_of, without_mark
from orange_structpred.tagging.lemmatiser import LemmatiserLearner
from orange_structpred.tagging.scripts import Patterns, apply_script, make_script
from orange_structpred.treebank import Sentence


def lemmatised(*words, upos="VERB"):
    return Sentence("\n".join(f"{k}\t{form}\t{lemma}\t{upos}\t_\t_\t_\t_\t_\t_"
                              for k, (form, lemma) in enumerate(words, 1)))


def test_scripts_take_off_what_they_have_seen():
    script = make_script("reçoit", "recevoir")
    assert apply_script(script, "reçoit") == "recevoir"
    assert apply_script(script, "aperçoit") == "apercevoir"
    assert apply_script(script, "croit") == "croit"
    assert apply_script("s|0||3|y", "cities") == "city"     # of an earlier version


@pytest.mark.parametrize("form, labels", [
    ("parlait", [0, 2, 3]), ("finit", [0, 3]), ("été", [0, 3]), ("", [0, 3])])
def test_patterns(form, labels):
    patterns = Patterns(["s|>|>", "s|re>|ait>er", "s|>|ait>er", "=|42"])
    assert patterns.labels(form) == labels
    allowed = patterns.allowed([form])
    assert allowed.labels[allowed.starts[0]:allowed.starts[1]].tolist() == labels


def test_no_pattern_applies():
    allowed = Patterns(["s|>|ait>er"]).allowed(["parlait", "finit"])
    assert allowed.which.tolist() == [0, -1]


def test_rare_scripts_make_no_other_words():
    """doit and lit are irregular; what training has seen of them is true of them only."""
    regular = [(f"{stem}ait", f"{stem}er") for stem in
               ("parl", "chant", "mont", "pass", "tomb", "port", "rest", "jou", "aim")]
    irregular = [("doit", "devoir"), ("dait", "devair"), ("lit", "lire"), ("est", "être"),
                 ("fut", "être")]
    learned = LemmatiserLearner().learn([lemmatised(*regular, *irregular)] * 3)
    forms = ["dort", "lu", "donnait", "doit", "Doit", "est"]
    assert learned.lemmas(forms, ["VERB"] * 6, ["_"] * 6) == [
        "dort", "lu", "donner", "devoir", "devoir", "être"]


def test_words_seen_with_other_tags():
    learned = LemmatiserLearner().learn(
        [lemmatised(("cats", "cat"), ("dogs", "dog")),
         lemmatised(("went", "go"), ("left", "leave"), upos="VERB")])
    assert learned.lemmas(["went", "left"], ["NOUN", "X"], ["NNS", "_"]) == ["go", "leave"]


@pytest.mark.parametrize("worth, lemma", [(0, "parked"), (2, "park")])
def test_tags_weigh_against_the_lemma_with_other_tags(monkeypatch, worth, lemma):
    """*parked* is a form of *park*; how much must its tag say to make it an adjective?"""
    monkeypatch.setattr("orange_structpred.tagging.lemmatiser.ONLY_LEMMA", worth)
    stems = ("park", "push", "pull", "call", "walk", "talk", "look", "play", "turn", "ask")
    learned = LemmatiserLearner().learn([
        lemmatised(("went", "go"), *((f"{stem}ed", stem) for stem in stems)),
        lemmatised(*((f"un{stem}ed", f"un{stem}ed") for stem in stems), upos="ADJ")] * 3)
    assert learned.lemmas(["parked", "went"], ["ADJ"] * 2, ["_"] * 2) == [lemma, "go"]


def test_lemmas_that_training_has_seen_are_preferred():
    """The singular of movies is known, so it is no *movy*."""
    plurals = [(f"{stem}ies", f"{stem}y") for stem in
               ("cit", "part", "stud", "lad", "bod", "cop", "fl", "sk", "enem")]
    others = [("cats", "cat"), ("dogs", "dog"), ("movie", "movie")]
    learned = LemmatiserLearner().learn([lemmatised(*plurals, *others, upos="NOUN")] * 3)
    assert learned.lemmas(["movies", "berries", "Movies"], ["NOUN"] * 3, ["_"] * 3) == [
        "movie", "berry", "movie"]
    # as a verb, it is not known
    assert learned.lemmas(["movies"], ["VERB"], ["_"]) == ["movy"]


COMPOUNDS = [("kylpyhuone", "kylpy#huone"), ("makuuhuoneen", "makuu#huone"),
             ("saunan", "sauna"), ("kirjahylly", "kirja#hylly"), ("talon", "talo")]


def test_compounds():
    compounds = Compounds("#", dict(COMPOUNDS))
    assert compounds.marked("kylpysauna") == "kylpy#sauna"
    assert compounds.marked("kylpykirjahylly") == "kylpy#kirja#hylly"
    assert compounds.marked("makuuhuone") == "makuu#huone"
    assert compounds.marked("puusauna") == "puusauna"
    assert compounds.marked("keittiösauna") == "keittiö#sauna"
    assert compounds.marked("sauna") == "sauna"
    assert Compounds("", dict(COMPOUNDS)).marked("kylpysauna") == "kylpysauna"


def test_mark_of_compounds(tmp_path):
    many = [(f"{a}{b}", f"{a}#{b}") for a in ("kirja", "kylpy", "makuu", "talo", "sauna")
            for b in ("huone", "hylly", "kauppa", "talo", "sauna")]
    assert mark_of(many) == "#" and mark_of(many[:3]) == ""
    assert mark_of([(f"x{k}", f"x-{k}-y") for k in range(19)]) == ""
    assert without_mark("a#b", "#") == "ab" and without_mark("#", "#") == "#"
    learned = LemmatiserLearner().learn([lemmatised(*many, *COMPOUNDS, upos="NOUN")])
    learned.save(tmp_path / "lemmatiser.npz")
    again = type(learned).load(tmp_path / "lemmatiser.npz")
    assert again.mark == "#"
    for own in (learned, again):
        assert own.lemmas(["hyllykauppa"], ["NOUN"], ["_"]) == ["hylly#kauppa"]
