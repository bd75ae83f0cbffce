"""Small problems of one's own with kernels, and every sum written out."""
from collections import Counter
from itertools import combinations, product

from orange_structpred.problems import AtomicProblem

TAGS = ("D", "N", "V")


class Tags(AtomicProblem):
    """A tag for each word; words and the words before them are compared."""

    def symbols(self, x):
        return [(i, tag) for i in range(len(x)) for tag in TAGS]

    def hash(self, symbol, x):
        i, tag = symbol
        return [("word", x[i], tag), ("before", x[i - 1] if i else "", tag)]

    def construct(self, weights, x):
        return [TAGS[k] for k in weights.reshape(len(x), -1).argmax(axis=1)]

    def symbols_of(self, y):
        return list(enumerate(y))

    def outputs(self, x):
        return map(list, product(TAGS, repeat=len(x)))


class Sets(AtomicProblem):
    """Any set of the words; its size varies."""

    def symbols(self, x):
        return list(x)

    def hash(self, symbol, x):
        return symbol[0]

    def construct(self, weights, x):
        return {word for word, weight in zip(x, weights) if weight > 0}

    def outputs(self, x):
        return [set(own) for size in range(len(x) + 1) for own in combinations(x, size)]


X = [text.split() for text in (
    "the dog barks", "a cat sees the dog", "dogs bark", "the cat barks", "dogs see a cat",
    "see the dog bark")]
Y = [text.split() for text in ("D N V", "D N V D N", "N V", "D N V", "N V D N", "V D N V")]
WORDS = [["red", "rat", "cat"], ["cow", "rod"], ["rug"], ["cup", "car", "bus", "box"]]
CHOICES = [{"red", "rat"}, {"rod"}, {"rug"}, set()]


def common_words(a, b):
    """A kernel: the number of common words, and one."""
    return len(set(a) & set(b)) + 1


def feature_counts(problem, x, y):
    """phi of the output: how often it has each hash value (Lemma 4.2.1)."""
    counts = Counter()
    for symbol in problem.symbols_of(y):
        values = problem.hash(symbol, x)
        counts.update(values if isinstance(values, list) else [values])
    return counts
