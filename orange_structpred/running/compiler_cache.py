"""Where compiled code is kept, and what happens when that goes wrong.

Numba keeps compiled code beside the source, or else in the home folder. Where neither
can be written to (an installation for all users, a service without a home) it gives up
with an error; here a temporary folder takes their place. A file of it that is damaged,
which its checksum tells, or a disk that is full, costs the time of the compiler and
nothing else.

Numba compiles a function again when its own file has changed, but not when one that it
calls stands in another file and has changed there. Here a change of anything that its
file imports does it, so that nobody runs old code after a `git pull`.

To be imported, for its effect, before anything is compiled: the rooms with compiled
code do so.
"""
from __future__ import annotations

import ast
import functools
import os
import pickle
import stat
import tempfile
import warnings
from hashlib import blake2b
from pathlib import Path

from numba.core import caching

SEAL_BYTES = 16
PACKAGE_NAME = __name__.partition(".")[0]
FOLDER = Path(__file__).resolve().parents[1]
# Private names of numba; older versions have them with an underscore.
_Locators = getattr(caching, "CacheImpl", None) or caching._CacheImpl


class CompilerCacheWarning(UserWarning):
    """Compiled code that is not kept where it should be."""


@functools.cache
def digest(path: Path) -> str:
    """What tells a file and all of the package that it imports from any others."""
    found, left = {path}, [path]
    while left:
        new = imported_files(left.pop()) - found
        found |= new
        left.extend(new)
    result = blake2b(digest_size=16)
    for file in sorted(found):
        result.update(file.relative_to(FOLDER).as_posix().encode())
        result.update(file.read_bytes())
    return result.hexdigest()


@functools.cache
def imported_files(path: Path) -> frozenset[Path]:
    """Files of the package that a file imports from, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            names = [name[1:] for name in names if name[0] == PACKAGE_NAME]
            base = FOLDER
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".") if node.module else []
            if node.level:
                base = path.parents[node.level - 1]
            elif module[:1] == [PACKAGE_NAME]:
                base, module = FOLDER, module[1:]
            else:
                continue
            names = [module, *([*module, alias.name] for alias in node.names)]
        else:
            continue
        for name in names:
            place = base.joinpath(*name)
            found |= {place.with_suffix(".py"), place / "__init__.py"}
    return frozenset(file for file in found if file.is_file())


def _stamp_of_the_package(get_source_stamp):
    @functools.wraps(get_source_stamp)
    def stamp(self):
        path = Path(self._py_file).resolve()
        if path.is_relative_to(FOLDER):
            return digest(path)
        return get_source_stamp(self)

    return stamp


@functools.cache
def temporary_folder() -> Path:
    """A folder that nobody else can write to: who could, could run code here."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"{PACKAGE_NAME}-compiled-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = os.lstat(folder)
        private = stat.S_ISDIR(found.st_mode) and (
            os.name == "nt" or (found.st_uid == os.getuid()
                                and not stat.S_IMODE(found.st_mode) & 0o077))
    except OSError:
        private = False
    if not private:
        folder = Path(tempfile.mkdtemp(prefix=f"{PACKAGE_NAME}-compiled-"))
    warnings.warn(
        "compiled code can be kept neither beside the program nor in the home folder; "
        f"it is kept in {folder} (set NUMBA_CACHE_DIR to keep it elsewhere)",
        CompilerCacheWarning, stacklevel=2)
    return folder


class TemporaryLocator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):
    """Numba's way to a folder, for functions of this package."""

    def __init__(self, py_func, py_file):
        self._py_file, self._lineno = py_file, py_func.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func, py_file):
        return super().from_function(py_func, py_file) if is_ours(py_func) else None

    def get_cache_path(self) -> str:
        return str(temporary_folder() / self.get_suitable_cache_subpath(self._py_file))


def is_ours(py_func) -> bool:
    return py_func.__module__.partition(".")[0] == PACKAGE_NAME


def _forgiving_load(load):
    @functools.wraps(load)
    def load_overload(self, sig, target_context):
        try:
            return load(self, sig, target_context)
        except Exception:       # whatever pickle makes of a damaged file
            if not is_ours(self._py_func):
                raise
            _forget(self)
            return None

    return load_overload


def _forgiving_save(save):
    @functools.wraps(save)
    def save_overload(self, sig, data):
        try:
            save(self, sig, data)
        except OSError as error:
            if not is_ours(self._py_func):
                raise
            warnings.warn(f"compiled code cannot be kept in {self.cache_path} "
                          f"({error.strerror})", CompilerCacheWarning, stacklevel=2)

    return save_overload


def _seal(data: bytes) -> bytes:
    """Code with a checksum: what was damaged on the disk would crash the program, each
    time that it starts."""
    return blake2b(data, digest_size=SEAL_BYTES).digest() + data


def _unseal(sealed: bytes) -> bytes:
    data = sealed[SEAL_BYTES:]
    if _seal(data) != sealed:
        raise ValueError("compiled code is damaged")
    return data


class SealedCacheFile(caching.IndexDataCacheFile):
    """Numba's files of compiled code, with checksums of the code."""

    def _load_data(self, name: str):
        return pickle.loads(_unseal(Path(self._data_path(name)).read_bytes()))

    def _save_data(self, name: str, data) -> None:
        with self._open_for_write(self._data_path(name)) as file:
            file.write(_seal(self._dump(data)))


def _with_seals(make):
    @functools.wraps(make)
    def __init__(self, py_func):
        make(self, py_func)
        if is_ours(py_func):
            self._cache_file = SealedCacheFile(
                self._cache_path, self._impl.filename_base,
                f"sealed {self._impl.locator.get_source_stamp()}")

    return __init__


def _forget(cache) -> None:
    """Let an index that cannot be read, or leads to what cannot be, be written anew."""
    try:
        cache.flush()
    except OSError:
        cache.disable()


if TemporaryLocator not in _Locators._locator_classes:
    _Locators._locator_classes = [*_Locators._locator_classes, TemporaryLocator]
    caching._SourceFileBackedLocatorMixin.get_source_stamp = _stamp_of_the_package(
        caching._SourceFileBackedLocatorMixin.get_source_stamp)
    caching.FunctionCache.__init__ = _with_seals(caching.FunctionCache.__init__)
    caching.FunctionCache.load_overload = _forgiving_load(
        caching.FunctionCache.load_overload)
    caching.FunctionCache.save_overload = _forgiving_save(
        caching.FunctionCache.save_overload)
