"""A tree of which some arcs are known: the parser finds the rest."""
from __future__ import annotations

from collections.abc import Collection

from scipy.optimize import LinearConstraint

from orange_structpred.errors import InputError
from orange_structpred.parser.parser import Parser
from orange_structpred.svm.programs import InfeasibleError, IntegerProgram
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence


def complete_tree(parser: Parser, sentence: Sentence, words: Collection[int]) -> Sentence:
    """The sentence with the best tree in which some words have the heads and relations
    that they have already.

    words : those whose arcs stay, from 1 on
    """
    kept = sorted(word for word in words if sentence.heads[word - 1] >= 0)

    def keep(program: IntegerProgram, sentence: Sentence) -> LinearConstraint:
        return program.limit([(int(sentence.heads[word - 1]), word) for word in kept],
                             at_least=len(kept))

    try:
        prediction = parser.predict([sentence], constraints=keep if kept else None)
    except InfeasibleError:
        raise InputError(
            "no tree that the parser can build has all of the arcs that are set; a "
            "projective parser cannot build crossing arcs") from None
    relations = list(prediction.deprels[0]) if prediction.deprels \
        else [EMPTY] * len(sentence)
    for word in kept:
        if sentence.deprels[word - 1] != EMPTY:
            relations[word - 1] = sentence.deprels[word - 1]
    return sentence.with_heads(prediction.heads[0], relations)
