"""The features of an edge written out, slow and obvious."""
from orange_structpred.parsing.features import GROUPS
from orange_structpred.treebank.encoding import coordinators, markers

COLUMNS = {"form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos",
           "feats": "feats"}


def shape(form):
    """'McDonald-15' is 'XxXx-9'."""
    signs = ["X" if sign.isupper() else "x" if sign.islower() else
             "9" if sign.isdigit() else sign for sign in form]
    return "".join(sign for place, sign in enumerate(signs)
                   if place == 0 or signs[place - 1] != sign)


def layer(x, name):
    """A layer's strings at positions 0..n; the root has none."""
    if name in COLUMNS:
        values = getattr(x, COLUMNS[name])
    elif name == "ending":
        values = [form[-3:].lower() for form in x.forms]
    elif name == "shape":
        values = [shape(form) for form in x.forms]
    elif name == "marker":
        values = markers(x.lemmas, x.upos)
    elif name == "coordinator":
        values = coordinators(x.lemmas, x.upos)
    return [None, *values]


def counted(x, kind, between):
    """How many words of a kind stand at some positions, four at most."""
    tests = {"verbs": lambda form, tag: tag.startswith("V") or tag == "AUX",
             "commas": lambda form, tag: form in (",", ";"),
             "conjunctions": lambda form, tag: tag == "CCONJ",
             "nouns": lambda form, tag: tag in ("NOUN", "PROPN", "PRON")}
    return min(4, sum(tests[kind](x.forms[place - 1], x.upos[place - 1])
                      for place in between))


def features(x, head, dependent, groups=tuple(GROUPS)):
    """(template, values) of each feature of an edge, those with b last."""
    low, high = sorted((head, dependent))
    between = range(low + 1, high)
    single, several = [], []
    for template in (text for group in groups for text in GROUPS[group]):
        values = []
        tags = None
        for word in template.split():
            side, name = word.split(".")
            if side == "n":
                values.append(counted(x, name, between))
            elif side == "b":
                tags = list(dict.fromkeys(layer(x, name)[place] for place in between))
            else:
                token = head if side[0] == "h" else dependent
                offset = int(side[1:] or 0)
                place = token + offset
                if offset and (token == 0 or not 1 <= place <= len(x)):
                    values.append("before" if offset < 0 else "after")
                else:
                    values.append(("word", layer(x, name)[place]))
        if tags is None:
            single.append((template, *values))
        else:
            several += [(template, *values, tag) for tag in tags]
    return single + several


def distance(head, dependent):
    """Direction and one of the thesis's seven classes."""
    steps = abs(head - dependent)
    return (head < dependent,
            steps if steps <= 5 else "more than 5" if steps <= 10 else "more than 10")


def all_features(x, head, dependent, groups=tuple(GROUPS)):
    """Each feature without, then with its distance."""
    return [(feature, slot) for feature in features(x, head, dependent, groups)
            for slot in (None, distance(head, dependent))]


def edges(x):
    return [(head, dependent) for head in range(len(x) + 1)
            for dependent in range(1, len(x) + 1) if head != dependent]
