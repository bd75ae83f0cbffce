"""Model files changed field by field, as their own schemas suggest.

Which arrays a file has, and what is declared of them, is learned by reading it: a new
kind of model, or a new component, is tried as soon as it is among the files.

    python -m tests.files.schema_fuzz FILE [FILE ...] [--step N] [--estimators]

loads each changed file and uses what can be loaded. With NUMBA_DISABLE_JIT=1 in the
environment, the functions run as the Python that they are written in, which complains of
every index that is out of range, and nothing is compiled; with NUMBA_BOUNDSCHECK=1,
compiled code does.
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFile, ModelFileError
from orange_structpred.files.schema import Array
from orange_structpred.parser import Parser
from orange_structpred.pipeline.trained_pipeline import load_model
from orange_structpred.treebank.sentence import Sentence
from tests.data import ROOT

ROW = "{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_"
SENTENCE = Sentence("\n".join(ROW.format(*row) for row in (
    (1, "The", "the", "DET", 2, "det"), (2, "dogs", "dog", "NOUN", 3, "nsubj"),
    (3, "bark", "bark", "VERB", 0, "root"), (4, ".", ".", "PUNCT", 3, "punct"))))
#: What takes the place of a header's value: other types, sizes and kinds of text
STRANGE = (None, True, -1, 0, 2**31, 2**70, 1e300, float("nan"), "", "a\tb", "a\nb",
           "\ud800", "x" * 2000, [], {}, [[]], {"a": 1})
LISTED = 2          # values of a list that are changed

Arrays = dict[str, np.ndarray]


def use(path: Path) -> None:
    """Load a model and let it work; a ModelFileError if it cannot be loaded."""
    model = load_model(path)
    if isinstance(model, Parser):
        sure = model.temperature is not None and model.decoder != "approximate"
        found = model.predict([SENTENCE], probabilities=sure)
        assert len(found.heads[0]) == len(SENTENCE) and max(found.heads[0]) <= 4
        for shares in found.probabilities or ():
            assert np.isnan(shares).any() or (shares.min() >= 0 and shares.max() <= 1)
    else:
        sentences = [*model.annotate("The dogs don't bark. Dogs bark!"),
                     *model.annotate([SENTENCE])]
        for sentence in sentences:
            assert len(Sentence(sentence.block)) == len(sentence)
    str(model), repr(model)


def use_sample(path: Path, name: str) -> None:
    """The same for the estimator of this name; whatever its inputs lead to in it is an
    InputError once it is loaded."""
    from tests.files.estimators import SAMPLES

    sample = SAMPLES[name]
    loaded = type(sample.estimator).load(path, **sample.code)
    with suppress(InputError):
        assert len(loaded.predict(sample.X)) == len(sample.X)
    str(loaded)


def declarations(path: Path, load: Callable[[Path], object] = load_model
                 ) -> dict[str, Array]:
    """What is declared of each array that is read, by its full name."""
    found: dict[str, Array] = {}
    check = ModelFile._checked

    def spy(file: ModelFile, schema, name: str, sizes):
        start = file._start + (f"{name}/" if name else "")
        found.update({start + own: array for own, array in schema.arrays.items()})
        return check(file, schema, name, sizes)

    with patch.object(ModelFile, "_checked", spy):
        load(path)
    return found


def changes_of_array(values: np.ndarray, declared: Array) -> Iterator[tuple[str, object]]:
    """Arrays that differ in one way from what is declared or was there."""
    yield "missing", None
    yield "another type", values.astype("float64" if values.dtype.kind in "iub" else "int64")
    yield "another dimension", values[None]
    yield "empty", values[:0]
    yield "shorter", values[:-1]
    yield "longer", np.concatenate([values, values[-1:]])
    yield "twice", np.concatenate([values, values])
    if not values.size:
        return
    yield "reversed", values[::-1]
    kind = values.dtype.kind
    limits = np.finfo(values.dtype) if kind == "f" else (
        np.iinfo(values.dtype) if kind in "iu" else None)
    numbers = [] if limits is None else [limits.min, limits.max, 0, 1]
    numbers += [np.nan, np.inf] if kind == "f" else []
    numbers += [declared.low - 1] if declared.low is not None and kind == "i" else []
    numbers += [int(values.max()) + 1] if kind in "iu" and values.max() < limits.max else []
    for number in numbers:
        for at in {0, values.size // 2, values.size - 1}:
            changed = values.copy()
            changed.flat[at] = number
            yield f"{number} at {at}", changed
        yield f"all {number}", np.full_like(values, number)
    if values.size > 1:
        changed = values.copy()
        changed.flat[1] = changed.flat[0]
        yield "a value twice", changed
    if declared.starts is not None:     # all entries in one row
        yield "all in the first", np.append(values[:1], np.full_like(values[1:], values[-1]))
        yield "all in the last", np.append(np.zeros_like(values[:-1]), values[-1:])


def changes_of_sizes(arrays: Arrays, declared: dict[str, Array]
                     ) -> Iterator[tuple[str, Arrays]]:
    """All arrays that share a size, longer and shorter together."""
    shared: dict[str, list[str]] = {}
    for name, array in declared.items():
        first = array.shape[0] if isinstance(array.shape, tuple) else array.shape
        if isinstance(first, str) and name in arrays:
            room = name.rpartition("/")[0]
            shared.setdefault(f"{room}:{first.partition('+')[0]}", []).append(name)
    for size, names in shared.items():
        yield f"{size} + 1", {name: np.concatenate([arrays[name], arrays[name][-1:]])
                              for name in names}
        yield f"{size} - 1", {name: arrays[name][:-1] for name in names}
        yield f"{size} = 0", {name: arrays[name][:0] for name in names}


def changes_of_header(value: object, where: str = "") -> Iterator[tuple[str, object]]:
    """The header with one value changed."""
    for strange in STRANGE:
        yield f"{where} = {strange!r:.20}", strange
    if isinstance(value, dict):
        yield f"{where} with an unknown name", {**value, "switch": True}
        for name in value:
            yield f"{where}.{name} missing", {k: v for k, v in value.items() if k != name}
            for text, changed in changes_of_header(value[name], f"{where}.{name}"):
                yield text, {**value, name: changed}
    elif isinstance(value, list) and value:
        yield f"{where} longer", [*value, value[-1]]
        yield f"{where} twice", value + value
        yield f"{where} shorter", value[:-1]
        for at in range(min(LISTED, len(value))):
            for text, changed in changes_of_header(value[at], f"{where}[{at}]"):
                yield text, [*value[:at], changed, *value[at + 1:]]


def cases(path: Path, load: Callable[[Path], object] = load_model
          ) -> Iterator[tuple[str, dict[str, object]]]:
    """All changes of a file: in words, and the arrays that differ (None for missing)."""
    with np.load(path) as file:
        arrays = dict(file)
    declared = declarations(path, load)
    for name, array in declared.items():
        if name in arrays:
            for text, changed in changes_of_array(arrays[name], array):
                yield f"{name}: {text}", {name: changed}
    yield from changes_of_sizes(arrays, declared)
    header = json.loads(bytes(arrays["header"]))
    for text, changed in changes_of_header(header):
        yield f"header{text}", {"header": np.frombuffer(
            json.dumps(changed).encode("utf-8", "surrogatepass"), np.uint8)}


def write_changed(path: Path, changed: dict[str, object], target: Path) -> None:
    """A model's file with some of its arrays changed."""
    with np.load(path) as file:
        arrays = {**file, **changed}
    with open(target, "wb") as file:
        np.savez(file, **{name: array for name, array in arrays.items()
                          if array is not None})


def run(path: Path, folder: Path, step: int = 1, estimators: bool = False
        ) -> tuple[int, int, list[str]]:
    """How many changed files were tried, how many of them could be loaded, and what went
    wrong; every `step`-th of them."""
    use_it, load = (partial(use_sample, name=path.stem),) * 2 if estimators else (
        use, load_model)
    use_it(path)
    tried, loaded, failures = 0, 0, []
    for number, (text, changed) in enumerate(cases(path, load)):
        if number % step:
            continue
        write_changed(path, changed, folder / "changed.npz")
        tried += 1
        try:
            use_it(folder / "changed.npz")
            loaded += 1
        except ModelFileError:
            pass
        except Exception:
            failures.append(f"{path.name}, {text}: {traceback.format_exc(limit=-2)}")
    return tried, loaded, failures


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.files.schema_fuzz")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--step", type=int, default=1, help="try one of so many changes")
    parser.add_argument("--estimators", action="store_true",
                        help="the files are estimators, named as their samples")
    args = parser.parse_args(argv)
    warnings.simplefilter("ignore")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in args.files:
            tried, loaded, failures = run(path, Path(folder), args.step,
                                           args.estimators)
            print(f"{path.name}: {tried} changes, {loaded} loaded", flush=True)
            print(*failures[:20], sep="\n", flush=True)
            wrong += len(failures)
    return bool(wrong)


def changes_tried(paths: Iterable[Path], *options: object) -> list[int]:
    """How many changes of each file another process has tried, with bounds checks."""
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":
        pytest.skip("numpy 1 makes floats of sums of uint64 and int; compiled code does not")
    done = subprocess.run(
        [sys.executable, "-m", "tests.files.schema_fuzz", *map(str, [*options, *paths])],
        capture_output=True, encoding="utf-8", errors="replace", cwd=ROOT, check=False,
        timeout=900, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    return [int(line.split()[1]) for line in done.stdout.splitlines() if "changes" in line]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
