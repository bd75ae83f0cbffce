"""How many words an annotator has to read until a parser is good.

    python benchmarks/annotate.py --treebanks DIR [--only doubt,random,partial]

An annotator corrects sentences of UD English EWT's training part (3 to 50 words) without
mistakes: 100 at random first, then in an order that depends on the parser, which is
trained again after each 3,000 words. Prints JSON lines. The words that were read until
1,000 development sentences are parsed with 85.0 UAS, interpolated between two trainings:
`words_random`, in random order; `words_doubt`, the sentences with the greatest doubt
(`Prediction.doubts`) first; `words_partial`, where in these sentences only the words are
looked at whose heads are doubtful, and the others are left open. Arcs that were set by
hand up to there, per 100 words that were looked at: `corrections_random`,
`corrections_doubt`; `corrections_none` is 100, without a parser.
"""
from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from orange_structpred import ParserLearner, Sentence, Treebank, evaluate

TARGET = 0.85
FIRST_SENTENCES, WORDS_PER_ROUND, DEV_SENTENCES = 100, 3000, 1000
SHORTEST, LONGEST = 3, 50
MOST_WORDS = 60_000
#: In partly annotated sentences, heads with a lower probability are looked at
DOUBTFUL = 0.85
STRATEGIES = ("doubt", "random", "partial")


def with_some_heads(sentence: Sentence, words: np.ndarray) -> Sentence:
    """The sentence with the heads of some words only."""
    return sentence.with_heads(
        np.where(words, sentence.heads, -1),
        [name if keep else "_" for name, keep in zip(sentence.deprels, words)])


class Annotator:
    """Reads sentences of a pool, and knows all heads."""

    def __init__(self, pool: Sequence[Sentence], strategy: str, seed: int):
        self.pool, self.strategy = list(pool), strategy
        self.order = np.random.default_rng(seed).permutation(len(pool)).tolist()
        self.annotated: list[Sentence] = []
        self.words = self.corrections = 0
        for i in self.order[:FIRST_SENTENCES]:
            self.annotated.append(self.pool[i])
            self.words += len(self.pool[i])
        self.corrections = self.words       # there is no parser yet
        self.order = self.order[FIRST_SENTENCES:]

    def train(self):
        return ParserLearner(relations=False, partial=self.strategy == "partial")(
            Treebank.from_sentences(self.annotated))

    def annotate(self, parser) -> None:
        """The next 3,000 words."""
        end = self.words + WORDS_PER_ROUND
        rest = [self.pool[i] for i in self.order]
        if self.strategy == "random":
            rest = rest[:WORDS_PER_ROUND // SHORTEST]
            chosen = np.arange(len(rest))
            predicted = parser.predict(rest)
        else:
            predicted = parser.predict(rest, probabilities=True)
            chosen = np.argsort(-predicted.doubts(), kind="stable")
        taken = set()
        for k in chosen.tolist():
            if self.words >= end:
                break
            sentence, heads = rest[k], predicted.heads[k]
            looked_at = np.ones(len(sentence), bool)
            if self.strategy == "partial":
                looked_at = predicted.probabilities[k] < DOUBTFUL
                sentence = with_some_heads(sentence, looked_at)
            self.annotated.append(sentence)
            self.words += int(looked_at.sum())
            self.corrections += int((looked_at & (heads != sentence.heads)).sum())
            taken.add(k)
        self.order = [i for k, i in enumerate(self.order) if k not in taken]


def simulate(strategy: str, pool: Sequence[Sentence], dev: Treebank, seed: int) -> None:
    """Annotate until the target is reached, and print what it took."""
    annotator = Annotator(pool, strategy, seed)
    before = (0, 0, 0.)
    while annotator.words < MOST_WORDS:
        start = time.perf_counter()
        parser = annotator.train()
        trained = time.perf_counter()
        uas = evaluate(parser(dev)).uas
        print(json.dumps({
            "strategy": strategy, "words": annotator.words,
            "sentences": len(annotator.annotated), "corrections": annotator.corrections,
            "uas": round(100 * uas, 2), "seconds": round(trained - start, 1)}), flush=True)
        now = annotator.words, annotator.corrections, uas
        if uas >= TARGET:
            share = (TARGET - before[2]) / (uas - before[2])
            words, corrections = (old + share * (new - old)
                                  for old, new in zip(before[:2], now[:2]))
            print(json.dumps({"name": f"words_{strategy}", "value": round(words)}))
            print(json.dumps({"name": f"corrections_{strategy}",
                              "value": round(100 * corrections / words, 1)}), flush=True)
            return
        before = now
        annotator.annotate(parser)
    print(json.dumps({"name": f"words_{strategy}", "value": None,
                      "why": f"not reached with {MOST_WORDS} words"}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-{train,dev}.conllu")
    parser.add_argument("--only", default=",".join(STRATEGIES), metavar="NAME,..")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    train, dev = (Treebank.from_file(args.treebanks / f"en_ewt-ud-{part}.conllu")
                  for part in ("train", "dev"))
    pool = [own for own in train.sentences if SHORTEST <= len(own) <= LONGEST]
    print(json.dumps({"name": "corrections_none", "value": 100.}), flush=True)
    for strategy in args.only.split(","):
        simulate(strategy, pool, dev[:DEV_SENTENCES], args.seed)


if __name__ == "__main__":
    main()
