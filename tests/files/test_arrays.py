"""Files of arrays: what is replaced by them, and what is left alone."""
import errno
import os
import stat

import numpy as np
import pytest

from orange_structpred.files.arrays import (
    ArrayFileError,
    read_arrays,
    write_arrays,
    write_compressed,
)
from orange_structpred.files.writing import output_place

POSIX = pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_round_trip(tmp_path):
    write_arrays(tmp_path / "new.npz", a=np.arange(3), b=np.eye(2))
    arrays = read_arrays(tmp_path / "new.npz")
    assert sorted(arrays) == ["a", "b"]
    np.testing.assert_array_equal(arrays["b"], np.eye(2))
    write_arrays(tmp_path / "new.npz", a=np.arange(4))
    assert len(read_arrays(tmp_path / "new.npz")["a"]) == 4
    assert names(tmp_path) == ["new.npz"]


def test_what_is_compressed_can_be_read_again(tmp_path, monkeypatch):
    path = tmp_path / "new.npz"
    zeros = np.zeros(10**5)
    write_compressed(path, a=zeros)
    assert path.stat().st_size < zeros.nbytes / 10
    np.testing.assert_array_equal(read_arrays(path)["a"], zeros)
    monkeypatch.setattr("orange_structpred.files.arrays.LARGEST_UNPACKED", 10**5)
    with pytest.raises(ArrayFileError, match="unpack to more than"):
        read_arrays(path)
    write_compressed(path, a=zeros)
    assert path.stat().st_size > zeros.nbytes
    np.testing.assert_array_equal(read_arrays(path)["a"], zeros)


@POSIX
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_a_link(tmp_path, exists):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if exists:
        (folder / "real.npz").write_bytes(b"old")
    link, second = tmp_path / "link.npz", tmp_path / "second.npz"
    link.symlink_to(folder / "real.npz")
    second.symlink_to("link.npz")
    write_arrays(second, a=np.arange(3))
    assert link.is_symlink() and second.is_symlink()
    assert not (folder / "real.npz").is_symlink()
    assert len(read_arrays(folder / "real.npz")["a"]) == 3
    assert names(folder) == ["real.npz"]
    assert names(tmp_path) == ["elsewhere", "link.npz", "second.npz"]


@POSIX
def test_a_pipe_stays_a_pipe(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(OSError, match="choose another name") as caught:
            write_arrays(path, a=np.arange(3))
        assert caught.value.filename == str(path)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert names(tmp_path) == ["link", "pipe"]


@POSIX
def test_links_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError) as caught:
        write_arrays(tmp_path / "a", a=np.arange(3))
    assert caught.value.filename == str(tmp_path / "a")
    assert names(tmp_path) == ["a", "b"]


def test_places_where_no_file_can_be(tmp_path):
    with pytest.raises(IsADirectoryError) as caught:
        output_place(tmp_path)
    assert caught.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError) as caught:
        output_place(tmp_path / "nowhere" / "new.npz")
    assert caught.value.filename == str(tmp_path / "nowhere")
    assert output_place(tmp_path / "new.npz") == (tmp_path / "new.npz").resolve()
    assert names(tmp_path) == []


def test_errors_name_the_file_that_was_asked_for(tmp_path, monkeypatch):
    path = tmp_path / "new.npz"
    path.write_bytes(b"old")

    def full(file, **arrays):
        file.write(b"PK some of it")
        raise OSError(errno.ENOSPC, "No space left on device", file.name)

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_arrays(path, a=np.arange(3))
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    assert ".part" not in str(caught.value)
    assert names(tmp_path) == ["new.npz"] and path.read_bytes() == b"old"


@pytest.mark.parametrize("data", [
    b"", b"Some text.\n" * 5, bytes(range(256)), b"\x80\x04N.", b"PK\x03\x04 no zip"])
def test_other_files_are_no_arrays(tmp_path, data):
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(ArrayFileError) as caught:
        read_arrays(path)
    assert "pickle" not in str(caught.value)


def test_objects_are_not_read(tmp_path):
    np.savez(tmp_path / "objects.npz", a=np.array([{}], dtype=object))
    with pytest.raises(ArrayFileError, match="it holds Python objects"):
        read_arrays(tmp_path / "objects.npz")
