"""Trees of which something is known: the parser finds the rest."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import LinearConstraint

from orange_structpred.errors import InputError
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.relations.relation_model import RelationModel
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.running.cancellation import CheckCancelled
from orange_structpred.svm.programs import (
    Constraints,
    InfeasibleError,
    IntegerProgram,
    coerce_constraints,
)
from orange_structpred.treebank.editing.taken_apart import with_tree
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from orange_structpred.parser.parser import Parser

#: Tokens of sentences whose trees are found by integer programs
LONGEST_CONSTRAINED = 100
ROOT_RELATION = "root"          # of Universal Dependencies


class Arc(NamedTuple):
    """What is known of a token: its head (0 is the root), its relation, or both."""

    head: int | None = None
    relation: str | None = None


#: What is known of the tokens of a sentence, by their numbers from 1 on
KnownArcs = Mapping[int, Arc]


def check_known_arcs(known: Sequence[KnownArcs], sentences: Sequence[Sentence],
                     relations: RelationModel | None) -> list[dict[int, Arc]]:
    """Known arcs for each of some sentences, or an InputError that names the sentence."""
    if isinstance(known, Mapping) or not isinstance(known, Sequence):
        raise InputError("constraints must be a function, or a list with a dictionary of "
                         f"known arcs for each sentence, not a {type(known).__name__}")
    if len(known) != len(sentences):
        raise InputError(f"there are {len(known)} constraints for {len(sentences)} "
                         "sentences; give one dictionary for each, which may be empty")
    checked = []
    for number, (arcs, sentence) in enumerate(zip(known, sentences), 1):
        checked.append({token: Arc(*arc) for token, arc in arcs.items()})
        for token, (head, relation) in checked[-1].items():
            n = len(sentence)
            if not 1 <= token <= n or head is not None and not (
                    0 <= head <= n and head != token):
                raise InputError(f"sentence {number} has {n} tokens; token {token} cannot "
                                 f"have the head {head}")
            if relation is not None and relations is None:
                raise InputError(f"sentence {number}: the parser has learned no relations; "
                                 "leave them out of the constraints")
    return checked


class KnownHeads:
    """Constraints that known arcs put on the tree of a sentence.

    In Universal Dependencies, the relation of a token tells whether it depends on the
    root, even where its head is not known.
    """

    def __init__(self, arcs: KnownArcs, *, universal: bool):
        self.edges = {(arc.head, token) for token, arc in arcs.items()
                      if arc.head is not None}
        self.no_edges: set[tuple[int, int]] = set()
        for token, (head, relation) in arcs.items():
            if universal and head is None and relation is not None:
                (self.edges if relation == ROOT_RELATION else self.no_edges).add((0, token))

    def fit(self, heads: np.ndarray) -> bool:
        """Whether a tree has what is known."""
        return all(heads[token - 1] == head for head, token in self.edges) \
            and all(heads[token - 1] != head for head, token in self.no_edges)

    def __call__(self, program: IntegerProgram, sentence: Sentence
                 ) -> list[LinearConstraint]:
        return [program.limit(self.edges, at_least=len(self.edges)),
                program.limit(self.no_edges, at_most=0)]


class ConstrainedTrees:
    """A part of `Parser`."""

    model: TreeModel
    relations: RelationModel | None
    decoder: str
    single_root: bool

    def heads_with(self, known: Sequence[KnownArcs], sentences: Sequence[Sentence],
                   heads: Sequence[np.ndarray], first: int,
                   check_cancelled: CheckCancelled) -> list[np.ndarray]:
        """Predicted heads where they have what is known, else those of the best trees that
        have it.

        first : as in `heads_within`
        """
        universal = self.relations is not None and ROOT_RELATION in self.relations.names
        result = []
        for number, (arcs, sentence, tree) in enumerate(zip(known, sentences, heads), first):
            constraints = KnownHeads(arcs, universal=universal)
            result.append(tree if constraints.fit(tree) else self.heads_within(
                [sentence], constraints, number, check_cancelled)[0])
        return result

    def heads_within(self, sentences: Sequence[Sentence], constraints: Constraints,
                     first: int, check_cancelled: CheckCancelled) -> list[np.ndarray]:
        """Heads of the best trees that satisfy constraints.

        first : the number of the first sentence, for messages
        """
        trees: list[np.ndarray] = []
        for number, sentence in enumerate(sentences, first + 1):
            check_cancelled()
            if len(sentence) > LONGEST_CONSTRAINED:
                raise InputError(
                    f"sentence {number} has {len(sentence)} tokens; expected at most "
                    f"{LONGEST_CONSTRAINED} where there are constraints")
            try:
                trees.append(self._best_within(sentence, constraints))
            except InfeasibleError as error:
                raise InfeasibleError(f"sentence {number}: {error}") from None
        return trees

    def _best_within(self, sentence: Sentence, constraints: Constraints) -> np.ndarray:
        """The best tree of the edges that pruning leaves, if there is one; else of those
        and the ones that constraints are about; else of all edges."""
        unpruned = np.zeros((len(sentence) + 1, len(sentence) + 1), bool)
        while True:
            program = self.model.tree_program(
                sentence, DECODERS[self.decoder], self.single_root, unpruned)
            try:
                return program.best_for(sentence, constraints)
            except InfeasibleError:
                if unpruned.all():
                    raise
            named = named_edges(program, constraints(program, sentence), unpruned)
            unpruned = np.ones_like(named) if (named == unpruned).all() else named


def named_edges(program: IntegerProgram, constraints, edges: np.ndarray) -> np.ndarray:
    """Edges that constraints are about, and those that are True already."""
    named = edges.copy()
    n = (len(edges) - 1)**2     # the first variables are those of edges
    for each in coerce_constraints(constraints, len(program.weights)):
        for column in np.unique(each.A[:, :n].nonzero()[1]):
            named[program.names[column]] = True
    return named


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
