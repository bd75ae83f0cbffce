"""Time of Gram matrices on one core: a line of JSON for each kernel.

    python benchmarks/gram.py --treebanks DIR [--sentences 1000] [--runs 3]

`gram_us_per_pair` is CPU time of the whole matrix of the first sentences of UD English
EWT's training part, encoding included, compilation not, over the number of different
pairs, n (n + 1) / 2: the best of the runs, since other work disturbs the machine.
"""
import argparse
import json
import time
from pathlib import Path

from orange_structpred.kernels import (
    AnnotatedNgram,
    BagOfWords,
    Constant,
    Gaussian,
    InputKernel,
    Ngram,
    PolynomialBagOfWords,
    SubsetTree,
)
from orange_structpred.treebank import Sentence, read_conll

FILE = "en_ewt-ud-train.conllu"
KERNELS = {
    "constant": Constant(), "bow": BagOfWords(), "poly-bow": PolynomialBagOfWords(),
    "gaussian": Gaussian(), "ngram": Ngram(n=6), "ngram of lemmas": Ngram(layer="lemma"),
    "ngram of UPOS": Ngram(layer="upos"), "annotated-ngram": AnnotatedNgram(),
    "tree": SubsetTree()}


def us_per_pair(kernel: InputKernel, sentences: list[Sentence], runs: int) -> float:
    kernel.gram(sentences[:2])  # compiles
    seconds = []
    for _ in range(runs):
        start = time.process_time()
        kernel.gram(sentences)
        seconds.append(time.process_time() - start)
    n = len(sentences)
    return min(seconds) / (n * (n + 1) / 2) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help=f"folder that holds {FILE}")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    sentences = read_conll(arguments.treebanks / FILE)[:arguments.sentences]
    for name, kernel in KERNELS.items():
        value = us_per_pair(kernel, sentences, arguments.runs)
        print(json.dumps({"name": "gram_us_per_pair", "kernel": name,
                          "value": float(f"{value:.3g}")}), flush=True)


if __name__ == "__main__":
    main()
