"""What of a sentence is drawn, on the screen and on paper."""
from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from orange_structpred.errors import InputError
from orange_structpred.treebank.sentence import Sentence

DRAWN_WORDS = ("form", "lemma")
DRAWN_TAGS = ("UPOS", "XPOS", "UPOS and XPOS", "none")
RIGHT_TO_LEFT = ("R", "AL")         # letters, as Unicode has them


def drawn_words(sentence: Sentence, words: str = "form") -> list[str]:
    """The forms or the lemmas of the tokens."""
    if words not in DRAWN_WORDS:
        raise InputError(f"words must be one of {', '.join(DRAWN_WORDS)}, not {words!r}")
    return list(sentence.lemmas if words == "lemma" else sentence.forms)


def drawn_tags(sentence: Sentence, tags: str = "UPOS") -> list[list[str]]:
    """Lines of tags under the words; what is not annotated is empty."""
    if tags not in DRAWN_TAGS:
        raise InputError(f"tags must be one of {', '.join(DRAWN_TAGS)}, not {tags!r}")
    lines = [column for name, column in (("UPOS", sentence.upos), ("XPOS", sentence.xpos))
             if name in tags]
    return [["" if tag == "_" else tag for tag in line] for line in lines
            if any(tag != "_" for tag in line)]


def arc_labels(heads, deprels) -> list[str]:
    """What stands at each arc; an arc from the root always says so."""
    return [("" if relation == "_" else relation) or ("root" if head == 0 else "")
            for relation, head in zip(deprels or [""] * len(heads), heads)]


def is_right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters of a sentence belong to a script written leftwards."""
    kinds = [unicodedata.bidirectional(char) for word in words for char in word]
    leftwards = sum(kind in RIGHT_TO_LEFT for kind in kinds)
    return leftwards > kinds.count("L")
