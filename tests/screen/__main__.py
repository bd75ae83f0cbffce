"""Starts the real canvas on a virtual screen and looks at every widget."""
from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
INSIDE = Path(__file__).parent / "inside"
SCREEN = "1366x768x24"      # an ordinary laptop's
#: The first of these that is installed gives windows their frames
WINDOW_MANAGERS = ("openbox", "metacity", "xfwm4", "marco", "icewm", "fluxbox")
SETTLE = 2                  # seconds in which a window manager starts
TIMEOUT = 3600
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv*", "build", "dist", "*.egg-info", "__pycache__", "output", "_build",
    ".pytest_cache", ".ruff_cache", ".hypothesis")
#: Each style is started by one of the two commands that people type.
STYLES = {"light": ["orange-canvas"],
          "dark": ["python", "-m", "Orange.canvas", "-style", "fusion:breeze-dark"]}
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><match target="pattern">
<edit name="family" mode="prepend" binding="strong"><string>{}</string></edit>
</match></fontconfig>
"""


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screen", description=__doc__)
    parser.add_argument("--pictures", type=Path, default=ROOT / "output" / "screen",
                        help="folder for pictures (default: %(default)s)")
    parser.add_argument("--venv", type=Path,
                        help="an environment to install into; it is made if it is not "
                        "there (default: a new one each time)")
    parser.add_argument("--font", help="the font that the system uses for all texts")
    parser.add_argument("--only", metavar="TEXT", default="",
                        help="only the examples with this text in their names")
    parser.add_argument("--style", choices=STYLES, help="only one of the styles")
    args = parser.parse_args(argv)
    if shutil.which("Xvfb") is None:
        print("skipped: Xvfb, a virtual screen, is not installed (Debian and Ubuntu: "
              "apt install xvfb)")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        clone = scratch / "clone"
        shutil.copytree(ROOT, clone, ignore=NOT_COPIED)
        venv = (args.venv or scratch / "venv").absolute()
        install(venv, clone)
        problems = []
        manager = next(filter(shutil.which, WINDOW_MANAGERS), None)
        print(f"window manager: {manager}" if manager else
              "no window manager is installed, so windows have no frames (Debian and "
              "Ubuntu: apt install openbox)", flush=True)
        with virtual_screen() as display, managed(display, manager):
            checked = subprocess.run(
                [venv / "bin" / "python", clone / "tools" / "check_qt.py"], check=False,
                env={**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"})
            if checked.returncode:
                print("skipped: Qt cannot open windows here")
                return 0
            for style in [args.style] if args.style else STYLES:
                pictures = args.pictures.absolute() / style
                found = walk(venv, clone, scratch / f"home-{style}", display, style,
                             pictures, args.font, args.only, manager is not None)
                print(f"{style}: {len(found['pictures'])} pictures in {pictures} "
                      f"(font {found['font']})")
                problems += [f"{style}: {own}" for own in found["problems"]]
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "no problem was found")
    return bool(problems)


def install(venv: Path, clone: Path) -> None:
    """As the README says: pip install ".[gui]" in the clone."""
    made = not venv.exists()
    if made:
        print(f"making {venv}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    again = [] if made else ["--no-deps", "--force-reinstall"]
    subprocess.run([venv / "bin" / "python", "-m", "pip", "install", "-q",
                    "--disable-pip-version-check", *again, ".[gui]"], check=True,
                   cwd=clone)


@contextmanager
def virtual_screen():
    """The name of a display of its own."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"],
        pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            yield f":{int(pipe.readline())}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def managed(display: str, manager: str | None):
    """A window manager at work on a display."""
    if manager is None:
        yield
        return
    process = subprocess.Popen([manager], env={**os.environ, "DISPLAY": display},
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(SETTLE)
    if process.poll() is not None:
        raise SystemExit(f"{manager} ended with exit code {process.returncode}")
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def walk(venv: Path, clone: Path, home: Path, display: str, style: str, pictures: Path,
         font: str | None, only: str = "", frames: bool = False) -> dict:
    """Start Orange in the clone, and wait until it has looked at everything."""
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    home.mkdir()
    runtime = home / "run"
    runtime.mkdir(mode=0o700)
    if font:
        fonts = home / ".config" / "fontconfig" / "fonts.conf"
        fonts.parent.mkdir(parents=True)
        fonts.write_text(FONTS.format(font), encoding="utf-8")
    command, *rest = STYLES[style]
    kept = {name: value for name, value in os.environ.items()
            if name in ("PATH", "LANG", "LC_ALL", "TZ")}
    with open(pictures / "log.txt", "w", encoding="utf-8") as log:
        done = subprocess.run(
            [venv / "bin" / command, *rest, "--no-welcome", "--no-splash"], check=False,
            cwd=clone, timeout=TIMEOUT, stdout=log, stderr=log, env={
                **kept, "HOME": str(home), "DISPLAY": display,
                "XDG_RUNTIME_DIR": str(runtime), "QT_QPA_PLATFORM": "xcb",
                "QTWEBENGINE_DISABLE_SANDBOX": "1", "PYTHONPATH": str(INSIDE),
                "STRUCTPRED_SCREEN": str(pictures), "STRUCTPRED_ONLY": only,
                "STRUCTPRED_FRAMES": "1" if frames else ""})
    found = pictures / "found.json"
    if not found.exists():
        return {"pictures": [], "font": "unknown", "problems": [
            f"Orange ended with exit code {done.returncode} before the walk was over; "
            f"see {pictures / 'log.txt'}"]}
    return json.loads(found.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
