"""Tokens of several words: don't is do and n't, zum is zu and dem."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise

from orange_structpred.treebank.normal_form import align_normal_form, normal_form
from orange_structpred.treebank.text import Token

MIN_CLITIC = 3          # words that end in a clitic, or begin with one, to make it a rule
MOST_PREFIXES = 4       # of a token
MIN_UNSURE = 3          # times that a form is both one word and several, to be unsure
KEPT = 1 << 16          # tokens whose words are kept, to be found only once
RELIABLE = 0.7          # share of words with this end that are split


class _Found(dict):
    """The words of tokens, found when first asked for; some thousands are kept."""

    def __init__(self, find: Callable[[str], tuple[str, ...]]):
        super().__init__()
        self.find = find

    def __missing__(self, form: str) -> tuple[str, ...]:
        if len(self) >= KEPT:
            self.clear()
        words = self[form] = self.find(form)
        return words

    def __reduce__(self):
        return _Found, (self.find,)


class Splits:
    """What training saw of tokens that are several words.

    Parameters
    ----------
    known : the words of a token, by its lower-cased normal form; one word, where a rule
        would split what training saw whole
    clitics : ends of tokens that are words of their own, the longest first
    unsure : forms among the known ones that were seen as one word as well, so that the
        place decides
    prefixes : beginnings of tokens that are words of their own, one after another
    """

    def __init__(self, known: Mapping[str, Sequence[str]], clitics: Sequence[str],
                 unsure: Iterable[str] = (), prefixes: Sequence[str] = ()):
        self.known = {form: tuple(words) for form, words in known.items()}
        self.unsure = set(unsure)
        self.clitics, self.prefixes = (
            sorted(affixes, key=lambda clitic: (-len(clitic), clitic))
            for affixes in (clitics, prefixes))
        self._found = _Found(self._split)

    @classmethod
    def learn(cls, tokens: Iterable[Token]) -> Splits:
        counts: dict[str, Counter] = defaultdict(Counter)
        for token in tokens:
            counts[lower_normal(token.form)][tuple(map(lower_normal, token.words))] += 1
        known, unsure = {}, []
        for form, ways in counts.items():
            several = [words for words in sorted(ways) if len(words) > 1]
            plain = ways[form,]
            split = ways.total() - plain
            if several and (split >= plain or split >= MIN_UNSURE):
                known[form] = max(several, key=ways.__getitem__)
                if min(split, plain) >= MIN_UNSURE:
                    unsure.append(form)
        ends = Counter(words[-1] for form, words in known.items()
                       if len(words) == 2 and "".join(words) == form)
        clitics = []
        for end, count in ends.items():
            same = [form for form in counts
                    if form.endswith(end) and len(form) > len(end)]
            split = sum(form in known and known[form][-1] == end for form in same)
            if count >= MIN_CLITIC and split >= RELIABLE * len(same):
                clitics.append(end)
        prefixes = reliable_prefixes(
            {form: known.get(form, (form,)) for form in counts}, clitics)
        whole = {form: (form,) for form in counts if form not in known and (
            form.endswith(tuple(clitics)) or form.startswith(tuple(prefixes)))}
        return cls({**known, **whole}, clitics, unsure, prefixes)

    @property
    def n_several(self) -> int:
        """How many tokens are known to be several words."""
        return sum(len(words) > 1 for words in self.known.values())

    def words(self, form: str) -> tuple[str, ...]:
        """The words of a token.

        >>> splits = Splits({"zum": ("zu", "dem")}, ["n't"])
        >>> splits.words("Zum"), splits.words("doesn't"), splits.words("Haus")
        (('Zu', 'dem'), ('does', "n't"), ('Haus',))
        """
        return self._found[form]

    def words_of_all(self, forms: Iterable[str]) -> list[tuple[str, ...]]:
        """The words of each token."""
        return list(map(self._found.__getitem__, forms))

    def _split(self, form: str) -> tuple[str, ...]:
        normal = normal_form(form)
        lower = normal.lower()
        words = self.known.get(lower)
        if words is None:
            if len(lower) != len(normal):
                return (form,)
            return form_pieces(form, self._lengths(lower))
        if "".join(words) == lower and len(lower) == len(normal):
            return form_pieces(form, list(map(len, words)))
        if normal.isupper() and len(normal) > 1:
            return tuple(map(str.upper, words))
        if normal[:1].isupper():
            return (words[0][:1].upper() + words[0][1:], *words[1:])
        return words


    def _lengths(self, lower: str) -> list[int]:
        """Of the words of a token that was not seen: prefixes first, then a clitic."""
        lengths: list[int] = []
        while len(lengths) < MOST_PREFIXES and (prefix := next(
                (prefix for prefix in self.prefixes
                 if lower.startswith(prefix) and len(lower) > len(prefix)), "")):
            lengths.append(len(prefix))
            lower = lower[len(prefix):]
            words = self.known.get(lower)
            if words is not None:
                joined = "".join(words) == lower
                return lengths + (list(map(len, words)) if joined else [len(lower)])
        clitic = next((clitic for clitic in self.clitics if lower.endswith(clitic) and any(
            map(str.isalnum, lower[:-len(clitic)]))), "")
        return [*lengths, len(lower) - len(clitic), *([len(clitic)] if clitic else [])]


def reliable_prefixes(words_of: Mapping[str, Sequence[str]], clitics: Sequence[str]
                      ) -> list[str]:
    """Words with which so many tokens begin that are several words, and so few others,
    that they are a rule; what is left of a token without its first word is one, too.

    words_of : the words of all tokens that were seen
    clitics : what a word stands before does not make it a prefix, if it is one of these
    """
    rests: dict[str, tuple[str, ...]] = {}
    for form, words in words_of.items():
        if "".join(words) == form:
            for k in range(len(words)):
                rests.setdefault("".join(words[k:]), tuple(words[k:]))
    firsts = Counter(words[0] for words in rests.values()
                     if len(words) > 1 and "".join(words[1:]) not in clitics)
    prefixes = []
    for first, count in firsts.items():
        if count >= MIN_CLITIC:
            same = sum(rest.startswith(first) and rest != first for rest in rests)
            if count >= RELIABLE * same:
                prefixes.append(first)
    return prefixes


def lower_normal(form: str) -> str:
    return normal_form(form).lower()


def form_pieces(form: str, lengths: Sequence[int]) -> tuple[str, ...]:
    """A form, as it was typed, in pieces whose normal forms have these lengths; the
    form, if that would cut a character."""
    bounds = align_normal_form(form).origins[
        list(accumulate(lengths, initial=0))].tolist()
    pieces = tuple(form[begin:end] for begin, end in pairwise(bounds))
    return pieces if all(pieces) else (form,)
