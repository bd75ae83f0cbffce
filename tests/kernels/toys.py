"""Small sentences, and slow and obvious ways to compute what kernels compute."""
from itertools import combinations
from math import prod

import numpy as np
from hypothesis import strategies as st

from orange_structpred.treebank import Sentence


def sentence(text, heads=None):
    """'The|the|DET dog|dog|NOUN': form, lemma and tag; without bars only forms.

    Heads are the tokens before, unless they are given ("_": unknown).
    """
    words = [(word.split("|") + ["_", "_"])[:3] for word in text.split()]
    heads = range(len(words)) if heads is None else heads
    return Sentence("\n".join(
        f"{i}\t{form}\t{lemma}\t{tag}\t_\t_\t{head}\t{'root' if head == 0 else 'dep'}"
        "\t_\t_" for i, ((form, lemma, tag), head)
        in enumerate(zip(words, heads, strict=True), start=1)))


TOYS = [sentence(text) for text in (
    "The|the|DET dog|dog|NOUN sees|see|VERB the|the|DET cat|cat|NOUN",
    "the|the|DET cat|cat|NOUN saw|see|VERB the|the|DET dog|dog|NOUN",
    "Dogs|dog|NOUN bark|bark|VERB",
    "a|a|DET b|_|NOUN a|a|DET b|_|NOUN a|a|DET",
    "no|no|ADV",
    "the|the|DET dog|dog|NOUN ,|,|PUNCT the|the|DET cat|cat|NOUN ,|,|PUNCT and|and|CCONJ")]

# Letters as tokens: few, so that sequences have much in common.
sequences = st.lists(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy_"),
                                        st.sampled_from("NV")), min_size=1, max_size=7),
                     min_size=1, max_size=20)


def as_sentences(drawn):
    return [sentence(" ".join("|".join(token) for token in tokens)) for tokens in drawn]


def subsequence_kernel(a, b, n, decay, match):
    """The definition: all pairs of index tuples, one by one."""
    total = 0.0
    for p in range(1, n + 1):
        for i in combinations(range(len(a)), p):
            for j in combinations(range(len(b)), p):
                product = prod(match(a, k, b, m) for k, m in zip(i, j, strict=True))
                total += product * decay ** (i[-1] - i[0] + 1 + j[-1] - j[0] + 1)
    return total


def fragments(tree):
    """All fragments of a tree as tuples, with how many productions they have."""
    found = []

    def rooted(node):
        """Fragments with their root in this node."""
        options = [[(child.label, 0)] + (rooted(child) if child.children else [])
                   for child in node.children]
        result = [((node.label,), 1)]
        for choices in options:
            result = [((*shape, part), size + more) for shape, size in result
                      for part, more in choices]
        return result

    for node in tree.nodes():
        if node.children:
            found += rooted(node)
    return found


def matrix(k, rows, columns):
    return np.array([[k(a, b) for b in columns] for a in rows])


def assert_kernel_matrix(gram, *, tolerance=1e-5):
    """Symmetric to the last bit, no eigenvalue below zero but for rounding."""
    assert gram.dtype == np.float32
    assert (gram == gram.T).all()
    values = np.linalg.eigvalsh(gram.astype(np.float64))
    assert values[0] >= -tolerance * max(values[-1], 1e-12)
