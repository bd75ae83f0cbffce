"""Why an edge has its relation, and not another one."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from orange_structpred.array_types import Integers
from orange_structpred.parsing.features.contributions import (
    Contribution,
    NetContribution,
    SentenceWords,
    distance_name,
    feature_names,
)
from orange_structpred.parsing.features.edge_templates import distance_slot
from orange_structpred.parsing.features.feature_names import NET_NAME, NO_WORD
from orange_structpred.parsing.neural.net_model import NetModel
from orange_structpred.parsing.relations.labeler import (
    MANY_CHILDREN,
    relation_rows,
    score_relations,
    surround,
)
from orange_structpred.parsing.relations.relation_model import RelationModel
from orange_structpred.parsing.relations.relation_templates import (
    RELATION_ROLES,
    template_names,
)
from orange_structpred.parsing.second_order.token_layers import (
    UPOS,
    make_layers,
    with_neighbours,
)
from orange_structpred.treebank.encoding import encode

#: Of 0.1 to 1, the best on the development part of UD English EWT (1,000 training sentences)
RELATION_TEMPERATURE = 0.1


class RelationExplanation(NamedTuple):
    """A relation and what speaks for it against another one.

    relation, rival : their names; "" if there is no other relation
    contributions : how much more each feature adds to the relation's score than to the
        rival's, the strongest first
    """

    relation: str
    rival: str
    contributions: list[Contribution]


class ScoredWord(NamedTuple):
    """The scores of a word's relations, and what they are made of.

    tree : the heads, with the root at position 0
    roles : the tokens that features look at
    rows : of the weights of its features
    bonuses : what a net adds to each score; empty without one
    scores : one for each relation of the model
    """

    tree: np.ndarray
    roles: np.ndarray
    rows: np.ndarray
    bonuses: np.ndarray
    scores: np.ndarray


def score_word(model: RelationModel, sentence, heads: Integers, dependent: int,
               net: NetModel | None = None) -> ScoredWord:
    """How well each relation suits a word in a tree."""
    tree = np.concatenate([[-1], heads]).astype(np.int32)
    encoded = encode([sentence])
    tokens = encoded.tokens
    layers = make_layers(tokens)
    roles, words = surround(tree, layers, tokens[:, UPOS])
    rows = np.empty(model.templates.salts.size, np.uint32)
    relation_rows(*with_neighbours(layers.values), roles[dependent], words[dependent],
                  model.templates, model.shift, rows)
    scores = np.empty(len(model.names), np.float32)
    score_relations(model.weights, rows, scores)
    bonuses = model.bonuses(None if net is None else net.scores([sentence], encoded), tree)
    added = bonuses[dependent] if len(bonuses) else np.empty(0, np.float32)
    if len(added):
        scores += added
    return ScoredWord(tree, roles[dependent], rows, added, scores)


def relation_probabilities(model: RelationModel, sentence, heads: Integers,
                           dependent: int, net: NetModel | None = None
                           ) -> dict[str, float]:
    """The probability of each relation of a word in a tree, the highest first."""
    scores = score_word(model, sentence, heads, dependent, net).scores
    shares = softmax(scores.astype(float) / RELATION_TEMPERATURE)
    return {model.names[k]: float(shares[k])
            for k in np.argsort(-shares, kind="stable").tolist()}


def explain_relation(model: RelationModel, sentence, heads: Integers,
                     dependent: int, relation: str | None = None,
                     rival: str | None = None, net: NetModel | None = None
                     ) -> RelationExplanation:
    """heads : of the tree
    relation : by default the one that the model chooses
    rival : by default the best of the others
    net : that has a say in the choice
    """
    tree, roles, rows, bonuses, scores = score_word(model, sentence, heads, dependent, net)
    order = np.argsort(-scores, kind="stable")
    explained = order[0] if relation is None else model.names.index(relation)
    others = order[order != explained] if rival is None else [model.names.index(rival)]
    values = model.weights[rows, explained].astype(float)
    if len(others):
        values -= model.weights[rows, others[0]]
    names = feature_names(
        template_names(model.groups), SentenceWords(sentence),
        dict(zip(RELATION_ROLES, roles.tolist())), {},
        described=describe_dependent(sentence.upos, tree, dependent))
    contributions = [Contribution(name, float(value)) for name, value in zip(names, values)
                     if value]
    if len(bonuses):
        more = float(bonuses[explained])
        contributions.append(NetContribution(
            NET_NAME, more - float(bonuses[others[0]]) if len(others) else more))
    return RelationExplanation(
        model.names[explained], model.names[others[0]] if len(others) else "",
        sorted(contributions, key=lambda item: -abs(item.value)))


def describe_dependent(tags: Sequence[str], tree: np.ndarray,
                       dependent: int) -> dict[str, str]:
    """What ``n`` says of a dependent in a tree."""
    head = int(tree[dependent])
    below, beside = (np.flatnonzero(tree == token) for token in (dependent, head))

    def count(number: int) -> str:
        return str(number) if number < MANY_CHILDREN else f"{MANY_CHILDREN}+"

    def tags_of(children: np.ndarray) -> str:
        return " ".join(tags[child - 1] for child in children) or NO_WORD

    left = int(np.sum(below < dependent))
    return {"distance": distance_name(distance_slot(head, dependent)).removeprefix("distance "),
            "children": f"{count(left)} and {count(len(below) - left)}",
            "below": tags_of(below), "beside": tags_of(beside),
            "arity": f"{count(1 + int(np.sum(beside < dependent)))} of "
                     f"{count(len(beside))}"}
