"""Say in words what Qt lacks on this machine, if it lacks anything.

    python tools/check_qt.py

Exit code 0 and no output if a Qt application can start, 1 and the remedy if
not. It uses nothing but the standard library, so that it runs before anything
else has been imported.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys

#: Shared libraries that Qt's wheels expect from the system, and the packages
#: that have them: Debian or Ubuntu, Fedora.
PACKAGES = {
    "libEGL.so": ("libegl1", "libglvnd-egl"),
    "libGL.so": ("libgl1", "libglvnd-glx"),
    "libGLX.so": ("libglx0", "libglvnd-glx"),
    "libOpenGL.so": ("libopengl0", "libglvnd-opengl"),
    "libxkbcommon.so": ("libxkbcommon0", "libxkbcommon"),
    "libxkbcommon-x11.so": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
    "libdbus-1.so": ("libdbus-1-3", "dbus-libs"),
    "libfontconfig.so": ("libfontconfig1", "fontconfig"),
    "libfreetype.so": ("libfreetype6", "freetype"),
    "libglib-2.0.so": ("libglib2.0-0", "glib2"),
    "libgthread-2.0.so": ("libglib2.0-0", "glib2"),
    "libX11.so": ("libx11-6", "libX11"),
    "libX11-xcb.so": ("libx11-xcb1", "libX11-xcb"),
    "libxcb.so": ("libxcb1", "libxcb"),
    "libxcb-cursor.so": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so": ("libxcb-randr0", "libxcb"),
    "libxcb-render-util.so": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-shape.so": ("libxcb-shape0", "libxcb"),
    "libxcb-xinerama.so": ("libxcb-xinerama0", "libxcb"),
    "libxcb-xkb.so": ("libxcb-xkb1", "libxcb"),
}
#: All that a fresh Debian or Ubuntu needs, for when Qt names one at a time.
USUAL = ("libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 "
         "libfontconfig1 libglib2.0-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 "
         "libxcb-keysyms1 libxcb-render-util0 libxcb-shape0")

PROGRAM = ("from AnyQt.QtWidgets import QApplication; "
           "QApplication(['check'])")
MISSING = re.compile(r"(lib[\w.+-]*?\.so)[.\d]*: cannot open shared object file")


def missing_libraries(output: str) -> list[str]:
    """The shared libraries that the loader did not find, without versions."""
    return sorted(set(MISSING.findall(output)))


def remedy(output: str) -> str:
    """What to do about a Qt that did not start, from what it said."""
    libraries = missing_libraries(output)
    if libraries:
        known = [PACKAGES[name] for name in libraries if name in PACKAGES]
        names = ", ".join(libraries)
        lines = [f"Qt cannot start: the system library {names} is missing."]
        if known:
            debian, fedora = (" ".join(sorted(set(names))) for names in zip(*known))
            lines += [f"Debian, Ubuntu:  sudo apt install {debian}",
                      f"Fedora:          sudo dnf install {fedora}",
                      f"(all that Qt usually wants on Debian: {USUAL})"]
        else:
            lines.append("Install the package of your system that has it.")
        return "\n".join(lines)
    if "No module named" in output:
        return ("Qt is not installed in this Python. Install it with:\n"
                "python -m pip install PyQt6 PyQt6-WebEngine")
    last = output.strip().splitlines()[-1:] or ["it gave no message"]
    return (f"Qt cannot start: {last[0]}\n"
            f"On Debian and Ubuntu this often helps: sudo apt install {USUAL}")


def main() -> int:
    # In a process of its own: a Qt without its platform plug-in aborts. The
    # names of missing libraries of plug-ins come only with this variable set.
    environment = {**os.environ, "QT_DEBUG_PLUGINS": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=False,
                          capture_output=True, env=environment)
    if done.returncode == 0:
        return 0
    print(f"error: {remedy(done.stderr.decode(errors='replace'))}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
