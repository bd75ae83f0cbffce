"""Treebanks of the study: halves of them, and what is changed to find out why."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from orange_structpred import Treebank
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.block import ConllError

FILES = {"English": ("en_ewt-ud-train.conllu",),
         "German": ("de_gsd-ud-dev.conllu", "de_gsd-ud-test.conllu")}
#: Relations of words that lead their phrase in grammars such as Foth's, and of those
#: that depend on the leading verb
FUNCTION_WORDS = {"case", "mark", "aux", "cop"}
OF_FINITE_VERB = {"nsubj", "csubj", "expl"}


class Halves:
    """A treebank's sentences, half to learn from and half to test on.

    by : {"documents", "sentences"}
        What is drawn at random for the halves. Documents are not torn apart
    share : how much of the sentences is taken, from all documents alike
    """

    def __init__(self, paths: Sequence[Path], share: float = 1., *,
                 by: str = "documents", seed: int = 0):
        sentences = [s for path in paths for s in Treebank.from_file(path).sentences]
        units = split_documents(sentences) if by == "documents" else [
            [sentence] for sentence in sentences]
        #: whether the treebank says where documents begin
        self.documents = any(len(unit) > 1 for unit in units)
        order = np.random.default_rng(seed).permutation(len(units))
        bounds = np.cumsum([len(units[k]) for k in order])
        middle = 1 + int(np.argmin(np.abs(bounds - len(sentences) / 2)))
        step = round(1 / share)
        self.train, self.test = (
            [sentence for k in part for sentence in units[k]][::step]
            for part in (order[:middle], order[middle:]))

    def treebanks(self, size: int | None = None) -> tuple[Treebank, Treebank]:
        return (Treebank.from_sentences(self.train[:size], name="train"),
                Treebank.from_sentences(self.test[:size], name="test"))


def split_documents(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """Sentences by document; each for itself in a treebank without documents."""
    marked = ["# newdoc" in sentence.block for sentence in sentences]
    if not any(marked):
        return [[sentence] for sentence in sentences]
    documents: list[list[Sentence]] = []
    for sentence, first in zip(sentences, marked):
        if first or not documents:
            documents.append([])
        documents[-1].append(sentence)
    return documents


def function_heads(sentence: Sentence, punctuation: str = "word") -> Sentence:
    """The tree as a grammar draws it in which function words lead.

    Prepositions, subordinating conjunctions, auxiliaries and copulas become the heads of
    their phrases, the outermost the one that stands farthest away; subjects depend on the
    leading verb; a conjunction depends on the first conjunct, and the second one on it;
    punctuation depends on the word before it, or with "root" on the root. (Foth's
    grammar, to which the thesis's treebank was converted, is of this kind.)
    """
    heads = [0, *map(int, sentence.heads)]
    relations = ["", *(name.split(":")[0] for name in sentence.deprels)]
    dependents: list[list[int]] = [[] for _ in heads]
    for word in range(1, len(heads)):
        dependents[heads[word]].append(word)
    new = list(heads)
    for word in range(1, len(heads)):
        functions = sorted((k for k in dependents[word] if relations[k] in FUNCTION_WORDS),
                           key=lambda k: abs(k - word))
        for inner, outer in zip([word, *functions], functions):
            new[inner] = outer
        verbs = [k for k in functions if relations[k] in ("aux", "cop")]
        for k in dependents[word]:
            if verbs and relations[k] in OF_FINITE_VERB:
                new[k] = verbs[-1]
        leader = functions[-1] if functions else word
        if functions:
            new[leader] = heads[word]
        conjunctions = [k for k in dependents[word] if relations[k] == "cc"]
        if conjunctions and relations[word] == "conj":
            new[conjunctions[0]] = heads[word]
            new[leader] = conjunctions[0]
    last = 0
    for word in range(1, len(heads)):
        if relations[word] != "punct":
            last = word
        elif punctuation == "root":
            new[word] = 0
        elif last:
            new[word] = last
    try:
        return sentence.with_heads(new[1:])
    except ConllError:          # a function word with function words: not a tree
        return sentence


def changed(treebank: Treebank, change: Callable[[Sentence], Sentence]) -> Treebank:
    return Treebank.from_sentences([change(s) for s in treebank.sentences],
                                   name=treebank.name)
