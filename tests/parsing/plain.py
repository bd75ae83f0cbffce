"""Edge features as strings, straight from the table, and what follows from them.

Slow and obvious: no hashing, no sharing of work between edges. A feature that no
gold edge has is unknown here, as in a dictionary with a minimum count of 1.
"""
from collections import Counter

import numpy as np

from orange_structpred.parsing.features.edge_scoring import (
    dictionary_index,
    edge_numbers,
    kinds_before,
)
from orange_structpred.parsing.features.edge_templates import (
    FIRST_ORDER_GROUPS,
    distance_slot,
)
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.guesses import (
    CONJUNCTS,
    IN_NOUN_PHRASE,
    NO_CLAUSE_BEGIN,
    NOUNS,
)
from orange_structpred.treebank.normal_form import normal_form
from tests.parsing.brute import block_heads

COUNTED = {
    "verbs": lambda form, upos: upos[0] == "V" or upos == "AUX",
    "commas": lambda form, upos: form in ",;،、，",
    "conjunctions": lambda form, upos: upos in ("CCONJ", "CC", "KON"),
    "nouns": lambda form, upos: upos in ("NOUN", "PROPN", "PRON", "NN", "NE"),
}


LAYERS = {
    "form": lambda x: list(map(normal_form, x.forms)),
    "lemma": lambda x: list(map(normal_form, x.lemmas)),
    "upos": lambda x: x.upos,
    "xpos": lambda x: x.xpos,
    "feats": lambda x: x.feats,
    "ending": lambda x: [normal_form(form)[-3:].lower() for form in x.forms],
    "shape": lambda x: [shape(normal_form(form)) for form in x.forms],
    "marker": lambda x: markers(x.lemmas, x.upos, x.feats),
    "coordinator": lambda x: coordinators(x.lemmas, x.upos),
}


def markers(lemmas, tags, feats) -> list[str]:
    """For each word the word before it that may mark its place in the sentence."""
    result = []
    preposition = subordinator = ""
    for lemma, tag, own in zip(lemmas, tags, feats):
        result.append(preposition if tag in NOUNS else
                      subordinator if tag in ("VERB", "AUX") else "")
        if tag == "ADP":
            preposition = lemma
        elif tag not in IN_NOUN_PHRASE:
            preposition = ""
        if tag in ("SCONJ", "PART") or "PronType=Rel" in own or "PronType=Int" in own:
            subordinator = lemma
        elif tag in NO_CLAUSE_BEGIN:
            subordinator = ""
    return result


def coordinators(lemmas, tags) -> list[str]:
    """For each word the conjunction that it may be joined by."""
    result = []
    conjunction = last = ""
    for lemma, tag in zip(lemmas, tags):
        if tag == "PUNCT" or (last in CONJUNCTS and tag != last):
            conjunction = ""
        result.append(conjunction)
        if tag == "CCONJ":
            conjunction = lemma
        last = tag
    return result


def shape(form) -> str:
    """'McDonald-15' is 'XxXx-9'."""
    signs = ["X" if sign.isupper() else "x" if sign.islower() else
             "9" if sign.isdigit() else sign for sign in form]
    return "".join(sign for place, sign in enumerate(signs)
                   if place == 0 or signs[place - 1] != sign)


def distance(head, dependent) -> str:
    """The thesis's seven classes, and the direction."""
    steps = abs(head - dependent)
    size = ">10" if steps > 10 else ">5" if steps > 5 else str(steps)
    return ("right " if head < dependent else "left ") + size


def neighbour(values, token, offset) -> str:
    if offset == 0:
        return values[token]
    if token == 0 or token + offset < 1 or token + offset >= len(values):
        return "before all" if offset < 0 else "after all"
    return values[token + offset]


def template_features(text, sentence, layers, head, dependent) -> list[str]:
    """What one template says of an edge, without distance."""
    between = range(min(head, dependent) + 1, max(head, dependent))
    fixed, choices = [], [""]
    for atom in text.split():
        who, layer = atom.split(".")
        if who == "n":
            count = sum(COUNTED[layer](sentence.forms[k - 1], sentence.upos[k - 1])
                        for k in between)
            fixed.append(f"{atom}={min(4, count)}")
        elif who == "b":
            choices = list(dict.fromkeys(f"{atom}={layers[layer][k]}" for k in between))
        else:
            token = head if who[0] == "h" else dependent
            fixed.append(f"{atom}=" + neighbour(layers[layer], token,
                                                int(who[1:] or 0)))
    return [" ".join([f"[{text}]", *fixed, choice]) for choice in choices]


def edge_features(sentence, head, dependent, groups=tuple(FIRST_ORDER_GROUPS)) -> list[str]:
    """All features of an edge: each without and with direction and distance."""
    layers = {name: ["<root>", *values(sentence)] for name, values in LAYERS.items()}
    texts = [text for group in groups for text in FIRST_ORDER_GROUPS[group]]
    # as the fast code has them: those with words between last
    texts.sort(key=lambda text: "b." in text)
    bare = [feature for text in texts for feature in
            template_features(text, sentence, layers, head, dependent)]
    here = f" at {distance(head, dependent)}"
    return [name for feature in bare for name in (feature, feature + here)]


def edges(sentence):
    n = len(sentence)
    return [(head, dependent) for head in range(n + 1)
            for dependent in range(1, n + 1) if head != dependent]


def gold_edges(sentence):
    return [(int(head), d) for d, head in enumerate(sentence.heads, start=1)]


def count_features(sentences, groups) -> Counter:
    """How often each feature is seen in gold edges."""
    return Counter(feature for sentence in sentences
                   for edge in gold_edges(sentence)
                   for feature in edge_features(sentence, *edge, groups))


def fast_numbers(tokens, head, dependent, feature_map):
    """(number, slot) of each feature, in the order of `edge_features`.

    tokens : those of the encoded sentence
    """
    templates = feature_map.arrays
    numbers = np.empty(len(templates.salts) + len(templates.between) * len(tokens),
                       np.uint64)
    found = edge_numbers(tokens, templates, kinds_before(tokens), head, dependent,
                         numbers, np.empty(len(numbers), np.int32))
    slot = np.uint64(distance_slot(head, dependent))
    return [(number, with_slot) for number in numbers[:found]
            for with_slot in (np.uint64(0), slot)]


def feature_places(sentences, feature_map, indices) -> dict[str, int]:
    """Where a dictionary has the weight of each feature of the gold edges."""
    found = {}
    for sentence in sentences:
        tokens = encode([sentence]).tokens
        for edge in gold_edges(sentence):
            for name, (number, slot) in zip(
                    edge_features(sentence, *edge, feature_map.groups),
                    fast_numbers(tokens, *edge, feature_map), strict=True):
                found[name] = dictionary_index(number, slot, indices)
    return found


class PlainObjective:
    """The objective of sentences, from strings.

    Parameters
    ----------
    sentences, groups : what is learned from, with which features
    decode : best score of a tree, given a matrix of scores
    """

    def __init__(self, sentences, groups, decode):
        self.sentences, self.decode = sentences, decode
        self.ids = {}
        for feature in count_features(sentences, groups):
            self.ids[feature] = len(self.ids)
        self.edges = [
            {edge: self.known(edge_features(sentence, *edge, groups))
             for edge in edges(sentence)} for sentence in sentences]

    def known(self, features) -> np.ndarray:
        return np.array([self.ids[f] for f in features if f in self.ids], np.int64)

    def primal(self, w, C) -> float:
        """1/2 |w|^2 + C * mean of the hinge losses."""
        hinges = []
        for sentence, own in zip(self.sentences, self.edges):
            n = len(sentence)
            scores = np.zeros((n + 1, n + 1))
            gold = gold_edges(sentence)
            for edge, ids in own.items():
                scores[edge] = w[ids].sum() + (edge not in gold) / n
            hinges.append(max(0., self.decode(scores) - sum(scores[e] for e in gold)))
        return w @ w / 2 + C * np.mean(hinges)

    def dual(self, blocks, C) -> float:
        """C * mean loss of the mixtures - 1/2 |C * mean difference|^2."""
        w, loss = np.zeros(len(self.ids)), 0.
        for sentence, own, block in zip(self.sentences, self.edges, blocks):
            assert abs(block.alpha.sum() - 1) < 1e-9 and block.alpha.min() >= 0
            for parts, share in zip(block.outputs, block.alpha):
                heads = block_heads(sentence, parts)
                for edge in gold_edges(sentence):
                    if heads[edge[1]] != edge[0]:
                        loss += share / len(sentence)
                        np.add.at(w, own[edge], share)
                        np.add.at(w, own[heads[edge[1]], edge[1]], -share)
        w *= C / len(blocks)
        return C * loss / len(blocks) - w @ w / 2
