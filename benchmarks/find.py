"""How long a search takes.

    python benchmarks/find.py --treebanks DIR [--million]

Prints JSON lines: `find_ms_two_nodes`, milliseconds for a verb and its object in the
training part of UD English EWT; `find_ms_three_nodes`, with a third node and a condition;
`find_ms_regular`, a regular expression on forms; `find_ms_index`, what the first search
takes once, without compiling; and with --million `find_ms_million`, the first pattern in
one million words, and `find_ms_million_index`. Medians of seven runs, but for the index.
"""
import argparse
import json
import time
from pathlib import Path
from statistics import median

from orange_structpred import Treebank, find

FILE = "en_ewt-ud-train.conllu"
TWO_NODES = "pattern { V [upos=VERB]; V -[obj]-> N; N [upos=NOUN] }"
PATTERNS = {
    "two_nodes": TWO_NODES,
    "three_nodes": "pattern { V [upos=VERB]; V -[obj]-> N; V -[nsubj]-> S; S << V } "
                   "without { N -[det]-> D }",
    "regular": 'pattern { V [form=re"(un|re).*(ed|ing)"] }',
}


def milliseconds(treebank: Treebank, pattern: str) -> tuple[float, int]:
    start = time.perf_counter()
    found = find(treebank, pattern)
    return 1000 * (time.perf_counter() - start), len(found)


def measure(name: str, treebank: Treebank, pattern: str) -> None:
    runs = [milliseconds(treebank, pattern) for _ in range(7)]
    print(json.dumps({"name": f"find_ms_{name}",
                      "value": round(median(took for took, _ in runs), 1),
                      "matches": runs[0][1]}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--million", action="store_true")
    args = parser.parse_args()
    treebank = Treebank.from_file(args.treebanks / FILE)
    find(treebank[:10], TWO_NODES)      # compiles
    first, _ = milliseconds(treebank, TWO_NODES)
    print(json.dumps({"name": "find_ms_index", "value": round(first, 1)}), flush=True)
    for name, pattern in PATTERNS.items():
        measure(name, treebank, pattern)
    if args.million:
        sentences, words, many = treebank.sentences, 0, []
        while words < 1_000_000:
            own = sentences[len(many) % len(sentences)]
            many.append(own)
            words += len(own)
        million = Treebank.from_sentences(many)
        first, _ = milliseconds(million, TWO_NODES)
        print(json.dumps({"name": "find_ms_million_index", "value": round(first, 1),
                          "words": words}), flush=True)
        measure("million", million, TWO_NODES)


if __name__ == "__main__":
    main()
