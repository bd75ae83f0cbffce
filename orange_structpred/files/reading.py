"""Reading whole files, and names that no file has."""
from __future__ import annotations

import errno
import os
import stat

#: Bytes that are read from a pipe or a device, which may have no end
LARGEST_STREAM = 1 << 29


def check_file_name(path: str | os.PathLike) -> None:
    """Raise an OSError for a name that no file can have."""
    if "\0" in str(os.fspath(path)):
        raise OSError(errno.EINVAL, "found a null byte in the name of a file",
                      os.fspath(path))


def read_bytes(path: str | os.PathLike) -> bytes:
    """The content of a file; an OSError names it."""
    check_file_name(path)
    with open(path, "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read()
        data = file.read(LARGEST_STREAM + 1)
    if len(data) > LARGEST_STREAM:
        raise OSError(errno.EFBIG, f"not a regular file, and more than "
                      f"{LARGEST_STREAM:,} bytes", os.fspath(path))
    return data
