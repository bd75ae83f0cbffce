"""What a net sees of a token: numbers of symbols, in columns."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from zlib import crc32

import numpy as np

from orange_structpred.treebank.distinct import distinct
from orange_structpred.treebank.encoding import string_ids, word_shape
from orange_structpred.treebank.sentence import Sentence

UNKNOWN_SYMBOL, ROOT_SYMBOL = 0, 1
N_SPECIAL = 2
N_PIECES = 8            # of a word
PIECE_ROWS = 8192       # that pieces are hashed into
FEATURES_SHOWN = 12      # of a token that are looked at one by one
NO_SYMBOL = -1
RARE_BELOW = 2          # words and lemmas that are seen less often are unknown

#: Layers with one symbol for each token, and what of a sentence they are
SYMBOL_LAYERS: dict[str, Callable[[Sentence], Iterable[str]]] = {
    "form": lambda sentence: map(str.lower, sentence.forms),
    "lemma": lambda sentence: sentence.lemmas,
    "upos": lambda sentence: sentence.upos,
    "xpos": lambda sentence: sentence.xpos,
    "feats": lambda sentence: sentence.feats,
}
FEATURE_LAYER = "feature"     # the layer of single features; there are several for a token
PIECE_LAYER = "piece"         # the layer of pieces
RARE_LAYERS = ("form", "lemma")
#: The columns of each layer
SYMBOL_COLUMNS = {
    **{name: slice(k, k + 1) for k, name in enumerate(SYMBOL_LAYERS)},
    FEATURE_LAYER: slice(len(SYMBOL_LAYERS), len(SYMBOL_LAYERS) + FEATURES_SHOWN),
    PIECE_LAYER: slice(len(SYMBOL_LAYERS) + FEATURES_SHOWN,
                 len(SYMBOL_LAYERS) + FEATURES_SHOWN + N_PIECES)}
N_SYMBOL_COLUMNS = len(SYMBOL_LAYERS) + FEATURES_SHOWN + N_PIECES


class TokenSymbols:
    """The symbols that were seen in training, and those of sentences.

    Parameters
    ----------
    known : for each layer, sorted numbers of the strings that were seen (`string_ids`)
    """

    def __init__(self, known: Mapping[str, np.ndarray]):
        self.known = dict(known)

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> TokenSymbols:
        known = {}
        for layer, strings in SYMBOL_LAYERS.items():
            counts = Counter(string for sentence in sentences
                             for string in strings(sentence))
            least = RARE_BELOW if layer in RARE_LAYERS else 1
            known[layer] = np.unique(string_ids(
                string for string, count in counts.items() if count >= least))
        features = {feats for sentence in sentences for feats in sentence.feats}
        known[FEATURE_LAYER] = np.unique(string_ids(
            own for feats in features for own in single_features(feats)))
        return cls(known)

    def size(self, layer: str) -> int:
        """How many symbols a layer has."""
        if layer == PIECE_LAYER:
            return PIECE_ROWS
        return N_SPECIAL + len(self.known[layer])

    def numbers(self, layer: str, strings: Iterable[str]) -> np.ndarray:
        """The symbol of each string."""
        ids, known = string_ids(strings), self.known[layer]
        if not len(known):
            return np.full(len(ids), UNKNOWN_SYMBOL, np.int32)
        nearest = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        return np.where(known[nearest] == ids, N_SPECIAL + nearest,
                        UNKNOWN_SYMBOL).astype(np.int32)

    def of_sentences(self, sentences: Sequence[Sentence]) -> np.ndarray:
        """int32 (positions, N_SYMBOL_COLUMNS), each sentence with its root first."""
        lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
        ends = np.cumsum(lengths + 1)
        is_token = np.ones(int(ends[-1]) if len(ends) else 0, bool)
        is_token[ends - lengths - 1] = False
        result = np.full((len(is_token), N_SYMBOL_COLUMNS), NO_SYMBOL, np.int32)
        result[~is_token, :len(SYMBOL_LAYERS)] = ROOT_SYMBOL
        for layer, strings in SYMBOL_LAYERS.items():
            names, which = distinct(
                string for sentence in sentences for string in strings(sentence))
            result[is_token, SYMBOL_COLUMNS[layer].start] = self.numbers(
                layer, names)[which]
        for layer, values, describe in (
                (FEATURE_LAYER, "feats", self._features_of),
                (PIECE_LAYER, "forms", pieces_of)):
            names, which = distinct(
                string for sentence in sentences for string in getattr(sentence, values))
            rows = np.full((len(names), _width(layer)), NO_SYMBOL, np.int32)
            for row, name in zip(rows, names):
                own = describe(name)
                row[:len(own)] = own
            result[is_token, SYMBOL_COLUMNS[layer]] = rows[which]
        return result

    def _features_of(self, feats: str) -> np.ndarray:
        return self.numbers(FEATURE_LAYER, single_features(feats)[:FEATURES_SHOWN])


def _width(layer: str) -> int:
    columns = SYMBOL_COLUMNS[layer]
    return columns.stop - columns.start


def single_features(feats: str) -> list[str]:
    """Case=Nom and so on; a value that is not such a list is one feature."""
    return [] if feats in ("_", "") else feats.split("|")


def pieces_of(form: str) -> list[int]:
    """Endings of one to four letters, beginnings of one to three, and the shape, each
    hashed; a short word has some of them twice."""
    lower = form.lower()
    texts = [*(f"{k}<{lower[-k:]}" for k in range(1, 5)),
             *(f"{k}>{lower[:k]}" for k in range(1, 4)), f"s{word_shape(form)}"]
    return [crc32(text.encode("utf-8", "surrogatepass")) % PIECE_ROWS for text in texts]
