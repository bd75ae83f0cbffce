"""Files are replaced as a whole, or stay as they were."""
import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from multiprocessing import get_context

import pytest

from orange_structpred import Treebank, load_bundled, write_conll
from orange_structpred.__main__ import main
from orange_structpred.files import writing
from orange_structpred.files.writing import replacing, write_bytes, write_through
from tests.data import ROOT

POSIX = pytest.mark.skipif(os.name == "nt", reason="pipes and permissions of POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def full(monkeypatch):
    """A disk on which nothing reaches the platter."""
    def fsync(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)


def test_an_error_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), replacing(path) as file:
        file.write(b"new")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old" and names(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["file.conllu", "file.conllu.gz", "file.tab", "file.csv"])
def test_treebanks_on_a_full_disk(tmp_path, full, name):
    path = tmp_path / name
    path.write_bytes(b"old")
    with pytest.raises(OSError, match="No space left") as caught:
        load_bundled("en")[:3].save(path)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old" and names(tmp_path) == [name]


def test_the_input_as_output_on_a_full_disk(tmp_path, full, capsys):
    from orange_structpred import ParserLearner
    path, model = tmp_path / "text.conllu", tmp_path / "model.npz"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        write_conll(load_bundled("en")[:5], path)
        ParserLearner(passes=1)(load_bundled("en")[:5]).save(model)
    before = path.read_bytes()
    assert main(["parse", str(model), str(path), "-o", str(path)]) == 2
    assert f"{path}: No space left" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_scripts_on_a_full_disk(tmp_path, full, capsys):
    path = tmp_path / "script.py"
    path.write_bytes(b"old")
    workflow = ROOT / "workflows" / "110-first-parser.ows"
    assert main(["export", str(workflow), "-o", str(path)]) == 2
    assert f"{path}: No space left" in capsys.readouterr().err
    assert path.read_bytes() == b"old" and names(tmp_path) == ["script.py"]


def test_tables_come_back(tmp_path):
    treebank = load_bundled("en")[:3]
    treebank.attributes = {"note": "kept beside the table"}
    treebank.save(tmp_path / "file.tab")
    assert len(Treebank.from_file(tmp_path / "file.tab")) == 3
    assert names(tmp_path) == ["file.tab", "file.tab.metadata"]


def test_writers_at_the_same_time(tmp_path):
    """Each has a temporary file of its own."""
    path = tmp_path / "file"
    begun = threading.Barrier(4)

    def write(letter):
        with replacing(path) as file:
            file.write(letter * 1000)
            begun.wait(60)
            file.write(letter * 1000)

    threads = [threading.Thread(target=write, args=(letter,))
               for letter in (b"a", b"b", b"c", b"d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    data = path.read_bytes()
    assert len(data) == 2000 and len(set(data)) == 1 and names(tmp_path) == ["file"]


@POSIX
def test_permissions(tmp_path):
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        write_bytes(path, b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_bytes(path, b"newer")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@POSIX
def test_pipes_and_devices_get_text(tmp_path):
    write_bytes("/dev/null", b"text")
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    write_bytes(pipe, b"text")
    reader.join()
    assert found == [b"text"] and stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(OSError) as caught:
        write_bytes("/dev/full", b"text" * 10**5)
    assert caught.value.filename == "/dev/full"


def test_names_that_cannot_be(tmp_path):
    for name in ("\0", "x" * 300, "no/such/file"):
        with pytest.raises(OSError):
            write_bytes(tmp_path / name, b"text")
        with pytest.raises(OSError):
            write_through(tmp_path / name, lambda path: None)
    write_bytes(tmp_path / ("é" * 100), b"text")
    assert len(names(tmp_path)) == 1 and writing.LETTERS_OF_NAME < 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("write", [
    lambda path, action: write_through(path, lambda _: action()),
    lambda path, action: write_replacing(path, action)])
def test_what_killed_processes_leave_is_removed(tmp_path, monkeypatch, number, write):
    monkeypatch.setattr(writing, "YOUNGEST_LEFTOVER", -1)
    path, unrelated = tmp_path / "model.npz", tmp_path / ".model.npz.mine.part"
    unrelated.write_bytes(b"")

    def hang():
        if number != signal.SIGKILL:        # nohup ignores SIGHUP
            signal.signal(number, signal.SIG_DFL)
        sender.send("writing")
        time.sleep(600)

    receiver, sender = get_context("fork").Pipe()
    process = get_context("fork").Process(target=lambda: write(path, hang))
    process.start()
    assert receiver.recv() == "writing"
    write_bytes(path, b"first")
    assert len(list(tmp_path.iterdir())) == 3       # nobody touches what is being written
    os.kill(process.pid, number)
    process.join()
    assert len(list(tmp_path.iterdir())) == 3
    write_bytes(path, b"second")
    assert sorted(tmp_path.iterdir()) == [unrelated, path]
    assert path.read_bytes() == b"second"


def write_replacing(path, action):
    with replacing(path):
        action()


@POSIX
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_process_that_is_asked_to_end(tmp_path, name):
    code = ("import signal, time\n"
            f"signal.signal(signal.{name}, signal.SIG_DFL)\n"      # nohup may ignore it
            "from orange_structpred.__main__ import leave\n"
            "from orange_structpred.files.writing import replacing\n"
            "from orange_structpred.running.interrupts import answered\n"
            "with answered(leave), replacing('out') as file:\n"
            "    file.write(b'x')\n"
            "    print('ready', flush=True)\n"
            "    time.sleep(60)\n")
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, encoding="utf-8",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == "ready\n" and names(tmp_path)
        process.send_signal(getattr(signal, name))
        _, err = process.communicate()
    assert process.returncode == 128 + getattr(signal, name)
    assert err.count("\n") == 1 and "ed\n" in err and not names(tmp_path)
