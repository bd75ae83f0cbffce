"""Compiled functions on the disk, one file for each signature.

Numba's own files have an index that two processes can spoil for each other, are not
checked before they are run, and are valid as long as the file of a function has not
changed, even if another function that it calls has. Here a file has a checksum: what
was damaged on the disk costs the time of the compiler and nothing else. It also says
what it was made of: the function's file and all files of the package that it imports,
the versions and the processor. So nobody runs old code after a `git pull`, processes
can fill the folder side by side, and installations with the same text share it.

Where the folder cannot be written to (a service without a home), a temporary one takes
its place.
"""
from __future__ import annotations

import functools
import os
import pickle
import re
import stat
import sys
import tempfile
import warnings
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from orange_structpred.running.code_folder import code_folder, limit_size

SEAL_BYTES = 16
PACKAGE_NAME = __name__.partition(".")[0]
PACKAGE_FOLDER = Path(__file__).resolve().parents[1]


class CompilerCacheWarning(UserWarning):
    """Compiled code that is not stored where it should be."""


# What code is made of

@functools.cache
def digest(path: Path) -> str:
    """What tells a file and all of the package that it imports from any others."""
    files, left = {path}, [path]
    while left:
        new = imported_files(left.pop()) - files
        files |= new
        left.extend(new)
    result = blake2b(digest_size=16)
    for file in sorted(files):
        result.update(os.path.relpath(file, PACKAGE_FOLDER).encode())
        result.update(file.read_bytes())
    return result.hexdigest()


#: `import OURS.A`, `from OURS.A import B` or `from .A import B`, on any line: one of a
#: docstring does no harm
IMPORT = re.compile(
    rf"^[ \t]*(?:import[ \t]+{PACKAGE_NAME}([\w.]*)|from[ \t]+(?:{PACKAGE_NAME}|(\.+))"
    r"([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n#]+))", re.MULTILINE)


@functools.cache
def imported_files(path: Path) -> frozenset[Path]:
    """Files of the package that a file imports from, wherever it does.

    Every process waits for this, and it would take half a second to parse all files.
    """
    files: set[Path] = set()
    for whole, dots, source, names in IMPORT.findall(path.read_text(encoding="utf-8")):
        folder = path.parents[len(dots) - 1] if dots else PACKAGE_FOLDER
        for name in ("", *re.findall(r"\w+", names)):
            files |= _files_of(folder, f"{whole or source}.{name}".strip("."))
    return frozenset(files)


@functools.cache
def _files_of(folder: Path, module: str) -> frozenset[Path]:
    """The file of a module, if there is one."""
    target = folder.joinpath(*module.split("."))
    return frozenset(file for file in (target.with_suffix(".py"), target / "__init__.py")
                     if file.is_file())


# Where it is

@functools.cache
def is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


@functools.cache
def temporary_folder() -> Path:
    """A folder that nobody else can write to: who could, could run code here."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"{PACKAGE_NAME}-compiled-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = os.lstat(folder)
        private = stat.S_ISDIR(status.st_mode) and (
            os.name == "nt" or (status.st_uid == os.getuid()
                                and not stat.S_IMODE(status.st_mode) & 0o077))
    except OSError:
        private = False
    if not private:
        folder = Path(tempfile.mkdtemp(prefix=f"{PACKAGE_NAME}-compiled-"))
    warnings.warn(
        f"Compiled code cannot be stored in {code_folder()}; it is stored in {folder} "
        "(set NUMBA_CACHE_DIR to choose another folder)",
        CompilerCacheWarning, stacklevel=2)
    return folder


def writable_folder() -> Path:
    folder = code_folder()
    return folder if is_writable(folder) else temporary_folder()


@functools.cache
def limit_size_once(folder: Path) -> None:
    """Once in a process is enough: none of them compiles very much."""
    limit_size(folder)


# Files

def _seal(data: bytes) -> bytes:
    return blake2b(data, digest_size=SEAL_BYTES).digest() + data


def _unseal(sealed: bytes) -> bytes:
    data = sealed[SEAL_BYTES:]
    if _seal(data) != sealed:
        raise ValueError("compiled code is damaged")
    return data


class CodeFiles:
    """The files of one function: what numba takes for its index and data."""

    def __init__(self, source: Path, name: str):
        self.source, self.name = source, name

    @functools.cached_property
    def folder(self) -> Path:
        return writable_folder() / self.source.parent.name

    def path(self, key: tuple) -> Path:
        """The file of a signature and a processor; one for each text of the package."""
        code = blake2b(repr(self.made_of(key)).encode(), digest_size=16).hexdigest()
        return self.folder / f"{self.name}.{code}.nbc"

    def made_of(self, key: tuple) -> tuple:
        return numba.__version__, digest(self.source), key

    def load(self, key: tuple):
        path = self.path(key)
        try:
            sealed = path.read_bytes()
        except OSError:
            return None
        made_of, data = pickle.loads(_unseal(sealed))
        if made_of != self.made_of(key):
            return None
        with suppress(OSError):
            os.utime(path)
        return pickle.loads(data)

    def save(self, key: tuple, data) -> None:
        limit_size_once(self.folder.parent)
        sealed = _seal(pickle.dumps((self.made_of(key), dumps(data))))
        # only now: somebody may clear the folder at any time
        self.folder.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=self.folder)
        try:
            with open(descriptor, "wb") as file:
                file.write(sealed)
            os.replace(temporary, self.path(key))
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise


class StoredCode:
    """What a function of numba asks for code, and gives it to."""

    def __init__(self, py_func):
        source = Path(py_func.__code__.co_filename).resolve()
        version = "".join(map(str, sys.version_info[:2]))
        self.files = CodeFiles(source, f"{source.stem}.{py_func.__name__}.py{version}")

    @property
    def cache_path(self) -> str:
        return str(self.files.folder)

    def load_overload(self, sig, target_context):
        target_context.refresh()        # so that it knows the types of what is loaded
        key = sig, target_context.codegen().magic_tuple()
        try:
            payload = self.files.load(key)
            return payload and CompileResult._rebuild(target_context, *payload)
        except Exception:       # noqa: BLE001 (whatever pickle makes of a damaged file)
            return None

    def save_overload(self, sig, result: CompileResult) -> None:
        if result.library.has_dynamic_globals or result.lifted:
            return
        try:
            self.files.save((sig, result.codegen.magic_tuple()), result._reduce())
        except OSError as error:
            warnings.warn(f"Compiled code cannot be stored in {self.cache_path} "
                          f"({error.strerror})", CompilerCacheWarning, stacklevel=2)
