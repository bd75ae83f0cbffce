"""What a fresh machine lacks is said with the remedy."""
import os
import shutil
import subprocess
import sys

import pytest

from tests.data import ROOT
from tools import check_qt

TOOLS = ROOT / "tools"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")


def shell(script, *args, **environment):
    return subprocess.run(
        [shutil.which("sh"), str(TOOLS / script), *map(str, args)], check=False,
        capture_output=True, encoding="utf-8", env={**os.environ, **environment})


def fake_python(folder, name, lines):
    """A program that stands on the PATH under the name of a Python."""
    path = folder / name
    path.write_text("#!/bin/sh\n" + lines, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_qt_that_starts():
    done = subprocess.run([sys.executable, TOOLS / "check_qt.py"], check=False,
                          capture_output=True,
                          env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_qt_without_platform():
    done = subprocess.run([sys.executable, TOOLS / "check_qt.py"], check=False,
                          capture_output=True, encoding="utf-8",
                          env={**os.environ, "QT_QPA_PLATFORM": "nonesuch"})
    assert done.returncode == 1
    assert done.stderr.startswith("error: Qt cannot start")
    assert "apt install" in done.stderr and "Traceback" not in done.stderr


def test_missing_libraries_are_named_with_their_packages():
    output = (
        "ImportError: libEGL.so.1: cannot open shared object file: No such file\n"
        "(libxcb-cursor.so.0: cannot open shared object file: No such file)\n"
        "(libGL.so.1: cannot open shared object file: No such file)\n"
        "ImportError: libEGL.so.1: cannot open shared object file: No such file\n")
    assert check_qt.missing_libraries(output) \
        == ["libEGL.so", "libGL.so", "libxcb-cursor.so"]
    message = check_qt.remedy(output)
    assert "libEGL.so, libGL.so, libxcb-cursor.so is missing" in message
    assert "apt install libegl1 libgl1 libxcb-cursor0\n" in message
    assert "dnf install libglvnd-egl libglvnd-glx xcb-util-cursor\n" in message


def test_library_that_nobody_knows():
    message = check_qt.remedy("libodd-1.2.so.3: cannot open shared object file")
    assert "libodd-1.2.so is missing" in message


def test_no_qt():
    message = check_qt.remedy("ModuleNotFoundError: No module named 'AnyQt'")
    assert "pip install PyQt6" in message


def test_no_python(tmp_path):
    done = shell("make_venv.sh", tmp_path / "venv", PATH=str(tmp_path), PYTHON="")
    assert done.returncode == 1
    assert "found no Python >= 3.10" in done.stderr
    assert "apt install python3 python3-venv" in done.stderr


def test_old_python(tmp_path):
    fake_python(tmp_path, "python3", "exit 1\n")
    done = shell("make_venv.sh", tmp_path / "venv", PATH=str(tmp_path), PYTHON="")
    assert done.returncode == 1 and "found no Python >= 3.10" in done.stderr


def test_python_without_venv(tmp_path):
    fake_python(tmp_path, "python3.12", 'case "$*" in\n'
                '  -V) echo Python 3.12.1;;\n'
                '  *ensurepip*) exit 1;;\n'
                'esac\n')
    done = shell("make_venv.sh", tmp_path / "venv", PATH=str(tmp_path), PYTHON="")
    assert done.returncode == 1
    assert "Python 3.12.1 (python3.12) cannot make" in done.stderr
    assert "apt install python3-venv" in done.stderr


def test_shims_without_a_python_are_passed_over(tmp_path):
    fake_python(tmp_path, "python3.13", "exit 127\n")
    fake_python(tmp_path, "python3.12",
                'case "$*" in *venv\\ *) echo "made $3";; esac\n')
    done = shell("make_venv.sh", "here", PATH=str(tmp_path), PYTHON="")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "made here"


def test_sandbox(tmp_path):
    code = ("import os; home = os.environ['HOME']; "
            "assert os.path.isdir(home) and os.environ['QT_QPA_PLATFORM'] == 'offscreen'; "
            "assert os.environ['XDG_CONFIG_HOME'].startswith(home); print(home); "
            "raise SystemExit(3)")
    done = shell("sandbox.sh", sys.executable, "-c", code, HOME=str(tmp_path))
    assert done.returncode == 3, done.stderr
    home = done.stdout.strip()
    assert home != str(tmp_path) and not os.path.exists(home)


def test_python_of_pyenv(tmp_path):
    """A shim on the PATH without a Python behind it does not hide the one of pyenv."""
    python = tmp_path / "versions" / "3.12.9" / "bin" / "python"
    python.parent.mkdir(parents=True)
    fake_python(python.parent, "python", "exit 0\n")
    fake_python(tmp_path, "python3.12", "exit 127\n")
    fake_python(tmp_path, "pyenv", f"echo '{tmp_path}'\n")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    assert shell("find_python.sh", "3.12", PATH=path).stdout.strip() == str(python)
    missing = shell("find_python.sh", "3.99", PATH=path)
    assert (missing.returncode, missing.stdout) == (1, "")
