"""A full disk: what was there before stays, the error names the file, training goes on."""
import os
import subprocess
import warnings

from orange_structpred import Parser, ParserLearner, Treebank, load_bundled
from orange_structpred.export import read_workflow
from orange_structpred.export.script import write_script
from orange_structpred.files.writing import write_bytes
from tests.data import ROOT
from tests.hostile.draw import pick
from tests.hostile.worker import Skipped


def prepare(folder):
    place = folder / "full"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", place],
                          check=False, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise Skipped(f"no file system of its own can be mounted: {done.stderr.strip()}")
    treebank = load_bundled("en")[:60]
    return place, treebank, ParserLearner(passes=1, hash_bits=14)(treebank)


def finish(state):
    subprocess.run(["umount", state[0]], check=True)


def case(state, rng):
    place, treebank, parser = state
    for file in place.iterdir():
        file.unlink()
    kind = pick(rng, ["model", "conllu", "conllu.gz", "tab", "script", "checkpoint"])
    path = place / f"file.{'py' if kind == 'script' else kind}"
    if kind == "checkpoint":
        fill(place, int(rng.integers(0, 30_000)))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            trained = ParserLearner(passes=2, hash_bits=14, checkpoint=path)(treebank)
        assert len(trained.log) == 2
        assert any("checkpoint could not be written" in str(own.message)
                   for own in caught)
        assert [own.name for own in place.iterdir()] == ["filler"]
        return
    save(kind, path, treebank[:3], parser)
    before = path.read_bytes()
    names = {"filler", *(own.name for own in place.iterdir())}
    fill(place, int(rng.integers(0, 2000)))
    try:
        save(kind, path, treebank, parser)
    except OSError as error:
        assert str(path) in str(error) and error.strerror, error
    else:
        raise AssertionError(f"{kind}: there was room")
    assert path.read_bytes() == before
    assert {own.name for own in place.iterdir()} == names


def save(kind, path, treebank, parser):
    if kind == "model":
        parser.save(path)
        Parser.load(path)
    elif kind == "script":
        text = write_script(read_workflow(ROOT / "workflows" / "110-first-parser.ows")).text
        write_bytes(path, text.encode() * len(treebank))
    else:
        Treebank.from_sentences(treebank.sentences).save(path)


def fill(place, left):
    """Leave so many bytes."""
    with open(place / "filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
        os.truncate(place / "filler", max(0, file.tell() - left // 4096 * 4096))
