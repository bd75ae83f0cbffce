"""Speed and memory of kernel parsers: a line of JSON for each figure.

    python benchmarks/kernel.py --treebanks DIR [--full]

All on the first sentences of UD English EWT's training part, with the n-gram kernel
(n=6), the hash functions posTags2::dir and tokens, C=100 and BCFW; compilation is not
counted. In brackets what is measured:

gram_us_per_pair : CPU time of the Gram matrix of 5,000 sentences over its pairs,
    n (n + 1) / 2
train_cpu_s : CPU time of 20 passes over 5,000 sentences and of hashing their edges,
    without the Gram matrix
index_speedup : one-slack with 1,000 sentences, CPU time of an oracle pass and of a new
    row of H, naive products over indexed ones, each the median of five rounds. The
    naive ones are timed on every 50th sentence
growth_2x : CPU time of a pass over 5,000 sentences over that of 2,500, the median of
    passes
peak_mb : memory of the process after training on 5,000 sentences
full_minutes : time on the clock for all sentences, Gram matrix on all cores and 20
    passes; with CPU time and memory beside it
"""
import argparse
import json
import os
import resource
import time
from pathlib import Path

import numpy as np
from plane_products import kernel_problem

from orange_structpred.kernels import Ngram
from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import hash_edges
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.svm import BCFW, Report
from orange_structpred.svm.planes import Plane
from orange_structpred.treebank import Sentence, read_conll
from orange_structpred.treebank.encoding import encode

FILE = "en_ewt-ud-train.conllu"
KERNEL = Ngram(n=6)
HASHES = HashFunctions(["posTags2::dir", "tokens"])
C = 100.
PASSES = 20
ROUNDS = 5
SAMPLE = 50         # of the sentences whose naive products are timed
NEVER = 1e-12       # an epsilon that no training reaches, so that all passes are made


def show(name: str, value: float, **more: float) -> None:
    print(json.dumps({"name": name, "value": float(f"{value:.4g}"),
                      **{key: float(f"{x:.4g}") for key, x in more.items()}}),
          flush=True)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def make_problem(sentences: list[Sentence], gram: np.ndarray, product: str = "index"
                 ) -> KernelProblem:
    encoded = encode(sentences)
    hashed, known = hash_edges(sentences, encoded, HASHES)
    return kernel_problem(product, encoded, hashed, len(known), gram, PROJECTIVE)


def train(sentences: list[Sentence], gram: np.ndarray, passes: int) -> list[float]:
    """CPU time at the start, after hashing, and after each pass."""
    times = [time.process_time()]
    problem = make_problem(sentences, gram)
    times.append(time.process_time())

    def note(report: Report) -> None:
        if report.end_of_pass:
            times.append(time.process_time())

    BCFW(C=C, epsilon=NEVER, passes=passes).solve(problem, note)
    return times


def pass_time(times: list[float]) -> float:
    """The last pass has a certificate to make, and the first finds an empty index."""
    return float(np.median(np.diff(times)[2:-1]))


def round_time(problem: KernelProblem, every: int = 1) -> float:
    """CPU time of a round of one-slack with one plane: the oracle for all sentences,
    and the products of a new plane with itself and the one before.

    Where `every` is above 1 only so many sentences are timed, and the time is
    multiplied: for the products all others have their gold trees, so that they add
    nothing to a plane.
    """
    arithmetic, n = problem.new_planes(), len(problem)

    def plane(outputs: list[np.ndarray]) -> Plane:
        return Plane(
            float(np.mean([problem.example_loss(i, y) for i, y in enumerate(outputs)])),
            arithmetic.join([arithmetic.chunk_features(0, outputs)]))

    zero = arithmetic.combine(np.zeros(0), [])
    outputs = [problem.gold(i) for i in range(n)]
    for i in range(0, n, every):
        outputs[i] = problem.most_violated(i, zero)
    part = plane(outputs)
    # all tokens below the root: wrong enough to be a plane
    whole = plane([np.where(problem.gold(i) < 0, -1, 0).astype(np.int32)
                   for i in range(n)])
    model = arithmetic.combine(np.array([C]), [whole])
    start = time.process_time()
    for i in range(0, n, every):
        problem.most_violated(i, model)
    arithmetic.inner_products(whole, [part, part])
    return (time.process_time() - start) * every


def index_speedup(sentences: list[Sentence], gram: np.ndarray) -> float:
    few = sentences[:5], np.ascontiguousarray(gram[:5, :5])
    for product in ("naive", "index"):      # compiles
        round_time(make_problem(*few, product))
    times = {}
    for product, every in (("naive", SAMPLE), ("index", 1)):
        problem = make_problem(sentences, gram, product)
        # rounds are short, and the first one finds nothing in the caches
        times[product] = np.median([round_time(problem, every) for _ in range(ROUNDS)])
    return times["naive"] / times["index"]


def all_sentences(sentences: list[Sentence]) -> None:
    clock, cpu = time.perf_counter(), time.process_time()
    gram = KERNEL.gram(sentences, n_jobs=os.cpu_count())
    after_gram = time.perf_counter()
    train(sentences, gram, PASSES)
    show("full_minutes", (time.perf_counter() - clock) / 60,
         gram_minutes=(after_gram - clock) / 60,
         cpu_minutes=(time.process_time() - cpu) / 60, peak_mb=peak_mb(),
         sentences=len(sentences))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help=f"folder that holds {FILE}")
    parser.add_argument("--full", action="store_true",
                        help="train on all sentences too, which takes minutes")
    arguments = parser.parse_args()
    everything = read_conll(arguments.treebanks / FILE)
    sentences = everything[:5000]
    train(sentences[:20], KERNEL.gram(sentences[:20]), 2)       # compiles

    start = time.process_time()
    gram = KERNEL.gram(sentences)
    n = len(sentences)
    show("gram_us_per_pair", (time.process_time() - start) / (n * (n + 1) / 2) * 1e6)
    times = train(sentences, gram, PASSES)
    show("train_cpu_s", times[-1] - times[0], hashing=times[1] - times[0])
    show("peak_mb", peak_mb())
    half = train(sentences[:2500], np.ascontiguousarray(gram[:2500, :2500]), PASSES)
    show("growth_2x", pass_time(times) / pass_time(half))
    show("index_speedup", index_speedup(
        sentences[:1000], np.ascontiguousarray(gram[:1000, :1000])))
    if arguments.full:
        del gram
        all_sentences(everything)


if __name__ == "__main__":
    main()
