"""English words: inflection, Penn tags, features."""
from __future__ import annotations

from ..tree import Word, features

VOWELS = "aeiou"

# base, past, participle
IRREGULAR = """
read read read; write wrote written; give gave given; find found found
forget forgot forgotten; cut cut cut; eat ate eaten; drink drank drunk
break broke broken; buy bought bought; put put put; pay paid paid; sit sat sat
take took taken; show showed shown; sell sold sold; lose lost lost; sleep slept slept
see saw seen; meet met met; build built built; feed fed fed; sing sang sung
hear heard heard; teach taught taught; hang hung hung; tell told told
send sent sent; wake woke woken; hide hid hidden; dig dug dug; light lit lit
drive drove driven; lead led led; draw drew drawn; say said said
think thought thought; know knew known; begin began begun; have had had
do did done; be was been; come came come; get got got; go went gone
"""
DOUBLING = {"forget", "get", "cut", "put", "sit", "dig", "begin", "plan",
            "travel", "cancel"}
PAST = {}
PARTICIPLE = {}
for _row in IRREGULAR.replace(";", "\n").split("\n"):
    if _row.strip():
        _base, PAST[_base], PARTICIPLE[_base] = _row.split()

BE = {("Pres", "Sing", "1"): "am", ("Pres", "Sing", "3"): "is",
      ("Past", "Sing", "1"): "was", ("Past", "Sing", "3"): "was"}

NEGATED = {"can": "can't", "will": "won't"}     # the rest: does + n't
NEGATED_STEM = {"can": "ca", "will": "wo"}


def ends_in_consonant_y(base: str) -> bool:
    return base.endswith("y") and base[-2] not in VOWELS


def third_person(base: str) -> str:
    if base in ("have", "do"):
        return {"have": "has", "do": "does"}[base]
    if ends_in_consonant_y(base):
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


def past(base: str) -> str:
    if base in PAST:
        return PAST[base]
    if base.endswith("e"):
        return base + "d"
    if ends_in_consonant_y(base):
        return base[:-1] + "ied"
    return base + (base[-1] if base in DOUBLING else "") + "ed"


def participle(base: str) -> str:
    return PARTICIPLE.get(base) or past(base)


def gerund(base: str) -> str:
    if base.endswith("e") and base != "be" and not base.endswith("ee"):
        return base[:-1] + "ing"
    return base + (base[-1] if base in DOUBLING else "") + "ing"


def plural(lemma: str) -> str:
    if ends_in_consonant_y(lemma):
        return lemma[:-1] + "ies"
    return lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x")) else "s")


def finite(base: str, tense: str, number: str, person: str, upos: str) -> Word:
    """A finite verb in the indicative; tense is "Pres" or "Past"."""
    if base == "be":
        default = "are" if tense == "Pres" else "were"
        form = default if number == "Plur" else BE.get((tense, number, person), default)
    elif tense == "Past":
        form = past(base)
    elif number == "Sing" and person == "3":
        form = third_person(base)
    else:
        form = base
    third = number == "Sing" and person == "3"
    xpos = "VBD" if tense == "Past" else "VBZ" if third else "VBP"
    feats = features(Mood="Ind", Number=number, Person=person, Tense=tense,
                     VerbForm="Fin")
    return Word(form, base, upos, xpos, feats)


def nonfinite(base: str, form: str, upos: str = "VERB") -> Word:
    """An infinitive, imperative, gerund, or participle."""
    if form == "infinitive":
        return Word(base, base, upos, "VB", "VerbForm=Inf")
    if form == "imperative":
        return Word(base, base, upos, "VB", "Mood=Imp|VerbForm=Fin")
    if form == "gerund":
        return Word(gerund(base), base, upos, "VBG", "VerbForm=Ger")
    if form == "present participle":
        return Word(gerund(base), base, upos, "VBG", "Tense=Pres|VerbForm=Part")
    voice = "|Voice=Pass" if form == "passive participle" else ""
    return Word(participle(base), base, upos, "VBN",
                f"Tense=Past|VerbForm=Part{voice}")


def modal(lemma: str) -> Word:
    return Word(lemma, lemma, "AUX", "MD", "VerbForm=Fin")


def negate(auxiliary: Word, *, contract: bool) -> Word:
    """The word that negates an auxiliary: "not", or "n't" joined to it."""
    if not contract or auxiliary.form in ("am", "may", "might"):
        return Word("not", "not", "PART", "RB", "Polarity=Neg")
    auxiliary.merged = NEGATED.get(auxiliary.form, auxiliary.form + "n't")
    auxiliary.form = NEGATED_STEM.get(auxiliary.form, auxiliary.form)
    return Word("n't", "not", "PART", "RB", "Polarity=Neg")


def noun(lemma: str, plural_form: str, *, many: bool, proper: bool = False,
         pair: bool = False) -> Word:
    if proper:
        return Word(lemma, lemma, "PROPN", "NNP", "Number=Sing")
    if pair:
        return Word(lemma, lemma, "NOUN", "NNS", "Number=Ptan")
    if many:
        return Word(plural_form, lemma, "NOUN", "NNS", "Number=Plur")
    return Word(lemma, lemma, "NOUN", "NN", "Number=Sing")


def proper_name(form: str) -> Word:
    return Word(form, form, "PROPN", "NNP", "Number=Sing")


def adjective(lemma: str) -> Word:
    return Word(lemma, lemma, "ADJ", "JJ", "Degree=Pos")


COMPARATIVE = {"good": "better", "bad": "worse", "old": "older", "big": "bigger",
               "hot": "hotter", "sad": "sadder", "easy": "easier",
               "happy": "happier", "heavy": "heavier"}
LONG = ("ous", "ful", "ing", "ive", "ant", "ent", "ed", "ic", "lar", "cult")


def has_comparative(lemma: str) -> bool:
    """Is the comparative one word (older), and not more + adjective?"""
    return lemma in COMPARATIVE or (
        len(lemma) <= 6 and not lemma.endswith(LONG + ("y", "en", "s")))


def comparative(lemma: str) -> Word:
    form = COMPARATIVE.get(lemma) or lemma + ("r" if lemma.endswith("e") else "er")
    return Word(form, lemma, "ADJ", "JJR", "Degree=Cmp")


def adverb(form: str, feats: str = "_") -> Word:
    return Word(form, form, "ADV", "RB", feats)


def wh_adverb(form: str, kind: str) -> Word:
    return Word(form, form, "ADV", "WRB", f"PronType={kind}")


def preposition(form: str) -> Word:
    return Word(form, form, "ADP", "IN")


def particle(form: str) -> Word:
    return Word(form, form, "ADP", "RP")


def subordinator(form: str) -> Word:
    return Word(form, form, "SCONJ", "IN")


def to() -> Word:
    return Word("to", "to", "PART", "TO")


def conjunction(form: str) -> Word:
    return Word(form, form, "CCONJ", "CC")


def mark(form: str) -> Word:
    """A punctuation mark that follows without a space."""
    xpos = "." if form in ".?!" else "''" if form == '"' else form
    return Word(form, form, "PUNCT", xpos, glue=True)


DETERMINERS = {
    "the": ("DET", "DT", "Definite=Def|PronType=Art"),
    "a": ("DET", "DT", "Definite=Ind|PronType=Art"),
    "this": ("DET", "DT", "Number=Sing|PronType=Dem"),
    "that": ("DET", "DT", "Number=Sing|PronType=Dem"),
    "these": ("DET", "DT", "Number=Plur|PronType=Dem"),
    "every": ("DET", "DT", "PronType=Tot"),
    "all": ("DET", "DT", "PronType=Tot"),
    "some": ("DET", "DT", "PronType=Ind"),
    "no": ("DET", "DT", "PronType=Neg"),
    "which": ("DET", "WDT", "PronType=Int"),
}
LEMMAS = {"these": "this"}


def determiner(form: str) -> Word:
    return Word(form, LEMMAS.get(form, form), *DETERMINERS[form])


# nominative, accusative, possessive, person, number, gender
PRONOUNS = {
    "I": ("I", "me", "my", "1", "Sing", None),
    "you": ("you", "you", "your", "2", None, None),
    "he": ("he", "him", "his", "3", "Sing", "Masc"),
    "she": ("she", "her", "her", "3", "Sing", "Fem"),
    "it": ("it", "it", "its", "3", "Sing", "Neut"),
    "we": ("we", "us", "our", "1", "Plur", None),
    "they": ("they", "them", "their", "3", "Plur", None),
}
INDEFINITE = {"somebody": "Ind", "everyone": "Tot", "nobody": "Neg"}


def pronoun(lemma: str, case: str) -> Word:
    nominative, accusative, _, person, number, gender = PRONOUNS[lemma]
    return Word(nominative if case == "Nom" else accusative, lemma, "PRON", "PRP",
                features(Case=case, Gender=gender, Number=number, Person=person,
                         PronType="Prs"))


def possessive(lemma: str) -> Word:
    _, _, form, person, number, gender = PRONOUNS[lemma]
    return Word(form, form, "PRON", "PRP$",
                features(Case="Gen", Gender=gender, Number=number, Person=person,
                         Poss="Yes", PronType="Prs"))


def indefinite(form: str) -> Word:
    return Word(form, form, "PRON", "NN", f"Number=Sing|PronType={INDEFINITE[form]}")


def wh_pronoun(form: str, kind: str) -> Word:
    xpos = {"who": "WP", "whom": "WP", "what": "WP", "whose": "WP$"}.get(form, "WDT")
    lemma = "who" if form == "whom" else form
    feats = f"Poss=Yes|PronType={kind}" if form == "whose" else f"PronType={kind}"
    return Word(form, lemma, "PRON", xpos, feats)


def numeral(form: str) -> Word:
    digits = "Digit" if form.isdigit() else "Word"
    return Word(form, form, "NUM", "CD", f"NumForm={digits}|NumType=Card")
