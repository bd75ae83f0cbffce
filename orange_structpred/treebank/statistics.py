"""Statistics of a treebank: sizes, tags, shapes of trees."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from orange_structpred.treebank.projectivity import flatten, projective_arcs
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.shape import shapes

MISSING = "_"


def describe(sentences: Sequence[Sentence]) -> dict[str, object]:
    """Statistics of a list of sentences, ready for JSON."""
    lengths = np.array([len(sentence) for sentence in sentences])
    parsed = [sentence.heads for sentence in sentences if sentence.has_heads]
    shape = shapes(*flatten(parsed))
    non_projective = int((shape.projective == 0).sum())
    return {
        "sentences": len(sentences),
        "tokens": int(lengths.sum()),
        "forms": len({form for sentence in sentences for form in sentence.forms}),
        "length_mean": round(float(lengths.mean()), 2) if len(lengths) else None,
        "length_median": float(np.median(lengths)) if len(lengths) else None,
        "length_max": int(lengths.max()) if len(lengths) else None,
        "unparsed": len(sentences) - len(parsed),
        "non_projective": non_projective,
        "non_projective_share":
            round(100 * non_projective / len(parsed), 2) if parsed else None,
        "non_projective_arcs": int((~projective_arcs(parsed)).sum()),
        "several_roots": int((shape.roots > 1).sum()),
        "upos": counted(sentence.upos for sentence in sentences),
        "xpos": counted(sentence.xpos for sentence in sentences),
        "relations": counted(sentence.deprels for sentence in sentences),
    }


def counted(columns: Iterable[Iterable[str]]) -> dict[str, int]:
    """How often each tag occurs, the most frequent first."""
    counts = Counter(tag for column in columns for tag in column)
    counts.pop(MISSING, None)
    return dict(counts.most_common())
