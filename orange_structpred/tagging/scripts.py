"""Edit scripts: how a lemma is made of a form.

A script says how many characters to take off at both ends, what to put there, and how
to write the result: ``s|0||3|y`` turns *Studies* into *study*. The characters between
are the longest that form and lemma share; where they share none, the script is the
lemma itself: ``=|lemma``.
"""
from __future__ import annotations

from functools import lru_cache

from orange_structpred.errors import InputError

#: how the result is written: small letters, as it is, capitalised, capitals, without
#: the commas of large numbers
CASES = {"s": str.lower, "k": str, "c": str.capitalize, "u": str.upper,
         "n": lambda text: text.replace(",", "")}


def make_script(form: str, lemma: str) -> str:
    """The script that makes the lemma of the form.

    >>> make_script("Studies", "study"), make_script("went", "go")
    ('s|0||3|y', '=|go')
    """
    if "," in form and lemma == form.replace(",", "") != "":
        return "n|0||0|"
    begin, own_begin, length = shared(form.lower(), lemma.lower())
    if not length or len(form.lower()) != len(form) or len(lemma.lower()) != len(lemma):
        return f"=|{lemma}"
    before, after = lemma[:own_begin], lemma[own_begin + length:]
    cut = len(form) - begin - length
    for case in CASES:
        parts = (before, after) if case == "k" else (before.lower(), after.lower())
        script = f"{case}|{begin}|{parts[0]}|{cut}|{parts[1]}"
        if "|" not in before + after and apply_script(script, form) == lemma:
            return script
    return f"=|{lemma}"


def apply_script(script: str, form: str) -> str:
    """The lemma that a script makes of a form; the form, if there is nothing left.

    >>> apply_script("s|0||3|y", "Cities")
    'city'
    """
    if script.startswith("=|"):
        return script[2:]
    case, begin, before, cut, after = parse_script(script)
    middle = form[begin:len(form) - cut]
    if len(form) < begin + cut:
        return form
    return CASES[case](before + middle + after).strip() or form


def written_by(script: str) -> list[str]:
    """What a script writes by itself; an InputError if it is no script."""
    if script.startswith("=|"):
        return [script[2:]]
    _, _, before, _, after = parse_script(script)
    return [part.strip(" ") for part in (before, after) if part.strip(" ")]


@lru_cache(maxsize=1 << 14)
def parse_script(script: str) -> tuple[str, int, str, int, str]:
    """The parts of a script; an InputError if it is none."""
    parts = script.split("|")
    if len(parts) != 5 or parts[0] not in CASES or not (
            parts[1].isdecimal() and parts[3].isdecimal()):
        raise InputError(f"{script[:60]!r} is not an edit script")
    return parts[0], int(parts[1]), parts[2], int(parts[3]), parts[4]


def shared(first: str, second: str) -> tuple[int, int, int]:
    """The longest run of characters that two strings share: where it begins in each,
    and its length; the first such run."""
    for length in range(min(len(first), len(second)), 0, -1):
        for begin in range(len(first) - length + 1):
            found = second.find(first[begin:begin + length])
            if found >= 0:
                return begin, found, length
    return 0, 0, 0
