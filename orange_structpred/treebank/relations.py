"""The relations of a treebank's tokens as numbers."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

NO_NAME = "_"


class RelationNumbers(NamedTuple):
    """names : the relations, sorted
    numbers : int32, one for each position of an `Encoded`; -1 at roots and where the
        relation is not known
    """

    names: list[str]
    numbers: np.ndarray

    def where(self, known: np.ndarray | None) -> RelationNumbers:
        """The relations of words whose heads are known; None for all of them."""
        if known is None:
            return self
        return self._replace(numbers=np.where(known, self.numbers, np.int32(-1)))


def number_relations(relations: Sequence[Sequence[str]]) -> RelationNumbers:
    """From the relations of each sentence's tokens."""
    names = sorted({name for labels in relations for name in labels} - {NO_NAME, ""})
    return RelationNumbers(names, relation_numbers(names, relations))


def relation_numbers(names: Sequence[str], relations: Sequence[Sequence[str]]
                     ) -> np.ndarray:
    """The number of each token's relation among the names, with the roots' places; -1
    for other relations."""
    numbers = {name: number for number, name in enumerate(names)}
    return np.array([numbers.get(name, -1) for sentence_relations in relations
                     for name in (NO_NAME, *sentence_relations)], np.int32)
