"""Model files of all kinds: refused with a clear word, or parsers that work."""
import json
import pickle
import struct
import tracemalloc
import zipfile

import numpy as np

from orange_structpred import (
    Parser,
    ParserLearner,
    Pipeline,
    PipelineLearner,
    load_bundled,
)
from orange_structpred.files.models import ModelFileError
from orange_structpred.parsing.decoding.decoders import is_tree
from orange_structpred.tagging.lemmatiser import Lemmatiser, LemmatiserLearner
from orange_structpred.tagging.tagger import Tagger, TaggerLearner
from orange_structpred.tagging.tokeniser import Tokeniser, TokeniserLearner
from tests.hostile.draw import NUMBERS, changed, damaged, pick, value

KINDS = {
    "second order": {"hash_bits": 10},
    "hashed": {"order": 1, "hash_bits": 10, "groups": ["head", "head-dependent", "in-between"]},
    "dictionary": {"min_count": 2, "groups": ["head", "counts"]},
    "index": {"features": "kernel", "kernel": "ngram", "hash": ["posTags", "between"]},
    "bow": {"features": "kernel", "kernel": "constant+bow", "hash": ["wordVecs"]},
    "nystroem": {"features": "kernel", "kernel": "annotated-ngram", "nystroem": 5},
}
DTYPES = ("int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "bool",
          "<U3", ">i4", ">f8", "complex64", "object", "S4", "datetime64[s]")
HEADERS = ("(" * 3000, "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 30 + ",), }",
           "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "[" * 1000,
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
           "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "\0" * 50,
           "{'descr': '<f4', 'fortran_order': __import__('os'), 'shape': (1,), }")


class Trap:
    def __reduce__(self):
        return print, ("code was run",)


def prepare(folder):
    treebank = load_bundled("en")[:12]
    models = []
    for options in KINDS.values():
        parser = ParserLearner(passes=1, **options)(treebank)
        parser.save(folder / "model.npz")
        models.append((use_parser, (folder / "model.npz").read_bytes(),
                       dict(np.load(folder / "model.npz"))))
    for learner, use in ((TaggerLearner(), use_tagger),
                         (LemmatiserLearner(), use_lemmatiser),
                         (TokeniserLearner(), use_tokeniser),
                         (PipelineLearner(parser=ParserLearner(
                             passes=1, hash_bits=10)), use_pipeline)):
        learner(treebank).save(folder / "model.npz")
        models.append((use, (folder / "model.npz").read_bytes(),
                       dict(np.load(folder / "model.npz"))))
    return folder / "model.npz", models, treebank.sentences[10:12]


def case(state, rng):
    path, models, sentences = state
    use, data, arrays = pick(rng, models)
    arrays = dict(arrays)
    kind = rng.random()
    if kind < 0.3:
        path.write_bytes(damaged(rng, data))
    elif kind < 0.55:
        header = json.loads(bytes(arrays["header"]))
        for _ in range(int(rng.integers(1, 3))):
            header = changed(rng, header, value)
        text = json.dumps(header)
        if rng.random() < 0.02:
            text = "[" * 10**5
        arrays["header"] = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
        write(path, arrays)
    elif kind < 0.9:
        for _ in range(int(rng.integers(1, 3))):
            name = pick(rng, [own for own in arrays if arrays[own] is not None])
            arrays[name] = strange(rng, arrays[name])
        write(path, {name: array for name, array in arrays.items()
                     if array is not None}, compressed=rng.random() < 0.2)
    else:
        archive(path, rng, arrays)
    if kind < 0.98:
        check(path, sentences, use)
        return
    tracemalloc.start()
    try:
        check(path, sentences, use)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 5 * 10**8, f"{most} bytes"


def check(path, sentences, use):
    try:
        use(path, sentences)
    except ModelFileError as error:
        assert str(error).startswith(f"{path}: ") and "\n" not in str(error)


def use_parser(path, sentences):
    parser = Parser.load(path)
    found = parser.predict(sentences)
    for sentence, own in zip(sentences, found.heads, strict=True):
        assert len(own) == len(sentence) and own.min() >= 0 and own.max() <= len(own)
        assert parser.decoder == "approximate" or is_tree(np.append(np.int32(-1), own))
    parser.explain(sentences[0], 0, 1)
    str(parser), repr(parser), parser.n_weights


def use_tagger(path, sentences):
    tagger = Tagger.load(path)
    assert [len(own) for own in tagger.tag(sentences)] == [len(own) for own in sentences]
    str(tagger), repr(tagger), tagger.n_weights


def use_lemmatiser(path, sentences):
    found = Lemmatiser.load(path).lemmatise(sentences)
    assert [len(own) for own in found] == [len(own) for own in sentences]


def use_tokeniser(path, sentences):
    list(Tokeniser.load(path).split([" ".join(own.text for own in sentences)]))


def use_pipeline(path, sentences):
    text = " ".join(own.text for own in sentences)
    pipeline = Pipeline.load(path)
    for own in pipeline.annotate(text):
        assert len(own.lemmas) == len(own.upos) == len(own)
    str(pipeline), repr(pipeline)


def strange(rng, array):
    """An array that is like another one, but for its dtype, shape or values."""
    kind = rng.integers(8)
    if kind == 0:
        return None
    if kind == 1:
        try:
            return array.astype(pick(rng, DTYPES))
        except (TypeError, ValueError):
            return np.array([Trap()], object)
    if kind == 2:
        return array[:int(rng.integers(len(array) + 1))] if array.ndim else array
    if kind == 3:
        return array.reshape(pick(rng, [(-1, 1), (1, -1), (1, 1, -1)]))
    if kind == 4:
        return np.concatenate([array.ravel(), array.ravel()])
    if kind == 5:
        return np.array([Trap()], object)
    array = array.copy()
    if kind == 6 and array.dtype.kind in "iu" and array.size > 3:     # a sum that wraps
        return np.full(array.shape, 2**62, np.int64)
    if array.size and array.dtype.kind in "iuf":
        for _ in range(int(rng.integers(1, 4))):
            with np.errstate(all="ignore"):
                number = pick(rng, NUMBERS)
                try:
                    array.flat[int(rng.integers(array.size))] = number
                except (OverflowError, ValueError):
                    array.flat[0] = np.iinfo(array.dtype).max
    return array


def write(path, arrays, compressed=False):
    with open(path, "wb") as file:
        (np.savez_compressed if compressed else np.savez)(file, **arrays)


def archive(path, rng, arrays):
    """What zip files can hold besides."""
    write(path, arrays)
    name = pick(rng, list(arrays)) + ".npy"
    kind = rng.integers(4)
    with zipfile.ZipFile(path) as file:
        entries = {own: file.read(own) for own in file.namelist()}
    if kind == 0:
        entries[name] = npy(pick(rng, HEADERS))
    elif kind == 1:         # a bomb
        entries[pick(rng, [name, "more.npy"])] = npy(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (5000000,), }") + bytes(
                20_000_000)
    elif kind == 2:
        entries[name] = pickle.dumps(Trap())
    else:
        entries[pick(rng, ["../x.npy", "more.npy", "/x", name + ".npy"])] = b"more"
    method = pick(rng, [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2,
                        zipfile.ZIP_LZMA])
    with zipfile.ZipFile(path, "w", method, compresslevel=1) as file:
        for own, content in entries.items():
            file.writestr(own, content)


def npy(header: str) -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text
