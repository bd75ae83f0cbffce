"""Gram matrices saved on disk, so that runs with other parameters can reuse them."""
from __future__ import annotations

import io
import os
import warnings
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from orange_structpred.files.fingerprint import Fingerprint
from orange_structpred.files.writing import replacing
from orange_structpred.kernels.base import InputKernel
from orange_structpred.kernels.blocks import Progress

# Counts up when the values of a kernel change, so that old files are not taken.
_VERSION = 1


def cached_gram(kernel: InputKernel, sentences: Sequence, folder: str | Path, *,
                n_jobs: int = 1, progress: Progress | None = None) -> np.ndarray:
    """The Gram matrix of sentences, from a file in `folder` if it is there.

    The name of the file is a hash of the kernel's parameters and all sentences, so it is
    used only for the same ones. It is a .npy file that is mapped into memory, with a
    checksum at its end: a damaged file is recomputed. The matrix may be written to
    without changing the file. Values of Python functions and of precomputed kernels are
    not saved, since there is no way to know whether they are still the same.
    """
    if not kernel.cacheable:
        return kernel.gram(sentences, n_jobs=n_jobs, progress=progress)
    path = Path(folder) / f"gram-{_key(kernel, sentences)}.npy"
    shape = (len(sentences), len(sentences))
    gram = _load(path, shape)
    if gram is None:
        gram = kernel.gram(sentences, n_jobs=n_jobs, progress=progress)
        try:
            _save(path, gram)
        except OSError as error:
            warnings.warn(f"the Gram matrix could not be saved in {path}: {error}",
                          stacklevel=2)
        else:
            gram = _map(path, shape)  # gives its memory back
    elif progress is not None:
        progress(1.0)
    return gram


def _key(kernel: InputKernel, sentences: Sequence) -> str:
    key = Fingerprint()
    key.add([_VERSION, kernel.params()])
    for sentence in sentences:
        key.add(getattr(sentence, "block", sentence))
    return key.hexdigest()


def _header(shape: tuple[int, int]) -> bytes:
    """How a .npy file of this shape begins."""
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return buffer.getvalue()


def _checksum(gram: np.ndarray) -> bytes:
    return zlib.crc32(gram.reshape(-1).view(np.uint8)).to_bytes(4, "little")


def _save(path: Path, gram: np.ndarray) -> None:
    """Under another name first, so that a file of this name is always complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    gram = np.ascontiguousarray(gram, dtype="<f4")
    with replacing(path) as file:
        file.write(_header(gram.shape))
        gram.tofile(file)
        file.write(_checksum(gram))


def _map(path: Path, shape: tuple[int, int]) -> np.ndarray:
    if 0 in shape:
        return np.empty(shape, dtype=np.float32)
    return np.asarray(np.memmap(path, dtype="<f4", mode="c", offset=len(_header(shape)),
                                shape=shape))


def _load(path: Path, shape: tuple[int, int]) -> np.ndarray | None:
    """The matrix in a file that exists and is undamaged, else None."""
    header = _header(shape)
    try:
        with path.open("rb") as file:
            if file.read(len(header)) != header:
                return None
            if file.seek(0, os.SEEK_END) != len(header) + 4 * shape[0] * shape[1] + 4:
                return None
            file.seek(-4, os.SEEK_END)
            checksum = file.read(4)
        gram = _map(path, shape)
    except OSError:
        return None
    return gram if _checksum(gram) == checksum else None
