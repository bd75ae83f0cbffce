"""What a net sees of a token: numbers of symbols, in columns."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from zlib import crc32

import numpy as np

from orange_structpred.treebank.distinct import distinct
from orange_structpred.treebank.encoding import string_ids, word_shape
from orange_structpred.treebank.sentence import Sentence

UNKNOWN_SYMBOL, ROOT_SYMBOL = 0, 1
N_SPECIAL = 2
NO_SYMBOL = -1


def whole(value: str) -> tuple[str]:
    """The value as the only string that is made of it."""
    return value,


def in_small_letters(value: str) -> tuple[str]:
    return value.lower(),


@dataclass(frozen=True)
class SymbolLayer:
    """Something that is seen of tokens.

    source : column of sentences that it is made of
    strings : what it is made of a value of that column; no lambda, since models that are
        pickled have it
    width : so many strings of a token are looked at
    least : strings seen less often are unknown
    hashed : into so many symbols; 0 if those that were seen are numbered
    """

    source: str
    strings: Callable[[str], Sequence[str]] = whole
    width: int = 1
    least: int = 1
    hashed: int = 0


def single_features(feats: str) -> list[str]:
    """Case=Nom and so on; a value that is not such a list is one feature."""
    return [] if feats in ("_", "") else feats.split("|")


def affixes_and_shape(form: str, longest_end: int = 4, longest_begin: int = 3) -> list[str]:
    """Endings and beginnings from one letter on, and the shape; a short word has some of
    them twice."""
    lower = form.lower()
    return [*(f"{k}<{lower[-k:]}" for k in range(1, longest_end + 1)),
            *(f"{k}>{lower[:k]}" for k in range(1, longest_begin + 1)),
            f"s{word_shape(form)}"]


FORM_LAYER = SymbolLayer("forms", in_small_letters, least=2)
#: For trees: words with their tags
TREE_LAYERS = {
    "form": FORM_LAYER,
    "lemma": SymbolLayer("lemmas", least=2),
    "upos": SymbolLayer("upos"),
    "xpos": SymbolLayer("xpos"),
    "feats": SymbolLayer("feats"),
    "feature": SymbolLayer("feats", single_features, width=12),
    "piece": SymbolLayer("forms", affixes_and_shape, width=8, hashed=8192),
}
#: For tags: words alone
WORD_LAYERS = {
    "form": FORM_LAYER,
    "piece": SymbolLayer("forms", partial(affixes_and_shape, longest_end=5, longest_begin=4),
                         width=10, hashed=16384),
}


def layer_columns(layers: Mapping[str, SymbolLayer]) -> dict[str, slice]:
    """The columns of each layer."""
    ends = np.cumsum([0, *(layer.width for layer in layers.values())]).tolist()
    return dict(zip(layers, map(slice, ends[:-1], ends[1:])))


class TokenSymbols:
    """The symbols that were seen in training, and those of sentences.

    Parameters
    ----------
    known : for each layer whose symbols are not hashed, sorted numbers of the strings
        that were seen (`string_ids`)
    layers : what is seen
    """

    def __init__(self, known: Mapping[str, np.ndarray],
                 layers: Mapping[str, SymbolLayer] = TREE_LAYERS):
        self.known, self.layers = dict(known), layers
        self.columns = layer_columns(layers)

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> TokenSymbols:
        """For trees."""
        return cls.learn(token_columns(sentences), TREE_LAYERS)

    @classmethod
    def learn(cls, columns: Mapping[str, Sequence[str]],
              layers: Mapping[str, SymbolLayer]) -> TokenSymbols:
        """The symbols of tokens.

        columns : the values of all tokens, by the names of columns
        """
        known = {}
        for name, layer in layers.items():
            if not layer.hashed:
                counts: Counter[str] = Counter()
                for value, count in Counter(columns[layer.source]).items():
                    for string in layer.strings(value):
                        counts[string] += count
                known[name] = np.unique(string_ids(
                    string for string, count in counts.items() if count >= layer.least))
        return cls(known, layers)

    @property
    def width(self) -> int:
        """Columns of a token."""
        return sum(layer.width for layer in self.layers.values())

    def size(self, layer: str) -> int:
        """How many symbols a layer has."""
        return self.layers[layer].hashed or N_SPECIAL + len(self.known[layer])

    def groups(self, sizes: Mapping[str, int]
               ) -> Iterator[tuple[str, int, int, slice, int]]:
        """For each layer what an encoder's `SymbolGroup` says.

        sizes : columns of the embeddings
        """
        for name, layer in self.layers.items():
            yield (name, self.size(name), sizes[name], self.columns[name],
                   N_SPECIAL if layer.least > 1 else 0)

    def numbers(self, layer: str, strings: Iterable[str]) -> np.ndarray:
        """The symbol of each string."""
        if rows := self.layers[layer].hashed:
            return np.array([crc32(string.encode("utf-8", "surrogatepass")) % rows
                             for string in strings], np.int32)
        ids, known = string_ids(strings), self.known[layer]
        if not len(known):
            return np.full(len(ids), UNKNOWN_SYMBOL, np.int32)
        nearest = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        return np.where(known[nearest] == ids, N_SPECIAL + nearest,
                        UNKNOWN_SYMBOL).astype(np.int32)

    def of_sentences(self, sentences: Sequence[Sentence]) -> np.ndarray:
        """int32 (positions, width), each sentence with its root first."""
        return self.of_tokens(token_columns(sentences), list(map(len, sentences)))

    def of_tokens(self, columns: Mapping[str, Sequence[str]], lengths: Sequence[int] | np.ndarray
                  ) -> np.ndarray:
        """The same for the tokens of sentences of these lengths."""
        ends = np.cumsum(np.asarray(lengths, np.int64) + 1)
        is_token = np.ones(int(ends[-1]) if len(ends) else 0, bool)
        is_token[np.append(0, ends[:-1])[:len(ends)]] = False
        result = np.full((len(is_token), self.width), NO_SYMBOL, np.int32)
        for name, layer in self.layers.items():
            columns_of_name = self.columns[name]
            if layer.width == 1:
                result[~is_token, columns_of_name] = ROOT_SYMBOL
            values, which = distinct(columns[layer.source])
            strings = [layer.strings(value)[:layer.width] for value in values]
            rows = np.full((len(values), layer.width), NO_SYMBOL, np.int32)
            filled = np.arange(layer.width) < np.array(
                list(map(len, strings)), np.int64).reshape(-1, 1)
            rows[filled] = self.numbers(name, chain.from_iterable(strings))
            result[is_token, columns_of_name] = rows[which]
        return result


def token_columns(sentences: Sequence[Sentence]) -> dict[str, list[str]]:
    """The values of all tokens in the columns that trees are learned from."""
    return {column: [value for sentence in sentences
                     for value in getattr(sentence, column)]
            for column in dict.fromkeys(layer.source for layer in TREE_LAYERS.values())}
