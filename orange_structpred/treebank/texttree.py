"""Trees as plain text: a line for each token, below its head."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.treebank.drawn import arc_labels, drawn_words
from orange_structpred.treebank.sentence import Sentence


def text_tree(sentence: Sentence, heads: Integers | None = None,
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
    drawn = gold if heads is None else np.asarray(heads)
    labels = arc_labels(drawn, sentence.deprels if heads is None else deprels)
    texts = [f"{word} ({label})" if label else word
             for word, label in zip(drawn_words(sentence, words), labels)]
    if heads is not None:
        texts = [f"{text} *" if right >= 0 and right != head else text
                 for text, right, head in zip(texts, gold, drawn)]
    children: dict[int, list[int]] = {}
    for token, head in enumerate(drawn.tolist(), 1):
        children.setdefault(head, []).append(token)
    lines: list[str] = []
    seen: set[int] = set()
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
        new = [child for child in children.get(token, ()) if child not in seen]
        seen.update(new)
        for i, child in reversed(list(enumerate(new, 1))):
            last = i == len(new)
            stack.append((child, below + ("└─ " if last else "├─ "),
                          below + ("   " if last else "│  ")))
