"""Bracketed trees out of dependency trees.

Each word that has dependents is the head of a phrase of all of them, named after its
part of speech; so the sentences of the grammar become a treebank of phrases.

    from tools.grammar.brackets import phrase_trees
    trees = phrase_trees("en", 1000, seed=1)
"""
from __future__ import annotations

from collections.abc import Sequence

from orange_structpred.problems.grammar.trees import PhraseTree
from orange_structpred.treebank.projectivity import crossed, flatten

from . import generate

#: Names of phrases by the part of speech of their heads; others are XP
PHRASES = {"NOUN": "NP", "PROPN": "NP", "PRON": "NP", "VERB": "VP", "AUX": "VP",
           "ADJ": "AP", "ADV": "ADVP", "ADP": "PP", "NUM": "NP"}


def phrase_tree(forms: Sequence[str], tags: Sequence[str], upos: Sequence[str],
                heads: Sequence[int], deprels: Sequence[str]) -> PhraseTree:
    """The phrases of a projective tree; a noun phrase with a preposition is a PP, the
    phrase of the root and of a clause an S."""
    children: list[list[int]] = [[] for _ in range(len(forms) + 1)]
    for token, head in enumerate(heads, 1):
        children[head].append(token)

    def build(token: int) -> PhraseTree:
        leaf = PhraseTree(tags[token - 1], (forms[token - 1],))
        below = children[token]
        if not below:
            return leaf
        parts = [build(own) if own != token else leaf
                 for own in sorted([*below, token])]
        label = PHRASES.get(upos[token - 1], "XP")
        relation = deprels[token - 1].partition(":")[0]
        if relation in ("root", "ccomp", "advcl", "acl", "xcomp", "parataxis"):
            label = "S"
        elif label == "NP" and any(deprels[own - 1].startswith("case") for own in below):
            label = "PP"
        return PhraseTree(label, tuple(parts))

    return build(children[0][0])


def phrase_trees(language: str, n: int, seed: int = 0) -> list[PhraseTree]:
    """Trees of those of n sentences whose dependency trees are projective."""
    sentences = generate(language, n, seed)
    wrong = crossed(*flatten([sentence.heads for sentence in sentences]))
    return [phrase_tree(own.forms, own.xpos, own.upos, own.heads.tolist(), own.deprels)
            for own, is_crossed in zip(sentences, wrong) if not is_crossed]
