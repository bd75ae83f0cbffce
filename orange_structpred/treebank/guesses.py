"""Words that may say what another word is in its sentence: markers and conjunctions.

Guesses by universal tags and features, made to be features of a parser and not a truth;
for the words of all sentences in a few array operations.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from orange_structpred.treebank.distinct import distinct

NOUNS = {"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "SYM", "X"}
IN_NOUN_PHRASE = NOUNS | {"ADV", "PUNCT", "PART"}
NO_CLAUSE_BEGIN = {"VERB", "PUNCT", "CCONJ"}
CONJUNCTS = {"NOUN", "PROPN", "VERB"}
#: Features of the words that open relative clauses and questions, in any language
CLAUSE_OPENERS = ("PronType=Rel", "PronType=Int")


def guess(tags: Sequence[str], feats: Sequence[str], lengths: np.ndarray
          ) -> dict[str, np.ndarray]:
    """For each word the positions of its marker and of its coordinator, among the words
    of all sentences; -1 for none.

    lengths : of the sentences
    """
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    names, which = distinct(tags)

    def tagged(*wanted: str) -> np.ndarray:
        return np.array([name in wanted for name in names], bool)[which]

    kinds, which_kind = distinct(feats)
    opens = np.array([any(opener in kind for opener in CLAUSE_OPENERS) for kind in kinds],
                     bool)[which_kind] | tagged("SCONJ", "PART")
    return {"marker": markers(tagged, opens, first),
            "coordinator": coordinators(tagged, which, first)}


def markers(tagged: Callable[..., np.ndarray], opens: np.ndarray, first: np.ndarray
            ) -> np.ndarray:
    """For a nominal the preposition before its noun phrase, for a verb the subordinator,
    relative or interrogative word or "to" before it in its clause."""
    preposition = latest(tagged("ADP"), ~tagged(*IN_NOUN_PHRASE), first)
    subordinator = latest(opens, tagged(*NO_CLAUSE_BEGIN), first)
    return np.where(tagged(*NOUNS), preposition,
                    np.where(tagged("VERB", "AUX"), subordinator, -1))


def coordinators(tagged: Callable[..., np.ndarray], which: np.ndarray, first: np.ndarray
                 ) -> np.ndarray:
    """The conjunction that a word may be joined by: the one before it with no punctuation
    since then, nor the end of a run of nouns or verbs."""
    n = len(first)
    ended = tagged("PUNCT")
    ended[1:] |= (tagged(*CONJUNCTS)[:-1] & (which[1:] != which[:-1])
                  & (first[1:] == first[:-1]))
    # a word can end the reach of one conjunction, and then be another one: it has two
    # places, and is asked about between them
    resets, sets = np.zeros((2, 2 * n), bool)
    resets[::2], sets[1::2] = ended, tagged("CCONJ")
    marker = latest(sets, resets, 2 * np.repeat(first, 2))[1::2]
    return np.where(marker >= 0, marker // 2, -1)


def latest(sets: np.ndarray, resets: np.ndarray, first: np.ndarray) -> np.ndarray:
    """For each place the last one before it that sets something, in its sentence and
    with no reset since then; -1 for none. A place that does both sets.

    first : for each place where its sentence begins
    """
    events = np.maximum.accumulate(np.where(sets | resets, np.arange(len(sets)), -1))
    before = np.append(-1, events[:-1])[:len(sets)]
    return np.where((before >= first) & sets[before], before, -1)
