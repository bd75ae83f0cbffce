"""A matcher that anybody can check: all words for all nodes, one after the other."""
from itertools import product

from orange_structpred.search.pattern import ANY_NODE, SUBTYPE, UNIVERSAL
from orange_structpred.treebank.block import misc_cells


def value_of(sentence, word, key):
    """The value of a key of a word (from 0 on); None if it has none."""
    deprel = sentence.deprels[word]
    if key == "form":
        return sentence.forms[word]
    if key == UNIVERSAL:
        value = deprel.split(":")[0]
    elif key == SUBTYPE:
        value = deprel.split(":", 1)[1] if ":" in deprel else "_"
    elif key in ("lemma", "upos", "xpos", "deprel"):
        value = {"lemma": sentence.lemmas, "upos": sentence.upos, "xpos": sentence.xpos,
                 "deprel": sentence.deprels}[key][word]
    else:
        cells = f"{sentence.feats[word]}|{misc_cells(sentence.block)[word]}"
        value = dict(entry.split("=", 1) for entry in cells.split("|") if "=" in entry
                     ).get(key, "_")
    return None if value == "_" else value


def fits(sentence, word, tests):
    return all(test.fits(value_of(sentence, word, test.key)) for test in tests)


def is_ancestor(heads, above, below):
    while (below := heads[below] - 1) >= 0:
        if below == above:
            return True
    return False


def holds(block, words, sentence):
    """Whether a block is true of words, given by the names of their nodes."""
    heads = sentence.heads.tolist()
    everything = range(len(sentence))
    for node in block.nodes:
        if not any(fits(sentence, words[node.name], tests)
                   for tests in node.alternatives):
            return False
    for edge in block.edges:
        uppers = everything if edge.head == ANY_NODE else [words[edge.head]]
        lowers = everything if edge.dependent == ANY_NODE else [words[edge.dependent]]
        if edge.is_path:
            true = is_ancestor(heads, uppers[0], lowers[0])
        else:
            true = any(fits(sentence, lower, edge.labels) and (
                heads[lower] - 1 in uppers
                or edge.head == ANY_NODE and heads[lower] == 0) for lower in lowers)
        if not true:
            return False
    for order in block.orders:
        left, right = words[order.left], words[order.right]
        if left >= right or order.adjacent and left + 1 != right:
            return False
    for own in block.comparisons:
        left, right = (value_of(sentence, words[name], key)
                       for name, key in (own.left, own.right))
        if left is None or right is None or (left == right) == own.negated:
            return False
    return True


def assignments(names, sentence, before):
    """All ways to give words to new nodes; different ones but for names with $."""
    for chosen in product(range(len(sentence)), repeat=len(names)):
        words = {**before, **dict(zip(names, chosen))}
        plain = [word for name, word in words.items() if not name.endswith("$")]
        if len(set(plain)) == len(plain):
            yield words


def matches(pattern, sentences):
    """Rows and positions of all matches, sorted."""
    found = []
    for row, sentence in enumerate(sentences):
        for words in assignments(pattern.nodes, sentence, {}):
            if holds(pattern.block, words, sentence) and all(
                    must == any(holds(block, more, sentence) for more in assignments(
                        [name for name in block.names if name not in words], sentence,
                        words))
                    for must, block in pattern.conditions):
                found.append((row, *(words[name] + 1 for name in pattern.nodes)))
    return sorted(found)
