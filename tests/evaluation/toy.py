"""Small sentences written as lines of: form, tag, head, relation."""
from orange_structpred.treebank import Sentence


def sentence(lines: str, sent_id: str = "") -> Sentence:
    comments = [f"# sent_id = {sent_id}"] if sent_id else []
    rows = []
    for number, line in enumerate(lines.strip().splitlines(), 1):
        form, tag, head, relation = line.split()
        rows.append("\t".join([str(number), form, form.lower(), tag, "_", "_",
                               head, relation, "_", "_"]))
    return Sentence("\n".join(comments + rows))


GOLD = [
    sentence("""
        She   PRON   2  nsubj
        reads VERB   0  root
        old   ADJ    4  amod
        books NOUN   2  obj
        .     PUNCT  2  punct
        """, "toy-1"),
    sentence("""
        They  PRON   3  nsubj:pass
        were  AUX    3  aux:pass
        sold  VERB   0  root
        !     PUNCT  3  punct
        """, "toy-2"),
    sentence("""
        ...   PUNCT  0  root
        """, "toy-3"),
]

# One wrong head and one wrong relation in the first sentence; only the
# punctuation and subtypes of relations in the second; nothing in the third.
PREDICTED = [
    GOLD[0].with_heads([2, 0, 2, 2, 2], ["nsubj", "root", "amod", "iobj", "punct"]),
    GOLD[1].with_heads([3, 3, 0, 2], ["nsubj", "aux", "root", "punct"]),
    GOLD[2],
]

# "on the issue" hangs on "hearing", across the verb and the arc from the root
# (after an example of McDonald et al. 2005).
CROSSED = sentence("""
    A         DET   2  det
    hearing   NOUN  4  nsubj:pass
    is        AUX   4  aux:pass
    scheduled VERB  0  root
    on        ADP   7  case
    the       DET   7  det
    issue     NOUN  2  nmod
    today     NOUN  4  obl:tmod
    """, "crossed")
