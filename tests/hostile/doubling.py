"""Texts that are repeated: work grows with their length, not with its square."""
import time
import warnings
from contextlib import suppress

from orange_structpred import RuleTokeniser, TokeniserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.search import find
from orange_structpred.search.syntax import LONGEST_PATTERN
from orange_structpred.treebank.conll import read_conll_bytes as read_conll_bytes
from orange_structpred.treebank.normal_form import align_normal_form
from orange_structpred.treebank.text import is_conll
from tests.hostile.draw import TEXTS, pick
from tests.pipeline.test_long_input import TOKEN, UNITS

#: Characters of the shorter text, how many times as long the other one is, and how many
#: times as much work it may be; a square would be 256 times as much
LENGTH, TIMES, MOST_WORK = 4000, 16, 64
#: Seconds of work that are not measured: they may be anything
LEAST_WORK = 0.005


def prepare(folder):
    treebank = load_bundled("en")
    tokeniser = TokeniserLearner(passes=1).learn(treebank.sentences[:40])

    def search(text):
        find(treebank[:5], text[:LONGEST_PATTERN])

    def conll(text):
        read_conll_bytes(f"# text = {text}\n{TOKEN}\n\n".encode("utf-8", "replace"), "x")

    works = {
        "rules": lambda text: list(RuleTokeniser().drafts([text])),
        "tokeniser": lambda text: list(tokeniser.drafts([text])),
        "normal form": align_normal_form, "pattern": search, "comment": conll,
        "text or CoNLL": lambda text: is_conll(text.encode("utf-8", "replace"))}
    for work in works.values():
        seconds(work, "Hi you.")        # compiled now
    return works


def seconds(work, text) -> float:
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with suppress(InputError):
            work(text)
    return time.process_time() - began


def case(works, rng):
    name = pick(rng, list(works))
    unit = "".join(pick(rng, UNITS + list(TEXTS)) for _ in range(rng.integers(1, 4)))
    unit = unit[:LENGTH] or "a"
    before, after = (pick(rng, UNITS) if rng.random() < 0.5 else "" for _ in range(2))
    short, long = (before + unit * max(1, length // len(unit)) + after
                   for length in (LENGTH, TIMES * LENGTH))
    limit = MOST_WORK * max(seconds(works[name], short), LEAST_WORK)
    # one measurement may be off: other processes are at work
    assert any(seconds(works[name], long) < limit for _ in range(3)), (name, unit[:40])
