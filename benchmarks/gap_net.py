"""Whether a net helps to find words in a script without spaces, as JSON lines.

    python benchmarks/gap_net.py --treebanks DIR [--folds N]

gap_words_0 : F1 of the words that the tokeniser finds in sentences of the dev part of
    Chinese GSD, learned from four fifths of them; sentences are given
gap_words_W : the same with W times the log-probabilities of a net added to the scores of
    gaps: the encoder of taggers, which sees each character with the one before it
gap_words_net : the net alone
"""
from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from orange_structpred import TokeniserLearner, read_conll
from orange_structpred.neural.encoder import NetOptions
from orange_structpred.tagging.gaps import all_gaps, characters_of
from orange_structpred.tagging.tag_net import LEAST_TAG_LOG, TagNetModel, train_tag_net
from orange_structpred.tagging.tokeniser import (
    LABEL_PARTS,
    NEW_SENTENCE,
    NEW_WORD,
    SAME_WORD,
    Tokeniser,
)
from orange_structpred.treebank.text import tokens_of

FOLDS = 5
WEIGHTS = (0, 0.05, 0.1, 0.2, 0.4)
NET, EPOCHS = NetOptions(48, 0.4), 8


def characters(text: str) -> list[str]:
    """Each character with the one before it."""
    return [before + own for before, own in zip(f"^{text}", text)]


def learned_net(sentences: Sequence[Sequence[str]]) -> TagNetModel:
    """A net that says at which characters of a text words begin.

    sentences : the words of each
    """
    begins = np.concatenate([[k == 0 for word in words for k in range(len(word))]
                             for words in sentences]).astype(np.int32)
    net, _ = train_tag_net(list(map(characters, map("".join, sentences))), begins,
                           np.array([[0], [1]]), NET, epochs=EPOCHS, weight=1.)
    return net


def found_words(tokeniser: Tokeniser, text: str, bonuses: np.ndarray) -> list[str]:
    """bonuses : for each character what is added if no word begins there, and if one does"""
    gaps, _, _ = all_gaps(*characters_of([text]), tokeniser.decided)
    added = np.zeros((len(gaps), tokeniser.model.chain.n_parts), np.float32)
    for label, column in ((SAME_WORD, 0), (NEW_WORD, 1), (NEW_SENTENCE, 1)):
        added[:, LABEL_PARTS[label, 0]] = bonuses[gaps, column]
    predict = tokeniser.model.predict
    tokeniser.model.predict = lambda *args, **options: predict(
        *args, **options, bonuses=lambda first, last: added)
    try:
        return [token.form for paragraph in tokeniser.split([text])
                for sentence in paragraph for token in sentence]
    finally:
        tokeniser.model.predict = predict


def spans(words: Sequence[str]) -> set[tuple[int, int]]:
    return set(pairwise(accumulate(map(len, words), initial=0)))


def ways(training: Sequence, test: Sequence[Sequence[str]]
         ) -> Iterator[tuple[str, list[list[str]]]]:
    """Names of figures, and the words of each test sentence."""
    tokeniser = TokeniserLearner().learn(training)
    net = learned_net([[token.form for token in tokens_of(own)] for own in training])
    texts = list(map("".join, test))
    logs = [np.maximum(net.part_scores([characters(text)]), LEAST_TAG_LOG)
            for text in texts]
    for weight in WEIGHTS:
        yield f"gap_words_{weight}", [found_words(tokeniser, text, weight * own)
                                      for text, own in zip(texts, logs)]
    alone = []
    for text, own in zip(texts, logs):
        begins = np.flatnonzero(np.append(True, own[1:, 1] > own[1:, 0])).tolist()
        alone.append([text[begin:end] for begin, end in pairwise([*begins, len(text)])])
    yield "gap_words_net", alone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of zh_gsd-ud-dev.conllu")
    parser.add_argument("--folds", type=int, default=FOLDS, choices=range(1, FOLDS + 1),
                        metavar="N", help=f"only so many of {FOLDS} folds")
    args = parser.parse_args()
    sentences = read_conll(args.treebanks / "zh_gsd-ud-dev.conllu")
    right: dict[str, int] = {}
    total: dict[str, int] = {}
    for fold in range(args.folds):
        test = [[token.form for token in tokens_of(own)] for own in sentences[fold::FOLDS]]
        training = [own for i, own in enumerate(sentences) if i % FOLDS != fold]
        for name, found in ways(training, test):
            for gold, words in zip(map(spans, test), map(spans, found)):
                right[name] = right.get(name, 0) + 2 * len(gold & words)
                total[name] = total.get(name, 0) + len(gold) + len(words)
    for name in right:
        print(json.dumps({"name": name, "value": round(100 * right[name] / total[name], 3)}))


if __name__ == "__main__":
    main()
