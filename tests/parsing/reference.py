"""Slow and obvious: all trees, and decoders that follow their definitions."""
from functools import cache
from itertools import product

import numpy as np

from orange_structpred.parsing.decoding import trees
from orange_structpred.treebank.projectivity import crossed


def reaches_root(heads, token) -> bool:
    for _ in range(len(heads)):
        if token == 0:
            return True
        token = heads[token]
    return False


def is_tree(heads) -> bool:
    return all(reaches_root(heads, token) for token in range(1, len(heads)))


def dominates(heads, above, below) -> bool:
    while below not in (above, -1):
        below = heads[below]
    return below == above


def is_projective(heads) -> bool:
    """A head dominates all that stands between it and its dependents."""
    return all(dominates(heads, heads[token], between)
               for token in range(1, len(heads))
               for between in range(min(token, heads[token]) + 1,
                                    max(token, heads[token])))


def is_projective_tree(heads) -> bool:
    """The same of any heads, as the library tells it."""
    heads = np.asarray(heads)
    return bool(trees.is_tree(heads.astype(np.int32))
                and not crossed(heads[1:], np.array([0, len(heads) - 1]))[0])


@cache
def all_trees(n: int, projective: bool = False, single_root: bool = False):
    """All trees over n tokens: (number, n + 1) array of heads."""
    found = []
    for chosen in product(range(n + 1), repeat=n):
        heads = (-1,) + chosen
        if single_root and chosen.count(0) != 1:
            continue
        if is_tree(heads) and (not projective or is_projective(heads)):
            found.append(heads)
    return np.array(found)


def tree_scores(scores, trees):
    """The scores of trees, (..., n + 1), in double precision."""
    trees = np.asarray(trees)
    tokens = np.arange(1, trees.shape[-1])
    return scores.astype(np.float64)[trees[..., 1:], tokens].sum(-1)


def best_score(scores, *, projective: bool, single_root: bool) -> float:
    """The highest score of a tree, by enumeration."""
    trees = all_trees(len(scores) - 1, projective, single_root)
    return tree_scores(scores, trees).max()


def find_cycle(heads: dict):
    for start in heads:
        seen = [start]
        while heads.get(seen[-1]) is not None:
            above = heads[seen[-1]]
            if above in seen:
                return seen[seen.index(above):]
            seen.append(above)
    return None


def chu_liu_edmonds(weights: dict, n_vertices: int) -> dict:
    """Heads of the best tree under vertex 0: weights maps (head, dependent)."""
    heads = {}
    for (head, token), weight in weights.items():
        if token not in heads or weight > weights[heads[token], token]:
            heads[token] = head
    cycle = find_cycle(heads)
    if cycle is None:
        return heads
    new = n_vertices
    smaller, origin = {}, {}
    for (head, token), weight in weights.items():
        if head in cycle and token in cycle:
            continue
        if token in cycle:
            edge, weight = (head, new), weight - weights[heads[token], token]
        elif head in cycle:
            edge = (new, token)
        else:
            edge = (head, token)
        if edge not in smaller or weight > smaller[edge]:
            smaller[edge], origin[edge] = weight, (head, token)
    result = {token: heads[token] for token in cycle}
    for token, head in chu_liu_edmonds(smaller, n_vertices + 1).items():
        original_head, original_token = origin[head, token]
        result[original_token] = original_head
    return result


def mst(scores, single_root: bool):
    """The best tree; for one root child each is tried with the other ones forbidden."""
    n = len(scores) - 1
    weights = {(head, token): float(scores[head, token])
               for head in range(n + 1) for token in range(1, n + 1) if head != token}
    if not single_root:
        heads = chu_liu_edmonds(weights, n + 1)
        return np.array([-1] + [heads[token] for token in range(1, n + 1)])
    candidates = []
    for child in range(1, n + 1):
        allowed = {(head, token): weight for (head, token), weight in weights.items()
                   if (head == 0) == (token == child)}
        heads = chu_liu_edmonds(allowed, n + 1)
        candidates.append([-1] + [heads[token] for token in range(1, n + 1)])
    return np.array(max(candidates, key=lambda heads: tree_scores(scores, heads)))


def projective_score(scores, single_root: bool) -> float:
    """The highest score of a projective tree, over spans with their heads."""
    scores = scores.astype(np.float64)

    @cache
    def span(first, last, head):
        """The best tree over first..last below head, one of them."""
        if first == last:
            return 0.0
        best = -np.inf
        for split in range(first, last):
            if head <= split:
                mine, other = (first, split), (split + 1, last)
            else:
                mine, other = (split + 1, last), (first, split)
            for token in range(other[0], other[1] + 1):
                best = max(best, span(*mine, head) + span(*other, token)
                           + scores[head, token])
        return best

    n = len(scores) - 1
    if not single_root:
        return span(0, n, 0)
    return max(span(1, n, child) + scores[0, child] for child in range(1, n + 1))


def rearrange(scores, heads, single_root: bool):
    """McDonald and Pereira's loop: all changes of one head, the best one is made."""
    heads = list(heads)
    while True:
        best = 0
        for token in range(1, len(heads)):
            for head in range(len(heads)):
                changed = heads[:token] + [head] + heads[token + 1:]
                if not is_tree(changed):
                    continue
                if single_root and changed.count(0) != 1:
                    continue
                gain = scores[head, token] - scores[heads[token], token]
                if gain > best:
                    best, change = gain, changed
        if not best > 0:
            return np.array(heads)
        heads = change
