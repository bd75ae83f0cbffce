"""The grammar behind the bundled treebank."""
import pytest

from orange_structpred.problems.grammar.trees import from_normal_form, to_normal_form
from tools.grammar import blocks, english, generate, german
from tools.grammar.brackets import phrase_trees
from tools.grammar.english import words as english_words
from tools.grammar.german import verbs, words
from tools.grammar.german.nominals import nominal
from tools.grammar.lexicon import (
    Adjunct,
    Filler,
    Scene,
    read_adjuncts,
    read_domains,
)
from tools.grammar.rng import SeededRandom
from tools.grammar.tree import Phrase, Word, conllu, features

LANGUAGES = ("en", "de")


def word(form, upos="X", **options):
    return Word(form, form, upos, upos, **options)


def columns(block, *numbers):
    """Columns of the lines of a block, counted from 0."""
    return [tuple(line.split("\t")[i] for i in numbers)
            for line in block.split("\n") if not line.startswith("#")]


# ---- sentences ---------------------------------------------------------------

@pytest.mark.parametrize("language", LANGUAGES)
def test_the_seed_decides_the_sentences(language):
    assert list(blocks(language, 30, 5)) == list(blocks(language, 30, 5))
    assert list(blocks(language, 30, 5)) != list(blocks(language, 30, 6))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_longer_run_begins_like_a_shorter_one(language):
    assert list(blocks(language, 40))[:10] == list(blocks(language, 10))


@pytest.mark.parametrize("language", LANGUAGES)
def test_as_many_different_sentences_as_wanted(language):
    sentences = generate(language, 600, seed=11)
    assert len({sentence.text for sentence in sentences}) == 600
    assert all(3 <= len(sentence) <= 30 for sentence in sentences)
    assert all(sentence.has_heads for sentence in sentences)
    assert sentences[-1].sent_id == f"{language}-0600"


def test_an_unknown_language_is_named():
    with pytest.raises(ValueError, match="'fr'.*de, en"):
        generate("fr", 1)


@pytest.mark.parametrize("grammar", (english, german))
def test_every_kind_of_sentence_can_be_spoken(grammar):
    lexicon = grammar.lexicon()
    for kind in grammar.KINDS:
        rng = SeededRandom("kinds")
        assert any(kind(Scene(rng, lexicon)) for _ in range(200)), kind.__name__


@pytest.mark.parametrize("grammar", (english, german))
def test_tables_name_no_noun_that_they_do_not_inflect(grammar):
    assert grammar.lexicon().unknown() == set()


# ---- tables ------------------------------------------------------------------

def test_adjuncts_are_read_as_written():
    assert read_adjuncts("with:knife,=butter *on:!table @in:box+ by:~ship") == (
        Adjunct("with", (Filler("knife"), Filler("butter", article="none"))),
        Adjunct("on", (Filler("table", article="definite"),), needed=True),
        Adjunct("in", (Filler("box", plural=True),), loose=True),
        Adjunct("by", (Filler("ship", article="indefinite"),)))


def test_events_and_states_are_read_by_domain():
    events, states, people = read_domains("""
        [sea] sailor                      # people of the domain
        sail | - | ship boat | *to:!island dat:captain adv:fast,slowly active
        ship is | old
        """)
    sail, = events["sea"]
    assert sail.subjects == people["sea"] == (Filler("sailor"),)
    assert [filler.noun for filler in sail.objects] == ["ship", "boat"]
    assert sail.adjuncts[0].needed
    assert [filler.noun for filler in sail.recipients] == ["captain"]
    assert not sail.recipient_needed
    assert sail.adverbs == ("fast", "slowly")
    assert sail.marks == {"active"}
    assert states["sea"][0].adjectives == ("old",)


def test_a_scene_mentions_a_noun_once():
    scene = Scene(SeededRandom("scene"), english.lexicon())
    two = (Filler("soup"), Filler("cake"))
    assert {scene.fresh(two).noun, scene.fresh(two).noun} == {"soup", "cake"}
    assert scene.fresh(two) is None


def test_seeded_random():
    rng = SeededRandom("rng")
    assert {rng.pick("abc") for _ in range(100)} == set("abc")
    assert {rng.weighted({"a": 1, "b": 0, "c": 3}) for _ in range(100)} == {"a", "c"}
    assert sorted(rng.shuffled("abc")) == list("abc")
    # random.random() promises these for all time
    assert [SeededRandom("same").pick(range(100)) for _ in range(2)] == [
        SeededRandom("same").pick(range(100)) for _ in range(2)]


# ---- trees -------------------------------------------------------------------

def test_words_that_are_one_on_paper():
    verb = Phrase(word("gehen", "VERB"))
    school = Phrase(word("Schule", "NOUN"))
    school.before(word("der", "DET"), "det")
    school.before(word("zu", "ADP", merged="zur"), "case")
    verb.before(school, "obl")
    verb.after(word("!", "PUNCT", glue=True), "punct")
    block = conllu(verb, "x")
    assert block.split("\n")[:2] == ["# sent_id = x", "# text = Zur Schule gehen!"]
    assert columns(block, 0, 1, 6, 7, 9) == [
        ("1-2", "Zur", "_", "_", "_"), ("1", "Zu", "3", "case", "_"),
        ("2", "der", "3", "det", "_"), ("3", "Schule", "4", "obl", "_"),
        ("4", "gehen", "0", "root", "SpaceAfter=No"), ("5", "!", "4", "punct", "_")]


def test_a_mark_after_words_that_are_one():
    verb = Phrase(word("did", "AUX", merged="didn't"))
    verb.after(word("n't", "PART"), "advmod")
    verb.after(word(".", "PUNCT", glue=True), "punct")
    block = conllu(verb, "x")
    assert "# text = Didn't." in block
    assert columns(block, 0, 9) == [
        ("1-2", "SpaceAfter=No"), ("1", "_"), ("2", "_"), ("3", "_")]


def test_needless_commas_are_dropped():
    verb = Phrase(word("wait", "VERB"))
    for form in ",,.":
        verb.after(word(form, "PUNCT", glue=True), "punct")
    verb.before(word(",", "PUNCT", glue=True), "punct")
    assert columns(conllu(verb, "x"), 1) == [("Wait",), (".",)]


def test_features_are_sorted_and_empty_ones_left_out():
    assert features(Number="Sing", Case="Nom", Gender=None,
                    Number_psor="Plur") == "Case=Nom|Number=Sing|Number[psor]=Plur"
    assert features(Gender=None) == "_"


# ---- inflection --------------------------------------------------------------

@pytest.mark.parametrize("base, forms", [
    ("write", ("writes", "wrote", "written", "writing")),
    ("carry", ("carries", "carried", "carried", "carrying")),
    ("watch", ("watches", "watched", "watched", "watching")),
    ("cut", ("cuts", "cut", "cut", "cutting")),
    ("travel", ("travels", "travelled", "travelled", "travelling")),
    ("see", ("sees", "saw", "seen", "seeing")),
])
def test_english_verbs(base, forms):
    assert (english_words.third_person(base), english_words.past(base),
            english_words.participle(base), english_words.gerund(base)) == forms


@pytest.mark.parametrize("verb, forms", [
    ("lesen", ("liest", "liest", "las", "lasen", "gelesen", "lies", "zu lesen")),
    ("ab/fahren", ("fährst", "fährt", "fuhr", "fuhren", "abgefahren", "fahr",
                   "abzufahren")),
    ("ein/laden", ("lädst", "lädt", "lud", "luden", "eingeladen", "lade",
                   "einzuladen")),
    ("finden", ("findest", "findet", "fand", "fanden", "gefunden", "finde",
                "zu finden")),
    ("sammeln", ("sammelst", "sammelt", "sammelte", "sammelten", "gesammelt", "sammle",
                 "zu sammeln")),
    ("zeichnen", ("zeichnest", "zeichnet", "zeichnete", "zeichneten", "gezeichnet",
                  "zeichne", "zu zeichnen")),
    ("verkaufen", ("verkaufst", "verkauft", "verkaufte", "verkauften", "verkauft",
                   "verkaufe", "zu verkaufen")),
    ("korrigieren", ("korrigierst", "korrigiert", "korrigierte", "korrigierten",
                     "korrigiert", "korrigiere", "zu korrigieren")),
    ("putzen", ("putzt", "putzt", "putzte", "putzten", "geputzt", "putze",
                "zu putzen")),
])
def test_german_verbs(verb, forms):
    verb = verbs.read_verb(verb)
    assert (verbs.present(verb.base, "2", "Sing"), verbs.present(verb.base, "3", "Sing"),
            verbs.past(verb.base, "3", "Sing"), verbs.past(verb.base, "3", "Plur"),
            verbs.participle(verb), verbs.imperative(verb).form,
            " ".join(w.form for w in verbs.zu_infinitive(verb))) == forms


@pytest.mark.parametrize("lemma, number, determiner, nominatives_to_genitives", [
    ("Student", "Sing", "der", ("der junge Student", "den jungen Studenten",
                                "dem jungen Studenten", "des jungen Studenten")),
    ("Suppe", "Sing", "ein", ("eine scharfe Suppe", "eine scharfe Suppe",
                              "einer scharfen Suppe", "einer scharfen Suppe")),
    ("Buch", "Sing", "ein", ("ein dickes Buch", "ein dickes Buch", "einem dicken Buch",
                             "eines dicken Buches")),
    ("Wein", "Sing", "", ("teurer Wein", "teuren Wein", "teurem Wein", "teuren Weines")),
    ("Kind", "Plur", "der", ("die kleinen Kinder", "die kleinen Kinder",
                             "den kleinen Kindern", "der kleinen Kinder")),
    ("Apfel", "Plur", "", ("rote Äpfel", "rote Äpfel", "roten Äpfeln", "roter Äpfel")),
    ("Hund", "Sing", "kein", ("kein großer Hund", "keinen großen Hund",
                              "keinem großen Hund", "keines großen Hundes")),
])
def test_german_noun_phrases(lemma, number, determiner, nominatives_to_genitives):
    entry = german.lexicon().nouns[lemma]
    adjectives = {"Student": "jung", "Suppe": "scharf", "Buch": "dick", "Wein": "teuer",
                  "Kind": "klein", "Apfel": "rot", "Hund": "groß"}
    for case, expected in zip(words.CASES, nominatives_to_genitives):
        gender = entry.forms[1]
        kind = {"kein": "ein"}.get(determiner, determiner)
        spoken = [words.adjective(adjectives[lemma], kind, case, gender, number),
                  words.noun(entry, case, number)]
        if determiner:
            spoken.insert(0, words.article(determiner, case, gender, number))
        assert " ".join(w.form for w in spoken) == expected


def test_german_determiners_agree_with_their_nouns():
    lexicon = german.lexicon()
    for i, lemma in enumerate(lexicon.nouns):
        scene = Scene(SeededRandom(f"agree {i}"), lexicon)
        phrase = nominal(scene, Filler(lemma), "Dat").phrase
        noun = dict(pair.split("=") for pair in phrase.head.feats.split("|"))
        for other in phrase:
            if other.head is phrase.head and other.upos in ("DET", "ADJ"):
                found = dict(pair.split("=") for pair in other.feats.split("|"))
                for name in found.keys() & noun.keys():
                    assert found[name] == noun[name], (lemma, name)


def test_phrases_of_dependency_trees():
    """Words and tags stay, and each word with dependents heads one phrase of them."""
    for language in ("en", "de"):
        trees = phrase_trees(language, 40, seed=3)
        assert len(trees) > 20
        assert {tree.label for tree in trees} == {"S"}
        sentences = {tuple(own.forms): own for own in generate(language, 40, seed=3)}
        for tree in trees:
            own = sentences[tuple(tree.words)]
            assert tree.tags == list(own.xpos)
            heads = set(own.heads.tolist()) - {0}
            assert tree.constituents().total() == len(heads)
            assert from_normal_form(to_normal_form(tree)) == tree
