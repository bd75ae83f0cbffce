"""kill -9: files stay whole, and a training resumes as if nothing had happened."""
import numpy as np

from orange_structpred import (
    Parser,
    ParserLearner,
    load_bundled,
    read_conll,
    write_conll,
)
from tests.hostile.draw import pick
from tests.hostile.processes import fork, kill_after, remove_parts
from tests.hostile.worker import Skipped

TRAINING = {"passes": 6, "hash_bits": 10}


def prepare(folder):
    import os
    if not hasattr(os, "fork"):
        raise Skipped("processes cannot be forked here")
    treebank = load_bundled("en")[:40]
    place = folder / "kills"
    place.mkdir()
    expected = {solver: ParserLearner(solver=solver, **TRAINING)(treebank).model.weights
                for solver in ("mira", "bcfw")}
    return place, treebank, ParserLearner(passes=1)(treebank), expected


def case(state, rng):
    place, treebank, parser, expected = state
    kind = pick(rng, ["model", "model", "conllu", "conllu", "training"])
    path = place / kind
    if kind == "training":
        solver = pick(rng, list(expected))
        learner = ParserLearner(solver=solver, checkpoint=path, **TRAINING)
        kill_after(fork(lambda: learner(treebank)), rng.uniform(0.01, 0.4))
        remove_parts(place)
        again = learner(treebank)
        np.testing.assert_array_equal(again.model.weights, expected[solver])
        path.unlink()
        return

    def save():
        if kind == "model":
            parser.save(path)
        else:
            write_conll(treebank, path)

    def work():
        while True:
            save()

    save()
    kill_after(fork(work), rng.uniform(0., 0.05))
    assert remove_parts(place) <= 1
    if kind == "model":
        np.testing.assert_array_equal(Parser.load(path).model.weights,
                                      parser.model.weights)
    else:
        assert len(read_conll(path)) == len(treebank)
