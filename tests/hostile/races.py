"""Several processes that save to one file: it is always one of theirs, and whole."""
import numpy as np

from orange_structpred import (
    Parser,
    ParserLearner,
    load_bundled,
    read_conll,
    write_conll,
)
from tests.hostile.draw import pick
from tests.hostile.processes import fork, no_parts, wait
from tests.hostile.worker import Skipped

ROUNDS = 8


def prepare(folder):
    import os
    if not hasattr(os, "fork"):
        raise Skipped("processes cannot be forked here")
    treebank = load_bundled("en")[:20]
    parsers = [ParserLearner(passes=1, hash_bits=bits, name=str(bits))(treebank)
               for bits in (10, 12, 14)]
    place = folder / "shared"
    place.mkdir()
    return place, treebank, parsers


def case(state, rng):
    place, treebank, parsers = state
    kind = pick(rng, ["model", "conllu", "checkpoint"])
    path = place / kind

    def work(number):
        for _ in range(ROUNDS):
            if kind == "model":
                parsers[number].save(path)
            elif kind == "conllu":
                write_conll(treebank.sentences[:5 * (number + 1)], path)
            else:
                ParserLearner(passes=2, hash_bits=10, checkpoint=path)(treebank)

    children = [fork(lambda number=number: work(number)) for number in range(3)]
    codes = [wait(child) for child in children]
    assert codes == [0, 0, 0], (kind, codes)
    no_parts(place)
    if kind == "model":
        found = Parser.load(path)
        expected = parsers[[own.name for own in parsers].index(found.name)]
        np.testing.assert_array_equal(found.model.weights, expected.model.weights)
    elif kind == "conllu":
        assert len(read_conll(path)) in (5, 10, 15)
    else:
        path.unlink()
