"""Time of the decoders on random scores, one core: a line of JSON for each figure.

    python benchmarks/decoders.py [--tokens 12 25 60 200 2000] [--seconds 0.3]

Sentences are decoded from compiled code, as the trainer does, so that the time of a
call from Python is not part of the figures, and each has its own random scores.
"""
import argparse
import json
import resource
import time

import numpy as np
from numba import njit

from orange_structpred.parsing.decoding.decoders import DECODERS, decode


@njit(nogil=True)
def decode_all(scores, decoder, single_root, repeats):
    total = 0
    for _ in range(repeats):
        for i in range(len(scores)):
            total += decode(scores[i], decoder, single_root)[-1]
    return total


def seconds_of(function, *args) -> float:
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start


def show(name: str, value: float):
    print(json.dumps({"name": name, "value": float(f"{value:.4g}")}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, nargs="+",
                        default=[12, 25, 60, 200, 2000])
    parser.add_argument("--seconds", type=float, default=0.3, help="for each figure")
    args = parser.parse_args()

    random = np.random.default_rng(0)
    toy = random.normal(size=(1, 3, 3)).astype(np.float32)
    show("compile_s", seconds_of(decode_all, toy, 0, True, 1))
    for n in args.tokens:
        sentences = max(1, min(200, 100_000 // n ** 2))
        scores = random.normal(size=(sentences, n + 1, n + 1)).astype(np.float32)
        for name, code in DECODERS.items():
            for single_root in (True, False):
                once = seconds_of(decode_all, scores, code, single_root, 1)
                repeats = int(args.seconds / once)
                if repeats:
                    # the best of several, since other work disturbs the machine
                    part = max(1, repeats // 10)
                    once = min(seconds_of(decode_all, scores, code, single_root, part)
                               for _ in range(10)) / part
                roots = "one root" if single_root else "any roots"
                show(f"{name}, {roots}, {n} tokens, us", once / sentences * 1e6)
    show("peak_mb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main()
