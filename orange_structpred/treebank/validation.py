"""What is wrong with a sentence by the rules of Universal Dependencies.

The rules are those of the official validator, udtools, an optional extra:
``pip install "orange3-structpred[validate]"``. Without it, only trees are checked.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from udtools import Validator

VALIDATION_LEVELS = (1, 2, 3, 4, 5)


class Finding(NamedTuple):
    """Something that the rules object to.

    level : of the rule, from 1 (format) to 5 (constructions of a language)
    test : the name of the rule
    reason : in words
    words : those that it is about, from 1 on; () for the sentence
    is_error : or only a warning
    """

    level: int
    test: str
    reason: str
    words: tuple[int, ...] = ()
    is_error: bool = True


def can_validate() -> bool:
    """Whether the official validator is installed."""
    return find_spec("udtools") is not None


def validate_sentence(sentence: Sentence, *, language: str = "ud", level: int = 3
                      ) -> list[Finding]:
    """The findings of the official validator; of the tree only, if it is not installed.

    language : its code, such as "en"; "ud" for the rules of all languages
    level : the highest level of rules to check
    """
    if level not in VALIDATION_LEVELS:
        raise InputError(f"level must be a number from 1 to 5, not {level!r}")
    if not can_validate():
        return tree_findings(sentence)
    state = validator_for(language, level).validate_file_handle(
        StringIO(sentence.block + "\n\n"))
    lines = sentence.block.split("\n")
    findings = []
    for incident in state.error_tracker:
        node = incident.nodeid
        if node is None and 1 <= incident.lineno <= len(lines):
            node = lines[incident.lineno - 1].partition("\t")[0]
        findings.append(Finding(
            int(incident.level), str(incident.testid), str(incident.message),
            words_of(node, len(sentence)), str(incident.get_type()) == "ERROR"))
    return findings


@lru_cache(maxsize=4)
def validator_for(language: str, level: int) -> Validator:
    """The official validator, which takes a second to read its tables."""
    from udtools import Validator

    return Validator(lang=language, level=level, output=None)


def validation_languages() -> list[str]:
    """Codes of the languages that the validator has tables of, "ud" for all first; only
    that one if it is not installed."""
    if not can_validate():
        return ["ud"]
    return ["ud", *sorted(set(validator_for("ud", 2).data.feats) - {"ud"})]


class SentenceFinding(NamedTuple):
    """A finding, and the sentence that it is about, counted from 0."""

    row: int
    finding: Finding


def validate_sentences(sentences: Sequence[Sentence], *, language: str = "ud",
                       level: int = 3, progress: Progress | None = None
                       ) -> list[SentenceFinding]:
    """The findings of all sentences, and ids that several of them have.

    language, level : as in `validate_sentence`
    progress : gets the fraction that is done; raises Cancelled to end the work
    """
    cancellation = Cancellation(progress)
    findings = repeated_ids(sentences)
    for row, sentence in enumerate(sentences):
        cancellation.at(row / len(sentences))
        findings += [SentenceFinding(row, finding) for finding in validate_sentence(
            sentence, language=language, level=level)]
    return sorted(findings, key=lambda finding: finding.row)


def repeated_ids(sentences: Sequence[Sentence]) -> list[SentenceFinding]:
    """Sentences with an id that an earlier one has."""
    findings: list[SentenceFinding] = []
    first_rows: dict[str, int] = {}
    for row, sentence in enumerate(sentences):
        first = first_rows.setdefault(sentence.sent_id, row) if sentence.sent_id else row
        if first != row:
            findings.append(SentenceFinding(row, Finding(
                2, "non-unique-sent-id",
                f"Sentence {first + 1} has the same id, {sentence.sent_id!r}.")))
    return findings


def words_of(node: object, n: int) -> tuple[int, ...]:
    """The words of a node's id: ``3``, a range ``3-4``; () for any other."""
    first, _, last = str(node).partition("-")
    if not first.isdecimal() or last and not last.isdecimal():
        return ()
    return tuple(word for word in range(int(first), int(last or first) + 1)
                 if 1 <= word <= n)


def tree_findings(sentence: Sentence) -> list[Finding]:
    """Heads that are missing, and several roots. There are no cycles in sentences."""
    missing, roots = (tuple((np.flatnonzero(chosen) + 1).tolist())
                      for chosen in (sentence.heads < 0, sentence.heads == 0))
    findings = []
    if missing:
        findings.append(Finding(2, "missing-head", "These words have no head.", missing))
    if len(roots) > 1:
        findings.append(Finding(2, "multiple-roots", "A tree has one root.", roots))
    return findings
