"""Which edit scripts apply to which words."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from orange_structpred.tagging.scripts import parse_script
from orange_structpred.tagging.sequence_model import Allowed


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
