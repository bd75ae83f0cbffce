"""Maximum spanning trees: Chu-Liu/Edmonds in O(n^2) for dense graphs.

The algorithm is Tarjan's, in the form of Gabow, Galil, Spencer and Tarjan (1986): a
path is grown backwards along the best incoming edges; where it bites its own tail, the
cycle is contracted into one vertex and the path goes on from there. Each of the at most
2n vertices is asked once for its best edge and merged once into another, O(n) each.
"""
import numpy as np

from orange_structpred.running.compiler import njit

UNSEEN, ON_PATH, DONE = 0, 1, 2


@njit(nogil=True, cache=True)
def _merge_cycle(weights, entry, best, group, members, n_members):
    """Merge the rows of the members of a cycle into the row of the first one.

    Entering a cycle at some member saves that member's edge within the cycle, so the
    weights of the edges into a member are counted from its best one.
    """
    n_vertices = weights.shape[1]
    row = members[0]
    for head in range(n_vertices):
        weights[row, head] -= best[row]
    for i in range(1, n_members):
        member = members[i]
        for head in range(n_vertices):
            weight = weights[member, head] - best[member]
            if weight > weights[row, head]:
                weights[row, head] = weight
                entry[row, head] = entry[member, head]
        for vertex in range(n_vertices):
            if group[vertex] == member:
                group[vertex] = row
    for vertex in range(n_vertices):
        if group[vertex] == row:
            weights[row, vertex] = -np.inf


@njit(nogil=True, cache=True)
def _best_head(weights, row, first):
    """The head of the best edge into a row, from vertex `first` on; 0 if there is none.

    Forbidden edges (-inf) and edges from within the row's own group are none.
    """
    best_head = 0
    best = -np.inf
    for head in range(first, weights.shape[1]):
        if weights[row, head] > best:
            best = weights[row, head]
            best_head = head
    return best_head


@njit(nogil=True, cache=True)
def _unfold(parent, edge_head, edge_entry, n_nodes, heads):
    """Undo the contractions from the last to the first.

    The edge into a contracted cycle replaces the edges into all those vertices within
    it that hold its entry; the others keep the edges along the cycle.
    """
    settled = np.zeros(n_nodes, np.bool_)
    for node in range(n_nodes - 1, 0, -1):
        if settled[node]:
            continue
        token = edge_entry[node]
        heads[token] = edge_head[node]
        inner = token
        while inner != node:
            settled[inner] = True
            inner = parent[inner]


@njit(nogil=True, cache=True)
def _spanning_tree(weights, root_last):
    """The maximum spanning tree over weights[dependent, head], which is overwritten.

    With `root_last` an edge from the root is taken only by a vertex which no other edge
    enters. This is Edmonds' algorithm on the pairs (-number of root edges, weight) in
    lexicographic order, so it gives the best of the trees with the fewest root edges.
    No pairs are needed: a cycle never holds the root, so the first components of all
    contracted weights stay what they are, -1 for root edges and 0 for others.
    """
    n_vertices = weights.shape[0]
    n_nodes = n_vertices
    heads = np.empty(n_vertices, np.int32)
    heads[0] = -1
    # A row stands for a token or a contracted cycle, a column always for one vertex;
    # entry[row, head] is the token at which the edge from this head enters the row.
    # Each contraction makes a new node: the rows' history is a forest of nodes, in
    # which parents have higher numbers.
    entry = np.empty((n_vertices, n_vertices), np.int32)
    group = np.arange(n_vertices)  # vertex -> row
    node_of = np.arange(n_vertices)  # row -> node
    state = np.zeros(n_vertices, np.uint8)
    best = np.zeros(n_vertices, weights.dtype)
    path = np.empty(n_vertices, np.int64)
    parent = np.zeros(2 * n_vertices, np.int64)
    edge_head = np.zeros(2 * n_vertices, np.int32)
    edge_entry = np.zeros(2 * n_vertices, np.int32)
    for token in range(n_vertices):
        entry[token, :] = token
        weights[token, token] = -np.inf
    state[0] = DONE
    root_child = 0
    for start in range(1, n_vertices):
        if state[group[start]] == DONE:
            continue
        length = 1
        path[0] = start
        state[start] = ON_PATH
        while True:
            row = path[length - 1]
            head = _best_head(weights, row, 1 if root_last else 0)
            if head == 0 and root_last:
                # A second root edge means that no permitted tree has only one: keep
                # to one by a forbidden edge instead.
                head = root_child
                if root_child == 0:
                    root_child = entry[row, 0]
            node = node_of[row]
            edge_head[node] = head
            edge_entry[node] = entry[row, head]
            best[row] = weights[row, head]
            next_row = group[head]
            if state[next_row] == DONE:
                for i in range(length):
                    state[path[i]] = DONE
                break
            if state[next_row] == UNSEEN:
                state[next_row] = ON_PATH
                path[length] = next_row
                length += 1
                continue
            first = length - 1
            while path[first] != next_row:
                first -= 1
            for i in range(first, length):
                parent[node_of[path[i]]] = n_nodes
            _merge_cycle(weights, entry, best, group, path[first:], length - first)
            node_of[next_row] = n_nodes
            n_nodes += 1
            length = first + 1
    _unfold(parent, edge_head, edge_entry, n_nodes, heads)
    return heads


@njit(nogil=True, cache=True)
def mst(scores, single_root):
    """The tree of the highest score, non-projective ones included.

    scores : (n + 1, n + 1) float array, scores[head, dependent]; -inf forbids an edge
    single_root : whether the root must have exactly one child

    Returns heads, (n + 1,) int32 with heads[0] = -1: always a tree, and one without
    forbidden edges if there is any. Float64 inside: contraction subtracts weights again
    and again, and one compiled version serves all kinds of scores.
    """
    n_vertices = scores.shape[0]
    weights = np.empty((n_vertices, n_vertices), np.float64)
    root_last = False
    while True:
        for head in range(n_vertices):
            for token in range(n_vertices):
                weights[token, head] = scores[head, token]
        heads = _spanning_tree(weights, root_last)
        n_children = 0
        for token in range(1, n_vertices):
            n_children += heads[token] == 0
        # Most often the best tree of all has only one root child anyway.
        if n_children <= 1 or not single_root or root_last:
            return heads
        root_last = True
