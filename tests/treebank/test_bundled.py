"""The treebank that comes with the project."""
from collections import Counter

import numpy as np
import pytest

from orange_structpred.learner import ParserLearner
from orange_structpred.treebank import Treebank, load_bundled
from orange_structpred.treebank.bundled import bundled_path
from tests.parsing.reference import is_projective_tree as is_projective

LANGUAGES = ("en", "de")


def test_names():
    assert [load_bundled(language).name for language in LANGUAGES] == [
        "English", "German"]



def names(text):
    return set(text.split())


UPOS = names("""ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ
    VERB""")
PENN = names("""CC CD DT EX IN JJ JJR MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RP TO UH
    VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB . , `` ''""")
STTS = names("""ADJA ADJD ADV APPR ART CARD KOKOM KON KOUI KOUS NE NN PDAT PIAT PIS
    PPER PPOSAT PRELAT PRELS PRF PTKANT PTKNEG PTKVZ PTKZU PWAT PWAV PWS VAFIN VAINF
    VAPP VMFIN VVFIN VVIMP VVINF VVIZU VVPP $, $. $(""")
RELATIONS = names("""acl acl:relcl advcl advmod amod appos aux aux:pass case cc ccomp
    compound compound:prt conj cop csubj det det:poss det:predet discourse expl expl:pv
    flat iobj mark nmod nmod:poss nsubj nsubj:pass nummod obj obl obl:agent obl:arg
    obl:unmarked orphan parataxis punct root vocative xcomp""")
# words that govern nothing
LEAVES = {"aux", "aux:pass", "case", "cc", "compound:prt", "cop", "det", "expl",
          "expl:pv", "mark", "punct"}


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def sentences(language):
    return load_bundled(language).sentences


def heads_with_root(sentence):
    return np.concatenate(([-1], sentence.heads)).astype(np.int32)


def projective(sentence):
    return bool(is_projective(heads_with_root(sentence)))


def children(sentence, token):
    """Numbers of the dependents of a token, counted from 1."""
    return [d for d, head in enumerate(sentence.heads, 1) if head == token]


# ---- the files -----------------------------------------------------------------

def test_the_files_say_whose_they_are(language):
    assert "Written for Orange3-StructPred" in bundled_path(language).read_text("utf-8")


def test_a_treebank_with_trees(language):
    treebank = load_bundled(language)
    assert isinstance(treebank, Treebank)
    assert len(treebank) >= 300
    assert treebank.has_heads
    assert treebank.skipped == []


def test_a_language_without_treebank():
    with pytest.raises(ValueError, match="'fr'.*en .English., de .German."):
        load_bundled("fr")


# ---- the sentences -------------------------------------------------------------

def test_lengths(sentences):
    lengths = [len(sentence) for sentence in sentences]
    assert min(lengths) == 3
    assert max(lengths) <= 30
    assert 10 <= np.mean(lengths) <= 14


def test_no_sentence_comes_twice(sentences):
    assert max(Counter(s.text for s in sentences).values()) == 1
    assert max(Counter(s.sent_id for s in sentences).values()) == 1


def test_some_are_not_projective(sentences):
    share = np.mean([not projective(sentence) for sentence in sentences])
    assert 0.03 <= share <= 0.08


def test_tags_and_relations_are_those_of_the_standards(language, sentences):
    for sentence in sentences:
        assert set(sentence.upos) <= UPOS
        assert set(sentence.xpos) <= (PENN if language == "en" else STTS)
        assert set(sentence.deprels) <= RELATIONS


def test_one_root_and_every_column_filled(sentences):
    for sentence in sentences:
        assert list(sentence.heads).count(0) == 1
        assert sentence.deprels[list(sentence.heads).index(0)] == "root"
        assert sentence.deprels.count("root") == 1
        assert "_" not in sentence.lemmas
        assert all(sentence.forms)


def test_features_are_sorted_and_said_once(sentences):
    for sentence in sentences:
        for feats in sentence.feats:
            if feats != "_":
                names = [pair.split("=")[0] for pair in feats.split("|")]
                assert names == sorted(set(names), key=str.lower), sentence.text


def test_the_text_is_what_the_tokens_spell(sentences):
    for sentence in sentences:
        text, inside = "", 0
        for line in sentence.block.split("\n"):
            if line.startswith("#"):
                continue
            number, form, *_, misc = line.split("\t")
            if "-" in number:
                inside = 2
            elif inside:
                inside -= 1
                continue
            text += form + ("" if "SpaceAfter=No" in misc else " ")
        assert text.rstrip() == sentence.text


def test_function_words_govern_nothing(sentences):
    for sentence in sentences:
        for head in sentence.heads:
            if head:
                assert sentence.deprels[head - 1] not in LEAVES, sentence.text


def test_what_follows_depends_on_what_precedes(sentences):
    """Conjuncts, parts of names and appositions point to the left."""
    for sentence in sentences:
        for d, (head, deprel) in enumerate(zip(sentence.heads, sentence.deprels), 1):
            if deprel in ("conj", "flat", "appos", "orphan"):
                assert head < d, sentence.text


def test_punctuation_crosses_nothing(sentences):
    for sentence in sentences:
        for d, (head, upos) in enumerate(zip(sentence.heads, sentence.upos), 1):
            assert (upos == "PUNCT") == (sentence.deprels[d - 1] == "punct")
            if upos == "PUNCT":
                for between in range(min(head, d) + 1, max(head, d)):
                    up = between
                    while up not in (0, head):
                        up = sentence.heads[up - 1]
                    assert up == head, sentence.text


# ---- what there is to see ------------------------------------------------------

def count(sentences, found):
    return sum(bool(found(sentence)) for sentence in sentences)


def has(*deprels):
    return lambda sentence: set(deprels) <= set(sentence.deprels)


SHARED = {
    "passives": has("nsubj:pass", "aux:pass"),
    "agents of passives": has("obl:agent"),
    "relative clauses": has("acl:relcl"),
    "complement clauses": has("ccomp", "mark"),
    "adverbial clauses": has("advcl"),
    "infinitives": has("xcomp"),
    "clauses as subjects": has("csubj", "expl"),
    "separable verbs": has("compound:prt"),
    "coordination": has("conj", "cc"),
    "noun phrases in coordination": lambda s: any(
        deprel == "conj" and s.upos[d] == s.upos[head - 1] == "NOUN"
        for d, (head, deprel) in enumerate(zip(s.heads, s.deprels))),
    "verbs in coordination": lambda s: any(
        deprel == "conj" and s.upos[d] == s.upos[head - 1] == "VERB"
        for d, (head, deprel) in enumerate(zip(s.heads, s.deprels))),
    "copulas": has("cop"),
    "appositions": has("appos"),
    "full names": has("flat"),
    "numerals": has("nummod"),
    "possessors": lambda s: {"nmod:poss", "det:poss"} & set(s.deprels),
    "asides": has("parataxis"),
    "missing verbs": has("orphan"),
    "people who are called": has("vocative"),
    "questions": lambda s: s.text.endswith("?"),
    "commands": lambda s: any("Mood=Imp" in feats for feats in s.feats),
    "comparisons": lambda s: any("Degree=Cmp" in feats for feats in s.feats),
    "negation": lambda s: any("Polarity=Neg" in feats for feats in s.feats),
    "multiword tokens": lambda s: any(
        "-" in line.split("\t")[0] for line in s.block.split("\n") if line[0] != "#"),
}
GERMAN = {
    "zum, zur, im": lambda s: any(
        f"\t{form}\t_" in s.block for form in ("zum", "zur", "im")),
    "modal verbs": lambda s: "VMFIN" in s.xpos,
    "the perfect": lambda s: {"VAFIN", "VVPP"} <= set(s.xpos),
    "infinitives with zu": lambda s: "PTKZU" in s.xpos,
    "prefixes around zu": lambda s: "VVIZU" in s.xpos,
    "dass": lambda s: "dass" in s.lemmas,
    "weil": lambda s: "weil" in s.lemmas,
    "ob": lambda s: "ob" in s.lemmas,
    "reflexive verbs": lambda s: "PRF" in s.xpos,
    "dative objects": has("obl:arg"),
    "speech": lambda s: "„" in s.forms,
}
ENGLISH = {
    "modal verbs": lambda s: "MD" in s.xpos,
    "the perfect": lambda s: "have" in s.lemmas and "VBN" in s.xpos,
    "participles beside nouns": has("acl"),
    "compounds": has("compound"),
    "indirect objects": has("iobj"),
    "there is": lambda s: "EX" in s.xpos,
    "whether": lambda s: "whether" in s.lemmas,
    "because": lambda s: "because" in s.lemmas,
    "gerunds": lambda s: any("VerbForm=Ger" in feats for feats in s.feats),
    "speech": lambda s: "``" in s.xpos,
}


@pytest.mark.parametrize("name", SHARED)
def test_decoders(sentences, name):
    assert count(sentences, SHARED[name]) >= 2


@pytest.mark.parametrize("name", GERMAN)
def test_german_decoders(name):
    assert count(load_bundled("de").sentences, GERMAN[name]) >= 3


@pytest.mark.parametrize("name", ENGLISH)
def test_english_decoders(name):
    assert count(load_bundled("en").sentences, ENGLISH[name]) >= 3


def attachments(sentences, lemma):
    """What prepositional phrases right behind an object depend on."""
    relations = Counter()
    for sentence in sentences:
        for d, deprel in enumerate(sentence.deprels, 1):
            if deprel not in ("obl", "nmod"):
                continue
            case = [c for c in children(sentence, d) if sentence.lemmas[c - 1] == lemma
                    and sentence.deprels[c - 1] == "case"]
            if case and sentence.deprels[min(case) - 2] in ("obj", "nsubj:pass"):
                relations[deprel] += 1
    return relations


@pytest.mark.parametrize("language, prepositions", [
    ("en", ("with", "in", "on", "for", "from")), ("de", ("mit", "in", "auf", "für"))])
def test_words_decide_where_a_prepositional_phrase_belongs(language, prepositions):
    """The same tags in the same order, and still both attachments."""
    sentences = load_bundled(language).sentences
    for lemma in prepositions:
        found = attachments(sentences, lemma)
        assert min(found["obl"], found["nmod"]) >= 2, (lemma, found)


def test_german_verbs_come_second_or_last():
    """In statements one constituent precedes the finite verb; after a
    subordinator the finite verb closes the clause."""
    seconds = lasts = 0
    for sentence in load_bundled("de").sentences:
        root = list(sentence.heads).index(0) + 1
        finite = [d for d in (root, *children(sentence, root))
                  if "VerbForm=Fin" in sentence.feats[d - 1]
                  and "Mood=Ind" in sentence.feats[d - 1]
                  and (d == root or sentence.deprels[d - 1] in ("aux", "aux:pass", "cop"))]
        parts = children(sentence, root)
        if finite and sentence.text.endswith(".") and projective(sentence):
            before = [d for d in parts if d < finite[0] and sentence.deprels[d - 1]
                      not in ("punct", "discourse", "vocative")]
            assert len(before) == 1, sentence.text
            seconds += 1
        for d, xpos in enumerate(sentence.xpos, 1):
            if xpos == "KOUS":
                clause = sentence.heads[d - 1]
                closing = [c for c in (clause, *children(sentence, clause))
                           if sentence.xpos[c - 1] in ("VVFIN", "VAFIN", "VMFIN")
                           and (c == clause or sentence.deprels[c - 1]
                                in ("aux", "aux:pass", "cop"))]
                assert len(closing) == 1, sentence.text
                after = [c for c in children(sentence, clause) if c > closing[0]]
                assert {sentence.deprels[c - 1] for c in after} <= {
                    "punct", "advcl", "xcomp", "conj"}, sentence.text
                lasts += 1
    assert seconds > 200
    assert lasts > 40


def test_a_parser_makes_sense_of_it(language, sentences):
    """Neither trivial nor hopeless, and C has an effect."""
    test = sentences[3::5]
    train = Treebank.from_sentences([s for i, s in enumerate(sentences) if i % 5 != 3])

    def uas(C):
        parser = ParserLearner(solver="bcfw", C=C, passes=5, order=1)(train)
        right = [np.asarray(heads) == sentence.heads
                 for heads, sentence in zip(parser.predict_heads(test), test)]
        return np.concatenate(right).mean()

    weak, strong = uas(0.003), uas(1)
    assert 0.80 < strong < 0.97
    assert weak < strong - 0.03
