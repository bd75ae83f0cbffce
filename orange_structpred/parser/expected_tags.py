"""Whether sentences have the tags that a parser has learned from."""
from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.treebank.encoding import string_id, string_ids
from orange_structpred.treebank.sentence import Sentence

UNKNOWN_TAGS = 0.05         # share of tokens with unseen tags that is worth a warning


class MissingTagsError(InputError):
    """A sentence has no tags, and a parser that has learned from tags would guess."""

    def __init__(self, number: int, sent_id: str, parser: str, file: str = ""):
        self.arguments = number, sent_id, parser, file
        name = f" ({sent_id!r})" if sent_id else ""
        where = f"{file}: " if file else ""
        super().__init__(f"{where}sentence {number}{name} has no part-of-speech tags, and "
                         f"the parser {parser!r} needs them: tag the sentences first")

    def __reduce__(self):
        return MissingTagsError, self.arguments

    def after(self, n: int, file: str) -> MissingTagsError:
        """The same, where n other sentences of the file came before."""
        number, sent_id, parser, _ = self.arguments
        return MissingTagsError(n + number, sent_id, parser, file)


class UnknownTagsWarning(UserWarning):
    """The sentences have tags that the parser has never seen."""


def check_tags(sentences: Sequence[Sentence], known: np.ndarray, parser: str) -> None:
    """Refuse sentences without any tag, unless the parser has learned from such."""
    if np.array_equal(known, string_ids(["_"])):
        return
    for number, sentence in enumerate(sentences, 1):
        if {*sentence.upos, *sentence.xpos} == {"_"}:
            raise MissingTagsError(number, sentence.sent_id, parser)


def warn_of_unknown_tags(sentences: Sequence[Sentence], known: np.ndarray, parser: str
                         ) -> None:
    tags = [tag for s in sentences for pair in zip(s.upos, s.xpos) for tag in pair]
    counts, ids = Counter(tags), set(known.tolist())
    unknown = sorted(tag for tag in counts if string_id(tag) not in ids)
    share = sum(map(counts.__getitem__, unknown)) / max(1, len(tags))
    if share > UNKNOWN_TAGS:
        fault = (f"missing; the parser {parser!r} needs them: tag the sentences first"
                 if unknown == ["_"] else
                 f"unknown to the parser {parser!r} ({', '.join(unknown[:5])}): "
                 "was it trained with another tag set?")
        warnings.warn(f"{share:.0%} of the tags are {fault}", UnknownTagsWarning,
                      stacklevel=4)
