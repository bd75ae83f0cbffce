"""Kernel models, slow and obvious: toy sentences, and every sum written out."""
from collections import Counter

import numpy as np

from benchmarks.plane_products import kernel_problem
from orange_structpred.kernels import make_kernel
from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.encoding import encode
from tests.parsing.reference import all_trees

LAYER = {"tokens": "forms", "lemmas": "lemmas", "posTags": "upos", "posTags2": "xpos"}
HASH = ("posTags2::dir", "tokens")


def sentence(text, heads):
    """'dogs|dog|NOUN|NNS bark|bark|VERB|VBP': form, lemma and both tags."""
    rows = [(word.split("|"), head) for word, head in zip(text.split(), heads,
                                                          strict=True)]
    return Sentence("\n".join(
        f"{i}\t{form}\t{lemma}\t{upos}\t{xpos}\t_\t{head}\tdep\t_\t_"
        for i, ((form, lemma, upos, xpos), head) in enumerate(rows, start=1)))


TOYS = [sentence(*pair) for pair in (
    ("the|the|DET|DT dog|dog|NOUN|NN barks|bark|VERB|VBZ", (2, 3, 0)),
    ("a|a|DET|DT cat|cat|NOUN|NN sees|see|VERB|VBZ dogs|dog|NOUN|NNS", (2, 3, 0, 3)),
    ("dogs|dog|NOUN|NNS see|see|VERB|VBP the|the|DET|DT cat|cat|NOUN|NN", (2, 0, 4, 2)),
    ("see|see|VERB|VB the|the|DET|DT dog|dog|NOUN|NN ?|?|PUNCT|.", (0, 3, 1, 1)),
    ("cats|cat|NOUN|NNS and|and|CCONJ|CC dogs|dog|NOUN|NNS bark|bark|VERB|VBP",
     (4, 3, 1, 0)),
    ("bark|bark|VERB|VB", (0,)),
    ("the|the|DET|DT cat|cat|NOUN|NN barks|bark|VERB|VBZ loudly|loudly|ADV|RB",
     (2, 3, 0, 3)),
    ("dogs|dog|NOUN|NNS bark|bark|VERB|VBP and|and|CCONJ|CC cats|cat|NOUN|NNS",
     (2, 0, 4, 2)))]


def tree(x):
    """Gold heads with the root's place."""
    return np.append(np.int32(-1), x.heads)


def key(name, x, head, dependent):
    """What two edges must agree in to be equal."""
    base = name.removesuffix("::dir")
    words = ["<root>", *getattr(x, LAYER[base])]
    found = (name, words[head], words[dependent])
    if base != name:
        distance = abs(head - dependent)
        found += ("right" if head < dependent else "left",
                  distance if distance <= 5 else "6-10" if distance <= 10 else "far")
    return found


def phi(x, edges, names=HASH, weights=None):
    """Features of the output side: sum of (edge, value) over edges, by key."""
    weights = weights or [1.] * len(names)
    total = Counter()
    for (head, dependent), value in edges:
        for name, weight in zip(names, weights):
            total[key(name, x, head, dependent)] += value * np.sqrt(weight)
    return total


def gold_minus(x, heads):
    """Edges of the gold tree, and of another one with a minus."""
    return [((h[d], d), value) for h, value in ((tree(x), 1.), (heads, -1.))
            for d in range(1, len(h))]


def product(a, b):
    return sum(value * b[key] for key, value in a.items() if key in b)


def joint(gram, parts, others):
    """sum over i and j of k(x_i, x_j) <parts_i, others_j>: the double sum of (4.8)."""
    return sum(gram[i, j] * product(a, b)
               for i, a in enumerate(parts) for j, b in enumerate(others))


def score(row, parts, x, head, dependent, names=HASH, weights=None):
    """The sufficient weight (4.20) of an edge of x; row has k(x_i, x)."""
    edge = phi(x, [((head, dependent), 1.)], names, weights)
    return sum(k * product(part, edge) for k, part in zip(row, parts))


def scores(row, parts, x, names=HASH, weights=None):
    n = len(x)
    found = np.zeros((n + 1, n + 1))
    for head in range(n + 1):
        for dependent in range(1, n + 1):
            if head != dependent:
                found[head, dependent] = score(
                    row, parts, x, head, dependent, names, weights)
    return found


def tree_score(edge_scores, heads):
    return sum(edge_scores[heads[d], d] for d in range(1, len(heads)))


def hinge(edge_scores, gold, projective=True, single_root=True):
    """max over trees of loss + score - gold score, all trees tried."""
    n = len(gold) - 1
    return max(np.sum(heads != gold) / n + tree_score(edge_scores, heads)
               for heads in all_trees(n, projective, single_root)) - tree_score(
                   edge_scores, gold)


def block_parts(sentences, blocks, names=HASH, weights=None):
    """Difference of gold tree and mixture for each sentence."""
    parts = []
    for x, block in zip(sentences, blocks):
        gold = tree(x)
        edges = []
        for own, share in zip(block.outputs, block.alpha):
            heads = block_heads(x, own)
            for d in range(1, len(gold)):
                edges += [((gold[d], d), share), ((heads[d], d), -share)]
        parts.append(phi(x, edges, names, weights))
    return parts


def block_heads(x, parts):
    """The heads of a tree that a block keeps as its edges."""
    return np.append(-1, parts % (len(x) + 1))


def make_problem(sentences=TOYS, names=HASH, weights=None, kernel="ngram",
                 decoder=PROJECTIVE, single_root=True, product="index", **params):
    """A problem, and the numbers behind its hash values."""
    encoded = encode(sentences)
    hashed, known = hash_edges(sentences, encoded, HashFunctions(names, weights))
    gram = make_kernel(kernel, **params).gram(sentences)
    return kernel_problem(product, encoded, hashed, len(known), gram, decoder,
                          single_root), known


def plane_trees(plane, sentences=TOYS):
    """The trees of a cutting plane, which keeps their edges."""
    features = plane.features.outputs
    return [block_heads(sentences[i], features.symbols[slice(*features.bounds[k:k + 2])])
            for k, i in enumerate(features.examples)]
