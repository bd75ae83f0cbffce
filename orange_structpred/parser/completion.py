"""A tree of which some arcs are known: the parser finds the rest."""
from __future__ import annotations

from collections.abc import Collection

from orange_structpred.errors import InputError
from orange_structpred.parser.constrained import Arc
from orange_structpred.parser.parser import Parser
from orange_structpred.svm.programs import InfeasibleError
from orange_structpred.treebank.editing.taken_apart import with_tree
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence


def complete_tree(parser: Parser, sentence: Sentence, words: Collection[int]) -> Sentence:
    """The sentence with the best tree in which some words have the heads and relations
    that they have already.

    words : those whose arcs stay, from 1 on
    """
    kept = sorted(word for word in words if sentence.heads[word - 1] >= 0)

    relations = [None if relation == EMPTY else relation for relation in sentence.deprels]
    arcs = {word: Arc(int(sentence.heads[word - 1]),
                      relations[word - 1] if parser.relations else None) for word in kept}
    try:
        prediction = parser.predict([sentence], constraints=[arcs])
    except InfeasibleError:
        raise InputError(
            "the parser cannot build a tree with all arcs that are set; a projective "
            "parser cannot build crossing arcs") from None
    if prediction.deprels:
        return with_tree(sentence, prediction.heads[0], prediction.deprels[0])
    return with_tree(sentence, prediction.heads[0], [
        sentence.deprels[word - 1] if word in arcs else EMPTY
        for word in range(1, len(sentence) + 1)])
