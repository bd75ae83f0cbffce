"""Why whole-sentence kernels gain less on free treebanks than in the thesis."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.study.chapter6 import DEVELOPMENT, HASHES, TAGS, kernel_model
from benchmarks.study.data import Halves, changed, function_heads
from benchmarks.study.lines import Job, Setting, Study, percent
from orange_structpred import ParserLearner, Treebank
from orange_structpred.parsing.features.edge_templates import distance_slot
from orange_structpred.treebank import Sentence

SENTENCES = 2000        # of each half, at most
EPSILON, CS = 0.05, [10, 100]
NEAR = 0.5              # similarity from which a sentence counts as a near-duplicate
#: Losses by similarity are of this C
SHOWN_C = 100.
COVERED = (1000, 5000)       # sentences of each half
#: Which words are heads, by name
HEADS: dict[str, Callable[[Sentence], Sentence]] = {
    "UD": lambda sentence: sentence, "function words": function_heads,
    "function words, punctuation at the root": partial(function_heads,
                                                       punctuation="root")}
#: Hash functions that tell sentences which were seen from others
WORDS = [name + end for name in HASHES if "posTags" not in name for end in ("", "::dir")]
WORDS_C = 10
KERNEL = "annotated-ngram"
TAG_SETS = ("posTags::dir", TAGS)       # coarse and fine
Pair = tuple[Treebank, Treebank]        # to learn from and to test on


def without_duplicates(train: Treebank, test: Treebank) -> Pair:
    return train, test[np.flatnonzero(similarities(train, test) < NEAR)]


def with_function_heads(train: Treebank, test: Treebank) -> Pair:
    return changed(train, function_heads), changed(test, function_heads)


#: What is changed: how the halves are drawn, and what is then made of them
CONDITIONS: dict[str, tuple[str, Callable[[Treebank, Treebank], Pair]]] = {
    "halves by documents": ("documents", lambda *halves: halves),
    "halves by sentences": ("sentences", lambda *halves: halves),
    "no near-duplicates": ("documents", without_duplicates),
    "function words as heads": ("documents", with_function_heads),
}


def similarities(train: Treebank, test: Treebank) -> np.ndarray:
    """How similar the most similar training sentence is to each test sentence: the
    share of the pairs of neighbouring words of both that they have in common."""
    learned = [word_pairs(sentence) for sentence in train.sentences]
    where: dict[tuple[str, str], list[int]] = {}
    for number, pairs_of_words in enumerate(learned):
        for words in pairs_of_words:
            where.setdefault(words, []).append(number)
    nearest = np.zeros(len(test))
    for row, sentence in enumerate(test.sentences):
        pairs_of_words = word_pairs(sentence)
        common = Counter(number for words in pairs_of_words
                         for number in where.get(words, ()))
        nearest[row] = max((count / (len(pairs_of_words) + len(learned[number]) - count)
                            for number, count in common.items()), default=0.)
    return nearest


def word_pairs(sentence: Sentence) -> set[tuple[str, str]]:
    words = ["", *(form.lower() for form in sentence.forms), ""]
    return set(zip(words, words[1:]))


def pair(study: Study, language: str, by: str) -> Pair:
    return study.halves(language, by).treebanks(round(study.share * SENTENCES))


def explain(study: Study) -> None:
    for language in study.languages():
        study.measure(jobs(study, language))
        study.measure(word_jobs(study, language))
        by_similarity(study, language)


def jobs(study: Study, language: str) -> Iterator[Job]:
    """Each condition with and without the kernel; the first also with coarse tags."""
    for condition, (by, change) in CONDITIONS.items():
        if by == "sentences" and not study.halves(language).documents:
            continue
        train, test = change(*pair(study, language, by))
        for tags in TAG_SETS if condition == next(iter(CONDITIONS)) else (TAGS,):
            for kernel in ("constant", KERNEL):
                yield Job({"part": "why", "language": language, "share": study.share,
                           "setting": {"condition": condition, "hash": tags,
                                       "kernel": kernel}},
                          train, test, Setting({}, CS, kernel_model([tags], kernel)),
                          [EPSILON])


def word_jobs(study: Study, language: str) -> Iterator[Job]:
    """Hash functions of words, as in table 6.2, with trees as near to the thesis's as they
    can be drawn."""
    change = [*HEADS.values()][-1]
    train, test = (changed(part, change)
                   for part in study.treebanks(language, DEVELOPMENT))
    for name in WORDS:
        yield Job({"part": "words", "language": language, "share": study.share,
                   "setting": {"hash": name}}, train, test,
                  Setting({}, [WORDS_C], kernel_model([name])), [EPSILON])


BOUNDS = (0., 0.1, 0.2, 0.3, 0.5, 1.01)


def by_similarity(study: Study, language: str) -> None:
    """How similar the halves are, and what the kernel gains where they are."""
    key = {"part": "neighbours", "language": language, "share": study.share,
           "epsilon": EPSILON, "setting": {"kernel": KERNEL}}
    if study.line(key) is not None:
        return
    train, test = pair(study, language, "documents")
    nearest = similarities(train, test)
    drawn = similarities(*pair(study, language, "sentences"))
    errors = {kernel: wrong_heads(train, test, kernel)
              for kernel in ("constant", KERNEL)}
    lengths = np.array([len(sentence) for sentence in test.sentences])
    bins = []
    for low, high in zip(BOUNDS, BOUNDS[1:]):
        inside = (nearest >= low) & (nearest < high)
        bins.append({"from": low, "sentences": int(inside.sum()),
                     "tokens": int(lengths[inside].sum()),
                     **({kernel: percent(wrong[inside].sum() / lengths[inside].sum())
                         for kernel, wrong in errors.items()} if inside.any() else {})})
    study.add(key, {
        "sentences": [len(train), len(test)], "C": SHOWN_C, "bins": bins,
        "median": round(float(np.median(nearest)), 3),
        "median_by_sentences": round(float(np.median(drawn)), 3),
        "near": percent(float((nearest >= NEAR).mean())),
        "near_by_sentences": percent(float((drawn >= NEAR).mean()))})


def wrong_heads(train: Treebank, test: Treebank, kernel: str) -> np.ndarray:
    """The number of wrong heads in each test sentence."""
    parser = ParserLearner(
        solver="bcfw", C=SHOWN_C, epsilon=EPSILON, decoder="exact", relations=False,
        calibrate=False, **kernel_model([TAGS], kernel))(train)
    return np.array([int((heads != sentence.heads).sum()) for sentence, heads in
                     zip(test.sentences, parser.predict_heads(test))])


def cover(study: Study) -> None:
    for language in study.languages():
        known_pairs(study, language)


def known_pairs(study: Study, language: str) -> None:
    """How many heads of held-out sentences can be known from pairs of words at all.

    known : test edges whose words stood in an edge of the training half, with the same
        direction and distance (what `tokens::dir` compares)
    at_best : these, and those of the rest in which the head is the neighbour on the
        side on which it is more often
    """
    halves = Halves(study.files[language])
    drawn = [(heads, change, halves) for heads, change in HEADS.items()]
    if halves.documents:
        heads, change, _ = drawn[-1]
        drawn.append((f"{heads}, halves by sentences", change,
                      Halves(study.files[language], by="sentences")))
    for heads, change, halves in drawn:
        for size in COVERED:
            if size > max(COVERED[0], len(halves.train)):
                continue
            key = {"part": "coverage", "language": language, "share": 1.,
                   "epsilon": EPSILON, "setting": {"heads": heads, "size": size}}
            if study.line(key) is not None:
                continue
            train, test = (changed(part, change) for part in halves.treebanks(size))
            learned = {pair for sentence in train.sentences for pair in pairs(sentence)}
            known = np.array([pair in learned for sentence in test.sentences
                              for pair in pairs(sentence)])
            offset = np.concatenate([sentence.heads - np.arange(1, len(sentence) + 1)
                                     for sentence in test.sentences])
            side = max((-1, 1), key=lambda side: (offset == side).mean())
            study.add(key, {
                "sentences": [len(train), len(test)],
                "known": percent(known.mean()),
                "at_best": percent((known | (offset == side)).mean())})


def pairs(sentence: Sentence) -> list[tuple[str, str, int]]:
    """What tokens::dir compares of each edge."""
    words = ["", *sentence.forms]
    return [(words[head], words[dependent], distance_slot(head, dependent))
            for dependent, head in enumerate(map(int, sentence.heads), 1)]
