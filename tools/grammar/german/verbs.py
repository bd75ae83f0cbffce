"""German verbs: conjugation, STTS tags, features."""
from __future__ import annotations

from dataclasses import dataclass

from ..tree import Word, features

# infinitive, 3rd person singular present, 3rd person singular past, participle
STRONG = """
lesen liest las gelesen; schreiben schreibt schrieb geschrieben
leihen leiht lieh geliehen; bestehen besteht bestand bestanden
besprechen bespricht besprach besprochen; messen misst maß gemessen
geben gibt gab gegeben; schlagen schlägt schlug geschlagen
finden findet fand gefunden; vergessen vergisst vergaß vergessen
empfehlen empfiehlt empfahl empfohlen; helfen hilft half geholfen
backen backt backte gebacken; schneiden schneidet schnitt geschnitten
essen isst aß gegessen; trinken trinkt trank getrunken
waschen wäscht wusch gewaschen; zerbrechen zerbricht zerbrach zerbrochen
laden lädt lud geladen; sitzen sitzt saß gesessen; nehmen nimmt nahm genommen
tragen trägt trug getragen; verlieren verliert verlor verloren
kommen kommt kam gekommen; fahren fährt fuhr gefahren
schlafen schläft schlief geschlafen; sehen sieht sah gesehen
treffen trifft traf getroffen; streichen streicht strich gestrichen
rufen ruft rief gerufen; singen singt sang gesungen; bringen bringt brachte gebracht
gefallen gefällt gefiel gefallen; schließen schließt schloss geschlossen
gießen gießt goss gegossen; graben gräbt grub gegraben
besteigen besteigt bestieg bestiegen; melken melkt molk gemolken
unterschreiben unterschreibt unterschrieb unterschrieben
verschieben verschiebt verschob verschoben; gehen geht ging gegangen
stehen steht stand gestanden; bleiben bleibt blieb geblieben
beginnen beginnt begann begonnen; denken denkt dachte gedacht
wissen weiß wusste gewusst; versprechen verspricht versprach versprochen
bitten bittet bat gebeten; raten rät riet geraten
beschließen beschließt beschloss beschlossen; fangen fängt fing gefangen
erscheinen erscheint erschien erschienen; haben hat hatte gehabt
sein ist war gewesen; werden wird wurde geworden
"""
WITH_SEIN = {"an/kommen", "ab/fahren", "reisen", "spazieren", "fahren", "gehen",
             "kommen", "erscheinen", "auf/stehen", "bleiben", "sein", "werden",
             "auf/tauchen", "laufen"}
UNSTRESSED = ("be", "er", "ver", "ent", "zer", "ge", "über", "unter")
PREPOSITIONAL_PREFIX = {"ab", "an", "auf", "aus", "bei", "ein", "mit", "nach", "vor", "zu"}

SEIN = {"Pres": {"1Sing": "bin", "2Sing": "bist", "3Sing": "ist", "Plur": "sind"},
        "Past": {"1Sing": "war", "2Sing": "warst", "3Sing": "war", "Plur": "waren"}}
IRREGULAR_PRESENT = {
    "haben": {"1Sing": "habe", "2Sing": "hast", "3Sing": "hat"},
    "werden": {"1Sing": "werde", "2Sing": "wirst", "3Sing": "wird"},
    "wissen": {"1Sing": "weiß", "2Sing": "weißt", "3Sing": "weiß"},
    "können": {"1Sing": "kann", "2Sing": "kannst", "3Sing": "kann"},
    "müssen": {"1Sing": "muss", "2Sing": "musst", "3Sing": "muss"},
    "wollen": {"1Sing": "will", "2Sing": "willst", "3Sing": "will"},
    "sollen": {"1Sing": "soll", "2Sing": "sollst", "3Sing": "soll"},
    "dürfen": {"1Sing": "darf", "2Sing": "darfst", "3Sing": "darf"},
}
MODAL_PAST = {"können": "konnte", "müssen": "musste", "wollen": "wollte",
              "sollen": "sollte", "dürfen": "durfte"}
MODALS = list(MODAL_PAST)
AUXILIARIES = {"haben", "sein", "werden"}


def read_strong() -> dict[str, tuple[str, str, str]]:
    table = {}
    for row in STRONG.replace(";", "\n").splitlines():
        if row.strip():
            infinitive, *parts = row.split()
            table[infinitive] = tuple(parts)
    return table


PARTS = read_strong()


@dataclass(frozen=True)
class Verb:
    """A verb as the tables write it: sich_aus/ruhen."""

    prefix: str
    base: str
    reflexive: bool

    @property
    def infinitive(self) -> str:
        return self.prefix + self.base

    @property
    def perfect_with(self) -> str:
        key = f"{self.prefix}/{self.base}" if self.prefix else self.base
        return "sein" if key in WITH_SEIN else "haben"


def read_verb(text: str) -> Verb:
    reflexive = text.startswith("sich_")
    prefix, _, base = text.removeprefix("sich_").rpartition("/")
    return Verb(prefix, base, reflexive)


def stem(base: str) -> str:
    return base[:-2] if base.endswith("en") else base[:-1]


def needs_e(root: str) -> bool:
    """arbeit-e-t, öffn-e-t, zeichn-e-t"""
    return root.endswith(("t", "d", "chn")) or (
        root[-1] in "nm" and root[-2] not in "aeiouäöülrnmh")


def third_person(base: str) -> str:
    if base in PARTS:
        return PARTS[base][0]
    root = stem(base)
    return root + ("et" if needs_e(root) else "t")


def present(base: str, person: str, number: str) -> str:
    key = "Plur" if number == "Plur" else person + number
    if base == "sein":
        return SEIN["Pres"][key]
    if base in IRREGULAR_PRESENT and key != "Plur":
        return IRREGULAR_PRESENT[base][key]
    if key == "Plur":
        return base
    if key == "1Sing":
        root = stem(base)
        return (root[:-2] + "l" if base.endswith("eln") else root) + "e"
    third = third_person(base)
    if key == "3Sing":
        return third
    third = third if third == "rät" else third[:-1]
    return third + ("t" if third.endswith(("s", "ß", "z", "x")) else "st")


def past(base: str, person: str, number: str) -> str:
    key = "Plur" if number == "Plur" else person + number
    if base == "sein":
        return SEIN["Past"][key]
    if base in MODAL_PAST:
        form = MODAL_PAST[base]
    elif base in PARTS:
        form = PARTS[base][1]
    else:
        root = stem(base)
        form = root + ("ete" if needs_e(root) else "te")
    if key == "Plur":
        return form + ("n" if form.endswith("e") else "en")
    if key == "2Sing":
        return form + ("est" if form.endswith(("s", "ß", "t", "d")) else "st")
    return form


def participle(verb: Verb) -> str:
    base = verb.base
    if base in PARTS:
        return verb.prefix + PARTS[base][2]
    root = stem(base)
    ending = "et" if needs_e(root) else "t"
    ge = "" if base.endswith("ieren") or base == "interviewen" or (
        base.startswith(UNSTRESSED) and base not in ("üben",)) else "ge"
    return verb.prefix + ge + root + ending


def upos_of(base: str, main: bool) -> tuple[str, str]:
    """UPOS and the first two letters of the STTS tag."""
    if base in MODAL_PAST:
        return "AUX", "VM"
    return ("VERB" if main else "AUX"), ("VA" if base in AUXILIARIES else "VV")


def finite(verb: Verb, tense: str, person: str, number: str, *, main: bool,
           joined: bool = False, polite: bool = False) -> Word:
    """A finite verb. `joined` writes a separable prefix in front of it, as at the
    end of a subordinate clause."""
    form = (present if tense == "Pres" else past)(verb.base, person, number)
    upos, xpos = upos_of(verb.base, main)
    feats = features(Mood="Ind", Number="Plur" if polite else number,
                     Person="3" if polite else person, Tense=tense, VerbForm="Fin")
    lemma = verb.infinitive if joined else verb.base
    return Word((verb.prefix if joined else "") + form, lemma, upos, xpos + "FIN", feats)


def imperative(verb: Verb) -> Word:
    """The imperative to somebody one is on first-name terms with."""
    third = third_person(verb.base)
    root = stem(verb.base)
    changed = verb.base in PARTS and "i" in third[:len(root)] and "i" not in root
    full = verb.base not in PARTS or needs_e(root)
    form = third[:-1] if changed else root + ("e" if full else "")
    if verb.base.endswith("eln"):
        form = root[:-2] + "le"
    return Word(form, verb.base, "VERB", "VVIMP",
                "Mood=Imp|Number=Sing|Person=2|VerbForm=Fin")


def infinitive(verb: Verb, *, main: bool = True) -> Word:
    upos, xpos = upos_of(verb.base, main)
    return Word(verb.infinitive, verb.infinitive, upos, xpos + "INF", "VerbForm=Inf")


def zu_infinitive(verb: Verb) -> list[Word]:
    """zu lesen, but abzuholen"""
    if verb.prefix:
        return [Word(f"{verb.prefix}zu{verb.base}", verb.infinitive, "VERB", "VVIZU",
                     "VerbForm=Inf")]
    return [Word("zu", "zu", "PART", "PTKZU"), infinitive(verb)]


def past_participle(verb: Verb, *, main: bool = True) -> Word:
    upos, xpos = upos_of(verb.base, main)
    return Word(participle(verb), verb.infinitive, upos, xpos + "PP", "VerbForm=Part")


def prefix(verb: Verb) -> Word:
    """A separable prefix that stands alone at the end of the clause."""
    upos = "ADP" if verb.prefix in PREPOSITIONAL_PREFIX else "ADV"
    return Word(verb.prefix, verb.prefix, upos, "PTKVZ")
