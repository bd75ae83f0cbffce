"""Edit scripts: how a lemma is made of a form.

A script says what to take off at both ends, what to put there, and how to write the
result: ``s|>|ies>y`` turns *Studies* into *study*. It applies to forms that begin and end
with what it takes off. The characters between are the longest that form and lemma share;
where they share none, the script is the lemma itself: ``=|lemma``.

Files of earlier versions have scripts that only count what they take off: ``s|0||3|y``.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from os.path import commonprefix
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.tagging.sequence_model import Allowed

#: how the result is written: small letters, as it is, capitalised, capitals, without
#: the commas of large numbers
CASES: dict[str, Callable[[str], str]] = {
    "s": str.lower, "k": str, "c": str.capitalize, "u": str.upper,
    "n": lambda text: text.replace(",", "")}
LONGEST_COMPARED = 64       # of longer words, only their beginnings are compared
SCRIPT_SEPARATORS = "|>"


class EditScript(NamedTuple):
    """The parts of a script; lower-cased where they are taken off.

    begin, end : how much is taken off; what exactly, in `prefix` and `suffix`, which are
        None in files of earlier versions
    """

    case: str
    begin: int
    prefix: str | None
    before: str
    end: int
    suffix: str | None
    after: str

    def applies(self, form: str) -> bool:
        """Whether a form has what is taken off; it is not taken for granted that
        anything is left."""
        lower = form.lower()
        return len(form) >= self.begin + self.end and (
            self.prefix is None or self.suffix is None or len(lower) == len(form)
            and lower.startswith(self.prefix) and lower.endswith(self.suffix))


def make_script(form: str, lemma: str) -> str:
    """The script that makes the lemma of the form.

    >>> make_script("Studies", "study"), make_script("went", "go")
    ('s|>|ies>y', '=|go')
    """
    if "," in form and lemma == form.replace(",", "") != "":
        return "n|>|>"
    lower = form.lower()
    begin, own_begin, length = shared(lower, lemma.lower())
    if not length or len(lower) != len(form) or len(lemma.lower()) != len(lemma):
        return f"=|{lemma}"
    before, after = lemma[:own_begin], lemma[own_begin + length:]
    prefix, suffix = lower[:begin], lower[begin + length:]
    if any(sign in part for sign in SCRIPT_SEPARATORS for part in (before, after, prefix, suffix)):
        return f"=|{lemma}"
    for case in CASES:
        parts = (before, after) if case == "k" else (before.lower(), after.lower())
        script = f"{case}|{prefix}>{parts[0]}|{suffix}>{parts[1]}"
        if apply_script(script, form) == lemma:
            return script
    return f"=|{lemma}"


def apply_script(script: str, form: str) -> str:
    """The lemma that a script makes of a form; the form, if the script does not apply
    or nothing would be left.

    >>> apply_script("s|>|ies>y", "Cities"), apply_script("s|>|ies>y", "sun")
    ('city', 'sun')
    """
    if script.startswith("=|"):
        return script[2:]
    parts = parse_script(script)
    if not parts.applies(form):
        return form
    middle = form[parts.begin:len(form) - parts.end]
    return CASES[parts.case](parts.before + middle + parts.after).strip() or form


def written_by(script: str) -> list[str]:
    """What a script writes by itself; an InputError if it is no script."""
    if script.startswith("=|"):
        return [script[2:]]
    parts = parse_script(script)
    return [part.strip(" ") for part in (parts.before, parts.after) if part.strip(" ")]


@lru_cache(maxsize=1 << 14)
def parse_script(script: str) -> EditScript:
    """The parts of a script; an InputError if it is none."""
    case, *edits = script.split("|")
    if case in CASES and len(edits) == 2 and all(edit.count(">") == 1 for edit in edits):
        (prefix, before), (suffix, after) = (edit.split(">") for edit in edits)
        return EditScript(case, len(prefix), prefix, before, len(suffix), suffix, after)
    if case in CASES and len(edits) == 4 and all(
            edit.isdecimal() and edit.isascii() for edit in edits[::2]):
        return EditScript(case, int(edits[0]), None, edits[1], int(edits[2]), None, edits[3])
    raise InputError(f"{script[:60]!r} is not an edit script")


def shared(first: str, second: str) -> tuple[int, int, int]:
    """The longest run of characters that two strings share: where it begins in each,
    and its length; the first such run."""
    if max(len(first), len(second)) > LONGEST_COMPARED:
        return 0, 0, len(commonprefix([first, second]))
    for length in range(min(len(first), len(second)), 0, -1):
        for begin in range(len(first) - length + 1):
            at = second.find(first[begin:begin + length])
            if at >= 0:
                return begin, at, length
    return 0, 0, 0


class Patterns:
    """The scripts of a lemmatiser, found by what they take off.

    Scripts that make one lemma of all words, and those of earlier versions, which do not
    say what they take off, apply to all words.
    """

    def __init__(self, scripts: Sequence[str]):
        self.always: list[int] = []
        by_ends: dict[tuple[str, str], list[int]] = defaultdict(list)
        for label, script in enumerate(scripts):
            parts = None if script.startswith("=|") else parse_script(script)
            if parts is None or parts.prefix is None or parts.suffix is None:
                self.always.append(label)
            else:
                by_ends[parts.prefix, parts.suffix].append(label)
        self.by_ends = dict(by_ends)
        self.prefix_lengths = sorted({len(prefix) for prefix, _ in by_ends})
        self.suffix_lengths = sorted({len(suffix) for _, suffix in by_ends})

    def labels(self, form: str) -> list[int]:
        """The numbers of the scripts that apply to a form."""
        return sorted([*self.always, *self.edits(form)])

    def edits(self, form: str) -> list[int]:
        """Those of them that say what they take off."""
        lower = form.lower()
        labels: list[int] = []
        for begin in self.prefix_lengths:
            for end in self.suffix_lengths:
                if begin + end > len(lower):
                    break
                labels += self.by_ends.get((lower[:begin], lower[len(lower) - end:]), ())
        return labels

    def allowed(self, forms: Sequence[str]) -> Allowed:
        """The scripts that apply to each of some forms, for `SequenceModel.predict`; all,
        where none does."""
        choices: dict[tuple[int, ...], int] = {}
        which = [choices.setdefault(labels, len(choices)) if labels else -1
                 for labels in map(tuple, map(self.labels, forms))]
        return Allowed(
            np.array(which, np.int64),
            np.append(0, np.cumsum(list(map(len, choices)))).astype(np.int64),
            np.array([label for choice in choices for label in choice], np.int32))
