"""Which decoder suits treebanks with many crossing edges, as JSON lines.

    python benchmarks/crossing.py --treebanks DIR

German GSD and Croatian SET have few; so each adjective is moved before the word that its
noun depends on. Parsers learn from the test part and are measured on the dev part.

NAME_crossing : percent of the training trees that have crossing edges
NAME_uas_ORDER_DECODER : UAS, in percent
"""
import argparse
import json
from pathlib import Path

import numpy as np

from orange_structpred import ParserLearner, Treebank, evaluate
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.projectivity import crossed, flatten

NAMES = ("de_gsd", "hr_set")
DECODERS = {2: ("rearranged", "projective"), 1: ("rearranged", "projective", "exact")}


def scramble(sentence: Sentence) -> Sentence:
    """Move adjectives before the head of their head."""
    heads = sentence.heads.tolist()
    order = list(range(1, len(heads) + 1))
    for token, head in enumerate(heads, 1):
        if sentence.deprels[token - 1] == "amod" and heads[head - 1]:
            order.remove(token)
            order.insert(order.index(heads[head - 1]), token)
    place = {token: number for number, token in enumerate([0, *order])}
    rows = [(place[token], *(column[token - 1] for column in (
                sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos,
                sentence.feats)),
             place[heads[token - 1]], sentence.deprels[token - 1], "_", "_")
            for token in order]
    return Sentence("\n".join("\t".join(map(str, row)) for row in rows))


def tell(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(100 * value, 3)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of de_gsd-ud-{test,dev}.conllu and "
                             "hr_set-ud-{test,dev}.conllu")
    folder = parser.parse_args().treebanks
    for name in NAMES:
        train, dev = (Treebank.from_sentences(list(map(scramble, Treebank.from_file(
            folder / f"{name}-ud-{part}.conllu").sentences))) for part in ("test", "dev"))
        tell(f"{name}_crossing", np.mean(crossed(*flatten(
            [sentence.heads for sentence in train.sentences]))))
        for order, decoders in DECODERS.items():
            for decoder in decoders:
                learner = ParserLearner(order=order, decoder=decoder, relations=False)
                tell(f"{name}_uas_{order}_{decoder}", evaluate(learner(train)(dev)).uas)


if __name__ == "__main__":
    main()
