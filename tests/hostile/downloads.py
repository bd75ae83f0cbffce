"""Answers of servers: a treebank that is kept can be read, and anything else is not."""
import shutil
from contextlib import ExitStack

from orange_structpred.errors import InputError
from orange_structpred.treebank import read_conll
from orange_structpred.treebank.ud import (
    cached_ud,
    fetch_ud,
    find_ud,
    load_ud,
    ud_release,
)
from tests.hostile.draw import TEXTS, damaged, pick
from tests.treebank.web import TOY, server

NAME = "German-GSD"
PAGES = (b"", b"\n\n", b"<html><title>log in</title></html>", b"\x1f\x8b", b"# text = x\n",
         b"\xff\xfe", b"\0" * 100)


def prepare(folder):
    stack = ExitStack()
    web = stack.enter_context(server(files={}))
    return folder / "cache", web, stack


def finish(state):
    state[2].close()


def case(state, rng):
    cache, web, _ = state
    shutil.rmtree(cache, ignore_errors=True)
    treebank = find_ud(NAME)
    start = "/unmeasured" * (rng.random() < 0.2)
    kind = rng.random()
    data = pick(rng, PAGES) if kind < 0.2 else TOY if kind < 0.4 else (
        damaged(rng, TOY) if kind < 0.9 else pick(rng, TEXTS).encode("utf-8", "replace"))
    file = treebank.file_name("train")
    web.files = {f"{start}/{treebank.repository}/r{ud_release()}/{file}": data}
    get = pick(rng, [fetch_ud, load_ud])
    try:
        get(NAME, cache=cache, mirror=f"{web.address}{start}")
    except (InputError, OSError) as error:
        assert not any(ord(letter) < 32 for letter in str(error)), repr(str(error))
        kept = cached_ud(NAME, cache=cache)
        assert kept is None or read_conll(kept, on_error="skip"), data[:80]
        return
    kept = cached_ud(NAME, cache=cache)
    assert kept is not None and len(read_conll(kept, on_error="skip")), data[:80]
    again = load_ud(NAME, cache=cache, mirror="http://127.0.0.1:9/nowhere") \
        if kind < 0.4 else None
    assert again is None or len(again)
