"""Scores of files of any size: what is counted is summed up, some sentences at a time.

A score and its interval depend only on how many sentences there are of each kind, that
is, with so many tokens of which so many are right; there are few kinds.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from orange_structpred.evaluation import significance
from orange_structpred.evaluation.raw import RawScore, evaluate_raw, n_characters
from orange_structpred.evaluation.scores import (
    LABELLED,
    MEASURES,
    NO_RELATION,
    Evaluation,
    check_tokens,
    percent,
)
from orange_structpred.treebank.sentence import Sentence

SCORED_AT_ONCE = 2_000       # sentences


class Totals:
    """The sums of evaluations, one after the other.

    labelled : whether there are relations to score
    """

    def __init__(self, *, labelled: bool = False):
        self.sentences = self.tokens = self.tokens_nopunct = 0
        self.labelled = labelled
        self.kinds: dict[str, Counter[tuple[int, int]]] = {
            measure: Counter() for measure in MEASURES}

    def add(self, evaluation: Evaluation) -> None:
        self.sentences += evaluation.sentences
        self.tokens += evaluation.tokens
        self.tokens_nopunct += int((~evaluation.punctuation).sum())
        for measure, kinds in self.kinds.items():
            if measure not in LABELLED or evaluation.relation_correct is not None:
                kinds.update(zip(*(count.tolist() for count in evaluation.counts(measure))))

    def to_dict(self, name: str) -> dict:
        """The scores in percent, ready for JSON; None where there is none."""
        result = {"name": name, "sentences": self.sentences, "tokens": self.tokens,
                  "tokens_nopunct": self.tokens_nopunct}
        for measure, counts in self.kinds.items():
            kinds = np.array(list(counts), int).reshape(-1, 2)
            sums = np.array(list(counts.values()), int) @ kinds
            result[measure] = percent(float(significance.quotient(*sums))) \
                if self.labelled or measure not in LABELLED else None
        for measure in ("uas", "las"):
            result[f"{measure}_interval"] = None if result[measure] is None else [
                percent(bound) for bound in self.confidence_interval(measure)]
        return result

    def confidence_interval(self, measure: str) -> tuple[float, float]:
        counts = sorted(self.kinds[measure].items())
        return significance.interval_of_kinds(
            np.array([kind for kind, _ in counts]), np.array([n for _, n in counts]))


def total_scores(gold: Iterable[Sentence], predicted: Iterable[Sentence],
                 name: str = "") -> dict:
    """`evaluate_sentences(gold, predicted).to_dict()`, for any number of sentences."""
    totals = Totals()
    for first, right, guessed in aligned_batches(gold, predicted):
        check_tokens(right, guessed, first)
        deprels = [sentence.deprels for sentence in guessed]
        totals.labelled = totals.labelled or any(
            relation != NO_RELATION for labels in deprels for relation in labels)
        totals.add(Evaluation(right, [sentence.heads for sentence in guessed], deprels,
                              name, first=first))
    return totals.to_dict(name)


def aligned_batches(gold: Iterable[Sentence], predicted: Iterable[Sentence]
                    ) -> Iterator[tuple[int, list[Sentence], list[Sentence]]]:
    """The same sentences of both, some at a time, and the number of the first."""
    gold, predicted = iter(gold), iter(predicted)
    first = 1
    while True:
        right, guessed = (list(islice(rest, SCORED_AT_ONCE)) for rest in (gold, predicted))
        if not right and not guessed:
            return
        yield first, right, guessed
        first += len(right)


def total_raw_scores(gold: Iterable[Sentence], system: Iterable[Sentence]
                     ) -> dict[str, RawScore]:
    """`evaluate_raw`, for any number of sentences."""
    totals: dict[str, RawScore] = {}
    at = 0
    for right, guessed in segments(gold, system):
        for measure, score in evaluate_raw(right, guessed, at).items():
            before = totals.get(measure, RawScore(0, 0, 0))
            totals[measure] = RawScore(
                before.correct + score.correct, before.gold + score.gold,
                before.system + score.system)
        at += sum(map(n_characters, right))
    return totals or evaluate_raw([], [])


def segments(gold: Iterable[Sentence], system: Iterable[Sentence]
             ) -> Iterator[tuple[Sequence[Sentence], Sequence[Sentence]]]:
    """Both texts in pieces of the same characters, each of whole sentences."""
    sides = iter(gold), iter(system)
    waiting: tuple[list[Sentence], list[Sentence]] = ([], [])
    sizes = [0, 0]
    while True:
        behind = int(sizes[1] < sizes[0])
        sentence = next(sides[behind], None)
        if sentence is None and sizes[0] == sizes[1]:       # the other may have more
            behind = 1 - behind
            sentence = next(sides[behind], None)
        if sentence is None:
            for side in (0, 1):
                waiting[side].extend(sides[side])
            if any(waiting):
                yield waiting
            return
        waiting[behind].append(sentence)
        sizes[behind] += n_characters(sentence)
        if sizes[0] == sizes[1] and len(waiting[0]) >= SCORED_AT_ONCE:
            yield waiting
            waiting = ([], [])
