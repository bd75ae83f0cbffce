"""Statistics of a treebank: sizes, tags, shapes of trees."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.projectivity import flatten, projective_arcs
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.shape import shapes


def describe(sentences: Sequence[Sentence]) -> dict[str, object]:
    """Statistics of a list of sentences, ready for JSON."""
    return describe_batches([sentences])


def describe_batches(batches: Iterable[Sequence[Sentence]]) -> dict[str, object]:
    """The same for lists of sentences that are in memory one after the other."""
    lengths: Counter[int] = Counter()
    totals: Counter[str] = Counter()
    forms: set[str] = set()
    tags: dict[str, Counter[str]] = {
        name: Counter() for name in ("upos", "xpos", "deprels")}
    for sentences in batches:
        lengths.update(map(len, sentences))
        parsed = [sentence.heads for sentence in sentences if sentence.has_heads]
        shape = shapes(*flatten(parsed))
        totals.update(
            parsed=len(parsed), non_projective=int((shape.projective == 0).sum()),
            non_projective_arcs=int((~projective_arcs(parsed)).sum()),
            several_roots=int((shape.roots > 1).sum()))
        for sentence in sentences:
            forms.update(sentence.forms)
        for name, counts in tags.items():
            for sentence in sentences:
                counts.update(getattr(sentence, name))
    n, tokens = lengths.total(), sum(size * many for size, many in lengths.items())
    return {
        "sentences": n,
        "tokens": tokens,
        "forms": len(forms),
        "length_mean": round(tokens / n, 2) if n else None,
        "length_median": median(lengths) if n else None,
        "length_max": max(lengths) if n else None,
        "unparsed": n - totals["parsed"],
        "non_projective": totals["non_projective"],
        "non_projective_share": round(100 * totals["non_projective"] / totals["parsed"], 2)
        if totals["parsed"] else None,
        "non_projective_arcs": totals["non_projective_arcs"],
        "several_roots": totals["several_roots"],
        "upos": most_frequent(tags["upos"]),
        "xpos": most_frequent(tags["xpos"]),
        "relations": most_frequent(tags["deprels"]),
    }


def median(counts: Counter[int]) -> float:
    """The median of numbers, given how often each occurs."""
    values = sorted(counts)
    below = np.cumsum([counts[value] for value in values])
    total = below[-1]
    middle = np.searchsorted(below, [(total - 1) // 2, total // 2], side="right")
    return float(np.mean([values[k] for k in middle]))


def most_frequent(counts: Counter[str]) -> dict[str, int]:
    """How often each tag occurs, the most frequent first."""
    counts.pop(EMPTY, None)
    return dict(counts.most_common())
