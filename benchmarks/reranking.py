"""Reranking of the k best trees by the subset-tree kernel (thesis 3.2.3).

Grammars: phrases.txt, a PCFG on 400 trees, candidates by cross-fitting, C and decay chosen
on the next 200, the rest is the test. Dependencies: UD English EWT; a first-order parser of
the first sentences of the training file, a reranker of the next ones, C chosen on sentences
of dev, others of test are the test.

    python benchmarks/reranking.py [--treebanks DIR] [--parts grammar dependencies]

One line of JSON for each figure:

rerank_grammar_f1_base, rerank_grammar_f1, rerank_grammar_f1_oracle : F1 of the PCFG, of
    the reranked trees and of the best candidates, in percent, on the test
rerank_grammar_f1_gain : the difference of the first two
rerank_uas_base, rerank_uas, rerank_uas_oracle, rerank_uas_gain : the same for UAS
rerank_grammar_f1_ms, rerank_uas_ms : CPU milliseconds per sentence for the kernel
rerank_grammar_cpu_s, rerank_cpu_s : CPU seconds of one training, given the candidates
"""
from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from pathlib import Path

from orange_structpred import ParserLearner, Treebank
from orange_structpred.kernels import SubsetTree
from orange_structpred.problems import PCFG, read_brackets
from orange_structpred.reranking import Reranker

GRAMMAR_C, DEPENDENCY_C = (10., 100., 1000.), (10., 100., 1000.)
DECAYS = (0.5, 0.2)
K = 20


def tell(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(float(value), 3)}), flush=True)


def choose(base, training, dev, *, k: int, Cs) -> tuple[Reranker, float]:
    """The reranker that is best on dev, and the CPU seconds of one training."""
    candidates, fitted, seconds = None, [], []
    for decay in DECAYS:
        for C in Cs:
            reranker = Reranker(SubsetTree(decay=decay), k=k, C=C, tol=0.02, max_iter=200)
            started = time.process_time()
            reranker.fit(base, training, candidates=candidates)
            if candidates is not None:
                seconds.append(time.process_time() - started)
            candidates = reranker.training_candidates_
            score = reranker.score(dev)
            print(f"decay {decay}, C {C:g}: training base {100 * reranker.base_score_:.2f}, "
                  f"oracle {100 * reranker.oracle_score_:.2f}; dev {100 * score:.2f}; "
                  f"{len(reranker.support_trees_)} support trees", file=sys.stderr, flush=True)
            fitted.append((score, reranker))
    return max(fitted, key=lambda own: own[0])[1], min(seconds)


def tell_scores(prefix: str, reranker: Reranker, test, base: float) -> None:
    """Figures on the test, which is looked at once."""
    inputs, truths = reranker.source_.examples(test, None)
    lists = [reranker.source_.candidates(x, reranker.k) for x in inputs]
    started = time.process_time()
    chosen = [own[int(reranker.scores(own).argmax())].output for own in lists]
    seconds = time.process_time() - started
    best = [min(own, key=lambda c, truth=truth: reranker.source_.loss(truth, c.output)).output
            for own, truth in zip(lists, truths)]
    score = reranker.source_.score(truths, chosen)
    tell(f"{prefix}_base", 100 * base)
    tell(prefix, 100 * score)
    tell(f"{prefix}_oracle", 100 * reranker.source_.score(truths, best))
    tell(f"{prefix}_gain", 100 * (score - base))
    tell(f"{prefix}_ms", 1000 * seconds / len(inputs))


def grammar() -> None:
    trees = read_brackets(Path(__file__).with_name("phrases.txt"))
    training, dev, test = trees[:400], trees[400:600], trees[600:]
    reranker, seconds = choose(PCFG(), training, dev, k=K, Cs=GRAMMAR_C)
    tell_scores("rerank_grammar_f1", reranker, test, reranker.parser_.score(test, test))
    tell("rerank_grammar_cpu_s", seconds)


def dependencies(folder: Path, *, k: int = 10, first: int = 2000, more: int = 500) -> None:
    train, dev, test = (Treebank.from_file(folder / f"en_ewt-ud-{part}.conllu")
                        for part in ("train", "dev", "test"))
    parser = ParserLearner(order=1, calibrate=False)(train[:first])
    reranker, seconds = choose(parser, train[first:first + more], dev[:500], k=k,
                               Cs=DEPENDENCY_C)
    parsed = parser.parse(test[:500].sentences)
    base = reranker.source_.score(test[:500].sentences, parsed)
    tell_scores("rerank_uas", reranker, test[:500], base)
    tell("rerank_cpu_s", seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebanks", type=Path, metavar="DIR",
                        help="folder with the files of EWT, for dependencies")
    parser.add_argument("--parts", nargs="+", default=["grammar", "dependencies"],
                        choices=["grammar", "dependencies"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if "grammar" in options.parts:
        grammar()
    if "dependencies" in options.parts and options.treebanks:
        dependencies(options.treebanks)


if __name__ == "__main__":
    main()
