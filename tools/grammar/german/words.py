"""German words but verbs: declension, STTS tags, features."""
from __future__ import annotations

from ..lexicon import Noun
from ..tree import Word, features

GENDERS = {"m": "Masc", "f": "Fem", "n": "Neut"}
CASES = ("Nom", "Acc", "Dat", "Gen")

# endings of "dieser", by case, for masculine, feminine, neuter, plural
STRONG_ENDINGS = {
    "Nom": ("er", "e", "es", "e"), "Acc": ("en", "e", "es", "e"),
    "Dat": ("em", "er", "em", "en"), "Gen": ("es", "er", "es", "er")}
DEFINITE = {
    "Nom": ("der", "die", "das", "die"), "Acc": ("den", "die", "das", "die"),
    "Dat": ("dem", "der", "dem", "den"), "Gen": ("des", "der", "des", "der")}
RELATIVE = {
    "Nom": ("der", "die", "das", "die"), "Acc": ("den", "die", "das", "die"),
    "Dat": ("dem", "der", "dem", "denen"), "Gen": ("dessen", "deren", "dessen", "deren")}
# endings of "ein", "kein", "mein"
MIXED_ENDINGS = {
    "Nom": ("", "e", "", "e"), "Acc": ("en", "e", "", "e"),
    "Dat": ("em", "er", "em", "en"), "Gen": ("es", "er", "es", "er")}
CONTRACTIONS = {
    ("in", "dem"): "im", ("in", "das"): "ins", ("an", "dem"): "am",
    ("an", "das"): "ans", ("zu", "dem"): "zum", ("zu", "der"): "zur",
    ("von", "dem"): "vom", ("bei", "dem"): "beim"}
PREPOSITION_CASE = {"mit": "Dat", "von": "Dat", "zu": "Dat", "aus": "Dat", "bei": "Dat",
                    "nach": "Dat", "seit": "Dat", "für": "Acc", "durch": "Acc",
                    "gegen": "Acc", "um": "Acc", "ohne": "Acc"}


def column(gender: str, number: str) -> int:
    return 3 if number == "Plur" else "mfn".index(gender)


def agreement(case: str, gender: str, number: str) -> dict[str, str | None]:
    """Case, gender and number as features; articles in the plural have no gender."""
    return {"Case": case, "Number": number,
            "Gender": None if number == "Plur" else GENDERS[gender]}


def noun(entry: Noun, case: str, number: str) -> Word:
    lemma, gender, genitive, plural = entry.forms
    if number == "Plur":
        form = plural
        if case == "Dat" and not form.endswith(("n", "s")):
            form += "n"
    elif "weak" in entry.marks and case != "Nom" and not (
            case == "Acc" and gender == "n"):
        oblique = plural if plural != "-" else lemma + "n"
        form = lemma + genitive[1:] if case == "Gen" else oblique
    elif case == "Gen":
        form = lemma + genitive[1:]
    else:
        form = lemma
    proper = "name" in entry.marks
    return Word(form, lemma, "PROPN" if proper else "NOUN", "NE" if proper else "NN",
                features(Case=case, Gender=GENDERS[gender], Number=number))


def proper_name(form: str, case: str, gender: str = "") -> Word:
    lemma = form
    if case == "Gen":
        form = form + ("'" if form.endswith(("s", "x", "z")) else "s")
    return Word(form, lemma, "PROPN", "NE", features(
        Case=case, Gender=GENDERS.get(gender), Number="Sing"))


IRREGULAR_STEM = {"hoch": "hoh", "teuer": "teur", "dunkel": "dunkl"}
UMLAUT = {"alt": "ält", "jung": "jüng", "groß": "größ", "lang": "läng", "kurz": "kürz",
          "kalt": "kält", "warm": "wärm", "hoch": "höh", "stark": "stärk",
          "klug": "klüg", "gut": "bess", "scharf": "schärf", "schwarz": "schwärz",
          "arm": "ärm", "teuer": "teur", "dunkel": "dunkl"}


def adjective_ending(determiner: str, case: str, gender: str, number: str) -> str:
    """The ending after a word like `der`, one like `ein`, or none of them."""
    at = column(gender, number)
    if determiner == "der":
        nominative = case == "Nom" or case == "Acc" and at in (1, 2)
        return "e" if nominative and at != 3 else "en"
    if determiner == "ein":
        if at == 3 or case in ("Dat", "Gen"):
            return "en"
        return STRONG_ENDINGS[case][at]
    if case == "Gen" and at in (0, 2):
        return "en"
    return STRONG_ENDINGS[case][at]


def adjective(lemma: str, determiner: str, case: str, gender: str, number: str, *,
              degree: str = "Pos") -> Word:
    """An adjective in front of its noun."""
    root = IRREGULAR_STEM.get(lemma, lemma)
    if degree == "Cmp":
        root = comparative_form(lemma)
    root = root.removesuffix("e")
    form = root + adjective_ending(determiner, case, gender, number)
    return Word(form, lemma, "ADJ", "ADJA", features(
        Case=case, Degree=degree, Gender=GENDERS[gender], Number=number))


def comparative_form(lemma: str) -> str:
    root = UMLAUT.get(lemma, lemma)
    return root + ("r" if root.endswith("e") else "er")


def predicative(lemma: str) -> Word:
    return Word(lemma, lemma, "ADJ", "ADJD", "Degree=Pos")


def comparative(lemma: str) -> Word:
    return Word(comparative_form(lemma), lemma, "ADJ", "ADJD", "Degree=Cmp")


def manner(lemma: str) -> Word:
    """An adjective or an adverb that says how: both are ADV or ADJD in STTS."""
    adverbs = {"endlich", "gern", "oft"}
    if lemma in adverbs:
        return adverb(lemma)
    return predicative(lemma)


def adverb(form: str, feats: str = "_") -> Word:
    return Word(form, form, "ADV", "ADV", feats)


def article(kind: str, case: str, gender: str, number: str) -> Word:
    """der, ein, kein, dieser, jeder, welcher"""
    at = column(gender, number)
    agree = agreement(case, gender, number)
    if kind == "der":
        return Word(DEFINITE[case][at], "der", "DET", "ART", features(
            **agree, Definite="Def", PronType="Art"))
    if kind == "ein":
        return Word("ein" + MIXED_ENDINGS[case][at], "ein", "DET", "ART", features(
            **agree, Definite="Ind", NumType="Card", PronType="Art"))
    if kind == "kein":
        return Word("kein" + MIXED_ENDINGS[case][at], "kein", "DET", "PIAT",
                    features(**agree, PronType="Neg"))
    lemma = kind + "er"
    xpos, kind_of = {"dies": ("PDAT", "Dem"), "jed": ("PIAT", "Tot"),
                     "welch": ("PWAT", "Int")}[kind]
    return Word(kind + STRONG_ENDINGS[case][at], lemma, "DET", xpos,
                features(**agree, PronType=kind_of))


def quantity(root: str, case: str) -> Word:
    """viele, einige, mehrere, alle"""
    return Word(root + STRONG_ENDINGS[case][3], root + "e", "DET", "PIAT", features(
        Case=case, Number="Plur", PronType="Tot" if root == "all" else "Ind"))


# pronoun: nominative, accusative, dative, possessive stem, person, number, gender
PRONOUNS = {
    "ich": ("ich", "mich", "mir", "mein", "1", "Sing", ""),
    "du": ("du", "dich", "dir", "dein", "2", "Sing", ""),
    "er": ("er", "ihn", "ihm", "sein", "3", "Sing", "m"),
    "sie": ("sie", "sie", "ihr", "ihr", "3", "Sing", "f"),
    "es": ("es", "es", "ihm", "sein", "3", "Sing", "n"),
    "wir": ("wir", "uns", "uns", "unser", "1", "Plur", ""),
    "sie+": ("sie", "sie", "ihnen", "ihr", "3", "Plur", ""),
    "Sie": ("Sie", "Sie", "Ihnen", "Ihr", "3", "Plur", ""),
}


def pronoun(key: str, case: str) -> Word:
    forms = PRONOUNS[key]
    person, number, gender = forms[4:]
    polite = key == "Sie"
    return Word(forms[CASES.index(case)], key.rstrip("+"), "PRON", "PPER", features(
        Case=case, Gender=GENDERS.get(gender), Number=None if polite else number,
        Person="2" if polite else person, Polite="Form" if polite else None,
        PronType="Prs"))


def reflexive(key: str, case: str = "Acc") -> Word:
    person, number = PRONOUNS[key][4:6]
    form = "sich" if person == "3" else PRONOUNS[key][CASES.index(case)]
    return Word(form, "sich", "PRON", "PRF", features(
        Case=case, Number=None if person == "3" else number, Person=person,
        PronType="Prs", Reflex="Yes"))


def possessive(key: str, case: str, gender: str, number: str) -> Word:
    root, person, owners, owner = PRONOUNS[key][3:]
    ending = MIXED_ENDINGS[case][column(gender, number)]
    form = root + ending
    psor = {"m": "Masc,Neut", "n": "Masc,Neut", "f": "Fem"}.get(owner)
    return Word(form, root.lower(), "DET", "PPOSAT", features(
        **agreement(case, gender, number), Gender_psor=psor, Number_psor=owners,
        Person=person, Poss="Yes", PronType="Prs"))


INDEFINITE = {"jemand": "Ind", "niemand": "Neg", "alle": "Tot"}


def indefinite(form: str) -> Word:
    number = "Plur" if form == "alle" else "Sing"
    return Word(form, form, "PRON", "PIS", features(
        Case="Nom", Number=number, PronType=INDEFINITE[form]))


def relative(case: str, gender: str, number: str) -> Word:
    return Word(RELATIVE[case][column(gender, number)], "der", "PRON",
                "PRELAT" if case == "Gen" else "PRELS",
                features(**agreement(case, gender, number), PronType="Rel"))


def wh_pronoun(form: str) -> Word:
    case = {"wer": "Nom", "wen": "Acc", "wem": "Dat", "was": "Acc"}[form]
    return Word(form, "was" if form == "was" else "wer", "PRON", "PWS",
                features(Case=case, Gender="Neut" if form == "was" else None,
                         Number="Sing", PronType="Int"))


def wh_adverb(form: str) -> Word:
    return Word(form, form, "ADV", "PWAV", "PronType=Int")


def preposition(form: str) -> Word:
    return Word(form, form, "ADP", "APPR")


def subordinator(form: str) -> Word:
    return Word(form, form, "SCONJ", "KOUI" if form in ("um", "ohne") else "KOUS")


def conjunction(form: str) -> Word:
    return Word(form, form, "CCONJ", "KON")


def than() -> Word:
    return Word("als", "als", "ADP", "KOKOM")


def negation() -> Word:
    return Word("nicht", "nicht", "PART", "PTKNEG", "Polarity=Neg")


def numeral(form: str) -> Word:
    return Word(form, form, "NUM", "CARD", "NumType=Card")


def mark(form: str) -> Word:
    """A punctuation mark that follows without a space."""
    xpos = "$," if form == "," else "$." if form in ".?!:" else "$("
    return Word(form, form, "PUNCT", xpos, glue=True)
