"""Punctuation attached by the rules of Universal Dependencies.

The rules are those of udapi's ``ud.FixPunct``, which comes with the extra
``pip install "orange3-structpred[validate]"``.
"""
from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.treebank.editing.taken_apart import with_tree
from orange_structpred.treebank.layers import PUNCTUATION
from orange_structpred.treebank.sentence import Sentence


def fix_punctuation(sentence: Sentence) -> Sentence:
    """The sentence with all punctuation attached so that it does not cross other arcs:
    to the clause or phrase that it belongs to, paired signs to what is between them.

    Only heads and relations of words tagged PUNCT change.
    """
    if find_spec("udapi") is None:
        raise InputError('attaching punctuation needs udapi; install it with pip install '
                         '"orange3-structpred[validate]"')
    if not sentence.has_heads:
        raise InputError("punctuation can be attached only in complete trees; give all "
                         "words heads first")
    from udapi.block.ud.fixpunct import FixPunct
    from udapi.core.document import Document

    document = Document()
    document.from_conllu_string(sentence.block + "\n\n")
    tree = next(iter(document.bundles)).get_tree()
    FixPunct().process_tree(tree)
    heads, relations = sentence.heads.copy(), list(sentence.deprels)
    for k, node in enumerate(tree.descendants):
        if sentence.upos[k] == PUNCTUATION:
            heads[k], relations[k] = node.parent.ord, node.deprel
    if np.array_equal(heads, sentence.heads) and relations == list(sentence.deprels):
        return sentence
    return with_tree(sentence, heads, relations)
