"""Sentences that are too long for a decoder, in pieces; and batches that end soon.

Decoders take time in the order of n^3 and memory in the order of n^2. What has
thousands of tokens is hardly ever one sentence, but text that nobody has split. It is
cut where a sentence may end; each piece is parsed on its own, and the roots of all but
the first become dependents of the first one's root. So the time grows with the length
only, and the work can be ended between two pieces.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from orange_structpred.running.memory import check_fits
from orange_structpred.treebank.sentence import Sentence

#: Tokens of a sentence that is parsed as a whole, by default
LONGEST_WHOLE = 500
#: Marks after which a text is cut, the best ones first
CUT_AFTER = ({".", "!", "?", "…", "。", "！", "？", "؟", "।"}, {";", ":", "؛", "；"},
             {",", "،", "、"})
#: Relation of a piece's root below that of the first piece
MOVED_ROOT = "parataxis"
#: Bytes that decoders need for each pair of tokens, at most
BYTES = 72
#: Steps of a batch's decoders, about half a second
STEPS_AT_ONCE = 10**9
#: Tokens of a batch, so that what a net says of them fits into memory
BATCH_LIMIT = 20_000


class LongSentenceWarning(UserWarning):
    """Sentences that are parsed in pieces."""


def check_length(tokens: int, advice: str) -> None:
    """Raise TooLarge if the charts of a sentence do not fit into memory."""
    if tokens > LONGEST_WHOLE:
        check_fits(BYTES * tokens**2, f"a sentence of {tokens:,} tokens", advice)


def cuts(forms: Sequence[str], longest: int) -> list[int]:
    """Where pieces of at most `longest` tokens end, as late as may be."""
    ends, start = [], 0
    while len(forms) - start > longest:
        # not in the first half of what is left, so that pieces do not become many
        half, last = start + longest // 2, start + longest
        cut = next((end for marks in CUT_AFTER for end in range(last, half, -1)
                    if forms[end - 1] in marks), last)
        ends.append(cut)
        start = cut
    return [*ends, len(forms)]


def sentence_pieces(sentence: Sentence, longest: int) -> list[Sentence]:
    """A sentence as several, of at most `longest` tokens each."""
    columns = (sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos,
               sentence.feats)
    rows = ["\t".join(row) for row in zip(*columns)]
    ends = cuts(sentence.forms, longest)
    return [Sentence("\n".join(f"{number}\t{row}\t_\t_\t_\t_" for number, row in
                               enumerate(rows[start:end], 1)))
            for start, end in zip([0, *ends], ends)]


def joined_heads(parts: Sequence[np.ndarray], single_root: bool) -> np.ndarray:
    """The heads of a sentence from those of its pieces."""
    roots = np.flatnonzero(parts[0] == 0) + 1
    start, moved = 0, []
    for number, heads in enumerate(parts):
        shifted = np.where(heads > 0, heads + start, heads)
        if number and single_root and len(roots):
            shifted[heads == 0] = roots[0]
        moved.append(shifted)
        start += len(heads)
    return np.concatenate(moved).astype(parts[0].dtype)


def joined_relations(parts: Sequence[Sequence[str]], single_root: bool) -> list[str]:
    """The relations of a sentence from those of its pieces."""
    return [MOVED_ROOT if number and single_root and relation == "root" else relation
            for number, relations in enumerate(parts) for relation in relations]


def joined_probabilities(parts: Sequence[np.ndarray], heads: Sequence[np.ndarray],
                         single_root: bool) -> np.ndarray:
    """The probabilities of a sentence's heads from those of its pieces; nan for roots
    that get another head when pieces are joined."""
    return np.concatenate([
        np.where(tree == 0, np.nan, shares) if number and single_root else shares
        for number, (shares, tree) in enumerate(zip(parts, heads))])


def decoding_batches(sentences: Sequence[Sentence], steps: int = STEPS_AT_ONCE,
                     tokens: int = BATCH_LIMIT) -> Iterator[slice]:
    """Parts of a list of sentences whose decoders take so many steps, about, and of not
    more than so many tokens; a single sentence may have more."""
    start = taken = size = 0
    for number, sentence in enumerate(sentences):
        n_steps = len(sentence) ** 3
        if number > start and (taken + n_steps > steps or size + len(sentence) > tokens):
            yield slice(start, number)
            start, taken, size = number, 0, 0
        taken += n_steps
        size += len(sentence)
    yield slice(start, len(sentences))
