"""Trees as plain text: a line for each token, below its head."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from orange_structpred.treebank.drawn import arc_labels, drawn_words
from orange_structpred.treebank.sentence import Sentence


def text_tree(sentence: Sentence, heads: Sequence[int] | None = None,
              deprels: Sequence[str] | None = None, *, words: str = "form") -> str:
    """A tree as plain text; the gold tree, unless there are other heads.

    Other heads that differ from gold have an asterisk. Tokens without a head, or in a
    circle, come last.

    Examples
    --------
    >>> from orange_structpred import Sentence
    >>> print(text_tree(Sentence("".join(f"{i}\\t{word}" + "\\t_" * 4 + f"\\t{head}\\t{rel}"
    ...     + "\\t_\\t_\\n" for i, word, head, rel in (
    ...         (1, "Dogs", 2, "nsubj"), (2, "chase", 0, "root"), (3, "cats", 2, "obj"))))))
    chase (root)
    ├─ Dogs (nsubj)
    └─ cats (obj)
    """
    gold = sentence.heads
    other = heads is not None
    heads = np.asarray(heads if other else gold)
    labels = arc_labels(heads, deprels if other else sentence.deprels)
    texts = [f"{word} ({label})" if label else word
             for word, label in zip(drawn_words(sentence, words), labels)]
    if other:
        texts = [f"{text} *" if right >= 0 and right != found else text
                 for text, right, found in zip(texts, gold, heads)]
    children: dict[int, list[int]] = {}
    for token, head in enumerate(heads.tolist(), 1):
        children.setdefault(head, []).append(token)
    lines, seen = [], set()
    for root in (*children.get(0, ()), *range(1, len(texts) + 1)):
        if root not in seen:
            lines += _lines(root, texts, children, seen)
    return "\n".join(lines)


def _lines(root: int, texts: Sequence[str], children: dict[int, list[int]],
           seen: set[int]) -> Iterator[str]:
    """A token and all below it, without recursion: trees may be deep."""
    stack = [(root, "", "")]
    while stack:
        token, before, below = stack.pop()
        seen.add(token)
        yield before + texts[token - 1]
        own = [child for child in children.get(token, ()) if child not in seen]
        seen.update(own)
        for place, child in reversed(list(enumerate(own, 1))):
            last = place == len(own)
            stack.append((child, below + ("└─ " if last else "├─ "),
                          below + ("   " if last else "│  ")))
